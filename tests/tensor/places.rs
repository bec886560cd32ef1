//! A panic names the line of the caller: this file, and the line that calls.

use std::cell::{Cell, RefCell};
use std::panic::{Location, catch_unwind};
use std::sync::Once;

use layout_algebra::prelude::*;

thread_local! {
    static LOOKING: Cell<bool> = const { Cell::new(false) };
    static PLACE: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
}

/// Where the code panics.
fn place_of(code: impl FnOnce() + std::panic::UnwindSafe) -> Option<(String, u32)> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if LOOKING.get() {
                let place =
                    info.location().map(|at: &Location<'_>| (at.file().to_string(), at.line()));
                PLACE.with(|cell| *cell.borrow_mut() = place);
            } else {
                before(info);
            }
        }));
    });
    PLACE.with(|cell| cell.borrow_mut().take());
    LOOKING.set(true);
    let panics = catch_unwind(code).is_err();
    LOOKING.set(false);
    assert!(panics, "no panic");
    PLACE.with(|cell| cell.borrow_mut().take())
}

/// The line in which an expression begins: that of the call in it, if it is all in one line.
macro_rules! line_of {
    ($code:expr) => {{
        const LINES: &str = include_str!("places.rs");
        let code: String = stringify!($code).split_whitespace().collect();
        let line = LINES.lines().position(|line| {
            let line: String = line.split_whitespace().collect();
            line.trim_end_matches(';') == code
        });
        line.unwrap_or_else(|| panic!("no line is {code}")) as u32 + 1
    }};
}

/// Each expression panics, in the line where it stands.
macro_rules! panics_here {
    ($($code:expr;)*) => {
        $(
            println!("{}", stringify!($code));
            assert_eq!(place_of(|| { let _ = $code; }), Some((file!().to_string(), line_of!($code))));
        )*
    };
}

fn matrix() -> Tensor<Vec<i32>, Layout!((_, _):(_, 1))> {
    let (m, n) = (4, 6);
    Tensor::new(vec![0; 24], layout!((m, n): right)).unwrap()
}
fn broadcast() -> Tensor<Vec<i32>, Layout!((4, 6):(_, 1))> {
    let none = 0;
    Tensor::new(vec![0; 6], layout!((4, 6):(none, 1))).unwrap()
}
fn dynamic() -> Tensor<Vec<i32>, DynLayout> {
    Tensor::new(vec![0; 24], "(4,6):(6,1)".parse::<DynLayout>().unwrap()).unwrap()
}
fn nested() -> Tensor<Vec<i32>, DynLayout> {
    Tensor::new(vec![0; 60], "((2,3),4):((1,10),2)".parse::<DynLayout>().unwrap()).unwrap()
}

#[test]
fn the_line_of_the_caller_of_what_makes_and_reads() {
    let huge = usize::MAX;
    panics_here! {
        matrix()[(4, 0)];
        matrix()[(4, 0)] = 1;
        dynamic()[24];
        Tensor::filled(layout!(huge), 1u64);
        Tensor::filled(layout!((huge, huge)), 1u8);
        layout!((huge, huge)).size();
        layout!((huge, huge)).cosize();
    }
}

#[test]
fn the_line_of_the_caller_of_what_slices() {
    panics_here! {
        matrix().slice((4, ..));
        matrix().slice((1..5, ..));
        matrix().slice_mut((1..5, ..));
        matrix().window((0, 0), shape!((5, 1)));
        matrix().window_mut((0, 0), shape!((5, 1)));
        dynamic().slice((.., 7..));
        dynamic().slice_mut((.., 7..));
        dynamic().window((3, 5), (1, 2));
        dynamic().window_mut((3, 5), (1, 2));
        nested().slice((1..4, ..));
        matrix().layout().slice((1..5, ..));
        matrix().layout().window((3, 5), (1, 2));
        LayoutAlgebra::slice(dynamic().layout(), (1..5, ..));
        LayoutAlgebra::window(dynamic().layout(), (4, 0), (1, 1));
        Tensor::coordinates(identity((4, 6))).slice((4, ..));
        Tensor::coordinates(identity((4, 6))).index((4, 0));
    }
}

#[test]
fn the_line_of_the_caller_of_what_cuts() {
    panics_here! {
        matrix().tiles(tiler!(3, 2)).len();
        matrix().tiles_mut(tiler!(3, 2)).len();
        broadcast().tiles_mut(tiler!(2, 3)).len();
        dynamic().tiles(tiler!(3, 2)).len();
        matrix().ragged_tiles(Tiler::new((0, 2))).len();
        matrix().ragged_tiles_mut(Tiler::new((0, 2))).len();
        broadcast().ragged_tiles_mut(tiler!(3, 4)).len();
        dynamic().ragged_tiles(tiler!(1, 2, 3)).len();
        nested().ragged_tiles(tiler!(3)).len();
        matrix().split_at::<0>(5);
        matrix().split_at_mut::<1>(7);
        broadcast().split_at_mut::<1>(1);
        dynamic().split_at::<2>(0);
        dynamic().split_at_mut::<2>(0);
    }
}

#[test]
fn the_line_of_the_caller_of_the_algebra() {
    let (a, b) = (5, 7);
    let odd = || Tensor::new(vec![0; 35], layout!((a, b))).unwrap();
    panics_here! {
        odd().logical_divide(tiler!(2, 2));
        odd().zipped_divide(tiler!(2, 2));
        odd().tiled_divide(tiler!(2, 2));
        odd().flat_divide(tiler!(2, 2));
        layout!((a, b)).zipped_divide(tiler!(2, 2));
    }
}

