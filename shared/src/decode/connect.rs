//! Kafka Connect's schema envelope, `{"schema": …, "payload": …}`, and what its types mean.
//!
//! Key and value are wrapped each on their own. Debezium's logical types are told by the schema's
//! name (Debezium documentation, data type mappings); CockroachDB uses the same shape with words of
//! its own.

use std::sync::Arc;

use serde::Deserialize;

use super::json::Fields;
use crate::change::{Declared, DeclaredColumn, Encoding, Logical, Reason, Unit};
use crate::column_type::ColumnType;

/// The schema of the last message. The next one's is nearly always the same text.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    last: Option<(String, Arc<Declared>)>,
    completed: Option<(Arc<Declared>, Arc<Declared>)>,
}

/// A field of a schema.
#[derive(Debug, Deserialize)]
struct Field {
    #[serde(default)]
    field: String,
    #[serde(rename = "type", default)]
    base: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    parameters: Option<Parameters>,
    #[serde(default)]
    fields: Vec<Field>,
}

#[derive(Debug, Default, Deserialize)]
struct Parameters {
    #[serde(default)]
    scale: Option<String>,
    #[serde(rename = "connect.decimal.precision", default)]
    connect_precision: Option<String>,
    #[serde(default)]
    precision: Option<String>,
}

/// Whose words a schema uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Debezium,
    Cockroach,
}

/// The payload of a value, and its schema where it has one.
pub(super) struct Unwrapped<'a> {
    /// `None` where the payload is null.
    pub(super) payload: Option<Fields<'a>>,
    pub(super) schema: Option<&'a str>,
}

/// Takes a value out of its schema envelope, if it is in one: an object of exactly the two fields.
pub(super) fn unwrap(text: &str) -> Result<Unwrapped<'_>, Reason> {
    let fields = Fields::parse(text)?;
    match (fields.len(), fields.get("schema"), fields.get("payload")) {
        (2, Some(schema), Some("null")) => {
            Ok(Unwrapped { payload: None, schema: Some(schema).filter(|schema| *schema != "null") })
        }
        (2, Some(schema), Some(payload)) => Ok(Unwrapped {
            payload: Some(Fields::parse(payload)?),
            schema: Some(schema).filter(|schema| *schema != "null"),
        }),
        _ => Ok(Unwrapped { payload: Some(fields), schema: None }),
    }
}

impl Schemas {
    /// The columns that a row's schema declares, less those whose names begin with `added`: a
    /// transformation put them there.
    pub(super) fn row(&mut self, schema: &str, added: &str) -> Option<Arc<Declared>> {
        self.remembered(schema, |schema| {
            let mut declared = self::declared(&schema.fields, Dialect::Debezium)?;
            declared.columns.retain(|column| !column.name.starts_with(added));
            Some(declared)
        })
    }

    /// The columns with the types that only values tell. `tell` is asked until it has told all.
    pub(super) fn completed(
        &mut self,
        declared: Arc<Declared>,
        tell: impl Fn(&DeclaredColumn) -> Option<ColumnType>,
    ) -> Arc<Declared> {
        let untold = |declared: &Declared| declared.columns.iter().any(|c| c.column_type.is_none());
        if !untold(&declared) {
            return declared;
        }
        if let Some((base, completed)) = &self.completed
            && Arc::ptr_eq(base, &declared)
            && !untold(completed)
        {
            return completed.clone();
        }
        let mut told = Declared::clone(&declared);
        for column in told.columns.iter_mut().filter(|column| column.column_type.is_none()) {
            column.column_type = tell(column);
        }
        let told = Arc::new(told);
        self.completed = Some((declared, told.clone()));
        told
    }

    /// The columns of the row within an envelope's schema.
    pub(super) fn envelope(&mut self, schema: &str, dialect: Dialect) -> Option<Arc<Declared>> {
        self.remembered(schema, |schema| {
            let images = ["after", "before"].into_iter();
            let mut images =
                images.filter_map(|name| schema.fields.iter().find(|f| f.field == name));
            self::declared(&images.next()?.fields, dialect)
        })
    }

    /// The columns of a key's schema. Keys are small, and looked at for deletes only.
    pub(super) fn parse_row(&self, schema: &str) -> Option<Declared> {
        let schema: Field = serde_json::from_str(schema).ok()?;
        declared(&schema.fields, Dialect::Debezium)
    }

    fn remembered(
        &mut self,
        schema: &str,
        declared: impl Fn(&Field) -> Option<Declared>,
    ) -> Option<Arc<Declared>> {
        if let Some((last, declared)) = &self.last
            && last == schema
        {
            return Some(declared.clone());
        }
        let parsed: Field = serde_json::from_str(schema).ok()?;
        let declared = Arc::new(declared(&parsed)?);
        self.last = Some((schema.to_owned(), declared.clone()));
        Some(declared)
    }
}

