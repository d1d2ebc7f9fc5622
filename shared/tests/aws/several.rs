//! One stream into several catalogs, each with an account of its own of what it has applied.

use serde_json::json;
use shared::Lakehouse;
use shared::aws::Aws;
use shared::catalog;
use shared::config::Config;
use shared::counts::Counts;
use shared::lakehouse::NamedCatalog;
use tempfile::TempDir;

use crate::s3_tables::table_bucket;
use crate::servers::{free_port, ministack, moto, sdk_config};
use crate::support::{deliver, rows};

#[tokio::test]
async fn a_catalog_that_fails_neither_stops_nor_spoils_the_other_and_catches_up() {
    let (Some(glue), Some(s3_tables)) = (ministack(), moto()) else { return };
    let (warehouse, directory) = (glue.bucket().await, TempDir::new().unwrap());
    let table_bucket = table_bucket(&s3_tables.aws()).await;
    let document = json!({
        "catalogs": [
            {"type": "glue", "warehouse": format!("s3://{warehouse}")},
            {"type": "s3_tables", "table_bucket": table_bucket}],
        "quarantine": directory.path(),
        "sources": [{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}],
        "tables": [{"source": "s", "from": "t", "table": format!("{warehouse}.t"), "key": ["id"],
                    "columns": {"id": "long", "n": "long"}}],
    });
    let config = Config::parse(&document.to_string()).unwrap();
    let connect = async |s3_tables: Aws| {
        let mut catalogs = Vec::new();
        for (own, aws) in config.catalogs().zip([glue.aws(), s3_tables]) {
            let catalog = catalog::connect(own, &aws).await.unwrap();
            catalogs.push(NamedCatalog { name: own.name().to_owned(), catalog });
        }
        Lakehouse::with_catalogs(config.clone(), catalogs, &glue.aws()).await
    };
    let whole = connect(s3_tables.aws()).await;
    let nobody_listens = format!("http://127.0.0.1:{}", free_port());
    let half = connect(Aws::new(sdk_config(&nobody_listens))).await;
    let values = |n: i64| -> Vec<String> {
        (0..5).map(|id| json!({"id": id + n, "n": n}).to_string()).collect()
    };
    let table = format!("{warehouse}.t");
    let both = async |lakehouse: &Lakehouse| {
        (
            rows(lakehouse.catalog_named("glue").unwrap(), &table).await,
            rows(lakehouse.catalog_named("s3_tables").unwrap(), &table).await,
        )
    };

    deliver(&whole, 0, 0, &values(0)).await.unwrap();
    let (first, second) = both(&whole).await;
    assert_eq!((first.len(), first), (5, second));

    let error = deliver(&half, 0, 5, &values(2)).await.unwrap_err().to_string();
    assert!(error.starts_with("s3tables:GetTableMetadataLocation: "), "{error}");
    let (first, second) = both(&whole).await;
    assert_eq!((first.len(), second.len()), (7, 5));

    let Counts { applied, skipped, .. } = deliver(&whole, 0, 5, &values(2)).await.unwrap();
    let total = |counts: &std::collections::BTreeMap<_, u64>| counts.values().sum::<u64>();
    assert_eq!((total(&applied), skipped.values().sum::<u64>()), (5, 5));
    let (first, second) = both(&whole).await;
    assert_eq!((first.len(), first), (7, second));
}
