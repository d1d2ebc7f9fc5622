//! The catalogs that hold the pointers to the tables' current metadata.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One catalog. Its name is what tables and reports call it where there are several.
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
        /// The catalog's name, also within the file.
        #[serde(default = "local")]
        name: String,
    },
    /// The AWS Glue Data Catalog, with tables in S3. A table's namespace is its Glue database.
    Glue {
        /// Where tables go whose database has no location of its own: `s3://bucket/prefix`.
        warehouse: String,
        /// The account that holds the catalog, if it is not the caller's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        catalog_id: Option<String>,
        /// The catalog's name.
        #[serde(default = "glue")]
        name: String,
    },
    /// An Amazon S3 table bucket.
    S3Tables {
        /// The ARN of the table bucket.
        table_bucket: String,
        /// The catalog's name.
        #[serde(default = "s3_tables")]
        name: String,
    },
}

fn local() -> String {
    "local".to_owned()
}

fn glue() -> String {
    "glue".to_owned()
}

fn s3_tables() -> String {
    "s3_tables".to_owned()
}

impl CatalogConfig {
    /// What tables and reports call the catalog.
    pub fn name(&self) -> &str {
        match self {
            CatalogConfig::Sqlite { name, .. }
            | CatalogConfig::Glue { name, .. }
            | CatalogConfig::S3Tables { name, .. } => name,
        }
    }
}
