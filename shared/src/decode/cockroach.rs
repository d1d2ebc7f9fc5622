//! CockroachDB changefeeds with `envelope = enriched` or `wrapped`, with and without `schema`.
//!
//! A row's changes are ordered by the hybrid logical clock: `source.ts_hlc`, else `updated`, else
//! `mvcc_timestamp`. After a restart of the feed old versions come again behind newer ones, so that
//! offsets do not order them (CockroachDB documentation, changefeed messages).

use super::connect::{self, Dialect, Schemas};
use super::json::{self, Fields};
use super::{Outcome, Record, change, record_key, value_text};
use crate::change::{
    Cell, DeclaredColumn, Encoding, Key, Op, Raw, Reason, Row, Skip, Value, Version,
};
use crate::column_type::ColumnType;

pub(super) fn decode<'a>(
    record: &Record<'a>,
    schemas: &mut Schemas,
) -> Result<Outcome<'a>, Reason> {
    // These envelopes say a delete in words; a value without bytes says nothing more.
    let Some(text) = value_text(record)? else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    let unwrapped = connect::unwrap(text)?;
    let Some(envelope) = unwrapped.payload else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    if envelope.len() == 1 && envelope.has("resolved") {
        return Ok(Outcome::Skipped(Skip::Resolved));
    }
    if let Some(own) = envelope.value("__crdb__") {
        let resolved = Fields::parse(own).is_ok_and(|own| own.has("resolved"));
        return match resolved && envelope.len() == 1 {
            true => Ok(Outcome::Skipped(Skip::Resolved)),
            false => Err(Reason::new(
                "is of envelope bare or row, in which deletes look like rows: create the \
                 changefeed with envelope = enriched or wrapped",
            )),
        };
    }
    let Some(after) = envelope.get("after") else {
        return Err(Reason::new("has no field `after`: it is no CockroachDB envelope"));
    };
    let op = op(&envelope, after)?;
    let declared = unwrapped.schema.and_then(|schema| schemas.envelope(schema, Dialect::Cockroach));
    let image = match op {
        Op::Delete => envelope.value("before"),
        _ => Some(after),
    };
    let row = match image {
        Some(image) => json::row(Fields::parse(image)?, |_, _, value| cell(value)),
        None => Vec::new(),
    };
    let key = match op {
        Op::Delete => key(record, &envelope, schemas),
        _ => Key::InRow,
    };
    let source = envelope.value("source").map(Fields::parse).transpose()?;
    let clock = source.as_ref().and_then(|source| source.text("ts_hlc"));
    let clock =
        clock.or_else(|| envelope.text("updated")).or_else(|| envelope.text("mvcc_timestamp"));
    let mut change = change(record, op, key, row);
    if let Some(clock) = clock {
        let version = Version::hlc(&clock);
        change.version =
            Some(version.ok_or_else(|| Reason::new("has a timestamp that is no HLC reading"))?);
        let wall = clock.split_once('.').map_or(clock.as_ref(), |(wall, _)| wall);
        change.source_time = wall.parse::<i64>().ok().map(|nanos| nanos / 1_000);
    }
    change.declared = declared
        .map(|declared| schemas.completed(declared, |column| timestamp_type(column, &change.row)));
    Ok(Outcome::Changes(vec![change]))
}

/// `op`, or in the wrapped envelope whether there is a row after the change.
fn op(envelope: &Fields, after: &str) -> Result<Op, Reason> {
    let op = match envelope.text("op").as_deref() {
        Some("c" | "r") => Op::Insert,
        Some("u") => Op::Update,
        Some("d") => Op::Delete,
        Some(_) => return Err(Reason::new("has an unknown `op`: it is c, u or d")),
        None if envelope.has("op") => return Err(Reason::new("has an `op` that is no text")),
        None if after == "null" => Op::Delete,
        None => Op::Insert,
    };
    match op != Op::Delete && after == "null" {
        true => Err(Reason::new(format!("is an {op} with `after` null"))),
        false => Ok(op),
    }
}

/// The Kafka key, else the field `key`. The row's own image comes after both.
fn key<'a>(record: &Record<'a>, envelope: &Fields<'a>, schemas: &Schemas) -> Key<'a> {
    match record_key(record, schemas, Encoding::Cockroach) {
        Key::InRow => envelope
            .value("key")
            .and_then(|key| json::key(key, schemas, Encoding::Cockroach))
            .unwrap_or(Key::InRow),
        key => key,
    }
}

fn cell(value: &str) -> Cell<'_> {
    match value {
        // `encode_json_value_null_as_object` tells JSON null from SQL NULL.
        value if value.starts_with("{\"__crdb_json_null__\"") => {
            Cell::json("\"null\"", Encoding::Cockroach)
        }
        value => Cell::json(value, Encoding::Cockroach),
    }
}

/// The schema calls TIMESTAMP and TIMESTAMPTZ alike; the values of the latter end with `Z`.
fn timestamp_type(column: &DeclaredColumn, row: &Row) -> Option<ColumnType> {
    let (_, cell) = row.iter().find(|(name, _)| *name == column.name)?;
    match cell {
        Cell::Value(Value { raw: Raw::Json(text), .. }) if text.ends_with("Z\"") => {
            Some(ColumnType::Timestamptz)
        }
        Cell::Value(_) => Some(ColumnType::Timestamp),
        Cell::Null | Cell::Unchanged => None,
    }
}
