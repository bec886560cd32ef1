//! Messages with numbers in decimals for what is found out when the program is built.

/// A short text, written at compile time.
pub(super) struct ConstText {
    bytes: [u8; 160],
    length: usize,
}

impl ConstText {
    /// The text so far, and then `text`. What does not fit is left out.
    pub(super) const fn new(text: &str) -> Self {
        ConstText { bytes: [0; 160], length: 0 }.text(text)
    }
    /// `text` behind it.
    pub(super) const fn text(mut self, text: &str) -> Self {
        let (text, mut i) = (text.as_bytes(), 0);
        while i < text.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = text[i];
            self.length += 1;
            i += 1;
        }
        self
    }
    /// A number behind it.
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
    /// All of it.
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
