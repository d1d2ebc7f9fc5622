//! Objects in Amazon S3, read in ranges.
//!
//! A file is read for as long as its parts take to commit, which no single connection outlives.
//! Every range is a request of its own, tried again when it breaks off, and asks for the content
//! that was listed: an object that is rewritten meanwhile is never read half and half.

use std::io::{Error as IoError, ErrorKind};
use std::ops::Range;

use aws_sdk_s3::Client;
use aws_sdk_s3::error::{ProvideErrorMetadata, SdkError};
use bytes::Bytes;
use futures::{StreamExt, stream};
use tokio::io::AsyncBufRead;
use tokio_util::io::StreamReader;

use super::Object;
use crate::error::{Error, Result};

/// Bytes of a range.
const RANGE: u64 = 8 * 1024 * 1024;

/// Ranges under way at once: one is read while the one before it is decoded.
const AHEAD: usize = 2;

/// Tries of a range whose body broke off. The SDK itself tries again what fails before that.
const TRIES: u32 = 4;

/// Amazon S3.
#[derive(Debug, Clone)]
pub struct S3 {
    client: Client,
}

impl S3 {
    pub(super) fn new(client: Client) -> Self {
        S3 { client }
    }

    pub(super) async fn list(
        &self,
        bucket: &str,
        prefix: &str,
        after: &str,
    ) -> Result<Vec<Object>> {
        let request = self.client.list_objects_v2().bucket(bucket).prefix(prefix);
        let after = (!after.is_empty()).then(|| after.to_owned());
        let mut pages = request.set_start_after(after).into_paginator().send();
        let mut objects = Vec::new();
        while let Some(page) = pages.next().await {
            let page = page.map_err(Error::aws("s3:ListBucket"))?;
            objects.extend(page.contents.unwrap_or_default().into_iter().filter_map(|object| {
                Some(Object {
                    key: object.key?,
                    etag: object.e_tag?,
                    size: object.size?.try_into().ok()?,
                })
            }));
        }
        // Buckets list keys in the order of their UTF-8 bytes; directory buckets and some servers
        // do not.
        objects.sort_unstable_by(|a, b| a.key.cmp(&b.key));
        Ok(objects)
    }

    pub(super) fn open(
        &self,
        bucket: &str,
        object: &Object,
    ) -> impl AsyncBufRead + Send + Unpin + 'static {
        let starts = (0..object.size).step_by(RANGE as usize);
        let size = object.size;
        let (client, bucket, object) = (self.client.clone(), bucket.to_owned(), object.clone());
        let ranges = stream::iter(starts).map(move |start| {
            let (client, bucket, object) = (client.clone(), bucket.clone(), object.clone());
            async move {
                let range = start..(start + RANGE).min(size);
                let mut tries = 1;
                loop {
                    match range_of(&client, &bucket, &object, &range).await {
                        Err(error) if error.kind() == ErrorKind::Interrupted && tries < TRIES => {
                            tries += 1;
                        }
                        done => return done,
                    }
                }
            }
        });
        StreamReader::new(ranges.buffered(AHEAD).boxed())
    }
}

/// One range of an object. A body that breaks off is [`ErrorKind::Interrupted`].
async fn range_of(
    client: &Client,
    bucket: &str,
    object: &Object,
    range: &Range<u64>,
) -> Result<Bytes, IoError> {
    let request = client.get_object().bucket(bucket).key(&object.key).if_match(&object.etag);
    let request = request.range(format!("bytes={}-{}", range.start, range.end - 1));
    let answer = request.send().await.map_err(|error| match status(&error) {
        Some(404) => IoError::new(ErrorKind::NotFound, "is not there any more"),
        Some(412) => IoError::other("was rewritten while it was read"),
        _ => IoError::other(Error::aws("s3:GetObject")(error)),
    })?;
    let body = answer.body.collect().await;
    let bytes = body.map_err(|error| IoError::new(ErrorKind::Interrupted, error))?.into_bytes();
    match bytes.len() as u64 == range.end - range.start {
        true => Ok(bytes),
        false => Err(IoError::new(ErrorKind::Interrupted, "a range came short")),
    }
}

fn status<E>(
    error: &SdkError<E, aws_smithy_runtime_api::client::orchestrator::HttpResponse>,
) -> Option<u16> {
    error.raw_response().map(|response| response.status().as_u16())
}

/// A whole object that is small.
///
/// # Errors
/// Where it is not there or cannot be read.
pub async fn read(client: &Client, bucket: &str, key: &str) -> Result<Bytes> {
    let answer = client.get_object().bucket(bucket).key(key).send().await;
    let answer = answer.map_err(|error| match error.code() {
        Some("NoSuchKey") => Error::file(format!("s3://{bucket}/{key}"), "is not there"),
        _ => Error::aws("s3:GetObject")(error),
    })?;
    let body = answer.body.collect().await;
    let body = body.map_err(|error| Error::io(key)(IoError::other(error)))?;
    Ok(body.into_bytes())
}
