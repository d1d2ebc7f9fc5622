//! JSON as decoders need it: the fields of an object in their order, each value as its own text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::connect::Schemas;
use crate::change::{Cell, Encoding, Key, Reason, Row};

/// The fields of an object in their order: names without escapes, values as their text.
#[derive(Debug)]
pub(super) struct Fields<'a>(pub(super) Vec<(Cow<'a, str>, &'a str)>);

impl<'a> Fields<'a> {
    /// Reads the text as one object.
    ///
    /// # Errors
    /// Where it is no JSON, with the place of the fault, or no object.
    pub(super) fn parse(text: &'a str) -> Result<Self, Reason> {
        if !text.trim_start().starts_with('{') {
            return Err(match serde_json::from_str::<serde::de::IgnoredAny>(text) {
                Ok(_) => Reason::new("is JSON, but no object"),
                Err(error) => not_json(&error),
            });
        }
        serde_json::from_str(text).map_err(|error| not_json(&error))
    }

    /// The value of a field.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(own, _)| own == name).map(|&(_, value)| value)
    }

    /// The value of a field, `null` being none.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        self.get(name).filter(|value| *value != "null")
    }

    /// The text of a string field.
    pub(super) fn text(&self, name: &str) -> Option<Cow<'a, str>> {
        self.value(name).and_then(string)
    }

    /// An integer field; the docs of some sources show integers as strings.
    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.value(name)?.trim_matches('"').parse().ok()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The text of a JSON string, without a copy where it has no escapes.
pub(super) fn string(json: &str) -> Option<Cow<'_, str>> {
    let inner = json.strip_prefix('"')?.strip_suffix('"')?;
    match inner.contains('\\') {
        false => Some(Cow::Borrowed(inner)),
        true => serde_json::from_str(json).ok().map(Cow::Owned),
    }
}

/// The cells of a row object.
pub(super) fn row<'a>(
    fields: Fields<'a>,
    cell: impl Fn(usize, &str, &'a str) -> Cell<'a>,
) -> Row<'a> {
    let fields = fields.0.into_iter().enumerate();
    fields
        .map(|(place, (name, value))| {
            let cell = cell(place, &name, value);
            (name, cell)
        })
        .collect()
}

/// A key as an object or a list, within a schema envelope or without.
pub(super) fn key<'a>(text: &'a str, schemas: &Schemas, fallback: Encoding) -> Option<Key<'a>> {
    let text = text.trim();
    if text.starts_with('[') {
        let parts: Vec<&'a RawValue> = serde_json::from_str(text).ok()?;
        let cells = parts.into_iter().map(|part| Cell::json(part.get(), fallback));
        return Some(Key::Ordered(cells.collect()));
    }
    let fields = Fields::parse(text).ok()?;
    if let (2, Some(schema), Some(payload)) =
        (fields.len(), fields.get("schema"), fields.get("payload"))
    {
        let declared = schemas.parse_row(schema);
        let inner = Fields::parse(payload).ok()?;
        return Some(Key::Named(row(inner, |place, name, value| {
            let encoding = declared.as_ref().and_then(|declared| declared.encoding(place, name));
            Cell::json(value, encoding.unwrap_or(fallback))
        })));
    }
    Some(Key::Named(row(fields, |_, _, value| Cell::json(value, fallback))))
}

fn not_json(error: &serde_json::Error) -> Reason {
    // The library's message may quote what it read; only its place is told.
    let kind = if error.is_eof() { "ends in the middle" } else { "is broken" };
    Reason::new(format!("is no JSON: it {kind} at line {} column {}", error.line(), error.column()))
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(map.size_hint().unwrap_or(16));
                while let Some((Name(name), value)) = map.next_entry::<Name, &RawValue>()? {
                    fields.push((name, value.get()));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}

/// A field's name, borrowed where it has no escapes.
struct Name<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Name<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Borrow;

        impl<'de> Visitor<'de> for Borrow {
            type Value = Name<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a field name")
            }

            fn visit_borrowed_str<E>(self, name: &'de str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Borrowed(name)))
            }

            fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
                Ok(Name(Cow::Owned(name.to_owned())))
            }
        }

        deserializer.deserialize_str(Borrow)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_keep_their_order_and_their_text() {
        let fields = Fields::parse(r#"{"b": 1.50, "a\u00e4": {"x": [1]}, "n": null}"#).unwrap();
        let pairs: Vec<_> = fields.0.iter().map(|(name, value)| (name.as_ref(), *value)).collect();
        assert_eq!(pairs, [("b", "1.50"), ("aä", r#"{"x": [1]}"#), ("n", "null")]);
    }

    #[test]
    fn a_fault_is_told_by_its_place_and_never_by_its_text() {
        let fault = |text| Fields::parse(text).unwrap_err().0;
        assert_eq!(fault("{\"a\": secret}"), "is no JSON: it is broken at line 1 column 7");
        assert_eq!(fault("{\"a\": 1"), "is no JSON: it ends in the middle at line 1 column 7");
        assert_eq!(fault("[1]"), "is JSON, but no object");
        assert_eq!(fault("{\"a\": 1} x"), "is no JSON: it is broken at line 1 column 10");
    }
}
