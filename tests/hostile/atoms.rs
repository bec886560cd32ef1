//! Copies by vectors from and to any address, and products whose atom panics.

use std::cell::Cell;

use generic_array::GenericArray;
use layout_algebra::atom::{
    CopyAtom, MmaAtom, UniversalCopy, copy, copy_if, copy_predicated, gemm, make_tiled_copy,
    make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Predicates;

use crate::judge::LARGE;

/// A vector of `N` elements copied between every two addresses: the elements arrive, and no others
/// change.
macro_rules! every_address {
    ($element:ty: $($n:literal)*) => {$({
        const N: usize = $n;
        let atom = UniversalCopy::<$element, Int<$n>>::new();
        let all: Vec<$element> = (0..64).map(|i| i as $element).collect();
        for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
            for way in 0..3 {
                let mut memory = vec![99 as $element; 64];
                let source = Tensor::new(&all[from..from + 2 * N], layout!((2, $n): right)).unwrap();
                let mut target = Tensor::new(&mut memory[to..to + 2 * N], layout!((2, $n): right)).unwrap();
                // The two rows, each a vector.
                for row in 0..2 {
                    let (source, mut target) = (source.slice((row, ..)), target.slice_mut((row, ..)));
                    match way {
                        0 => copy(&atom, &source, &mut target).unwrap(),
                        1 => copy_if(&atom, &source, &mut target, |_| true).unwrap(),
                        _ => {
                            let yes = Tensor::filled(layout!($n), true);
                            copy_predicated(&atom, &yes, &source, &mut target).unwrap();
                        }
                    }
                }
                for (i, x) in memory.iter().enumerate() {
                    let copied = (to..to + 2 * N).contains(&i);
                    let expected = if copied { all[from + i - to] } else { 99 as $element };
                    assert_eq!(*x, expected, "{from} to {to}, way {way}");
                }
            }
        }
    })*};
}

/// Typed accesses of 2 to 16 bytes are made only where both sides are aligned to them, whatever the
/// address is that a tensor begins at.
#[test]
fn copies_at_every_address() {
    every_address!(u8: 2 4 8 16);
    every_address!(u16: 2 8);
    every_address!(u64: 2);
}

/// An atom is a safe function, which anybody may call: with tensors at every address, and numbers
/// of values that are not there.
#[test]
fn an_atom_called_by_hand() {
    let atom = UniversalCopy::<u8, Int<16>>::new();
    let bytes: Vec<u8> = (100..164).collect();
    for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
        let mut memory = [0u8; 48];
        let source = Tensor::new(&bytes[from..from + 16], layout!(16)).unwrap();
        let mut target = Tensor::new(&mut memory[to..to + 16], layout!(16)).unwrap();
        atom.copy(&source, &mut target, 0);
        assert_eq!(memory[to..to + 16], bytes[from..from + 16]);
        assert_eq!(memory.iter().filter(|x| **x != 0).count(), 16);
        // Values that are not there are not copied.
        let mut target = Tensor::new(&mut memory[to..to + 16], layout!(16)).unwrap();
        atom.copy(&source, &mut target, 1);
        atom.copy(&source, &mut target, usize::MAX);
    }
}

/// The same atom in a tiled copy, whose threads begin at odd addresses of an odd pitch.
#[test]
fn a_tiled_copy_at_odd_addresses() {
    let tiled =
        make_tiled_copy(UniversalCopy::<u8, Int<16>>::new(), layout!((4, 1)), layout!((1, 16)))
            .unwrap();
    let bytes: Vec<u8> = (0..=255).collect();
    for (from, to) in (0..16).flat_map(|from| (0..16).map(move |to| (from, to))) {
        let source = Tensor::new(&bytes[from..from + 68], layout!((4, 16):(17, 1))).unwrap();
        let mut memory = [0u8; 96];
        let mut target = Tensor::new(&mut memory[to..to + 76], layout!((4, 16):(19, 1))).unwrap();
        for thread in 0..4 {
            let thread = tiled.get_slice(thread).unwrap();
            let mine = thread.partition_s(&source).unwrap();
            copy(&tiled, &mine, &mut thread.partition_d_mut(&mut target).unwrap()).unwrap();
        }
        for ((i, j), x) in target.indexed() {
            assert_eq!(*x, bytes[from + 17 * i + j], "({i}, {j}) from {from} to {to}");
        }
        let copied = memory.iter().filter(|x| **x != 0).count();
        assert_eq!(
            copied,
            if from == 0 { 63 } else { 64 },
            "something between the rows was written"
        );
    }
}

