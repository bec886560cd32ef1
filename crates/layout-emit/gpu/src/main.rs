//! Runs a compute shader on whatever GPU there is: `layout-emit-gpu SHADER ROWS IN OUT`.
//!
//! The shader is WGSL or SPIR-V with the entry point `main` and 64 threads in a workgroup, a thread for each three numbers
//! of the file ROWS. Bindings 0 to 2 are the files ROWS and IN, and OUT, which is overwritten with the result.

use std::borrow::Cow;
use std::{env, fs};

use wgpu::util::DeviceExt;
use wgpu::{BufferUsages, PollType, ShaderSource};

fn main() {
    let files: Vec<String> = env::args().skip(1).collect();
    let [shader, rows, input, output] = &files[..] else { panic!("layout-emit-gpu SHADER ROWS IN OUT") };
    let read = |name: &str| fs::read(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    pollster::block_on(run(shader, &read(rows), &read(input), &read(output), output));
}

async fn run(shader: &str, rows: &[u8], input: &[u8], out: &[u8], output: &str) {
    let instance = wgpu::Instance::default();
    let adapter = instance.request_adapter(&Default::default()).await.expect("a GPU, or Mesa's software one");
    let features = adapter.features() & wgpu::Features::SHADER_INT64;
    let device = wgpu::DeviceDescriptor {
        required_features: features,
        required_limits: adapter.limits(),
        ..Default::default()
    };
    let (device, queue) = adapter.request_device(&device).await.expect("a device");
    let source = match shader.ends_with(".wgsl") {
        true => ShaderSource::Wgsl(fs::read_to_string(shader).expect("a shader").into()),
        false => {
            let bytes = fs::read(shader).expect("a shader");
            let words = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")));
            ShaderSource::SpirV(Cow::Owned(words.collect()))
        }
    };
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let storage = |contents: &[u8]| {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: None, contents, usage })
    };
    let buffers = [storage(rows), storage(input), storage(out)];
    let entry = |(k, buffer)| wgpu::BindGroupEntry { binding: k as u32, resource: wgpu::Buffer::as_entire_binding(buffer) };
    let entries: Vec<wgpu::BindGroupEntry<'_>> = buffers.iter().enumerate().map(entry).collect();
    let layout = pipeline.get_bind_group_layout(0);
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
    let back = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: out.len() as u64,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((rows.len() / 12).div_ceil(64) as u32, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&buffers[2], 0, &back, 0, out.len() as u64);
    queue.submit([encoder.finish()]);
    back.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("mapped"));
    device.poll(PollType::Wait { submission_index: None, timeout: None }).expect("done");
    let bytes = back.slice(..).get_mapped_range().expect("mapped");
    fs::write(output, &bytes[..]).unwrap_or_else(|error| panic!("{output}: {error}"));
}
