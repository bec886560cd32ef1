//! Transposes a matrix on a GPU, twice: by the general kernel, and by the pair's own.
//!
//! ```sh
//! cargo run --release --example transpose
//! ```

use layout_algebra::prelude::*;
use layout_relayout_gpu::wgpu::RelayoutCache;
use wgpu::{BufferUsages, MapMode, PollType};

const SIZE: u64 = 1000 * 700 * 4;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let adapter = wgpu::Instance::default().request_adapter(&Default::default());
    let adapter = pollster::block_on(adapter)?;
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    let buffer = |usage| {
        let (label, mapped_at_creation) = (None, false);
        device.create_buffer(&wgpu::BufferDescriptor {
            label,
            size: SIZE,
            usage,
            mapped_at_creation,
        })
    };
    let source = buffer(BufferUsages::STORAGE | BufferUsages::COPY_DST);
    let target = buffer(BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let result = buffer(BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let numbers: Vec<u8> = (0..SIZE as u32 / 4).flat_map(u32::to_le_bytes).collect();
    queue.write_buffer(&source, 0, &numbers);

    let rows: DynLayout = "(1000,700):(700,1)".parse()?;
    let columns: DynLayout = "(1000,700):(1,1000)".parse()?;
    let cache = RelayoutCache::new(&device);
    for run in 1..=2 {
        let mut encoder = device.create_command_encoder(&Default::default());
        cache.encode(&mut encoder, &rows, &columns, 4, &source, &target)?;
        encoder.copy_buffer_to_buffer(&target, 0, &result, 0, SIZE);
        queue.submit([encoder.finish()]);
        result.slice(..).map_async(MapMode::Read, |mapped| mapped.expect("mapped"));
        device.poll(PollType::Wait { submission_index: None, timeout: None })?;
        let bytes = result.slice(..).get_mapped_range()?.to_vec();
        result.unmap();
        let at = |offset: usize| u32::from_le_bytes(bytes[4 * offset..][..4].try_into().unwrap());
        assert!((0..1000).all(|i| (0..700).all(|j| at(i + 1000 * j) as usize == 700 * i + j)));
        println!("run {run} on {}: right", adapter.get_info().name);
    }
    Ok(())
}
