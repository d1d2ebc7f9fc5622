//! The embedded catalog: a SQLite file in the layout of Iceberg's JDBC catalog, so that PyIceberg and
//! Spark open the same file, with the tables in a directory beside it.

use std::path::Path;
use std::time::Duration;

use async_trait::async_trait;
use iceberg::io::FileIO;
use iceberg::spec::TableMetadata;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};

use super::{Catalog, Pointer, SwapError, TableName, Token};
use crate::error::{Error, Result};

/// Tables of the JDBC catalog, version 1 (Iceberg, `JdbcUtil`).
const LAYOUT: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS iceberg_tables (
        catalog_name VARCHAR(255) NOT NULL,
        table_namespace VARCHAR(255) NOT NULL,
        table_name VARCHAR(255) NOT NULL,
        metadata_location VARCHAR(1000),
        previous_metadata_location VARCHAR(1000),
        iceberg_type VARCHAR(5),
        PRIMARY KEY (catalog_name, table_namespace, table_name))",
    "CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (
        catalog_name VARCHAR(255) NOT NULL,
        namespace VARCHAR(255) NOT NULL,
        property_key VARCHAR(255) NOT NULL,
        property_value VARCHAR(1000),
        PRIMARY KEY (catalog_name, namespace, property_key))",
];

/// How long a writer waits for another's transaction to end.
const BUSY: Duration = Duration::from_secs(30);

/// A catalog in a SQLite file.
#[derive(Debug)]
pub struct SqliteCatalog {
    pool: SqlitePool,
    name: String,
    warehouse: String,
    file_io: FileIO,
}

impl SqliteCatalog {
    /// Opens the file at `path`, or creates it. Tables lie in the directory `warehouse`.
    ///
    /// # Errors
    /// Where the file or the directory cannot be made or opened.
    pub async fn open(path: &Path, warehouse: &Path, name: &str) -> Result<Self> {
        Self::with_file_io(path, warehouse, name, FileIO::new_with_fs()).await
    }

    /// The same with other files below, for tests that make them fail.
    ///
    /// # Errors
    /// Where the file or the directory cannot be made or opened.
    pub async fn with_file_io(
        path: &Path,
        warehouse: &Path,
        name: &str,
        file_io: FileIO,
    ) -> Result<Self> {
        for directory in [path.parent().unwrap_or(Path::new(".")), warehouse] {
            std::fs::create_dir_all(directory).map_err(Error::io(directory.display()))?;
        }
        let warehouse = warehouse.canonicalize().map_err(Error::io(warehouse.display()))?;
        let options =
            SqliteConnectOptions::new().filename(path).create_if_missing(true).busy_timeout(BUSY);
        let pool = SqlitePoolOptions::new().max_connections(4).connect_with(options).await?;
        for statement in LAYOUT {
            sqlx::query(statement).execute(&pool).await?;
        }
        let warehouse = format!("file://{}", warehouse.display());
        Ok(SqliteCatalog { pool, name: name.to_owned(), warehouse, file_io })
    }
}

#[async_trait]
impl Catalog for SqliteCatalog {
    async fn pointer(&self, table: &TableName) -> Result<Option<Pointer>> {
        let row = sqlx::query(
            "SELECT metadata_location FROM iceberg_tables
             WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?
               AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)",
        )
        .bind(&self.name)
        .bind(&table.namespace)
        .bind(&table.name)
        .fetch_optional(&self.pool)
        .await?;
        Ok(match row {
            Some(row) => {
                Some(Pointer { metadata_location: row.try_get(0)?, token: Token::Location })
            }
            None => None,
        })
    }

    async fn location(&self, table: &TableName) -> Result<String> {
        sqlx::query(
            "INSERT OR IGNORE INTO iceberg_namespace_properties VALUES (?, ?, 'exists', 'true')",
        )
        .bind(&self.name)
        .bind(&table.namespace)
        .execute(&self.pool)
        .await?;
        Ok(format!("{}/{}/{}", self.warehouse, table.namespace, table.name))
    }

    async fn create(
        &self,
        table: &TableName,
        metadata_location: &str,
        _metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        let done = sqlx::query(
            "INSERT OR IGNORE INTO iceberg_tables
             (catalog_name, table_namespace, table_name, metadata_location, iceberg_type)
             VALUES (?, ?, ?, ?, 'TABLE')",
        )
        .bind(&self.name)
        .bind(&table.namespace)
        .bind(&table.name)
        .bind(metadata_location)
        .execute(&self.pool)
        .await
        .map_err(|error| SwapError::Failed(error.into()))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(SwapError::Conflict) }
    }

    async fn swap(
        &self,
        table: &TableName,
        base: &Pointer,
        metadata_location: &str,
        _metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        let done = sqlx::query(
            "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?
             WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?
               AND metadata_location = ?",
        )
        .bind(metadata_location)
        .bind(&base.metadata_location)
        .bind(&self.name)
        .bind(&table.namespace)
        .bind(&table.name)
        .bind(&base.metadata_location)
        .execute(&self.pool)
        .await
        .map_err(|error| SwapError::Unknown(error.into()))?;
        if done.rows_affected() == 1 { Ok(()) } else { Err(SwapError::Conflict) }
    }

    async fn tables(&self) -> Result<Vec<TableName>> {
        let rows = sqlx::query(
            "SELECT table_namespace, table_name FROM iceberg_tables
             WHERE catalog_name = ? AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)
             ORDER BY table_namespace, table_name",
        )
        .bind(&self.name)
        .fetch_all(&self.pool)
        .await?;
        let name = |row: &sqlx::sqlite::SqliteRow| {
            Ok(TableName { namespace: row.try_get(0)?, name: row.try_get(1)? })
        };
        rows.iter().map(name).collect()
    }

    fn file_io(&self) -> &FileIO {
        &self.file_io
    }
}
