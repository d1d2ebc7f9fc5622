use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::config::Format;

fn format(json: &str) -> CsvFormat {
    let Format::DmsCsv(format) = serde_json::from_str(json).unwrap() else { panic!("{json}") };
    format
}

/// One line a record: op, cells, or why not.
fn printed(text: &[u8], settings: &str, columns: &[&str], full_load: bool) -> String {
    let format = format(settings);
    let mut cursor = Cursor::new("book/file.csv");
    let key = vec!["id".to_owned()];
    let (layout, start) = match format.header {
        true => match read_header(&format, &key, full_load, text, &mut cursor) {
            Ok(read) => read,
            Err(reason) => return reason.0,
        },
        false => {
            let columns: Vec<_> = columns.iter().map(|name| (*name).to_owned()).collect();
            (CsvLayout::from_config(&format, columns.iter(), full_load), 0)
        }
    };
    let order = FileOrder { source: "s".into(), reloads: 0, full_load, name: "file.csv".into() };
    let mut decoded = Decoded::default();
    decode(&text[start..], &layout, &format, &order, &mut cursor, &mut decoded);
    let changes = decoded.changes.iter().map(|change| {
        let row = if change.row.is_empty() {
            match &change.key {
                Key::Named(key) => key,
                other => panic!("{other:?}"),
            }
        } else {
            &change.row
        };
        let cells = row.iter().map(|(name, cell)| match cell {
            Cell::Null => format!("{name}=null"),
            Cell::Unchanged => format!("{name}=unchanged"),
            Cell::Value(value) => {
                format!("{name}={:?}", value.raw).replace("Text(", "").replace(')', "")
            }
        });
        (change.position.clone(), format!("{} {}", change.op, cells.collect::<Vec<_>>().join(" ")))
    });
    let rejected =
        decoded.rejected.iter().map(|r| (r.position.clone(), format!("rejected: it {}", r.reason)));
    let mut lines: Vec<_> = changes.chain(rejected).collect();
    lines.sort_by(|(a, _), (b, _)| a.cmp(b));
    lines.iter().map(|(position, text)| format!("{position} {text}\n")).collect()
}

#[track_caller]
fn check(text: &str, settings: &str, columns: &[&str], full_load: bool, expected: Expect) {
    expected.assert_eq(&printed(text.as_bytes(), settings, columns, full_load));
}

