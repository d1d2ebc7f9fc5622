//! One JSON document -> typed configuration, checked whole before the first event.
//!
//! The document names the catalog, the raw files, the sources with their formats and the tables that
//! they feed. An unknown setting is a fault, and so is a reference that leads nowhere: a function
//! with a faulty document refuses to start and names the setting and what it accepts.

mod check;
mod format;
mod table;

pub use format::{CsvFormat, DebeziumFormat, Deletes, FlattenedFormat, Format, OpColumn};
pub use table::{ColumnConfig, MetadataColumns, Mode, OnTruncate, TableConfig};

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The whole document.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Where tables live.
    pub catalog: CatalogConfig,
    /// Where raw files lie. Needed by sources that read files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objects: Option<ObjectsConfig>,
    /// The folder of rejected records, one JSON document a line.
    pub quarantine: PathBuf,
    /// What comes in.
    pub sources: Vec<SourceConfig>,
    /// What it becomes.
    pub tables: Vec<TableConfig>,
}

/// The catalog that holds the pointers to the tables' current metadata.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CatalogConfig {
    /// A SQLite file in the layout of Iceberg's JDBC catalog, with tables in a directory. PyIceberg
    /// and Spark open the same file.
    Sqlite {
        /// The database file; it is created where it does not exist.
        path: PathBuf,
        /// The directory of the tables' files.
        warehouse: PathBuf,
        /// The catalog's name within the file.
        #[serde(default = "default_catalog_name")]
        name: String,
    },
}

fn default_catalog_name() -> String {
    "local".to_owned()
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

    /// Reads and checks the document at `path`.
    ///
    /// # Errors
    /// [`Error::Config`] where the file cannot be read or its content is at fault.
    pub fn read(path: &std::path::Path) -> Result<Config> {
        let document = std::fs::read_to_string(path)
            .map_err(|error| Error::config(path.display().to_string(), error.to_string()))?;
        Config::parse(&document)
    }

    /// Reads the document that `LAKEHOUSE_CONFIG` names.
    ///
    /// # Errors
    /// [`Error::Config`] where the variable is missing or the document is at fault.
    pub fn from_environment() -> Result<Config> {
        let path = std::env::var_os("LAKEHOUSE_CONFIG").ok_or_else(|| {
            Error::config("LAKEHOUSE_CONFIG", "is not set: it is the path of the config document")
        })?;
        Config::read(path.as_ref())
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
