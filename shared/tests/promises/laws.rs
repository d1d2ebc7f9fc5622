//! Any sequence of changes, cut into any batches, with replays of any stretch, gives the same table
//! as a replay of the changes, one by one, on a map.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::{TestLake, TextRow, deliver};

const UNCHANGED: &str = "__debezium_unavailable_value";

/// One change of the random history.
#[derive(Debug, Clone)]
enum Step {
    Put {
        id: i64,
        region: &'static str,
        cents: i32,
        day: u32,
        note: Option<&'static str>,
    },
    /// An update that does not send `note`.
    Keep {
        id: i64,
        region: &'static str,
        cents: i32,
        day: u32,
    },
    Delete {
        id: i64,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let id = 0..12i64;
    let region = select(vec!["north", "söuth", ""]);
    let note = prop::option::of(select(vec!["", "a", "日本", "long enough to be cut in bounds"]));
    let rest = (id.clone(), region, -500..500i32, 0..70u32);
    prop_oneof![
        4 => (rest.clone(), note).prop_map(|((id, region, cents, day), note)| {
            Step::Put { id, region, cents, day, note }
        }),
        2 => rest.prop_map(|(id, region, cents, day)| Step::Keep { id, region, cents, day }),
        2 => id.prop_map(|id| Step::Delete { id }),
    ]
}

fn date(day: u32) -> String {
    format!("2024-{:02}-{:02}", 1 + day / 28, 1 + day % 28)
}

fn amount(cents: i32) -> String {
    let sign = if cents < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", cents.abs() / 100, cents.abs() % 100)
}

/// As a flattened Debezium message.
fn message(step: &Step) -> String {
    let row = |op, id: &i64, region: &str, cents: &i32, day: &u32, note: Option<&str>| {
        json!({"id": id, "region": region, "amount": amount(*cents), "day": date(*day),
               "note": note, "__op": op, "__deleted": "false"})
    };
    let message = match step {
        Step::Put { id, region, cents, day, note } => row("c", id, region, cents, day, *note),
        Step::Keep { id, region, cents, day } => row("u", id, region, cents, day, Some(UNCHANGED)),
        // As PostgreSQL sends it: all but the key is made up.
        Step::Delete { id } => json!({"id": id, "region": "", "amount": "0", "day": "1970-01-01",
            "note": null, "__op": "d", "__deleted": "true"}),
    };
    message.to_string()
}

/// The replay on a map. An update that keeps a cell of a row that is not there cannot be applied.
fn replay(steps: &[Step]) -> Vec<TextRow> {
    let mut map: BTreeMap<i64, TextRow> = BTreeMap::new();
    for step in steps {
        let row = |id: &i64, region: &str, cents: &i32, day: &u32, note: Option<String>| {
            let some = |text: String| Some(text);
            TextRow::from([
                ("id".to_owned(), some(id.to_string())),
                ("region".to_owned(), some(region.to_owned())),
                ("amount".to_owned(), some(amount(*cents))),
                ("day".to_owned(), some(date(*day))),
                ("note".to_owned(), note),
            ])
        };
        match step {
            Step::Put { id, region, cents, day, note } => {
                map.insert(*id, row(id, region, cents, day, note.map(str::to_owned)));
            }
            Step::Keep { id, region, cents, day } => {
                if let Some(stored) = map.get(id) {
                    let note = stored["note"].clone();
                    map.insert(*id, row(id, region, cents, day, note));
                }
            }
            Step::Delete { id } => {
                map.remove(id);
            }
        }
    }
    let mut rows: Vec<TextRow> = map.into_values().collect();
    rows.sort();
    rows
}

fn source() -> Value {
    json!([{"name": "s", "kafka": {"topics": ["t"]},
            "format": {"type": "debezium_flattened", "decimals": "string"}}])
}

fn table(partition: &Value, metadata_columns: &str) -> Value {
    json!([{"source": "s", "from": "t", "table": "n.t", "key": ["id"], "partition": partition,
            "metadata_columns": metadata_columns,
            "columns": {"id": "long", "region": "string", "amount": "decimal(10,2)",
                        "day": "date", "note": "string"},
            "properties": {"commit.manifest.min-count-to-merge": "4"}}])
}

/// Deliveries as stretches of the history: each begins at or before the end of what was delivered.
fn deliveries(length: usize) -> impl Strategy<Value = Vec<(usize, usize)>> {
    prop::collection::vec((0.0..1.0f64, 1..20usize, prop::bool::weighted(0.3)), 1..12).prop_map(
        move |cuts| {
            let mut delivered = 0;
            let mut stretches = Vec::new();
            for (back, count, again) in cuts {
                let start = if again { (delivered as f64 * back) as usize } else { delivered };
                let end = (start + count).min(length);
                if start < end {
                    stretches.push((start, end));
                    delivered = delivered.max(end);
                }
            }
            if delivered < length {
                stretches.push((delivered, length));
            }
            stretches
        },
    )
}

fn history() -> impl Strategy<Value = (Vec<Step>, Vec<(usize, usize)>)> {
    prop::collection::vec(step(), 1..60).prop_flat_map(|steps| {
        let length = steps.len();
        (Just(steps), deliveries(length))
    })
}

fn check(steps: &[Step], stretches: &[(usize, usize)], partition: &Value, metadata_columns: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let lake = TestLake::new(source(), table(partition, metadata_columns)).await;
        let messages: Vec<String> = steps.iter().map(message).collect();
        for &(start, end) in stretches {
            deliver(&lake.lakehouse, 0, start as i64, &messages[start..end]).await.unwrap();
        }
        assert_eq!(lake.rows("n.t").await, replay(steps));
        let before = lake.snapshots("n.t").await;
        deliver(&lake.reopened().await, 0, 0, &messages).await.unwrap();
        assert_eq!(lake.snapshots("n.t").await, before, "a full replay made a snapshot");
    });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_table_equals_the_replay_on_a_map((steps, stretches) in history()) {
        check(&steps, &stretches, &json!([]), "version");
    }

    #[test]
    fn a_table_without_versions_equals_the_replay_on_a_map((steps, stretches) in history()) {
        check(&steps, &stretches, &json!([]), "none");
    }

    #[test]
    fn a_row_that_moves_between_partitions_leaves_nothing_behind((steps, stretches) in history()) {
        check(&steps, &stretches, &json!(["region"]), "version");
    }

    #[test]
    fn a_row_that_moves_between_transformed_partitions_leaves_nothing_behind(
        (steps, stretches) in history(),
    ) {
        check(&steps, &stretches, &json!(["bucket(3, id)", "month(day)", "truncate(2, region)"]), "all");
    }
}

