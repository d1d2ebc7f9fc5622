//! Bloom filters on key columns: which keys a row group surely does not hold.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::{
    DataType, Date32Type, Decimal128Type, Int32Type, Int64Type, Time64MicrosecondType,
    TimestampMicrosecondType,
};
use parquet::basic::Type as PhysicalType;
use parquet::bloom_filter::Sbbf;

use super::parquet_file::{KeyColumns, ParquetFile};
use crate::error::Result;
use crate::table::keys::Keys;

/// The bytes of the filters of the key columns; `None` where a column has none.
pub(super) fn bytes(file: &ParquetFile, group: usize, columns: &KeyColumns) -> Option<u64> {
    let row_group = file.metadata().row_group(group);
    let lengths = columns.leaves.iter().map(|&leaf| {
        let length = row_group.column(leaf).bloom_filter_length()?;
        u64::try_from(length).ok()
    });
    lengths.sum()
}

/// Keeps the changes whose key the row group may hold.
pub(super) async fn retain(
    file: &ParquetFile,
    group: usize,
    columns: &KeyColumns,
    keys: &Keys,
    changes: &mut Vec<usize>,
) -> Result<()> {
    for (array, &leaf) in keys.arrays.iter().zip(&columns.leaves) {
        let Some(filter) = file.bloom_filter(group, leaf).await? else { continue };
        let physical = file.parquet_schema().column(leaf).physical_type();
        let length = file.parquet_schema().column(leaf).type_length();
        changes.retain(|&change| may_hold(&filter, array, change, physical, length));
    }
    Ok(())
}

/// Filters are built over the plain encoding of the physical type (Parquet format, Bloom filter).
fn may_hold(
    filter: &Sbbf,
    array: &ArrayRef,
    row: usize,
    physical: PhysicalType,
    length: i32,
) -> bool {
    let integer = match array.data_type() {
        DataType::Int32 => i128::from(array.as_primitive::<Int32Type>().value(row)),
        DataType::Date32 => i128::from(array.as_primitive::<Date32Type>().value(row)),
        DataType::Int64 => i128::from(array.as_primitive::<Int64Type>().value(row)),
        DataType::Time64(_) => i128::from(array.as_primitive::<Time64MicrosecondType>().value(row)),
        DataType::Timestamp(..) => {
            i128::from(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::Decimal128(..) => array.as_primitive::<Decimal128Type>().value(row),
        DataType::Utf8 => return filter.check(array.as_string::<i32>().value(row)),
        DataType::LargeBinary => return filter.check(array.as_binary::<i64>().value(row)),
        _ => return true,
    };
    match physical {
        PhysicalType::INT32 => i32::try_from(integer).is_ok_and(|value| filter.check(&value)),
        PhysicalType::INT64 => i64::try_from(integer).is_ok_and(|value| filter.check(&value)),
        PhysicalType::FIXED_LEN_BYTE_ARRAY => {
            let wide = integer.to_be_bytes();
            let start = wide.len().saturating_sub(usize::try_from(length).unwrap_or(0));
            filter.check(&wide[start..])
        }
        _ => true,
    }
}
