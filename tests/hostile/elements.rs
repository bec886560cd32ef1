//! Elements that panic when they are cloned or dropped, that have no size, or more alignment than
//! size needs: each is dropped once.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::atom::{UniversalCopy, copy};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Fragment;

thread_local! {
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static CLONES: Cell<usize> = const { Cell::new(usize::MAX) };
    static DROPS: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Counts those that live. The clone and the drop with which the counters reach 0 panic.
#[derive(Debug, PartialEq, Eq)]
struct Counted<P>(u32, P);
impl<P> Counted<P> {
    fn new(number: u32, payload: P) -> Self {
        LIVE.set(LIVE.get() + 1);
        Counted(number, payload)
    }
}
impl<P: Default> Default for Counted<P> {
    fn default() -> Self {
        Counted::new(0, P::default())
    }
}
impl<P: Clone> Clone for Counted<P> {
    fn clone(&self) -> Self {
        let left = CLONES.get();
        CLONES.set(left.saturating_sub(usize::from(left != usize::MAX)));
        assert!(left != 0, "no more clones");
        Counted::new(self.0, self.1.clone())
    }
}
impl<P> Drop for Counted<P> {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        let left = DROPS.get();
        if left == 0 {
            DROPS.set(usize::MAX);
            panic!("no more drops");
        }
        DROPS.set(left - usize::from(left != usize::MAX));
    }
}

/// Runs `f` with `clones` clones and `drops` drops before a panic, and fails unless all that lived
/// is dropped after it.
fn balanced(what: &str, clones: usize, drops: usize, f: impl FnOnce()) -> bool {
    assert_eq!(LIVE.get(), 0);
    CLONES.set(clones);
    DROPS.set(drops);
    let done = catch_unwind(AssertUnwindSafe(f)).is_ok();
    CLONES.set(usize::MAX);
    DROPS.set(usize::MAX);
    assert_eq!(
        LIVE.get(),
        0,
        "{what} with {clones} clones and {drops} drops does not drop each element once"
    );
    done
}

fn list(n: u32) -> Vec<Counted<String>> {
    (0..n).map(|i| Counted::new(i, i.to_string())).collect()
}

/// The operation with every clone, and every drop, as the one that panics, until all goes through.
macro_rules! each_panic {
    ($($what:literal: $f:expr;)*) => {$(
        let mut panics = 0;
        for n in 0.. {
            if balanced($what, n, usize::MAX, $f) {
                break;
            }
            panics += 1;
        }
        for n in 0.. {
            if balanced($what, usize::MAX, n, $f) {
                break;
            }
            panics += 1;
        }
        assert!(panics > 0, "{} never panicked", $what);
    )*};
}

