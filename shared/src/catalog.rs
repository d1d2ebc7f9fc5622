//! Catalogs hold one thing of a table: the pointer to its current metadata file. Swapping it from
//! one file to the next, and only from that one, is what makes a commit a commit.

mod glue;
mod s3_tables;
mod sqlite;
mod swap;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use iceberg::io::FileIO;
use iceberg::spec::{TableMetadata, TableMetadataRef};

pub use glue::GlueCatalog;
pub use s3_tables::S3TablesCatalog;
pub use sqlite::SqliteCatalog;

use crate::aws::Aws;
use crate::config::CatalogConfig;
use crate::error::{Error, Result};

/// A table's name: `namespace.name`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TableName {
    /// The namespace, one level.
    pub namespace: String,
    /// The name within it.
    pub name: String,
}

impl fmt::Display for TableName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.namespace, self.name)
    }
}

impl std::str::FromStr for TableName {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once('.') {
            Some((namespace, name)) if !namespace.is_empty() && !name.is_empty() => {
                Ok(TableName { namespace: namespace.to_owned(), name: name.to_owned() })
            }
            _ => Err(Error::table(text, "is no table name: it is `namespace.name`")),
        }
    }
}

/// What a catalog says of a table.
#[derive(Debug, Clone)]
pub struct Pointer {
    /// The current metadata file.
    pub metadata_location: String,
    /// What the catalog wants to see again when the pointer is swapped.
    pub token: Token,
}

/// Tells a catalog which state of a table a swap starts from.
#[derive(Debug, Clone)]
pub enum Token {
    /// The metadata file says it.
    Location,
    /// The table as Glue holds it, with its `VersionId`.
    Glue(Box<aws_sdk_glue::types::Table>),
    /// The `versionToken` of S3 Tables.
    S3Tables(String),
}

/// Why a pointer was not swapped, or may not have been.
#[derive(Debug, thiserror::Error)]
pub enum SwapError {
    /// Somebody else swapped it before.
    #[error("another writer committed first")]
    Conflict,
    /// The catalog did not answer: the swap may have happened.
    #[error("the catalog did not say whether the commit went through: {0}")]
    Unknown(Error),
    /// It was certainly not swapped.
    #[error(transparent)]
    Failed(Error),
}

/// A catalog of tables.
#[async_trait]
pub trait Catalog: Send + Sync + fmt::Debug {
    /// The pointer of a table; `None` where there is no such table.
    async fn pointer(&self, table: &TableName) -> Result<Option<Pointer>>;

    /// Where the files of a new table go. Its namespace, and the place itself where the catalog
    /// gives each table one of its own, are made if they are missing.
    async fn location(&self, table: &TableName) -> Result<String>;

    /// Adds a table. Another of that name is a [`SwapError::Conflict`].
    async fn create(
        &self,
        table: &TableName,
        metadata_location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError>;

    /// Moves a table's pointer from `base` to `metadata_location`, unless it moved meanwhile.
    /// `metadata` is the content of the new file, for catalogs that show it.
    async fn swap(
        &self,
        table: &TableName,
        base: &Pointer,
        metadata_location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError>;

    /// All tables, in order.
    async fn tables(&self) -> Result<Vec<TableName>>;

    /// The files of the tables.
    fn file_io(&self) -> &FileIO;

    /// Whether files that nobody refers to any more are ours to delete.
    fn may_delete_files(&self) -> bool {
        true
    }
}

/// A table as of one pointer.
#[derive(Debug, Clone)]
pub struct LoadedTable {
    /// Its name.
    pub name: TableName,
    /// The pointer.
    pub pointer: Pointer,
    /// The metadata that it leads to.
    pub metadata: TableMetadataRef,
}

/// Loads a table; `None` where there is none of that name.
///
/// # Errors
/// Where the catalog or the metadata file cannot be read.
pub async fn load(catalog: &dyn Catalog, name: &TableName) -> Result<Option<LoadedTable>> {
    let Some(pointer) = catalog.pointer(name).await? else { return Ok(None) };
    let metadata = TableMetadata::read_from(catalog.file_io(), &pointer.metadata_location).await?;
    Ok(Some(LoadedTable { name: name.clone(), pointer, metadata: Arc::new(metadata) }))
}

/// Opens a catalog that the configuration names.
///
/// # Errors
/// Where it cannot be opened.
pub async fn connect(config: &CatalogConfig, aws: &Aws) -> Result<Arc<dyn Catalog>> {
    Ok(match config {
        CatalogConfig::Sqlite { path, warehouse, name } => {
            Arc::new(SqliteCatalog::open(path, warehouse, name).await?)
        }
        CatalogConfig::Glue { warehouse, catalog_id, .. } => Arc::new(GlueCatalog::new(
            aws.glue().await,
            aws.file_io().await?,
            catalog_id.clone(),
            warehouse,
        )),
        CatalogConfig::S3Tables { table_bucket, .. } => Arc::new(S3TablesCatalog::new(
            aws.s3_tables().await,
            aws.file_io().await?,
            table_bucket.clone(),
        )),
    })
}
