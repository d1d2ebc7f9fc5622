//! Two writers, each with a catalog connection of its own, on one table.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{TestLake, deliver};

const BATCHES: i64 = 12;
const ROWS: i64 = 5;

fn source() -> Value {
    json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}])
}

fn table(mode: &str) -> Value {
    json!([{"source": "s", "from": "t", "table": "n.t", "key": ["id"], "mode": mode,
            "columns": {"id": "long", "writer": "long", "round": "long"},
            "properties": {"commit.retry.num-retries": "100", "commit.retry.min-wait-ms": "1",
                           "commit.retry.max-wait-ms": "40"}}])
}

/// The values of a writer's batch: it updates its own rows in each.
fn values(writer: i64, batch: i64) -> Vec<String> {
    (0..ROWS)
        .map(|row| json!({"id": writer * 1000 + row, "writer": writer, "round": batch}).to_string())
        .collect()
}

/// Runs two writers at a time, each in a thread and a runtime of its own. Returns conflicts met.
fn race(lake: &TestLake, partition_of: fn(i64) -> i32, writer_of: fn(i64) -> i64) -> u64 {
    std::thread::scope(|scope| {
        let writers: Vec<_> = (0..2)
            .map(|thread| {
                scope.spawn(move || {
                    let runtime =
                        tokio::runtime::Builder::new_current_thread().enable_all().build();
                    runtime.unwrap().block_on(async {
                        let lakehouse = lake.reopened().await;
                        let mut conflicts = 0;
                        for batch in 0..BATCHES {
                            let values = values(writer_of(thread), batch);
                            let first = batch * ROWS;
                            let partition = partition_of(thread);
                            let counts = deliver(&lakehouse, partition, first, &values).await;
                            conflicts += counts.unwrap().conflicts;
                        }
                        conflicts
                    })
                })
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().unwrap()).sum()
    })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn two_writers_lose_nothing_and_write_nothing_twice() {
    let runtime = runtime();
    let lake = runtime.block_on(TestLake::new(source(), table("upsert")));
    race(&lake, |thread| thread as i32, |thread| thread);
    let rows = runtime.block_on(lake.rows("n.t"));
    let ids: BTreeSet<_> = rows.iter().map(|row| row["id"].clone()).collect();
    assert_eq!((rows.len(), ids.len()), (2 * ROWS as usize, 2 * ROWS as usize));
    let last = (BATCHES - 1).to_string();
    assert!(rows.iter().all(|row| row["round"].as_deref() == Some(last.as_str())), "{rows:?}");
    // Every batch became exactly one snapshot, whatever it met on its way.
    assert_eq!(runtime.block_on(lake.snapshots("n.t")), 2 * BATCHES as usize);
}

#[test]
fn two_writers_of_the_same_records_apply_each_once() {
    let runtime = runtime();
    let lake = runtime.block_on(TestLake::new(source(), table("append")));
    race(&lake, |_| 0, |_| 0);
    let rows = runtime.block_on(lake.rows("n.t"));
    assert_eq!(rows.len(), (BATCHES * ROWS) as usize);
    let distinct: BTreeSet<_> = rows.iter().collect();
    assert_eq!(distinct.len(), rows.len(), "some record was applied twice");
}

#[test]
fn writers_that_meet_retry_and_say_so() {
    let runtime = runtime();
    // Conflicts depend on the threads' timing: races go on until the writers have met.
    let met = (0..20).any(|_| {
        let lake = runtime.block_on(TestLake::new(source(), table("upsert")));
        race(&lake, |thread| thread as i32, |thread| thread) > 0
    });
    assert!(met, "two writers never met in twenty races");
}
