//! A step of decoding over a paged cache, beside PyTorch's `scaled_dot_product_attention` over keys
//! that were gathered and padded before, and beside the device's copy.

mod bench;

use std::cell::RefCell;

use bench::peer::Peer;
use bench::product::Element;
use bench::{Bench, Outcome, Time, Work, accept, in_turns, numbers, relative};
use half::{bf16, f16};
use layout_algebra::prelude::*;
use layout_nvidia::hopper::{Map, MapElement, TensorMap};
use layout_nvidia::launch::{Kernel, Launch, Program};
use layout_nvidia_kernels::decode::{BoxK, BoxQ, BoxV, PiecesK, PiecesQ, PiecesV, decode};
use layout_nvidia_kernels::parts::{Plan, join};

fn main() -> Outcome {
    println!(
        "decode: Q {:#}, K {:#}, V {:#}",
        PiecesQ::default(),
        PiecesK::default(),
        PiecesV::default()
    );
    let bench = Bench::new()?;
    let program = bench.program("decode")?;
    let mut peer = if bench.check { None } else { Peer::start(PYTORCH) };
    steps::<f16, decode<64, 4, f16>, join<64, f16>>(
        &bench,
        &program,
        &mut peer,
        ("float16", 64, 1e-3),
    )?;
    steps::<f16, decode<128, 2, f16>, join<128, f16>>(
        &bench,
        &program,
        &mut peer,
        ("float16", 128, 1e-3),
    )?;
    steps::<bf16, decode<64, 4, bf16>, join<64, bf16>>(
        &bench,
        &program,
        &mut peer,
        ("bfloat16", 64, 8e-3),
    )?;
    steps::<bf16, decode<128, 2, bf16>, join<128, bf16>>(
        &bench,
        &program,
        &mut peer,
        ("bfloat16", 128, 8e-3),
    )
}

/// A step: the lengths of its sequences, the rows of queries of each, heads of keys, heads of
/// queries for each of them, and the slots of a page.
#[derive(Clone)]
struct Step {
    lengths: Vec<u32>,
    queries: usize,
    heads: usize,
    group: usize,
    page: usize,
}
impl Step {
    fn new(
        lengths: impl IntoIterator<Item = u32>,
        queries: usize,
        heads: usize,
        group: usize,
        page: usize,
    ) -> Self {
        Step { lengths: lengths.into_iter().collect(), queries, heads, group, page }
    }
    fn small() -> Vec<Self> {
        vec![
            Step::new([1], 1, 1, 1, 16),
            Step::new([5, 300, 0, 129, 1000], 1, 2, 4, 16),
            Step::new([700, 130, 131, 900], 3, 3, 5, 32),
            Step::new([257; 7], 1, 2, 16, 64),
            Step::new([65, 1027], 4, 1, 9, 16),
            Step::new([], 1, 1, 1, 16),
        ]
    }
    /// The first three are measured for all elements and heads.
    fn large() -> Vec<Self> {
        let uneven = (0..128_u32).map(|i| 100 + i * 2_654_435 % 7900);
        vec![
            Step::new([4096; 64], 1, 8, 4, 64),
            Step::new(uneven, 1, 8, 4, 64),
            Step::new([32768], 1, 8, 8, 64),
            Step::new([4096; 64], 1, 8, 4, 16),
            Step::new([8192; 4], 1, 8, 4, 64),
            Step::new([2048; 32], 1, 32, 1, 64),
            Step::new([4096; 32], 4, 8, 8, 64),
        ]
    }
    fn said(&self) -> String {
        let (least, most) = (self.lengths.iter().min(), self.lengths.iter().max());
        let keys = match (least, most) {
            (Some(least), Some(most)) if least < most => format!("{least}..{most}"),
            _ => most.map_or(String::new(), u32::to_string),
        };
        let Step { lengths, queries, heads, group, page } = self;
        format!("{} x {keys} x {heads}, {queries} x {group}, pages of {page}", lengths.len())
    }
    /// The page of each sixteenth slot and so on: all of the cache in a mixed order, as a table.
    fn table(&self) -> (Vec<u32>, usize, usize) {
        let pages: Vec<usize> =
            self.lengths.iter().map(|length| (*length as usize).div_ceil(self.page)).collect();
        let (wide, all) =
            (pages.iter().copied().max().unwrap_or(0).max(1), pages.iter().sum::<usize>() + 1);
        // A step that is coprime to the number of pages reaches all of them.
        let step = (all * 5 / 8..).find(|step| gcd(*step, all) == 1).unwrap_or(1);
        let (mut table, mut number) = (vec![0; wide * pages.len()], 0);
        for (sequence, count) in pages.iter().enumerate() {
            for entry in &mut table[wide * sequence..][..*count] {
                *entry = (number * step % all) as u32;
                number += 1;
            }
        }
        (table, wide, all)
    }
}
fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

type OfDecode<T> = (
    *mut [u64; 2],
    *const u32,
    *const u32,
    f32,
    Map<T, BoxQ, 3>,
    Map<T, BoxK, 3>,
    Map<T, BoxV, 3>,
    *mut f32,
    *mut f32,
);
type OfJoin<T> = (*const [u64; 2], *const u32, f32, *const f32, *const f32, *mut T);

