//! Promises of the S3 Tables catalog.

use futures::future::join_all;
use serde_json::{Value, json};
use shared::Lakehouse;
use shared::aws::Aws;
use shared::catalog::{self, SwapError, TableName};
use shared::config::Config;

use crate::proxy::{Fault, Proxy};
use crate::servers::{moto, sdk_config};
use crate::support::{deliver, rows};

/// A lakehouse with tables in a table bucket.
async fn lakehouse(aws: &Aws, table_bucket: &str, directory: &std::path::Path) -> Lakehouse {
    let document = json!({
        "catalog": {"type": "s3_tables", "table_bucket": table_bucket},
        "quarantine": directory,
        "sources": [{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}],
        "tables": [table()],
    });
    Lakehouse::connect(Config::parse(&document.to_string()).unwrap(), aws).await.unwrap()
}

fn table() -> Value {
    json!({"source": "s", "from": "t", "table": "shop.t", "key": ["id"],
           "columns": {"id": "long"},
           // Nothing is ever deleted from a table bucket, whatever the table says.
           "properties": {"write.metadata.previous-versions-max": "1",
                          "write.metadata.delete-after-commit.enabled": "true"}})
}

/// A new table bucket, by ARN.
pub(crate) async fn table_bucket(aws: &Aws) -> String {
    let name = format!("b{}", uuid::Uuid::new_v4().simple());
    let client = aws.s3_tables().await;
    client.create_table_bucket().name(name).send().await.unwrap().arn
}

fn values(range: std::ops::Range<i64>) -> Vec<String> {
    range.map(|id| json!({"id": id}).to_string()).collect()
}

#[tokio::test]
async fn a_table_without_metadata_gets_its_first_and_then_every_batch() {
    // This double does not answer an update as the API says, so that its outcome is unknown each
    // time, and looked up.
    let Some(server) = moto() else { return };
    let aws = server.aws();
    let bucket = table_bucket(&aws).await;
    let lakehouse = lakehouse(&aws, &bucket, server.directory.path()).await;
    let client = aws.s3_tables().await;
    client.create_namespace().table_bucket_arn(&bucket).namespace("shop").send().await.unwrap();
    let request = client.create_table().table_bucket_arn(&bucket).namespace("shop").name("t");
    let iceberg = aws_sdk_s3tables::types::OpenTableFormat::Iceberg;
    request.format(iceberg).send().await.unwrap();
    let name: TableName = "shop.t".parse().unwrap();
    let mut metadata_files = Vec::new();
    for first in [0, 2, 4] {
        deliver(&lakehouse, 0, first, &values(first..first + 3)).await.unwrap();
        let loaded = catalog::load(lakehouse.catalog(), &name).await.unwrap().unwrap();
        metadata_files.push(loaded.pointer.metadata_location);
    }
    assert_eq!(rows(lakehouse.catalog(), "shop.t").await.len(), 7);
    assert!(lakehouse.catalog().tables().await.unwrap().contains(&name));
    // What fell out of the log is still there.
    for file in metadata_files {
        lakehouse.catalog().file_io().new_input(file).unwrap().read().await.unwrap();
    }
}

#[tokio::test]
async fn a_stale_token_is_a_conflict_and_the_batch_is_planned_again() {
    let Some(server) = moto() else { return };
    let aws = server.aws();
    let bucket = table_bucket(&aws).await;
    let first = lakehouse(&aws, &bucket, server.directory.path()).await;
    deliver(&first, 0, 0, &values(0..1)).await.unwrap();
    let name: TableName = "shop.t".parse().unwrap();
    let stale = catalog::load(first.catalog(), &name).await.unwrap().unwrap();
    let writers = (1..5).map(async |writer| {
        let lakehouse = lakehouse(&aws, &bucket, server.directory.path()).await;
        let first = i64::from(writer) * 10;
        deliver(&lakehouse, writer, 0, &values(first..first + 5)).await.unwrap().conflicts
    });
    let conflicts: u64 = join_all(writers).await.into_iter().sum();
    assert!(conflicts > 0, "writers met");
    assert_eq!(rows(first.catalog(), "shop.t").await.len(), 21);
    let location = &stale.pointer.metadata_location;
    let swapped = first.catalog().swap(&name, &stale.pointer, location, &stale.metadata).await;
    assert!(matches!(swapped, Err(SwapError::Conflict)), "{swapped:?}");
}

#[tokio::test]
async fn a_commit_whose_answer_is_lost_is_found_and_not_repeated() {
    let Some(server) = moto() else { return };
    let bucket = table_bucket(&server.aws()).await;
    let proxy = Proxy::to(&server.endpoint, "metadata-location");
    let aws = Aws::new(sdk_config(&proxy.endpoint));
    let lakehouse = lakehouse(&aws, &bucket, server.directory.path()).await;
    deliver(&lakehouse, 0, 0, &values(0..2)).await.unwrap();
    // The first call of the commit reads the token, the second moves the pointer.
    for fault in [Fault::AnswerLost, Fault::QuestionLost] {
        let name: TableName = "shop.t".parse().unwrap();
        let before = catalog::load(lakehouse.catalog(), &name).await.unwrap().unwrap();
        proxy.add([fault]);
        let next = before.pointer.metadata_location.clone();
        let swapped = lakehouse.catalog().swap(&name, &before.pointer, &next, &before.metadata);
        assert!(matches!(swapped.await, Err(SwapError::Unknown(_))), "{fault:?}");
    }
    assert!(proxy.all_met());
    assert_eq!(rows(lakehouse.catalog(), "shop.t").await.len(), 2);
}
