//! Times relayouts of a list beside copies of as many bytes, by the GPU's clock, and compares each
//! target with that of the general kernel.
//!
//! ```sh
//! cargo run --release --example measure_wgpu pairs/random-61.txt
//! ```
//!
//! Each line of `LIST` has a name, the bytes of an element, and both layouts. A share is that of
//! the faster of two copies, by a shader of `vec4<u32>` and by `copy_buffer_to_buffer`; a share
//! above 1 counts as 1. The runs of a round have targets of their own, so that none waits.

use std::collections::HashMap;
use std::error::Error;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};

use layout_emit::{Language, NamedLayout, RelayoutKernel};
use layout_relayout_gpu::wgpu::RelayoutCache;
use wgpu::{BufferUsages, CommandEncoder, ComputePass, Features, MapMode, PollType};

/// Sources and targets: how many, and their bytes.
const BUFFERS: [(usize, u64); 2] = [(4, 260 << 20), (12, 68 << 20)];
/// The bytes of all targets of a round, more than the second cache.
const ROOM: u64 = 512 << 20;
/// The rounds of a pair; the first one does not count.
const ROUNDS: u32 = 6;
/// The times of a round: before the kernels, both copies, and after them.
const TIMES: u32 = 4;

const SHADERS: &str = "
@group(0) @binding(0) var<storage, read> from_: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> to_: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> wrong: atomic<u32>;
@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let i = group.x * 1024u + t;
    let a = from_[i];
    let b = from_[i + 256u];
    let c = from_[i + 512u];
    let d = from_[i + 768u];
    let count = arrayLength(&to_);
    if (i < count) { to_[i] = a; }
    if (i + 256u < count) { to_[i + 256u] = b; }
    if (i + 512u < count) { to_[i + 512u] = c; }
    if (i + 768u < count) { to_[i + 768u] = d; }
}
@compute @workgroup_size(256)
fn fill(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let end = min(group.x * 1024u + 1024u, arrayLength(&to_));
    for (var i = group.x * 1024u + t; i < end; i += 256u) {
        let z = (vec4<u32>(0u, 1u, 2u, 3u) + i * 4u) * 2654435769u;
        let y = (z ^ (z >> vec4<u32>(15u))) * 2246822507u;
        to_[i] = y ^ (y >> vec4<u32>(13u));
    }
}
@compute @workgroup_size(256)
fn compare(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let end = min(group.x * 1024u + 1024u, arrayLength(&to_));
    for (var i = group.x * 1024u + t; i < end; i += 256u) {
        if (any(from_[i] != to_[i])) { atomicAdd(&wrong, 1u); }
    }
}";

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    shaders: HashMap<&'static str, wgpu::ComputePipeline>,
}

impl Gpu {
    fn buffer(&self, size: u64, usage: BufferUsages) -> wgpu::Buffer {
        let (label, mapped_at_creation) = (None, false);
        let buffer = wgpu::BufferDescriptor { label, size, usage, mapped_at_creation };
        self.device.create_buffer(&buffer)
    }

    fn submit(&self, encode: impl FnOnce(&mut CommandEncoder)) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encode(&mut encoder);
        self.queue.submit([encoder.finish()]);
    }

    /// Encodes one of the shaders for `size` bytes of each list of buffers; the first one has this
    /// binding.
    fn encode(
        &self,
        encoder: &mut CommandEncoder,
        entry: &str,
        first: u32,
        lists: &[Vec<&wgpu::Buffer>],
        size: u64,
    ) {
        let pipeline = &self.shaders[entry];
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(pipeline);
        for buffers in lists {
            let entries = (first..).zip(buffers).map(|(binding, buffer)| {
                let size = NonZero::new(size.min(buffer.size()));
                let part = wgpu::BufferBinding { buffer, offset: 0, size };
                wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(part) }
            });
            let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &entries.collect::<Vec<_>>(),
            });
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(size.div_ceil(16 << 10) as u32, 1, 1);
        }
    }

    fn read(&self, from: &wgpu::Buffer) -> Result<Vec<u64>, Box<dyn Error>> {
        let mapped = self.buffer(from.size(), BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        self.submit(|encoder| encoder.copy_buffer_to_buffer(from, 0, &mapped, 0, from.size()));
        mapped.slice(..).map_async(MapMode::Read, |mapped| mapped.expect("mapped"));
        self.device.poll(PollType::Wait { submission_index: None, timeout: None })?;
        let bytes = mapped.slice(..).get_mapped_range()?.to_vec();
        Ok(bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap())).collect())
    }
}

