//! Pictures of blocks: which bit belongs to which field and value.

use std::ops::Range;

use layout_algebra::LayoutError;
use layout_draw::Picture;

use crate::format::Format;

/// Formats that draw themselves.
///
/// ```
/// use layout_bits::{DrawBits, formats};
/// let picture = formats::q4_0().draw(0..3)?;
/// assert_eq!(picture.table().to_string().lines().nth(7), Some(" 2  |  q0.0 |  q0.1 |  q0.2 |  q0.3 | q16.0 | q16.1 | q16.2 | q16.3 |"));
/// # Ok::<(), layout_algebra::LayoutError>(())
/// ```
pub trait DrawBits {
    /// Draws the bits of these bytes of a block, a row for each byte, the lowest bit first. A cell
    /// has the field, the index of the value within the block, and the bit of the value. All bits
    /// of a value have one colour.
    ///
    /// # Errors
    /// `bounds` for more than 262,144 bits.
    ///
    /// ```
    /// use layout_bits::{DrawBits, formats};
    /// // Six bits of each scale of Q4_K: the upper two of scale 4 lie above scale 0.
    /// let picture = formats::q4_k().draw(4..16)?.table().to_string();
    /// assert!(picture.contains("| scale0.5 | scale4.4 | scale4.5 |"));
    /// # Ok::<(), layout_algebra::LayoutError>(())
    /// ```
    fn draw(&self, bytes: Range<usize>) -> Result<Picture, LayoutError>;
}

/// The most bytes of a picture.
const MOST_BYTES: usize = 262_144 / 8;

impl DrawBits for Format {
    fn draw(&self, bytes: Range<usize>) -> Result<Picture, LayoutError> {
        let bytes = bytes.start.min(self.bytes())..bytes.end.min(self.bytes());
        let title = format!("{}: the bits of bytes {}..{}", self.name(), bytes.start, bytes.end);
        if bytes.len() > MOST_BYTES {
            // Refused for the number of bits, before any bit is computed.
            return Picture::places(
                &title,
                8,
                (0..8 * (MOST_BYTES + 1)).map(|_| (String::new(), None)),
            );
        }
        let mut places = vec![(String::new(), None); bytes.len() * 8];
        let mut hue = 0;
        for field in self.fields() {
            // The values of a field, each by its first bit.
            let mut values: Vec<usize> = Vec::new();
            let mut numbers = std::collections::HashMap::new();
            for i in 0..self.elements() {
                let first = field.parts()[0].bit(i);
                let number = *numbers.entry(first).or_insert(values.len());
                if number < values.len() {
                    continue;
                }
                values.push(first);
                let mut bit = 0;
                for part in field.parts() {
                    for k in 0..part.width() {
                        if let Some(at) = (part.bit(i) + k)
                            .checked_sub(bytes.start * 8)
                            .filter(|&at| at < places.len())
                        {
                            places[at] =
                                (format!("{}{number}.{bit}", field.name()), Some(hue + number));
                        }
                        bit += 1;
                    }
                }
            }
            hue += values.len().next_multiple_of(3) + 3;
        }
        Picture::places(&title, 8, places)
    }
}
