//! Files in their order, each once, and bad files beside good ones.

use std::path::Path;

use serde_json::{Value, json};
use shared::batch::{Batch, Covered, FilePart};
use shared::change::{Op, Skip};
use shared::config::CsvFormat;
use shared::deadline::Deadline;
use shared::decode::Decoded;
use shared::decode::dms_csv::{Cursor, FileOrder, decode, read_header};

use crate::support::TestLake;

const HEADER: &str = "Op,id,v\n";

async fn lake(format: Value) -> TestLake {
    let sources =
        json!([{"name": "s", "s3": {"bucket": "raw", "prefix": "shop/"}, "format": format}]);
    let columns = json!({"id": "long", "v": "decimal(5,2)"});
    let tables = json!([
        {"source": "s", "from": "a", "table": "n.a", "key": ["id"], "columns": columns},
        {"source": "s", "from": "b", "table": "n.b", "key": ["id"], "columns": columns}]);
    TestLake::new(sources, tables).await
}

fn with_header() -> Value {
    json!({"type": "dms_csv", "header": true})
}

/// Drops a file into the raw bucket.
fn put(lake: &TestLake, key: &str, content: impl AsRef<[u8]>) {
    let path = lake.directory.path().join("objects/raw").join(key);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, content).unwrap();
}

/// The event of one key, as S3 encodes it.
fn event(key: &str) -> String {
    let key = key.replace('+', "%2B").replace(' ', "+");
    json!({"Records": [{"eventSource": "aws:s3",
        "s3": {"bucket": {"name": "raw"}, "object": {"key": key}}}]})
    .to_string()
}

async fn send(lake: &TestLake, key: &str) -> dms_csv::Report {
    dms_csv::handle(&event(key), &lake.reopened().await, Deadline::none()).await.unwrap()
}

/// The rows of a table as `id=v`.
async fn rows(lake: &TestLake, table: &str) -> Vec<String> {
    let rows = lake.rows(table).await;
    let text = |cell: &Option<String>| cell.clone().unwrap_or("null".into());
    rows.iter().map(|row| format!("{}={}", text(&row["id"]), text(&row["v"]))).collect()
}

#[tokio::test]
async fn an_event_applies_all_that_lies_in_the_folder_full_load_first_then_by_name() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}U,1,3\nD,2,\n"));
    put(&lake, "shop/a/20250101-090000000.csv", format!("{HEADER}U,1,2\nI,3,2\n"));
    put(&lake, "shop/a/LOAD00000002.csv", format!("{HEADER}I,2,1\n"));
    put(&lake, "shop/a/LOAD00000001.csv", format!("{HEADER}I,1,1\n"));
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    assert_eq!(
        report.tables["n.a"].files,
        [
            "LOAD00000001.csv",
            "LOAD00000002.csv",
            "20250101-090000000.csv",
            "20250101-100000000.csv"
        ]
        .map(|name| format!("shop/a/{name}"))
    );
    assert_eq!(rows(&lake, "n.a").await, ["1=3.00", "3=2.00"]);
    // Events of the other files, late and in any order, find nothing left to do.
    for key in
        ["shop/a/LOAD00000002.csv", "shop/a/20250101-090000000.csv", "shop/a/LOAD00000001.csv"]
    {
        let report = send(&lake, key).await;
        assert_eq!(
            (report.tables["n.a"].counts.applied(), report.tables["n.a"].files.len()),
            (0, 0)
        );
    }
    assert_eq!(lake.snapshots("n.a").await, 4);
}

#[tokio::test]
async fn a_file_that_turns_up_late_is_applied_and_loses_to_newer_rows() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}I,1,3\n"));
    send(&lake, "shop/a/20250101-100000000.csv").await;
    put(&lake, "shop/a/20250101-090000000.csv", format!("{HEADER}I,1,2\nI,2,2\n"));
    put(&lake, "shop/a/LOAD00000001.csv", format!("{HEADER}I,1,1\nI,3,1\n"));
    let report = send(&lake, "shop/a/20250101-090000000.csv").await;
    let counts = &report.tables["n.a"].counts;
    assert_eq!((counts.applied(), counts.skipped[&Skip::Older]), (2, 2));
    assert_eq!(rows(&lake, "n.a").await, ["1=3.00", "2=2.00", "3=1.00"]);
}

