//! A Parquet file as `locate` reads it: the cached footer, ranges of rows, Bloom filters.

use std::ops::Range;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use arrow::compute::concat_batches;
use arrow::datatypes::{Schema as ArrowSchema, SchemaRef as ArrowSchemaRef};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, TryStreamExt};
use iceberg::io::{FileIO, FileRead};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions, RowSelection};
use parquet::arrow::async_reader::{
    AsyncFileReader, ParquetRecordBatchStream, ParquetRecordBatchStreamBuilder,
};
use parquet::bloom_filter::Sbbf;
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::schema::types::SchemaDescriptor;

use crate::error::Result;
use crate::table::cache::Cache;
use crate::table::keys::as_type;
use crate::table::layout::Layout;

/// Rows decoded at a time.
const BATCH_ROWS: usize = 8192;

/// Reads that lie closer together than this are made as one: on object stores a request costs more
/// than the bytes between.
const COALESCE_BYTES: u64 = 256 * 1024;

/// Bytes read from the end of a file in the hope that they hold the whole footer.
const FOOTER_HINT: usize = 64 * 1024;

/// An open file.
pub(super) struct ParquetFile {
    input: Input,
    metadata: ArrowReaderMetadata,
}

/// Columns of a file, found by field id.
#[derive(Debug)]
pub(super) struct KeyColumns {
    /// Leaf columns of the file, in the order in which they were asked for.
    pub(super) leaves: Vec<usize>,
    /// Where each is in a batch that was read: batches keep the order of the file.
    pub(super) order: Vec<usize>,
}

impl ParquetFile {
    /// Opens the file and reads its footer, unless the cache has it.
    pub(super) async fn open(path: &str, file_io: &FileIO, cache: &Cache) -> Result<ParquetFile> {
        let file = file_io.new_input(path)?;
        let mut input = Input { file: Arc::from(file.reader().await?), footer: None };
        let footer = match cache.footer(path) {
            Some(footer) => footer,
            None => {
                let size = file.metadata().await?.size;
                let reader = ParquetMetaDataReader::new()
                    .with_page_index_policy(PageIndexPolicy::Optional)
                    .with_prefetch_hint(Some(FOOTER_HINT));
                let footer = Arc::new(reader.load_and_finish(&mut input, size).await?);
                cache.keep_footer(path, footer.clone());
                footer
            }
        };
        input.footer = Some(footer.clone());
        let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
        let metadata = ArrowReaderMetadata::try_new(footer, options)?;
        Ok(ParquetFile { input, metadata })
    }

    pub(super) fn metadata(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    pub(super) fn arrow_schema(&self) -> &ArrowSchemaRef {
        self.metadata.schema()
    }

    pub(super) fn parquet_schema(&self) -> &SchemaDescriptor {
        self.metadata.parquet_schema()
    }

    pub(super) fn row_groups(&self) -> usize {
        self.metadata().num_row_groups()
    }

    /// Rows of a row group.
    pub(super) fn rows(&self, group: usize) -> u64 {
        self.metadata().row_group(group).num_rows() as u64
    }

    /// The place in the file of the first row of a row group.
    pub(super) fn first_row(&self, group: usize) -> u64 {
        (0..group).map(|before| self.rows(before)).sum()
    }

    pub(super) fn leaf_name(&self, leaf: usize) -> &str {
        self.parquet_schema().columns()[leaf].self_type().name()
    }

    /// The columns of the table at `indices`, if the file has them all.
    pub(super) fn columns(&self, layout: &Layout, indices: &[usize]) -> Option<KeyColumns> {
        let leaves = indices.iter().map(|&index| self.leaf(layout, index));
        leaves.collect::<Option<Vec<_>>>().map(KeyColumns::new)
    }

    /// The columns of those field ids, if the file has them all.
    pub(super) fn columns_by_id(&self, ids: &[i32]) -> Option<KeyColumns> {
        let leaves = ids.iter().map(|&id| self.leaf_by_id(id));
        leaves.collect::<Option<Vec<_>>>().map(KeyColumns::new)
    }

    /// A top-level column by field id; by name in files that were imported without ids.
    fn leaf(&self, layout: &Layout, index: usize) -> Option<usize> {
        let column = &layout.columns[index];
        self.leaf_by_id(column.field_id).or_else(|| {
            let leaves = self.parquet_schema().columns();
            let without_ids = leaves.iter().all(|leaf| !leaf.self_type().get_basic_info().has_id());
            let named =
                || leaves.iter().position(|leaf| leaf.path().parts() == [column.name.as_str()]);
            if without_ids { named() } else { None }
        })
    }

    fn leaf_by_id(&self, id: i32) -> Option<usize> {
        let leaves = self.parquet_schema().columns();
        leaves.iter().position(|leaf| {
            let info = leaf.self_type().get_basic_info();
            info.has_id() && info.id() == id && leaf.path().parts().len() == 1
        })
    }

    /// Reads the columns of the rows in `ranges` of a row group.
    pub(super) fn read_ranges(
        &self,
        group: usize,
        ranges: &[Range<u64>],
        columns: &KeyColumns,
    ) -> Result<ParquetRecordBatchStream<Input>> {
        let rows = self.rows(group) as usize;
        let ranges = ranges.iter().map(|range| range.start as usize..range.end as usize);
        let selection = RowSelection::from_consecutive_ranges(ranges, rows);
        let mask = ProjectionMask::leaves(self.parquet_schema(), columns.leaves.iter().copied());
        Ok(self
            .builder()
            .with_row_groups(vec![group])
            .with_row_selection(selection)
            .with_projection(mask)
            .with_batch_size(BATCH_ROWS)
            .build()?)
    }

    /// Reads columns of the table for the rows at `positions`, which are in order. Columns that the
    /// file lacks are null; the others come in the table's types.
    pub(super) async fn read_rows(
        &self,
        positions: &[u64],
        indices: &[usize],
        layout: &Layout,
    ) -> Result<RecordBatch> {
        let fields: Vec<_> = indices
            .iter()
            .map(|&index| {
                let field = layout.arrow.field(index).clone();
                Arc::new(field.with_nullable(true))
            })
            .collect();
        let schema = Arc::new(ArrowSchema::new(fields));
        let present: Vec<usize> =
            indices.iter().copied().filter(|&index| self.leaf(layout, index).is_some()).collect();
        let rows = positions.len();
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let nulls = |index: &usize| new_null_array(layout.arrow.field(*index).data_type(), rows);
        let Some(columns) = self.columns(layout, &present).filter(|c| !c.leaves.is_empty()) else {
            let arrays = indices.iter().map(nulls).collect();
            return Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?);
        };
        let mut batches = Vec::new();
        for group in 0..self.row_groups() {
            let (first, end) = (self.first_row(group), self.first_row(group) + self.rows(group));
            let from = positions.partition_point(|&position| position < first);
            let to = positions.partition_point(|&position| position < end);
            let ranges: Vec<_> =
                positions[from..to].iter().map(|p| p - first..p - first + 1).collect();
            if !ranges.is_empty() {
                let stream = self.read_ranges(group, &ranges, &columns)?;
                batches.extend(stream.try_collect::<Vec<_>>().await?);
            }
        }
        let read = match batches.first() {
            Some(first) => concat_batches(&first.schema(), &batches)?,
            None => return Ok(RecordBatch::new_empty(schema)),
        };
        let arrays = indices.iter().zip(schema.fields()).map(|(index, field)| {
            match present.iter().position(|present| present == index) {
                Some(at) => as_type(read.column(columns.order[at]), field.data_type()),
                None => Ok(nulls(index)),
            }
        });
        let arrays = arrays.collect::<Result<Vec<ArrayRef>>>()?;
        Ok(RecordBatch::try_new_with_options(schema, arrays, &options)?)
    }

