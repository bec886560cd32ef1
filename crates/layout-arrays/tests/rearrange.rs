//! `rearrange!` beside the same pattern at run time, and its types.

mod random;

use layout_algebra::prelude::*;
use layout_arrays::{ArrayLayout, HasAxes, Rearrange, rearrange};
use random::{Random, coordinates, draws};
use static_assertions::assert_type_eq_all;

/// The offsets of a pattern on axes at run time, the last axis of the result fastest.
fn at_run_time(pattern: &str, given: &[(&str, usize)], axes: &ArrayLayout) -> Vec<usize> {
    let memory: Vec<usize> = (0..axes.span().end).collect();
    let memory = axes.tensor(&memory[..]).expect("long enough");
    let pattern = Rearrange::new(pattern).expect("a pattern").with_all(given.iter().copied());
    pattern.copy_tensor(&memory).expect("it fits").into_storage()
}

/// The offsets of a layout of three modes, the last mode fastest.
macro_rules! offsets {
    ($layout:expr, $($mode:ident),*) => {{
        let layout = $layout;
        let extents: Vec<usize> = (0..layout.rank()).map(|k| layout.to_dynamic().mode(k).expect("a mode").size()).collect();
        coordinates(&extents)
            .into_iter()
            .map(|c| {
                let [$($mode),*] = c[..] else { panic!("{c:?}") };
                layout.index(($($mode,)*))
            })
            .collect::<Vec<usize>>()
    }};
}

/// Compares both for one pattern: the layout, the pattern, the extents, and a word for each axis of
/// the result.
macro_rules! compare {
    ($layout:expr, $pattern:literal, [$($name:ident = $extent:expr),*], $($mode:ident),*) => {{
        let layout = $layout;
        let typed = offsets!(rearrange!(layout, $pattern $(, $name = $extent)*), $($mode),*);
        let given: &[(&str, usize)] = &[$((stringify!($name), usize::from($extent))),*];
        assert_eq!(typed, at_run_time($pattern, given, &layout.axes().expect("axes")), "{layout}: {}", $pattern);
    }};
}

#[test]
fn random_layouts_are_rearranged_as_at_run_time() {
    let mut random = Random::of_this_run();
    for _ in 0..draws(300) {
        let [a, b, p, q] = [0; 4].map(|_| 1 + random.below(4));
        let [x, y, z] = [0; 3].map(|_| random.below(60));
        let l = layout!((a, b * p, q * 2):(x, y, z));
        compare!(l, "a b c -> c a b", [], i, j, k);
        compare!(l, "a b c -> (c a b)", [], i);
        compare!(l, "a b c -> (a b) 1 c", [], i, j, k);
        compare!(l, "a (b p) c -> (a b) p c", [p = p], i, j, k);
        compare!(l, "a (b p) c -> a (p c) b", [p = p], i, j, k);
        compare!(l, "a (b p) c -> a (p c) b", [b = b], i, j, k);
        compare!(l, "a (b p) (q c) -> p a (b q) c", [b = b, q = 2_usize], i, j, k, m);
        compare!(l, "a (b p) (c q) -> (p a) (b q) () c", [p = p, q = 2_usize], i, j, k, m);
        compare!(l, "a (b p) (c q) -> q b c (p a)", [q = q, p = p], i, j, k, m);
        let l = layout!((a * b * p, q):(x, y));
        compare!(l, "(a b p) q -> b (q p) a", [b = b, p = p], i, j, k);
        compare!(l, "(a b p) q -> (p b) (a q)", [b = b, p = p], i, j);
        compare!(l, "(a b p) q -> b (q p) a", [a = a, p = p], i, j, k);
        compare!(l, "(a b p) q -> (p b) a q", [a = a, b = b], i, j, k);
        compare!(layout!(a * b:x), "(a b) -> b a", [b = b], i, j);
        compare!(layout!(a * b:x), "(a b) -> b a", [a = a], i, j);
        compare!(layout!(a * b:x), "(a b) -> (b a)", [b = b], i);
        let none = layout!((p - p, q):(x, y));
        compare!(none, "(a b) q -> b q a", [b = b], i, j, k);
        compare!(none, "(a b) q -> b q a", [a = a], i, j, k);
        assert_eq!(rearrange!(none, "(a b) q -> b q a", a = a).shape(), (0, q, a));
    }
}

