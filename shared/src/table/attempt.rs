//! One attempt to apply a batch, from the freshly loaded table to the commit.

use std::collections::{HashMap, HashSet};

use tracing::{info, warn};
use uuid::Uuid;

use super::checkpoint::{Checkpoint, Standing};
use super::columns;
use super::commit::{Committer, Ended, RowDelta, check_format};
use super::files::FileWriter;
use super::layout::{Filled, Layout};
use super::live::{LiveFile, LiveFiles};
use super::locate::Lookup;
use super::plan::Plan;
use super::retry::Backoff;
use super::{Table, create, schema};
use crate::batch::{Batch, Covered};
use crate::catalog::LoadedTable;
use crate::change::{Change, Op, Reason, Rejected, Skip};
use crate::config::Mode;
use crate::counts::Counts;
use crate::error::{Error, Result};

pub(super) struct Attempt<'t, 'l, 'b, 'a> {
    pub(super) table: &'t Table<'l>,
    pub(super) batch: &'b mut Batch<'a>,
    pub(super) counts: &'b mut Counts,
}

impl Attempt<'_, '_, '_, '_> {
    /// Applies the batch. `None` is a conflict after which everything must be planned anew.
    pub(super) async fn run(mut self, backoff: &mut Backoff) -> Result<Option<()>> {
        let Table { config, catalog, quarantine, cache, .. } = *self.table;
        let Some(base) = self.load().await? else { return self.quarantine_alone().await };
        check_format(&base)?;
        backoff.configure(&base.metadata)?;
        let checkpoint = self.checkpoint(&base)?;
        let mut layout = Layout::new(base.metadata.current_schema().clone(), config)?;
        self.drop_applied(&checkpoint, &layout);
        if self.batch.changes.is_empty() && !self.must_be_remembered(&checkpoint) {
            return self.quarantine_alone().await;
        }

        let Batch { changes, rejected, .. } = &*self.batch;
        let last_column_id = base.metadata.last_column_id();
        let evolved = schema::evolve(changes, &layout, last_column_id, config)?;
        let mut delta = RowDelta::new(Uuid::now_v7(), evolved);
        let mut metadata = delta.evolved(&base.metadata)?;
        if delta.schema.is_some() {
            layout = Layout::new(metadata.current_schema().clone(), config)?;
        }
        let columns = columns::convert(changes, &layout, config.mode);
        if !columns.nulls_in_required.is_empty() {
            delta.schema = Some(schema::relax(&layout, &columns.nulls_in_required)?);
            metadata = delta.evolved(&base.metadata)?;
            layout = Layout::new(metadata.current_schema().clone(), config)?;
        }
        let live = LiveFiles::load(&base.metadata, catalog.file_io(), cache).await?;
        let plan = Plan::make(self.table, changes, layout, columns, &live).await?;

        let fresh = plan.refused.records(changes);
        let rejected: Vec<Rejected> = rejected.iter().cloned().chain(fresh).collect();
        quarantine.write(&config.source, Some(self.table.label()), &rejected).await?;

        let writer = FileWriter {
            metadata: &metadata,
            file_io: catalog.file_io(),
            prefix: delta.commit_id.to_string(),
        };
        let rows = plan.settled.assemble(&plan.columns, &plan.found, &plan.layout)?;
        delta.data = writer.write_rows(&rows, &plan.layout).await?;
        delta.deletes = writer.write_deletes(plan.settled.deletes.clone()).await?;
        let outcome = plan.outcome(changes, rejected.len());
        delta.summary = summary(&outcome, changes);

        if !self.commit(base, live, &plan, &mut delta, backoff).await? {
            return Ok(None);
        }
        *self.counts += &outcome;
        self.counts.lag_ms = self.batch.newest_ms().map(|newest| {
            let now = chrono::Utc::now().timestamp_millis();
            u64::try_from(now.saturating_sub(newest)).unwrap_or(0)
        });
        self.counts.snapshots += u64::from(delta.has_files());
        Ok(Some(()))
    }

    /// Ends an attempt that has nothing to commit.
    async fn quarantine_alone(self) -> Result<Option<()>> {
        let Table { config, quarantine, .. } = *self.table;
        let rejected = &self.batch.rejected;
        quarantine.write(&config.source, Some(self.table.label()), rejected).await?;
        self.counts.rejected += rejected.len() as u64;
        Ok(Some(()))
    }

    /// The table, made if there is none. `None` where there is none and nothing to make it from.
    async fn load(&self) -> Result<Option<LoadedTable>> {
        let Table { config, catalog, cache, .. } = *self.table;
        let name = self.table.name();
        match cache.load(catalog, &name).await? {
            Some(table) => Ok(Some(table)),
            None if self.batch.changes.is_empty() => Ok(None),
            None => create::create(catalog, &name, config, &self.batch.changes).await.map(Some),
        }
    }

    /// What `table` holds of the batch's source.
    fn checkpoint(&self, table: &LoadedTable) -> Result<Checkpoint> {
        let name = &self.table.config.table;
        Checkpoint::read(name, table.metadata.properties(), &self.batch.covered)
    }

