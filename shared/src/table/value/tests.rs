use super::*;
use crate::change::{Decimals, Raw};

fn json(text: &str, encoding: Encoding) -> Value<'_> {
    Value { raw: Raw::Json(text), encoding }
}

fn text(text: &str) -> Value<'_> {
    Value { raw: Raw::Text(text.into()), encoding: Encoding::Plain }
}

const PLAIN: Encoding = Encoding::Plain;
const PRECISE: Encoding = Encoding::Connect(Decimals::Precise);

#[track_caller]
fn decimal_is(value: Value, precision: u32, scale: u32, unscaled: i128) {
    assert_eq!(decimal(&value, precision, scale), Ok(unscaled));
}

#[track_caller]
fn fault<T: std::fmt::Debug>(converted: Converted<T>, part: &str) {
    let reason = converted.unwrap_err();
    assert!(reason.0.contains(part), "{reason}");
}

#[test]
fn decimals_are_read_from_their_digits() {
    decimal_is(json("12.50", PLAIN), 18, 2, 1250);
    decimal_is(json("-0.01", PLAIN), 18, 2, -1);
    decimal_is(json("1E+3", PLAIN), 18, 2, 100_000);
    decimal_is(json("1.500", PLAIN), 5, 1, 15);
    decimal_is(json(&format!("1.{}", "0".repeat(90)), PLAIN), 5, 1, 10);
    decimal_is(json("-.0", PLAIN), 5, 1, 0);
    decimal_is(text("7.0000000000"), 10, 0, 7);
    let largest = "99999999999999999999999999999999999999";
    decimal_is(json(largest, PLAIN), 38, 0, 10i128.pow(38) - 1);
    decimal_is(json(&format!("\"-{largest}\""), PLAIN), 38, 0, 1 - 10i128.pow(38));
}

