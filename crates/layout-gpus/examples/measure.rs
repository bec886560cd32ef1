//! Redistributions of a matrix over all GPUs, or over the devices of `GPUS=0,0,0,0`, row-major as
//! PyTorch has it: milliseconds, and what each rank sends. `SIZE` is the extent, 16384 else; each
//! line is checked element by element at the extent `CHECKED`, 2048 else.
//!
//! Placements are written as PyTorch writes them: for each mode of the mesh, the mode of the tensor
//! that is dealt over it, or R.

use std::time::Instant;

use cudarc::driver::{CudaContext, result};
use layout_algebra::prelude::*;
use layout_gpus::{DistributedTensor, Element, Error, Gpus, Redistribution};
use layout_mesh::{BlockCyclic, Distribution, Mesh, MeshMode, Placement, Replicate, Shard};

const RUNS: usize = 20;

/// Which modes of the mesh a mode of the tensor is dealt over.
fn shards(modes: &[usize]) -> Placement {
    let modes: Vec<MeshMode> = modes.iter().map(|&mode| mode.into()).collect();
    match modes.as_slice() {
        [] => Replicate.into(),
        [one] => Shard([one.clone()]).into(),
        [one, other] => Shard([one.clone(), other.clone()]).into(),
        _ => unreachable!("meshes have at most two modes"),
    }
}

/// Row-major: the columns are the fastest mode. `rows` and `columns` are modes of the mesh.
fn placed(
    mesh: &Mesh,
    [height, width]: [usize; 2],
    rows: &[usize],
    columns: &[usize],
) -> Result<Distribution, Error> {
    Ok(Distribution::new(mesh, (width, height), [shards(columns), shards(rows)])?)
}

struct Line {
    name: &'static str,
    from: Box<dyn Fn([usize; 2]) -> Result<Distribution, Error>>,
    to: Box<dyn Fn([usize; 2]) -> Result<Distribution, Error>>,
    shape: Option<[usize; 2]>,
}

type Modes = &'static [usize];

fn line(name: &'static str, mesh: &Mesh, from: [Modes; 2], to: [Modes; 2]) -> Line {
    let side = |[rows, columns]: [Modes; 2]| {
        let mesh = mesh.clone();
        Box::new(move |shape| placed(&mesh, shape, rows, columns))
    };
    Line { name, from: side(from), to: side(to), shape: None }
}

fn lines(gpus: &Gpus) -> Result<Vec<Line>, Error> {
    let ranks = gpus.ranks();
    let row = gpus.mesh(DynLayout::left(&ranks.into()))?;
    let mut all = vec![
        line("[S0] -> [S1]", &row, [&[0], &[]], [&[], &[0]]),
        line("[S1] -> [S0]", &row, [&[], &[0]], [&[0], &[]]),
        line("[S0] -> [R]", &row, [&[0], &[]], [&[], &[]]),
    ];
    all.push(Line {
        name: "16381 x 9973: [S0] -> [S1]",
        shape: Some([16381, 9973]),
        ..line("", &row, [&[0], &[]], [&[], &[0]])
    });
    let mesh = row.clone();
    all.push(Line {
        name: "[S0] -> [S1], transposed",
        to: Box::new(move |[height, width]| {
            let columns = Distribution::new(&mesh, (height, width), (Replicate, Shard(0)))?;
            Ok(columns.select(&[1, 0])?)
        }),
        ..line("", &row, [&[0], &[]], [&[], &[]])
    });
    if ranks == 4 {
        let mesh = gpus.mesh(layout!((2, 2): right))?;
        let both: Modes = &[0, 1];
        all.extend([
            line("[S0, S1] -> [S1, S0]", &mesh, [&[0], &[1]], [&[1], &[0]]),
            line("[S0, S0] -> [S1, S1]", &mesh, [both, &[]], [&[], both]),
            line("[S0, R] -> [R, S0]", &mesh, [&[0], &[]], [&[1], &[]]),
            line("[S0, R] -> [R, S1]", &mesh, [&[0], &[]], [&[], &[1]]),
            line("[S0, S1] -> [S0, S0]", &mesh, [&[0], &[1]], [both, &[]]),
            line("[S1, S0] -> [S0, S0]", &mesh, [&[1], &[0]], [both, &[]]),
        ]);
        all.push(Line {
            name: "cyclic 64 on 2 x 2 -> 128 on 4 x 1",
            from: Box::new(move |[height, width]| {
                let blocks = (BlockCyclic(1, 64), BlockCyclic(0, 64));
                Ok(Distribution::new(&mesh, (width, height), blocks)?)
            }),
            to: Box::new(move |[height, width]| {
                Ok(Distribution::new(&row, (width, height), (Replicate, BlockCyclic(0, 128)))?)
            }),
            shape: None,
        });
    }
    Ok(all)
}

