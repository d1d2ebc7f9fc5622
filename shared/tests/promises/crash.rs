//! A crash before and after each step of a commit, then the event again: the table is as if nothing
//! had happened.

use serde_json::{Value, json};

use crate::faults::{Faults, When, faulty};
use crate::support::{TestLake, TextRow, deliver};

fn source() -> Value {
    json!([{"name": "s", "kafka": {"topics": ["t"]},
            "format": {"type": "debezium_flattened", "decimals": "string"}}])
}

/// The rows, and their history: what is applied twice shows there.
fn tables() -> Value {
    let columns = json!({"id": "long", "v": "string"});
    json!([
        {"source": "s", "from": "t", "table": "n.rows", "key": ["id"], "columns": columns,
         "partition": ["bucket(2, id)"]},
        {"source": "s", "from": "t", "table": "n.history", "mode": "append", "columns": columns},
    ])
}

fn message(id: i64, v: &str, op: &str) -> String {
    let deleted = if op == "d" { "true" } else { "false" };
    json!({"id": id, "v": v, "__op": op, "__deleted": deleted}).to_string()
}

/// What is in the table before: so that the second batch updates and deletes stored rows.
fn first() -> Vec<String> {
    (0..6).map(|id| message(id, "first", "c")).collect()
}

fn second() -> Vec<String> {
    vec![
        message(1, "second", "u"),
        message(7, "second", "c"),
        message(2, "second", "d"),
        message(7, "third", "u"),
    ]
}

async fn oracle() -> (Vec<TextRow>, Vec<TextRow>) {
    let lake = TestLake::new(source(), tables()).await;
    deliver(&lake.lakehouse, 0, 0, &first()).await.unwrap();
    deliver(&lake.lakehouse, 0, 6, &second()).await.unwrap();
    let (rows, history) = (lake.rows("n.rows").await, lake.rows("n.history").await);
    assert_eq!((rows.len(), history.len()), (6, 10));
    (rows, history)
}

/// Delivers the second batch with a fault at step `at`, then again without. Returns the name of the
/// step, or nothing where the batch has fewer steps.
async fn crash_at(
    at: usize,
    when: When,
    expected: &(Vec<TextRow>, Vec<TextRow>),
) -> Option<String> {
    let lake = TestLake::new(source(), tables()).await;
    deliver(&lake.lakehouse, 0, 0, &first()).await.unwrap();
    let faults = Faults::at(at, when);
    let outcome = deliver(&faulty(&lake, &faults).await, 0, 6, &second()).await;
    let step = faults.hit()?;
    let survives = matches!(when, When::AnswerLost | When::QuestionLost);
    assert_eq!(outcome.is_ok(), survives && step == "swap", "{step} {when:?}: {outcome:?}");
    deliver(&lake.reopened().await, 0, 6, &second()).await.unwrap();
    let found = (lake.rows("n.rows").await, lake.rows("n.history").await);
    assert_eq!(&found, expected, "after a crash at {step} {when:?}");
    Some(step)
}

async fn crash_at_every_step(when: When) -> Vec<String> {
    let expected = oracle().await;
    let mut steps = Vec::new();
    while let Some(step) = crash_at(steps.len(), when, &expected).await {
        steps.push(step);
    }
    steps
}

/// Data files, delete files, manifests, manifest list, metadata, pointer: each at least once.
fn assert_complete(steps: &[String]) {
    for kind in ["data", "deletes", "manifest", "manifest list", "metadata", "swap"] {
        assert!(steps.iter().any(|step| step == kind), "no step {kind} in {steps:?}");
    }
}

#[tokio::test]
async fn a_crash_before_any_step_is_mended_by_the_next_delivery() {
    assert_complete(&crash_at_every_step(When::Before).await);
}

#[tokio::test]
async fn a_crash_after_any_step_is_mended_by_the_next_delivery() {
    assert_complete(&crash_at_every_step(When::After).await);
}

#[tokio::test]
async fn a_commit_whose_answer_was_lost_is_found_and_not_repeated() {
    assert_complete(&crash_at_every_step(When::AnswerLost).await);
}

#[tokio::test]
async fn a_commit_that_never_reached_the_catalog_is_tried_again() {
    assert_complete(&crash_at_every_step(When::QuestionLost).await);
}

#[tokio::test]
async fn a_crash_while_the_table_is_made_is_mended_by_the_next_delivery() {
    for when in [When::Before, When::After] {
        for at in 0..3 {
            let lake = TestLake::new(source(), tables()).await;
            let faults = Faults::at(at, when);
            deliver(&faulty(&lake, &faults).await, 0, 0, &first()).await.unwrap_err();
            let step = faults.hit().unwrap();
            deliver(&lake.reopened().await, 0, 0, &first()).await.unwrap();
            assert_eq!(lake.rows("n.rows").await.len(), 6, "after a crash at {step} {when:?}");
            assert_eq!(lake.rows("n.history").await.len(), 6, "after a crash at {step} {when:?}");
        }
    }
}
