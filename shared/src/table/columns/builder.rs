//! One Arrow array in the making, by the type of its column.

use std::sync::Arc;

use arrow::array::{
    ArrayBuilder, ArrayRef, BooleanBuilder, Date32Builder, Decimal128Builder, Float32Builder,
    Float64Builder, Int32Builder, Int64Builder, LargeBinaryBuilder, StringBuilder,
    Time64MicrosecondBuilder, TimestampMicrosecondBuilder, new_null_array,
};
use arrow::datatypes::DataType;

use crate::change::{Reason, Unit, Value};
use crate::column_type::ColumnType;
use crate::table::layout::Column;
use crate::table::value;

/// The values of one column so far.
#[derive(Debug)]
pub(super) struct ColumnBuilder {
    values: Values,
    last_null: bool,
}

#[derive(Debug)]
enum Values {
    Boolean(BooleanBuilder),
    Int(Int32Builder),
    Long(Int64Builder),
    Float(Float32Builder),
    Double(Float64Builder),
    Decimal {
        values: Decimal128Builder,
        precision: u32,
        scale: u32,
    },
    Date(Date32Builder),
    Time(Time64MicrosecondBuilder),
    Timestamp {
        values: TimestampMicrosecondBuilder,
        zoned: bool,
    },
    String(StringBuilder),
    Binary(LargeBinaryBuilder),
    /// A column of a type that we cannot write stays null.
    Unwritable {
        count: usize,
    },
}

/// Calls the same method of whichever Arrow builder it is.
macro_rules! each {
    ($values:expr, $builder:ident => $call:expr, $count:ident => $other:expr) => {
        match $values {
            Values::Boolean($builder) => $call,
            Values::Int($builder) => $call,
            Values::Long($builder) => $call,
            Values::Float($builder) => $call,
            Values::Double($builder) => $call,
            Values::Decimal { values: $builder, .. } => $call,
            Values::Date($builder) => $call,
            Values::Time($builder) => $call,
            Values::Timestamp { values: $builder, .. } => $call,
            Values::String($builder) => $call,
            Values::Binary($builder) => $call,
            Values::Unwritable { count: $count } => $other,
        }
    };
}

impl ColumnBuilder {
    pub(super) fn new(column: &Column, capacity: usize) -> Self {
        let values = match column.column_type {
            Some(ColumnType::Boolean) => Values::Boolean(BooleanBuilder::with_capacity(capacity)),
            Some(ColumnType::Int) => Values::Int(Int32Builder::with_capacity(capacity)),
            Some(ColumnType::Long) => Values::Long(Int64Builder::with_capacity(capacity)),
            Some(ColumnType::Float) => Values::Float(Float32Builder::with_capacity(capacity)),
            Some(ColumnType::Double) => Values::Double(Float64Builder::with_capacity(capacity)),
            Some(ColumnType::Decimal { precision, scale }) => Values::Decimal {
                values: Decimal128Builder::with_capacity(capacity),
                precision,
                scale,
            },
            Some(ColumnType::Date) => Values::Date(Date32Builder::with_capacity(capacity)),
            Some(ColumnType::Time) => {
                Values::Time(Time64MicrosecondBuilder::with_capacity(capacity))
            }
            Some(ColumnType::Timestamp) => Values::Timestamp {
                values: TimestampMicrosecondBuilder::with_capacity(capacity),
                zoned: false,
            },
            Some(ColumnType::Timestamptz) => Values::Timestamp {
                values: TimestampMicrosecondBuilder::with_capacity(capacity),
                zoned: true,
            },
            Some(ColumnType::String) => {
                Values::String(StringBuilder::with_capacity(capacity, capacity * 8))
            }
            Some(ColumnType::Binary) => Values::Binary(LargeBinaryBuilder::new()),
            None => Values::Unwritable { count: 0 },
        };
        ColumnBuilder { values, last_null: false }
    }

    /// Values so far.
    pub(super) fn len(&self) -> usize {
        each!(&self.values, builder => builder.len(), count => *count)
    }

    /// Whether the value appended last is null.
    pub(super) fn is_last_null(&self) -> bool {
        self.last_null
    }

    pub(super) fn append_null(&mut self) {
        self.last_null = true;
        each!(&mut self.values, builder => builder.append_null(), count => *count += 1);
    }

    /// Appends a value in the column's type; on a fault, nothing.
    pub(super) fn append(&mut self, value: &Value, unit: Option<Unit>) -> Result<(), Reason> {
        match &mut self.values {
            Values::Boolean(values) => values.append_value(value::boolean(value)?),
            Values::Int(values) => values.append_value(value::int(value)?),
            Values::Long(values) => values.append_value(value::long(value)?),
            Values::Float(values) => values.append_value(value::float(value)?),
            Values::Double(values) => values.append_value(value::double(value)?),
            Values::Decimal { values, precision, scale } => {
                values.append_value(value::decimal(value, *precision, *scale)?);
            }
            Values::Date(values) => values.append_value(value::date(value, unit)?),
            Values::Time(values) => values.append_value(value::time_of_day(value, unit)?),
            Values::Timestamp { values, zoned } => {
                values.append_value(value::timestamp(value, *zoned, unit)?);
            }
            Values::String(values) => values.append_value(value::string(value)?),
            Values::Binary(values) => values.append_value(value::binary(value)?),
            Values::Unwritable { .. } => {
                return Err(Reason::new("is of a type of the table that cannot be written here"));
            }
        }
        self.last_null = false;
        Ok(())
    }

    /// Text of ours. A column that is no text, since somebody else made it, stays null.
    pub(super) fn own_text(&mut self, text: Option<&str>) {
        match (&mut self.values, text) {
            (Values::String(values), Some(text)) => values.append_value(text),
            _ => self.append_null(),
        }
    }

    /// An instant of ours.
    pub(super) fn own_micros(&mut self, micros: Option<i64>) {
        match (&mut self.values, micros) {
            (Values::Timestamp { values, .. }, Some(micros)) => values.append_value(micros),
            _ => self.append_null(),
        }
    }

    /// A truth of ours.
    pub(super) fn own_truth(&mut self, truth: bool) {
        match &mut self.values {
            Values::Boolean(values) => values.append_value(truth),
            _ => self.append_null(),
        }
    }

    /// The array, in the Arrow type of the table's column.
    pub(super) fn finish(&mut self, data_type: &DataType) -> ArrayRef {
        match &mut self.values {
            Values::Boolean(values) => Arc::new(values.finish()),
            Values::Int(values) => Arc::new(values.finish()),
            Values::Long(values) => Arc::new(values.finish()),
            Values::Float(values) => Arc::new(values.finish()),
            Values::Double(values) => Arc::new(values.finish()),
            Values::Decimal { values, .. } => {
                Arc::new(values.finish().with_data_type(data_type.clone()))
            }
            Values::Date(values) => Arc::new(values.finish()),
            Values::Time(values) => Arc::new(values.finish()),
            Values::Timestamp { values, .. } => {
                Arc::new(values.finish().with_data_type(data_type.clone()))
            }
            Values::String(values) => Arc::new(values.finish()),
            Values::Binary(values) => Arc::new(values.finish()),
            Values::Unwritable { count } => new_null_array(data_type, *count),
        }
    }
}
