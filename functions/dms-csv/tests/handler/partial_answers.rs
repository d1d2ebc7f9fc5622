//! Which messages of a queue are named for another delivery.

use serde_json::{Value, json};
use shared::deadline::Deadline;

use crate::support::TestLake;

/// Two folders of one source; the second's table can take nothing.
async fn lake(partial: bool) -> TestLake {
    let sources = json!([{"name": "s", "format": {"type": "dms_csv", "header": true},
        "s3": {"bucket": "raw", "prefix": "shop/", "partial_batch_responses": partial}}]);
    let tables = json!([
        {"source": "s", "from": "good", "table": "n.good", "key": ["id"]},
        {"source": "s", "from": "bad", "table": "n.bad", "key": ["id"],
         "columns": {"_pos": "long"}}]);
    let lake = TestLake::new(sources, tables).await;
    for folder in ["good", "bad"] {
        let path = lake.directory.path().join("objects/raw/shop").join(folder);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("LOAD00000001.csv"), "Op,id,_pos\nI,1,2\n").unwrap();
    }
    std::fs::write(
        lake.directory.path().join("objects/raw/shop/good/LOAD00000001.csv"),
        "Op,id\nI,1\n",
    )
    .unwrap();
    lake
}

/// Messages of a queue: an id and a body each.
fn queue(messages: &[(&str, String)]) -> String {
    let message = |(id, body): &(&str, String)| json!({"messageId": id, "body": body});
    json!({"Records": messages.iter().map(message).collect::<Vec<_>>()}).to_string()
}

fn created(folder: &str) -> String {
    let key = format!("shop/{folder}/LOAD00000001.csv");
    json!({"Records": [{"s3": {"bucket": {"name": "raw"}, "object": {"key": key}}}]}).to_string()
}

async fn answer(lake: &TestLake, event: &str) -> Result<Value, String> {
    dms_csv::outcome(dms_csv::handle(event, &lake.lakehouse, Deadline::none()).await).answer
}

#[tokio::test]
async fn messages_of_a_failed_table_and_messages_at_fault_are_delivered_again() {
    let lake = lake(true).await;
    let event = queue(&[
        ("1", created("good")),
        ("2", created("bad")),
        ("3", "poison".to_owned()),
        ("4", created("good")),
    ]);
    let expected = json!({"batchItemFailures": [{"itemIdentifier": "2"}, {"itemIdentifier": "3"}]});
    assert_eq!(answer(&lake, &event).await.unwrap(), expected);
    assert_eq!(lake.rows("n.good").await.len(), 1);
}

#[tokio::test]
async fn a_failure_fails_the_event_where_the_mapping_takes_no_partial_answers() {
    let lake = lake(false).await;
    let event = queue(&[("1", created("good")), ("2", created("bad"))]);
    let error = answer(&lake, &event).await.unwrap_err();
    assert!(error.contains("table n.bad"), "{error}");
    let event = queue(&[("1", created("good")), ("3", "poison".to_owned())]);
    let error = answer(&lake, &event).await.unwrap_err();
    assert!(error.starts_with("the event is no S3 event"), "{error}");
    assert_eq!(lake.rows("n.good").await.len(), 1);
}

#[tokio::test]
async fn an_event_straight_from_s3_has_no_messages_to_name() {
    let lake = lake(true).await;
    let report = answer(&lake, &created("good")).await.unwrap();
    assert_eq!(report["tables"]["n.good"]["applied"], 1);
    assert!(answer(&lake, &created("bad")).await.is_err());
}
