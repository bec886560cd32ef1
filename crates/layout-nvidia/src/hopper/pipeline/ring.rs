//! A ring of stages in shared memory: a producer fills them, consumers empty them, and each waits
//! for the other.
//!
//! ```text
//! producer    producer_acquire() waits until a stage is empty -> Reserved .arrive_and_expect_tx(bytes): its copies are on their way
//! consumer    consumer_wait()    waits until a stage is full  -> Filled   .consumer_release(): it may be filled again
//! ```
//!
//! The two sides are two types. A wait returns a value that `arrive_and_expect_tx` or
//! `consumer_release` consumes: it cannot be used twice, and a program that forgets it does not
//! compile for the device; on the CPU that is a panic.

use core::marker::PhantomData;

/// The barriers of one side of a ring: a barrier for each stage, with consecutive phases.
///
/// On the device they are `mbarrier`s, [`Full`](crate::hopper::Full) and
/// [`Empty`](crate::hopper::Empty); tests implement them for the CPU.
///
/// # Safety
/// `wait_parity` returns when the phase is complete, and after it the data of earlier arrivals is
/// visible.
pub unsafe trait Barriers {
    /// The number of stages, at least one.
    const STAGES: u32;
    /// Waits until the phase of this parity is complete: phases 0, 2, .. have parity 0. The phase
    /// before the first counts as complete.
    fn wait_parity(&self, stage: u32, parity: u32);
    /// Arrives; the phase also waits for `bytes` bytes of copies.
    fn arrive_expect_tx(&self, stage: u32, bytes: u32);
}

/// The stage and the parity of a side.
#[derive(Debug)]
struct Turn {
    stage: u32,
    parity: u32,
}
impl Turn {
    /// Advances, and returns the previous stage and parity.
    #[inline]
    fn advance<B: Barriers>(&mut self) -> (u32, u32) {
        let here = (self.stage, self.parity);
        self.stage += 1;
        if self.stage == B::STAGES {
            self.stage = 0;
            self.parity ^= 1;
        }
        here
    }
}

