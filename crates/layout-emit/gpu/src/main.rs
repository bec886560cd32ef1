//! Runs a compute shader on whatever GPU there is.
//!
//! ```text
//! layout-emit-gpu SHADER ROWS IN OUT
//!     the entry point main, 64 threads in a workgroup, a thread for each three numbers of ROWS
//! layout-emit-gpu --kernel ENTRY X Y SHADER FROM TO [TIMES]
//!     the entry point, X * Y workgroups; with TIMES the seconds of that many runs and copies
//! layout-emit-gpu --batch LIST
//!     kernels in one process, a line `ENTRY X Y SHADER FROM TO` each, on a device with the limits
//!     that WebGPU promises, but for the workgroup memory that a comment of the shader states
//! ```
//!
//! With `EMIT_TRUSTED` in the environment a shader is compiled without checks of its indices, and
//! with `EMIT_UNZEROED` a workgroup's memory is not zeroed, which the kernels do not need.
//!
//! The shader is WGSL or SPIR-V. The files are its bindings in this order, and the last one is
//! overwritten with the result.

use std::borrow::Cow;
use std::time::Instant;
use std::{env, fs};

use wgpu::util::DeviceExt;
use wgpu::{BufferUsages, PollType, ShaderSource};

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().unwrap_or_else(|_| panic!("{text}: a number"));
    let gpu = |workgroup_bytes| pollster::block_on(Gpu::new(workgroup_bytes));
    match &words[..] {
        ["--batch", list] => {
            let list = fs::read_to_string(list).expect("a list of kernels");
            let promised = wgpu::Limits::default().max_compute_workgroup_storage_size;
            let usual = gpu(Some(promised));
            for line in list.lines() {
                let [entry, x, y, shader, from, to] = line.split(' ').collect::<Vec<_>>()[..]
                else {
                    panic!("{line}: ENTRY X Y SHADER FROM TO")
                };
                let stated = stated_bytes(shader).unwrap_or(promised);
                let own = (stated > promised).then(|| gpu(Some(stated)));
                own.as_ref().unwrap_or(&usual).run(
                    shader,
                    entry,
                    [number(x), number(y)],
                    &[from, to],
                    0,
                );
            }
        }
        ["--kernel", entry, x, y, shader, from, to] => {
            gpu(None).run(shader, entry, [number(x), number(y)], &[from, to], 0);
        }
        ["--kernel", entry, x, y, shader, from, to, times] => {
            gpu(None).run(shader, entry, [number(x), number(y)], &[from, to], number(times));
        }
        [shader, rows, input, output] => {
            let threads = fs::metadata(rows).map(|file| file.len() / 12).expect("rows");
            gpu(None).run(
                shader,
                "main",
                [threads.div_ceil(64) as u32, 1],
                &[*rows, *input, *output],
                0,
            );
        }
        _ => panic!("layout-emit-gpu SHADER ROWS IN OUT"),
    }
}

/// The workgroup memory that a comment of the shader says to ask for.
fn stated_bytes(shader: &str) -> Option<u32> {
    let text = fs::read_to_string(shader).expect("a shader");
    let (before, _) = text.split_once(" bytes of workgroup memory")?;
    before.rsplit(' ').next()?.parse().ok()
}

