//! The cost of the dynamic engine beside pycute, CuTe's algebra in Python: the everyday operations
//! on operands of a matrix product.
//!
//! Aim: a hundredth of pycute's time. The limits of an operation and an index by themselves are in
//! `dynamic`.
//!
//! pycute comes in the package `nvidia-cutlass`. Where it is installed
//! (`pip install --no-deps --target DIR nvidia-cutlass`),
//! `PYCUTE=DIR cargo bench -p layout-algebra-benches --bench pycute` ends with a table of both and
//! their ratios; without it, of ours alone.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;

use criterion::{Bencher, Criterion};
use layout_algebra::prelude::*;

/// Where criterion leaves its estimates.
const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/criterion");
const GROUP: &str = "operations";

/// Method, left operand, right operand: a layout or a by-mode tiler, or a number.
const OPERATIONS: &[(&str, &str, &str)] = &[
    ("coalesce", "((8,16),(4,16)):((1,32),(8,512))", ""),
    ("composition", "(4096,4096):(4096,1)", "<128,64>"),
    ("composition", "((8,16),(4,16)):((1,32),(8,512))", "(32,8):(64,1)"),
    ("composition", "((8,16),(4,16)):((1,32),(8,512))", "((4,8,8),(2,4)):((16,1,256),(8,64))"),
    ("complement", "(32,8):(64,1)", "8192"),
    ("right_inverse", "((8,16),(4,16)):((1,32),(8,512))", ""),
    ("left_inverse", "(128,64):(80,1)", ""),
    ("logical_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("zipped_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("tiled_divide", "(4096,4096):(4096,1)", "<128,64>"),
    ("logical_product", "(8,4):(4,1)", "(16,16):(1,16)"),
];

/// The name of the `k`-th operation among criterion's.
fn name(k: usize) -> String {
    format!("{k} {}", OPERATIONS[k].0)
}

/// The file with criterion's estimates for the `k`-th operation.
fn estimates(k: usize) -> PathBuf {
    Path::new(FOLDER).join(GROUP).join(name(k)).join("new/estimates.json")
}

fn operations(c: &mut Criterion) {
    let mut group = c.benchmark_group(GROUP);
    for (k, &(method, left, right)) in OPERATIONS.iter().enumerate() {
        // What is there after the run is of this run.
        let _ = fs::remove_file(estimates(k));
        group.bench_function(name(k), |b| measure(b, method, left, right));
    }
    group.finish();
}

fn measure(b: &mut Bencher<'_>, method: &str, left: &str, right: &str) {
    let layout: DynLayout = left.parse().expect("the list holds layouts");
    let tiler = || -> DynTiler { right.parse().expect("the list holds tilers") };
    match method {
        "coalesce" => b.iter(|| black_box(&layout).coalesce()),
        "right_inverse" => b.iter(|| black_box(&layout).right_inverse()),
        "left_inverse" => b.iter(|| black_box(&layout).left_inverse().unwrap()),
        "complement" => {
            let extent: usize = right.parse().expect("the list holds numbers");
            b.iter(|| black_box(&layout).complement(black_box(extent)).unwrap());
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
            b.iter(|| run(black_box(&layout), black_box(&tiler)).unwrap());
        }
    }
}

// ---- beside pycute ------------------------------------------------------------------------------

/// Nanoseconds of the `k`-th operation: criterion's median, if it was measured in this run.
fn ours(k: usize) -> Option<f64> {
    let estimates: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(estimates(k)).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}

/// The text of an operand as pycute takes it.
fn python(text: &str) -> String {
    match text.strip_prefix('<').and_then(|text| text.strip_suffix('>')) {
        Some(modes) => format!("({modes})"),
        None => text
            .split_once(':')
            .map_or(text.into(), |(shape, stride)| format!("pycute.Layout({shape}, {stride})")),
    }
}

/// Nanoseconds of every operation in pycute, if it is there.
fn theirs() -> Option<Vec<f64>> {
    let folder = std::env::var_os("PYCUTE")?;
    let calls: Vec<String> = OPERATIONS
        .iter()
        .map(|(method, left, right)| {
            let right =
                if right.is_empty() { String::new() } else { format!(", {}", python(right)) };
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
    let output =
        Command::new("python3").args(["-c", &script]).env("PYTHONPATH", folder).output().ok()?;
    assert!(output.status.success(), "pycute failed:\n{}", String::from_utf8_lossy(&output.stderr));
    Some(
        String::from_utf8_lossy(&output.stdout)
            .lines()
            .map(|line| line.parse().expect("a number a line"))
            .collect(),
    )
}

/// Both columns and their ratio, of what criterion has measured in this run.
fn beside_pycute() {
    let ours: Vec<Option<f64>> = (0..OPERATIONS.len()).map(ours).collect();
    if ours.iter().all(Option::is_none) {
        return;
    }
    let theirs = theirs();
    if theirs.is_none() {
        println!(
            "pycute is not there: pip install --no-deps --target DIR nvidia-cutlass, then PYCUTE=DIR\n"
        );
    }
    println!(
        "{:<16}{:<36}{:<38}{:>10}{:>14}{:>8}",
        "operation", "layout", "operand", "ours, ns", "pycute, ns", "ratio"
    );
    for (k, &(method, left, right)) in OPERATIONS.iter().enumerate() {
        let Some(ours) = ours[k] else { continue };
        print!("{method:<16}{left:<36}{right:<38}{ours:>10.0}");
        match theirs.as_ref().map(|theirs| theirs[k]) {
            Some(theirs) => println!("{theirs:>14.0}{:>8.0}", theirs / ours),
            None => println!("{:>14}{:>8}", "-", "-"),
        }
    }
}

fn main() {
    let mut criterion =
        Criterion::default().output_directory(Path::new(FOLDER)).configure_from_args();
    operations(&mut criterion);
    criterion.final_summary();
    beside_pycute();
}
