//! Atoms: every partition covers its tensor exactly once, the values of a thread lie where CuTe
//! says, and products and copies are right.

use layout_algebra::atom::{
    CopyAtom, TiledMma, UniversalCopy, UniversalFma, copy, copy_if, copy_predicated, gemm,
    make_tiled_copy, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

use super::sm80::Sm80_16x8x16;

const MMA: Sm80_16x8x16<u16, f32> = Sm80_16x8x16::new();

/// Each element of A, B and C is in the partitions of as many threads as differ in nothing that the
/// operand has.
macro_rules! covers {
    ($mma:expr, $m:literal x $n:literal x $k:literal) => {{
        let mma = $mma;
        let threads = mma.thr_layout_vmnk();
        let (m, n, k) = (threads.mode::<1>().size(), threads.mode::<2>().size(), threads.mode::<3>().size());
        covers!(@ mma, partition_a_mut, layout!(($m, $k)), n);
        covers!(@ mma, partition_b_mut, layout!(($n, $k): right), m);
        covers!(@ mma, partition_c_mut, layout!(($m, $n)), k);
        covers!(@ mma, partition_c_mut, layout!(($m, $n): right), k);
    }};
    (@ $mma:expr, $partition:ident, $layout:expr, $times:expr) => {
        // A function of its own, so that not all of them are on the stack at once.
        let covers = || {
            let mut t = Tensor::filled($layout, 0);
            for thread in 0..$mma.size() {
                $mma.get_slice(thread).unwrap().$partition(&mut t).unwrap().transform(|times| times + 1);
            }
            assert!(t.iter().all(|times| *times == $times), "{} of {:?}", stringify!($partition), $mma);
        };
        covers();
    };
}

#[test]
fn every_partition_of_a_product_covers_its_tensor() {
    let fma = UniversalFma::<f32>::new();
    covers!(make_tiled_mma(fma, layout!((16, 16, 1)), tiler!(_, _, _)), 64 x 32 x 4);
    covers!(make_tiled_mma(fma, layout!((16, 16, 1)), tiler!((16, 4):(4, 1), (16, 4):(4, 1), _)), 128 x 128 x 8);
    covers!(make_tiled_mma(fma, layout!((8, 4, 2): right), tiler!(_, _, _)), 32 x 16 x 8);
    covers!(make_tiled_mma(fma, layout!((4, 2, 1)), tiler!(16, (2, 4):(4, 1), 2)), 32 x 24 x 6);
    covers!(make_tiled_mma(fma, layout!(((2, 2), 3, 1):((3, 6), 1, 0)), tiler!((4, 3):(3, 1), _, _)), 24 x 9 x 5);
    covers!(make_tiled_mma(MMA, layout!((1, 1, 1)), tiler!(_, _, _)), 16 x 8 x 16);
    covers!(make_tiled_mma(MMA, layout!((2, 2, 1)), tiler!(_, _, _)), 64 x 32 x 32);
    covers!(make_tiled_mma(MMA, layout!((2, 2, 1)), tiler!(32, 32, 16)), 128 x 128 x 64);
    covers!(make_tiled_mma(MMA, layout!((2, 1, 2)), tiler!(_, (8, 2, 2):(1, 16, 8), _)), 32 x 32 x 32);
}

/// The numbers of the issue, from the layouts of three permutations.
#[test]
fn permutations_of_a_128x128_tile() {
    macro_rules! check {
        ($permutation:expr, $fragment:literal) => {
            let (m, n) = ($permutation, $permutation);
            let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((16, 16, 1)), Tiler::new((m, n, Keep)));
            assert_eq!(mma.size(), 256);
            let c = Tensor::filled(layout!((128, 128): right), 0);
            let mine = mma.get_slice(0).unwrap().partition_c(&c).unwrap();
            assert_eq!(format!("{:#}", mine.layout()), $fragment);
        };
    }
    check!(layout!((16, 4):(4, 1)), "(1,(4,2),(4,2)):(0,(128,8192),(1,64))");
    check!(layout!((16, 4):(1, 16)), "(1,8,8):(0,2048,16)"); // (4,2):(2048,8192), joined
    check!(layout!((16, 8):(8, 1)), "(1,8,8):(0,128,1)");
    let mma = make_tiled_mma(
        UniversalFma::<f32>::new(),
        layout!((16, 16, 1)),
        tiler!((16, 4):(4, 1), (16, 4):(4, 1), _),
    );
    let mut c = Tensor::filled(layout!((128, 128): right), usize::MAX);
    for thread in 0..256 {
        mma.get_slice(thread).unwrap().partition_c_mut(&mut c).unwrap().fill(thread);
    }
    for (i, j) in c.layout().coords() {
        assert_eq!(c[(i, j)], i % 64 / 4 + 16 * (j % 64 / 4), "({i},{j})");
    }
}

