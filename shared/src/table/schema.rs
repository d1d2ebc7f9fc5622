//! The schema of a new table, and how an existing one grows.
//!
//! An existing table's schema rules. New columns are added, optional; `int` widens to `long`,
//! `float` to `double`, a decimal's precision grows, where the configuration or the message's schema
//! declares so. A column that vanishes from the source stays and reads null. Anything else leaves
//! the schema as it is, and values that do not fit are rejected one by one.

mod inferred;

use std::collections::HashSet;
use std::sync::Arc;

use iceberg::spec::{NestedField, NestedFieldRef, Schema, Type};
use indexmap::IndexMap;
use tracing::warn;

use super::layout::{
    DELETED, Layout, METADATA_PREFIX, OP, POSITION, SOURCE_TIME, VERSION, column_type, configured,
    primitive_type,
};
use crate::change::{Cell, Change, Declared, Key, Op};
use crate::column_type::ColumnType;
use crate::config::{MetadataColumns, Mode, TableConfig};
use crate::error::{Error, Result};
use inferred::Inferred;

/// Names that Iceberg keeps for metadata columns (table spec, reserved field ids).
const RESERVED: [&str; 10] = [
    "_file",
    "_pos",
    "_deleted",
    "_spec_id",
    "_partition",
    "_change_type",
    "_change_ordinal",
    "_commit_snapshot_id",
    "_row_id",
    "_last_updated_sequence_number",
];

/// The schema of a table that does not exist yet: the columns of the changes in their order, then
/// what the configuration adds, then columns of ours. Key columns are required.
///
/// # Errors
/// [`Error::Table`] where a key column is unknown or no exact key, or a name is reserved.
pub(super) fn create(changes: &[Change], config: &TableConfig) -> Result<Schema> {
    let mut columns = unknown_columns(changes, None, config)?;
    for (name, column) in &config.columns {
        columns.entry(name.to_lowercase()).or_insert(column.column_type);
    }
    let keys: HashSet<String> = config.key.iter().map(|name| name.to_lowercase()).collect();
    for key in &config.key {
        match columns.get(&key.to_lowercase()) {
            Some(ColumnType::Float | ColumnType::Double) => {
                let fault = format!(
                    "key column \"{key}\" is a floating point number, which is no exact key: \
                     give it another type in `columns`"
                );
                return Err(Error::table(&config.table, fault));
            }
            Some(_) => {}
            None => {
                let fault = format!(
                    "key column \"{key}\" is in no record yet and has no type in `columns`"
                );
                return Err(Error::table(&config.table, fault));
            }
        }
    }
    let own = own_columns(config).into_iter().map(|(name, own_type)| (name.to_owned(), own_type));
    let mut identifiers = Vec::new();
    let mut fields: Vec<NestedFieldRef> = Vec::new();
    for (id, (name, column_type)) in (1..).zip(columns.into_iter().chain(own)) {
        let required = keys.contains(&name);
        if required {
            identifiers.push(id);
        }
        let field_type = Type::Primitive(primitive_type(column_type));
        fields.push(Arc::new(NestedField::new(id, name, field_type, required)));
    }
    let schema = Schema::builder().with_fields(fields).with_identifier_field_ids(identifiers);
    Ok(schema.build()?)
}

fn own_columns(config: &TableConfig) -> Vec<(&'static str, ColumnType)> {
    let version = (VERSION, ColumnType::String);
    let all = [version, (SOURCE_TIME, ColumnType::Timestamptz), (OP, ColumnType::String)];
    let mut columns = match (config.mode, config.metadata_columns) {
        (Mode::Append, _) => {
            let mut columns = all.to_vec();
            columns.push((POSITION, ColumnType::String));
            columns
        }
        (_, MetadataColumns::Version) => vec![version],
        (_, MetadataColumns::All) => all.to_vec(),
        (_, MetadataColumns::None) => Vec::new(),
    };
    if config.mode == Mode::SoftDelete {
        columns.push((DELETED, ColumnType::Boolean));
    }
    columns
}

/// The schema that holds the changes, or nothing where the table's own does.
///
/// `last_column_id` is the highest field id that the table ever gave out.
///
/// # Errors
/// [`Error::Table`] where a new column's name is reserved.
pub(super) fn evolve(
    changes: &[Change],
    layout: &Layout,
    last_column_id: i32,
    config: &TableConfig,
) -> Result<Option<Schema>> {
    let added = unknown_columns(changes, Some(layout), config)?;
    let widened = widened_columns(changes, layout, config);
    if added.is_empty() && widened.is_empty() {
        return Ok(None);
    }
    let fields = layout.schema.as_struct().fields().iter().enumerate();
    let kept = fields.map(|(index, field)| match widened.get(&index) {
        None => field.clone(),
        Some(&wider) => {
            let mut field = NestedField::clone(field);
            field.field_type = Box::new(Type::Primitive(primitive_type(wider)));
            Arc::new(field)
        }
    });
    let new = (last_column_id + 1..).zip(added).map(|(id, (name, new_type))| {
        let field_type = Type::Primitive(primitive_type(new_type));
        Arc::new(NestedField::optional(id, name, field_type))
    });
    rebuild(layout, kept.chain(new)).map(Some)
}

/// The schema with the columns at `indices` made optional.
pub(super) fn relax(layout: &Layout, indices: &[usize]) -> Result<Schema> {
    let fields = layout.schema.as_struct().fields().iter().enumerate();
    let fields = fields.map(|(index, field)| match indices.contains(&index) {
        false => field.clone(),
        true => {
            let mut field = NestedField::clone(field);
            field.required = false;
            Arc::new(field)
        }
    });
    rebuild(layout, fields)
}

