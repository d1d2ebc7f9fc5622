//! Changes as JSON rows, for services that write the table themselves.
//!
//! The values go through the same conversion as those of a table that this crate writes: what does
//! not fit is a reason, never a guess. Amazon Data Firehose reads the JSON by the column's type: it
//! takes timestamps as microseconds since 1970 and bytes as base64 (Data Firehose Developer Guide,
//! "Supported data types"); dates are days since 1970 and times microseconds since midnight, as
//! Iceberg stores them, and decimals are numbers of all their digits.

use std::collections::{HashMap, HashSet};

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Float32Type, Float64Type, Int32Type, Int64Type,
    Time64MicrosecondType, TimestampMicrosecondType,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::layout::Layout;
use super::{columns, schema};
use crate::change::{Change, Op, Reason};
use crate::config::{MetadataColumns, Mode, TableConfig};
use crate::error::Result;

/// The row of each change, or why there is none: its key alone for a delete, else the columns that
/// the change names. There are no columns of ours.
///
/// # Errors
/// [`Error::Table`](crate::Error::Table) where the changes and the configuration make no table.
pub fn render(changes: &[Change], config: &TableConfig) -> Result<Vec<Result<String, Reason>>> {
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let config = TableConfig {
        mode: Mode::Upsert,
        metadata_columns: MetadataColumns::None,
        ..config.clone()
    };
    let schema = schema::create(changes, &config)?;
    let layout = Layout::new(schema.into(), &config)?;
    let columns = columns::convert(changes, &layout, config.mode);
    let faults: HashMap<usize, &Reason> =
        columns.rejected.iter().map(|(change, reason)| (*change, reason)).collect();
    let row = |(index, change): (usize, &Change)| {
        if let Some(&reason) = faults.get(&index) {
            return Err(reason.clone());
        }
        if let Some(column) = columns.unchanged_of(index).next() {
            let name = &layout.columns[column].name;
            let fault = "keeps the stored value, which the service would replace by null";
            return Err(Reason::new(fault).in_column(name));
        }
        render_row(index, change, &layout, &columns.arrays)
    };
    Ok(changes.iter().enumerate().map(row).collect())
}

fn render_row(
    index: usize,
    change: &Change,
    layout: &Layout,
    arrays: &[ArrayRef],
) -> Result<String, Reason> {
    let named: HashSet<usize> = match change.op {
        Op::Delete => HashSet::new(),
        _ => change.row.iter().filter_map(|(name, _)| layout.find(name)).collect(),
    };
    let mut row = String::from("{");
    for (column, described) in layout.columns.iter().enumerate() {
        if !named.contains(&column) && !layout.is_key(column) {
            continue;
        }
        if row.len() > 1 {
            row.push(',');
        }
        row += &quoted(&described.name);
        row.push(':');
        row += &cell(&arrays[column], index).map_err(|fault| fault.in_column(&described.name))?;
    }
    row.push('}');
    Ok(row)
}

fn cell(array: &ArrayRef, index: usize) -> Result<String, Reason> {
    if array.is_null(index) {
        return Ok("null".to_owned());
    }
    Ok(match array.data_type() {
        DataType::Boolean => array.as_boolean().value(index).to_string(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(index).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(index).to_string(),
        DataType::Float32 => finite(array.as_primitive::<Float32Type>().value(index).into())?,
        DataType::Float64 => finite(array.as_primitive::<Float64Type>().value(index))?,
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value_as_string(index),
        DataType::Date32 => array.as_primitive::<Date32Type>().value(index).to_string(),
        DataType::Time64(_) => {
            array.as_primitive::<Time64MicrosecondType>().value(index).to_string()
        }
        DataType::Timestamp(..) => {
            array.as_primitive::<TimestampMicrosecondType>().value(index).to_string()
        }
        DataType::Utf8 => quoted(array.as_string::<i32>().value(index)),
        DataType::LargeBinary => quoted(&STANDARD.encode(array.as_binary::<i64>().value(index))),
        other => return Err(Reason::new(format!("is of type {other}, which has no JSON"))),
    })
}

fn finite(number: f64) -> Result<String, Reason> {
    match number.is_finite() {
        true => Ok(number.to_string()),
        false => Err(Reason::new("is no finite number, which JSON cannot say")),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