/// A device.
struct Gpu {
    name: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Gpu {
    /// A device with all that the adapter has; or with the limits that WebGPU promises, but so many
    /// bytes of workgroup memory.
    async fn new(workgroup_bytes: Option<u32>) -> Gpu {
        let instance = wgpu::Instance::default();
        let adapter = instance
            .request_adapter(&Default::default())
            .await
            .expect("a GPU, or Mesa's software one");
        let features = adapter.features() & wgpu::Features::SHADER_INT64;
        let promised = |max_compute_workgroup_storage_size| wgpu::Limits {
            max_compute_workgroup_storage_size,
            ..Default::default()
        };
        let descriptor = wgpu::DeviceDescriptor {
            required_features: features,
            required_limits: workgroup_bytes.map_or_else(|| adapter.limits(), promised),
            // Buffers lie in memory of their own: two of less than 64 MiB in one block can be a
            // quarter slower.
            memory_hints: wgpu::MemoryHints::Manual {
                suballocated_device_memory_block_size: 8 << 20..8 << 20,
            },
            ..Default::default()
        };
        let (device, queue) = adapter.request_device(&descriptor).await.expect("a device");
        Gpu { name: adapter.get_info().name, device, queue }
    }

    fn run(&self, shader: &str, entry: &str, groups: [u32; 2], files: &[&str], times: u32) {
        let (device, queue) = (&self.device, &self.queue);
        let source = match shader.ends_with(".wgsl") {
            true => ShaderSource::Wgsl(fs::read_to_string(shader).expect("a shader").into()),
            false => {
                let bytes = fs::read(shader).expect("a shader");
                let words = bytes
                    .chunks_exact(4)
                    .map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")));
                ShaderSource::SpirV(Cow::Owned(words.collect()))
            }
        };
        let module = wgpu::ShaderModuleDescriptor { label: Some(shader), source };
        let module = match env::var_os("EMIT_TRUSTED") {
            None => device.create_shader_module(module),
            // SAFETY: who asks for it says that the shader reads and writes within its buffers, as
            // the kernels do that a run with checks has found right.
            Some(_) => unsafe {
                device.create_shader_module_trusted(module, wgpu::ShaderRuntimeChecks::unchecked())
            },
        };
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(shader),
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: env::var_os("EMIT_UNZEROED").is_none(),
                ..Default::default()
            },
            cache: None,
        });
        let storage = |name: &&str| {
            let contents = fs::read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                label: None,
                contents: &contents,
                usage,
            })
        };
        let buffers: Vec<wgpu::Buffer> = files.iter().map(storage).collect();
        let entry = |(k, buffer)| wgpu::BindGroupEntry {
            binding: k as u32,
            resource: wgpu::Buffer::as_entire_binding(buffer),
        };
        let entries: Vec<wgpu::BindGroupEntry<'_>> =
            buffers.iter().enumerate().map(entry).collect();
        let layout = pipeline.get_bind_group_layout(0);
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let out = buffers.last().expect("a file of results");
        let wait =
            || device.poll(PollType::Wait { submission_index: None, timeout: None }).expect("done");
        let runs = |count: u32| {
            let mut encoder = device.create_command_encoder(&Default::default());
            for _ in 0..count {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.dispatch_workgroups(groups[0], groups[1], 1);
            }
            encoder.finish()
        };
        let copies = |count: u32| {
            let mut encoder = device.create_command_encoder(&Default::default());
            let bytes = buffers[0].size().min(out.size());
            (0..count).for_each(|_| encoder.copy_buffer_to_buffer(&buffers[0], 0, out, 0, bytes));
            encoder.finish()
        };
        if times > 0 {
            let seconds = |commands| {
                wait();
                let start = Instant::now();
                queue.submit([commands]);
                wait();
                start.elapsed().as_secs_f64()
            };
            // The least of a few, each after one that warms up.
            let least = |make: &dyn Fn(u32) -> wgpu::CommandBuffer| {
                seconds(make(2));
                (0..3).map(|_| seconds(make(times))).fold(f64::INFINITY, f64::min)
            };
            println!("{} {} {}", self.name.replace(' ', "_"), least(&runs), least(&copies));
        }
        let back = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: out.size(),
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        queue.submit([runs(1)]);
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(out, 0, &back, 0, out.size());
        queue.submit([encoder.finish()]);
        back.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("mapped"));
        wait();
        let bytes = back.slice(..).get_mapped_range().expect("mapped");
        fs::write(files[files.len() - 1], &bytes[..]).expect("results written");
    }
}
