//! A directory that stands for an object store: one folder a bucket.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use tokio::io::{AsyncBufRead, BufReader};

use super::{Object, gone};
use crate::error::{Error, Result};

/// Bytes read from a file at a time.
const BUFFER: usize = 256 * 1024;

/// A directory with one folder a bucket.
#[derive(Debug, Clone)]
pub struct Directory(PathBuf);

impl Directory {
    pub(super) fn new(path: PathBuf) -> Self {
        Directory(path)
    }

    /// A bucket or folder that is not there is empty.
    pub(super) fn list(&self, bucket: &str, prefix: &str, after: &str) -> Result<Vec<Object>> {
        let root = self.0.join(bucket);
        // The folder of the prefix: an object store has no folders, a directory has.
        let folder = prefix.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut objects = Vec::new();
        let mut folders = vec![root.join(folder)];
        while let Some(folder) = folders.pop() {
            let entries = match std::fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::io(folder.display())(error)),
            };
            for entry in entries {
                let path = entry.map_err(Error::io(folder.display()))?.path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let Some(key) = key(&root, &path) else { continue };
                if key.starts_with(prefix)
                    && key.as_str() > after
                    && let Some(object) = describe(&path, key)?
                {
                    objects.push(object);
                }
            }
        }
        objects.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        Ok(objects)
    }

    pub(super) async fn open(
        &self,
        bucket: &str,
        object: &Object,
    ) -> Result<impl AsyncBufRead + Send + Unpin + 'static> {
        let path = self.0.join(bucket).join(&object.key);
        match tokio::fs::File::open(&path).await {
            Ok(file) => Ok(BufReader::with_capacity(BUFFER, file)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(gone(&object.key)),
            Err(error) => Err(Error::io(path.display())(error)),
        }
    }
}

/// The key of a file below a bucket; `None` for names that are no text, which no key is.
fn key(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.iter().map(|part| part.to_str());
    Some(parts.collect::<Option<Vec<_>>>()?.join("/"))
}

/// Size and age stand in for the etag of an object store. `None` where the file is gone meanwhile.
fn describe(path: &Path, key: String) -> Result<Option<Object>> {
    let metadata = match std::fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(path.display())(error)),
    };
    let modified = metadata.modified().map_err(Error::io(path.display()))?;
    let age = modified.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    Ok(Some(Object { key, etag: format!("{:x}-{age:x}", metadata.len()), size: metadata.len() }))
}
