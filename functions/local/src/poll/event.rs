//! Kafka records -> the event that Lambda makes of them for a function, and what its answer asks for.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rskafka::record::RecordAndOffset;
use serde_json::{Value, json};

/// Records of one partition, in order.
pub(super) struct Batch<'b> {
    pub(super) topic: &'b str,
    pub(super) partition: i32,
    pub(super) records: Vec<RecordAndOffset>,
}

impl Batch<'_> {
    pub(super) fn first(&self) -> i64 {
        self.records.first().map_or(0, |record| record.offset)
    }

    pub(super) fn last(&self) -> Option<i64> {
        self.records.last().map(|record| record.offset)
    }

    /// The payload of an MSK trigger (AWS Lambda Developer Guide, "Using Lambda with Amazon MSK").
    pub(super) fn to_event(&self) -> String {
        let records: Vec<Value> = self.records.iter().map(|record| self.record(record)).collect();
        let partition = format!("{}-{}", self.topic, self.partition);
        json!({"eventSource": "aws:kafka", "records": {partition: records}}).to_string()
    }

    fn record(&self, own: &RecordAndOffset) -> Value {
        let RecordAndOffset { record, offset } = own;
        let encode = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| STANDARD.encode(bytes));
        // Java's bytes have a sign.
        let signed = |bytes: &[u8]| bytes.iter().map(|&byte| byte as i8).collect::<Vec<_>>();
        let headers: Vec<Value> =
            record.headers.iter().map(|(name, bytes)| json!({name: signed(bytes)})).collect();
        json!({
            "topic": self.topic,
            "partition": self.partition,
            "offset": offset,
            "timestamp": record.timestamp.timestamp_millis(),
            "timestampType": "CREATE_TIME",
            "key": encode(&record.key),
            "value": encode(&record.value),
            "headers": headers,
        })
    }
}

/// The lowest offset that a partial answer names; `None` where all is applied.
pub(super) fn first_failed(answer: &Value) -> Option<i64> {
    let failures = answer.get("batchItemFailures")?.as_array()?;
    let offset = |failure: &Value| failure["itemIdentifier"]["offset"].as_i64();
    failures.iter().filter_map(offset).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_answer_resumes_at_its_first_record() {
        let item = |offset| json!({"itemIdentifier": {"topic-partition": "t-0", "offset": offset}});
        let answer = json!({"batchItemFailures": [item(9), item(7)]});
        assert_eq!(first_failed(&answer), Some(7));
        assert_eq!(first_failed(&json!({"batchItemFailures": []})), None);
        assert_eq!(first_failed(&json!({"tables": {}})), None);
    }
}
