//! What a table has already applied, told by the table itself.
//!
//! The checkpoint says what the table holds, not how far somebody got: a record is skipped only if
//! it was really applied. It lives in table properties, one JSON value a source and topic (or
//! folder), written in the same commit as the rows. A commit adds its own stretch to what it finds.

mod files;
mod offsets;

use std::collections::HashMap;

pub use files::{FileStanding, Files};
pub(super) use offsets::{Gap, Partitions};

use crate::batch::Covered;
use crate::change::Position;
use crate::error::{Error, Result};

/// The checkpoint of one stretch's source in one table.
#[derive(Debug, Clone)]
pub(super) enum Checkpoint {
    Kafka(Partitions),
    Files(Files),
}

/// What a record is to the table that it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Not applied, and nothing behind it is.
    New,
    /// Applied before.
    Applied,
    /// Not applied, although something behind it is.
    Late,
}

impl Checkpoint {
    /// Reads what `properties` hold of the source of `covered`.
    ///
    /// # Errors
    /// [`Error::Table`] where the property is no checkpoint of ours, or the topic starts over.
    pub(super) fn read(
        table: &str,
        properties: &HashMap<String, String>,
        covered: &Covered,
    ) -> Result<Checkpoint> {
        let name = property(covered);
        let stored = properties.get(&name).map(String::as_str);
        let unreadable = |error: serde_json::Error| {
            Error::table(table, format!("property \"{name}\" is no checkpoint: {error}"))
        };
        match covered {
            Covered::Kafka { topic, generation, partitions, .. } => {
                let checkpoint = match stored {
                    Some(json) => serde_json::from_str(json).map_err(unreadable)?,
                    None => Partitions::default(),
                };
                let checkpoint = checkpoint.of_generation(*generation);
                if let Some(partition) = checkpoint.starts_over(partitions) {
                    let fault = format!(
                        "partition {partition} of topic \"{topic}\" starts over: offsets that were \
                         applied come again with newer timestamps. If the topic was created anew, \
                         raise `kafka.generation` of its source above {generation}"
                    );
                    return Err(Error::table(table, fault));
                }
                Ok(Checkpoint::Kafka(checkpoint))
            }
            Covered::File(_) => Ok(Checkpoint::Files(match stored {
                Some(json) => serde_json::from_str(json).map_err(unreadable)?,
                None => Files::default(),
            })),
        }
    }

    /// What the record at `position`, one of `covered`, is to the table.
    pub(super) fn standing(&self, covered: &Covered, position: &Position) -> Standing {
        match (self, covered, position) {
            (Checkpoint::Kafka(partitions), _, Position::Kafka { partition, offset, .. }) => {
                partitions.standing(*partition, *offset)
            }
            (Checkpoint::Files(files), Covered::File(part), Position::File { record, .. }) => {
                match files.standing(&part.name, &part.etag, part.full_load) {
                    FileStanding::Applied => Standing::Applied,
                    FileStanding::InProgress { records } if *record <= records => Standing::Applied,
                    FileStanding::New if files.is_late(&part.name, part.full_load) => {
                        Standing::Late
                    }
                    _ => Standing::New,
                }
            }
            _ => Standing::New,
        }
    }

    /// Adds the stretch, and tells of the gaps that had to be closed to keep it small.
    pub(super) fn add(&mut self, covered: &Covered) -> Vec<Gap> {
        match (self, covered) {
            (Checkpoint::Kafka(checkpoint), Covered::Kafka { partitions, .. }) => {
                partitions.iter().flat_map(|offsets| checkpoint.add(offsets)).collect()
            }
            (Checkpoint::Files(files), Covered::File(part)) => {
                files.add(part);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// The property that holds the checkpoint.
    pub(super) fn to_property(&self, covered: &Covered) -> (String, String) {
        let json = match self {
            Checkpoint::Kafka(partitions) => serde_json::to_string(partitions),
            Checkpoint::Files(files) => serde_json::to_string(files),
        };
        (property(covered), json.expect("a checkpoint is JSON"))
    }
}

/// The name of the table property that holds the checkpoint of a stretch's source.
fn property(covered: &Covered) -> String {
    match covered {
        Covered::Kafka { source, topic, .. } => format!("cdc.kafka.{source}.{topic}"),
        Covered::File(part) => files_property(&part.source, &part.from),
    }
}

/// The name of the table property that holds the checkpoint of a folder.
pub fn files_property(source: &str, from: &str) -> String {
    format!("cdc.s3.{source}.{from}")
}
