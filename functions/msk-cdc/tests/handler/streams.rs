//! Captured Debezium streams through the handler end in the database's own rows: in order, with
//! every event delivered twice, and cut at other record boundaries.
//!
//! Each folder holds what Debezium's embedded engine delivered from a live database
//! (`msk-event*.json`), the rows that the database itself held in the end (`expected.jsonl`), and
//! the cells in which the records alone do not lead there (`differs.jsonl`).

use shared::deadline::Deadline;
use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::events::{Sent, event, files, records};
use crate::support::{TestLake, TextRow};

struct Stream {
    name: &'static str,
    source: Value,
    tables: Value,
}

fn folder(name: &str) -> PathBuf {
    std::env::current_dir().unwrap().join("tests/handler/streams").join(name)
}

fn source(format: Value, topics: Value) -> Value {
    json!([{"name": "db", "kafka": {"topics": topics}, "format": format}])
}

fn flattened() -> Value {
    json!({"type": "debezium_flattened", "deletes": "rewrite", "decimals": "precise"})
}

/// The first topic carries schema changes and feeds no table.
fn bookstore_topics() -> Value {
    json!(["shop", "shop.bookstore.book", "shop.bookstore.customer", "shop.bookstore.sales"])
}

fn bookstore_tables() -> Value {
    json!([
        {"source": "db", "from": "shop.bookstore.book", "table": "shop.book", "key": ["id"],
         "columns": {"price": "decimal(5,2)", "published": "date", "updated_at": "timestamptz"}},
        {"source": "db", "from": "shop.bookstore.customer", "table": "shop.customer", "key": ["id"],
         "columns": {"credit": "decimal(5,2)", "updated_at": "timestamptz"}},
        {"source": "db", "from": "shop.bookstore.sales", "table": "shop.sales", "key": ["id"],
         "columns": {"total": "decimal(5,2)", "sold_on": "date", "updated_at": "timestamptz"}}])
}

fn micros() -> Value {
    json!({"type": "timestamp", "unit": "us"})
}

fn streams() -> [Stream; 4] {
    [
        Stream {
            name: "pg-flat-rewrite",
            source: source(flattened(), json!(["ora.public.account", "ora.public.payment"])),
            tables: json!([
                {"source": "db", "from": "ora.public.account", "table": "pg.account", "key": ["id"],
                 "columns": {"id": "decimal(18,0)", "balance": "decimal(18,4)", "rate": "decimal(9,6)",
                             "points": "long", "opened": "date", "updated_at": micros(),
                             "active": "boolean", "note": "string", "raw": "binary"}},
                {"source": "db", "from": "ora.public.payment", "table": "pg.payment", "key": ["pay_id"],
                 "columns": {"account_id": "decimal(18,0)", "amount": "decimal(12,2)",
                             "paid_at": "timestamptz", "memo": "string"}}]),
        },
        Stream {
            name: "maria-bookstore-flat",
            source: source(flattened(), bookstore_topics()),
            tables: bookstore_tables(),
        },
        Stream {
            name: "maria-bookstore-full",
            source: source(json!({"type": "debezium", "decimals": "precise"}), bookstore_topics()),
            tables: bookstore_tables(),
        },
        Stream {
            name: "pg-many",
            source: source(
                flattened(),
                json!(["srv.public.acct", "srv.public.ord", "srv.public.line"]),
            ),
            tables: json!([
                {"source": "db", "from": "srv.public.acct", "table": "pg.acct", "key": ["id"],
                 "columns": {"bal": "decimal(18,4)", "ts": micros()}},
                {"source": "db", "from": "srv.public.ord", "table": "pg.ord", "key": ["id"],
                 "columns": {"total": "decimal(18,4)", "at": "timestamptz"}},
                {"source": "db", "from": "srv.public.line", "table": "pg.line", "key": ["order_id", "pos"],
                 "partition": ["bucket(4, order_id)"]}]),
        },
    ]
}

/// What the database held, by table, with the cells that the records do not tell left null.
fn expected(name: &str) -> BTreeMap<String, Vec<Value>> {
    let lines = |file: &str| {
        let text = std::fs::read_to_string(folder(name).join(file)).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>()
    };
    let mut tables: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in lines("expected.jsonl") {
        let table = line["table"].as_str().unwrap().to_owned();
        tables.entry(table).or_default().push(line["row"].clone());
    }
    for differs in lines("differs.jsonl") {
        let rows = tables.get_mut(differs["table"].as_str().unwrap()).unwrap();
        let row = rows.iter_mut().find(|row| row["id"] == differs["key"][0]).unwrap();
        let column = differs["column"].as_str().unwrap();
        assert_eq!(row[column], differs["database"]);
        row[column] = Value::Null;
    }
    tables
}

