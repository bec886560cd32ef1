//! The pictures of this repository: `cargo run --example pictures` writes them to `pictures/`, and
//! those of the guide to `src/guide/pictures/` as well, in the form in which its pages show them.
//!
//! A test compares what stands there with what is drawn (`tests/tensor/pictures.rs`).

mod sm80;

use std::fmt::Write;
use std::path::Path;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::atom::{
    CopyAtom, UniversalCopy, make_tiled_copy, make_tiled_copy_a, make_tiled_mma,
};
use layout_algebra::prelude::*;
use layout_algebra::tensor::Addressable;
use layout_algebra::tensor::space::{Registers, Shared};
use layout_draw::{ColorBy, Draw, DrawTiled, Picture};
use sm80::Sm80_16x8x16;

/// `ldmatrix.sync.aligned.x4.m8n8.shared.b16`: a thread reads a row of 8 halves, and gets 2 of each
/// of 4 matrices.
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

/// Each picture with its name: one of each kind.
pub fn pictures() -> Result<Vec<(&'static str, Picture)>, LayoutError> {
    // A warp that reads a column of 32 words, and one ldmatrix that reads 8 rows of 8 halves.
    let column = WarpAccess::new(&FlatLayout::of(&layout!((32, 1):(1, 0))), 32, 32);
    let matrix = WarpAccess::ldmatrix(&FlatLayout::of(&layout!((8, 8):(1, 8))), 16, 1);
    let atom = Sm80_16x8x16::<u16, f32>::new();
    let mma = make_tiled_mma(atom, layout!((2, 2, 1)), tiler!(_, _, _));
    let warp = make_tiled_mma(atom, layout!((1, 1, 1)), tiler!(_, _, _));
    let fours = make_tiled_copy(
        UniversalCopy::<f32, Int<4>>::new(),
        layout!((2, 4): right),
        layout!((4, 1)),
    )?;
    let fragment = layout!(((4, 8), (2, 2)):((32, 1), (16, 8)));
    let tile = layout!(((16, 16), ((4, 2), (4, 2))):((4, 512), ((1, 64), (128, 8192))));
    let halves = Swizzle::<3, 3, 3>::new().compose(layout!((128, (64, 2)):(64, (1, 8192))));
    Ok(vec![
        ("layout", layout!((4, 6)).draw(ColorBy::Offset)?),
        (
            "layout-nested",
            layout!(((2, 4), (3, (2, 2))):((1, 24), (2, (6, 12)))).draw(ColorBy::Offset)?,
        ),
        ("layout-threads", layout!(((4, 2), (4, 2)):((1, 0), (4, 0))).draw(ColorBy::Thread)?),
        ("layout-banks", layout!((32, 32):(33, 1)).draw(ColorBy::Bank { element_bits: 32 })?),
        ("layout-128x128", halves.draw(ColorBy::Bank { element_bits: 16 })?),
        ("threads", fragment.draw_thread_values((16, 8), Some(6))?),
        ("threads-128x128", tile.draw_thread_values((128, 128), Some(17))?),
        ("copy", fours.draw(Some(5))?),
        ("copy-ldmatrix", make_tiled_copy_a(Sm75Ldmatrix, &warp)?.draw(Some(5))?),
        ("mma", warp.draw(Some(6))?),
        ("mma-4-warps", mma.draw(Some(70))?),
        ("banks", layout!((32, 32): right).draw_banks(&column)?),
        (
            "swizzle",
            Swizzle::<3, 3, 3>::new().compose(layout!((8, 64): right)).draw_swizzle(&matrix)?,
        ),
        ("composition", layout!((4, 6): right).draw_composition(layout!((2, 3):(2, 8)))?),
        ("division", layout!((4, 6)).draw_division(tiler!(2, 3))?),
        ("memory", layout!((4, 6):(8, 1)).draw_memory()?),
    ])
}