/// A change feed after restarts: versions of rows come in any order, some of them again and again.
fn feed() -> impl Strategy<Value = Vec<Vec<(i64, u64)>>> {
    let event = prop::collection::vec((0..6i64, 0..30u64), 1..15);
    prop::collection::vec(event, 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn the_newest_version_of_a_row_wins_in_whatever_order_versions_come(events in feed()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let source = json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": {"type": "cockroach"}}]);
            let table = json!([{"source": "s", "from": "t", "table": "n.t", "key": ["id"]}]);
            let lake = TestLake::new(source, table).await;
            let mut newest: BTreeMap<i64, u64> = BTreeMap::new();
            let mut offset = 0;
            for event in &events {
                // The row of a version is told by the version: what comes again is the same.
                let message = |(id, version): &(i64, u64)| {
                    json!({"after": {"id": id, "v": version}, "op": "u",
                           "updated": format!("{}.{:010}", version / 2, version % 2)}).to_string()
                };
                let messages: Vec<String> = event.iter().map(message).collect();
                deliver(&lake.lakehouse, 0, offset, &messages).await.unwrap();
                offset += messages.len() as i64;
                for &(id, version) in event {
                    let known = newest.entry(id).or_insert(version);
                    *known = version.max(*known);
                }
            }
            let row = |(id, version): (&i64, &u64)| TextRow::from([
                ("id".to_owned(), Some(id.to_string())),
                ("v".to_owned(), Some(version.to_string())),
            ]);
            assert_eq!(lake.rows("n.t").await, newest.iter().map(row).collect::<Vec<_>>());
        });
    }
}
