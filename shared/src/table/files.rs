//! Rows and deletes -> Parquet data files and position delete files.
//!
//! Data files are sorted by key, carry a Bloom filter on the key columns and have small pages: their
//! footer is the index that `locate` reads.

mod bounds;

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use arrow::array::{Int64Array, RecordBatch, StringArray};
use iceberg::arrow::{RecordBatchPartitionSplitter, schema_to_arrow_schema};
use iceberg::io::FileIO;
use iceberg::spec::{
    DataContentType, DataFile, DataFileBuilder, DataFileFormat, NestedField, PartitionKey,
    PrimitiveType, Schema, SchemaRef, TableMetadata, Type,
};
use iceberg::writer::file_writer::ParquetWriterBuilder;
use iceberg::writer::file_writer::location_generator::{
    DefaultFileNameGenerator, DefaultLocationGenerator,
};
use iceberg::writer::file_writer::rolling_writer::RollingFileWriterBuilder;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::SortingColumn;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

use super::layout::{Filled, Layout};
use super::live::LiveFile;
use crate::error::{Error, Result};

/// The reserved field id of a position delete file's path (table spec, reserved field ids).
pub(super) const DELETE_PATH_ID: i32 = 2_147_483_546;
/// The reserved field id of a position delete file's position.
pub(super) const DELETE_POSITION_ID: i32 = 2_147_483_545;

/// Rows of a page. A look-up reads whole pages: small ones read less for few keys, and cost a few
/// bytes of footer each.
const PAGE_ROWS: usize = 2048;

/// Rows handed to the Parquet writer at a time; a file rolls over between two of them.
const WRITE_ROWS: usize = 65_536;

static DELETE_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field =
        |id, name, primitive| Arc::new(NestedField::required(id, name, Type::Primitive(primitive)));
    let schema = Schema::builder().with_fields([
        field(DELETE_PATH_ID, "file_path", PrimitiveType::String),
        field(DELETE_POSITION_ID, "pos", PrimitiveType::Long),
    ]);
    Arc::new(schema.build().expect("two fields with ids of their own are a schema"))
});

/// A file that was written and that no snapshot lists yet.
#[derive(Debug, Clone)]
pub(super) struct WrittenFile {
    pub(super) file: DataFile,
    /// The partition spec that it is written with.
    pub(super) spec_id: i32,
}

/// Writes the files of one commit.
pub(super) struct FileWriter<'a> {
    pub(super) metadata: &'a TableMetadata,
    pub(super) file_io: &'a FileIO,
    /// What the names of the files begin with; unique to the attempt.
    pub(super) prefix: String,
}