#[test]
fn clones_and_drops_that_panic() {
    let (m, n) = (4, 3);
    each_panic! {
        "fill": || {
            let mut t = Tensor::new(list(12), layout!((4, 3))).unwrap();
            t.fill(Counted::new(99, String::new()));
        };
        "fill of every second": || {
            let mut t = Tensor::new(list(12), layout!((2, 3):(2, 4))).unwrap();
            t.fill(Counted::new(99, String::new()));
        };
        "copy_from in the order of both": || {
            let source = Tensor::new(list(12), layout!((4, 3))).unwrap();
            Tensor::new(list(12), layout!((4, 3))).unwrap().copy_from(&source).unwrap();
        };
        "copy_from transposed": || {
            let source = Tensor::new(list(12), layout!((4, 3): right)).unwrap();
            Tensor::new(list(12), layout!((4, 3))).unwrap().copy_from(&source).unwrap();
        };
        "copy_from by coordinates": || {
            let source = Tensor::new(list(12), layout!((m, n):(n, 1))).unwrap();
            Tensor::new(list(12), layout!((m, n):(1, m))).unwrap().copy_from(&source).unwrap();
        };
        "copy_from onto one element": || {
            let source = Tensor::new(list(12), layout!((4, 3): right)).unwrap();
            Tensor::new(list(1), layout!((4, 3):(0, 0))).unwrap().copy_from(&source).unwrap();
        };
        "copy_from of run-time rank": || {
            let source = Tensor::new(list(12), "(4,3):(3,1)".parse::<DynLayout>().unwrap()).unwrap();
            let target = "(4,3):(1,4)".parse::<DynLayout>().unwrap();
            Tensor::new(list(12), target).unwrap().copy_from(&source).unwrap();
        };
        "copy_from under a swizzle": || {
            let source = Tensor::new(list(16), Swizzle::<1, 0, 2>::new().compose(layout!((4, 4)))).unwrap();
            Tensor::new(list(16), layout!((4, 4))).unwrap().copy_from(&source).unwrap();
        };
        "copy_if": || {
            let source = Tensor::new(list(12), layout!((4, 3): right)).unwrap();
            Tensor::new(list(12), layout!((4, 3))).unwrap().copy_if(&source, |(i, j)| i != j).unwrap();
        };
        "transform": || {
            Tensor::new(list(6), layout!(6)).unwrap().transform(Clone::clone);
        };
        "map": || {
            drop(Tensor::new(list(6), layout!((2, 3): right)).unwrap().map(Clone::clone));
        };
        "filled": || {
            drop(Tensor::filled(layout!((2, 3)), Counted::new(1, String::new())));
        };
        "a fragment": || {
            let source = list(6);
            drop(Fragment::<_, Layout!((2, 3))>::from_fn(|(i, j)| source[i + 2 * j].clone()));
        };
        "a ragged tile": || {
            let mut t = Tensor::new(list(12), layout!((m, n):(1, m))).unwrap();
            let mut copy = Tensor::new(list(4), layout!((2, 2))).unwrap();
            t.ragged_tile(tiler!(2, 2), (1, 1)).unwrap().copy_to(&mut copy).unwrap();
            t.ragged_tile_mut(tiler!(2, 2), (0, 1)).unwrap().copy_from(&copy).unwrap();
        };
        "tiles": || {
            let mut t = Tensor::new(list(12), layout!((4, 3))).unwrap();
            let mut tiles = t.tiles_mut(tiler!(2, 3));
            if let (Some(mut a), Some(b)) = (tiles.next(), tiles.next()) {
                a.copy_from(&b).unwrap();
                a.fill(Counted::new(5, String::new()));
            }
        };
    }
}

/// Large enough for blocks of a transposed copy, and for an order that run time finds.
#[test]
fn large_copies_that_panic() {
    let n = 24;
    for fuse in [0, 1, 17, 255, 300, 575] {
        for drops in [false, true] {
            let (clones, drops) = if drops { (usize::MAX, fuse) } else { (fuse, usize::MAX) };
            let at_compile_time = balanced("a large copy", clones, drops, || {
                let source = Tensor::new(list(576), layout!((24, 24): right)).unwrap();
                Tensor::new(list(576), layout!((24, 24))).unwrap().copy_from(&source).unwrap();
            });
            let at_run_time = balanced("a large copy", clones, drops, || {
                let source = Tensor::new(list(576), layout!((n, n):(n, 1))).unwrap();
                Tensor::new(list(576), layout!((n, n):(1, n))).unwrap().copy_from(&source).unwrap();
            });
            assert!(!at_compile_time && !at_run_time);
        }
    }
}

/// A closure that panics half-way leaves old elements and new ones.
#[test]
fn closures_that_panic() {
    for stop in 0..=12 {
        balanced("closures", usize::MAX, usize::MAX, || {
            let mut t = Tensor::new(list(12), layout!((4, 3): right)).unwrap();
            let mut turn = 0;
            let done = catch_unwind(AssertUnwindSafe(|| {
                t.transform(|x| {
                    assert!(turn < stop, "enough");
                    turn += 1;
                    Counted::new(x.0 + 100, String::new())
                })
            }));
            assert_eq!(done.is_ok(), stop == 12);
            assert_eq!(t.iter().take(stop).filter(|x| x.0 >= 100).count(), stop);
            assert_eq!(t.iter().skip(stop).filter(|x| x.0 < 100).count(), 12 - stop);
            let sum = |sum: usize, x: &Counted<String>| {
                assert!(sum < stop, "enough");
                sum + usize::from(x.0 < u32::MAX)
            };
            assert_eq!(catch_unwind(AssertUnwindSafe(|| t.reduce(0, sum))).is_ok(), stop == 12);
            let mut turn = 0;
            let each = catch_unwind(AssertUnwindSafe(|| {
                t.for_each_mut(|_, x| {
                    assert!(turn < stop, "enough");
                    turn += 1;
                    *x = Counted::new(7, String::new());
                })
            }));
            assert_eq!(
                (each.is_ok(), t.iter().filter(|x| x.0 == 7 && x.1.is_empty()).count()),
                (stop == 12, stop)
            );
        });
    }
}