/// What asks a layout of run time through the traits that every layout has.
#[test]
fn the_line_of_the_caller_of_the_traits_on_layouts_of_run_time() {
    let flat: DynLayout = "(4,6):(1,4)".parse().unwrap();
    let swizzled: DynComposedLayout = "Sw<1,0,2> o 0 o (4,6):(1,4)".parse().unwrap();
    panics_here! {
        LayoutAlgebra::group::<1, 9>(&flat);
        LayoutAlgebra::take::<1, 9>(&flat);
        LayoutAlgebra::mode::<2>(&flat);
        LayoutAlgebra::ungroup::<2>(&flat);
        LayoutAlgebra::replace::<2, _>(&flat, layout!(4));
        Layout::index(&flat, (1, 1, 1));
        swizzled.index((1, 1, 1));
        (1, 1, 1).offset_in(&swizzled);
    }
}

/// Strides that are no natural numbers, where offsets are coordinates or memory.
#[test]
fn the_line_of_the_caller_of_strides_of_other_kinds() {
    let (back, xor): (DynLayout, DynLayout) =
        ("(4,6):(-1,4)".parse().unwrap(), "(8,8):(^1,^9)".parse().unwrap());
    let swizzle = DynSwizzle::new(1, 0, 2).unwrap();
    panics_here! {
        back.index((3, 0));
        back.signed_index((1, 1, 1));
        back.stride();
        Layout::index(&back, (3, 0));
        Layout::at(&back, 3);
        Layout::locate(&back, DynShape::from((3, 0)));
        Layout::stride(&back);
        (3, 0).offset_in(&back);
        FlatLayout::of(&back);
        FlatLayout::of(&"(2,2):(^3,^3)".parse::<DynLayout>().unwrap());
        ComposedLayout::new(swizzle, 0, back.clone());
        Tensor::filled(back.clone(), 0);
        LayoutAlgebra::slice(&xor, (1..3, ..));
        LayoutAlgebra::window(&back, (1, 0), (1, 1));
        LayoutAlgebra::complement(&xor, 100);
        LayoutAlgebra::left_inverse(&back);
        LayoutAlgebra::compose(&xor, &back);
    }
}

/// Const functions at run time: a layout as data, and what is asked of the accesses of a warp.
#[test]
fn the_line_of_the_caller_of_const_functions() {
    use analysis::WarpAccess;
    let huge = usize::MAX / 2;
    let twice = FlatLayout::of(&layout!((huge, huge):(1, huge)));
    let most = FlatLayout::of(&layout!((huge, 4):(huge, huge)));
    let wide = FlatLayout::of(&layout!((2, (huge, huge)):(1, (1, 1))));
    let (tile, halves) =
        (FlatLayout::of(&layout!((32, 64):(64, 1))), FlatLayout::of(&layout!((32, 8):(64, 1))));
    let deep: DynLayout = format!("({}2):({}1)", "2,".repeat(32), "1,".repeat(32)).parse().unwrap();
    let swizzled: DynComposedLayout = format!("Sw<1,0,2> o 0 o {deep}").parse().unwrap();
    let beyond = ComposedLayout::const_new(Swizzle::<1, 0, 2>::new(), 0, layout!((4, huge):(1, 8)));
    panics_here! {
        FlatLayout::of(&deep).size();
        Layout::cosize(&swizzled);
        Layout::cosize(&beyond);
        twice.size();
        FlatLayout::of(&layout!(((huge, huge), 2):((1, 1), 1))).threads();
        wide.values();
        most.cosize();
        most.at(7);
        most.of_thread(3, 3);
        most.is_injective();
        twice.footprint();
        twice.aliasing();
        twice.gaps();
        twice.is_surjective();
        twice.is_bijective();
        twice.is_compact();
        WarpAccess::new(&halves, 0, 32);
        WarpAccess::new(&halves, 16, 0);
        WarpAccess::new(&halves, 16, 24);
        WarpAccess::new(&halves, 3, 12);
        WarpAccess::new(&halves, 16, 256);
        WarpAccess::ldmatrix(&halves, 16, 3);
        WarpAccess::new(&halves, 16, 32).with_banks(3, 4);
        WarpAccess::new(&halves, 16, 32).with_banks(32, 3);
        WarpAccess::new(&halves, 16, 32).bank_conflicts(&tile);
        WarpAccess::new(&halves, 16, 32).coalescing(&tile);
        WarpAccess::new(&wide, 16, 16);
        twice.vector_width(&halves, 16, 16);
        tile.vector_width(&wide, 16, 16);
        tile.best_swizzle(&halves, &halves, 3);
        tile.best_swizzle(&wide, &halves, 16);
    }
}

/// What counts beyond `usize`, in builds that look for it.
#[test]
#[cfg(debug_assertions)]
fn the_line_of_the_caller_of_what_counts() {
    let huge = usize::MAX;
    let dynamic: DynLayout = "(4,6):(1,4)".parse().unwrap();
    let swizzled = Swizzle::<1, 0, 2>::new().compose(layout!((4, 6):(1, 8)));
    panics_here! {
        layout!((4, 6)).index((0, huge));
        layout!((4, 6):(1, 8)).at(huge);
        layout!((4, 6)).locate((3, huge));
        swizzled.index((0, huge));
        swizzled.at(huge);
        crd2idx((0, huge), shape!((4, 6)));
        crd2crd((0, huge), shape!((4, 6)), shape!((2, 12)));
        idx2crd(7, ((huge, huge), 3));
        dynamic.index((0, huge));
    }
}
