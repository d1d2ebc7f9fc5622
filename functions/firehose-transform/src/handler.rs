//! One invocation, from its JSON to the answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use shared::change::{Change, Reason};
use shared::config::{Config, SourceConfig, TableConfig};
use shared::counts::Counts;
use shared::decode::{Decoded, Decoder, Record};
use shared::function::Outcome;
use shared::route::UNROUTED;
use shared::{route, table};
use tracing::warn;

use crate::event::{FirehoseEvent, FirehoseRecord};
use crate::response::Response;

/// Why the invocation fails as a whole. Firehose tries again, then keeps the records as failed.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The payload is not what Firehose sends.
    #[error("the event is no Firehose event: {0}")]
    Event(#[from] serde_json::Error),
    /// No source names the stream.
    #[error(
        "no source of the configuration names stream \"{0}\": add it to `kafka.delivery_streams`"
    )]
    Stream(String),
}

/// What a record is, before its row is known.
enum Read<'c, 'p> {
    Change(&'c TableConfig, Change<'p>),
    Skipped,
    Rejected(Reason),
}

/// Answers an invocation, and counts by table.
///
/// # Errors
/// [`Failed`] where nothing of it can be answered.
pub fn handle(
    payload: &str,
    config: &Config,
) -> Result<(Response, BTreeMap<String, Counts>), Failed> {
    let event: FirehoseEvent = serde_json::from_str(payload)?;
    let (source, topic) =
        source_of(config, event.stream()).ok_or_else(|| Failed::Stream(event.stream().into()))?;
    let bytes: Vec<_> = event.records.iter().map(FirehoseRecord::bytes).collect();
    let mut decoder = Decoder::new(&source.format, 0);
    let topic: Arc<str> = Arc::from(topic);
    let read: Vec<Read> = (event.records.iter().zip(&bytes).enumerate())
        .map(|(index, (record, bytes))| {
            let (partition, offset) = record.position().unwrap_or((0, index as i64));
            let Ok(value) = bytes else {
                return Read::Rejected(Reason::new("is no base64"));
            };
            let value = value.as_deref();
            let record = Record { topic: topic.clone(), partition, offset, key: None, value };
            read(&record, &mut decoder, source, config)
        })
        .collect();
    Ok(answer(&event, read))
}

/// The source and topic of a stream.
fn source_of<'c>(config: &'c Config, stream: &str) -> Option<(&'c SourceConfig, &'c str)> {
    config.sources.iter().find_map(|source| {
        let topic = source.kafka.as_ref()?.delivery_streams.get(stream)?;
        Some((source, topic.as_str()))
    })
}

/// Decodes one record. An answer has room for one row of one table.
fn read<'c, 'p>(
    record: &Record<'p>,
    decoder: &mut Decoder,
    source: &'c SourceConfig,
    config: &'c Config,
) -> Read<'c, 'p> {
    let mut decoded = Decoded::default();
    decoder.decode(record, &mut decoded);
    if let Some(rejected) = decoded.rejected.pop() {
        return Read::Rejected(rejected.reason);
    }
    let Some(change) = decoded.changes.pop() else { return Read::Skipped };
    if !decoded.changes.is_empty() {
        return Read::Rejected(Reason::new("moves a row to another key, which takes two answers"));
    }
    let from = change.from.as_deref().unwrap_or(&record.topic).to_owned();
    let mut tables = route::tables(config, source, &from);
    match (tables.next(), tables.next()) {
        (Some(table), None) => Read::Change(table, change),
        (None, _) => {
            let fault = format!("no table of the configuration takes \"{from}\"");
            Read::Rejected(Reason::new(fault))
        }
        (Some(_), Some(_)) => {
            let fault = format!("several tables take \"{from}\", an answer names one");
            Read::Rejected(Reason::new(fault))
        }
    }
}

fn answer(event: &FirehoseEvent, read: Vec<Read>) -> (Response, BTreeMap<String, Counts>) {
    let mut rows = rows(&read).into_iter();
    let mut response = Response::default();
    let mut tables: BTreeMap<String, Counts> = BTreeMap::new();
    for (record, read) in event.records.iter().zip(&read) {
        let (name, fault) = match read {
            Read::Skipped => {
                response.dropped(record);
                continue;
            }
            Read::Rejected(reason) => (UNROUTED, reason.clone()),
            Read::Change(table, change) => {
                let counts = tables.entry(table.table.clone()).or_default();
                counts.bytes += change.original.value.map_or(0, |value| value.len() as u64);
                match rows.next() {
                    Some(Ok(row)) => match response.row(record, table, change.op, &row) {
                        Ok(()) => {
                            counts.apply(change.op);
                            continue;
                        }
                        Err(_) => {
                            let fault = "does not fit the answer of 6 MB: lower the buffer size of \
                                         the stream's transformation";
                            (table.table.as_str(), Reason::new(fault))
                        }
                    },
                    Some(Err(reason)) => (table.table.as_str(), reason),
                    None => (table.table.as_str(), Reason::new("has no row")),
                }
            }
        };
        tables.entry(name.to_owned()).or_default().rejected += 1;
        let (partition, offset) = record.position().unzip();
        warn!(record = %record.record_id, partition, offset, table = name, reason = %fault, "failed");
        response.failed(record);
    }
    (response, tables)
}

/// The row of every change, in order. Changes of a table are converted together.
fn rows(read: &[Read]) -> Vec<Result<String, Reason>> {
    let changes: Vec<(&TableConfig, &Change)> = read
        .iter()
        .filter_map(|read| match read {
            Read::Change(table, change) => Some((*table, change)),
            _ => None,
        })
        .collect();
    let mut by_table: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, (table, _)) in changes.iter().enumerate() {
        by_table.entry(&table.table).or_default().push(index);
    }
    let mut rows = vec![Err(Reason::new("has no row")); changes.len()];
    for indices in by_table.into_values() {
        let table = changes[indices[0]].0;
        let own: Vec<Change> = indices.iter().map(|&index| changes[index].1.clone()).collect();
        let rendered = table::render(&own, table);
        let rendered =
            rendered.unwrap_or_else(|error| vec![Err(Reason::new(error.to_string())); own.len()]);
        for (index, row) in indices.into_iter().zip(rendered) {
            rows[index] = row;
        }
    }
    rows
}

/// What Lambda is told of an invocation.
pub fn outcome(done: Result<(Response, BTreeMap<String, Counts>), Failed>) -> Outcome {
    match done {
        Ok((response, tables)) => Outcome { answer: Ok(json!(response)), tables },
        Err(failed) => Outcome::failed(&failed, BTreeMap::new()),
    }
}
