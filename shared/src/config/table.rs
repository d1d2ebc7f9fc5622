//! The tables that a source feeds, and what each does with the changes.

use std::collections::BTreeMap;
use std::fmt;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, de};

use crate::change::Unit;
use crate::column_type::ColumnType;

/// One table.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// The source that feeds it.
    pub source: String,
    /// What of the source: a topic; for DMS JSON the source's `schema.table` or `table`; for files
    /// the folder below the source's prefix.
    pub from: String,
    /// The table: `namespace.name`.
    pub table: String,
    /// The catalogs that hold it, by name; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub catalogs: Vec<String>,
    /// The columns that identify a row. May be empty only with `mode: append`.
    #[serde(default)]
    pub key: Vec<String>,
    /// Types of columns, for a new table and for new columns. Sources with a schema need none; CSV
    /// files without a header need all, in the order of the file.
    #[serde(default)]
    pub columns: IndexMap<String, ColumnConfig>,
    /// The partition fields of a new table: `region`, `day(created_at)`, `bucket(16, id)`,
    /// `truncate(4, code)`, `year(…)`, `month(…)`, `hour(…)`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub partition: Vec<String>,
    /// What the table shows.
    #[serde(default)]
    pub mode: Mode,
    /// Which columns of ours a new table gets.
    #[serde(default)]
    pub metadata_columns: MetadataColumns,
    /// What a truncate at the source does.
    #[serde(default)]
    pub on_truncate: OnTruncate,
    /// Iceberg table properties of a new table.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, String>,
}

/// What a table shows of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The current rows.
    #[default]
    Upsert,
    /// The current rows, and deleted ones with `_cdc_deleted` set.
    SoftDelete,
    /// Every change as a row of its own.
    Append,
}

/// Which columns of ours a new table gets. An existing table keeps what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetadataColumns {
    /// `_cdc_version`, by which late changes are told from new ones.
    #[default]
    Version,
    /// `_cdc_version`, `_cdc_source_ts` and `_cdc_op`.
    All,
    /// None. Changes that arrive late, below what was applied, are refused.
    None,
}

/// What a truncate at the source does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnTruncate {
    /// The record is quarantined, for a person to decide.
    #[default]
    Quarantine,
    /// The record is skipped.
    Ignore,
}

/// The type of a column, and the unit of integers that stand for times: `"long"`, or
/// `{"type": "timestamp", "unit": "us"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ColumnConfig {
    /// The type.
    #[serde(rename = "type")]
    pub column_type: ColumnType,
    /// The unit of integers in a time column. Without it an integer in such a column is rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<Unit>,
}

impl<'de> Deserialize<'de> for ColumnConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = ColumnConfig;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a column type, or an object of `type` and `unit`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<ColumnConfig, E> {
                let column_type = text.parse().map_err(E::custom)?;
                Ok(ColumnConfig { column_type, unit: None })
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<ColumnConfig, A::Error> {
                let full = ColumnObject::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(ColumnConfig { column_type: full.column_type, unit: full.unit })
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ColumnObject {
    #[serde(rename = "type")]
    column_type: ColumnType,
    #[serde(default)]
    unit: Option<Unit>,
}

impl JsonSchema for ColumnConfig {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ColumnConfig".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let column_type = generator.subschema_for::<ColumnType>();
        let full = generator.subschema_for::<ColumnObject>();
        schemars::json_schema!({
            "description": "The type of a column, and the unit of integers that stand for times.",
            "anyOf": [column_type, full],
        })
    }
}

impl TableConfig {
    /// The namespace of [`TableConfig::table`].
    pub fn namespace(&self) -> &str {
        self.table.split_once('.').map_or("", |(namespace, _)| namespace)
    }

    /// The name of [`TableConfig::table`] within its namespace.
    pub fn name(&self) -> &str {
        self.table.split_once('.').map_or(&self.table, |(_, name)| name)
    }
}