/// What `partition_A`, `partition_B` and `partition_C` of thread 0 are in CuTe for
/// SM80_16x8x16_F32F16F16F32_TN: of 16 x 16 halves in rows, a thread has two neighbours, the same 8
/// rows below, and both 8 columns to the right.
#[test]
fn fragments_of_a_tensor_core() {
    let mma = make_tiled_mma(MMA, layout!((2, 2, 1)), tiler!(_, _, _));
    assert_eq!((mma.size(), mma.tile_size_mnk()), (128, shape!((32, 16, 16))));
    assert_eq!(format!("{:#}", mma.thr_layout_vmnk()), "(32,2,2,1):(1,32,64,0)");
    let thread = mma.get_slice(0).unwrap();
    let (a, b) = (
        Tensor::filled(layout!((128, 64): right), 0_u16),
        Tensor::filled(layout!((64, 64): right), 0_u16),
    );
    let c = Tensor::filled(layout!((128, 64): right), 0.0_f32);
    let text = |layout: &dyn std::fmt::Display| format!("{layout:#}");
    assert_eq!(text(thread.partition_a(&a).unwrap().layout()), "((2,2,2),4,4):((1,512,8),2048,16)");
    assert_eq!(text(thread.partition_b(&b).unwrap().layout()), "((2,2),4,4):((1,8),1024,16)");
    assert_eq!(text(thread.partition_c(&c).unwrap().layout()), "((2,2),4,4):((1,512),2048,16)");
    let (fragment_a, fragment_c) =
        (thread.partition_fragment_a(&a), thread.partition_fragment_c(&c));
    assert_eq!(text(fragment_a.layout()), "((2,2,2),4,4):((1,2,4),8,32)");
    assert_eq!(text(fragment_c.layout()), "((2,2),4,4):((1,2),4,16)");
    // PTX: thread i of the warp has rows i/4 and i/4+8, columns 2(i%4) and the next, the same 8 to
    // the right.
    let mut owner = Tensor::filled(layout!((32, 16): right), (0, 0));
    for i in 0..128 {
        let mut mine = mma.get_slice(i).unwrap().partition_a_mut(&mut owner).unwrap();
        let mut value = 0;
        mine.for_each_mut(|_, at| (*at, value) = ((i, value), value + 1));
    }
    for (row, column) in owner.layout().coords() {
        let (lane, value) = owner[(row, column)];
        assert_eq!((lane % 32) / 4, row % 8);
        assert_eq!(lane % 4, column % 8 / 2);
        assert_eq!(value, column % 2 + 2 * (row % 16 / 8) + 4 * (column / 8));
    }
}

/// A product over all threads, in both shapes of `gemm`, against three loops.
#[test]
fn products_of_fragments() {
    macro_rules! check {
        ($mma:expr) => {
            let mma = $mma;
            let a = Fragment::<i64, Layout!((32, 12))>::from_fn(|(i, k)| (i * 7 + k * 3) as i64 % 11 - 5);
            let b = Fragment::<i64, Layout!((24, 12): right)>::from_fn(|(j, k)| (j * 5 + k) as i64 % 13 - 6);
            let mut c = Tensor::filled(layout!((32, 24): right), 1_i64);
            for thread in 0..mma.size() {
                let thread = mma.get_slice(thread).unwrap();
                let (mut fa, mut fb) = (thread.partition_fragment_a(&a), thread.partition_fragment_b(&b));
                fa.copy_from(&thread.partition_a(&a).unwrap()).unwrap();
                fb.copy_from(&thread.partition_b(&b).unwrap()).unwrap();
                let mut sum = thread.partition_fragment_c(&c);
                gemm(&mma, &fa, &fb, &mut sum);
                // Once more, k by k, from memory to memory.
                for k in 0..12 {
                    let (a, b) = (thread.partition_a(&a).unwrap(), thread.partition_b(&b).unwrap());
                    let mut c = thread.partition_c_mut(&mut c).unwrap();
                    gemm(&mma, &a.slice((.., .., k)), &b.slice((.., .., k)), &mut c);
                }
                let c = thread.partition_c(&c).unwrap();
                assert!(c.zip(&sum).unwrap().all(|(c, sum)| *c == 1 + sum));
            }
            for (i, j) in c.layout().coords() {
                assert_eq!(c[(i, j)], 1 + (0..12).map(|k| a[(i, k)] * b[(j, k)]).sum::<i64>(), "({i},{j})");
            }
        };
    }
    check!(make_tiled_mma(UniversalFma::<i64>::new(), layout!((4, 2, 1)), tiler!(_, _, _)));
    check!(make_tiled_mma(
        UniversalFma::<i64>::new(),
        layout!((4, 2, 1): right),
        tiler!((4, 2):(2, 1), _, 3)
    ));
    check!(make_tiled_mma(
        UniversalFma::<i64>::new(),
        layout!((2, 3, 1)),
        tiler!((2, 8):(8, 1), (3, 4):(4, 1), _)
    ));
}

