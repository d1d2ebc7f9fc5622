//! Events through the handlers.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use serde::de::IgnoredAny;
use shared::counts::Counts;
use shared::deadline::Deadline;
use shared::{Error, Lakehouse, Result};

use crate::print;

/// What an event did.
#[derive(Debug)]
pub(crate) struct Done {
    /// All counts of the event together.
    pub(crate) counts: Counts,
    /// The handler's own report.
    pub(crate) report: serde_json::Value,
    /// Files that failed, each with the reason.
    pub(crate) failed: Vec<(String, String)>,
}

/// The fields that tell the kinds of events apart.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Shape {
    /// Data Firehose.
    delivery_stream_arn: Option<IgnoredAny>,
    /// MSK, and Data Firehose.
    records: Option<IgnoredAny>,
}

/// Sends events, in order, and prints a line for each. The exit code tells whether all went well.
pub(crate) async fn all(lakehouse: &Lakehouse, events: &[PathBuf], json: bool) -> Result<ExitCode> {
    let mut code = ExitCode::SUCCESS;
    let progress = progress(events.len());
    for event in events {
        let done = one(lakehouse, event).await;
        if done.is_err() {
            code = ExitCode::FAILURE;
        }
        progress.suspend(|| print::event_line(event, &done, json));
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(code)
}

/// Sends one event through the handler that its shape calls for.
async fn one(lakehouse: &Lakehouse, path: &Path) -> Result<Done, String> {
    let payload = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let shape: Shape = serde_json::from_str(&payload).map_err(|error| error.to_string())?;
    match (shape.delivery_stream_arn, shape.records) {
        (Some(_), _) => {
            let done = firehose_transform::handle(&payload, &lakehouse.config);
            let outcome = firehose_transform::outcome(done);
            let report = outcome.answer?;
            let mut counts = Counts::default();
            outcome.tables.values().for_each(|table| counts += table);
            Ok(Done { counts, report, failed: Vec::new() })
        }
        (None, Some(_)) => {
            let report = msk_cdc::handle(&payload, lakehouse, Deadline::none())
                .await
                .map_err(|e| e.to_string())?;
            if !report.failed.is_empty() {
                return Err(report.failures());
            }
            let mut counts = report.unrouted.clone();
            report.tables.values().for_each(|table| counts += table);
            Ok(Done { counts, report: to_json(&report)?, failed: Vec::new() })
        }
        (None, None) => {
            let report = dms_csv::handle(&payload, lakehouse, Deadline::none())
                .await
                .map_err(|e| e.to_string())?;
            if !report.failed.is_empty() {
                return Err(report.failures());
            }
            let mut counts = Counts { rejected: report.unrouted, ..Counts::default() };
            let mut failed = Vec::new();
            for table in report.tables.values() {
                counts += &table.counts;
                failed.extend(table.failed.clone());
            }
            Ok(Done { counts, report: to_json(&report)?, failed })
        }
    }
}

fn to_json(report: &impl serde::Serialize) -> Result<serde_json::Value, String> {
    serde_json::to_value(report).map_err(|error| error.to_string())
}

/// A bar on a terminal, nothing in a pipe.
fn progress(length: usize) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} events").ok();
    let bar = ProgressBar::new(length as u64);
    style.into_iter().fold(bar, |bar, style| bar.with_style(style))
}

/// The events of a folder, in the order of their names.
pub(crate) fn events_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(Error::io(folder.display()))?;
    let mut events = Vec::new();
    for entry in entries {
        let path = entry.map_err(Error::io(folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "json") {
            events.push(path);
        }
    }
    events.sort();
    Ok(events)
}
