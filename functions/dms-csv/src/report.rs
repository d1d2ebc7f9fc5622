//! What an event did, and what Lambda is told of it.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::counts::Counts;
use shared::function::Outcome;
use shared::route::UNROUTED;

/// What an event did, by table.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// What was done for each table.
    pub tables: BTreeMap<String, TableReport>,
    /// Objects that no source or table reads, in the quarantine.
    pub unrouted: u64,
    /// Tables that could not take their files, each with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, String>,
    /// SQS messages to deliver again, by id. `None` where the event source mapping takes no partial
    /// answers.
    #[serde(skip)]
    pub to_deliver_again: Option<Vec<String>>,
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
    /// Some tables could not take their files. The others have theirs, as the report says.
    #[error("{}", .0.failures())]
    Tables(Box<Report>),
    /// The quarantine could not be written.
    #[error(transparent)]
    Quarantine(shared::Error),
}

impl Report {
    /// Why tables failed, in one line.
    pub fn failures(&self) -> String {
        self.failed.values().map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// What metrics count, by table. A file that could not be read counts as one record.
    fn counts(&self) -> BTreeMap<String, Counts> {
        let counted = self.tables.iter().map(|(table, done)| {
            let rejected = done.counts.rejected + done.failed.len() as u64;
            (table.clone(), Counts { rejected, ..done.counts.clone() })
        });
        let mut tables: BTreeMap<_, _> = counted.collect();
        if self.unrouted > 0 {
            let unrouted = Counts { rejected: self.unrouted, ..Counts::default() };
            tables.insert(UNROUTED.to_owned(), unrouted);
        }
        tables
    }
}

/// What Lambda is told of an event.
pub fn outcome(done: Result<Report, Failed>) -> Outcome {
    match done {
        Ok(report) => {
            Outcome::applied(&report, report.to_deliver_again.as_deref(), report.counts())
        }
        Err(failed) => {
            let tables = match &failed {
                Failed::Tables(report) => report.counts(),
                _ => BTreeMap::new(),
            };
            Outcome::failed(&failed, tables)
        }
    }
}
