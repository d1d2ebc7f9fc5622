//! JSON rows without an op: each record is the row of its key as it is now.

use super::json::{self, Fields};
use super::{Outcome, Record, change, value_text};
use crate::change::{Cell, Encoding, Key, Op, Reason, Skip};

pub(super) fn decode<'a>(record: &Record<'a>) -> Result<Outcome<'a>, Reason> {
    let Some(text) = value_text(record)? else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    let row = json::row(Fields::parse(text)?, |_, _, value| Cell::json(value, Encoding::Plain));
    if row.is_empty() {
        return Err(Reason::new("is an object without columns"));
    }
    Ok(Outcome::Changes(vec![change(record, Op::Insert, Key::InRow, row)]))
}
