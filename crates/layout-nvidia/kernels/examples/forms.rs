//! Every form of a descriptor, on the device: 64 x 64 x 64, integers, exactly. And every copy of a
//! box, of tensors that end within one, and with gaps between rows.

mod bench;

use bench::{Bench, Outcome};
use half::f16;
use layout_algebra::prelude::*;
use layout_nvidia::hopper::TensorMap;
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
    multiply::<forms::form_mn_128>(&bench, &program)?;
    boxes(&bench, &program)
}

/// Every second row of a matrix, stored and added: 100 x 72, which ends within boxes of 64 x 32.
fn boxes(bench: &Bench, program: &Program) -> Outcome {
    let (m, k) = (100, 72);
    let (rows, apart) = (layout!((m, k):(k, 1)), layout!((m, k):(2 * k, 1)));
    let (stream, kernel) = (&bench.stream, program.get_kernel::<forms::boxes>()?);
    let x: Vec<f32> = (0..m * k).map(|i| (i % 1009) as f32).collect();
    let before: Vec<f32> = (0..2 * m * k).map(|i| -((i % 499) as f32)).collect();
    let a = bench.upload(&x)?;
    let from = TensorMap::<f32, forms::Rows>::new(stream, &a, &rows.to_dynamic())?;
    for add in [0, 1_usize] {
        let mut c = bench.upload(&before)?;
        let mut to = TensorMap::<f32, forms::Rows>::new(stream, &mut c, &apart.to_dynamic())?;
        let launch =
            Launch::of_kernel::<forms::boxes>().over_tiles(&rows.to_dynamic(), tiler!(128, 32))?;
        let blocks = layout!((2 * launch.grid_blocks()[0], launch.grid_blocks()[1])).to_dynamic();
        let launch = Launch::of_kernel::<forms::boxes>().over_tiles(&blocks, tiler!(1, 1))?;
        // SAFETY: the maps are those of the matrices.
        unsafe { kernel.launch(stream, &launch, (128_u32, 96_u32, add as u32, &from, &mut to))? };
        let mut expected = before.clone();
        for (i, j) in rows.coords() {
            let (old, new) = (&mut expected[apart.index((i, j))], x[rows.index((i, j))]);
            *old = if add == 0 { new } else { *old + 2.0 * new };
        }
        let wrong = bench
            .download(&c)?
            .iter()
            .zip(&expected)
            .filter(|(computed, exact)| computed != exact)
            .count();
        println!(
            "boxes, {}: {wrong} of {} numbers are wrong",
            ["stored", "added"][add],
            expected.len()
        );
        if wrong > 0 {
            return Err(format!("boxes: {wrong} numbers are wrong").into());
        }
    }
    Ok(())
}

fn multiply<K>(bench: &Bench, program: &Program) -> Outcome
where
    K: Kernel<Parameters = (*const f16, *const f16, *mut f32)>,
{
    let kernel = program.get_kernel::<K>()?;
    // No two rows and no two columns are alike.
    let whole = |seed: usize| (0..64 * 64).map(move |i| ((i * seed + i / 61) % 15) as f32 - 7.0);
    let halves = |seed| whole(seed).map(f16::from_f32).collect::<Vec<_>>();
    let (a, b) = (bench.upload(&halves(7))?, bench.upload(&halves(11))?);
    let mut c = bench.upload(&vec![f32::NAN; 64 * 64])?;
    // SAFETY: the matrices have 64 x 64 elements.
    unsafe { kernel.launch(&bench.stream, &Launch::of_kernel::<K>(), (&a, &b, &mut c))? };
    let (x, y, computed) =
        (whole(7).collect::<Vec<_>>(), whole(11).collect::<Vec<_>>(), bench.download(&c)?);
    let wrong = (0..64 * 64)
        .filter(|i| {
            let exact: f32 = (0..64).map(|k| x[i / 64 * 64 + k] * y[i % 64 * 64 + k]).sum();
            computed[*i] != exact
        })
        .count();
    println!("{}: {wrong} of {} sums are wrong", K::NAME, computed.len());
    if wrong == 0 { Ok(()) } else { Err(format!("{}: {wrong} sums are wrong", K::NAME).into()) }
}
