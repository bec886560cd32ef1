//! `D = gelu(A B + bias) + residual` of halves in one kernel, beside two: cuBLAS for the product, and a kernel for the
//! rest.

mod bench;

use bench::product::{Lies, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use half::f16;
use layout_algebra::prelude::*;
use layout_nvidia::launch::{Kernel, Launch};
use layout_nvidia_kernels::epilogue::{TileApart, gelu_apart, hgemm_gelu};
use layout_nvidia_kernels::hgemm::Tile;

/// In float64.
fn gelu(x: f64) -> f64 {
    x / (1.0 + f64::exp(-2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)))
}

fn main() -> Outcome {
    println!("epilogue: the bias of a row {:#}, dealt out as the sums", layout!((128, 128):(0, 1)));
    let bench = Bench::new()?;
    let program = bench.program("epilogue")?;
    let (fused, apart) = (program.kernel::<hgemm_gelu>()?, program.kernel::<gelu_apart>()?);
    println!("{}: {} registers, {} bytes of shared memory", hgemm_gelu::NAME, fused.registers()?, hgemm_gelu::SHARED);
    let sizes: &[(usize, usize, usize)] =
        if bench.check { &[(256, 128, 192)] } else { &[(384, 256, 320), (4096, 4096, 1024), (4096, 4096, 4096)] };
    for &(m, n, k) in sizes {
        // To cuBLAS, whose matrices are column-major, C is the product of B and A.
        let product = Product { m: n, n: m, k, a: Lies::Last, b: Lies::Last };
        let launch = Launch::of::<hgemm_gelu>().over(&layout!((m, n)).to_dynamic(), Tile::default())?;
        let rest = Launch::of::<gelu_apart>().over(&layout!((n, m)).to_dynamic(), tiler!(128, 32))?;
        assert_eq!(TileApart::default().to_string(), tiler!(32, 128).to_string());
        let halves = |count, seed| -> Vec<f16> { numbers(count, seed).into_iter().map(f16::from_f32).collect() };
        let (x, y, bias, residual) = (halves(m * k, 7), halves(n * k, 8), halves(n, 9), halves(m * n, 10));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let (bias_there, residual_there) = (bench.upload(&bias)?, bench.upload(&residual)?);
        let mut d = bench.upload(&vec![f16::NAN; m * n])?;
        let (rows, columns, along) = (u32::try_from(m)?, u32::try_from(n)?, u32::try_from(k)?);
        let large = m * n * k > 1 << 28;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let sums = match &blas {
            Some(blas) => product.exact_by_cublas(&bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        let exact = |i: usize| gelu(sums[i] + f64::from(bias[i % n])) + f64::from(residual[i]);
        let check = |d: &[f16]| relative(d.iter().map(|x| f64::from(*x)), (0..m * n).map(exact));
        // SAFETY: the matrices have these sizes, multiples of the tiles.
        unsafe {
            fused.launch(
                &bench.stream,
                &launch,
                (rows, columns, along, &a, &b, &bias_there, &residual_there, &mut d),
            )?;
        }
        let error = check(&bench.download(&d)?);
        println!("hgemm_gelu {m} x {n} x {k}: the error is {error:.1e}");
        // A half has 11 bits.
        accept("hgemm_gelu", error, 4e-4)?;
        let Some(blas) = blas else { continue };
        let mut c = bench.upload(&vec![f32::NAN; m * n])?;
        let mut other = bench.upload(&vec![f16::NAN; m * n])?;
        product.cublas(&bench, &blas, &b, &a, &mut c)?;
        // SAFETY: as above.
        unsafe { apart.launch(&bench.stream, &rest, (rows, columns, &c, &bias_there, &residual_there, &mut other))? };
        accept("gelu_apart", check(&bench.download(&other)?), 4e-4)?;
        let mut alone = bench.upload(&vec![f32::NAN; m * n])?;
        let [ours, theirs, product_alone] = bench.time([
            &mut || {
                let arguments = (rows, columns, along, &a, &b, &bias_there, &residual_there, &mut d);
                // SAFETY: as above.
                Ok(unsafe { fused.launch(&bench.stream, &launch, arguments)? })
            },
            &mut || {
                product.cublas(&bench, &blas, &b, &a, &mut c)?;
                // SAFETY: as above.
                Ok(unsafe {
                    apart.launch(&bench.stream, &rest, (rows, columns, &c, &bias_there, &residual_there, &mut other))?
                })
            },
            &mut || product.cublas(&bench, &blas, &b, &a, &mut alone),
        ])?;
        let peers = [("cuBLAS and a kernel for the rest", theirs), ("cuBLAS, the product alone", product_alone)];
        let work = Work::Flops(product.flops());
        bench.report("hgemm_gelu", &format!("{m} x {n} x {k}"), work, error, ours, &peers)?;
    }
    Ok(())
}
