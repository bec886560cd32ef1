//! In which order the products of one `k` are computed.
//!
//! ```text
//! serpentine  (0,0) (0,1) (0,2) | (1,2) (1,1) (1,0) | (2,0) ..
//!         an operand stays from product to product
//! kinked      (0,0) (1,0) (0,1) (1,1) (0,2) (1,2) | (2,2) (3,2) ..  two rows at once
//! zigzag      (0,0) (1,0) (1,1) (0,1) (0,2) (1,2) | (2,2) (3,2) ..
//!         two rows at once, up and down in turn
//! ```
//!
//! The sum of each element is the same. A GPU reads its registers from banks, and can keep an
//! operand for the next instruction; the order decides how often it can. On an H200, one fp32
//! kernel reaches 45 or 52 TFLOP/s, depending on the order.

use core::fmt::Debug;

use crate::number::int::StaticInt;

/// The order in which [`gemm_in_order`](crate::atom::gemm_in_order) computes the products of one
/// `k`.
///
/// All orders are types of this module; each reaches every product once.
pub trait ProductOrder: Copy + Default + Debug + sealed::Sealed {
    /// The way through the products of atoms of which one thread holds so many bytes of A and B.
    #[doc(hidden)]
    fn way(bytes_a: usize, bytes_b: usize) -> Way;
}

mod sealed {
    pub trait Sealed {}
}

/// A way through the places of a matrix: bands of rows or columns, one forth and the next one back.
#[derive(Clone, Copy)]
pub struct Way {
    /// Bands of rows, or of columns?
    by_rows: bool,
    /// How many of them a band has.
    band: usize,
    /// Whether a band goes up and down in turn.
    turns: bool,
}
impl Way {
    const fn new(by_rows: bool, band: usize, turns: bool) -> Way {
        Way { by_rows, band, turns }
    }
    /// The place `(m, n)` that comes as number `i`, of `rows * columns`.
    #[inline(always)]
    pub(in crate::atom) fn place<M: StaticInt, N: StaticInt>(self, i: usize) -> (usize, usize) {
        if self.by_rows {
            self.in_bands(i, M::VALUE, N::VALUE)
        } else {
            let (n, m) = self.in_bands(i, N::VALUE, M::VALUE);
            (m, n)
        }
    }
    #[inline(always)]
    fn in_bands(self, i: usize, lines: usize, length: usize) -> (usize, usize) {
        let (band, i) = (i / (self.band * length), i % (self.band * length));
        // The last band may have fewer lines.
        let width =
            if lines - band * self.band < self.band { lines - band * self.band } else { self.band };
        let (along, across) = (i / width, i % width);
        let across = if self.turns && along % 2 == 1 { width - 1 - across } else { across };
        (band * self.band + across, if band % 2 == 0 { along } else { length - 1 - along })
    }
}

macro_rules! orders {
    ($($(#[$doc:meta])* $order:ident: |$a:ident, $b:ident| $way:expr;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $order;
        impl sealed::Sealed for $order {}
        impl ProductOrder for $order {
            #[inline(always)]
            fn way($a: usize, $b: usize) -> Way {
                $way
            }
        }
    )*};
}
orders! {
    /// CuTe's order: one of the others, chosen by the size of what a thread holds of an atom's
    /// operands. [`Kinked`] if both are 4 bytes, [`Serpentine`] if A is 8 bytes and B 4 or 8, else
    /// [`SerpentineByColumns`].
    Cute: |a, b| match (a, b) {
        (4, 4) => Way::new(true, 2, false),
        (8, 4 | 8) => Way::new(true, 1, false),
        _ => Way::new(false, 1, false),
    };
    /// Row after row, forth and back.
    Serpentine: |_a, _b| Way::new(true, 1, false);
    /// Column after column, down and up.
    SerpentineByColumns: |_a, _b| Way::new(false, 1, false);
    /// Two rows at once, forth and back.
    Kinked: |_a, _b| Way::new(true, 2, false);
    /// Two columns at once, down and up.
    KinkedByColumns: |_a, _b| Way::new(false, 2, false);
    /// Two rows at once, forth and back, down and up in turn.
    Zigzag: |_a, _b| Way::new(true, 2, true);
    /// Two columns at once, down and up, forth and back in turn.
    ZigzagByColumns: |_a, _b| Way::new(false, 2, true);
}

#[cfg(test)]
mod tests {
    extern crate std;
    use super::*;
    use crate::number::int::Int;
    use std::vec::Vec;

    fn places<O: ProductOrder, M: StaticInt, N: StaticInt>(
        a: usize,
        b: usize,
    ) -> Vec<(usize, usize)> {
        (0..M::VALUE * N::VALUE).map(|i| O::way(a, b).place::<M, N>(i)).collect()
    }

    /// CuTe's loops, as `cute/algorithm/gemm.hpp` has them.
    fn cute(a: usize, b: usize, rows: usize, columns: usize) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        match (a, b) {
            (4, 4) => {
                for m in (0..rows).step_by(2) {
                    for n in 0..columns {
                        let ns = if m & 2 != 0 { columns - 1 - n } else { n };
                        places.push((m, ns));
                        if m + 1 < rows {
                            places.push((m + 1, ns));
                        }
                    }
                }
            }
            (8, 8) | (8, 4) => {
                for m in 0..rows {
                    for n in 0..columns {
                        places.push((m, if m & 1 != 0 { columns - 1 - n } else { n }));
                    }
                }
            }
            _ => {
                for n in 0..columns {
                    for m in 0..rows {
                        places.push((if n & 1 != 0 { rows - 1 - m } else { m }, n));
                    }
                }
            }
        }
        places
    }

    #[test]
    fn every_place_once_and_those_of_cute_as_there() {
        macro_rules! check {
            ($($m:literal $n:literal)*) => {$({
                type M = Int<$m>;
                type N = Int<$n>;
                for (a, b) in [(4, 4), (8, 8), (8, 4), (4, 8), (16, 8), (2, 2), (1, 4)] {
                    assert_eq!(places::<Cute, M, N>(a, b), cute(a, b, $m, $n), "{a} and {b} bytes, {} x {}", $m, $n);
                }
                let mut all: Vec<(usize, usize)> = (0..$m).flat_map(|m| (0..$n).map(move |n| (m, n))).collect();
                all.sort();
                for mut places in [
                    places::<Serpentine, M, N>(1, 1), places::<SerpentineByColumns, M, N>(1, 1),
                    places::<Kinked, M, N>(1, 1), places::<KinkedByColumns, M, N>(1, 1),
                    places::<Zigzag, M, N>(1, 1), places::<ZigzagByColumns, M, N>(1, 1),
                ] {
                    // One step at most in each direction, but for a kinked order and from band to
                    // band.
                    places.sort();
                    assert_eq!(places, all);
                }
            })*};
        }
        check! { 1 1 1 5 5 1 2 2 3 4 4 3 8 8 7 5 }
    }

    /// The order of the fastest fp32 kernel.
    #[test]
    fn a_zigzag_changes_one_operand_at_a_time() {
        let places = places::<ZigzagByColumns, Int<8>, Int<8>>(4, 4);
        assert_eq!(places[..8], [(0, 0), (0, 1), (1, 1), (1, 0), (2, 0), (2, 1), (3, 1), (3, 0)]);
        assert!(places.windows(2).all(|two| two[0].0 == two[1].0 || two[0].1 == two[1].1));
    }
}
