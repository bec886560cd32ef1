//! Copy atoms whose layouts of readers and writers are false, or that panic.

use std::cell::Cell;

use layout_algebra::atom::{CopyAtom, copy, make_tiled_copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::Anywhere;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

thread_local! {
    static COPIES: Cell<usize> = const { Cell::new(0) };
}

/// An atom of these three layouts, which counts its copies, and panics once there are none left.
macro_rules! atom {
    ($atom:ident: $source:ty, $destination:ty, $reference:ty) => {
        #[derive(Clone, Copy, Debug)]
        struct $atom;
        impl CopyAtom for $atom {
            type Value = u8;
            type ThrId = Layout!(1:0);
            type SrcLayout = $source;
            type DstLayout = $destination;
            type RefLayout = $reference;
            type Source = Anywhere;
            type Destination = Anywhere;
            fn copy<S, L, R, M>(
                &self,
                source: &Tensor<S, L>,
                destination: &mut Tensor<R, M>,
                first: usize,
            ) where
                S: Storage<Item = u8>,
                L: Addressable,
                R: StorageMut<Item = u8>,
                M: Addressable,
            {
                assert!(COPIES.get() > 0, "enough");
                COPIES.set(COPIES.get() - 1);
                let values: Vec<u8> = source.iter().copied().skip(first).take(2).collect();
                let mut i = 0;
                destination.for_each_mut(|_, x| {
                    if (first..first + 2).contains(&i) {
                        *x = values[i - first];
                    }
                    i += 1;
                });
            }
        }
    };
}
atom! { FarSource: Layout!((1, 2):(0, 2)), Layout!((1, 2):(0, 1)), Layout!((1, 2):(0, 1)) }
atom! { FarTarget: Layout!((1, 2):(0, 1)), Layout!((1, 2):(0, 1000)), Layout!((1, 2):(0, 1)) }
// An atom whose layouts leave elements to nobody stops the build: `(1,2):(0,0)` to read or to
// write, `(1,2):(0,3)` to refer to.
atom! { Honest: Layout!((1, 2):(0, 1)), Layout!((1, 2):(0, 1)), Layout!((1, 2):(0, 1)) }

/// Parts by an atom that lies are refused, or lie within the tensor.
macro_rules! partitions {
    ($($atom:expr),*) => {$({
        if let Ok(tiled) = make_tiled_copy($atom, layout!((2, 1)), layout!((1, 2))) {
            for thread in 0..tiled.size() {
                let thread = tiled.get_slice(thread).unwrap();
                let mut t = Tensor::new(vec![7u8; 4], layout!((2, 2))).unwrap();
                if let Ok(mine) = thread.partition_s(&t) {
                    assert!(mine.iter().all(|x| *x == 7), "{:?} reads what is not the tensor's", $atom);
                }
                if let Ok(mine) = thread.partition_d(&t) {
                    assert!(mine.iter().all(|x| *x == 7), "{:?} reads what is not the tensor's", $atom);
                }
                if let Ok(mut mine) = thread.partition_d_mut(&mut t) {
                    mine.fill(8);
                }
                if let Ok(mut mine) = thread.partition_s_mut(&mut t) {
                    mine.fill(8);
                }
                // Tiles of a larger tensor: what one of them reaches is in none of the others.
                let mut whole = Tensor::new(vec![0u8; 16], layout!((2, 8))).unwrap();
                for (i, mut tile) in whole.tiles_mut(tiler!(2, 2)).enumerate() {
                    if let Ok(mut mine) = thread.partition_d_mut(&mut tile) {
                        assert!(mine.iter().all(|x| *x == 0), "{:?} reaches into another tile", $atom);
                        mine.fill(i as u8 + 1);
                    }
                }
            }
        }
    })*};
}

#[test]
fn copies_whose_atom_lies() {
    partitions!(FarSource, FarTarget, Honest);
}

/// An atom that panics in the middle of a copy leaves elements, old ones or new ones.
#[test]
fn a_copy_that_panics_half_way() {
    for copies in 0..=4 {
        COPIES.set(copies);
        let source = Tensor::fixed([1u8, 2, 3, 4, 5, 6, 7, 8], layout!(8));
        let mut target = Tensor::fixed([0u8; 8], layout!(8));
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            copy(&Honest, &source, &mut target)
        }));
        assert_eq!(done.is_ok(), copies == 4);
        let expected: Vec<u8> =
            (0..8).map(|i| if i < 2 * copies { i as u8 + 1 } else { 0 }).collect();
        assert_eq!(target.into_storage()[..], expected);
    }
}
