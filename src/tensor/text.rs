//! Messages with decimal numbers, for errors that stop the build.

/// A short text, written at compile time.
pub(super) struct ConstText {
    bytes: [u8; 160],
    length: usize,
}

impl ConstText {
    /// The text `text`. What does not fit is left out, here and below.
    pub(super) const fn new(text: &str) -> Self {
        ConstText { bytes: [0; 160], length: 0 }.text(text)
    }
    /// Appends `text`.
    pub(super) const fn text(mut self, text: &str) -> Self {
        let (text, mut i) = (text.as_bytes(), 0);
        while i < text.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = text[i];
            self.length += 1;
            i += 1;
        }
        self
    }
    /// Appends a number.
    pub(super) const fn number(self, number: usize) -> Self {
        let (mut digits, mut first, mut rest) = ([0; 20], 20, number);
        while first == 20 || rest > 0 {
            first -= 1;
            digits[first] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        match core::str::from_utf8(digits.split_at(first).1) {
            Ok(digits) => self.text(digits),
            Err(_) => self,
        }
    }
    /// The whole text.
    pub(super) const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimals() {
        let text = ConstText::new("0 is ").number(0).text(", and the largest ").number(usize::MAX);
        extern crate std;
        assert_eq!(text.as_str(), std::format!("0 is 0, and the largest {}", usize::MAX));
    }
}
