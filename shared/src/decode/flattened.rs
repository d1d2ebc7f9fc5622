//! Debezium rows flattened by `ExtractNewRecordState`: the row's columns at the top, what the
//! transformation adds beside them under names that begin with two underscores.

use std::borrow::Cow;

use super::connect::{self, Schemas};
use super::debezium::{self, Placeholder};
use super::json::{self, Fields};
use super::{Outcome, Record, change, record_key, value_text};
use crate::change::{Encoding, Op, Reason, Skip};
use crate::config::{Deletes, FlattenedFormat};

/// What the transformation's own fields begin with (`add.fields.prefix`).
const ADDED: &str = "__";

pub(super) fn decode<'a>(
    record: &Record<'a>,
    format: &FlattenedFormat,
    schemas: &mut Schemas,
) -> Result<Outcome<'a>, Reason> {
    let encoding = Encoding::Connect(format.decimals);
    let text = value_text(record)?;
    let unwrapped = text.map(connect::unwrap).transpose()?;
    let (payload, schema) = match unwrapped {
        Some(unwrapped) => (unwrapped.payload, unwrapped.schema),
        None => (None, None),
    };
    let Some(mut fields) = payload else {
        return match format.deletes {
            Deletes::Rewrite => Ok(Outcome::Skipped(Skip::Tombstone)),
            Deletes::Tombstone => {
                let key = record_key(record, schemas, encoding);
                Ok(Outcome::Changes(vec![change(record, Op::Delete, key, Vec::new())]))
            }
        };
    };
    if let Some(kind) = debezium::control(record, &fields) {
        return Ok(Outcome::Skipped(kind));
    }
    if fields.has("op") && fields.has("source") && (fields.has("before") || fields.has("after")) {
        return Err(Reason::new(
            "is a full Debezium envelope, the source is configured as debezium_flattened",
        ));
    }
    let Some(op) = op(&fields)? else { return Ok(Outcome::Skipped(Skip::Message)) };
    let source_time = source_time(&fields);
    let declared = schema.and_then(|schema| schemas.row(schema, ADDED));
    fields.0.retain(|(name, _)| !name.starts_with(ADDED));
    if fields.0.is_empty() {
        return Err(Reason::new("is an object without columns"));
    }
    let placeholder = Placeholder::new(&format.unavailable_value);
    let row = json::row(fields, |place, name, value| {
        let own = declared.as_ref().and_then(|declared| declared.encoding(place, name));
        placeholder.cell(value, own.unwrap_or(encoding))
    });
    let key = match op {
        Op::Delete => record_key(record, schemas, encoding),
        _ => crate::change::Key::InRow,
    };
    let mut change = change(record, op, key, row);
    change.source_time = source_time;
    change.declared = declared;
    Ok(Outcome::Changes(vec![change]))
}

/// `__deleted` and `__op`; a row without either is an upsert. `None` is a logical message.
fn op(fields: &Fields) -> Result<Option<Op>, Reason> {
    let deleted = match fields.get("__deleted") {
        None | Some("null" | "\"false\"" | "false") => false,
        Some("\"true\"" | "true") => true,
        Some(_) => return Err(Reason::new("has a `__deleted` that is neither true nor false")),
    };
    let op: Option<Cow<str>> = fields.text("__op");
    match op.as_deref() {
        _ if deleted => Ok(Some(Op::Delete)),
        Some(op) => debezium::op(op, "__op"),
        None if fields.value("__op").is_some() => Err(Reason::new("has an `__op` that is no text")),
        None => Ok(Some(Op::Insert)),
    }
}

/// The time of the change, to the microsecond where the connector tells it.
fn source_time(fields: &Fields) -> Option<i64> {
    let micros = fields.integer("__source_ts_us");
    let nanos = || fields.integer("__source_ts_ns").map(|nanos| nanos / 1_000);
    let millis = || fields.integer("__source_ts_ms").and_then(|millis| millis.checked_mul(1_000));
    micros.or_else(nanos).or_else(millis)
}
