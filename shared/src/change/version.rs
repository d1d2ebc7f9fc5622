//! The source's own order of a row's changes, as text that sorts as the source does.
//!
//! A version is `<scale>:<mark>`. Marks of one scale compare as text, because their numbers are
//! padded with zeros; versions of two scales do not compare at all (a Kafka offset says nothing
//! about a timestamp, nor about an offset of another partition), and then the later arrival wins.

use std::cmp::Ordering;
use std::fmt;

/// A version, in the text that `_cdc_version` holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Version(String);

impl Version {
    /// A CockroachDB hybrid logical clock reading: `<wall ns>.<logical>`, as in `updated`,
    /// `mvcc_timestamp` and `source.ts_hlc`. `None` where the text is no such reading.
    ///
    /// The part behind the point counts events within a nanosecond; it is no fraction. Old
    /// releases append `?` to synthetic readings.
    pub fn hlc(text: &str) -> Option<Self> {
        let text = text.strip_suffix('?').unwrap_or(text);
        let (wall, logical) = text.split_once('.').unwrap_or((text, "0"));
        let (wall, logical): (u64, u64) = (wall.parse().ok()?, logical.parse().ok()?);
        Some(Version(format!("hlc:{wall:020}.{logical:010}")))
    }

    /// A DMS change sequence (`AR_H_CHANGE_SEQ`): 35 digits of fixed width; empty in a full load,
    /// which sorts first. A load that is started again begins a new scale.
    pub fn change_sequence(reloads: u32, text: &str) -> Self {
        Version(format!("seq{reloads}:{text:0>35}"))
    }

    /// The offset of a Kafka record. Offsets order the changes of one partition.
    pub fn offset(topic: &str, generation: u32, partition: i32, offset: i64) -> Self {
        Version(format!("{topic}#{generation}-{partition}:{offset:020}"))
    }

    /// A record of a file. `file` sorts as the files of its source are to be applied.
    pub fn file(source: &str, file: &str, record: u64) -> Self {
        Version(format!("{source}:{file}:{record:012}"))
    }

    /// What a table holds. Any text is a version of some scale.
    pub fn stored(text: &str) -> Self {
        Version(text.to_owned())
    }

    /// As `_cdc_version` holds it.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `self` is older than `other`, and the source said so.
    pub fn is_older_than(&self, other: &Version) -> bool {
        self.partial_cmp(other) == Some(Ordering::Less)
    }

    fn parts(&self) -> (&str, &str) {
        self.0.split_once(':').unwrap_or(("", &self.0))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        let ((scale, mark), (other_scale, other_mark)) = (self.parts(), other.parts());
        (scale == other_scale).then(|| mark.cmp(other_mark))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hlc_readings_order_by_wall_clock_then_by_logical_counter() {
        let readings = [
            "9.0000000002",
            "1772368496123456000.0000000000",
            "1772368496123456000.0000000002",
            "1772368496123456000.0000000010",
            "1772368496123456001.0000000000?",
        ];
        let versions: Vec<_> = readings.iter().map(|text| Version::hlc(text).unwrap()).collect();
        assert!(versions.windows(2).all(|pair| pair[0].is_older_than(&pair[1])));
    }

    #[test]
    fn versions_of_two_scales_do_not_compare() {
        let (clock, offset) = (Version::hlc("5.0").unwrap(), Version::offset("t", 0, 0, 9));
        assert!(!clock.is_older_than(&offset) && !offset.is_older_than(&clock));
        let other_partition = Version::offset("t", 0, 1, 1);
        assert!(!other_partition.is_older_than(&offset));
    }

    #[test]
    fn a_text_that_is_no_clock_reading_is_no_version() {
        assert_eq!(Version::hlc("yesterday"), None);
        assert_eq!(Version::hlc(""), None);
    }
}
