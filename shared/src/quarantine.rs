//! Rejected records -> JSON lines beside the lake, with all that is needed to mend and replay them.
//!
//! A file is named for the stretch that it came from, so that a stretch that is delivered again
//! writes the same file again and not a second one.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use tracing::warn;

use crate::change::{Position, Rejected};
use crate::error::{Error, Result};

/// The folder of rejected records.
#[derive(Debug, Clone)]
pub struct Quarantine {
    folder: PathBuf,
}

/// One line of a quarantine file.
#[derive(Debug, Serialize)]
struct Line<'a> {
    position: String,
    source: &'a str,
    /// Absent where the record names no table that is configured.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<&'a str>,
    reason: &'a str,
    /// Base64, as the bytes came.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// The same value for a person to read, where it is text.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

impl Quarantine {
    /// Records go below `folder`, which is made when the first comes.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Quarantine { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes rejected records. They are on disk when this returns.
    ///
    /// # Errors
    /// Where the file cannot be written; then nothing of the stretch may be committed.
    pub fn write(&self, source: &str, table: Option<&str>, rejected: &[Rejected]) -> Result<()> {
        let Some(first) = rejected.iter().map(|record| &record.position).min() else {
            return Ok(());
        };
        let mut lines = Vec::new();
        for record in rejected {
            let encode = |bytes: &[u8]| STANDARD.encode(bytes);
            let line = Line {
                position: record.position.to_string(),
                source,
                table,
                reason: &record.reason.0,
                key: record.original.key.map(encode),
                value: record.original.value.map(encode),
                text: record.original.value.and_then(|value| std::str::from_utf8(value).ok()),
            };
            serde_json::to_writer(&mut lines, &line).expect("a line is JSON");
            lines.push(b'\n');
        }
        let path = self.folder.join(source).join(file_name(first, table));
        let folder = path.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).map_err(Error::io(folder.display()))?;
        std::fs::write(&path, lines).map_err(Error::io(path.display()))?;
        warn!(
            source,
            table,
            rejected = rejected.len(),
            first = %first,
            reason = %rejected[0].reason,
            file = %path.display(),
            "quarantined"
        );
        Ok(())
    }
}

/// The name of the file of a stretch, by its first rejected record. What is no letter, digit, dash,
/// dot or underscore becomes an underscore: positions hold what a source calls its files.
fn file_name(first: &Position, table: Option<&str>) -> PathBuf {
    let plain = |text: &str| -> String {
        let keep = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
        text.chars().map(|c| if keep(c) { c } else { '_' }).collect()
    };
    let first = match first {
        Position::Kafka { topic, partition, offset } => {
            format!("{}-{partition}@{offset:020}", plain(topic))
        }
        Position::File { name, line, .. } => format!("{}@{line:012}", plain(name)),
    };
    PathBuf::from(plain(table.unwrap_or("unrouted"))).join(format!("{first}.jsonl"))
}
