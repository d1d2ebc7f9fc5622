//! One event, from its JSON to the tables.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;
use shared::change::{Original, Position, Reason, Rejected};
use shared::counts::Counts;
use shared::{Lakehouse, route};
use tracing::{error, info};

use crate::event::{Named, named_objects};
use crate::folder::{Folder, FolderReport};

/// What an event did, by table.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// What was done for each table.
    pub tables: BTreeMap<String, TableReport>,
    /// Objects that no source or table reads, in the quarantine.
    pub unrouted: u64,
}

/// What an event did to one table.
#[derive(Debug, Default, Serialize)]
pub struct TableReport {
    /// Records, by what became of them.
    #[serde(flatten)]
    pub counts: Counts,
    /// Files applied, in order.
    pub files: Vec<String>,
    /// Files that could not be read as configured, each with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, String>,
}

/// Why an event must be delivered again.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The payload is none that this function takes.
    #[error("the event is no S3 event: {0}")]
    Event(#[from] serde_json::Error),
    /// Some tables could not take their files. The others have theirs.
    #[error("{}", .0.join("; "))]
    Tables(Vec<String>),
    /// The quarantine could not be written.
    #[error(transparent)]
    Quarantine(shared::Error),
}

/// Applies an event.
///
/// # Errors
/// [`Failed`] where it must be delivered again. What was applied by then stays applied, and is
/// skipped the next time.
pub async fn handle(payload: &str, lakehouse: &Lakehouse) -> Result<Report, Failed> {
    let named = named_objects(payload)?;
    let mut report = Report::default();
    let mut failures = Vec::new();
    let mut folders: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    for object in &named {
        match route::source_of_object(&lakehouse.config, &object.bucket, &object.key) {
            Some((source, from)) => {
                folders.entry((&source.name, from)).or_default().insert(&object.key);
            }
            None => refuse(object, lakehouse, &mut report)?,
        }
    }
    for ((source, from), keys) in folders {
        let Some(source) = lakehouse.config.source(source) else { continue };
        for table in route::tables(&lakehouse.config, source, from) {
            let Some(folder) = Folder::new(lakehouse, source, table) else { continue };
            let mut done = FolderReport::default();
            let applied = folder.apply(&keys, &mut done).await;
            let reported = report.tables.entry(table.table.clone()).or_default();
            reported.counts += &done.counts;
            reported.files.extend(done.files);
            reported.failed.extend(done.failed);
            if let Err(failure) = applied {
                error!(table = %table.table, error = %failure, "table failed");
                failures.push(failure.to_string());
            }
        }
    }
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
    if failures.is_empty() { Ok(report) } else { Err(Failed::Tables(failures)) }
}

/// An object that nobody reads is no reason to fail the event, but is not dropped in silence.
fn refuse(object: &Named, lakehouse: &Lakehouse, report: &mut Report) -> Result<(), Failed> {
    let name = format!("{}/{}", object.bucket, object.key);
    report.unrouted += 1;
    let rejected = Rejected {
        position: Position::File { name: Arc::from(name), line: 0, record: 0 },
        reason: Reason::new("no source and table of the configuration read this object"),
        original: Original::default(),
    };
    lakehouse.quarantine.write("unrouted", None, &[rejected]).map_err(Failed::Quarantine)
}
