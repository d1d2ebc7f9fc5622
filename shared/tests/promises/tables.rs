//! Single promises about tables.

use serde_json::{Value, json};
use shared::aws::Aws;

use crate::support::{TestLake, TextRow, deliver};

fn source(format: Value) -> Value {
    json!([{"name": "s", "kafka": {"topics": ["t"]}, "format": format}])
}

fn plain() -> Value {
    source(json!({"type": "plain"}))
}

fn table(more: Value) -> Value {
    let mut table = json!({"source": "s", "from": "t", "table": "n.t", "key": ["id"]});
    let more = more.as_object().unwrap().clone();
    table.as_object_mut().unwrap().extend(more);
    json!([table])
}

fn texts(messages: &[Value]) -> Vec<String> {
    messages.iter().map(Value::to_string).collect()
}

fn row(cells: &[(&str, Option<&str>)]) -> TextRow {
    cells.iter().map(|(name, cell)| ((*name).to_owned(), cell.map(str::to_owned))).collect()
}

#[tokio::test]
async fn keys_compare_by_value_not_by_spelling() {
    let lake = TestLake::new(plain(), table(json!({"columns": {"id": "decimal(9,2)"}}))).await;
    let messages = ["1.5", "\"1.50\"", "15e-1"].map(|id| format!("{{\"id\": {id}, \"v\": 1}}"));
    deliver(&lake.lakehouse, 0, 0, &messages[..1]).await.unwrap();
    deliver(&lake.lakehouse, 0, 1, &messages[1..]).await.unwrap();
    assert_eq!(lake.rows("n.t").await, [row(&[("id", Some("1.50")), ("v", Some("1"))])]);
}

#[tokio::test]
async fn a_column_that_appears_is_added_and_one_that_vanishes_reads_null() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    let first = texts(&[json!({"id": 1, "a": "x"}), json!({"id": 2, "a": "y", "later": null})]);
    deliver(&lake.lakehouse, 0, 0, &first).await.unwrap();
    let second = texts(&[json!({"ID": 2, "B": 2.5})]);
    deliver(&lake.lakehouse, 0, 2, &second).await.unwrap();
    let expected = [
        row(&[("id", Some("1")), ("a", Some("x")), ("b", None)]),
        row(&[("id", Some("2")), ("a", None), ("b", Some("2.5"))]),
    ];
    let rows = lake.rows("n.t").await;
    assert!(expected.iter().all(|row| rows.contains(row)) && rows.len() == 2, "{rows:?}");
}

#[tokio::test]
async fn columns_that_collide_in_lower_case_reject_the_record() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    let messages = vec![r#"{"id": 1, "Id": 2}"#.to_owned(), r#"{"id": 3}"#.to_owned()];
    let counts = deliver(&lake.lakehouse, 0, 0, &messages).await.unwrap();
    assert_eq!((counts.applied(), counts.rejected), (1, 1));
    let reason =
        "column \"id\": stands twice in the row (names are compared without regard to case)";
    assert_eq!(lake.reasons(), [("t-0@0".to_owned(), reason.to_owned())]);
}

#[tokio::test]
async fn a_reserved_column_name_fails_the_table_at_once() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    let error = deliver(&lake.lakehouse, 0, 0, &texts(&[json!({"id": 1, "_pos": 2})])).await;
    let message = "table n.t: column \"_pos\" of the source has a reserved name: rename it there";
    assert_eq!(error.unwrap_err().to_string(), message);
}

#[tokio::test]
async fn types_widen_where_the_configuration_says_so_and_only_then() {
    let narrow = json!({"columns": {"id": "long", "n": "int", "d": "decimal(5,2)"}});
    let lake = TestLake::new(plain(), table(narrow)).await;
    let large = texts(&[json!({"id": 2, "n": 3_000_000_000_i64, "d": "1.00"})]);
    deliver(&lake.lakehouse, 0, 0, &texts(&[json!({"id": 1, "n": 7, "d": "999.99"})]))
        .await
        .unwrap();
    assert_eq!(deliver(&lake.lakehouse, 0, 1, &large).await.unwrap().rejected, 1);

    let mut config = lake.config.clone();
    config.tables[0].columns["n"].column_type = "long".parse().unwrap();
    config.tables[0].columns["d"].column_type = "decimal(9,2)".parse().unwrap();
    let wider = shared::Lakehouse::connect(config, &Aws::default()).await.unwrap();
    let larger = texts(&[json!({"id": 3, "n": 3_000_000_000_i64, "d": "1234567.89"})]);
    assert_eq!(deliver(&wider, 0, 2, &larger).await.unwrap().applied(), 1);
    let mut rows = lake.rows("n.t").await;
    rows.sort_by_key(|row| row["id"].clone());
    assert_eq!(rows[0], row(&[("id", Some("1")), ("n", Some("7")), ("d", Some("999.99"))]));
    assert_eq!(
        rows[1],
        row(&[("id", Some("3")), ("n", Some("3000000000")), ("d", Some("1234567.89"))])
    );
    // A file written before the key's neighbours were widened is still found by key.
    deliver(&wider, 0, 3, &texts(&[json!({"id": 1, "n": 8, "d": "0.01"})])).await.unwrap();
    assert_eq!(lake.rows("n.t").await.len(), 2);
}

