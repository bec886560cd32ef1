//! Attention forward by `wgmma` and TMA, beside PyTorch's `scaled_dot_product_attention`.

mod bench;

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use bench::product::Element;
use bench::{Bench, Outcome, Time, Work, accept, in_turns, numbers, relative};
use cudarc::driver::sys::CUdevice_attribute;
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{MapElement, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::attention::{
    Box, BoxO, BoxV, BoxesO, K64, K128, Powers, Q64, Q128, RowOf, V64, V128, attention,
};

/// Rows that lie behind the rows of each head of O, and are nobody's.
const BETWEEN: usize = 3;

fn main() -> Outcome {
    println!(
        "attention, heads of 64: Q {:#}, stages of K {:#}, of V {:#}",
        Q64::default(),
        K64::default(),
        V64::default()
    );
    println!("O {:#}", BoxesO::default());
    println!("heads of 128: Q {:#}, K {:#}, V {:#}", Q128::default(), K128::default(), V128::default());
    println!("powers {:#}, rows {:#}", Powers::default(), RowOf::default());
    let bench = Bench::new()?;
    let program = bench.program("attention")?;
    let mut peer = if bench.check { None } else { Peer::start() };
    heads::<f16, attention<64, f16>>(&bench, &program, &mut peer, ("float16", 64, 1e-3))?;
    heads::<f16, attention<128, f16>>(&bench, &program, &mut peer, ("float16", 128, 1e-3))?;
    heads::<bf16, attention<64, bf16>>(&bench, &program, &mut peer, ("bfloat16", 64, 8e-3))?;
    heads::<bf16, attention<128, bf16>>(&bench, &program, &mut peer, ("bfloat16", 128, 8e-3))
}

/// The tensors of one call: row-major, one head behind the other.
struct Heads<T> {
    queries: usize,
    keys: usize,
    heads: usize,
    d: usize,
    causal: bool,
    q: Vec<T>,
    k: Vec<T>,
    v: Vec<T>,
}
impl<T: Element> Heads<T> {
    fn new(queries: usize, keys: usize, heads: usize, d: usize, causal: bool) -> Self {
        // Large scores: some rows look at few keys.
        let numbers =
            |rows, seed, by: f32| -> Vec<T> { numbers(rows * heads * d, seed).iter().map(|x| T::of(x * by)).collect() };
        let (q, k, v) = (numbers(queries, 7, 6.0), numbers(keys, 8, 1.0), numbers(keys, 9, 1.0));
        Heads { queries, keys, heads, d, causal, q, k, v }
    }
    /// A row of O in float64.
    fn exact(&self, head: usize, row: usize) -> Vec<f64> {
        let d = self.d;
        let q = &self.q[(head * self.queries + row) * d..][..d];
        let seen = if self.causal { self.keys.min(row + 1) } else { self.keys };
        let of_head =
            |x: &'_ [T]| -> Vec<f64> { x[head * self.keys * d..][..seen * d].iter().map(|x| x.exact()).collect() };
        let (k, v) = (of_head(&self.k), of_head(&self.v));
        let score = |k: &[f64]| k.iter().zip(q).map(|(k, q)| k * q.exact()).sum::<f64>() / (d as f64).sqrt();
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
        4 * self.queries * self.keys * self.d * self.heads / if self.causal { 2 } else { 1 }
    }
}

type Parameters<T> = (
    u32,
    u32,
    u16,
    u32,
    u32,
    f32,
    *const TensorMap<T, Box, 3>,
    *const TensorMap<T, Box, 3>,
    *const TensorMap<T, BoxV, 3>,
    *const TensorMap<T, BoxO, 3>,
);

/// The results are rounded to halves, and so are the powers: `most` is what that explains.
fn heads<T: Element + MapElement, K: Kernel<Parameters = Parameters<T>>>(
    bench: &Bench,
    program: &Program,
    peer: &mut Option<Peer>,
    (name, d, most): (&str, usize, f64),
) -> Outcome {
    let kernel = program.kernel::<K>()?;
    println!("{}: {} registers, {} bytes of shared memory", K::NAME, kernel.registers()?, K::SHARED);
    let processors = bench.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
    let mut shapes = vec![(1, 1, 1), (128, 128, 1), (200, 200, 3), (100, 300, 2), (300, 100, 2), (513, 513, 2)];
    if !bench.check {
        // 16384 rows of 2048 numbers in all.
        shapes.extend([1024, 4096, 16384].map(|rows| (rows, rows, 16384 / rows * 2048 / d)));
    }
    for (queries, keys, count) in shapes {
        for causal in [false, true] {
            let heads = Heads::<T>::new(queries, keys, count, d, causal);
            let (q, k, v) = (bench.upload(&heads.q)?, bench.upload(&heads.k)?, bench.upload(&heads.v)?);
            let between = queries + BETWEEN;
            let o = bench.upload(&vec![T::of(f32::NAN); between * d * count])?;
            let stream = &bench.stream;
            let rows = |rows: usize, all: usize| layout!((rows, d, count):(d, 1, all * d)).to_dynamic();
            let columns = layout!((d, keys, count):(1, d, keys * d)).to_dynamic();
            let mq = TensorMap::<T, Box, 3>::new(stream, &q, &rows(queries, queries))?.upload(stream)?;
            let mk = TensorMap::<T, Box, 3>::new(stream, &k, &rows(keys, keys))?.upload(stream)?;
            let mv = TensorMap::<T, BoxV, 3>::new(stream, &v, &columns)?.upload(stream)?;
            let mo = TensorMap::<T, BoxO, 3>::new(stream, &o, &rows(queries, between))?.upload(stream)?;
            let blocks = (queries.div_ceil(128) * count).min(processors.unsigned_abs() as usize);
            let launch = Launch::of::<K>().blocks(blocks);
            let scale = std::f32::consts::LOG2_E / (d as f32).sqrt();
            let sizes = (u32::try_from(queries)?, u32::try_from(keys)?, u16::try_from(count)?, u32::from(causal));
            let mut go = || {
                let (a, b, c, e) = sizes;
                // SAFETY: the maps are those of the tensors.
                unsafe { kernel.launch(stream, &launch, (a, b, c, e, blocks as u32, scale, &mq, &mk, &mv, &mo))? };
                Ok(())
            };
            go()?;
            let computed = bench.download(&o)?;
            // All rows of a few, and some of many.
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
            let shape = format!("{queries} x {keys} x {count}{}", if causal { ", causal" } else { "" });
            println!("{} {shape}: the error is {error:.1e}", K::NAME);
            accept(K::NAME, error, most)?;
            let nobodys = computed.chunks(between * d).flat_map(|head| &head[queries * d..]);
            if nobodys.into_iter().any(|x| !x.exact().is_nan()) {
                return Err(format!("{}: rows are written that are not of O", K::NAME).into());
            }
            if bench.check || queries < 1024 {
                continue;
            }
            let names = match peer {
                Some(peer) => peer.shape(&format!("{name} {count} {queries} {d} {}", u32::from(causal)))?,
                None => Vec::new(),
            };
            let peer = RefCell::new(peer.as_mut());
            let mut rounds = vec![bench.round(&mut go)?];
            for i in 0..names.len() {
                let peer = &peer;
                rounds.push(std::boxed::Box::new(move || match peer.borrow_mut().as_mut() {
                    Some(peer) => peer.round(i),
                    None => Err("no peer".into()),
                }));
            }
            let times = in_turns(&mut rounds)?;
            let peers: Vec<(&str, Time)> = names.iter().map(String::as_str).zip(times[1..].iter().copied()).collect();
            bench.report(K::NAME, &shape, Work::Flops(heads.flops()), error, times[0], &peers)?;
        }
    }
    Ok(())
}

/// PyTorch in a process of its own: it is told a shape, and then to take the time of a round.
struct Peer {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}
/// What it runs. A line `shape ..` is answered by the names of what it can run, with the kernel that is meant by
/// default; a line `round i` by the milliseconds of one call of the i-th.
const PYTORCH: &str = r#"
import contextlib, sys, torch
from torch.nn.functional import scaled_dot_product_attention as attention
from torch.nn.attention import SDPBackend, sdpa_kernel
def milliseconds(call, count):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(count): call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / count
def maker(backend, q, k, v, causal):
    def call():
        with sdpa_kernel(backend) if backend else contextlib.nullcontext():
            attention(q, k, v, is_causal=causal)
    return call
def kernel(call):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA], acc_events=True) as profile:
        call()
        torch.cuda.synchronize()
    names = ' '.join(event.key for event in profile.key_averages()).lower()
    return next((name for name in ('cudnn', 'flash', 'fmha') if name in names), 'other')
