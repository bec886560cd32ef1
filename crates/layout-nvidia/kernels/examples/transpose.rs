//! `to = transpose of from`, beside the driver's own copy of as many bytes.

mod bench;

use bench::{Bench, Outcome, Work, accept, numbers};
use layout_algebra::prelude::*;
use layout_nvidia::launch::Launch;
use layout_nvidia_kernels::transpose::{Columns, Rows, Staged, Threads, Tile, transpose_tiles};

fn main() -> Outcome {
    println!(
        "transpose: tiles {:#}, threads {:#}, values {:#} read and {:#} written, shared memory \
         {:#}",
        Tile::default(),
        Threads::default(),
        Columns::default(),
        Rows::default(),
        Staged::default()
    );
    let bench = Bench::new()?;
    let kernel = bench.program("transpose")?.get_kernel::<transpose_tiles>()?;
    let (m, n) = if bench.check { (256, 192) } else { (16384, 8192) };
    let launch = Launch::of_kernel::<transpose_tiles>()
        .over_tiles(&layout!((m, n)).to_dynamic(), Tile::default())?;
    println!(
        "grid {:?}, {} threads, {} bytes of shared memory",
        launch.grid_blocks(),
        launch.block_threads(),
        launch.shared_bytes()
    );

    let numbers = numbers(m * n, 2);
    let from = bench.upload(&numbers)?;
    let mut to = bench.upload(&vec![f32::NAN; m * n])?;
    let (rows, columns) = (u32::try_from(m)?, u32::try_from(n)?);
    // SAFETY: both matrices have m n elements, and the driver's memory begins at multiples of 256.
    unsafe { kernel.launch(&bench.stream, &launch, (rows, columns, &from, &mut to))? };
    let transposed = bench.download(&to)?;
    let (from_layout, to_layout) = (layout!((m, n)), layout!((n, m)));
    let right = |i, j| transposed[to_layout.index((j, i))] == numbers[from_layout.index((i, j))];
    let wrong = (0..n).map(|j| (0..m).filter(|&i| !right(i, j)).count()).sum::<usize>();
    accept("transpose_tiles", wrong as f64, 0.0)?;
    println!("all {} numbers are where they belong", m * n);
    if bench.check {
        return Ok(());
    }

    let mut other = bench.upload(&vec![f32::NAN; m * n])?;
    let [ours, driver] = bench.time([
        // SAFETY: as above.
        &mut || unsafe {
            kernel
                .launch(&bench.stream, &launch, (rows, columns, &from, &mut to))
                .map_err(Into::into)
        },
        &mut || Ok(bench.stream.memcpy_dtod(&from, &mut other)?),
    ])?;
    let work = Work::Bytes(2 * 4 * m * n);
    bench.report(
        "transpose_tiles",
        &format!("{m} x {n}"),
        work,
        0.0,
        ours,
        &[("the driver's copy", driver)],
    )
}
