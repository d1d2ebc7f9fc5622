//! Metrics as log lines: CloudWatch's embedded metric format, which costs no call.
//!
//! One line a table and event, with the dimensions `Function` and `Function, Table`: alarms watch a
//! function, dashboards show its tables.

use std::io::Write;

use serde_json::{Value, json};

use crate::change::Op;
use crate::counts::Counts;

/// The namespace of the metrics.
pub const NAMESPACE: &str = "CdcLakehouse";

/// Writes the metrics of a table to standard output.
pub fn emit(function: &str, table: &str, counts: &Counts) {
    let now = chrono::Utc::now().timestamp_millis();
    let mut line = line(function, table, counts, now).to_string();
    line.push('\n');
    // One write, so that no other line comes between. A closed output leaves nobody to tell.
    let _ = std::io::stdout().lock().write_all(line.as_bytes());
}

/// The document of one table (CloudWatch User Guide, embedded metric format specification).
fn line(function: &str, table: &str, counts: &Counts, now: i64) -> Value {
    let op = |op| counts.applied.get(&op).copied().unwrap_or(0);
    let mut metrics = vec![
        ("Inserted", "Count", op(Op::Insert)),
        ("Updated", "Count", op(Op::Update)),
        ("Deleted", "Count", op(Op::Delete)),
        ("Skipped", "Count", counts.skipped()),
        ("Quarantined", "Count", counts.rejected),
        ("Commits", "Count", counts.snapshots),
        ("Conflicts", "Count", counts.conflicts),
        ("Bytes", "Bytes", counts.bytes),
    ];
    // Without a commit there is no lag, rather than one of zero.
    metrics.extend(counts.lag_ms.map(|lag| ("Lag", "Milliseconds", lag)));
    let definitions: Vec<_> =
        metrics.iter().map(|(name, unit, _)| json!({"Name": name, "Unit": unit})).collect();
    let mut line = json!({
        "_aws": {
            "Timestamp": now,
            "CloudWatchMetrics": [{
                "Namespace": NAMESPACE,
                "Dimensions": [["Function"], ["Function", "Table"]],
                "Metrics": definitions,
            }],
        },
        "Function": function,
        "Table": table,
    });
    for (name, _, value) in metrics {
        line[name] = value.into();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_that_is_declared_has_its_value() {
        let mut counts = Counts { rejected: 2, snapshots: 1, bytes: 512, ..Counts::default() };
        counts.apply(Op::Insert);
        counts.apply(Op::Insert);
        let without_lag = line("msk-cdc", "payments.accounts", &counts, 1_700_000_000_000);
        assert_eq!(without_lag.get("Lag"), None);
        counts.lag_ms = Some(1_250);
        let line = line("msk-cdc", "payments.accounts", &counts, 1_700_000_000_000);
        let declared = line["_aws"]["CloudWatchMetrics"][0]["Metrics"].as_array().unwrap();
        let value = |metric: &Value| line[metric["Name"].as_str().unwrap()].as_u64().unwrap();
        let values: Vec<u64> = declared.iter().map(value).collect();
        assert_eq!(values, [2, 0, 0, 0, 2, 1, 0, 512, 1_250]);
        for dimension in ["Function", "Table"] {
            assert!(line[dimension].is_string());
        }
    }
}
