//! Debezium's full envelope (`before`, `after`, `source`, `op`), and what both of its shapes share.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::connect::{self, Dialect, Schemas};
use super::json::{self, Fields};
use super::{Outcome, Record, change, record_key, value_text};
use crate::change::{Cell, Encoding, Key, Op, Reason, Skip};
use crate::config::DebeziumFormat;

pub(super) fn decode<'a>(
    record: &Record<'a>,
    format: &DebeziumFormat,
    schemas: &mut Schemas,
) -> Result<Outcome<'a>, Reason> {
    let Some(text) = value_text(record)? else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    let unwrapped = connect::unwrap(text)?;
    let Some(envelope) = unwrapped.payload else { return Ok(Outcome::Skipped(Skip::Tombstone)) };
    if let Some(kind) = control(record, &envelope) {
        return Ok(Outcome::Skipped(kind));
    }
    let Some(op) = envelope.text("op") else {
        return Err(Reason::new("has no field `op`: it is no Debezium envelope"));
    };
    let Some(op) = self::op(&op, "op")? else { return Ok(Outcome::Skipped(Skip::Message)) };
    let encoding = Encoding::Connect(format.decimals);
    let declared = unwrapped.schema.and_then(|schema| schemas.envelope(schema, Dialect::Debezium));
    let image = match op {
        Op::Truncate => None,
        Op::Delete => envelope.value("before"),
        Op::Insert | Op::Update => match envelope.value("after") {
            None => return Err(Reason::new(format!("is an {op} without `after`"))),
            after => after,
        },
    };
    let placeholder = Placeholder::new(&format.unavailable_value);
    let row = match image {
        None => Vec::new(),
        Some(image) => json::row(Fields::parse(image)?, |place, name, value| {
            let own = declared.as_ref().and_then(|declared| declared.encoding(place, name));
            placeholder.cell(value, own.unwrap_or(encoding))
        }),
    };
    let key = match op {
        Op::Delete => record_key(record, schemas, encoding),
        _ => Key::InRow,
    };
    let source = envelope.value("source").map(Fields::parse).transpose()?;
    let mut change = change(record, op, key, row);
    change.source_time = source.as_ref().and_then(|source| {
        let millis = || source.integer("ts_ms").and_then(|millis| millis.checked_mul(1_000));
        source.integer("ts_us").or_else(millis)
    });
    change.declared = declared;
    Ok(Outcome::Changes(vec![change]))
}

/// The op of a code; `None` is a logical message, which carries no row.
pub(super) fn op(code: &str, field: &str) -> Result<Option<Op>, Reason> {
    match code {
        "c" | "r" => Ok(Some(Op::Insert)),
        "u" => Ok(Some(Op::Update)),
        "d" => Ok(Some(Op::Delete)),
        "t" => Ok(Some(Op::Truncate)),
        "m" => Ok(None),
        _ => Err(Reason::new(format!("has an unknown `{field}`: it is c, r, u, d, t or m"))),
    }
}

/// What kind of message without a row it is, if it is one: heartbeats by their topic, schema changes
/// and transaction boundaries by their fields.
pub(super) fn control(record: &Record, fields: &Fields) -> Option<Skip> {
    if record.topic.starts_with("__debezium-heartbeat.") {
        return Some(Skip::Heartbeat);
    }
    if fields.has("ddl") && fields.has("databaseName") && fields.has("tableChanges") {
        return Some(Skip::SchemaChange);
    }
    let boundary = ["status", "id", "event_count", "data_collections"];
    (boundary.iter().all(|name| fields.has(name)) && fields.len() <= boundary.len() + 1)
        .then_some(Skip::Transaction)
}

/// What stands in for a value that the database did not log because it did not change, in the shapes
/// that it takes by type (Debezium, `UnchangedToastedPlaceholder`).
#[derive(Debug)]
pub(super) struct Placeholder {
    text: String,
    base64: String,
    /// The least length of any shape: most values are told apart by it.
    shortest: usize,
}

impl Placeholder {
    pub(super) fn new(text: &str) -> Self {
        let base64 = STANDARD.encode(text);
        Placeholder { shortest: text.len(), text: text.to_owned(), base64 }
    }

    /// The cell of a JSON value.
    pub(super) fn cell<'a>(&self, json: &'a str, encoding: Encoding) -> Cell<'a> {
        match json.len() >= self.shortest && self.is(json) {
            true => Cell::Unchanged,
            false => Cell::json(json, encoding),
        }
    }

    fn is(&self, json: &str) -> bool {
        let names = |text: &str| text == self.text || text == self.base64;
        match json.as_bytes() {
            [b'"', ..] => json::string(json).is_some_and(|text| names(&text)),
            [b'[', ..] => {
                let texts = || serde_json::from_str::<[String; 1]>(json).ok();
                let codes = || serde_json::from_str::<Vec<u8>>(json).ok();
                texts().is_some_and(|[text]| names(&text))
                    || codes().is_some_and(|codes| codes == self.text.as_bytes())
            }
            [b'{', ..] => Fields::parse(json).is_ok_and(|fields| {
                fields.len() == 1 && fields.text(&self.text).is_some_and(|text| names(&text))
            }),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unavailable_value_is_known_in_all_its_shapes() {
        let placeholder = Placeholder::new("__debezium_unavailable_value");
        let codes: Vec<String> =
            "__debezium_unavailable_value".bytes().map(|code| code.to_string()).collect();
        for json in [
            "\"__debezium_unavailable_value\"",
            "\"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\"",
            "[\"__debezium_unavailable_value\"]",
            &format!("[{}]", codes.join(",")),
            "{\"__debezium_unavailable_value\":\"__debezium_unavailable_value\"}",
        ] {
            assert_eq!(placeholder.cell(json, Encoding::Plain), Cell::Unchanged, "{json}");
        }
        for json in ["\"a text of more than thirty characters\"", "[1,2,3,4,5,6,7,8,9,10,11,12,13]"]
        {
            assert_eq!(placeholder.cell(json, Encoding::Plain), Cell::json(json, Encoding::Plain));
        }
    }
}
