//! Swizzles: an XOR of bits of an offset that spreads the rows of a tile over the banks of a shared
//! memory.
//!
//! ```text
//! offset    .. y y y .. z z z x x x        B = 3 bits each, M = 3 bits x, S = 6 from z to y
//! Sw<3,3,6> .. y y y .. w w w x x x        w = z ^ y
//! Sw(Sw(x)) = x                            |S| >= B: what is read is not what is changed
//! ```
//!
//! This file has the type. `run_time` has the swizzle whose parameters are known at run time,
//! `cast` swizzles of larger or smaller elements, and `linear` what a swizzle does to many offsets,
//! computed from a basis.

use core::fmt::{self, Display, Formatter};

mod run_time;

mod cast;

mod linear;

pub(crate) use cast::{
    CastSwizzle, Distance, Exponent, IsPowerOfTwo, MultipleOfPower, PowerOfTwo, UnitOfSwizzle,
    Upwards,
};
pub(crate) use linear::BitBasis;
pub use run_time::DynSwizzle;

/// XORs `B` bits of an offset into the `B` bits above the lowest `M`; they lie `S` bits further up.
/// With a negative `S` the bits above the lowest `M` are read, and those `-S` further up are
/// changed. CuTe's `Swizzle<B, M, S>`.
///
/// A bijection and its own inverse. `|S| >= B`, or it does not compile:
///
/// ```
/// use layout_algebra::prelude::*;
/// let swizzle = Swizzle::<3, 4, 3>::new();
/// assert_eq!(swizzle.apply(0b111_0000000), 0b111_1110000);
/// assert!((0..4096).all(|x| swizzle.apply(swizzle.apply(x)) == x));
/// assert_eq!(size_of_val(&swizzle), 0);
/// const _: () = assert!(Swizzle::<3, 3, -3>::new().apply(0b000_111_000) == 0b111_111_000);
/// ```
///
/// ```compile_fail
/// use layout_algebra::prelude::*;
/// // 3 bits at a distance of 2: a swizzle would read bits that it changes
/// let swizzle = Swizzle::<3, 4, 2>::new();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Swizzle<const B: u32, const M: u32, const S: i32>;

// The bound stands where a swizzle is made: at the type, or at all that it can do, one mistake
// would be many errors.
impl<const B: u32, const M: u32, const S: i32> Swizzle<B, M, S> {
    /// The swizzle with its parameters as data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Swizzle::<3, 4, 3>::DYNAMIC, DynSwizzle::new(3, 4, 3)?);
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub const DYNAMIC: DynSwizzle = {
        assert!(S.unsigned_abs() >= B, "a swizzle would read bits that it changes");
        let needed = B as u64 + M as u64 + S.unsigned_abs() as u64;
        assert!(needed <= usize::BITS as u64, "a bit of this swizzle is beyond usize");
        DynSwizzle::known(B, M, S)
    };

    /// The swizzle; a type without data.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Swizzle::<2, 0, 2>::new().to_string(), "Sw<2,0,2>");
    /// ```
    #[inline]
    pub const fn new() -> Self
    where
        (): Apart<B, S>,
    {
        Swizzle
    }

    /// The offset to which the swizzle moves `offset`.
    ///
    /// `x ^ ((x & mask) >> S)`, `mask` being the `B` bits above the lowest `M + max(S, 0)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(Swizzle::<3, 2, -3>::new().apply(3345), 3473);
    /// ```
    #[inline]
    pub const fn apply(&self, offset: usize) -> usize {
        Self::DYNAMIC.apply(offset)
    }
}

impl<const B: u32, const M: u32, const S: i32> Default for Swizzle<B, M, S>
where
    (): Apart<B, S>,
{
    #[inline]
    fn default() -> Self {
        Swizzle
    }
}
impl<const B: u32, const M: u32, const S: i32> From<Swizzle<B, M, S>> for DynSwizzle {
    fn from(_: Swizzle<B, M, S>) -> Self {
        Swizzle::<B, M, S>::DYNAMIC
    }
}

impl<const B: u32, const M: u32, const S: i32> Display for Swizzle<B, M, S> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&Self::DYNAMIC, f)
    }
}
debug_as_display! { [const B: u32, const M: u32, const S: i32] Swizzle<B, M, S>; }

// ---- which swizzles there are -------------------------------------------------------------------

/// `(): Apart<B, S>`: `B` bits and the `B` bits at a distance of `S` are disjoint, `|S| >= B`. The
/// bound of generic code that makes a [`Swizzle<B, M, S>`](Swizzle). `|S|` goes up to 16, and `B`
/// with it.
///
/// ```
/// use layout_algebra::Apart;
/// use layout_algebra::prelude::*;
/// fn twice<const B: u32, const M: u32, const S: i32>(x: usize) -> usize
/// where
///     (): Apart<B, S>,
/// {
///     let swizzle = Swizzle::<B, M, S>::new();
///     swizzle.apply(swizzle.apply(x))
/// }
/// assert_eq!(twice::<3, 3, 3>(77), 77);
/// ```
#[diagnostic::on_unimplemented(
    message = "{B} bits at a distance of {S}: a swizzle would read bits that it changes",
    label = "the distance, {S}, has to be at least {B} or at most -{B}",
    note = "types know swizzles at distances of up to 16; `DynSwizzle` knows all"
)]
pub trait Apart<const B: u32, const S: i32> {}

#[diagnostic::do_not_recommend]
impl<const B: u32, const S: i32> Apart<B, S> for ()
where
    Exponent<B>: PowerOfTwo,
    Distance<S>: PowerOfTwo<Output: MultipleOfPower<<Exponent<B> as PowerOfTwo>::Output>>,
{
}