fn steps<
    T: Element + MapElement,
    K: Kernel<Parameters = OfDecode<T>>,
    J: Kernel<Parameters = OfJoin<T>>,
>(
    bench: &Bench,
    program: &Program,
    peer: &mut Option<Peer>,
    (name, d, most): (&str, usize, f64),
) -> Outcome {
    let (kernel, joins) = (program.get_kernel::<K>()?, program.get_kernel::<J>()?);
    println!(
        "{}: {} registers, {} bytes of shared memory",
        K::NAME,
        kernel.registers_per_thread()?,
        K::SHARED
    );
    let mut all = Step::small();
    if !bench.check {
        let lines = if name == "float16" { usize::MAX } else { 3 };
        all.extend(Step::large().into_iter().take(lines));
    }
    for step in all {
        let Step { lengths, queries, heads, group, page } = step.clone();
        let (table, wide, pages) = step.table();
        let (slots, rows, stream) =
            (pages * page, lengths.len() * queries * heads * group, &bench.stream);
        let plan = Plan {
            blocks: bench.processors()?,
            queries: queries as u32,
            heads: heads as u32,
            group: group as u32,
            pages: wide as u32,
            per_page: page as u32 / 16,
            ..Plan::default()
        };
        let plan = plan.with_chunk(&lengths).ok_or("there is no such step")?;
        let parts = lengths
            .iter()
            .map(|length| length.div_ceil(128).div_ceil(plan.chunk))
            .max()
            .unwrap_or(0) as usize;
        // Slots that belong to no sequence are NaN.
        let mut whose = vec![false; slots];
        for (sequence, length) in lengths.iter().enumerate() {
            (0..*length as usize)
                .for_each(|key| whose[slot(&table[wide * sequence..], page, key)] = true);
        }
        let cache = |seed| -> Vec<T> {
            // Repeats a prime number of elements, so that slots near each other differ.
            let numbers: Vec<T> = numbers(1_000_003, seed).into_iter().map(T::of).collect();
            let mut next = numbers.iter().copied().cycle();
            let slot = |there: &bool| -> Vec<T> {
                next.by_ref()
                    .take(heads * d)
                    .map(|x| if *there { x } else { T::of(f32::NAN) })
                    .collect()
            };
            whose.iter().flat_map(slot).collect()
        };
        let (k, v) = (cache(8), cache(9));
        let q: Vec<T> = numbers(rows.max(1) * d, 7).iter().map(|x| T::of(x * 6.0)).collect();
        let (on_q, on_k, on_v) = (bench.upload(&q)?, bench.upload(&k)?, bench.upload(&v)?);
        let of_q = layout!((group, d, (rows / group).max(1)):(d, 1, group * d)).to_dynamic();
        let of_k = layout!((slots, d, heads):(heads * d, 1, d)).to_dynamic();
        let of_v = layout!((d, slots, heads):(1, heads * d, d)).to_dynamic();
        let mq = TensorMap::<T, BoxQ, 3>::new(stream, &on_q, &of_q)?;
        let mk = TensorMap::<T, BoxK, 3>::new(stream, &on_k, &of_k)?;
        let mv = TensorMap::<T, BoxV, 3>::new(stream, &on_v, &of_v)?;
        let words: Vec<u64> = plan.plan_words(&lengths).collect();
        let words: Vec<[u64; 2]> = words.chunks(2).map(|pair| [pair[0], pair[1]]).collect();
        let padded = |numbers: &[u32]| numbers.iter().copied().chain([0]).collect::<Vec<u32>>();
        let (mut words, on_lengths, on_table) = (
            bench.upload(&words)?,
            bench.upload(&padded(&lengths))?,
            bench.upload(&padded(&table))?,
        );
        let mut sums = bench.upload(&vec![f32::NAN; (parts * rows * d).max(1)])?;
        let mut of_rows = bench.upload(&vec![f32::NAN; (parts * rows * 2).max(1)])?;
        let o = RefCell::new(bench.upload(&vec![T::of(f32::NAN); rows.max(1) * d])?);
        let scale = std::f32::consts::LOG2_E / (d as f32).sqrt();
        let fetch = Launch::of_kernel::<K>()
            .with_blocks(plan.blocks.min(plan.parts) as usize)
            .programmatic_dependent_launch();
        let together =
            Launch::of_kernel::<J>().with_blocks(rows.div_ceil(4)).programmatic_dependent_launch();
        let mut go = || {
            if rows == 0 {
                return Ok(());
            }
            let given =
                (&mut words, &on_lengths, &on_table, scale, &mq, &mk, &mv, &mut sums, &mut of_rows);
            // SAFETY: the maps are those of the tensors, and the plan is that of the lengths.
            unsafe { kernel.launch(stream, &fetch, given)? };
            // SAFETY: as above.
            unsafe {
                joins.launch(
                    stream,
                    &together,
                    (&words, &on_lengths, scale, &sums, &of_rows, &mut *o.borrow_mut()),
                )?
            };
            Ok(())
        };
        go()?;
        go()?;
        let computed = bench.download(&o.borrow())?;
        let sampled: Vec<usize> = match rows {
            0..1000 => (0..rows).collect(),
            _ => (0..64).map(|i| (i * 7919 + i * i * 104_729) % rows).collect(),
        };
        let (mut ours, mut exact) = (Vec::new(), Vec::new());
        for row in sampled {
            let (sequence, query) =
                (row / (queries * heads * group), row / (heads * group) % queries);
            let (head, length) = (row / group % heads, lengths[sequence] as usize);
            let seen = if length == 0 { 0 } else { length + 1 + query - queries };
            let of = |cache: &[T], key: usize| -> Vec<f64> {
                let at = (slot(&table[wide * sequence..], page, key) * heads + head) * d;
                cache[at..][..d].iter().map(|x| x.exact()).collect()
            };
            let q: Vec<f64> = q[row * d..][..d].iter().map(|x| x.exact()).collect();
            let score = |key| {
                of(&k, key).iter().zip(&q).map(|(k, q)| k * q).sum::<f64>() / (d as f64).sqrt()
            };
            let scores: Vec<f64> = (0..seen).map(score).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = scores.iter().map(|score| (score - most).exp()).sum();
            let mut out = vec![0.0; d];
            for (key, score) in scores.iter().enumerate() {
                out.iter_mut()
                    .zip(of(&v, key))
                    .for_each(|(out, v)| *out += (score - most).exp() / sum * v);
            }
            ours.extend(computed[row * d..][..d].iter().map(|x| x.exact()));
            exact.extend(out);
        }
        let (error, said) = (relative(ours.into_iter(), exact.into_iter()), step.said());
        println!("{} {said}: {} parts, the error is {error:.1e}", K::NAME, plan.parts);
        accept(K::NAME, error, most)?;
        let bytes = 4 * lengths.iter().map(|length| *length as usize).sum::<usize>() * heads * d;
        if bench.check || bytes < 1 << 25 {
            continue;
        }
        let names = match peer {
            Some(peer) => {
                let keys: Vec<String> = lengths.iter().map(u32::to_string).collect();
                peer.shape(&format!("{name} {queries} {heads} {group} {d} {}", keys.join(" ")))?
            }
            None => Vec::new(),
        };
        // A copy that moves as many bytes, half of them there and half back.
        let (from, mut to) =
            (bench.upload(&vec![0_u8; bytes / 2])?, bench.upload(&vec![0_u8; bytes / 2])?);
        let mut copy = || Ok(stream.memcpy_dtod(&from, &mut to)?);
        let peer = RefCell::new(peer.as_mut());
        let mut rounds = vec![bench.round(&mut go)?, bench.round(&mut copy)?];
        for i in 0..names.len() {
            let peer = &peer;
            rounds.push(Box::new(move || match peer.borrow_mut().as_mut() {
                Some(peer) => peer.round(i),
                None => Err("no peer".into()),
            }));
        }
        let times = in_turns(&mut rounds)?;
        let names = std::iter::once("copy").chain(names.iter().map(String::as_str));
        let peers: Vec<(&str, Time)> = names.zip(times[1..].iter().copied()).collect();
        bench.report(K::NAME, &said, Work::Bytes(bytes), error, times[0], &peers)?;
    }
    Ok(())
}
/// The slot of a key, of a sequence whose pages come first in the table.
fn slot(pages: &[u32], page: usize, key: usize) -> usize {
    pages[key / page] as usize * page + key % page
}

