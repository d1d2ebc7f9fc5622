//! The columns of a table as a batch sees them: names in lower case, types, units, which are key.

use std::sync::Arc;

use arrow::datatypes::SchemaRef as ArrowSchemaRef;
use iceberg::arrow::schema_to_arrow_schema;
use iceberg::spec::{PrimitiveType, SchemaRef, Type};
use rustc_hash::FxHashMap;

use crate::change::Unit;
use crate::column_type::ColumnType;
use crate::config::TableConfig;
use crate::error::{Error, Result};

/// The name of the column that holds the [version](crate::change::Version) of a row.
pub(super) const VERSION: &str = "_cdc_version";
/// The name of the column that holds when the source made the change.
pub(super) const SOURCE_TIME: &str = "_cdc_source_ts";
/// The name of the column that holds the op of the change.
pub(super) const OP: &str = "_cdc_op";
/// The name of the column that holds the position of the record.
pub(super) const POSITION: &str = "_cdc_position";
/// The name of the column that says that the source deleted the row.
pub(super) const DELETED: &str = "_cdc_deleted";

/// What all columns of ours begin with.
pub const METADATA_PREFIX: &str = "_cdc_";

/// Where a column's values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Filled {
    /// From the row.
    Row,
    /// From the change itself.
    Version,
    SourceTime,
    Op,
    Position,
    Deleted,
}

/// One column.
#[derive(Debug)]
pub(super) struct Column {
    /// In the table's own spelling.
    pub(super) name: String,
    /// Iceberg's field id.
    pub(super) field_id: i32,
    /// `None` where the table's type is one that we cannot write, such as a list.
    pub(super) column_type: Option<ColumnType>,
    pub(super) required: bool,
    pub(super) unit: Option<Unit>,
    pub(super) filled: Filled,
}

impl Column {
    /// Whether an empty text is a value of the column.
    pub(super) fn holds_text(&self) -> bool {
        matches!(self.column_type, Some(ColumnType::String | ColumnType::Binary))
    }
}

/// The columns of a table in the table's order.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) schema: SchemaRef,
    pub(super) arrow: ArrowSchemaRef,
    pub(super) columns: Vec<Column>,
    /// Key columns, in the order of the configuration.
    pub(super) key: Vec<usize>,
    by_name: FxHashMap<String, usize>,
}

impl Layout {
    /// # Errors
    /// [`Error::Table`] where a key column is missing, or is of a type that is no exact key, or
    /// where two columns differ in case alone.
    pub(super) fn new(schema: SchemaRef, config: &TableConfig) -> Result<Layout> {
        let arrow = Arc::new(schema_to_arrow_schema(&schema)?);
        let mut columns = Vec::new();
        let mut by_name = FxHashMap::default();
        for field in schema.as_struct().fields() {
            let folded = field.name.to_lowercase();
            let unit = configured(config, &folded).and_then(|column| column.unit);
            let filled = match folded.as_str() {
                VERSION => Filled::Version,
                SOURCE_TIME => Filled::SourceTime,
                OP => Filled::Op,
                POSITION => Filled::Position,
                DELETED => Filled::Deleted,
                _ => Filled::Row,
            };
            if by_name.insert(folded, columns.len()).is_some() {
                let fault = format!("has two columns \"{}\" that differ in case alone", field.name);
                return Err(Error::table(&config.table, fault));
            }
            columns.push(Column {
                name: field.name.clone(),
                field_id: field.id,
                column_type: column_type(&field.field_type),
                required: field.required,
                unit,
                filled,
            });
        }
        let key = config.key.iter().map(|name| {
            let index = by_name.get(&name.to_lowercase()).copied();
            let index = index.ok_or_else(|| {
                Error::table(
                    &config.table,
                    format!("has no column \"{name}\", which is a key column"),
                )
            })?;
            match columns[index].column_type {
                None | Some(ColumnType::Float | ColumnType::Double) => Err(Error::table(
                    &config.table,
                    format!("key column \"{name}\" is of a type that is no exact key"),
                )),
                Some(_) => Ok(index),
            }
        });
        let key = key.collect::<Result<_>>()?;
        Ok(Layout { schema, arrow, columns, key, by_name })
    }

    /// The column of a source's name, whatever its case.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        match self.by_name.get(name) {
            Some(&index) => Some(index),
            None => self.by_name.get(&name.to_lowercase()).copied(),
        }
    }

    /// The column that is filled so, if the table has it.
    pub(super) fn filled(&self, filled: Filled) -> Option<usize> {
        self.columns.iter().position(|column| column.filled == filled)
    }

    pub(super) fn is_key(&self, index: usize) -> bool {
        self.key.contains(&index)
    }
}

/// What the configuration says of a column, by its folded name.
pub(super) fn configured<'c>(
    config: &'c TableConfig,
    folded: &str,
) -> Option<&'c crate::config::ColumnConfig> {
    let exact = config.columns.get(folded);
    exact.or_else(|| {
        let mut columns = config.columns.iter();
        columns.find(|(name, _)| name.to_lowercase() == folded).map(|(_, column)| column)
    })
}

/// Our word for an Iceberg type, if we can write it.
pub(super) fn column_type(field_type: &Type) -> Option<ColumnType> {
    Some(match field_type.as_primitive_type()? {
        PrimitiveType::Boolean => ColumnType::Boolean,
        PrimitiveType::Int => ColumnType::Int,
        PrimitiveType::Long => ColumnType::Long,
        PrimitiveType::Float => ColumnType::Float,
        PrimitiveType::Double => ColumnType::Double,
        &PrimitiveType::Decimal { precision, scale } => ColumnType::Decimal { precision, scale },
        PrimitiveType::Date => ColumnType::Date,
        PrimitiveType::Time => ColumnType::Time,
        PrimitiveType::Timestamp => ColumnType::Timestamp,
        PrimitiveType::Timestamptz => ColumnType::Timestamptz,
        PrimitiveType::String => ColumnType::String,
        PrimitiveType::Binary => ColumnType::Binary,
        _ => return None,
    })
}

/// Iceberg's word for a type of ours.
pub(super) fn primitive_type(column_type: ColumnType) -> PrimitiveType {
    match column_type {
        ColumnType::Boolean => PrimitiveType::Boolean,
        ColumnType::Int => PrimitiveType::Int,
        ColumnType::Long => PrimitiveType::Long,
        ColumnType::Float => PrimitiveType::Float,
        ColumnType::Double => PrimitiveType::Double,
        ColumnType::Decimal { precision, scale } => PrimitiveType::Decimal { precision, scale },
        ColumnType::Date => PrimitiveType::Date,
        ColumnType::Time => PrimitiveType::Time,
        ColumnType::Timestamp => PrimitiveType::Timestamp,
        ColumnType::Timestamptz => PrimitiveType::Timestamptz,
        ColumnType::String => PrimitiveType::String,
        ColumnType::Binary => PrimitiveType::Binary,
    }
}
