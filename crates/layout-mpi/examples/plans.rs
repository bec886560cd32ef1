//! What planning takes, on paper: time and memory of a rank's plan, for more and more ranks and
//! larger and larger data.
//!
//! ```sh
//! target/release/examples/plans
//! ```

use std::time::Instant;

use layout_algebra::layout;
use layout_mpi::{BlockCyclic, Distribution, Error, Mesh, Plan, Shard};

/// The median time of a plan over some ranks, and the largest one in bytes, transfers and pieces.
fn plan(name: &str, side: usize, size: usize, blocks: [usize; 2]) -> Result<(), Error> {
    let ranks = side * side;
    let (mut seconds, mut most) = (Vec::new(), (0, 0, 0));
    for k in 0..31 {
        let mesh = Mesh::on_paper(ranks, k * (ranks - 1) / 30, layout!((side, side): right))?;
        let placed = |block: usize| {
            Distribution::new(
                &mesh,
                (size, size),
                [0, 1].map(|mode| match block {
                    0 => layout_mpi::Placement::from(Shard(mode)),
                    _ => BlockCyclic(mode, block).into(),
                }),
            )
        };
        let (from, to) = (placed(blocks[0])?, placed(blocks[1])?);
        let start = Instant::now();
        let plan = Plan::new(&from, &to)?;
        seconds.push(start.elapsed().as_secs_f64());
        most = most.max((plan.bytes(), plan.sends().len() + plan.receives().len(), plan.pieces()));
    }
    seconds.sort_by(f64::total_cmp);
    let (bytes, transfers, pieces) = most;
    println!(
        "| {name} | {ranks} | {size} x {size} | {:.3} ms | {bytes} | {transfers} | {pieces} |",
        seconds[seconds.len() / 2] * 1e3
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    println!(
        "| | ranks | elements | a rank's plan | bytes | transfers | pieces \
         |\n|---|---:|---:|---:|---:|---:|---:|"
    );
    for side in [2, 10, 100, 1000] {
        plan("blocks of 64 to 128", side, 1 << 22, [64, 128])?;
    }
    for size in [1 << 12, 1 << 18, 1 << 30] {
        plan("blocks of 64 to 128", 1000, size, [64, 128])?;
    }
    for side in [10, 1000] {
        plan("blocks of 64 to 48", side, 1 << 22, [64, 48])?;
    }
    for side in [10, 1000] {
        plan("a block each to blocks of 4096", side, (1 << 22) + 1, [0, 4096])?;
    }
    Ok(())
}
