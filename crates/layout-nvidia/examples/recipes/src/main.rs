//! The recipes on the device, each beside the device's own copy of as many bytes. `--check`: small
//! sizes and no times. `--end`: a kernel that ends with an error, and the host's message.

use std::error::Error;

use half::f16;
use layout_algebra::prelude::*;
use layout_nvidia::launch::{
    Device, DeviceTensor, Launch, LaunchError, milliseconds, milliseconds_with_rests,
};
use recipes::{
    fused, halo, histogram, long_rows, overlap, product, rows, scan, short_rows, transpose,
};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

fn floats(n: usize) -> Vec<f32> {
    (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 16_777_216.0).collect()
}
/// Fails if there is a difference, otherwise prints the rate, beside the rate of a copy of the same
/// number of bytes.
fn report(name: &str, wrong: usize, bytes: usize, times: Option<[f64; 2]>) -> Outcome {
    if wrong > 0 {
        return Err(format!("{name}: {wrong} elements are wrong").into());
    }
    match times {
        Some([ours, copy]) => {
            let rate = |time| bytes as f64 / time / 1e6;
            println!(
                "{name}: right, {:.0} GB/s, {:.3} of the device's copy ({:.0})",
                rate(ours),
                copy / ours,
                rate(copy)
            );
        }
        None => println!("{name}: right"),
    }
    Ok(())
}

/// A transpose of sizes that the tile does not divide, on the CPU and on the device: one sentence.
fn end_kernel(device: &Device) -> Outcome {
    let (b, m, n) = (1_u32, 100_u32, 64_u32);
    let on_the_cpu = std::panic::catch_unwind(|| {
        let (from, mut to) = ([0.0; 6400], [0.0; 6400]);
        let arguments = (b, m, n, &from[..], &mut to[..]);
        // SAFETY: 6,400 elements each.
        unsafe { layout_nvidia::host::launch::<transpose::batched_transpose>(1, arguments) };
    });
    let on_the_cpu = on_the_cpu.err().and_then(|said| said.downcast_ref::<String>().cloned());
    let on_the_cpu = on_the_cpu.ok_or("the kernel did not end on the CPU")?;
    let stream = device.create_stream()?;
    let kernel = device
        .load_program(layout_nvidia::program!("transpose"))?
        .get_kernel::<transpose::batched_transpose>()?;
    let launch = Launch::of_kernel::<transpose::batched_transpose>().with_blocks(64);
    let from = DeviceTensor::<f32, _>::zeroed(&stream, layout!(6400))?;
    let mut to = DeviceTensor::<f32, _>::zeroed(&stream, layout!(6400))?;
    // SAFETY: 6,400 elements each.
    unsafe { kernel.launch(&stream, &launch, (b, m, n, &from, &mut to))? };
    let error = stream.synchronize().map_err(LaunchError::from);
    let on_the_device = error.err().map_or("the kernel did not end".into(), |e| e.to_string());
    println!("on the CPU:    {on_the_cpu}\non the device: {on_the_device}");
    // The context is lost: no memory is freed.
    std::mem::forget((from, to));
    match on_the_device.starts_with(&on_the_cpu) {
        true => Ok(()),
        false => Err("the two sentences differ".into()),
    }
}