calls = []
for line in sys.stdin:
    word, *rest = line.split()
    if word == 'shape':
        kind, heads, rows, d, causal = rest[0], *map(int, rest[1:])
        of = dict(device='cuda', dtype=getattr(torch, kind))
        q, k, v = (torch.rand(1, heads, rows, d, **of).mul(2).sub(1) for _ in range(3))
        calls, names = [], []
        backends = {'default': None, 'flash': SDPBackend.FLASH_ATTENTION, 'cudnn': SDPBackend.CUDNN_ATTENTION}
        for name, backend in backends.items():
            call = maker(backend, q, k, v, bool(causal))
            try:
                for _ in range(3): call()
                torch.cuda.synchronize()
            except RuntimeError:
                continue
            count = min(max(int(5 / milliseconds(call, 3)), 1), 100)
            calls.append((call, count))
            names.append('PyTorch-' + name + ('=' + kernel(call) if name == 'default' else ''))
        print(*names, flush=True)
    else:
        print(milliseconds(*calls[int(rest[0])]), flush=True)
"#;
impl Peer {
    /// If there is a Python with PyTorch.
    fn start() -> Option<Self> {
        let ready = Command::new("python3").args(["-c", "import torch; torch.zeros(1).cuda()"]).status();
        if !ready.is_ok_and(|status| status.success()) {
            println!("there is no PyTorch here: nothing to compare with");
            return None;
        }
        let mut child = Command::new("python3")
            .args(["-u", "-c", PYTORCH])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let (to, from) = (child.stdin.take()?, BufReader::new(child.stdout.take()?));
        Some(Peer { child, to, from })
    }
    fn ask(&mut self, line: &str) -> Outcome<String> {
        writeln!(self.to, "{line}")?;
        self.to.flush()?;
        let mut answer = String::new();
        self.from.read_line(&mut answer)?;
        if answer.is_empty() { Err("PyTorch has ended".into()) } else { Ok(answer) }
    }
    fn shape(&mut self, shape: &str) -> Outcome<Vec<String>> {
        Ok(self.ask(&format!("shape {shape}"))?.split_whitespace().map(String::from).collect())
    }
    fn round(&mut self, i: usize) -> Outcome<f64> {
        Ok(self.ask(&format!("round {i}"))?.trim().parse()?)
    }
}
impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
