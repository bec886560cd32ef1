//! Transposes a matrix on whatever GPU there is, by a kernel that is generated from two layouts,
//! and checks every element.

use layout_algebra::prelude::*;
use layout_emit::{Language, RelayoutKernel};
use wgpu::util::DeviceExt;
use wgpu::{BufferUsages, PollType, ShaderSource};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Row-major, and column-major: the same elements, and where each lies before and after.
    let (rows, columns) = (1000, 1500);
    let from = DynLayout::right(&DynShape::from([rows, columns]));
    let to = DynLayout::left(&DynShape::from([rows, columns]));
    let kernel = RelayoutKernel::new(&from, &to, 4)?.name("transpose").emit(Language::Wgsl)?;

    let matrix: Vec<u32> = (0..(rows * columns) as u32).collect();
    let transposed = pollster::block_on(run(&kernel, &matrix))?;
    for i in 0..from.size() {
        assert_eq!(transposed[to.index(i)], matrix[from.index(i)]);
    }
    println!("{kernel}\n{} elements, all where they belong", from.size());
    Ok(())
}

/// Runs the kernel `transpose` on the elements.
async fn run(kernel: &str, elements: &[u32]) -> Result<Vec<u32>, Box<dyn std::error::Error>> {
    let adapter = wgpu::Instance::default().request_adapter(&Default::default()).await?;
    let limits = adapter.limits();
    let device = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
    let (device, queue) = adapter.request_device(&device).await?;
    println!("on {}", adapter.get_info().name);

    let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
    let buffer = |usage| {
        let contents = &bytes[..];
        let descriptor = wgpu::util::BufferInitDescriptor { label: None, contents, usage };
        device.create_buffer_init(&descriptor)
    };
    let from = buffer(BufferUsages::STORAGE);
    let to = buffer(BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let back = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST);

    let source = ShaderSource::Wgsl(kernel.into());
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("transpose"),
        compilation_options: Default::default(),
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: from.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: to.as_entire_binding() },
        ],
    });
    // The launch stands in the kernel's comment: dispatch_workgroups(x, y, 1).
    let launch = kernel.split_once("dispatch_workgroups(").ok_or("no launch")?.1;
    let groups: Vec<u32> = launch.split(", ").take(2).map(str::parse).collect::<Result<_, _>>()?;

    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(groups[0], groups[1], 1);
    }
    encoder.copy_buffer_to_buffer(&to, 0, &back, 0, bytes.len() as u64);
    queue.submit([encoder.finish()]);
    back.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("mapped"));
    device.poll(PollType::Wait { submission_index: None, timeout: None })?;
    let mapped = back.slice(..).get_mapped_range()?;
    let words = mapped.chunks_exact(4);
    Ok(words.map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}
