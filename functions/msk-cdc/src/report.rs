//! What an event did, and what Lambda is told of it.

use std::collections::BTreeMap;

use serde::Serialize;
use shared::counts::Counts;
use shared::function::Outcome;
use shared::route::UNROUTED;

/// What an event did, by table.
#[derive(Debug, Default, Serialize)]
pub struct Report {
    /// The counts of each table that the event had changes for.
    pub tables: BTreeMap<String, Counts>,
    /// Records that belong to no table: control messages, and what could not be routed.
    pub unrouted: Counts,
    /// Tables that could not take their changes, each with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub failed: BTreeMap<String, String>,
    /// Records to deliver again. `None` where the event source mapping takes no partial answers.
    #[serde(skip)]
    pub to_deliver_again: Option<Vec<Item>>,
}

/// A record of the event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// `topic-partition`, as the event names it.
    #[serde(rename = "topic-partition")]
    pub topic_partition: String,
    /// Its offset.
    pub offset: i64,
}

/// Why an event must be delivered again.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The payload is not what MSK sends.
    #[error("the event is no MSK event: {0}")]
    Event(#[from] serde_json::Error),
    /// No source reads the topic.
    #[error("no source of the configuration reads topic \"{0}\": add it to `sources`")]
    Topic(String),
    /// Some tables could not take their changes. The others have theirs, as the report says.
    #[error("{}", .0.failures())]
    Tables(Box<Report>),
    /// The quarantine could not be written.
    #[error(transparent)]
    Quarantine(shared::Error),
}

impl Report {
    /// Why tables failed, in one line.
    pub fn failures(&self) -> String {
        self.failed.values().map(String::as_str).collect::<Vec<_>>().join("; ")
    }

    /// What metrics count, by table.
    fn counts(&self) -> BTreeMap<String, Counts> {
        let mut tables = self.tables.clone();
        if self.unrouted != Counts::default() {
            tables.insert(UNROUTED.to_owned(), self.unrouted.clone());
        }
        tables
    }
}

/// What Lambda is told of an event.
pub fn outcome(done: Result<Report, Failed>) -> Outcome {
    match done {
        Ok(report) => {
            Outcome::applied(&report, report.to_deliver_again.as_deref(), report.counts())
        }
        Err(failed) => {
            let tables = match &failed {
                Failed::Tables(report) => report.counts(),
                _ => BTreeMap::new(),
            };
            Outcome::failed(&failed, tables)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_partial_answer_holds_the_records_to_deliver_again_and_nothing_else() {
        let item = Item { topic_partition: "orders-0".into(), offset: 7 };
        let report = Report { to_deliver_again: Some(vec![item]), ..Report::default() };
        let expected = json!({"batchItemFailures": [
            {"itemIdentifier": {"topic-partition": "orders-0", "offset": 7}}
        ]});
        assert_eq!(outcome(Ok(report)).answer.unwrap(), expected);
        let report = Report { to_deliver_again: Some(Vec::new()), ..Report::default() };
        assert_eq!(outcome(Ok(report)).answer.unwrap(), json!({"batchItemFailures": []}));
    }
}
