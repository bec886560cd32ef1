//! DLPack: tensors given away and taken back are the same elements under the same layout, and are
//! given back once. What cannot be a tensor is refused, and stays whose it was. What NumPy makes of
//! them is the subject of `numpy`.
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "each is on a managed tensor that the test has made and uses nowhere else"
)]

use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use layout_algebra::prelude::*;
use layout_arrays::foreign::ffi::{
    DLDataType, DLDevice, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor,
};
use layout_arrays::foreign::{
    DlpackElement, IntoDlpack, Managed, ManagedMut, from_dlpack, from_dlpack_mut,
};
use layout_arrays::{ArrayError, HasAxes};

/// A managed tensor of another library, which counts how often it is deleted.
struct Foreign {
    data: Vec<f32>,
    shape: Vec<i64>,
    strides: Vec<i64>,
    deleted: Arc<AtomicUsize>,
}
unsafe extern "C" fn delete(managed: *mut DLManagedTensorVersioned) {
    // SAFETY: `foreign` made both boxes.
    unsafe {
        let foreign = Box::from_raw((*managed).manager_ctx.cast::<Foreign>());
        foreign.deleted.fetch_add(1, Ordering::SeqCst);
        drop(Box::from_raw(managed));
    }
}
/// A matrix `0, 1, 2, ..` of 24 elements with this shape and these strides, from the element
/// `first` on.
fn foreign(
    shape: &[i64],
    strides: &[i64],
    first: usize,
    deleted: &Arc<AtomicUsize>,
) -> NonNull<DLManagedTensorVersioned> {
    let data = (0..24).map(|i| i as f32).collect();
    let context =
        Foreign { data, shape: shape.into(), strides: strides.into(), deleted: deleted.clone() };
    let mut context = Box::new(context);
    let dl_tensor = DLTensor {
        data: context.data.as_mut_ptr().cast::<c_void>(),
        device: DLDevice { device_type: 1, device_id: 0 },
        ndim: shape.len() as i32,
        dtype: DLDataType { code: 2, bits: 32, lanes: 1 },
        shape: context.shape.as_mut_ptr(),
        strides: if strides.is_empty() {
            std::ptr::null_mut()
        } else {
            context.strides.as_mut_ptr()
        },
        byte_offset: 4 * first as u64,
    };
    let version = DLPackVersion { major: 1, minor: 0 };
    let manager_ctx = Box::into_raw(context).cast();
    let managed = DLManagedTensorVersioned {
        version,
        manager_ctx,
        deleter: Some(delete),
        flags: 0,
        dl_tensor,
    };
    NonNull::from(Box::leak(Box::new(managed)))
}
type Taken = Result<Tensor<Managed<f32>, DynComposedLayout>, ArrayError>;
fn read(managed: NonNull<DLManagedTensorVersioned>) -> Taken {
    // SAFETY: the tests make it, and use it nowhere else.
    unsafe { from_dlpack(managed) }
}

#[test]
fn strides_and_an_offset_are_taken_as_they_are() {
    let deleted = Arc::new(AtomicUsize::new(0));
    {
        let t = read(foreign(&[2, 3], &[12, 2], 5, &deleted)).unwrap();
        assert_eq!(t.layout().to_string(), "Sw<0,0,0> o 0 o (2,3):(12,2)");
        for i in 0..2 {
            for j in 0..3 {
                assert_eq!(t[(i, j)], (5 + 12 * i + 2 * j) as f32);
            }
        }
        let compact = read(foreign(&[4, 3, 2], &[], 0, &deleted)).unwrap();
        assert_eq!(compact.layout().inner().to_string(), "(4,3,2):(6,2,1)");
        assert_eq!(compact[(1, 2, 1)], 11.0);
        let rows = <Layout!((_, _, 2):(_, 2, 1))>::try_from(&compact.layout().inner()).unwrap();
        assert_eq!(compact.with_layout(rows).unwrap()[[1, 2, 1]], 11.0);
        assert_eq!(deleted.load(Ordering::SeqCst), 1, "the compact one is gone");
    }
    assert_eq!(deleted.load(Ordering::SeqCst), 2);
    let empty = read(foreign(&[0, 3], &[-3, 1], 0, &deleted)).unwrap();
    assert_eq!((empty.size(), empty.iter().count()), (0, 0));
    let scalar = read(foreign(&[], &[], 7, &deleted)).unwrap();
    assert_eq!((scalar.size(), scalar[0]), (1, 7.0));
    let mut written: Tensor<ManagedMut<f32>, _> =
        unsafe { from_dlpack_mut(foreign(&[4, 6], &[6, 1], 0, &deleted)) }.unwrap();
    for (k, mut tile) in written.try_tiles_mut(tiler!(2, 3)).unwrap().enumerate() {
        tile.fill(k as f32);
    }
    assert_eq!((written[(1, 2)], written[(3, 5)]), (0.0, 3.0));
    drop((empty, scalar, written));
    assert_eq!(deleted.load(Ordering::SeqCst), 5);
}

