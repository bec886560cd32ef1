//! Measures relayouts of a list on a GPU through CUDA: lines of a name, the bytes of an element and
//! both layouts. Each pair is compared with the general kernel, then timed in turns with the
//! device's own copy of as many bytes, the best of five rounds.
//!
//! ```sh
//! cargo run --release --no-default-features --features cuda --example measure_cuda pairs/random-61.txt
//! ```
#![allow(unsafe_code, reason = "kernels that write one buffer are queued from several threads")]

use std::error::Error;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use cudarc::driver::sys::{CUevent_flags, CUgraphInstantiate_flags, CUstreamCaptureMode};
use cudarc::driver::{CudaContext, CudaStream, DevicePtr, LaunchConfig, PushKernelArg, result};
use layout_emit::{Language, Launch, NamedLayout, RelayoutKernel};
use layout_relayout_gpu::cuda::{DeviceMemory, RelayoutCache};

/// Counts the words that differ.
const DIFFER: &str = r#"extern "C" __global__ void differ(
    const unsigned int *a, const unsigned int *b, unsigned long long words, unsigned int *count) {
    unsigned int own = 0;
    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < words; i += gridDim.x * 256ull) own += a[i] != b[i];
    if (own != 0) atomicAdd(count, own);
}"#;

/// A line of the list, and what its kernel says.
struct Pair {
    name: String,
    bytes: usize,
    layouts: [NamedLayout; 2],
    launch: Launch,
    route: String,
    milliseconds: f64,
}

fn read(line: &str) -> Result<Pair, Box<dyn Error>> {
    let words: Vec<&str> = line.split(' ').collect();
    let [name, bytes, from, to] = words[..] else { return Err(format!("no pair: {line}").into()) };
    let (bytes, layouts) = (bytes.parse()?, [from.parse()?, to.parse()?]);
    let kernel = RelayoutKernel::new(&layouts[0], &layouts[1], bytes)?;
    let begin = Instant::now();
    let text = kernel.emit(Language::Cuda)?;
    let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
    let route = text.lines().filter_map(|line| line.strip_prefix("// Elements go ")).collect();
    let launch = kernel.launch(Language::Cuda)?;
    Ok(Pair { name: name.into(), bytes, layouts, launch, route, milliseconds })
}