/// A stage after a wait, which must be passed to `arrive_and_expect_tx` or `consumer_release`. If
/// it is dropped instead, the program does not compile for the device, and panics on the CPU.
macro_rules! owes {
    ($(#[$doc:meta])* $name:ident $sentence:literal) => {
        $(#[$doc])*
        #[derive(Debug)]
        struct $name<B>(PhantomData<B>);
        impl<B> Drop for $name<B> {
            #[inline]
            fn drop(&mut self) {
                #[cfg(target_arch = "nvptx64")]
                const {
                    panic!($sentence)
                };
                #[cfg(not(target_arch = "nvptx64"))]
                if !std::thread::panicking() {
                    panic!($sentence)
                }
            }
        }
    };
}
owes! {
    /// The copies of a reserved stage.
    OwesCopies "a stage that was reserved is not filled: `Reserved::arrive_and_expect_tx` says that its copies are on their way"
}
owes! {
    /// The release of a full stage.
    OwesStage "a stage that was waited for is not given back: `Filled::consumer_release` does it"
}

/// The side that fills stages.
///
/// ```
/// use layout_nvidia::hopper::{Barriers, Consumer, Producer};
/// # use std::cell::Cell;
/// # struct Two(Cell<u32>);
/// # unsafe impl Barriers for &Two {
/// #     const STAGES: u32 = 2;
/// #     fn wait_parity(&self, _: u32, _: u32) {}
/// #     fn arrive_expect_tx(&self, stage: u32, _: u32) { self.0.set(self.0.get() + 10_u32.pow(stage)) }
/// # }
/// # let (full, empty) = (Two(Cell::new(0)), Two(Cell::new(0)));
/// let (mut producer, mut consumer) = (Producer::new(&full, &empty), Consumer::new(&full, &empty));
/// for tile in 0..3 {
///     let stage = producer.producer_acquire();
///     assert_eq!(stage.stage_index(), tile % 2); // copies of the tile go there
///     stage.arrive_and_expect_tx(0);
///     consumer.consumer_wait().consumer_release();
/// }
/// # assert_eq!((full.0.get(), empty.0.get()), (12, 12));
/// ```
///
/// A stage is filled once:
///
/// ```compile_fail,E0382
/// # use layout_nvidia::hopper::{Barriers, Producer};
/// fn twice<F: Barriers, E: Barriers>(producer: &mut Producer<F, E>) {
///     let stage = producer.producer_acquire();
///     stage.arrive_and_expect_tx(0);
///     stage.arrive_and_expect_tx(0); // used after it was moved
/// }
/// ```
///
/// and the sides cannot be exchanged:
///
/// ```compile_fail,E0599
/// # use layout_nvidia::hopper::{Barriers, Producer};
/// fn wrong<F: Barriers, E: Barriers>(producer: &mut Producer<F, E>) {
///     producer.consumer_wait(); // the producer has none
/// }
/// ```
#[derive(Debug)]
pub struct Producer<F, E> {
    full: F,
    empty: E,
    turn: Turn,
}
impl<F: Barriers, E: Barriers> Producer<F, E> {
    /// The producer at the first stage.
    #[inline]
    pub fn new(full: F, empty: E) -> Self {
        const {
            assert!(
                F::STAGES > 0 && F::STAGES == E::STAGES,
                "the two sides of a ring have not the same stages"
            )
        };
        // All stages are empty at first: the phase before the first one is complete.
        Producer { full, empty, turn: Turn { stage: 0, parity: 1 } }
    }
    /// Waits until the next stage is empty.
    #[inline]
    pub fn producer_acquire(&mut self) -> Reserved<'_, F> {
        let (stage, parity) = self.turn.advance::<F>();
        self.empty.wait_parity(stage, parity);
        Reserved { full: &self.full, stage, owes: OwesCopies(PhantomData) }
    }
    /// Waits until consumers have emptied all stages: no more arrivals, and the memory may be
    /// reused.
    #[inline]
    pub fn producer_tail(mut self) {
        let mut left = F::STAGES;
        while left > 0 {
            let (stage, parity) = self.turn.advance::<F>();
            self.empty.wait_parity(stage, parity);
            left -= 1;
        }
    }
}
/// An empty stage, for the producer to fill.
#[derive(Debug)]
#[must_use = "a stage that was waited for has to be filled"]
pub struct Reserved<'r, F: Barriers> {
    full: &'r F,
    stage: u32,
    owes: OwesCopies<F>,
}
impl<F: Barriers> Reserved<'_, F> {
    /// The index of the stage.
    #[inline]
    #[must_use]
    pub fn stage_index(&self) -> u32 {
        self.stage
    }
    /// The full barriers, at which copies arrive.
    #[inline]
    pub(crate) fn full_barriers(&self) -> &F {
        self.full
    }
    /// Announces the copies of the stage: it is full after `bytes` bytes.
    #[inline]
    pub fn arrive_and_expect_tx(self, bytes: u32) {
        let Reserved { full, stage, owes } = self;
        full.arrive_expect_tx(stage, bytes);
        core::mem::forget(owes);
    }
}

/// The side that empties stages.
#[derive(Debug)]
pub struct Consumer<F, E> {
    full: F,
    empty: E,
    turn: Turn,
}
impl<F: Barriers, E: Barriers + Clone> Consumer<F, E> {
    /// The consumer at the first stage.
    #[inline]
    pub fn new(full: F, empty: E) -> Self {
        const {
            assert!(
                F::STAGES > 0 && F::STAGES == E::STAGES,
                "the two sides of a ring have not the same stages"
            )
        };
        Consumer { full, empty, turn: Turn { stage: 0, parity: 0 } }
    }
    /// Waits until the next stage is full.
    #[inline]
    pub fn consumer_wait(&mut self) -> Filled<E> {
        let (stage, parity) = self.turn.advance::<F>();
        self.full.wait_parity(stage, parity);
        Filled { empty: self.empty.clone(), stage, owes: OwesStage(PhantomData) }
    }
}

/// A full stage. Products may read it until it is released.
#[derive(Debug)]
#[must_use = "a stage that was waited for has to be released"]
pub struct Filled<E: Barriers> {
    empty: E,
    stage: u32,
    owes: OwesStage<E>,
}
impl<E: Barriers> Filled<E> {
    /// The index of the stage.
    #[inline]
    #[must_use]
    pub fn stage_index(&self) -> u32 {
        self.stage
    }
    /// Releases the stage after the last read: it may be filled again.
    #[inline]
    pub fn consumer_release(self) {
        let Filled { empty, stage, owes } = self;
        empty.arrive_expect_tx(stage, 0);
        core::mem::forget(owes);
    }
}
