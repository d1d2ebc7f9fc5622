//! What the types of the configuration cannot say: references, uniqueness, settings that exclude
//! one another.

use std::collections::HashSet;

use super::{CatalogConfig, Config, Format, Mode, OpColumn, SourceConfig, TableConfig};
use crate::change::Unit;
use crate::column_type::ColumnType;
use crate::error::{Error, Result};

/// Checks the document as a whole.
pub(super) fn check(config: &Config) -> Result<()> {
    check_catalogs(config).map_err(|(setting, fault)| Error::config(setting, fault))?;
    let mut names = HashSet::new();
    for (index, source) in config.sources.iter().enumerate() {
        let at = |setting: &str| format!("sources[{index}].{setting}");
        if !names.insert(&source.name) {
            return Err(Error::config(at("name"), format!("\"{}\" is taken", source.name)));
        }
        check_source(config, source)
            .map_err(|(setting, fault)| Error::config(at(setting), fault))?;
    }
    let mut feeds = HashSet::new();
    for (index, table) in config.tables.iter().enumerate() {
        let at = |setting: &str| format!("tables[{index}].{setting}");
        if !feeds.insert((&table.source, &table.from, &table.table)) {
            return Err(Error::config(at("from"), "the same source feeds the same table twice"));
        }
        check_table(config, table).map_err(|(setting, fault)| Error::config(at(setting), fault))?;
    }
    Ok(())
}

/// A setting and what is wrong with it.
type Fault = (&'static str, String);

fn check_catalogs(config: &Config) -> Result<(), Fault> {
    match (&config.catalog, config.catalogs.is_empty()) {
        (Some(_), false) => return Err(("catalogs", "excludes `catalog`: name each once".into())),
        (None, true) => {
            return Err((
                "catalog",
                "is missing: a catalog of type sqlite, glue or s3_tables".into(),
            ));
        }
        _ => {}
    }
    let mut names = HashSet::new();
    for catalog in config.catalogs() {
        let name = catalog.name();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            return Err(("catalogs", "need names of letters, digits, dashes, underscores".into()));
        }
        if !names.insert(name) {
            return Err(("catalogs", format!("\"{name}\" is taken: give one a `name` of its own")));
        }
        match catalog {
            CatalogConfig::Glue { warehouse, .. } if !warehouse.starts_with("s3://") => {
                return Err(("catalog.warehouse", "is s3://bucket or s3://bucket/prefix".into()));
            }
            CatalogConfig::S3Tables { table_bucket, .. }
                if !table_bucket.starts_with("arn:") || !table_bucket.contains(":bucket/") =>
            {
                let fault = "is the ARN of a table bucket, arn:aws:s3tables:…:bucket/…";
                return Err(("catalog.table_bucket", fault.into()));
            }
            _ => {}
        }
    }
    Ok(())
}

