//! `C = s A B` of floats of 8 bits by `wgmma` and TMA, beside cuBLASLt.

mod bench;

use bench::lt::Lt;
use bench::product::{Element, MODELS, OperandMajor, Product, UNTUNED};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::CudaSlice;
use half::bf16;
use layout_algebra::prelude::*;
use layout_nvidia::element::{E4m3, E5m2};
use layout_nvidia::hopper::{Map, MapElement, MapMut, TensorMap, TileConfig};
use layout_nvidia::launch::{Kernel, Program};
use layout_nvidia_kernels::fp8_sm90::form::{
    e4m3, e4m3_fp32, e4m3_fp32_narrow, e4m3_narrow, e5m2, e5m2_narrow,
};
use layout_nvidia_kernels::fp8_sm90::{Box, BoxC, StagesA, StagesB, StagesC, fp8_sm90};

/// The scales of A and B: neither is 1.
const SCALES: [f32; 2] = [0.75, 1.5];

fn main() -> Outcome {
    println!(
        "fp8_sm90: stages of A {:#}, of B {:#}, parts of C {:#}",
        StagesA::default(),
        StagesB::default(),
        StagesC::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("fp8_sm90")?;
    let mut sizes = vec![(256, 256, 384), (512, 768, 128), (264, 520, 400), (1, 520, 80)];
    if !bench.check {
        sizes.extend([(2048, 1024, 1024), (4096, 4096, 4096), (8192, 8192, 8192)]);
        sizes.extend(MODELS);
        sizes.extend(UNTUNED);
    }
    for (m, n, k) in sizes.into_iter().filter(|size| bench.wants(*size)) {
        // Tensor cores keep 13 bits behind the point of the largest sum: an instruction, 32 of K,
        // loses no more.
        let lost = (k / 32) as f64 / 8192.0;
        let of = Operands::<E4m3, E4m3>::new(&bench, (m, n, k))?;
        let both = (&program, &of);
        product::<
            _,
            _,
            fp8_sm90<e4m3, 4, 2>,
            fp8_sm90<e4m3_narrow, 6, 4>,
            fp8_sm90<e4m3_narrow, 6, 1>,
        >(both, "fp8_sm90_e4m3", ROUNDED + lost)?;
        let promoted = ROUNDED + 4.0 / 8192.0;
        product::<
            _,
            _,
            fp8_sm90<e4m3_fp32, 4, 2>,
            fp8_sm90<e4m3_fp32_narrow, 6, 4>,
            fp8_sm90<e4m3_fp32_narrow, 6, 1>,
        >(both, "fp8_sm90_e4m3_fp32", promoted)?;
        if m * n * k <= 1 << 36 {
            let of = Operands::<E5m2, E4m3>::new(&bench, (m, n, k))?;
            product::<
                _,
                _,
                fp8_sm90<e5m2, 4, 2>,
                fp8_sm90<e5m2_narrow, 6, 4>,
                fp8_sm90<e5m2_narrow, 6, 1>,
            >((&program, &of), "fp8_sm90_e5m2", ROUNDED + lost)?;
        }
    }
    Ok(())
}

/// The error bound of rounding the result to `bf16`.
const ROUNDED: f64 = 3e-3;

/// A product's operands, and its result in float64.
struct Operands<'b, A, B> {
    bench: &'b Bench,
    sizes: (usize, usize, usize),
    product: Product,
    a: CudaSlice<A>,
    b: CudaSlice<B>,
    scales: [CudaSlice<f32>; 2],
    blas: Option<CudaBlas>,
    exact: Vec<f64>,
}
impl<'b, A: Element, B: Element> Operands<'b, A, B> {
    fn new(bench: &'b Bench, (m, n, k): (usize, usize, usize)) -> Outcome<Self> {
        // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of
        // B and A.
        let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
        let x: Vec<A> = numbers(m * k, 5).into_iter().map(A::of).collect();
        let y: Vec<B> = numbers(n * k, 6).into_iter().map(B::of).collect();
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let scales = [bench.upload(&SCALES[..1])?, bench.upload(&SCALES[1..])?];
        let blas =
            if m * n * k >= 1 << 26 { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        // Float64 holds these floats exactly.
        let (x, y) = (x.iter().map(|x| x.exact()), y.iter().map(|y| y.exact()));
        let (x, y): (Vec<f64>, Vec<f64>) = (x.collect(), y.collect());
        let mut exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        let scale = f64::from(SCALES[0]) * f64::from(SCALES[1]);
        exact.iter_mut().for_each(|exact| *exact *= scale);
        Ok(Operands { bench, sizes: (m, n, k), product, a, b, scales, blas, exact })
    }
    fn error(&self, computed: &CudaSlice<bf16>) -> Outcome<f64> {
        let computed = self.bench.download(computed)?;
        Ok(relative(computed.iter().map(|x| x.exact()), self.exact.iter().copied()))
    }
}

/// The parameters of the kernels.
type Parameters<A, B> =
    (u32, u32, u32, u32, Map<A, Box>, Map<B, Box>, MapMut<bf16, BoxC>, *const f32, *const f32);

/// By the kernels of each config.
fn product<A, B, K0, K1, K2>(
    (program, of): (&Program, &Operands<'_, A, B>),
    name: &str,
    most: f64,
) -> Outcome
where
    A: Element + MapElement,
    B: Element + MapElement,
    K0: Kernel<Parameters = Parameters<A, B>>,
    K1: Kernel<Parameters = Parameters<A, B>>,
    K2: Kernel<Parameters = Parameters<A, B>>,
{
    let (bench, stream, (m, n, k)) = (of.bench, &of.bench.stream, of.sizes);
    let poison = vec![bf16::NAN; m * n];
    let mut c = bench.upload(&poison)?;
    let ma = TensorMap::<A, Box>::new(stream, &of.a, &layout!((m, k):(k, 1)).to_dynamic())?;
    let mb = TensorMap::<B, Box>::new(stream, &of.b, &layout!((n, k):(k, 1)).to_dynamic())?;
    let of_c = layout!((m, n):(n, 1)).to_dynamic();
    let processors = bench.processors()? as usize;
    let [of_a, of_b] = &of.scales;
    // SAFETY: the maps are those of the matrices.
    let kernels = unsafe {
        [
            bench.dependent_launch::<K0>(program)?,
            bench.dependent_launch::<K1>(program)?,
            bench.dependent_launch::<K2>(program)?,
        ]
    };
    let go = |i: usize, c: &mut CudaSlice<bf16>| {
        let mut mc = TensorMap::<bf16, BoxC>::new(stream, c, &of_c)?;
        let config = TileConfig::ALL[i];
        let (rows, columns, clusters) = config.launch_sizes(m, n, processors);
        let depth = k.div_ceil(128) as u32;
        let mut arguments = (rows, columns, depth, clusters, &ma, &mb, &mut mc, of_a, of_b);
        kernels[i](clusters as usize * config.blocks, &mut arguments)
    };
    // All are checked; the configuration of the rule comes last, and is measured.
    let chosen = TileConfig::fastest_for(m, n, processors);
    let mut error = 0.0;
    for i in (0..TileConfig::ALL.len()).filter(|i| *i != chosen).chain([chosen]) {
        go(i, &mut c)?;
        error = of.error(&c)?;
        println!("{name} {m} x {n} x {k}, {:?}: the error is {error:.1e}", TileConfig::ALL[i]);
        accept(name, error, most)?;
        stream.memcpy_htod(&poison, &mut c)?;
    }
    if of.blas.is_none() || bench.check {
        return Ok(());
    }
    let lt =
        [true, false].map(|fast| Lt::new::<B, A, bf16>(bench, &of.product, [of_b, of_a], fast));
    let [fast, exact] = lt;
    let (fast, exact) = (fast?, exact?);
    let mut others = [bench.upload(&poison)?, bench.upload(&poison)?];
    fast.multiply(&of.b, &of.a, &mut others[0])?;
    exact.multiply(&of.b, &of.a, &mut others[1])?;
    let errors = (of.error(&others[0])?, of.error(&others[1])?);
    println!(
        "  cuBLASLt: the error is {:.1e} with fast accumulation, {:.1e} without",
        errors.0, errors.1
    );
    let [mut one, mut two] = others;
    let [ours, sooner, later] = bench.time([
        &mut || go(chosen, &mut c),
        &mut || fast.multiply(&of.b, &of.a, &mut one),
        &mut || exact.multiply(&of.b, &of.a, &mut two),
    ])?;
    // The peer that sums as the kernel does comes first.
    let mut peers = [("cuBLASLt, fast accumulation", sooner), ("cuBLASLt", later)];
    if name.ends_with("fp32") {
        peers.reverse();
    }
    bench.report(
        name,
        &format!("{m} x {n} x {k}"),
        Work::Flops(of.product.flops()),
        error,
        ours,
        &peers,
    )
}