#[tokio::test]
async fn without_versions_a_file_that_turns_up_late_is_refused_aloud() {
    let sources =
        json!([{"name": "s", "s3": {"bucket": "raw", "prefix": "shop/"}, "format": with_header()}]);
    let tables = json!([{"source": "s", "from": "a", "table": "n.a", "key": ["id"],
        "metadata_columns": "none", "columns": {"id": "long", "v": "decimal(5,2)"}}]);
    let lake = TestLake::new(sources, tables).await;
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}I,1,3\n"));
    send(&lake, "shop/a/20250101-100000000.csv").await;
    put(&lake, "shop/a/20250101-090000000.csv", format!("{HEADER}I,1,2\n"));
    put(&lake, "shop/a/20250101-110000000.csv", format!("{HEADER}I,2,4\n"));
    let report = send(&lake, "shop/a/20250101-090000000.csv").await;
    let counts = &report.tables["n.a"].counts;
    assert_eq!((counts.applied(), counts.rejected), (1, 1));
    assert_eq!(rows(&lake, "n.a").await, ["1=3.00", "2=4.00"]);
    assert!(lake.reasons()[0].1.starts_with("is late"), "{:?}", lake.reasons());
}

#[tokio::test]
async fn a_load_that_is_started_again_replaces_rows_of_later_files() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/LOAD00000001.csv", format!("{HEADER}I,1,1\n"));
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}U,1,2\n"));
    send(&lake, "shop/a/LOAD00000001.csv").await;
    put(&lake, "shop/a/LOAD00000001.csv", format!("{HEADER}I,1,10\nI,2,20\n"));
    let report = send(&lake, "shop/a/LOAD00000001.csv").await;
    assert_eq!(report.tables["n.a"].files, ["shop/a/LOAD00000001.csv"]);
    assert_eq!(rows(&lake, "n.a").await, ["1=10.00", "2=20.00"]);
    put(&lake, "shop/a/20250102-100000000.csv", format!("{HEADER}U,1,11\n"));
    send(&lake, "shop/a/20250102-100000000.csv").await;
    assert_eq!(rows(&lake, "n.a").await, ["1=11.00", "2=20.00"]);
}

#[tokio::test]
async fn files_without_header_are_read_as_configured() {
    let lake = lake(json!({"type": "dms_csv", "null": ""})).await;
    put(&lake, "shop/a/LOAD00000001.csv", "1,1.50\n2,\n");
    put(&lake, "shop/a/20250101-100000000.csv", "U,2,2.50\nI,3,3\n");
    send(&lake, "shop/a/LOAD00000001.csv").await;
    assert_eq!(rows(&lake, "n.a").await, ["1=1.50", "2=2.50", "3=3.00"]);
}

/// The format of the DMS endpoint that the Terraform deploys.
fn deployed_endpoint() -> Value {
    json!({"type": "dms_csv", "header": true, "op": "always",
           "null": "__cdc_null__", "no_supplemental": "__cdc_unchanged__",
           "timestamp_column": "dms_commit_time", "sequence_column": "dms_change_sequence",
           "before_image_prefix": "BI_"})
}

#[tokio::test]
async fn files_of_the_deployed_endpoint_are_read_without_guessing() {
    let lake = lake(deployed_endpoint()).await;
    let header = "Op,dms_commit_time,id,v,dms_change_sequence,BI_id\n";
    let loaded = "I,2025-01-15 09:30:00.000000,1,1,__cdc_null__,__cdc_null__\n\
                  I,2025-01-15 09:30:00.000000,2,1,,\n\
                  I,2025-01-15 09:30:00.000000,3,1,__cdc_null__,__cdc_null__\n";
    put(&lake, "shop/a/LOAD00000001.csv", format!("{header}{loaded}"));
    let changed = "U,2025-01-15 09:44:31.000000,1,2,20250115094431000000000000000000017,1\n\
                   U,2025-01-15 09:44:31.000000,20,1,20250115094431000000000000000000018,2\n\
                   U,2025-01-15 09:44:31.000000,3,__cdc_unchanged__,20250115094431000000000000000000019,3\n\
                   I,2025-01-15 09:44:31.000000,4,__cdc_null__,20250115094431000000000000000000020,__cdc_null__\n\
                   U,2025-01-15 09:44:31.000000,1,9,__cdc_null__,1\n";
    put(&lake, "shop/a/20250115-094512345.csv", format!("{header}{changed}"));
    send(&lake, "shop/a/20250115-094512345.csv").await;
    assert_eq!(rows(&lake, "n.a").await, ["1=2.00", "20=1.00", "3=1.00", "4=null"]);
    let reason = "has no change sequence of up to 35 digits";
    let position = "shop/a/20250115-094512345.csv:6";
    assert_eq!(lake.reasons(), [(position.to_owned(), reason.to_owned())]);
}

#[tokio::test]
async fn files_without_op_are_inserts() {
    let lake = lake(json!({"type": "dms_csv", "header": true, "op": "never"})).await;
    put(&lake, "shop/a/20250101-100000000.csv", "id,v\n1,1.50\n2,NULL\n");
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    assert_eq!(report.tables["n.a"].counts.applied[&Op::Insert], 2);
    assert_eq!(rows(&lake, "n.a").await, ["1=1.50", "2=null"]);
}

