//! The row delta as one snapshot: manifests, manifest list, metadata file, pointer swap.
//!
//! Rows, deletes, schema and checkpoint become visible together, or not at all. The library has no
//! such commit; this one is built from its public parts (table spec, version 2).

mod manifests;
mod summary;

use std::collections::HashMap;
use std::str::FromStr;

use iceberg::MetadataLocation;
use iceberg::io::FileIO;
use iceberg::spec::{
    FormatVersion, MAIN_BRANCH, ManifestFile, ManifestListWriter, MetadataLog, Operation, Schema,
    Snapshot, Summary, TableMetadata,
};
use tracing::warn;
use uuid::Uuid;

use super::cache::Cache;
use super::files::WrittenFile;
use super::live::LiveFiles;
use crate::catalog::{Catalog, LoadedTable, SwapError};
use crate::error::{Error, Result};

/// What one commit changes.
#[derive(Debug)]
pub(super) struct RowDelta {
    /// Names the commit in the summary, and its files.
    pub(super) commit_id: Uuid,
    pub(super) data: Vec<WrittenFile>,
    pub(super) deletes: Vec<WrittenFile>,
    /// The schema of the rows, where the table's current one does not hold them.
    pub(super) schema: Option<Schema>,
    /// More entries of the snapshot's summary.
    pub(super) summary: HashMap<String, String>,
    snapshot_id: i64,
    /// Written once; a retry lists them again. Their entries inherit the sequence number of the
    /// snapshot that lists them first.
    manifests: Option<Vec<ManifestFile>>,
}

/// How a commit ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Committed,
    /// Somebody else committed to the table since `base` was loaded.
    Conflict,
}

impl RowDelta {
    pub(super) fn new(commit_id: Uuid, schema: Option<Schema>) -> Self {
        let (high, low) = Uuid::new_v4().as_u64_pair();
        RowDelta {
            commit_id,
            data: Vec::new(),
            deletes: Vec::new(),
            schema,
            summary: HashMap::new(),
            snapshot_id: ((high ^ low) & i64::MAX as u64) as i64,
            manifests: None,
        }
    }

    /// The metadata of `base` with the schema of the delta.
    pub(super) fn evolved(&self, base: &TableMetadata) -> Result<TableMetadata> {
        let Some(schema) = &self.schema else { return Ok(base.clone()) };
        let builder = base.clone().into_builder(None).add_current_schema(schema.clone())?;
        Ok(builder.build()?.metadata)
    }

    /// Whether there is anything but properties to commit.
    pub(super) fn has_files(&self) -> bool {
        !self.data.is_empty() || !self.deletes.is_empty()
    }
}

/// Where commits go.
#[derive(Clone, Copy)]
pub(super) struct Committer<'a> {
    pub(super) catalog: &'a dyn Catalog,
    pub(super) cache: &'a Cache,
}