/// More of them, which the guide shows.
pub fn more_of_the_guide() -> Result<Vec<(&'static str, Picture)>, LayoutError> {
    let (columns, rows) = (layout!((4, 6)), layout!((4, 6): right));
    let blocks = layout!(((2, 2), (2, 2)):((1, 4), (2, 8)));
    let (tile, grid) = (layout!((2, 2): right), layout!((2, 3)));
    // A column of a tile of 8 x 8 words, where there are 8 banks.
    let column = WarpAccess::new(&FlatLayout::of(&layout!((8, 1):(1, 0))), 32, 32).with_banks(8, 4);
    let by_column = Swizzle::<5, 0, 5>::new().compose(layout!((32, 32): right));
    let offsets = ColorBy::Offset;
    // Rows of 128 bytes whose units of 16 change places: of halves, of bytes, and of units. What a
    // warpgroup has of C.
    let (rows_of_128, bytes_of_128) = (Swizzle::<3, 3, 3>::new(), Swizzle::<3, 4, 3>::new());
    let (units, sums) =
        (Swizzle::<3, 0, 3>::new(), layout!(((4, 8, 4), (2, 2, 2)):((128, 1, 16), (64, 8, 512))));
    let group = layout!((5, 8): right); // 320 rows of 1024 columns
    let (halves, bytes) = (ColorBy::Bank { element_bits: 16 }, ColorBy::Bank { element_bits: 8 });
    let mut all = pictures_of_rules()?;
    all.extend([
        // Chapters 1 to 3.
        ("layout-blocks", blocks.draw(offsets)?),
        ("memory-blocks", blocks.draw_memory()?),
        ("composition-steps", rows.draw_composition(layout!(8:2))?),
        ("composition-tiler", rows.draw_composition(tiler!(2:2, _))?),
        ("division-strided", layout!(24:1).draw_division(layout!(4:2))?),
        ("product-blocked", tile.draw_blocked_product(&grid)?),
        ("product-raked", tile.draw_raked_product(&grid)?),
        // Chapter 4: six threads share a tile of 4 x 6.
        (
            "threads-cyclic",
            layout!(((2, 3), (2, 2)):((1, 4), (2, 12))).draw_thread_values((4, 6), Some(4))?,
        ),
        (
            "threads-blocked",
            layout!(((2, 3), (2, 2)):((2, 8), (1, 4))).draw_thread_values((4, 6), Some(4))?,
        ),
        // Chapter 5.
        ("banks-8", layout!((8, 8): right).draw_banks(&column)?),
        ("banks-8-padded", layout!((8, 8):(9, 1)).draw_banks(&column)?),
        (
            "swizzle-8",
            Swizzle::<3, 0, 3>::new().compose(layout!((8, 8): right)).draw_swizzle(&column)?,
        ),
        // Chapter 6.
        ("division-rounded", columns.round_up(tiler!(2, 4)).draw_zipped_division(tiler!(2, 4))?),
        ("composition-carry", layout!((4, 2):(1, 8)).draw_composition(layout!((2, 2):(1, 2)))?),
        // From `index` to `wgmma`: a tile of both operands, in banks and in units of 16 bytes; the
        // sums of a warpgroup, 16 columns of them; the stages of B in halves, of two blocks; the
        // tile of a cluster, whose warpgroups have 64 rows.
        (
            "wgmma-banks",
            rows_of_128.compose(layout!((8, 64): right)).draw(halves)?.with_cell_size(12),
        ),
        ("wgmma-units", units.compose(layout!((16, 8): right)).draw(offsets)?),
        ("wgmma-sums", sums.draw_thread_values((64, 16), Some(37))?),
        ("wgmma-stages", layout!((2, 4):(1, 2)).draw_thread_values((2, 4), Some(1))?),
        ("wgmma-cluster", layout!(((2, 2), 4):((1, 2), 4)).draw_thread_values((4, 4), Some(3))?),
        // The tiles of other kernels: fp8; of attention 8 keys in both stages, and V, whose rows
        // are K; a group's tiles of 128 x 512, in units of 64 x 128.
        (
            "wgmma-fp8",
            bytes_of_128.compose(layout!((8, 128): right)).draw(bytes)?.with_cell_size(8),
        ),
        ("wgmma-keys", units.compose(layout!((8, (8, 2, 2)):(8, (1, 64, 128)))).draw(offsets)?),
        ("wgmma-grouped", group.round_up(tiler!(2, 4)).draw_zipped_division(tiler!(2, 4))?),
        ("wgmma-v", rows_of_128.compose(layout!((64, 8))).draw(halves)?.with_cell_size(12)),
        // The cookbook.
        ("ring", layout!((2, (4, 3)):(1, (2, 0))).draw(ColorBy::Thread)?),
        ("channels-in-blocks", layout!(((4, 2), 3):((1, 12), 4)).draw_memory()?),
        ("im2col", layout!(((4, 4), (3, 3)):((1, 6), (1, 6))).draw(offsets)?),
        ("morton", layout!(((2, 2, 2), (2, 2, 2)):((1, 4, 16), (2, 8, 32))).draw(offsets)?),
        ("transpose", rows.draw_composition(layout!((6, 4):(4, 1)))?),
        (
            "stencil",
            layout!(((2, 2), (4, 4)):((2, 12), (1, 6))).draw_thread_values((6, 6), Some(0))?,
        ),
        ("image", layout!((3, 4, 3):(16, 3, 1)).draw_memory()?),
        ("division-rows", rows.draw_zipped_division(tiler!(2, 3))?),
        ("banks-swizzled", by_column.draw(ColorBy::Bank { element_bits: 32 })?.with_cell_size(12)),
        ("sensor", layout!((8, 8):(10, 1)).draw_memory()?),
        ("bits", scales_of_q4_k()?),
    ]);
    Ok(all)
}

