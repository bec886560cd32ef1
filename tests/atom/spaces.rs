//! Spaces of memory, the order of products, and loops written out.

#![allow(clippy::type_complexity, reason = "fragments of layouts that are written out")]

use layout_algebra::atom::order::{
    Cute, Kinked, KinkedByColumns, ProductOrder, Serpentine, SerpentineByColumns, Zigzag,
    ZigzagByColumns,
};
use layout_algebra::atom::{
    CopyAtom, MmaAtom, UniversalCopy, UniversalFma, Values, copy, gemm_in_order, make_tiled_copy,
    make_tiled_mma,
};
use layout_algebra::for_static;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Generic, Global, Registers, Shared, Space};
use layout_algebra::tensor::{Fragment, Tile};

/// Memory that vectors of 16 bytes may begin in.
#[repr(align(16))]
struct Aligned<T>(T);

/// An atom of two spaces, which counts vectors.
#[derive(Clone, Copy, Debug)]
struct FromSharedToRegisters;
impl CopyAtom for FromSharedToRegisters {
    type Value = u16;
    type ThrId = Layout!(1:0);
    type SrcLayout = Layout!((1, 8):(0, 1));
    type DstLayout = Layout!((1, 8):(0, 1));
    type RefLayout = Layout!((1, 8):(0, 1));
    type Source = Shared;
    type Destination = Registers;
    fn copy<S, L, R, M>(&self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
    where
        S: Storage<Item = u16>,
        L: Addressable,
        R: StorageMut<Item = u16>,
        M: Addressable,
    {
        assert_eq!(source.vector::<Int<8>>(first), source.address(first));
        for v in 0..8 {
            *destination.value_mut(first + v).unwrap() = *source.value(first + v).unwrap();
        }
    }
}

/// The space of a tensor.
fn space_of<S: Storage, L>(_: &Tensor<S, L>) -> S::Space {
    S::Space::default()
}

#[test]
fn what_is_cut_of_a_tensor_lies_where_the_tensor_does() -> Result<(), LayoutError> {
    let mut memory = Aligned([0_u16; 512]);
    // SAFETY: 512 elements lie there, and `memory` is not used meanwhile.
    let mut t = unsafe { Tensor::from_shared(memory.0.as_mut_ptr(), layout!((16, 32): right)) };
    let _: [Shared; 5] = [
        space_of(&t),
        space_of(&t.slice((.., 3))),
        space_of(&t.local_tile(tiler!(8, 8), (1, 2))?),
        space_of(&t.view_mut().local_partition_mut(layout!((4, 8)), 5)?),
        space_of(&t.window((1, 1), shape!((2, 2)))),
    ];
    let tiled = make_tiled_copy(FromSharedToRegisters, layout!((8, 4): right), layout!((1, 8)))?;
    let _: Shared = space_of(&tiled.get_slice(7).unwrap().partition_s(&t)?);
    let _: Shared = space_of(&tiled.get_slice(7).unwrap().partition_d_mut(&mut t)?);
    let _: Generic = space_of(&t.as_tile_mut());
    let fragment: Fragment<u16, Layout!((8, 2))> = Fragment::zeroed();
    let _: [Registers; 2] = [space_of(&fragment), space_of(&fragment.slice((.., 1)))];
    let _: Global = space_of(&fragment.in_space::<Global>());
    Ok(())
}

#[test]
fn an_atom_copies_from_its_space_to_its_space() -> Result<(), LayoutError> {
    let memory = Aligned(core::array::from_fn::<u16, 512, _>(|i| i as u16));
    let swizzled =
        Tensor::new(&memory.0[..], Swizzle::<2, 3, 3>::new().compose(layout!((16, 32): right)))?;
    let shared = swizzled.in_space::<Shared>();
    let tiled = make_tiled_copy(FromSharedToRegisters, layout!((8, 4): right), layout!((1, 8)))?;
    let mut seen = vec![0; 512];
    for thread in 0..tiled.size() {
        let mine = tiled.get_slice(thread).unwrap().partition_s(&shared)?;
        let mut registers = mine.fragment_like::<u16>();
        copy(&tiled, &mine, &mut registers)?;
        for (i, x) in registers.into_storage().into_iter().enumerate() {
            assert_eq!(x, *mine.value(i).unwrap());
            seen[usize::from(x)] += 1;
        }
    }
    assert!(seen.iter().all(|times| *times == 1));
    Ok(())
}

/// Whatever two spaces a universal copy is between, aligned or not, neighbours or not.
#[test]
fn universal_copies_between_all_spaces() {
    fn check<P: Space, Q: Space>(first: usize) {
        let source = Aligned(core::array::from_fn::<u32, 40, _>(|i| 100 + i as u32));
        let mut target = Aligned([0_u32; 40]);
        {
            let source = Tensor::new(&source.0[first..first + 32], layout!((8, 4): right)).unwrap();
            let mut target =
                Tensor::new(&mut target.0[first..first + 32], layout!((8, 4): right)).unwrap();
            copy(
                &UniversalCopy::<u32, Int<4>>::new(),
                &source.in_space::<P>(),
                &mut target.in_space_mut::<Q>(),
            )
            .unwrap();
        }
        let expected: Vec<u32> = (0..40)
            .map(|i| if (first..first + 32).contains(&i) { 100 + i as u32 } else { 0 })
            .collect();
        assert_eq!(target.0[..], expected);
    }
    for first in 0..4 {
        check::<Global, Shared>(first);
        check::<Shared, Registers>(first);
        check::<Registers, Global>(first);
        check::<Registers, Registers>(first);
        check::<Generic, Generic>(first);
    }
}

#[test]
fn values_and_addresses_by_number() {
    let mut memory = Aligned([0_u32; 64]);
    for (i, x) in memory.0.iter_mut().enumerate() {
        *x = i as u32;
    }
    let mut t = Tensor::fixed(&mut memory.0, layout!((4, 2, 2):(1, 32, 8)));
    for i in 0..t.size() {
        assert_eq!(t.value(i), Some(&(t.layout().at(i) as u32)));
        assert_eq!(t.address(i), t.value(i).map(core::ptr::from_ref));
        assert_eq!(t.address_mut(i), t.value_mut(i).map(core::ptr::from_mut));
        // Four neighbours at multiples of 16 bytes, from the beginning of a column.
        assert_eq!(t.vector::<Int<4>>(i), if i % 4 == 0 { t.address(i) } else { None }, "{i}");
        assert_eq!(t.vector::<Int<2>>(i), if i % 2 == 0 { t.address(i) } else { None }, "{i}");
        assert_eq!(t.vector_mut::<Int<4>>(i).is_some(), i % 4 == 0);
    }
    for i in [16, 17, usize::MAX - 1, usize::MAX] {
        assert!(
            t.value(i).is_none()
                && t.value_mut(i).is_none()
                && t.address(i).is_none()
                && t.address_mut(i).is_none()
        );
        assert!(t.vector::<Int<4>>(i).is_none() && t.vector_mut::<Int<4>>(i).is_none());
    }
    assert!(t.vector::<Int<4>>(14).is_none()); // two of four are there
    // No number of bytes of a vector.
    assert!(t.vector::<Int<0>>(0).is_none() && t.vector::<Int<3>>(0).is_none());
    let tile: Tensor<Tile<'_, u32, Shared>, _> = t.in_space();
    assert_eq!(tile.slice((.., 1, ..)).value(5), Some(&41));
}

/// An outer product of 2 x 2 that only adds up what it is given, to see every product once.
#[derive(Clone, Copy, Debug, Default)]
struct Outer;
impl MmaAtom for Outer {
    type ShapeMnk = (Int<2>, Int<2>, Int<1>);
    type ThrId = Layout!(1:0);
    type ALayout = Layout!((1, 2):(0, 1));
    type BLayout = Layout!((1, 2):(0, 1));
    type CLayout = Layout!((1, (2, 2)):(0, (1, 2)));
    type A = i32;
    type B = i32;
    type C = i32;
    fn fma(
        &self,
        a: &Values<i32, Self::ALayout>,
        b: &Values<i32, Self::BLayout>,
        c: Values<i32, Self::CLayout>,
    ) -> Values<i32, Self::CLayout> {
        [c[0] + a[0] * b[0], c[1] + a[1] * b[0], c[2] + a[0] * b[1], c[3] + a[1] * b[1]].into()
    }
}

/// Every order computes the same sums, whether all is unrolled or `k` is a loop.
#[test]
fn every_order_computes_the_product() {
    fn check<O: ProductOrder>(order: O) {
        macro_rules! of {
            ($atom:expr, $m:literal $n:literal $k:literal) => {{
                let mma = make_tiled_mma($atom, layout!((1, 1, 1)), tiler!(_, _, _));
                let a = Tensor::filled(layout!(($m, $k): right), 0);
                let (mut a, mut b) = (a, Tensor::filled(layout!(($n, $k)), 0));
                a.for_each_mut(|(m, k), x| *x = (7 * m + 3 * k) as i32 % 11 - 5);
                b.for_each_mut(|(n, k), x| *x = (5 * n + 2 * k) as i32 % 13 - 6);
                let mut c = Tensor::filled(layout!(($m, $n)), 1);
                let thread = mma.get_slice(0).unwrap();
                let mut sum = thread.partition_fragment_c(&c);
                sum.fill(1);
                let (of_a, of_b) = (thread.partition_a(&a).unwrap(), thread.partition_b(&b).unwrap());
                gemm_in_order(order, &mma, &of_a, &of_b, &mut sum);
                thread.partition_c_mut(&mut c).unwrap().copy_from(&sum).unwrap();
                for m in 0..$m {
                    for n in 0..$n {
                        let expected = 1 + (0..$k).map(|k| a[(m, k)] * b[(n, k)]).sum::<i32>();
                        assert_eq!(c[(m, n)], expected, "{order:?}, ({m}, {n}) of {} x {} x {}", $m, $n, $k);
                    }
                }
            }};
        }
        of!(UniversalFma::<i32>::new(), 3 5 2);
        of!(UniversalFma::<i32>::new(), 4 4 40); // beyond the budget
        of!(Outer, 6 10 3);
        of!(Outer, 8 8 33);
    }
    check(Cute);
    check(Serpentine);
    check(SerpentineByColumns);
    check(Kinked);
    check(KinkedByColumns);
    check(Zigzag);
    check(ZigzagByColumns);
}

#[test]
fn loops_written_out() {
    let mut turns = Vec::new();
    for_static!(K in 2..5, {
        const NEXT: usize = (K + 1) % 5;
        turns.push((K, NEXT, Int::<K>::default().get()));
    });
    assert_eq!(turns, [(2, 3, 2), (3, 4, 3), (4, 0, 4)]);
    let mut pairs = 0;
    for_static!(i in 0..=2, {
        for_static!(J in 0..4, { pairs += 10 * i + J });
    });
    assert_eq!(pairs, 4 * 30 + 3 * 6);
    for_static!(K in 3..3, { unreachable!("{K}") });
    macro_rules! sum_below {
        ($n:literal) => {{
            let mut sum = 0;
            for_static!(K in 0..$n, { sum += K });
            sum
        }};
    }
    assert_eq!(sum_below!(10), 45);
    // The body returns from the function around it.
    fn first_above(n: usize) -> Option<usize> {
        for_static!(K in 0..8, {
            if Some(K * K) > Some(n) {
                return Some(K);
            }
        });
        None
    }
    assert_eq!((first_above(10), first_above(100)), (Some(4), None));
}

#[test]
fn fragments_of_any_length_are_zero() {
    macro_rules! check {
        ($($n:literal)*) => {$(
            let t: Fragment<u64, Layout!($n)> = Fragment::zeroed();
            assert!(t.size() == $n && t.iter().all(|x| *x == 0));
        )*};
    }
    check! { 1 2 3 127 128 256 257 1000 }
    // Elements that are dropped, and ones whose default is no zero.
    let t: Fragment<Vec<u8>, Layout!((3, 2))> = Fragment::zeroed();
    assert!(t.iter().all(Vec::is_empty));
}
