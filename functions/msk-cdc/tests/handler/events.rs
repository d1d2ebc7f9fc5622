//! MSK events for tests: the samples, and events made of records.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// A record as a test writes it.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) topic: String,
    pub(crate) partition: i64,
    pub(crate) offset: i64,
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) value: Option<Vec<u8>>,
}

impl Sent {
    pub(crate) fn new(offset: i64, value: impl AsRef<[u8]>) -> Self {
        let value = Some(value.as_ref().to_vec());
        Sent { topic: "t".into(), partition: 0, offset, key: None, value }
    }
}

/// The event that holds the records.
pub(crate) fn event(records: &[Sent]) -> String {
    let mut groups = serde_json::Map::new();
    for record in records {
        let group = format!("{}-{}", record.topic, record.partition);
        let encode = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| STANDARD.encode(bytes));
        let record = json!({
            "topic": record.topic, "partition": record.partition, "offset": record.offset,
            "timestamp": 1_772_368_496_000_i64 + record.offset, "timestampType": "CREATE_TIME",
            "key": encode(&record.key), "value": encode(&record.value), "headers": [],
        });
        groups.entry(group).or_insert(json!([])).as_array_mut().unwrap().push(record);
    }
    json!({"eventSource": "aws:kafka", "records": groups}).to_string()
}

/// The records of an event, in the order of its partitions.
pub(crate) fn records(event: &str) -> Vec<Sent> {
    let event: Value = serde_json::from_str(event).unwrap();
    let decode = |value: &Value| value.as_str().map(|text| STANDARD.decode(text).unwrap());
    let groups = event["records"].as_object().unwrap().values();
    groups
        .flat_map(|group| group.as_array().unwrap())
        .map(|record| Sent {
            topic: record["topic"].as_str().unwrap().to_owned(),
            partition: record["partition"].as_i64().unwrap(),
            offset: record["offset"].as_i64().unwrap(),
            key: decode(&record["key"]),
            value: decode(&record["value"]),
        })
        .collect()
}

/// The folder of the sample events.
pub(crate) fn samples() -> PathBuf {
    std::env::current_dir().unwrap().join("../../events")
}

/// The files of a folder that have the extension, in order.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|own| own == extension)).collect();
    files.sort();
    files
}
