//! is_injective, is_surjective, is_bijective, is_compact.

use proptest::collection::vec;
use proptest::prelude::*;

use super::brute::{Plain, Tree, image, is_injective};
use super::generate::layout;
use layout_algebra::prelude::*;

fn check(a: &Plain) -> Result<(), TestCaseError> {
    let l = a.to_layout();
    let values = a.offsets();
    let onto = image(values.clone()).len() == l.cosize();
    prop_assert_eq!(l.is_injective(), is_injective(&values), "{}", l);
    prop_assert_eq!(l.is_surjective(), onto, "{}", l);
    prop_assert_eq!(l.is_bijective(), onto && is_injective(&values), "{}", l);
    let moving: Vec<(usize, usize)> =
        a.modes().into_iter().filter(|m| m.1 != 0 && m.0 != 1).collect();
    let elements: usize = moving.iter().map(|m| m.0).product();
    prop_assert_eq!(l.is_compact(), onto && elements == l.cosize(), "{}", l);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_answers_are_those_of_a_count(a in layout(4)) {
        check(&a)?;
    }

    /// Strides that interlock, where the search has to look.
    #[test]
    fn the_answers_are_those_of_a_count_for_any_strides(modes in vec((1usize..6, 0usize..40), 1..5)) {
        let (extents, strides): (Vec<_>, Vec<_>) =
            modes.into_iter().map(|(s, d)| (Tree::Leaf(s), Tree::Leaf(d))).unzip();
        check(&Plain { shape: Tree::Tuple(extents), stride: Tree::Tuple(strides) })?;
    }
}

/// All triples of small modes, so that no bound of the search is left untried.
#[test]
fn the_answers_are_those_of_a_count_for_every_small_layout() {
    let triples = |values: &'static [usize]| {
        values.iter().flat_map(move |&x| {
            values.iter().flat_map(move |&y| values.iter().map(move |&z| [x, y, z]))
        })
    };
    let tuple = |leaves: [usize; 3]| DynShape::tuple(leaves.map(DynShape::from)).unwrap();
    for stride in triples(&[0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11]) {
        for shape in triples(&[2, 3, 5]) {
            let l = DynLayout::new(tuple(shape), tuple(stride)).unwrap();
            let mut seen = vec![false; l.cosize()];
            let mut injective = true;
            for (i, j, k) in (0..shape[0]).flat_map(|i| {
                (0..shape[1]).flat_map(move |j| (0..shape[2]).map(move |k| (i, j, k)))
            }) {
                let offset = i * stride[0] + j * stride[1] + k * stride[2];
                injective &= !core::mem::replace(&mut seen[offset], true);
            }
            let onto = seen.into_iter().all(|seen| seen);
            assert_eq!((l.is_injective(), l.is_surjective()), (injective, onto), "{l}");
        }
    }
}

#[test]
fn large_layouts_are_decided_without_a_count() {
    for (text, injective, surjective) in [
        ("(1048576,1048576,1048576):(1,1048576,1099511627776)", true, true),
        ("(1048576,1048576):(1,1048577)", true, false),
        ("(1048576,1048576):(1,1048575)", false, true),
        ("(1048576,1048576,1048576):(1048577,1048576,1048575)", false, false),
        ("(1000000,1000000):(999983,1000003)", true, false),
        ("(1000000,1000000):(999979,999983)", false, false),
        ("(4,0):(1,1)", true, true),
    ] {
        // On 32 bits, numbers that are no `usize`.
        let parsed = text.parse::<DynLayout>();
        if usize::BITS < 64
            && parsed.as_ref().is_err_and(|error| error.kind() == ErrorKind::Overflow)
        {
            continue;
        }
        let l = parsed.unwrap();
        assert_eq!((l.is_injective(), l.is_surjective()), (injective, surjective), "{text}");
    }
}
