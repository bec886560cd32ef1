//! Mistakes of tensors: each module has one, and says how many errors rustc makes of it.
#![allow(unused)]
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;

// 1 error
mod field_of_a_scalar {
    use super::*;
    pub struct S<L> {
        pub t: Tensor<f32, L>,
    }
    impl<L: Addressable> S<L> {
        pub fn f(&self) -> f32 {
            self.t.iter().sum()
        }
    }
}
// 1 error
mod argument_of_a_scalar {
    use super::*;
    pub fn f(t: &Tensor<f32, Layout!((4, 6))>) -> f32 {
        t[(0, 0)]
    }
}
// 1 error
mod mode_by_a_variable {
    use super::*;
    pub fn f(i: usize) -> usize {
        layout!((4, 6)).mode(i).size()
    }
}
// 1 error
mod boxed {
    use super::*;
    pub fn f(l: Box<dyn Layout>) {}
}
// 1 error
mod compared_with_a_vec {
    use super::*;
    pub fn f() -> bool {
        let t = Tensor::new(vec![0; 24], layout!((4, 6))).unwrap();
        t == vec![0; 24]
    }
}
// 1 error
mod compared_with_an_array {
    use super::*;
    pub fn f() -> bool {
        let t = Tensor::fixed([0; 4], layout!(4));
        t == [0; 4]
    }
}
// 1 error
mod written_through_a_slice {
    use super::*;
    pub fn f(data: &[f32]) {
        let mut t = Tensor::new(data, layout!((4, 6))).unwrap();
        t[(0, 1)] = 1.0;
    }
}
// 1 error
mod filled_through_a_slice {
    use super::*;
    pub fn f(data: &[f32]) {
        let mut t = Tensor::new(data, layout!((4, 6))).unwrap();
        t.fill(1.0);
    }
}
// 1 error
mod get_mut_through_a_slice {
    use super::*;
    pub fn f(data: &[f32]) {
        let mut t = Tensor::new(data, layout!((4, 6))).unwrap();
        *t.get_mut((0, 1)).unwrap() = 1.0;
    }
}
// 1 error
mod tiles_mut_of_a_slice {
    use super::*;
    pub fn f(data: &[f32]) {
        let mut t = Tensor::new(data, layout!((4, 6))).unwrap();
        for mut tile in t.tiles_mut(tiler!(2, 3)) {
            tile.fill(1.0)
        }
    }
}
// 1 error
mod tiles_of_too_high_rank {
    use super::*;
    pub fn f() -> usize {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t.tiles(tiler!(2, 3, 2)).count()
    }
}
// 1 error
mod tiles_by_a_tuple {
    use super::*;
    pub fn f() -> usize {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t.tiles((2, 3)).count()
    }
}
// 1 error
mod tiles_by_a_shape {
    use super::*;
    pub fn f() -> usize {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t.tiles(shape!((2, 3))).count()
    }
}
// 1 error
mod index_of_three {
    use super::*;
    pub fn f() -> f32 {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t[(0, 1, 2)]
    }
}
// 1 error
mod index_outside {
    use super::*;
    pub fn f() -> f32 {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t[(int!(4), int!(1))]
    }
}
// 1 error
mod slice_by_a_vec {
    use super::*;
    pub fn f() -> usize {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t.slice(vec![0, 1]).size()
    }
}
// 1 error
mod slice_without_parentheses {
    use super::*;
    pub fn f() -> usize {
        let t = Tensor::filled(layout!((4, 6)), 0.0_f32);
        t.slice(.., 1).size()
    }
}
// 2 errors
mod arguments_exchanged {
    use super::*;
    pub fn f() {
        let _ = Tensor::new(layout!((4, 6)), vec![0.0_f32; 24]);
    }
}
// 1 error
mod filled_exchanged {
    use super::*;
    pub fn f() {
        let _ = Tensor::filled(0.0_f32, layout!((4, 6)));
    }
}
// 1 error
mod copy_of_other_elements {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f64);
        b.copy_from(&a).unwrap();
    }
}
// 1 error
mod copy_from_a_vec {
    use super::*;
    pub fn f() {
        let mut b = Tensor::filled(layout!((4, 6)), 0.0_f64);
        b.copy_from(&vec![0.0; 24]).unwrap();
    }
}
// 1 error
mod gemm_of_other_elements {
    use super::*;
    pub fn f() {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        let b = Tensor::filled(layout!((3, 6)), 0.0_f64);
        let mut c = Tensor::filled(layout!((4, 3)), 0.0_f32);
        c.gemm(&a, &b).unwrap();
    }
}
// 1 error
mod printed {
    use super::*;
    pub fn f() {
        struct X;
        let a = Tensor::fixed([X, X], layout!(2));
        println!("{a}")
    }
}
// 1 error
mod layout_by_string {
    use super::*;
    pub fn f() {
        let _ = Tensor::new(vec![0.0_f32; 24], "(4,6):(1,4)");
    }
}
// 1 error
mod reshaped_by_tuple {
    use super::*;
    pub fn f() {
        let _ = Tensor::filled(layout!((4, 6)), 0.0_f32).with_layout((6, 4));
    }
}
// 1 error
mod field_of_a_vec_of_another {
    use super::*;
    pub struct S {
        pub t: Tensor<Vec<f32>, Layout!((4, 6))>,
    }
    pub fn f(n: usize) -> S {
        S { t: Tensor::new(vec![0.0; 24], layout!((4, 6): right)).unwrap() }
    }
}
// 1 error
mod view_outlives {
    use super::*;
    pub fn f() -> Tensor<Vec<f32>, Layout!((2, 6):(1, 4))> {
        let a = Tensor::filled(layout!((4, 6)), 0.0_f32);
        a.slice((0..2, ..))
    }
}
// 1 error
mod wrong_layout_kind {
    use super::*;
    pub fn f(l: DynLayout) -> usize {
        let t: Tensor<Vec<f32>, Layout!((4, 6))> = Tensor::new(vec![0.0; 24], l).unwrap();
        t.size()
    }
}
