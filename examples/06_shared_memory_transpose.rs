//! A transpose through shared memory. A block of 256 threads reads a tile of 32x32 floats by rows
//! from global memory, writes it to shared memory by rows, reads it there by columns, and writes it
//! by rows again. How shared memory is laid out decides what that costs: as it comes, the reads of
//! a column all meet in one bank; padding moves each row one bank on, and takes memory; a swizzle
//! moves it within the tile, and takes none. Both break up the 128 bits that a thread could write
//! at once; the search for the widest vectors keeps them together, and pays with conflicts on the
//! other side. All numbers are known at compile time: the claims at the end would not compile if
//! they did not hold.
//!
//! `cargo run --example 06_shared_memory_transpose`

use layout_algebra::analysis::{
    BankConflicts, BestSwizzle, SharedAccess, WarpAccess, bank_conflicts, best_swizzle, gaps,
    vector_width,
};
use layout_algebra::prelude::*;

// Three layouts of 32 rows of 32 floats, and one that a search finds.
type Naive = Layout!((32, 32):(32, 1));
type Padded = Layout!((32, 32):(33, 1));
type Swizzled = ComposedLayout<Swizzle<5, 0, 5>, Int<0>, Naive>;
const BEST: BestSwizzle = best_swizzle::<Naive, ByRows, ByColumns>(32);
const P: (u32, u32, i32) = BEST.swizzle.parameters();
type Best = ComposedLayout<Swizzle<{ P.0 }, { P.1 }, { P.2 }>, Int<0>, Naive>;

// Who has what: (thread, value) to the number of an element, `row + 32 * column`. A thread writes 4
// neighbours of a row, at once if the layout allows it. A warp reads 4 columns, one after the
// other: thread `i` has row `i`.
type ByRows = Layout!(((8, 32), 4):((128, 1), 32));
type ByColumns = Layout!(((32, 8), 4):((1, 32), 256));

/// What an access to a layout costs, by the widest vectors that it allows.
fn cost(smem: &impl ToFlat, threads: &impl ToFlat) -> (usize, BankConflicts) {
    let (smem, threads) = (FlatLayout::of(smem), FlatLayout::of(threads));
    let width = smem.vector_width(&threads, 32, 16);
    (width, WarpAccess::new(&threads, 32, width).bank_conflicts(&smem))
}

fn row<Smem: StaticLayout + ToFlat>(name: &str, bytes: usize) {
    let smem = Smem::default();
    let ((write_bits, write), (read_bits, read)) =
        (cost(&smem, &ByRows::default()), cost(&smem, &ByColumns::default()));
    println!(
        "{name:<10} {bytes:>6} {:>5} | {write_bits:>5} {:>9} {:>4} {:>9} | {read_bits:>5} {:>9} {:>4} {:>9}",
        gaps::<Smem>(),
        write.instructions,
        write.ways,
        write.conflicts,
        read.instructions,
        read.ways,
        read.conflicts,
    );
}

fn main() {
    println!("                        | writes of rows                 | reads of columns");
    println!(
        "layout      bytes  gaps |  bits accesses  ways conflicts |  bits accesses  ways conflicts"
    );
    row::<Naive>("naive", 4 * Naive::COSIZE);
    row::<Padded>("padded", 4 * Padded::COSIZE);
    row::<Swizzled>("swizzled", 4 * Swizzled::COSIZE);
    row::<Best>("best", 4 * Best::COSIZE);
    println!();
    println!("swizzled: {:#}", Swizzled::default());
    println!("best:     {:#}, which keeps 4 floats together", Best::default());

    // The same as claims that the compiler checks.
    const _: () = assert!(bank_conflicts::<Swizzled, SharedAccess<ByColumns, 32, 32>>() == 0);
    const _: () = assert!(bank_conflicts::<Swizzled, SharedAccess<ByRows, 32, 32>>() == 0);
    const _: () = assert!(vector_width::<Best, ByRows>(32, 16) == 128);
}
