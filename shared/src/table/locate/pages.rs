//! Which rows of a row group can hold a key, by the page index of its key columns.

use std::ops::Range;
use std::slice::from_ref;

use parquet::arrow::arrow_reader::statistics::StatisticsConverter;

use super::parquet_file::{KeyColumns, ParquetFile};
use crate::error::Result;
use crate::table::keys::{KeyPart, Keys};

/// Row ranges of the row group, in order, outside of which no key of `changes` can be. `changes` are
/// in the order of the first key column.
pub(super) fn select(
    file: &ParquetFile,
    group: usize,
    columns: &KeyColumns,
    keys: &Keys,
    changes: &[usize],
) -> Result<Vec<Range<u64>>> {
    let all = vec![0..file.rows(group)];
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let mut selected = all;
    for (part, &leaf) in keys.parts().iter().zip(&columns.leaves) {
        if let Some(ranges) = select_by(file, group, leaf, part, changes)? {
            selected = intersection(&selected, &ranges);
        }
    }
    Ok(selected)
}

/// Ranges by one key column; `None` where the file has no page index for it.
fn select_by(
    file: &ParquetFile,
    group: usize,
    leaf: usize,
    part: &KeyPart,
    changes: &[usize],
) -> Result<Option<Vec<Range<u64>>>> {
    let metadata = file.metadata();
    let (Some(column_index), Some(offset_index)) =
        (metadata.column_index(), metadata.offset_index())
    else {
        return Ok(None);
    };
    let name = file.leaf_name(leaf);
    let converter = StatisticsConverter::try_new(name, file.arrow_schema(), file.parquet_schema())?;
    let groups = [group];
    let lower = converter.data_page_mins(column_index, offset_index, &groups)?;
    let upper = converter.data_page_maxes(column_index, offset_index, &groups)?;
    let pages = offset_index[group][leaf].page_locations();
    if lower.len() != pages.len() || upper.len() != pages.len() {
        return Ok(None);
    }
    let (lower_rows, upper_rows) =
        (part.convert(from_ref(&lower))?, part.convert(from_ref(&upper))?);
    let mut sorted: Vec<&[u8]> = changes.iter().map(|&change| part.bytes(change)).collect();
    sorted.sort_unstable();
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (page, location) in pages.iter().enumerate() {
        let bounded = lower.is_valid(page) && upper.is_valid(page);
        let holds = !bounded || {
            let from = sorted.partition_point(|key| *key < lower_rows.row(page).data());
            sorted.get(from).is_some_and(|key| *key <= upper_rows.row(page).data())
        };
        if holds {
            let start = location.first_row_index as u64;
            let next = pages.get(page + 1).map(|next| next.first_row_index as u64);
            let end = next.unwrap_or_else(|| file.rows(group));
            match ranges.last_mut() {
                Some(last) if last.end == start => last.end = end,
                _ => ranges.push(start..end),
            }
        }
    }
    Ok(Some(ranges))
}

fn intersection(a: &[Range<u64>], b: &[Range<u64>]) -> Vec<Range<u64>> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut both = Vec::new();
    while let (Some(left), Some(right)) = (a.peek(), b.peek()) {
        let (start, end) = (left.start.max(right.start), left.end.min(right.end));
        if start < end {
            both.push(start..end);
        }
        if left.end <= right.end {
            a.next()
        } else {
            b.next()
        };
    }
    both
}

/// Compressed bytes of the key columns' pages that hold the ranges.
pub(super) fn bytes(
    file: &ParquetFile,
    group: usize,
    columns: &KeyColumns,
    selected: &[Range<u64>],
) -> u64 {
    let rows: u64 = selected.iter().map(|range| range.end - range.start).sum();
    let row_group = file.metadata().row_group(group);
    let whole: i64 =
        columns.leaves.iter().map(|&leaf| row_group.column(leaf).compressed_size()).sum();
    // In proportion: a look at every page would cost more than the difference it makes.
    (whole as u64).saturating_mul(rows) / file.rows(group).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn ranges_intersect_to_the_rows_of_both() {
        assert_eq!(intersection(&[0..10, 20..30], &[5..25]), [5..10, 20..25]);
        assert_eq!(intersection(&[0..10], &[10..20]), []);
    }

    fn ranges() -> impl Strategy<Value = Vec<Range<u64>>> {
        prop::collection::vec((0u64..5, 1u64..5), 0..8).prop_map(|steps| {
            let mut at = 0;
            let range = |(gap, length)| {
                let start = at + gap;
                at = start + length;
                start..at
            };
            steps.into_iter().map(range).collect()
        })
    }

    proptest! {
        #[test]
        fn an_intersection_holds_exactly_the_rows_of_both(a in ranges(), b in ranges()) {
            let rows: Vec<u64> = intersection(&a, &b).into_iter().flatten().collect();
            let expected: Vec<u64> =
                a.into_iter().flatten().filter(|row| b.iter().any(|range| range.contains(row))).collect();
            prop_assert_eq!(rows, expected);
        }
    }
}
