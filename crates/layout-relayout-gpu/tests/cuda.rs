//! Random pairs of layouts, run on a card through CUDA, beside loops on the processor; and what is
//! refused. `RELAYOUTS` says how many, `SEED` from which seed: else each day has its own.
#![allow(unsafe_code, reason = "asks whether there is a driver; memory of others")]

use std::sync::Arc;
use std::time::Instant;

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr};
use layout_emit::NamedLayout;
use layout_relayout_gpu::RelayoutError;
use layout_relayout_gpu::cuda::{DeviceMemory, RelayoutCache};

mod draws;
use draws::{Random, draw_pairs, named};

/// A stream of the first card.
fn gpu() -> Option<(Arc<CudaContext>, Arc<CudaStream>)> {
    // SAFETY: loads the driver's library, if there is one.
    let is_there = unsafe { cudarc::driver::sys::is_culib_present() };
    if !is_there || CudaContext::device_count().is_ok_and(|count| count == 0) {
        println!("NOT RUN: there is no card of NVIDIA's");
        return None;
    }
    let context = CudaContext::new(0).expect("a context");
    let stream = context.new_stream().expect("a stream");
    Some((context, stream))
}

fn parse(text: &str) -> NamedLayout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Bytes around a target.
const AROUND: usize = 512;

/// Each pair goes by the general kernel, by its own, by its own once more, and from and to places
/// that are multiples of an element alone.
#[test]
fn every_element_moves_and_nothing_else() {
    let Some((context, stream)) = gpu() else { return };
    let cache = RelayoutCache::new(&context).expect("a cache");
    let refused = std::cell::Cell::new(0);
    draw_pairs(|pair, random| {
        let (what, bytes, rooms) = (&pair.what, pair.bytes, pair.rooms());
        let source = random.bytes(rooms[0] + 2 * AROUND);
        let before = random.bytes(rooms[1] + 2 * AROUND);
        let device = stream.clone_htod(&source).expect("a source");
        for run in 0..4 {
            // The last run begins at an odd element on one of the two sides or on both.
            let odd = if run < 3 { 0 } else { 1 + random.below(3) };
            let begins = [odd & 1, odd >> 1].map(|odd| AROUND + odd * bytes);
            let mut after = before.clone();
            let moved = pair.moved(&source[begins[0]..], &before[begins[1]..]);
            after[begins[1]..].copy_from_slice(&moved);
            let mut target = stream.clone_htod(&before).expect("a target");
            let from = device.slice(begins[0]..begins[0] + rooms[0]);
            let mut to = target.slice_mut(begins[1]..begins[1] + rooms[1]);
            let ran = cache.run(&stream, named(&pair.from), named(&pair.to), bytes, &from, &mut to);
            match ran {
                // Swizzles have no general kernel.
                Err(RelayoutError::Buffer(text)) if run == 3 => {
                    assert!(text.starts_with("layouts without common axes"), "{what}: {text}");
                    refused.set(refused.get() + 1);
                    continue;
                }
                ran => ran.unwrap_or_else(|error| panic!("{what}: {error}")),
            }
            let found = stream.clone_dtoh(&target).expect("a result");
            let wrong = found.iter().zip(&after).filter(|(found, right)| found != right).count();
            assert_eq!(wrong, 0, "{what}, run {run}: bytes of {}", after.len());
        }
    });
    println!("{} programs, {} odd places refused", cache.programs(), refused.get());
}