#[tokio::test]
async fn keys_with_spaces_and_plus_signs_and_compressed_files_are_found() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/2025 01+01.csv", format!("{HEADER}I,1,1\n"));
    let path = lake.directory.path().join("objects/raw/shop/a/20250102.csv.gz");
    let mut gzip = std::process::Command::new("gzip")
        .arg("-c")
        .stdin(std::process::Stdio::piped())
        .stdout(std::fs::File::create(path).unwrap())
        .spawn()
        .unwrap();
    use std::io::Write;
    gzip.stdin.take().unwrap().write_all(format!("{HEADER}I,2,2\n").as_bytes()).unwrap();
    gzip.wait().unwrap();
    let report = send(&lake, "shop/a/2025 01+01.csv").await;
    assert_eq!(report.tables["n.a"].files.len(), 2);
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00", "2=2.00"]);
}

#[tokio::test]
async fn change_files_in_folders_by_date_are_found() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/2025/01/02/20250102-080000000.csv", format!("{HEADER}U,1,2\n"));
    put(&lake, "shop/a/2025/01/01/20250101-080000000.csv", format!("{HEADER}I,1,1\n"));
    send(&lake, "shop/a/2025/01/02/20250102-080000000.csv").await;
    assert_eq!(rows(&lake, "n.a").await, ["1=2.00"]);
}

#[tokio::test]
async fn bad_rows_are_quarantined_and_their_neighbours_applied() {
    let lake = lake(with_header()).await;
    let mut text =
        format!("{HEADER}I,1,1\nI,2\nI,3,3,x\nX,4,4\nI,,5\nI,6,1234.5\nI,7,\"").into_bytes();
    text.extend(b"\nI,8,\xff\nI,9,9\n");
    put(&lake, "shop/a/20250101-100000000.csv", text);
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    let counts = &report.tables["n.a"].counts;
    assert_eq!((counts.applied(), counts.rejected), (2, 7));
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00", "9=9.00"]);
    let key = "shop/a/20250101-100000000.csv";
    let reasons = lake.reasons();
    let reasons: Vec<_> = reasons.iter().map(|(at, why)| (at.as_str(), why.as_str())).collect();
    let at = |line: u32| format!("{key}:{line}");
    assert_eq!(
        reasons,
        [
            (at(3).as_str(), "has 2 fields where the header names 3"),
            (&at(4), "has 4 fields where the header names 3"),
            (&at(5), "has an unknown op: it is I, U or D"),
            (&at(6), "key column \"id\" is null"),
            (&at(7), "column \"v\": has more than the 3 digits before the point of decimal(5,2)"),
            (&at(8), "has a quote that is never closed"),
            (&at(9), "is not UTF-8: byte 0 begins no character"),
        ]
    );
}

/// A folder with a bad file between two good ones: those are applied, and the bad one is named.
async fn check_bad_file(content: &[u8], reason: &str) {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-090000000.csv", format!("{HEADER}I,1,1\n"));
    put(&lake, "shop/a/20250101-100000000.csv", content);
    put(&lake, "shop/a/20250101-110000000.csv", format!("{HEADER}I,2,2\n"));
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    let bad = "shop/a/20250101-100000000.csv";
    assert_eq!(report.tables["n.a"].failed[bad], reason);
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00", "2=2.00"]);
    assert_eq!(lake.reasons(), [(format!("{bad}:1"), format!("the file {reason}"))]);
    // Mended under its name, it is applied with the next event.
    put(&lake, bad, format!("{HEADER}I,3,3\n"));
    send(&lake, bad).await;
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00", "2=2.00", "3=3.00"]);
}

#[tokio::test]
async fn an_empty_file_fails_alone() {
    check_bad_file(b"", "is empty").await;
}

#[tokio::test]
async fn a_header_that_does_not_match_fails_its_file_alone() {
    let reason = "cannot be read: the header does not match: it has no key column \"id\"";
    check_bad_file(b"Op,nr,v\nI,9,9\n", reason).await;
    let reason = "cannot be read: the header does not match: a file of changes begins with column \
                  Op; where the task writes inserts only, set the format's `op` to never";
    check_bad_file(b"id,v\n9,9\n", reason).await;
}

#[tokio::test]
async fn a_broken_compressed_file_fails_alone() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-090000000.csv.gz", b"\x1f\x8b\x08\x00broken");
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}I,1,1\n"));
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    let reason = &report.tables["n.a"].failed["shop/a/20250101-090000000.csv.gz"];
    assert!(reason.starts_with("cannot be decompressed"), "{reason}");
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00"]);
}

