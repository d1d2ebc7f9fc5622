//! Exact decimals, from digits or from the base64 of an unscaled value.

use serde::Deserialize;

use super::token::Token;
use super::{Converted, base64, is_unscaled};
use crate::change::{Encoding, Logical, Reason, Value};

/// The unscaled value of `value` in `decimal(precision, scale)`.
pub(in crate::table) fn decimal(value: &Value, precision: u32, scale: u32) -> Converted<i128> {
    let token = Token::read(&value.raw)?;
    let number = match value.encoding {
        Encoding::Logical(Logical::Decimal { scale }) => Decimal::encoded(&token, Some(scale))?,
        Encoding::Logical(Logical::VariableScaleDecimal) => Decimal::encoded(&token, None)?,
        encoding if is_unscaled(encoding) => Decimal::encoded(&token, Some(scale as i32))?,
        Encoding::Connect(_) if matches!(token, Token::Compound(_)) => {
            Decimal::encoded(&token, None)?
        }
        _ => match &token {
            Token::Number(text) => Decimal::parse(text)?,
            Token::Text(text) => Decimal::parse(text)?,
            _ => return Err(Reason::new("is no decimal number")),
        },
    };
    number.fit(precision, scale)
}

/// The decimal digits of an encoded decimal.
pub(super) fn to_text(token: &Token, scale: Option<i32>) -> Converted<String> {
    Decimal::encoded(token, scale).map(|number| number.to_text())
}

/// `unscaled · 10^-scale`.
struct Decimal {
    unscaled: i128,
    scale: i32,
}

/// Debezium's `VariableScaleDecimal`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct VariableScale<'a> {
    scale: i32,
    value: &'a str,
}

impl Decimal {
    /// A decimal as Kafka Connect encodes it: base64, an object with its own scale, or plain digits
    /// (`decimal.format=NUMERIC`).
    fn encoded(token: &Token, scale: Option<i32>) -> Converted<Decimal> {
        match (token, scale) {
            (Token::Number(text), _) => Decimal::parse(text),
            (Token::Text(text), Some(scale)) => {
                Ok(Decimal { unscaled: big_endian(&base64(text)?)?, scale })
            }
            (Token::Compound(text), _) => {
                let parts: VariableScale = serde_json::from_str(text)
                    .map_err(|_| Reason::new("is an object, but none of scale and value"))?;
                let unscaled = big_endian(&base64(parts.value)?)?;
                Ok(Decimal { unscaled, scale: parts.scale })
            }
            _ => Err(Reason::new("is no decimal number")),
        }
    }

    /// Digits with an optional sign, point and exponent.
    fn parse(text: &str) -> Converted<Decimal> {
        let fault = || Reason::new("is no decimal number");
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].parse::<i32>().map_err(|_| fault())?),
            None => (text, 0),
        };
        if !mantissa.bytes().any(|byte| byte.is_ascii_digit()) {
            return Err(fault());
        }
        // Zeros at the end of a fraction are no digits that a column would have to hold.
        let mantissa = match mantissa.contains('.') {
            true => mantissa.trim_end_matches('0'),
            false => mantissa,
        };
        let (negative, digits) = match mantissa.as_bytes() {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            rest => (false, rest),
        };
        let mut unscaled: i128 = 0;
        let mut point = None;
        let mut count: i32 = 0;
        for &byte in digits {
            match byte {
                b'0'..=b'9' => {
                    count += 1;
                    let digit = i128::from(byte - b'0');
                    unscaled = unscaled
                        .checked_mul(10)
                        .and_then(|number| number.checked_add(digit))
                        .ok_or_else(too_many_digits)?;
                }
                b'.' if point.is_none() => point = Some(count),
                _ => return Err(fault()),
            }
        }
        let behind = count - point.unwrap_or(count);
        let scale = behind.checked_sub(exponent).ok_or_else(too_many_digits)?;
        Ok(Decimal { unscaled: if negative { -unscaled } else { unscaled }, scale })
    }

    /// The same number with exactly `scale` digits behind the point, if it has no more.
    fn fit(self, precision: u32, scale: u32) -> Converted<i128> {
        let too_large = || {
            let whole = precision - scale;
            Reason::new(format!(
                "has more than the {whole} digits before the point of decimal({precision},{scale})"
            ))
        };
        let shift = i64::from(scale) - i64::from(self.scale);
        let unscaled = match shift {
            _ if self.unscaled == 0 => 0,
            0 => self.unscaled,
            1.. => u32::try_from(shift)
                .ok()
                .and_then(|shift| 10i128.checked_pow(shift))
                .and_then(|factor| self.unscaled.checked_mul(factor))
                .ok_or_else(too_large)?,
            ..0 => {
                let factor = u32::try_from(-shift).ok().and_then(|shift| 10i128.checked_pow(shift));
                match factor {
                    Some(factor) if self.unscaled % factor == 0 => self.unscaled / factor,
                    _ => {
                        return Err(Reason::new(format!(
                            "has more than the {scale} digits behind the point of \
                             decimal({precision},{scale})"
                        )));
                    }
                }
            }
        };
        match unscaled.unsigned_abs() < 10u128.pow(precision) {
            true => Ok(unscaled),
            false => Err(too_large()),
        }
    }

    fn to_text(&self) -> String {
        let sign = if self.unscaled < 0 { "-" } else { "" };
        let digits = self.unscaled.unsigned_abs().to_string();
        match usize::try_from(self.scale) {
            Err(_) if self.unscaled == 0 => digits,
            Err(_) => format!("{sign}{digits}{}", "0".repeat(self.scale.unsigned_abs() as usize)),
            Ok(0) => format!("{sign}{digits}"),
            Ok(scale) => {
                let padded = format!("{digits:0>width$}", width = scale + 1);
                let (whole, fraction) = padded.split_at(padded.len() - scale);
                format!("{sign}{whole}.{fraction}")
            }
        }
    }
}

fn too_many_digits() -> Reason {
    Reason::new("has more digits than the 38 of the largest decimal")
}

/// A two's complement integer, most significant byte first. No bytes are zero.
fn big_endian(bytes: &[u8]) -> Converted<i128> {
    let negative = bytes.first().is_some_and(|byte| byte & 0x80 != 0);
    let fill = if negative { 0xff } else { 0 };
    let (extra, low) = bytes.split_at(bytes.len().saturating_sub(16));
    let sign_kept = low.first().is_none_or(|byte| (byte & 0x80 != 0) == negative);
    if extra.iter().any(|&byte| byte != fill) || !sign_kept {
        return Err(too_many_digits());
    }
    let mut wide = [fill; 16];
    wide[16 - low.len()..].copy_from_slice(low);
    Ok(i128::from_be_bytes(wide))
}
