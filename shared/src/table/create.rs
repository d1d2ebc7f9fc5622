//! A table that does not exist yet: its schema, partition spec, sort order and properties.

use std::collections::HashMap;

use iceberg::spec::{
    FormatVersion, NullOrder, Schema, SortDirection, SortField, SortOrder, TableMetadataBuilder,
    Transform, UnboundPartitionSpec,
};
use iceberg::{MetadataLocation, TableCreation};
use tracing::info;

use super::schema;
use crate::catalog::{Catalog, LoadedTable, SwapError, TableName};
use crate::change::Change;
use crate::config::TableConfig;
use crate::error::{Error, Result};

/// Properties of every new table; the configuration's own win.
const PROPERTIES: [(&str, &str); 5] = [
    // Every partition of a topic can be a writer of its own.
    ("commit.retry.num-retries", "20"),
    ("write.parquet.compression-codec", "zstd"),
    ("write.delete.granularity", "partition"),
    ("write.metadata.delete-after-commit.enabled", "true"),
    ("write.metadata.previous-versions-max", "100"),
];

/// Creates the table, empty, with the columns of the changes. Where somebody else was faster, theirs
/// is the table.
///
/// # Errors
/// [`Error::Table`] where the changes and the configuration make no table.
pub(super) async fn create(
    catalog: &dyn Catalog,
    name: &TableName,
    config: &TableConfig,
    changes: &[Change<'_>],
) -> Result<LoadedTable> {
    let schema = schema::create(changes, config)?;
    let location = catalog.location(name).await?;
    let properties =
        PROPERTIES.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let configured = config.properties.iter().map(|(name, value)| (name.clone(), value.clone()));
    let properties: HashMap<_, _> = properties.chain(configured).collect();
    let creation = TableCreation::builder()
        .name(name.name.clone())
        .location(location.clone())
        .partition_spec(partition_spec(&schema, config)?)
        .sort_order(sort_order(&schema, config)?)
        .schema(schema)
        .properties(properties)
        .format_version(FormatVersion::V2)
        .build();
    let metadata = TableMetadataBuilder::from_table_creation(creation)?.build()?.metadata;
    let file = MetadataLocation::new_with_metadata(location, &metadata);
    metadata.write_to(catalog.file_io(), &file).await?;
    let gone = || Error::table(name, "was created and is gone again");
    let fault = match catalog.create(name, &file.to_string(), &metadata).await {
        Ok(()) => {
            info!(table = %name, "created");
            gone()
        }
        Err(SwapError::Conflict) => gone(),
        Err(SwapError::Failed(error)) => return Err(error),
        Err(SwapError::Unknown(error)) => error,
    };
    crate::catalog::load(catalog, name).await?.ok_or(fault)
}

/// The partition fields as the configuration writes them.
fn partition_spec(schema: &Schema, config: &TableConfig) -> Result<UnboundPartitionSpec> {
    let mut spec = UnboundPartitionSpec::builder();
    for field in &config.partition {
        let fault = || {
            let fault = format!(
                "partition field \"{field}\": it is a column, or one of year, month, day, hour(column), \
                 bucket(n, column), truncate(n, column)"
            );
            Error::table(&config.table, fault)
        };
        let (transform, column) = partition_field(field).ok_or_else(fault)?;
        let source = schema.field_by_name_case_insensitive(column).ok_or_else(|| {
            Error::table(&config.table, format!("partition field \"{field}\": no such column"))
        })?;
        let name = match transform {
            Transform::Identity => source.name.clone(),
            Transform::Bucket(_) => format!("{}_bucket", source.name),
            Transform::Truncate(_) => format!("{}_trunc", source.name),
            other => format!("{}_{other}", source.name),
        };
        spec = spec.add_partition_field(source.id, name, transform)?;
    }
    Ok(spec.build())
}

fn partition_field(text: &str) -> Option<(Transform, &str)> {
    let Some((name, arguments)) = text.split_once('(') else {
        return Some((Transform::Identity, text.trim()));
    };
    let arguments = arguments.trim_end().strip_suffix(')')?;
    Some(match (name.trim(), arguments.split_once(',')) {
        ("year", None) => (Transform::Year, arguments.trim()),
        ("month", None) => (Transform::Month, arguments.trim()),
        ("day", None) => (Transform::Day, arguments.trim()),
        ("hour", None) => (Transform::Hour, arguments.trim()),
        ("bucket", Some((n, column))) => (Transform::Bucket(n.trim().parse().ok()?), column.trim()),
        ("truncate", Some((n, column))) => {
            (Transform::Truncate(n.trim().parse().ok()?), column.trim())
        }
        _ => return None,
    })
}

/// Files are sorted by key, and the table says so.
fn sort_order(schema: &Schema, config: &TableConfig) -> Result<SortOrder> {
    let mut order = SortOrder::builder();
    for key in &config.key {
        if let Some(field) = schema.field_by_name_case_insensitive(key) {
            order.with_sort_field(
                SortField::builder()
                    .source_id(field.id)
                    .transform(Transform::Identity)
                    .direction(SortDirection::Ascending)
                    .null_order(NullOrder::First)
                    .build(),
            );
        }
    }
    if config.key.is_empty() {
        return Ok(SortOrder::unsorted_order());
    }
    Ok(order.with_order_id(1).build(schema)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partition_fields_read_as_they_are_written() {
        assert_eq!(partition_field("region"), Some((Transform::Identity, "region")));
        assert_eq!(partition_field("day(at)"), Some((Transform::Day, "at")));
        assert_eq!(partition_field("bucket(16, id)"), Some((Transform::Bucket(16), "id")));
        assert_eq!(partition_field("truncate(4,code)"), Some((Transform::Truncate(4), "code")));
        assert_eq!(partition_field("week(at)"), None);
        assert_eq!(partition_field("bucket(id)"), None);
        assert_eq!(partition_field("day(at"), None);
    }
}
