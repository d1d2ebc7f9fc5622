//! The objects that an event names, in whatever wrapping it comes: straight from S3, inside SQS
//! messages, from EventBridge, or one within the other.

use std::collections::BTreeSet;

use aws_lambda_events::sqs::SqsEvent;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::Value;

/// An object that an event names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Named {
    /// The bucket.
    pub bucket: String,
    /// The key, decoded.
    pub key: String,
}

/// What all wrappings have in common: some of these fields. S3's own type in `aws_lambda_events`
/// insists on fields that say nothing here and that other senders leave out.
#[derive(Debug, Deserialize)]
struct Envelope {
    #[serde(rename = "Records")]
    records: Option<Vec<Value>>,
    /// EventBridge.
    detail: Option<Entity>,
    /// `s3:TestEvent`, which S3 sends when a notification is set up.
    #[serde(rename = "Event")]
    event: Option<String>,
    /// Amazon SNS.
    #[serde(rename = "Message")]
    message: Option<String>,
}

#[derive(Debug, Deserialize)]
struct S3Record {
    s3: Entity,
}

#[derive(Debug, Deserialize)]
struct Entity {
    bucket: Bucket,
    object: Object,
}

#[derive(Debug, Deserialize)]
struct Bucket {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Object {
    key: String,
}

/// What came as one: an SQS message, or the whole of another event.
#[derive(Debug)]
pub struct Delivery {
    /// The id of the SQS message.
    pub message_id: Option<String>,
    named: Result<BTreeSet<Named>, serde_json::Error>,
}

impl Delivery {
    /// The objects that it names, each once. A test event names none.
    pub fn objects(&self) -> impl Iterator<Item = &Named> {
        self.named.iter().flatten()
    }

    /// What is wrong with a message that is no S3 event.
    pub fn fault(&self) -> Option<&serde_json::Error> {
        self.named.as_ref().err()
    }

    pub(crate) fn into_fault(self) -> Option<serde_json::Error> {
        self.named.err()
    }
}

/// What an event delivers.
///
/// # Errors
/// Where the event is none of the kinds that this function is triggered by. A message in a queue
/// that is none is a fault of that delivery alone.
pub fn deliveries(payload: &str) -> Result<Vec<Delivery>, serde_json::Error> {
    let envelope: Envelope = serde_json::from_str(payload)?;
    let mut records = envelope.records.iter().flatten();
    if !records.any(|record| record.get("body").is_some()) {
        let mut named = BTreeSet::new();
        envelope.collect(&mut named)?;
        return Ok(vec![Delivery { message_id: None, named: Ok(named) }]);
    }
    let event: SqsEvent = serde_json::from_str(payload)?;
    let messages = event.records.into_iter().map(|message| {
        let mut named = BTreeSet::new();
        let body = message.body.unwrap_or_default();
        let read = serde_json::from_str(&body);
        let read = read.and_then(|envelope: Envelope| envelope.collect(&mut named));
        Delivery { message_id: message.message_id, named: read.map(|()| named) }
    });
    Ok(messages.collect())
}

impl Envelope {
    /// Adds the objects that it names.
    fn collect(self, named: &mut BTreeSet<Named>) -> Result<(), serde_json::Error> {
        if self.event.as_deref() == Some("s3:TestEvent") {
            return Ok(());
        }
        if let Some(message) = self.message {
            let inner: Envelope = serde_json::from_str(&message)?;
            return inner.collect(named);
        }
        if let Some(Entity { bucket, object }) = self.detail {
            // EventBridge does not encode keys.
            named.insert(Named { bucket: bucket.name, key: object.key });
            return Ok(());
        }
        let Some(records) = self.records else {
            let fault = "is no S3 event: it has neither Records nor detail";
            return Err(serde::de::Error::custom(fault));
        };
        for record in records {
            let S3Record { s3: Entity { bucket, object } } = serde_json::from_value(record)?;
            named.insert(Named { bucket: bucket.name, key: decoded(&object.key) });
        }
        Ok(())
    }
}

/// Notifications encode keys as forms do: a plus is a space, and what is a plus is `%2B`.
fn decoded(key: &str) -> String {
    percent_decode_str(&key.replace('+', " ")).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(payload: &str) -> Vec<String> {
        let deliveries = deliveries(payload).unwrap();
        assert!(deliveries.iter().all(|delivery| delivery.fault().is_none()));
        let named = deliveries.iter().flat_map(Delivery::objects);
        named.map(|named| named.key.clone()).collect()
    }

    const S3: &str = r#"{"Records": [{"eventVersion": "2.6", "eventSource": "aws:s3",
        "s3": {"bucket": {"name": "raw"}, "object": {"key": "shop/my+table/a%2Bb%C3%A4.csv", "size": 1}}}]}"#;

    #[test]
    fn a_plus_in_a_key_is_a_space() {
        assert_eq!(keys(S3), ["shop/my table/a+bä.csv"]);
    }

    #[test]
    fn events_come_straight_or_wrapped() {
        let quoted = serde_json::to_string(S3).unwrap();
        let sqs = format!(
            r#"{{"Records": [{{"messageId": "1", "body": {quoted}, "eventSource": "aws:sqs"}}]}}"#
        );
        let notification =
            serde_json::to_string(&format!(r#"{{"Type": "Notification", "Message": {quoted}}}"#))
                .unwrap();
        let sns = format!(r#"{{"Records": [{{"messageId": "1", "body": {notification}}}]}}"#);
        assert_eq!(keys(&sqs), keys(S3));
        assert_eq!(keys(&sns), keys(S3));
        let bridge = r#"{"source": "aws.s3", "detail-type": "Object Created",
            "detail": {"bucket": {"name": "raw"}, "object": {"key": "shop/a+b.csv"}}}"#;
        assert_eq!(keys(bridge), ["shop/a+b.csv"]);
    }

    #[test]
    fn a_test_event_names_nothing() {
        let test = r#"{"Service": "Amazon S3", "Event": "s3:TestEvent", "Bucket": "raw"}"#;
        assert_eq!(keys(test), [""; 0]);
        let quoted = serde_json::to_string(test).unwrap();
        assert_eq!(keys(&format!(r#"{{"Records": [{{"body": {quoted}}}]}}"#)), [""; 0]);
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(deliveries(r#"{"hello": 1}"#).is_err());
        assert!(deliveries("[]").is_err());
    }

    #[test]
    fn a_message_that_is_no_s3_event_is_a_fault_of_that_message_alone() {
        let quoted = serde_json::to_string(S3).unwrap();
        let queue = format!(
            r#"{{"Records": [{{"messageId": "1", "body": "poison"}}, {{"messageId": "2", "body": {quoted}}}]}}"#
        );
        let deliveries = deliveries(&queue).unwrap();
        let faults: Vec<_> = deliveries.iter().map(|own| own.fault().is_some()).collect();
        assert_eq!(faults, [true, false]);
        assert_eq!(deliveries[1].message_id.as_deref(), Some("2"));
        assert_eq!(deliveries[1].objects().count(), 1);
    }
}
