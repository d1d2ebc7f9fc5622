//! What each field of a file is.

use std::collections::HashSet;

use crate::change::Reason;
use crate::config::{CsvFormat, OpColumn};

/// What the fields of a file's records are, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvLayout {
    pub(super) roles: Vec<Role>,
}

/// What a field is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// `I`, `U` or `D`.
    Op,
    /// The time of the change.
    Time,
    /// The change sequence.
    Sequence,
    /// A column of the table.
    Column(String),
    /// A column of the row before the change.
    Before(String),
}

impl CsvLayout {
    /// The layout that a header tells. DMS calls the op column `Op` and writes it first.
    ///
    /// # Errors
    /// Where the header lacks a key column or an op, or names a column twice.
    pub fn from_header(
        names: &[impl AsRef<str>],
        format: &CsvFormat,
        key: &[String],
        full_load: bool,
    ) -> Result<Self, Reason> {
        let mut roles = Vec::with_capacity(names.len());
        let mut seen = HashSet::new();
        for (place, name) in names.iter().enumerate() {
            let name = name.as_ref();
            let is = |column: &Option<String>| {
                column.as_deref().is_some_and(|column| column.eq_ignore_ascii_case(name))
            };
            if !seen.insert(name.to_lowercase()) {
                return Err(Reason::new(format!("the header names column \"{name}\" twice")));
            }
            let before = format.before_image_prefix.as_deref();
            roles.push(if place == 0 && name.eq_ignore_ascii_case("op") {
                Role::Op
            } else if is(&format.timestamp_column) {
                Role::Time
            } else if is(&format.sequence_column) {
                Role::Sequence
            } else if let Some(column) = before.and_then(|prefix| name.strip_prefix(prefix)) {
                Role::Before(column.to_owned())
            } else {
                Role::Column(name.to_owned())
            });
        }
        if let Some(missing) = key.iter().find(|key| !seen.contains(&key.to_lowercase())) {
            return Err(Reason::new(format!(
                "the header does not match: it has no key column \"{missing}\""
            )));
        }
        let has_op = roles.first() == Some(&Role::Op);
        if !has_op && !full_load && format.op != OpColumn::Never {
            return Err(Reason::new(
                "the header does not match: a file of changes begins with column Op; where the task \
                 writes inserts only, set the format's `op` to never",
            ));
        }
        Ok(CsvLayout { roles })
    }

    /// The layout of files without a header: what the configuration says of op and time, then the
    /// columns in its order.
    pub fn from_config<'c>(
        format: &CsvFormat,
        columns: impl Iterator<Item = &'c String>,
        full_load: bool,
    ) -> Self {
        let has_op = match format.op {
            OpColumn::Always => true,
            OpColumn::Changes => !full_load,
            OpColumn::Never => false,
        };
        let op = has_op.then_some(Role::Op);
        let time = format.timestamp_column.is_some().then_some(Role::Time);
        let columns = columns.map(|name| Role::Column(name.clone()));
        CsvLayout { roles: op.into_iter().chain(time).chain(columns).collect() }
    }
}