#[test]
fn decimals_are_read_from_the_base64_of_their_unscaled_value() {
    for (encoded, unscaled) in [
        ("AA==", 0),
        ("", 0),
        ("/w==", -1),
        ("AIA=", 128),
        ("BOI=", 1250),
        ("MDk=", 12345),
        ("z8c=", -12345),
        ("SztMqFqGxHoJiiI//////w==", 10i128.pow(38) - 1),
    ] {
        decimal_is(json(&format!("\"{encoded}\""), PRECISE), 38, 2, unscaled);
    }
    decimal_is(json(r#"{"scale":1,"value":"BOI="}"#, PRECISE), 18, 2, 12_500);
    let logical = Encoding::Logical(Logical::Decimal { scale: 4 });
    decimal_is(json(r#""Vs4=""#, logical), 12, 4, 22_222);
}

#[test]
fn digits_that_are_valid_base64_are_digits_where_the_settings_say_so() {
    decimal_is(json("\"1234\"", Encoding::Connect(Decimals::String)), 18, 2, 123_400);
    decimal_is(json("\"1234\"", PRECISE), 18, 2, -2_658_824);
}

#[test]
fn a_decimal_that_does_not_fit_is_refused_not_rounded() {
    fault(decimal(&json("1234.5", PLAIN), 5, 2), "more than the 3 digits before the point");
    fault(decimal(&json("1.005", PLAIN), 5, 2), "more than the 2 digits behind the point");
    fault(decimal(&json(&"9".repeat(39), PLAIN), 38, 0), "more digits than the 38");
    fault(decimal(&json(&"9".repeat(60), PLAIN), 38, 0), "more digits than the 38");
    fault(decimal(&json("1e999999999", PLAIN), 38, 0), "before the point");
    fault(decimal(&json("\"NaN\"", PLAIN), 38, 0), "is no decimal number");
    for nothing in ["", ".", "-", "+.", "e0", "1.5.0", "0x10"] {
        fault(decimal(&text(nothing), 38, 0), "is no decimal number");
    }
}

#[test]
fn integers_keep_all_their_digits() {
    assert_eq!(long(&json("9007199254740993", PLAIN)), Ok(9_007_199_254_740_993));
    assert_eq!(long(&json("-9223372036854775808", PLAIN)), Ok(i64::MIN));
    assert_eq!(long(&text("7.000")), Ok(7));
    fault(long(&json("9223372036854775808", PLAIN)), "does not fit 64 bits");
    fault(long(&json("1.2345678901234568e+16", PLAIN)), "may have lost digits");
    fault(long(&json("1.5", PLAIN)), "has a fraction");
    fault(long(&json("\"AQ==\"", PRECISE)), "needs a decimal type");
    fault(int(&json("2147483648", PLAIN)), "does not fit 32 bits");
}

#[test]
fn timestamps_keep_their_microseconds() {
    let micros = 1_772_368_496_123_456;
    for written in [
        "\"2026-03-01T12:34:56.123456\"",
        "\"2026-03-01T12:34:56.123456Z\"",
        "\"2026-03-01 12:34:56.123456000\"",
        "\"2026-03-01T14:34:56.123456+02:00\"",
        "\"2026-03-01 12:34:56.123456 +00\"",
    ] {
        assert_eq!(timestamp(&json(written, PLAIN), false, None), Ok(micros), "{written}");
    }
    assert_eq!(timestamp(&text("1969-12-31 23:59:59.9"), false, None), Ok(-100_000));
    assert_eq!(timestamp(&text("2026-03-01"), false, None), Ok(1_772_323_200_000_000));
    fault(timestamp(&text("2026-03-01 12:34:56.1234567"), false, None), "finer than");
    fault(timestamp(&text("2026-03-01 12:34:56"), true, None), "without zone");
    fault(timestamp(&text("2026-02-30 12:34:56"), false, None), "is no date or time");
    fault(timestamp(&text("2026-03-01 24:00:00"), false, None), "no time of a day");
}

#[test]
fn an_integer_time_needs_a_unit_and_is_never_guessed() {
    let written = json("1772368496123", PRECISE);
    fault(timestamp(&written, false, None), "declare `unit`");
    assert_eq!(timestamp(&written, false, Some(Unit::Millis)), Ok(1_772_368_496_123_000));
    assert_eq!(timestamp(&written, false, Some(Unit::Micros)), Ok(1_772_368_496_123));
    let logical = Encoding::Logical(Logical::Since1970(Unit::Nanos));
    let declared_otherwise = Some(Unit::Millis);
    let nanos = json("1772368496123456000", logical);
    assert_eq!(timestamp(&nanos, false, declared_otherwise), Ok(1_772_368_496_123_456));
    fault(timestamp(&json("1772368496123456789", logical), false, None), "finer than");
}

#[test]
fn infinities_and_years_beyond_9999_are_refused() {
    for written in
        ["\"infinity\"", "\"-infinity\"", "\"+10000-01-01T00:00:00Z\"", "\"-0043-03-15T00:00:00Z\""]
    {
        fault(timestamp(&json(written, PLAIN), false, None), "outside the years");
    }
    for sentinel in ["9223372036825200000", "-9223372036832400000"] {
        fault(timestamp(&json(sentinel, PRECISE), false, Some(Unit::Micros)), "outside the years");
    }
    for sentinel in ["-622191234", "-2147472692", "2147483647"] {
        fault(date(&json(sentinel, PRECISE), None), "outside the years");
    }
}

#[test]
fn dates_come_as_days_or_as_text() {
    assert_eq!(date(&json("20513", PRECISE), None), Ok(20_513));
    assert_eq!(date(&json("-1", PRECISE), None), Ok(-1));
    assert_eq!(date(&json("\"2024-02-29Z\"", PRECISE), None), Ok(19_782));
    assert_eq!(date(&text("2024-02-29"), None), Ok(19_782));
    assert_eq!(date(&text("2024-02-29 00:00:00"), None), Ok(19_782));
    fault(date(&text("2024-02-29 00:00:01"), None), "has a time of day");
    fault(date(&json("20513", PLAIN), None), "declare `unit`");
}

#[test]
fn bytes_are_read_as_their_source_writes_them() {
    assert_eq!(binary(&json("\"3q2+7w==\"", PRECISE)), Ok(vec![0xde, 0xad, 0xbe, 0xef]));
    assert_eq!(binary(&json(r#""\\x6869""#, Encoding::Cockroach)), Ok(b"hi".to_vec()));
    assert_eq!(binary(&json("\"0x6869\"", PLAIN)), Ok(b"hi".to_vec()));
    assert_eq!(binary(&text("6869")), Ok(b"hi".to_vec()));
    let bits = Encoding::Logical(Logical::Bits);
    assert_eq!(binary(&json("\"AQI=\"", bits)), Ok(vec![2, 1]));
    fault(binary(&json("\"6869\"", Encoding::Cockroach)), "do not begin with");
    fault(binary(&text("686")), "is no hexadecimal");
    fault(binary(&text("+1")), "is no hexadecimal");
}

#[test]
fn text_columns_keep_what_the_source_wrote() {
    assert_eq!(string(&json(r#""a\u00e4\"b""#, PLAIN)).unwrap(), "aä\"b");
    assert_eq!(string(&json("1.50", PLAIN)).unwrap(), "1.50");
    assert_eq!(string(&json(r#"{"a": [1]}"#, PLAIN)).unwrap(), r#"{"a": [1]}"#);
    assert_eq!(string(&json(r#"{"scale":5,"value":"BMsv"}"#, PRECISE)).unwrap(), "3.14159");
    assert_eq!(string(&json(r#"{"scale":-2,"value":"Bw=="}"#, PRECISE)).unwrap(), "700");
    let time = Encoding::Logical(Logical::SinceMidnight(Unit::Micros));
    assert_eq!(string(&json("45296123456", time)).unwrap(), "12:34:56.123456");
    fault(string(&json(r#""\ud800""#, PLAIN)), "stands for no character");
}

#[test]
fn booleans_come_in_the_spellings_of_the_sources() {
    for (written, truth) in
        [("true", true), ("t", true), ("1", true), ("FALSE", false), ("n", false)]
    {
        assert_eq!(boolean(&text(written)), Ok(truth), "{written}");
    }
    assert_eq!(boolean(&json("true", PLAIN)), Ok(true));
    assert_eq!(boolean(&json("0", PLAIN)), Ok(false));
    fault(boolean(&text("maybe")), "neither true nor false");
}

#[test]
fn floats_overflow_aloud() {
    assert_eq!(double(&json("1.5", PLAIN)), Ok(1.5));
    assert!(double(&json("\"NaN\"", PLAIN)).unwrap().is_nan());
    assert_eq!(double(&json("\"-Infinity\"", PLAIN)), Ok(f64::NEG_INFINITY));
    fault(double(&json("1e999", PLAIN)), "beyond the largest");
}