/// A row as `expected.jsonl` writes it: timestamps with all six digits.
fn as_expected(row: TextRow) -> Value {
    let cell = |text: String| {
        let bytes = text.as_bytes();
        if bytes.len() < 19 || bytes[4] != b'-' || bytes[10] != b'T' {
            return text;
        }
        let (clock, zone) =
            text.strip_suffix('Z').map_or((text.as_str(), ""), |clock| (clock, "Z"));
        let (seconds, fraction) = clock.split_once('.').unwrap_or((clock, ""));
        format!("{seconds}.{fraction:0<6}{zone}")
    };
    row.into_iter().map(|(name, value)| (name, value.map(cell))).collect()
}

async fn check(stream: &Stream, lake: &TestLake, how: &str) {
    let sorted = |mut rows: Vec<Value>| {
        rows.sort_by_key(ToString::to_string);
        rows
    };
    let ordered = |row: Value| -> Value {
        let cells: BTreeMap<String, Value> = serde_json::from_value(row).unwrap();
        serde_json::to_value(cells).unwrap()
    };
    for (table, rows) in expected(stream.name) {
        let own = lake.config.tables.iter().find(|own| own.name() == table).unwrap();
        let found = lake.rows(&own.table).await.into_iter().map(as_expected).map(ordered).collect();
        let rows = rows.into_iter().map(ordered).collect();
        assert_eq!(sorted(found), sorted(rows), "{} {table}, {how}", stream.name);
    }
    assert_eq!(lake.reasons(), [], "{}, {how}", stream.name);
}

fn payloads(stream: &Stream) -> Vec<String> {
    let files = files(&folder(stream.name), "json");
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

#[tokio::test]
async fn a_stream_in_order_ends_in_the_rows_of_the_database() {
    for stream in streams() {
        let lake = TestLake::new(stream.source.clone(), stream.tables.clone()).await;
        for payload in payloads(&stream) {
            msk_cdc::handle(&payload, &lake.lakehouse, Deadline::none()).await.unwrap();
        }
        check(&stream, &lake, "in order").await;
    }
}

#[tokio::test]
async fn every_event_twice_ends_in_the_rows_of_the_database() {
    for stream in streams() {
        let lake = TestLake::new(stream.source.clone(), stream.tables.clone()).await;
        for payload in payloads(&stream) {
            msk_cdc::handle(&payload, &lake.lakehouse, Deadline::none()).await.unwrap();
            let again =
                msk_cdc::handle(&payload, &lake.reopened().await, Deadline::none()).await.unwrap();
            let applied: u64 = again.tables.values().map(|counts| counts.applied()).sum();
            assert_eq!(applied, 0, "{}", stream.name);
        }
        check(&stream, &lake, "every event twice").await;
    }
}

#[tokio::test]
async fn a_stream_cut_anywhere_ends_in_the_rows_of_the_database() {
    for stream in streams() {
        let all: Vec<Sent> =
            payloads(&stream).iter().flat_map(|payload| records(payload)).collect();
        for size in [1, 7, 173] {
            // One commit a record is slow where there are two thousand.
            let size = if all.len() > 1000 && size == 1 { 31 } else { size };
            let lake = TestLake::new(stream.source.clone(), stream.tables.clone()).await;
            for records in by_topic(&all, size) {
                msk_cdc::handle(&event(&records), &lake.lakehouse, Deadline::none()).await.unwrap();
            }
            check(&stream, &lake, &format!("{size} records an event")).await;
        }
    }
}

/// Events of `size` records, each topic in its order.
fn by_topic(all: &[Sent], size: usize) -> Vec<Vec<Sent>> {
    let mut topics: BTreeMap<&str, Vec<Sent>> = BTreeMap::new();
    for record in all {
        topics.entry(&record.topic).or_default().push(record.clone());
    }
    let cut = |mut records: Vec<Sent>| {
        records.sort_by_key(|record| record.offset);
        records.chunks(size).map(<[Sent]>::to_vec).collect::<Vec<_>>()
    };
    topics.into_values().flat_map(cut).collect()
}
