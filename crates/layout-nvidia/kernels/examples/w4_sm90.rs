//! `Y = X W^T` of halves X and weights W of 4 bits, beside cuBLAS with W in halves and a copy of as
//! many bytes.

mod bench;

use std::cell::{Cell, RefCell};

use bench::product::{Element, OperandMajor, Product};
use bench::{Bench, Outcome, Time, Work, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::CudaSlice;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_bits::{Field, Format, Number, Part, Repack, formats};
use layout_nvidia::hopper::{Map, MapElement, MapMut, Nibbles, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::w4_few::w4_few;
use layout_nvidia_kernels::w4_sm90::{Rows, Strategy, TileRows, w4_sm90};

/// The columns of X and Y: K and N.
const MODELS: [(usize, usize); 3] = [(4096, 14336), (4096, 4096), (14336, 4096)];

fn main() -> Outcome {
    let bench = Bench::new()?;
    let program = bench.program("w4_sm90")?;
    let only: Vec<usize> = std::env::var("ROWS")
        .unwrap_or_default()
        .split(' ')
        .filter_map(|x| x.parse().ok())
        .collect();
    let bench = &bench;
    let copy = if bench.check {
        1.0
    } else {
        let (from, mut to) =
            (bench.upload(&vec![0_u8; 1 << 29])?, bench.upload(&vec![0_u8; 1 << 29])?);
        let [time] = bench.time([&mut || Ok(bench.stream.memcpy_dtod(&from, &mut to)?)])?;
        2.0 * (1 << 29) as f64 / time.median
    };
    for (k, n) in [(256, 256), (384, 384), (1024, 128)] {
        weights(
            bench,
            (k, n),
            Number::Bf16,
            &[1, 7, 8, 16, 33, 64, 100, 256, 300],
            copy,
            |case| in_bf16(case, &program),
        )?;
        weights(bench, (k, n), Number::F16, &[1, 16, 64, 300], copy, |case| {
            in_f16(case, &program)
        })?;
    }
    if !bench.check {
        let rows =
            if only.is_empty() { vec![1, 4, 8, 16, 33, 64, 256, 4096] } else { only.clone() };
        for (k, n) in MODELS {
            weights(bench, (k, n), Number::Bf16, &rows, copy, |case| in_bf16(case, &program))?;
        }
        if only.is_empty() {
            weights(bench, MODELS[0], Number::F16, &[1, 16, 64, 4096], copy, |case| {
                in_f16(case, &program)
            })?;
        }
    }
    Ok(())
}

/// Weights as they come: a row of K nibbles behind the other, and the scales of each 64.
fn rows(k: usize, n: usize, scale: Number) -> Outcome<Format> {
    let q = Field::new(
        "q",
        Number::Unsigned { minus: 8 },
        [Part::new(4, 0, format!("({k},{n}):(4,{})", 4 * k).parse()?)],
    );
    let scales = format!("((64,{}),{n}):((0,16),{})", k / 64, k / 4);
    let d = Field::new("d", scale, [Part::new(16, 4 * k * n, scales.parse()?)]);
    Ok(Format::new("rows", k * n, &[("q", k * n / 2), ("d", k * n / 32)], [q, d], "d * q")?)
}

struct Case<'c, T> {
    bench: &'c Bench,
    m: usize,
    n: usize,
    k: usize,
    /// Copies of the weights, more than the caches hold: they come from memory.
    w: &'c [CudaSlice<u32>],
    halves: &'c [CudaSlice<T>],
    x: &'c CudaSlice<T>,
    y: RefCell<CudaSlice<T>>,
    exact: Vec<f64>,
    blas: Option<CudaBlas>,
    /// How many bytes a copy reads and writes in a millisecond.
    copy: f64,
}

fn weights<T: Element + MapElement + Nibbles>(
    bench: &Bench,
    (k, n): (usize, usize),
    scale: Number,
    rows_of_x: &[usize],
    copy: f64,
    by: impl Fn(&Case<'_, T>) -> Outcome,
) -> Outcome {
    let (from, to) = (rows(k, n, scale)?, formats::wgmma(k, n, scale)?);
    let mut state = 0x1234_5678_9abc_def1_u64;
    let mut bytes: Vec<u8> = (0..k * n / 2)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as u8
        })
        .collect();
    let bits = |x: f32| {
        if scale == Number::F16 { f16::from_f32(x).to_bits() } else { bf16::from_f32(x).to_bits() }
    };
    bytes.extend(
        numbers(k * n / 64, 9).into_iter().flat_map(|x| bits((1.5 + x) / 64.0).to_le_bytes()),
    );
    let pieces = Repack::plan(&from, &to)?.run(&bytes)?;
    let words: Vec<u32> =
        pieces.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let numbers_of_w = from.dequantize(&bytes)?;
    let halves: Vec<T> = numbers_of_w.iter().map(|w| T::of(*w)).collect();
    let large = n * k >= 1 << 22 && !bench.check;
    let copies = |bytes: usize| if large { (200 << 20) / bytes + 1 } else { 1 };
    let w: Vec<_> =
        (0..copies(pieces.len())).map(|_| bench.upload(&words)).collect::<Result<_, _>>()?;
    let halves: Vec<_> =
        (0..copies(2 * n * k)).map(|_| bench.upload(&halves)).collect::<Result<_, _>>()?;
    for &m in rows_of_x {
        let x: Vec<T> = numbers(m * k, 5).into_iter().map(T::of).collect();
        let product = Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor };
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let straight: Vec<f32> = x.iter().map(|x| x.exact() as f32).collect();
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &numbers_of_w, &straight)?,
            None => product.exact(&numbers_of_w, &straight),
        };
        let x = bench.upload(&x)?;
        let y = RefCell::new(bench.upload(&vec![T::of(0.0); m * n])?);
        by(&Case { bench, m, n, k, w: &w, halves: &halves, x: &x, y, exact, blas, copy })?;
    }
    Ok(())
}

