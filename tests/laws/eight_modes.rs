//! Operations whose result has the modes of a layout, level by level: eight modes on a level are
//! always allowed, so that no operation needs a message for more.

use layout_algebra::prelude::*;

#[test]
fn operations_that_keep_the_modes_take_eight() {
    let l = layout!((8, 3, 3, 3, 3, 3, 3, 3));
    assert_eq!(l.round_up(tiler!(2, 2, 2, 2, 2, 2, 2, 2)).rank(), 8);
    assert_eq!(l.upcast(int!(4)).downcast(int!(8)).rank(), 8);
    assert_eq!(l.recast(shape!((32, 8))).rank(), 8);
    assert_eq!(l.layout_like().rank(), 8);
    let cubes = layout!((2, 2, 2, 2, 2, 2, 2, 2));
    assert_eq!(cubes.tile_to_shape(shape!((4, 4, 4, 4, 4, 4, 4, 4))).rank(), 8);
}

#[test]
fn eight_within_a_mode_too() {
    let deep = layout!(((2, 2, 2, 2, 2, 2, 2, 2), 3));
    assert_eq!(deep.round_up(tiler!((2, 2, 2, 2, 2, 2, 2, 2), 2)).size(), 256 * 4);
    assert_eq!(deep.tile_to_shape(shape!((512, 3))).size(), 512 * 3);
    assert_eq!(deep.layout_like(), deep);
}