/// Elements without size: as many as there are numbers, each cloned and dropped once.
#[test]
fn elements_without_size() {
    let most = usize::MAX;
    let t = Tensor::new(vec![(); most], layout!((most, 1):(1, 0))).unwrap();
    assert_eq!((t.get((most - 1, 0)), t.get((most, 0))), (Some(&()), None));
    assert_eq!(t.slice((most - 1, ..)).iter().count(), 1);
    #[derive(Debug)]
    struct Empty;
    impl Clone for Empty {
        fn clone(&self) -> Self {
            LIVE.set(LIVE.get() + 1);
            Empty
        }
    }
    impl Drop for Empty {
        fn drop(&mut self) {
            LIVE.set(LIVE.get() - 1);
        }
    }
    {
        let list = || std::iter::repeat_with(|| Empty.clone()).take(24).collect::<Vec<_>>();
        // `Empty` above was not counted, and is dropped.
        LIVE.set(LIVE.get() + 48);
        let source = Tensor::new(list(), layout!((4, 6): right)).unwrap();
        let mut t = Tensor::new(list(), layout!((4, 6))).unwrap();
        t.copy_from(&source).unwrap();
        for mut tile in t.tiles_mut(tiler!(2, 3)) {
            tile.transform(Clone::clone);
        }
        assert_eq!(LIVE.get(), 48);
    }
    assert_eq!(LIVE.get(), 0);
    let source = Tensor::new(vec![(); 16], layout!(16)).unwrap();
    let mut t = Tensor::new(vec![(); 16], layout!(16)).unwrap();
    copy(&UniversalCopy::<(), Int<4>>::new(), &source, &mut t).unwrap();
    assert_eq!(t.copy_vectors_from(&source).unwrap(), 1);
}

/// More alignment than the size of a vector: elements stay where they may be.
#[test]
fn elements_of_more_alignment() {
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    #[repr(align(64))]
    struct Wide(u8);
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C, packed)]
    struct Odd(u8, u16);
    let (m, n) = (4, 6);
    let mut state = 0;
    let mut next = || {
        state += 1;
        Wide(state)
    };
    let source =
        Tensor::new((0..24).map(|_| next()).collect::<Vec<_>>(), layout!((m, n):(n, 1))).unwrap();
    let mut t = Tensor::new(vec![Wide(0); 24], layout!((m, n):(1, m))).unwrap();
    t.copy_from(&source).unwrap();
    assert!(t.indexed().all(|(c, x)| *x == source[c] && (x as *const Wide as usize) % 64 == 0));
    let flat = Tensor::new((0..8).map(Wide).collect::<Vec<_>>(), layout!(8)).unwrap();
    let mut target = Tensor::new(vec![Wide(99); 8], layout!(8)).unwrap();
    assert_eq!(target.copy_vectors_from(&flat).unwrap(), 1);
    target.fill(Wide(0));
    copy(&UniversalCopy::<Wide, Int<4>>::new(), &flat, &mut target).unwrap();
    assert!(target.iter().eq(flat.iter()));
    // Three bytes each: no vector of them has a size that is moved at once, but one of 16 times
    // them is not taken for one.
    let odd =
        Tensor::new((0..16).map(|i| Odd(i, 300 * u16::from(i))).collect::<Vec<_>>(), layout!(16))
            .unwrap();
    let mut target = Tensor::new(vec![Odd(0, 0); 16], layout!(16)).unwrap();
    copy(&UniversalCopy::<Odd, Int<16>>::new(), &odd, &mut target).unwrap();
    assert!(target.iter().eq(odd.iter()));
    target.fill(Odd(0, 0));
    target.copy_vectors_from(&odd).unwrap();
    assert!(target.iter().eq(odd.iter()));
}