fn declared(fields: &[Field], dialect: Dialect) -> Option<Declared> {
    let columns = fields.iter().map(|field| {
        let (column_type, encoding) = match dialect {
            Dialect::Debezium => debezium(field),
            Dialect::Cockroach => (cockroach(field), Encoding::Cockroach),
        };
        DeclaredColumn { name: field.field.clone(), column_type, encoding }
    });
    Some(Declared { columns: columns.collect() })
}

/// The type of a Debezium field, and how its values are written.
fn debezium(field: &Field) -> (Option<ColumnType>, Encoding) {
    use ColumnType::{
        Binary, Boolean, Date, Double, Float, Int, Long, String, Timestamp, Timestamptz,
    };
    let (column_type, logical) = match field.name.as_deref().unwrap_or_default() {
        "org.apache.kafka.connect.data.Decimal" => {
            let parameters = field.parameters.as_ref();
            let number =
                |text: Option<&std::string::String>| text.and_then(|text| text.parse::<i32>().ok());
            let scale = number(parameters.and_then(|p| p.scale.as_ref())).unwrap_or(0);
            let precision =
                number(parameters.and_then(|p| p.connect_precision.as_ref())).unwrap_or(38);
            (Some(decimal_type(precision, scale)), Logical::Decimal { scale })
        }
        "io.debezium.data.VariableScaleDecimal" => (Some(String), Logical::VariableScaleDecimal),
        "io.debezium.time.Date" | "org.apache.kafka.connect.data.Date" => {
            (Some(Date), Logical::Since1970(Unit::Days))
        }
        "io.debezium.time.Time" | "org.apache.kafka.connect.data.Time" => {
            (Some(String), Logical::SinceMidnight(Unit::Millis))
        }
        "io.debezium.time.MicroTime" => (Some(String), Logical::SinceMidnight(Unit::Micros)),
        "io.debezium.time.NanoTime" => (Some(String), Logical::SinceMidnight(Unit::Nanos)),
        "io.debezium.time.Timestamp" | "org.apache.kafka.connect.data.Timestamp" => {
            (Some(Timestamp), Logical::Since1970(Unit::Millis))
        }
        "io.debezium.time.MicroTimestamp" => (Some(Timestamp), Logical::Since1970(Unit::Micros)),
        "io.debezium.time.NanoTimestamp" => (Some(Timestamp), Logical::Since1970(Unit::Nanos)),
        "io.debezium.time.ZonedTimestamp" => (Some(Timestamptz), Logical::Plain),
        "io.debezium.time.IsoDate" => (Some(Date), Logical::Plain),
        "io.debezium.time.IsoTimestamp" => (Some(Timestamp), Logical::Plain),
        "io.debezium.data.Bits" => (Some(Binary), Logical::Bits),
        _ => match field.base.as_str() {
            "boolean" => (Some(Boolean), Logical::Plain),
            "int8" | "int16" | "int32" => (Some(Int), Logical::Plain),
            "int64" => (Some(Long), Logical::Plain),
            "float" | "float32" => (Some(Float), Logical::Plain),
            "double" | "float64" => (Some(Double), Logical::Plain),
            "bytes" => (Some(Binary), Logical::Bytes),
            // Text, and lists, maps and structs as their JSON.
            _ => (Some(String), Logical::Plain),
        },
    };
    (column_type, Encoding::Logical(logical))
}

fn decimal_type(precision: i32, scale: i32) -> ColumnType {
    match (u32::try_from(precision), u32::try_from(scale)) {
        (Ok(precision), Ok(scale)) if (1..=38).contains(&precision) && scale <= precision => {
            ColumnType::Decimal { precision, scale }
        }
        // A negative scale, or more digits than a decimal holds: exact as text.
        _ => ColumnType::String,
    }
}

/// The type of a CockroachDB field. Timestamps with and without zone share one word there; see
/// [`super::cockroach`].
fn cockroach(field: &Field) -> Option<ColumnType> {
    let name = field.name.as_deref().unwrap_or_default();
    Some(match (name, field.base.as_str()) {
        ("decimal", _) => {
            let parameters = field.parameters.as_ref();
            let number = |text: Option<&String>| text.and_then(|text| text.parse::<i32>().ok());
            let precision = number(parameters.and_then(|p| p.precision.as_ref())).unwrap_or(0);
            let scale = number(parameters.and_then(|p| p.scale.as_ref())).unwrap_or(0);
            decimal_type(precision, scale)
        }
        ("date", _) => ColumnType::Date,
        ("timestamp", _) => return None,
        (_, "boolean") => ColumnType::Boolean,
        (_, "int8" | "int16" | "int32" | "int64") => ColumnType::Long,
        (_, "float32" | "float64" | "float" | "double") => ColumnType::Double,
        (_, "bytes") => ColumnType::Binary,
        _ => ColumnType::String,
    })
}
