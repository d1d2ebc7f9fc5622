//! One file, read and applied in parts: memory does not grow with the file.

use std::time::{Duration, Instant};

use shared::Error;
use shared::batch::{Batch, Covered, FilePart};
use shared::counts::Counts;
use shared::decode::Decoded;
use shared::decode::dms_csv::{
    CsvLayout, Cursor, FileOrder, complete_records, decode, read_header,
};
use shared::objects::{Content, Object};
use tokio::io::AsyncReadExt;

use crate::folder::Folder;

/// Bytes of a part. A part is a commit: larger ones make fewer and larger data files.
const PART_BYTES: usize = 32 * 1024 * 1024;

/// A record longer than this is a quote that was never closed.
const RECORD_BYTES: usize = 4 * PART_BYTES;

/// Bytes of parts that an event holds at once, in units of [`MEMORY_UNIT`]: two large files, or many
/// small ones.
pub(crate) const MEMORY: usize = 2 * PART_BYTES / MEMORY_UNIT as usize + 2;
const MEMORY_UNIT: u64 = 1024;

/// What some editors put before UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A file of a folder.
#[derive(Debug)]
pub(crate) struct File<'f, 'l> {
    pub(crate) folder: &'f Folder<'l>,
    pub(crate) object: &'f Object,
    /// Below the folder.
    pub(crate) name: &'f str,
    pub(crate) full_load: bool,
    pub(crate) reloads: u32,
}

impl File<'_, '_> {
    /// Applies what the table does not hold of the file.
    pub(crate) async fn apply(&self, counts: &mut Counts) -> Result<(), Error> {
        let Folder { objects, source, s3, format, table, memory, deadline, .. } = self.folder;
        let _memory = memory.acquire_many(self.memory()).await;
        let mut content = objects.open(&s3.bucket, self.object).await?;
        let order = FileOrder {
            source: source.name.clone(),
            reloads: self.reloads,
            full_load: self.full_load,
            name: self.name.to_owned(),
        };
        let mut cursor = Cursor::new(&self.object.key);
        let mut bytes = Vec::new();
        let mut last = self.fill(&mut content, &mut bytes).await?;
        if bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        if bytes.is_empty() {
            return Err(Error::file(&self.object.key, "is empty"));
        }
        let layout = self.layout(&mut bytes, &mut cursor)?;
        let mut slowest = Duration::ZERO;
        loop {
            let length = if last { bytes.len() } else { whole_records(&bytes) };
            let start = cursor.records;
            let mut decoded = Decoded::default();
            decode(&bytes[..length], &layout, format, &order, &mut cursor, &mut decoded);
            let part = FilePart {
                source: source.name.clone(),
                from: table.config().from.clone(),
                name: self.name.to_owned(),
                etag: self.object.etag.clone(),
                full_load: self.full_load,
                start,
                end: cursor.records,
                last,
            };
            let Decoded { changes, rejected, .. } = decoded;
            let batch = Batch { changes, rejected, covered: Covered::File(part) };
            let started = Instant::now();
            *counts += &table.apply(batch).await?;
            if last {
                return Ok(());
            }
            slowest = slowest.max(started.elapsed());
            // The next delivery goes on where this one stops.
            if !deadline.allows(slowest) {
                return Err(Error::OutOfTime);
            }
            bytes.drain(..length);
            last = self.fill(&mut content, &mut bytes).await?;
        }
    }

    /// The memory that reading the file takes, in units of [`MEMORY`].
    fn memory(&self) -> u32 {
        // How large a compressed file really is shows only when it is read.
        let whole = self.object.key.ends_with(".gz");
        let bytes = if whole { PART_BYTES as u64 } else { self.object.size.min(PART_BYTES as u64) };
        (bytes / MEMORY_UNIT) as u32 + 1
    }

    /// Reads until there are bytes for a part, or none are left, which it returns.
    async fn fill(&self, content: &mut Content, bytes: &mut Vec<u8>) -> Result<bool, Error> {
        let wanted = PART_BYTES.max(bytes.len() + PART_BYTES / 4);
        bytes.reserve(wanted.saturating_sub(bytes.len()));
        while bytes.len() < wanted {
            let read = content.read_buf(bytes).await.map_err(|error| match error.kind() {
                // What was compressed is cut off or broken, and will be the next time.
                std::io::ErrorKind::UnexpectedEof | std::io::ErrorKind::InvalidData => {
                    Error::file(&self.object.key, format!("cannot be decompressed: {error}"))
                }
                _ => Error::io(&self.object.key)(error),
            })?;
            if read == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// What the fields of the file are. A header is taken off `bytes`.
    fn layout(&self, bytes: &mut Vec<u8>, cursor: &mut Cursor) -> Result<CsvLayout, Error> {
        let Folder { format, table, .. } = self.folder;
        if !format.header {
            return Ok(CsvLayout::from_config(
                format,
                table.config().columns.keys(),
                self.full_load,
            ));
        }
        let read = read_header(format, &table.config().key, self.full_load, bytes, cursor);
        let (layout, length) = read
            .map_err(|reason| Error::file(&self.object.key, format!("cannot be read: {reason}")))?;
        bytes.drain(..length);
        Ok(layout)
    }
}

/// The length of the whole records in `bytes`. Where a quote is not closed for too long, lines are
/// taken for records, and the one with the quote is rejected.
fn whole_records(bytes: &[u8]) -> usize {
    match complete_records(bytes) {
        0 if bytes.len() >= RECORD_BYTES => {
            bytes.iter().rposition(|&byte| byte == b'\n').map_or(bytes.len(), |end| end + 1)
        }
        length => length,
    }
}
