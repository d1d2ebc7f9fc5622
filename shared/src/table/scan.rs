//! Reads a whole table, for people and for tests. Queries are for engines.

use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use futures::TryStreamExt;
use iceberg::arrow::schema_to_arrow_schema;
use iceberg::scan::FileScanTask;
use iceberg::table::Table;
use iceberg::{NamespaceIdent, Runtime, TableIdent};

use crate::catalog::{Catalog, LoadedTable};
use crate::error::Result;

/// All live rows of a table as one batch, in no particular order.
///
/// # Errors
/// Where the table's files cannot be read.
pub async fn scan(catalog: &dyn Catalog, loaded: &LoadedTable) -> Result<RecordBatch> {
    let namespace = NamespaceIdent::new(loaded.name.namespace.clone());
    let table = Table::builder()
        .identifier(TableIdent::new(namespace, loaded.name.name.clone()))
        .metadata(loaded.metadata.clone())
        .metadata_location(loaded.pointer.metadata_location.clone())
        .file_io(catalog.file_io().clone())
        .runtime(Runtime::current())
        .readonly(true)
        .build()?;
    // The library's scan takes columns called `pos` or `file_path` for those of delete files. It is
    // asked for no column by name; the ids are given to the reader instead.
    let schema = loaded.metadata.current_schema().clone();
    let ids: Vec<i32> = schema.as_struct().fields().iter().map(|field| field.id).collect();
    let tasks = table.scan().select_empty().build()?.plan_files().await?;
    let tasks = tasks.map_ok(move |task| FileScanTask {
        project_field_ids: ids.clone(),
        schema: schema.clone(),
        ..task
    });
    let read = table.reader_builder().build().read(Box::pin(tasks))?;
    let batches: Vec<RecordBatch> = read.stream().try_collect().await?;
    match batches.first() {
        Some(first) => Ok(concat_batches(&first.schema(), &batches)?),
        None => {
            let schema = schema_to_arrow_schema(loaded.metadata.current_schema())?;
            Ok(RecordBatch::new_empty(Arc::new(schema)))
        }
    }
}
