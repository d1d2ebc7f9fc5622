//! `make emulate`: the samples through deployed functions end in the tables of this machine.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::cloud::events;
use crate::needs::{packages, program, python};

fn lines(output: std::process::Output) -> Vec<Value> {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Rows in the order of their text, cells in the order of their names.
fn sorted(rows: &[Value]) -> Vec<String> {
    let cells =
        |row: &Value| -> BTreeMap<String, Value> { serde_json::from_value(row.clone()).unwrap() };
    let mut rows: Vec<_> =
        rows.iter().map(|row| serde_json::to_string(&cells(row)).unwrap()).collect();
    rows.sort();
    rows
}

#[test]
fn the_samples_end_in_the_same_tables_as_on_one_machine() {
    let (Some(python), Some(ministack), Some(packages)) =
        (python(), program("ministack"), packages())
    else {
        return;
    };
    let script = std::env::current_dir().unwrap().join("python/emulate.py");
    let mut command = Command::new(python);
    command.arg(script).arg("--json").arg("--events").arg(events());
    command.arg("--packages").arg(packages).arg("--ministack").arg(ministack);
    let emulated = lines(command.output().unwrap());
    let errors: Vec<_> = emulated.iter().filter(|line| line.get("error").is_some()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let emulated: BTreeMap<&str, &Value> =
        emulated.iter().filter_map(|line| Some((line["table"].as_str()?, line))).collect();

    let directory = TempDir::new().unwrap();
    std::os::unix::fs::symlink(events(), directory.path().join("events")).unwrap();
    let local = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        lines(command.args(arguments).arg("--json").current_dir(directory.path()).output().unwrap())
    };
    local(&[]);
    let tables = local(&["tables"]);
    let names: Vec<_> = tables.iter().map(|table| table["table"].as_str().unwrap()).collect();
    assert_eq!(emulated.keys().copied().collect::<Vec<_>>(), names);
    for name in names {
        let emulated = emulated[name]["rows"].as_array().unwrap();
        assert_eq!(sorted(emulated), sorted(&local(&["show", name])), "{name}");
    }
}
