//! Layouts over MPI.
#![deny(unsafe_code)]
mod agree;
mod copy;
mod datatype;
mod distribution;
mod error;
mod mesh;
mod pieces;
mod plan;
mod raw;
mod receive;
mod redistribution;
mod tensor;
pub use agree::abort_on_panic;
pub use datatype::{Sendable, datatype_of, datatype_of_every};
pub use distribution::{Deal, Distribution};
pub use error::Error;
pub use mesh::{Mesh, MeshMode, MeshModes};
pub use plan::{Plan, Transfer};
pub use raw::{LayoutDatatype, Message, MessageMut, Messages};
pub use receive::ReceiveTensor;
pub use redistribution::Redistribution;
pub use tensor::{DistributedTensor, Element};
