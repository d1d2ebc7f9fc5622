//! Bad records are quarantined with reason and position, and their neighbours are applied.

use serde_json::{Value, json};
use shared::deadline::Deadline;

use crate::events::{Sent, event};
use crate::support::TestLake;

async fn lake(format: Value, columns: Value) -> TestLake {
    let sources = json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": format}]);
    let tables =
        json!([{"source": "s", "from": "t", "table": "n.t", "key": ["id"], "columns": columns}]);
    TestLake::new(sources, tables).await
}

/// Sends `bad` between two good records, and checks that only it is rejected, and how.
async fn check(format: Value, good: [&str; 2], bad: &[u8], reason: &str) {
    let lake = lake(format, json!({"id": "long", "v": "decimal(5,2)"})).await;
    let sent = [Sent::new(10, good[0]), Sent::new(11, bad), Sent::new(12, good[1])];
    let report = msk_cdc::handle(&event(&sent), &lake.lakehouse, Deadline::none()).await.unwrap();
    let counts = &report.tables["n.t"];
    assert_eq!((counts.applied(), counts.rejected), (2, 1), "{reason}");
    assert_eq!(lake.reasons(), [("t-0@11".to_owned(), reason.to_owned())]);
    assert_eq!(lake.rows("n.t").await.len(), 2, "{reason}");
    use base64::Engine;
    let value = base64::engine::general_purpose::STANDARD.encode(bad);
    assert_eq!(lake.quarantined()[0]["value"], value, "the raw bytes are kept");
    // Delivered again, the event changes nothing and adds nothing to the quarantine.
    let again =
        msk_cdc::handle(&event(&sent), &lake.reopened().await, Deadline::none()).await.unwrap();
    assert_eq!((again.tables["n.t"].applied(), again.tables["n.t"].skipped()), (0, 3));
    assert_eq!(lake.quarantined().len(), 1);
}