fn rebuild(layout: &Layout, fields: impl Iterator<Item = NestedFieldRef>) -> Result<Schema> {
    let schema = Schema::builder()
        .with_schema_id(layout.schema.schema_id() + 1)
        .with_fields(fields.collect::<Vec<_>>())
        .with_identifier_field_ids(layout.schema.identifier_field_ids());
    Ok(schema.build()?)
}

/// Columns of the changes that the table lacks, folded to lower case, with their types: from the
/// configuration, else from the message's schema, else from all values of the batch. A column that
/// holds nothing but nulls, of an undeclared type, waits for its first value.
fn unknown_columns(
    changes: &[Change],
    layout: Option<&Layout>,
    config: &TableConfig,
) -> Result<IndexMap<String, ColumnType>> {
    let mut unknown: IndexMap<String, Inferred> = IndexMap::new();
    // Rows of one source list their columns in one order: a name at the place where it was known
    // before needs no look-up.
    let mut known_at: Vec<&str> = Vec::new();
    for change in changes {
        for (place, (name, cell)) in change.identifying_cells(config) {
            if place.is_some_and(|place| known_at.get(place) == Some(&name)) {
                continue;
            }
            if layout.is_some_and(|layout| layout.find(name).is_some()) {
                if let Some(place) = place {
                    known_at.resize(known_at.len().max(place + 1), "");
                    known_at[place] = name;
                }
                continue;
            }
            let folded = name.to_lowercase();
            check_name(&folded, config)?;
            let inferred = unknown.entry(folded).or_default();
            inferred.see(cell);
            if let Some(declared) = change.declared.as_deref() {
                inferred.declared =
                    inferred.declared.or(declared_type(declared, place.unwrap_or(0), name));
            }
        }
    }
    let typed = unknown.into_iter().filter_map(|(name, inferred)| {
        let configured = configured(config, &name).map(|column| column.column_type);
        let known = configured.or(inferred.declared);
        if known.is_none() && inferred.guess().is_some() {
            warn!(table = %config.table, column = %name, "column type inferred from values: declare it in `columns`");
        }
        known.or(inferred.guess()).map(|column_type| (name, column_type))
    });
    Ok(typed.collect())
}

fn declared_type(declared: &Declared, place: usize, name: &str) -> Option<ColumnType> {
    let hinted = declared.columns.get(place).filter(|column| column.name == name);
    let column = hinted.or_else(|| declared.columns.iter().find(|column| column.name == name))?;
    column.column_type
}

fn check_name(folded: &str, config: &TableConfig) -> Result<()> {
    if RESERVED.contains(&folded) || folded.starts_with(METADATA_PREFIX) {
        let fault =
            format!("column \"{folded}\" of the source has a reserved name: rename it there");
        return Err(Error::table(&config.table, fault));
    }
    Ok(())
}

/// Columns whose declared type holds more than the table's, by index.
fn widened_columns(
    changes: &[Change],
    layout: &Layout,
    config: &TableConfig,
) -> IndexMap<usize, ColumnType> {
    let mut widened = IndexMap::new();
    let mut consider = |name: &str, declared: ColumnType| {
        let Some(index) = layout.find(name) else { return };
        let current = layout.columns[index].column_type;
        let current = widened.get(&index).copied().or(current);
        if current.is_some_and(|current| widens(current, declared)) {
            widened.insert(index, declared);
        }
    };
    for (name, column) in &config.columns {
        consider(name, column.column_type);
    }
    let mut last: Option<&Arc<Declared>> = None;
    for declared in changes.iter().filter_map(|change| change.declared.as_ref()) {
        if last.is_some_and(|last| Arc::ptr_eq(last, declared)) {
            continue;
        }
        for column in &declared.columns {
            if let Some(column_type) = column.column_type
                && configured(config, &column.name.to_lowercase()).is_none()
            {
                consider(&column.name, column_type);
            }
        }
        last = Some(declared);
    }
    widened
}

/// The promotions of Iceberg v2 (table spec, schema evolution).
fn widens(from: ColumnType, to: ColumnType) -> bool {
    use ColumnType::{Decimal, Double, Float, Int, Long};
    match (from, to) {
        (Int, Long) | (Float, Double) => true,
        (Decimal { precision, scale }, Decimal { precision: wider, scale: same }) => {
            wider > precision && same == scale
        }
        _ => false,
    }
}

impl<'a> Change<'a> {
    /// The cells that tell of columns: all of a row, of a delete only those of the key.
    fn identifying_cells(
        &self,
        config: &TableConfig,
    ) -> impl Iterator<Item = (Option<usize>, (&str, &Cell<'a>))> {
        let key = match &self.key {
            Key::Named(cells) => cells.as_slice(),
            _ => &[],
        };
        let is_key =
            |name: &str| config.key.iter().any(|key| key.to_lowercase() == name.to_lowercase());
        let whole = self.op != Op::Delete || config.mode == Mode::Append;
        let row = self.row.iter().enumerate();
        let row = row.map(|(place, (name, cell))| (Some(place), (name.as_ref(), cell)));
        let key = key.iter().map(|(name, cell)| (None, (name.as_ref(), cell)));
        row.filter(move |(_, (name, _))| whole || is_key(name))
            .chain(key.filter(move |(_, (name, _))| is_key(name)))
    }
}

/// Whether two schemas hold the same columns.
pub(super) fn same_columns(a: &Schema, b: &Schema) -> bool {
    let columns = |schema: &Schema| {
        let fields = schema.as_struct().fields().iter();
        fields.map(|f| (f.id, f.required, column_type(&f.field_type))).collect::<Vec<_>>()
    };
    columns(a) == columns(b)
}
