//! Fragments in the order of a copy: for every thread, each place of the retiled fragment holds the
//! element that the copy has there.

use layout_algebra::atom::{
    UniversalCopy, UniversalFma, copy, make_tiled_copy, make_tiled_copy_a, make_tiled_copy_b,
    make_tiled_copy_c, make_tiled_mma,
};
use layout_algebra::prelude::*;

use super::sm80::Sm80_16x8x16;

const MMA: Sm80_16x8x16<usize, usize> = Sm80_16x8x16::new();

/// A tensor whose elements are all different.
macro_rules! numbered {
    ($layout:expr) => {{
        let (mut t, mut next) = (Tensor::filled($layout, 0_usize), 0);
        t.transform(|_| {
            next += 1;
            next
        });
        t
    }};
}

/// The fragment of an operand, retiled as source and as destination, against the copy's own
/// partitions of the tile; and what is written through the retiled view, against the fragment.
macro_rules! retiles {
    ($mma:expr, $copy:expr, $tile:expr; $partition:ident $fragment:ident $share:ident) => {{
        let check = || {
            let (mma, tiled) = ($mma, $copy.unwrap());
            assert_eq!(mma.size(), tiled.size());
            let tile = numbered!($tile);
            let places = Tensor::coordinates(identity(tile.shape()));
            for i in 0..mma.size() {
                // Each call once: for every one of them the compiler works out its types anew.
                let (thread, of_copy) = (mma.get_slice(i).unwrap(), tiled.get_slice(i).unwrap());
                let (share, share_of_copy) = (thread.$share(), of_copy.slice_d());
                let (mine, source) =
                    (thread.$partition(&tile).unwrap(), of_copy.partition_s(&tile).unwrap());
                let destination = of_copy.partition_d(&tile).unwrap();
                let mut held = thread.$fragment(&tile);
                held.copy_from(&mine).unwrap();
                // The identity tensor, dealt out alike.
                let (at, to) = (
                    share.coordinates(&places).unwrap(),
                    share_of_copy.coordinates(&places).unwrap(),
                );
                assert!(at.iter().map(|c| &tile[c]).eq(mine.iter()), "thread {i}");
                assert!(to.iter().map(|c| &tile[c]).eq(destination.iter()), "thread {i}");
                let seen = of_copy.retile_s(&held, share).unwrap();
                assert_eq!((seen.size(), seen.layout().rank()), (source.size(), 3));
                assert!(seen.iter().eq(source.iter()), "thread {i}, {}", seen.layout());
                assert!(
                    of_copy.retile_d(&held, share).unwrap().iter().eq(destination.iter()),
                    "thread {i}"
                );
                // By way of the mutable view, with the atom of the copy.
                let mut again = held.clone();
                again.fill(usize::MAX);
                copy(&tiled, &source, &mut of_copy.retile_d_mut(&mut again, share).unwrap())
                    .unwrap();
                assert!(again.iter().eq(held.iter()), "thread {i}");
                // And back: what the copy holds, in the order of the product.
                let mut moved = source.fragment_like::<usize>();
                moved.copy_from(&source).unwrap();
                assert!(of_copy.retile_s(&moved, share_of_copy).unwrap().iter().eq(source.iter()));
            }
        };
        check();
    }};
}
/// A product and the copies that are made of it, for its three operands.
macro_rules! copies_of {
    ($mma:expr, $m:literal x $n:literal x $k:literal; $a:literal $b:literal $c:literal) => {{
        let mma = $mma;
        let (a, b, c) = (
            UniversalCopy::<usize, Int<$a>>::new(),
            UniversalCopy::<usize, Int<$b>>::new(),
            UniversalCopy::<usize, Int<$c>>::new(),
        );
        retiles!(mma, make_tiled_copy_a(a, &mma), layout!(($m, $k)); partition_a partition_fragment_a slice_a);
        retiles!(mma, make_tiled_copy_b(b, &mma), layout!(($n, $k): right); partition_b partition_fragment_b slice_b);
        retiles!(mma, make_tiled_copy_c(c, &mma), layout!(($m, $n): right); partition_c partition_fragment_c slice_c);
    }};
}

