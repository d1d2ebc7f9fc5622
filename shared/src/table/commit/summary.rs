//! The summary of a snapshot: what it added, and the totals of the table after it.

use std::collections::HashMap;

use iceberg::spec::{SnapshotSummaryCollector, TableMetadata};

use super::RowDelta;

/// Totals, each with what adds to it and what takes from it (table spec, appendix F).
const TOTALS: [(&str, &str, &str); 6] = [
    ("total-data-files", "added-data-files", "deleted-data-files"),
    ("total-delete-files", "added-delete-files", "removed-delete-files"),
    ("total-records", "added-records", "deleted-records"),
    ("total-files-size", "added-files-size", "removed-files-size"),
    ("total-position-deletes", "added-position-deletes", "removed-position-deletes"),
    ("total-equality-deletes", "added-equality-deletes", "removed-equality-deletes"),
];

/// The entries of the snapshot that commits `delta` on top of `metadata`.
pub(super) fn entries(delta: &RowDelta, metadata: &TableMetadata) -> HashMap<String, String> {
    let mut collector = SnapshotSummaryCollector::default();
    for file in delta.data.iter().chain(&delta.deletes) {
        let spec = metadata.default_partition_spec().clone();
        collector.add_file(&file.file, metadata.current_schema().clone(), spec);
    }
    let mut entries = collector.build();
    let before = metadata.current_snapshot().map(|parent| &parent.summary().additional_properties);
    for (total, added, removed) in TOTALS {
        let number = |name: &str| entries.get(name).and_then(|text| text.parse::<u64>().ok());
        let base = match before {
            None => Some(0),
            Some(before) => before.get(total).and_then(|text| text.parse::<u64>().ok()),
        };
        // A parent without a total leaves it unknown for good.
        if let Some(base) = base {
            let sum = base + number(added).unwrap_or(0);
            let sum = sum.saturating_sub(number(removed).unwrap_or(0));
            entries.insert(total.to_owned(), sum.to_string());
        }
    }
    entries.insert("cdc.commit-id".to_owned(), delta.commit_id.to_string());
    entries.extend(delta.summary.clone());
    entries
}
