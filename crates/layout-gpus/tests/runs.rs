//! Redistributions on the GPUs that there are, beside what each rank has to have, element by
//! element. `GPUS=0,0,0` names the devices of the ranks; else there are two, three and four ranks,
//! several on one device where there are fewer. `DRAWS` says how many, `SEED` from which seed.

mod draws;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cudarc::driver::{CudaContext, result};
use draws::{Draw, number_of};
use layout_algebra::layout;
use layout_gpus::{DistributedTensor, Element, Error, Gpus, Redistribution};
use layout_mesh::{Distribution, Replicate, Shard};

/// One test at a time: kernels of one group that wait for one another fill a device.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Groups of two, three and four ranks, or the one that is asked for.
fn groups() -> Vec<Gpus> {
    if let Ok(names) = std::env::var("GPUS") {
        let devices: Vec<usize> =
            names.split(',').map(|name| name.parse().expect("a number")).collect();
        return vec![Gpus::new(&devices).expect("the devices of GPUS")];
    }
    if matches!(Gpus::new(&[0]), Err(Error::Cuda(_))) {
        println!("NOT RUN: there is no GPU");
        return Vec::new();
    }
    let devices = CudaContext::device_count().expect("a number of devices") as usize;
    let group = |ranks: usize| {
        let places: Vec<usize> = (0..ranks).map(|rank| rank % devices).collect();
        Gpus::new(&places).expect("devices that reach one another")
    };
    (2..=4).map(group).collect()
}

/// The bytes of a tensor's part, whatever its elements.
fn read(tensor: &DistributedTensor, rank: usize) -> Vec<u8> {
    fn bytes<const N: usize>(tensor: &DistributedTensor, rank: usize) -> Vec<u8> {
        tensor.part::<[u8; N]>(rank).expect("a part").concat()
    }
    match tensor.element().bytes() {
        1 => bytes::<1>(tensor, rank),
        2 => bytes::<2>(tensor, rank),
        3 => bytes::<3>(tensor, rank),
        4 => bytes::<4>(tensor, rank),
        8 => bytes::<8>(tensor, rank),
        12 => bytes::<12>(tensor, rank),
        _ => bytes::<16>(tensor, rank),
    }
}

fn write(tensor: &mut DistributedTensor, rank: usize, part: &[u8]) {
    fn elements<const N: usize>(tensor: &mut DistributedTensor, rank: usize, part: &[u8]) {
        let all: Vec<[u8; N]> =
            part.chunks(N).map(|bytes| bytes.try_into().expect("whole elements")).collect();
        tensor.write_part(rank, &all).expect("a part");
    }
    match tensor.element().bytes() {
        1 => elements::<1>(tensor, rank, part),
        2 => elements::<2>(tensor, rank, part),
        3 => elements::<3>(tensor, rank, part),
        4 => elements::<4>(tensor, rank, part),
        8 => elements::<8>(tensor, rank, part),
        12 => elements::<12>(tensor, rank, part),
        _ => elements::<16>(tensor, rank, part),
    }
}

#[test]
fn random_redistributions_are_right() {
    let (seed, count) = (number_of("SEED", 1), number_of("DRAWS", 200));
    println!("SEED={seed} DRAWS={count}");
    let _alone = alone();
    for gpus in groups() {
        let ranks = gpus.ranks();
        let (mut sums, mut bytes, begin) = (0, 0, Instant::now());
        for draw in seed..seed + count {
            let most = if draw % 32 == 0 { 1 << 20 } else { 1 << 15 };
            let of = Draw::new(draw, ranks, most).expect("a draw");
            let told = |what: &str| {
                let element = of.element;
                format!("SEED={draw} {what}, {ranks} ranks, {element:?}: {} to {}", of.from, of.to)
            };
            let (parts, expected) = (of.parts(true), of.expected(true));
            let run = || {
                let mut from = DistributedTensor::zeros(&gpus, &of.from, of.element)?;
                let mut to = DistributedTensor::zeros(&gpus, &of.to, of.element)?;
                for rank in 0..ranks {
                    write(&mut from, rank, &parts[rank]);
                    write(&mut to, rank, &vec![0xa5; expected[rank].len()]);
                }
                let mut planned = Redistribution::new(&gpus, &of.from, &of.to, of.element)?;
                // Flags count on from run to run.
                for _ in 0..1 + draw % 3 {
                    planned.run(&from, &mut to, gpus.streams())?;
                }
                gpus.synchronize()?;
                Ok::<_, Error>((from, to))
            };
            let (from, to) = run().unwrap_or_else(|error| panic!("{}", told(&error.to_string())));
            for rank in 0..ranks {
                let part = read(&to, rank);
                let wrong = part.iter().zip(&expected[rank]).position(|(a, b)| a != b);
                assert!(part == expected[rank], "{}", told(&format!("rank {rank} byte {wrong:?}")));
                assert!(read(&from, rank) == parts[rank], "{}", told("the source"));
                bytes += part.len();
            }
            sums += u64::from(!of.summed.is_empty());
        }
        let time = begin.elapsed().as_secs_f32();
        println!("{ranks} ranks: {count} draws, {sums} sums, {bytes} bytes, {time:.1} s");
    }
}

