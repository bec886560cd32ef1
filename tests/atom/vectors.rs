//! The widest vectors of a copy, whose extents the types know, know a divisor of, or do not know.
//!
//! `copy_vectors_from` is to move as many elements at once as the dynamic engine finds: both
//! layouts `o (R, R*)`, `R = max_common_layout`, and the power of two that divides the size of `R`
//! and all strides behind it.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, SameShape};

/// Random numbers, from the seed of the day or that of `SEED`: printed where a test fails.
struct Random(u64);
impl Random {
    fn new() -> Self {
        let given = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
        let day = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(1, |time| time.as_nanos());
        let seed = given.unwrap_or(day as u64);
        println!("SEED={seed}");
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as usize % n
    }
    /// Odd and even numbers, and powers of two.
    fn extent(&mut self) -> usize {
        [1 << self.below(7), 2 * (1 + self.below(20)), 1 + self.below(30)][self.below(3)]
    }
}

/// The bits of the strides behind the first mode.
fn apart(layout: &DynLayout) -> usize {
    let (shape, stride) = (layout.shape(), layout.stride());
    let first = layout.mode(0).unwrap().shape().leaves().len();
    let leaves = shape.leaves().iter().zip(stride.leaves()).skip(first);
    leaves.filter(|(extent, _)| **extent > 1).fold(0, |bits, (_, stride)| bits | stride)
}

/// How many elements the dynamic engine lets go at once, 16 at most; `None` if it refuses to write
/// a layout in the order of the vectors.
fn width_at_run_time(to: &DynLayout, from: &DynLayout) -> Option<usize> {
    let common = from.max_common_layout(to);
    let rest = common.complement(from.size()).ok()?;
    let [s, d] = [common.shape(), common.stride()];
    let order = format!("({s},{}):({d},{})", rest.shape(), rest.stride());
    let order: DynLayout = order.parse().ok()?;
    let (to, from) = (to.compose(&order).ok()?, from.compose(&order).ok()?);
    Some(1 << (common.size() | apart(&to) | apart(&from)).trailing_zeros().min(4))
}

/// Copies elements between two layouts, whose first ones lie `moved` elements behind a multiple of
/// 16 bytes: `width` of them at once.
fn copies<T, L, M>(to: &L, from: &M, moved: [usize; 2], width: usize)
where
    T: Copy + Default + PartialEq + From<u8>,
    L: Addressable + SameShape<M>,
    M: Addressable,
{
    let room = |reach: Option<usize>| vec![T::default(); reach.expect("the layout ends") + 64];
    let (mut target, mut origin) = (room(to.reach()), room(from.reach()));
    let begin = |memory: &[T], moved| memory.as_ptr().align_offset(16) + moved;
    let (to_begin, from_begin) = (begin(&target, moved[0]), begin(&origin, moved[1]));
    origin.iter_mut().enumerate().for_each(|(i, byte)| *byte = T::from((i * 7 + i / 251) as u8));
    target.iter_mut().enumerate().for_each(|(i, byte)| *byte = T::from((i * 5 + 3) as u8));
    let mut expected = target.clone();
    for i in 0..to.size() {
        expected[to_begin + to.at(i)] = origin[from_begin + from.at(i)];
    }
    let source = Tensor::new(&origin[from_begin..], from.clone()).unwrap();
    let mut destination = Tensor::new(&mut target[to_begin..], to.clone()).unwrap();
    assert_eq!(destination.copy_vectors_from(&source).unwrap(), width, "{from} to {to}");
    assert!(target == expected, "{from} to {to}");
}

/// Two layouts of one shape, known to the types, to run time alone, and under swizzles, at random
/// places. Adds 1 to the first count, and to the second one if the dynamic engine has an answer.
macro_rules! agrees {
    ($to:expr, $from:expr, $r:expr, $counts:expr) => {{
        let (to, from) = ($to, $from);
        let (dynamic_to, dynamic_from) = (to.to_dynamic(), from.to_dynamic());
        $counts[0] += 1;
        if let Some(widest) = width_at_run_time(&dynamic_to, &dynamic_from) {
            $counts[1] += 1;
            copies::<u8, _, _>(&to, &from, [0, 0], widest);
            copies::<u32, _, _>(&to, &from, [0, 0], widest.min(4));
            copies::<u8, _, _>(&dynamic_to, &dynamic_from, [0, 0], widest);
            let moved = [$r.below(16), $r.below(16)];
            let aligned = 1 << (16 | moved[0] | moved[1]).trailing_zeros();
            copies::<u8, _, _>(&to, &from, moved, widest.min(aligned));
            let offset = $r.below(4) * $r.extent();
            agrees!(@ to, from, $r, offset, widest, Swizzle::<2, 3, 3>::new(), 8);
            agrees!(@ to, from, $r, offset, widest, DynSwizzle::new(3, 4, 3).unwrap(), 16);
        }
    }};
    // Into and out of swizzled tiles: no more than the swizzle leaves side by side, nor than
    // divides the offset.
    (@ $to:ident, $from:ident, $r:expr, $offset:ident, $widest:ident, $swizzle:expr, $unit:literal) => {
        let most = $widest.min(1 << ($unit | $offset).trailing_zeros());
        let tile = ComposedLayout::new($swizzle, $offset, $to);
        copies::<u8, _, _>(&tile, &$from, [0, 0], most);
        let tile = ComposedLayout::new($swizzle, $offset, $from);
        copies::<u8, _, _>(&$to, &tile, [0, 0], most);
        let (to, tile) = ($to.to_dynamic(), tile.to_dynamic());
        copies::<u8, _, _>(&to, &tile, [0, 0], most);
    };
}