/// A predicate that says something else each time it is asked decides which atoms are copied, and
/// nothing more.
#[test]
fn a_fickle_predicate() {
    let source = Tensor::fixed([1u8; 32], layout!(32));
    let mut turn = 0;
    let mut target = Tensor::fixed([0u8; 32], layout!(32));
    copy_if(&UniversalCopy::<u8, Int<4>>::new(), &source, &mut target, |_| {
        turn += 1;
        turn % 2 == 0
    })
    .unwrap();
    let expected: Vec<u8> = (0..32).map(|i| (i / 4 % 2) as u8).collect();
    assert_eq!(target.into_storage()[..], expected);
}

/// Predicates whose number and whose answers change with every question.
struct Fickle(Cell<u64>);
impl Fickle {
    fn next(&self) -> u64 {
        self.0.set(
            self.0
                .get()
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407),
        );
        self.0.get() >> 33
    }
}
impl Predicates for Fickle {
    fn count(&self) -> usize {
        [8, 16, LARGE][self.next() as usize % 3]
    }
    fn holds(&self, _: usize) -> bool {
        self.next() % 8 > 0
    }
}

/// Predicates that lie lead to an error, or each element is the old or the new one.
#[test]
fn fickle_predicates() {
    let source = Tensor::fixed([1u8; 16], layout!(16));
    let (mut errors, mut copies) = (0, 0);
    for seed in 0..4000 {
        let mut target = Tensor::fixed([0u8; 16], layout!(16));
        let answer = match seed % 2 {
            0 => copy_predicated(
                &UniversalCopy::<u8, Int<4>>::new(),
                &Fickle(Cell::new(seed)),
                &source,
                &mut target,
            ),
            _ => target.copy_predicated(&Fickle(Cell::new(seed)), &source),
        };
        match answer {
            Ok(()) => copies += 1,
            Err(_) => errors += 1,
        }
        assert!(target.iter().all(|x| *x <= 1));
        assert!(
            answer.is_ok() || target.iter().all(|x| *x == 0),
            "an error after something was written"
        );
    }
    assert!(errors > 100 && copies > 100, "{errors} errors and {copies} copies prove little");
}

/// An atom that panics in the middle of a product leaves numbers, old ones or new ones.
#[derive(Clone, Copy, Debug)]
struct Panics;
thread_local! {
    static TURNS: Cell<usize> = const { Cell::new(0) };
}
impl MmaAtom for Panics {
    type ShapeMnk = (Int<1>, Int<1>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = Layout!((1, 1):(0, 0));
    type BLayout = Layout!((1, 1):(0, 0));
    type CLayout = Layout!((1, 1):(0, 0));
    type A = u32;
    type B = u32;
    type C = u32;
    fn fma(
        &self,
        a: &GenericArray<u32, Int<1>>,
        b: &GenericArray<u32, Int<1>>,
        c: GenericArray<u32, Int<1>>,
    ) -> GenericArray<u32, Int<1>> {
        assert!(TURNS.get() > 0, "enough");
        TURNS.set(TURNS.get() - 1);
        GenericArray::from([c[0] + a[0] * b[0]])
    }
}

#[test]
fn a_product_that_panics_half_way() {
    for turns in 0..=4 {
        let mma = make_tiled_mma(Panics, layout!((1, 1, 1)), tiler!(_, _, _));
        let thread = mma.get_slice(0).unwrap();
        let (a, b) =
            (Tensor::fixed([2u32, 3], layout!((2, 1))), Tensor::fixed([5u32, 7], layout!((2, 1))));
        let mut c = Tensor::fixed([1u32; 4], layout!((2, 2)));
        TURNS.set(turns);
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (a, b) = (thread.partition_a(&a).unwrap(), thread.partition_b(&b).unwrap());
            gemm(&mma, &a, &b, &mut thread.partition_c_mut(&mut c).unwrap());
        }));
        assert_eq!(done.is_ok(), turns == 4);
        let changed = c.iter().zip([11, 16, 15, 22]).filter(|(x, new)| **x == *new).count();
        assert_eq!((changed, c.iter().filter(|x| **x == 1).count()), (turns, 4 - turns));
    }
}
