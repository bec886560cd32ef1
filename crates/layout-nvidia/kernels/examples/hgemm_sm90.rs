//! `C = A B` of halves with sums in fp32 by `wgmma` and TMA, beside cuBLAS.

mod bench;

use bench::product::{Element, MODELS, OperandMajor, Product, UNTUNED};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::CudaSlice;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{Map, MapElement, MapMut, TensorMap, TileConfig};
use layout_nvidia::launch::{Kernel, Program};
use layout_nvidia_kernels::hgemm_sm90::form::{bf16_narrow, bf16_wide, f16_narrow, f16_wide};
use layout_nvidia_kernels::hgemm_sm90::{Box, Boxes, StagesC, hgemm_sm90};

fn main() -> Outcome {
    println!(
        "hgemm_sm90: boxes of A and B {:#}, parts of C {:#}",
        Boxes::default(),
        StagesC::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("hgemm_sm90")?;
    product::<
        f16,
        hgemm_sm90<f16_wide, 4, 2>,
        hgemm_sm90<f16_narrow, 6, 4>,
        hgemm_sm90<f16_narrow, 6, 1>,
    >(&bench, &program, "hgemm_sm90_f16", 4e-4)?;
    product::<
        bf16,
        hgemm_sm90<bf16_wide, 4, 2>,
        hgemm_sm90<bf16_narrow, 6, 4>,
        hgemm_sm90<bf16_narrow, 6, 1>,
    >(&bench, &program, "hgemm_sm90_bf16", 3e-3)
}

/// The parameters of the kernels.
type Parameters<T> = (u32, u32, u32, u32, Map<T, Box>, Map<T, Box>, MapMut<T, Box>);

/// By the kernels of each config. The results are rounded to halves: `most` is what that explains.
fn product<T, K0, K1, K2>(bench: &Bench, program: &Program, name: &str, most: f64) -> Outcome
where
    T: Element + MapElement,
    K0: Kernel<Parameters = Parameters<T>>,
    K1: Kernel<Parameters = Parameters<T>>,
    K2: Kernel<Parameters = Parameters<T>>,
{
    println!("{name}: {} bytes of shared memory", K0::SHARED);
    let processors = bench.processors()? as usize;
    let mut sizes = vec![(256, 256, 192), (512, 768, 64), (264, 520, 200), (1, 520, 72)];
    if !bench.check {
        sizes.extend([(2048, 1024, 1024), (4096, 4096, 4096), (8192, 8192, 8192)]);
        sizes.extend(MODELS);
        sizes.extend(UNTUNED);
    }
    for (m, n, k) in sizes.into_iter().filter(|size| bench.wants(*size)) {
        // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of
        // B and A.
        let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
        let halves =
            |count, seed| -> Vec<T> { numbers(count, seed).into_iter().map(T::of).collect() };
        let (x, y) = (halves(m * k, 5), halves(n * k, 6));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let poison = vec![T::of(f32::NAN); m * n];
        let mut c = bench.upload(&poison)?;
        let stream = &bench.stream;
        let ma = TensorMap::<T, Box>::new(stream, &a, &layout!((m, k):(k, 1)).to_dynamic())?;
        let mb = TensorMap::<T, Box>::new(stream, &b, &layout!((n, k):(k, 1)).to_dynamic())?;
        let of_c = layout!((m, n):(n, 1)).to_dynamic();
        // SAFETY: the maps are those of the matrices.
        let kernels = unsafe {
            [
                bench.dependent_launch::<K0>(program)?,
                bench.dependent_launch::<K1>(program)?,
                bench.dependent_launch::<K2>(program)?,
            ]
        };
        let go = |i: usize, c: &mut CudaSlice<T>| {
            let mut mc = TensorMap::<T, Box>::new(stream, c, &of_c)?;
            let config = TileConfig::ALL[i];
            let (rows, columns, clusters) = config.launch_sizes(m, n, processors);
            let depth = k.div_ceil(64) as u32;
            kernels[i](
                clusters as usize * config.blocks,
                &mut (rows, columns, depth, clusters, &ma, &mb, &mut mc),
            )
        };
        let large = m * n * k >= 1 << 26;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        // All are checked, the one that the rule takes last, which is measured.
        let chosen = TileConfig::fastest_for(m, n, processors);
        let mut error = 0.0;
        for i in (0..TileConfig::ALL.len()).filter(|i| *i != chosen).chain([chosen]) {
            go(i, &mut c)?;
            let computed = bench.download(&c)?;
            error = relative(computed.iter().map(|x| x.exact()), exact.iter().copied());
            println!("{name} {m} x {n} x {k}, {:?}: the error is {error:.1e}", TileConfig::ALL[i]);
            accept(name, error, most)?;
            bench.stream.memcpy_htod(&poison, &mut c)?;
        }
        let (Some(blas), false) = (blas, bench.check) else { continue };
        let mut other = bench.upload(&poison)?;
        let [ours, theirs] = bench.time([&mut || go(chosen, &mut c), &mut || {
            product.cublas(bench, &blas, &b, &a, &mut other)
        }])?;
        let (shape, peers) = (format!("{m} x {n} x {k}"), [("cuBLAS", theirs)]);
        bench.report(name, &shape, Work::Flops(product.flops()), error, ours, &peers)?;
    }
    Ok(())
}
