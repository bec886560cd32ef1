use layout_algebra::prelude::*;

fn main() {
    let mut memory = [0u8; 8];
    let t = unsafe { Tensor::from_raw(memory.as_mut_ptr(), identity(shape!((2, 4)))) };
    println!("{} {}", t[(1, 1)], t.slice((1, ..)).layout());
}
