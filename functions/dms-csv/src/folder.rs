//! The files of one table: which are there, which the table holds, in which order they are applied.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use shared::change::{Original, Position, Reason, Rejected};
use shared::config::{CsvFormat, Format, S3Config, SourceConfig};
use shared::counts::Counts;
use shared::deadline::Deadline;
use shared::objects::{Object, Objects};
use shared::table::{FileStanding, Files, Table};
use shared::{Error, Lakehouse};
use tokio::sync::Semaphore;
use tracing::error;

use crate::file::File;

/// A table's folder below the prefix of its source.
#[derive(Debug, Clone)]
pub(crate) struct Folder<'l> {
    pub(crate) lakehouse: &'l Lakehouse,
    pub(crate) objects: &'l Objects,
    pub(crate) source: &'l SourceConfig,
    pub(crate) s3: &'l S3Config,
    pub(crate) format: &'l CsvFormat,
    pub(crate) table: Table<'l>,
    /// Shared by all tables of an event.
    pub(crate) memory: &'l Semaphore,
    pub(crate) deadline: Deadline,
}

/// What was done for a folder.
#[derive(Debug, Default)]
pub(crate) struct FolderReport {
    pub(crate) counts: Counts,
    pub(crate) files: Vec<String>,
    pub(crate) failed: BTreeMap<String, String>,
}

impl<'l> Folder<'l> {
    /// `None` where the source is none of CSV files, which a checked configuration does not give.
    pub(crate) fn new(
        lakehouse: &'l Lakehouse,
        source: &'l SourceConfig,
        table: Table<'l>,
        memory: &'l Semaphore,
        deadline: Deadline,
    ) -> Option<Self> {
        let Format::DmsCsv(format) = &source.format else { return None };
        let (objects, s3) = (lakehouse.objects.as_ref()?, source.s3.as_ref()?);
        Some(Folder { lakehouse, objects, source, s3, format, table, memory, deadline })
    }

    /// Applies every file that the table does not hold, full loads first, then changes by name.
    ///
    /// `named` are the keys that the event names. One that is there needs no mention, since the
    /// listing has it; one that is not, or that is too old to tell, is refused aloud.
    pub(crate) async fn apply(
        &self,
        named: &BTreeSet<&str>,
        report: &mut FolderReport,
    ) -> Result<(), Error> {
        let from = &self.table.config().from;
        let mut held = self.table.files(&self.source.name, from).await?;
        let listed = self.list(&held).await?;
        for key in named.iter().filter(|key| !listed.iter().any(|object| object.key == **key)) {
            let Some(name) = key.strip_prefix(self.prefix().as_str()) else { continue };
            if !held.knows(name) {
                let reason = match held.is_below_floor(name, is_full_load(name)) {
                    true => TOO_OLD,
                    false => "is not there any more",
                };
                self.refuse(key, reason, report).await?;
            }
        }
        for object in listed {
            let name = &object.key[self.prefix().len()..];
            let full_load = is_full_load(name);
            let standing = held.standing(name, &object.etag, full_load);
            let reloads = match standing {
                FileStanding::Applied => continue,
                FileStanding::BelowFloor => {
                    self.refuse(&object.key, TOO_OLD, report).await?;
                    continue;
                }
                FileStanding::Rewritten => {
                    self.refuse(&object.key, REWRITTEN, report).await?;
                    continue;
                }
                FileStanding::Reloaded => held.reloads() + 1,
                FileStanding::New | FileStanding::InProgress { .. } => held.reloads(),
            };
            let file = File { folder: self, object: &object, name, full_load, reloads };
            match file.apply(&mut report.counts).await {
                Ok(()) => report.files.push(object.key.clone()),
                // The file's own fault: the others are applied, and a person looks at this one.
                Err(Error::File { fault, .. }) => {
                    self.refuse(&object.key, &fault, report).await?;
                }
                Err(error) => return Err(error),
            }
            held = self.table.files(&self.source.name, from).await?;
        }
        Ok(())
    }

    /// The prefix of the folder's keys.
    fn prefix(&self) -> String {
        format!("{}{}/", self.s3.prefix, self.table.config().from)
    }

    /// Objects from the floor on, in the order in which they are to be applied. What lies below a
    /// floor costs nothing.
    async fn list(&self, held: &Files) -> Result<Vec<Object>, Error> {
        let prefix = self.prefix();
        let after = |full_load| format!("{prefix}{}", held.floor(full_load));
        let bucket = &self.s3.bucket;
        let loads = format!("{prefix}LOAD");
        let mut objects = self.objects.list(bucket, &loads, &after(true)).await?;
        objects.retain(|object| is_full_load(&object.key[prefix.len()..]));
        let changes = self.objects.list(bucket, &prefix, &after(false)).await?;
        let is_change = |object: &Object| {
            let name = &object.key[prefix.len()..];
            !is_full_load(name) && is_csv(name)
        };
        objects.extend(changes.into_iter().filter(is_change));
        Ok(objects)
    }

    /// Puts a file that cannot be applied into the quarantine, by name: its content stays where it
    /// is.
    async fn refuse(
        &self,
        key: &str,
        reason: &str,
        report: &mut FolderReport,
    ) -> Result<(), Error> {
        error!(table = self.table.label(), file = key, reason, "file failed");
        report.failed.insert(key.to_owned(), reason.to_owned());
        let rejected = Rejected {
            position: Position::File { name: Arc::from(key), line: 1, record: 0 },
            reason: Reason::new(format!("the file {reason}")),
            original: Original::default(),
        };
        let quarantine = &self.lakehouse.quarantine;
        quarantine.write(&self.source.name, Some(self.table.label()), &[rejected]).await
    }
}

const TOO_OLD: &str = "is older by name than all that the table remembers, so that nothing tells \
                       whether it was applied";
const REWRITTEN: &str =
    "was applied before with other content; files of changes are never rewritten";

/// Full loads are called `LOAD`, eight hexadecimal digits, `.csv` (AWS DMS user guide, S3 target).
fn is_full_load(name: &str) -> bool {
    let digits = name.strip_prefix("LOAD").and_then(|rest| rest.split_once('.'));
    digits.is_some_and(|(digits, _)| {
        digits.len() == 8 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    }) && is_csv(name)
}

fn is_csv(name: &str) -> bool {
    name.ends_with(".csv") || name.ends_with(".csv.gz")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_loads_are_told_by_name() {
        assert!(is_full_load("LOAD00000001.csv") && is_full_load("LOAD0000000A.csv.gz"));
        for name in
            ["20240101-120000000.csv", "LOADING.csv", "LOAD00000001.parquet", "x/LOAD00000001.csv"]
        {
            assert!(!is_full_load(name), "{name}");
        }
    }
}
