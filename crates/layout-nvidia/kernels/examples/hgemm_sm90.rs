//! `C = A B` of halves with sums in fp32 by `wgmma` and TMA, beside cuBLAS.

mod bench;

use bench::product::{Element, Lies, MODELS, Product, UNTUNED};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{MapElement, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::hgemm_sm90::{Box, BoxC, StagesA, StagesB, StagesC, hgemm_sm90, is_narrow, narrow, wide};

fn main() -> Outcome {
    println!(
        "hgemm_sm90: stages of A {:#}, of B {:#}, parts of C {:#}",
        StagesA::default(),
        StagesB::default(),
        StagesC::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("hgemm_sm90")?;
    product::<f16, hgemm_sm90<f16, wide>, hgemm_sm90<f16, narrow>>(&bench, &program, "hgemm_sm90_f16", 4e-4)?;
    product::<bf16, hgemm_sm90<bf16, wide>, hgemm_sm90<bf16, narrow>>(&bench, &program, "hgemm_sm90_bf16", 3e-3)
}

/// The parameters of the kernels.
type Parameters<T> =
    (u32, u32, u32, u32, *const TensorMap<T, Box>, *const TensorMap<T, Box>, *const TensorMap<T, BoxC>);

/// By the kernel of wide and that of narrow tiles. The results are rounded to halves: `most` is what that explains.
fn product<T, W, N>(bench: &Bench, program: &Program, name: &str, most: f64) -> Outcome
where
    T: Element + MapElement,
    W: Kernel<Parameters = Parameters<T>>,
    N: Kernel<Parameters = Parameters<T>>,
{
    let (by_wide, by_narrow) = (program.kernel::<W>()?, program.kernel::<N>()?);
    println!("{name}: {} registers, {} bytes of shared memory", by_wide.registers()?, W::SHARED);
    let processors = bench.processors()?;
    let mut sizes = vec![(256, 256, 192), (512, 768, 64), (264, 520, 200), (1, 520, 72)];
    if !bench.check {
        sizes.extend([(2048, 1024, 1024), (4096, 4096, 4096), (8192, 8192, 8192)]);
        sizes.extend(MODELS);
        sizes.extend(UNTUNED);
    }
    for (m, n, k) in sizes.into_iter().filter(|size| bench.wants(*size)) {
        // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of B and A.
        let product = Product { m: n, n: m, k, a: Lies::Last, b: Lies::Last };
        let halves = |count, seed| -> Vec<T> { numbers(count, seed).into_iter().map(T::of).collect() };
        let (x, y) = (halves(m * k, 5), halves(n * k, 6));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let poison = vec![T::of(f32::NAN); m * n];
        let mut c = bench.upload(&poison)?;
        let stream = &bench.stream;
        let ma = TensorMap::<T, Box>::new(stream, &a, &layout!((m, k):(k, 1)).to_dynamic())?.upload(stream)?;
        let mb = TensorMap::<T, Box>::new(stream, &b, &layout!((n, k):(k, 1)).to_dynamic())?.upload(stream)?;
        let mc = TensorMap::<T, BoxC>::new(stream, &c, &layout!((m, n):(n, 1)).to_dynamic())?.upload(stream)?;
        let go = |narrow: bool| {
            let (rows, columns) = (m.div_ceil(256) as u32, n.div_ceil(if narrow { 128 } else { 256 }) as u32);
            let clusters = (rows * columns).min(processors / 2);
            let (blocks, sizes) = (2 * clusters as usize, (rows, columns, k.div_ceil(64) as u32, clusters));
            let arguments = (sizes.0, sizes.1, sizes.2, sizes.3, &ma, &mb, &mc);
            // SAFETY: the maps are those of the matrices.
            unsafe {
                match narrow {
                    true => by_narrow.launch(stream, &Launch::of::<N>().blocks(blocks), arguments)?,
                    false => by_wide.launch(stream, &Launch::of::<W>().blocks(blocks), arguments)?,
                }
            }
            Ok(())
        };
        let large = m * n * k >= 1 << 26;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        // Both are checked, and the one that the rule takes is measured.
        let chosen = is_narrow(m, n, processors as usize);
        let mut error = 0.0;
        for narrow in [!chosen, chosen] {
            go(narrow)?;
            let computed = bench.download(&c)?;
            error = relative(computed.iter().map(|x| x.exact()), exact.iter().copied());
            println!("{name} {m} x {n} x {k}, {}: the error is {error:.1e}", if narrow { N::NAME } else { W::NAME });
            accept(name, error, most)?;
            bench.stream.memcpy_htod(&poison, &mut c)?;
        }
        let (Some(blas), false) = (blas, bench.check) else { continue };
        let mut other = bench.upload(&poison)?;
        let [ours, theirs] =
            bench.time([&mut || go(chosen), &mut || product.cublas(bench, &blas, &b, &a, &mut other)])?;
        let (shape, peers) = (format!("{m} x {n} x {k}"), [("cuBLAS", theirs)]);
        bench.report(name, &shape, Work::Flops(product.flops()), error, ours, &peers)?;
    }
    Ok(())
}
