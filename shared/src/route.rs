//! Which source and which table a record belongs to.

use crate::config::{Config, Format, SourceConfig, TableConfig};

/// What quarantine and metrics call the table of records that reach none.
pub const UNROUTED: &str = "unrouted";

/// The source that reads the topic.
pub fn source_of_topic<'c>(config: &'c Config, topic: &str) -> Option<&'c SourceConfig> {
    config.sources.iter().find(|source| {
        let topics = source.kafka.as_ref().map(|kafka| &kafka.topics);
        topics.is_some_and(|topics| topics.iter().any(|own| own == topic))
    })
}

/// The source that reads the object, and the folder below its prefix that the object lies in. Of two
/// sources that could, it is the one with the longer prefix.
pub fn source_of_object<'c, 'k>(
    config: &'c Config,
    bucket: &str,
    key: &'k str,
) -> Option<(&'c SourceConfig, &'k str)> {
    let candidates = config.sources.iter().filter_map(|source| {
        let s3 = source.s3.as_ref().filter(|s3| s3.bucket == bucket)?;
        Some((source, key.strip_prefix(s3.prefix.as_str())?, s3.prefix.len()))
    });
    let (source, rest, _) = candidates.max_by_key(|(_, _, length)| *length)?;
    // Below the folder there may be more of them: DMS can sort change files by date.
    let mut folders = config.tables.iter().filter(|table| table.source == source.name);
    let within = |from: &str| rest.strip_prefix(from).is_some_and(|rest| rest.starts_with('/'));
    folders.find(|table| within(&table.from)).map(|table| (source, &rest[..table.from.len()]))
}

/// The tables that take what `from` names of a source: a topic, a folder, or, where a message names
/// its table, that table.
pub fn tables<'c>(
    config: &'c Config,
    source: &'c SourceConfig,
    from: &str,
) -> impl Iterator<Item = &'c TableConfig> {
    let from = from.to_owned();
    config.tables.iter().filter(move |table| {
        table.source == source.name
            && (table.from == from
                || (matches!(source.format, Format::DmsJson { .. })
                    && from.rsplit_once('.').is_some_and(|(_, name)| table.from == name)))
    })
}