fn check_source(config: &Config, source: &SourceConfig) -> Result<(), Fault> {
    if source.name.is_empty() || source.name.contains([':', '/', '.']) {
        return Err(("name", "needs a name without colon, slash and dot".into()));
    }
    let files = matches!(source.format, Format::DmsCsv(_));
    match (&source.kafka, &source.s3, files) {
        (Some(kafka), None, false) if kafka.topics.is_empty() => {
            return Err(("kafka.topics", "needs at least one topic".into()));
        }
        (Some(_), None, false) | (None, Some(_), true) => {}
        (_, _, true) => {
            return Err(("s3", "files of format dms_csv need `s3` and no `kafka`".into()));
        }
        (_, _, false) => return Err(("kafka", "this format needs `kafka` and no `s3`".into())),
    }
    if let Some(kafka) = &source.kafka {
        let mut carried = kafka.delivery_streams.values();
        if let Some(topic) = carried.find(|topic| !kafka.topics.contains(topic)) {
            let fault = format!("\"{topic}\" is none of the topics {}", kafka.topics.join(", "));
            return Err(("kafka.delivery_streams", fault));
        }
    }
    if let Some(s3) = &source.s3 {
        if config.objects.is_none() {
            return Err(("s3", "needs the setting `objects`, which says where buckets lie".into()));
        }
        if !s3.prefix.is_empty() && !s3.prefix.ends_with('/') {
            return Err(("s3.prefix", "ends with a slash, or is empty".into()));
        }
    }
    if let Format::DmsCsv(csv) = &source.format {
        if !csv.delimiter.is_ascii() || matches!(csv.delimiter, '"' | '\n' | '\r') {
            return Err((
                "format.delimiter",
                "is one ASCII character, no quote or line end".into(),
            ));
        }
        if csv.sequence_column.is_some() && !csv.header {
            return Err(("format.sequence_column", "needs `header`: true".into()));
        }
        if csv.before_image_prefix.is_some() && !csv.header {
            return Err(("format.before_image_prefix", "needs `header`: true".into()));
        }
        if csv.op == OpColumn::Never && csv.timestamp_column.is_some() && !csv.header {
            return Err(("format.timestamp_column", "needs an op column or `header`: true".into()));
        }
    }
    Ok(())
}

fn check_table(config: &Config, table: &TableConfig) -> Result<(), Fault> {
    let Some(source) = config.source(&table.source) else {
        let known: Vec<_> = config.sources.iter().map(|source| source.name.as_str()).collect();
        let fault = format!("\"{}\" is none of the sources {}", table.source, known.join(", "));
        return Err(("source", fault));
    };
    if let (Some(kafka), false) = (&source.kafka, matches!(source.format, Format::DmsJson { .. }))
        && !kafka.topics.contains(&table.from)
    {
        let fault = format!("is one of the source's topics: {}", kafka.topics.join(", "));
        return Err(("from", fault));
    }
    let parts: Vec<_> = table.table.split('.').collect();
    if parts.len() != 2 || parts.iter().any(|part| !is_name(part)) {
        let fault = "is `namespace.name` in lower-case letters, digits and underscores";
        return Err(("table", fault.into()));
    }
    if let Some(name) =
        table.catalogs.iter().find(|name| config.catalogs().all(|own| own.name() != *name))
    {
        let known: Vec<_> = config.catalogs().map(CatalogConfig::name).collect();
        return Err(("catalogs", format!("\"{name}\" is none of {}", known.join(", "))));
    }
    if table.key.is_empty() && table.mode != Mode::Append {
        return Err(("key", "names the key columns; only `mode`: append goes without".into()));
    }
    for (name, column) in &table.columns {
        if let Some(unit) = column.unit
            && !unit_fits(unit, column.column_type)
        {
            let fault = format!("column \"{name}\": a {} takes no such unit", column.column_type);
            return Err(("columns", fault));
        }
        let float = matches!(column.column_type, ColumnType::Float | ColumnType::Double);
        if float && table.key.iter().any(|key| key.eq_ignore_ascii_case(name)) {
            let fault = format!("\"{name}\" is a {}: no exact key", column.column_type);
            return Err(("key", fault));
        }
    }
    if let Format::DmsCsv(csv) = &source.format
        && !csv.header
        && table.columns.is_empty()
    {
        let fault = "lists the columns of the files in their order, as these have no header";
        return Err(("columns", fault.into()));
    }
    Ok(())
}

fn is_name(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    !text.is_empty() && text.chars().all(allowed)
}

