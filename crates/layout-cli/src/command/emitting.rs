//! Source code of layouts.

use layout_algebra::prelude::*;
use layout_emit::{
    EmitError, Index, Language, Module, NamedLayout, Operand, Partition, RelayoutKernel,
};

use super::arguments::{arguments, subcommands};
use super::failure::Failure;
use crate::read_layout;

impl From<EmitError> for Failure {
    fn from(error: EmitError) -> Self {
        match error {
            EmitError::Input(text) => Failure::Usage(text),
            EmitError::Refused(text) => Failure::Refused(text + "\n"),
        }
    }
}

subcommands! {
    pub enum Emitted {
        /// The index as a function: from a coordinate to the offset, or the inverse
        ///
        /// Names in place of numbers become parameters:
        ///     layout emit index --language wgsl --name a_tile '((4,8),(2,2)):((32,1),(16,8))'
        ///     layout emit index --language cuda --name at --bounds '(m,n):(n,1)'
        ///     layout emit index --language c --coordinate 'Sw<3,3,3> o 0 o (8,64):(64,1)'
        Index(IndexOf) = "index";
        /// A thread-value layout as a function: (thread, value) -> coordinate in the tile
        ///
        /// For an operand of a tensor-core instruction by name, a thread-value layout and its tile, or
        /// a copy by the layouts of threads and values:
        ///     layout emit partition --language cuda SM80_16x8x16_F32F16F16F32_TN --operand c
        ///     layout emit partition --language wgsl '((4,8),(2,2)):((32,1),(16,8))' '(16,8)'
        ///     layout emit partition --language c --copy '(32,8):(8,1)' '(1,4):(4,1)'
        Partition(PartitionOf) = "partition";
        /// A kernel with its launch that moves all elements from one layout to another of the same size
        ///
        /// A transpose of halves, and images from channels first to channels last:
        ///     layout emit relayout --language cuda --element f16 '(4096,4096):(4096,1)' '(4096,4096):(1,4096)'
        ///     layout emit relayout --language wgsl --element f32 '(8,64,3136):(200704,3136,1)' '(8,64,3136):(200704,1,64)'
        Relayout(RelayoutOf) = "relayout";
    }
}

arguments! {
    pub struct IndexOf {
        /// c, cuda, hip, opencl, wgsl, glsl, hlsl, msl, rust or python
        language: Language = one.short('l').long("language").value_name("LANGUAGE");
        /// The name of the function [default: offset_of, coordinate_of]
        name: String = maybe.short('n').long("name").value_name("NAME");
        /// A function of one number, the 1-D coordinate, leftmost mode fastest
        flat: bool = flag;
        /// The inverse, from an offset to the coordinate
        coordinate: bool = flag;
        /// Also returns whether the coordinate is inside, or whether the layout has the offset
        bounds: bool = flag;
        /// A header, which may be included twice; for CUDA and HIP it compiles on the host too
        header: bool = flag;
        /// Numbers of 32 or 64 bits [default: by need]; in a loop on a CPU 64 can be faster
        bits: u32 = maybe.long("bits").value_name("BITS");
        /// A layout of numbers or names, swizzled or not; a shape alone is column-major
        layout: NamedLayout = one.value_name("LAYOUT");
    }
}

arguments! {
    pub struct RelayoutOf {
        /// cuda or wgsl
        language: Language = one.short('l').long("language").value_name("LANGUAGE");
        /// The name of the kernel [default: relayout]
        name: String = maybe.short('n').long("name").value_name("NAME");
        /// The type of an element, which only gives its size: f32, bf16, u8, ..
        element: usize = one.short('e').long("element").value_name("TYPE").value_parser(bytes);
        /// Pairs coordinates by index, for any shapes of one size: a reshape
        by_number: bool = flag.long("by-number");
        /// The launch, as JSON: entry point, groups, threads, bytes of workgroup memory and buffers
        launch: bool = flag;
        /// The source: coordinate -> offset
        from: NamedLayout = one.value_name("FROM");
        /// The destination
        to: NamedLayout = one.value_name("TO");
    }
}

/// The bytes of a type.
fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    match digits.parse() {
        Ok(bits @ (8 | 16 | 32 | 64 | 128)) if digits.len() < text.len() => Ok(bits / 8),
        _ => Err("a letter or two and 8, 16, 32, 64 or 128 bits: f16".into()),
    }
}

arguments! {
    pub struct PartitionOf {
        /// c, cuda, hip, opencl, wgsl, glsl, hlsl, msl, rust or python
        language: Language = one.short('l').long("language").value_name("LANGUAGE");
        /// The name of the function [default: element_of]
        name: String = maybe.short('n').long("name").value_name("NAME");
        /// The operand of the instruction: a, b or c
        operand: Operand = maybe.long("operand").value_name("OPERAND").conflicts_with("copy");
        /// The layouts are a copy's threads and values
        copy: bool = flag;
        /// A header, which may be included twice; for CUDA and HIP it compiles on the host too
        header: bool = flag;
        /// The instruction, or the thread-value layout, or the layout of the threads
        threads: String = one.value_name("THREADS");
        /// The shape of the tile, or the layout of the values
        tile: String = maybe.value_name("TILE").conflicts_with("operand");
    }
}

impl PartitionOf {
    fn partition(&self) -> Result<Partition, Failure> {
        let wrong = |error: LayoutError| Failure::Usage(error.to_string());
        let layout = |text: &str| read_layout(text).map_err(wrong);
        Ok(match (self.operand, &self.tile) {
            (Some(operand), _) => Partition::of_atom(&self.threads, operand)?,
            (None, Some(values)) if self.copy => {
                Partition::of_copy(&layout(&self.threads)?, &layout(values)?)?
            }
            (None, Some(tile)) => {
                Partition::of(&layout(&self.threads)?, &tile.parse().map_err(wrong)?)?
            }
            (None, None) => {
                let what = "an instruction's name asks for --operand a, b or c, a thread-value \
                            layout for its tile, and --copy for the layout of the values";
                return Err(Failure::usage(what));
            }
        })
    }
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
                let module = Module::new(of.language).with(index);
                Ok(if of.header { module.header()? } else { module.emit()? })
            }
            Emitted::Relayout(of) => {
                let make =
                    if of.by_number { RelayoutKernel::by_number } else { RelayoutKernel::new };
                let relayout = make(&of.from, &of.to, of.element)?;
                let relayout =
                    if let Some(name) = &of.name { relayout.name(name) } else { relayout };
                match of.launch {
                    true => Ok(format!("{}\n", relayout.launch(of.language)?)),
                    false => Ok(relayout.emit(of.language)?),
                }
            }
            Emitted::Partition(of) => {
                let partition = of.partition()?;
                let partition =
                    if let Some(name) = &of.name { partition.name(name) } else { partition };
                Ok(if of.header {
                    partition.header(of.language)?
                } else {
                    partition.emit(of.language)?
                })
            }
        }
    }
}
