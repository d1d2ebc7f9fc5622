//! One JSON document -> typed configuration, checked whole before the first event.
//!
//! The document names the catalog, the raw files, the sources with their formats and the tables that
//! they feed. An unknown setting is a fault, and so is a reference that leads nowhere: a function
//! with a faulty document refuses to start and names the setting and what it accepts.

mod catalog;
mod check;
mod format;
mod place;
mod table;

pub use catalog::CatalogConfig;
pub use format::{CsvFormat, DebeziumFormat, Deletes, FlattenedFormat, Format, OpColumn};
pub use place::Place;
pub use table::{ColumnConfig, MetadataColumns, Mode, OnTruncate, TableConfig};

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::aws::Aws;
use crate::error::{Error, Result};
use crate::objects;

/// The whole document.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where tables live.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<CatalogConfig>,
    /// In place of `catalog`: several catalogs. Each holds its own copy of the tables, and its own
    /// account of what it has applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub catalogs: Vec<CatalogConfig>,
    /// Where raw files lie. Needed by sources that read files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<ObjectsConfig>,
    /// Where rejected records go, one JSON document a line: a folder, or `s3://bucket/prefix`.
    pub quarantine: Place,
    /// What comes in.
    pub sources: Vec<SourceConfig>,
    /// What it becomes.
    pub tables: Vec<TableConfig>,
}

/// Where raw files lie.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ObjectsConfig {
    /// A directory with one folder a bucket.
    Directory {
        /// The directory.
        path: PathBuf,
    },
    /// Amazon S3, with the region and credentials of the function.
    S3 {},
}

/// One stream of changes: Kafka topics, or files below a prefix, in one format.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceConfig {
    /// The name that tables refer to. It is part of what a table remembers of its source: a new
    /// name is a new source.
    pub name: String,
    /// Topics of Kafka.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kafka: Option<KafkaConfig>,
    /// Files in a bucket.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub s3: Option<S3Config>,
    /// How records are written.
    pub format: Format,
}

/// Kafka topics of a source.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KafkaConfig {
    /// Topics by name.
    pub topics: Vec<String>,
    /// Raise it when topics were deleted and created anew: offsets then start over.
    #[serde(default)]
    pub generation: u32,
    /// Set it where the event source mapping of the topics has `ReportBatchItemFailures` on, and
    /// only there: a mapping without it takes an answer that lists failures for a success.
    #[serde(default)]
    pub partial_batch_responses: bool,
    /// Amazon Data Firehose streams that carry topics of this source: stream name -> topic.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub delivery_streams: BTreeMap<String, String>,
}

/// Files of a source: `<prefix><table>/<file>` in a bucket.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct S3Config {
    /// The bucket.
    pub bucket: String,
    /// What stands before the table's folder; it ends with a slash or is empty.
    #[serde(default)]
    pub prefix: String,
    /// Set it where the queue's event source mapping has `ReportBatchItemFailures` on, and only
    /// there. Sources that share a queue have the same setting.
    #[serde(default)]
    pub partial_batch_responses: bool,
}

impl Config {
    /// Reads a document and checks it.
    ///
    /// # Errors
    /// [`Error::Config`] with the setting and what it accepts.
    pub fn parse(document: &str) -> Result<Config> {
        let mut reader = serde_json::Deserializer::from_str(document);
        let config: Config = serde_path_to_error::deserialize(&mut reader)
            .map_err(|error| Error::config(error.path().to_string(), error.inner().to_string()))?;
        reader.end().map_err(|error| Error::config("document", error.to_string()))?;
        check::check(&config)?;
        Ok(config)
    }

    /// Reads and checks the document at `place`.
    ///
    /// # Errors
    /// [`Error::Config`] where it cannot be read or its content is at fault.
    pub async fn read(place: &Place, aws: &Aws) -> Result<Config> {
        let fault = |fault: String| Error::config(place.to_string(), fault);
        let document = match place {
            Place::Path(path) => {
                tokio::fs::read_to_string(path).await.map_err(|error| fault(error.to_string()))?
            }
            Place::S3 { bucket, key } => {
                let bytes = objects::read(&aws.s3().await, bucket, key).await;
                let bytes = bytes.map_err(|error| fault(error.to_string()))?;
                String::from_utf8(bytes.into()).map_err(|error| fault(error.to_string()))?
            }
        };
        Config::parse(&document)
    }

    /// Reads the document that `LAKEHOUSE_CONFIG` names.
    ///
    /// # Errors
    /// [`Error::Config`] where the variable is missing or the document is at fault.
    pub async fn from_environment(aws: &Aws) -> Result<Config> {
        let fault = |fault: &str| Error::config("LAKEHOUSE_CONFIG", fault);
        let place = std::env::var_os("LAKEHOUSE_CONFIG").ok_or_else(|| {
            fault("is not set: it is the config document's path or s3://bucket/key")
        })?;
        let place = place.to_str().ok_or_else(|| fault("is no text"))?;
        Config::read(&place.parse().map_err(fault)?, aws).await
    }

    /// All catalogs.
    pub fn catalogs(&self) -> impl Iterator<Item = &CatalogConfig> {
        self.catalog.iter().chain(&self.catalogs)
    }

    /// The JSON Schema of the document, for editors and other tools that write it.
    pub fn json_schema() -> String {
        let schema = schemars::schema_for!(Config);
        serde_json::to_string_pretty(&schema).expect("a schema is JSON") + "\n"
    }

    /// The source of that name, if there is one.
    pub fn source(&self, name: &str) -> Option<&SourceConfig> {
        self.sources.iter().find(|source| source.name == name)
    }
}
