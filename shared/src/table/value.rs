//! A source value and a column's type -> the exact value, or the reason why not.
//!
//! Nothing is rounded, clamped or defaulted: a value that the type cannot hold as it is rejects its
//! record. JSON numbers are read from their text, never through a float.

mod decimal;
mod time;
mod token;

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use crate::change::{Encoding, Logical, Reason, Unit, Value};

pub(super) use decimal::decimal;
pub(super) use time::{date, time_of_day, timestamp};
use token::Token;

/// A result of a conversion.
pub(super) type Converted<T> = Result<T, Reason>;

/// `true`, `t`, `y`, `1` and their opposites, in any case.
pub(super) fn boolean(value: &Value) -> Converted<bool> {
    let text = match Token::read(&value.raw)? {
        Token::Boolean(truth) => return Ok(truth),
        Token::Number(text) => Cow::Borrowed(text),
        Token::Text(text) => text,
        Token::Compound(_) => return Err(Reason::new("a list or object is no boolean")),
    };
    match text.as_ref() {
        "1" | "t" | "T" | "y" | "Y" => Ok(true),
        "0" | "f" | "F" | "n" | "N" => Ok(false),
        word if word.eq_ignore_ascii_case("true") => Ok(true),
        word if word.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(Reason::new("is neither true nor false")),
    }
}

/// A whole number within 64 bits. A fraction of zeros is taken, an exponent is not: a source that
/// writes large integers with an exponent has lost digits.
pub(super) fn long(value: &Value) -> Converted<i64> {
    let text = match Token::read(&value.raw)? {
        Token::Number(text) => Cow::Borrowed(text),
        Token::Text(_) if is_unscaled(value.encoding) => {
            return Err(Reason::new("is a decimal in base64: the column needs a decimal type"));
        }
        Token::Text(text) => text,
        Token::Boolean(truth) => return Ok(truth.into()),
        Token::Compound(_) => return Err(Reason::new("a list or object is no integer")),
    };
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    if text.bytes().any(|b| matches!(b, b'e' | b'E')) {
        return Err(Reason::new("is an integer with an exponent, which may have lost digits"));
    }
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = whole.trim_start_matches(['-', '+']);
    if digits.is_empty() || !(digits.bytes().chain(fraction.bytes())).all(|b| b.is_ascii_digit()) {
        return Err(Reason::new("is no integer"));
    }
    if fraction.bytes().any(|digit| digit != b'0') {
        return Err(Reason::new("has a fraction, the column holds integers"));
    }
    whole.parse().map_err(|_| Reason::new("does not fit 64 bits"))
}

/// A whole number within 32 bits.
pub(super) fn int(value: &Value) -> Converted<i32> {
    long(value)?.try_into().map_err(|_| Reason::new("does not fit 32 bits"))
}

/// A binary floating point number; `NaN`, `Infinity` and `-Infinity` may come as text.
pub(super) fn double(value: &Value) -> Converted<f64> {
    float_text(value, |text| text.parse().ok(), f64::is_infinite)
}

/// A binary floating point number of 32 bits.
pub(super) fn float(value: &Value) -> Converted<f32> {
    float_text(value, |text| text.parse().ok(), f32::is_infinite)
}

fn float_text<T: Copy>(
    value: &Value,
    parse: impl Fn(&str) -> Option<T>,
    is_infinite: impl Fn(T) -> bool,
) -> Converted<T> {
    let text = match Token::read(&value.raw)? {
        Token::Number(text) => Cow::Borrowed(text),
        Token::Text(text) => text,
        _ => return Err(Reason::new("is no number")),
    };
    let number = parse(&text).ok_or_else(|| Reason::new("is no number"))?;
    let named = text.bytes().any(|b| matches!(b, b'n' | b'N'));
    match is_infinite(number) && !named {
        true => Err(Reason::new("is beyond the largest floating point number")),
        false => Ok(number),
    }
}

/// Text. Numbers, lists and objects keep the text that the source wrote; decimals and times that
/// come encoded are written out.
pub(super) fn string<'v>(value: &'v Value) -> Converted<Cow<'v, str>> {
    match (Token::read(&value.raw)?, value.encoding) {
        (token, Encoding::Logical(Logical::Decimal { scale })) => {
            decimal::to_text(&token, Some(scale)).map(Cow::Owned)
        }
        (token @ Token::Compound(_), Encoding::Logical(Logical::VariableScaleDecimal)) => {
            decimal::to_text(&token, None).map(Cow::Owned)
        }
        (token @ Token::Compound(text), Encoding::Connect(_)) => {
            Ok(decimal::to_text(&token, None).map_or(Cow::Borrowed(text), Cow::Owned))
        }
        (Token::Number(text), Encoding::Logical(Logical::SinceMidnight(unit))) => {
            time::time_text(text, unit).map(Cow::Owned)
        }
        (Token::Text(text), _) => Ok(text),
        (Token::Number(text) | Token::Compound(text), _) => Ok(Cow::Borrowed(text)),
        (Token::Boolean(truth), _) => Ok(Cow::Borrowed(if truth { "true" } else { "false" })),
    }
}

/// Bytes: base64 from Kafka Connect, `\x…` from CockroachDB, else hexadecimal.
pub(super) fn binary(value: &Value) -> Converted<Vec<u8>> {
    let Token::Text(text) = Token::read(&value.raw)? else {
        return Err(Reason::new("is not text, as bytes are"));
    };
    match value.encoding {
        Encoding::Connect(_) | Encoding::Logical(_) => {
            let mut bytes = base64(&text)?;
            if value.encoding == Encoding::Logical(Logical::Bits) {
                bytes.reverse();
            }
            Ok(bytes)
        }
        Encoding::Cockroach => match text.strip_prefix("\\x") {
            Some(digits) => hexadecimal(digits),
            None => Err(Reason::new("bytes do not begin with \\x")),
        },
        Encoding::Plain => {
            hexadecimal(text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(&text))
        }
    }
}

fn base64(text: &str) -> Converted<Vec<u8>> {
    let engine = if text.ends_with('=') { &STANDARD } else { &STANDARD_NO_PAD };
    engine.decode(text).map_err(|_| Reason::new("is no base64"))
}

fn hexadecimal(text: &str) -> Converted<Vec<u8>> {
    let fault = || Reason::new("is no hexadecimal");
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let byte = |pair: &[u8]| match pair {
        &[high, low] => u8::try_from(digit(high)? << 4 | digit(low)?).ok(),
        _ => None,
    };
    text.as_bytes().chunks(2).map(|pair| byte(pair).ok_or_else(fault)).collect()
}

/// Whether text in a number's place is base64 of an unscaled decimal.
fn is_unscaled(encoding: Encoding) -> bool {
    use crate::change::Decimals::Precise;
    matches!(encoding, Encoding::Connect(Precise) | Encoding::Logical(Logical::Decimal { .. }))
}

/// The unit of an integer time: the message's own, else the one that the configuration declares.
fn unit_of(value: &Value, declared: Option<Unit>) -> Converted<Unit> {
    match value.encoding {
        Encoding::Logical(Logical::Since1970(unit) | Logical::SinceMidnight(unit)) => Ok(unit),
        _ => declared.ok_or_else(|| {
            Reason::new(
                "is an integer, and nothing says in which unit it counts time: \
                 declare `unit` (s, ms, us or ns) for the column",
            )
        }),
    }
}

#[cfg(test)]
mod tests;
