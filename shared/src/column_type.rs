//! The types that a column can have, as the configuration writes them: `long`, `decimal(18,2)`.
//!
//! They are Iceberg's primitive types less the few that Athena or Glue cannot hold (`uuid`, `fixed`,
//! nanosecond timestamps); values of such types are kept as text.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ColumnType {
    /// True or false.
    Boolean,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// 32 bits, binary floating point.
    Float,
    /// 64 bits, binary floating point.
    Double,
    /// Exact decimal.
    Decimal {
        /// All digits, at most 38.
        precision: u32,
        /// Digits behind the point.
        scale: u32,
    },
    /// Calendar date.
    Date,
    /// Time of day in microseconds, without zone.
    Time,
    /// Microseconds, without zone.
    Timestamp,
    /// Microseconds, an instant.
    Timestamptz,
    /// UTF-8 text.
    String,
    /// Bytes.
    Binary,
}

/// What [`ColumnType`] accepts, for messages.
const ACCEPTED: &str = "boolean, int, long, float, double, decimal(p,s) with p up to 38, date, time, \
                        timestamp, timestamptz, string or binary";

impl FromStr for ColumnType {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        Ok(match compact.as_str() {
            "boolean" => ColumnType::Boolean,
            "int" => ColumnType::Int,
            "long" => ColumnType::Long,
            "float" => ColumnType::Float,
            "double" => ColumnType::Double,
            "date" => ColumnType::Date,
            "time" => ColumnType::Time,
            "timestamp" => ColumnType::Timestamp,
            "timestamptz" => ColumnType::Timestamptz,
            "string" => ColumnType::String,
            "binary" => ColumnType::Binary,
            other => decimal(other)
                .ok_or_else(|| format!("\"{text}\" is no column type: it is one of {ACCEPTED}"))?,
        })
    }
}

fn decimal(text: &str) -> Option<ColumnType> {
    let (precision, scale) = text.strip_prefix("decimal(")?.strip_suffix(')')?.split_once(',')?;
    let (precision, scale) = (precision.parse().ok()?, scale.parse().ok()?);
    ((1..=38).contains(&precision) && scale <= precision)
        .then_some(ColumnType::Decimal { precision, scale })
}

impl fmt::Display for ColumnType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnType::Boolean => f.write_str("boolean"),
            ColumnType::Int => f.write_str("int"),
            ColumnType::Long => f.write_str("long"),
            ColumnType::Float => f.write_str("float"),
            ColumnType::Double => f.write_str("double"),
            ColumnType::Decimal { precision, scale } => write!(f, "decimal({precision},{scale})"),
            ColumnType::Date => f.write_str("date"),
            ColumnType::Time => f.write_str("time"),
            ColumnType::Timestamp => f.write_str("timestamp"),
            ColumnType::Timestamptz => f.write_str("timestamptz"),
            ColumnType::String => f.write_str("string"),
            ColumnType::Binary => f.write_str("binary"),
        }
    }
}

impl<'de> Deserialize<'de> for ColumnType {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(de::Error::custom)
    }
}

impl Serialize for ColumnType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl schemars::JsonSchema for ColumnType {
    fn schema_name() -> Cow<'static, str> {
        "ColumnType".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "type": "string",
            "description": format!("The type of a column: {ACCEPTED}."),
            "pattern": "^(boolean|int|long|float|double|decimal\\([0-9]+, ?[0-9]+\\)|date|time|timestamp|timestamptz|string|binary)$",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_reads_back_as_it_prints() {
        for text in ["boolean", "long", "decimal(38,0)", "decimal(5,2)", "timestamptz", "binary"] {
            assert_eq!(text.parse::<ColumnType>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn an_unknown_type_names_the_accepted_ones() {
        for text in ["number", "decimal(39,2)", "decimal(5,6)", "decimal", ""] {
            let error = text.parse::<ColumnType>().unwrap_err();
            assert!(error.contains("decimal(p,s) with p up to 38"), "{error}");
        }
    }
}
