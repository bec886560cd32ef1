//! Random pairs of layouts, run on whatever GPU there is, Mesa's software included, beside loops on
//! the processor. `RELAYOUTS` says how many, `SEED` from which seed: else each day has its own.

use layout_emit::NamedLayout;
use layout_relayout_gpu::RelayoutError;
use layout_relayout_gpu::wgpu::RelayoutCache;
use wgpu::BufferUsages;

mod draws;
use draws::{draw_pairs, named};

/// A device with what WebGPU promises, or with all that the adapter has.
fn gpu(has_all: bool) -> Option<(wgpu::Device, wgpu::Queue)> {
    let instance = wgpu::Instance::default();
    let Ok(adapter) = pollster::block_on(instance.request_adapter(&Default::default())) else {
        println!("NOT RUN: there is no GPU, not even Mesa's software");
        return None;
    };
    let required_limits = if has_all { adapter.limits() } else { Default::default() };
    let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
    Some(pollster::block_on(adapter.request_device(&descriptor)).expect("a device"))
}

fn buffer(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    contents: &[u8],
    usage: BufferUsages,
) -> wgpu::Buffer {
    let size = contents.len() as u64;
    let usage = usage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
    let buffer = device.create_buffer(&descriptor);
    queue.write_buffer(&buffer, 0, contents);
    buffer
}

fn read(device: &wgpu::Device, queue: &wgpu::Queue, from: &wgpu::Buffer) -> Vec<u8> {
    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
    let size = from.size();
    let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
    let mapped = device.create_buffer(&descriptor);
    let mut encoder = device.create_command_encoder(&Default::default());
    encoder.copy_buffer_to_buffer(from, 0, &mapped, 0, size);
    queue.submit([encoder.finish()]);
    mapped.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("mapped"));
    device.poll(wgpu::PollType::Wait { submission_index: None, timeout: None }).expect("done");
    mapped.slice(..).get_mapped_range().expect("mapped").to_vec()
}

/// Each pair goes by the general kernel, by its own, and by its own once more.
#[test]
fn every_element_moves_and_nothing_else() {
    let Some((device, queue)) = gpu(false) else { return };
    let cache = RelayoutCache::new(&device);
    draw_pairs(|pair, random| {
        let what = &pair.what;
        let rooms = pair.rooms().map(|room| room.next_multiple_of(16));
        let (source, before) = (random.bytes(rooms[0]), random.bytes(rooms[1] + 16));
        let after = pair.moved(&source, &before);
        let source = buffer(&device, &queue, &source, BufferUsages::STORAGE);
        for run in 0..3 {
            let target = buffer(&device, &queue, &before, BufferUsages::STORAGE);
            cache
                .run(&queue, named(&pair.from), named(&pair.to), pair.bytes, &source, &target)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let found = read(&device, &queue, &target);
            let wrong = found.iter().zip(&after).filter(|(found, right)| found != right).count();
            assert_eq!(wrong, 0, "{what}, run {run}: bytes of {}", after.len());
        }
    });
}

