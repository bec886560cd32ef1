//! Random pairs of layouts, run on whatever GPU there is, Mesa's software included, beside loops on
//! the processor. `RELAYOUTS` says how many, `SEED` from which seed: else each day has its own.

use std::time::{SystemTime, UNIX_EPOCH};

use layout_algebra::prelude::*;
use layout_emit::NamedLayout;
use layout_relayout_gpu::{RelayoutCache, RelayoutError};
use wgpu::BufferUsages;

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

fn number_of(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
    fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// One side of a relayout: its text, and the offset of each element from the least offset.
struct Side {
    text: String,
    offsets: Vec<usize>,
}

impl Side {
    fn room(&self) -> usize {
        self.offsets.iter().max().map_or(0, |last| last + 1)
    }
}

/// Strides in a random order of the axes, some padded, some negative; on the source's side some 0.
fn draw_side(random: &mut Random, extents: &[usize], is_source: bool) -> Side {
    let mut order: Vec<usize> = (0..extents.len()).collect();
    (1..order.len()).rev().for_each(|k| order.swap(k, random.below(k + 1)));
    let (mut strides, mut next) = (vec![0; extents.len()], 1);
    for k in order {
        strides[k] = next as i64;
        next = next * extents[k] + [0, 0, 0, 1, 3, 8][random.below(6)];
        match random.below(12) {
            0 => strides[k] = -strides[k],
            1 if is_source => strides[k] = 0,
            _ => {}
        }
    }
    let size = extents.iter().product();
    let at = |i: usize| {
        let mut rest = i;
        let digits = extents.iter().map(|extent| {
            let digit = rest % extent;
            rest /= extent;
            digit as i64
        });
        digits.zip(&strides).map(|(digit, stride)| digit * stride).sum::<i64>()
    };
    let signed: Vec<i64> = (0..size).map(at).collect();
    let least = signed.iter().copied().min().unwrap_or(0);
    let offsets = signed.iter().map(|offset| (offset - least) as usize).collect();
    let list = |numbers: Vec<String>| format!("({})", numbers.join(","));
    let [extents, strides] = [
        list(extents.iter().map(usize::to_string).collect()),
        list(strides.iter().map(i64::to_string).collect()),
    ];
    Side { text: format!("{extents}:{strides}"), offsets }
}

/// A swizzled tile of rows.
fn draw_swizzled(random: &mut Random, extents: [usize; 2]) -> Side {
    let swizzle = ["Sw<1,4,3>", "Sw<2,3,3>", "Sw<3,3,3>"][random.below(3)];
    let text = format!("{swizzle} o 0 o ({},{}):({},1)", extents[0], extents[1], extents[1]);
    let layout: DynComposedLayout = text.parse().expect("a layout");
    let offsets = (0..layout.size()).map(|i| layout.at(i)).collect();
    Side { text, offsets }
}

/// Elements of both sides, of 1 to 16 bytes.
fn draw(random: &mut Random) -> (Side, Side, usize) {
    let bytes = 1 << random.below(5);
    if random.below(8) == 0 {
        let extents = [8 << random.below(4), 64];
        let (a, b) = (draw_swizzled(random, extents), draw_side(random, &extents, false));
        let is_swapped = random.below(2) == 0;
        return if is_swapped { (b, a, bytes) } else { (a, b, bytes) };
    }
    let (mut left, mut extents) = (1 << (4 + random.below(12)), Vec::new());
    for _ in 0..1 + random.below(6) {
        let extent = match random.below(4) {
            0 => [16, 32, 64][random.below(3)] + random.below(3) - 1,
            1 => 1 << random.below(6),
            _ => 1 + random.below(40),
        };
        extents.push(extent.clamp(1, left));
        left /= extents[extents.len() - 1];
    }
    (draw_side(random, &extents, true), draw_side(random, &extents, false), bytes)
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

fn named(side: &Side) -> NamedLayout {
    side.text.parse().unwrap_or_else(|error| panic!("{}: {error}", side.text))
}

/// Each pair goes by the general kernel, by its own, and by its own once more.
#[test]
fn every_element_moves_and_nothing_else() {
    let Some((device, queue)) = gpu(false) else { return };
    let day = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() / 86_400);
    let (seed, count) = (number_of("SEED", day), number_of("RELAYOUTS", 40));
    println!("{count} pairs of SEED={seed}");
    let cache = RelayoutCache::new(&device);
    for number in 0..count {
        let mut random = Random(seed ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let (from, to, bytes) = draw(&mut random);
        let what = format!("number {number}: {} to {}, {bytes} bytes", from.text, to.text);
        let room = |side: &Side| (side.room() * bytes).next_multiple_of(16);
        let (source, before) = (random.bytes(room(&from)), random.bytes(room(&to) + 16));
        let mut after = before.clone();
        for (&s, &d) in from.offsets.iter().zip(&to.offsets) {
            after[d * bytes..][..bytes].copy_from_slice(&source[s * bytes..][..bytes]);
        }
        let source = buffer(&device, &queue, &source, BufferUsages::STORAGE);
        for run in 0..3 {
            let target = buffer(&device, &queue, &before, BufferUsages::STORAGE);
            cache
                .run(&queue, named(&from), named(&to), bytes, &source, &target)
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            let found = read(&device, &queue, &target);
            let wrong = found.iter().zip(&after).filter(|(found, right)| found != right).count();
            assert_eq!(wrong, 0, "{what}, run {run}: bytes of {}", after.len());
        }
    }
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
    (1..=100).for_each(|rows| run(rows, 101 - rows));
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