fn main() -> Outcome {
    let check = std::env::args().any(|argument| argument == "--check");
    let device = Device::first_available()?;
    let stream = device.create_stream()?;
    println!("{}", device.device_name()?);
    if std::env::args().any(|argument| argument == "--end") {
        return end_kernel(&device);
    }
    let upload = |numbers: &[f32]| DeviceTensor::upload(&stream, numbers, layout!((numbers.len())));

    // A copy of each size: `bytes` moved, half of them read.
    let copy = |bytes: usize, run: &mut dyn FnMut() -> Outcome| -> Outcome<Option<[f64; 2]>> {
        if check {
            return Ok(None);
        }
        let from = DeviceTensor::<f32, _>::zeroed(&stream, layout!((bytes / 8)))?;
        let mut to = DeviceTensor::zeroed(&stream, layout!((bytes / 8)))?;
        let wrong = std::cell::RefCell::new(Ok(()));
        let mut run = || {
            if let Err(error) = run() {
                *wrong.borrow_mut() = Err(error);
            }
            Ok(())
        };
        let times = milliseconds(&stream, [&mut run, &mut || to.copy_from(&stream, &from)])?;
        wrong.into_inner()?;
        Ok(Some(times))
    };

    let (b, m, n) = if check { (3, 128, 192) } else { (64, 2048, 1024) };
    let numbers = floats(b * m * n);
    let from = upload(&numbers)?;
    let mut to = DeviceTensor::zeroed(&stream, layout!((b * m * n)))?;
    let kernel = device
        .load_program(layout_nvidia::program!("transpose"))?
        .get_kernel::<transpose::batched_transpose>()?;
    let launch = Launch::of_kernel::<transpose::batched_transpose>()
        .over_tiles(&layout!((m, n, b)).to_dynamic(), transpose::Tile::default())?;
    // SAFETY: `b m n` elements each; the driver's memory begins at multiples of 256.
    let mut run = || {
        unsafe { kernel.launch(&stream, &launch, (b as u32, m as u32, n as u32, &from, &mut to)) }
            .map_err(Into::into)
    };
    run()?;
    let times = copy(8 * b * m * n, &mut run)?;
    let (after, right, given) =
        (to.download(&stream)?, layout!((b, m, n): right), layout!((b, n, m): right));
    let places = (0..b).flat_map(|x| (0..m).flat_map(move |i| (0..n).map(move |j| (x, i, j))));
    let wrong = places
        .filter(|(x, i, j)| after[right.index((*x, *i, *j))] != numbers[given.index((*x, *j, *i))])
        .count();
    report(&format!("batched transpose, {b} x {m} x {n}"), wrong, 8 * b * m * n, times)?;

    for (b, m, n) in
        if check { [(2, 67, 301), (1, 1, 1)] } else { [(4, 4001, 4003), (1, 8009, 16001)] }
    {
        let numbers = floats(b * m * n);
        let from = upload(&numbers)?;
        let mut to = DeviceTensor::zeroed(&stream, layout!((b * m * n)))?;
        let kernel = device
            .load_program(layout_nvidia::program!("transpose"))?
            .get_kernel::<transpose::ragged_transpose>()?;
        let launch = Launch::of_kernel::<transpose::ragged_transpose>()
            .over_tiles(&layout!((m, n, b)).to_dynamic(), transpose::RaggedTile::default())?;
        // SAFETY: `b m n` elements each.
        let mut run = || {
            unsafe { kernel.launch(&stream, &launch, (m as u32, n as u32, &from, &mut to)) }
                .map_err(Into::into)
        };
        run()?;
        let times = copy(8 * b * m * n, &mut run)?;
        let (after, right, given) =
            (to.download(&stream)?, layout!((b, m, n): right), layout!((b, n, m): right));
        let places = (0..b).flat_map(|x| (0..m).flat_map(move |i| (0..n).map(move |j| (x, i, j))));
        let wrong = places
            .filter(|(x, i, j)| {
                after[right.index((*x, *i, *j))] != numbers[given.index((*x, *j, *i))]
            })
            .count();
        report(&format!("ragged transpose, {b} x {m} x {n}"), wrong, 8 * b * m * n, times)?;
    }

    let program = device.load_program(layout_nvidia::program!("rows"))?;
    for n in if check { [3, 11003] } else { [11003, 4096] } {
        let rows = if check { 5 } else { 16384 };
        let numbers = floats(rows * n);
        let from = upload(&numbers)?;
        let mut to = DeviceTensor::zeroed(&stream, layout!((rows * n)))?;
        let kernel = program.get_kernel::<rows::copy_rows>()?;
        let launch = Launch::of_kernel::<rows::copy_rows>().with_blocks(rows);
        // SAFETY: a row for each block.
        let mut run = || {
            unsafe { kernel.launch(&stream, &launch, (n as u32, &from, &mut to)) }
                .map_err(Into::into)
        };
        run()?;
        let times = copy(8 * rows * n, &mut run)?;
        let after = to.download(&stream)?;
        let wrong = (0..rows * n).filter(|i| after[*i] != numbers[*i]).count();
        report(&format!("copy of {rows} rows of {n}"), wrong, 8 * rows * n, times)?;

        let kernel = program.get_kernel::<rows::rms_norm>()?;
        let kernel_of_long_rows = program.get_kernel::<rows::rms_norm_of_long_rows>()?;
        let launch = Launch::of_kernel::<rows::rms_norm>().with_blocks(rows);
        let launch_of_long_rows =
            Launch::of_kernel::<rows::rms_norm_of_long_rows>().with_blocks(rows);
        let mut run = || {
            let arguments = (n as u32, 1e-6_f32, &from, &mut to);
            // SAFETY: a row for each block.
            let outcome = unsafe {
                match n <= 4096 {
                    true => kernel.launch(&stream, &launch, arguments),
                    false => kernel_of_long_rows.launch(&stream, &launch_of_long_rows, arguments),
                }
            };
            outcome.map_err(Into::into)
        };
        run()?;
        let times = copy(8 * rows * n, &mut run)?;
        let after = to.download(&stream)?;
        let mut wrong = 0;
        for row in (0..rows).step_by((rows / 256).max(1)) {
            let row = n * row..n * (row + 1);
            let squares: f64 =
                numbers[row.clone()].iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
            let factor = 1.0 / (squares / n as f64 + 1e-6).sqrt();
            let is_off = |i: &usize| {
                let exact = f64::from(numbers[*i]) * factor;
                (f64::from(after[*i]) - exact).abs() > 1e-5 * exact.abs()
            };
            wrong += row.filter(is_off).count();
        }
        report(&format!("RMSNorm of {rows} rows of {n}"), wrong, 8 * rows * n, times)?;
    }

    for n in if check { [3, 11003] } else { [11003, 4096] } {
        let rows = if check { 5 } else { 32768 };
        let numbers: Vec<f16> = floats(rows * n).into_iter().map(f16::from_f32).collect();
        let from = DeviceTensor::upload(&stream, &numbers, layout!((rows * n)))?;
        let mut to = DeviceTensor::<f16, _>::zeroed(&stream, layout!((rows * n)))?;
        macro_rules! rms_norm {
            ($name:ident) => {{
                let kernel = program.get_kernel::<rows::$name>()?;
                let launch = Launch::of_kernel::<rows::$name>().with_blocks(rows);
                let mut run = || {
                    let arguments = (n as u32, 1e-6_f32, &from, &mut to);
                    // SAFETY: a row for each block.
                    unsafe { kernel.launch(&stream, &launch, arguments) }.map_err(Into::into)
                };
                run()?;
                copy(4 * rows * n, &mut run)?
            }};
        }
        let times = match n <= 4096 {
            true => rms_norm!(rms_norm_of_halves),
            false => rms_norm!(rms_norm_of_long_rows_of_halves),
        };
        let after = to.download(&stream)?;
        let mut wrong = 0;
        for row in (0..rows).step_by((rows / 256).max(1)) {
            let row = n * row..n * (row + 1);
            let squares: f64 = numbers[row.clone()].iter().map(|x| f64::from(x * x)).sum();
            let factor = 1.0 / (squares / n as f64 + 1e-6).sqrt();
            let is_off = |i: &usize| {
                let exact = f64::from(numbers[*i]) * factor;
                // Halves below 2^-14 have a distance of 2^-24.
                (f64::from(after[*i]) - exact).abs() > 1e-3 * exact.abs() + 6e-8
            };
            wrong += row.filter(is_off).count();
        }
        let name = format!("RMSNorm of {rows} rows of {n} halves");
        report(&name, wrong, 4 * rows * n, times)?;
    }

    let program = device.load_program(layout_nvidia::program!("long_rows"))?;
    for n in if check { [3, 51001] } else { [11003, 100_003] } {
        let rows = if check { 5 } else { (1 << 28) / n };
        let numbers: Vec<f32> = floats(rows * n).into_iter().map(|x| 20.0 * x).collect();
        let from = upload(&numbers)?;
        let mut to = DeviceTensor::zeroed(&stream, layout!((rows * n)))?;
        macro_rules! softmax {
            ($name:ident) => {{
                let kernel = program.get_kernel::<long_rows::$name>()?;
                let launch = Launch::of_kernel::<long_rows::$name>().with_blocks(rows);
                let mut run = || {
                    // SAFETY: a row for each block.
                    unsafe { kernel.launch(&stream, &launch, (n as u32, &from, &mut to)) }
                        .map_err(Into::into)
                };
                run()?;
                copy(8 * rows * n, &mut run)?
            }};
        }
        let times = match n <= 11261 {
            true => softmax!(softmax),
            false => softmax!(softmax_of_very_long_rows),
        };
        let after = to.download(&stream)?;
        let mut wrong = 0;
        for row in (0..rows).step_by((rows / 64).max(1)) {
            let row = n * row..n * (row + 1);
            let sum: f64 = numbers[row.clone()].iter().map(|x| f64::from(*x).exp()).sum();
            let is_off = |i: &usize| {
                let exact = f64::from(numbers[*i]).exp() / sum;
                (f64::from(after[*i]) - exact).abs() > 2e-5 * exact
            };
            wrong += row.filter(is_off).count();
        }
        report(&format!("softmax of {rows} rows of {n}"), wrong, 8 * rows * n, times)?;
    }

    let program = device.load_program(layout_nvidia::program!("product"))?;
    for (m, n, k) in if check {
        [(256, 384, 192), (768, 256, 64)]
    } else {
        [(4096, 4096, 4096), (8192, 8192, 8192)]
    } {
        // Whole numbers from -4 to 4, whose sums are exact.
        let halves = |skip: usize, count: usize| -> Vec<f16> {
            let numbers = floats(skip + count).into_iter().skip(skip);
            numbers.map(|x| f16::from_f32((9.0 * x).floor() - 4.0)).collect()
        };
        let (x, y) = (halves(0, m * k), halves(1_000_003, n * k));
        let (a, b) = (
            DeviceTensor::upload(&stream, &x, layout!((m * k)))?,
            DeviceTensor::upload(&stream, &y, layout!((n * k)))?,
        );
        let mut c = DeviceTensor::<f16, _>::zeroed(&stream, layout!((m * n)))?;
        let kernel = program.get_kernel::<product::product>()?;
        let launch = Launch::of_kernel::<product::product>()
            .over_tiles(&layout!((m, n)).to_dynamic(), product::Tile::default())?;
        // SAFETY: matrices of these sizes.
        let mut run = || unsafe {
            kernel.launch(&stream, &launch, (m as u32, n as u32, k as u32, &a, &b, &mut c))
        };
        run()?;
        let rates = match check {
            true => String::new(),
            false => {
                let [alone] = milliseconds(&stream, [&mut run])?;
                let rest = std::time::Duration::from_millis(50);
                let [rested] = milliseconds_with_rests(&stream, rest, [&mut run])?;
                let rate = |time| 2.0 * (m * n * k) as f64 / time / 1e9;
                format!(", {:.0} TFLOP/s, with rests {:.0}", rate(alone), rate(rested))
            }
        };
        let after = c.download(&stream)?;
        let places = (0..m * n).step_by(if check { 1 } else { 9973 });
        let is_off = |at: &usize| {
            let (i, j) = (at / n, at % n);
            let sum: f32 = (0..k).map(|l| x[k * i + l].to_f32() * y[k * j + l].to_f32()).sum();
            after[*at] != f16::from_f32(sum)
        };
        match places.filter(is_off).count() {
            0 => println!("product of {m} x {n} x {k} halves: right{rates}"),
            wrong => return Err(format!("product: {wrong} elements are wrong").into()),
        }
    }

    let program = device.load_program(layout_nvidia::program!("short_rows"))?;
    for n in [1, 13, 61, 253, 1000, 1021] {
        let rows = if check { 77 } else { (1 << 26) / n };
        let numbers = floats(rows * n);
        let from = upload(&numbers)?;
        let mut to = DeviceTensor::zeroed(&stream, layout!((rows * n)))?;
        macro_rules! softmax {
            ($name:ident, $rows_of_a_block:literal) => {{
                let kernel = program.get_kernel::<short_rows::$name>()?;
                let launch = Launch::of_kernel::<short_rows::$name>()
                    .with_blocks(rows.div_ceil($rows_of_a_block));
                let mut run = || {
                    let arguments = (rows as u32, n as u32, &from, &mut to);
                    // SAFETY: as many rows of `n` elements.
                    unsafe { kernel.launch(&stream, &launch, arguments) }.map_err(Into::into)
                };
                run()?;
                copy(8 * rows * n, &mut run)?
            }};
        }
        let times = match n {
            0..=13 => softmax!(softmax_13, 64),
            14..=61 => softmax!(softmax_61, 16),
            62..=253 => softmax!(softmax_253, 8),
            _ => softmax!(softmax_1021, 8),
        };
        let after = to.download(&stream)?;
        let mut wrong = 0;
        for row in (0..rows).step_by((rows / 1024).max(1)) {
            let row = n * row..n * (row + 1);
            let sum: f64 = numbers[row.clone()].iter().map(|x| f64::from(*x).exp()).sum();
            let is_off = |i: &usize| {
                let exact = f64::from(numbers[*i]).exp() / sum;
                (f64::from(after[*i]) - exact).abs() > 1e-5 * exact
            };
            wrong += row.filter(is_off).count();
        }
        report(&format!("softmax of {rows} rows of {n}"), wrong, 8 * rows * n, times)?;
    }

    let n = if check { 10_007 } else { 134_217_689 };
    let (numbers, weights) = (floats(n), floats(31));
    let from = upload(&numbers)?;
    let mut to = DeviceTensor::zeroed(&stream, layout!((n)))?;
    for count in [7, 31] {
        let taps = upload(&weights[..count])?;
        macro_rules! convolve {
            ($module:ident, $name:ident, $program:literal, $blocks:expr) => {{
                let program = device.load_program(layout_nvidia::program!($program))?;
                let kernel = program.get_kernel::<$module::$name>()?;
                let launch = Launch::of_kernel::<$module::$name>().with_blocks($blocks);
                // SAFETY: `n` elements, and all weights.
                let mut run = || {
                    unsafe { kernel.launch(&stream, &launch, (n as u32, &taps, &from, &mut to)) }
                        .map_err(Into::into)
                };
                run()?;
                copy(8 * n, &mut run)?
            }};
        }
        let times = match count {
            7 => convolve!(halo, convolve_7, "halo", n.div_ceil(2048)),
            // The concurrent blocks of 132 multiprocessors.
            _ => convolve!(overlap, convolve_31, "overlap", n.div_ceil(4096).min(396)),
        };
        let after = to.download(&stream)?;
        let places = (0..n).step_by(if check { 1 } else { 1009 }).chain(n - 4096..n);
        let is_off = |i: &usize| {
            let products = (0..count)
                .filter_map(|k| Some((weights[k], *numbers.get((i + k).checked_sub(count / 2)?)?)));
            after[*i] != products.fold(0.0_f32, |sum, (w, x)| w.mul_add(x, sum))
        };
        let wrong = places.filter(is_off).count();
        report(&format!("convolution of {n}, {count} weights"), wrong, 8 * n, times)?;
    }

    let n = if check { 8192 } else { 1 << 27 };
    let [x, y, z] = [0, 1, 2].map(|k| floats(n + k)[k..].to_vec());
    let (a, b, c) = (upload(&x)?, upload(&y)?, upload(&z)?);
    let mut to = DeviceTensor::zeroed(&stream, layout!((n)))?;
    let program = device.load_program(layout_nvidia::program!("fused"))?;
    let kernel = program.get_kernel::<fused::multiply_add>()?;
    let launch = Launch::of_kernel::<fused::multiply_add>().with_blocks(n / 4096);
    // SAFETY: `n` elements each.
    let mut run = || {
        unsafe { kernel.launch(&stream, &launch, (n as u32, &a, &b, &c, &mut to)) }
            .map_err(Into::into)
    };
    run()?;
    let times = copy(16 * n, &mut run)?;
    let after = to.download(&stream)?;
    let wrong = (0..n).filter(|i| after[*i] != x[*i].mul_add(y[*i], z[*i])).count();
    report(&format!("a b + c by `zip_values_mut`, {n}"), wrong, 16 * n, times)?;
    let kernel = program.get_kernel::<fused::add>()?;
    let launch = Launch::of_kernel::<fused::add>().with_blocks(n / 4096);
    // SAFETY: `n` elements each.
    let mut run = || {
        unsafe { kernel.launch(&stream, &launch, (n as u32, &a, &b, &mut to)) }.map_err(Into::into)
    };
    run()?;
    let times = copy(12 * n, &mut run)?;
    let after = to.download(&stream)?;
    let wrong = (0..n).filter(|i| after[*i] != x[*i] + y[*i]).count();
    report(&format!("a + b by `transform`, {n}"), wrong, 12 * n, times)?;

    let rows = if check { 5 } else { 1 << 17 };
    let words: Vec<u32> = (0..1024 * rows as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect();
    let from = DeviceTensor::upload(&stream, &words, layout!((1024 * rows)))?;
    let mut to = DeviceTensor::zeroed(&stream, layout!((1024 * rows)))?;
    let kernel =
        device.load_program(layout_nvidia::program!("scan"))?.get_kernel::<scan::scan>()?;
    let launch = Launch::of_kernel::<scan::scan>().with_blocks(rows);
    // SAFETY: 1024 elements for each block.
    let mut run = || {
        unsafe { kernel.launch(&stream, &launch, (rows as u32, &from, &mut to)) }
            .map_err(Into::into)
    };
    run()?;
    let times = copy(8 * 1024 * rows, &mut run)?;
    let after: Vec<u32> = to.download(&stream)?.into_storage();
    let sums = |row: &[u32]| {
        row.iter()
            .scan(0_u32, |s, x| {
                *s = s.wrapping_add(*x);
                Some(*s)
            })
            .collect::<Vec<_>>()
    };
    let wrong =
        words.chunks(1024).zip(after.chunks(1024)).filter(|(from, to)| sums(from) != *to).count();
    report(&format!("scan of {rows} rows of 1024"), wrong, 8 * 1024 * rows, times)?;

    let mut bins = DeviceTensor::zeroed(&stream, layout!(256))?;
    let kernel = device
        .load_program(layout_nvidia::program!("histogram"))?
        .get_kernel::<histogram::histogram>()?;
    let launch =
        Launch::of_kernel::<histogram::histogram>().with_blocks(if check { 3 } else { 132 * 8 });
    let count = words.len() as u32;
    // SAFETY: as many words, and 256 counts.
    unsafe { kernel.launch(&stream, &launch, (count, &from, &mut bins))? };
    let (found, mut expected) = (bins.download(&stream)?, [0_u32; 256]);
    words
        .iter()
        .flat_map(|word| word.to_ne_bytes())
        .for_each(|byte| expected[usize::from(byte)] += 1);
    let wrong = (0..256).filter(|bin| found[*bin] != expected[*bin]).count();
    // SAFETY: as above.
    let mut run = || {
        unsafe { kernel.launch(&stream, &launch, (count, &from, &mut bins)) }.map_err(Into::into)
    };
    let times = copy(4 * words.len(), &mut run)?;
    report(&format!("histogram of the bytes of {count} words"), wrong, 4 * words.len(), times)
}
