//! The type of a column that nobody declared, from the values seen of it.

use crate::change::{Cell, Raw};
use crate::column_type::ColumnType;

/// What is known of a column's type.
#[derive(Debug, Default)]
pub(super) struct Inferred {
    /// From the message's schema.
    pub(super) declared: Option<ColumnType>,
    seen: Option<ColumnType>,
}

impl Inferred {
    /// Takes one more cell into account.
    pub(super) fn see(&mut self, cell: &Cell) {
        let Cell::Value(value) = cell else { return };
        let kind = match &value.raw {
            // CSV does not tell a number from a code with leading zeros.
            Raw::Text(_) => ColumnType::String,
            Raw::Json(json) => json_type(json),
        };
        self.seen = Some(self.seen.map_or(kind, |seen| common(seen, kind)));
    }

    /// The narrowest type that holds all values seen; `None` where there were none.
    pub(super) fn guess(&self) -> Option<ColumnType> {
        self.seen
    }
}

const ANY_INTEGER: ColumnType = ColumnType::Decimal { precision: 38, scale: 0 };

fn json_type(json: &str) -> ColumnType {
    match json.as_bytes().first() {
        Some(b't' | b'f') => ColumnType::Boolean,
        Some(b'"' | b'{' | b'[') | None => ColumnType::String,
        Some(_) if json.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) => {
            ColumnType::Double
        }
        Some(_) if json.parse::<i64>().is_ok() => ColumnType::Long,
        Some(_) => ANY_INTEGER,
    }
}

fn common(a: ColumnType, b: ColumnType) -> ColumnType {
    match (a, b) {
        _ if a == b => a,
        (ColumnType::Long, ColumnType::Double) | (ColumnType::Double, ColumnType::Long) => {
            ColumnType::Double
        }
        (ColumnType::Long, ANY_INTEGER) | (ANY_INTEGER, ColumnType::Long) => ANY_INTEGER,
        _ => ColumnType::String,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Encoding;

    #[track_caller]
    fn check(values: &[&str], guess: Option<ColumnType>) {
        let mut inferred = Inferred::default();
        values.iter().for_each(|json| inferred.see(&Cell::json(json, Encoding::Plain)));
        assert_eq!(inferred.guess(), guess);
    }

    #[test]
    fn a_guess_holds_all_values_seen() {
        check(&["1", "null", "-2"], Some(ColumnType::Long));
        check(&["1", "2.5"], Some(ColumnType::Double));
        check(&["1", "12345678901234567890"], Some(ANY_INTEGER));
        check(&["12345678901234567890", "2.5"], Some(ColumnType::String));
        check(&["true", "\"a\""], Some(ColumnType::String));
        check(&["{\"a\":1}"], Some(ColumnType::String));
        check(&["null"], None);
    }
}