#[test]
fn many_shapes_are_one_compilation_until_they_come_again() {
    let Some((context, stream)) = gpu() else { return };
    let source = stream.alloc_zeros::<f32>(1 << 14).expect("a source");
    let mut target = stream.alloc_zeros::<f32>(1 << 14).expect("a target");
    let cache = RelayoutCache::new(&context).expect("a cache");
    let run = |rows: usize, columns: usize, target: &mut CudaSlice<f32>| {
        let [from, to] =
            [format!("({rows},{columns}):({columns},1)"), format!("({rows},{columns})")];
        cache.run(&stream, parse(&from), parse(&to), 4, &source, target)
    };
    (2..=99).for_each(|rows| run(rows, 101 - rows, &mut target).expect("it fits"));
    assert_eq!(cache.programs(), 1);
    // What is refused is no run: the target is too small.
    let mut small = stream.alloc_zeros::<f32>(16).expect("a target");
    for _ in 0..5 {
        run(40, 61, &mut small).expect_err("it does not fit");
    }
    assert_eq!(cache.programs(), 1);
    run(40, 61, &mut target).expect("it fits");
    assert_eq!(cache.programs(), 2);
    run(40, 61, &mut target).expect("it fits");
    assert_eq!(cache.programs(), 2);
    // The same function in other words.
    let [from, to] = ["((2,20),61):((61,122),1)", "((2,20),61):((1,2),40)"].map(parse);
    cache.run(&stream, from, to, 4, &source, &mut target).expect("it fits");
    assert_eq!(cache.programs(), 2);
    cache.clear();
    assert_eq!(cache.programs(), 0);
}

#[test]
fn what_does_not_fit_is_a_sentence() {
    let Some((context, stream)) = gpu() else { return };
    let source = stream.clone_htod(&[1_u32; 24]).expect("a source");
    let mut target = stream.clone_htod(&[7_u32; 24]).expect("a target");
    let cache = RelayoutCache::new(&context).expect("a cache");
    let mut run = |from: &str, to: &str, bytes: usize| {
        let ran = cache.run(&stream, parse(from), parse(to), bytes, &source, &mut target);
        ran.map_err(|error| error.to_string())
    };
    let cases = [
        ("(4,6)", "(4,5)", 4, "(4,6):(1,4) has 24 coordinates, and (4,5):(1,4) has 20"),
        ("(4,6)", "(4,6)", 3, "an element has 1, 2, 4, 8 or 16 bytes, not 3"),
        (
            "(4,6)",
            "(4,6)",
            2,
            "elements of 2 bytes are not made of the buffers' elements of 4 bytes",
        ),
        (
            "(4,6)",
            "(4,6):(1,1)",
            4,
            "two elements go to one place: (4,6):(1,1) gives two coordinates one offset",
        ),
        (
            "(4,6):(1,8)",
            "(4,6)",
            4,
            "the source has 96 bytes, and (4,6):(1,8) of elements of 4 bytes takes 176",
        ),
        (
            "(4,6)",
            "(4,6):(-1,8)",
            4,
            "the target has 96 bytes, and (4,6):(-1,8) of elements of 4 bytes takes 176",
        ),
        ("(m,6)", "(4,6)", 4, "a kernel is made for layouts of numbers, without names"),
    ];
    for (from, to, bytes, sentence) in cases {
        assert_eq!(run(from, to, bytes), Err(sentence.into()), "{from} to {to}");
    }
    // Nothing is nothing to move.
    assert_eq!(run("(0,6)", "(0,6)", 4), Ok(()));
    assert_eq!(cache.programs(), 0);
    assert_eq!(stream.clone_dtoh(&target).expect("a result"), [7; 24]);
    // Memory of others: no element where none begins, and no overlap.
    let all = stream.clone_htod(&[3_u8; 256]).expect("memory");
    let (address, _guard) = all.device_ptr(&stream);
    let run = |first: [u64; 2], bytes| {
        let [source, target] =
            first.map(|first| DeviceMemory { address: address + first, bytes: 96 });
        let [from, to] = ["(4,6)", "(4,6):(6,1)"].map(parse);
        // SAFETY: the memory is there until the stream is done.
        let ran = unsafe { cache.run_memory(&stream, from, to, bytes, source, target) };
        ran.map_err(|error| error.to_string())
    };
    assert_eq!(run([0, 96], 4), Ok(()));
    assert_eq!(
        run([0, 92], 4),
        Err("the memory of the source and that of the target overlap".into())
    );
    let error = run([98, 0], 4).expect_err("no element begins there");
    assert!(error.ends_with(", which is no multiple of 4, the bytes of an element"), "{error}");
    stream.synchronize().expect("done");
    // A stream of another context, where there is a second card.
    if CudaContext::device_count().is_ok_and(|count| count > 1) {
        let other = CudaContext::new(1).expect("a context").default_stream();
        let mut target = stream.clone_htod(&[7_u32; 24]).expect("a target");
        let [from, to] = ["(4,6)", "(4,6):(6,1)"].map(parse);
        let error = cache.run(&other, from, to, 4, &source, &mut target).expect_err("another");
        assert!(error.to_string().starts_with("the source is of a context of device 0"), "{error}");
    }
}

