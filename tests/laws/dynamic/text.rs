//! Text: printed layouts parse to the same layouts, and bad text is an error at a byte, never a
//! panic.

use core::str::FromStr;

use proptest::prelude::*;
use proptest::string::string_regex;

use super::generate::{layout, shape};
use layout_algebra::prelude::*;

/// The byte at which text is refused, which lies in the text or at its end.
fn byte_of<T: core::str::FromStr<Err = LayoutError> + core::fmt::Debug>(text: &str) -> usize {
    let error = text.parse::<T>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Parse, "{error}");
    let byte = error.byte().expect("an error about text names a byte");
    assert!(byte <= text.len() && text.is_char_boundary(byte));
    byte
}

proptest! {
    #[test]
    fn a_layout_is_read_as_it_is_printed(a in layout(4)) {
        let l = a.to_layout();
        prop_assert_eq!(l.to_string(), a.text());
        prop_assert_eq!(format!("{l:#}"), a.text());
        prop_assert_eq!(&l.to_string().parse::<DynLayout>().unwrap(), &l);
        // Static leaves are printed with an underscore.
        let marked: String = a.text().split_inclusive(['(', ',', ':']).map(|part| match part.as_bytes()[0] {
            b'0'..=b'9' => format!("_{part}"),
            _ => part.into(),
        }).collect();
        prop_assert_eq!(&marked.parse::<DynLayout>().unwrap(), &l);
        let spaced: String =
            a.text().chars().flat_map(|c| if c.is_ascii_digit() { vec![c] } else { vec![' ', c, '\t'] }).collect();
        prop_assert_eq!(&spaced.parse::<DynLayout>().unwrap(), &l);
    }

    #[test]
    fn shapes_and_tilers_are_read_as_they_are_printed(s in shape(4), a in layout(2), n in any::<usize>()) {
        let text = s.text();
        prop_assert_eq!(text.parse::<DynShape>().unwrap().to_string(), text);
        let tiler = format!("<{n},_,<{},_>,{}>", a.text(), a.text());
        let parsed: DynTiler = tiler.parse().unwrap();
        prop_assert_eq!(&parsed.to_string(), &tiler);
        prop_assert_eq!(parsed.to_string().parse::<DynTiler>().unwrap(), parsed);
    }

    #[test]
    fn any_text_is_read_or_refused(text in any::<String>()) {
        let _ = text.parse::<DynShape>().map_err(|error| error.to_string());
        let _ = text.parse::<DynLayout>().map_err(|error| error.to_string());
        let _ = text.parse::<DynTiler>().map_err(|error| error.to_string());
        let _ = text.parse::<DynSlice>().map_err(|error| error.to_string());
    }

    #[test]
    fn text_that_is_almost_right_is_read_or_refused(text in string_regex("[(),:<>_ 0-9é]{0,24}").unwrap()) {
        // What is read prints to what is read again.
        if let Ok(l) = text.parse::<DynLayout>() {
            prop_assert_eq!(l.to_string().parse::<DynLayout>().unwrap(), l);
        }
        if let Ok(t) = text.parse::<DynTiler>() {
            prop_assert_eq!(t.to_string().parse::<DynTiler>().unwrap(), t);
        }
        if let Ok(s) = text.parse::<DynShape>() {
            prop_assert_eq!(s.to_string().parse::<DynShape>().unwrap(), s);
        }
        if let Ok(s) = text.parse::<DynSlice>() {
            prop_assert_eq!(s.to_string().parse::<DynSlice>().unwrap(), s);
        }
    }

    #[test]
    fn a_layout_with_one_character_changed_is_read_or_refused_at_a_byte(
        a in layout(3),
        at in any::<usize>(),
        with in any::<char>(),
    ) {
        let mut text: Vec<char> = a.text().chars().collect();
        let at = at % text.len();
        text[at] = with;
        let text: String = text.into_iter().collect();
        if let Err(error) = text.parse::<DynLayout>() {
            // Text that is a layout's may have numbers that are beyond `usize`, or a sign that
            // makes bits of two kinds meet.
            let of_numbers = matches!(error.kind(), ErrorKind::Overflow | ErrorKind::Overlap);
            prop_assert!(error.byte().is_some() || of_numbers, "{}", error);
            prop_assert!(error.byte().is_none_or(|byte| byte <= text.len()));
        }
    }
}

