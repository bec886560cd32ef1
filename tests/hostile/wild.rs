//! Empty layouts with strides beyond the address space: their parts begin inside the memory.
//!
//! An empty layout has no offsets. Its strides may be any numbers, even such that lead from the
//! first element to the address 0.

use layout_algebra::prelude::*;
use layout_algebra::tensor::{Storage, Tile, TileMut};
use layout_arrays::foreign::{NdarrayTensor, ToNdarray, ToNdarrayMut};

use crate::judge::{LARGE, QUARTER, assert_real};

/// The steps of `T` from the begin of `memory` to the address 0, wrapping round.
fn to_null<T>(memory: &[T]) -> usize {
    let bytes = 0usize.wrapping_sub(memory.as_ptr() as usize);
    assert_eq!(bytes % size_of::<T>(), 0);
    bytes / size_of::<T>()
}

/// Strides that lead to 0, near it, to odd places and nowhere.
fn strides<T>(memory: &[T]) -> Vec<usize> {
    let far = to_null(memory);
    vec![
        far,
        far.wrapping_add(1),
        far / 2,
        far.wrapping_sub(1),
        QUARTER,
        usize::MAX,
        usize::MAX / 2,
        1000,
        1,
        0,
    ]
}

/// Every way to a slice of an empty tensor of the layout `$layout` on a vector, and on a mutable
/// slice.
macro_rules! slices {
    ($memory:expr, $layout:expr, $($at:expr),*) => {{
        let memory = $memory;
        let all: Vec<_> = memory.iter().copied().collect();
        let mut memory = memory;
        let layout = $layout;
        {
            let t = Tensor::new(&memory, layout).expect("an empty layout reaches nothing");
            assert_eq!(t.layout().size(), 0);
            assert_real(t.view().into_storage(), &memory);
            $(
                if let Some(slice) = t.get_slice($at) {
                    assert_real(slice.into_storage(), &memory);
                }
                if let Ok(cut) = t.cut(layout, $at) {
                    assert_real(cut.into_storage(), &memory);
                }
                // From another layout to this one.
                let whole = Tensor::new(&memory[..], layout!(1)).unwrap();
                if let Ok(cut) = whole.cut(layout, $at) {
                    assert_real(cut.into_storage(), &memory);
                }
            )*
            assert_real(t.with_layout(layout).unwrap().view().into_storage(), &memory);
        }
        {
            let begin = memory.as_ptr_range();
            let mut t = Tensor::new(&mut memory[..], layout).unwrap();
            let within = |slice: &mut [_]| {
                let address = std::hint::black_box(slice.as_ptr());
                assert!(begin.start <= address && address <= begin.end, "{address:?} is outside of {begin:?}");
                assert!(std::hint::black_box(Some(slice)).is_some(), "a slice that `Option` takes for none");
            };
            within(t.view_mut().into_storage());
            $(
                if t.get_slice($at).is_some() {
                    within(t.slice_mut($at).into_storage());
                }
                if let Ok(cut) = t.cut_mut(layout, $at) {
                    within(cut.into_storage());
                }
            )*
        }
        assert_eq!(memory, all);
    }};
}

/// The program of the issue, word by word.
#[test]
fn an_empty_slice_is_no_null() {
    let (z, m, k) = (0, LARGE, 2);
    let memory = vec![7u8; 4];
    let off = to_null(&memory);
    let t = Tensor::new(memory, layout!(((z, m), m, k):((1, 1), 1, off))).unwrap();
    let slice = t.cut(*t.layout(), ((.., ..), .., 1)).unwrap();
    let it: &[u8] = slice.into_storage();
    let address = std::hint::black_box(it.as_ptr() as usize);
    assert!(address != 0 && std::hint::black_box(Some(it)).is_some());
}

#[test]
fn empty_slices_begin_in_memory() {
    for m in [1, 3, LARGE, usize::MAX] {
        let bytes = vec![7u8; 4];
        for off in strides(&bytes) {
            let (z, k) = (0, 2);
            slices!(
                bytes.clone(),
                layout!(((z, m), m, k):((1, 1), 1, off)),
                ((.., ..), .., 1),
                ((.., ..), 0, ..)
            );
            slices!(
                bytes.clone(),
                layout!((m, (k, z), m):(off, (off, 1), off)),
                (0, (.., ..), ..),
                (.., (1, ..), ..)
            );
            slices!(bytes.clone(), layout!((k, z):(off, off)), (1, ..), (.., 0));
        }
        let words = vec![7u64; 4];
        for off in strides(&words) {
            let (z, k) = (0, 3);
            slices!(words.clone(), layout!((z, m, k):(1, 1, off)), (.., .., 2), (.., 0, 2));
            slices!(words.clone(), layout!((k, m, z):(off, off, 1)), (2, .., ..), (1, 0, ..));
        }
    }
}

