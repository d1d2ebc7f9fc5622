//! The vocabulary of the flow: a [`Change`] is what one record says happened to one row.
//!
//! Decoders make changes, batches fold them, tables apply them. Everything here borrows from the
//! record's bytes and does no I/O: a value stays the text that the source wrote until the table's
//! own type says how to read it, so that no number passes through a float on its way.

mod position;
mod version;

pub use position::Position;
pub use version::Version;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::column_type::ColumnType;

/// What happened to the row at the source.
///
/// Snapshot reads and initial loads are inserts: an insert of a key that the table holds replaces
/// the row, so that either may be replayed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// The row exists as given (`c`, `r`, `I`, `load`, or a format without ops).
    Insert,
    /// The row changed to what is given.
    Update,
    /// The row of the key is gone.
    Delete,
    /// Every row of the source table is gone.
    Truncate,
}

impl Op {
    /// The letter that `_cdc_op` holds.
    pub fn code(self) -> &'static str {
        match self {
            Op::Insert => "i",
            Op::Update => "u",
            Op::Delete => "d",
            Op::Truncate => "t",
        }
    }
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Op::Insert => "insert",
            Op::Update => "update",
            Op::Delete => "delete",
            Op::Truncate => "truncate",
        })
    }
}

/// One change of one row, as a record told it.
#[derive(Debug, Clone)]
pub struct Change<'a> {
    /// What happened.
    pub op: Op,
    /// The key as the record gives it apart from the row: from the Kafka key, `key` or `before`.
    pub key: Key<'a>,
    /// The row after the change. For a delete: whatever image came along, good for its key only.
    pub row: Row<'a>,
    /// The source table, where the message names it and not the topic or the folder.
    pub from: Option<Cow<'a, str>>,
    /// The source's own order of the changes of this row, where the format gives one.
    pub version: Option<Version>,
    /// When the source made the change, in microseconds since 1970 UTC.
    pub source_time: Option<i64>,
    /// Where the record stands.
    pub position: Position,
    /// The types that the message declares for its columns.
    pub declared: Option<Arc<Declared>>,
    /// The record as it came, for the quarantine.
    pub original: Original<'a>,
}

/// The bytes of a record as they came.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Original<'a> {
    /// The record's key, where it has one.
    pub key: Option<&'a [u8]>,
    /// The record's value, or the lines of a file.
    pub value: Option<&'a [u8]>,
}

/// The identifying cells of a row, where a record carries them apart from the row.
#[derive(Debug, Clone, Default)]
pub enum Key<'a> {
    /// The row holds the key.
    #[default]
    InRow,
    /// Named cells: `{"id": 7}`.
    Named(Row<'a>),
    /// Cells in the order of the key columns: `[7]`.
    Ordered(Vec<Cell<'a>>),
}

/// The cells of one row image in the order of the source, by the source's own column names.
pub type Row<'a> = Vec<(Cow<'a, str>, Cell<'a>)>;

/// One column of one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'a> {
    /// SQL NULL.
    Null,
    /// The source did not send the value because it did not change; the stored one stays.
    Unchanged,
    /// A value.
    Value(Value<'a>),
}

/// A value as the source wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Value<'a> {
    /// The text.
    pub raw: Raw<'a>,
    /// What the text alone does not tell.
    pub encoding: Encoding,
}

/// The text of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Raw<'a> {
    /// JSON text, quotes and escapes included.
    Json(&'a str),
    /// Plain text, as in a CSV field.
    Text(Cow<'a, str>),
}

/// How a source writes what plain text cannot say: bytes, decimals, integer times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Numbers in digits, times in ISO 8601, bytes in hexadecimal (AWS DMS, plain JSON).
    Plain,
    /// CockroachDB: bytes are `\x` and hexadecimal.
    Cockroach,
    /// Kafka Connect JSON without a schema. Bytes are base64; integer times need a declared unit.
    Connect(Decimals),
    /// Kafka Connect JSON whose schema names the type.
    Logical(Logical),
}

/// Debezium's `decimal.handling.mode`, which only the connector's settings tell.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Default,
    serde::Deserialize,
    serde::Serialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Decimals {
    /// `precise`: base64 of the unscaled value; the table's type gives the scale.
    #[default]
    Precise,
    /// `string`: decimal digits in a string.
    String,
    /// `double`: a JSON number.
    Double,
}

