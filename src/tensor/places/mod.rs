//! Where elements lie in the whole: a coordinate tensor is cut as the tensor of its shape is, and its
//! elements, compared with a shape, are the predicates that guard a residue tile.

pub(super) mod coordinates;
pub(super) mod predicates;
pub(super) mod ragged;
pub(super) mod refused;
