//! `C = A B` of halves with sums in fp32 by `mma.sync`, beside cuBLAS's fastest kernel on
//! `mma.sync`, and the one that it takes by itself: on Hopper that is on `wgmma`.

mod bench;

use bench::lt::Lt;
use bench::product::{Element, OperandMajor, Product};
use bench::{Bench, Outcome, Work, accept, numbers, relative};
use cudarc::cublas::CudaBlas;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::hgemm::{Operand, Order, Stages, Tile, Warps, hgemm};

fn main() -> Outcome {
    println!("hgemm: tiles of C {:#}, of A and B {:#}", Tile::default(), Operand::default());
    println!(
        "  warps {:#}, what they read {:#}, shared memory {:#}",
        Warps::default(),
        Order::default(),
        Stages::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("hgemm")?;
    product::<f16, hgemm<f16>>(&bench, &program)?;
    product::<bf16, hgemm<bf16>>(&bench, &program)
}

fn product<T: Element, K>(bench: &Bench, program: &Program) -> Outcome
where
    K: Kernel<Parameters = (u32, u32, u32, *const T, *const T, *mut f32)>,
{
    let kernel = program.get_kernel::<K>()?;
    println!(
        "{}: {} registers, {} bytes of shared memory",
        K::NAME,
        kernel.registers_per_thread()?,
        K::SHARED
    );
    let sizes: &[(usize, usize, usize)] = if bench.check {
        &[(256, 128, 192), (128, 256, 64)]
    } else {
        &[(384, 256, 320), (4096, 4096, 4096), (8192, 8192, 8192)]
    };
    for &(m, n, k) in sizes {
        // C is row-major: to cuBLAS, whose matrices are column-major, its transpose, the product of
        // B and A.
        let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
        let launch =
            Launch::of_kernel::<K>().over_tiles(&layout!((m, n)).to_dynamic(), Tile::default())?;
        let halves =
            |count, seed| -> Vec<T> { numbers(count, seed).into_iter().map(T::of).collect() };
        let (x, y) = (halves(m * k, 5), halves(n * k, 6));
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
            Some(blas) => product.exact_by_cublas(bench, blas, &y, &x)?,
            None => product.exact(&y, &x),
        };
        let error = relative(computed.iter().map(|x| f64::from(*x)), exact.into_iter());
        println!("{} {}: the error is {error:.1e}", K::NAME, product.shape());
        // The products are exact; the sums are in fp32.
        accept(K::NAME, error, 1e-5)?;
        let Some(blas) = blas else { continue };
        let mut other = bench.upload(&vec![f32::NAN; m * n])?;
        let alike = Lt::on_mma_sync(bench, &product, (&b, &a), &mut other)?;
        if let Some(alike) = &alike {
            alike.multiply(&b, &a, &mut other)?;
            let computed = bench.download(&other)?;
            let exact = product.exact_by_cublas(bench, &blas, &y, &x)?;
            accept(
                "cuBLAS on mma.sync",
                relative(computed.iter().map(|x| f64::from(*x)), exact.into_iter()),
                1e-5,
            )?;
        }
        let other = std::cell::RefCell::new(other);
        let [ours, theirs, by_default] = bench.time([
            // SAFETY: as above.
            &mut || unsafe {
                kernel
                    .launch(&bench.stream, &launch, (sizes.0, sizes.1, sizes.2, &a, &b, &mut c))
                    .map_err(Into::into)
            },
            &mut || match &alike {
                Some(alike) => alike.multiply(&b, &a, &mut *other.borrow_mut()),
                None => product.cublas(bench, &blas, &b, &a, &mut other.borrow_mut()),
            },
            &mut || product.cublas(bench, &blas, &b, &a, &mut other.borrow_mut()),
        ])?;
        let peers = [("cuBLAS on mma.sync", theirs), ("cuBLAS", by_default)];
        let peers = if alike.is_some() { &peers } else { &peers[1..] };
        bench.report(
            K::NAME,
            &product.shape(),
            Work::Flops(product.flops()),
            error,
            ours,
            peers,
        )?;
    }
    Ok(())
}
