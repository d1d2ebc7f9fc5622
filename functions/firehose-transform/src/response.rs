//! The answer to Firehose: for each record its row, or what became of it instead.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;
use shared::change::Op;
use shared::config::TableConfig;

use crate::event::FirehoseRecord;

/// What Lambda answers with at most, less what stands around the records (6 MB of a synchronous
/// invocation).
const MOST_BYTES: usize = 6 * 1024 * 1024 - 64 * 1024;

/// The answer.
#[derive(Debug, Default, Serialize)]
pub struct Response {
    records: Vec<Answer>,
    #[serde(skip)]
    bytes: usize,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    record_id: String,
    result: &'static str,
    /// The field that the record came in.
    #[serde(skip_serializing_if = "Option::is_none")]
    kafka_record_value: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    otf_metadata: Destination,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Destination {
    destination_database_name: String,
    destination_table_name: String,
    operation: &'static str,
}

/// The row does not fit the answer any more.
#[derive(Debug)]
pub(crate) struct TooLarge;

impl Response {
    /// The record becomes a row of a table.
    pub(crate) fn row(
        &mut self,
        record: &FirehoseRecord,
        table: &TableConfig,
        op: Op,
        row: &str,
    ) -> Result<(), TooLarge> {
        let row = STANDARD.encode(row);
        let destination = Destination {
            destination_database_name: table.namespace().to_owned(),
            destination_table_name: table.name().to_owned(),
            operation: match op {
                Op::Insert => "insert",
                Op::Update => "update",
                Op::Delete | Op::Truncate => "delete",
            },
        };
        let bytes = row.len() + table.table.len() + record.record_id.len() + OVERHEAD;
        if self.bytes + bytes > MOST_BYTES {
            return Err(TooLarge);
        }
        self.bytes += bytes;
        let metadata = Some(Metadata { otf_metadata: destination });
        self.push(record, "Ok", Some(row), metadata);
        Ok(())
    }

    /// The record carries no row.
    pub(crate) fn dropped(&mut self, record: &FirehoseRecord) {
        self.bytes += record.record_id.len() + OVERHEAD;
        self.push(record, "Dropped", None, None);
    }

    /// The record is at fault. It goes back as it came, for Firehose's error output.
    pub(crate) fn failed(&mut self, record: &FirehoseRecord) {
        self.bytes += record.record_id.len() + OVERHEAD;
        let original = record.text().filter(|text| self.bytes + text.len() <= MOST_BYTES);
        self.bytes += original.map_or(0, str::len);
        self.push(record, "ProcessingFailed", original.map(str::to_owned), None);
    }

    fn push(
        &mut self,
        record: &FirehoseRecord,
        result: &'static str,
        text: Option<String>,
        metadata: Option<Metadata>,
    ) {
        let from_msk = record.kafka_record_value.is_some() || record.msk_record_metadata.is_some();
        // The field is part of every answer, also where there is nothing to say in it.
        let text = Some(text.unwrap_or_default());
        let (kafka_record_value, data) = if from_msk { (text, None) } else { (None, text) };
        let record_id = record.record_id.clone().into_owned();
        self.records.push(Answer { record_id, result, kafka_record_value, data, metadata });
    }
}

/// The names and brackets of one answer.
const OVERHEAD: usize = 200;
