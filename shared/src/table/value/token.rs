//! The kind of a value's text.

use std::borrow::Cow;

use super::Converted;
use crate::change::{Raw, Reason};

/// A value's text by its kind.
#[derive(Debug)]
pub(super) enum Token<'a> {
    /// A JSON number, as written.
    Number(&'a str),
    /// Text: a JSON string without quotes and escapes, or a CSV field.
    Text(Cow<'a, str>),
    /// A JSON boolean.
    Boolean(bool),
    /// A JSON list or object, as written.
    Compound(&'a str),
}

impl<'a> Token<'a> {
    /// Tells the kind. Decoders have checked that JSON text is JSON.
    pub(super) fn read(raw: &'a Raw) -> Converted<Self> {
        let json = match raw {
            Raw::Text(text) => return Ok(Token::Text(Cow::Borrowed(text))),
            Raw::Json(json) => *json,
        };
        match json.as_bytes() {
            [b'"', inner @ .., b'"'] if !inner.contains(&b'\\') => {
                Ok(Token::Text(Cow::Borrowed(&json[1..json.len() - 1])))
            }
            [b'"', ..] => serde_json::from_str(json)
                .map(|text: String| Token::Text(Cow::Owned(text)))
                .map_err(|_| {
                    Reason::new("is a string with an escape that stands for no character")
                }),
            [b't', ..] => Ok(Token::Boolean(true)),
            [b'f', ..] => Ok(Token::Boolean(false)),
            [b'{' | b'[', ..] => Ok(Token::Compound(json)),
            _ => Ok(Token::Number(json)),
        }
    }
}