/// With the vector's own address in the stride, so that the offset of the slice is exactly null.
#[test]
fn an_empty_slice_of_the_vector_itself() {
    for m in [1, 2, LARGE, 2 * QUARTER] {
        let memory = vec![7u64; 4];
        let off = to_null(&memory);
        let (z, k) = (0, 2);
        let t = Tensor::new(memory, layout!((z, m, k):(1, 1, off)))
            .expect("an empty layout reaches nothing");
        assert_real(t.slice((.., .., 1)).into_storage(), t.view().into_storage());
        assert_real(
            t.cut(*t.layout(), (.., .., 1)).unwrap().into_storage(),
            t.view().into_storage(),
        );
        let mut t = t;
        let address =
            std::hint::black_box(t.slice_mut((.., .., 1)).into_storage().as_ptr() as usize);
        assert!(address != 0 && address % align_of::<u64>() == 0);
    }
}

/// The first place of a tile: not null, aligned.
fn assert_place<T>(place: *const T) {
    let address = std::hint::black_box(place as usize);
    assert!(address != 0 && address % align_of::<T>() == 0, "a tile at the address {address:#x}");
}

/// Tiles are places, not slices; what other libraries are given of them may not be null either.
#[test]
fn empty_tiles_begin_in_memory() {
    for m in [1, 2, 3, LARGE] {
        let memory = vec![7u64; 4];
        let off = to_null(&memory);
        let (z, k) = (0, 2);
        let mut t =
            Tensor::new(memory, layout!((k, z):(off, 1))).expect("an empty layout reaches nothing");
        for mut row in t.try_tiles_mut(tiler!(1, _)).unwrap() {
            assert_place(row.to_ndarray().unwrap().as_ptr());
            assert_place(row.to_ndarray_mut().unwrap().as_ptr());
            let storage: TileMut<'_, u64> = row.into_storage();
            assert_place(storage.base());
        }
        let mut columns = t.view_mut().with_layout(layout!((z, k):(1, off))).unwrap();
        for column in columns.try_tiles_mut(tiler!(_, 1)).unwrap() {
            assert_place(column.to_ndarray().unwrap().as_ptr());
            assert_place(column.into_storage().base());
        }
        // Tiles of tiles.
        let mut nested = t.view_mut().with_layout(layout!(((z, k), m):((1, off), 1))).unwrap();
        for mut tile in nested.try_tiles_mut(tiler!(_, 1)).unwrap().take(2) {
            let own = *tile.layout();
            let at = ((.., 1), ..);
            assert_place(tile.slice(at).into_storage().base());
            assert_place(tile.slice_mut(at).into_storage().base());
            assert_place(tile.slice(at).to_ndarray().unwrap().as_ptr());
            assert_place(tile.cut(own, at).unwrap().into_storage().base());
            assert_place(tile.cut_mut(own, at).unwrap().into_storage().base());
            assert_place(tile.view().with_layout(own).unwrap().into_storage().base());
        }
        let array = ndarray::ArrayView2::from_shape((2, 0), &[0u64; 0]).unwrap();
        let t: Tensor<Tile<'_, u64>, _> = array.as_typed_tensor().unwrap();
        assert_place(t.slice((1, ..)).into_storage().base());
    }
}

/// The same under layouts of run-time rank, and under a swizzle.
#[test]
fn empty_slices_of_run_time_rank() {
    let memory = vec![7u64; 4];
    let off = to_null(&memory);
    for text in [
        format!("(0,2):(1,{off})"),
        format!("(2,0,3):({off},1,{off})"),
        format!("((0,{LARGE}),2):((1,1),{off})"),
        format!("((0,{LARGE}),{LARGE},2):((1,1),1,{off})"),
        format!("(0,{LARGE},{LARGE},2):(1,1,1,{off})"),
    ] {
        // Refused as text, for its size; or empty.
        let Ok(layout) = text.parse::<DynLayout>() else { continue };
        let t = Tensor::new(&memory, layout.clone()).expect("an empty layout reaches nothing");
        assert_real(t.view().into_storage(), &memory);
        let last: DynSlice = match layout.rank() {
            2 => "(_,1)".parse().unwrap(),
            3 => "(_,_,1)".parse().unwrap(),
            _ => "(_,_,_,1)".parse().unwrap(),
        };
        if let Some(slice) = t.get_slice(&last) {
            assert_real(slice.into_storage(), &memory);
        }
        if let Ok(cut) = t.cut(layout.clone(), &last) {
            assert_real(cut.into_storage(), &memory);
        }
    }
    for m in [1, 2, LARGE] {
        let (z, k) = (0, 2);
        let swizzled = Swizzle::<2, 0, 3>::new().compose(layout!((z, m, m, k):(1, 1, 1, off)));
        let t = Tensor::new(&memory, swizzled).expect("an empty layout reaches nothing");
        assert_real(t.view().into_storage(), &memory);
        if let Some(slice) = t.get_slice((.., .., .., 1)) {
            assert_real(slice.into_storage(), &memory);
        }
        let cut = t.cut(swizzled, (.., .., .., 1));
        if let Ok(cut) = cut {
            assert_real(cut.into_storage(), &memory);
        }
    }
}