fn unit_fits(unit: Unit, column_type: ColumnType) -> bool {
    match column_type {
        ColumnType::Date => true,
        ColumnType::Timestamp | ColumnType::Timestamptz => true,
        ColumnType::Time => unit != Unit::Days,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sound document with one setting replaced.
    fn document(replace: &str, with: &str) -> String {
        let sound = r#"{
            "catalog": {"type": "sqlite", "path": "c.db", "warehouse": "w"},
            "quarantine": "q",
            "sources": [{"name": "shop", "kafka": {"topics": ["orders"]}, "format": {"type": "plain"}}],
            "tables": [{"source": "shop", "from": "orders", "table": "shop.orders", "key": ["id"]}]
        }"#;
        assert!(sound.contains(replace), "{replace}");
        sound.replace(replace, with)
    }

    #[track_caller]
    fn check(replace: &str, with: &str, message: &str) {
        let error = Config::parse(&document(replace, with)).unwrap_err();
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn a_sound_document_is_taken() {
        Config::parse(&document("shop", "shop")).unwrap();
    }

    #[test]
    fn an_unknown_setting_is_a_fault_that_names_it() {
        let error = Config::parse(&document(r#""key""#, r#""keys""#)).unwrap_err().to_string();
        assert!(error.starts_with("setting `tables[0].keys`: unknown field `keys`"), "{error}");
        let error = Config::parse(&document(r#""plain""#, r#""plan""#)).unwrap_err().to_string();
        assert!(error.contains("sources[0].format") && error.contains("`plain`"), "{error}");
    }

    #[test]
    fn a_reference_that_leads_nowhere_names_what_there_is() {
        check(
            r#""source": "shop""#,
            r#""source": "shup""#,
            "setting `tables[0].source`: \"shup\" is none of the sources shop",
        );
        check(
            r#""from": "orders""#,
            r#""from": "order""#,
            "setting `tables[0].from`: is one of the source's topics: orders",
        );
    }

    #[test]
    fn a_table_without_key_columns_is_refused_unless_it_appends() {
        check(
            r#""key": ["id"]"#,
            r#""key": []"#,
            "setting `tables[0].key`: names the key columns; only `mode`: append goes without",
        );
        Config::parse(&document(r#""key": ["id"]"#, r#""mode": "append""#)).unwrap();
    }

    #[test]
    fn catalogs_have_names_of_their_own_and_tables_name_those() {
        let sqlite = r#"{"type": "sqlite", "path": "c.db", "warehouse": "w"}"#;
        let glue = r#"{"type": "glue", "warehouse": "s3://lake"}"#;
        let one = format!(r#""catalog": {sqlite}"#);
        let several = |catalogs: &str| format!(r#""catalogs": [{catalogs}]"#);
        Config::parse(&document(&one, &several(&format!("{sqlite}, {glue}")))).unwrap();
        check(
            &one,
            &several(&format!("{glue}, {glue}")),
            "setting `catalogs`: \"glue\" is taken: give one a `name` of its own",
        );
        check(
            &one,
            &several(""),
            "setting `catalog`: is missing: a catalog of type sqlite, glue or s3_tables",
        );
        check(
            &one,
            &format!("{one}, {}", several(glue)),
            "setting `catalogs`: excludes `catalog`: name each once",
        );
        check(
            r#""key": ["id"]"#,
            r#""key": ["id"], "catalogs": ["glue"]"#,
            "setting `tables[0].catalogs`: \"glue\" is none of local",
        );
        check(
            &one,
            r#""catalog": {"type": "s3_tables", "table_bucket": "lake"}"#,
            "setting `catalog.table_bucket`: is the ARN of a table bucket, arn:aws:s3tables:…:bucket/…",
        );
    }

    #[test]
    fn a_float_is_no_key() {
        check(
            r#""key": ["id"]"#,
            r#""key": ["id"], "columns": {"id": "double"}"#,
            "setting `tables[0].key`: \"id\" is a double: no exact key",
        );
    }

    #[test]
    fn a_unit_belongs_to_a_time() {
        check(
            r#""key": ["id"]"#,
            r#""key": ["id"], "columns": {"id": {"type": "long", "unit": "ms"}}"#,
            "setting `tables[0].columns`: column \"id\": a long takes no such unit",
        );
    }
}
