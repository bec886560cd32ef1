//! The descriptor of an operand of `wgmma` in shared memory, read off the operand's layout.
//!
//! ```text
//! unit      16 bytes; W units are a row of the swizzle: 1 without one, 2, 4, 8 under one of 32, 64, 128 bytes
//!
//!           K-major, rows x units along K           MN-major, units along the rows x K
//! none      ((8,n),2):((1,SBO),LBO)                 ((1,n),(8,k)):((x,SBO),(1,LBO))
//! W > 1     ((8,n),2):((W,SBO),1)                   ((W,n),(8,k)):((1,LBO),(W,SBO))
//! ```
//!
//! These are the canonical forms of CuTe's `make_gmma_desc`. A layout that has none of them has no
//! descriptor: the program compares every unit of the operand at compile time.

use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use layout_algebra::{ComposedLayout, FlatLayout, StaticLayout, StridedLayout};

/// The swizzle of an operand in shared memory. CuTe's `GMMA::LayoutType`; the numbers are those of
/// a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SwizzleMode {
    /// No swizzle: CuTe's `INTERLEAVE`.
    None = 0,
    /// Rows of 32 bytes, `Swizzle<1, 4, 3>` of bytes.
    Bytes32 = 3,
    /// Rows of 64 bytes, `Swizzle<2, 4, 3>` of bytes.
    Bytes64 = 2,
    /// Rows of 128 bytes, `Swizzle<3, 4, 3>` of bytes.
    Bytes128 = 1,
}
impl SwizzleMode {
    /// The mode that is `Swizzle<bits, 4, 3>` of bytes.
    ///
    /// ```
    /// use layout_nvidia::hopper::SwizzleMode;
    /// assert_eq!(SwizzleMode::from_bits(3), Some(SwizzleMode::Bytes128));
    /// assert_eq!(SwizzleMode::from_bits(4), None);
    /// ```
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match bits {
            0 => Some(SwizzleMode::None),
            1 => Some(SwizzleMode::Bytes32),
            2 => Some(SwizzleMode::Bytes64),
            3 => Some(SwizzleMode::Bytes128),
            _ => None,
        }
    }
    /// The bits of an offset that the swizzle changes: from bit 4 on, each XORed with the bit 3
    /// above.
    #[must_use]
    pub const fn swizzle_bits(self) -> u32 {
        match self {
            SwizzleMode::None => 0,
            SwizzleMode::Bytes32 => 1,
            SwizzleMode::Bytes64 => 2,
            SwizzleMode::Bytes128 => 3,
        }
    }
    /// The bytes of a row: 16, 32, 64 or 128.
    #[must_use]
    pub const fn row_bytes(self) -> usize {
        16 << self.swizzle_bits()
    }
    /// Swizzles the offset of a byte.
    ///
    /// ```
    /// use layout_nvidia::hopper::SwizzleMode;
    /// assert_eq!(SwizzleMode::Bytes128.swizzle_offset(128), 128 + 16);
    /// ```
    #[must_use]
    pub const fn swizzle_offset(self, offset: usize) -> usize {
        let mask = ((1 << self.swizzle_bits()) - 1) << 7;
        offset ^ (offset & mask) >> 3
    }
}

/// The contiguous mode of an operand. CuTe's `GMMA::Major`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Major {
    /// K.
    K = 0,
    /// M of A, N of B.
    Mn = 1,
}

/// The canonical form of an operand: the fields of its descriptor apart from the address.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::{Form, Major, SwizzleMode};
/// // 64 x 16 halves of a tile whose rows have 128 bytes.
/// type Tile = ComposedLayout<Swizzle<3, 3, 3>, Int<0>, Layout!(((64, 16), 4):((64, 1), 16))>;
/// let form = Form::of_operand::<f16, Tile>(64, 16).unwrap();
/// assert_eq!((form.major, form.swizzle, form.stride), (Major::K, SwizzleMode::Bytes128, 1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Form {
    /// The contiguous mode.
    pub major: Major,
    /// The swizzle.
    pub swizzle: SwizzleMode,
    /// The leading byte offset.
    pub leading: usize,
    /// The stride byte offset.
    pub stride: usize,
}

