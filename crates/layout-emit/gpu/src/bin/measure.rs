//! Times relayout kernels beside copies of as many bytes, by the GPU's clock, and checks every
//! element.
//!
//! ```text
//! cargo run --release -p layout-emit --example relayouts wgsl DIR > DIR/lines
//! cargo run --release --manifest-path crates/layout-emit/gpu/Cargo.toml --bin measure DIR[,DIR ..] [WAY ..]
//! ```
//!
//! `DIR/lines` has a line for each kernel: the name, bytes of an element, workgroups in x and y,
//! both layouts. Further folders hold other kernels for lines of the first. For each line,
//! microseconds of one run: of the kernel, of a copy of as many bytes by a shader of `vec4<u32>`,
//! and by `copy_buffer_to_buffer`; runs in one pass, each to a target of its own, so that they need
//! not wait for one another. `serial` is the same kernel when all runs have one target, with a
//! barrier between them; `ratio` that of the better copy's time to the kernel's.
//!
//! Ways to compile: `checked` (the default of wgpu but for the zeros in a workgroup's memory),
//! `zeroed` (the default), and `trusted` (no checks of indices).

use std::fs;
use std::time::{Duration, Instant};

use layout_emit::{Index, Language, NamedLayout};
use wgpu::{BufferUsages, Features, PollType, ShaderSource};

/// The least bytes that the targets have in all, more than the second cache.
const ROOM: u64 = 600 << 20;
/// How long the GPU works before it is timed.
const BUSY: Duration = Duration::from_millis(30);

struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    stamps: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read: wgpu::Buffer,
}

/// What a pass runs: a pipeline, a group of bindings for each run, and workgroups.
struct Runs<'a> {
    pipeline: &'a wgpu::ComputePipeline,
    groups: Vec<wgpu::BindGroup>,
    size: [u32; 2],
}

impl Gpu {
    async fn new() -> Gpu {
        let adapter =
            wgpu::Instance::default().request_adapter(&Default::default()).await.expect("a GPU");
        let wanted = Features::TIMESTAMP_QUERY | Features::TIMESTAMP_QUERY_INSIDE_ENCODERS;
        let device = wgpu::DeviceDescriptor {
            required_features: wanted,
            required_limits: adapter.limits(),
            // Buffers lie in memory of their own: two of less than 64 MiB in one block can be a
            // quarter slower.
            memory_hints: wgpu::MemoryHints::Manual {
                suballocated_device_memory_block_size: 8 << 20..8 << 20,
            },
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&device).await.expect("a device with clocks");
        println!("# {} {}", adapter.get_info().name, adapter.get_info().driver_info);
        let stamps = device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let buffer = |usage| {
            device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        };
        let resolved = buffer(BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC);
        let read = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        Gpu { device, queue, stamps, resolved, read }
    }

    fn pipeline(&self, code: &str, entry: &str, way: &str) -> wgpu::ComputePipeline {
        let source = ShaderSource::Wgsl(code.to_string().into());
        let module = wgpu::ShaderModuleDescriptor { label: None, source };
        let module = match way {
            // SAFETY: the kernels read and write within their buffers, as a run with checks has
            // found right.
            "trusted" => unsafe {
                self.device
                    .create_shader_module_trusted(module, wgpu::ShaderRuntimeChecks::unchecked())
            },
            _ => self.device.create_shader_module(module),
        };
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: way == "zeroed",
                ..Default::default()
            },
            cache: None,
        })
    }

    fn buffer(&self, size: u64) -> wgpu::Buffer {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size,
            usage,
            mapped_at_creation: false,
        })
    }

    fn group(
        &self,
        pipeline: &wgpu::ComputePipeline,
        buffers: &[&wgpu::Buffer],
    ) -> wgpu::BindGroup {
        let resources = buffers.iter().map(|buffer| buffer.as_entire_binding());
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource })
            .collect();
        let layout = &pipeline.get_bind_group_layout(0);
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout,
            entries: &entries,
        })
    }

    fn words(&self, buffer: &wgpu::Buffer) -> Vec<u32> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(buffer, 0, &self.read, 0, 16);
        self.queue.submit([encoder.finish()]);
        self.read.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("mapped"));
        self.device.poll(PollType::Wait { submission_index: None, timeout: None }).expect("done");
        let bytes = self.read.slice(..).get_mapped_range().expect("mapped");
        let words = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")))
            .collect();
        drop(bytes);
        self.read.unmap();
        words
    }

    fn run(&self, runs: &Runs<'_>, is_timed: bool) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let timestamp_writes = is_timed.then_some(wgpu::ComputePassTimestampWrites {
            query_set: &self.stamps,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        });
        let mut pass = encoder
            .begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
        pass.set_pipeline(runs.pipeline);
        for group in &runs.groups {
            pass.set_bind_group(0, group, &[]);
            pass.dispatch_workgroups(runs.size[0], runs.size[1], 1);
        }
        drop(pass);
        if is_timed {
            encoder.resolve_query_set(&self.stamps, 0..2, &self.resolved, 0);
        }
        self.queue.submit([encoder.finish()]);
    }

    /// The median of five times of one run, in microseconds. The GPU is kept busy before, as an
    /// idle one lowers its clock.
    fn median(&self, count: usize, once: &dyn Fn()) -> f64 {
        let start = Instant::now();
        while start.elapsed() < BUSY {
            once();
            self.words(&self.resolved);
        }
        let mut times: Vec<f64> = (0..5)
            .map(|_| {
                once();
                let words = self.words(&self.resolved);
                let stamp = |k: usize| u64::from(words[2 * k]) | u64::from(words[2 * k + 1]) << 32;
                (stamp(1) - stamp(0)) as f64 * f64::from(self.queue.get_timestamp_period())
                    / 1e3
                    / count as f64
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[2]
    }

    fn time(&self, runs: &Runs<'_>) -> f64 {
        self.median(runs.groups.len(), &|| self.run(runs, true))
    }
}

const FILL: &str = "
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(256)
fn fill(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) all: vec3<u32>) {
    for (var i = id.x; i < arrayLength(&words); i += all.x * 256u) {
        var z = i * 2654435769u + 1u;
        z = (z ^ (z >> 16u)) * 2246822507u;
        z = (z ^ (z >> 13u)) * 3266489909u;
        words[i] = z ^ (z >> 16u);
    }
}";

