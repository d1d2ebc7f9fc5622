//! Every envelope in the shapes that its source gives it.

use std::sync::Arc;

use expect_test::{Expect, expect};

use super::*;
use crate::change::{Cell, Raw, Value};

fn cells(row: &Row) -> String {
    let cell = |cell: &Cell| match cell {
        Cell::Null => "null".to_owned(),
        Cell::Unchanged => "unchanged".to_owned(),
        Cell::Value(Value { raw: Raw::Json(json), .. }) => (*json).to_owned(),
        Cell::Value(Value { raw: Raw::Text(text), .. }) => format!("text {text}"),
    };
    row.iter().map(|(name, value)| format!(" {name}={}", cell(value))).collect()
}

/// What a record becomes, in one line.
fn decoded(format: &str, key: Option<&str>, value: Option<&str>) -> String {
    let format: Format = serde_json::from_str(format).unwrap();
    let record = Record {
        topic: Arc::from("t"),
        partition: 0,
        offset: 1,
        key: key.map(str::as_bytes),
        value: value.map(str::as_bytes),
    };
    let mut decoded = Decoded::default();
    Decoder::new(&format, 0).decode(&record, &mut decoded);
    let changes = decoded.changes.iter().map(|change| {
        let key = match &change.key {
            Key::InRow => String::new(),
            Key::Named(key) => format!(" key{}", cells(key)),
            Key::Ordered(key) => format!(" key of {}", key.len()),
        };
        format!("{}{key} row{}", change.op, cells(&change.row))
    });
    let skipped = decoded.skipped.keys().map(|kind| format!("skipped: {}", kind.name()));
    let rejected = decoded.rejected.iter().map(|record| format!("rejected: {}", record.reason));
    changes.chain(skipped).chain(rejected).collect::<Vec<_>>().join("; ")
}

#[track_caller]
fn check(format: &str, key: Option<&str>, value: Option<&str>, expected: Expect) {
    expected.assert_eq(&decoded(format, key, value));
}

const COCKROACH: &str = r#"{"type": "cockroach"}"#;
const REWRITE: &str = r#"{"type": "debezium_flattened"}"#;
const TOMBSTONE: &str = r#"{"type": "debezium_flattened", "deletes": "tombstone"}"#;
const DEBEZIUM: &str = r#"{"type": "debezium"}"#;
const DMS: &str = r#"{"type": "dms_json", "before_image": "before-image"}"#;

