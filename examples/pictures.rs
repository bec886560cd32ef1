//! The pictures of this repository, one of each kind: `cargo run --example pictures` writes them to `pictures/`.
//!
//! A test compares what stands there with what is drawn (`tests/tensor/pictures.rs`).

use std::path::Path;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::atom::{
    CopyAtom, MmaAtom, UniversalCopy, Values, make_tiled_copy, make_tiled_copy_a, make_tiled_mma,
};
use layout_algebra::draw::{self, ColorBy, Picture};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use layout_algebra::tensor::space::{Registers, Shared};

/// The elements of A, B and C that the threads of a warp hold for `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`,
/// halves as their bits.
#[derive(Clone, Copy, Debug, Default)]
struct Sm80_16x8x16;
impl MmaAtom for Sm80_16x8x16 {
    type ShapeMnk = (Int<16>, Int<8>, Int<16>);
    type ThrId = Layout!(32:1);
    type ALayout = Layout!(((4, 8), (2, 2, 2)):((32, 1), (16, 8, 128)));
    type BLayout = Layout!(((4, 8), (2, 2)):((16, 1), (8, 64)));
    type CLayout = Layout!(((4, 8), (2, 2)):((32, 1), (16, 8)));
    type A = u16;
    type B = u16;
    type C = f32;
    fn fma(
        &self,
        _: &Values<u16, Self::ALayout>,
        _: &Values<u16, Self::BLayout>,
        _: Values<f32, Self::CLayout>,
    ) -> Values<f32, Self::CLayout> {
        unreachable!("a warp computes this, not a thread")
    }
}

/// `ldmatrix.sync.aligned.x4.m8n8.shared.b16`: a thread reads a row of 8 halves, and gets 2 of each of 4 matrices.
#[derive(Clone, Copy, Debug, Default)]
struct Sm75Ldmatrix;
impl CopyAtom for Sm75Ldmatrix {
    type Value = u16;
    type ThrId = Layout!(32:1);
    type SrcLayout = Layout!((32, 8):(8, 1));
    type DstLayout = Layout!((32, (2, 4)):(2, (1, 64)));
    type RefLayout = Self::DstLayout;
    type Source = Shared;
    type Destination = Registers;
    fn copy<S, L, R, M>(&self, _: &Tensor<S, L>, _: &mut Tensor<R, M>, _: usize)
    where
        S: Storage<Item = u16>,
        L: Addressable,
        R: StorageMut<Item = u16>,
        M: Addressable,
    {
        unreachable!("a warp copies this, not a thread")
    }
}

/// Each picture with its name.
pub fn pictures() -> Result<Vec<(&'static str, Picture)>, LayoutError> {
    // A warp that reads a column of 32 words, and one ldmatrix that reads 8 rows of 8 halves.
    let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(1, 0))), 32, 32);
    let matrix = WarpAccess::ldmatrix(&FlatLayout::of(&layout!((8, 8):(1, 8))), 16, 1);
    let mma = make_tiled_mma(Sm80_16x8x16, layout!((2, 2, 1)), tiler!(_, _, _));
    let warp = make_tiled_mma(Sm80_16x8x16, layout!((1, 1, 1)), tiler!(_, _, _));
    let fours = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((2, 4): right), layout!((4, 1)))?;
    Ok(vec![
        ("layout", draw::layout(&layout!((4, 6)), ColorBy::Offset)?),
        ("layout-nested", draw::layout(&layout!(((2, 4), (3, (2, 2))):((1, 24), (2, (6, 12)))), ColorBy::Offset)?),
        ("layout-threads", draw::layout(&layout!(((4, 2), (4, 2)):((1, 0), (4, 0))), ColorBy::Thread)?),
        ("layout-banks", draw::layout(&layout!((32, 32):(33, 1)), ColorBy::Bank { element_bits: 32 })?),
        (
            "layout-128x128",
            draw::layout(
                &Swizzle::<3, 3, 3>::new().compose(layout!((128, (64, 2)):(64, (1, 8192)))),
                ColorBy::Bank { element_bits: 16 },
            )?,
        ),
        ("threads", draw::thread_values(&layout!(((4, 8), (2, 2)):((32, 1), (16, 8))), (16, 8), Some(6))?),
        (
            "threads-128x128",
            draw::thread_values(
                &layout!(((16, 16), ((4, 2), (4, 2))):((4, 512), ((1, 64), (128, 8192)))),
                (128, 128),
                Some(17),
            )?,
        ),
        ("copy", draw::tiled_copy(&fours, Some(5))?),
        ("copy-ldmatrix", draw::tiled_copy(&make_tiled_copy_a(Sm75Ldmatrix, &warp)?, Some(5))?),
        ("mma", draw::tiled_mma(&warp, Some(6))?),
        ("mma-4-warps", draw::tiled_mma(&mma, Some(70))?),
        ("banks", draw::banks(&layout!((32, 32): right), &column)?),
        ("swizzle", draw::swizzle(&Swizzle::<3, 3, 3>::new().compose(layout!((8, 64): right)), &matrix)?),
        ("composition", draw::composition(&layout!((4, 6):(6, 1)), layout!((2, 3):(2, 4)))?),
        ("division", draw::division(&layout!((4, 6)), tiler!(2, 3))?),
        ("memory", draw::memory(&layout!((4, 6):(8, 1)))?),
    ])
}

#[allow(dead_code, reason = "the test of this example calls the function above")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("pictures");
    std::fs::create_dir_all(&folder)?;
    for (name, picture) in pictures()? {
        let path = folder.join(name).with_extension("svg");
        std::fs::write(&path, picture.svg())?;
        println!("{}", path.display());
    }
    Ok(())
}
