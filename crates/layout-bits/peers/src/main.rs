//! Gigabytes of numbers a second that one core makes of blocks: this package's, candle-core's and
//! ggml's, and what it writes of one number again and again.
//!
//! `GGML` names the library that has `dequantize_row_*`. Words behind `--` choose lines.

use std::hint::black_box;
use std::time::Instant;

use candle_core::quantized::GgmlType;
use candle_core::quantized::k_quants::{BlockQ4_0, BlockQ4K, BlockQ6K};
use half::f16;
use half::slice::HalfFloatSliceExt;
use layout_bits::{Format, Repack, formats};

type Row = unsafe extern "C" fn(*const u8, *mut f32, i64);

/// Seconds of the fastest of several runs, each of at least a millisecond.
fn seconds(mut f: impl FnMut()) -> f64 {
    let start = Instant::now();
    f();
    let times = (1e-3 / start.elapsed().as_secs_f64()).ceil() as u32;
    let run = |_| {
        let start = Instant::now();
        (0..times).for_each(|_| f());
        start.elapsed().as_secs_f64() / f64::from(times)
    };
    (0..15).map(run).fold(f64::INFINITY, f64::min)
}

fn candle<T: GgmlType>(bytes: &[u8], numbers: &mut [f32]) {
    assert_eq!(bytes.as_ptr() as usize % align_of::<T>(), 0);
    // SAFETY: candle's blocks are those of ggml, of bytes and halves, any of which is one.
    let blocks = unsafe {
        std::slice::from_raw_parts(bytes.as_ptr().cast::<T>(), bytes.len() / size_of::<T>())
    };
    T::to_float(blocks, numbers)
}

type Candle = Option<fn(&[u8], &mut [f32])>;

fn line(format: &Format, elements: usize, candle: Candle, ggml: Option<Row>) {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as u8
    };
    let mut bytes: Vec<u8> =
        (0..elements / format.elements() * format.bytes()).map(|_| random()).collect();
    // Scales that are numbers.
    for block in bytes.chunks_exact_mut(format.bytes()) {
        for field in format.fields().iter().filter(|field| field.width() == 16) {
            let at = field.parts()[0].bit(0) / 8;
            block[at..at + 2].copy_from_slice(&f16::from_f32(0.01).to_le_bytes());
        }
        if format.name() == "mxfp4" {
            block[0] = 120;
        }
    }
    let (mut ours, mut theirs) = (vec![0.0_f32; elements], vec![0.0_f32; elements]);
    let mut halves = vec![f16::ZERO; elements];
    let mut halves_of_theirs = vec![f16::ZERO; elements];
    let (gb, half_gb) = (elements as f64 * 4e-9, elements as f64 * 2e-9);
    let mut text = vec![format!("{:6} {:9}", format.name(), elements)];
    let mut say =
        |name: &str, gb: f64, seconds: f64| text.push(format!("{name} {:5.2}", gb / seconds));
    say("write", gb, seconds(|| black_box(&mut ours[..]).fill(black_box(1.5))));
    say("ours", gb, seconds(|| format.dequantize_into(&bytes, black_box(&mut ours)).unwrap()));
    if let Some(candle) = candle {
        say("candle", gb, seconds(|| candle(&bytes, black_box(&mut theirs))));
        assert_eq!(ours, theirs);
    }
    if let Some(row) = ggml {
        theirs.fill(0.0);
        // SAFETY: the library's function reads these blocks and writes these numbers.
        say(
            "ggml",
            gb,
            seconds(|| unsafe {
                row(bytes.as_ptr(), black_box(&mut theirs).as_mut_ptr(), elements as i64)
            }),
        );
        assert_eq!(ours, theirs);
    }
    say("| f16: write", half_gb, seconds(|| black_box(&mut halves[..]).fill(black_box(f16::ONE))));
    say(
        "ours",
        half_gb,
        seconds(|| format.dequantize_into(&bytes, black_box(&mut halves)).unwrap()),
    );
    if let Some(candle) = candle {
        let mut then = || {
            candle(&bytes, &mut theirs);
            black_box(&mut halves_of_theirs).convert_from_f32_slice(&theirs);
        };
        say("candle", half_gb, seconds(&mut then));
        assert_eq!(halves, halves_of_theirs);
    }
    if let Some(row) = ggml {
        let mut then = || {
            // SAFETY: as above.
            unsafe { row(bytes.as_ptr(), theirs.as_mut_ptr(), elements as i64) };
            black_box(&mut halves_of_theirs).convert_from_f32_slice(&theirs);
        };
        say("ggml", half_gb, seconds(&mut then));
    }
    println!("{}", text.join("  "));
}

/// Q4_0 as rows of nibbles and as Marlin's tiles, and back, beside a copy of as many bytes.
fn repack(k: usize, n: usize) {
    let bytes = vec![7_u8; k * n / 32 * 18];
    let mut to = vec![0; bytes.len()];
    let gb = bytes.len() as f64 * 1e-9;
    let mut text = vec![format!(
        "repack {k} x {n}, GB/s: copy {:5.2}",
        gb / seconds(|| black_box(&mut to).copy_from_slice(&bytes))
    )];
    let (ggml, nibbles, tiles) = (
        formats::q4_0(),
        formats::compressed_tensors(k, n, 32).unwrap(),
        formats::marlin(k, n, 32).unwrap(),
    );
    for (a, b) in [
        (&ggml, &nibbles),
        (&ggml, &tiles),
        (&nibbles, &tiles),
        (&tiles, &nibbles),
        (&nibbles, &ggml),
        (&tiles, &ggml),
    ] {
        let plan = Repack::plan(a, b).unwrap();
        let time = seconds(|| plan.run_into(&bytes, black_box(&mut to)).unwrap());
        text.push(format!("{} to {} {:5.2}", a.name(), b.name(), gb / time));
    }
    println!("{}", text.join(", "));
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // SAFETY: a library of functions, which does nothing when it is loaded.
    let library = std::env::var_os("GGML")
        .map(|path| unsafe { libloading::Library::new(path) }.expect("GGML's library"));
    let row = |name: &str| {
        let library = library.as_ref()?;
        // SAFETY: ggml's header declares it so: blocks, floats, and the count of these.
        Some(*unsafe { library.get::<Row>(name.as_bytes()) }.expect("a function of GGML's"))
    };
    let chosen =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for (k, n) in [(4096, 14336), (1024, 512)] {
        if chosen("repack") {
            repack(k, n);
        }
    }
    println!("GB/s of numbers, one core");
    for elements in [1 << 14, 1 << 25] {
        let lines: [(Format, Candle, &str); 4] = [
            (formats::q4_0(), Some(candle::<BlockQ4_0>), "dequantize_row_q4_0"),
            (formats::q4_k(), Some(candle::<BlockQ4K>), "dequantize_row_q4_K"),
            (formats::q6_k(), Some(candle::<BlockQ6K>), "dequantize_row_q6_K"),
            (formats::mxfp4(), None, "dequantize_row_mxfp4"),
        ];
        for (format, candle, name) in lines {
            if chosen(format.name()) {
                line(&format, elements, candle, row(name));
            }
        }
    }
}
