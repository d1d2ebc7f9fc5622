//! The data and delete files of a table's current snapshot.

use std::sync::Arc;

use futures::{StreamExt, TryStreamExt, stream};
use iceberg::io::FileIO;
use iceberg::spec::{
    DataContentType, DataFile, Manifest, ManifestEntry, ManifestFile, ManifestList, TableMetadata,
};

use super::cache::Cache;
use crate::error::Result;

/// Manifests read at a time.
const CONCURRENCY: usize = 16;

/// The files of a snapshot.
#[derive(Debug, Clone, Default)]
pub(super) struct LiveFiles {
    pub(super) data: Vec<LiveFile>,
    pub(super) deletes: Vec<LiveFile>,
    /// The manifests that list them.
    pub(super) manifests: Vec<ManifestFile>,
}

/// A file of a snapshot.
#[derive(Debug, Clone)]
pub(super) struct LiveFile {
    entry: Arc<ManifestEntry>,
    /// The partition spec that the file was written with.
    pub(super) spec_id: i32,
}

impl LiveFile {
    pub(super) fn file(&self) -> &DataFile {
        self.entry.data_file()
    }

    pub(super) fn path(&self) -> &str {
        self.entry.file_path()
    }

    /// The sequence number that says which deletes apply to it.
    pub(super) fn sequence_number(&self) -> i64 {
        self.entry.sequence_number().unwrap_or(0)
    }
}

impl LiveFiles {
    /// Whether some other writer left deletes by value, which `locate` does not apply.
    pub(super) fn has_equality_deletes(&self) -> bool {
        let is = |file: &LiveFile| file.entry.content_type() == DataContentType::EqualityDeletes;
        self.deletes.iter().any(is)
    }

    /// Reads the manifests of the current snapshot. A table without a snapshot has no files.
    pub(super) async fn load(
        metadata: &TableMetadata,
        file_io: &FileIO,
        cache: &Cache,
    ) -> Result<LiveFiles> {
        let Some(snapshot) = metadata.current_snapshot() else {
            return Ok(LiveFiles::default());
        };
        let list = file_io.new_input(snapshot.manifest_list())?.read().await?;
        let list = ManifestList::parse_with_version(&list, metadata.format_version())?;
        let manifests: Vec<ManifestFile> = list.consume_entries().into_iter().collect();
        let loaded: Vec<Arc<Manifest>> = stream::iter(&manifests)
            .map(|manifest| load_manifest(manifest, file_io, cache))
            .buffered(CONCURRENCY)
            .try_collect()
            .await?;
        let mut files = LiveFiles { manifests, ..LiveFiles::default() };
        for (manifest, file) in loaded.iter().zip(&files.manifests) {
            for entry in manifest.entries().iter().filter(|entry| entry.is_alive()) {
                let live = LiveFile { entry: entry.clone(), spec_id: file.partition_spec_id };
                match entry.content_type() {
                    DataContentType::Data => files.data.push(live),
                    _ => files.deletes.push(live),
                }
            }
        }
        Ok(files)
    }
}

/// Reads a manifest, or takes it from the cache.
pub(super) async fn load_manifest(
    file: &ManifestFile,
    file_io: &FileIO,
    cache: &Cache,
) -> Result<Arc<Manifest>> {
    if let Some(manifest) = cache.manifest(&file.manifest_path) {
        return Ok(manifest);
    }
    let manifest = Arc::new(file.load_manifest(file_io).await?);
    cache.keep_manifest(&file.manifest_path, manifest.clone(), file.manifest_length);
    Ok(manifest)
}
