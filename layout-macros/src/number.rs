//! What number a literal stands for.
//!
//! Works on the text of the literal, since stable Rust does not say what kind of literal a token
//! is.

/// The largest static integer, 2^63: the largest power of two that a `usize` of 64 bits holds.
pub(crate) const MAX: u64 = 1 << 63;

/// The value of an integer literal: any radix, with underscores, without suffix or with `usize` or
/// `u64`.
///
/// The error is a message for the user.
pub(crate) fn value(literal: &str) -> Result<u64, String> {
    if literal.starts_with('-') {
        return Err(negative(literal));
    }
    if !literal.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(not_a_number(literal));
    }
    let (radix, rest) = match literal.get(..2) {
        Some("0x") => (16, &literal[2..]),
        Some("0o") => (8, &literal[2..]),
        Some("0b") => (2, &literal[2..]),
        _ => (10, literal),
    };
    let end = rest.find(|char: char| !char.is_digit(radix) && char != '_').unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    match suffix {
        "" | "usize" | "u64" => {}
        _ if radix == 10
            && (suffix.starts_with(['.', 'e', 'E']) || matches!(suffix, "f32" | "f64")) =>
        {
            return Err(format!("{literal} is a fraction: a static integer is a whole number"));
        }
        _ => {
            let plain = literal[..literal.len() - suffix.len()].trim_end_matches('_');
            return Err(format!(
                "the suffix `{suffix}` has no meaning here: a static integer is written `{plain}` \
                 or `{plain}usize`"
            ));
        }
    }
    // `None` is a number that even 128 bits do not hold; the message then repeats the literal.
    let value =
        digits.chars().filter_map(|char| char.to_digit(radix)).try_fold(0u128, |value, digit| {
            value.checked_mul(u128::from(radix))?.checked_add(u128::from(digit))
        });
    match value {
        Some(value) if value <= u128::from(MAX) => Ok(value as u64),
        Some(value) => Err(too_large(&value.to_string())),
        None => Err(too_large(literal)),
    }
}

/// The message for a number below 0, given with its sign.
pub(crate) fn negative(literal: &str) -> String {
    format!("{literal} is negative: a static integer is at least 0")
}

/// The message for a literal of another kind: text, a character, `true`.
pub(crate) fn not_a_number(literal: &str) -> String {
    format!("{literal} is not a number: a whole number is needed here")
}

fn too_large(number: &str) -> String {
    format!("{number} is too large: a static integer is at most 2^63 = {MAX}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radix_underscores_and_suffix() {
        for (literal, expected) in [
            ("0", 0),
            ("1536", 1536),
            ("1_000_000", 1_000_000),
            ("0xFF", 255),
            ("0xffusize", 255),
            ("0x1e3", 0x1e3),
            ("0o17", 15),
            ("0b1010_0001", 161),
            ("4usize", 4),
            ("4_u64", 4),
            ("9223372036854775808", MAX),
            ("0x8000_0000_0000_0000", MAX),
        ] {
            assert_eq!(value(literal), Ok(expected), "{literal}");
        }
    }

    #[test]
    fn refusals_name_the_rule() {
        for (literal, expected) in [
            ("-4", "-4 is negative"),
            ("1.5", "1.5 is a fraction"),
            ("2.", "2. is a fraction"),
            ("1e3", "1e3 is a fraction"),
            ("1f32", "1f32 is a fraction"),
            ("'a'", "'a' is not a number"),
            ("\"4\"", "\"4\" is not a number"),
            ("b'4'", "b'4' is not a number"),
            ("r#\"4\"#", "r#\"4\"# is not a number"),
            (
                "4i32",
                "the suffix `i32` has no meaning here: a static integer is written `4` or `4usize`",
            ),
            ("9223372036854775809", "9223372036854775809 is too large"),
            (
                "0xF_i8",
                "the suffix `i8` has no meaning here: a static integer is written `0xF` or \
                 `0xFusize`",
            ),
            // In decimals, also where the literal is not.
            ("0x8000_0000_0000_0001", "9223372036854775809 is too large"),
            (
                "0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_F",
                "0xFFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_FFFF_F is too",
            ),
        ] {
            let message = value(literal).expect_err(literal);
            assert!(message.starts_with(expected), "{literal}: {message}");
        }
    }
}
