//! Functions of layouts: from a coordinate to the offset, and the inverse.

// Expressions with ranges.
mod expr;

// Offsets as sums, and as linear functions of bits; the inverse.
mod sum;

mod linear;

pub(crate) mod offset;

mod inverse;

// Functions, and their printing.
pub(crate) mod function;

pub(crate) mod print;

// The public functions: of one layout, of several, and of thread-value layouts.
mod element_access;
mod layout_index;
mod module;
mod partition;

pub use element_access::ElementAccess;
pub(crate) use expr::Graph;
pub use expr::{Node, Op};
pub use layout_index::Index;
pub use module::Module;
pub use partition::{ATOMS, Operand, Partition};
pub(crate) use sum::Work;
