//! The workloads that the design sets targets for, with time and peak memory.
//!
//! Each workload runs in processes of its own: one makes the table, another opens it and applies
//! batches, so that its peak memory is that of the batches. The first batch of a process finds no
//! footer in the cache, as after a cold start; the median of the others is the warm time.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "workloads/data.rs"]
mod data;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;
use shared::Lakehouse;
use shared::aws::Aws;
use shared::config::Config;
use shared::deadline::Deadline;
use tempfile::TempDir;

use data::Data;

/// Batches applied by the measured process.
const BATCHES: u64 = 6;

/// A workload: how it is called, what its table holds, what is sent.
struct Workload {
    name: &'static str,
    text: &'static str,
    rows: u64,
    files: u64,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// 10,000 changes: 80 % updates of random keys, 10 % inserts, 10 % deletes.
    Changes,
    /// One MSK event of 10,000 CockroachDB records, from its bytes on.
    Event,
    /// One MSK event of 6 MB with records of 110 columns, from its bytes on.
    WideEvent,
}

const WORKLOADS: [Workload; 4] = [
    Workload {
        name: "W1",
        text: "10,000 changes on 1,000,000 rows",
        rows: 1_000_000,
        files: 1,
        kind: Kind::Changes,
    },
    Workload {
        name: "W1x",
        text: "10,000 changes on 20,000,000 rows in 20 files",
        rows: 20_000_000,
        files: 20,
        kind: Kind::Changes,
    },
    Workload {
        name: "W2",
        text: "an event of 10,000 records, 6 MB, on 1,000,000 rows",
        rows: 1_000_000,
        files: 1,
        kind: Kind::Event,
    },
    Workload {
        name: "W2w",
        text: "an event of 110 columns, 6 MB",
        rows: 20_000,
        files: 1,
        kind: Kind::WideEvent,
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().filter(|text| text != "--bench").collect();
    match &arguments[1..] {
        [step, name, folder] => {
            let workload = WORKLOADS.iter().find(|workload| workload.name == name).unwrap();
            let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
            runtime.block_on(run(step, workload, Path::new(folder)));
        }
        names => {
            println!(
                "workload                                                  cold      warm      peak"
            );
            for workload in &WORKLOADS {
                if names.is_empty() || names.iter().any(|name| name == workload.name) {
                    measure(workload);
                }
            }
        }
    }
}

/// Runs both steps of a workload as processes of their own.
fn measure(workload: &Workload) {
    let folder = TempDir::new().unwrap();
    for step in ["prepare", "measure"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let status = command.args([step, workload.name]).arg(folder.path()).status().unwrap();
        assert!(status.success(), "{} {step}", workload.name);
    }
}

async fn run(step: &str, workload: &Workload, folder: &Path) {
    let data = Data { rows: workload.rows, files: workload.files };
    let lakehouse =
        Lakehouse::connect(config(folder, workload.kind), &Aws::default()).await.unwrap();
    match (step, workload.kind) {
        ("prepare", Kind::WideEvent) => {
            msk_cdc::handle(&data::wide_event(0), &lakehouse, Deadline::none()).await.unwrap();
        }
        ("prepare", _) => data.fill(&lakehouse).await,
        (_, kind) => {
            let mut times = Vec::new();
            for round in 1..=BATCHES {
                times.push(match kind {
                    Kind::Changes => data.apply_changes(&lakehouse, round).await,
                    Kind::Event => handle(&data.event(round), &lakehouse).await,
                    Kind::WideEvent => handle(&data::wide_event(round), &lakehouse).await,
                });
            }
            report(workload, times);
        }
    }
}

async fn handle(event: &str, lakehouse: &Lakehouse) -> Duration {
    let start = Instant::now();
    let report = msk_cdc::handle(event, lakehouse, Deadline::none()).await.unwrap();
    let time = start.elapsed();
    assert!(report.tables.values().all(|counts| counts.rejected == 0 && counts.applied() > 0));
    time
}

fn report(workload: &Workload, mut times: Vec<Duration>) {
    let cold = times.remove(0);
    times.sort();
    let warm = times[times.len() / 2];
    println!(
        "{:<4} {:<52} {:>6.0} ms {:>6.0} ms {:>6} MB",
        workload.name,
        workload.text,
        cold.as_secs_f64() * 1e3,
        warm.as_secs_f64() * 1e3,
        peak_memory_kb() / 1024
    );
}

/// The most memory that the process ever held (`VmHWM`).
fn peak_memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

fn config(folder: &Path, kind: Kind) -> Config {
    let path = |name: &str| folder.join(name).display().to_string();
    let format = match kind {
        Kind::Changes => json!({"type": "debezium_flattened", "decimals": "string"}),
        Kind::Event | Kind::WideEvent => json!({"type": "cockroach"}),
    };
    let mut columns = json!({"id": "long", "name": "string", "amount": "decimal(12,2)"});
    let mut key = "id";
    if let Kind::WideEvent = kind {
        columns = data::wide_columns();
        key = "transaction_id";
    }
    let document = json!({
        "catalog": {"type": "sqlite", "path": path("catalog.db"), "warehouse": path("warehouse")},
        "quarantine": path("quarantine"),
        "sources": [{"name": "s", "kafka": {"topics": ["t"]}, "format": format}],
        "tables": [{"source": "s", "from": "t", "table": "n.t", "key": [key], "columns": columns}],
    });
    Config::parse(&document.to_string()).unwrap()
}
