//! What became of records: applied, skipped or rejected, each counted.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::change::{Op, Skip};

/// The counts of one table, or of what reached none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records whose change the table now holds, by op.
    pub applied: BTreeMap<Op, u64>,
    /// Records that carried nothing to apply, by kind.
    pub skipped: BTreeMap<Skip, u64>,
    /// Records in the quarantine.
    pub rejected: u64,
    /// Snapshots made.
    pub snapshots: u64,
    /// Commits that had to be tried again because of other writers.
    pub conflicts: u64,
    /// Bytes of the records. A measure of work, no part of reports.
    pub bytes: u64,
    /// Milliseconds from the newest change at the source to its commit here; of several, the most.
    /// A measure of time, no part of reports.
    pub lag_ms: Option<u64>,
}

impl Counts {
    /// Records applied, of whatever op.
    pub fn applied(&self) -> u64 {
        self.applied.values().sum()
    }

    /// Records skipped, of whatever kind.
    pub fn skipped(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// Counts records that were skipped.
    pub fn skip(&mut self, kind: Skip, count: u64) {
        if count > 0 {
            *self.skipped.entry(kind).or_default() += count;
        }
    }

    /// Counts a record that was applied.
    pub fn apply(&mut self, op: Op) {
        *self.applied.entry(op).or_default() += 1;
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        for (op, count) in &other.applied {
            *self.applied.entry(*op).or_default() += count;
        }
        for (kind, count) in &other.skipped {
            self.skip(*kind, *count);
        }
        self.rejected += other.rejected;
        self.snapshots += other.snapshots;
        self.conflicts += other.conflicts;
        self.bytes += other.bytes;
        self.lag_ms = self.lag_ms.max(other.lag_ms);
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let by_op: BTreeMap<_, _> =
            self.applied.iter().map(|(op, count)| (op.to_string(), count)).collect();
        let by_kind: BTreeMap<_, _> =
            self.skipped.iter().map(|(kind, count)| (kind.name(), count)).collect();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("applied", &self.applied())?;
        if !by_op.is_empty() {
            map.serialize_entry("applied_by_op", &by_op)?;
        }
        map.serialize_entry("skipped", &self.skipped())?;
        if !by_kind.is_empty() {
            map.serialize_entry("skipped_by_kind", &by_kind)?;
        }
        map.serialize_entry("rejected", &self.rejected)?;
        map.serialize_entry("snapshots", &self.snapshots)?;
        map.serialize_entry("conflicts", &self.conflicts)?;
        map.end()
    }
}
