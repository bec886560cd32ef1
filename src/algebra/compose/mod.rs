//! Composition, `R(c) = A(B(c))`: one layout that does what two do one after the other.
//!
//! Each mode of `B` is a number of equal steps through the domain of `A`. It is followed from mode to mode of `A`, and
//! broken up where it would leave a line; where no layout does that, there is a reason. In reading order:
//!
//! - [`carry`]: what a mode of `B` has become so far, and how far it reaches in each mode of `A`
//! - [`digits`]: the general rule, for a step that spreads over several modes of `A`
//! - [`one_mode`]: what that rule has to say of a mode that it refuses
//! - [`step_through`]: a mode of `B` through the modes of `A`, by the common cases, which need no long division
//! - [`step_by_multiple`], [`step_by_one`]: the same with a step or an extent that only run time knows
//! - [`composition`]: all modes of `B` together, and the operation itself
//!
//! # From the method to the result
//!
//! | what | does | in |
//! |---|---|---|
//! | `a.compose(b)`, `a.try_compose(b)` | call the trait | `algebra/methods.rs` |
//! | `Compose` of strided layouts | takes `b` as an operand, `right::Compose` | `algebra/traits.rs` |
//! | `settle` | does the work and asks the gate; what is static is read off its type | `algebra/operation.rs` |
//! | `Apply<Compose, A>` of `B` | coalesces `A`; then each leaf of `B`, by `ComposeItems` | [`composition`] |
//! | `StepThrough` | a leaf `n:e` of `B` from mode to mode of `A`, in the cases above | [`step_through`] |
//! | `AddCarry` | how far this goes in a mode of `A` | [`carry`] |
//! | `Outcome` | the gate: a layout, or the message of a reason | `algebra/outcome.rs` |
//!
//! The rest is for what these refuse or leave to long division. `Composer` in `dynamic/composition.rs` is the same as
//! one loop, and the chapter "Inside" of the guide has both side by side.

pub mod carry;

pub mod digits;
pub mod one_mode;
pub mod step_by_multiple;
pub mod step_by_one;
pub mod step_through;

pub mod composition;