/// Each element is read once and written once, and a copy through fragments copies all of it.
macro_rules! copies {
    ($value:ty, $vector:literal: $threads:expr, $values:expr; $($source:expr => $destination:expr),+) => {$({
        // A function of its own, so that not all of them are on the stack at once.
        let covers = || {
            let tiled = make_tiled_copy(UniversalCopy::<$value, Int<$vector>>::new(), $threads, $values).unwrap();
            let mut count = Tensor::filled($source, 0);
            let mut next = 0_usize;
            let mut source = Tensor::filled($source, 0 as $value);
            source.for_each_mut(|_, x| (*x, next) = (next as $value, next + 1));
            let mut through = Tensor::filled($destination, 0 as $value);
            let mut direct = Tensor::filled($destination, 0 as $value);
            for thread in 0..tiled.size() {
                let thread = tiled.get_slice(thread).unwrap();
                thread.partition_s_mut(&mut count).unwrap().transform(|times| times + 1);
                thread.partition_d_mut(&mut count).unwrap().transform(|times| times + 16);
                let mine = thread.partition_s(&source).unwrap();
                let mut fragment = mine.fragment_like::<$value>();
                copy(&tiled, &mine, &mut fragment).unwrap();
                copy(&tiled, &fragment, &mut thread.partition_d_mut(&mut through).unwrap()).unwrap();
                copy(&tiled, &mine, &mut thread.partition_d_mut(&mut direct).unwrap()).unwrap();
            }
            assert!(count.iter().all(|times| *times == 17), "{tiled:?}");
            assert!(source.zip(&through).unwrap().all(|(a, b)| a == b), "{tiled:?} through fragments");
            assert!(source.zip(&direct).unwrap().all(|(a, b)| a == b), "{tiled:?}");
        };
        covers();
    })+};
}

#[test]
fn every_partition_of_a_copy_covers_its_tensor() {
    copies!(f32, 4: layout!((32, 8)), layout!((4, 1));
        layout!((128, 24)) => layout!((128, 24)),
        layout!((128, 24)) => layout!((128, 24): right),
        layout!((128, 24):(1, 130)) => layout!((128, 24)));
    copies!(f32, 1: layout!((32, 8): right), layout!((1, 1)); layout!((128, 24): right) => layout!((128, 24)));
    copies!(u8, 16: layout!((4, 2): right), layout!((1, 16)); layout!((8, 64): right) => layout!((8, 64):(80, 1)));
    copies!(u64, 2: layout!((4, 2): right), layout!((2, 4): right); layout!((16, 16): right) => layout!((16, 16)));
    copies!(u16, 4: layout!((8, 4)), layout!((8, 1)); layout!((64, 8)) => layout!((64, 8):(1, 66)));
    copies!(i32, 1: layout!((3, 5)), layout!((2, 1)); layout!((12, 15)) => layout!((12, 15): right));
    // Three elements of one byte are no vector.
    copies!(u8, 3: layout!((2, 2)), layout!((3, 1)); layout!((12, 4)) => layout!((12, 4)));
}

#[test]
fn a_predicate_leaves_values_alone() {
    let tiled =
        make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((2, 2)), layout!((1, 2)))
            .unwrap();
    let source = Tensor::filled(layout!((4, 8): right), 1);
    let mut t = Tensor::filled(layout!((4, 8): right), 0);
    for thread in 0..4 {
        let thread = tiled.get_slice(thread).unwrap();
        // Where each value of the thread lies in the matrix.
        let places =
            Tensor::fixed(core::array::from_fn::<usize, 32, _>(|i| i), layout!((4, 8): right));
        let places = thread.partition_s(&places).unwrap();
        let mut mine = thread.partition_d_mut(&mut t).unwrap();
        copy_if(&tiled, &thread.partition_s(&source).unwrap(), &mut mine, |i| {
            places[i] / 8 < 3 && places[i] % 8 < 6
        })
        .unwrap();
    }
    for (i, j) in t.layout().coords() {
        assert_eq!(t[(i, j)], i32::from(i < 3 && j < 6), "({i},{j})");
    }
}

