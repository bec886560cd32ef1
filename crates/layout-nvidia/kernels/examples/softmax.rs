//! Softmax of rows, beside the driver's own copy of as many bytes.

mod bench;

use bench::{Bench, Outcome, Work, accept, numbers, relative};
use layout_algebra::prelude::*;
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::softmax::{Length, Values, rows, short, softmax};

fn main() -> Outcome {
    println!("softmax: values {:#} at once", Values::default());
    println!(
        "  rows of at most {}, threads {:#}",
        rows::COLUMNS,
        <rows as Length>::Threads::default()
    );
    println!(
        "  rows of at most {}, threads {:#}",
        short::COLUMNS,
        <short as Length>::Threads::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("softmax")?;
    let long: &[(usize, usize)] =
        if bench.check { &[(3, 8192), (5, 4)] } else { &[(16384, 8192), (32768, 4096), (5, 4)] };
    go::<softmax<rows>>(&bench, &program, long)?;
    go::<softmax<short>>(
        &bench,
        &program,
        if bench.check { &[(7, 1000), (2, 4)] } else { &[(131072, 1000), (131072, 1024)] },
    )
}

fn go<K: Kernel<Parameters = (u32, u32, *const f32, *mut f32)>>(
    bench: &Bench,
    program: &Program,
    shapes: &[(usize, usize)],
) -> Outcome {
    let kernel = program.get_kernel::<K>()?;
    for &(m, n) in shapes {
        let launch = Launch::of_kernel::<K>().over_tiles(&layout!((m)).to_dynamic(), tiler!(1))?;
        let scale = |x: f32| 10.0 * x;
        let numbers: Vec<f32> = numbers(m * n, n as u64).into_iter().map(scale).collect();
        let from = bench.upload(&numbers)?;
        let mut to = bench.upload(&vec![f32::NAN; m * n])?;
        let (count, columns) = (u32::try_from(m)?, u32::try_from(n)?);
        // SAFETY: both matrices have m n elements, n is a multiple of 4, and the driver's memory
        // begins at multiples of 256.
        unsafe { kernel.launch(&bench.stream, &launch, (count, columns, &from, &mut to))? };
        let computed = bench.download(&to)?;
        // Rows from all over the matrix.
        let mut error = 0.0_f64;
        for row in (0..m).step_by((m / 512).max(1)) {
            let numbers = &numbers[row * n..][..n];
            let exact: Vec<f64> = numbers.iter().map(|x| f64::exp(f64::from(*x))).collect();
            let sum: f64 = exact.iter().sum();
            let computed = computed[row * n..][..n].iter().map(|x| f64::from(*x));
            error = error.max(relative(computed, exact.iter().map(|x| x / sum)));
        }
        accept(K::NAME, error, 1e-6)?;
        // Each row was written: what was not is no number.
        accept(K::NAME, computed.iter().filter(|x| x.is_nan()).count() as f64, 0.0)?;
        println!("{m} rows of {n}: the error is {error:.1e}");
        if bench.check || m < 100 {
            continue;
        }
        let mut other = bench.upload(&vec![f32::NAN; m * n])?;
        let [ours, driver] = bench.time([
            // SAFETY: as above.
            &mut || unsafe {
                kernel
                    .launch(&bench.stream, &launch, (count, columns, &from, &mut to))
                    .map_err(Into::into)
            },
            &mut || Ok(bench.stream.memcpy_dtod(&from, &mut other)?),
        ])?;
        let work = Work::Bytes(2 * 4 * m * n);
        bench.report(
            K::NAME,
            &format!("{m} x {n}"),
            work,
            error,
            ours,
            &[("the driver's copy", driver)],
        )?;
    }
    Ok(())
}
