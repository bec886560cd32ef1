//! From `index` to `wgmma`: the six steps to `hgemm_sm90`, each held against float64, and timed in
//! turns with the others and with cuBLAS.

mod bench;

use bench::product::{Element, OperandMajor, Product};
use bench::{Bench, Outcome, Time, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::sys::CUdevice_attribute;
use half::f16;
use layout_algebra::prelude::*;
use layout_nvidia::hopper::TensorMap;
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::hgemm_sm90::form::f16_wide;
use layout_nvidia_kernels::hgemm_sm90::{Box, hgemm_sm90};
use layout_nvidia_kernels::steps::{
    BoxB, Tile, TileC, step_1_index, step_2_tiles, step_3_wgmma, step_4_tma, step_5_ring,
};

/// The results are rounded to halves: so much is explained by it.
const MOST: f64 = 4e-4;

fn main() -> Outcome {
    let bench = Bench::new()?;
    let (steps, last) = (bench.program("steps")?, bench.program("hgemm_sm90")?);
    let mut sizes = vec![(128, 256, 64), (256, 512, 192), (384, 768, 320)];
    if !bench.check {
        sizes.push((4096, 4096, 4096));
    }
    sizes.into_iter().try_for_each(|sizes| climb(&bench, &steps, &last, sizes))
}

#[expect(clippy::unit_arg, reason = "six launches, each a line")]
fn climb(
    bench: &Bench,
    steps: &Program,
    last: &Program,
    (m, n, k): (usize, usize, usize),
) -> Outcome {
    // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of B
    // and A.
    let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
    let halves =
        |count, seed| -> Vec<f16> { numbers(count, seed).into_iter().map(f16::of).collect() };
    let (x, y) = (halves(m * k, 5), halves(n * k, 6));
    let (stream, a, b) = (&bench.stream, bench.upload(&x)?, bench.upload(&y)?);
    let blas = if m * n * k > 1 << 28 { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
    let exact = match &blas {
        Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
        None => product.exact(&y, &x),
    };

    let nothing = vec![f16::NAN; m * n];
    let (mut c1, mut c2, mut c3) =
        (bench.upload(&nothing)?, bench.upload(&nothing)?, bench.upload(&nothing)?);
    let (mut c4, mut c5, mut c6) =
        (bench.upload(&nothing)?, bench.upload(&nothing)?, bench.upload(&nothing)?);
    let (of_a, of_b) = (layout!((m, k):(k, 1)).to_dynamic(), layout!((n, k):(k, 1)).to_dynamic());
    let map_a = TensorMap::<f16, Tile>::new(stream, &a, &of_a)?;
    let map_b = TensorMap::<f16, Tile>::new(stream, &b, &of_b)?;
    let wide_b = TensorMap::<f16, BoxB>::new(stream, &b, &of_b)?;
    let box_a = TensorMap::<f16, Box>::new(stream, &a, &of_a)?;
    let box_b = TensorMap::<f16, Box>::new(stream, &b, &of_b)?;
    let mut map_c =
        TensorMap::<f16, Box>::new(stream, &mut c6, &layout!((m, n):(n, 1)).to_dynamic())?;

    // A block for each tile; those that follow one another are side by side along the rows of C.
    let (over, sizes) =
        (layout!((n, m)).to_dynamic(), (u32::try_from(m)?, u32::try_from(n)?, u32::try_from(k)?));
    let (rows, columns, depth) = sizes;
    let l1 = Launch::of_kernel::<step_1_index>().over_tiles(&over, tiler!(16, 16))?;
    let l2 = Launch::of_kernel::<step_2_tiles>().over_tiles(&over, TileC::default())?;
    let l3 = Launch::of_kernel::<step_3_wgmma>().over_tiles(&over, TileC::default())?;
    let l4 = Launch::of_kernel::<step_4_tma>().over_tiles(&over, TileC::default())?;
    let l5 = Launch::of_kernel::<step_5_ring>().over_tiles(&over, tiler!(256, 128))?;
    let processors =
        bench.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let tiles = (rows.div_ceil(256), columns.div_ceil(256));
    let clusters = (tiles.0 * tiles.1).min(processors.unsigned_abs() / 2);
    let l6 = Launch::of_kernel::<hgemm_sm90<f16_wide, 4, 2>>().with_blocks(2 * clusters as usize);
    let (k1, k2) = (steps.get_kernel::<step_1_index>()?, steps.get_kernel::<step_2_tiles>()?);
    let (k3, k4) = (steps.get_kernel::<step_3_wgmma>()?, steps.get_kernel::<step_4_tma>()?);
    let (k5, k6) =
        (steps.get_kernel::<step_5_ring>()?, last.get_kernel::<hgemm_sm90<f16_wide, 4, 2>>()?);
    // SAFETY: the matrices have these sizes, and the maps are theirs.
    let mut go1 =
        || Ok(unsafe { k1.launch(stream, &l1, (rows, columns, depth, &a, &b, &mut c1))? });
    // SAFETY: as above.
    let mut go2 =
        || Ok(unsafe { k2.launch(stream, &l2, (rows, columns, depth, &a, &b, &mut c2))? });
    // SAFETY: as above.
    let mut go3 =
        || Ok(unsafe { k3.launch(stream, &l3, (rows, columns, depth, &a, &b, &mut c3))? });
    // SAFETY: as above.
    let mut go4 =
        || Ok(unsafe { k4.launch(stream, &l4, (rows, columns, depth, &map_a, &map_b, &mut c4))? });
    // SAFETY: as above.
    let mut go5 =
        || Ok(unsafe { k5.launch(stream, &l5, (rows, columns, depth, &map_a, &wide_b, &mut c5))? });
    let (tiles_m, tiles_n) = tiles;
    // SAFETY: as above.
    let mut go6 = || {
        let arguments =
            (tiles_m, tiles_n, depth.div_ceil(64), clusters, &box_a, &box_b, &mut map_c);
        Ok(unsafe { k6.launch(stream, &l6, arguments)? })
    };
    go1()?;
    go2()?;
    go3()?;
    go4()?;
    go5()?;
    go6()?;
    let times: Option<[Time; 7]> = match &blas {
        Some(blas) => {
            let mut other = bench.upload(&nothing)?;
            let mut peer = || product.cublas(bench, blas, &b, &a, &mut other);
            let all = [
                &mut go1 as &mut dyn FnMut() -> Outcome,
                &mut go2,
                &mut go3,
                &mut go4,
                &mut go5,
                &mut go6,
            ];
            let [one, two, three, four, five, six] = all;
            Some(bench.time([one, two, three, four, five, six, &mut peer])?)
        }
        None => None,
    };

    let names = [
        step_1_index::NAME,
        step_2_tiles::NAME,
        step_3_wgmma::NAME,
        step_4_tma::NAME,
        step_5_ring::NAME,
        "step_6_hgemm_sm90",
    ];
    for (i, (name, c)) in names.into_iter().zip([&c1, &c2, &c3, &c4, &c5, &c6]).enumerate() {
        let error = relative(bench.download(c)?.iter().map(|x| x.exact()), exact.iter().copied());
        println!("{name} {m} x {n} x {k}: the error is {error:.1e}");
        accept(name, error, MOST)?;
        if let Some(times) = &times {
            let shape = format!("{m} x {n} x {k}");
            bench.report(
                name,
                &shape,
                Work::Flops(product.flops()),
                error,
                times[i],
                &[("cuBLAS", times[6])],
            )?;
        }
    }
    Ok(())
}
