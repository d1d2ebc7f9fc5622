//! The payload of a data transformation invocation (Data Firehose Developer Guide, "Transform source
//! data").

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::Value;

/// One invocation's records, in order.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FirehoseEvent<'a> {
    /// `arn:…:deliverystream/<name>`.
    #[serde(borrow)]
    pub delivery_stream_arn: Cow<'a, str>,
    /// The records.
    #[serde(borrow)]
    pub records: Vec<FirehoseRecord<'a>>,
}

/// One record: of a stream whose source is MSK, or of one that is written to directly.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FirehoseRecord<'a> {
    /// Names the record in the answer.
    #[serde(borrow)]
    pub record_id: Cow<'a, str>,
    /// Base64 of the Kafka record's value. Its key does not come along.
    #[serde(borrow, default)]
    pub kafka_record_value: Option<Cow<'a, str>>,
    /// Base64 of the record.
    #[serde(borrow, default)]
    pub data: Option<Cow<'a, str>>,
    /// Where the Kafka record stands.
    #[serde(default)]
    pub msk_record_metadata: Option<MskRecordMetadata>,
}

/// Where a Kafka record stands. The numbers come as text or as numbers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MskRecordMetadata {
    #[serde(default)]
    offset: Value,
    #[serde(default)]
    partition_id: Value,
}

impl FirehoseEvent<'_> {
    /// The stream's name.
    pub fn stream(&self) -> &str {
        self.delivery_stream_arn.rsplit('/').next().unwrap_or_default()
    }
}

impl FirehoseRecord<'_> {
    /// The record in base64, as it came.
    pub fn text(&self) -> Option<&str> {
        self.kafka_record_value.as_deref().or(self.data.as_deref())
    }

    /// The record's bytes; `None` for a tombstone.
    ///
    /// # Errors
    /// Where they are no base64, which Firehose never sends.
    pub fn bytes(&self) -> Result<Option<Vec<u8>>, base64::DecodeError> {
        match self.text() {
            None | Some("") => Ok(None),
            Some(text) => STANDARD.decode(text).map(Some),
        }
    }

    /// Partition and offset, where the record comes from MSK.
    pub fn position(&self) -> Option<(i32, i64)> {
        let metadata = self.msk_record_metadata.as_ref()?;
        let number = |value: &Value| match value {
            Value::String(text) => text.parse().ok(),
            other => other.as_i64(),
        };
        let partition = number(&metadata.partition_id)?.try_into().ok()?;
        Some((partition, number(&metadata.offset)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_both_kinds_of_stream_are_read() {
        let event: FirehoseEvent = serde_json::from_str(
            r#"{"invocationId": "i", "region": "eu-central-1", "unknown": 1,
                "deliveryStreamArn": "arn:aws:firehose:eu-central-1:1:deliverystream/payments",
                "records": [
                  {"recordId": "1", "kafkaRecordValue": "e30=",
                   "mskRecordMetadata": {"offset": "7", "partitionId": 2}},
                  {"recordId": "2", "data": "e30="}, {"recordId": "3", "kafkaRecordValue": null},
                  {"recordId": "4", "data": "*"}]}"#,
        )
        .unwrap();
        assert_eq!(event.stream(), "payments");
        let [first, second, third, fourth] = event.records.as_slice() else { panic!() };
        assert_eq!((first.position(), second.position()), (Some((2, 7)), None));
        assert_eq!(first.bytes().unwrap(), second.bytes().unwrap());
        assert_eq!(third.bytes().unwrap(), None);
        assert!(fourth.bytes().is_err());
    }
}
