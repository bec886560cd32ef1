//! Composition, `R(c) = A(B(c))`: one layout that does what two do one after the other.
//!
//! Each mode of `B` is a number of equal steps through the domain of `A`. It is followed from mode to mode of `A`, and
//! broken up where it would leave a line; where no layout does that, there is a reason. In reading order:
//!
//! - [`digits`]: the general rule, for a step that has digits in several modes of `A`; not needed to read on
//! - [`composition`]: the operation, and the common case: a step that has one digit
//! - [`run_time`]: the same with a step or an extent that only run time knows
//!
//! # From `Composition<A, B>` to the result
//!
//! | what | does | in |
//! |---|---|---|
//! | `A: Compose<B>` | takes `B` as an operand, applies it to `A`, and asks the gate | `algebra/traits.rs` |
//! | `ModesOnto`, `Merging` | make a list of modes of `A`, and coalesce it | `algebra/mode.rs`, `algebra/coalesce.rs` |
//! | `ComposeItem` | goes from leaf to leaf of `B` | [`composition`] |
//! | `StepThrough` | goes with a leaf `n:e` of `B` from mode to mode of `A` | [`composition`] |
//! | `Settle` | asks whether the offsets of all leaves stay within the modes of `A` | [`composition`] |
//! | `Outcome` | the gate: a layout, or the message of a reason | `algebra/outcome.rs` |
//!
//! `Composer` in `dynamic/composition.rs` is the same as one loop: `Composer::new` makes the modes, `leaf` and `run` go
//! with a leaf from mode to mode, `finish` settles. The chapter "Inside" of the guide has both side by side.

pub mod digits;

pub mod composition;

pub mod run_time;
