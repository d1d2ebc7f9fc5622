//! What is named for another delivery, and what a deadline leaves for it.

use std::time::Duration;

use serde_json::{Value, json};
use shared::deadline::Deadline;

use crate::events::{Sent, event};
use crate::support::TestLake;

/// Two tables of one topic; the second can take nothing.
async fn lake(partial: bool) -> TestLake {
    let sources = json!([{"name": "s", "format": {"type": "dms_json"},
                          "kafka": {"topics": ["t"], "partial_batch_responses": partial}}]);
    let tables = json!([
        {"source": "s", "from": "SHOP.GOOD", "table": "n.good", "key": ["id"]},
        {"source": "s", "from": "SHOP.BAD", "table": "n.bad", "key": ["nr"]}]);
    TestLake::new(sources, tables).await
}

fn change(table: &str, id: i64) -> String {
    json!({"data": {"id": id},
           "metadata": {"record-type": "data", "operation": "insert", "schema-name": "SHOP",
                        "table-name": table, "timestamp": "2026-03-01T12:00:00Z"}})
    .to_string()
}

fn sent(partition: i64, offset: i64, table: &str) -> Sent {
    let mut sent = Sent::new(offset, change(table, offset));
    sent.partition = partition;
    sent
}

/// The answer to an event, or why it must be delivered again.
async fn answer(lake: &TestLake, sent: &[Sent], deadline: Deadline) -> Result<Value, String> {
    msk_cdc::outcome(msk_cdc::handle(&event(sent), &lake.lakehouse, deadline).await).answer
}

fn items(items: &[(i64, i64)]) -> Value {
    let item = |(partition, offset): &(i64, i64)| json!({"itemIdentifier": {"topic-partition": format!("t-{partition}"), "offset": offset}});
    json!({"batchItemFailures": items.iter().map(item).collect::<Vec<_>>()})
}

#[tokio::test]
async fn a_partition_is_delivered_again_from_its_first_failed_record_on() {
    let lake = lake(true).await;
    let event = [
        sent(0, 5, "GOOD"),
        sent(0, 6, "BAD"),
        sent(0, 7, "GOOD"),
        sent(1, 1, "GOOD"),
        sent(2, 3, "BAD"),
    ];
    let answer = answer(&lake, &event, Deadline::none()).await.unwrap();
    assert_eq!(answer, items(&[(0, 6), (0, 7), (2, 3)]));
    assert_eq!(lake.rows("n.good").await.len(), 3);
}

#[tokio::test]
async fn a_failed_table_fails_the_event_where_the_mapping_takes_no_partial_answers() {
    let lake = lake(false).await;
    let event = [sent(0, 5, "GOOD"), sent(0, 6, "BAD")];
    let error = answer(&lake, &event, Deadline::none()).await.unwrap_err();
    assert!(error.starts_with("table n.bad: key column \"nr\""), "{error}");
    assert_eq!(lake.rows("n.good").await.len(), 1);
}

#[tokio::test]
async fn what_a_deadline_cuts_off_comes_with_the_next_delivery() {
    let lake = lake(true).await;
    let event = [sent(0, 5, "GOOD"), sent(0, 6, "GOOD")];
    let late = answer(&lake, &event, Deadline::within(Duration::ZERO)).await.unwrap();
    assert_eq!(late, items(&[(0, 5), (0, 6)]));
    let in_time = answer(&lake, &event, Deadline::within(Duration::from_secs(60))).await.unwrap();
    assert_eq!(in_time, items(&[]));
    assert_eq!(lake.rows("n.good").await.len(), 2);
}