const ROWS: [&str; 2] = [r#"{"id": 1, "v": 1.5}"#, r#"{"id": 2, "v": 2.5}"#];

async fn plain(bad: impl AsRef<[u8]>, reason: &str) {
    check(json!({"type": "plain"}), ROWS, bad.as_ref(), reason).await;
}

#[tokio::test]
async fn what_is_no_json_is_quarantined() {
    plain("{\"id\": 3,", "is no JSON: it ends in the middle at line 1 column 9").await;
    plain("hello", "is no JSON: it is broken at line 1 column 1").await;
    plain("[1, 2]", "is JSON, but no object").await;
    plain(
        format!("{}1", "[".repeat(100_000)),
        "is no JSON: it ends in the middle at line 1 column 100001",
    )
    .await;
}

#[tokio::test]
async fn what_is_not_utf_8_is_quarantined() {
    plain(b"{\"id\": 3, \"v\": \"\xff\"}", "is not UTF-8: byte 16 begins no character").await;
}

#[tokio::test]
async fn a_row_without_its_key_is_quarantined() {
    plain(r#"{"v": 3.5}"#, "key column \"id\" is missing").await;
    plain(r#"{"id": null, "v": 3.5}"#, "key column \"id\" is null").await;
}

#[tokio::test]
async fn a_value_that_does_not_fit_is_quarantined() {
    let reason = "column \"v\": has more than the 3 digits before the point of decimal(5,2)";
    plain(r#"{"id": 3, "v": 1234.5}"#, reason).await;
    let reason = "column \"v\": has more than the 2 digits behind the point of decimal(5,2)";
    plain(r#"{"id": 3, "v": 1.005}"#, reason).await;
    plain(r#"{"id": 3, "v": "NaN"}"#, "column \"v\": is no decimal number").await;
    plain(r#"{"id": 92233720368547758080, "v": 1}"#, "column \"id\": does not fit 64 bits").await;
    plain(r#"{"id": 3, "v": {"a": 1}}"#, "column \"v\": is no decimal number").await;
}

#[tokio::test]
async fn a_wrong_envelope_is_quarantined() {
    let good = [
        r#"{"after": {"id": 1, "v": 1}, "op": "c"}"#,
        r#"{"after": {"id": 2, "v": 2}, "op": "u"}"#,
    ];
    let cockroach = json!({"type": "cockroach"});
    for (bad, reason) in [
        (r#"{"id": 3, "v": 3}"#, "has no field `after`: it is no CockroachDB envelope"),
        (r#"{"after": {"id": 3, "v": 3}, "op": "x"}"#, "has an unknown `op`: it is c, u or d"),
        (r#"{"after": null, "op": "u"}"#, "is an update with `after` null"),
        (r#"{"after": null, "op": "d"}"#, "key column \"id\" is missing"),
        (
            r#"{"__crdb__": {"updated": "1.0"}, "id": 3}"#,
            "is of envelope bare or row, in which deletes look like rows: create the changefeed with \
             envelope = enriched or wrapped",
        ),
    ] {
        check(cockroach.clone(), good, bad.as_bytes(), reason).await;
    }
    let good = [r#"{"id": 1, "v": "AQ==", "__op": "c"}"#, r#"{"id": 2, "v": "AQ==", "__op": "r"}"#];
    let flattened = json!({"type": "debezium_flattened"});
    for (bad, reason) in [
        (
            r#"{"before": null, "after": {"id": 3}, "source": {}, "op": "c"}"#,
            "is a full Debezium envelope, the source is configured as debezium_flattened",
        ),
        (r#"{"id": 3, "__op": "x"}"#, "has an unknown `__op`: it is c, r, u, d, t or m"),
        (r#"{"id": 3, "v": "1.5", "__op": "c"}"#, "column \"v\": is no base64"),
    ] {
        check(flattened.clone(), good, bad.as_bytes(), reason).await;
    }
}

#[tokio::test]
async fn a_bad_dms_message_is_quarantined_and_its_neighbours_applied() {
    let sources =
        json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "dms_json"}}]);
    let tables = json!([{"source": "s", "from": "SHOP.T", "table": "n.t", "key": ["id"]}]);
    let lake = TestLake::new(sources, tables).await;
    let message = |data: Value, operation: &str, table: &str| {
        json!({"data": data, "metadata": {"record-type": "data", "operation": operation,
               "schema-name": "SHOP", "table-name": table}})
        .to_string()
    };
    let sent = [
        Sent::new(0, message(json!({"ID": 1}), "insert", "T")),
        Sent::new(1, message(json!({"ID": 2}), "upsert", "T")),
        Sent::new(2, message(json!({"ID": 3}), "insert", "OTHER")),
        Sent::new(3, "{}"),
        Sent::new(4, message(json!({"ID": 4}), "load", "T")),
    ];
    let report = msk_cdc::handle(&event(&sent), &lake.lakehouse, Deadline::none()).await.unwrap();
    assert_eq!((report.tables["n.t"].applied(), report.unrouted.rejected), (2, 3));
    let reasons = lake.reasons();
    let reasons: Vec<_> = reasons.iter().map(|(at, why)| (at.as_str(), why.as_str())).collect();
    assert_eq!(
        reasons,
        [
            ("t-0@1", "has an unknown `metadata.operation`: it is load, insert, update or delete"),
            ("t-0@2", "no table of the configuration takes \"SHOP.OTHER\""),
            ("t-0@3", "has no field `metadata`: it is no DMS message"),
        ]
    );
}

#[tokio::test]
async fn what_is_no_msk_event_fails_the_invocation() {
    let lake = lake(json!({"type": "plain"}), json!({})).await;
    let error =
        msk_cdc::handle("{\"records\": 1}", &lake.lakehouse, Deadline::none()).await.unwrap_err();
    assert!(error.to_string().starts_with("the event is no MSK event:"), "{error}");
    let mut sent = Sent::new(0, "{}");
    sent.topic = "unknown".into();
    let error =
        msk_cdc::handle(&event(&[sent]), &lake.lakehouse, Deadline::none()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "no source of the configuration reads topic \"unknown\": add it to `sources`"
    );
}

#[tokio::test]
async fn a_table_that_fails_does_not_keep_the_others_from_their_changes() {
    let sources =
        json!([{"name": "s", "kafka": {"topics": ["t", "u"]}, "format": {"type": "plain"}}]);
    let tables = json!([
        {"source": "s", "from": "t", "table": "n.t", "key": ["id"], "columns": {"id": "long"}},
        {"source": "s", "from": "u", "table": "n.u", "key": ["nr"]}]);
    let lake = TestLake::new(sources, tables).await;
    let mut other = Sent::new(0, r#"{"id": 1}"#);
    other.topic = "u".into();
    let error = msk_cdc::handle(
        &event(&[other, Sent::new(0, r#"{"id": 1}"#)]),
        &lake.lakehouse,
        Deadline::none(),
    )
    .await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "table n.u: key column \"nr\" is in no record yet and has no type in `columns`"
    );
    assert_eq!(lake.rows("n.t").await.len(), 1);
}