#[test]
fn what_is_no_tensor_is_refused_and_stays_whose_it_was() {
    let deleted = Arc::new(AtomicUsize::new(0));
    type Change = fn(&mut DLManagedTensorVersioned);
    let changes: [(Change, &str); 9] = [
        (|m| m.dl_tensor.device.device_type = 2, "a device of type 2, and 1 is the CPU"),
        (|m| m.dl_tensor.dtype.bits = 64, "type code 2 of 64 bits, 1 in one, and not 2 of 32"),
        (|m| m.dl_tensor.dtype.lanes = 4, "type code 2 of 32 bits, 4 in one, and not 2 of 32"),
        (|m| m.dl_tensor.byte_offset = 2, "a multiple of the 4 that elements need"),
        (|m| m.version.major = 2, "DLPack of version 2"),
        (|m| m.dl_tensor.data = std::ptr::null_mut(), "a null pointer for 24 elements"),
        (|m| unsafe { *m.dl_tensor.shape = i64::MAX }, "elements"),
        (|m| unsafe { *m.dl_tensor.shape = -1 }, "does not fit `isize`"),
        (|m| m.dl_tensor.ndim = -1, "does not fit `isize`"),
    ];
    for (change, sentence) in changes {
        let mut managed = foreign(&[4, 6], &[6, 1], 0, &deleted);
        let data = unsafe { managed.as_ref() }.dl_tensor.data;
        change(unsafe { managed.as_mut() });
        let before = deleted.load(Ordering::SeqCst);
        let error = read(managed).unwrap_err().to_string();
        assert!(error.contains(sentence), "{error:?} does not say {sentence:?}");
        assert_eq!(deleted.load(Ordering::SeqCst), before, "it is still ours");
        unsafe {
            managed.as_mut().dl_tensor.data = data;
            delete(managed.as_ptr());
        }
    }
    let mut managed = foreign(&[4, 6], &[6, 1], 0, &deleted);
    unsafe { managed.as_mut() }.flags = 1;
    let error = unsafe { from_dlpack_mut::<f32, _>(managed) }.unwrap_err();
    assert!(error.to_string().contains("may be read and not written"), "{error}");
    assert_eq!(read(managed).unwrap()[(1, 1)], 7.0);
}

/// Axes that go backwards: every element against the strides by hand, read and written.
#[test]
fn axes_go_either_way() {
    let deleted = Arc::new(AtomicUsize::new(0));
    let mut taken = 0;
    for (m, n) in (0..5i64).flat_map(|m| (0..5).map(move |n| (m, n))) {
        for (d, e) in (-4..5i64).flat_map(|d| (-5..6).map(move |e| (d, e))) {
            // The first element lies so far on that no other one lies before the memory.
            let back = |extent: i64, stride: i64| (extent - 1).max(0) * (-stride).max(0);
            let (first, ahead) = (back(m, d) + back(n, e), back(m, -d) + back(n, -e));
            if first + ahead >= 24 {
                continue;
            }
            let managed = foreign(&[m, n], &[d, e], first as usize, &deleted);
            let t = unsafe { from_dlpack::<f32, _>(managed) }.unwrap();
            assert_eq!(t.size() as i64, m * n);
            for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
                assert_eq!(
                    t[(i as usize, j as usize)],
                    (first + i * d + j * e) as f32,
                    "({m},{n}):({d},{e}) at ({i},{j})"
                );
            }
            // Only what moves goes backwards.
            let goes_on = |extent: i64, stride: i64| extent <= 1 || stride >= 0;
            if goes_on(m, d) && goes_on(n, e) {
                let again = read(foreign(&[m, n], &[d, e], first as usize, &deleted)).unwrap();
                assert!(again.iter().eq(t.iter()));
            }
            taken += 1;
        }
    }
    assert!(taken > 1000, "{taken}");
    let none = foreign(&[], &[], 5, &deleted);
    assert_eq!(unsafe { from_dlpack::<f32, _>(none) }.unwrap()[0], 5.0);
    let far = foreign(&[2, 2], &[i64::MIN, 1], 0, &deleted);
    let error = unsafe { from_dlpack::<f32, _>(far) }.unwrap_err();
    assert_eq!(error, ArrayError::TooFar);
    unsafe { delete(far.as_ptr()) };
    // Written through a tile of what goes backwards.
    let managed = foreign(&[4, 6], &[-6, -1], 23, &deleted);
    let mut t = unsafe { from_dlpack_mut::<f32, _>(managed) }.unwrap();
    t.try_tiles_mut(tiler!(2, 3))
        .unwrap()
        .enumerate()
        .for_each(|(k, mut tile)| tile.fill(k as f32));
    let element = |i: usize| unsafe { *managed.as_ref().dl_tensor.data.cast::<f32>().add(i) };
    assert!((0..24).all(|i| element(23 - i) == (i / 6 / 2 + i % 6 / 3 * 2) as f32));
    let mut managed = foreign(&[4, 6], &[-6, 1], 18, &deleted);
    unsafe { managed.as_mut() }.flags = 1;
    let error = unsafe { from_dlpack_mut::<f32, _>(managed) }.unwrap_err();
    assert!(error.to_string().contains("may be read and not written"), "{error}");
    unsafe { delete(managed.as_ptr()) };
}

