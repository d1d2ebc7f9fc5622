//! The lookup of old rows reads what can hold them, and nothing else.

use serde_json::{Value, json};

use crate::faults::{Faults, faulty};
use crate::support::{TestLake, deliver};

fn source() -> Value {
    json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "plain"}}])
}

fn table(key: Value) -> Value {
    json!([{"source": "s", "from": "t", "table": "n.t", "key": key}])
}

fn rows(ids: impl IntoIterator<Item = i64>) -> Vec<String> {
    ids.into_iter().map(|id| json!({"id": id, "region": id % 2, "v": id}).to_string()).collect()
}

/// Applies values to a table of ten files with a hundred keys each, and tells how many were read.
async fn files_read_for(key: Value, values: &[String]) -> usize {
    let lake = TestLake::new(source(), table(key)).await;
    for file in 0..10 {
        let ids = file * 100..(file + 1) * 100;
        deliver(&lake.lakehouse, 0, file * 100, &rows(ids)).await.unwrap();
    }
    let faults = Faults::default();
    // A new process: no footer is in memory.
    let lakehouse = faulty(&lake, &faults).await;
    deliver(&lakehouse, 0, 1000, values).await.unwrap();
    faults.data_files_read().len()
}

#[tokio::test]
async fn keys_beyond_every_bound_read_no_file() {
    assert_eq!(files_read_for(json!(["id"]), &rows([1000, 1001, -1])).await, 0);
}

#[tokio::test]
async fn a_key_reads_the_one_file_that_can_hold_it() {
    assert_eq!(files_read_for(json!(["id"]), &rows([512])).await, 1);
    assert_eq!(files_read_for(json!(["id"]), &rows([512, 513, 5000])).await, 1);
    assert_eq!(files_read_for(json!(["id"]), &rows([0, 999])).await, 2);
}

#[tokio::test]
async fn a_key_of_several_columns_is_excluded_by_any_of_them() {
    let elsewhere = vec![json!({"id": 512, "region": 7, "v": 0}).to_string()];
    assert_eq!(files_read_for(json!(["id", "region"]), &elsewhere).await, 0);
    assert_eq!(files_read_for(json!(["region", "id"]), &rows([512])).await, 1);
}
