//! The answers to the sample events, and what no answer can hold.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use expect_test::{Expect, expect, expect_file};
use firehose_transform::{handle, outcome};
use serde_json::{Value, json};
use shared::config::Config;

fn events() -> std::path::PathBuf {
    std::env::current_dir().unwrap().join("../../events")
}

fn samples() -> Config {
    Config::parse(&std::fs::read_to_string(events().join("lakehouse.json")).unwrap()).unwrap()
}

/// Each record's answer in one line: its result, where it goes, and its row.
fn printed(answer: &Value) -> String {
    let mut lines = String::new();
    for record in answer["records"].as_array().unwrap() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let fields = ["kafkaRecordValue", "data"].into_iter();
        let (field, row) =
            fields.filter_map(|field| Some((field, record.get(field)?))).next().unwrap();
        let destination = &record["metadata"]["otfMetadata"];
        lines += &format!(
            "{} {} {field} {} {}.{} {}\n",
            text(&record["recordId"]),
            text(&record["result"]),
            text(&destination["operation"]),
            text(&destination["destinationDatabaseName"]),
            text(&destination["destinationTableName"]),
            String::from_utf8(STANDARD.decode(text(row)).unwrap()).unwrap()
        );
    }
    lines
}

fn answer(config: &Config, payload: &str) -> Value {
    outcome(handle(payload, config)).answer.unwrap()
}

#[test]
fn the_sample_events_have_the_answers_that_the_golden_files_hold() {
    let config = samples();
    for name in ["01-transactions-from-msk", "02-transactions-put-directly"] {
        let path = events().join("firehose-transform").join(format!("{name}.json"));
        let answer = answer(&config, &std::fs::read_to_string(path).unwrap());
        let golden = std::env::current_dir().unwrap().join(format!("tests/golden/{name}.txt"));
        expect_file![golden].assert_eq(&printed(&answer));
    }
}

/// A stream of Debezium changes with the table's settings.
fn debezium(table: Value, values: &[Value]) -> Value {
    let mut table = table;
    for (key, value) in [("source", "db"), ("from", "orders"), ("table", "shop.orders")] {
        table[key] = value.into();
    }
    table["key"] = json!(["id"]);
    let config = json!({
        "catalog": {"type": "glue", "warehouse": "s3://lake"}, "quarantine": "s3://lake/quarantine",
        "sources": [{"name": "db", "format": {"type": "debezium", "decimals": "string"},
                     "kafka": {"topics": ["orders"], "delivery_streams": {"s": "orders"}}}],
        "tables": [table]});
    let records = values.iter().enumerate().map(|(index, value)| {
        json!({"recordId": index.to_string(), "data": STANDARD.encode(value.to_string())})
    });
    let event = json!({"deliveryStreamArn": "arn:aws:firehose:r:1:deliverystream/s",
                       "records": records.collect::<Vec<_>>()});
    answer(&Config::parse(&config.to_string()).unwrap(), &event.to_string())
}

#[track_caller]
fn check(table: Value, values: &[Value], expected: Expect) {
    expected.assert_eq(&printed(&debezium(table, values)));
}

#[test]
fn values_are_what_firehose_reads_as_the_columns_type() {
    let row = json!({"id": 1, "price": "19.90", "day": "2026-01-02", "at": "2026-01-02T03:04:05.000006Z",
        "clock": "03:04:05", "raw": "cmF3", "ratio": 0.25, "note": "a \"b\"\n", "none": null});
    let columns = json!({"columns": {"price": "decimal(9,2)", "day": "date", "at": "timestamptz",
        "clock": "time", "raw": "binary", "ratio": "double", "none": "long", "unseen": "long"}});
    check(
        columns,
        &[json!({"op": "c", "after": row})],
        expect![[r#"
            0 Ok data insert shop.orders {"id":1,"price":19.90,"day":20455,"at":1767323045000006,"clock":11045000000,"raw":"cmF3","ratio":0.25,"note":"a \"b\"\n","none":null}
        "#]],
    );
}

#[test]
fn a_delete_is_its_key_alone() {
    let before = json!({"id": 7, "note": "old"});
    check(
        json!({}),
        &[json!({"op": "d", "before": before, "after": null})],
        expect![[r#"
            0 Ok data delete shop.orders {"id":7}
        "#]],
    );
}

#[test]
fn what_no_answer_can_hold_fails_alone() {
    check(
        json!({"columns": {"id": "long", "note": "string"}}),
        &[
            json!({"op": "u", "after": {"id": 1, "note": "__debezium_unavailable_value"}}),
            json!({"op": "c", "after": {"id": "x", "note": "bad"}}),
            json!({"op": "x", "after": {"id": 1, "note": "bad"}}),
            json!({"op": "t"}),
            json!({"op": "c", "after": {"id": 2, "note": "good"}}),
        ],
        expect![[r#"
            0 ProcessingFailed data  . {"op":"u","after":{"id":1,"note":"__debezium_unavailable_value"}}
            1 ProcessingFailed data  . {"op":"c","after":{"id":"x","note":"bad"}}
            2 ProcessingFailed data  . {"op":"x","after":{"id":1,"note":"bad"}}
            3 ProcessingFailed data  . {"op":"t"}
            4 Ok data insert shop.orders {"id":2,"note":"good"}
        "#]],
    );
}

#[test]
fn an_answer_stays_below_six_megabytes() {
    let long = "x".repeat(900_000);
    let values: Vec<_> =
        (0..6).map(|id| json!({"op": "c", "after": {"id": id, "note": long}})).collect();
    let mut answer = debezium(json!({}), &values);
    let failed = answer["records"][5].take();
    assert_eq!(failed["data"], "", "there is no room for it");
    answer["records"][5] = failed;
    assert!(answer.to_string().len() < 6 * 1024 * 1024);
    let mut results: BTreeMap<&str, usize> = BTreeMap::new();
    for record in answer["records"].as_array().unwrap() {
        *results.entry(record["result"].as_str().unwrap()).or_default() += 1;
    }
    assert_eq!(results, BTreeMap::from([("Ok", 5), ("ProcessingFailed", 1)]));
}

#[test]
fn a_stream_that_no_source_names_fails_with_the_setting() {
    let event =
        r#"{"deliveryStreamArn": "arn:aws:firehose:r:1:deliverystream/other", "records": []}"#;
    let failed = outcome(handle(event, &samples())).answer.unwrap_err();
    assert_eq!(
        failed,
        "no source of the configuration names stream \"other\": add it to `kafka.delivery_streams`"
    );
}
