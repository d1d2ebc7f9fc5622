//! Files that never change, kept across warm invocations within a bound of bytes.
//!
//! Metadata files, manifests, Parquet footers and delete files are immutable in Iceberg: a path stands
//! for one content for ever.

use std::collections::HashMap;
use std::sync::Arc;

use iceberg::spec::{Manifest, TableMetadata, TableMetadataRef};
use parquet::file::metadata::ParquetMetaData;
use roaring::RoaringTreemap;

use crate::catalog::{Catalog, LoadedTable, TableName};
use crate::error::Result;

/// Bytes kept, as far as they can be told. A fraction of the smallest sensible Lambda.
const CAPACITY: u64 = 96 * 1024 * 1024;

/// Deleted positions by the path of the data file.
pub(super) type DeletedPositions = HashMap<String, RoaringTreemap>;

/// The cache. Clones share it.
#[derive(Debug, Clone)]
pub struct Cache {
    entries: moka::sync::Cache<Arc<str>, Entry>,
}

#[derive(Debug, Clone)]
enum Entry {
    Metadata(TableMetadataRef),
    Manifest(Arc<Manifest>, u32),
    Footer(Arc<ParquetMetaData>),
    Deletes(Arc<DeletedPositions>),
}

impl Default for Cache {
    fn default() -> Self {
        let entries = moka::sync::Cache::builder()
            .weigher(|path: &Arc<str>, entry: &Entry| {
                let bytes = match entry {
                    // What grows in it are snapshots and the log of its own files.
                    Entry::Metadata(metadata) => {
                        64 * 1024
                            + metadata.snapshots().len() * 2048
                            + metadata.metadata_log().len() * 256
                    }
                    // Entries are several times as large in memory as in compressed Avro.
                    Entry::Manifest(_, length) => *length as usize * 8,
                    Entry::Footer(footer) => footer.memory_size(),
                    Entry::Deletes(deletes) => deletes
                        .iter()
                        .map(|(path, positions)| path.len() + positions.serialized_size())
                        .sum(),
                };
                u32::try_from(path.len() + bytes).unwrap_or(u32::MAX)
            })
            .max_capacity(CAPACITY)
            .build();
        Cache { entries }
    }
}

impl Cache {
    /// Loads a table as [`crate::catalog::load`] does; a metadata file that is known, such as the one
    /// that the last commit of this process wrote, is not read again.
    pub(super) async fn load(
        &self,
        catalog: &dyn Catalog,
        name: &TableName,
    ) -> Result<Option<LoadedTable>> {
        let Some(pointer) = catalog.pointer(name).await? else { return Ok(None) };
        let metadata = match self.entries.get(pointer.metadata_location.as_str()) {
            Some(Entry::Metadata(metadata)) => metadata,
            _ => {
                let location = &pointer.metadata_location;
                let metadata = TableMetadata::read_from(catalog.file_io(), location).await?;
                let metadata = Arc::new(metadata);
                self.keep_metadata(location, metadata.clone());
                metadata
            }
        };
        Ok(Some(LoadedTable { name: name.clone(), pointer, metadata }))
    }

    pub(super) fn keep_metadata(&self, path: &str, metadata: TableMetadataRef) {
        self.entries.insert(path.into(), Entry::Metadata(metadata));
    }

    pub(super) fn manifest(&self, path: &str) -> Option<Arc<Manifest>> {
        match self.entries.get(path) {
            Some(Entry::Manifest(manifest, _)) => Some(manifest),
            _ => None,
        }
    }

    pub(super) fn keep_manifest(&self, path: &str, manifest: Arc<Manifest>, length: i64) {
        let length = u32::try_from(length).unwrap_or(u32::MAX / 8);
        self.entries.insert(path.into(), Entry::Manifest(manifest, length.min(u32::MAX / 8)));
    }

    pub(super) fn footer(&self, path: &str) -> Option<Arc<ParquetMetaData>> {
        match self.entries.get(path) {
            Some(Entry::Footer(footer)) => Some(footer),
            _ => None,
        }
    }

    pub(super) fn keep_footer(&self, path: &str, footer: Arc<ParquetMetaData>) {
        self.entries.insert(path.into(), Entry::Footer(footer));
    }

    pub(super) fn deletes(&self, path: &str) -> Option<Arc<DeletedPositions>> {
        match self.entries.get(path) {
            Some(Entry::Deletes(deletes)) => Some(deletes),
            _ => None,
        }
    }

    pub(super) fn keep_deletes(&self, path: &str, deletes: Arc<DeletedPositions>) {
        self.entries.insert(path.into(), Entry::Deletes(deletes));
    }
}
