//! Offsets of a topic that a table holds: per partition a floor and the intervals above it.
//!
//! In order, this is one number. A stretch that failed and went to the dead letters leaves a gap, so
//! that its replay is applied and not taken for old.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Standing;
use crate::batch::Offsets;

/// Intervals kept above the floor of a partition. Beyond it the oldest gap is closed: a table's
/// properties are read and written with each commit, and must not grow.
const MAX_INTERVALS: usize = 32;

/// What a table holds of a topic.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Partitions {
    /// The generation of the offsets; a raised one starts anew.
    generation: u32,
    partitions: BTreeMap<i32, Intervals>,
}

/// What a table holds of a partition. Intervals are half open: `[from, to)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Intervals {
    /// Everything below was applied, or given up.
    floor: i64,
    /// In order, apart from one another and from the floor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    above: Vec<(i64, i64)>,
    /// The timestamp of the newest record applied, in milliseconds since 1970.
    newest: i64,
}

/// Offsets that were given up, since a table remembers only so many gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    partition: i32,
    from: i64,
    to: i64,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "partition {} offsets {} to {}", self.partition, self.from, self.to - 1)
    }
}

impl Partitions {
    /// The same, unless it is of an older generation than `generation`.
    pub(super) fn of_generation(self, generation: u32) -> Partitions {
        match self.generation < generation {
            true => Partitions { generation, partitions: BTreeMap::new() },
            false => self,
        }
    }

    pub(super) fn standing(&self, partition: i32, offset: i64) -> Standing {
        let Some(held) = self.partitions.get(&partition) else { return Standing::New };
        let within = |&(from, to): &(i64, i64)| (from..to).contains(&offset);
        if offset < held.floor || held.above.iter().any(within) {
            Standing::Applied
        } else if offset < held.end() {
            Standing::Late
        } else {
            Standing::New
        }
    }

    /// A partition whose offsets come again with records that are all newer than any applied: the
    /// topic was created anew.
    pub(super) fn starts_over(&self, covered: &[Offsets]) -> Option<i32> {
        let over = covered.iter().find(|offsets| {
            let held = self.partitions.get(&offsets.partition);
            held.is_some_and(|held| offsets.first < held.end() && offsets.oldest > held.newest)
        });
        over.map(|offsets| offsets.partition)
    }

    /// Adds the offsets from the first to the last of a stretch.
    pub(super) fn add(&mut self, offsets: &Offsets) -> Vec<Gap> {
        let held = self.partitions.entry(offsets.partition).or_insert(Intervals {
            floor: 0,
            above: Vec::new(),
            newest: offsets.newest,
        });
        held.newest = held.newest.max(offsets.newest);
        held.above.push((offsets.first, offsets.last + 1));
        held.above.sort_unstable();
        held.join();
        let mut gaps = Vec::new();
        while held.above.len() > MAX_INTERVALS {
            let (from, to) = (held.floor, held.above[0].0);
            gaps.push(Gap { partition: offsets.partition, from, to });
            held.floor = to;
            held.join();
        }
        gaps
    }
}

impl Intervals {
    /// Behind the last offset that was applied.
    fn end(&self) -> i64 {
        self.above.last().map_or(self.floor, |&(_, to)| to)
    }

    /// Joins what touches.
    fn join(&mut self) {
        let mut joined: Vec<(i64, i64)> = Vec::with_capacity(self.above.len());
        for &(from, to) in &self.above {
            match joined.last_mut() {
                _ if from <= self.floor => self.floor = self.floor.max(to),
                Some(last) if from <= last.1 => last.1 = last.1.max(to),
                _ => joined.push((from, to)),
            }
        }
        self.above = joined;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn stretch(first: i64, last: i64) -> Offsets {
        Offsets { partition: 0, first, last, oldest: first, newest: last }
    }

    #[test]
    fn in_order_a_checkpoint_is_one_number() {
        let mut held = Partitions::default();
        held.add(&stretch(0, 9));
        held.add(&stretch(10, 19));
        assert_eq!(
            serde_json::to_string(&held).unwrap(),
            r#"{"generation":0,"partitions":{"0":{"floor":20,"newest":19}}}"#
        );
    }

    #[test]
    fn a_stretch_that_was_left_out_is_late_not_old() {
        let mut held = Partitions::default();
        held.add(&stretch(0, 9));
        held.add(&stretch(20, 29));
        assert_eq!(held.standing(0, 5), Standing::Applied);
        assert_eq!(held.standing(0, 15), Standing::Late);
        assert_eq!(held.standing(0, 25), Standing::Applied);
        assert_eq!(held.standing(0, 30), Standing::New);
        assert_eq!(held.standing(1, 5), Standing::New);
    }

    #[test]
    fn too_many_gaps_close_from_the_oldest_on_and_are_named() {
        let mut held = Partitions::default();
        let gaps: Vec<_> = (1..=33).flat_map(|n| held.add(&stretch(n * 10, n * 10))).collect();
        assert_eq!(gaps, [Gap { partition: 0, from: 0, to: 10 }]);
        assert_eq!(gaps[0].to_string(), "partition 0 offsets 0 to 9");
        assert_eq!(held.standing(0, 3), Standing::Applied);
        assert_eq!(held.standing(0, 11), Standing::Late);
    }

    #[test]
    fn a_topic_created_anew_is_noticed_and_a_redelivery_is_not_taken_for_one() {
        let mut held = Partitions::default();
        held.add(&Offsets { partition: 0, first: 0, last: 9, oldest: 1_000, newest: 2_000 });
        let again = Offsets { partition: 0, first: 5, last: 9, oldest: 1_500, newest: 2_000 };
        let anew = Offsets { partition: 0, first: 0, last: 3, oldest: 3_000, newest: 3_001 };
        assert_eq!(held.starts_over(&[again]), None);
        assert_eq!(held.starts_over(&[anew]), Some(0));
        assert_eq!(held.of_generation(1).starts_over(&[anew]), None);
    }

    proptest! {
        #[test]
        fn a_record_is_applied_exactly_if_some_stretch_held_it(
            stretches in prop::collection::vec((0i64..200, 0i64..12), 1..20),
        ) {
            let mut held = Partitions::default();
            let mut applied = BTreeSet::new();
            for (first, length) in stretches {
                prop_assert_eq!(held.add(&stretch(first, first + length)), []);
                applied.extend(first..=first + length);
            }
            let end = applied.last().map_or(0, |last| last + 1);
            for offset in 0..220 {
                let standing = match applied.contains(&offset) {
                    true => Standing::Applied,
                    false if offset < end => Standing::Late,
                    false => Standing::New,
                };
                prop_assert_eq!(held.standing(0, offset), standing);
            }
        }
    }
}
