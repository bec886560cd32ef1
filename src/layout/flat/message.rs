//! Text made in const evaluation, for panics that name numbers.

/// Text of up to 512 bytes; what goes beyond is cut.
#[derive(Clone, Copy)]
pub(crate) struct Message {
    bytes: [u8; 512],
    length: usize,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Message { bytes: [0; 512], length: 0 }
    }

    #[must_use]
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let (bytes, mut k) = (text.as_bytes(), 0);
        while k < bytes.len() && self.length < self.bytes.len() {
            self.bytes[self.length] = bytes[k];
            self.length += 1;
            k += 1;
        }
        self
    }

    #[must_use]
    pub(crate) const fn number(self, number: usize) -> Self {
        self.wide(number as u128)
    }

    #[must_use]
    pub(crate) const fn wide(mut self, number: u128) -> Self {
        let (mut power, mut left) = (1, number);
        while left >= 10 {
            left /= 10;
            power *= 10;
        }
        while power > 0 && self.length < self.bytes.len() {
            self.bytes[self.length] = b'0' + (number / power % 10) as u8;
            self.length += 1;
            power /= 10;
        }
        self
    }

    /// Stops with what does not hold: words and the numbers between them.
    #[track_caller]
    pub(crate) const fn require(holds: bool, words: &[&str], numbers: &[usize]) {
        if !holds {
            let (mut message, mut k) = (Message::new(), 0);
            while k < words.len() {
                message = message.text(words[k]);
                if k < numbers.len() {
                    message = message.number(numbers[k]);
                }
                k += 1;
            }
            panic!("{}", message.as_str())
        }
    }

    pub(crate) const fn as_str(&self) -> &str {
        let (text, _) = self.bytes.split_at(self.length);
        match core::str::from_utf8(text) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Message;

    #[test]
    fn numbers_are_decimals() {
        let message =
            Message::new().number(0).text(" and ").number(1024).text(" and ").number(usize::MAX);
        assert_eq!(message.as_str(), std::format!("0 and 1024 and {}", usize::MAX));
    }

    #[test]
    fn long_text_is_cut() {
        let message = (0..200).fold(Message::new(), |message, _| message.text("four"));
        assert_eq!(message.as_str().len(), 512);
    }

    extern crate std;
}
