//! Promises of the Glue catalog.

use std::collections::BTreeSet;
use std::sync::Arc;

use aws_sdk_glue::types::{Column, TableInput};
use futures::future::join_all;
use serde_json::{Value, json};
use shared::aws::Aws;
use shared::catalog::{self, Catalog, SwapError, TableName};
use shared::config::Config;
use shared::{Error, Lakehouse};

use crate::needs::python;
use crate::proxy::{Fault, Proxy};
use crate::servers::{Server, ministack, sdk_config};
use crate::support::{deliver, rows};

/// A lakehouse with tables in Glue, and everything else in the same bucket.
async fn lakehouse(aws: &Aws, bucket: &str, tables: Value) -> Lakehouse {
    let document = json!({
        "catalog": {"type": "glue", "warehouse": format!("s3://{bucket}/warehouse/")},
        "quarantine": format!("s3://{bucket}/quarantine"),
        "sources": [{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}],
        "tables": tables,
    });
    Lakehouse::connect(Config::parse(&document.to_string()).unwrap(), aws).await.unwrap()
}

/// A table of a database that no other test uses.
fn table(bucket: &str) -> (String, Value) {
    let name = format!("{bucket}.t");
    let table = json!({"source": "s", "from": "t", "table": name, "key": ["id"],
        "columns": {"id": "long", "n": "long", "at": "timestamptz"}});
    (name, table)
}

fn values(range: std::ops::Range<i64>) -> Vec<String> {
    let value = |id| json!({"id": id, "n": id * 10, "at": "2026-01-02T03:04:05.000006Z"});
    range.map(|id| value(id).to_string()).collect()
}

async fn snapshots(lakehouse: &Lakehouse, name: &str) -> usize {
    let loaded = catalog::load(lakehouse.catalog(), &name.parse().unwrap()).await.unwrap();
    loaded.unwrap().metadata.snapshots().len()
}

#[tokio::test]
async fn all_changes_of_twelve_racing_writers_land_and_none_lands_twice() {
    const WRITERS: i32 = 12;
    const BATCHES: i64 = 3;
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, upserts) = table(&bucket);
    let history = format!("{bucket}.history");
    let tables = json!([upserts, {"source": "s", "from": "t", "table": history, "mode": "append"}]);
    let writers = (0..WRITERS).map(async |writer| {
        let lakehouse = lakehouse(&server.aws(), &bucket, tables.clone()).await;
        let mut conflicts = 0;
        for batch in 0..BATCHES {
            let first = i64::from(writer) * 100 + batch * 10;
            let values = values(first..first + 10);
            let counts = deliver(&lakehouse, writer, batch * 10, &values).await.unwrap();
            conflicts += counts.conflicts;
        }
        conflicts
    });
    let conflicts: u64 = join_all(writers).await.into_iter().sum();
    assert!(conflicts > 0, "writers met");
    let lakehouse = lakehouse(&server.aws(), &bucket, tables).await;
    let expected = (WRITERS as usize) * (BATCHES as usize) * 10;
    for table in [&name, &history] {
        let rows = rows(lakehouse.catalog(), table).await;
        let ids: BTreeSet<_> = rows.iter().map(|row| row["id"].clone()).collect();
        assert_eq!((rows.len(), ids.len()), (expected, expected), "{table}");
        assert_eq!(snapshots(&lakehouse, table).await, (WRITERS as usize) * (BATCHES as usize));
    }
}

#[tokio::test]
async fn a_stale_version_is_a_conflict_and_the_batch_is_planned_again() {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let first = lakehouse(&server.aws(), &bucket, json!([table])).await;
    deliver(&first, 0, 0, &values(0..2)).await.unwrap();
    let name: TableName = name.parse().unwrap();
    let stale = catalog::load(first.catalog(), &name).await.unwrap().unwrap();
    deliver(&first, 0, 2, &values(2..4)).await.unwrap();
    let swapped = first
        .catalog()
        .swap(&name, &stale.pointer, &stale.pointer.metadata_location, &stale.metadata)
        .await;
    assert!(matches!(swapped, Err(SwapError::Conflict)), "{swapped:?}");
    assert_eq!(rows(first.catalog(), &name.to_string()).await.len(), 4);
}

