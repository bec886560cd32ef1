//! Layouts of types whose size or cosize leaves `usize`: whatever has a `try_` answers or refuses,
//! and does not panic.

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::prelude::*;

/// Calls each of these, and collects those that panic.
macro_rules! ask {
    ($panics:ident, $layout:ident; $($question:expr),* $(,)?) => {$(
        if catch_unwind(AssertUnwindSafe(|| drop(std::hint::black_box($question)))).is_err() {
            $panics.push(format!("{}: {}", stringify!($layout), stringify!($question)));
        }
    )*};
}

#[test]
fn try_methods_of_layouts_beyond_usize_do_not_panic() {
    let n = 1usize << 32;
    let (far, wild) = (n * (n / 2), usize::MAX);
    // Numbers alone are refused when the program is compiled: `(4294967296,4294967296)`.
    let mut panics: Vec<String> = Vec::new();
    macro_rules! of {
        ($($name:ident = $layout:expr => ($($more:ident($($operand:expr),*)),*);)*) => {$({
            let $name = $layout;
            ask!(panics, $name;
                $name.try_coalesce(), $name.try_filter(), $name.try_flatten(), $name.try_reverse(),
                $name.try_transpose(), $name.try_append(layout!(4:1)), $name.try_prepend(layout!(n:1)),
                $name.try_append($name), $name.try_right_inverse(),
                $($name.$more($($operand),*)),*
            );
        })*};
    }
    of! {
        far_stride = layout!((4294967296, n):(1, far)) => (
            try_compose(layout!(4:1)), try_compose(layout!((4, 2):(1, 4294967296))), try_upcast(int!(4)),
            try_downcast(int!(4)), try_max_common_layout(layout!(16:1))
        );
        half = layout!((4294967296, n):(1, 4294967296)) => (
            try_compose(layout!(4:1)), try_compose(layout!((4, 2):(1, 4294967296))), try_complement(n),
            try_logical_divide(int!(4)), try_zipped_divide(tiler!(4, 2)), try_upcast(int!(4)),
            try_downcast(int!(4)), try_left_inverse(), try_layout_like(),
            try_max_common_layout(layout!(16:1)), try_logical_product(layout!(4:1)),
            try_blocked_product(layout!((2, 2))), try_raked_product(layout!((2, 2))),
            try_tile_to_shape(shape!((n, n))), try_with_shape(shape!((4294967296, n))), try_round_up(tiler!(3, 3)),
            try_flat_divide(tiler!(4, 2)), try_tiled_divide(tiler!(4, 2))
        );
        wild_strides = layout!((4294967296, 4):(wild, 1)) => (try_compose(layout!(4:1)));
    }
    assert!(panics.is_empty(), "{}", panics.join("\n"));
}
