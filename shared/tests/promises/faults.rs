//! Files and a catalog that fail at a chosen step, and that tell which files were read.

#![allow(unreachable_pub)]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use iceberg::io::{
    FileIO, FileIOBuilder, FileMetadata, FileRead, FileWrite, InputFile, LocalFsStorage,
    OutputFile, Storage, StorageConfig, StorageFactory,
};
use iceberg::spec::TableMetadata;
use serde::{Deserialize, Serialize};
use shared::aws::Aws;
use shared::catalog::{Catalog, Pointer, SqliteCatalog, SwapError, TableName};
use shared::config::CatalogConfig;
use shared::lakehouse::NamedCatalog;
use shared::{Error, Lakehouse, Result};

use crate::support::TestLake;

/// When the step fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// It is not taken.
    Before,
    /// It is taken, and the writer dies before it learns of it.
    After,
    /// It is taken, and the catalog's answer does not come. Files fail as before.
    AnswerLost,
    /// It is not taken, and the catalog's answer does not come either.
    QuestionLost,
}

/// One fault, at one step.
#[derive(Debug, Clone)]
pub struct Faults(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    left: usize,
    when: When,
    hit: Option<String>,
    read: Vec<String>,
}

impl Default for Faults {
    fn default() -> Self {
        Faults::at(usize::MAX, When::Before)
    }
}

impl Faults {
    pub fn at(step: usize, when: When) -> Self {
        Faults(Arc::new(Mutex::new(State { left: step, when, hit: None, read: Vec::new() })))
    }

    /// The step that failed.
    pub fn hit(&self) -> Option<String> {
        self.0.lock().unwrap().hit.clone()
    }

    /// Data files that were read in parts since the last call.
    pub fn data_files_read(&self) -> Vec<String> {
        let mut read = std::mem::take(&mut self.0.lock().unwrap().read);
        read.retain(|path| kind(path) == "data");
        read.sort();
        read.dedup();
        read
    }

    /// Counts a step. A step that is hit fails as told.
    fn step(&self, name: &str) -> Option<When> {
        let mut state = self.0.lock().unwrap();
        if state.hit.is_some() {
            return None;
        }
        if state.left > 0 {
            state.left -= 1;
            return None;
        }
        state.hit = Some(name.to_owned());
        Some(state.when)
    }
}

fn failed() -> iceberg::Error {
    iceberg::Error::new(iceberg::ErrorKind::Unexpected, "injected fault")
}

/// What a file is, by its name.
fn kind(path: &str) -> &'static str {
    match path.rsplit('/').next().unwrap_or_default() {
        name if name.ends_with(".metadata.json") => "metadata",
        name if name.starts_with("snap-") => "manifest list",
        name if name.ends_with(".avro") => "manifest",
        name if name.contains("-deletes-") => "deletes",
        _ => "data",
    }
}

/// The lakehouse with faults in its files and its catalog.
pub async fn faulty(lake: &TestLake, faults: &Faults) -> Lakehouse {
    let Some(CatalogConfig::Sqlite { path, warehouse, name }) = &lake.config.catalog else {
        panic!("the tests' lakehouse has an embedded catalog");
    };
    let inner = SqliteCatalog::with_file_io(path, warehouse, name, file_io(faults)).await.unwrap();
    let catalog = FaultyCatalog { inner, faults: faults.clone() };
    let catalogs = vec![NamedCatalog { name: name.clone(), catalog: Arc::new(catalog) }];
    Lakehouse::with_catalogs(lake.config.clone(), catalogs, &Aws::default()).await
}