/// The least milliseconds of `count` runs of `copy` and of `kernel`, in turns. The copy is in a graph
/// and queued run by run, of which the faster counts: in a graph, a long copy may have two thirds of
/// its speed.
fn time(
    stream: &Arc<CudaStream>,
    count: usize,
    copy: &dyn Fn() -> Result<(), Box<dyn Error>>,
    kernel: &dyn Fn() -> Result<(), Box<dyn Error>>,
) -> Result<[f64; 2], Box<dyn Error>> {
    let graph = |run: &dyn Fn() -> Result<(), Box<dyn Error>>| -> Result<_, Box<dyn Error>> {
        stream.begin_capture(CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED)?;
        (0..count).try_for_each(|_| run())?;
        let flags = CUgraphInstantiate_flags::CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH;
        let graph = stream.end_capture(flags)?.ok_or("no graph")?;
        graph.launch()?;
        Ok(graph)
    };
    let graphs = [graph(copy)?, graph(kernel)?];
    let flags = Some(CUevent_flags::CU_EVENT_DEFAULT);
    let mut least = [f64::MAX; 3];
    for way in [0, 1, 2].repeat(5) {
        let begin = stream.record_event(flags)?;
        match graphs.get(way) {
            Some(graph) => graph.launch()?,
            None => (0..count).try_for_each(|_| copy())?,
        }
        let end = stream.record_event(flags)?;
        least[way] = least[way].min(f64::from(begin.elapsed_ms(&end)?) / count as f64);
    }
    Ok([least[0].min(least[2]), least[1]])
}

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::fs::read_to_string(std::env::args().nth(1).ok_or("which list?")?)?;
    let lines: Vec<&str> = list.lines().filter(|line| !line.is_empty()).collect();
    let context = CudaContext::new(0)?;
    let stream = context.new_stream()?;
    let [own, general] =
        [1, usize::MAX].map(|from| RelayoutCache::new(&context).map(|c| c.with_own_from(from)));
    let (own, general) = (own?, general?);
    let differ =
        context.load_module(cudarc::nvrtc::compile_ptx(DIFFER)?)?.load_function("differ")?;
    // Plans, on all processors.
    let (next, pairs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism()?.get();
    let each = |make: &(dyn Fn(usize) + Sync)| {
        next.store(0, Relaxed);
        std::thread::scope(|scope| {
            (0..threads).for_each(|_| {
                scope.spawn(|| {
                    loop {
                        let n = next.fetch_add(1, Relaxed);
                        if n >= lines.len() {
                            break;
                        }
                        make(n);
                    }
                });
            });
        });
    };
    each(&|n| {
        let pair = read(lines[n]).unwrap_or_else(|error| panic!("{}: {error}", lines[n]));
        pairs.lock().expect("no panic").push((n, pair));
    });
    let mut pairs = pairs.into_inner()?;
    pairs.sort_by_key(|pair| pair.0);
    let most = |side: usize| {
        pairs.iter().map(move |(_, pair): &(usize, Pair)| pair.launch.buffer_bytes[side] as usize)
    };
    let rooms = [0, 1].map(|side| most(side).max().unwrap_or(0));
    let mut source = stream.alloc_zeros::<u8>(rooms[0])?;
    let pattern: Vec<u8> =
        (0..8_000_009_u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect();
    for first in (0..rooms[0]).step_by(pattern.len()) {
        let end = rooms[0].min(first + pattern.len());
        stream.memcpy_htod(&pattern[..end - first], &mut source.slice_mut(first..end))?;
    }
    let mut targets = [stream.alloc_zeros::<u8>(rooms[1])?, stream.alloc_zeros::<u8>(rooms[1])?];
    let mut count = stream.alloc_zeros::<u32>(1)?;
    let address = [&source, &targets[0], &targets[1]].map(|buffer| buffer.device_ptr(&stream).0);
    let run = |cache: &RelayoutCache, pair: &Pair, target: usize| -> Result<(), Box<dyn Error>> {
        let [from, to] = pair.layouts.clone();
        let memory = |side: usize, address| DeviceMemory { address, bytes: rooms[side] as u64 };
        // SAFETY: both buffers live until the end, and all work on them is on one stream.
        Ok(unsafe {
            cache.run_memory(
                &stream,
                from,
                to,
                pair.bytes,
                memory(0, address[0]),
                memory(1, address[1 + target]),
            )
        }?)
    };
    // Compiles; what fails here fails again below.
    each(&|n| drop(run(&own, &pairs[n].1, 0)));
    stream.synchronize()?;
    let (mut shares, mut failed): (Vec<(usize, f64)>, usize) = (Vec::new(), 0);
    for (_, pair) in &pairs {
        targets.iter_mut().try_for_each(|target| stream.memset_zeros(target))?;
        if let Err(error) = run(&own, pair, 0) {
            println!("{}: FAILED: {error}", pair.name);
            failed += 1;
            continue;
        }
        run(&general, pair, 1)?;
        let words = pair.launch.buffer_bytes[1] / 4;
        let number = count.device_ptr(&stream).0;
        let config =
            LaunchConfig { grid_dim: (2048, 1, 1), block_dim: (256, 1, 1), shared_mem_bytes: 0 };
        let mut call = stream.launch_builder(&differ);
        call.arg(&address[1]).arg(&address[2]).arg(&words).arg(&number);
        // SAFETY: the kernel reads so many words of both targets, and adds to one number.
        unsafe { call.launch(config) }?;
        let wrong = stream.clone_dtoh(&count)?[0];
        if wrong > 0 {
            println!("{}: {wrong} WRONG words of {words}", pair.name);
            stream.memset_zeros(&mut count)?;
            failed += 1;
        }
        let size = pair.bytes * pair.layouts[0].as_dynamic().ok_or("names")?.size();
        // SAFETY: as many bytes as the smaller buffer has, at most.
        let copy = || {
            Ok(unsafe {
                result::memcpy_dtod_async(address[1], address[0], size, stream.cu_stream())
            }?)
        };
        let times = time(&stream, ((1 << 29) / size).clamp(4, 100), &copy, &|| run(&own, pair, 0))?;
        let share = times[0] / times[1];
        let speed = 2.0 * size as f64 / times[1] / 1e6;
        println!(
            "{} {} {speed:.0} GB/s, {share:.3} of a copy, {:.1} MB, planned in {:.1} ms, {}",
            pair.name,
            pair.bytes,
            size as f64 / 1e6,
            pair.milliseconds,
            pair.route
        );
        shares.push((pair.bytes, share.min(1.0)));
    }
    for bytes in [1, 2, 4, 8, 16, 0] {
        let own: Vec<f64> =
            shares.iter().filter(|own| bytes == 0 || own.0 == bytes).map(|own| own.1).collect();
        let below = |limit| own.iter().filter(|share| **share < limit).count();
        println!(
            "{bytes} bytes: {} pairs, mean {:.4}, least {:.3}, below 0.7 {}, below 0.5 {}",
            own.len(),
            own.iter().sum::<f64>() / own.len() as f64,
            own.iter().copied().fold(1.0, f64::min),
            below(0.7),
            below(0.5)
        );
    }
    let slowest = pairs.iter().map(|pair| pair.1.milliseconds).fold(0.0, f64::max);
    println!("the slowest plan: {slowest:.1} ms, {failed} failed");
    assert_eq!(failed, 0, "pairs that failed");
    Ok(())
}
