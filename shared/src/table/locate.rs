//! Keys -> the data file and position of their live rows.
//!
//! This is what replaces a resident index. The manifests' bounds say which files can hold a key of
//! the batch; in such a file the footer is the index: page bounds, then Bloom filters, then the key
//! columns of the pages that are left. A key above every bound costs nothing at all, so that a
//! stream of new keys reads nothing.
//!
//! Rows that position deletes already removed do not count. The same look at the file brings what
//! the table stores of the row where somebody needs it: its version, or the cells that a change
//! keeps.

mod bloom;
mod bounds;
mod deleted;
mod pages;
mod parquet_file;

use arrow::array::{ArrayRef, RecordBatch};
use futures::{StreamExt, TryStreamExt, stream};
use iceberg::io::FileIO;
use iceberg::spec::DataFileFormat;
use rustc_hash::FxHashMap;

use super::cache::Cache;
use super::keys::Keys;
use super::layout::Layout;
use super::live::{LiveFile, LiveFiles};
use crate::error::{Error, Result};
use bounds::Wanted;
pub(super) use deleted::positions_deleted_from;
use parquet_file::ParquetFile;

/// Files looked at concurrently: their reads overlap.
const CONCURRENCY: usize = 8;

/// A live row of a key of the batch.
#[derive(Debug, Clone)]
pub(super) struct Located {
    /// The change whose key it is.
    pub(super) change: usize,
    /// The data file.
    pub(super) file: LiveFile,
    /// The row's place in the file, from 0.
    pub(super) position: u64,
    /// Where its stored cells are: a batch of [`Found::stored`] and a row of that batch.
    pub(super) stored: (usize, usize),
}

/// The live rows of a batch's keys.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) rows: Vec<Located>,
    /// The stored cells of the rows, by file; the columns are those that were asked for.
    pub(super) stored: Vec<RecordBatch>,
    /// Bytes of the files that had to be looked at, as far as pages were selected.
    pub(super) files_read: usize,
}

/// Where and how to look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) layout: &'a Layout,
    pub(super) file_io: &'a FileIO,
    pub(super) cache: &'a Cache,
}

impl Lookup<'_> {
    /// Finds the live rows of the keys of `changes`, and reads the columns `stored` of them.
    ///
    /// # Errors
    /// [`Error::File`] where a file that can hold a key is not of Parquet.
    pub(super) async fn locate(
        self,
        keys: &Keys,
        changes: &[usize],
        live: &LiveFiles,
        stored: &[usize],
    ) -> Result<Found> {
        let wanted = Wanted::new(keys, changes, self.layout);
        let candidates = live.data.iter().filter_map(|file| {
            let changes = wanted.within(file.file());
            (!changes.is_empty()).then_some((file, changes))
        });
        let found: Vec<_> = stream::iter(candidates.collect::<Vec<_>>())
            .map(|(file, changes)| self.look_into(keys, file, changes, live, stored))
            .buffered(CONCURRENCY)
            .try_collect()
            .await?;
        let files_read = found.len();
        let mut all = Found { files_read, ..Found::default() };
        for (rows, batch) in found.into_iter().filter(|(rows, _)| !rows.is_empty()) {
            let place = all.stored.len();
            all.rows.extend(rows.into_iter().map(|mut row| {
                row.stored.0 = place;
                row
            }));
            all.stored.push(batch);
        }
        Ok(all)
    }

    /// Whether any of the files can hold a key of `changes`, by the bounds in the manifests.
    pub(super) fn overlaps<'f>(
        self,
        keys: &Keys,
        changes: &[usize],
        mut data: impl Iterator<Item = &'f LiveFile>,
    ) -> bool {
        let wanted = Wanted::new(keys, changes, self.layout);
        data.any(|file| !wanted.within(file.file()).is_empty())
    }

    async fn look_into(
        self,
        keys: &Keys,
        file: &LiveFile,
        changes: Vec<usize>,
        live: &LiveFiles,
        stored: &[usize],
    ) -> Result<(Vec<Located>, RecordBatch)> {
        let format = file.file().file_format();
        if format != DataFileFormat::Parquet {
            let fault = format!("is of format {format}; keys are looked up in Parquet files only");
            return Err(Error::file(file.path(), fault));
        }
        let parquet = ParquetFile::open(file.path(), self.file_io, self.cache).await?;
        let matches = self.matches(keys, &parquet, changes).await?;
        if matches.is_empty() {
            return Ok((Vec::new(), RecordBatch::new_empty(self.layout.arrow.clone())));
        }
        let deleted = positions_deleted_from(file, live, self.file_io, self.cache).await?;
        let matches: Vec<_> =
            matches.into_iter().filter(|(_, position)| !deleted.contains(*position)).collect();
        let positions: Vec<u64> = matches.iter().map(|&(_, position)| position).collect();
        let batch = parquet.read_rows(&positions, stored, self.layout).await?;
        let rows = matches.into_iter().enumerate().map(|(row, (change, position))| Located {
            change,
            file: file.clone(),
            position,
            stored: (0, row),
        });
        Ok((rows.collect(), batch))
    }

    /// The rows of the file whose key is one of the changes', with their positions in order.
    async fn matches(
        self,
        keys: &Keys,
        parquet: &ParquetFile,
        changes: Vec<usize>,
    ) -> Result<Vec<(usize, u64)>> {
        let Some(key_columns) = parquet.columns(self.layout, &self.layout.key) else {
            // The file was written before a key column was added: its rows have no key.
            return Ok(Vec::new());
        };
        let mut matches = Vec::new();
        for group in 0..parquet.row_groups() {
            let mut selected = pages::select(parquet, group, &key_columns, keys, &changes)?;
            if selected.is_empty() {
                continue;
            }
            let mut wanted = changes.clone();
            let page_bytes = pages::bytes(parquet, group, &key_columns, &selected);
            if bloom::bytes(parquet, group, &key_columns).is_some_and(|bytes| bytes < page_bytes) {
                bloom::retain(parquet, group, &key_columns, keys, &mut wanted).await?;
                selected = pages::select(parquet, group, &key_columns, keys, &wanted)?;
            }
            if wanted.is_empty() || selected.is_empty() {
                continue;
            }
            let by_key: FxHashMap<&[u8], usize> =
                wanted.iter().map(|&change| (keys.bytes(change), change)).collect();
            let mut positions = selected.iter().cloned().flatten();
            let start = parquet.first_row(group);
            let mut stream = parquet.read_ranges(group, &selected, &key_columns)?;
            while let Some(batch) = stream.try_next().await? {
                let columns: Vec<ArrayRef> =
                    key_columns.order.iter().map(|&column| batch.column(column).clone()).collect();
                let rows = keys.whole().convert(&columns)?;
                for (row, position) in rows.iter().zip(&mut positions) {
                    if let Some(&change) = by_key.get(row.data()) {
                        matches.push((change, start + position));
                    }
                }
            }
        }
        Ok(matches)
    }
}