#[test]
fn cockroach_wrapped_rows_have_no_op() {
    check(
        COCKROACH,
        Some("[7]"),
        Some(r#"{"after": {"amt": 12.50, "id": 7}}"#),
        expect!["insert row amt=12.50 id=7"],
    );
    check(COCKROACH, Some("[7]"), Some(r#"{"after": null}"#), expect!["delete key of 1 row"]);
    check(
        COCKROACH,
        None,
        Some(r#"{"after": null, "before": {"amt": 9.99, "id": 7}, "key": [7]}"#),
        expect!["delete key of 1 row amt=9.99 id=7"],
    );
}

#[test]
fn cockroach_enriched_rows_come_with_and_without_schema() {
    let key = r#"{"payload": {"id": 7}, "schema": {"fields": [{"field": "id", "type": "int64"}], "type": "struct"}}"#;
    check(
        COCKROACH,
        Some(key),
        Some(
            r#"{"payload": {"after": null, "op": "d"}, "schema": {"type": "struct", "fields": []}}"#,
        ),
        expect!["delete key id=7 row"],
    );
    check(
        COCKROACH,
        Some(r#"{"id": 7}"#),
        Some(r#"{"after": {"id": 7}, "op": "u", "source": {"ts_hlc": "5.0000000001"}}"#),
        expect!["update row id=7"],
    );
    check(
        COCKROACH,
        None,
        Some(r#"{"after": {"id": 7}, "op": "u", "updated": "yesterday"}"#),
        expect!["rejected: has a timestamp that is no HLC reading"],
    );
}

#[test]
fn cockroach_json_null_is_not_sql_null() {
    check(
        COCKROACH,
        None,
        Some(r#"{"after": {"id": 7, "a": null, "b": {"__crdb_json_null__": true}}, "op": "c"}"#),
        expect![[r#"insert row id=7 a=null b="null""#]],
    );
}

#[test]
fn cockroach_resolved_timestamps_are_told_from_rows() {
    check(COCKROACH, None, Some(r#"{"resolved":"5.0000000000"}"#), expect!["skipped: resolved"]);
    check(
        COCKROACH,
        None,
        Some(r#"{"__crdb__":{"resolved":"5.0000000000"}}"#),
        expect!["skipped: resolved"],
    );
    check(
        COCKROACH,
        None,
        Some(r#"{"after": {"id": 1, "resolved": "x"}, "op": "c"}"#),
        expect![[r#"insert row id=1 resolved="x""#]],
    );
}

#[test]
fn a_flattened_delete_has_four_shapes_in_tombstone_mode() {
    let key = Some(r#"{"id":7}"#);
    for value in
        [None, Some(""), Some("null"), Some(r#"{"schema":{"type":"struct"},"payload":null}"#)]
    {
        check(TOMBSTONE, key, value, expect!["delete key id=7 row"]);
        check(REWRITE, key, value, expect!["skipped: tombstone"]);
    }
}

#[test]
fn a_flattened_row_without_op_is_an_upsert() {
    check(REWRITE, None, Some(r#"{"ID":7,"A":"x"}"#), expect![[r#"insert row ID=7 A="x""#]]);
    check(
        REWRITE,
        None,
        Some(r#"{"ID":7,"A":"x","__deleted":"true"}"#),
        expect![[r#"delete row ID=7 A="x""#]],
    );
    check(
        REWRITE,
        None,
        Some(r#"{"ID":7,"__deleted":"maybe"}"#),
        expect!["rejected: has a `__deleted` that is neither true nor false"],
    );
    check(REWRITE, None, Some(r#"{"ID":7,"__op":"m"}"#), expect!["skipped: message"]);
}

#[test]
fn key_and_value_are_wrapped_each_on_their_own() {
    let wrapped_key = r#"{"schema":{"type":"struct","fields":[{"field":"id","type":"int32"}]},"payload":{"id":7}}"#;
    let wrapped = r#"{"schema":{"type":"struct","fields":[{"field":"id","type":"int32"}]},"payload":{"id":7,"__deleted":"true"}}"#;
    let plain = r#"{"id":7,"__deleted":"true"}"#;
    for key in [wrapped_key, r#"{"id":7}"#] {
        for value in [wrapped, plain] {
            check(REWRITE, Some(key), Some(value), expect!["delete key id=7 row id=7"]);
        }
    }
}

#[test]
fn debezium_envelopes_take_the_image_that_counts() {
    let envelope = |op: &str, before: &str, after: &str| {
        format!(
            r#"{{"before":{before},"after":{after},"source":{{"ts_ms":5}},"op":"{op}","ts_ms":6}}"#
        )
    };
    let (old, new) = (r#"{"id":7,"v":1}"#, r#"{"id":7,"v":2}"#);
    let key = Some(r#"{"id":7}"#);
    check(DEBEZIUM, key, Some(&envelope("r", "null", new)), expect!["insert row id=7 v=2"]);
    check(DEBEZIUM, key, Some(&envelope("u", old, new)), expect!["update row id=7 v=2"]);
    check(
        DEBEZIUM,
        key,
        Some(&envelope("d", old, "null")),
        expect!["delete key id=7 row id=7 v=1"],
    );
    check(DEBEZIUM, None, Some(&envelope("t", "null", "null")), expect!["truncate row"]);
    check(DEBEZIUM, key, None, expect!["skipped: tombstone"]);
    check(
        DEBEZIUM,
        key,
        Some(&envelope("u", old, "null")),
        expect!["rejected: is an update without `after`"],
    );
    check(DEBEZIUM, None, Some(r#"{"prefix":"x","op":"m"}"#), expect!["skipped: message"]);
}

#[test]
fn debezium_messages_without_rows_are_told_apart() {
    check(
        DEBEZIUM,
        None,
        Some(
            r#"{"status":"BEGIN","id":"571","ts_ms":1,"event_count":null,"data_collections":null}"#,
        ),
        expect!["skipped: transaction"],
    );
    check(
        DEBEZIUM,
        None,
        Some(r#"{"source":{},"databaseName":"x","ddl":"ALTER …","tableChanges":[]}"#),
        expect!["skipped: schema_change"],
    );
    check(
        DEBEZIUM,
        None,
        Some(r#"{"ts_ms":1}"#),
        expect!["rejected: has no field `op`: it is no Debezium envelope"],
    );
}

#[test]
fn dms_updates_of_the_key_delete_the_old_row() {
    let update = |before: &str| {
        format!(
            r#"{{"data":{{"ID":2,"V":"x"}},"before-image":{before},"metadata":{{"record-type":"data","operation":"update","schema-name":"S","table-name":"T"}}}}"#
        )
    };
    check(
        DMS,
        None,
        Some(&update(r#"{"ID":1}"#)),
        expect![[r#"delete key ID=1 row; update row ID=2 V="x""#]],
    );
    check(DMS, None, Some(&update(r#"{"ID":2}"#)), expect![[r#"update row ID=2 V="x""#]]);
}

#[test]
fn a_schema_tells_types_and_encodings() {
    let fields = [
        ("a", r#""type":"int16""#),
        (
            "b",
            r#""type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"2","connect.decimal.precision":"9"}"#,
        ),
        (
            "c",
            r#""type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"-2"}"#,
        ),
        ("d", r#""type":"struct","name":"io.debezium.data.VariableScaleDecimal""#),
        ("e", r#""type":"int32","name":"io.debezium.time.Date""#),
        ("f", r#""type":"int64","name":"io.debezium.time.MicroTimestamp""#),
        ("g", r#""type":"string","name":"io.debezium.time.ZonedTimestamp""#),
        ("h", r#""type":"int64","name":"io.debezium.time.MicroTime""#),
        ("i", r#""type":"bytes","name":"io.debezium.data.Bits""#),
        ("j", r#""type":"array""#),
        ("k", r#""type":"double""#),
        ("__op", r#""type":"string""#),
    ];
    let fields: Vec<_> =
        fields.iter().map(|(name, rest)| format!(r#"{{"field":"{name}",{rest}}}"#)).collect();
    let schema = format!(r#"{{"type":"struct","fields":[{}]}}"#, fields.join(","));
    let declared = connect::Schemas::default().row(&schema, "__").unwrap();
    let columns = declared.columns.iter().map(|column| {
        let column_type = column.column_type.map_or("none".to_owned(), |t| t.to_string());
        format!("{} {column_type} {:?}\n", column.name, column.encoding)
    });
    expect![[r#"
        a int Logical(Plain)
        b decimal(9,2) Logical(Decimal { scale: 2 })
        c string Logical(Decimal { scale: -2 })
        d string Logical(VariableScaleDecimal)
        e date Logical(Since1970(Days))
        f timestamp Logical(Since1970(Micros))
        g timestamptz Logical(Plain)
        h string Logical(SinceMidnight(Micros))
        i binary Logical(Bits)
        j string Logical(Plain)
        k double Logical(Plain)
    "#]]
    .assert_eq(&columns.collect::<String>());
}

proptest::proptest! {
    #[test]
    fn hostile_bytes_are_decided_on_and_never_panic(
        key in proptest::option::of(proptest::collection::vec(proptest::num::u8::ANY, 0..60)),
        value in "[\\[\\]{}\":,a0-9 eEn.\\\\u\u{e4}-]{0,80}",
    ) {
        for format in [COCKROACH, REWRITE, TOMBSTONE, DEBEZIUM, DMS, r#"{"type": "plain"}"#] {
            let format: Format = serde_json::from_str(format).unwrap();
            let record = Record {
                topic: Arc::from("t"),
                partition: 0,
                offset: 1,
                key: key.as_deref(),
                value: Some(value.as_bytes()),
            };
            let mut decoded = Decoded::default();
            Decoder::new(&format, 0).decode(&record, &mut decoded);
            let outcomes = decoded.changes.len() + decoded.rejected.len() + decoded.skipped.len();
            proptest::prop_assert_eq!(outcomes, 1);
        }
    }
}
