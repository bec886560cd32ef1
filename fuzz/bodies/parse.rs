//! Any text is read or refused; what is read prints to what is read again; what is refused says
//! where.

use std::fmt::Display;
use std::str::FromStr;

use layout_algebra::prelude::*;

/// Reads `bytes` as each of the types that have text.
pub(crate) fn parse(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    check::<DynLayout>(&text);
    check::<DynShape>(&text);
    check::<DynTiler>(&text);
    check::<DynSlice>(&text);
}

fn check<T: FromStr<Err = LayoutError> + Display + PartialEq>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => {
            let printed = value.to_string();
            let again = printed
                .parse::<T>()
                .unwrap_or_else(|error| panic!("{printed} is printed and not read: {error}"));
            assert!(again == value, "{printed} is read as {again}");
            assert_eq!(format!("{value:#}"), printed);
        }
        Err(error) => {
            // Text is wrong at a byte, or says numbers whose product is too large, or strides
            // without a meaning together.
            match error.byte() {
                Some(byte) => assert!(byte <= text.len() && text.is_char_boundary(byte)),
                None => {
                    assert!(
                        matches!(
                            error.kind(),
                            ErrorKind::Overflow | ErrorKind::Overlap | ErrorKind::Stride
                        ),
                        "{error}"
                    );
                }
            }
            assert!(!error.to_string().is_empty());
        }
    }
}