/// The rules as pictures: of chapters 2 and 3 the walk, the copies and the way back, and of chapter
/// 6 what is refused.
fn pictures_of_rules() -> Result<Vec<(&'static str, Picture)>, LayoutError> {
    let dynamic = |text: &str| text.parse::<DynLayout>();
    Ok(vec![
        ("walk-with-a-carry", walk(&dynamic("(4,6):(6,1)")?, &dynamic("8:2")?)?),
        ("complement-copies", copies(&dynamic("(2,2):(1,6)")?, 24)?),
        ("inverse-right", there_and_back(&dynamic("(2,4):(4,1)")?, &dynamic("(4,2):(2,1)")?)?),
        ("inverse-left", there_and_back(&dynamic("(2,3):(4,1)")?, &dynamic("(4,2):(2,1)")?)?),
        ("thread-values", layout!(((2, 4), 2):((8, 1), 4)).draw(ColorBy::Offset)?),
        ("thread-values-tile", layout!(((2, 4), 2):((8, 1), 4)).draw_thread_values((4, 4), None)?),
        ("refused-divisibility", tiles_over_the_edge(6, 4)?),
        (
            "refused-steps",
            steps_in("3:2 in (4,6):(1,8): 4 is in the next row", 4, &dynamic("3:2")?)?,
        ),
        (
            "refused-carry",
            steps_in(
                "(2,2):(2,2) in (4,2):(1,8): 2 + 2 is in the next row",
                4,
                &dynamic("(2,2):(2,2)")?,
            )?,
        ),
        ("refused-overlap", layout!((4, 4):(1, 2)).draw_memory()?),
        ("refused-rank", entries_and_modes(&["4", "6"], &["2", "3", "2"])?),
        ("refused-unit-stride", layout!((4, 2):(2, 8)).draw_memory()?),
    ])
}

/// The walk of `b` through `a`: which number each step comes to, its digits in the first two modes
/// of `a`, its offset. A step that carries into the second mode changes the colour.
fn walk(a: &DynLayout, b: &DynLayout) -> Result<Picture, LayoutError> {
    let (steps, extent) = (b.size(), a.mode_size(0));
    let digits = |i: usize| (b.at(i) % extent, b.at(i) / extent);
    let row = |said: &dyn Fn(usize) -> String| -> Vec<_> {
        (0..steps).map(|i| (said(i), Some(digits(i).1))).collect()
    };
    let rows = [
        row(&|i| format!("step {i}")),
        row(&|i| format!("{}", b.at(i))),
        row(&|i| format!("({},{})", digits(i).0, digits(i).1)),
        row(&|i| format!("{}", a.at(b.at(i)))),
    ];
    let title = format!("{b} walks through {a}: step, number, digits, offset");
    Picture::places(&title, steps, rows.into_iter().flatten())
}

/// The copies of a layout that its complement makes, each with its number and a hue, in the range
/// that they fill.
fn copies(layout: &DynLayout, range: usize) -> Result<Picture, LayoutError> {
    let complement = layout.complement(range)?;
    let mut places = vec![(String::new(), None); range];
    for copy in 0..complement.size() {
        for i in 0..layout.size() {
            places[layout.at(i) + complement.at(copy)] = (format!("copy {copy}"), Some(copy));
        }
    }
    Picture::places(
        &format!("{layout} and its copies at {complement} fill {range}"),
        range / 2,
        places,
    )
}

/// A layout from numbers to offsets, and below it another one back from offsets: what belongs
/// together has one colour.
fn there_and_back(layout: &DynLayout, back: &DynLayout) -> Result<Picture, LayoutError> {
    let length = layout.cosize();
    let there = (0..length).map(|i| match i < layout.size() {
        true => (format!("{i}->{}", layout.at(i)), Some(i)),
        false => (String::new(), None),
    });
    let mut here = vec![(String::new(), None); length];
    for i in 0..layout.size() {
        let offset = layout.at(i);
        assert_eq!(back.at(offset), i, "an inverse leads back");
        here[offset] = (format!("{i}<-{offset}"), Some(i));
    }
    Picture::places(&format!("{layout} there, {back} back"), length, there.chain(here))
}

