//! Divides.

use proptest::prelude::*;

use super::brute::{Plain, is_injective, offsets, sorted};
use super::generate::{pair, small_layout};
use layout_algebra::prelude::*;

/// Equal results, or refusals of the same kind.
fn same(a: &Result<DynLayout, LayoutError>, b: &Result<DynLayout, LayoutError>) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => a == b,
        (Err(a), Err(b)) => a.kind() == b.kind(),
        _ => false,
    }
}

proptest! {
    #[test]
    fn a_divide_neither_loses_nor_doubles_elements((a, b) in pair()) {
        let Ok(x) = a.to_layout().logical_divide(b.to_layout()) else { return Ok(()) };
        let tile = b.offsets();
        if is_injective(&tile) {
            prop_assert_eq!(sorted(offsets(&x)), sorted(a.offsets()), "{}", x);
        } else {
            prop_assert!(x.size() >= a.size(), "a broadcast tile repeats elements: {}", x);
        }
        let mode = Plain::of(&x).mode(0).offsets();
        prop_assert_eq!(mode, tile.into_iter().map(|v| a.at(v)).collect::<Vec<_>>(), "{}", x);
        prop_assert_eq!(x.rank(), 2);
    }

    #[test]
    fn a_divide_is_the_composition_with_tile_and_complement((a, b) in pair()) {
        let (l, t) = (a.to_layout(), b.to_layout());
        let composed = t.complement(l.size()).and_then(|rest| l.compose(DynLayout::tuple(&[t.clone(), rest])?));
        prop_assert!(same(&l.logical_divide(&t), &composed));
    }

    #[test]
    fn the_forms_of_a_divide_by_mode((a, b) in (small_layout(3), small_layout(2)), n in 1usize..5, m in 1usize..5) {
        let l = DynLayout::tuple(&[a.to_layout(), b.to_layout(), a.to_layout()]).unwrap();
        let tiler: DynTiler = format!("<{n},{m}>").parse().unwrap();
        let logical = l.logical_divide(&tiler);
        let Ok(x) = &logical else {
            prop_assert!(same(&logical, &l.zipped_divide(&tiler)));
            prop_assert!(same(&logical, &l.tiled_divide(&tiler)));
            prop_assert!(same(&logical, &l.flat_divide(&tiler)));
            return Ok(());
        };
        // ((T0,R0),(T1,R1),L)
        let part = |i: usize, j: usize| x.mode(i).unwrap().mode(j).unwrap();
        let (t0, r0, t1, r1, kept) = (part(0, 0), part(0, 1), part(1, 0), part(1, 1), x.mode(2).unwrap());
        prop_assert_eq!(x.mode(0).unwrap(), a.to_layout().logical_divide(n).unwrap());
        prop_assert_eq!(x.mode(1).unwrap(), b.to_layout().logical_divide(m).unwrap());
        prop_assert_eq!(&kept, &a.to_layout());
        let tuple = |modes: &[DynLayout]| DynLayout::tuple(modes).unwrap();
        let tile = tuple(&[t0.clone(), t1.clone()]);
        let rest = tuple(&[r0.clone(), r1.clone(), kept.clone()]);
        prop_assert_eq!(l.zipped_divide(&tiler).unwrap(), tuple(&[tile.clone(), rest]));
        prop_assert_eq!(l.tiled_divide(&tiler).unwrap(), tuple(&[tile, r0.clone(), r1.clone(), kept.clone()]));
        prop_assert_eq!(l.flat_divide(&tiler).unwrap(), tuple(&[t0, t1, r0, r1, kept]));
    }
}

#[test]
fn a_mode_left_alone_lies_whole_in_the_tile() {
    let l: DynLayout = "(8,5,4):(1,8,40)".parse().unwrap();
    let t: DynTiler = "<4,_>".parse().unwrap();
    assert_eq!(l.logical_divide(&t).unwrap().to_string(), "((4,2),5,4):((1,4),8,40)");
    assert_eq!(l.zipped_divide(&t).unwrap().to_string(), "((4,5),(2,1,4)):((1,8),(4,0,40))");
    assert_eq!(l.flat_divide(&t).unwrap().to_string(), "(4,5,2,1,4):(1,8,4,0,40)");
    // A nested tiler, and the whole left alone.
    let nested: DynLayout = "((8,6),5):((1,8),48)".parse().unwrap();
    let t: DynTiler = "<<2,3>,_>".parse().unwrap();
    assert_eq!(
        nested.zipped_divide(&t).unwrap().to_string(),
        "(((2,3),5),((4,2),1)):(((1,8),48),((2,24),0))"
    );
    assert_eq!(l.zipped_divide(DynTiler::keep()).unwrap(), l);
    assert_eq!(l.tiled_divide(DynTiler::keep()).unwrap_err().kind(), ErrorKind::Rank);
    assert_eq!(nested.flat_divide(DynTiler::keep()).unwrap().to_string(), "(8,6,5):(1,8,48)");
    let long: DynTiler = "<1,1,1,1>".parse().unwrap();
    assert_eq!(l.logical_divide(&long).unwrap_err().kind(), ErrorKind::Rank);
    assert_eq!(l.zipped_divide(&long).unwrap_err().kind(), ErrorKind::Rank);
    assert_eq!(l.round_up(&long).unwrap_err().kind(), ErrorKind::Rank);
}
