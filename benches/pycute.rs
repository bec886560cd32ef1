//! Operations per second of the dynamic engine, beside pycute, CuTe's algebra in Python, on the same list of operands.
//!
//! pycute comes in the package `nvidia-cutlass`. Where it is installed (`pip install --no-deps --target DIR nvidia-cutlass`),
//! `PYCUTE=DIR cargo bench --bench pycute` prints both columns and their ratio; without it, ours alone.

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use layout_algebra::prelude::*;

/// Method, left operand, right operand: a layout or a by-mode tiler, or a number.
const OPERATIONS: &[(&str, &str, &str)] = &[
    ("coalesce", "((8,16),(4,16)):((1,32),(8,512))", ""),
    ("composition", "(4096,4096):(4096,1)", "<128,64>"),
    ("composition", "((8,16),(4,16)):((1,32),(8,512))", "(32,8):(64,1)"),
    ("complement", "(32,8):(64,1)", "8192"),
    ("right_inverse", "((8,16),(4,16)):((1,32),(8,512))", ""),
    ("left_inverse", "(128,64):(80,1)", ""),
    ("logical_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("zipped_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("tiled_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("logical_product", "(8,4):(4,1)", "(16,16):(1,16)"),
];

/// Nanoseconds a call: the fastest of many batches, each of about a millisecond.
fn nanoseconds(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let batch = (1_000_000 / start.elapsed().as_nanos().max(1)).clamp(1, 100_000) as u32;
    let until = Instant::now() + Duration::from_millis(200);
    let mut fastest = f64::INFINITY;
    while Instant::now() < until {
        let start = Instant::now();
        (0..batch).for_each(|_| call());
        fastest = fastest.min(start.elapsed().as_nanos() as f64 / f64::from(batch));
    }
    fastest
}

fn ours(method: &str, left: &str, right: &str) -> f64 {
    let layout: DynLayout = left.parse().expect("the list holds layouts");
    let tiler = || -> DynTiler { right.parse().expect("the list holds tilers") };
    match method {
        "coalesce" => nanoseconds(|| drop(black_box(black_box(&layout).coalesce()))),
        "right_inverse" => nanoseconds(|| drop(black_box(black_box(&layout).right_inverse()))),
        "left_inverse" => nanoseconds(|| drop(black_box(black_box(&layout).left_inverse()))),
        "complement" => {
            let extent: usize = right.parse().expect("the list holds numbers");
            nanoseconds(|| drop(black_box(black_box(&layout).complement(black_box(extent)))))
        }
        _ => {
            type Run = fn(&DynLayout, &DynTiler) -> Result<DynLayout, LayoutError>;
            let (run, tiler): (Run, _) = match method {
                "composition" => (|l, t| l.compose(t), tiler()),
                "logical_divide" => (|l, t| l.logical_divide(t), tiler()),
                "zipped_divide" => (|l, t| l.zipped_divide(t), tiler()),
                "tiled_divide" => (|l, t| l.tiled_divide(t), tiler()),
                "logical_product" => (|l, t| l.logical_product(t), tiler()),
                other => panic!("no operation {other}"),
            };
            assert!(run(&layout, &tiler).is_ok(), "{method} of {left} and {right}");
            nanoseconds(|| drop(black_box(run(black_box(&layout), black_box(&tiler)))))
        }
    }
}

/// The text of an operand as pycute takes it.
fn python(text: &str) -> String {
    match text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        Some(modes) => format!("({modes})"),
        None => text.split_once(':').map_or(text.into(), |(shape, stride)| format!("pycute.Layout({shape}, {stride})")),
    }
}

/// Nanoseconds of every operation in pycute, if it is there.
fn theirs() -> Option<Vec<f64>> {
    let folder = std::env::var_os("PYCUTE")?;
    let calls: Vec<String> = OPERATIONS
        .iter()
        .map(|(method, left, right)| {
            let right = if right.is_empty() { String::new() } else { format!(", {}", python(right)) };
            format!(
                "(lambda a{}: lambda: pycute.{method}(a{}))({}{right})",
                if right.is_empty() { "" } else { ", b" },
                if right.is_empty() { "" } else { ", b" },
                python(left)
            )
        })
        .collect();
    let script = format!(
        "import pycute, timeit\nfor f in [{}]:\n  t = timeit.Timer(f)\n  n = max(1, t.autorange()[0] // 10)\n  print(min(t.repeat(10, n)) / n * 1e9)\n",
        calls.join(",\n"),
    );
    let output = Command::new("python3").args(["-c", &script]).env("PYTHONPATH", folder).output().ok()?;
    assert!(output.status.success(), "pycute failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().expect("a number a line")).collect())
}

fn main() {
    let theirs = theirs();
    if theirs.is_none() {
        println!("pycute is not there: pip install --no-deps --target DIR nvidia-cutlass, then PYCUTE=DIR\n");
    }
    println!(
        "{:<16}{:<36}{:<16}{:>10}{:>14}{:>8}",
        "operation", "layout", "operand", "ours, ns", "pycute, ns", "ratio"
    );
    for (k, &(method, left, right)) in OPERATIONS.iter().enumerate() {
        let ours = ours(method, left, right);
        print!("{method:<16}{left:<36}{right:<16}{ours:>10.0}");
        match theirs.as_ref().map(|theirs| theirs[k]) {
            Some(theirs) => println!("{theirs:>14.0}{:>8.0}", theirs / ours),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
}