/// `extent` numbers in tiles of `tile`: a hue for each tile, whose last places are empty.
fn tiles_over_the_edge(extent: usize, tile: usize) -> Result<Picture, LayoutError> {
    let whole = extent.next_multiple_of(tile);
    let place = |i: usize| {
        if i < extent { (format!("{i}"), Some(i / tile)) } else { (String::new(), None) }
    };
    let title =
        format!("tiles of {tile} over {extent} columns: {} places are missing", whole - extent);
    Picture::places(&title, tile, (0..whole).map(place))
}

/// Numbers in rows of `extent`, and which coordinates of a layout lead to each; a hue for each row
/// that is reached.
fn steps_in(title: &str, extent: usize, layout: &DynLayout) -> Result<Picture, LayoutError> {
    let mut places = vec![(String::new(), None); 2 * extent];
    for coordinate in layout.coords() {
        let number = layout.index(&coordinate);
        let said = &mut places[number];
        said.0 += &format!("{}{coordinate}", if said.0.is_empty() { "" } else { "\n" });
        said.1 = Some(number / extent);
    }
    Picture::places(title, extent, places)
}

/// The entries of a tiler below the modes of a layout: an entry without a mode has a hue of its
/// own.
fn entries_and_modes(modes: &[&str], entries: &[&str]) -> Result<Picture, LayoutError> {
    let columns = modes.len().max(entries.len());
    let row = |items: &[&str], name: &str| -> Vec<_> {
        let place = |k: usize| {
            items.get(k).map_or((String::new(), None), |item| (format!("{name} {item}"), Some(k)))
        };
        (0..columns).map(place).collect()
    };
    let title = format!("{} entries for {} modes", entries.len(), modes.len());
    Picture::places(&title, columns, row(modes, "mode").into_iter().chain(row(entries, "entry")))
}

/// The scales and least numbers of a block of Q4_K, 8 of each, of 6 bits: 12 bytes, the lowest bit
/// first.
fn scales_of_q4_k() -> Result<Picture, LayoutError> {
    let mut bits = vec![(String::new(), None); 96];
    let layouts = [
        ("s", 0, 0, "(4,(4,2)):(1,(8,64))"),
        ("s", 4, 4, "(2,(4,2)):(1,(8,2))"),
        ("m", 0, 32, "(4,(4,2)):(1,(8,36))"),
        ("m", 4, 36, "(2,(4,2)):(1,(8,2))"),
    ];
    for (name, first, at, layout) in layouts {
        let layout: DynLayout = layout.parse()?;
        let width = layout.mode_size(0);
        for i in 0..layout.size() {
            let (bit, number) = (first + i % width, i / width);
            let hue = number + if name == "s" { 0 } else { 9 };
            bits[at + layout.at(i)] = (format!("{name}{number}.{bit}"), Some(hue));
        }
    }
    Picture::places("the scales s and the least numbers m of a block of Q4_K", 8, bits)
}

/// The pictures of `pictures()` and `more_of_the_guide()` that pages of the guide show.
pub fn is_in_the_guide(name: &str) -> bool {
    let pages = include_str!("../../src/guide/mod.rs");
    pages.contains(&format!("\"{name}\"")) || pages.contains(&format!("/{name}.md\""))
}

/// What `![..][name]` of a page stands for where there are no files, which is in the documentation:
/// the picture itself.
pub fn definition(name: &str, svg: &str) -> String {
    let mut definition = format!("[{name}]: data:image/svg+xml,");
    for byte in svg.trim_end().bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b'-'
            | b'.'
            | b','
            | b':'
            | b';'
            | b'/'
            | b'='
            | b'\'' => {
                definition.push(byte.into());
            }
            // A `String` takes whatever is written to it.
            _ => drop(write!(definition, "%{byte:02X}")),
        }
    }
    definition + "\n"
}

#[allow(dead_code, reason = "the test of this example calls the functions above")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (folder, in_pages) = (root.join("pictures"), root.join("src/guide/pictures"));
    std::fs::create_dir_all(&folder)?;
    std::fs::create_dir_all(&in_pages)?;
    for (name, picture) in pictures()?.into_iter().chain(more_of_the_guide()?) {
        let (path, svg) = (folder.join(name).with_extension("svg"), picture.svg());
        std::fs::write(&path, &svg)?;
        println!("{}", path.display());
        if is_in_the_guide(name) {
            std::fs::write(in_pages.join(name).with_extension("md"), definition(name, &svg))?;
        }
    }
    Ok(())
}
