//! A table that takes batches: the order of the steps, and nothing else.
//!
//! ```text
//! load ─> checkpoint ─> schema ─> columns ─> fold ─> locate ─> settle ─> quarantine ─> files ─> commit
//!   ^                                                                                         │
//!   └──────────────────────── another writer was faster ──────────────────────────────────────┘
//! ```

mod attempt;
mod cache;
mod checkpoint;
mod columns;
mod commit;
mod create;
mod files;
mod keys;
mod layout;
mod live;
mod locate;
mod plan;
mod rendered;
mod retry;
mod scan;
mod schema;
mod settle;
mod value;

pub use cache::Cache;
pub use checkpoint::{FileStanding, Files, files_property};
pub use layout::METADATA_PREFIX;
pub use rendered::render;
pub use scan::scan;

use std::borrow::Cow;

use crate::batch::Batch;
use crate::catalog::{Catalog, TableName};
use crate::change::{Op, Reason, Rejected, Skip};
use crate::config::{OnTruncate, TableConfig};
use crate::counts::Counts;
use crate::error::{Error, Result};
use crate::quarantine::Quarantine;
use attempt::Attempt;
use retry::Backoff;

/// A table as the configuration describes it, in one catalog.
#[derive(Debug, Clone)]
pub struct Table<'l> {
    pub(crate) config: &'l TableConfig,
    pub(crate) catalog: &'l dyn Catalog,
    /// What logs and reports call it: `namespace.name`, behind `catalog/` where there are several.
    pub(crate) label: Cow<'l, str>,
    pub(crate) quarantine: &'l Quarantine,
    pub(crate) cache: &'l Cache,
}

impl<'l> Table<'l> {
    /// What logs and reports call it.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What a report says of a failure. Errors name the table; where there are several catalogs, this
    /// names the catalog as well.
    pub fn failure(&self, error: &Error) -> String {
        match self.label.split_once('/') {
            Some((catalog, _)) => format!("catalog {catalog}: {error}"),
            None => error.to_string(),
        }
    }

    /// Its configuration.
    pub fn config(&self) -> &'l TableConfig {
        self.config
    }

    /// Applies a batch: rows, deletes, schema and checkpoint in one commit. A batch that the table
    /// holds already changes nothing.
    ///
    /// # Errors
    /// [`Error::Table`] where the table cannot take the batch, [`Error::Conflict`] where other
    /// writers were always faster; else where storage or catalog fail. Nothing of the batch is then
    /// visible, unless the catalog's answer was lost; delivering the batch again is safe either way.
    pub async fn apply(&self, mut batch: Batch<'_>) -> Result<Counts> {
        let mut counts = Counts { bytes: batch.bytes(), ..Counts::default() };
        self.settle_truncates(&mut batch, &mut counts);
        let mut backoff = Backoff::default();
        loop {
            match (Attempt { table: self, batch: &mut batch, counts: &mut counts })
                .run(&mut backoff)
                .await?
            {
                Some(()) => {
                    counts.conflicts += u64::from(backoff.attempts());
                    return Ok(counts);
                }
                None if backoff.is_exhausted() => {
                    let table = self.config.table.clone();
                    return Err(Error::Conflict { table, attempts: backoff.attempts() });
                }
                None => backoff.wait().await,
            }
        }
    }

    /// What the table holds of a folder of files.
    ///
    /// # Errors
    /// Where the table cannot be loaded.
    pub async fn files(&self, source: &str, from: &str) -> Result<Files> {
        let Some(loaded) = self.cache.load(self.catalog, &self.name()).await? else {
            return Ok(Files::default());
        };
        let name = files_property(source, from);
        match loaded.metadata.properties().get(&name) {
            None => Ok(Files::default()),
            Some(json) => serde_json::from_str(json).map_err(|error| {
                Error::table(
                    &self.config.table,
                    format!("property \"{name}\" is no checkpoint: {error}"),
                )
            }),
        }
    }

    fn name(&self) -> TableName {
        TableName {
            namespace: self.config.namespace().to_owned(),
            name: self.config.name().to_owned(),
        }
    }

    /// A truncate has no key: it is for a person, unless the table ignores it.
    fn settle_truncates(&self, batch: &mut Batch, counts: &mut Counts) {
        let rejected = &mut batch.rejected;
        batch.changes.retain(|change| {
            if change.op != Op::Truncate {
                return true;
            }
            match self.config.on_truncate {
                OnTruncate::Ignore => counts.skip(Skip::Truncate, 1),
                OnTruncate::Quarantine => rejected.push(Rejected {
                    position: change.position.clone(),
                    reason: Reason::new(
                        "is a truncate: empty the table by hand, or set `on_truncate` to ignore",
                    ),
                    original: change.original,
                }),
            }
            false
        });
    }
}
