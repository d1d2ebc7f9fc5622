//! What stops a batch, a table or the start. A bad record is no error: it is rejected, and its
//! neighbours are applied.

use std::fmt;

use crate::change::Reason;

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a step could not be taken.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The configuration is at fault; the start stops.
    #[error("setting `{setting}`: {fault}")]
    Config {
        /// The path of the setting within the document.
        setting: String,
        /// What is wrong and what is accepted.
        fault: String,
    },
    /// A table cannot take changes until somebody mends it; other tables go on.
    #[error("table {table}: {fault}")]
    Table {
        /// `namespace.name`.
        table: String,
        /// What is wrong and what to do.
        fault: String,
    },
    /// A raw file cannot be read as configured.
    #[error("file {name}: {fault}")]
    File {
        /// The object's key.
        name: String,
        /// What is wrong and what to do.
        fault: String,
    },
    /// Other writers were faster each time.
    #[error(
        "table {table}: gave up after {attempts} conflicts with other writers; deliver the event again"
    )]
    Conflict {
        /// `namespace.name`.
        table: String,
        /// Commits tried.
        attempts: u32,
    },
    /// The table format's library, or the storage below it.
    #[error("iceberg: {0}")]
    Iceberg(#[from] iceberg::Error),
    /// Columns in memory.
    #[error("arrow: {0}")]
    Arrow(#[from] arrow::error::ArrowError),
    /// A Parquet file.
    #[error("parquet: {0}")]
    Parquet(#[from] parquet::errors::ParquetError),
    /// The catalog's database.
    #[error("catalog: {0}")]
    Catalog(#[from] sqlx::Error),
    /// A call of AWS. It is named as the IAM action that allows it.
    #[error("{call}: {cause}")]
    Aws {
        /// `service:Operation`.
        call: &'static str,
        /// What AWS, or the way there, says.
        cause: String,
    },
    /// The function's time is nearly over.
    #[error(
        "ran out of time: what is committed stays, the rest comes with the next delivery; if that \
         happens often, raise the function's timeout or memory, or lower the batch size"
    )]
    OutOfTime,
    /// A file of ours or of the source.
    #[error("{path}: {source}")]
    Io {
        /// What was read or written.
        path: String,
        /// The cause.
        source: std::io::Error,
    },
}

impl Error {
    /// A fault of one setting.
    pub fn config(setting: impl Into<String>, fault: impl Into<String>) -> Self {
        Error::Config { setting: setting.into(), fault: fault.into() }
    }

    /// A fault of one table.
    pub fn table(table: impl fmt::Display, fault: impl Into<String>) -> Self {
        Error::Table { table: table.to_string(), fault: fault.into() }
    }

    /// A fault of one raw file.
    pub fn file(name: impl Into<String>, fault: impl Into<String>) -> Self {
        Error::File { name: name.into(), fault: fault.into() }
    }

    /// A failed read or write of `path`.
    pub fn io(path: impl fmt::Display) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Error::Io { path: path.to_string(), source }
    }
}

impl From<Reason> for String {
    fn from(reason: Reason) -> String {
        reason.0
    }
}
