//! The host's half: a matrix to the device, the kernel beside the device's own copy, and the answer
//! checked.

use std::error::Error;

use kernel_of_ones_own::{Tile, transpose};
use layout_algebra::prelude::*;
use layout_nvidia::launch::{Device, DeviceTensor, Launch, milliseconds};

fn main() -> Result<(), Box<dyn Error>> {
    let device = Device::first_available()?;
    let stream = device.create_stream()?;
    let kernel = device.load_program(layout_nvidia::program!())?.get_kernel::<transpose>()?;

    let (m, n) = (16384_u32, 8192_u32);
    let (before, after) = (layout!((m as usize, n as usize)), layout!((n as usize, m as usize)));
    let numbers: Vec<f32> = (0..m * n).map(|i| i.wrapping_mul(2_654_435_761) as f32).collect();
    let from = DeviceTensor::upload(&stream, &numbers, before)?;
    let mut to = DeviceTensor::zeroed(&stream, after)?;
    let launch =
        Launch::of_kernel::<transpose>().over_tiles(&before.to_dynamic(), Tile::default())?;
    // SAFETY: both tensors have m n elements, and the driver's memory begins at multiples of 256.
    let mut run = || unsafe { kernel.launch(&stream, &launch, (m, n, &from, &mut to)) };
    run()?;
    let mut copied = DeviceTensor::zeroed(&stream, before)?;
    let [ours, devices] =
        milliseconds(&stream, [&mut run, &mut || copied.copy_from(&stream, &from)])?;

    let (from, to) = (Tensor::new(numbers, before)?, to.download(&stream)?);
    let wrong = from.indexed().filter(|((i, j), number)| to[(*j, *i)] != **number).count();
    let rate = |time: f64| 2.0 * 4.0 * f64::from(m) * f64::from(n) / time / 1e6;
    println!("{}: {m} x {n} transposed, {wrong} numbers in wrong places", device.device_name()?);
    println!(
        "{:.0} GB/s, {:.3} of the device's copy ({:.0})",
        rate(ours),
        devices / ours,
        rate(devices)
    );
    if wrong == 0 { Ok(()) } else { Err("the answer is wrong".into()) }
}
