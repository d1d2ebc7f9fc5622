//! Dates and times in ISO 8601, in the spellings of the sources, to the microsecond.
//!
//! A value that is finer than a microsecond is refused, not rounded. Years have four digits: what
//! sources write beyond them are their infinities.

use chrono::{Datelike, NaiveDate};

use crate::change::Reason;

/// Microseconds of a day.
pub const DAY: i64 = 86_400_000_000;

/// A result of reading.
pub type Read<T> = Result<T, Reason>;

/// A date, in days since 1970. Midnight and a zone may stand behind it.
///
/// # Errors
/// Where the text is no date, or has a time of day.
pub fn date(text: &str) -> Read<i64> {
    let mut reader = Reader { rest: text.as_bytes() };
    let days = reader.date()?;
    if !reader.at_end() && reader.clock()? != 0 {
        return Err(Reason::new("has a time of day, the column holds dates"));
    }
    reader.zone()?;
    reader.end()?;
    Ok(days)
}

/// A time of day in microseconds, with its offset from UTC where it has one.
///
/// # Errors
/// Where the text is no time of day.
pub fn time_of_day(text: &str) -> Read<(i64, Option<i64>)> {
    let mut reader = Reader { rest: text.as_bytes() };
    let micros = reader.time()?;
    let zone = reader.zone()?;
    reader.end()?;
    Ok((micros, zone))
}

/// A timestamp by its own clock, in microseconds since 1970, with its offset from UTC in
/// microseconds where it has one. A date alone is its midnight.
///
/// # Errors
/// Where the text is no timestamp.
pub fn timestamp(text: &str) -> Read<(i64, Option<i64>)> {
    let mut reader = Reader { rest: text.as_bytes() };
    let days = reader.date()?;
    let clock = if reader.at_end() { 0 } else { reader.clock()? };
    let zone = reader.zone()?;
    reader.end()?;
    Ok((days * DAY + clock, zone))
}

/// A timestamp as an instant; one without zone is taken for UTC.
///
/// # Errors
/// Where the text is no timestamp.
pub fn instant(text: &str) -> Read<i64> {
    timestamp(text).map(|(local, zone)| local - zone.unwrap_or(0))
}

/// The reason for a year that engines cannot read.
pub fn out_of_range() -> Reason {
    Reason::new("is outside the years 1 to 9999, which is what engines can read")
}

/// The reason for a time that a microsecond cannot hold.
pub fn finer_than_micros() -> Reason {
    Reason::new("is finer than the microseconds that the column holds")
}

/// Reads ISO 8601 text from left to right.
struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// `2026-03-01`, in days since 1970.
    fn date(&mut self) -> Read<i64> {
        let year_digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if year_digits != 4 {
            let far = matches!(self.rest.first(), Some(b'+' | b'-' | b'i')) || year_digits > 4;
            return Err(if far { out_of_range() } else { no_date() });
        }
        let year = self.digits(4)?;
        self.expect(b'-')?;
        let month = self.digits(2)?;
        self.expect(b'-')?;
        let day = self.digits(2)?;
        let date = NaiveDate::from_ymd_opt(year as i32, month, day).ok_or_else(no_date)?;
        Ok(i64::from(date.num_days_from_ce()) - 719_163)
    }

    /// `T12:34:56.123456` or the same behind a space.
    fn clock(&mut self) -> Read<i64> {
        match self.rest {
            [b'T' | b't' | b' ', rest @ ..] => self.rest = rest,
            // A date with nothing but a zone, as Debezium's isostring mode writes it.
            [b'Z' | b'+' | b'-', ..] => return Ok(0),
            _ => return Err(no_date()),
        }
        self.time()
    }

    /// `12:34[:56[.123456]]`, in microseconds.
    fn time(&mut self) -> Read<i64> {
        let hour = self.digits(2)?;
        self.expect(b':')?;
        let minute = self.digits(2)?;
        let mut second = 0;
        let mut fraction = 0;
        if let [b':', rest @ ..] = self.rest {
            self.rest = rest;
            second = self.digits(2)?;
            if let [b'.', rest @ ..] = self.rest {
                self.rest = rest;
                fraction = self.fraction()?;
            }
        }
        if hour > 23 || minute > 59 || second > 59 {
            return Err(Reason::new("is no time of a day"));
        }
        Ok(i64::from(hour * 3600 + minute * 60 + second) * 1_000_000 + fraction)
    }

    fn fraction(&mut self) -> Read<i64> {
        let count = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        if count == 0 {
            return Err(no_date());
        }
        if digits.iter().skip(6).any(|&digit| digit != b'0') {
            return Err(finer_than_micros());
        }
        let digit = |at: usize| digits.get(at).map_or(0, |digit| i64::from(digit - b'0'));
        Ok((0..6).fold(0, |micros, at| micros * 10 + digit(at)))
    }

    /// `Z`, `+02`, `+0200`, `+02:00`, in microseconds east of UTC; nothing where there is no zone.
    fn zone(&mut self) -> Read<Option<i64>> {
        if matches!(self.rest, [b' ', b'+' | b'-' | b'Z', ..]) {
            self.rest = &self.rest[1..];
        }
        let sign = match self.rest {
            [] => return Ok(None),
            [b'Z' | b'z', rest @ ..] => {
                self.rest = rest;
                return Ok(Some(0));
            }
            [b'+', ..] => 1,
            [b'-', ..] => -1,
            _ => return Err(no_date()),
        };
        self.rest = &self.rest[1..];
        let hours = self.digits(2)?;
        if let [b':', rest @ ..] = self.rest {
            self.rest = rest;
        }
        let minutes = if self.at_end() { 0 } else { self.digits(2)? };
        Ok(Some(sign * i64::from(hours * 60 + minutes) * 60_000_000))
    }

    fn digits(&mut self, count: usize) -> Read<u32> {
        let Some((digits, rest)) = self.rest.split_at_checked(count) else {
            return Err(no_date());
        };
        self.rest = rest;
        digits.iter().try_fold(0, |number, byte| match byte {
            b'0'..=b'9' => Ok(number * 10 + u32::from(byte - b'0')),
            _ => Err(no_date()),
        })
    }

    fn expect(&mut self, byte: u8) -> Read<()> {
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Ok(())
            }
            _ => Err(no_date()),
        }
    }

    fn at_end(&self) -> bool {
        self.rest.is_empty()
    }

    fn end(&self) -> Read<()> {
        if self.at_end() { Ok(()) } else { Err(no_date()) }
    }
}

fn no_date() -> Reason {
    Reason::new("is no date or time in ISO 8601")
}