/// The program for PyTorch: keys and values are contiguous, padded to the longest sequence; if
/// sequences differ, or have several rows, a mask selects the visible keys. Heads that share keys
/// are passed as such, and as the rows of one head.
const PYTORCH: &str = r#"
def setup(kind, queries, heads, group, d, *lengths):
    queries, heads, group, d, lengths = int(queries), int(heads), int(group), int(d), [int(keys) for keys in lengths]
    of = dict(device='cuda', dtype=getattr(torch, kind))
    most = max(lengths)
    rows = (heads * group, queries), (heads, most), (heads, most)
    q, k, v = (torch.rand(len(lengths), heads, rows, d, **of).mul(2).sub(1) for heads, rows in rows)
    mask = None
    if min(lengths) < most or queries > 1:
        seen = torch.tensor(lengths, device='cuda')[:, None, None, None] - queries + 1
        seen = seen + torch.arange(queries, device='cuda')[None, None, :, None]
        mask = torch.arange(most, device='cuda')[None, None, None, :] < seen
    calls = {'': lambda: attention(q, k, v, attn_mask=mask, enable_gqa=group > 1)}
    if group > 1 and queries == 1:
        rows = q.view(len(lengths), heads, group, d)
        calls['-as-rows'] = lambda: attention(rows, k, v, attn_mask=mask)
    for said, call in calls.items():
        for name in ('default', 'flash'): yield name + said, by(backends[name], call)
"#;
