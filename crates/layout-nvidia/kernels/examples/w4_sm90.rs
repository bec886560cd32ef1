//! `Y = X W^T` of halves X and weights W of 4 bits, beside cuBLAS with W in halves and a copy of as many bytes.

mod bench;

use std::cell::Cell;

use bench::product::{Element, Lies, Product};
use bench::{Bench, Outcome, Time, numbers, relative};
use cudarc::cublas::CudaBlas;
use cudarc::driver::CudaSlice;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_bits::{Field, Format, Number, Part, Repack, formats};
use layout_nvidia::hopper::{MapElement, Nibbles, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::w4_sm90::{Of, Rows, w4_sm90};

/// The columns of X and Y: K and N.
const MODELS: [(usize, usize); 3] = [(4096, 14336), (4096, 4096), (14336, 4096)];

fn main() -> Outcome {
    let bench = Bench::new()?;
    let program = bench.program("w4_sm90")?;
    let only: Vec<usize> =
        std::env::var("ROWS").unwrap_or_default().split(' ').filter_map(|x| x.parse().ok()).collect();
    let mut copy = 0.0;
    if !bench.check {
        let from = bench.upload(&vec![0_u8; 1 << 29])?;
        let mut to = bench.upload(&vec![0_u8; 1 << 29])?;
        let [time] = bench.time([&mut || Ok(bench.stream.memcpy_dtod(&from, &mut to)?)])?;
        copy = 2.0 * (1 << 29) as f64 / time.median / 1e6;
        println!("copy: {copy:.0} GB/s");
    }
    let bench = &bench;
    for (k, n) in [(256, 256), (384, 384), (1024, 128)] {
        weights::<bf16>(bench, &program, (k, n), Number::Bf16, &[1, 7, 8, 16, 33, 64, 100, 256, 300], copy, in_bf16)?;
        weights::<f16>(bench, &program, (k, n), Number::F16, &[1, 16, 300], copy, in_f16)?;
    }
    if !bench.check {
        for (k, n) in MODELS {
            let rows = if only.is_empty() { vec![1, 4, 16, 33, 64, 256, 4096] } else { only.clone() };
            weights::<bf16>(bench, &program, (k, n), Number::Bf16, &rows, copy, in_bf16)?;
        }
        if only.is_empty() {
            weights::<f16>(bench, &program, MODELS[0], Number::F16, &[16, 4096], copy, in_f16)?;
        }
    }
    Ok(())
}

/// Weights as they come: a row of K nibbles behind the other, and the scales of each 64.
fn rows(k: usize, n: usize, scale: Number) -> Outcome<Format> {
    let q =
        Field::new("q", Number::Unsigned { minus: 8 }, [Part::new(4, 0, format!("({k},{n}):(4,{})", 4 * k).parse()?)]);
    let scales = format!("((64,{}),{n}):((0,16),{})", k / 64, k / 4);
    let d = Field::new("d", scale, [Part::new(16, 4 * k * n, scales.parse()?)]);
    Ok(Format::new("rows", k * n, &[("q", k * n / 2), ("d", k * n / 32)], [q, d], "d * q")?)
}

struct Case<'c, T> {
    bench: &'c Bench,
    program: &'c Program,
    m: usize,
    n: usize,
    k: usize,
    w: &'c [CudaSlice<u32>],
    x: &'c CudaSlice<T>,
    y: CudaSlice<T>,
    exact: &'c [f64],
    peer: Option<Time>,
    copy: f64,
}

