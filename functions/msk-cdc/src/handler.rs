//! One event, from its JSON to the tables.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};
use shared::batch::Batch;
use shared::change::Position;
use shared::deadline::Deadline;
use shared::lakehouse::TABLES_AT_ONCE;
use shared::table::Table;
use shared::{Lakehouse, route};
use tracing::{error, info};

use crate::batches::{batches, by_topic, covered, decode};
use crate::event::{KafkaEvent, KafkaRecord};
use crate::report::{Failed, Item, Report};

/// Applies an event, before its deadline.
///
/// # Errors
/// [`Failed`] where it must be delivered again as a whole. What was applied by then stays applied,
/// and is skipped the next time.
pub async fn handle(
    payload: &str,
    lakehouse: &Lakehouse,
    deadline: Deadline,
) -> Result<Report, Failed> {
    let event: KafkaEvent = serde_json::from_str(payload)?;
    let mut report = Report::default();
    let topics = by_topic(&event);
    let mut in_part = !topics.is_empty();
    let mut again = Vec::new();
    for (topic, records) in topics {
        let source = route::source_of_topic(&lakehouse.config, topic);
        let source = source.ok_or_else(|| Failed::Topic(topic.to_owned()))?;
        let payloads: Vec<_> = records.iter().map(|record| record.payload()).collect();
        let decoded = decode(topic, &records, &payloads, source);
        for (kind, count) in &decoded.skipped {
            report.unrouted.skip(*kind, *count);
        }
        let covered = covered(topic, &records, source);
        let (batches, unrouted) = batches(decoded, topic, source, &covered, &lakehouse.config);
        report.unrouted.rejected += unrouted.len() as u64;
        let quarantined = lakehouse.quarantine.write(&source.name, None, &unrouted).await;
        quarantined.map_err(Failed::Quarantine)?;

        let targets = batches.into_iter().flat_map(|(config, batch)| {
            let tables: Vec<_> = lakehouse.tables(config).collect();
            let copies = vec![batch; tables.len()];
            tables.into_iter().zip(copies)
        });
        let failed = apply(targets, deadline, &mut report).await;
        in_part &= source.kafka.as_ref().is_some_and(|kafka| kafka.partial_batch_responses);
        again.extend(records_from(&records, &failed));
    }
    log(&report);
    match in_part {
        true => report.to_deliver_again = Some(again),
        false if report.failed.is_empty() => {}
        false => return Err(Failed::Tables(Box::new(report))),
    }
    Ok(report)
}

/// The first offset of each partition that is not applied.
type FirstOffsets = BTreeMap<i32, i64>;

/// Applies batches, each to its table. One that fails does not keep the others from theirs.
async fn apply<'l>(
    targets: impl Iterator<Item = (Table<'l>, Batch<'_>)>,
    deadline: Deadline,
    report: &mut Report,
) -> FirstOffsets {
    let applied = targets.map(|(table, batch)| async move {
        let offsets = first_offsets(&batch);
        (deadline.limit(table.apply(batch)).await, table, offsets)
    });
    let mut applied = stream::iter(applied).buffer_unordered(TABLES_AT_ONCE);
    let mut failed = FirstOffsets::new();
    while let Some((done, table, offsets)) = applied.next().await {
        let label = table.label().to_owned();
        match done {
            Ok(counts) => *report.tables.entry(label).or_default() += &counts,
            Err(failure) => {
                error!(table = label, error = %failure, "table failed");
                report.failed.insert(label, table.failure(&failure));
                offsets
                    .iter()
                    .for_each(|(&partition, &offset)| lower(&mut failed, partition, offset));
            }
        }
    }
    failed
}

fn first_offsets(batch: &Batch) -> FirstOffsets {
    let changes = batch.changes.iter().map(|change| &change.position);
    let rejected = batch.rejected.iter().map(|record| &record.position);
    let mut offsets = FirstOffsets::new();
    for position in changes.chain(rejected) {
        if let Position::Kafka { partition, offset, .. } = *position {
            lower(&mut offsets, partition, offset);
        }
    }
    offsets
}

fn lower(first: &mut FirstOffsets, partition: i32, offset: i64) {
    let first = first.entry(partition).or_insert(offset);
    *first = offset.min(*first);
}

/// The records from each partition's first offset on. What comes behind a failed record is delivered
/// again as well, so that a partition's order holds however Lambda resumes it.
fn records_from(records: &[&KafkaRecord], first: &FirstOffsets) -> Vec<Item> {
    let failed = records.iter().filter(|record| {
        let first = first.get(&(record.partition as i32));
        first.is_some_and(|&first| record.offset >= first)
    });
    let item = |record: &&KafkaRecord| Item {
        topic_partition: format!("{}-{}", record.topic, record.partition),
        offset: record.offset,
    };
    failed.map(item).collect()
}

fn log(report: &Report) {
    for (table, counts) in &report.tables {
        info!(
            table,
            applied = counts.applied(),
            skipped = counts.skipped(),
            rejected = counts.rejected,
            snapshots = counts.snapshots,
            conflicts = counts.conflicts,
            "event applied"
        );
    }
}