/// The parameters of the kernels.
type Parameters<T, R, const STAGES: u32> = (
    u32,
    u32,
    u32,
    u32,
    *const u32,
    Map<T, <R as Rows<T, STAGES>>::BoxX>,
    MapMut<T, <R as Rows<T, STAGES>>::BoxY>,
);
/// A product that is launched.
type Go<'a> = Box<dyn Fn() -> Outcome + 'a>;
impl<T: Element + MapElement + Nibbles> Case<'_, T> {
    /// The next copy of the weights.
    fn next<'w, W>(turn: &Cell<usize>, copies: &'w [W]) -> &'w W {
        turn.set((turn.get() + 1) % copies.len());
        &copies[turn.get()]
    }
    fn tiles<'a, K, const ROWS: usize, const STAGES: u32>(
        &'a self,
        program: &Program,
        parts: usize,
    ) -> Outcome<Go<'a>>
    where
        TileRows<ROWS>: Rows<T, STAGES>,
        K: Kernel<Parameters = Parameters<T, TileRows<ROWS>, STAGES>> + 'a,
    {
        let Case { bench, m, n, k, .. } = *self;
        let stream = &bench.stream;
        let (of_x, of_y) =
            (layout!((m, k):(k, 1)).to_dynamic(), layout!((n, m):(1, n)).to_dynamic());
        let x =
            TensorMap::<T, <TileRows<ROWS> as Rows<T, STAGES>>::BoxX>::new(stream, self.x, &of_x)?;
        let (rows, columns, depth) = (n / 128, m.div_ceil(ROWS), k / 128);
        let clusters = if parts == 1 {
            (bench.processors()? as usize).min(rows * columns)
        } else {
            rows * columns
        };
        let (kernel, turn) = (program.get_kernel::<K>()?, Cell::new(0));
        Ok(Box::new(move || {
            let (w, mut y) = (Self::next(&turn, self.w), self.y.borrow_mut());
            let mut y = TensorMap::<T, <TileRows<ROWS> as Rows<T, STAGES>>::BoxY>::new(
                stream, &mut *y, &of_y,
            )?;
            let sizes = (rows as u32, columns as u32, depth as u32, clusters as u32);
            let launch = Launch::of_kernel::<K>()
                .with_blocks(parts * clusters)
                .programmatic_dependent_launch();
            // SAFETY: the maps are those of the matrices, and the weights are packed so.
            unsafe {
                kernel.launch(
                    stream,
                    &launch,
                    (sizes.0, sizes.1, sizes.2, sizes.3, w, &x, &mut y),
                )?
            };
            Ok(())
        }))
    }
    fn few<'a, K>(&'a self, program: &Program, m16_tiles: usize) -> Outcome<Go<'a>>
    where
        K: Kernel<Parameters = (u32, u32, u32, *const u32, *const T, *mut T)> + 'a,
    {
        let Case { bench, m, n, k, .. } = *self;
        let (kernel, turn) = (program.get_kernel::<K>()?, Cell::new(0));
        Ok(Box::new(move || {
            let (w, mut y) = (Self::next(&turn, self.w), self.y.borrow_mut());
            let launch = Launch::of_kernel::<K>()
                .with_blocks(n / 16 / m16_tiles)
                .programmatic_dependent_launch();
            // SAFETY: the matrices are there, and the weights are packed so.
            unsafe {
                kernel.launch(
                    &bench.stream,
                    &launch,
                    (m as u32, n as u32, k as u32, w, self.x, &mut *y),
                )?
            };
            Ok(())
        }))
    }
    /// By all ways that are short enough to be looked at, the one of the rule last, whose time is
    /// taken; `ALL_WAYS` takes the time of each.
    fn run<'a>(
        &'a self,
        name: &str,
        ulp: f64,
        go: impl Fn(Strategy) -> Outcome<Go<'a>>,
    ) -> Outcome {
        let Case { bench, m, n, k, .. } = *self;
        let (shape, bytes) = (format!("{m} x {n} x {k}"), n * k / 2 + n * k / 32);
        let chosen = Strategy::fastest_for(m, n, k, bench.processors()? as usize)?;
        let size = (self.exact.iter().map(|x| x * x).sum::<f64>() / self.exact.len() as f64).sqrt();
        let all = std::env::var_os("ALL_WAYS").is_some() && self.blas.is_some();
        let possible = |way: &Strategy| match *way {
            Strategy::SmallM { n8_tiles, .. } => m <= 8 * n8_tiles,
            Strategy::Tiles { parts, .. } => k / 128 >= parts && (m * n <= 1 << 22 || all),
        };
        let mut error = 0.0;
        for way in
            Strategy::ALL.into_iter().filter(|way| *way != chosen && possible(way)).chain([chosen])
        {
            bench.stream.memcpy_htod(&vec![T::of(f32::NAN); m * n], &mut *self.y.borrow_mut())?;
            let product = go(way)?;
            product()?;
            let computed = bench.download(&self.y.borrow())?;
            error = relative(computed.iter().map(|x| x.exact()), self.exact.iter().copied());
            let right = |(x, y): (&T, &f64)| (x.exact() - y).abs() <= ulp * (y.abs() + 2.0 * size);
            let wrong = computed.iter().zip(&self.exact).filter(|pair| !right(*pair)).count();
            println!(
                "{name} {shape}, {way:?}: error {error:.1e}, {wrong} of {} wrong",
                computed.len()
            );
            if wrong > 0 {
                return Err(format!("{name} {shape}, {way:?}: {wrong} numbers are wrong").into());
            }
            if all {
                let [time] = bench.time([&mut || product()])?;
                println!("    {way:?} {shape}: {:.2} us", 1000.0 * time.median);
            }
        }
        let Some(blas) = &self.blas else { return Ok(()) };
        let (product, turn) = (go(chosen)?, Cell::new(0));
        let (by, mut other) = (
            Product { m: n, n: m, k, a: OperandMajor::KMajor, b: OperandMajor::KMajor },
            bench.upload(&vec![T::of(0.0); m * n])?,
        );
        let [ours, theirs] = bench.time([&mut || product(), &mut || {
            by.cublas(bench, blas, Self::next(&turn, self.halves), self.x, &mut other)
        }])?;
        println!(
            "    {chosen:?} {shape}: {:.2} us, cuBLAS {:.2} us",
            1000.0 * ours.median,
            1000.0 * theirs.median
        );
        let [copy] =
            [bytes as f64 / self.copy].map(|time| Time { median: time, least: time, most: time });
        // Few rows are as fast as their weights come.
        if m <= 64 {
            bench.report(
                name,
                &shape,
                Work::Bytes(bytes),
                error,
                ours,
                &[("cuBLAS", theirs), ("a copy of as many bytes", copy)],
            )
        } else {
            bench.report(name, &shape, Work::Flops(by.flops()), error, ours, &[("cuBLAS", theirs)])
        }
    }
}

