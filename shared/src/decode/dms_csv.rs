//! CSV files that AWS DMS drops: full loads, then changes.
//!
//! The layout of a file is told by its header or by the configuration, never guessed: a table whose
//! first column holds an `I` must not be taken for one with ops. A file is decoded in chunks of
//! whole records; records borrow from their chunk.

mod layout;
mod scanner;

use std::borrow::Cow;
use std::sync::Arc;

pub use layout::CsvLayout;
use layout::Role;
pub use scanner::complete_records;
use scanner::{Field, Scanned, Scanner};

use super::{Decoded, utf8};
use crate::change::{
    Cell, Change, Key, Op, Original, Position, Raw, Reason, Rejected, Row, Version,
};
use crate::config::CsvFormat;
use crate::iso8601;

/// What a change's version is made of, for the changes of one file.
#[derive(Debug, Clone)]
pub struct FileOrder {
    /// The source's name.
    pub source: String,
    /// How often the full load was started again.
    pub reloads: u32,
    /// Full load files come before change files.
    pub full_load: bool,
    /// The file's name within its folder.
    pub name: String,
}

/// How far a file was read.
#[derive(Debug, Clone)]
pub struct Cursor {
    /// The object's key, for positions.
    name: Arc<str>,
    /// Lines read.
    line: u64,
    /// Records read, the header not counted.
    pub records: u64,
}

impl Cursor {
    /// The beginning of the file.
    pub fn new(name: &str) -> Self {
        Cursor { name: Arc::from(name), line: 0, records: 0 }
    }
}

/// Reads the header off the beginning of a file. Returns the bytes that it takes.
///
/// # Errors
/// Where the header does not match what the configuration expects.
pub fn read_header(
    format: &CsvFormat,
    key: &[String],
    full_load: bool,
    bytes: &[u8],
    cursor: &mut Cursor,
) -> Result<(CsvLayout, usize), Reason> {
    let mut scanner = Scanner::new(bytes, format.delimiter as u8);
    let Some(Scanned { fields: Ok(fields), lines }) = scanner.next() else {
        return Err(Reason::new("line 1 is no header"));
    };
    let names = fields.iter().map(|field| utf8(field.raw).map(|_| field.text()));
    let names = names.collect::<Result<Vec<_>, _>>()?;
    cursor.line += lines;
    Ok((CsvLayout::from_header(&names, format, key, full_load)?, scanner.at()))
}

/// Decodes the records of a chunk, which ends with a record.
pub fn decode<'a>(
    chunk: &'a [u8],
    layout: &'a CsvLayout,
    format: &CsvFormat,
    order: &FileOrder,
    cursor: &mut Cursor,
    decoded: &mut Decoded<'a>,
) {
    let mut scanner = Scanner::new(chunk, format.delimiter as u8);
    loop {
        let start = scanner.at();
        let Some(Scanned { fields, lines }) = scanner.next() else { return };
        let line = cursor.line + 1;
        cursor.line += lines;
        let raw = &chunk[start..scanner.at()];
        if is_blank(raw) && layout.roles.len() > 1 {
            continue;
        }
        cursor.records += 1;
        let position = Position::File { name: cursor.name.clone(), line, record: cursor.records };
        let original = Original { key: None, value: Some(raw) };
        let changes =
            fields.and_then(|fields| changes(fields, layout, format, order, &position, original));
        match changes {
            Ok((old, change)) => decoded.changes.extend(old.into_iter().chain([change])),
            Err(reason) => {
                decoded.rejected.push(Rejected { position, reason, original });
            }
        }
    }
}

fn is_blank(raw: &[u8]) -> bool {
    raw.iter().all(|byte| matches!(byte, b'\r' | b'\n'))
}

/// The change of a record, and before it the delete of the old key where the key changed.
fn changes<'a>(
    fields: Vec<Field<'a>>,
    layout: &'a CsvLayout,
    format: &CsvFormat,
    order: &FileOrder,
    position: &Position,
    original: Original<'a>,
) -> Result<(Option<Change<'a>>, Change<'a>), Reason> {
    if fields.len() != layout.roles.len() {
        return Err(Reason::new(format!(
            "has {} fields where {} names {}",
            fields.len(),
            if format.header { "the header" } else { "the configuration" },
            layout.roles.len()
        )));
    }
    let mut op = Op::Insert;
    let (mut source_time, mut sequence) = (None, None);
    let mut row: Row<'a> = Vec::with_capacity(fields.len());
    let mut before: Row<'a> = Vec::new();
    for (field, role) in fields.into_iter().zip(&layout.roles) {
        utf8(field.raw)?;
        match role {
            Role::Op => {
                op = match field.text().as_ref() {
                    "I" => Op::Insert,
                    "U" => Op::Update,
                    "D" => Op::Delete,
                    _ => return Err(Reason::new("has an unknown op: it is I, U or D")),
                };
            }
            Role::Time => source_time = iso8601::instant(&field.text()).ok(),
            Role::Sequence => sequence = Some(field),
            Role::Column(name) => row.push((Cow::Borrowed(name), cell(field, format))),
            Role::Before(name) => before.push((Cow::Borrowed(name), cell(field, format))),
        }
    }
    let version = match sequence {
        // A full load comes before all changes, whatever DMS writes in place of its sequence.
        Some(_) if order.full_load => Version::change_sequence(order.reloads, ""),
        Some(field) => {
            let text = field.text();
            if !(1..=35).contains(&text.len()) || !text.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Reason::new("has no change sequence of up to 35 digits"));
            }
            Version::change_sequence(order.reloads, &text)
        }
        None => {
            let class = if order.full_load { "load" } else { "next" };
            let file = format!("{:06}/{class}/{}", order.reloads, order.name);
            let Position::File { record, .. } = position else { unreachable!("a file's record") };
            Version::file(&order.source, &file, *record)
        }
    };
    let change = |op, key, row| Change {
        op,
        key,
        row,
        from: None,
        version: Some(version.clone()),
        source_time,
        position: position.clone(),
        declared: None,
        original,
    };
    let moved = op == Op::Update && moves(&before, &row);
    let old = moved.then(|| change(Op::Delete, Key::Named(before), Vec::new()));
    Ok((old, change(op, Key::InRow, row)))
}

fn cell<'a>(field: Field<'a>, format: &CsvFormat) -> Cell<'a> {
    if !field.quoted {
        if field.raw == format.null.as_bytes() {
            return Cell::Null;
        }
        if format.no_supplemental.as_ref().is_some_and(|text| field.raw == text.as_bytes()) {
            return Cell::Unchanged;
        }
    }
    Cell::text(field.text())
}

/// Whether a before-image column holds another value than the column itself.
fn moves(before: &Row, after: &Row) -> bool {
    before.iter().any(|(name, old)| {
        let new = after.iter().find(|(own, _)| own == name);
        let known = matches!(old, Cell::Value(value) if value.raw != Raw::Text("".into()));
        known && new.is_some_and(|(_, new)| new != old)
    })
}

#[cfg(test)]
mod tests;
