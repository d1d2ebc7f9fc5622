//! The main job on the samples: what the README promises of the command that runs it.
#![allow(clippy::unwrap_used)]

#[path = "../../../shared/tests/aws/needs.rs"]
mod needs;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A copy of the sample events, so that a run leaves nothing in the repository.
fn samples() -> TempDir {
    let directory = TempDir::new().unwrap();
    let events = std::env::current_dir().unwrap().join("../../events");
    copy(&events, &directory.path().join("events"));
    directory
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &target),
            false => drop(std::fs::copy(&path, target).unwrap()),
        }
    }
}

fn local(directory: &TempDir, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    let output = command.args(arguments).current_dir(directory.path()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "local {arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn rows(directory: &TempDir, table: &str) -> Vec<Value> {
    lines(&local(directory, &["show", table, "--json"]))
}

/// Tables and their snapshots.
fn snapshots(directory: &TempDir) -> BTreeMap<String, u64> {
    let tables = lines(&local(directory, &["tables", "--json"]));
    let of = |table: &Value| {
        (table["table"].as_str().unwrap().to_owned(), table["snapshots"].as_u64().unwrap())
    };
    tables.iter().map(of).collect()
}

#[test]
fn the_samples_end_in_the_tables_that_the_databases_held() {
    let directory = samples();
    local(&directory, &[]);
    let books = rows(&directory, "bookstore.book");
    assert_eq!(books.len(), 7);
    assert_eq!(books[1]["author"], "George Orwell");
    let publishers: Vec<_> = books.iter().map(|book| book["publisher"].clone()).collect();
    assert!(publishers[..6].iter().all(Value::is_null), "{publishers:?}");
    assert_eq!(publishers[6], "Penguin Books");

    let sales = rows(&directory, "bookstore.sales");
    let totals: Vec<_> = sales.iter().map(|sale| sale["total_price"].as_str().unwrap()).collect();
    assert_eq!(
        totals,
        ["41.98", "25.15", "75.54", "22.61", "20.94", "100.72", "67.83", "20.99", "20.94", "25.15"]
    );
    let customers = rows(&directory, "bookstore.customer");
    assert_eq!(customers[1]["zip_code"], "07985");
    assert_eq!(customers[1]["address"], "Monika-Neuschäfer-Weg 34");

    let transactions = rows(&directory, "payments.financial_transactions");
    let ids: Vec<_> =
        transactions.iter().map(|row| row["transaction_id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["TXN-002", "TXN-003", "TXN-005", "TXN-007"]);
    assert_eq!(transactions[1]["amount"], "9007199254740993.01");
    let wide = rows(&directory, "payments.financial_transactions_wide");
    assert_eq!(wide[0].as_object().unwrap().len(), 110);
    assert_eq!(rows(&directory, "shop.orders")[1]["total"], "99999999999999.99");
    assert_eq!(rows(&directory, "payments.accounts")[1]["id"], 903_123_456_789_012_345_i64);
}

#[test]
fn a_second_run_applies_nothing_and_makes_no_snapshot() {
    let directory = samples();
    let first = lines(&local(&directory, &["--json"]));
    let before = snapshots(&directory);
    let second = lines(&local(&directory, &["--json"]));
    let applied = |line: &Value| -> u64 {
        let tables = line["report"]["tables"].as_object().unwrap().values();
        tables.map(|table| table["applied"].as_u64().unwrap()).sum()
    };
    let events = |lines: &[Value]| -> Vec<Value> {
        lines.iter().filter(|line| line["event"].is_string()).cloned().collect()
    };
    assert_eq!(events(&first).len(), 13);
    assert_eq!(events(&first).iter().map(applied).sum::<u64>(), 81);
    for event in events(&second) {
        assert_eq!(applied(&event), 0, "{event}");
    }
    assert_eq!(snapshots(&directory), before);
}

#[test]
fn clean_leaves_nothing_behind() {
    let directory = samples();
    local(&directory, &[]);
    local(&directory, &["clean"]);
    let left: Vec<_> = std::fs::read_dir(directory.path().join("lakehouse")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn pyiceberg_and_duckdb_read_the_same_rows() {
    let directory = samples();
    local(&directory, &[]);
    check_second_readers(&directory);
}

#[test]
fn pyiceberg_and_duckdb_read_partitioned_tables_of_captured_streams() {
    let micros = json!({"type": "timestamp", "unit": "us"});
    let directory = TempDir::new().unwrap();
    std::fs::create_dir(directory.path().join("events")).unwrap();
    let topics = json!([
        "srv.public.acct",
        "srv.public.ord",
        "srv.public.line",
        "ora.public.account",
        "ora.public.payment"
    ]);
    let config = json!({
        "catalog": {"type": "sqlite", "path": "lakehouse/catalog.db", "warehouse": "lakehouse/warehouse"},
        "quarantine": "lakehouse/quarantine",
        "sources": [{"name": "db", "kafka": {"topics": topics},
                     "format": {"type": "debezium_flattened"}}],
        "tables": [
            {"source": "db", "from": "srv.public.acct", "table": "pg.acct", "key": ["id"],
             "columns": {"bal": "decimal(18,4)", "ts": micros}, "partition": ["truncate(2, name)", "ok"]},
            {"source": "db", "from": "srv.public.ord", "table": "pg.ord", "key": ["id"],
             "columns": {"total": "decimal(18,4)", "at": "timestamptz"}, "partition": ["year(at)", "state"]},
            {"source": "db", "from": "srv.public.line", "table": "pg.line", "key": ["order_id", "pos"],
             "partition": ["bucket(4, order_id)"], "mode": "soft_delete"},
            {"source": "db", "from": "ora.public.account", "table": "pg.account", "key": ["id"],
             "columns": {"id": "decimal(18,0)", "balance": "decimal(18,4)", "rate": "decimal(9,6)",
                         "opened": "date", "updated_at": micros, "raw": "binary"},
             "partition": ["day(opened)"]},
            {"source": "db", "from": "ora.public.payment", "table": "pg.payment", "mode": "append",
             "columns": {"account_id": "decimal(18,0)", "amount": "decimal(12,2)",
                         "paid_at": "timestamptz"}}]});
    std::fs::write(directory.path().join("events/lakehouse.json"), config.to_string()).unwrap();
    let streams = std::env::current_dir().unwrap().join("../msk-cdc/tests/handler/streams");
    let mut arguments = vec!["invoke".to_owned()];
    for stream in ["pg-many", "pg-flat-rewrite"] {
        let files =
            std::fs::read_dir(streams.join(stream)).unwrap().map(|file| file.unwrap().path());
        let events = files.filter(|path| path.extension().is_some_and(|own| own == "json"));
        let mut events: Vec<_> = events.map(|path| path.display().to_string()).collect();
        events.sort();
        arguments.extend(events);
    }
    local(&directory, &arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(snapshots(&directory).len(), 5);
    check_second_readers(&directory);
}

/// Every table is the same by PyIceberg, by DuckDB and by our own reader.
fn check_second_readers(directory: &TempDir) {
    let Some(python) = needs::python() else { return };
    let root = directory.path().join("lakehouse").canonicalize().unwrap();
    let output = Command::new(python)
        .arg(std::env::current_dir().unwrap().join("python/read_back.py"))
        .args([root.join("catalog.db"), root.join("warehouse")])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    let read = lines(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(read.len(), 2 * snapshots(directory).len(), "each table by each engine");
    for read in read {
        let (engine, table) = (&read["engine"], read["table"].as_str().unwrap());
        assert_eq!(
            sorted(read["rows"].as_array().unwrap().clone()),
            sorted(rows(directory, table)),
            "{table} by {engine}"
        );
    }
}

/// Rows in the order of their text, cells in the order of their names.
fn sorted(rows: Vec<Value>) -> Vec<BTreeMap<String, Value>> {
    let mut rows: Vec<BTreeMap<String, Value>> =
        rows.into_iter().map(|row| serde_json::from_value(row).unwrap()).collect();
    rows.sort_by_key(|row| serde_json::to_string(row).unwrap());
    rows
}

#[test]
fn a_faulty_config_stops_the_start_and_names_the_setting() {
    let directory = samples();
    let path = directory.path().join("events/lakehouse.json");
    let config = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, config.replacen("\"decimal(18,2)\"", "\"number\"", 1)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    let output = command.current_dir(directory.path()).output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(error.contains("setting `tables[0].columns.amount`"), "{error}");
    assert!(error.contains("decimal(p,s) with p up to 38"), "{error}");
}

#[test]
fn the_json_schema_of_the_config_is_the_one_in_the_repository() {
    let path = std::env::current_dir().unwrap().join("../../shared/config.schema.json");
    expect_test::expect_file![path].assert_eq(&shared::config::Config::json_schema());
}
