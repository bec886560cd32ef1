//! Code that is printed.

use clap::{Args, Subcommand};
use layout_emit::{EmitError, Index, Language, Module, NamedLayout};

use crate::failure::Failure;

impl From<EmitError> for Failure {
    fn from(error: EmitError) -> Self {
        match error {
            EmitError::Input(text) => Failure::Usage(text + "\n"),
            EmitError::Refused(text) => Failure::Refused(text + "\n"),
        }
    }
}

#[derive(Subcommand)]
pub enum Emitted {
    /// The index as a function: from a coordinate to the offset, or back
    ///
    /// Names in place of numbers become parameters:
    ///     layout emit index --language wgsl --name a_tile '((4,8),(2,2)):((32,1),(16,8))'
    ///     layout emit index --language cuda --name at --bounds '(m,n):(n,1)'
    ///     layout emit index --language c --coordinate 'Sw<3,3,3> o 0 o (8,64):(64,1)'
    #[command(verbatim_doc_comment)]
    Index(IndexOf),
}

#[derive(Args)]
pub struct IndexOf {
    /// c, cuda, hip, opencl, wgsl, glsl, hlsl, msl, rust or python
    #[arg(short, long, value_name = "LANGUAGE")]
    language: Language,
    /// The name of the function [default: offset_of, coordinate_of]
    #[arg(short, long, value_name = "NAME")]
    name: Option<String>,
    /// A function of one number, which counts the leftmost mode the fastest
    #[arg(long)]
    flat: bool,
    /// The way back, from an offset to the coordinate
    #[arg(long)]
    coordinate: bool,
    /// With the answer whether the coordinate is inside, or the offset one of the layout
    #[arg(long)]
    bounds: bool,
    /// Numbers of 32 or 64 bits, instead of what the layout needs
    #[arg(long, value_name = "BITS")]
    bits: Option<u32>,
    /// A layout of numbers or names, swizzled or not; a shape alone is column-major
    #[arg(value_name = "LAYOUT")]
    layout: NamedLayout,
}

impl Emitted {
    /// The code.
    pub fn code(&self) -> Result<String, Failure> {
        match self {
            Emitted::Index(of) => {
                let mut index = Index::of(&of.layout);
                index = if let Some(name) = &of.name { index.name(name) } else { index };
                index = if of.flat { index.flat() } else { index };
                index = if of.coordinate { index.coordinate() } else { index };
                index = if of.bounds { index.bounds() } else { index };
                index = if let Some(bits) = of.bits { index.bits(bits) } else { index };
                Ok(Module::new(of.language).with(index).emit()?)
            }
        }
    }
}