/// Places beyond 2^32 bytes and elements beyond 2^32, by the general kernel and by the pair's own.
#[test]
fn offsets_have_64_bits() {
    let Some((context, stream)) = gpu() else { return };
    let bytes: usize = 5 << 30;
    let memory = [0, 1].map(|_| stream.alloc_zeros::<u8>(bytes));
    let [Ok(mut source), Ok(mut target)] = memory else {
        println!("NOT RUN: the card has no 10 GiB");
        return;
    };
    let (mut random, cache) = (Random(57), RelayoutCache::new(&context).expect("a cache"));
    // A pattern of a prime length.
    let pattern = random.bytes(1_000_003);
    for first in (0..bytes).step_by(pattern.len()) {
        let end = bytes.min(first + pattern.len());
        let mut part = source.slice_mut(first..end);
        stream.memcpy_htod(&pattern[..end - first], &mut part).expect("written");
    }
    let cases = [
        // Few elements, far apart: squares, and one by one.
        ("(64,1000):(1,5000001)", "(64,1000):(4999999,1)", 1),
        ("(3,7,1000):(8,800000000,1024)", "(3,7,1000):(2500000000,1,56)", 1),
        ("(7,1000):(-5,70000)", "(7,1000):(220000000,-1)", 4),
        // More than 2^32 elements.
        ("(65536,65537):(65537,1)", "(65536,65537):(1,65536)", 1),
        ("(3,1500000001):(1,3)", "(3,1500000001):(1500000001,1)", 1),
        ("(2,5,429496730):(5,1,10)", "(2,5,429496730):(1,2,10)", 1),
    ];
    for (from, to, bytes) in cases {
        let (named, layouts) = ([from, to].map(parse), [from, to].map(|text| text.parse()));
        let layouts: [layout_algebra::DynLayout; 2] = layouts.map(|layout| layout.expect("plain"));
        let least = |layout: &layout_algebra::DynLayout| -> i64 {
            (0..layout.rank()).map(|mode| last_offset(layout, mode).min(0)).sum()
        };
        for run in 0..2 {
            stream.memset_zeros(&mut target).expect("zeros");
            let [from, to] = named.clone();
            let ran = cache.run(&stream, from, to, bytes, &source, &mut target);
            ran.unwrap_or_else(|error| panic!("{named:?}: {error}"));
            for k in 0..300 {
                let size = layouts[0].size();
                // The first and the last elements, and some between.
                let i = match k {
                    0..50 => k,
                    50..100 => size - 1 - (k - 50),
                    _ => random.below(size),
                };
                let [a, b] = [0, 1].map(|side| {
                    (signed_offset(&layouts[side], i) - least(&layouts[side])) as usize * bytes
                });
                let found = stream.clone_dtoh(&target.slice(b..b + bytes)).expect("a result");
                let right: Vec<u8> = (a..a + bytes).map(|at| pattern[at % pattern.len()]).collect();
                assert_eq!(found, right, "{} to {}, run {run}, element {i}", named[0], named[1]);
            }
        }
    }
}

fn strides(layout: &layout_algebra::DynLayout) -> Vec<i64> {
    let signed = |stride| match stride {
        layout_algebra::DynStride::Natural(stride) => stride as i64,
        layout_algebra::DynStride::Negative(stride) => -(stride as i64),
        layout_algebra::DynStride::Xor(_) => panic!("no sum"),
    };
    layout.strides().map(signed).collect()
}

fn last_offset(layout: &layout_algebra::DynLayout, mode: usize) -> i64 {
    strides(layout)[mode] * (layout.shape().leaves()[mode] as i64 - 1)
}

fn signed_offset(layout: &layout_algebra::DynLayout, i: usize) -> i64 {
    let mut rest = i;
    let extents = layout.shape().leaves().to_vec();
    let digits = extents.iter().map(|extent| {
        let digit = rest % extent;
        rest /= extent;
        digit as i64
    });
    digits.zip(strides(layout)).map(|(digit, stride)| digit * stride).sum()
}