/// The reason why a layout has no descriptor.
///
/// ```
/// use half::f16;
/// use layout_algebra::prelude::*;
/// use layout_nvidia::hopper::Form;
/// // Rows of 80 halves.
/// assert_eq!(
///     Form::of_operand::<f16, Layout!(((64, 16), 1):((80, 1), 0))>(64, 16).unwrap_err().to_string(),
///     "no descriptor: the rows of the operand (mode 0 of the tile) are not 16 bytes apart within 8 of them"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoDescriptor {
    /// The operand's size differs from the instruction's.
    Size,
    /// Neither mode is contiguous.
    Major,
    /// M or N is contiguous, and the elements do not have 16 bits.
    Transposed,
    /// A swizzle that is not one of the four.
    Swizzle,
    /// The rows of the operand do not have the strides of the form.
    Rows(SwizzleMode),
    /// K does not have the strides of the form.
    K(SwizzleMode),
    /// An offset is not a multiple of 16 bytes, or exceeds the descriptor's field.
    Offset,
    /// A part of the tile begins within the swizzle's pattern.
    Start,
}
impl NoDescriptor {
    /// The message.
    #[must_use]
    pub const fn describe_reason(self) -> &'static str {
        use SwizzleMode::{Bytes32, Bytes64, Bytes128, None};
        match self {
            NoDescriptor::Size => {
                "no descriptor: mode 0 has not the elements that the instruction takes"
            }
            NoDescriptor::Major => {
                "no descriptor: neither the rows (mode 0 of the tile) nor K (mode 1) have their \
                 elements side by side"
            }
            NoDescriptor::Transposed => {
                "no descriptor: K (mode 1 of the tile) has its elements apart, and only those of \
                 16 bits may be so"
            }
            NoDescriptor::Swizzle => {
                "no descriptor: the swizzle is none of `wgmma`, which has Sw<B,4,3> of bytes with \
                 B from 0 to 3"
            }
            NoDescriptor::Rows(None) => {
                "no descriptor: the rows of the operand (mode 0 of the tile) are not 16 bytes \
                 apart within 8 of them"
            }
            NoDescriptor::Rows(Bytes32) => {
                "no descriptor: the rows of the operand (mode 0 of the tile) are not rows of 32 \
                 bytes, as its swizzle is"
            }
            NoDescriptor::Rows(Bytes64) => {
                "no descriptor: the rows of the operand (mode 0 of the tile) are not rows of 64 \
                 bytes, as its swizzle is"
            }
            NoDescriptor::Rows(Bytes128) => {
                "no descriptor: the rows of the operand (mode 0 of the tile) are not rows of 128 \
                 bytes, as its swizzle is"
            }
            NoDescriptor::K(None) => {
                "no descriptor: K of the operand (mode 1 of the tile) is not in units of 16 bytes \
                 at even distances"
            }
            NoDescriptor::K(Bytes32) => {
                "no descriptor: K of the operand (mode 1 of the tile) does not lie in rows of 32 \
                 bytes, as its swizzle does"
            }
            NoDescriptor::K(Bytes64) => {
                "no descriptor: K of the operand (mode 1 of the tile) does not lie in rows of 64 \
                 bytes, as its swizzle does"
            }
            NoDescriptor::K(Bytes128) => {
                "no descriptor: K of the operand (mode 1 of the tile) does not lie in rows of 128 \
                 bytes, as its swizzle does"
            }
            NoDescriptor::Offset => {
                "no descriptor: an offset between parts of the operand is no multiple of 16 bytes \
                 below 262144"
            }
            NoDescriptor::Start => {
                "no descriptor: a part of the tile (modes 1 and on of the partition) begins within \
                 the pattern of its swizzle"
            }
        }
    }
}
impl core::fmt::Display for NoDescriptor {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.describe_reason())
    }
}
impl core::error::Error for NoDescriptor {}