const CHECK: &str = "
@group(0) @binding(0) var<storage, read> from_: array<u32>;
@group(0) @binding(1) var<storage, read> to_: array<u32>;
@group(0) @binding(2) var<storage, read_write> wrong: atomic<u32>;
@compute @workgroup_size(256)
fn check(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) all: vec3<u32>) {
    for (var i = id.x; i < $count$u; i += all.x * 256u) {
        let a = offset_from(i);
        let b = offset_to(i);
        let x = extractBits(from_[a / $each$u], a % $each$u * $bits$u, $bits$u);
        if (x != extractBits(to_[b / $each$u], b % $each$u * $bits$u, $bits$u)) {
            atomicAdd(&wrong, 1u);
        }
    }
}";

/// A copy, four vectors of a thread.
const COPY: &str = "
@group(0) @binding(0) var<storage, read> from_: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> to_: array<vec4<u32>>;
@compute @workgroup_size(256)
fn copy(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) t: u32) {
    let i = (group.x + group.y * 65535u) * 1024u + t;
    let count = arrayLength(&to_);
    var a = vec4<u32>();
    var b = vec4<u32>();
    var c = vec4<u32>();
    var d = vec4<u32>();
    if (i < count) { a = from_[i]; }
    if (i + 256u < count) { b = from_[i + 256u]; }
    if (i + 512u < count) { c = from_[i + 512u]; }
    if (i + 768u < count) { d = from_[i + 768u]; }
    if (i < count) { to_[i] = a; }
    if (i + 256u < count) { to_[i + 256u] = b; }
    if (i + 512u < count) { to_[i + 512u] = c; }
    if (i + 768u < count) { to_[i + 768u] = d; }
}";

const NOTHING: &str = "
@group(0) @binding(0) var<storage, read> from_: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> to_: array<vec4<u32>>;
@compute @workgroup_size(32)
fn nothing(@builtin(local_invocation_index) t: u32) {
    if (t == 77u) { to_[0] = from_[0]; }
}";

