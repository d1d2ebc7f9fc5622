//! Folded changes and located rows -> what to delete, what to write, and from where each cell comes.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, UInt32Array};
use arrow::compute::{interleave, take};
use rustc_hash::FxHashMap;

use super::columns::Columns;
use super::keys::Keys;
use super::layout::{Filled, Layout};
use super::live::LiveFile;
use super::locate::{Found, Located};
use crate::batch::Folded;
use crate::change::{Change, Op, Reason, Version};
use crate::config::Mode;
use crate::error::Result;

/// The row delta, before anything is written.
#[derive(Debug, Default)]
pub(super) struct Settled {
    /// Rows of data files that go.
    pub(super) deletes: Vec<(LiveFile, u64)>,
    /// Changes that become rows, in the order of their keys.
    pub(super) rows: Vec<usize>,
    /// Changes that the table holds a newer version of.
    pub(super) older: Vec<usize>,
    /// Changes that keep cells of a row that is not there.
    pub(super) rejected: Vec<(usize, Reason)>,
    /// Cells that do not come from the change itself, by column and row of `rows`.
    kept: FxHashMap<usize, FxHashMap<usize, Origin>>,
}

/// Where a kept cell comes from.
#[derive(Debug, Clone, Copy)]
enum Origin {
    /// An earlier change of the batch.
    Change(usize),
    /// A stored row: a batch of stored cells, and a row of it.
    Stored(usize, usize),
}

/// The columns of stored rows that the changes need: the version to tell old from new, and all cells
/// where some change keeps what is stored (`keeps`).
pub(super) fn stored_columns(layout: &Layout, keeps: bool) -> Vec<usize> {
    let wanted = |filled: Filled| filled == Filled::Version || (keeps && filled == Filled::Row);
    let indexed = layout.columns.iter().enumerate();
    indexed.filter(|(_, column)| wanted(column.filled)).map(|(index, _)| index).collect()
}

/// Decides what becomes of the last change of each key.
pub(super) fn settle(
    changes: &[Change],
    folded: &Folded,
    columns: &Columns,
    keys: &Keys,
    found: &Found,
    layout: &Layout,
    mode: Mode,
) -> Settled {
    let mut located: FxHashMap<usize, Vec<&Located>> = FxHashMap::default();
    for row in &found.rows {
        located.entry(row.change).or_default().push(row);
    }
    let mut settled = Settled::default();
    let mut kept_by_change: FxHashMap<usize, Vec<(usize, Origin)>> = FxHashMap::default();
    for &change in &folded.last {
        let rows = located.get(&change).map_or(&[][..], Vec::as_slice);
        // Only another writer can have left two live rows of a key: the later one is the row.
        let stored = rows.iter().max_by_key(|row| (row.file.sequence_number(), row.position));
        let version = stored.and_then(|row| stored_version(row, found, layout));
        if let (Some(version), Some(own)) = (&version, &changes[change].version)
            && own.is_older_than(version)
        {
            settled.older.push(change);
            continue;
        }
        let gone = changes[change].op == Op::Delete;
        let first = chain(change, folded).last().unwrap_or(change);
        if gone && stored.is_none() && changes[first].op == Op::Delete {
            // A key that is not there has nothing to delete, nor to mark as deleted.
            continue;
        }
        match kept_cells(change, folded, columns, stored.copied()) {
            Ok(kept) => {
                if !gone || mode == Mode::SoftDelete {
                    settled.rows.push(change);
                    kept_by_change.insert(change, kept);
                }
            }
            // All that it builds on keep the same cell of a row that is not there. A delete among
            // them has met no row, which is no fault.
            Err(column) => {
                let reason = Reason::new("keeps its stored value, but the table has no such row")
                    .in_column(&layout.columns[column].name);
                let at_fault = chain(change, folded).filter(|&at| changes[at].op != Op::Delete);
                settled.rejected.extend(at_fault.map(|at| (at, reason.clone())));
                continue;
            }
        }
        settled.deletes.extend(rows.iter().map(|row| (row.file.clone(), row.position)));
    }
    settled.rows.sort_unstable_by(|&a, &b| keys.bytes(a).cmp(keys.bytes(b)));
    for (row, change) in settled.rows.iter().enumerate() {
        for (column, origin) in kept_by_change.remove(change).unwrap_or_default() {
            settled.kept.entry(column).or_default().insert(row, origin);
        }
    }
    settled
}

/// The change, the one that it builds on, the one that that builds on, and so forth.
fn chain(change: usize, folded: &Folded) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(change), |&at| folded.base[at])
}

/// Where each kept cell of a change comes from, or a column whose cell comes from nowhere.
fn kept_cells(
    change: usize,
    folded: &Folded,
    columns: &Columns,
    stored: Option<&Located>,
) -> Result<Vec<(usize, Origin)>, usize> {
    let resolve = |column: usize| {
        let sent = chain(change, folded).find(|&at| !columns.is_unchanged(at, column));
        let kept = || stored.map(|row| Origin::Stored(row.stored.0, row.stored.1));
        sent.map(Origin::Change).or_else(kept).map(|origin| (column, origin)).ok_or(column)
    };
    columns.unchanged_of(change).map(resolve).collect()
}

fn stored_version(row: &Located, found: &Found, layout: &Layout) -> Option<Version> {
    let index = layout.filled(Filled::Version)?;
    let (batch, row) = row.stored;
    let column = found.stored.get(batch)?.column_by_name(&layout.columns[index].name)?;
    let texts = column.as_string_opt::<i32>()?;
    texts.is_valid(row).then(|| Version::stored(texts.value(row)))
}

impl Settled {
    /// Every change as a row, in the order of the keys where there are any.
    pub(super) fn all(mut changes: Vec<usize>, keys: &Keys) -> Settled {
        if !keys.arrays.is_empty() {
            changes.sort_by(|&a, &b| keys.bytes(a).cmp(keys.bytes(b)));
        }
        Settled { rows: changes, ..Settled::default() }
    }

    /// The rows to write, in the order of their keys.
    pub(super) fn assemble(
        &self,
        columns: &Columns,
        found: &Found,
        layout: &Layout,
    ) -> Result<RecordBatch> {
        let indices = UInt32Array::from_iter_values(self.rows.iter().map(|&change| change as u32));
        let arrays =
            columns.arrays.iter().enumerate().map(|(column, array)| match self.kept.get(&column) {
                None => Ok(take(array, &indices, None)?),
                Some(kept) => self.assemble_kept(array, kept, &layout.columns[column].name, found),
            });
        let arrays = arrays.collect::<Result<Vec<_>>>()?;
        Ok(RecordBatch::try_new(layout.arrow.clone(), arrays)?)
    }

    fn assemble_kept(
        &self,
        array: &ArrayRef,
        kept: &FxHashMap<usize, Origin>,
        name: &str,
        found: &Found,
    ) -> Result<ArrayRef> {
        let stored = found.stored.iter().filter_map(|batch| batch.column_by_name(name));
        let sources: Vec<&dyn Array> =
            std::iter::once(array).chain(stored).map(|array| array.as_ref()).collect();
        let places = self.rows.iter().enumerate().map(|(row, &change)| match kept.get(&row) {
            None => (0, change),
            Some(&Origin::Change(before)) => (0, before),
            Some(&Origin::Stored(batch, row)) => (batch + 1, row),
        });
        Ok(interleave(&sources, &places.collect::<Vec<_>>())?)
    }
}
