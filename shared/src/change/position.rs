//! Where a record stands, for messages, for the quarantine and for the checkpoint.

use std::fmt;
use std::sync::Arc;

/// The place of one record in its source. Prints as `topic-0@42` or `folder/file.csv:7`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// A Kafka record.
    Kafka {
        /// Topic.
        topic: Arc<str>,
        /// Partition.
        partition: i32,
        /// Offset.
        offset: i64,
    },
    /// A record of a file.
    File {
        /// The object's key.
        name: Arc<str>,
        /// The line on which the record starts, from 1.
        line: u64,
        /// The record's number in the file, from 1, the header not counted.
        record: u64,
    },
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Kafka { topic, partition, offset } => {
                write!(f, "{topic}-{partition}@{offset}")
            }
            Position::File { name, line, .. } => write!(f, "{name}:{line}"),
        }
    }
}
