//! `D = gelu(A B + bias) + residual` of halves in one kernel, beside two: cuBLAS for the product,
//! and a kernel for the rest.

mod bench;

use bench::product::{OperandMajor, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::CudaSlice;
use half::f16;
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{TensorMap, TileConfig};
use layout_nvidia::launch::{Kernel, Launch};
use layout_nvidia_kernels::epilogue::{TileApart, gelu_apart, hgemm_gelu};
use layout_nvidia_kernels::hgemm_sm90::Box;
use layout_nvidia_kernels::hgemm_sm90::form::{f16_narrow, f16_wide};

/// In float64.
fn gelu(x: f64) -> f64 {
    x / (1.0 + f64::exp(-2.0 * (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)))
}

fn main() -> Outcome {
    println!("epilogue: the bias of a row {:#}, dealt out as the sums", layout!((64, 64):(0, 1)));
    let bench = Bench::new()?;
    let program = bench.program("epilogue")?;
    let apart = program.get_kernel::<gelu_apart>()?;
    let name = "hgemm_gelu";
    println!("{name}: {} bytes of shared memory", hgemm_gelu::<f16_wide, 4, 2>::SHARED);
    let processors = bench.processors()? as usize;
    let sizes: &[(usize, usize, usize)] = if bench.check {
        &[(256, 128, 192), (264, 520, 64)]
    } else {
        &[
            (264, 520, 320),
            (2048, 1024, 1024),
            (4096, 4096, 1024),
            (4096, 4096, 4096),
            (8192, 4096, 4096),
        ]
    };
    for &(m, n, k) in sizes {
        // To cuBLAS, whose matrices are column-major, C is the product of B and A.
        let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
        let halves = |count, seed| -> Vec<f16> {
            numbers(count, seed).into_iter().map(f16::from_f32).collect()
        };
        let (x, y, bias, residual) =
            (halves(m * k, 7), halves(n * k, 8), halves(n, 9), halves(m * n, 10));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let (bias_there, residual_there) = (bench.upload(&bias)?, bench.upload(&residual)?);
        let poison = vec![f16::NAN; m * n];
        let mut d = bench.upload(&poison)?;
        let stream = &bench.stream;
        let ma = TensorMap::<f16, Box>::new(stream, &a, &layout!((m, k):(k, 1)).to_dynamic())?;
        let mb = TensorMap::<f16, Box>::new(stream, &b, &layout!((n, k):(k, 1)).to_dynamic())?;
        let of_residual = layout!((m, n):(n, 1)).to_dynamic();
        let mr = TensorMap::<f16, Box>::new(stream, &residual_there, &of_residual)?;
        // SAFETY: the maps are those of the matrices, and the bias and the residual have their
        // sizes.
        let kernels = unsafe {
            [
                bench.dependent_launch::<hgemm_gelu<f16_wide, 4, 2>>(&program)?,
                bench.dependent_launch::<hgemm_gelu<f16_narrow, 6, 4>>(&program)?,
                bench.dependent_launch::<hgemm_gelu<f16_narrow, 6, 1>>(&program)?,
            ]
        };
        let fused = |i: usize, d: &mut CudaSlice<f16>| {
            let mut md = TensorMap::<f16, Box>::new(stream, d, &of_residual)?;
            let config = TileConfig::ALL[i];
            let (_, _, clusters) = config.launch_sizes(m, n, processors);
            let (rows, columns, depth) = (m as u32, n as u32, k.div_ceil(64) as u32);
            let mut arguments = (
                rows,
                columns,
                depth,
                clusters,
                &ma,
                &mb,
                &mut md,
                &bias_there,
                &residual_there,
                &mr,
            );
            kernels[i](clusters as usize * config.blocks, &mut arguments)
        };
        let large = m * n * k > 1 << 28;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let sums = match &blas {
            Some(blas) => product.exact_by_cublas(&bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        let exact = |i: usize| gelu(sums[i] + f64::from(bias[i % n])) + f64::from(residual[i]);
        let check = |d: &[f16]| relative(d.iter().map(|x| f64::from(*x)), (0..m * n).map(exact));
        let chosen = TileConfig::fastest_for(m, n, processors);
        let mut error = 0.0;
        for i in (0..TileConfig::ALL.len()).filter(|i| *i != chosen).chain([chosen]) {
            fused(i, &mut d)?;
            error = check(&bench.download(&d)?);
            println!("{name} {m} x {n} x {k}: the error is {error:.1e}");
            // A half has 11 bits.
            accept(name, error, 4e-4)?;
            stream.memcpy_htod(&poison, &mut d)?;
        }
        let (Some(blas), false) = (blas, bench.check) else { continue };
        assert_eq!(TileApart::default().to_string(), tiler!(32, 128).to_string());
        let rest = Launch::of_kernel::<gelu_apart>()
            .over_tiles(&layout!((n, m)).to_dynamic(), tiler!(128, 32))?;
        let (rows, columns) = (u32::try_from(m)?, u32::try_from(n)?);
        let (mut c, mut alone) = (bench.upload(&poison)?, bench.upload(&poison)?);
        let mut other = bench.upload(&poison)?;
        product.cublas(&bench, &blas, &b, &a, &mut c)?;
        // SAFETY: the matrices have these sizes, multiples of the tiles.
        unsafe {
            apart.launch(
                stream,
                &rest,
                (rows, columns, &c, &bias_there, &residual_there, &mut other),
            )?
        };
        accept("gelu_apart", check(&bench.download(&other)?), 8e-4)?;
        let [ours, theirs, product_alone] = bench.time([
            &mut || fused(chosen, &mut d),
            &mut || {
                product.cublas(&bench, &blas, &b, &a, &mut c)?;
                // SAFETY: as above.
                unsafe {
                    apart
                        .launch(
                            stream,
                            &rest,
                            (rows, columns, &c, &bias_there, &residual_there, &mut other),
                        )
                        .map_err(Into::into)
                }
            },
            &mut || product.cublas(&bench, &blas, &b, &a, &mut alone),
        ])?;
        let peers = [
            ("cuBLAS and a kernel for the rest", theirs),
            ("cuBLAS, the product alone", product_alone),
        ];
        let work = Work::Flops(product.flops());
        bench.report(name, &format!("{m} x {n} x {k}"), work, error, ours, &peers)?;
    }
    Ok(())
}