#[tokio::test]
async fn a_key_that_is_widened_still_finds_its_rows() {
    let lake = TestLake::new(plain(), table(json!({"columns": {"id": "int"}}))).await;
    let message = |id: i64, v: i64| json!({"id": id, "v": v});
    deliver(&lake.lakehouse, 0, 0, &texts(&[message(1, 1), message(2, 1)])).await.unwrap();
    let mut config = lake.config.clone();
    config.tables[0].columns["id"].column_type = "long".parse().unwrap();
    let wider = shared::Lakehouse::connect(config, &Aws::default()).await.unwrap();
    let large = i64::from(i32::MAX) + 1;
    let counts = deliver(&wider, 0, 2, &texts(&[message(2, 2), message(large, 2)])).await.unwrap();
    assert_eq!(counts.applied(), 2);
    let rows = lake.rows("n.t").await;
    let found: Vec<_> = rows
        .iter()
        .map(|row| (row["id"].as_deref().unwrap(), row["v"].as_deref().unwrap()))
        .collect();
    assert_eq!(found, [("1", "1"), ("2", "2"), ("2147483648", "2")]);
}

#[tokio::test]
async fn soft_deletes_keep_the_row_and_mark_it() {
    let format = json!({"type": "debezium_flattened"});
    let settings = json!({"mode": "soft_delete", "metadata_columns": "none"});
    let lake = TestLake::new(source(format), table(settings)).await;
    let put = |id: i64, v: &str| json!({"id": id, "v": v, "__deleted": "false"});
    let gone = |id: i64| json!({"id": id, "v": "", "__deleted": "true"});
    let first = texts(&[put(1, "a"), put(2, "b"), put(3, "c"), gone(3), gone(9)]);
    deliver(&lake.lakehouse, 0, 0, &first).await.unwrap();
    deliver(&lake.lakehouse, 0, 5, &texts(&[gone(1), gone(8)])).await.unwrap();
    let name = "n.t".parse().unwrap();
    let loaded = shared::catalog::load(lake.lakehouse.catalog(), &name).await.unwrap().unwrap();
    let batch = shared::table::scan(lake.lakehouse.catalog(), &loaded).await.unwrap();
    let printed = arrow::util::pretty::pretty_format_batches(&[batch]).unwrap().to_string();
    let mut lines: Vec<_> = printed.lines().filter(|line| !line.starts_with('+')).collect();
    lines[1..].sort_unstable();
    assert_eq!(
        lines,
        [
            "| id | v | _cdc_deleted |",
            "| 1  | a | true         |",
            "| 2  | b | false        |",
            "| 3  | c | true         |"
        ]
    );
}

#[tokio::test]
async fn a_soft_delete_of_a_key_that_is_not_there_makes_no_row() {
    let format = json!({"type": "debezium_flattened"});
    let lake = TestLake::new(source(format), table(json!({"mode": "soft_delete"}))).await;
    let message = |id: i64, deleted: &str| json!({"id": id, "__deleted": deleted});
    let messages =
        [message(1, "false"), message(2, "true"), message(2, "true"), message(1, "true")];
    deliver(&lake.lakehouse, 0, 0, &texts(&messages)).await.unwrap();
    assert_eq!(lake.rows("n.t").await, [row(&[("id", Some("1"))])]);
}