#[test]
fn copies_made_of_a_product() {
    let fma = UniversalFma::<usize>::new();
    copies_of!(make_tiled_mma(fma, layout!((2, 2, 1)), tiler!((2, 4):(4, 1), (2, 2):(2, 1), _)), 16 x 8 x 3; 4 2 8);
    copies_of!(make_tiled_mma(fma, layout!((4, 2, 2): right), tiler!(_, (2, 3):(3, 1), 4)), 8 x 12 x 8; 1 3 1);
    copies_of!(make_tiled_mma(MMA, layout!((2, 2, 1)), tiler!(32, 32, 16)), 64 x 64 x 32; 8 8 4);
}

/// The same of more threads, of nested ones, and of an atom whose columns are permuted. A product
/// is three seconds of the compiler's.
#[cfg(feature = "thorough")]
#[test]
fn copies_made_of_more_products() {
    let fma = UniversalFma::<usize>::new();
    copies_of!(make_tiled_mma(fma, layout!((16, 16, 1)), tiler!((16, 4):(4, 1), (16, 4):(4, 1), _)),
        128 x 128 x 8; 4 4 4);
    copies_of!(make_tiled_mma(fma, layout!(((2, 2), 3, 1):((3, 6), 1, 0)), tiler!((4, 3):(3, 1), _, _)),
        24 x 9 x 5; 3 1 1);
    copies_of!(make_tiled_mma(MMA, layout!((2, 1, 2)), tiler!(_, (8, 2, 2):(1, 16, 8), _)),
        32 x 32 x 32; 8 2 4);
}

/// Copies made without the product, of other tiles than the product's, that deal to the same
/// threads.
macro_rules! fits {
    ($mma:expr; $($vector:literal: $threads:expr, $values:expr; $tile:expr;)*) => {$(
        retiles!($mma, make_tiled_copy(UniversalCopy::<usize, Int<$vector>>::new(), $threads, $values), $tile;
            partition_c partition_fragment_c slice_c);
    )*};
}

#[test]
fn copies_that_fit_a_product() {
    let fma = UniversalFma::<usize>::new();
    // Thread (tm, tn) of 2 x 2 has 4 x 2 neighbours.
    fits!(make_tiled_mma(fma, layout!((2, 2, 1)), tiler!((2, 4):(4, 1), (2, 2):(2, 1), _));
        4: layout!((2, 2)), layout!((4, 2)); layout!((8, 4));
        2: layout!((2, 2)), layout!((4, 2): right); layout!((16, 8));
    );
    // No permutation: a thread has elements apart, and the copy tiles of one element each.
    fits!(make_tiled_mma(fma, layout!((4, 4, 1)), tiler!(_, _, _));
        1: layout!((4, 4)), layout!((1, 1)); layout!((16, 12));
    );
    // A tile of the copy that is smaller than that of the product, and one that is larger.
    fits!(make_tiled_mma(fma, layout!((4, 4, 1)), tiler!(16, 8, _));
        1: layout!((4, 4)), layout!((1, 1)); layout!((32, 16));
    );
    // Three threads, five values.
    fits!(make_tiled_mma(fma, layout!((3, 1, 1)), tiler!((3, 5):(5, 1), 2, _));
        5: layout!((3, 1)), layout!((5, 2)); layout!((30, 4));
    );
}

#[cfg(feature = "thorough")]
#[test]
fn more_copies_that_fit_a_product() {
    let fma = UniversalFma::<usize>::new();
    fits!(make_tiled_mma(fma, layout!((2, 2, 1)), tiler!((2, 4):(4, 1), (2, 2):(2, 1), _));
        1: layout!((2, 2)), layout!((4, 2)); layout!((16, 8): right);
    );
    // Row-major threads, four columns each in pairs.
    fits!(make_tiled_mma(fma, layout!((4, 8, 1): right), tiler!(_, (8, 4):(4, 1), _));
        4: layout!((4, 8): right), layout!((1, 4): right); layout!((16, 64): right);
        2: layout!((4, 8): right), layout!((1, 4)); layout!((8, 32): right);
    );
    fits!(make_tiled_mma(fma, layout!((4, 4, 1)), tiler!(_, _, _));
        1: layout!((4, 4)), layout!((1, 1)); layout!((4, 4): right);
    );
    fits!(make_tiled_mma(fma, layout!((3, 1, 1)), tiler!((3, 5):(5, 1), 2, _));
        5: layout!((3, 1)), layout!((5, 1)); layout!((15, 6));
    );
}

