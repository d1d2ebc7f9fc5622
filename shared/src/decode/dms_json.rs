//! AWS DMS to Kafka, JSON: data records and control records.
//!
//! With the endpoint's default `IncludeNullAndEmpty = false` a null and an empty text are both left
//! out of `data`; they read as null (AWS DMS user guide, Kafka target).

use super::connect::Schemas;
use super::json::{self, Fields};
use super::{Outcome, Record, change, record_key, value_text};
use crate::change::{Cell, Encoding, Key, Op, Reason, Row, Skip};
use crate::iso8601;

pub(super) fn decode<'a>(
    record: &Record<'a>,
    before_image: Option<&str>,
) -> Result<Outcome<'a>, Reason> {
    let Some(text) = value_text(record)? else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    let message = Fields::parse(text)?;
    let Some(metadata) = message.value("metadata").map(Fields::parse).transpose()? else {
        return Err(Reason::new("has no field `metadata`: it is no DMS message"));
    };
    if metadata.text("record-type").as_deref() == Some("control") || message.has("control") {
        return Ok(Outcome::Skipped(Skip::Control));
    }
    let op = match metadata.text("operation").as_deref() {
        Some("load" | "insert") => Op::Insert,
        Some("update") => Op::Update,
        Some("delete") => Op::Delete,
        _ => {
            return Err(Reason::new(
                "has an unknown `metadata.operation`: it is load, insert, update or delete",
            ));
        }
    };
    let Some(data) = message.value("data") else {
        return Err(Reason::new("has no field `data`: it is no DMS data record"));
    };
    let cells = |fields| json::row(fields, |_, _, value| Cell::json(value, Encoding::Plain));
    let row: Row = cells(Fields::parse(data)?);
    let table = metadata.text("table-name").ok_or_else(|| {
        Reason::new("has no `metadata.table-name`, which tells the table that it is of")
    })?;
    let from = match metadata.text("schema-name") {
        Some(schema) if !schema.is_empty() => format!("{schema}.{table}"),
        _ => table.into_owned(),
    };
    let time = metadata.text("commit-timestamp").or_else(|| metadata.text("timestamp"));
    let complete = |mut change: crate::change::Change<'a>| {
        change.from = Some(from.clone().into());
        change.source_time = time.as_deref().and_then(|time| iso8601::instant(time).ok());
        change
    };
    let mut changes = Vec::new();
    let before =
        before_image.and_then(|name| message.value(name)).map(Fields::parse).transpose()?;
    if let (Op::Update, Some(before)) = (op, before) {
        let before = cells(before);
        if moves(&before, &row) {
            changes.push(complete(change(record, Op::Delete, Key::Named(before), Vec::new())));
        }
    }
    let key = match op {
        Op::Delete => record_key(record, &Schemas::default(), Encoding::Plain),
        _ => Key::InRow,
    };
    changes.push(complete(change(record, op, key, row)));
    Ok(Outcome::Changes(changes))
}

/// Whether the row before had another key: some column of the before image has another value now.
fn moves(before: &Row, after: &Row) -> bool {
    before.iter().any(|(name, old)| {
        let new = after.iter().find(|(own, _)| own == name);
        new.is_some_and(|(_, new)| new != old)
    })
}