#[test]
fn many_shapes_are_one_compilation_until_they_come_again() {
    let Some((device, queue)) = gpu(true) else { return };
    let buffers = [0, 1].map(|_| buffer(&device, &queue, &[0; 1 << 16], BufferUsages::STORAGE));
    let cache = RelayoutCache::new(&device);
    let run = |rows: usize, columns: usize| {
        let [from, to] =
            [format!("({rows},{columns}):({columns},1)"), format!("({rows},{columns})")]
                .map(|text| text.parse::<NamedLayout>().expect("a layout"));
        cache.run(&queue, &from, &to, 4, &buffers[0], &buffers[1]).expect("it fits");
    };
    (2..=99).for_each(|rows| run(rows, 101 - rows));
    assert_eq!(cache.pipelines(), 1);
    // What is refused is no run: the target is too small.
    let small = buffer(&device, &queue, &[0; 64], BufferUsages::STORAGE);
    let [from, to] = ["(40,61):(61,1)", "(40,61)"].map(|text| text.parse::<NamedLayout>().unwrap());
    for _ in 0..5 {
        cache.run(&queue, &from, &to, 4, &buffers[0], &small).expect_err("it does not fit");
    }
    assert_eq!(cache.pipelines(), 1);
    run(40, 61);
    assert_eq!(cache.pipelines(), 2);
    run(40, 61);
    assert_eq!(cache.pipelines(), 2);
    cache.clear();
    assert_eq!(cache.pipelines(), 0);
    // Pairs of one function share their code.
    let cache = RelayoutCache::new(&device).with_own_from(1);
    for [from, to] in [["(4,6):(6,1)", "(4,6)"], ["((2,2),6):((6,12),1)", "((2,2),6)"]] {
        let [from, to] = [from, to].map(|text| text.parse::<NamedLayout>().expect("a layout"));
        cache.run(&queue, &from, &to, 4, &buffers[0], &buffers[1]).expect("it fits");
    }
    assert_eq!(cache.pipelines(), 1);
}

#[test]
fn what_does_not_fit_is_a_sentence() {
    let Some((device, queue)) = gpu(false) else { return };
    let make = |bytes: usize, usage| buffer(&device, &queue, &vec![7; bytes], usage);
    let (source, target) = (make(96, BufferUsages::STORAGE), make(96, BufferUsages::STORAGE));
    let cache = RelayoutCache::new(&device);
    let run = |from: &str, to: &str, bytes, source: &wgpu::Buffer, target: &wgpu::Buffer| {
        let [from, to] = [from, to].map(|text| text.parse::<NamedLayout>().expect("a layout"));
        cache.run(&queue, from, to, bytes, source, target).map_err(|error| error.to_string())
    };
    let refused = |from: &str, to: &str, bytes, sentence: &str| {
        assert_eq!(run(from, to, bytes, &source, &target), Err(sentence.into()), "{from} to {to}");
    };
    assert_eq!(run("(4,6)", "(4,6):(6,1)", 4, &source, &target), Ok(()));
    refused("(4,6)", "(4,5)", 4, "(4,6):(1,4) has 24 coordinates, and (4,5):(1,4) has 20");
    refused("(4,6)", "(4,6)", 3, "an element has 1, 2, 4, 8 or 16 bytes, not 3");
    refused(
        "(4,6)",
        "(4,6):(1,1)",
        4,
        "two elements go to one place: (4,6):(1,1) gives two coordinates one offset",
    );
    refused(
        "(4,6):(1,8)",
        "(4,6)",
        4,
        "the source has 96 bytes, and (4,6):(1,8) of elements of 4 bytes takes 176",
    );
    refused(
        "(4,6)",
        "(4,6):(-1,8)",
        4,
        "the target has 96 bytes, and (4,6):(-1,8) of elements of 4 bytes takes 176",
    );
    refused("(m,6)", "(4,6)", 4, "a kernel is made for layouts of numbers, without names");
    assert_eq!(
        run("(4,6)", "(4,6)", 4, &source, &source),
        Err("one buffer is both source and target".into())
    );
    let plain = make(96, BufferUsages::empty());
    assert_eq!(
        run("(4,6)", "(4,6)", 4, &source, &plain),
        Err("the target has not the usage STORAGE".into())
    );
    assert_eq!(
        run("(4,6)", "(4,6)", 4, &source, &make(100, BufferUsages::STORAGE)),
        Err("the target has 100 bytes, which is no multiple of 16".into())
    );
    // Nothing is nothing to move.
    assert_eq!(run("(0,6)", "(0,6)", 4, &source, &target), Ok(()));
    assert!(read(&device, &queue, &target).iter().all(|&byte| byte == 7));
    let error = RelayoutError::Limit("a sentence".into());
    assert_eq!(error.to_string(), "a sentence");
}