#[test]
fn a_file_with_header_and_op() {
    check(
        "Op,id,note\nI,1,\"He said \"\"hi\"\"\"\nU,1,\"line 1\nline 2\"\nD,1,C:\\tmp\n",
        r#"{"type": "dms_csv", "header": true}"#,
        &[],
        false,
        expect![[r#"
            book/file.csv:2 insert id="1" note="He said \"hi\""
            book/file.csv:3 update id="1" note="line 1\nline 2"
            book/file.csv:5 delete id="1" note="C:\\tmp"
        "#]],
    );
}

#[test]
fn empty_quoted_and_null_are_three_things() {
    check(
        "1,,\"\",NULL,\"NULL\"\n",
        r#"{"type": "dms_csv"}"#,
        &["id", "a", "b", "c", "d"],
        true,
        expect![[r#"
            book/file.csv:1 insert id="1" a="" b="" c=null d="NULL"
        "#]],
    );
}

#[test]
fn a_full_load_has_no_op_where_the_settings_say_so() {
    let columns = ["id", "kind"];
    let default = r#"{"type": "dms_csv"}"#;
    check(
        "1,I\n",
        default,
        &columns,
        true,
        expect![[r#"
        book/file.csv:1 insert id="1" kind="I"
    "#]],
    );
    check(
        "D,1,I\n",
        default,
        &columns,
        false,
        expect![[r#"
        book/file.csv:1 delete id="1" kind="I"
    "#]],
    );
    let always = r#"{"type": "dms_csv", "op": "always", "timestamp_column": "ts"}"#;
    check(
        "I,2026-03-01 12:34:56.123456,1,I\n",
        always,
        &columns,
        true,
        expect![[r#"
        book/file.csv:1 insert id="1" kind="I"
    "#]],
    );
}

#[test]
fn rows_of_the_wrong_width_are_rejected_and_their_neighbours_kept() {
    check(
        "I,1,a\nI,2\nI,3,c,x\nX,4,d\n\nI,5,e",
        r#"{"type": "dms_csv"}"#,
        &["id", "name"],
        false,
        expect![[r#"
            book/file.csv:1 insert id="1" name="a"
            book/file.csv:2 rejected: it has 2 fields where the configuration names 3
            book/file.csv:3 rejected: it has 4 fields where the configuration names 3
            book/file.csv:4 rejected: it has an unknown op: it is I, U or D
            book/file.csv:6 insert id="5" name="e"
        "#]],
    );
}

#[test]
fn a_quote_that_is_never_closed_costs_one_line() {
    check(
        "I,1,a\r\nI,2,\"b\r\nI,3,c\r\n",
        r#"{"type": "dms_csv"}"#,
        &["id", "name"],
        false,
        expect![[r#"
            book/file.csv:1 insert id="1" name="a"
            book/file.csv:2 rejected: it has a quote that is never closed
            book/file.csv:3 insert id="3" name="c"
        "#]],
    );
}

#[test]
fn bytes_that_are_no_text_reject_their_record_alone() {
    let expected = expect![[r#"
        book/file.csv:1 insert id="1" name="a"
        book/file.csv:2 rejected: it is not UTF-8: byte 0 begins no character
        book/file.csv:3 insert id="3" name="ä"
    "#]];
    let text = b"I,1,a\nI,2,\xff\nI,3,\xc3\xa4\n";
    expected.assert_eq(&printed(text, r#"{"type": "dms_csv"}"#, &["id", "name"], false));
}

#[test]
fn an_update_of_the_key_deletes_the_row_of_the_old_one() {
    check(
        "Op,id,v,BI_id\nU,30004,66,11\nU,7,1,7\nI,8,2,\n",
        r#"{"type": "dms_csv", "header": true, "before_image_prefix": "BI_"}"#,
        &[],
        false,
        expect![[r#"
            book/file.csv:2 delete id="11"
            book/file.csv:2 update id="30004" v="66"
            book/file.csv:3 update id="7" v="1"
            book/file.csv:4 insert id="8" v="2"
        "#]],
    );
}

#[test]
fn values_that_were_not_logged_stay_as_they_are() {
    check(
        "U,1,?\nU,2,\"?\"\n",
        r#"{"type": "dms_csv", "no_supplemental": "?"}"#,
        &["id", "name"],
        false,
        expect![[r#"
            book/file.csv:1 update id="1" name=unchanged
            book/file.csv:2 update id="2" name="?"
        "#]],
    );
}

#[test]
fn a_change_without_its_sequence_is_rejected() {
    check(
        "Op,id,seq\nI,1,20250115094431000000000000000000017\nI,2,~\nI,3,\nI,4,2025-01-15\n",
        r#"{"type": "dms_csv", "header": true, "null": "~", "sequence_column": "seq"}"#,
        &[],
        false,
        expect![[r#"
            book/file.csv:2 insert id="1"
            book/file.csv:3 rejected: it has no change sequence of up to 35 digits
            book/file.csv:4 rejected: it has no change sequence of up to 35 digits
            book/file.csv:5 rejected: it has no change sequence of up to 35 digits
        "#]],
    );
}

#[test]
fn a_header_that_does_not_match_fails_the_file() {
    let settings = r#"{"type": "dms_csv", "header": true}"#;
    check(
        "Op,nr,name\nI,1,a\n",
        settings,
        &[],
        false,
        expect![[r#"the header does not match: it has no key column "id""#]],
    );
    check(
        "Op,id,ID\nI,1,a\n",
        settings,
        &[],
        false,
        expect![[r#"the header names column "ID" twice"#]],
    );
    check(
        "id,name\n1,a\n",
        settings,
        &[],
        false,
        expect![
            "the header does not match: a file of changes begins with column Op; where the task writes inserts only, set the format's `op` to never"
        ],
    );
}

proptest! {
    #[test]
    fn whatever_is_written_by_rfc_4180_is_read_back(
        records in prop::collection::vec(prop::collection::vec("[a\",\n\r\\\\ä ]{0,5}", 3), 0..6),
    ) {
        let quoted = |field: &String| format!("\"{}\"", field.replace('"', "\"\""));
        let text: String = records
            .iter()
            .map(|record| record.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n")
            .collect();
        prop_assert_eq!(complete_records(text.as_bytes()), text.len());
        let mut scanner = Scanner::new(text.as_bytes(), b',');
        let mut read = Vec::new();
        while let Some(scanned) = scanner.next() {
            let fields = scanned.fields.unwrap();
            read.push(fields.iter().map(|field| field.text().into_owned()).collect::<Vec<_>>());
        }
        prop_assert_eq!(read, records);
    }

    #[test]
    fn hostile_bytes_are_scanned_to_the_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let mut scanner = Scanner::new(&bytes, b',');
        let mut before = 0;
        while scanner.next().is_some() {
            prop_assert!(scanner.at() > before);
            before = scanner.at();
        }
        prop_assert_eq!(before, bytes.len());
    }
}