impl Committer<'_> {
    /// Commits the delta and the properties on top of `base`, whose files are `live`. A delta without
    /// files commits the properties alone and makes no snapshot.
    ///
    /// # Errors
    /// Where a file cannot be written, or the catalog says no. Files that were written stay; nobody
    /// refers to them.
    pub(super) async fn commit(
        self,
        base: &LoadedTable,
        live: &LiveFiles,
        delta: &mut RowDelta,
        properties: HashMap<String, String>,
    ) -> Result<Ended> {
        let file_io = self.catalog.file_io();
        let evolved = delta.evolved(&base.metadata)?;
        let snapshot = match delta.has_files() {
            false => None,
            true => {
                let writer = manifests::Writer { metadata: &evolved, file_io, cache: self.cache };
                let added = match delta.manifests.take() {
                    Some(manifests) => manifests,
                    None => writer.added(delta, delta.snapshot_id).await?,
                };
                let added = delta.manifests.insert(added).clone();
                let merged = writer.merge(&live.manifests, delta.snapshot_id).await?;
                Some(self.snapshot(&evolved, delta, added.into_iter().chain(merged)).await?)
            }
        };
        let mut builder = evolved.into_builder(Some(base.pointer.metadata_location.clone()));
        if let Some(snapshot) = snapshot {
            builder = builder.set_branch_snapshot(snapshot, MAIN_BRANCH)?;
        }
        let built = builder.set_properties(properties)?.build()?;
        let metadata = built.metadata;
        let location = next_location(&base.pointer.metadata_location, &metadata);
        metadata.write_to(file_io, &location).await?;
        let location = location.to_string();
        match self.catalog.swap(&base.name, &base.pointer, &location, &metadata).await {
            Ok(()) => {}
            Err(SwapError::Conflict) => return Ok(Ended::Conflict),
            Err(SwapError::Failed(error)) => return Err(error),
            Err(SwapError::Unknown(error)) => {
                if !self.went_through(base, delta, &location).await? {
                    warn!(table = %base.name, %error, "commit did not go through, trying again");
                    return Ok(Ended::Conflict);
                }
            }
        }
        if self.catalog.may_delete_files() {
            delete_expired(file_io, &metadata, built.expired_metadata_logs).await;
        }
        self.cache.keep_metadata(&location, metadata.into());
        Ok(Ended::Committed)
    }

    /// Whether a commit whose answer was lost became part of the table.
    async fn went_through(
        self,
        base: &LoadedTable,
        delta: &RowDelta,
        location: &str,
    ) -> Result<bool> {
        let now = self.cache.load(self.catalog, &base.name).await?;
        Ok(now.is_some_and(|now| {
            let logged = |log: &MetadataLog| log.metadata_file == location;
            now.pointer.metadata_location == location
                || now.metadata.metadata_log().iter().any(logged)
                || now.metadata.snapshot_by_id(delta.snapshot_id).is_some()
        }))
    }

    /// Writes the manifest list and describes the snapshot.
    async fn snapshot(
        self,
        metadata: &TableMetadata,
        delta: &RowDelta,
        manifests: impl Iterator<Item = ManifestFile>,
    ) -> Result<Snapshot> {
        let parent = metadata.current_snapshot();
        let sequence_number = metadata.next_sequence_number();
        let attempt = Uuid::new_v4();
        let list =
            format!("{}/metadata/snap-{}-{attempt}.avro", metadata.location(), delta.snapshot_id);
        let output = self.catalog.file_io().new_output(&list)?.writer().await?;
        let parent_id = parent.map(|parent| parent.snapshot_id());
        let mut writer =
            ManifestListWriter::v2(output, delta.snapshot_id, parent_id, sequence_number);
        writer.add_manifests(manifests)?;
        writer.close().await?;
        let operation = match delta.deletes.is_empty() {
            true => Operation::Append,
            false => Operation::Overwrite,
        };
        // Clocks of writers differ; a snapshot is not older than the one below it.
        let now = chrono::Utc::now().timestamp_millis().max(metadata.last_updated_ms());
        Ok(Snapshot::builder()
            .with_snapshot_id(delta.snapshot_id)
            .with_parent_snapshot_id(parent_id)
            .with_sequence_number(sequence_number)
            .with_timestamp_ms(now)
            .with_manifest_list(list)
            .with_summary(Summary {
                operation,
                additional_properties: summary::entries(delta, metadata),
            })
            .with_schema_id(metadata.current_schema_id())
            .build())
    }
}

/// The metadata file after `base`. A file that is not named as Iceberg's catalogs name theirs, such as
/// `v3.metadata.json`, starts a new count.
fn next_location(base: &str, metadata: &TableMetadata) -> MetadataLocation {
    match MetadataLocation::from_str(base) {
        Ok(location) => location.with_next_version().with_new_metadata(metadata),
        Err(_) => {
            let table = metadata.location().trim_end_matches('/');
            MetadataLocation::new_with_metadata(table, metadata).with_next_version()
        }
    }
}

/// # Errors
/// [`Error::Table`] where the table is not of format version 2, the one with position deletes that
/// every engine reads.
pub(super) fn check_format(table: &LoadedTable) -> Result<()> {
    match table.metadata.format_version() {
        FormatVersion::V2 => Ok(()),
        other => {
            let fault = format!("is of format version {other}; this writes version 2 only");
            Err(Error::table(&table.name, fault))
        }
    }
}

/// Deletes metadata files that fell out of the log, where the table asks for it. A failure leaves a
/// file that nobody refers to.
async fn delete_expired(file_io: &FileIO, metadata: &TableMetadata, expired: Vec<MetadataLog>) {
    let property = metadata.properties().get("write.metadata.delete-after-commit.enabled");
    if property.is_none_or(|enabled| enabled != "true") {
        return;
    }
    for log in expired {
        if let Err(error) = file_io.delete(&log.metadata_file).await {
            warn!(file = %log.metadata_file, %error, "old metadata file not deleted");
        }
    }
}
