//! `AlignedRow` beside plain loops: rows that begin anywhere, copied by vectors.

use layout_algebra::atom::UniversalCopy;
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;
use layout_nvidia::device::AlignedRow;

#[repr(align(16))]
struct Memory<T>([T; 64]);

/// A row of every length at every place: what is read and what is written, element by element.
fn compare<T: Copy + PartialEq + std::fmt::Debug + 'static, V: StaticInt>(
    number: impl Fn(usize) -> T,
    vector: &UniversalCopy<T, V>,
    copy: impl Fn(AlignedRow, &UniversalCopy<T, V>, *const T, *mut T, T) -> [T; 32],
) {
    let (from, outside) = (Memory(std::array::from_fn(&number)), number(99));
    for begin in 0..16 {
        for count in 0..13 {
            let mut to = Memory([outside; 64]);
            let row = AlignedRow::new(from.0.as_ptr().wrapping_add(begin), count as u32);
            let before = begin % (16 / size_of::<T>());
            assert_eq!((row.before(), row.end()), (before, before + count));
            let read = copy(
                row,
                vector,
                from.0.as_ptr().wrapping_add(begin),
                to.0.as_mut_ptr().wrapping_add(begin),
                outside,
            );
            for (place, found) in read.iter().enumerate() {
                let inside = (before..before + count).contains(&place);
                assert_eq!(row.contains(place), inside);
                assert_eq!(
                    row.contains_all(place, 4),
                    (place..place + 4).all(|place| (before..before + count).contains(&place))
                );
                let expected = if inside { number(begin - before + place) } else { outside };
                assert_eq!(*found, expected, "{count} elements from {begin} on, {place}");
            }
            for (i, x) in to.0.iter().enumerate() {
                let inside = (begin..begin + count).contains(&i);
                assert_eq!(*x, if inside { number(i) } else { outside }, "written: {i}");
            }
        }
    }
}

macro_rules! through {
    ($t:ty) => {
        |row: AlignedRow, vector: &_, from: *const $t, to: *mut $t, outside| {
            let all = layout!(32);
            // SAFETY: elements that are not the row's are not touched.
            let (from, mut to) = unsafe {
                let from = Tensor::from_global_ref(row.begin(from), all);
                (from, Tensor::from_global(row.begin_mut(to), all))
            };
            let mut x = Fragment::<$t, Layout!(32)>::from_fn(|_| outside);
            row.copy(vector, &from, &mut x, |v| v).unwrap();
            row.copy(vector, &x, &mut to, |v| v).unwrap();
            std::array::from_fn(|place| x[place])
        }
    };
}

#[test]
fn rows_that_begin_anywhere() {
    compare(|i| i as f32, &UniversalCopy::<f32, Int<4>>::new(), through!(f32));
    compare(|i| i as u16, &UniversalCopy::<u16, Int<8>>::new(), through!(u16));
    compare(|i| i as f64, &UniversalCopy::<f64, Int<2>>::new(), through!(f64));
}
