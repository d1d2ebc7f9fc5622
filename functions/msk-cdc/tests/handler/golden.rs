//! What each sample event decodes to. The events are those that the README shows and that a local
//! invoke sends.

use std::fmt::Write;
use std::sync::Arc;

use expect_test::expect_file;
use serde_json::Value;
use shared::config::Config;
use shared::decode::{Decoded, Decoder, Record};
use shared::route;

use crate::events::{files, records, samples};
use crate::support::printed_change;

/// One line a record, in the order of the event.
fn printed(event: &str, config: &Config) -> String {
    let sent = records(event);
    let source = route::source_of_topic(config, &sent[0].topic).unwrap();
    let mut decoder = Decoder::new(&source.format, 0);
    let mut text = String::new();
    for sent in &sent {
        let record = Record {
            topic: Arc::from(sent.topic.as_str()),
            partition: sent.partition as i32,
            offset: sent.offset,
            key: sent.key.as_deref(),
            value: sent.value.as_deref(),
        };
        let mut decoded = Decoded::default();
        decoder.decode(&record, &mut decoded);
        for change in &decoded.changes {
            writeln!(text, "{}", printed_change(change)).unwrap();
        }
        for kind in decoded.skipped.keys() {
            writeln!(text, "{} skipped: {}", record.position(), kind.name()).unwrap();
        }
        for rejected in &decoded.rejected {
            writeln!(text, "{} rejected: {}", rejected.position, rejected.reason).unwrap();
        }
    }
    text
}

#[test]
fn sample_events_decode_to_what_is_written_down() {
    let config =
        Config::parse(&std::fs::read_to_string(samples().join("lakehouse.json")).unwrap()).unwrap();
    let events = files(&samples().join("msk-cdc"), "json");
    assert_eq!(events.len(), 7);
    for event in events {
        let name = event.file_stem().unwrap().to_str().unwrap();
        let golden =
            std::env::current_dir().unwrap().join(format!("tests/handler/golden/{name}.txt"));
        let event = std::fs::read_to_string(&event).unwrap();
        expect_file![golden].assert_eq(&printed(&event, &config));
    }
}

#[test]
fn sample_events_hold_the_records_that_are_readable_beside_them() {
    for readable in files(&samples().join("msk-cdc/records"), "jsonl") {
        let name = readable.file_stem().unwrap().to_str().unwrap();
        let event = samples().join("msk-cdc").join(format!("{name}.json"));
        let sent = records(&std::fs::read_to_string(&event).unwrap());
        let lines = std::fs::read_to_string(&readable).unwrap();
        assert_eq!(lines.lines().count(), sent.len(), "{name}");
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let (partition, offset) = (&line["partition"], &line["offset"]);
            let record = sent.iter().find(|r| *partition == r.partition && *offset == r.offset);
            let record = record.unwrap_or_else(|| panic!("{name}: {line}"));
            let text = |value: &Value| value.as_str().map(|text| text.as_bytes().to_vec());
            assert_eq!((&record.key, &record.value), (&text(&line["key"]), &text(&line["value"])));
        }
    }
}