/// A sum over a million elements, many times: each time the same bits, and never a rank behind.
#[test]
fn sums_are_the_same_each_time() {
    let _alone = alone();
    for gpus in groups() {
        let mesh = gpus.mesh(layout!((gpus.ranks(),))).expect("a mesh");
        let after = Distribution::new(&mesh, 1 << 20, [Replicate]).expect("copies");
        let before = after.clone().partial(0).expect("sums");
        let value = |at: usize, rank: usize| ((at * 31 + rank * 977) % 1009) as f32 / 7.0;
        let mut from = DistributedTensor::zeros(&gpus, &before, Element::F32).expect("a tensor");
        let mut to = DistributedTensor::zeros(&gpus, &after, Element::F32).expect("a tensor");
        for rank in 0..gpus.ranks() {
            let part: Vec<f32> = (0..1 << 20).map(|at| value(at, rank)).collect();
            from.write_part(rank, &part).expect("a part");
        }
        let mut sums = Redistribution::new(&gpus, &before, &after, Element::F32).expect("a plan");
        for _ in 0..100 {
            sums.run(&from, &mut to, gpus.streams()).expect("a run");
        }
        for rank in 0..gpus.ranks() {
            let part = to.part::<f32>(rank).expect("a part");
            for (at, &sum) in part.iter().enumerate() {
                let all = (0..gpus.ranks()).map(|rank| value(at, rank));
                assert_eq!(sum, all.reduce(|a, b| a + b).expect("a rank"), "rank {rank}, {at}");
            }
        }
    }
}

extern "C" fn sleep(_: *mut std::ffi::c_void) {
    std::thread::sleep(Duration::from_millis(600));
}

/// A rank that comes too late is an error on all, within the time limit and what it is late.
#[test]
fn a_rank_that_does_not_come_is_an_error() {
    let _alone = alone();
    for gpus in groups() {
        let last = gpus.ranks() - 1;
        let mesh = gpus.mesh(layout!((gpus.ranks(),))).expect("a mesh");
        let before = Distribution::new(&mesh, (64, 64), (Shard(0), Replicate)).expect("rows");
        let after = Distribution::new(&mesh, (64, 64), (Replicate, Shard(0))).expect("columns");
        let from = DistributedTensor::zeros(&gpus, &before, Element::F32).expect("a tensor");
        let mut to = DistributedTensor::zeros(&gpus, &after, Element::F32).expect("a tensor");
        let mut planned =
            Redistribution::new(&gpus, &before, &after, Element::F32).expect("a plan");
        planned.run(&from, &mut to, gpus.streams()).expect("a run");
        gpus.synchronize().expect("all in time");
        gpus.set_time_limit(Duration::from_millis(100));
        let stream = gpus.streams()[last].cu_stream();
        // SAFETY: the function calls nothing of CUDA's, and takes no argument.
        unsafe { result::stream::launch_host_function(stream, sleep, std::ptr::null_mut()) }
            .expect("a function of the host");
        let begin = Instant::now();
        planned.run(&from, &mut to, gpus.streams()).expect("a launch");
        let error = gpus.synchronize().expect_err("a rank was late");
        println!("{:?}: {error}", begin.elapsed());
        assert!(matches!(error, Error::TimeLimit { limit, .. } if limit.as_millis() == 100));
        assert!(begin.elapsed() < Duration::from_secs(3));
        let again = planned.run(&from, &mut to, gpus.streams());
        assert!(matches!(again, Err(Error::TimeLimit { .. })), "the group is of no more use");
        assert!(to.part::<f32>(0).is_err());
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let _alone = alone();
    for gpus in groups() {
        let mesh = gpus.mesh(layout!((gpus.ranks(),))).expect("a mesh");
        let of = |n: usize| Distribution::new(&mesh, n, [Shard(0)]).expect("shards");
        let zeros = |n: usize, element| DistributedTensor::zeros(&gpus, &of(n), element);
        let (from, mut to) = (zeros(64, Element::F32), zeros(65, Element::F32));
        let mut planned =
            Redistribution::new(&gpus, &of(64), &of(64), Element::F32).expect("a plan");
        let (from, to) = (from.as_ref().expect("a tensor"), to.as_mut().expect("a tensor"));
        let error = planned.run(from, to, gpus.streams()).expect_err("another distribution");
        assert!(error.to_string().starts_with("`to` is F32 distributed as (65)"), "{error}");
        let mut right = zeros(64, Element::F32).expect("a tensor");
        let streams = vec![gpus.streams()[0].clone(); gpus.ranks()];
        let shared = planned.run(from, &mut right, &streams);
        assert!(shared.is_err(), "one stream for all");
        let few = planned.run(from, &mut right, &gpus.streams()[1..]);
        assert!(matches!(few, Err(Error::Ranks { .. })));
        assert!(from.part::<f64>(0).is_err() && from.part::<f32>(99).is_err());
        assert!(right.write_part(0, &[0.0f32]).is_err());
        gpus.synchronize().expect("nothing was launched");
    }
}
