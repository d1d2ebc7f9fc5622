//! One event, from its JSON to the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures::{StreamExt, stream};
use shared::change::{Original, Position, Reason, Rejected};
use shared::deadline::Deadline;
use shared::lakehouse::TABLES_AT_ONCE;
use shared::route::UNROUTED;
use shared::{Lakehouse, route};
use tokio::sync::Semaphore;
use tracing::{error, info};

use crate::event::{Delivery, Named, deliveries};
use crate::file::MEMORY;
use crate::folder::{Folder, FolderReport};
use crate::report::{Failed, Report};

/// A source and a folder below its prefix.
type FolderName<'l> = (&'l str, String);

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
    let deliveries = deliveries(payload)?;
    let mut report = Report::default();
    let mut folders: BTreeMap<FolderName, BTreeSet<&str>> = BTreeMap::new();
    for object in deliveries.iter().flat_map(Delivery::objects) {
        match folder_of(object, lakehouse) {
            Some(folder) => drop(folders.entry(folder).or_default().insert(&object.key)),
            None => refuse(object, lakehouse, &mut report).await?,
        }
    }
    let failed = apply(&folders, lakehouse, deadline, &mut report).await;
    log(&report);
    for delivery in &deliveries {
        if let Some(fault) = delivery.fault() {
            error!(message = delivery.message_id, error = %fault, "message is no S3 event");
        }
    }
    let from_queue = deliveries.iter().all(|delivery| delivery.message_id.is_some());
    if from_queue && takes_partial_answers(lakehouse) {
        let hit = |object: &Named| {
            folder_of(object, lakehouse).is_some_and(|folder| failed.contains(&folder))
        };
        let again = deliveries
            .iter()
            .filter(|delivery| delivery.fault().is_some() || delivery.objects().any(hit));
        let ids = again.filter_map(|delivery| delivery.message_id.clone());
        report.to_deliver_again = Some(ids.collect());
        return Ok(report);
    }
    match deliveries.into_iter().find_map(Delivery::into_fault) {
        Some(fault) => Err(Failed::Event(fault)),
        None if report.failed.is_empty() => Ok(report),
        None => Err(Failed::Tables(Box::new(report))),
    }
}

/// Whether the queue's event source mapping takes partial answers: all sources that could share it
/// say so.
fn takes_partial_answers(lakehouse: &Lakehouse) -> bool {
    let mut sources = lakehouse.config.sources.iter().filter_map(|source| source.s3.as_ref());
    sources.all(|s3| s3.partial_batch_responses)
}

fn folder_of<'l>(object: &Named, lakehouse: &'l Lakehouse) -> Option<FolderName<'l>> {
    let (source, from) = route::source_of_object(&lakehouse.config, &object.bucket, &object.key)?;
    Some((&source.name, from.to_owned()))
}

/// Brings every table of the folders up to what lies there. Returns the folders of which a table
/// failed.
async fn apply<'l>(
    folders: &BTreeMap<FolderName<'l>, BTreeSet<&str>>,
    lakehouse: &'l Lakehouse,
    deadline: Deadline,
    report: &mut Report,
) -> BTreeSet<FolderName<'l>> {
    let memory = Semaphore::new(MEMORY);
    let mut targets = Vec::new();
    for (folder_name, keys) in folders {
        let Some(source) = lakehouse.config.source(folder_name.0) else { continue };
        for config in route::tables(&lakehouse.config, source, &folder_name.1) {
            for table in lakehouse.tables(config) {
                let folder = Folder::new(lakehouse, source, table, &memory, deadline);
                targets.extend(folder.map(|folder| (folder_name, keys, folder)));
            }
        }
    }
    let applied = targets.iter().map(|(folder_name, keys, folder)| async move {
        let mut done = FolderReport::default();
        let result = deadline.limit(folder.apply(keys, &mut done)).await;
        (folder_name, &folder.table, done, result)
    });
    let mut applied = stream::iter(applied).buffer_unordered(TABLES_AT_ONCE);
    let mut failed = BTreeSet::new();
    while let Some((folder_name, table, done, result)) = applied.next().await {
        let label = table.label().to_owned();
        let reported = report.tables.entry(label.clone()).or_default();
        reported.counts += &done.counts;
        reported.files.extend(done.files);
        reported.failed.extend(done.failed);
        if let Err(failure) = result {
            error!(table = label, error = %failure, "table failed");
            report.failed.insert(label, table.failure(&failure));
            failed.insert((*folder_name).clone());
        }
    }
    failed
}

/// An object that nobody reads is no reason to fail the event, but is not dropped in silence.
async fn refuse(object: &Named, lakehouse: &Lakehouse, report: &mut Report) -> Result<(), Failed> {
    let name = format!("{}/{}", object.bucket, object.key);
    report.unrouted += 1;
    let rejected = Rejected {
        position: Position::File { name: Arc::from(name), line: 0, record: 0 },
        reason: Reason::new("no source and table of the configuration read this object"),
        original: Original::default(),
    };
    let written = lakehouse.quarantine.write(UNROUTED, None, &[rejected]).await;
    written.map_err(Failed::Quarantine)
}

fn log(report: &Report) {
    for (table, done) in &report.tables {
        info!(
            table,
            applied = done.counts.applied(),
            skipped = done.counts.skipped(),
            rejected = done.counts.rejected,
            snapshots = done.counts.snapshots,
            conflicts = done.counts.conflicts,
            files = done.files.len(),
            failed = done.failed.len(),
            "event applied"
        );
    }
}