    /// The Bloom filter of a column of a row group, if it has one.
    pub(super) async fn bloom_filter(&self, group: usize, leaf: usize) -> Result<Option<Sbbf>> {
        Ok(self.builder().get_row_group_column_bloom_filter(group, leaf).await?)
    }

    fn builder(&self) -> ParquetRecordBatchStreamBuilder<Input> {
        ParquetRecordBatchStreamBuilder::new_with_metadata(
            self.input.clone(),
            self.metadata.clone(),
        )
    }
}

impl KeyColumns {
    fn new(leaves: Vec<usize>) -> Self {
        let mut sorted = leaves.clone();
        sorted.sort_unstable();
        let place = |leaf: &usize| sorted.partition_point(|other| other < leaf);
        KeyColumns { order: leaves.iter().map(place).collect(), leaves }
    }
}

/// The bytes of a file, for the Parquet reader.
#[derive(Clone)]
pub(super) struct Input {
    file: Arc<dyn FileRead>,
    footer: Option<Arc<ParquetMetaData>>,
}

impl Input {
    async fn read(&self, range: Range<u64>) -> Result<Bytes, ParquetError> {
        self.file.read(range).await.map_err(|error| ParquetError::External(Box::new(error)))
    }
}

impl AsyncFileReader for Input {
    fn get_bytes(&mut self, range: Range<u64>) -> BoxFuture<'_, Result<Bytes, ParquetError>> {
        self.read(range).boxed()
    }

    fn get_byte_ranges(
        &mut self,
        ranges: Vec<Range<u64>>,
    ) -> BoxFuture<'_, Result<Vec<Bytes>, ParquetError>> {
        async move {
            let mut sorted: Vec<usize> = (0..ranges.len()).collect();
            sorted.sort_unstable_by_key(|&at| ranges[at].start);
            let mut parts = vec![Bytes::new(); ranges.len()];
            let mut next = 0;
            while next < sorted.len() {
                let mut whole = ranges[sorted[next]].clone();
                let mut end = next + 1;
                while end < sorted.len()
                    && ranges[sorted[end]].start <= whole.end.saturating_add(COALESCE_BYTES)
                {
                    whole.end = whole.end.max(ranges[sorted[end]].end);
                    end += 1;
                }
                let bytes = self.read(whole.clone()).await?;
                for &at in &sorted[next..end] {
                    let (start, end) =
                        (ranges[at].start - whole.start, ranges[at].end - whole.start);
                    parts[at] = bytes.slice(start as usize..end as usize);
                }
                next = end;
            }
            Ok(parts)
        }
        .boxed()
    }

    fn get_metadata<'a>(
        &'a mut self,
        _options: Option<&'a ArrowReaderOptions>,
    ) -> BoxFuture<'a, Result<Arc<ParquetMetaData>, ParquetError>> {
        let footer = self.footer.clone();
        async move { footer.ok_or_else(|| ParquetError::General("the footer is not read yet".into())) }
            .boxed()
    }
}
