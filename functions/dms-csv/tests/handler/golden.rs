//! What the sample files decode to.

use expect_test::expect_file;
use shared::config::{Config, Format};
use shared::decode::Decoded;
use shared::decode::dms_csv::{Cursor, FileOrder, decode, read_header};

use crate::support::printed_change;

#[test]
fn sample_files_decode_to_what_is_written_down() {
    let root = std::env::current_dir().unwrap();
    let events = root.join("../../events");
    let config =
        Config::parse(&std::fs::read_to_string(events.join("lakehouse.json")).unwrap()).unwrap();
    let source = config.source("bookstore").unwrap();
    let Format::DmsCsv(format) = &source.format else { panic!("{source:?}") };
    for table in config.tables.iter().filter(|table| table.source == source.name) {
        let folder = events.join("dms-csv/objects/raw-zone/bookstoredb").join(&table.from);
        let mut files: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let mut text = String::new();
        for file in files {
            let name = file.file_name().unwrap().to_str().unwrap();
            let bytes = std::fs::read(&file).unwrap();
            let full_load = name.starts_with("LOAD");
            let mut cursor = Cursor::new(name);
            let read = read_header(format, &table.key, full_load, &bytes, &mut cursor);
            let (layout, start) = read.unwrap();
            let order =
                FileOrder { source: "s".into(), reloads: 0, full_load, name: name.to_owned() };
            let mut decoded = Decoded::default();
            decode(&bytes[start..], &layout, format, &order, &mut cursor, &mut decoded);
            assert_eq!(decoded.rejected, []);
            decoded.changes.iter().for_each(|change| text += &(printed_change(change) + "\n"));
        }
        let golden = root.join(format!("tests/handler/golden/{}.txt", table.from));
        expect_file![golden].assert_eq(&text);
    }
}
