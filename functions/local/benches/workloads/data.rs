//! Rows, changes and events of the workloads.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use shared::Lakehouse;
use shared::batch::{Batch, Covered, Offsets};
use shared::decode::{Decoded, Decoder, Record};

/// Changes of a batch, and records of an event.
const CHANGES: u64 = 10_000;

/// Bytes of an event as Lambda counts them: base64 and all.
const EVENT_BYTES: usize = 6_000_000;

/// A table of that many rows in that many files, keys in order.
pub(crate) struct Data {
    pub(crate) rows: u64,
    pub(crate) files: u64,
}

impl Data {
    /// Makes the table.
    pub(crate) async fn fill(&self, lakehouse: &Lakehouse) {
        let per_file = self.rows / self.files;
        let cockroach =
            matches!(lakehouse.config.sources[0].format, shared::config::Format::Cockroach {});
        for file in 0..self.files {
            let ids = file * per_file..(file + 1) * per_file;
            let values: Vec<String> = ids
                .map(|id| match cockroach {
                    true => record(id, "c", "first", 0),
                    false => row(id, "c", "first"),
                })
                .collect();
            // Offsets do not meet those of the batches.
            apply(lakehouse, &values, (file * per_file) as i64).await;
        }
    }

    /// Applies the batch of a round, and tells how long that took from the decoded changes on.
    pub(crate) async fn apply_changes(&self, lakehouse: &Lakehouse, round: u64) -> Duration {
        let mut random = StdRng::seed_from_u64(round);
        let values: Vec<String> = (0..CHANGES)
            .map(|n| match n % 10 {
                0 => row(self.rows + round * CHANGES + n, "c", "new"),
                1 => row(random.random_range(0..self.rows), "d", ""),
                _ => row(random.random_range(0..self.rows), "u", "changed"),
            })
            .collect();
        apply(lakehouse, &values, self.first_offset(round)).await
    }

    /// The event of a round: updates of random keys.
    pub(crate) fn event(&self, round: u64) -> String {
        let mut random = StdRng::seed_from_u64(round);
        let padding = "x".repeat(210);
        let values =
            (0..CHANGES).map(|_| record(random.random_range(0..self.rows), "u", &padding, round));
        event(values, self.first_offset(round))
    }

    fn first_offset(&self, round: u64) -> i64 {
        (self.rows + round * CHANGES) as i64
    }
}

async fn apply(lakehouse: &Lakehouse, values: &[String], first: i64) -> Duration {
    let source = &lakehouse.config.sources[0];
    let mut decoder = Decoder::new(&source.format, 0);
    let mut decoded = Decoded::default();
    let topic: Arc<str> = Arc::from("t");
    for (offset, value) in (first..).zip(values) {
        let value = Some(value.as_bytes());
        let record = Record { topic: topic.clone(), partition: 0, offset, key: None, value };
        decoder.decode(&record, &mut decoded);
    }
    let last = first + values.len() as i64 - 1;
    let partitions = vec![Offsets { partition: 0, first, last, oldest: 0, newest: 0 }];
    let covered = Covered::Kafka {
        source: source.name.clone(),
        topic: "t".into(),
        generation: 0,
        partitions,
    };
    let batch = Batch { changes: decoded.changes, rejected: decoded.rejected, covered };
    let start = Instant::now();
    let counts =
        lakehouse.tables(&lakehouse.config.tables[0]).next().unwrap().apply(batch).await.unwrap();
    let time = start.elapsed();
    assert_eq!((counts.applied(), counts.rejected), (values.len() as u64, 0));
    time
}

fn amount(id: u64) -> String {
    format!("{}.{:02}", id % 1_000_000, id % 100)
}

/// A flattened Debezium message.
fn row(id: u64, op: &str, name: &str) -> String {
    let deleted = op == "d";
    format!(
        r#"{{"id":{id},"name":"{name} {id}","amount":"{}","__op":"{op}","__deleted":"{deleted}"}}"#,
        amount(id)
    )
}

/// A CockroachDB message.
fn record(id: u64, op: &str, name: &str, round: u64) -> String {
    format!(
        r#"{{"after": {{"amount": {}, "id": {id}, "name": "{name} {id}"}}, "key": {{"id": {id}}}, "op": "{op}", "updated": "{}.0000000000"}}"#,
        amount(id),
        1_772_368_496_123_456_000 + round * 1_000_000
    )
}

fn event(values: impl Iterator<Item = String>, first: i64) -> String {
    let mut records = String::new();
    for (offset, value) in (first..).zip(values) {
        if !records.is_empty() {
            records.push(',');
        }
        records.push_str(&format!(
            r#"{{"topic":"t","partition":0,"offset":{offset},"timestamp":{offset},"timestampType":"CREATE_TIME","value":"{}","headers":[]}}"#,
            STANDARD.encode(value)
        ));
    }
    format!(r#"{{"eventSource":"aws:kafka","records":{{"t-0":[{records}]}}}}"#)
}

/// The records of the wide sample event.
fn wide_samples() -> Vec<String> {
    let lines = include_str!("../../../../events/msk-cdc/records/07-transactions-wide.jsonl");
    let value = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["value"].as_str().unwrap().to_owned()
    };
    lines.lines().map(value).filter(|value| !value.contains("\"after\": null")).collect()
}

/// The types of the wide table, as the sample configuration gives them.
pub(crate) fn wide_columns() -> Value {
    let config: Value =
        serde_json::from_str(include_str!("../../../../events/lakehouse.json")).unwrap();
    let tables = config["tables"].as_array().unwrap();
    let wide = tables.iter().find(|table| table["from"] == "financial_transactions_wide").unwrap();
    json!(wide["columns"])
}

/// An event of 6 MB of wide records: the samples under other keys, half of them of the last round.
pub(crate) fn wide_event(round: u64) -> String {
    let samples = wide_samples();
    let mut values = Vec::new();
    let mut bytes = 0;
    for n in 0.. {
        let sample = &samples[n as usize % samples.len()];
        let id = (round + n % 2) * 100_000 + n / 2;
        let (start, end) = sample.split_once("\"transaction_id\": \"TXW-").unwrap();
        let value = format!("{start}\"transaction_id\": \"TXW-{id:06}{}", &end[6..]);
        let value = value.replacen(
            "\"updated\": \"17723684",
            &format!("\"updated\": \"{}723684", 18 + round),
            1,
        );
        bytes += value.len().div_ceil(3) * 4 + 120;
        if bytes > EVENT_BYTES {
            break;
        }
        values.push(value);
    }
    event(values.into_iter(), (round * 100_000) as i64)
}
