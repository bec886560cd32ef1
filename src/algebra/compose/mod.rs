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

pub mod carry;

pub mod digits;
pub mod one_mode;
pub mod step_by_multiple;
pub mod step_by_one;
pub mod step_through;

pub mod composition;
