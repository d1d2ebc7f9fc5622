//! The payload of an MSK (or self-managed Kafka) trigger.
//!
//! It is read here and not with `aws_lambda_events`, whose type refuses what Lambda sends: header
//! bytes above 127, records without headers, a partition as text. Values stay borrowed base64 until
//! they are decoded, once.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer};

/// One invocation's records, by `topic-partition`, in the order of partitions.
#[derive(Debug, Deserialize)]
pub struct KafkaEvent<'a> {
    /// Records of each partition, in the order of offsets.
    #[serde(borrow, default)]
    pub records: BTreeMap<Cow<'a, str>, Vec<KafkaRecord<'a>>>,
}

/// One record. A value that is missing, null or empty is a tombstone.
#[derive(Debug, Deserialize)]
pub struct KafkaRecord<'a> {
    /// Topic.
    #[serde(borrow)]
    pub topic: Cow<'a, str>,
    /// Partition.
    #[serde(deserialize_with = "number_or_text")]
    pub partition: i64,
    /// Offset.
    #[serde(deserialize_with = "number_or_text")]
    pub offset: i64,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub timestamp: Option<i64>,
    /// Base64 of the key.
    #[serde(borrow, default)]
    pub key: Option<Cow<'a, str>>,
    /// Base64 of the value.
    #[serde(borrow, default)]
    pub value: Option<Cow<'a, str>>,
}

/// The bytes of a record's key and value.
#[derive(Debug, Default)]
pub(crate) struct Payload {
    pub(crate) key: Option<Vec<u8>>,
    pub(crate) value: Option<Vec<u8>>,
}

impl KafkaRecord<'_> {
    /// Decodes key and value.
    ///
    /// # Errors
    /// The field whose text is no base64, which Lambda never sends.
    pub(crate) fn payload(&self) -> Result<Payload, &'static str> {
        let decode = |text: &Option<Cow<str>>, field| match text.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => STANDARD.decode(text).map(Some).map_err(|_| field),
        };
        Ok(Payload { key: decode(&self.key, "key")?, value: decode(&self.value, "value")? })
    }
}

fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<'a> {
        Number(i64),
        #[serde(borrow)]
        Text(Cow<'a, str>),
    }
    match Either::deserialize(deserializer)? {
        Either::Number(number) => Ok(number),
        Either::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_in_all_the_shapes_that_lambda_gives_them() {
        let event: KafkaEvent = serde_json::from_str(
            r#"{"eventSource": "aws:kafka", "unknown": 1, "records": {"t-1": [
                {"topic": "t", "partition": "1", "offset": 7, "timestamp": 1, "key": "AQ==", "value": "e30=",
                 "headers": [{"h": [195, -61]}]},
                {"topic": "t", "partition": 1, "offset": 8, "value": null},
                {"topic": "t", "partition": 1, "offset": 9, "key": "", "value": "*"}]}}"#,
        )
        .unwrap();
        let records = &event.records["t-1"];
        assert_eq!(records[0].partition, 1);
        let payload = records[0].payload().unwrap();
        assert_eq!(
            (payload.key.as_deref(), payload.value.as_deref()),
            (Some(&[1][..]), Some(&b"{}"[..]))
        );
        assert_eq!(records[1].payload().unwrap().value, None);
        assert_eq!(records[2].payload().unwrap_err(), "value");
    }
}