/// A layout of shared memory that has descriptors: modes `(V, RestMn, RestK, ..)`, as in a
/// partition.
///
/// # Safety
/// Every value of the type is `INNER` under the swizzle, plus an offset that is the same for all
/// elements.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no descriptor",
    label = "not a static layout, alone or under a `Swizzle`",
    note = "an operand of `wgmma` in shared memory has a layout known when the program is compiled"
)]
pub unsafe trait HasDescriptor: Addressable {
    /// The layout before the swizzle.
    const INNER: FlatLayout;
    /// `(bits, base, shift)` of the swizzle, of elements.
    const SWIZZLE: (u32, u32, i32);
}
// SAFETY: the layout itself, read off its type.
unsafe impl<S, D> HasDescriptor for StridedLayout<S, D>
where
    Self: StaticLayout + Addressable,
{
    const INNER: FlatLayout = FlatLayout::of_type::<Self>();
    const SWIZZLE: (u32, u32, i32) = (0, 0, 0);
}
// SAFETY: the layout before the swizzle, read off its type, and the swizzle's own numbers.
unsafe impl<const B: u32, const M: u32, const S: i32, F, L> HasDescriptor
    for ComposedLayout<Swizzle<B, M, S>, F, L>
where
    Self: Addressable,
    L: StaticLayout,
{
    const INNER: FlatLayout = FlatLayout::of_type::<L>();
    const SWIZZLE: (u32, u32, i32) = (B, M, S);
}

impl Form {
    /// The form of the operands `(MN, K)` in mode 0 of the layout, for elements of type `T`.
    ///
    /// # Errors
    /// The reason, if the layout has no form.
    pub const fn of_operand<T, L: HasDescriptor>(
        mn: usize,
        k: usize,
    ) -> Result<Form, NoDescriptor> {
        Form::read_layout(&L::INNER, L::SWIZZLE, size_of::<T>(), mn, k)
    }

    /// [`of_operand`](Form::of_operand) for a layout before its swizzle, the `(bits, base, shift)`
    /// of the swizzle, and the bytes of an element.
    ///
    /// # Errors
    /// If mode 0 has no canonical form.
    pub const fn read_layout(
        layout: &FlatLayout,
        (bits, base, shift): (u32, u32, i32),
        bytes: usize,
        mn: usize,
        k: usize,
    ) -> Result<Form, NoDescriptor> {
        if layout.threads() != mn * k {
            return Err(NoDescriptor::Size);
        }
        let unit = 16 / bytes;
        let Some(swizzle) = SwizzleMode::from_bits(bits) else { return Err(NoDescriptor::Swizzle) };
        if bits != 0 && (shift != 3 || 1 << base != unit) {
            return Err(NoDescriptor::Swizzle);
        }
        // In elements; rows and columns are coordinates of the operand.
        let first = layout.of_thread(0, 0);
        let row = swizzle.row_bytes() / bytes;
        let (rows, columns) = (NoDescriptor::Rows(swizzle), NoDescriptor::K(swizzle));
        let form = if mn > 1 && element_offset(layout, mn, 1, 0) == first + 1 {
            if bytes != 2 {
                return Err(NoDescriptor::Transposed);
            }
            // A row of the swizzle has W units, and a pattern 8 rows along K.
            let next = if mn > row { element_distance(layout, mn, row, 0) } else { Some(0) };
            let below = if k > 8 { element_distance(layout, mn, 0, 8) } else { Some(0) };
            let (Some(next), Some(below)) = (next, below) else { return Err(NoDescriptor::Offset) };
            let (leading, stride) = if bits == 0 { (below, next) } else { (next, below) };
            Form { major: Major::Mn, swizzle, leading: leading * bytes, stride: stride * bytes }
        } else if k > 1 && element_offset(layout, mn, 0, 1) == first + 1 {
            let stride = if mn > 8 { element_distance(layout, mn, 8, 0) } else { Some(0) };
            // With a swizzle the two units of a row are contiguous, and their distance is unused.
            let leading =
                if bits == 0 { element_distance(layout, mn, 0, unit) } else { Some(unit) };
            let (Some(leading), Some(stride)) = (leading, stride) else {
                return Err(NoDescriptor::Offset);
            };
            Form { major: Major::K, swizzle, leading: leading * bytes, stride: stride * bytes }
        } else {
            return Err(NoDescriptor::Major);
        };
        if form.leading % 16 != 0
            || form.stride % 16 != 0
            || form.leading >= 1 << 18
            || form.stride >= 1 << 18
        {
            return Err(NoDescriptor::Offset);
        }
        // Every element.
        let (mut i, mut first_row) = (0, true);
        while i < k {
            let mut j = 0;
            while j < mn {
                if element_offset(layout, mn, j, i) * bytes
                    != first * bytes + form.byte_offset(bytes, j, i)
                {
                    return Err(if first_row || j > 0 && form.breaks_rows(layout, bytes, mn, j) {
                        rows
                    } else {
                        columns
                    });
                }
                j += 1;
            }
            first_row = false;
            i += 1;
        }
        // Each part begins at a multiple of the pattern: the bits that the swizzle reads are zero.
        let mut part = 0;
        while part < layout.values() {
            if (layout.of_thread(0, part) * bytes) & (((1 << bits) - 1) << 7) != 0 {
                return Err(NoDescriptor::Start);
            }
            part += 1;
        }
        Ok(form)
    }

