//! Short bounds of long text: manifests are read with each commit and must stay small.

use std::collections::HashMap;

use iceberg::spec::{DataFile, DataFileBuilder, Datum, PrimitiveLiteral, PrimitiveType};

use crate::table::layout::Layout;

/// Characters kept of a bound, as Iceberg's default metrics mode does (`truncate(16)`).
const CHARACTERS: usize = 16;
/// Characters kept of a bound of a key column, by which files are told apart.
const KEY_CHARACTERS: usize = 64;

/// Cuts the bounds of `whole` and gives them to `file`. A cut lower bound is lower, a cut upper
/// bound is raised to the next text of its length, or dropped where there is none.
pub(super) fn shorten(whole: &DataFile, file: &mut DataFileBuilder, layout: &Layout) {
    let length_of = |id: i32| {
        let key = layout.key.iter().any(|&column| layout.columns[column].field_id == id);
        if key { KEY_CHARACTERS } else { CHARACTERS }
    };
    let cut = |bounds: &HashMap<i32, Datum>, cut: fn(&Datum, usize) -> Option<Datum>| {
        let cut = |(&id, bound): (&i32, &Datum)| cut(bound, length_of(id)).map(|bound| (id, bound));
        bounds.iter().filter_map(cut).collect::<HashMap<_, _>>()
    };
    file.lower_bounds(cut(whole.lower_bounds(), lower));
    file.upper_bounds(cut(whole.upper_bounds(), upper));
}

fn lower(bound: &Datum, length: usize) -> Option<Datum> {
    Some(match (bound.literal(), bound.data_type()) {
        (PrimitiveLiteral::String(text), _) => {
            Datum::string(text.chars().take(length).collect::<String>())
        }
        (PrimitiveLiteral::Binary(bytes), PrimitiveType::Binary) => {
            Datum::binary(bytes.iter().copied().take(length))
        }
        _ => bound.clone(),
    })
}

fn upper(bound: &Datum, length: usize) -> Option<Datum> {
    Some(match (bound.literal(), bound.data_type()) {
        (PrimitiveLiteral::String(text), _) if text.chars().count() > length => {
            Datum::string(next_text(text.chars().take(length).collect())?)
        }
        (PrimitiveLiteral::Binary(bytes), PrimitiveType::Binary) if bytes.len() > length => {
            Datum::binary(next_bytes(bytes[..length].to_vec())?)
        }
        _ => bound.clone(),
    })
}

/// The least text of at most the same length that is greater than all that begin with `text`.
fn next_text(text: String) -> Option<String> {
    let mut characters: Vec<char> = text.chars().collect();
    while let Some(last) = characters.pop() {
        // Surrogates are no characters: the next behind them is U+E000.
        let next =
            if last == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(last as u32 + 1) };
        if let Some(next) = next {
            characters.push(next);
            return Some(characters.into_iter().collect());
        }
    }
    None
}

fn next_bytes(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    while let Some(last) = bytes.pop() {
        if last < u8::MAX {
            bytes.push(last + 1);
            return Some(bytes);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_bound_that_cannot_be_raised_is_dropped() {
        assert_eq!(next_text("a\u{10ffff}".into()), Some("b".into()));
        assert_eq!(next_text("\u{10ffff}".into()), None);
        assert_eq!(next_text("\u{d7ff}".into()), Some("\u{e000}".into()));
        assert_eq!(next_bytes(vec![1, 255]), Some(vec![2]));
        assert_eq!(next_bytes(vec![255, 255]), None);
    }

    proptest! {
        #[test]
        fn cut_bounds_still_hold_the_text_between_them(text in "\\PC{0,12}", length in 1usize..8) {
            let bound = Datum::string(&text);
            let text_of = |datum: Datum| match datum.literal() {
                PrimitiveLiteral::String(text) => text.clone(),
                other => panic!("{other:?}"),
            };
            prop_assert!(text_of(lower(&bound, length).unwrap()) <= text);
            if let Some(upper) = upper(&bound, length) {
                prop_assert!(text_of(upper) >= text);
            }
        }
    }
}
