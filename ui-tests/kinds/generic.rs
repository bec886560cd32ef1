//! Mistakes of generic code: each module has one, and says how many errors rustc makes of it.
#![allow(unused)]
use layout_algebra::atom::{self, CopyAtom, MmaAtom};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

// 3 errors
mod tiled_by_a_tuple {
    use super::*;
    pub fn f<L: Tiled<(Int<2>, Int<3>)>>(l: L) {}
}
// 2 errors
mod tiled_by_an_alias {
    use super::*;
    pub fn f<L: Tiled<Tiler<(Int<2>, Int<3>)>>>(l: L) {}
}
// 1 error
mod tiled_by_a_shape {
    use super::*;
    pub fn f<L: Tiled<Shape!((2, 3))>>(l: L) -> usize {
        l.zipped_divide(shape!((2, 3))).size()
    }
}
// 1 error
mod mma_atom {
    use super::*;
    pub fn f<A: MmaAtom>(a: A) -> usize {
        atom::make_tiled_mma(a, layout!((2, 2, 1)), tiler!(_, _, _)).size()
    }
}
// 1 error
mod copy_atom {
    use super::*;
    pub fn f<A: CopyAtom>(a: A) -> usize {
        atom::make_tiled_copy(a, layout!((2, 2)), layout!((1, 2))).unwrap().size()
    }
}
// 1 error
mod int_of_a_const {
    use super::*;
    pub fn f<const N: usize>() -> usize {
        layout!(8).compose(Int::<N>::default()).size()
    }
}
// 1 error
mod int_of_a_const_in_a_layout {
    use super::*;
    pub fn f<const N: usize>() -> usize {
        StridedLayout::left((Int::<N>::default(), int!(4))).size()
    }
}
// 1 error
mod int_type_of_a_const {
    use super::*;
    pub fn f<const N: usize>(l: StridedLayout<Int<N>, Int<1>>) -> usize {
        l.size()
    }
}
// 1 error
mod bound_by_a_number {
    use super::*;
    pub fn f<L: Complement<Int!(24)>>(l: L) -> usize {
        l.complement(24).size()
    }
}
// 1 error
mod body_of_another_tile {
    use super::*;
    pub fn f<L: Tiled<Tiler!(2, 3)>>(l: L) -> usize {
        l.zipped_divide(tiler!(4, 3)).size()
    }
}
// 1 error
mod tensor_of_another_tile {
    use super::*;
    pub fn f<S: Storage<Item = f32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) -> usize {
        t.tiles(tiler!(4, 3)).count()
    }
}
// 1 error
mod view_of_another_tile {
    use super::*;
    pub fn f<S: Storage<Item = f32>, L: Tiled<Tiler!(2, 3)>>(t: &Tensor<S, L>) -> usize {
        t.view().zipped_divide(tiler!(4, 3)).size()
    }
}
// 1 error
mod body_of_another_layout {
    use super::*;
    pub fn f<L: Compose<Layout!(4:2)>>(l: L) -> usize {
        l.compose(layout!(4:1)).size()
    }
}
// 1 error
mod body_of_a_number_elsewhere {
    use super::*;
    pub fn f<L: Upcast<Int!(2)>>(l: L) -> usize {
        l.upcast(int!(4)).size()
    }
}
// 1 error
mod zipped_and_indexed {
    use super::*;
    pub fn f<T, L: ZippedDivide<T>>(l: L, t: T) {
        let _ = l.zipped_divide(t).index((0, 1));
    }
}
// 1 error
mod zipped_and_sliced {
    use super::*;
    pub fn f<L: ZippedDivide<Tiler!(2, 3)>>(l: L) -> usize {
        l.zipped_divide(tiler!(2, 3)).slice((.., 0)).0.size()
    }
}
// 1 error
mod field_of_a_guessed_type {
    use super::*;
    pub struct S {
        pub tile: Layout!((2, 3):(1, 2)),
    }
    pub fn f() -> S {
        S { tile: layout!((4, 6)).zipped_divide(tiler!(2, 3)).mode::<0>() }
    }
}
// 1 error
mod returned_type {
    use super::*;
    pub fn f() -> Layout!((2, 3):(1, 2)) {
        layout!((4, 6)).compose(tiler!(2, 3))
    }
}
// 1 error
mod turned {
    use super::*;
    pub fn f<A: Compose<B>, B: Layout>(a: A, b: B) -> usize {
        b.compose(a).size()
    }
}
// 1 error
mod missing {
    use super::*;
    pub fn f<A: Layout, B: Layout>(a: A, b: B) -> usize {
        a.compose(b).size()
    }
}
// 1 error
mod second_operation {
    use super::*;
    pub fn f<A: Compose<Layout!(4:2)>>(a: A) -> usize {
        a.compose(layout!(4:2)).coalesce().size()
    }
}
// 1 error
mod second_with_operand {
    use super::*;
    pub fn f<A: Compose<Layout!(4:2)>>(a: A) -> usize {
        a.compose(layout!(4:2)).complement(int!(8)).size()
    }
}
// 1 error
mod indexed {
    use super::*;
    pub fn f<L: Layout>(l: L) {
        let _ = l.index((0, 1));
    }
}
// 1 error
mod element {
    use super::*;
    pub fn f<S: Storage<Item = f32>, L: Layout>(t: &Tensor<S, L>) -> f32 {
        t[(0, 1)]
    }
}
// 1 error
mod element_addressable {
    use super::*;
    pub fn f<S: Storage<Item = f32>, L: Addressable>(t: &Tensor<S, L>) -> f32 {
        t[(0, 1)]
    }
}
// 1 error
mod unbounded_tensor {
    use super::*;
    pub fn f<S, L>(t: &Tensor<S, L>) -> usize {
        t.size()
    }
}
// 1 error
mod static_size {
    use super::*;
    pub fn f<L: Layout>(l: L) -> usize {
        L::SIZE
    }
}
// 1 error
mod generic_number {
    use super::*;
    pub fn f<N: StaticInt>(n: N) -> usize {
        layout!((4, 6)).compose(n).size()
    }
}
// 1 error
mod generic_number_extent {
    use super::*;
    pub fn f<N: StaticInt>(n: N) -> usize {
        StridedLayout::left((n, int!(4))).size()
    }
}
// 1 error
mod printed {
    use super::*;
    pub fn f<L: Layout>(l: L) {
        println!("{l}")
    }
}
// 1 error
mod compared {
    use super::*;
    pub fn f<A: Layout, B: Layout>(a: A, b: B) -> bool {
        a == b
    }
}
// 1 error
mod divided_mode {
    use super::*;
    pub fn f<L: LogicalDivide<Tiler!(2, 3)>>(l: L) -> usize {
        l.logical_divide(tiler!(2, 3)).mode::<0>().size()
    }
}
// 1 error
mod caller {
    use super::*;
    pub fn g<L: Complement<Int!(24)>>(l: L) {}
    pub fn f() {
        g(layout!((4, 3):(1, 5)))
    }
}
// 1 error
mod caller_forwards {
    use super::*;
    pub fn g<L: Tiled<Tiler!(2, 3)>>(l: L) {}
    pub fn f<L: Layout>(l: L) {
        g(l)
    }
}
// 1 error
mod caller_of_another_tile {
    use super::*;
    pub fn g<L: Tiled<Tiler!(2, 3)>>(l: L) {}
    pub fn f<L: Tiled<Tiler!(4, 3)>>(l: L) {
        g(l)
    }
}
// 1 error
mod tiled_by_two_usize {
    use super::*;
    pub fn f<L: Tiled<(usize, usize)>>(_: L) {}
}
// 2 errors
mod tiled_by_a_parameter {
    use super::*;
    pub fn f<T, L: Tiled<T>>(_: L) {}
}
// 1 error
mod number_beyond_the_table {
    use super::*;
    pub fn f() -> usize {
        StridedLayout::left((Int::<5000>::default(), int!(4))).size()
    }
}
// 1 error
mod two_moduli {
    use super::*;
    pub fn f<A: LogicalDivide<Tiler!(2, 3)>, B: LogicalDivide<Tiler!(2, 3)>>(
        a: A,
        b: B,
    ) -> LogicalDivision<A, Tiler!(2, 3)> {
        b.logical_divide(tiler!(2, 3))
    }
}
