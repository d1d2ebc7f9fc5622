//! How the records of a source are written. The format is configuration, never a guess.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::change::Decimals;

/// The format of a source's records.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Format {
    /// CockroachDB changefeeds, `format = json` with `envelope = enriched` or `wrapped`.
    Cockroach {},
    /// Debezium's full envelope (`before`, `after`, `op`).
    Debezium(DebeziumFormat),
    /// Debezium rows flattened by `ExtractNewRecordState`.
    DebeziumFlattened(FlattenedFormat),
    /// AWS DMS to Kafka, JSON.
    DmsJson {
        /// The attribute that holds the row before an update (`BeforeImageSettings.FieldName`).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before_image: Option<String>,
    },
    /// AWS DMS to S3, CSV.
    DmsCsv(CsvFormat),
    /// JSON rows without an op: each is the row of its key.
    Plain {},
}

/// Settings of the Debezium connector that its messages do not tell.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DebeziumFormat {
    /// `decimal.handling.mode` of the connector. Messages with a schema tell it themselves.
    #[serde(default)]
    pub decimals: Decimals,
    /// `unavailable.value.placeholder` of the connector.
    #[serde(default = "default_placeholder")]
    pub unavailable_value: String,
}

/// Settings of the Debezium connector and of `ExtractNewRecordState`.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlattenedFormat {
    /// `delete.tombstone.handling.mode` of the transformation.
    #[serde(default)]
    pub deletes: Deletes,
    /// `decimal.handling.mode` of the connector. Messages with a schema tell it themselves.
    #[serde(default)]
    pub decimals: Decimals,
    /// `unavailable.value.placeholder` of the connector.
    #[serde(default = "default_placeholder")]
    pub unavailable_value: String,
}

/// How flattened messages say that a row is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Deletes {
    /// `tombstone` or `delete-to-tombstone`: the value is null and the Kafka key names the row.
    Tombstone,
    /// `rewrite` or `rewrite-with-tombstone`: `__deleted` is `"true"`; tombstones say nothing new.
    #[default]
    #[serde(alias = "rewrite-with-tombstone")]
    Rewrite,
}

fn default_placeholder() -> String {
    "__debezium_unavailable_value".to_owned()
}

/// Settings of the DMS S3 endpoint.
#[derive(Debug, Clone, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CsvFormat {
    /// `AddColumnName`: the first line of each file names the columns. Without it, the table's
    /// `columns` name them, in the order of the file.
    #[serde(default)]
    pub header: bool,
    /// Which files carry the op column: DMS leaves it out of full loads unless
    /// `IncludeOpForFullLoad` is set. Where files have a header, that tells, and only change files
    /// without an op need `never` here.
    #[serde(default)]
    pub op: OpColumn,
    /// `CsvNullValue`: the unquoted text that stands for NULL.
    #[serde(default = "default_null")]
    pub null: String,
    /// `CsvNoSupValue`: the unquoted text that stands for a value that did not change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_supplemental: Option<String>,
    /// `CsvDelimiter`: one character.
    #[serde(default = "default_delimiter")]
    pub delimiter: char,
    /// `TimestampColumnName`: the column with the time of the change. It stands right behind the op
    /// and becomes no column of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timestamp_column: Option<String>,
    /// What the names of before-image columns begin with (`BI_`): an update that changes the key then
    /// deletes the row of the old one. Needs `header`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_image_prefix: Option<String>,
    /// The column that a transformation rule fills with `$AR_H_CHANGE_SEQ`. It orders changes and
    /// becomes no column of the table. Needs `header`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequence_column: Option<String>,
}

/// Which CSV files begin each line with `I`, `U` or `D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OpColumn {
    /// Full loads and change files (`IncludeOpForFullLoad`).
    Always,
    /// Change files only, as DMS does by default.
    #[default]
    Changes,
    /// No file: every line is an insert.
    Never,
}

fn default_null() -> String {
    "NULL".to_owned()
}

fn default_delimiter() -> char {
    ','
}
