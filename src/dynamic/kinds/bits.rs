//! Numbers as bits: products without carries.
//!
//! Strides and extents fit `usize`, so that every product of two fits the 128 bits used here.

/// `a (x) b`: the product without carries.
pub(crate) fn clmul(a: u128, b: u128) -> u128 {
    let (mut product, mut rest) = (0, a);
    while rest != 0 {
        product ^= b << rest.trailing_zeros();
        rest &= rest - 1;
    }
    product
}

/// The least number of bits that hold `x`.
pub(crate) fn width(x: u128) -> u32 {
    u128::BITS - x.leading_zeros()
}

/// How many bits a coordinate below `extent` has.
pub(crate) fn coordinate_bits(extent: usize) -> u32 {
    usize::BITS - extent.saturating_sub(1).leading_zeros()
}

/// The least `i` for which `i * d` carries, if there is one: two copies of `d`, `gap` places apart,
/// share a bit.
pub(crate) fn first_carry(d: u128) -> Option<u128> {
    (1..width(d)).find(|&gap| d & d << gap != 0).map(|gap| (1 << gap) + 1)
}

/// Does `i * d` carry for some `i < n`? If not, it is `i (x) d`.
pub(crate) fn carries(n: u128, d: u128) -> bool {
    first_carry(d).is_some_and(|first| first < n)
}

/// The bits that `i (x) d` has for some `i < n`.
pub(crate) fn bits(n: u128, d: u128) -> u128 {
    (0..if n > 1 { width(n - 1) } else { 0 }).fold(0, |all, place| all | d << place)
}

/// The bits from the lowest one of `lowest`, a power of two, to the highest one of `reach`.
pub(crate) fn between(lowest: u128, reach: u128) -> u128 {
    (1u128.checked_shl(width(reach)).unwrap_or(0)).wrapping_sub(lowest)
}
