//! The changes of one table, and the fold to the last change of each key.

use rustc_hash::FxHashMap;

use crate::change::{Change, Op, Rejected, Version};

/// What one event brings for one table.
#[derive(Debug, Clone)]
pub struct Batch<'a> {
    /// Changes in the order of their positions.
    pub changes: Vec<Change<'a>>,
    /// Records of the same stretch that could not be decoded.
    pub rejected: Vec<Rejected<'a>>,
    /// The stretch of the source that the batch covers.
    pub covered: Covered,
}

impl Batch<'_> {
    /// Bytes of the records, keys and values.
    pub fn bytes(&self) -> u64 {
        let changes = self.changes.iter().map(|change| (&change.position, &change.original));
        let rejected = self.rejected.iter().map(|record| (&record.position, &record.original));
        let mut last = None;
        let mut bytes = 0;
        for (position, original) in changes.chain(rejected) {
            // A record that is two changes has its bytes once.
            if last.replace(position) != Some(position) {
                let length = |part: Option<&[u8]>| part.map_or(0, |part| part.len() as u64);
                bytes += length(original.key) + length(original.value);
            }
        }
        bytes
    }

    /// When the newest change was made at the source, in milliseconds since 1970; where the source
    /// does not say, when its record was written to the topic.
    pub fn newest_ms(&self) -> Option<i64> {
        let made = self.changes.iter().filter_map(|change| change.source_time).max();
        made.map(|micros| micros / 1_000).or_else(|| match &self.covered {
            Covered::Kafka { partitions, .. } => {
                partitions.iter().map(|offsets| offsets.newest).filter(|&newest| newest > 0).max()
            }
            Covered::File(_) => None,
        })
    }
}

/// A stretch of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Covered {
    /// Offsets of a topic, by partition.
    Kafka {
        /// The source that the topic belongs to.
        source: String,
        /// The topic.
        topic: String,
        /// The generation of its offsets.
        generation: u32,
        /// What of each partition.
        partitions: Vec<Offsets>,
    },
    /// Records of a file.
    File(FilePart),
}

/// Offsets of a partition, from the first to the last of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offsets {
    /// The partition.
    pub partition: i32,
    /// The first offset.
    pub first: i64,
    /// The last offset.
    pub last: i64,
    /// The timestamp of the oldest record, in milliseconds since 1970.
    pub oldest: i64,
    /// The timestamp of the newest record.
    pub newest: i64,
}

/// Records of a file, from one on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePart {
    /// The source that the file belongs to.
    pub source: String,
    /// The folder below the source's prefix.
    pub from: String,
    /// The file's name within the folder.
    pub name: String,
    /// The object's etag.
    pub etag: String,
    /// Whether the file is of the full load.
    pub full_load: bool,
    /// Records of the file before the part, header not counted.
    pub start: u64,
    /// Records of the file up to the end of the part.
    pub end: u64,
    /// Whether the file ends with the part.
    pub last: bool,
}

/// What becomes of each change of a batch.
#[derive(Debug, Default)]
pub struct Folded {
    /// The last change of each key, by its index, in the order of the keys' first appearance.
    pub last: Vec<usize>,
    /// By change: the earlier change of the same key that it takes unchanged cells from.
    pub base: Vec<Option<usize>>,
    /// Changes that a newer version of the same key came before.
    pub older: Vec<usize>,
    /// Changes whose unchanged cells belong to a row that the batch itself deletes before.
    pub baseless: Vec<usize>,
}

/// Folds changes to the last of each key.
///
/// `keys` holds the key of each change as bytes that are equal where the keys are; `None` drops the
/// change from the fold. The last position wins, unless the source's versions say that the change is
/// older than one before it. `keeps_cells` tells whether a change leaves cells as they are.
pub fn fold(
    changes: &[Change],
    keys: &[Option<&[u8]>],
    keeps_cells: impl Fn(usize) -> bool,
) -> Folded {
    let mut folded = Folded { base: vec![None; changes.len()], ..Folded::default() };
    let mut places: FxHashMap<&[u8], usize> = FxHashMap::default();
    places.reserve(changes.len());
    for (index, key) in keys.iter().enumerate() {
        let Some(key) = *key else { continue };
        let Some(&place) = places.get(key) else {
            places.insert(key, folded.last.len());
            folded.last.push(index);
            continue;
        };
        let before = folded.last[place];
        if is_older(changes[index].version.as_ref(), changes[before].version.as_ref()) {
            folded.older.push(index);
            continue;
        }
        if keeps_cells(index) {
            // A row that was deleted has no cells left to keep, unless the delete itself keeps them.
            if changes[before].op == Op::Delete && !keeps_cells(before) {
                folded.baseless.push(index);
                continue;
            }
            folded.base[index] = Some(before);
        }
        folded.last[place] = index;
    }
    folded
}

fn is_older(version: Option<&Version>, than: Option<&Version>) -> bool {
    matches!((version, than), (Some(version), Some(than)) if version.is_older_than(than))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::change::{Key, Original, Position};

    const A: Option<&[u8]> = Some(b"a");

    fn change(offset: i64, op: Op, clock: Option<&str>) -> Change<'static> {
        Change {
            op,
            key: Key::InRow,
            row: Vec::new(),
            from: None,
            version: clock.and_then(Version::hlc),
            source_time: None,
            position: Position::Kafka { topic: Arc::from("t"), partition: 0, offset },
            declared: None,
            original: Original::default(),
        }
    }

    #[test]
    fn the_last_change_of_a_key_wins() {
        let changes = [Op::Insert, Op::Update, Op::Delete].map(|op| change(0, op, None));
        let folded = fold(&changes, &[A, Some(b"b"), A], |_| false);
        assert_eq!(folded.last, [2, 1]);
    }

    #[test]
    fn an_older_version_does_not_win_but_an_equal_one_does() {
        let changes =
            [Some("5.0"), Some("4.9"), Some("5.0")].map(|clock| change(0, Op::Update, clock));
        let folded = fold(&changes, &[A; 3], |_| false);
        assert_eq!((folded.last, folded.older), (vec![2], vec![1]));
    }

    #[test]
    fn unchanged_cells_come_from_the_change_before() {
        let changes = [Op::Insert, Op::Update, Op::Update].map(|op| change(0, op, None));
        let folded = fold(&changes, &[A; 3], |index| index > 0);
        assert_eq!(folded.last, [2]);
        assert_eq!(folded.base, [None, Some(0), Some(1)]);
    }

    #[test]
    fn unchanged_cells_of_a_deleted_row_come_from_nowhere() {
        let changes = [Op::Insert, Op::Delete, Op::Update].map(|op| change(0, op, None));
        let folded = fold(&changes, &[A; 3], |index| index == 2);
        assert_eq!((folded.last, folded.baseless), (vec![1], vec![2]));
    }
}