/// `cargo test --release --features cuda --test cuda -- --ignored --nocapture`: bytes that are read
/// and written, beside the device's copy of as many bytes, by the general kernel and by the pair's
/// own; and what a call costs the processor.
#[test]
#[ignore = "measures"]
fn measure() {
    let Some((context, stream)) = gpu() else { return };
    let general = RelayoutCache::new(&context).expect("a cache").with_own_from(usize::MAX);
    let own = RelayoutCache::new(&context).expect("a cache").with_own_from(1);
    let cases = [
        ("(8192,8192):(8192,1)", "(8192,8192):(1,8192)", 4),
        ("(4001,8003):(8003,1)", "(4001,8003):(1,4001)", 4),
        ("(16,4096,32,128):(16777216,4096,128,1)", "(16,4096,32,128):(16777216,128,524288,1)", 2),
        ("(64,256,3136):(802816,3136,1)", "(64,256,3136):(802816,1,256)", 2),
        (
            "(31,33,35,37,40):(1,31,1023,35805,1324785)",
            "(31,33,35,37,40):(1709400,51800,1480,40,1)",
            4,
        ),
        // Offsets beyond 2^31.
        ("(65536,65537):(65537,1)", "(65536,65537):(1,65536)", 1),
        ("(64,3,262144):(786432,262144,1)", "(64,3,262144):(786432,1,3)", 1),
    ];
    let most = 5 << 30;
    let source = stream.alloc_zeros::<u8>(most).expect("a source");
    let mut target = stream.alloc_zeros::<u8>(most).expect("a target");
    let mut best = |run: &mut dyn FnMut(&mut CudaSlice<u8>)| -> f64 {
        let mut least = f64::MAX;
        for _ in 0..5 {
            stream.synchronize().expect("done");
            let flags = Some(cudarc::driver::sys::CUevent_flags::CU_EVENT_DEFAULT);
            let begin = stream.record_event(flags).expect("an event");
            (0..20).for_each(|_| run(&mut target));
            let end = stream.record_event(flags).expect("an event");
            least = least.min(f64::from(begin.elapsed_ms(&end).expect("a time")) / 20.0);
        }
        least
    };
    for (from, to, bytes) in cases {
        let [from_, to_] = [from, to].map(parse);
        let size = from.parse::<layout_algebra::DynLayout>().expect("a layout").size() * bytes;
        let copy = best(&mut |target| {
            stream
                .memcpy_dtod(&source.slice(..size), &mut target.slice_mut(..size))
                .expect("copied")
        });
        let times = [&general, &own].map(|cache| {
            best(&mut |target| {
                cache.run(&stream, &from_, &to_, bytes, &source, target).expect("it fits")
            })
        });
        let speed = |time: f64| 2.0 * size as f64 / time / 1e6;
        println!(
            "{from} to {to}, {bytes} bytes: copy {:.0} GB/s, general {:.3}, own {:.3} of it",
            speed(copy),
            copy / times[0],
            copy / times[1]
        );
    }
    // The processor's time: a small pair, known.
    let [from, to] = ["(2,16,8,4):(512,32,4,1)", "(2,16,8,4):(512,4,64,1)"].map(parse);
    let plain: layout_algebra::DynLayout = "(2,16,8,4):(512,32,4,1)".parse().expect("a layout");
    let begin = Instant::now();
    for _ in 0..10_000 {
        own.run(&stream, &from, &to, 4, &source, &mut target).expect("it fits");
    }
    let named = begin.elapsed();
    let begin = Instant::now();
    for _ in 0..10_000 {
        own.run(&stream, &plain, &to, 4, &source, &mut target).expect("it fits");
    }
    println!("a call: {:?}, and {:?} from a DynLayout", named / 10_000, begin.elapsed() / 10_000);
    stream.synchronize().expect("done");
    let begin = Instant::now();
    let cache = RelayoutCache::new(&context).expect("a cache");
    cache.run(&stream, &from, &to, 4, &source, &mut target).expect("it fits");
    let first = begin.elapsed();
    cache.run(&stream, &from, &to, 4, &source, &mut target).expect("it fits");
    println!("a cache's first run: {first:?}; the pair's second: {:?}", begin.elapsed() - first);
}
