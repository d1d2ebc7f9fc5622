//! Records -> changes, by the format that the configuration gives their source.
//!
//! Decoding never fails as a whole: a record becomes changes, is skipped because it carries no row,
//! or is rejected with its reason. Decoders borrow from the record and convert nothing; what a value
//! is worth only the table's type tells.

mod cockroach;
mod connect;
mod debezium;
pub mod dms_csv;
mod dms_json;
mod flattened;
mod json;
mod plain;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::change::{
    Change, Encoding, Key, Op, Original, Position, Reason, Rejected, Row, Skip, Version,
};
use crate::config::Format;

/// A Kafka record.
#[derive(Debug, Clone)]
pub struct Record<'a> {
    /// Topic.
    pub topic: Arc<str>,
    /// Partition.
    pub partition: i32,
    /// Offset.
    pub offset: i64,
    /// The key's bytes; `None` where the record has no key.
    pub key: Option<&'a [u8]>,
    /// The value's bytes; `None` is a tombstone.
    pub value: Option<&'a [u8]>,
}

impl<'a> Record<'a> {
    /// The record as it came.
    fn original(&self) -> Original<'a> {
        Original { key: self.key, value: self.value }
    }

    /// Where the record stands.
    pub fn position(&self) -> Position {
        let topic = self.topic.clone();
        Position::Kafka { topic, partition: self.partition, offset: self.offset }
    }
}

/// What records became.
#[derive(Debug, Default)]
pub struct Decoded<'a> {
    /// Changes, in the order of the records.
    pub changes: Vec<Change<'a>>,
    /// Records at fault.
    pub rejected: Vec<Rejected<'a>>,
    /// Records without a row, counted by kind.
    pub skipped: BTreeMap<Skip, u64>,
}

/// What one record became.
#[derive(Debug)]
enum Outcome<'a> {
    /// One change, or the delete of an old key and the upsert of the new one.
    Changes(Vec<Change<'a>>),
    Skipped(Skip),
}

/// Decodes the records of one source. It remembers the schema of the last record, which the next one
/// usually shares.
#[derive(Debug)]
pub struct Decoder<'f> {
    format: &'f Format,
    /// The generation of the topic's offsets, part of the version that they stand for.
    generation: u32,
    schemas: connect::Schemas,
}

impl<'f> Decoder<'f> {
    /// A decoder of the format. Files are not its business: see [`dms_csv`].
    pub fn new(format: &'f Format, generation: u32) -> Self {
        Decoder { format, generation, schemas: connect::Schemas::default() }
    }

    /// Decodes one record.
    pub fn decode<'a>(&mut self, record: &Record<'a>, decoded: &mut Decoded<'a>) {
        let outcome = match self.format {
            Format::Cockroach {} => cockroach::decode(record, &mut self.schemas),
            Format::Debezium(format) => debezium::decode(record, format, &mut self.schemas),
            Format::DebeziumFlattened(format) => {
                flattened::decode(record, format, &mut self.schemas)
            }
            Format::DmsJson { before_image } => dms_json::decode(record, before_image.as_deref()),
            Format::Plain {} => plain::decode(record),
            Format::DmsCsv(_) => Err(Reason::new("files of format dms_csv do not come by Kafka")),
        };
        match outcome {
            Ok(Outcome::Changes(changes)) => {
                decoded
                    .changes
                    .extend(changes.into_iter().map(|change| self.versioned(change, record)));
            }
            Ok(Outcome::Skipped(kind)) => *decoded.skipped.entry(kind).or_default() += 1,
            Err(reason) => decoded.rejected.push(Rejected {
                position: record.position(),
                reason,
                original: record.original(),
            }),
        }
    }

    /// Where the source gives no order of its own, the offset is the order.
    fn versioned<'a>(&self, mut change: Change<'a>, record: &Record) -> Change<'a> {
        change.version.get_or_insert_with(|| {
            Version::offset(&record.topic, self.generation, record.partition, record.offset)
        });
        change
    }
}

/// A change of which only op, key and row are known yet.
fn change<'a>(record: &Record<'a>, op: Op, key: Key<'a>, row: Row<'a>) -> Change<'a> {
    Change {
        op,
        key,
        row,
        from: None,
        version: None,
        source_time: None,
        position: record.position(),
        declared: None,
        original: record.original(),
    }
}

/// The text of a record's value; `None` where it is a tombstone: no bytes, or JSON `null`.
fn value_text<'a>(record: &Record<'a>) -> Result<Option<&'a str>, Reason> {
    let Some(bytes) = record.value.filter(|bytes| !bytes.is_empty()) else { return Ok(None) };
    let text = utf8(bytes)?;
    Ok((text.trim() != "null").then_some(text))
}

fn utf8(bytes: &[u8]) -> Result<&str, Reason> {
    std::str::from_utf8(bytes).map_err(|error| {
        Reason::new(format!("is not UTF-8: byte {} begins no character", error.valid_up_to()))
    })
}

/// The key of a record, of whatever shape: `{"id": 7}`, `[7]`, or either within a schema envelope.
fn record_key<'a>(record: &Record<'a>, schemas: &connect::Schemas, fallback: Encoding) -> Key<'a> {
    let Some(bytes) = record.key.filter(|bytes| !bytes.is_empty()) else { return Key::InRow };
    let text = utf8(bytes).ok();
    text.and_then(|text| json::key(text, schemas, fallback)).unwrap_or(Key::InRow)
}

#[cfg(test)]
mod tests;
