//! Functions of layouts: from a coordinate to the offset, and back.

// Expressions whose ranges are known.
mod expr;

// Offsets as sums, and as linear functions of bits; the way back.
mod sum;

mod linear;

pub(crate) mod offset;

mod inverse;

// Functions, and how they are written.
pub(crate) mod function;

pub(crate) mod print;

// The public functions: of a layout, of several, and of threads and their values.
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