/// The unit of an integer that counts time since 1970 (or since midnight).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, serde::Serialize, schemars::JsonSchema,
)]
pub enum Unit {
    /// Days.
    #[serde(rename = "d")]
    Days,
    /// Seconds.
    #[serde(rename = "s")]
    Seconds,
    /// Milliseconds.
    #[serde(rename = "ms")]
    Millis,
    /// Microseconds.
    #[serde(rename = "us")]
    Micros,
    /// Nanoseconds.
    #[serde(rename = "ns")]
    Nanos,
}

/// What the schema of a Kafka Connect message says of a field beyond its JSON type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Logical {
    /// Nothing: the JSON reads as it stands.
    Plain,
    /// `bytes`: base64.
    Bytes,
    /// `io.debezium.data.Bits`: base64, least significant byte first.
    Bits,
    /// `org.apache.kafka.connect.data.Decimal`: base64 of the unscaled value.
    Decimal {
        /// Digits behind the point.
        scale: i32,
    },
    /// `io.debezium.data.VariableScaleDecimal`: `{"scale": …, "value": base64}`.
    VariableScaleDecimal,
    /// An integer date or time.
    Since1970(Unit),
    /// An integer time of day.
    SinceMidnight(Unit),
}

/// The columns that a message's schema declares, by the source's names.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// In the order of the source.
    pub columns: Vec<DeclaredColumn>,
}

/// One column of a message's schema.
#[derive(Debug, Clone, PartialEq)]
pub struct DeclaredColumn {
    /// The source's name.
    pub name: String,
    /// The type that holds every value of the column; `None` where the schema does not tell.
    pub column_type: Option<ColumnType>,
    /// How values of the column are written.
    pub encoding: Encoding,
}

impl Declared {
    /// How the column at `index`, named `name`, is written. `index` is a hint: rows list their
    /// columns in the order of their schema.
    pub fn encoding(&self, index: usize, name: &str) -> Option<Encoding> {
        let hinted = self.columns.get(index).filter(|column| column.name == name);
        hinted
            .or_else(|| self.columns.iter().find(|column| column.name == name))
            .map(|column| column.encoding)
    }
}

impl<'a> Cell<'a> {
    /// A JSON value; `null` is SQL NULL.
    pub fn json(text: &'a str, encoding: Encoding) -> Self {
        match text {
            "null" => Cell::Null,
            _ => Cell::Value(Value { raw: Raw::Json(text), encoding }),
        }
    }

    /// Plain text.
    pub fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Cell::Value(Value { raw: Raw::Text(text.into()), encoding: Encoding::Plain })
    }
}

/// Why a record cannot be applied. It names columns and types, never a row's values, so that it may
/// be logged.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason(pub String);

impl Reason {
    /// From anything that reads as text.
    pub fn new(text: impl Into<String>) -> Self {
        Reason(text.into())
    }

    /// The same reason with the column that it is about.
    pub fn in_column(self, column: &str) -> Self {
        Reason(format!("column \"{column}\": {}", self.0))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A record that was not applied, with what is needed to mend and replay it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejected<'a> {
    /// Where the record stands.
    pub position: Position,
    /// Why.
    pub reason: Reason,
    /// The record as it came.
    pub original: Original<'a>,
}

/// Why a record that is no fault carries no row to apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Skip {
    /// Its position is in the table's checkpoint.
    AlreadyApplied,
    /// The table holds a newer version of the row.
    Older,
    /// A CockroachDB resolved timestamp.
    Resolved,
    /// A Debezium heartbeat.
    Heartbeat,
    /// A tombstone behind a delete that was sent as a row.
    Tombstone,
    /// A transaction boundary.
    Transaction,
    /// A schema change (DDL) event.
    SchemaChange,
    /// A logical decoding message.
    Message,
    /// A DMS control record.
    Control,
    /// A truncate, on a table that ignores them.
    Truncate,
}

impl Skip {
    /// The word that counts and logs use.
    pub fn name(self) -> &'static str {
        match self {
            Skip::AlreadyApplied => "already_applied",
            Skip::Older => "older",
            Skip::Resolved => "resolved",
            Skip::Heartbeat => "heartbeat",
            Skip::Tombstone => "tombstone",
            Skip::Transaction => "transaction",
            Skip::SchemaChange => "schema_change",
            Skip::Message => "message",
            Skip::Control => "control",
            Skip::Truncate => "truncate",
        }
    }
}
