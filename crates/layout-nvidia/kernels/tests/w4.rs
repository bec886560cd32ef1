//! Weights of 4 bits as `w4_sm90` reads them: what the repacking writes, read by the layouts of the
//! kernel.

use half::bf16;
use layout_algebra::atom::MmaAtom;
use layout_algebra::prelude::*;
use layout_bits::{Field, Format, Number, Part, Repack, formats};
use layout_nvidia::device::Entry;
use layout_nvidia::hopper::{Nibbles, SM90_64x8x16_F32BF16BF16_RS};
use layout_nvidia::host;
use layout_nvidia_kernels::w4_few::w4_few;
use layout_nvidia_kernels::w4_sm90::{Order, PIECE, Piece, PieceScales, Values};

const K: usize = 256;
const N: usize = 384;

/// Rows of K nibbles, one behind the other, and the scales of each 64 behind them: numbers that
/// look random.
fn rows() -> (Format, Vec<u8>) {
    let part = |width, at, layout: String| Part::new(width, at, layout.parse().expect("a layout"));
    let q = Field::new(
        "q",
        Number::Unsigned { minus: 8 },
        [part(4, 0, format!("({K},{N}):(4,{})", 4 * K))],
    );
    let d = Field::new(
        "d",
        Number::Bf16,
        [part(16, 4 * K * N, format!("((64,{}),{N}):((0,16),{})", K / 64, K / 4))],
    );
    let format =
        Format::new("rows", K * N, &[("q", K * N / 2), ("d", K * N / 32)], [q, d], "d * q")
            .expect("a format");
    let bytes = (0..format.bytes())
        .map(|i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()[5])
        .collect();
    (format, bytes)
}

#[test]
fn pieces_are_the_operand_of_the_instruction() {
    // The first step along K is the instruction's layout, the others lie 16 columns on.
    type Step = <SM90_64x8x16_F32BF16BF16_RS as MmaAtom>::ALayout;
    for t in 0..128 {
        for v in 0..32 {
            let there = Step::default().index((t, v % 8)) + 1024 * (v / 8);
            assert_eq!(Values::default().index((t, v)), there);
            // A thread's weights lie in 4 words of its own; the law of the composition.
            assert_eq!(Order::default().index((t, v)) / 32, t);
            assert_eq!(Piece::default().index(there), Order::default().index((t, v)));
        }
    }
    assert_eq!((Piece::default().size(), Piece::default().cosize()), (4096, 4096));
}

#[test]
fn repacked_weights_read_by_the_kernels_layouts_are_the_rows() {
    let (from, bytes) = rows();
    let to = formats::wgmma(K, N, Number::Bf16).expect("a format");
    let pieces = Repack::plan(&from, &to).expect("a plan").run(&bytes).expect("repacked");
    assert_eq!(pieces.len(), N / 64 * (K / 64) * PIECE * 4);
    let (weights, scales) = (Piece::default(), PieceScales::default());
    for n in 0..N {
        for k in 0..K {
            // Two pieces side by side, the steps along K behind each other, then the next 128 rows.
            let piece = &pieces[4 * PIECE * (n / 64 % 2 + 2 * (k / 64 + K / 64 * (n / 128)))..]
                [..4 * PIECE];
            let nibble = |bytes: &[u8], at: usize| bytes[at / 2] >> (4 * (at % 2)) & 15;
            assert_eq!(
                nibble(piece, weights.index(n % 64 + 64 * (k % 64))),
                nibble(&bytes, k + K * n),
                "{n} {k}"
            );
            let half = |bytes: &[u8], at: usize| [bytes[2 * at], bytes[2 * at + 1]];
            let scale = half(&bytes[K * N / 2..], k / 64 + K / 64 * n);
            assert_eq!(half(&piece[2048..], scales.index(n % 64)), scale, "{n} {k}");
        }
    }
    // And back.
    assert_eq!(Repack::plan(&to, &from).expect("a plan").run(&pieces).expect("repacked"), bytes);
}

#[test]
fn nibbles_become_halves_without_a_conversion() {
    for (low, high, scale) in
        (0..16).flat_map(|a| (0..16).flat_map(move |b| (-3..4).map(move |s| (a, b, s))))
    {
        let scale = bf16::from_f32(scale as f32 * 0.37);
        let word = 0xabc0_def0 | low | high << 16;
        let exact = [low, high].map(|q| bf16::from_f32((q as f32 - 8.0) * scale.to_f32()));
        assert_eq!(bf16::scale_nibbles(word, [scale; 2]), exact);
    }
}

/// The product of `m` rows on the CPU, of 128 rows of W, where each warp has more pieces than
/// stages, beside a plain loop.
fn few_on_the_cpu<L: Entry<Parameters = (u32, u32, u32, *const u32, *const bf16, *mut bf16)>>(
    m: usize,
    k: usize,
    rows: usize,
) {
    let n = 128;
    let (q, d) = (
        |n: usize, k: usize| (n * 7 + k * 5 + n * k / 3) % 16,
        |n: usize, k: usize| 1 + (n + k / 64) % 3,
    );
    let x = |m: usize, k: usize| ((m * 3 + k * 11 + m * k / 5) % 9) as f32 - 4.0;
    let mut w = vec![0_u32; n / 64 * (k / 64) * PIECE];
    for (n, k64) in (0..n).flat_map(|n| (0..k / 64).map(move |k| (n, k))) {
        let piece = PIECE * (n / 64 % 2 + 2 * (k64 + k / 64 * (n / 128)));
        let scale = PieceScales::default().index(n % 64);
        w[piece + 512 + scale / 2] |=
            u32::from(bf16::from_f32(d(n, 64 * k64) as f32).to_bits()) << (16 * (scale % 2));
        for k in 0..64 {
            let at = Piece::default().index(n % 64 + 64 * k);
            w[piece + at / 8] |= (q(n, 64 * k64 + k) as u32) << (4 * (at % 8));
        }
    }
    let halves: Vec<bf16> = (0..m * k).map(|i| bf16::from_f32(x(i / k, i % k))).collect();
    let mut y = vec![bf16::NAN; m * n];
    let sizes = (m as u32, n as u32, k as u32);
    // SAFETY: the matrices have these sizes.
    unsafe {
        host::launch::<L>(
            (n / rows, 1),
            (sizes.0, sizes.1, sizes.2, &w[..], &halves[..], &mut y[..]),
        )
    };
    for (i, computed) in y.iter().enumerate() {
        let (m, n) = (i / n, i % n);
        let exact: f32 = (0..k).map(|k| (q(n, k) as f32 - 8.0) * d(n, k) as f32 * x(m, k)).sum();
        assert_eq!(computed.to_f32(), bf16::from_f32(exact).to_f32(), "{m} {n}");
    }
}
#[test]
fn few_rows_are_multiplied_on_the_cpu() {
    few_on_the_cpu::<w4_few<bf16, 1, 2, 8, 4>>(3, 64 * 42, 32);
    few_on_the_cpu::<w4_few<bf16, 1, 4, 8, 4>>(8, 64 * 4, 64);
    few_on_the_cpu::<w4_few<bf16, 2, 2, 8, 4>>(13, 64 * 34, 32);
    few_on_the_cpu::<w4_few<bf16, 2, 4, 8, 3>>(16, 64 * 28, 64);
}