/// The kernels of each way.
macro_rules! ways {
    ($case:ident $program:ident $half:ident) => {
        |way| match way {
            Strategy::SmallM { n8_tiles: 1, m16_tiles: 2 } => {
                $case.few::<w4_few<$half, 1, 2, 8, 4>>($program, 2)
            }
            Strategy::SmallM { n8_tiles: 1, .. } => {
                $case.few::<w4_few<$half, 1, 4, 8, 4>>($program, 4)
            }
            Strategy::SmallM { m16_tiles: 2, .. } => {
                $case.few::<w4_few<$half, 2, 2, 8, 4>>($program, 2)
            }
            Strategy::SmallM { .. } => $case.few::<w4_few<$half, 2, 4, 8, 3>>($program, 4),
            Strategy::Tiles { rows: 64, parts: 1 } => {
                $case.tiles::<w4_sm90<$half, 64, 7, 1>, 64, 7>($program, 1)
            }
            Strategy::Tiles { rows: 64, .. } => {
                $case.tiles::<w4_sm90<$half, 64, 7, 2>, 64, 7>($program, 2)
            }
            Strategy::Tiles { rows: 128, parts: 1 } => {
                $case.tiles::<w4_sm90<$half, 128, 4, 1>, 128, 4>($program, 1)
            }
            Strategy::Tiles { rows: 128, .. } => {
                $case.tiles::<w4_sm90<$half, 128, 4, 2>, 128, 4>($program, 2)
            }
            Strategy::Tiles { .. } => $case.tiles::<w4_sm90<$half, 256, 2, 1>, 256, 2>($program, 1),
        }
    };
}
fn in_bf16(case: &Case<'_, bf16>, program: &Program) -> Outcome {
    case.run("w4_bf16", 1.0 / 128.0, ways!(case program bf16))
}
fn in_f16(case: &Case<'_, f16>, program: &Program) -> Outcome {
    case.run("w4_f16", 1.0 / 1024.0, ways!(case program f16))
}
