//! The same events give the same rows, whatever the catalog.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use shared::Lakehouse;
use shared::aws::Aws;
use shared::catalog;
use shared::config::Config;
use shared::deadline::Deadline;
use shared::lakehouse::NamedCatalog;
use tempfile::TempDir;

use crate::cloud::events;
use crate::servers::{ministack, moto};
use crate::support::{TextRow, rows};

/// The payloads of all sample events of a function.
fn payloads(function: &str) -> Vec<String> {
    let files = std::fs::read_dir(events().join(function)).unwrap();
    let mut files: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

async fn send_samples(lakehouse: &Lakehouse) {
    for payload in payloads("msk-cdc") {
        msk_cdc::handle(&payload, lakehouse, Deadline::none()).await.unwrap();
    }
    for payload in payloads("dms-csv") {
        dms_csv::handle(&payload, lakehouse, Deadline::none()).await.unwrap();
    }
}

async fn all_rows(catalog: &dyn catalog::Catalog) -> BTreeMap<String, Vec<TextRow>> {
    let mut tables = BTreeMap::new();
    for name in catalog.tables().await.unwrap() {
        tables.insert(name.to_string(), rows(catalog, &name.to_string()).await);
    }
    tables
}

#[tokio::test]
async fn the_samples_give_the_same_rows_on_sqlite_glue_and_s3_tables() {
    let (Some(aws), Some(s3_tables)) = (ministack(), moto()) else { return };
    let directory = TempDir::new().unwrap();
    let text = std::fs::read_to_string(events().join("lakehouse.json")).unwrap();
    let mut document: Value = serde_json::from_str(&text).unwrap();
    let warehouse = aws.bucket().await;
    let client = s3_tables.aws().s3_tables().await;
    let table_bucket = client.create_table_bucket().name(&warehouse).send().await.unwrap().arn;
    document.as_object_mut().unwrap().remove("catalog");
    document["catalogs"] = json!([
        {"type": "sqlite", "path": directory.path().join("catalog.db"),
         "warehouse": directory.path().join("warehouse")},
        {"type": "glue", "warehouse": format!("s3://{warehouse}")},
        {"type": "s3_tables", "table_bucket": table_bucket}]);
    document["objects"] = json!({"type": "directory", "path": events().join("dms-csv/objects")});
    document["quarantine"] = directory.path().join("quarantine").to_str().into();
    let config = Config::parse(&document.to_string()).unwrap();
    let mut catalogs = Vec::new();
    for (own, aws) in config.catalogs().zip([Aws::default(), aws.aws(), s3_tables.aws()]) {
        let catalog = catalog::connect(own, &aws).await.unwrap();
        catalogs.push(NamedCatalog { name: own.name().to_owned(), catalog });
    }
    let lakehouse = Lakehouse::with_catalogs(config, catalogs, &Aws::default()).await;
    send_samples(&lakehouse).await;
    let embedded = all_rows(lakehouse.catalog_named("local").unwrap()).await;
    assert_eq!(embedded.values().map(Vec::len).sum::<usize>(), 55);
    for name in ["glue", "s3_tables"] {
        let mut other = all_rows(lakehouse.catalog_named(name).unwrap()).await;
        other.retain(|table, _| embedded.contains_key(table));
        assert_eq!(other, embedded, "{name}");
    }
}