fn grid(groups: u64) -> [u32; 2] {
    [groups.min(65_535) as u32, groups.div_ceil(65_535) as u32]
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let folders: Vec<&str> =
        words.first().expect("measure DIR[,DIR ..] [WAY ..]").split(',').collect();
    let lines = |folder: &str| fs::read_to_string(format!("{folder}/lines")).expect("lines");
    let others: Vec<(&str, String)> =
        folders.iter().map(|folder| (*folder, lines(folder))).collect();
    let ways: Vec<&str> = if words.len() > 1 {
        words[1..].iter().map(String::as_str).collect()
    } else {
        vec!["checked"]
    };
    let gpu = pollster::block_on(Gpu::new());
    let fill = gpu.pipeline(FILL, "fill", "checked");
    let copy = gpu.pipeline(COPY, "copy", "checked");
    // The fixed cost of a run.
    let nothing = gpu.pipeline(NOTHING, "nothing", "checked");
    let small: Vec<wgpu::Buffer> = (0..65).map(|_| gpu.buffer(256)).collect();
    let group = |k: usize| gpu.group(&nothing, &[&small[64], &small[k]]);
    for (name, groups) in [
        ("one", vec![group(0)]),
        ("free", (0..64).map(group).collect()),
        ("serial", (0..64).map(|_| group(0)).collect()),
    ] {
        println!(
            "# nothing, {name}: {:.2} us",
            gpu.time(&Runs { pipeline: &nothing, groups, size: [1, 1] })
        );
    }
    println!("name bytes way MB kernel serial copy buffers ratio GB/s wrong");
    let mut failed = 0;
    let start = Instant::now();
    for line in lines(folders[0]).lines() {
        let [name, bytes, _, _, from, to] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let number =
            |text: &str| text.parse::<u32>().unwrap_or_else(|_| panic!("{text}: a number"));
        let layouts: [NamedLayout; 2] = [from, to].map(|text| text.parse().expect(text));
        let plain =
            [from, to].map(|text| text.parse::<layout_algebra::prelude::DynLayout>().expect(text));
        let elements = plain[0].size() as u64;
        let element = u64::from(number(bytes));
        let [a, b] = [0, 1].map(|k| (plain[k].cosize() as u64 * element).next_multiple_of(16));
        // As many bytes as are read once and written once.
        let moved = elements * element + a.min(elements * element);
        let [count, sources] = [b, a].map(|size| (ROOM / size).clamp(4, 16) as usize);
        let half = (moved / 2).next_multiple_of(16);
        let [froms, tos] = [(sources, a), (count, b)].map(|(count, size)| {
            (0..count).map(|_| gpu.buffer(size)).collect::<Vec<wgpu::Buffer>>()
        });
        for from in &froms {
            gpu.run(
                &Runs { pipeline: &fill, groups: vec![gpu.group(&fill, &[from])], size: [4096, 1] },
                false,
            );
        }
        // The copies take the kernel's buffers if these have their size.
        let is_same = a == half && b == half;
        let own = |count: usize| {
            (0..if is_same { 0 } else { count }).map(|_| gpu.buffer(half)).collect::<Vec<_>>()
        };
        let held = [own(sources), own(count)];
        let [origins, targets] = if is_same { [&froms, &tos] } else { [&held[0], &held[1]] };
        let groups =
            (0..count).map(|k| gpu.group(&copy, &[&origins[k % sources], &targets[k]])).collect();
        let shader =
            gpu.time(&Runs { pipeline: &copy, groups, size: grid((half / 16).div_ceil(1024)) });
        let own = gpu.median(count, &|| {
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.write_timestamp(&gpu.stamps, 0);
            for k in 0..count {
                encoder.copy_buffer_to_buffer(&origins[k % sources], 0, &targets[k], 0, half);
            }
            encoder.write_timestamp(&gpu.stamps, 1);
            encoder.resolve_query_set(&gpu.stamps, 0..2, &gpu.resolved, 0);
            gpu.queue.submit([encoder.finish()]);
        });
        let kernels = others.iter().filter_map(|(folder, lines)| {
            let line = lines.lines().find(|line| line.starts_with(&format!("{name} {bytes} ")))?;
            Some((
                folder,
                line.split(' ').skip(2).map(|text| text.parse().unwrap_or(0)).collect::<Vec<u32>>(),
            ))
        });
        let kernels: Vec<(&&str, Vec<u32>)> = kernels.collect();
        for ((folder, grid), way) in
            kernels.iter().flat_map(|kernel| ways.iter().map(move |way| (kernel, way)))
        {
            let code =
                fs::read_to_string(format!("{folder}/{name}_{bytes}.wgsl")).expect("a kernel");
            let pipeline = gpu.pipeline(&code, "run", way);
            let size = [grid[0], grid[1]];
            let group = |k: usize| gpu.group(&pipeline, &[&froms[k % sources], &tos[k]]);
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            encoder.clear_buffer(&tos[0], 0, None);
            let wrong = gpu.buffer(16);
            encoder.clear_buffer(&wrong, 0, None);
            gpu.queue.submit([encoder.finish()]);
            gpu.run(&Runs { pipeline: &pipeline, groups: vec![group(0)], size }, false);
            let functions =
                [("offset_from", &layouts[0]), ("offset_to", &layouts[1])].map(|(name, layout)| {
                    Index::of(layout.clone())
                        .name(name)
                        .flat()
                        .emit(Language::Wgsl)
                        .expect("an index")
                });
            let each = 4 / element;
            let check = [("count", elements), ("each", each), ("bits", 8 * element)]
                .iter()
                .fold(CHECK.to_string(), |text, (key, value)| {
                    text.replace(&format!("${key}$"), &value.to_string())
                });
            let check = gpu.pipeline(&(functions.concat() + &check), "check", "checked");
            let bound = gpu.group(&check, &[&froms[0], &tos[0], &wrong]);
            gpu.run(&Runs { pipeline: &check, groups: vec![bound], size: [8192, 1] }, false);
            let wrong = gpu.words(&wrong)[0];
            failed += u32::from(wrong > 0);
            let free = gpu.time(&Runs {
                pipeline: &pipeline,
                groups: (0..count).map(group).collect(),
                size,
            });
            let serial = gpu.time(&Runs {
                pipeline: &pipeline,
                groups: (0..8).map(|_| group(0)).collect(),
                size,
            });
            println!(
                "{name} {bytes} {folder}:{way} {:.0} {free:.2} {serial:.2} {shader:.2} {own:.2} {:.3} {:.0} {wrong}",
                moved as f64 / 1e6,
                shader.min(own) / free,
                moved as f64 / free / 1e3
            );
        }
        println!("# after {:.1} s", start.elapsed().as_secs_f64());
        drop((froms, tos, held));
        gpu.device.poll(PollType::Wait { submission_index: None, timeout: None }).expect("done");
    }
    std::process::exit(i32::from(failed > 0));
}