/// Local files with faults.
fn file_io(faults: &Faults) -> FileIO {
    let storage = FaultyStorage { faults: faults.clone(), inner: LocalFsStorage::new() };
    FileIOBuilder::new(Arc::new(storage)).build()
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct FaultyStorage {
    #[serde(skip)]
    faults: Faults,
    inner: LocalFsStorage,
}

#[typetag::serde]
impl StorageFactory for FaultyStorage {
    fn build(&self, _config: &StorageConfig) -> iceberg::Result<Arc<dyn Storage>> {
        Ok(Arc::new(self.clone()))
    }
}

#[async_trait]
#[typetag::serde]
impl Storage for FaultyStorage {
    async fn exists(&self, path: &str) -> iceberg::Result<bool> {
        self.inner.exists(path).await
    }

    async fn metadata(&self, path: &str) -> iceberg::Result<FileMetadata> {
        self.inner.metadata(path).await
    }

    async fn read(&self, path: &str) -> iceberg::Result<Bytes> {
        self.inner.read(path).await
    }

    async fn reader(&self, path: &str) -> iceberg::Result<Box<dyn FileRead>> {
        let reader = self.inner.reader(path).await?;
        Ok(Box::new(ToldReader { faults: self.faults.clone(), path: path.to_owned(), reader }))
    }

    async fn write(&self, path: &str, bytes: Bytes) -> iceberg::Result<()> {
        match self.faults.step(kind(path)) {
            None => self.inner.write(path, bytes).await,
            Some(When::Before | When::QuestionLost) => Err(failed()),
            Some(When::After | When::AnswerLost) => {
                self.inner.write(path, bytes).await?;
                Err(failed())
            }
        }
    }

    async fn writer(&self, path: &str) -> iceberg::Result<Box<dyn FileWrite>> {
        Ok(Box::new(FaultyWriter {
            faults: self.faults.clone(),
            kind: kind(path),
            inner: self.inner.writer(path).await?,
        }))
    }

    async fn delete(&self, path: &str) -> iceberg::Result<()> {
        self.inner.delete(path).await
    }

    async fn delete_prefix(&self, path: &str) -> iceberg::Result<()> {
        self.inner.delete_prefix(path).await
    }

    async fn delete_stream(&self, paths: BoxStream<'static, String>) -> iceberg::Result<()> {
        self.inner.delete_stream(paths).await
    }

    fn new_input(&self, path: &str) -> iceberg::Result<InputFile> {
        Ok(InputFile::new(Arc::new(self.clone()), path.to_owned()))
    }

    fn new_output(&self, path: &str) -> iceberg::Result<OutputFile> {
        Ok(OutputFile::new(Arc::new(self.clone()), path.to_owned()))
    }
}

/// A file that tells when it is read.
struct ToldReader {
    faults: Faults,
    path: String,
    reader: Box<dyn FileRead>,
}

#[async_trait]
impl FileRead for ToldReader {
    async fn read(&self, range: std::ops::Range<u64>) -> iceberg::Result<Bytes> {
        self.faults.0.lock().unwrap().read.push(self.path.clone());
        self.reader.read(range).await
    }
}

/// A file in the making; the step is its end.
struct FaultyWriter {
    faults: Faults,
    kind: &'static str,
    inner: Box<dyn FileWrite>,
}

#[async_trait]
impl FileWrite for FaultyWriter {
    async fn write(&mut self, bytes: Bytes) -> iceberg::Result<()> {
        self.inner.write(bytes).await
    }

    async fn close(&mut self) -> iceberg::Result<()> {
        match self.faults.step(self.kind) {
            None => self.inner.close().await,
            Some(When::Before | When::QuestionLost) => Err(failed()),
            Some(When::After | When::AnswerLost) => {
                self.inner.close().await?;
                Err(failed())
            }
        }
    }
}

/// The embedded catalog with faults.
#[derive(Debug)]
struct FaultyCatalog {
    inner: SqliteCatalog,
    faults: Faults,
}

fn fault() -> Error {
    Error::Iceberg(failed())
}

#[async_trait]
impl Catalog for FaultyCatalog {
    async fn pointer(&self, table: &TableName) -> Result<Option<Pointer>> {
        self.inner.pointer(table).await
    }

    async fn location(&self, table: &TableName) -> Result<String> {
        self.inner.location(table).await
    }

    async fn create(
        &self,
        table: &TableName,
        location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        match self.faults.step("create") {
            None => self.inner.create(table, location, metadata).await,
            Some(When::Before | When::QuestionLost) => Err(SwapError::Failed(fault())),
            Some(When::After | When::AnswerLost) => {
                self.inner.create(table, location, metadata).await?;
                Err(SwapError::Failed(fault()))
            }
        }
    }

    async fn swap(
        &self,
        table: &TableName,
        base: &Pointer,
        location: &str,
        metadata: &TableMetadata,
    ) -> Result<(), SwapError> {
        let when = self.faults.step("swap");
        if matches!(when, None | Some(When::After | When::AnswerLost)) {
            self.inner.swap(table, base, location, metadata).await?;
        }
        match when {
            None => Ok(()),
            Some(When::Before | When::After) => Err(SwapError::Failed(fault())),
            Some(When::AnswerLost | When::QuestionLost) => Err(SwapError::Unknown(fault())),
        }
    }

    async fn tables(&self) -> Result<Vec<TableName>> {
        self.inner.tables().await
    }

    fn file_io(&self) -> &FileIO {
        self.inner.file_io()
    }
}
