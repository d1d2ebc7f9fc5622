//! Rejected records -> JSON lines beside the lake, with all that is needed to mend and replay them.
//!
//! A file is named for the stretch that it came from, so that a stretch that is delivered again
//! writes the same file again and not a second one.

use std::path::PathBuf;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use tracing::warn;

use crate::aws::Aws;
use crate::change::{Position, Rejected};
use crate::config::Place;
use crate::error::{Error, Result};
use crate::route::UNROUTED;

/// The folder of rejected records.
#[derive(Debug, Clone)]
pub struct Quarantine {
    place: Place,
    store: Store,
}

#[derive(Debug, Clone)]
enum Store {
    Folder(PathBuf),
    S3 { client: aws_sdk_s3::Client, bucket: String, prefix: String },
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
    /// Records go below `place`.
    pub async fn connect(place: Place, aws: &Aws) -> Self {
        let store = match place.clone() {
            Place::Path(folder) => Store::Folder(folder),
            Place::S3 { bucket, key } => {
                let prefix = if key.is_empty() { key } else { key + "/" };
                Store::S3 { client: aws.s3().await, bucket, prefix }
            }
        };
        Quarantine { place, store }
    }

    /// Where they go.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Writes rejected records. They are safe when this returns.
    ///
    /// # Errors
    /// Where the file cannot be written; then nothing of the stretch may be committed.
    pub async fn write(
        &self,
        source: &str,
        table: Option<&str>,
        rejected: &[Rejected<'_>],
    ) -> Result<()> {
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
        let name = format!("{source}/{}", file_name(first, table));
        self.put(&name, lines).await?;
        warn!(
            source,
            table,
            rejected = rejected.len(),
            first = %first,
            reason = %rejected[0].reason,
            file = %format_args!("{}/{name}", self.place),
            "quarantined"
        );
        Ok(())
    }

    async fn put(&self, name: &str, lines: Vec<u8>) -> Result<()> {
        match &self.store {
            Store::Folder(folder) => {
                let path = folder.join(name);
                let folder = path.parent().unwrap_or(folder);
                std::fs::create_dir_all(folder).map_err(Error::io(folder.display()))?;
                std::fs::write(&path, lines).map_err(Error::io(path.display()))
            }
            Store::S3 { client, bucket, prefix } => {
                let request = client.put_object().bucket(bucket).key(format!("{prefix}{name}"));
                let request = request.content_type("application/jsonl").body(lines.into());
                request.send().await.map(drop).map_err(Error::aws("s3:PutObject"))
            }
        }
    }
}

/// The name of the file of a stretch, by its first rejected record. What is no letter, digit, dash,
/// dot or underscore becomes an underscore: positions hold what a source calls its files.
fn file_name(first: &Position, table: Option<&str>) -> String {
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
    format!("{}/{first}.jsonl", plain(table.unwrap_or(UNROUTED)))
}
