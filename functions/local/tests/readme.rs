//! The README says what the code does.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    std::env::current_dir().unwrap().join("../..")
}

/// The text of every source file below a folder.
fn sources(folder: &Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, texts),
            false => texts.push(std::fs::read_to_string(path).unwrap()),
        }
    }
}

#[test]
fn every_call_of_aws_is_listed_with_the_action_that_allows_it() {
    let mut texts = Vec::new();
    sources(&root().join("shared/src"), &mut texts);
    let quoted = texts.iter().flat_map(|text| text.split('"'));
    let services = ["glue:", "s3:", "s3tables:"];
    let is_action = |text: &&str| {
        let operation = services.iter().find_map(|service| text.strip_prefix(service));
        operation.is_some_and(|operation| {
            operation.starts_with(|c: char| c.is_ascii_uppercase())
                && operation.chars().all(|c| c.is_ascii_alphanumeric())
        })
    };
    let actions: BTreeSet<&str> = quoted.filter(is_action).collect();
    assert!(actions.len() > 12, "{actions:?}");
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let unlisted: Vec<_> =
        actions.iter().filter(|action| !readme.contains(&format!("`{action}`"))).collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

#[test]
fn every_metric_is_listed() {
    let metrics = root().join("shared/src/telemetry/metrics.rs");
    let metrics = std::fs::read_to_string(metrics).unwrap();
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let names = metrics.lines().filter_map(|line| {
        let (name, rest) = line.trim().strip_prefix("(\"")?.split_once('"')?;
        rest.starts_with(", \"").then_some(name)
    });
    let names: Vec<_> = names.collect();
    assert_eq!(names.len(), 8);
    for name in names.iter().chain(&["Lag", shared::telemetry::NAMESPACE]) {
        assert!(readme.contains(&format!("`{name}`")), "{name}");
    }
}