/// The types of results, exactly, and the same offsets.
#[test]
fn the_types_of_results() {
    macro_rules! types {
        ($($layout:tt, $pattern:literal, [$($name:ident = $extent:literal),*] = $result:tt;)*) => {$({
            let _: Layout! $result = rearrange!(layout! $layout, $pattern $(, $name = $extent)*);
        })*};
    }
    types! {
        ((2, 3, 4, 5): right), "b c h w -> b h w c", [] = ((2, 4, 5, 3):(60, 5, 1, 20));
        ((2, 8, 5): right), "b (h p) w -> (b h) p w", [p = 4] = (((2, 2), 4, 5):((20, 40), 5, 1));
        ((2, 3): right), "h w -> w h 1", [] = ((3, 2, 1):(1, 3, 0));
        ((2, 3): right), "h w -> () w 1 h", [] = ((1, 3, 1, 2):(0, 1, 0, 3));
        ((24, 4)), "(a b c) w -> c (w b) a", [b = 2, c = 3] = ((3, (2, 4), 4):(1, (3, 24), 6));
        ((24, 4)), "(a b c) w -> c (w b) a", [a = 4, c = 3] = ((3, (2, 4), 4):(1, (3, 24), 6));
        ((24, 4)), "(a b c) w -> c (w b) a", [a = 4, b = 2] = ((3, (2, 4), 4):(1, (3, 24), 6));
        ((2, 12):(-12, 1)), "a (b c) -> b a c", [c = 3] = ((4, 2, 3):(3, -12, 1));
        ((2, 12):(-12, 1)), "a (b c) -> b a c", [b = 4] = ((4, 2, 3):(3, -12, 1));
        ((2, 8):(0, 3)), "a (b c) -> c b a", [b = 8] = ((1, 8, 2):(0, 3, 0));
    }
    // The mode of an axis keeps its nesting; PyCuTe's `einfold` has "(ab)c -> (ba)c" for it.
    let nested = rearrange!(layout!(((2, 3), 5):((7, 11), 13)), "(b a) c -> (a b) c", a = 2);
    let _: Layout!(((3, 2), 5):((11, 7), 13)) = nested;
    let nested = rearrange!(layout!(((2, 3), 5):((7, 11), 13)), "(b a) c -> (a b) c", b = 3);
    let _: Layout!(((3, 2), 5):((11, 7), 13)) = nested;
    let swizzled = ComposedLayout::new(Swizzle::<2, 0, 3>::new(), int!(0), layout!((8, 8)));
    let turned = rearrange!(swizzled, "a (b c) -> b a c", c = 2);
    assert_eq!(turned.index((3, 5, 1)), swizzled.index((5, 7)));
    let turned = rearrange!(swizzled, "a (b c) -> b a c", b = 4);
    assert_eq!(turned.index((3, 5, 1)), swizzled.index((5, 7)));
    assert_type_eq_all!(Layout!((2, 3):(3, 1)), Layout!((2, 3): right));
}

/// PyCuTe's examples of `einfold` that permute, fold and unfold modes. Its parentheses count from
/// the left, and those of a pattern from the right.
#[test]
fn the_examples_of_pycute() {
    macro_rules! examples {
        ($($layout:tt, $pattern:literal, [$($name:ident = $extent:literal),*] = $result:tt;)*) => {$({
            let _: Layout! $result = rearrange!(layout! $layout, $pattern $(, $name = $extent)*);
        })*};
    }
    examples! {
        ((2, 3, 5):(7, 11, 13)), "i j k -> i j k", [] = ((2, 3, 5):(7, 11, 13));
        ((2, 3, 5, 7):(1, 2, 6, 30)), "i j k l -> k i l j", [] = ((5, 2, 7, 3):(6, 1, 30, 2));
        ((2, 3, 5, 7):(1, 2, 6, 30)), "a b c d -> (c a) (b d)", [] = (((2, 5), (7, 3)):((1, 6), (30, 2)));
        (((2, 3), 5, 7):((101, 17), 1009, 43)), "(b a) c d -> d (c b) a", [a = 2] = ((7, (3, 5), 2):(43, (17, 1009), 101));
        ((2, 3):(1, 2)), "i j -> (j i)", [] = (((2, 3),):((1, 2),));
        (((2, 3), 5):((7, 11), 13)), "(b a) c -> a b c", [a = 2] = ((2, 3, 5):(7, 11, 13));
        (((2, 3), 5):((7, 11), 13)), "t b -> b t", [] = ((5, (2, 3)):(13, (7, 11)));
        (((2, 3), (5, 7)):((7, 11), (13, 70))), "(b a) (d c) -> (b c a) d", [a = 2, c = 5]
            = (((2, 5, 3), 7):((7, 13, 11), 70));
        ((2, 3, 5):(1, 2, 6)), "i j k -> k (j i)", [] = ((5, (2, 3)):(6, (1, 2)));
        (((12, 4), 42, 5, 7)), "i j k l -> j i k l", [] = ((42, (12, 4), 5, 7):(48, (1, 12), 2016, 10080));
    }
}

/// A tensor keeps its elements, and a mutable view is written through.
#[test]
fn tensors_are_rearranged_in_place() {
    let mut t = Tensor::filled(layout!((2, 8): right), 0);
    let mut pairs = rearrange!(t.view_mut(), "a (b p) -> p a b", p = 2);
    pairs.slice_mut((1, .., ..)).fill(7);
    let flipped = rearrange!(t.view().flip::<1>(), "a b -> b a 1");
    assert_eq!((flipped[(0, 0, 0)], flipped[(1, 1, 0)]), (7, 0));
    assert_eq!(t.into_storage()[..4], [0, 7, 0, 7]);
}