    /// Whether the layout differs from the form along the rows, at K 0.
    const fn breaks_rows(&self, layout: &FlatLayout, bytes: usize, mn: usize, j: usize) -> bool {
        element_offset(layout, mn, j, 0) * bytes
            != element_offset(layout, mn, 0, 0) * bytes + self.byte_offset(bytes, j, 0)
    }

    /// The offset in bytes of element `(mn, k)` of an operand before the swizzle. The first
    /// argument is the bytes of an element.
    ///
    /// ```
    /// use layout_nvidia::hopper::{Form, Major, SwizzleMode};
    /// let form = Form { major: Major::K, swizzle: SwizzleMode::Bytes128, leading: 16, stride: 1024 };
    /// assert_eq!(form.byte_offset(2, 9, 10), 1024 + 128 + 20);
    /// ```
    #[must_use]
    pub const fn byte_offset(&self, bytes: usize, mn: usize, k: usize) -> usize {
        let row = self.swizzle.row_bytes();
        let none = self.swizzle.swizzle_bits() == 0;
        match self.major {
            Major::K => {
                let along = k * bytes;
                let along = if none { along / 16 * self.leading + along % 16 } else { along };
                mn % 8 * row + mn / 8 * self.stride + along
            }
            Major::Mn => {
                let along = mn * bytes;
                let (next, below) =
                    if none { (self.stride, self.leading) } else { (self.leading, self.stride) };
                along % row + along / row * next + k % 8 * row + k / 8 * below
            }
        }
    }

    /// The descriptor of an operand at this address of shared memory.
    ///
    /// ```
    /// use layout_nvidia::hopper::{Form, Major, SwizzleMode};
    /// let form = Form { major: Major::K, swizzle: SwizzleMode::Bytes128, leading: 16, stride: 1024 };
    /// assert_eq!(form.encode_descriptor(0x2400), 1 << 62 | 64 << 32 | 1 << 16 | 0x240);
    /// ```
    #[inline]
    #[must_use]
    pub const fn encode_descriptor(&self, address: u32) -> u64 {
        let said = (self.swizzle as u64) << 62
            | (self.stride as u64 >> 4) << 32
            | (self.leading as u64 >> 4) << 16;
        said | ((address & 0x3ffff) >> 4) as u64
    }
}

/// The offset of element `(j, i)` of the first operand.
const fn element_offset(layout: &FlatLayout, mn: usize, j: usize, i: usize) -> usize {
    layout.of_thread(j + mn * i, 0)
}
/// The distance of this element from the first one.
const fn element_distance(layout: &FlatLayout, mn: usize, j: usize, i: usize) -> Option<usize> {
    element_offset(layout, mn, j, i).checked_sub(element_offset(layout, mn, 0, 0))
}
