//! The elements of a tensor.

/// The type of the elements of a tensor. A redistribution moves their bytes; only sums need to know
/// the type.
///
/// ```
/// use layout_gpus::Element;
/// assert_eq!((Element::Bf16.bytes(), Element::U8.bytes()), (2, 1));
/// assert_eq!(Element::Bytes(12).bytes(), 12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Element {
    /// Floats of 16 bits, IEEE's.
    F16,
    /// Floats of 16 bits, the upper half of those of 32.
    Bf16,
    /// Floats of 32 bits.
    F32,
    /// Elements of any type with this number of bytes: moved, never added.
    Bytes(usize),
}

impl Element {
    /// Bytes.
    ///
    /// ```
    /// assert_eq!(layout_gpus::Element::U8, layout_gpus::Element::Bytes(1));
    /// ```
    pub const U8: Element = Element::Bytes(1);

    /// The number of bytes of an element.
    ///
    /// ```
    /// assert_eq!(layout_gpus::Element::F32.bytes(), 4);
    /// ```
    pub fn bytes(self) -> usize {
        match self {
            Element::F16 | Element::Bf16 => 2,
            Element::F32 => 4,
            Element::Bytes(bytes) => bytes,
        }
    }

    /// The largest power of two, up to 16, that divides the number of bytes of an element.
    pub(crate) fn unit(self) -> usize {
        1 << self.bytes().trailing_zeros().min(4)
    }
}
