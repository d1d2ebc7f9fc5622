//! A lakehouse in a temporary directory, and its tables as text. Tests of the functions use it too.
#![allow(dead_code, unreachable_pub)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_json::{Value, json};
use shared::Lakehouse;
use shared::aws::Aws;
use shared::batch::{Batch, Covered, Offsets};
use shared::catalog::{self, Catalog, TableName};
use shared::change::{Cell, Change, Key, Raw, Row};
use shared::config::Config;
use shared::counts::Counts;
use shared::decode::{Decoded, Decoder, Record};
use shared::table::{METADATA_PREFIX, scan};
use tempfile::TempDir;

/// A row by column; null is `None`.
pub type TextRow = BTreeMap<String, Option<String>>;

/// The configuration of a lakehouse below `directory`.
pub fn config(directory: &Path, sources: Value, tables: Value) -> Config {
    let path = |name: &str| directory.join(name).display().to_string();
    let document = json!({
        "catalog": {"type": "sqlite", "path": path("catalog.db"), "warehouse": path("warehouse")},
        "objects": {"type": "directory", "path": path("objects")},
        "quarantine": path("quarantine"),
        "sources": sources,
        "tables": tables,
    });
    Config::parse(&document.to_string()).unwrap()
}

/// A lakehouse that goes with the test.
pub struct TestLake {
    pub directory: TempDir,
    pub config: Config,
    pub lakehouse: Lakehouse,
}

impl TestLake {
    pub async fn new(sources: Value, tables: Value) -> Self {
        let directory = TempDir::new().unwrap();
        let config = config(directory.path(), sources, tables);
        let lakehouse = Lakehouse::connect(config.clone(), &Aws::default()).await.unwrap();
        TestLake { directory, config, lakehouse }
    }

    /// The same lakehouse as a new process sees it: nothing in memory.
    pub async fn reopened(&self) -> Lakehouse {
        Lakehouse::connect(self.config.clone(), &Aws::default()).await.unwrap()
    }

    /// The rows of a table in the order of their text, columns of ours left out.
    pub async fn rows(&self, table: &str) -> Vec<TextRow> {
        rows(self.lakehouse.catalog(), table).await
    }

    /// Snapshots of a table.
    pub async fn snapshots(&self, table: &str) -> usize {
        let name: TableName = table.parse().unwrap();
        let loaded = catalog::load(self.lakehouse.catalog(), &name).await.unwrap();
        loaded.map_or(0, |loaded| loaded.metadata.snapshots().len())
    }

    /// All lines of the quarantine.
    pub fn quarantined(&self) -> Vec<Value> {
        let mut lines = Vec::new();
        let mut folders = vec![PathBuf::from(self.config.quarantine.to_string())];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(folder) else { continue };
            for path in entries.map(|entry| entry.unwrap().path()) {
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let text = std::fs::read_to_string(path).unwrap();
                        lines.extend(text.lines().map(|line| serde_json::from_str(line).unwrap()));
                    }
                }
            }
        }
        lines.sort_by_key(|line: &Value| line["position"].to_string());
        lines
    }

    /// The positions and reasons in the quarantine.
    pub fn reasons(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let quarantined = self.quarantined();
        quarantined.iter().map(|line| (text(&line["position"]), text(&line["reason"]))).collect()
    }
}

/// The rows of a table in the order of their text, columns of ours left out.
pub async fn rows(catalog: &dyn Catalog, table: &str) -> Vec<TextRow> {
    let name: TableName = table.parse().unwrap();
    let Some(loaded) = catalog::load(catalog, &name).await.unwrap() else { return Vec::new() };
    let batch = scan(catalog, &loaded).await.unwrap();
    let options = FormatOptions::new();
    let schema = batch.schema();
    let mut rows = Vec::new();
    for row in 0..batch.num_rows() {
        let cells = batch.columns().iter().zip(schema.fields());
        let cells = cells.filter(|(_, field)| !field.name().starts_with(METADATA_PREFIX));
        let cells = cells.map(|(column, field)| {
            let text = ArrayFormatter::try_new(column, &options).unwrap();
            let text = (!column.is_null(row)).then(|| text.value(row).to_string());
            (field.name().clone(), text)
        });
        rows.push(cells.collect());
    }
    rows.sort();
    rows
}

/// Records of one partition, from an offset on, applied to the only table of a source.
pub async fn deliver(
    lakehouse: &Lakehouse,
    partition: i32,
    first: i64,
    values: &[String],
) -> shared::Result<Counts> {
    let source = &lakehouse.config.sources[0];
    let topic = &source.kafka.as_ref().unwrap().topics[0];
    let mut counts = Counts::default();
    for table in &lakehouse.config.tables {
        let mut decoder = Decoder::new(&source.format, 0);
        let mut decoded = Decoded::default();
        for (offset, value) in (first..).zip(values) {
            let record = Record {
                topic: Arc::from(topic.as_str()),
                partition,
                offset,
                key: None,
                value: Some(value.as_bytes()),
            };
            decoder.decode(&record, &mut decoded);
        }
        let last = first + values.len() as i64 - 1;
        let covered = Covered::Kafka {
            source: source.name.clone(),
            topic: topic.clone(),
            generation: 0,
            partitions: vec![Offsets { partition, first, last, oldest: 0, newest: 0 }],
        };
        let batch = Batch { changes: decoded.changes, rejected: decoded.rejected, covered };
        for table in lakehouse.tables(table) {
            counts += &table.apply(batch.clone()).await?;
        }
    }
    Ok(counts)
}

/// Columns printed of a row.
const COLUMNS: usize = 12;

/// A change in one line, as golden files hold it.
pub fn printed_change(change: &Change) -> String {
    let mut text = format!("{} {}", change.position, change.op);
    if let Some(from) = &change.from {
        text += &format!(" of {from}");
    }
    match &change.key {
        Key::InRow => {}
        Key::Named(key) => text += &format!(" key {}", printed_row(key)),
        Key::Ordered(key) => {
            let cells: Vec<_> = key.iter().map(printed_cell).collect();
            text += &format!(" key [{}]", cells.join(", "));
        }
    }
    if !change.row.is_empty() {
        text += &format!(" row {}", printed_row(&change.row));
    }
    text += &format!(" version {}", change.version.as_ref().unwrap());
    if let Some(time) = change.source_time {
        text += &format!(" at {time}");
    }
    text
}

fn printed_row(row: &Row) -> String {
    let cells = row.iter().take(COLUMNS);
    let cells = cells.map(|(name, value)| format!("{name}={}", printed_cell(value)));
    let more = row.len().saturating_sub(COLUMNS);
    cells.chain((more > 0).then(|| format!("… {more} more"))).collect::<Vec<_>>().join(" ")
}

fn printed_cell(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Unchanged => "unchanged".to_owned(),
        Cell::Value(value) => match &value.raw {
            Raw::Json(json) => (*json).to_owned(),
            Raw::Text(text) => format!("{text:?}"),
        },
    }
}
