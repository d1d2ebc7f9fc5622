//! The keys of a batch, comparable by value in the table's types.
//!
//! Arrow's row format turns a value of any key type into bytes whose order is the order of the
//! values, so that the fold, the sort order of files and the comparison with a file's bounds all
//! work on bytes: 1.5 and 1.50 are one key in a decimal column.

use arrow::array::ArrayRef;
use arrow::compute::cast;
use arrow::datatypes::DataType;
use arrow::row::{RowConverter, Rows, SortField};

use super::layout::Layout;
use crate::error::Result;

/// The keys of all changes of a batch.
#[derive(Debug)]
pub(super) struct Keys {
    /// The key columns, one value a change.
    pub(super) arrays: Vec<ArrayRef>,
    whole: KeyPart,
    parts: Vec<KeyPart>,
}

/// Some of the key columns as bytes, with what turns other values into such bytes.
#[derive(Debug)]
pub(super) struct KeyPart {
    converter: RowConverter,
    types: Vec<DataType>,
    rows: Rows,
}

impl Keys {
    /// The keys among the columns of a batch.
    pub(super) fn new(arrays: &[ArrayRef], layout: &Layout) -> Result<Keys> {
        let arrays: Vec<_> = layout.key.iter().map(|&column| arrays[column].clone()).collect();
        let whole = KeyPart::new(&arrays)?;
        let parts = arrays.iter().map(|array| KeyPart::new(std::slice::from_ref(array)));
        let parts = parts.collect::<Result<_>>()?;
        Ok(Keys { arrays, whole, parts })
    }

    /// The bytes of the key of a change.
    pub(super) fn bytes(&self, change: usize) -> &[u8] {
        self.whole.bytes(change)
    }

    /// The key columns together.
    pub(super) fn whole(&self) -> &KeyPart {
        &self.whole
    }

    /// The key columns one by one.
    pub(super) fn parts(&self) -> &[KeyPart] {
        &self.parts
    }
}

impl KeyPart {
    fn new(arrays: &[ArrayRef]) -> Result<KeyPart> {
        let types: Vec<_> = arrays.iter().map(|array| array.data_type().clone()).collect();
        let converter = RowConverter::new(types.iter().cloned().map(SortField::new).collect())?;
        let rows = converter.convert_columns(arrays)?;
        Ok(KeyPart { converter, types, rows })
    }

    /// The bytes of a change.
    pub(super) fn bytes(&self, change: usize) -> &[u8] {
        self.rows.row(change).data()
    }

    /// Other values as bytes that compare with these. Files written before a column was widened
    /// hold a narrower type.
    pub(super) fn convert(&self, arrays: &[ArrayRef]) -> Result<Rows> {
        let arrays = arrays.iter().zip(&self.types).map(|(array, wanted)| as_type(array, wanted));
        Ok(self.converter.convert_columns(&arrays.collect::<Result<Vec<_>>>()?)?)
    }
}

/// The array in another type, where it is not of that type already.
pub(super) fn as_type(array: &ArrayRef, wanted: &DataType) -> Result<ArrayRef> {
    match array.data_type() == wanted {
        true => Ok(array.clone()),
        false => Ok(cast(array, wanted)?),
    }
}