/// A commit whose calls of UpdateTable meet faults: the result is as if there had been none.
async fn commit_through(faults: &[Fault]) {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let proxy = Proxy::to(&server.endpoint, "UpdateTable");
    let aws = Aws::new(sdk_config(&proxy.endpoint));
    let lakehouse = lakehouse(&aws, &bucket, json!([table])).await;
    deliver(&lakehouse, 0, 0, &values(0..2)).await.unwrap();
    proxy.add(faults.iter().copied());
    let counts = deliver(&lakehouse, 0, 2, &values(1..4)).await.unwrap();
    assert!(proxy.all_met());
    assert_eq!((counts.applied(), counts.skipped(), counts.snapshots), (3, 0, 1));
    assert_eq!(rows(lakehouse.catalog(), &name).await.len(), 4);
    assert_eq!(snapshots(&lakehouse, &name).await, 2);
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_found_and_not_repeated() {
    commit_through(&[Fault::AnswerLost]).await;
}

#[tokio::test]
async fn a_commit_that_never_arrived_is_sent_again() {
    commit_through(&[Fault::QuestionLost, Fault::QuestionLost]).await;
}

#[tokio::test]
async fn throttling_is_waited_out() {
    commit_through(&[Fault::Throttled, Fault::Throttled, Fault::Throttled]).await;
}

async fn entry(server: &Server, name: &TableName) -> aws_sdk_glue::types::Table {
    let client = server.aws().glue().await;
    let request = client.get_table().database_name(&name.namespace).name(&name.name);
    request.send().await.unwrap().table.unwrap()
}

#[tokio::test]
async fn what_others_keep_in_the_entry_survives_commits() {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let lakehouse = lakehouse(&server.aws(), &bucket, json!([table])).await;
    deliver(&lakehouse, 0, 0, &values(0..2)).await.unwrap();
    let name: TableName = name.parse().unwrap();

    let theirs = entry(&server, &name).await;
    let mut descriptor = theirs.storage_descriptor.unwrap();
    let column = descriptor.columns.as_mut().unwrap().first_mut().unwrap();
    column.comment = Some("the customer's number".into());
    let mut parameters = theirs.parameters.unwrap();
    parameters.insert("classification".into(), "pii".into());
    let input = TableInput::builder()
        .name("t")
        .description("by hand")
        .table_type("EXTERNAL_TABLE")
        .storage_descriptor(descriptor)
        .set_parameters(Some(parameters))
        .build()
        .unwrap();
    let client = server.aws().glue().await;
    let request = client.update_table().database_name(&name.namespace).table_input(input);
    request.send().await.unwrap();

    let wider = r#"{"id": 7, "n": 1, "at": null, "city": "Wien"}"#.to_owned();
    deliver(&lakehouse, 0, 2, &[wider]).await.unwrap();
    let now = entry(&server, &name).await;
    assert_eq!(now.description(), Some("by hand"));
    assert_eq!(now.parameters().unwrap()["classification"], "pii");
    assert_eq!(now.parameters().unwrap()["table_type"], "ICEBERG");
    let previous = &now.parameters().unwrap()["previous_metadata_location"];
    assert!(previous.ends_with(".metadata.json"), "{previous}");
    let columns = now.storage_descriptor().unwrap().columns();
    let shown = |column: &Column| {
        let parameters = column.parameters().unwrap();
        let text = |text: Option<&str>| text.unwrap_or("-").to_owned();
        format!(
            "{} {} {} {} {}",
            column.name(),
            text(column.r#type()),
            parameters["iceberg.field.id"],
            parameters["iceberg.field.optional"],
            text(column.comment())
        )
    };
    let shown: Vec<_> = columns.iter().map(shown).collect();
    assert_eq!(
        shown,
        [
            "id bigint 1 false the customer's number",
            "n bigint 2 true -",
            "at timestamp 3 true -",
            "_cdc_version string 4 true -",
            "city string 5 true -"
        ]
    );
}

#[tokio::test]
async fn a_table_that_is_no_iceberg_table_is_refused_by_name() {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let lakehouse = lakehouse(&server.aws(), &bucket, json!([table])).await;
    let client = server.aws().glue().await;
    let database = aws_sdk_glue::types::DatabaseInput::builder().name(&bucket).build().unwrap();
    client.create_database().database_input(database).send().await.unwrap();
    let input = TableInput::builder().name("t").table_type("EXTERNAL_TABLE").build().unwrap();
    client.create_table().database_name(&bucket).table_input(input).send().await.unwrap();
    let error = deliver(&lakehouse, 0, 0, &values(0..1)).await.unwrap_err();
    assert!(matches!(&error, Error::Table { table, .. } if *table == name), "{error}");
    assert!(error.to_string().contains("is no Iceberg table"), "{error}");
}

#[tokio::test]
async fn a_database_with_a_place_of_its_own_keeps_its_tables_there() {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let lakehouse = lakehouse(&server.aws(), &bucket, json!([table])).await;
    let client = server.aws().glue().await;
    let database = aws_sdk_glue::types::DatabaseInput::builder()
        .name(&bucket)
        .location_uri(format!("s3://{bucket}/own/"))
        .build()
        .unwrap();
    client.create_database().database_input(database).send().await.unwrap();
    deliver(&lakehouse, 0, 0, &values(0..1)).await.unwrap();
    let loaded = catalog::load(lakehouse.catalog(), &name.parse().unwrap()).await.unwrap();
    assert_eq!(loaded.unwrap().metadata.location(), format!("s3://{bucket}/own/t"));
    let catalog: Arc<dyn Catalog> = lakehouse.catalogs[0].catalog.clone();
    assert!(catalog.tables().await.unwrap().contains(&name.parse().unwrap()));
}

/// Runs a script of Python's with PyIceberg's view of the server as `catalog`.
fn pyiceberg(server: &Server, script: &str) -> Option<String> {
    let python = python()?;
    let endpoint = &server.endpoint;
    let keys = "'{0}.region': 'us-east-1', '{0}.access-key-id': 'test', \
                '{0}.secret-access-key': 'test', '{0}.endpoint': ENDPOINT";
    let properties = ["glue", "s3"].map(|service| keys.replace("{0}", service)).join(", ");
    let script = format!(
        "from pyiceberg.catalog import load_catalog\nENDPOINT = '{endpoint}'\n\
         catalog = load_catalog('glue', **{{'type': 'glue', {properties}}})\n{script}"
    );
    let output = std::process::Command::new(python).args(["-c", &script]).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn a_table_that_another_writer_created_is_taken_as_it_is() {
    let Some(server) = ministack() else { return };
    let bucket = server.bucket().await;
    let (name, table) = table(&bucket);
    let create = format!(
        "import pyarrow as pa\n\
         catalog.create_namespace('{bucket}')\n\
         schema = pa.schema([pa.field('id', pa.int64(), nullable=False), pa.field('n', pa.int32()),\n\
             pa.field('at', pa.timestamp('us', 'UTC')), pa.field('theirs', pa.string())])\n\
         table = catalog.create_table('{name}', schema, location='s3://{bucket}/theirs',\n\
             properties={{'owner': 'them'}})\n\
         table.append(pa.Table.from_pylist([{{'id': 1, 'n': 1, 'theirs': 'kept'}},\n\
             {{'id': 2, 'n': 2, 'theirs': 'gone'}}], schema=schema))"
    );
    if pyiceberg(&server, &create).is_none() {
        return;
    }
    let lakehouse = lakehouse(&server.aws(), &bucket, json!([table])).await;
    deliver(&lakehouse, 0, 0, &values(2..4)).await.unwrap();
    let read = format!(
        "table = catalog.load_table('{name}')\n\
         print(table.properties['owner'], table.location())\n\
         for row in sorted(table.scan().to_arrow().to_pylist(), key=lambda row: row['id']):\n\
         \x20   print(row['id'], row['n'], row['at'], row['theirs'])"
    );
    let at = "2026-01-02 03:04:05.000006+00:00";
    let expected =
        format!("them s3://{bucket}/theirs\n1 1 None kept\n2 20 {at} None\n3 30 {at} None\n");
    assert_eq!(pyiceberg(&server, &read), Some(expected));
}
