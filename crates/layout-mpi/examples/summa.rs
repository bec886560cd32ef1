//! C = A * B on a mesh, panel by panel: the ranks of a row are sent a panel of A, those of a column
//! a panel of B, and each multiplies them by the library's example of a product. Beside ScaLAPACK's
//! `pdgemm` where that is there.
//!
//! ```sh
//! mpirun -n 4 target/release/examples/summa [size] [rounds] [panel]
//! ```
//!
//! The last line is `ratio R`: the time of `pdgemm` divided by ours, the median over the rounds.
//! ScaLAPACK's product is that of the system's BLAS: Debian's reference one is slow,
//! `-x LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu/openblas-serial` puts OpenBLAS
//! (`libopenblas0-serial`) in its place.
#![allow(
    clippy::incompatible_msrv,
    reason = "the product uses registers that newer compilers have"
)]

use layout_algebra::prelude::*;
use layout_mpi::{DistributedTensor, Distribution, Mesh, MeshCommunicators, Shard, abort_on_panic};
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::*;

#[allow(
    dead_code,
    reason = "the example `gemm` uses all of it, and this one its product of two matrices"
)]
#[path = "../../../examples/gemm/product/mod.rs"]
mod product;
#[allow(dead_code, reason = "`redistribute` calls the copy, and this example the product")]
mod scalapack;
mod side_by_side;

use product::tiles::{Matrix, dynamic};
use product::{Blocking, InstructionSet, Workspace, add_product, product};
use scalapack::Scalapack;
use side_by_side::{Race, argument, on_all, say};

/// What the product takes besides matrices.
struct Summa {
    rows: SimpleCommunicator,
    columns: SimpleCommunicator,
    at: [usize; 2],
    panel: usize,
    set: InstructionSet,
    blocking: Blocking,
    workspace: Workspace<f64>,
    panels: [Vec<f64>; 2],
}

impl Summa {
    fn new(
        world: &SimpleCommunicator,
        mesh: &Mesh,
        panel: usize,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let set = InstructionSet::available().next().ok_or("the portable one is there")?;
        let [row, column] = mesh.coordinates().ok_or("all ranks are in the mesh")?[..] else {
            return Err("2".into());
        };
        Ok(Summa {
            // A panel of A goes along the columns of the mesh, to the ranks of a row.
            rows: mesh.group(world, "columns")?.ok_or("all ranks are in the mesh")?,
            columns: mesh.group(world, "rows")?.ok_or("all ranks are in the mesh")?,
            at: [row, column],
            panel,
            set,
            blocking: Blocking::of::<f64>(set),
            workspace: Workspace::default(),
            panels: [Vec::new(), Vec::new()],
        })
    }

    /// C = A * B.
    fn run(
        &mut self,
        a: &DistributedTensor<f64>,
        b: &DistributedTensor<f64>,
        c: &mut DistributedTensor<f64>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let depth = a.distribution().shape()[1];
        let (of_a, of_b) = (a.local(), b.local());
        let mut to = c.local_mut();
        let [m, n] = to.shape().leaves()[..] else { return Err("a matrix has two modes".into()) };
        let mut k = 0;
        while k < depth {
            // Who has column k of A and row k of B, and how far those go on there.
            let [(in_row, ka, left_a), (in_column, kb, left_b)] =
                [(a, 1), (b, 0)].map(|(matrix, mode)| owner(matrix.distribution(), mode, k));
            let alone = [self.rows.size(), self.columns.size()].map(|size| size == 1);
            let width = if alone == [true; 2] {
                left_a.min(left_b)
            } else {
                self.panel.min(left_a).min(left_b)
            };
            self.panels[0].resize(if alone[0] { 0 } else { m * width }, 0.0);
            self.panels[1].resize(if alone[1] { 0 } else { width * n }, 0.0);
            let (la, lb) = (layout!((m, width):(1, m)), layout!((width, n):(1, width)));
            let [panel_a, panel_b] = &mut self.panels;
            // What nobody else takes is read where it lies.
            let a = if alone[0] {
                in_place(&of_a, [0, ka], [m, width])?
            } else {
                if self.at[1] == in_row {
                    let tile = of_a.slice((.., ka..ka + width));
                    Tensor::new(&mut panel_a[..], DynLayout::from(la))?.copy_from(&tile)?;
                }
                self.rows.process_at_rank(in_row as i32).broadcast_into(&mut panel_a[..]);
                (&panel_a[..], dynamic(la))
            };
            let b = if alone[1] {
                in_place(&of_b, [kb, 0], [width, n])?
            } else {
                if self.at[0] == in_column {
                    let tile = of_b.slice((kb..kb + width, ..));
                    Tensor::new(&mut panel_b[..], DynLayout::from(lb))?.copy_from(&tile)?;
                }
                self.columns.process_at_rank(in_column as i32).broadcast_into(&mut panel_b[..]);
                (&panel_b[..], dynamic(lb))
            };
            let out = to.as_mut_slice().ok_or("a part is compact")?;
            let c = (out, dynamic(layout!((m, n):(1, m))));
            match k {
                0 => product(self.set, self.blocking, &mut self.workspace, a, b, c),
                _ => add_product(self.set, self.blocking, &mut self.workspace, a, b, c),
            }
            k += width;
        }
        Ok(())
    }
}