#[test]
fn bad_text_is_refused_at_the_byte() {
    for (text, byte) in [
        ("", 0),
        ("   ", 3),
        ("()", 1),
        ("():()", 1),
        ("(", 1),
        (")", 0),
        ("(4,6", 4),
        ("(4,6):(1,4", 10),
        ("(4,6)", 5),
        ("4", 1),
        ("(4,6):", 6),
        ("4:1 x", 4),
        ("(4,6):(1,4))", 11),
        ("(4,,6):(1,4)", 3),
        ("(,4):(1)", 1),
        ("(4;6):(1,4)", 2),
        ("(4 6):(1,4)", 3),
        ("-4:1", 0),
        ("4.5:1", 1),
        ("(4,_):(1,4)", 3),
        ("4::1", 2),
        ("4:1:1", 3),
        ("é:1", 0),
        // Shapes and strides that are not congruent: where the stride parts from the shape.
        ("(4,6):1", 6),
        ("4:(1)", 2),
        ("(4,6):(1,4,8)", 6),
        ("(4,(2,3)):(1,(4,8,9))", 13),
        ("(4,(2,3)): ( 1, 4)", 16),
    ] {
        assert_eq!(byte_of::<DynLayout>(text), byte, "{text}");
    }
    for (text, byte) in [
        ("<>", 1),
        ("<2", 2),
        ("<2,3", 4),
        ("2>", 1),
        ("(2,3)", 5),
        ("<2,(2,3)>", 8),
        ("<2:>", 3),
        ("_4:", 3),
        ("__", 1),
    ] {
        assert_eq!(byte_of::<DynTiler>(text), byte, "{text}");
    }
    for (text, byte) in [("", 0), ("(4", 2), ("4:1", 1), ("(_,1)", 1)] {
        assert_eq!(byte_of::<DynShape>(text), byte, "{text}");
    }
}

#[test]
fn an_error_shows_the_text_and_points_at_the_byte() {
    let error = "(4,6):(1;4)".parse::<DynLayout>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read this text: expected `,` or `)` at byte 8\n  (4,6):(1;4)\n          ^"
    );
    let error = "(4,(2,3)):(1,4)".parse::<DynLayout>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot read this text: the profile of the stride parts from the profile of the shape at byte 13: (_,_) is not \
         congruent to (_,(_,_))\n  (4,(2,3)):(1,4)\n               ^",
    );
}

#[test]
fn a_million_parentheses_are_an_error() {
    const DEEP: usize = 1_000_000;
    for (open, close) in [("(", ")"), ("<", ">")] {
        let unbalanced = open.repeat(DEEP);
        let balanced = format!("{unbalanced}1{}", close.repeat(DEEP));
        for text in
            [&unbalanced, &balanced, &format!("{balanced}:{balanced}"), &format!("4:{balanced}")]
        {
            let byte = byte_of::<DynTiler>(text);
            assert!(
                byte == DynTiler::MAX_DEPTH || byte == DynTiler::MAX_DEPTH + 2 || byte == 2,
                "{byte}"
            );
            byte_of::<DynLayout>(text);
            byte_of::<DynShape>(text);
            byte_of::<DynSlice>(text);
            // The text of the error shows a window of the input, not all of it.
            assert!(text.parse::<DynLayout>().unwrap_err().to_string().len() < 400);
        }
    }
    byte_of::<DynShape>(&")".repeat(DEEP));
    byte_of::<DynShape>(&"(,".repeat(DEEP));
    byte_of::<DynShape>(&"(1,".repeat(DEEP));
}

#[test]
fn a_million_modes_are_no_problem() {
    const WIDE: usize = 1_000_000;
    let shape = format!("({}1)", "1,".repeat(WIDE - 1));
    let l: DynLayout = format!("{shape}:{shape}").parse().unwrap();
    assert_eq!((l.rank(), l.size(), l.cosize()), (WIDE, 1, 1));
    assert_eq!(l.coalesce().to_string(), "1:0");
    assert_eq!(l.compose(&l).unwrap().size(), 1);
    let deepest =
        format!("{}4{}", "(".repeat(DynShape::MAX_DEPTH), ")".repeat(DynShape::MAX_DEPTH));
    assert_eq!(deepest.parse::<DynShape>().unwrap().depth(), DynShape::MAX_DEPTH);
}

/// A number that is too large is an overflow and no mistake of the text, wherever text is read.
#[test]
fn a_number_too_large_is_an_overflow() {
    fn overflows<T: FromStr<Err = LayoutError> + core::fmt::Debug>(text: &str, byte: usize) {
        let error = text.parse::<T>().expect_err(text);
        assert_eq!(
            (error.kind(), error.byte()),
            (ErrorKind::Overflow, Some(byte)),
            "{text}: {error}"
        );
        assert!(error.to_string().contains("the largest that fits there"), "{error}");
    }
    let large = "99999999999999999999999";
    overflows::<DynLayout>(&format!("{large}:1"), 0);
    overflows::<DynLayout>(&format!("(4,6):(1,_{large})"), 9);
    overflows::<DynShape>(&format!("(4,(2,{large}))"), 6);
    overflows::<DynTiler>(&format!("<4,{large}>"), 3);
    overflows::<DynTiler>(&format!("<4,4:{large}>"), 5);
    overflows::<DynSlice>(&format!("(_,{large})"), 3);
    overflows::<DynSwizzle>(&format!("Sw<{large},0,0>"), 3);
    overflows::<DynSwizzle>("Sw<0,4294967296,0>", 5);
    overflows::<DynSwizzle>("Sw<0,0,-2147483648>", 8);
    overflows::<DynComposedLayout>(&format!("Sw<3,3,3> o {large} o 8:1"), 12);
    overflows::<DynComposedLayout>(&format!("Sw<3,3,3> o 0 o {large}:1"), 16);
    let first = usize::MAX as u128 + 1;
    overflows::<DynShape>(&first.to_string(), 0);
    assert_eq!(usize::MAX.to_string().parse::<DynShape>().unwrap().leaves(), [usize::MAX]);
}
