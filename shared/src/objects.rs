//! Raw files: objects in S3 buckets, or in directories that stand for buckets.

mod directory;
mod s3;

use async_compression::tokio::bufread::GzipDecoder;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead};

pub use s3::read;

use crate::aws::Aws;
use crate::config::ObjectsConfig;
use crate::error::{Error, Result};
use directory::Directory;
use s3::S3;

/// Where raw files lie.
#[derive(Debug, Clone)]
pub enum Objects {
    /// A directory with one folder a bucket.
    Directory(Directory),
    /// Amazon S3.
    S3(S3),
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

/// The first bytes of gzip (RFC 1952, 2.3.1).
const GZIP: [u8; 2] = [0x1f, 0x8b];

impl Objects {
    /// The place that the configuration names.
    pub async fn connect(config: &ObjectsConfig, aws: &Aws) -> Self {
        match config {
            ObjectsConfig::Directory { path } => Objects::Directory(Directory::new(path.clone())),
            ObjectsConfig::S3 {} => Objects::S3(S3::new(aws.s3().await)),
        }
    }

    /// The objects whose keys begin with `prefix` and are greater than `after`, in the order of keys.
    ///
    /// # Errors
    /// Where the place cannot be read.
    pub async fn list(&self, bucket: &str, prefix: &str, after: &str) -> Result<Vec<Object>> {
        match self {
            Objects::Directory(directory) => directory.list(bucket, prefix, after),
            Objects::S3(s3) => s3.list(bucket, prefix, after).await,
        }
    }

    /// Opens an object as it was listed. Gzip is told by its first bytes or by the name, and
    /// decompressed.
    ///
    /// # Errors
    /// [`Error::File`] where there is no such object any more, else where it cannot be read.
    pub async fn open(&self, bucket: &str, object: &Object) -> Result<Content> {
        match self {
            Objects::Directory(directory) => {
                decompressed(directory.open(bucket, object).await?, object).await
            }
            Objects::S3(s3) => decompressed(s3.open(bucket, object), object).await,
        }
    }
}

async fn decompressed(
    mut content: impl AsyncBufRead + Send + Unpin + 'static,
    object: &Object,
) -> Result<Content> {
    let head = content.fill_buf().await.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => gone(&object.key),
        _ => Error::io(&object.key)(error),
    })?;
    let named = object.key.ends_with(".gz") && !head.is_empty();
    if !named && !head.starts_with(&GZIP) {
        return Ok(Box::new(content));
    }
    let mut decoder = GzipDecoder::new(content);
    decoder.multiple_members(true);
    Ok(Box::new(decoder))
}

/// The fault of an object that was listed and is not there.
fn gone(key: &str) -> Error {
    Error::file(key, "is not there any more")
}