/// Stored predicates and those compared when asked copy the same; an atom that would be cut is
/// refused.
#[test]
fn predicates_from_identity_tensors() {
    let tiled =
        make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((2, 2)), layout!((1, 2)))
            .unwrap();
    let source = Tensor::filled(layout!((4, 8): right), 1);
    let places = Tensor::coordinates(identity(shape!((3, 6))).round_up(tiler!(4, 8)));
    let (mut stored, mut asked) =
        (Tensor::filled(layout!((4, 8): right), 0), Tensor::filled(layout!((4, 8)), 0));
    for i in 0..4 {
        let thread = tiled.get_slice(i).unwrap();
        let (mine, at) =
            (thread.partition_s(&source).unwrap(), thread.slice_s().coordinates(&places).unwrap());
        let predicates = at.predicates((3, 6));
        copy_predicated(
            &tiled,
            &predicates,
            &mine,
            &mut thread.partition_d_mut(&mut stored).unwrap(),
        )
        .unwrap();
        let mut to = thread.partition_d_mut(&mut asked).unwrap();
        copy_predicated(&tiled, &at.within((3, 6)), &mine, &mut to).unwrap();
        // An odd number of columns cuts one atom of each thread that holds column 4.
        let cut = copy_predicated(&tiled, &at.within((4, 5)), &mine, &mut to)
            .map_err(|error| error.kind().as_str());
        assert_eq!(cut, if i / 2 == 0 { Err("divisibility") } else { Ok(()) }, "thread {i}");
        let few = copy_predicated(&tiled, &Tensor::fixed([true; 4], layout!(4)), &mine, &mut to)
            .unwrap_err();
        assert_eq!(few.kind().as_str(), "profile");
    }
    for c in stored.layout().coords() {
        let there = i32::from(c.0 < 3 && c.1 < 6);
        assert_eq!((stored[c], 0), (there, 0), "{c:?}");
    }
}

#[test]
fn sizes_that_do_not_fit() {
    let tiled =
        make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((2, 2)), layout!((1, 2)))
            .unwrap();
    let thread = tiled.get_slice(0).unwrap();
    assert!(tiled.get_slice(4).is_none());
    let (source, mut t) = (Tensor::filled(layout!((4, 8)), 1), Tensor::filled(layout!((4, 4)), 0));
    let error = copy(
        &tiled,
        &thread.partition_s(&source).unwrap(),
        &mut thread.partition_d_mut(&mut t).unwrap(),
    );
    assert_eq!(error.unwrap_err().kind().as_str(), "profile");
    // A dynamic size that the tile does not divide.
    let rows = 5;
    let ragged = Tensor::filled(layout!((rows, 8):(8, 1)), 1);
    assert_eq!(thread.partition_s(&ragged).unwrap_err().kind().as_str(), "divisibility");
    let mma = make_tiled_mma(UniversalFma::<i32>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    assert_eq!(
        mma.get_slice(0).unwrap().partition_c(&ragged).unwrap_err().kind().as_str(),
        "divisibility"
    );
}

/// Random layouts of threads and values, and of tensors, through the dynamic engine's words: the
/// tiled atoms are static, so that a table of types stands for the random ones.
mod random {
    use super::*;

    macro_rules! table {
        ($($name:ident: $vector:literal, ($($threads:tt)*), ($($values:tt)*), ($($tensor:tt)*);)*) => {$(
            #[test]
            fn $name() {
                copies!(u32, $vector: layout!($($threads)*), layout!($($values)*);
                    layout!($($tensor)*) => layout!($($tensor)*: right));
            }
        )*};
    }
    include!("random_copies.rs");
}

/// The atoms are zero-sized, and so is all that is tiled of them.
#[test]
fn nothing_is_stored() {
    let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((16, 16, 1)), tiler!(_, _, _));
    assert_eq!(size_of_val(&mma), 0);
    fn is_atom<A: CopyAtom>(_: A) -> usize {
        size_of::<A>()
    }
    assert_eq!(is_atom(UniversalCopy::<f32, Int<4>>::new()), 0);
    let _: TiledMma<UniversalFma<f32>, _, _> = mma;
}
