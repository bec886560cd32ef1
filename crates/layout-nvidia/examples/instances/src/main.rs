//! Three instances of one kernel on three streams, which do not wait for each other.

use std::error::Error;
use std::fmt::Debug;

use cudarc::driver::DeviceRepr;
use instances::turn;
use layout_algebra::prelude::*;
use layout_nvidia::cudarc;
use layout_nvidia::launch::{Device, DeviceTensor, Kernel, Launch, Program};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;
const TILES: usize = 1000;

/// Starts to reverse tiles of `N` elements on a new stream, and returns a closure that checks the
/// result.
fn begin<
    K: Kernel<Parameters = (*mut T,)>,
    T: DeviceRepr + Copy + PartialEq + Debug + 'static,
    const N: usize,
>(
    device: &Device,
    program: &Program,
    number: fn(usize) -> T,
) -> Outcome<impl FnOnce() -> Outcome + use<K, T, N>> {
    let stream = device.create_stream()?;
    let elements: Vec<T> = (0..N * TILES).map(number).collect();
    let mut tensor = DeviceTensor::upload(&stream, &elements, layout!((N, TILES)))?;
    // SAFETY: a tile for each block.
    unsafe {
        program.get_kernel::<K>()?.launch(
            &stream,
            &Launch::of_kernel::<K>().with_blocks(TILES),
            (&mut tensor,),
        )?
    };
    Ok(move || {
        let there = tensor.download(&stream)?;
        let right =
            there.indexed().all(|((i, tile), element)| *element == elements[N * tile + N - 1 - i]);
        println!("{}: {} tiles of {N}: {}", K::NAME, TILES, if right { "turned" } else { "wrong" });
        if right { Ok(()) } else { Err(K::NAME.into()) }
    })
}

fn main() -> Outcome {
    let device = Device::first_available()?;
    let program = device.load_program(layout_nvidia::program!())?;
    let floats = begin::<turn<f32, Layout!(256)>, f32, 256>(&device, &program, |i| i as f32)?;
    let bytes = begin::<turn<u8, Layout!((32, 4))>, u8, 128>(&device, &program, |i| i as u8)?;
    let doubles =
        begin::<turn<f64, Layout!(1024)>, f64, 1024>(&device, &program, |i| 0.1 * i as f64)?;
    doubles()?;
    bytes()?;
    floats()
}