    /// Drops what the table's checkpoint holds. On a table without versions, what is late is
    /// rejected: nothing could tell whether it undoes newer changes.
    fn drop_applied(&mut self, checkpoint: &Checkpoint, layout: &Layout) {
        let Batch { changes, rejected, covered } = &mut *self.batch;
        let appends = self.table.config.mode == Mode::Append;
        let guarded = appends || layout.filled(Filled::Version).is_some();
        let mut applied = HashSet::new();
        let mut late = Vec::new();
        changes.retain(|change| match checkpoint.standing(covered, &change.position) {
            Standing::New => true,
            Standing::Late if guarded => true,
            Standing::Late => {
                late.push(Rejected {
                    position: change.position.clone(),
                    reason: Reason::new(format!(
                        "is late: changes behind it are applied, and without column \
                         \"{}\" nothing tells whether it would undo them",
                        super::layout::VERSION
                    )),
                    original: change.original,
                });
                false
            }
            Standing::Applied => {
                applied.insert(change.position.clone());
                false
            }
        });
        rejected.retain(|record| {
            let held = checkpoint.standing(covered, &record.position) == Standing::Applied;
            if held {
                applied.insert(record.position.clone());
            }
            !held
        });
        rejected.extend(late);
        self.counts.skip(Skip::AlreadyApplied, applied.len() as u64);
    }

    /// Whether the stretch must become part of the checkpoint although nothing of it is applied: a
    /// file that is not would be read again with every event.
    fn must_be_remembered(&self, held: &Checkpoint) -> bool {
        let covered = &self.batch.covered;
        let mut with = held.clone();
        with.add(covered);
        let known = with.to_property(covered) == held.to_property(covered);
        matches!(covered, Covered::File(_)) && !known
    }

    /// Commits, again where other writers' commits leave the plan as it is. `false` where they do
    /// not.
    async fn commit(
        &self,
        mut base: LoadedTable,
        mut live: LiveFiles,
        plan: &Plan,
        delta: &mut RowDelta,
        backoff: &mut Backoff,
    ) -> Result<bool> {
        let Table { catalog, cache, .. } = *self.table;
        let committer = Committer { catalog, cache };
        loop {
            let properties = self.properties(&base)?;
            if committer.commit(&base, &live, delta, properties).await? == Ended::Committed {
                info!(
                    table = self.table.label(),
                    rows = plan.settled.rows.len(),
                    deletes = plan.settled.deletes.len(),
                    files_read = plan.found.files_read,
                    commit_id = %delta.commit_id,
                    "committed"
                );
                return Ok(true);
            }
            if backoff.is_exhausted() {
                return Ok(false);
            }
            backoff.wait().await;
            let name = &base.name;
            let now = cache.load(catalog, name).await?;
            let now = now.ok_or_else(|| Error::table(name, "was dropped during the commit"))?;
            let files = LiveFiles::load(&now.metadata, catalog.file_io(), cache).await?;
            if !self.still_holds(plan, &base, &live, &now, &files)? {
                return Ok(false);
            }
            (base, live) = (now, files);
        }
    }

    /// Whether the plan made on `base` is right on `now`: same columns and partitions, nothing of
    /// the batch applied by somebody else, the files that we delete from still there, and no new
    /// file that could hold one of our keys.
    fn still_holds(
        &self,
        plan: &Plan,
        base: &LoadedTable,
        live: &LiveFiles,
        now: &LoadedTable,
        files: &LiveFiles,
    ) -> Result<bool> {
        let Table { catalog, cache, .. } = *self.table;
        let (before, after) = (&base.metadata, &now.metadata);
        if !schema::same_columns(before.current_schema(), after.current_schema())
            || before.default_partition_spec_id() != after.default_partition_spec_id()
        {
            return Ok(false);
        }
        let covered = &self.batch.covered;
        let checkpoint = self.checkpoint(now)?;
        let mut positions = self.batch.changes.iter().map(|change| &change.position);
        if positions.any(|position| checkpoint.standing(covered, position) == Standing::Applied) {
            return Ok(false);
        }
        let known: HashSet<&str> = live.data.iter().map(LiveFile::path).collect();
        let present: HashSet<&str> = files.data.iter().map(LiveFile::path).collect();
        let deletes = &plan.settled.deletes;
        if deletes.iter().any(|(file, _)| !present.contains(file.path())) {
            return Ok(false);
        }
        let lookup = Lookup { layout: &plan.layout, file_io: catalog.file_io(), cache };
        let new = files.data.iter().filter(|file| !known.contains(file.path()));
        Ok(!lookup.overlaps(&plan.keys, &plan.folded.last, new))
    }

    /// The checkpoint with the batch's stretch, as table properties.
    fn properties(&self, base: &LoadedTable) -> Result<HashMap<String, String>> {
        let config = self.table.config;
        let covered = &self.batch.covered;
        let mut checkpoint = self.checkpoint(base)?;
        for gap in checkpoint.add(covered) {
            warn!(table = self.table.label(), source = %config.source, %gap, "gap closed: what it held is not applied any more");
        }
        Ok(HashMap::from([checkpoint.to_property(covered)]))
    }
}

/// What the summary of the snapshot says of the batch.
fn summary(counts: &Counts, changes: &[Change]) -> HashMap<String, String> {
    let op = |op: Op| counts.applied.get(&op).copied().unwrap_or(0).to_string();
    let mut summary = HashMap::from([
        ("cdc.inserts".to_owned(), op(Op::Insert)),
        ("cdc.updates".to_owned(), op(Op::Update)),
        ("cdc.deletes".to_owned(), op(Op::Delete)),
        ("cdc.rejected".to_owned(), counts.rejected.to_string()),
    ]);
    if let Some(newest) = changes.iter().filter_map(|change| change.source_time).max() {
        summary.insert("cdc.newest-source-time-us".to_owned(), newest.to_string());
    }
    summary
}
