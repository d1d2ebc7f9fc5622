//! RFC 4180 as DMS writes it: fields in quotes may hold delimiters, line ends and doubled quotes; a
//! backslash is a character like any other.
//!
//! The scanner tells a quoted field from an unquoted one, which is what tells a text from NULL, and
//! which general CSV readers do not. A quote that is never closed costs one line, not the rest of
//! the file.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use crate::change::Reason;

/// A field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field<'a> {
    /// What stands between the quotes, or the whole field.
    pub(super) raw: &'a [u8],
    pub(super) quoted: bool,
    /// Whether a doubled quote stands for one.
    doubled: bool,
}

impl<'a> Field<'a> {
    /// The text. Decoders have checked that it is UTF-8.
    pub(super) fn text(&self) -> Cow<'a, str> {
        let text = String::from_utf8_lossy(self.raw);
        match self.doubled {
            false => text,
            true => Cow::Owned(text.replace("\"\"", "\"")),
        }
    }
}

/// A record as scanned.
#[derive(Debug)]
pub(super) struct Scanned<'a> {
    pub(super) fields: Result<Vec<Field<'a>>, Reason>,
    /// Lines that the record takes.
    pub(super) lines: u64,
}

/// Scans records from bytes that end with a record.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
    delimiter: u8,
    /// Fields of the last record: the next one usually has as many.
    width: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(bytes: &'a [u8], delimiter: u8) -> Self {
        Scanner { bytes, at: 0, delimiter, width: 8 }
    }

    /// Bytes scanned.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The next record; `None` at the end.
    pub(super) fn next(&mut self) -> Option<Scanned<'a>> {
        if self.at >= self.bytes.len() {
            return None;
        }
        let start = self.at;
        let mut fields = Vec::with_capacity(self.width);
        let mut lines = 1;
        loop {
            match self.field(&mut lines) {
                Ok((field, end_of_record)) => {
                    fields.push(field);
                    if end_of_record {
                        self.width = fields.len();
                        return Some(Scanned { fields: Ok(fields), lines });
                    }
                }
                Err(reason) => {
                    self.at = start + line_length(&self.bytes[start..]);
                    return Some(Scanned { fields: Err(reason), lines: 1 });
                }
            }
        }
    }

    fn field(&mut self, lines: &mut u64) -> Result<(Field<'a>, bool), Reason> {
        let rest = &self.bytes[self.at..];
        if rest.first() == Some(&b'"') {
            return self.quoted_field(lines);
        }
        let end = memchr2(self.delimiter, b'\n', rest).unwrap_or(rest.len());
        let ends_record = rest.get(end) != Some(&self.delimiter);
        self.at += (end + 1).min(rest.len());
        let mut raw = &rest[..end];
        if ends_record && let [text @ .., b'\r'] = raw {
            raw = text;
        }
        Ok((Field { raw, quoted: false, doubled: false }, ends_record))
    }

    fn quoted_field(&mut self, lines: &mut u64) -> Result<(Field<'a>, bool), Reason> {
        let rest = &self.bytes[self.at + 1..];
        let (mut end, mut doubled) = (0, false);
        loop {
            let Some(quote) = memchr(b'"', &rest[end..]) else {
                return Err(Reason::new("has a quote that is never closed"));
            };
            end += quote;
            if rest.get(end + 1) != Some(&b'"') {
                break;
            }
            doubled = true;
            end += 2;
        }
        let raw = &rest[..end];
        let mut behind = &rest[end + 1..];
        let mut taken = end + 2;
        if matches!(behind, [b'\r'] | [b'\r', b'\n', ..]) {
            behind = &behind[1..];
            taken += 1;
        }
        let ends_record = match behind.first() {
            Some(byte) if *byte == self.delimiter => false,
            Some(b'\n') | None => true,
            Some(_) => return Err(Reason::new("has text behind a closing quote")),
        };
        *lines += memchr::memchr_iter(b'\n', raw).count() as u64;
        self.at = (self.at + taken + 1).min(self.bytes.len());
        Ok((Field { raw, quoted: true, doubled }, ends_record))
    }
}

fn line_length(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1)
}

/// The length of the whole records at the beginning of `bytes`, of which more may follow. A line end
/// within quotes ends no record.
pub fn complete_records(bytes: &[u8]) -> usize {
    let (mut in_quotes, mut complete) = (false, 0);
    for at in memchr::memchr2_iter(b'"', b'\n', bytes) {
        match bytes[at] {
            b'"' => in_quotes = !in_quotes,
            _ if !in_quotes => complete = at + 1,
            _ => {}
        }
    }
    complete
}
