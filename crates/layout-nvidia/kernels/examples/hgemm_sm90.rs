//! `C = A B` of halves with sums in fp32 by `wgmma` and TMA, beside cuBLAS.

mod bench;

use bench::product::{Element, Lies, MODELS, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{MapElement, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::hgemm_sm90::{Box, BoxC, StagesA, StagesB, StagesC, hgemm_sm90};

fn main() -> Outcome {
    println!(
        "hgemm_sm90: stages of A {:#}, of B {:#}, parts of C {:#}",
        StagesA::default(),
        StagesB::default(),
        StagesC::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("hgemm_sm90")?;
    product::<f16, hgemm_sm90<f16>>(&bench, &program, 4e-4)?;
    product::<bf16, hgemm_sm90<bf16>>(&bench, &program, 3e-3)
}

/// The results are rounded to halves: `most` is what that explains.
fn product<T: Element + MapElement, K>(bench: &Bench, program: &Program, most: f64) -> Outcome
where
    K: Kernel<
        Parameters = (
            u32,
            u32,
            u32,
            u32,
            *const TensorMap<T, Box>,
            *const TensorMap<T, Box>,
            *const TensorMap<T, BoxC>,
        ),
    >,
{
    let kernel = program.kernel::<K>()?;
    println!("{}: {} registers, {} bytes of shared memory", K::NAME, kernel.registers()?, K::SHARED);
    let mut sizes = vec![(256, 256, 192), (512, 768, 64), (264, 520, 200), (2048, 1024, 1024)];
    if !bench.check {
        sizes.extend([(4096, 4096, 4096), (8192, 8192, 8192)]);
        sizes.extend(MODELS);
    }
    for (m, n, k) in sizes {
        // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of B and A.
        let product = Product { m: n, n: m, k, a: Lies::Last, b: Lies::Last };
        let halves = |count, seed| -> Vec<T> { numbers(count, seed).into_iter().map(T::of).collect() };
        let (x, y) = (halves(m * k, 5), halves(n * k, 6));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let c = bench.upload(&vec![T::of(f32::NAN); m * n])?;
        let stream = &bench.stream;
        let ma = TensorMap::<T, Box>::new(stream, &a, &layout!((m, k):(k, 1)).to_dynamic())?.upload(stream)?;
        let mb = TensorMap::<T, Box>::new(stream, &b, &layout!((n, k):(k, 1)).to_dynamic())?.upload(stream)?;
        let mc = TensorMap::<T, BoxC>::new(stream, &c, &layout!((m, n):(n, 1)).to_dynamic())?.upload(stream)?;
        let tiles = (u32::try_from(m.div_ceil(256))?, u32::try_from(n.div_ceil(256))?);
        let clusters = (tiles.0 * tiles.1).min(bench.processors()? / 2);
        let launch = Launch::of::<K>().blocks(2 * clusters as usize);
        let depth = u32::try_from(k.div_ceil(64))?;
        // SAFETY: the maps are those of the matrices.
        let go = || Ok(unsafe { kernel.launch(stream, &launch, (tiles.0, tiles.1, depth, clusters, &ma, &mb, &mc))? });
        go()?;
        let computed = bench.download(&c)?;
        let large = m * n * k > 1 << 28;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        let error = relative(computed.iter().map(|x| x.exact()), exact.into_iter());
        println!("{} {m} x {n} x {k}: the error is {error:.1e}", K::NAME);
        accept(K::NAME, error, most)?;
        let Some(blas) = blas else { continue };
        if bench.check {
            continue;
        }
        let mut other = bench.upload(&vec![T::of(f32::NAN); m * n])?;
        let [ours, theirs] = bench.time([&mut || go(), &mut || product.cublas(bench, &blas, &b, &a, &mut other)])?;
        let shape = format!("{m} x {n} x {k}");
        bench.report(K::NAME, &shape, Work::Flops(product.flops()), error, ours, &[("cuBLAS", theirs)])?;
    }
    Ok(())
}
