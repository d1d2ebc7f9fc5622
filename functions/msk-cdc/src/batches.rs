//! The records of a topic -> one batch for each table that they feed.

use std::collections::BTreeMap;
use std::sync::Arc;

use shared::batch::{Batch, Covered, Offsets};
use shared::change::{Change, Original, Reason, Rejected};
use shared::config::{Config, SourceConfig, TableConfig};
use shared::decode::{Decoded, Decoder, Record};
use shared::route;

use crate::event::{KafkaEvent, KafkaRecord, Payload};

/// The event's records by topic. An event holds partitions; a table takes all of a topic at once.
pub(crate) fn by_topic<'e>(
    event: &'e KafkaEvent<'_>,
) -> BTreeMap<&'e str, Vec<&'e KafkaRecord<'e>>> {
    let mut topics: BTreeMap<&str, Vec<&KafkaRecord>> = BTreeMap::new();
    for record in event.records.values().flatten() {
        topics.entry(&record.topic).or_default().push(record);
    }
    for records in topics.values_mut() {
        records.sort_by_key(|record| (record.partition, record.offset));
    }
    topics
}

pub(crate) fn decode<'p>(
    topic: &str,
    records: &[&KafkaRecord],
    payloads: &'p [Result<Payload, &'static str>],
    source: &SourceConfig,
) -> Decoded<'p> {
    let generation = source.kafka.as_ref().map_or(0, |kafka| kafka.generation);
    let mut decoder = Decoder::new(&source.format, generation);
    let mut decoded = Decoded::default();
    let topic: Arc<str> = Arc::from(topic);
    for (record, payload) in records.iter().zip(payloads) {
        let mut record = Record {
            topic: topic.clone(),
            partition: record.partition as i32,
            offset: record.offset,
            key: None,
            value: None,
        };
        match payload {
            Ok(payload) => {
                record.key = payload.key.as_deref();
                record.value = payload.value.as_deref();
                decoder.decode(&record, &mut decoded);
            }
            Err(field) => decoded.rejected.push(Rejected {
                position: record.position(),
                reason: Reason::new(format!("has a {field} that is no base64")),
                original: Original::default(),
            }),
        }
    }
    decoded
}

/// The stretch of the topic that the event covers: it is applied as a whole.
pub(crate) fn covered(topic: &str, records: &[&KafkaRecord], source: &SourceConfig) -> Covered {
    let mut partitions: BTreeMap<i64, Offsets> = BTreeMap::new();
    for record in records {
        // A record without a timestamp is never taken for one of a topic created anew.
        let (oldest, newest) = match record.timestamp {
            Some(timestamp) => (timestamp, timestamp),
            None => (i64::MIN, i64::MIN),
        };
        let (offset, partition) = (record.offset, record.partition as i32);
        let offsets = partitions.entry(record.partition).or_insert(Offsets {
            partition,
            first: offset,
            last: offset,
            oldest,
            newest,
        });
        offsets.first = offsets.first.min(offset);
        offsets.last = offsets.last.max(offset);
        offsets.oldest = offsets.oldest.min(oldest);
        offsets.newest = offsets.newest.max(newest);
    }
    Covered::Kafka {
        source: source.name.clone(),
        topic: topic.to_owned(),
        generation: source.kafka.as_ref().map_or(0, |kafka| kafka.generation),
        partitions: partitions.into_values().collect(),
    }
}

/// One batch for each table that the records feed, and what belongs to no table.
pub(crate) fn batches<'p, 'c>(
    decoded: Decoded<'p>,
    topic: &str,
    source: &'c SourceConfig,
    covered: &Covered,
    config: &'c Config,
) -> (Vec<(&'c TableConfig, Batch<'p>)>, Vec<Rejected<'p>>) {
    let mut unrouted = Vec::new();
    let mut batches: Vec<(&TableConfig, Batch)> = Vec::new();
    for (from, changes) in by_origin(decoded.changes, topic) {
        let tables: Vec<_> = route::tables(config, source, &from).collect();
        let Some((&last, others)) = tables.split_last() else {
            unrouted.extend(changes.iter().map(|change| Rejected {
                position: change.position.clone(),
                reason: Reason::new(format!("no table of the configuration takes \"{from}\"")),
                original: change.original,
            }));
            continue;
        };
        let batch = |changes| Batch { changes, rejected: Vec::new(), covered: covered.clone() };
        batches.extend(others.iter().map(|&table| (table, batch(changes.clone()))));
        batches.push((last, batch(changes)));
    }
    // A record that could not be decoded names no table; where the topic feeds one table only, it
    // is that table's, whose checkpoint then tells whether it was seen before.
    let mut fed = route::tables(config, source, topic);
    match (fed.next(), fed.next()) {
        (Some(table), None) => {
            let batch = batches.iter_mut().find(|(own, _)| own.table == table.table);
            match batch {
                Some((_, batch)) => batch.rejected = decoded.rejected,
                None if decoded.rejected.is_empty() => {}
                None => {
                    let (rejected, covered) = (decoded.rejected, covered.clone());
                    batches.push((table, Batch { changes: Vec::new(), rejected, covered }));
                }
            }
        }
        _ => unrouted.extend(decoded.rejected),
    }
    (batches, unrouted)
}

/// The changes by the source table that they name, else the topic; there are few of them.
fn by_origin<'p>(changes: Vec<Change<'p>>, topic: &str) -> Vec<(String, Vec<Change<'p>>)> {
    let mut groups: Vec<(String, Vec<Change>)> = Vec::new();
    for change in changes {
        let from = change.from.as_deref().unwrap_or(topic);
        match groups.iter_mut().find(|(own, _)| own == from) {
            Some((_, group)) => group.push(change),
            None => groups.push((from.to_owned(), vec![change])),
        }
    }
    groups
}
