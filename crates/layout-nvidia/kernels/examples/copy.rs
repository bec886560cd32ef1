//! `to = from`, beside the driver's own copy.

mod bench;

use bench::{Bench, Outcome, Work, accept, numbers};
use layout_algebra::prelude::*;
use layout_nvidia::launch::Launch;
use layout_nvidia_kernels::copy::{Threads, Tile, Values, copy_tiles};

fn main() -> Outcome {
    println!(
        "copy: tiles {:#}, threads {:#}, values {:#}",
        Tile::default(),
        Threads::default(),
        Values::default()
    );
    let bench = Bench::new()?;
    let kernel = bench.program("copy")?.get_kernel::<copy_tiles>()?;
    let (m, n) = if bench.check { (256, 192) } else { (16384, 16384) };
    let launch = Launch::of_kernel::<copy_tiles>()
        .over_tiles(&layout!((m, n)).to_dynamic(), Tile::default())?;
    println!("grid {:?}, {} threads", launch.grid_blocks(), launch.block_threads());

    let numbers = numbers(m * n, 1);
    let from = bench.upload(&numbers)?;
    let mut to = bench.upload(&vec![f32::NAN; m * n])?;
    let arguments = (u32::try_from(m)?, u32::try_from(n)?);
    // SAFETY: both matrices have m n elements, and the driver's memory begins at multiples of 256.
    unsafe { kernel.launch(&bench.stream, &launch, (arguments.0, arguments.1, &from, &mut to))? };
    let wrong = bench.download(&to)?.iter().zip(&numbers).filter(|(x, y)| x != y).count();
    accept("copy_tiles", wrong as f64, 0.0)?;
    println!("all {} numbers are there", m * n);
    if bench.check {
        return Ok(());
    }

    let mut other = bench.upload(&vec![f32::NAN; m * n])?;
    let [ours, driver] = bench.time([
        // SAFETY: as above.
        &mut || unsafe {
            kernel
                .launch(&bench.stream, &launch, (arguments.0, arguments.1, &from, &mut to))
                .map_err(Into::into)
        },
        &mut || Ok(bench.stream.memcpy_dtod(&from, &mut other)?),
    ])?;
    bench.report(
        "copy_tiles",
        &format!("{m} x {n}"),
        Work::Bytes(2 * 4 * m * n),
        0.0,
        ours,
        &[("the driver's copy", driver)],
    )
}