#[tokio::test]
async fn all_changes_that_keep_cells_of_a_row_that_is_not_there_are_rejected() {
    let lake = TestLake::new(source(json!({"type": "debezium_flattened"})), table(json!({}))).await;
    let first = texts(&[json!({"id": 1, "v": "a", "n": 0})]);
    deliver(&lake.lakehouse, 0, 0, &first).await.unwrap();
    let keep = |id: i64, n: i64| json!({"id": id, "v": "__debezium_unavailable_value", "n": n});
    let counts =
        deliver(&lake.lakehouse, 0, 1, &texts(&[keep(2, 1), keep(1, 2), keep(2, 3)])).await;
    let counts = counts.unwrap();
    assert_eq!((counts.applied(), counts.rejected), (1, 2));
    let positions: Vec<_> = lake.reasons().into_iter().map(|(position, _)| position).collect();
    assert_eq!(positions, ["t-0@1", "t-0@3"]);
    let expected = [row(&[("id", Some("1")), ("v", Some("a")), ("n", Some("2"))])];
    assert_eq!(lake.rows("n.t").await, expected);
}

#[tokio::test]
async fn an_old_version_that_comes_again_does_not_undo_a_newer_one() {
    let lake = TestLake::new(source(json!({"type": "cockroach"})), table(json!({}))).await;
    let message = |v: i64, clock: &str| json!({"after": {"id": 1, "v": v}, "op": "u", "updated": format!("{clock}.0000000000")});
    deliver(&lake.lakehouse, 0, 0, &texts(&[message(1, "100"), message(3, "300")])).await.unwrap();
    let counts = deliver(&lake.lakehouse, 0, 2, &texts(&[message(2, "200")])).await.unwrap();
    assert_eq!(counts.skipped[&shared::change::Skip::Older], 1);
    assert_eq!(lake.rows("n.t").await, [row(&[("id", Some("1")), ("v", Some("3"))])]);
}

#[tokio::test]
async fn a_stretch_that_was_left_out_is_applied_later_and_loses_to_newer_rows() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    let message = |id: i64, v: i64| json!({"id": id, "v": v});
    deliver(&lake.lakehouse, 0, 0, &texts(&[message(1, 0)])).await.unwrap();
    deliver(&lake.lakehouse, 0, 3, &texts(&[message(1, 3)])).await.unwrap();
    let counts =
        deliver(&lake.lakehouse, 0, 1, &texts(&[message(1, 1), message(2, 2)])).await.unwrap();
    assert_eq!((counts.applied(), counts.skipped()), (1, 1));
    let rows = lake.rows("n.t").await;
    assert_eq!(rows[0], row(&[("id", Some("1")), ("v", Some("3"))]));
    assert_eq!(rows[1], row(&[("id", Some("2")), ("v", Some("2"))]));
}

#[tokio::test]
async fn without_versions_a_late_stretch_is_refused_aloud() {
    let lake = TestLake::new(plain(), table(json!({"metadata_columns": "none"}))).await;
    let message = |id: i64, v: i64| json!({"id": id, "v": v});
    deliver(&lake.lakehouse, 0, 3, &texts(&[message(1, 3)])).await.unwrap();
    let counts = deliver(&lake.lakehouse, 0, 1, &texts(&[message(1, 1)])).await.unwrap();
    assert_eq!((counts.applied(), counts.rejected), (0, 1));
    assert!(lake.reasons()[0].1.starts_with("is late: changes behind it are applied"));
}

/// A table that somebody else made, with a required column that is no key.
async fn made_by_others(lake: &TestLake) {
    use iceberg::spec::{NestedField, PrimitiveType, Schema, TableMetadataBuilder, Type};
    let field = |id, name, primitive| {
        std::sync::Arc::new(NestedField::required(id, name, Type::Primitive(primitive)))
    };
    let fields = [field(1, "ID", PrimitiveType::Long), field(2, "V", PrimitiveType::Int)];
    let catalog = lake.lakehouse.catalog();
    let name = "n.t".parse().unwrap();
    let creation = iceberg::TableCreation::builder()
        .name("t".to_owned())
        .location(catalog.location(&name).await.unwrap())
        .schema(Schema::builder().with_fields(fields).build().unwrap())
        .build();
    let builder = TableMetadataBuilder::from_table_creation(creation).unwrap();
    let metadata = builder.build().unwrap().metadata;
    let file = iceberg::MetadataLocation::new_with_metadata(metadata.location(), &metadata);
    metadata.write_to(catalog.file_io(), &file).await.unwrap();
    catalog.create(&name, &file.to_string(), &metadata).await.unwrap();
}

