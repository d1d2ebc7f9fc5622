//! Which keys of a batch a data file can hold, by the bounds that its manifest entry gives.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BooleanArray, Date32Array, Decimal128Array, Int32Array, Int64Array, LargeBinaryArray,
    StringArray,
};
use iceberg::spec::{DataFile, Datum, PrimitiveLiteral, PrimitiveType};

use crate::table::keys::{KeyPart, Keys};
use crate::table::layout::Layout;

/// The keys that are looked for, in the order of their first column.
pub(super) struct Wanted<'k> {
    keys: &'k Keys,
    sorted: Vec<usize>,
    field_ids: Vec<i32>,
}

impl<'k> Wanted<'k> {
    /// `changes` whose keys are looked for.
    pub(super) fn new(keys: &'k Keys, changes: &[usize], layout: &Layout) -> Self {
        let mut sorted = changes.to_vec();
        if let Some(first) = keys.parts().first() {
            sorted.sort_unstable_by(|&a, &b| first.bytes(a).cmp(first.bytes(b)));
        }
        let field_ids = layout.key.iter().map(|&column| layout.columns[column].field_id).collect();
        Wanted { keys, sorted, field_ids }
    }

    /// The changes whose key lies within the bounds of every key column of the file, in the order
    /// of the first. A file that lacks a bound can hold anything on that side.
    pub(super) fn within(&self, file: &DataFile) -> Vec<usize> {
        let bounds: Vec<_> = self
            .keys
            .parts()
            .iter()
            .zip(&self.field_ids)
            .map(|(part, id)| {
                let bound = |datum: Option<&Datum>| datum.and_then(|datum| bytes(datum, part));
                (bound(file.lower_bounds().get(id)), bound(file.upper_bounds().get(id)))
            })
            .collect();
        let Some((first, rest)) = self.keys.parts().split_first() else { return Vec::new() };
        let ((lower, upper), rest_bounds) = (&bounds[0], &bounds[1..]);
        let from = lower.as_ref().map_or(0, |lower| {
            self.sorted.partition_point(|&change| first.bytes(change) < lower.as_slice())
        });
        let to = upper.as_ref().map_or(self.sorted.len(), |upper| {
            self.sorted.partition_point(|&change| first.bytes(change) <= upper.as_slice())
        });
        let inside = |change: usize| {
            rest.iter().zip(rest_bounds).all(|(part, (lower, upper))| {
                let bytes = part.bytes(change);
                lower.as_ref().is_none_or(|lower| lower.as_slice() <= bytes)
                    && upper.as_ref().is_none_or(|upper| bytes <= upper.as_slice())
            })
        };
        let candidates = self.sorted.get(from..to).unwrap_or_default();
        candidates.iter().copied().filter(|&change| inside(change)).collect()
    }
}

/// A bound as bytes that compare with the key column's; `None` where it cannot be compared, which
/// reads as no bound.
fn bytes(datum: &Datum, part: &KeyPart) -> Option<Vec<u8>> {
    let array: ArrayRef = match (datum.literal(), datum.data_type()) {
        (&PrimitiveLiteral::Boolean(value), _) => Arc::new(BooleanArray::from(vec![value])),
        (&PrimitiveLiteral::Int(value), PrimitiveType::Date) => {
            Arc::new(Date32Array::from(vec![value]))
        }
        (&PrimitiveLiteral::Int(value), _) => Arc::new(Int32Array::from(vec![value])),
        (&PrimitiveLiteral::Long(value), _) => Arc::new(Int64Array::from(vec![value])),
        (PrimitiveLiteral::String(value), _) => Arc::new(StringArray::from(vec![value.as_str()])),
        (PrimitiveLiteral::Binary(value), _) => {
            Arc::new(LargeBinaryArray::from(vec![value.as_slice()]))
        }
        (&PrimitiveLiteral::Int128(value), &PrimitiveType::Decimal { precision, scale }) => {
            let array = Decimal128Array::from(vec![value]);
            let (precision, scale) = (u8::try_from(precision).ok()?, i8::try_from(scale).ok()?);
            Arc::new(array.with_precision_and_scale(precision, scale).ok()?)
        }
        _ => return None,
    };
    let rows = part.convert(&[array]).ok()?;
    Some(rows.row(0).data().to_vec())
}