/// A number that says which element it is.
fn value(global: &[usize]) -> u64 {
    let x = (global[0] as u64) << 32 | global[1] as u64;
    (x ^ (x >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 13
}

/// Runs and checks every element.
fn check<T: bytemuck::Pod + PartialEq>(
    gpus: &Gpus,
    sides: [&Distribution; 2],
    element: Element,
    of: impl Fn(u64) -> T,
) -> Result<(), Error> {
    let from = DistributedTensor::from_fn(gpus, sides[0], element, |at| of(value(at)))?;
    let mut to = DistributedTensor::zeros(gpus, sides[1], element)?;
    let mut planned = Redistribution::new(gpus, sides[0], sides[1], element)?;
    planned.run(&from, &mut to, gpus.streams())?;
    for rank in 0..gpus.ranks() {
        let part = to.part::<T>(rank)?;
        let mut elements = part.iter();
        sides[1].seen_from(rank)?.for_each_coordinate(|_, at| {
            let is_right = elements.next().is_some_and(|&found| found == of(value(at)));
            assert!(is_right, "rank {rank} has a wrong element {at:?} of {}", sides[1]);
        });
    }
    Ok(())
}

/// Milliseconds a run.
fn time(
    gpus: &Gpus,
    sides: [&Distribution; 2],
    element: Element,
    runs: usize,
) -> Result<(f64, usize), Error> {
    let from = DistributedTensor::zeros(gpus, sides[0], element)?;
    let mut to = DistributedTensor::zeros(gpus, sides[1], element)?;
    let mut planned = Redistribution::new(gpus, sides[0], sides[1], element)?;
    let sent = (0..gpus.ranks()).map(|rank| planned.plan().bytes_sent(rank)).max().unwrap_or(0);
    let mut best = f64::INFINITY;
    for _ in 0..4 {
        gpus.synchronize()?;
        let begin = Instant::now();
        for _ in 0..runs {
            planned.run(&from, &mut to, gpus.streams())?;
        }
        gpus.synchronize()?;
        best = best.min(begin.elapsed().as_secs_f64() * 1e3 / runs as f64);
    }
    Ok((best, sent))
}

/// GB/s, read and written, of a copy on the device of rank 0.
fn copy_rate(gpus: &Gpus) -> Result<f64, Error> {
    let whole = Distribution::new(&gpus.mesh(DynLayout::left(&1.into()))?, 1 << 30, [Replicate])?;
    let from = DistributedTensor::zeros(gpus, &whole, Element::U8)?;
    let to = DistributedTensor::zeros(gpus, &whole, Element::U8)?;
    let (stream, bytes) = (gpus.streams()[0].cu_stream(), 1usize << 30);
    let copy = || {
        // SAFETY: both tensors have as many bytes on rank 0.
        let done =
            unsafe { result::memcpy_dtod_async(to.address(0), from.address(0), bytes, stream) };
        done.map_err(Error::from)
    };
    copy()?;
    gpus.synchronize()?;
    let begin = Instant::now();
    (0..RUNS).try_for_each(|_| copy())?;
    gpus.synchronize()?;
    Ok(2.0 * bytes as f64 * RUNS as f64 / begin.elapsed().as_secs_f64() / 1e9)
}

fn main() -> Result<(), Error> {
    let number = |name: &str, otherwise: usize| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (size, checked) = (number("SIZE", 16384), number("CHECKED", 2048));
    let devices = match std::env::var("GPUS") {
        Ok(names) => names.split(',').map(|name| name.parse().expect("a number")).collect(),
        Err(_) => match CudaContext::device_count()? as usize {
            1 => vec![0; 4],
            count => (0..count).collect::<Vec<_>>(),
        },
    };
    let gpus = Gpus::new(&devices)?;
    println!("ranks on devices {devices:?}, {size} x {size}, checked at {checked}");
    println!("a copy on device {}: {:.0} GB/s read and written", devices[0], copy_rate(&gpus)?);
    println!("{:36} {:6} {:>9} {:>9} {:>10}", "", "", "ms", "GB/s sent", "GB/s stored");
    for line in lines(&gpus)? {
        for element in [Element::F16, Element::F32, Element::U8] {
            let small =
                line.shape.map_or([checked; 2], |[a, b]| [a.min(checked - 3), b.min(checked - 29)]);
            let (before, after) = ((line.from)(small)?, (line.to)(small)?);
            let sides = [&before, &after];
            match element.bytes() {
                1 => check::<u8>(&gpus, sides, element, |x| x as u8)?,
                2 => check::<u16>(&gpus, sides, element, |x| x as u16)?,
                _ => check::<u32>(&gpus, sides, element, |x| x as u32)?,
            }
            let shape = line.shape.unwrap_or([size; 2]);
            let (before, after) = ((line.from)(shape)?, (line.to)(shape)?);
            let (ms, sent) = time(&gpus, [&before, &after], element, RUNS)?;
            let parts = (0..gpus.ranks()).map(|rank| Ok(after.seen_from(rank)?.local_shape()));
            let parts = parts.collect::<Result<Vec<_>, Error>>()?;
            let stored: usize = parts.iter().map(|shape| shape.iter().product::<usize>()).sum();
            let rate = |bytes: usize| bytes as f64 / ms / 1e6;
            println!(
                "{:36} {:6} {ms:9.4} {:9.0} {:10.0}",
                line.name,
                format!("{element:?}").replace("Bytes(1)", "U8"),
                rate(sent),
                rate(stored * element.bytes()),
            );
        }
    }
    let row = gpus.mesh(DynLayout::left(&gpus.ranks().into()))?;
    for elements in [8 << 10, 128 << 10, 1 << 20, 16 << 20] {
        let whole = Distribution::new(&row, elements, [Replicate])?;
        let blocks = Distribution::new(&row, elements, [Shard(0)])?;
        let sums = whole.clone().partial(0)?;
        let (all, _) = time(&gpus, [&sums, &whole], Element::Bf16, 100)?;
        let (scatter, _) = time(&gpus, [&sums, &blocks], Element::Bf16, 100)?;
        println!(
            "sums of {elements:8} Bf16: all-reduce {:8.1} us, reduce-scatter {:8.1} us",
            all * 1e3,
            scatter * 1e3
        );
    }
    Ok(())
}