async fn is_required(lake: &TestLake, column: &str) -> bool {
    let name = "n.t".parse().unwrap();
    let catalog = lake.lakehouse.catalog();
    let loaded = shared::catalog::load(catalog, &name).await.unwrap().unwrap();
    loaded.metadata.current_schema().field_by_name(column).unwrap().required
}

#[tokio::test]
async fn a_table_made_by_others_is_taken_as_it_is() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    made_by_others(&lake).await;
    deliver(&lake.lakehouse, 0, 0, &texts(&[json!({"id": 1, "v": 2})])).await.unwrap();
    let again = texts(&[json!({"id": 1, "v": 3}), json!({"id": 4, "v": "x"})]);
    let counts = deliver(&lake.lakehouse, 0, 1, &again).await.unwrap();
    assert_eq!((counts.applied(), counts.rejected), (1, 1));
    assert_eq!(lake.rows("n.t").await, [row(&[("ID", Some("1")), ("V", Some("3"))])]);
}

#[tokio::test]
async fn a_required_column_that_gets_nulls_becomes_optional_unless_the_record_is_rejected() {
    let lake = TestLake::new(plain(), table(json!({}))).await;
    made_by_others(&lake).await;
    let rejected = texts(&[json!({"id": null, "v": null}), json!({"id": 1, "v": 1})]);
    assert_eq!(deliver(&lake.lakehouse, 0, 0, &rejected).await.unwrap().rejected, 1);
    assert!(is_required(&lake, "V").await);
    deliver(&lake.lakehouse, 0, 2, &texts(&[json!({"id": 2})])).await.unwrap();
    assert!(!is_required(&lake, "V").await);
    let expected =
        [row(&[("ID", Some("1")), ("V", Some("1"))]), row(&[("ID", Some("2")), ("V", None)])];
    assert_eq!(lake.rows("n.t").await, expected);
}

#[tokio::test]
async fn the_hundredth_commit_lists_few_manifests() {
    let settings = json!({"properties": {"commit.manifest.min-count-to-merge": "5"}});
    let lake = TestLake::new(plain(), table(settings)).await;
    for round in 0..30 {
        let message = json!({"id": round % 3, "round": round});
        deliver(&lake.lakehouse, 0, round, &texts(&[message])).await.unwrap();
    }
    let name = "n.t".parse().unwrap();
    let catalog = lake.lakehouse.catalog();
    let loaded = shared::catalog::load(catalog, &name).await.unwrap().unwrap();
    let snapshot = loaded.metadata.current_snapshot().unwrap();
    let list = catalog.file_io().new_input(snapshot.manifest_list()).unwrap().read().await.unwrap();
    let version = loaded.metadata.format_version();
    let list = iceberg::spec::ManifestList::parse_with_version(&list, version).unwrap();
    assert!(list.entries().len() <= 12, "{} manifests", list.entries().len());
    let rows = lake.rows("n.t").await;
    let rounds: Vec<_> = rows.iter().map(|row| row["round"].as_deref().unwrap()).collect();
    assert_eq!(rounds, ["27", "28", "29"]);
    let totals = &snapshot.summary().additional_properties;
    assert_eq!(
        (totals["total-records"].as_str(), totals["total-position-deletes"].as_str()),
        ("30", "27")
    );
}

#[tokio::test]
async fn a_topic_that_was_created_anew_is_told_and_a_new_generation_takes_it() {
    use shared::batch::{Batch, Covered, Offsets};
    let lake = TestLake::new(plain(), table(json!({}))).await;
    let batch = |generation, first, oldest| Batch {
        changes: Vec::new(),
        rejected: Vec::new(),
        covered: Covered::Kafka {
            source: "s".into(),
            topic: "t".into(),
            generation,
            partitions: vec![Offsets { partition: 0, first, last: first, oldest, newest: oldest }],
        },
    };
    deliver(&lake.lakehouse, 0, 5, &texts(&[json!({"id": 1})])).await.unwrap();
    let table = lake.lakehouse.tables(&lake.config.tables[0]).next().unwrap();
    let error = table.apply(batch(0, 0, 9_000)).await.unwrap_err().to_string();
    assert!(error.contains("raise `kafka.generation`"), "{error}");
    table.apply(batch(1, 0, 9_000)).await.unwrap();
}