/// Pairs of strides for a shape, the destination first.
macro_rules! pairs {
    ($r:ident, $counts:ident; $($shape:tt: $($to:tt $from:tt),+;)*) => {$(
        $(agrees!(layout!($shape:$to), layout!($shape:$from), $r, $counts);)+
    )*};
}

/// Shapes of static extents, of multiples and of numbers, by columns, by rows, and with gaps.
#[test]
fn copies_are_as_wide_as_run_time_finds() {
    let mut r = Random::new();
    let mut counts = [0, 0];
    for _ in 0..12 {
        let (m, n, gap) = (r.extent(), r.extent(), r.extent());
        let eights = Multiple::<Int<8>>::new(8 * r.extent()).unwrap();
        let (wide, tall) = (n + gap, m + gap);
        let wider = Multiple::<Int<8>>::new(eights.get() + 8 * gap).unwrap();
        let fours = 4 * m;
        pairs! { r, counts;
            (16, n): (1, 16) (1, 16), (1, 20) (1, 16), (n, 1) (wide, 1);
            (n, 64): (64, 1) (64, 1), (80, 1) (64, 1), (1, n) (64, 1);
            (64, eights): (eights, 1) (wider, 1), (1, 72) (1, 64);
            (m, n): (n, 1) (n, 1), (1, m) (1, tall), (1, m) (wide, 1);
            ((4, m), (n, 4)): ((1, 4), (fours, 1000)) ((1, 4), (fours, 1000));
            (m, (2, 3), 4): (24, (1, 8), 2) (48, (1, 8), 2), (24, (12, 4), 1) (1, (m, 200), 700);
        }
    }
    // What the rule of composition refuses the copy may do all the same.
    println!("{counts:?} pairs and answers");
    assert!(10 * counts[1] > 8 * counts[0], "{counts:?}");
}

/// What the types know of two layouts divides what run time finds, whatever the numbers are; and
/// where every stride is known, it is all that can be known without the numbers.
#[test]
fn the_types_know_a_divisor_of_what_run_time_finds() {
    fn gcd(a: usize, b: usize) -> usize {
        if b == 0 { a } else { gcd(b, a % b) }
    }
    let mut r = Random::new();
    let mut found = [0; 8];
    for turn in 0..40 {
        let (n, gap) = (if turn == 0 { 1 } else { r.extent() }, r.extent());
        let eights = Multiple::<Int<8>>::new(if turn == 0 { 8 } else { 8 * r.extent() }).unwrap();
        let wider = Multiple::<Int<8>>::new(eights.get() + 8 * gap).unwrap();
        let mut case = 0;
        macro_rules! known {
            ($($from:tt : $d:tt => $to:tt : $e:tt is $width:literal;)*) => {$({
                let (from, to) = (layout!($from:$d), layout!($to:$e));
                let width: usize = $width;
                assert_eq!(from.max_common_vector(to), width, "{from} and {to}");
                let dynamic = from.to_dynamic().max_common_vector(&to.to_dynamic());
                assert_eq!(dynamic % width, 0, "{from} and {to}");
                found[case] = gcd(found[case], dynamic);
                case += 1;
            })*};
        }
        known! {
            (16, n): (1, 16) => (16, n): (1, 16) is 16;
            (16, n): (1, 20) => (16, n): (1, 20) is 16;
            ((4, 4), n): ((1, 4), 16) => ((4, 4), n): ((1, 4), 16) is 16;
            (16, eights): (1, 16) => (16, eights): (1, 16) is 128;
            ((2, 3), n): ((1, 2), 7) => ((2, 3), n): ((1, 2), 6) is 6;
            // Contiguous only where run time compares a stride.
            (64, eights): (eights, 1) => (64, eights): (wider, 1) is 8;
            (64, eights): (wider, 1) => (64, eights): (wider, 1) is 8;
            (n, 64): (64, 1) => (n, 64): (64, 1) is 1;
        }
        assert_eq!(case, found.len());
    }
    assert_eq!(found[..5], [16, 16, 16, 128, 6]);
}