#[tokio::test]
async fn an_object_that_vanished_is_told_and_the_others_are_applied() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-100000000.csv", format!("{HEADER}I,1,1\n"));
    let report = send(&lake, "shop/a/20250101-090000000.csv").await;
    assert_eq!(
        report.tables["n.a"].failed["shop/a/20250101-090000000.csv"],
        "is not there any more"
    );
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00"]);
    // One that was applied and is gone since is no fault.
    std::fs::remove_file(lake.directory.path().join("objects/raw/shop/a/20250101-100000000.csv"))
        .unwrap();
    let report = send(&lake, "shop/a/20250101-100000000.csv").await;
    assert!(report.tables["n.a"].failed.is_empty());
}

#[tokio::test]
async fn a_file_with_a_header_and_nothing_else_is_applied_once() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/20250101-090000000.csv", format!("{HEADER}I,1,1\n"));
    put(&lake, "shop/a/20250101-100000000.csv", HEADER);
    assert_eq!(send(&lake, "shop/a/20250101-100000000.csv").await.tables["n.a"].files.len(), 2);
    assert_eq!(send(&lake, "shop/a/20250101-100000000.csv").await.tables["n.a"].files.len(), 0);
}

#[tokio::test]
async fn an_object_that_nobody_reads_is_quarantined_by_name() {
    let lake = lake(with_header()).await;
    let report = send(&lake, "elsewhere/x.csv").await;
    assert_eq!((report.unrouted, report.tables.len()), (1, 0));
    assert_eq!(lake.reasons()[0].0, "raw/elsewhere/x.csv:0");
}

#[tokio::test]
async fn a_large_file_is_applied_in_parts() {
    let lake = lake(json!({"type": "dms_csv", "header": true, "op": "never"})).await;
    let mut text = String::from("id,v\n");
    let rows = 400_000;
    for id in 0..rows {
        // Long enough for several parts; the padding is digits behind the point that are zero.
        text.push_str(&format!("{id},{}.{:0>90}\n", id % 900, ""));
    }
    assert!(text.len() > 33 * 1024 * 1024);
    put(&lake, "shop/a/LOAD00000001.csv", &text);
    let report = send(&lake, "shop/a/LOAD00000001.csv").await;
    assert_eq!(report.tables["n.a"].counts.applied(), rows);
    assert!(report.tables["n.a"].counts.snapshots > 1);
    assert_eq!(lake.rows("n.a").await.len(), rows as usize);
    assert!(!Path::new(&lake.config.quarantine.to_string()).exists(), "nothing is quarantined");
}

#[tokio::test]
async fn a_file_in_progress_is_taken_up_where_it_was_left() {
    let lake = lake(with_header()).await;
    put(&lake, "shop/a/LOAD00000001.csv", format!("{HEADER}I,1,1\nI,2,2\n"));
    // A process that died after the first part of the file: its checkpoint says one record.
    let objects = lake.lakehouse.objects.as_ref().unwrap();
    let object = objects.list("raw", "shop/a/", "").await.unwrap().remove(0);
    let covered = Covered::File(FilePart {
        source: "s".into(),
        from: "a".into(),
        name: "LOAD00000001.csv".into(),
        etag: object.etag,
        full_load: true,
        start: 0,
        end: 1,
        last: false,
    });
    let format: CsvFormat = serde_json::from_value(json!({"header": true})).unwrap();
    let key = ["id".to_owned()];
    let header = HEADER.as_bytes();
    let mut cursor = Cursor::new("shop/a/LOAD00000001.csv");
    let (layout, _) = read_header(&format, &key, true, header, &mut cursor).unwrap();
    let order = FileOrder {
        source: "s".into(),
        reloads: 0,
        full_load: true,
        name: "LOAD00000001.csv".into(),
    };
    let mut decoded = Decoded::default();
    decode(b"I,1,1\n", &layout, &format, &order, &mut cursor, &mut decoded);
    let batch = Batch { changes: decoded.changes, rejected: decoded.rejected, covered };
    lake.lakehouse.tables(&lake.config.tables[0]).next().unwrap().apply(batch).await.unwrap();

    let report = send(&lake, "shop/a/LOAD00000001.csv").await;
    let counts = &report.tables["n.a"].counts;
    assert_eq!((counts.applied(), counts.skipped[&Skip::AlreadyApplied]), (1, 1));
    assert_eq!(rows(&lake, "n.a").await, ["1=1.00", "2=2.00"]);
    assert_eq!(send(&lake, "shop/a/LOAD00000001.csv").await.tables["n.a"].files.len(), 0);
}
