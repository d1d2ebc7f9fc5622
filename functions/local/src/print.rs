//! What people and programs read on standard output.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use arrow::array::{Array, RecordBatch};
use arrow::compute::{SortColumn, lexsort_to_indices, take_record_batch};
use arrow::datatypes::DataType;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use arrow::util::pretty::pretty_format_batches_with_options;
use serde_json::{Map, Value, json};
use shared::Result;
use shared::catalog::LoadedTable;
use shared::config::Place;
use shared::counts::Counts;
use shared::quarantine::Quarantine;
use shared::table::METADATA_PREFIX;

use crate::invoke::Done;

/// Writes a line to standard output. A reader that has seen enough, such as `head`, ends the
/// program and is no fault.
fn line(text: impl Display) {
    if writeln!(std::io::stdout(), "{text}").is_err() {
        std::process::exit(0);
    }
}

macro_rules! say {
    ($($text:tt)*) => { line(format_args!($($text)*)) };
}

/// Columns printed of a wide table.
const COLUMNS: usize = 10;

/// A line between two parts.
pub(crate) fn gap() {
    say!("");
}

/// What a function answered to an event, in one line.
pub(crate) fn answer_line(event: &str, answer: &Result<Value, String>, json: bool) {
    match (answer, json) {
        (Ok(answer), true) => say!("{}", json!({"event": event, "answer": answer})),
        (Err(error), true) => say!("{}", json!({"event": event, "error": error})),
        (Ok(answer), false) => say!("{event}: {answer}"),
        (Err(error), false) => say!("{event}: FAILED: {error}"),
    }
}

/// What an event did, in one line.
pub(crate) fn event_line(event: &Path, done: &Result<Done, String>, json: bool) {
    let event = event.display();
    match (done, json) {
        (Ok(done), true) => {
            say!("{}", json!({"event": event.to_string(), "report": done.report}))
        }
        (Err(error), true) => say!("{}", json!({"event": event.to_string(), "error": error})),
        (Ok(done), false) => {
            say!("{event}: {}", counts(&done.counts));
            for (file, reason) in &done.failed {
                say!("  failed {file}: {reason}");
            }
        }
        (Err(error), false) => say!("{event}: FAILED: {error}"),
    }
}

fn counts(counts: &Counts) -> String {
    let by_op = counts.applied.iter().map(|(op, count)| format!("{count} {op}"));
    let by_kind = counts.skipped.iter().map(|(kind, count)| format!("{count} {}", kind.name()));
    let detail = |parts: Vec<String>| match parts.is_empty() {
        true => String::new(),
        false => format!(" ({})", parts.join(", ")),
    };
    format!(
        "{} applied{}, {} skipped{}, {} rejected",
        counts.applied(),
        detail(by_op.collect()),
        counts.skipped(),
        detail(by_kind.collect()),
        counts.rejected
    )
}

/// A table in one line: its size and its snapshots.
pub(crate) fn table_line(table: &LoadedTable, json: bool) {
    let snapshots = table.metadata.snapshots().len();
    let location = table.metadata.location();
    match json {
        true => say!(
            "{}",
            json!({"table": table.name.to_string(), "snapshots": snapshots, "location": location,
                   "metadata": table.pointer.metadata_location})
        ),
        false => say!("{}: {snapshots} snapshots, {location}", table.name),
    }
}

/// The key columns, as the table's identifier fields name them.
pub(crate) fn key_of(table: &LoadedTable) -> Vec<String> {
    let schema = table.metadata.current_schema();
    let names = schema.identifier_field_ids().filter_map(|id| schema.name_by_field_id(id));
    names.map(str::to_owned).collect()
}

/// The rows in the order of their keys, key columns first, with or without columns of ours.
pub(crate) fn sorted(rows: &RecordBatch, key: &[String], own_columns: bool) -> Result<RecordBatch> {
    let names = match key.is_empty() {
        true => rows.schema().fields().iter().map(|field| field.name().clone()).collect(),
        false => key.to_vec(),
    };
    let columns = names.iter().filter_map(|name| rows.column_by_name(name));
    let columns: Vec<_> =
        columns.map(|values| SortColumn { values: values.clone(), options: None }).collect();
    let sorted = match columns.is_empty() {
        true => rows.clone(),
        false => take_record_batch(rows, &lexsort_to_indices(&columns, None)?)?,
    };
    let schema = sorted.schema();
    let mut shown: Vec<_> = schema.fields().iter().enumerate().collect();
    shown.sort_by_key(|(_, field)| !key.contains(field.name()));
    let shown = shown.into_iter();
    let shown =
        shown.filter(|(_, field)| own_columns || !field.name().starts_with(METADATA_PREFIX));
    Ok(sorted.project(&shown.map(|(index, _)| index).collect::<Vec<_>>())?)
}

/// Rows as a table of text, at most `most` of them, and not all columns of a wide one.
pub(crate) fn rows(rows: &RecordBatch, most: usize) -> Result<()> {
    let columns: Vec<usize> = (0..rows.num_columns().min(COLUMNS)).collect();
    let shown = rows.project(&columns)?.slice(0, rows.num_rows().min(most));
    let options = FormatOptions::new().with_null("null");
    say!("{}", pretty_format_batches_with_options(&[shown], &options)?);
    let more = |count: usize, what: &str| (count > 0).then(|| format!("{count} more {what}"));
    let hidden: Vec<_> = [
        more(rows.num_rows().saturating_sub(most), "rows"),
        more(rows.num_columns().saturating_sub(COLUMNS), "columns"),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !hidden.is_empty() {
        say!("… {}", hidden.join(", "));
    }
    Ok(())
}

/// Rows as JSON, one a line: integers, floats and truths as such, everything else as exact text.
pub(crate) fn rows_as_json(rows: &RecordBatch) -> Result<()> {
    let options = FormatOptions::new();
    let schema = rows.schema();
    let formatters = rows.columns().iter().map(|column| ArrayFormatter::try_new(column, &options));
    let formatters = formatters.collect::<Result<Vec<_>, _>>()?;
    for row in 0..rows.num_rows() {
        let mut object = Map::new();
        for (column, formatter) in formatters.iter().enumerate() {
            let array = rows.column(column);
            let text = || formatter.value(row).to_string();
            let value = match array.data_type() {
                _ if array.is_null(row) => Value::Null,
                DataType::Boolean | DataType::Int32 | DataType::Int64 | DataType::Float64 => {
                    serde_json::from_str(&text()).unwrap_or_else(|_| Value::String(text()))
                }
                _ => Value::String(text()),
            };
            object.insert(schema.field(column).name().clone(), value);
        }
        say!("{}", Value::Object(object));
    }
    Ok(())
}

/// Where rejected records are, if there are any.
pub(crate) fn quarantine(quarantine: &Quarantine) {
    let place = quarantine.place();
    if !matches!(place, Place::Path(folder) if !folder.exists()) {
        say!("\nrejected records, with their reasons: {place}");
    }
}

/// What stopped the program.
pub(crate) fn error(error: &shared::Error) {
    // Nothing is left to do where standard error is closed as well.
    let _ = writeln!(std::io::stderr(), "error: {error}");
}
