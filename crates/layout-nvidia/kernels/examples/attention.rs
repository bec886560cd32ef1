//! Attention forward by `wgmma` and TMA, beside PyTorch's `scaled_dot_product_attention`.

mod bench;

use std::cell::RefCell;

use bench::peer::Peer;
use bench::product::Element;
use bench::{Bench, Outcome, Time, Work, accept, in_turns, numbers, relative};
use cudarc::driver::CudaSlice;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{HeadTile, HeadTiles, Map, MapElement, MapMut, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::attention::{
    Box, BoxO, BoxV, BoxesO, K64, K128, Powers, RowOf, V64, V128, attention,
};

/// Rows after the rows of each head of O, which belong to no head.
const BETWEEN: usize = 3;

/// The bytes of the cache for the keys and values of the heads that are computed concurrently.
const CACHED: usize = 8 << 20;

fn main() -> Outcome {
    println!(
        "attention, heads of 64: stages of Q and K {:#}, of V {:#}",
        K64::default(),
        V64::default()
    );
    println!("O {:#}", BoxesO::default());
    println!("heads of 128: Q and K {:#}, V {:#}", K128::default(), V128::default());
    println!("powers {:#}, rows {:#}", Powers::default(), RowOf::default());
    let bench = Bench::new()?;
    let program = bench.program("attention")?;
    let mut peer = if bench.check { None } else { Peer::start(PYTORCH) };
    heads::<f16, attention<64, 4, f16>>(&bench, &program, &mut peer, ("float16", 64, 1e-3))?;
    heads::<f16, attention<128, 2, f16>>(&bench, &program, &mut peer, ("float16", 128, 1e-3))?;
    heads::<bf16, attention<64, 4, bf16>>(&bench, &program, &mut peer, ("bfloat16", 64, 8e-3))?;
    heads::<bf16, attention<128, 2, bf16>>(&bench, &program, &mut peer, ("bfloat16", 128, 8e-3))
}

/// The tensors of one call: row-major, one head behind the other.
struct Heads<T> {
    queries: usize,
    keys: usize,
    heads: usize,
    /// The number of heads that share a head of keys and values.
    group: usize,
    d: usize,
    causal: bool,
    q: Vec<T>,
    k: Vec<T>,
    v: Vec<T>,
}
impl<T: Element> Heads<T> {
    fn new((queries, keys, heads, group): (usize, usize, usize, usize), d: usize) -> Self {
        // Large scores: the attention of some rows is on few keys.
        let numbers = |rows, seed, by: f32| -> Vec<T> {
            numbers(rows * d, seed).iter().map(|x| T::of(x * by)).collect()
        };
        let shared = keys * heads / group;
        let (q, k, v) =
            (numbers(queries * heads, 7, 6.0), numbers(shared, 8, 1.0), numbers(shared, 9, 1.0));
        Heads { queries, keys, heads, group, d, causal: false, q, k, v }
    }
    /// A row of O in float64.
    fn exact(&self, head: usize, row: usize) -> Vec<f64> {
        let d = self.d;
        let q = &self.q[(head * self.queries + row) * d..][..d];
        let seen = if self.causal { self.keys.min(row + 1) } else { self.keys };
        let first = head / self.group * self.keys * d;
        let of_head =
            |x: &'_ [T]| -> Vec<f64> { x[first..][..seen * d].iter().map(|x| x.exact()).collect() };
        let (k, v) = (of_head(&self.k), of_head(&self.v));
        let score = |k: &[f64]| {
            k.iter().zip(q).map(|(k, q)| k * q.exact()).sum::<f64>() / (d as f64).sqrt()
        };
        let scores: Vec<f64> = k.chunks(d).map(score).collect();
        let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f64 = powers.iter().sum();
        let mut out = vec![0.0; d];
        for (power, v) in powers.iter().zip(v.chunks(d)) {
            out.iter_mut().zip(v).for_each(|(out, v)| *out += power / sum * v);
        }
        out
    }
    /// Products: each query with each key that it sees, and their powers with V.
    fn flops(&self) -> usize {
        let seen = |row| if self.causal { self.keys.min(row + 1) } else { self.keys };
        4 * self.d * self.heads * (0..self.queries).map(seen).sum::<usize>()
    }
}

type Parameters<T> = (
    u32,
    u32,
    u32,
    u32,
    f32,
    *mut [u64; 2],
    Map<T, Box, 3>,
    Map<T, Box, 3>,
    Map<T, BoxV, 3>,
    MapMut<T, BoxO, 3>,
);

/// The results are rounded to halves, and so are the powers: `most` is the error bound of that.
fn heads<T: Element + MapElement, K: Kernel<Parameters = Parameters<T>>>(
    bench: &Bench,
    program: &Program,
    peer: &mut Option<Peer>,
    (name, d, most): (&str, usize, f64),
) -> Outcome {
    let kernel = program.get_kernel::<K>()?;
    println!(
        "{}: {} registers, {} bytes of shared memory",
        K::NAME,
        kernel.registers_per_thread()?,
        K::SHARED
    );
    let mut shapes =
        vec![(1, 1, 1, 1), (128, 128, 1, 1), (200, 200, 3, 3), (100, 300, 2, 1), (300, 100, 2, 2)];
    shapes.extend([(513, 513, 6, 2), (70, 64, 680, 17)]);
    let small = shapes.len();
    if !bench.check {
        // 16384 rows of 2048 elements in all; then others.
        shapes.extend([1024, 4096, 16384].map(|rows| (rows, rows, 16384 / rows * 2048 / d, 1)));
    }
    if !bench.check && name == "float16" {
        let count = 64 * 128 / d;
        shapes.extend([
            (1000, 1000, 2 * count, 1),
            (777, 777, 4 * count, 1),
            (1, 4096, 4 * count, 1),
        ]);
        shapes.extend([
            (2048, 2048, 17, 1),
            (512, 4096, count, 1),
            (4096, 512, count, 1),
            (4096, 64, 2 * count, 1),
        ]);
        shapes.extend([(2048, 2048, count, 4)]);
    }
    for (i, (queries, keys, count, group)) in shapes.into_iter().enumerate() {
        let mut heads = Heads::<T>::new((queries, keys, count, group), d);
        let (q, k, v) = (bench.upload(&heads.q)?, bench.upload(&heads.k)?, bench.upload(&heads.v)?);
        for causal in [false, true] {
            heads.causal = causal;
            let between = queries + BETWEEN;
            let mut o = bench.upload(&vec![T::of(f32::NAN); between * d * count])?;
            let stream = &bench.stream;
            let rows = |rows: usize, all: usize, count: usize| {
                layout!((rows, d, count):(d, 1, all * d)).to_dynamic()
            };
            let shared = count / group;
            let columns = layout!((d, keys, shared):(1, d, keys * d)).to_dynamic();
            let mq = TensorMap::<T, Box, 3>::new(stream, &q, &rows(queries, queries, count))?;
            let mk = TensorMap::<T, Box, 3>::new(stream, &k, &rows(keys, keys, shared))?;
            let mv = TensorMap::<T, BoxV, 3>::new(stream, &v, &columns)?;
            let of_o = rows(queries, between, count);
            let blocks = bench.processors()? as usize;
            let tiles =
                HeadTiles { queries, keys, heads: count, group, causal, together: 1, blocks };
            let tiles = tiles.grouped_for_cache(4 * d, CACHED);
            let tiles = tiles.tiles_in_order().ok_or("there are no such heads")?;
            let words: Vec<u64> = HeadTile::schedule_words(tiles).collect();
            let words: Vec<[u64; 2]> = words.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
            let (tiles, mut words) = (words.len() - 2, bench.upload(&words)?);
            let blocks = tiles.min(blocks);
            let launch =
                Launch::of_kernel::<K>().with_blocks(blocks).programmatic_dependent_launch();
            let scale = std::f32::consts::LOG2_E / (d as f32).sqrt();
            let (sizes, tiles) = ((u32::try_from(keys)?, u32::from(causal)), u32::try_from(tiles)?);
            let mut go = |o: &mut CudaSlice<T>| {
                let ((a, b), c, e) = (sizes, tiles, blocks as u32);
                let mut mo = TensorMap::<T, BoxO, 3>::new(stream, o, &of_o)?;
                // SAFETY: the maps are those of the tensors, and the words are those of their
                // tiles.
                unsafe {
                    kernel.launch(
                        stream,
                        &launch,
                        (a, b, c, e, scale, &mut words, &mq, &mk, &mv, &mut mo),
                    )?
                };
                Ok(())
            };
            go(&mut o)?;
            let computed = bench.download(&o)?;
            // All rows of small problems, and some of large ones.
            let all = queries * count;
            let sampled: Vec<usize> = if queries * keys * count < 1 << 20 {
                (0..all).collect()
            } else {
                (0..96).map(|i| (i * 7919 + i * i * 104_729) % all).collect()
            };
            let (mut ours, mut exact) = (Vec::new(), Vec::new());
            for (head, row) in sampled.into_iter().map(|i| (i / queries, i % queries)) {
                ours.extend(computed[(head * between + row) * d..][..d].iter().map(|x| x.exact()));
                exact.extend(heads.exact(head, row));
            }
            let error = relative(ours.into_iter(), exact.into_iter());
            let heads_of_keys = if group == 1 { String::new() } else { format!(" of {shared}") };
            let shape = format!(
                "{queries} x {keys} x {count}{heads_of_keys}{}",
                if causal { ", causal" } else { "" }
            );
            println!("{} {shape}: the error is {error:.1e}", K::NAME);
            accept(K::NAME, error, most)?;
            let nobodys = computed.chunks(between * d).flat_map(|head| &head[queries * d..]);
            if nobodys.into_iter().any(|x| !x.exact().is_nan()) {
                return Err(format!("{}: rows are written that are not of O", K::NAME).into());
            }
            // (One row with one key is too small to measure.)
            if i < small || causal && queries == 1 {
                continue;
            }
            let names = match peer {
                Some(peer) => peer.shape(&format!(
                    "{name} {count} {shared} {queries} {keys} {d} {}",
                    u32::from(causal)
                ))?,
                None => Vec::new(),
            };
            let peer = RefCell::new(peer.as_mut());
            let mut go = || go(&mut o);
            let mut rounds = vec![bench.round(&mut go)?];
            for i in 0..names.len() {
                let peer = &peer;
                rounds.push(std::boxed::Box::new(move || match peer.borrow_mut().as_mut() {
                    Some(peer) => peer.round(i),
                    None => Err("no peer".into()),
                }));
            }
            let times = in_turns(&mut rounds)?;
            let peers: Vec<(&str, Time)> =
                names.iter().map(String::as_str).zip(times[1..].iter().copied()).collect();
            bench.report(K::NAME, &shape, Work::Flops(heads.flops()), error, times[0], &peers)?;
        }
    }
    Ok(())
}

/// The program for PyTorch.
const PYTORCH: &str = r#"
def setup(kind, *sizes):
    heads, shared, queries, keys, d, causal = map(int, sizes)
    of = dict(device='cuda', dtype=getattr(torch, kind))
    rows = (heads, queries), (shared, keys), (shared, keys)
    q, k, v = (torch.rand(1, heads, rows, d, **of).mul(2).sub(1) for heads, rows in rows)
    call = lambda: attention(q, k, v, is_causal=bool(causal), enable_gqa=heads != shared)
    for name in ('default', 'flash', 'cudnn'): yield name, by(backends[name], call)
"#;