/// A line of the list, with the bytes that it moves.
struct Pair {
    name: String,
    bytes: usize,
    layouts: [NamedLayout; 2],
    size: u64,
    route: String,
}

fn parse(line: &str) -> Result<Pair, Box<dyn Error>> {
    let [name, bytes, from, to] = line.split(' ').collect::<Vec<_>>()[..] else {
        return Err(format!("`{line}` has no name, bytes, and two layouts").into());
    };
    let (bytes, layouts) = (bytes.parse()?, [from.parse::<NamedLayout>()?, to.parse()?]);
    let kernel = RelayoutKernel::new(&layouts[0], &layouts[1], bytes)?;
    let size = (kernel.cosizes()[1] as u64 * bytes as u64).next_multiple_of(16);
    let text = kernel.emit(Language::Wgsl)?;
    let route = text.lines().find_map(|line| line.strip_prefix("// Elements go ")).unwrap_or("");
    let route = route.split(' ').take(6).collect::<Vec<_>>().join(" ");
    Ok(Pair { name: name.into(), bytes, layouts, size, route })
}

fn main() -> Result<(), Box<dyn Error>> {
    let list = std::fs::read_to_string(std::env::args().nth(1).ok_or("measure LIST")?)?;
    let pairs = list.lines().map(parse).collect::<Result<Vec<_>, _>>()?;
    let adapter = wgpu::Instance::default().request_adapter(&Default::default());
    let adapter = pollster::block_on(adapter)?;
    let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
        required_features: Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS,
        required_limits: adapter.limits(),
        // Two buffers of less than 64 MiB in one block of memory can be a quarter slower.
        memory_hints: wgpu::MemoryHints::Manual {
            suballocated_device_memory_block_size: 8 << 20..8 << 20,
        },
        ..Default::default()
    }))?;
    println!("{} {}", adapter.get_info().name, adapter.get_info().driver_info);
    let source = wgpu::ShaderSource::Wgsl(SHADERS.into());
    let shaders = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = |entry| wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &shaders,
        entry_point: Some(entry),
        compilation_options: Default::default(),
        cache: None,
    };
    let shaders = ["copy", "fill", "compare"]
        .map(|entry| (entry, device.create_compute_pipeline(&pipeline(entry))));
    let gpu = Gpu { device, queue, shaders: shaders.into() };
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
    let largest = pairs.iter().map(|pair| pair.size).max().unwrap_or(0);
    let all = || BUFFERS.iter().flat_map(|&(count, size)| vec![size.min(largest); count]);
    let [sources, targets] =
        [(); 2].map(|()| all().map(|size| gpu.buffer(size, usage)).collect::<Vec<_>>());
    let expected = gpu.buffer(largest, usage);
    gpu.submit(|encoder| {
        let each = sources.iter().map(|source| vec![source]).collect::<Vec<_>>();
        gpu.encode(encoder, "fill", 1, &each, BUFFERS[0].1);
    });
    // All kernels are compiled before the first is timed: an idle GPU lowers its clock.
    let (own, general) = (
        RelayoutCache::new(&gpu.device).with_own_from(1),
        RelayoutCache::new(&gpu.device).with_own_from(usize::MAX),
    );
    let run = |cache: &RelayoutCache, pass: &mut ComputePass<'_>, pair: &Pair, source, target| {
        let [from, to] = &pair.layouts;
        cache.encode_in(pass, from, to, pair.bytes, source, target)
    };
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut encoder = gpu.device.create_command_encoder(&Default::default());
                    let mut pass = encoder.begin_compute_pass(&Default::default());
                    let done = run(&own, &mut pass, pair, &sources[0], &targets[0]);
                    done.unwrap_or_else(|error| panic!("{}: {error}", pair.name));
                }
            });
        }
    });
    let stamps = gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
        label: None,
        ty: wgpu::QueryType::Timestamp,
        count: ROUNDS * TIMES,
    });
    let resolved = gpu.buffer(
        8 * u64::from(ROUNDS * TIMES),
        BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC,
    );
    let (mut shares, mut failed) = (Vec::new(), 0);
    for pair in &pairs {
        let wrong = gpu.buffer(16, usage);
        let mut result = Ok(());
        gpu.submit(|encoder| {
            gpu.encode(encoder, "fill", 1, &[vec![&targets[0]], vec![&expected]], pair.size);
            let mut pass = encoder.begin_compute_pass(&Default::default());
            result = run(&general, &mut pass, pair, &sources[0], &expected)
                .and_then(|()| run(&own, &mut pass, pair, &sources[0], &targets[0]));
            drop(pass);
            gpu.encode(encoder, "compare", 0, &[vec![&targets[0], &expected, &wrong]], pair.size);
        });
        result?;
        let wrong = gpu.read(&wrong)?[0];
        failed += usize::from(wrong > 0);
        let fits = targets.iter().filter(|target| target.size() >= pair.size).count();
        let count = fits.min((ROOM / pair.size).max(4) as usize);
        let (sources, targets) = (&sources[..count], &targets[..count]);
        let both = || sources.iter().zip(targets);
        let vectors = both().map(|(source, target)| vec![source, target]).collect::<Vec<_>>();
        let mut result = Ok(());
        gpu.submit(|encoder| {
            for first in (0..ROUNDS * TIMES).step_by(TIMES as usize) {
                encoder.write_timestamp(&stamps, first);
                let mut pass = encoder.begin_compute_pass(&Default::default());
                for (source, target) in both() {
                    result =
                        result.clone().and_then(|()| run(&own, &mut pass, pair, source, target));
                }
                drop(pass);
                encoder.write_timestamp(&stamps, first + 1);
                gpu.encode(encoder, "copy", 0, &vectors, pair.size);
                encoder.write_timestamp(&stamps, first + 2);
                for (source, target) in both() {
                    encoder.copy_buffer_to_buffer(source, 0, target, 0, pair.size);
                }
                encoder.write_timestamp(&stamps, first + 3);
            }
            encoder.resolve_query_set(&stamps, 0..ROUNDS * TIMES, &resolved, 0);
        });
        result?;
        let stamps = gpu.read(&resolved)?;
        let median = |which: usize| {
            let each = stamps.chunks_exact(TIMES as usize).skip(1);
            let mut times: Vec<u64> = each.map(|of| of[which + 1] - of[which]).collect();
            times.sort_unstable();
            times[times.len() / 2] as f64 * f64::from(gpu.queue.get_timestamp_period())
        };
        let (time, copy) = (median(0), median(1).min(median(2)));
        let speed = 2.0 * (pair.size * count as u64) as f64 / time;
        let (name, bytes, route) = (&pair.name, pair.bytes, &pair.route);
        println!("{name} {bytes} {speed:.0} GB/s {:.3} {route}, {wrong} wrong", copy / time);
        shares.push((bytes, (copy / time).min(1.0)));
    }
    for bytes in [1, 2, 4, 8, 0] {
        let own = shares.iter().filter(|share| bytes == 0 || share.0 == bytes).map(|share| share.1);
        let own: Vec<f64> = own.collect();
        let below = |most: f64| own.iter().filter(|share| **share < most).count();
        let (count, mean) = (own.len(), own.iter().sum::<f64>() / own.len() as f64);
        println!(
            "{bytes} bytes: {count}, mean {mean:.3}, below 0.7 {}, below 0.5 {}",
            below(0.7),
            below(0.5)
        );
    }
    println!("{failed} wrong");
    std::process::exit(i32::from(failed > 0));
}
