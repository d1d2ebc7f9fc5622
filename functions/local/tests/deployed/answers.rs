//! What the deployed functions answer, by the Lambda API.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::cloud::{Cloud, Invoked};
use crate::support::rows;

/// An MSK event: records of a topic by partition, from an offset on.
fn event(topic: &str, partitions: &[(i32, i64, &[&str])]) -> String {
    let mut records = serde_json::Map::new();
    for (partition, first, values) in partitions {
        let record = |(offset, value): (i64, &&str)| {
            json!({"topic": topic, "partition": partition, "offset": offset,
                   "timestamp": 1_772_368_497_009_i64, "value": STANDARD.encode(value)})
        };
        let values: Vec<Value> = (*first..).zip(*values).map(record).collect();
        records.insert(format!("{topic}-{partition}"), values.into());
    }
    json!({"eventSource": "aws:kafka", "records": records}).to_string()
}

fn source(partial: bool) -> Value {
    json!([{"name": "shop", "format": {"type": "dms_json"},
            "kafka": {"topics": ["t"], "partial_batch_responses": partial}}])
}

/// One table that takes what comes, and one whose key no record has.
fn tables() -> Value {
    json!([{"source": "shop", "from": "SHOP.GOOD", "table": "BUCKET.good", "key": ["id"]},
           {"source": "shop", "from": "SHOP.BAD", "table": "BUCKET.bad", "key": ["nr"]}])
}

fn change(table: &str, id: i64) -> String {
    json!({"data": {"id": id},
           "metadata": {"record-type": "data", "operation": "insert", "schema-name": "SHOP",
                        "table-name": table, "timestamp": "2026-03-01T12:00:00Z"}})
    .to_string()
}

#[tokio::test]
async fn a_poison_record_is_quarantined_and_its_neighbours_are_applied() {
    let Some(cloud) = Cloud::new(source(false), tables()).await else { return };
    let Some(function) = cloud.deploy("msk-cdc").await else { return };
    let (first, last) = (change("GOOD", 1), change("GOOD", 2));
    let sent = event("t", &[(0, 5, &[&first, "{poison", &last])]);
    let Invoked::Answer(report) = cloud.invoke(&function, &sent).await else { panic!() };
    let table = format!("{}.good", cloud.bucket);
    assert_eq!(report["tables"][&table]["applied"], 2, "{report}");
    assert_eq!(report["unrouted"]["rejected"], 1, "{report}");
    let lakehouse = cloud.lakehouse().await;
    assert_eq!(rows(lakehouse.catalog(), &table).await.len(), 2);
    let s3 = cloud.server.aws().s3().await;
    let request = s3.list_objects_v2().bucket(&cloud.bucket).prefix("quarantine/");
    let listed = request.send().await.unwrap();
    let keys: Vec<_> = listed.contents().iter().filter_map(|object| object.key()).collect();
    assert_eq!(keys, ["quarantine/shop/unrouted/t-0@00000000000000000006.jsonl"]);
}

#[tokio::test]
async fn a_failing_table_fails_the_event_where_partial_answers_are_off() {
    let Some(cloud) = Cloud::new(source(false), tables()).await else { return };
    let Some(function) = cloud.deploy("msk-cdc").await else { return };
    let (good, bad) = (change("GOOD", 1), change("BAD", 1));
    let sent = event("t", &[(0, 5, &[&good, &bad])]);
    let Invoked::FunctionError(error) = cloud.invoke(&function, &sent).await else { panic!() };
    let message = error["errorMessage"].as_str().unwrap();
    assert!(message.contains("key column \"nr\" is in no record yet"), "{message}");
    let lakehouse = cloud.lakehouse().await;
    assert_eq!(rows(lakehouse.catalog(), &format!("{}.good", cloud.bucket)).await.len(), 1);
}

#[tokio::test]
async fn a_failing_table_names_its_records_where_partial_answers_are_on() {
    let Some(cloud) = Cloud::new(source(true), tables()).await else { return };
    let Some(function) = cloud.deploy("msk-cdc").await else { return };
    let (good, bad) = (change("GOOD", 1), change("BAD", 1));
    let other = change("GOOD", 2);
    let sent = event("t", &[(0, 5, &[&good, &bad, &good]), (1, 9, &[&other, &good])]);
    let item =
        |offset: i64| json!({"itemIdentifier": {"topic-partition": "t-0", "offset": offset}});
    let expected = json!({"batchItemFailures": [item(6), item(7)]});
    assert_eq!(cloud.invoke(&function, &sent).await, Invoked::Answer(expected));
    let lakehouse = cloud.lakehouse().await;
    assert_eq!(rows(lakehouse.catalog(), &format!("{}.good", cloud.bucket)).await.len(), 2);
    let well = event("t", &[(1, 11, &[&other])]);
    let nothing = json!({"batchItemFailures": []});
    assert_eq!(cloud.invoke(&function, &well).await, Invoked::Answer(nothing));
}

#[tokio::test]
async fn the_firehose_function_answers_its_sample_event() {
    let document = std::fs::read_to_string(crate::cloud::events().join("lakehouse.json")).unwrap();
    let mut document: Value = serde_json::from_str(&document).unwrap();
    let (sources, tables) = (document["sources"].take(), document["tables"].take());
    let Some(cloud) = Cloud::new(sources, tables).await else { return };
    let Some(function) = cloud.deploy("firehose-transform").await else { return };
    let sent = crate::cloud::events().join("firehose-transform/01-transactions-from-msk.json");
    let sent = std::fs::read_to_string(sent).unwrap();
    let Invoked::Answer(answer) = cloud.invoke(&function, &sent).await else { panic!() };
    let results = answer["records"].as_array().unwrap().iter();
    let results: Vec<_> = results.map(|record| record["result"].as_str().unwrap()).collect();
    let of = |result| results.iter().filter(|own| **own == result).count();
    assert_eq!((of("Ok"), of("Dropped"), of("ProcessingFailed")), (10, 3, 1));
}

/// Waits until a condition holds.
async fn eventually(what: &str, condition: impl AsyncFn() -> bool) {
    for _ in 0..600 {
        if condition().await {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    panic!("{what}: never within a minute");
}

#[tokio::test]
async fn an_object_reaches_its_table_through_notification_and_queue() {
    let sources = json!([{"name": "shop", "format": {"type": "dms_csv", "header": true},
        "s3": {"bucket": "BUCKET", "prefix": "raw zone/", "partial_batch_responses": true}}]);
    let tables = json!([{"source": "shop", "from": "book", "table": "BUCKET.book", "key": ["id"]}]);
    let Some(cloud) = Cloud::new(sources, tables).await else { return };
    let Some(function) = cloud.deploy("dms-csv").await else { return };
    cloud.notify(&cloud.bucket, &function).await;
    let s3 = cloud.server.aws().s3().await;
    let put = async |key: &str, body: &str| {
        let request = s3.put_object().bucket(&cloud.bucket).key(key);
        request.body(body.as_bytes().to_vec().into()).send().await.unwrap();
    };
    put("raw zone/book/LOAD00000001.csv", "Op,id,title\nI,1,One\nI,2,Two\n").await;
    put("raw zone/book/20260301-120000000.csv", "Op,id,title\nU,2,Two + a half\nD,1,One\n").await;
    let table = format!("{}.book", cloud.bucket);
    let lakehouse = cloud.lakehouse().await;
    eventually("the changed row", async || {
        let rows = rows(lakehouse.catalog(), &table).await;
        rows.len() == 1 && rows[0]["title"].as_deref() == Some("Two + a half")
    })
    .await;
}
