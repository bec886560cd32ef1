//! `C = A B` in fp32, beside cuBLAS: each operand N or T.

mod bench;

use bench::product::{OperandMajor, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use layout_algebra::prelude::*;
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::ragged;
use layout_nvidia_kernels::sgemm::form::{nn, nt, tn, tt};
use layout_nvidia_kernels::sgemm::{Operand, Order, Room, Threads, Tile, sgemm};

type Parameters = (u32, u32, u32, *const f32, *const f32, *mut f32);
type RaggedParameters = (u32, u32, u32, *const f32, u32, *const f32, u32, *mut f32);

fn main() -> Outcome {
    println!("sgemm: tiles of C {:#}, of A and B {:#}", Tile::default(), Operand::default());
    println!("  threads {:#}, their values {:#}", Threads::default(), Order::default());
    println!("  in shared memory {:#}", Room::default());
    let bench = Bench::new()?;
    let program = bench.program("sgemm")?;
    use OperandMajor::{KMajor as L, MnMajor as F};
    product::<sgemm<nt>>(&bench, &program, F, F)?;
    product::<sgemm<nn>>(&bench, &program, F, L)?;
    product::<sgemm<tn>>(&bench, &program, L, L)?;
    product::<sgemm<tt>>(&bench, &program, L, F)?;
    let program = bench.program("ragged")?;
    ragged::<ragged::ragged<nt>>(&bench, &program, F, F)?;
    ragged::<ragged::ragged<nn>>(&bench, &program, F, L)?;
    ragged::<ragged::ragged<tn>>(&bench, &program, L, L)?;
    ragged::<ragged::ragged<tt>>(&bench, &program, L, F)
}

/// Sizes that no tile divides.
fn ragged<K: Kernel<Parameters = RaggedParameters>>(
    bench: &Bench,
    program: &Program,
    a: OperandMajor,
    b: OperandMajor,
) -> Outcome {
    let kernel = program.get_kernel::<K>()?;
    println!(
        "{}: {} registers, {} bytes of shared memory",
        K::NAME,
        kernel.registers_per_thread()?,
        K::SHARED
    );
    let sizes: &[(usize, usize, usize)] = if bench.check {
        &[
            (131, 77, 37),
            (1, 1, 1),
            (128, 129, 32),
            (257, 128, 100),
            (17, 300, 15),
            (129, 1, 64),
            (131, 77, 0),
        ]
    } else {
        &[(301, 131, 77), (1000, 37, 4095), (17, 129, 1), (4001, 4003, 4005)]
    };
    for &(m, n, k) in sizes {
        let product = Product { m, n, k, a, b };
        let launch =
            Launch::of_kernel::<K>().over_tiles(&layout!((m, n)).to_dynamic(), Tile::default())?;
        // Memory of no numbers there is not: without a K, what lies there is not read.
        let (x, y) = (numbers((m * k).max(1), 11), numbers((n * k).max(1), 12));
        let (there_a, there_b) = (bench.upload(&x)?, bench.upload(&y)?);
        let mut c = bench.upload(&vec![f32::NAN; m * n])?;
        let number = |n: usize| u32::try_from(n);
        let sizes = (number(m)?, number(n)?, number(k)?);
        let along_a = if a == OperandMajor::MnMajor { sizes.0 } else { sizes.2 };
        let along_b = if b == OperandMajor::MnMajor { sizes.1 } else { sizes.2 };
        let launch = |c: &mut _| -> Outcome {
            let arguments = (sizes.0, sizes.1, sizes.2, &there_a, along_a, &there_b, along_b, c);
            // SAFETY: the matrices have these sizes and strides.
            unsafe { kernel.launch(&bench.stream, &launch, arguments).map_err(Into::into) }
        };
        launch(&mut c)?;
        let computed = bench.download(&c)?;
        let blas =
            if m * n * k > 1 << 28 { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &x, &y)?,
            None => product.exact(&x, &y),
        };
        let error = relative(computed.iter().map(|x| f64::from(*x)), exact.into_iter());
        println!("{} {}: the error is {error:.1e}", K::NAME, product.shape());
        accept(K::NAME, error, 2e-6)?;
        let Some(blas) = blas else { continue };
        let mut other = bench.upload(&vec![f32::NAN; m * n])?;
        let [ours, theirs] = bench.time([&mut || launch(&mut c), &mut || {
            product.cublas(bench, &blas, &there_a, &there_b, &mut other)
        }])?;
        bench.report(
            K::NAME,
            &product.shape(),
            Work::Flops(product.flops()),
            error,
            ours,
            &[("cuBLAS", theirs)],
        )?;
    }
    Ok(())
}

fn product<K: Kernel<Parameters = Parameters>>(
    bench: &Bench,
    program: &Program,
    a: OperandMajor,
    b: OperandMajor,
) -> Outcome {
    let kernel = program.get_kernel::<K>()?;
    println!(
        "{}: {} registers, {} bytes of shared memory",
        K::NAME,
        kernel.registers_per_thread()?,
        K::SHARED
    );
    let sizes: &[(usize, usize, usize)] = if bench.check {
        &[(256, 128, 96), (128, 256, 32)]
    } else {
        &[(384, 256, 160), (4096, 4096, 4096)]
    };
    for &(m, n, k) in sizes {
        let product = Product { m, n, k, a, b };
        let launch =
            Launch::of_kernel::<K>().over_tiles(&layout!((m, n)).to_dynamic(), Tile::default())?;
        let (x, y) = (numbers(m * k, 3), numbers(n * k, 4));
        let (a, b) = (bench.upload(&x)?, bench.upload(&y)?);
        let mut c = bench.upload(&vec![f32::NAN; m * n])?;
        let sizes = (u32::try_from(m)?, u32::try_from(n)?, u32::try_from(k)?);
        // SAFETY: the matrices have these sizes, multiples of the tiles.
        unsafe {
            kernel.launch(&bench.stream, &launch, (sizes.0, sizes.1, sizes.2, &a, &b, &mut c))?
        };
        let computed = bench.download(&c)?;
        let large = m * n * k > 1 << 28;
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &x, &y)?,
            None => product.exact(&x, &y),
        };
        let error = relative(computed.iter().map(|x| f64::from(*x)), exact.into_iter());
        println!("{} {}: the error is {error:.1e}", K::NAME, product.shape());
        accept(K::NAME, error, 2e-6)?;
        let Some(blas) = blas else { continue };
        let mut other = bench.upload(&vec![f32::NAN; m * n])?;
        let [ours, theirs] = bench.time([
            // SAFETY: as above.
            &mut || unsafe {
                kernel
                    .launch(&bench.stream, &launch, (sizes.0, sizes.1, sizes.2, &a, &b, &mut c))
                    .map_err(Into::into)
            },
            &mut || product.cublas(bench, &blas, &a, &b, &mut other),
        ])?;
        bench.report(
            K::NAME,
            &product.shape(),
            Work::Flops(product.flops()),
            error,
            ours,
            &[("cuBLAS", theirs)],
        )?;
    }
    Ok(())
}