/// Given away and taken back: the same elements, in the order of the leaves; the storage is dropped
/// once.
#[test]
fn what_is_given_away_comes_back() {
    fn both_ways<L: HasAxes>(layout: L) {
        let length = layout.reach().unwrap();
        let t = Tensor::new((0..length as i64).collect::<Vec<_>>(), layout).unwrap();
        let (elements, base) =
            (t.iter().copied().collect::<Vec<_>>(), std::ptr::from_ref(t.iter().next().unwrap()));
        let given: NonNull<DLManagedTensor> = t.into_dlpack().unwrap();
        let back = unsafe { from_dlpack::<i64, _>(given) }.unwrap();
        assert!(back.iter().copied().eq(elements), "{}", back.layout());
        assert_eq!(std::ptr::from_ref(back.iter().next().unwrap()), base, "nothing is copied");
    }
    /// What goes backwards tells where its first element lies, and strides with their signs.
    fn both_ways_signed<L: HasAxes>(layout: L, first: usize, strides: &[i64]) {
        let length = layout.reach().unwrap();
        let t = Tensor::new((0..length as i64).collect::<Vec<_>>(), layout).unwrap();
        let elements = t.iter().copied().collect::<Vec<_>>();
        assert_eq!(elements[0] as usize, first);
        let base = std::ptr::from_ref(t.iter().next().unwrap());
        let given: NonNull<DLManagedTensorVersioned> = t.into_dlpack().unwrap();
        let DLTensor { data, ndim, strides: found, byte_offset, .. } =
            unsafe { given.as_ref() }.dl_tensor;
        assert_eq!((data.cast::<i64>().cast_const(), byte_offset), (base, 0));
        assert_eq!(unsafe { std::slice::from_raw_parts(found, ndim as usize) }, strides);
        let back = unsafe { from_dlpack::<i64, _>(given) }.unwrap();
        assert!(back.iter().copied().eq(elements), "{}", back.layout());
    }
    both_ways_signed(layout!((4, 6):(-1, 10)).moved(), 3, &[-1, 10]);
    both_ways_signed(layout!((4, (2, 3)):(-6, (3, -1))).moved(), 20, &[-6, 3, -1]);
    both_ways_signed(
        "Sw<0,0,0> o 9 o (3,2):(-2,-3)".parse::<DynComposedLayout>().unwrap(),
        9,
        &[-2, -3],
    );
    let n = 5;
    both_ways(layout!((4, 6):(1, 10)));
    both_ways(layout!((4, (2, n)): right));
    both_ways("(3,(2,2)):(4,(1,2))".parse::<DynLayout>().unwrap());
    both_ways(layout!(7:3));

    let none = 0;
    let empty = Tensor::new(Vec::<i64>::new(), layout!((none, 3)))
        .unwrap()
        .into_dlpack::<DLManagedTensor>()
        .unwrap();
    assert!(unsafe { empty.as_ref() }.dl_tensor.data.is_null());
    assert_eq!(unsafe { from_dlpack::<i64, _>(empty) }.unwrap().size(), 0);
    // An array lies in the box that is given away.
    let fixed = Tensor::fixed([1u8, 2, 3, 4], layout!((2, 2): right))
        .into_dlpack::<DLManagedTensorVersioned>()
        .unwrap();
    assert_eq!(unsafe { from_dlpack::<u8, _>(fixed) }.unwrap()[(1, 0)], 3);
}

/// Halves are given away under their own codes, and taken back as what they are.
#[test]
fn halves_are_no_other_elements() {
    fn there_and_back<T: DlpackElement + Copy + PartialEq + std::fmt::Debug + Send>(
        elements: [T; 3],
        code: u8,
    ) {
        let given: NonNull<DLManagedTensorVersioned> =
            Tensor::fixed(elements, layout!(3)).into_dlpack().unwrap();
        let DLDataType { code: found, bits, lanes } = unsafe { given.as_ref() }.dl_tensor.dtype;
        assert_eq!((found, bits, lanes), (code, 16, 1));
        let error = unsafe { from_dlpack::<u16, _>(given) }.unwrap_err().to_string();
        assert_eq!(
            error,
            format!("elements of type code {code} of 16 bits, 1 in one, and not 1 of 16")
        );
        let back = unsafe { from_dlpack::<T, _>(given) }.unwrap();
        assert!(back.iter().copied().eq(elements));
        assert!(format!("{:?}", back.into_storage()).starts_with("Managed"));
    }
    there_and_back([0.5, -2.0, 3.0].map(half::f16::from_f32), 2);
    there_and_back([0.5, -2.0, 3.0].map(half::bf16::from_f32), 4);
}
