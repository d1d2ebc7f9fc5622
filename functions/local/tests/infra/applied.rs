//! `terraform apply` on a double of AWS, and what the lakehouse does then.

use std::time::{Duration, Instant};

use shared::Lakehouse;
use shared::config::Config;

use crate::needs::packages;
use crate::servers::ministack;
use crate::support::{TextRow, rows};
use crate::terraform::Root;

/// How long notification, queue and function may take.
const PATIENCE: Duration = Duration::from_secs(90);

fn row(cells: &[(&str, &str)]) -> TextRow {
    cells.iter().map(|(name, text)| ((*name).to_owned(), Some((*text).to_owned()))).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_dropped_into_the_raw_bucket_becomes_a_table_until_it_is_destroyed() {
    let (Some(server), Some(packages)) = (ministack(), packages()) else { return };
    let name = format!("lake-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]);
    let environment = [
        ("AWS_ENDPOINT_URL", server.endpoint.as_str()),
        ("TF_VAR_endpoint", server.endpoint.as_str()),
        ("TF_VAR_application_name", name.as_str()),
        ("TF_VAR_packages_directory", packages.to_str().unwrap()),
    ];
    let Some(root) = Root::new("tests/double", &environment) else { return };
    root.run(["apply", "-auto-approve", "-input=false", "-no-color"]);
    let output = |name: &str| root.run(["output", "-raw", name]);

    let (s3, raw) = (server.aws().s3().await, output("raw_bucket"));
    let files = [
        ("LOAD00000001.csv", "Op,sku,on_hand,price\nI,bolt,10,0.25\nI,nut,4,0.10\n"),
        (
            "20250115-094512345.csv",
            "Op,sku,on_hand,price\nU,bolt,7,0.25\nD,nut,4,0.10\nI,gear,1,12.50\n",
        ),
    ];
    for (file, text) in files {
        let request = s3.put_object().bucket(&raw).key(format!("partner/stock/{file}"));
        request.body(text.as_bytes().to_vec().into()).send().await.unwrap();
    }

    let config = Config::parse(&output("config_document")).unwrap();
    let table = config.tables[0].table.clone();
    let lakehouse = Lakehouse::connect(config, &server.aws()).await.unwrap();
    let expected = [
        row(&[("on_hand", "1"), ("price", "12.50"), ("sku", "gear")]),
        row(&[("on_hand", "7"), ("price", "0.25"), ("sku", "bolt")]),
    ];
    let started = Instant::now();
    let mut found = rows(lakehouse.catalog(), &table).await;
    while found != expected && started.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(200)).await;
        found = rows(lakehouse.catalog(), &table).await;
    }
    assert_eq!(found, expected);

    root.run(["destroy", "-auto-approve", "-input=false", "-no-color"]);
    let buckets = s3.list_buckets().send().await.unwrap();
    let left: Vec<_> = buckets.buckets().iter().filter_map(|bucket| bucket.name()).collect();
    assert!(!left.iter().any(|bucket| bucket.starts_with(&name)), "{left:?}");
}
