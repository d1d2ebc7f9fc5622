//! Positions of a data file that existing position deletes removed.

use std::sync::Arc;

use arrow::array::AsArray;
use arrow::datatypes::Int64Type;
use futures::TryStreamExt;
use iceberg::io::FileIO;
use iceberg::spec::{DataContentType, DataFileFormat, PrimitiveLiteral};
use roaring::RoaringTreemap;

use super::parquet_file::ParquetFile;
use crate::error::{Error, Result};
use crate::table::cache::{Cache, DeletedPositions};
use crate::table::files::{DELETE_PATH_ID, DELETE_POSITION_ID};
use crate::table::live::{LiveFile, LiveFiles};

/// All positions of `data` that the deletes of the snapshot remove.
///
/// # Errors
/// [`Error::File`] where a delete file is of a kind that format version 2 does not know.
pub(in crate::table) async fn positions_deleted_from(
    data: &LiveFile,
    live: &LiveFiles,
    file_io: &FileIO,
    cache: &Cache,
) -> Result<RoaringTreemap> {
    let mut deleted = RoaringTreemap::new();
    for file in live.deletes.iter().filter(|file| applies(file, data)) {
        let positions = match cache.deletes(file.path()) {
            Some(positions) => positions,
            None => {
                let positions = Arc::new(read(file, file_io, cache).await?);
                cache.keep_deletes(file.path(), positions.clone());
                positions
            }
        };
        if let Some(positions) = positions.get(data.path()) {
            deleted |= positions;
        }
    }
    Ok(deleted)
}

/// Whether a position delete file can remove rows of the data file (table spec, scan planning):
/// it is not older, of the same partition, and does not name another file.
fn applies(delete: &LiveFile, data: &LiveFile) -> bool {
    let file = delete.file();
    if file.content_type() != DataContentType::PositionDeletes
        || delete.sequence_number() < data.sequence_number()
        || delete.spec_id != data.spec_id
        || file.partition() != data.file().partition()
    {
        return false;
    }
    let path = data.path();
    if let Some(referenced) = file.referenced_data_file() {
        return referenced == path;
    }
    let bound = |datum: Option<&iceberg::spec::Datum>, holds: fn(&str, &str) -> bool| match datum
        .map(|datum| datum.literal())
    {
        Some(PrimitiveLiteral::String(bound)) => holds(bound, path),
        _ => true,
    };
    bound(file.lower_bounds().get(&DELETE_PATH_ID), |bound, path| bound <= path)
        && bound(file.upper_bounds().get(&DELETE_PATH_ID), |bound, path| {
            // Other writers cut long bounds; a cut upper bound ends higher, not lower.
            path <= bound || path.starts_with(bound)
        })
}

async fn read(file: &LiveFile, file_io: &FileIO, cache: &Cache) -> Result<DeletedPositions> {
    if file.file().file_format() != DataFileFormat::Parquet {
        let fault =
            format!("is a delete file of format {}, not Parquet", file.file().file_format());
        return Err(Error::file(file.path(), fault));
    }
    let parquet = ParquetFile::open(file.path(), file_io, cache).await?;
    let columns =
        parquet.columns_by_id(&[DELETE_PATH_ID, DELETE_POSITION_ID]).ok_or_else(|| {
            Error::file(file.path(), "is a position delete file without its two columns")
        })?;
    let mut deleted = DeletedPositions::new();
    for group in 0..parquet.row_groups() {
        let all = [0..parquet.rows(group)];
        let mut stream = parquet.read_ranges(group, &all, &columns)?;
        while let Some(batch) = stream.try_next().await? {
            let [path, position] = [0, 1].map(|at| batch.column(columns.order[at]).clone());
            let path = arrow::compute::cast(&path, &arrow::datatypes::DataType::Utf8)?;
            let (path, position) = (path.as_string::<i32>(), position.as_primitive::<Int64Type>());
            for (path, position) in path.iter().zip(position).filter_map(|(p, q)| p.zip(q)) {
                match deleted.get_mut(path) {
                    Some(positions) => positions.insert(position as u64),
                    None => deleted.entry(path.to_owned()).or_default().insert(position as u64),
                };
            }
        }
    }
    Ok(deleted)
}