impl FileWriter<'_> {
    /// Writes rows, which are in the order of their keys, to the partitions of the table's current
    /// spec.
    pub(super) async fn write_rows(
        &self,
        rows: &RecordBatch,
        layout: &Layout,
    ) -> Result<Vec<WrittenFile>> {
        if rows.num_rows() == 0 {
            return Ok(Vec::new());
        }
        let spec = self.metadata.default_partition_spec();
        if spec.is_unpartitioned() {
            return self.write_partition(rows, None, layout).await;
        }
        let splitter = RecordBatchPartitionSplitter::try_new_with_computed_values(
            layout.schema.clone(),
            spec.clone(),
        )?;
        let mut files = Vec::new();
        for (partition, rows) in splitter.split(rows)? {
            files.extend(self.write_partition(&rows, Some(partition), layout).await?);
        }
        Ok(files)
    }

    async fn write_partition(
        &self,
        rows: &RecordBatch,
        partition: Option<PartitionKey>,
        layout: &Layout,
    ) -> Result<Vec<WrittenFile>> {
        let properties = data_properties(layout, rows.num_rows());
        let schema = layout.schema.clone();
        let files = self.write(rows, &partition, properties, schema, "data").await?;
        let spec_id = self.metadata.default_partition_spec_id();
        files
            .into_iter()
            .map(|mut file| {
                file.content(DataContentType::Data).partition_spec_id(spec_id);
                if sorted_by_key(self.metadata, layout) {
                    file.sort_order_id(self.metadata.default_sort_order_id() as i32);
                }
                if let Some(partition) = &partition {
                    file.partition(partition.data().clone());
                }
                bounds::shorten(&built(&mut file)?, &mut file, layout);
                Ok(WrittenFile { file: built(&mut file)?, spec_id })
            })
            .collect()
    }

    /// Writes position deletes, each in the partition of its data file. One delete file a partition,
    /// or one a data file where `write.delete.granularity` is `file`.
    pub(super) async fn write_deletes(
        &self,
        mut deletes: Vec<(LiveFile, u64)>,
    ) -> Result<Vec<WrittenFile>> {
        let by_file = self.metadata.properties().get("write.delete.granularity");
        let by_file = by_file.is_some_and(|granularity| granularity == "file");
        deletes.sort_unstable_by(|(a, at), (b, bt)| (a.path(), at).cmp(&(b.path(), bt)));
        let mut groups: BTreeMap<(i32, String), Vec<(LiveFile, u64)>> = BTreeMap::new();
        for of_file in deletes.chunk_by(|(a, _), (b, _)| a.path() == b.path()) {
            let file = &of_file[0].0;
            let group = match by_file {
                true => file.path().to_owned(),
                false => format!("{:?}", file.file().partition()),
            };
            groups.entry((file.spec_id, group)).or_default().extend_from_slice(of_file);
        }
        let mut files = Vec::new();
        for group in groups.into_values() {
            files.extend(self.write_delete_group(&group, by_file).await?);
        }
        Ok(files)
    }

    async fn write_delete_group(
        &self,
        group: &[(LiveFile, u64)],
        by_file: bool,
    ) -> Result<Vec<WrittenFile>> {
        let Some((first, _)) = group.first() else { return Ok(Vec::new()) };
        let spec = self.metadata.partition_spec_by_id(first.spec_id).ok_or_else(|| {
            Error::file(
                first.path(),
                format!("names partition spec {}, which is not there", first.spec_id),
            )
        })?;
        let partition = (!spec.is_unpartitioned()).then(|| {
            let schema = self.metadata.current_schema().clone();
            PartitionKey::new(spec.as_ref().clone(), schema, first.file().partition().clone())
        });
        let paths = StringArray::from_iter_values(group.iter().map(|(file, _)| file.path()));
        let positions = Int64Array::from_iter_values(group.iter().map(|(_, at)| *at as i64));
        let schema = Arc::new(schema_to_arrow_schema(&DELETE_SCHEMA)?);
        let rows = RecordBatch::try_new(schema, vec![Arc::new(paths), Arc::new(positions)])?;
        let properties = base_properties().build();
        let files =
            self.write(&rows, &partition, properties, DELETE_SCHEMA.clone(), "deletes").await?;
        files
            .into_iter()
            .map(|mut file| {
                file.content(DataContentType::PositionDeletes)
                    .partition(first.file().partition().clone())
                    .partition_spec_id(first.spec_id);
                if by_file {
                    file.referenced_data_file(Some(first.path().to_owned()));
                }
                Ok(WrittenFile { file: built(&mut file)?, spec_id: first.spec_id })
            })
            .collect()
    }

    async fn write(
        &self,
        rows: &RecordBatch,
        partition: &Option<PartitionKey>,
        properties: WriterProperties,
        schema: SchemaRef,
        kind: &str,
    ) -> Result<Vec<DataFileBuilder>> {
        let unique = uuid::Uuid::now_v7();
        let names = DefaultFileNameGenerator::new(
            format!("{}-{kind}", self.prefix),
            Some(unique.to_string()),
            DataFileFormat::Parquet,
        );
        let mut writer = RollingFileWriterBuilder::new(
            ParquetWriterBuilder::new(properties, schema),
            self.metadata.table_properties()?.write_target_file_size_bytes,
            self.file_io.clone(),
            DefaultLocationGenerator::new(self.metadata)?,
            names,
        )
        .build();
        for start in (0..rows.num_rows()).step_by(WRITE_ROWS) {
            let length = WRITE_ROWS.min(rows.num_rows() - start);
            writer.write(partition, &rows.slice(start, length)).await?;
        }
        Ok(writer.close().await?)
    }
}

/// Whether the table's own sort order is that of the key, which is how files are written.
fn sorted_by_key(metadata: &TableMetadata, layout: &Layout) -> bool {
    let order = metadata.default_sort_order();
    let key = layout.key.iter().map(|&column| layout.columns[column].field_id);
    !order.is_unsorted() && order.fields.iter().map(|field| field.source_id).eq(key)
}

fn built(file: &mut DataFileBuilder) -> Result<DataFile> {
    file.build().map_err(|error| {
        iceberg::Error::new(iceberg::ErrorKind::DataInvalid, error.to_string()).into()
    })
}

/// Statistics are kept whole: the library drops a bound that it believes to be cut, and then takes
/// the bounds of the other row groups for those of the file. [`bounds::shorten`] cuts them after.
fn base_properties() -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_statistics_truncate_length(None)
}

fn data_properties(layout: &Layout, rows: usize) -> WriterProperties {
    let mut properties = base_properties().set_data_page_row_count_limit(PAGE_ROWS);
    let path = |column: usize| ColumnPath::new(vec![layout.columns[column].name.clone()]);
    for &column in &layout.key {
        properties = properties
            .set_column_bloom_filter_enabled(path(column), true)
            .set_column_bloom_filter_fpp(path(column), 0.01)
            .set_column_bloom_filter_ndv(path(column), rows as u64)
            .set_column_dictionary_enabled(path(column), false);
    }
    if let Some(version) = layout.filled(Filled::Version) {
        properties = properties.set_column_dictionary_enabled(path(version), false);
    }
    // Columns count by leaves there; a table with nested ones goes without the hint.
    let flat = layout.columns.iter().all(|column| column.column_type.is_some());
    let sorting = layout.key.iter().filter(|_| flat).map(|&column| SortingColumn {
        column_idx: column as i32,
        descending: false,
        nulls_first: true,
    });
    let sorting: Vec<_> = sorting.collect();
    properties.set_sorting_columns((!sorting.is_empty()).then_some(sorting)).build()
}
