//! Every form that a descriptor describes, on the device: 64 x 64 x 64, whole numbers, exactly.

mod bench;

use bench::{Bench, Outcome};
use half::f16;
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::forms;

fn main() -> Outcome {
    let bench = Bench::new()?;
    let program = bench.program("forms")?;
    multiply::<forms::form_k_none>(&bench, &program)?;
    multiply::<forms::form_k_32>(&bench, &program)?;
    multiply::<forms::form_k_64>(&bench, &program)?;
    multiply::<forms::form_k_128>(&bench, &program)?;
    multiply::<forms::form_mn_none>(&bench, &program)?;
    multiply::<forms::form_mn_32>(&bench, &program)?;
    multiply::<forms::form_mn_64>(&bench, &program)?;
    multiply::<forms::form_mn_128>(&bench, &program)
}

fn multiply<K>(bench: &Bench, program: &Program) -> Outcome
where
    K: Kernel<Parameters = (*const f16, *const f16, *mut f32)>,
{
    let kernel = program.kernel::<K>()?;
    // No two rows and no two columns are alike.
    let whole = |seed: usize| (0..64 * 64).map(move |i| ((i * seed + i / 61) % 15) as f32 - 7.0);
    let halves = |seed| whole(seed).map(f16::from_f32).collect::<Vec<_>>();
    let (a, b) = (bench.upload(&halves(7))?, bench.upload(&halves(11))?);
    let mut c = bench.upload(&vec![f32::NAN; 64 * 64])?;
    // SAFETY: the matrices have 64 x 64 elements.
    unsafe { kernel.launch(&bench.stream, &Launch::of::<K>(), (&a, &b, &mut c))? };
    let (x, y, computed) = (whole(7).collect::<Vec<_>>(), whole(11).collect::<Vec<_>>(), bench.download(&c)?);
    let wrong = (0..64 * 64)
        .filter(|i| {
            let exact: f32 = (0..64).map(|k| x[i / 64 * 64 + k] * y[i % 64 * 64 + k]).sum();
            computed[*i] != exact
        })
        .count();
    println!("{}: {wrong} of {} sums are wrong", K::NAME, computed.len());
    if wrong == 0 { Ok(()) } else { Err(format!("{}: {wrong} sums are wrong", K::NAME).into()) }
}