/// Some of a part, as the matrix that it is in memory.
fn in_place<'a>(
    part: &Tensor<&'a [f64], DynLayout>,
    at: [usize; 2],
    shape: [usize; 2],
) -> Result<(&'a [f64], Matrix), Box<dyn std::error::Error>> {
    let layout = part.layout();
    let [down, across] = layout.stride().leaves()[..] else {
        return Err("a matrix has two modes".into());
    };
    let (first, [m, n]) = (at[0] * down + at[1] * across, shape);
    let elements = part.clone().into_storage().get(first..).unwrap_or_default();
    Ok((elements, layout!((m, n):(down, across))))
}

/// Which coordinate of the mesh owns index `k` of a mode, as which local index, and how many are
/// there from it on without a gap.
fn owner(distribution: &Distribution, mode: usize, k: usize) -> (usize, usize, usize) {
    let mut at = [0, 0];
    let place = |at: &[usize; 2]| {
        let (rank, local) = distribution.owner_of(at).expect("an index of the matrix");
        let coordinate = distribution.mesh().coordinates_of(rank).expect("a rank of the mesh");
        (coordinate[mode], local[mode])
    };
    at[mode] = k;
    let (coordinate, local) = place(&at);
    let end = distribution.shape()[mode];
    let goes_on = (k + 1..end).take_while(|&next| {
        at[mode] = next;
        place(&at) == (coordinate, local + next - k)
    });
    (coordinate, local, 1 + goes_on.count())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let universe = mpi::initialize().ok_or("MPI does not start")?;
    let world = universe.world();
    abort_on_panic(&world);
    let (size, rounds, panel) = (argument(1, 1024), argument(2, 5), argument(3, 512));
    let ranks = world.size() as usize;
    let high = (1..=ranks).rfind(|rows| ranks % rows == 0 && rows * rows <= ranks).unwrap_or(1);
    let grid = [high, ranks / high];
    let [rows, columns] = grid;
    let mesh = Mesh::new(&world, layout!((rows, columns): right))?.named(["rows", "columns"])?;
    let placed = Distribution::new(&mesh, (size, size), [Shard("rows"), Shard("columns")])?;
    // Small whole numbers: every sum is exact.
    let (of_a, of_b) = (
        |i: usize, k: usize| ((i * 3 + k) % 7) as f64,
        |k: usize, j: usize| ((k + 5 * j) % 11) as f64,
    );
    let a = DistributedTensor::from_fn(&placed, |at| of_a(at[0], at[1]));
    let b = DistributedTensor::from_fn(&placed, |at| of_b(at[0], at[1]));
    let mut c = DistributedTensor::from_fn(&placed, |_| -1.0);
    let mut summa = Summa::new(&world, &mesh, panel)?;
    let mut ours = || summa.run(&a, &b, &mut c).expect("sizes that fit");

    let gigaflop = 2.0 * (size as f64).powi(3) / 1e9;
    let text = |seconds: f64| format!("{:.2} GFLOP/s", gigaflop / seconds);
    let name =
        format!("{size} x {size} x {size} on a mesh of {rows} x {columns}, panels of {panel}");
    let peer = Scalapack::load();
    let (seconds, race) = match &peer {
        None => (Race::of_all_ranks(&world, rounds, [&mut ours]).medians()[0], None),
        Some(peer) => {
            // The same distribution: one block for each process, and none larger than it is.
            let block = [size.div_ceil(rows), size.div_ceil(columns)];
            let matrix = peer.matrix([size; 2], block, grid);
            let mut result = vec![0.0; a.local().size()];
            let (left, right) = (a.local().into_storage(), b.local().into_storage());
            let out = &mut result[..];
            let mut theirs = || peer.multiply(left, &matrix, right, &matrix, out, &matrix);
            let race = Race::of_all_ranks(&world, rounds, [&mut ours, &mut theirs]);
            assert!(
                on_all(&world, c.local().as_slice() == Some(&result[..])),
                "the same as pdgemm's"
            );
            (race.medians()[0], Some(race))
        }
    };
    // Some elements of each part, by their definition.
    let local = c.local();
    let [m, n] = placed.local_shape()[..] else { return Err("a matrix has two modes".into()) };
    let right = (0..(m * n).min(997)).all(|t| {
        let at = [t * 31 % m, t * 17 % n];
        let global = placed.global_of(&at).expect("an element").expect("in the mesh");
        let sum: f64 = (0..size).map(|k| of_a(global[0], k) * of_b(k, global[1])).sum();
        local[at] == sum
    });
    assert!(on_all(&world, right), "the product");
    match race {
        None => {
            say(&world, &format!("{name}: {}\nno ratio: ScaLAPACK is not there", text(seconds)))
        }
        Some(race) => {
            let (theirs, ratio) = (text(race.medians()[1]), race.ratio(1, 0));
            say(&world, &format!("{name}: {}, pdgemm {theirs}; {ratio} times", text(seconds)));
            say(&world, &format!("ratio {:.2}", ratio.of));
        }
    }
    Ok(())
}
