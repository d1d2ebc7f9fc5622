//! Raw files: objects in buckets, which here are directories.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use async_compression::tokio::bufread::GzipDecoder;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

use crate::config::ObjectsConfig;
use crate::error::{Error, Result};

/// Bytes read from a file at a time.
const BUFFER: usize = 256 * 1024;

/// Where raw files lie.
#[derive(Debug, Clone)]
pub enum Objects {
    /// A directory with one folder a bucket.
    Directory(PathBuf),
}

/// An object of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The key within the bucket.
    pub key: String,
    /// Changes when the content does.
    pub etag: String,
    /// Bytes.
    pub size: u64,
}

/// The content of an object, decompressed.
pub type Content = Box<dyn AsyncRead + Send + Unpin>;

impl Objects {
    /// The place that the configuration names.
    pub fn new(config: &ObjectsConfig) -> Self {
        match config {
            ObjectsConfig::Directory { path } => Objects::Directory(path.clone()),
        }
    }

    /// The objects whose keys begin with `prefix` and are greater than `after`, in the order of keys.
    /// A bucket or folder that is not there is empty.
    ///
    /// # Errors
    /// Where the place cannot be read.
    pub async fn list(&self, bucket: &str, prefix: &str, after: &str) -> Result<Vec<Object>> {
        let Objects::Directory(directory) = self;
        let root = directory.join(bucket);
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

    /// Opens an object. Gzip is recognised by its first bytes and decompressed.
    ///
    /// # Errors
    /// [`Error::File`] where there is no such object, [`Error::Io`] where it cannot be read.
    pub async fn open(&self, bucket: &str, key: &str) -> Result<Content> {
        let Objects::Directory(directory) = self;
        let path = directory.join(bucket).join(key);
        let file = match tokio::fs::File::open(&path).await {
            Ok(file) => file,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::file(key, "is not there any more"));
            }
            Err(error) => return Err(Error::io(path.display())(error)),
        };
        let mut content = BufReader::with_capacity(BUFFER, file);
        let head = content.fill_buf().await.map_err(Error::io(path.display()))?;
        match head.starts_with(&[0x1f, 0x8b]) {
            true => {
                let mut decoder = GzipDecoder::new(content);
                decoder.multiple_members(true);
                Ok(Box::new(decoder))
            }
            false => Ok(Box::new(content)),
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
