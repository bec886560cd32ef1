//! Mistakes of copies and products of threads: each module has one, and says how many errors rustc
//! makes of it.
#![allow(unused)]
use layout_algebra::atom::*;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Global, Shared};
use layout_algebra::tensor::{Addressable, Tile, TileMut};

// 2 errors
mod atom_missing {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(&a, &mut b).unwrap();
    }
}
// 1 error
mod atom_of_a_literal {
    use super::*;
    pub fn f(_: UniversalCopy<f32, 4>) {}
}
// 1 error
mod atom_by_value {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(UniversalCopy::<f32>::new(), &a, &mut b).unwrap();
    }
}
// 1 error
mod atom_not_mut {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(&UniversalCopy::<f32>::new(), &a, &b).unwrap();
    }
}
// 1 error
mod atom_exchanged {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(&UniversalCopy::<f32>::new(), &mut b, &a).unwrap();
    }
}
// 1 error
mod other_elements {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(&UniversalCopy::<f64>::new(), &a, &mut b).unwrap();
    }
}
// 1 error
mod into_a_slice {
    use super::*;
    pub fn f(d: &[f32]) {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::new(d, layout!((4, 6))).unwrap();
        copy(&UniversalCopy::<f32>::new(), &a, &mut b).unwrap();
    }
}
// 1 error
mod slice_not_optional {
    use super::*;
    pub fn f() -> usize {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        let a = Tensor::filled(layout!((4, 8)), 0.0_f32);
        tiled.get_slice(0).partition_s(&a).unwrap().size()
    }
}
// 3 errors
mod tiled_of_a_tuple {
    use super::*;
    pub fn f() -> usize {
        make_tiled_copy(UniversalCopy::<f32>::new(), (2, 2), layout!((1, 2))).unwrap().size()
    }
}
// 3 errors
mod tiled_of_a_number {
    use super::*;
    pub fn f() -> usize {
        make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), 2).unwrap().size()
    }
}
// 1 error
mod tiled_of_no_atom {
    use super::*;
    pub fn f() -> usize {
        make_tiled_copy(4, layout!((2, 2)), layout!((1, 2))).unwrap().size()
    }
}
// 1 error
mod partition_of_rank_3 {
    use super::*;
    pub fn f() -> usize {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        let a = Tensor::filled(layout!(4), 0.0_f32);
        tiled.get_slice(0).unwrap().partition_s(&a).unwrap().size()
    }
}
// 1 error
mod partition_not_dividing {
    use super::*;
    pub fn f() -> usize {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        tiled.get_slice(0).unwrap().partition_s(&a).unwrap().size()
    }
}
// 1 error
mod mma_missing {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut c = Tensor::filled(layout!((4, 4)), 0.0_f32);
        gemm(&a, &b, &mut c);
    }
}
// 2 errors
mod mma_of_a_copy_atom {
    use super::*;
    pub fn f() -> usize {
        make_tiled_mma(UniversalCopy::<f32>::new(), layout!((2, 2, 1)), tiler!(_, _, _)).size()
    }
}
// 1 error
mod mma_of_two_arguments {
    use super::*;
    pub fn f() -> usize {
        make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 2, 1))).size()
    }
}
// 1 error
mod own_atom {
    use super::*;
    #[derive(Clone, Copy, Debug)]
    pub struct Mine;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f32);
        copy(&Mine, &a, &mut b).unwrap();
    }
}
// 1 error
mod generic_partition {
    use super::*;
    pub fn f<L: Addressable>(t: &Tensor<Vec<f32>, L>) -> usize {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        tiled.get_slice(0).unwrap().partition_s(t).unwrap().size()
    }
}
// 1 error
mod partition_of_a_layout {
    use super::*;
    pub fn f() {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        let _ = tiled.get_slice(0).unwrap().partition_s(&layout!((4, 8)));
    }
}
// 2 errors
mod gemm_operands_of_other_sizes {
    use super::*;
    pub fn f() {
        let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((2, 1, 1)), tiler!(_, _, _));
        let (a, b) = (Tensor::filled(layout!((4, 6)), 0.0_f32), Tensor::filled(layout!((3, 6)), 0.0_f32));
        let mut c = Tensor::filled(layout!((4, 3)), 0.0_f32);
        let thread = mma.get_slice(0).unwrap();
        gemm(
            &mma,
            &thread.partition_b(&b).unwrap(),
            &thread.partition_a(&a).unwrap(),
            &mut thread.partition_c_mut(&mut c).unwrap(),
        );
    }
}
// 1 error
mod tiled_copy_as_an_atom {
    use super::*;
    pub fn f() {
        let tiled = make_tiled_copy(UniversalCopy::<f32>::new(), layout!((2, 2)), layout!((1, 2))).unwrap();
        let _ = make_tiled_copy(tiled, layout!((2, 2)), layout!((1, 2)));
    }
}
// 2 errors
mod elements_that_do_not_multiply {
    use super::*;
    pub fn f() {
        let _ = make_tiled_mma(UniversalFma::<f32, &str, &str>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    }
}
// 2 errors
mod backwards {
    use super::*;
    type Source<'t> = Tensor<Tile<'t, f32, Shared>, Layout!((4, 8))>;
    type Destination<'t> = Tensor<TileMut<'t, f32, Global>, Layout!((4, 8))>;
    pub fn f<A: CopyAtom<Value = f32, Source = Global, Destination = Shared>>(
        atom: &A,
        source: &Source<'_>,
        destination: &mut Destination<'_>,
    ) {
        copy(atom, source, destination).unwrap();
    }
}
