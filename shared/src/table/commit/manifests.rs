//! Manifests: new ones for what a commit adds, and merged ones in place of many small ones, so that
//! the cost of a commit does not grow with the number of commits before it.

use std::collections::BTreeMap;

use iceberg::io::FileIO;
use iceberg::spec::{
    ManifestContentType, ManifestFile, ManifestWriter, ManifestWriterBuilder, TableMetadata,
};

use super::RowDelta;
use crate::error::{Error, Result};
use crate::table::cache::Cache;
use crate::table::files::WrittenFile;
use crate::table::live::load_manifest;

/// Small manifests that are left alone (`commit.manifest.min-count-to-merge`).
const MIN_COUNT_TO_MERGE: usize = 100;
/// A manifest of this size is not small (`commit.manifest.target-size-bytes`).
const TARGET_BYTES: i64 = 8 * 1024 * 1024;

/// Lets the list writer give a new manifest's entries the sequence number of the commit.
const INHERITED: i64 = -1;

pub(super) struct Writer<'a> {
    /// The table's metadata with the schema of the commit.
    pub(super) metadata: &'a TableMetadata,
    pub(super) file_io: &'a FileIO,
    pub(super) cache: &'a Cache,
}

impl Writer<'_> {
    /// Writes the manifests of what `delta` adds: one a kind and partition spec.
    pub(super) async fn added(
        &self,
        delta: &RowDelta,
        snapshot_id: i64,
    ) -> Result<Vec<ManifestFile>> {
        let mut manifests = Vec::new();
        let kinds = [
            (ManifestContentType::Data, &delta.data),
            (ManifestContentType::Deletes, &delta.deletes),
        ];
        for (content, files) in kinds {
            let mut by_spec: BTreeMap<i32, Vec<&WrittenFile>> = BTreeMap::new();
            for file in files {
                by_spec.entry(file.spec_id).or_default().push(file);
            }
            for (spec_id, files) in by_spec {
                let mut writer = self.open(content, spec_id, snapshot_id)?;
                for file in files {
                    writer.add_file(file.file.clone(), INHERITED)?;
                }
                manifests.push(writer.write_manifest_file().await?);
            }
        }
        Ok(manifests)
    }

    /// The manifests of the base, with small ones of a kind and spec merged where there are many.
    pub(super) async fn merge(
        &self,
        manifests: &[ManifestFile],
        snapshot_id: i64,
    ) -> Result<Vec<ManifestFile>> {
        let enabled =
            self.property("commit.manifest-merge.enabled").is_none_or(|text| text != "false");
        let min_count = self.number("commit.manifest.min-count-to-merge", MIN_COUNT_TO_MERGE);
        let target = self.number("commit.manifest.target-size-bytes", TARGET_BYTES);
        let mut kept = Vec::new();
        let mut small: BTreeMap<(i32, i32), Vec<&ManifestFile>> = BTreeMap::new();
        for manifest in manifests {
            match manifest.manifest_length < target {
                true => {
                    let kind = (manifest.content as i32, manifest.partition_spec_id);
                    small.entry(kind).or_default().push(manifest);
                }
                false => kept.push(manifest.clone()),
            }
        }
        for group in small.into_values() {
            match enabled && group.len() >= min_count.max(2) {
                true => kept.push(self.merge_group(&group, snapshot_id).await?),
                false => kept.extend(group.into_iter().cloned()),
            }
        }
        Ok(kept)
    }

    async fn merge_group(&self, group: &[&ManifestFile], snapshot_id: i64) -> Result<ManifestFile> {
        let (content, spec_id) = (group[0].content, group[0].partition_spec_id);
        let mut writer = self.open(content, spec_id, snapshot_id)?;
        for file in group {
            let manifest = load_manifest(file, self.file_io, self.cache).await?;
            // An entry that says that a file was deleted has done its work in its own snapshot.
            for entry in manifest.entries().iter().filter(|entry| entry.is_alive()) {
                let (Some(added_by), Some(sequence_number)) =
                    (entry.snapshot_id(), entry.sequence_number())
                else {
                    let fault = "has an entry without a snapshot or sequence number";
                    return Err(Error::file(&file.manifest_path, fault));
                };
                // Readers need the file's own sequence number to be there, not more.
                let file_sequence = entry.file_sequence_number.unwrap_or(sequence_number);
                let data_file = entry.data_file().clone();
                writer.add_existing_file(
                    data_file,
                    added_by,
                    sequence_number,
                    Some(file_sequence),
                )?;
            }
        }
        Ok(writer.write_manifest_file().await?)
    }

    fn open(
        &self,
        content: ManifestContentType,
        spec_id: i32,
        snapshot_id: i64,
    ) -> Result<ManifestWriter> {
        let metadata = self.metadata;
        let spec = metadata.partition_spec_by_id(spec_id).ok_or_else(|| {
            Error::table(metadata.location(), format!("has no partition spec {spec_id}"))
        })?;
        let path = format!("{}/metadata/{}-m0.avro", metadata.location(), uuid::Uuid::new_v4());
        let builder = ManifestWriterBuilder::new(
            self.file_io.new_output(path)?,
            Some(snapshot_id),
            metadata.current_schema().clone(),
            spec.as_ref().clone(),
        );
        Ok(match content {
            ManifestContentType::Data => builder.build_v2_data(),
            ManifestContentType::Deletes => builder.build_v2_deletes(),
        })
    }

    fn property(&self, name: &str) -> Option<&str> {
        self.metadata.properties().get(name).map(String::as_str)
    }

    fn number<T: std::str::FromStr>(&self, name: &str, default: T) -> T {
        self.property(name).and_then(|text| text.parse().ok()).unwrap_or(default)
    }
}
