//! What a batch does to a table, before anything is written: which change of each key wins, where the
//! old rows lie, what goes and what comes.

use std::collections::{HashMap, HashSet};

use super::Table;
use super::columns::Columns;
use super::keys::Keys;
use super::layout::Layout;
use super::live::LiveFiles;
use super::locate::{Found, Lookup};
use super::settle::{self, Settled};
use crate::batch::{Folded, fold};
use crate::change::{Change, Op, Position, Reason, Rejected, Skip};
use crate::config::Mode;
use crate::counts::Counts;
use crate::error::{Error, Result};

/// A batch as one table takes it.
pub(super) struct Plan {
    pub(super) layout: Layout,
    pub(super) columns: Columns,
    pub(super) keys: Keys,
    pub(super) folded: Folded,
    pub(super) found: Found,
    pub(super) settled: Settled,
    pub(super) refused: Refused,
}

impl Plan {
    /// Plans the changes on the files of a snapshot.
    ///
    /// # Errors
    /// Where files cannot be read, or hold deletes that hide which stored values are live.
    pub(super) async fn make(
        table: &Table<'_>,
        changes: &[Change<'_>],
        layout: Layout,
        columns: Columns,
        live: &LiveFiles,
    ) -> Result<Plan> {
        let mut refused = Refused::default();
        refused.extend(changes, columns.rejected.iter().cloned());
        let keys = Keys::new(&columns.arrays, &layout)?;
        let mut plan = Plan {
            layout,
            columns,
            keys,
            folded: Folded::default(),
            found: Found::default(),
            settled: Settled::default(),
            refused,
        };
        if table.config.mode == Mode::Append {
            let taken = (0..changes.len()).filter(|&change| !plan.refused.has(change));
            plan.settled = Settled::all(taken.collect(), &plan.keys);
            return Ok(plan);
        }
        // A record whose second half turns out not to apply takes its first half with it, which may
        // have settled already.
        while plan.settle(table, changes, live).await? {}
        Ok(plan)
    }

    /// Folds, locates and settles. Returns whether that must be done again.
    async fn settle(
        &mut self,
        table: &Table<'_>,
        changes: &[Change<'_>],
        live: &LiveFiles,
    ) -> Result<bool> {
        let Table { config, catalog, cache, .. } = *table;
        self.fold(changes, config.mode);
        let keeps = self.folded.last.iter().any(|&change| self.keeps_cells(change));
        if keeps && live.has_equality_deletes() {
            let fault = "has equality deletes, so that stored values cannot be told from deleted \
                         ones: compact the table, then deliver the event again";
            return Err(Error::table(&config.table, fault));
        }
        let stored = settle::stored_columns(&self.layout, keeps);
        let lookup = Lookup { layout: &self.layout, file_io: catalog.file_io(), cache };
        self.found = lookup.locate(&self.keys, &self.folded.last, live, &stored).await?;
        self.settled = settle::settle(
            changes,
            &self.folded,
            &self.columns,
            &self.keys,
            &self.found,
            &self.layout,
            config.mode,
        );
        let rejected = std::mem::take(&mut self.settled.rejected);
        let own: HashSet<usize> = rejected.iter().map(|&(change, _)| change).collect();
        self.refused.extend(changes, rejected);
        let mut last = self.folded.last.iter();
        Ok(last.any(|change| self.refused.has(*change) && !own.contains(change)))
    }

    fn fold(&mut self, changes: &[Change], mode: Mode) {
        let key = |change| (!self.refused.has(change)).then(|| self.keys.bytes(change));
        let keys: Vec<_> = (0..changes.len()).map(key).collect();
        // A soft delete builds on the row, also where the row is nothing but its key.
        let marks = |change: usize| mode == Mode::SoftDelete && changes[change].op == Op::Delete;
        self.folded = fold(changes, &keys, |change| marks(change) || self.keeps_cells(change));
        let baseless = self.folded.baseless.iter().map(|&change| {
            (change, Reason::new("keeps stored values of a row that was deleted before it"))
        });
        self.refused.extend(changes, baseless);
    }

    fn keeps_cells(&self, change: usize) -> bool {
        self.columns.unchanged_of(change).next().is_some()
    }

    /// The counts of the batch, once it is committed. A record that is two changes, the delete of an
    /// old key and the upsert of the new one, counts as the second.
    pub(super) fn outcome(&self, changes: &[Change], rejected: usize) -> Counts {
        let older = self.folded.older.iter().chain(&self.settled.older);
        let older: HashSet<usize> = older.copied().collect();
        let mut counts = Counts { rejected: rejected as u64, ..Counts::default() };
        for (index, change) in changes.iter().enumerate() {
            let first_of_two =
                changes.get(index + 1).is_some_and(|next| next.position == change.position);
            if self.refused.has(index) || first_of_two {
                continue;
            }
            match older.contains(&index) {
                true => counts.skip(Skip::Older, 1),
                false => counts.apply(change.op),
            }
        }
        counts
    }
}

/// Changes that do not become rows, with their reasons.
#[derive(Debug, Default)]
pub(super) struct Refused(HashMap<usize, Reason>);

impl Refused {
    fn has(&self, change: usize) -> bool {
        !self.0.is_empty() && self.0.contains_key(&change)
    }

    /// Adds changes. All changes of a record go together: half a record is not applied.
    fn extend(&mut self, changes: &[Change], refused: impl IntoIterator<Item = (usize, Reason)>) {
        for (change, reason) in refused {
            let position = &changes[change].position;
            let same = |at: &usize| changes[*at].position == *position;
            let before = (0..change).rev().take_while(same);
            let after = (change..changes.len()).take_while(same);
            for at in before.chain(after) {
                self.0.entry(at).or_insert_with(|| reason.clone());
            }
        }
    }

    /// The records that the changes are of, in order.
    pub(super) fn records<'a>(&self, changes: &[Change<'a>]) -> Vec<Rejected<'a>> {
        let mut indices: Vec<_> = self.0.keys().copied().collect();
        indices.sort_unstable();
        let mut last: Option<&Position> = None;
        let mut records = Vec::new();
        for index in indices {
            let change = &changes[index];
            if last.replace(&change.position) != Some(&change.position) {
                records.push(Rejected {
                    position: change.position.clone(),
                    reason: self.0[&index].clone(),
                    original: change.original,
                });
            }
        }
        records
    }
}
