//! Composition, `R(c) = A(B(c))`: one layout for the two, `B` first and then `A`.
//!
//! Each mode of `B` is a number of equal steps through the domain of `A`. The algorithm follows
//! these steps from mode to mode of `A`, and splits them where they would stop being linear. If no
//! layout expresses the result, it gives a reason. In reading order:
//!
//! - [`digits`]: the general rule, for a step with digits in several modes of `A`; a first reading
//!   can skip it
//! - [`composition`]: the operation, and the common case, a step with one digit
//! - [`run_time`]: the same with a step or an extent known only at run time
//!
//! # From `Composition<A, B>` to the result
//!
//! | what | does | in |
//! |---|---|---|
//! | `A: Compose<B>` | takes `B` as an operand, applies it to `A`, and asks the gate | `algebra/traits.rs` |
//! | `ModesOnto`, `Merging` | make a list of modes of `A`, and coalesce it | `algebra/mode.rs`, `algebra/coalesce.rs` |
//! | `ComposeItem` | goes from leaf to leaf of `B` | [`composition`] |
//! | `StepThrough` | goes with a leaf `n:e` of `B` from mode to mode of `A` | [`composition`] |
//! | `CarryCheck` | asks whether the offsets of all leaves stay within the modes of `A` | [`composition`] |
//! | `Outcome` | the gate: a layout, or the message of a reason | `algebra/outcome.rs` |
//!
//! `Composer` in `dynamic/composition.rs` runs the same algorithm as a loop: `Composer::new` makes
//! the modes, `leaf` and `run` take a leaf from mode to mode, `finish` settles. The chapter
//! "Inside" of the guide shows both side by side.

pub mod digits;

pub mod composition;

pub mod run_time;
