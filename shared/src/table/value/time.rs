//! Dates and times, from ISO 8601 text or from integers that count a known unit.
//!
//! Only the years 1 to 9999 are taken: beyond them Athena, Trino and Python cannot read a table,
//! and sources put their infinities there.

use super::token::Token;
use super::{Converted, unit_of};
use crate::change::{Encoding, Reason, Unit, Value};
use crate::iso8601::{self, DAY, finer_than_micros, out_of_range};

/// 0001-01-01, in days since 1970.
const FIRST_DAY: i64 = -719_162;
/// 10000-01-01, in days since 1970.
const END_DAY: i64 = 2_932_897;

/// Days since 1970-01-01.
pub(in crate::table) fn date(value: &Value, declared: Option<Unit>) -> Converted<i32> {
    let days = match Token::read(&value.raw)? {
        Token::Number(text) => {
            let unit = match value.encoding {
                // Connect's dates count days whatever the connector's settings are.
                Encoding::Connect(_) => declared.unwrap_or(Unit::Days),
                _ => unit_of(value, declared)?,
            };
            let micros = micros(text, unit)?;
            if micros % DAY != 0 {
                return Err(Reason::new("has a time of day, the column holds dates"));
            }
            micros / DAY
        }
        Token::Text(text) => iso8601::date(&text)?,
        _ => return Err(Reason::new("is no date")),
    };
    in_range(days.checked_mul(DAY))?;
    i32::try_from(days).map_err(|_| Reason::new("is no date"))
}

/// Microseconds since midnight.
pub(in crate::table) fn time_of_day(value: &Value, declared: Option<Unit>) -> Converted<i64> {
    let micros = match Token::read(&value.raw)? {
        Token::Number(text) => micros(text, unit_of(value, declared)?)?,
        Token::Text(text) => match iso8601::time_of_day(&text)? {
            (micros, None | Some(0)) => micros,
            _ => return Err(Reason::new("is a time of day with an offset from UTC")),
        },
        _ => return Err(Reason::new("is no time of day")),
    };
    match (0..DAY).contains(&micros) {
        true => Ok(micros),
        false => Err(Reason::new("is beyond the 24 hours of a day")),
    }
}

/// Microseconds since 1970-01-01T00:00:00. With `zoned` the value must be an instant; without, an
/// instant is taken by its UTC clock.
pub(in crate::table) fn timestamp(
    value: &Value,
    zoned: bool,
    declared: Option<Unit>,
) -> Converted<i64> {
    match Token::read(&value.raw)? {
        Token::Number(text) => in_range(Some(micros(text, unit_of(value, declared)?)?)),
        Token::Text(text) => {
            let (local, zone) = iso8601::timestamp(&text)?;
            if zoned && zone.is_none() {
                return Err(Reason::new(
                    "is a time without zone, the column holds instants (timestamptz)",
                ));
            }
            in_range(Some(local - zone.unwrap_or(0)))
        }
        _ => Err(Reason::new("is no timestamp")),
    }
}

/// The ISO text of an integer time of day.
pub(super) fn time_text(text: &str, unit: Unit) -> Converted<String> {
    let micros = micros(text, unit)?;
    if !(0..DAY).contains(&micros) {
        return Err(Reason::new("is beyond the 24 hours of a day"));
    }
    let seconds = micros / 1_000_000;
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Ok(format!("{hour:02}:{minute:02}:{second:02}.{:06}", micros % 1_000_000))
}

/// An integer of `unit` in microseconds.
fn micros(text: &str, unit: Unit) -> Converted<i64> {
    let count: i64 = text.parse().map_err(|_| Reason::new("is a number, but no integer time"))?;
    let factor = match unit {
        Unit::Days => DAY,
        Unit::Seconds => 1_000_000,
        Unit::Millis => 1_000,
        Unit::Micros => 1,
        Unit::Nanos => {
            return match count % 1_000 {
                0 => Ok(count / 1_000),
                _ => Err(finer_than_micros()),
            };
        }
    };
    count.checked_mul(factor).ok_or_else(out_of_range)
}

fn in_range(micros: Option<i64>) -> Converted<i64> {
    let range = FIRST_DAY * DAY..END_DAY * DAY;
    micros.filter(|micros| range.contains(micros)).ok_or_else(out_of_range)
}