fn weights<T: Element + MapElement + Nibbles>(
    bench: &Bench,
    program: &Program,
    (k, n): (usize, usize),
    scale: Number,
    rows_of_x: &[usize],
    copy: f64,
    ways: impl Fn(&mut Case<'_, T>) -> Outcome,
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
    let bits = |x: f32| if scale == Number::F16 { f16::from_f32(x).to_bits() } else { bf16::from_f32(x).to_bits() };
    bytes.extend(numbers(k * n / 64, 9).into_iter().flat_map(|x| bits((1.5 + x) / 64.0).to_le_bytes()));
    let pieces = Repack::plan(&from, &to)?.run(&bytes)?;
    let words: Vec<u32> = pieces.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let numbers_of_w = from.dequantize(&bytes)?;
    let halves: Vec<T> = numbers_of_w.iter().map(|w| T::of(*w)).collect();
    // More than the caches hold, so that weights come from memory.
    let large = n * k >= 1 << 22 && !bench.check;
    let copies = |bytes: usize| if large { (200 << 20) / bytes + 1 } else { 1 };
    let w: Vec<_> = (0..copies(pieces.len())).map(|_| bench.upload(&words)).collect::<Result<_, _>>()?;
    let wide: Vec<_> = (0..copies(2 * n * k)).map(|_| bench.upload(&halves)).collect::<Result<_, _>>()?;
    for &m in rows_of_x {
        let x: Vec<T> = numbers(m * k, 5).into_iter().map(T::of).collect();
        let product = Product { m: n, n: m, k, a: Lies::Last, b: Lies::Last };
        let blas = if large { Some(CudaBlas::new(bench.stream.clone())?) } else { None };
        let straight: Vec<f32> = x.iter().map(|x| x.exact() as f32).collect();
        let exact = match &blas {
            Some(blas) => product.exact_by_cublas(bench, blas, &numbers_of_w, &straight)?,
            None => product.exact(&numbers_of_w, &straight),
        };
        let x = bench.upload(&x)?;
        let mut y = bench.upload(&vec![T::of(f32::NAN); m * n])?;
        let turn = Cell::new(0);
        let peer = match &blas {
            Some(blas) => {
                let [time] = bench.time([&mut || {
                    turn.set((turn.get() + 1) % wide.len());
                    product.cublas(bench, blas, &wide[turn.get()], &x, &mut y)
                }])?;
                Some(time)
            }
            None => None,
        };
        let mut case = Case { bench, program, m, n, k, w: &w, x: &x, y, exact: &exact, peer, copy };
        if let Some(peer) = peer {
            println!("{m} x {n} x {k}: cuBLAS {:.2} us", 1000.0 * peer.median);
        }
        ways(&mut case)?;
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
    *const TensorMap<T, <R as Rows<T, STAGES>>::BoxX>,
    *const TensorMap<T, <R as Rows<T, STAGES>>::BoxY>,
);
impl<T: Element + MapElement + Nibbles> Case<'_, T> {
    fn way<K, const ROWS: usize, const STAGES: u32>(&mut self, parts: usize) -> Outcome
    where
        Of<ROWS>: Rows<T, STAGES>,
        K: Kernel<Parameters = Parameters<T, Of<ROWS>, STAGES>>,
    {
        let Case { m, n, k, .. } = *self;
        if (k / 128) < parts || (ROWS < 256 && m > 4 * ROWS) || (m * 8 <= ROWS && ROWS > 16) {
            return Ok(());
        }
        let (bench, stream) = (self.bench, &self.bench.stream);
        let kernel = self.program.kernel::<K>()?;
        let poison = vec![T::of(f32::NAN); m * n];
        bench.stream.memcpy_htod(&poison, &mut self.y)?;
        let mx = TensorMap::<T, <Of<ROWS> as Rows<T, STAGES>>::BoxX>::new(
            stream,
            self.x,
            &layout!((m, k):(k, 1)).to_dynamic(),
        )?;
        let my = TensorMap::<T, <Of<ROWS> as Rows<T, STAGES>>::BoxY>::new(
            stream,
            &self.y,
            &layout!((n, m):(1, n)).to_dynamic(),
        )?;
        let (mx, my) = (mx.upload(stream)?, my.upload(stream)?);
        let (rows, columns, depth) = (n / 128, m.div_ceil(ROWS), k / 128);
        let processors = bench.processors()? as usize;
        let slots = if ROWS > 64 { processors } else { 2 * processors };
        let clusters = if parts == 1 { slots.min(rows * columns) } else { rows * columns };
        let turn = Cell::new(0);
        let go = || {
            turn.set((turn.get() + 1) % self.w.len());
            let sizes = (rows as u32, columns as u32, depth as u32, clusters as u32);
            let arguments = (sizes.0, sizes.1, sizes.2, sizes.3, &self.w[turn.get()], &mx, &my);
            // SAFETY: the maps are those of the matrices, and the weights are packed so.
            unsafe { kernel.launch(stream, &Launch::of::<K>().blocks(parts * clusters), arguments)? }
            Ok(())
        };
        go()?;
        let computed = bench.download(&self.y)?;
        let exact = self.exact;
        let error = relative(computed.iter().map(|x| x.exact()), exact.iter().copied());
        let size = (exact.iter().map(|x| x * x).sum::<f64>() / exact.len() as f64).sqrt();
        let ulp = if size_of::<T>() == 2 && T::of(1.003).exact() == 1.0 { 1.0 / 128.0 } else { 1.0 / 1024.0 };
        let wrong = computed.iter().zip(exact).filter(|(x, y)| {
            let off = (x.exact() - **y).abs();
            off.is_nan() || off > ulp * (y.abs() + 2.0 * size)
        });
        let wrong = wrong.count();
        let name = K::NAME;
        println!(
            "{} {name} {m} x {n} x {k}: error {error:.1e}, {wrong} of {} wrong",
            if wrong == 0 { "ok" } else { "WRONG" },
            exact.len()
        );
        let Some(peer) = self.peer else { return Ok(()) };
        let [time] = bench.time([&mut || go()])?;
        let rate = (n * k / 2 + n * k / 64) as f64 / time.median / 1e6;
        println!(
            "    {name:24} {m} x {n} x {k}: {:.2} us ({:.2}), {rate:.0} GB/s, {:.2} of copy, {:.0} TFLOP/s, {:.2} of cuBLAS",
            1000.0 * time.median,
            1000.0 * time.least,
            rate / self.copy,
            2.0 * (m * n * k) as f64 / time.median / 1e9,
            peer.median / time.median
        );
        Ok(())
    }
}

fn in_bf16(case: &mut Case<'_, bf16>) -> Outcome {
    case.way::<w4_sm90<bf16, 8, 10, 1>, 8, 10>(1)?;
    case.way::<w4_sm90<bf16, 8, 10, 2>, 8, 10>(2)?;
    case.way::<w4_sm90<bf16, 16, 8, 1>, 16, 8>(1)?;
    case.way::<w4_sm90<bf16, 16, 8, 2>, 16, 8>(2)?;
    case.way::<w4_sm90<bf16, 32, 5, 2>, 32, 5>(2)?;
    case.way::<w4_sm90<bf16, 64, 3, 1>, 64, 3>(1)?;
    case.way::<w4_sm90<bf16, 64, 3, 2>, 64, 3>(2)?;
    case.way::<w4_sm90<bf16, 128, 4, 1>, 128, 4>(1)?;
    case.way::<w4_sm90<bf16, 128, 4, 2>, 128, 4>(2)?;
    case.way::<w4_sm90<bf16, 256, 2, 1>, 256, 2>(1)?;
    Ok(())
}

fn in_f16(case: &mut Case<'_, f16>) -> Outcome {
    case.way::<w4_sm90<f16, 16, 8, 2>, 16, 8>(2)?;
    case.way::<w4_sm90<f16, 256, 2, 1>, 256, 2>(1)?;
    Ok(())
}