/// A thread that holds other elements than it moves is told so.
#[test]
fn shares_that_differ() {
    let mma = make_tiled_mma(UniversalFma::<usize>::new(), layout!((2, 2, 1)), tiler!(_, _, _));
    let tile = numbered!(layout!((8, 8)));
    // Threads in another order: 0 and 3 stand where they stood, 1 and 2 do not.
    let tiled =
        make_tiled_copy(UniversalCopy::<usize>::new(), layout!((2, 2): right), layout!((1, 1)))
            .unwrap();
    for i in 0..4 {
        let (thread, of_copy) = (mma.get_slice(i).unwrap(), tiled.get_slice(i).unwrap());
        let held = thread.partition_fragment_c(&tile);
        let seen = of_copy.retile_s(&held, thread.slice_c());
        match seen {
            Ok(_) => assert!(i == 0 || i == 3, "thread {i}"),
            Err(error) => {
                assert!(i == 1 || i == 2, "thread {i}: {error}");
                assert_eq!(error.kind().as_str(), "bounds");
                let element = [0, 8, 1][i];
                let end = format!(
                    "value 0 of the copy is element {element} of the tile, and the fragment of the thread has another \
                     one there"
                );
                assert!(error.to_string().ends_with(&end), "{error}");
            }
        }
    }
    // The same thread in both, with neighbours in the one and elements apart in the other.
    let tiled =
        make_tiled_copy(UniversalCopy::<usize>::new(), layout!((2, 2)), layout!((4, 2))).unwrap();
    let (thread, of_copy) = (mma.get_slice(0).unwrap(), tiled.get_slice(0).unwrap());
    let held = thread.partition_fragment_c(&tile);
    let error = of_copy.retile_s(&held, thread.slice_c()).unwrap_err();
    assert!(error.to_string().contains("value 1 of the copy is element 1 of the tile"), "{error}");
    // Another thread's share.
    let other = mma.get_slice(2).unwrap();
    let tiled = make_tiled_copy_c(UniversalCopy::<usize>::new(), &mma).unwrap();
    assert!(tiled.get_slice(0).unwrap().retile_s(&held, other.slice_c()).is_err());
    assert!(tiled.get_slice(2).unwrap().retile_s(&held, other.slice_c()).is_ok());
}

/// Parts of two copies are not copied into one another: of run time an error with the mode and both
/// numbers, and of types one of the build (the documentation of `copy`).
#[test]
fn parts_of_two_copies_are_refused() {
    let (n, atom) = (8, UniversalCopy::<i32>::new());
    let rows = make_tiled_copy(atom, layout!((4, 1)), layout!((1, 2))).unwrap();
    let columns = make_tiled_copy(atom, layout!((1, 4)), layout!((2, 1))).unwrap();
    let source = Tensor::new((0..64).collect::<Vec<i32>>(), layout!((8, n):(n, 1))).unwrap();
    let mut t = Tensor::new(vec![0; 64], layout!((8, n):(n, 1))).unwrap();
    let (of_rows, of_columns) = (rows.get_slice(1).unwrap(), columns.get_slice(1).unwrap());
    let mine = of_rows.partition_s(&source).unwrap(); // ((1,2),2,4)
    let mut theirs = of_columns.partition_d_mut(&mut t).unwrap(); // ((1,2),4,2)
    let error = copy(&columns, &mine, &mut theirs).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("mode 1 has 2 values in the source and 4 in the destination"), "{text}");
    assert!(t.iter().all(|x| *x == 0), "nothing was copied");
    // Of other nestings, and the same modes; of no elements, whatever the modes are.
    copy(&rows, &mine, &mut of_rows.partition_d_mut(&mut t).unwrap()).unwrap();
    assert_eq!(t.iter().filter(|x| **x != 0).count(), 16);
    let none = 0;
    let (empty, mut other) = (vec![0_i32; 0], vec![0_i32; 0]);
    let empty = Tensor::new(&empty[..], layout!((none, 4))).unwrap();
    copy(&atom, &empty, &mut Tensor::new(&mut other[..], layout!((4, none))).unwrap()).unwrap();
}
