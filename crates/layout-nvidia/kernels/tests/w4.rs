//! Weights of 4 bits as `w4_sm90` reads them: what the repacking writes, read by the layouts of the kernel.

use half::bf16;
use layout_algebra::atom::MmaAtom;
use layout_algebra::prelude::*;
use layout_bits::{Field, Format, Number, Part, Repack, formats};
use layout_nvidia::hopper::{Nibbles, SM90_64x8x16_F32BF16BF16_RS};
use layout_nvidia_kernels::w4_sm90::{Order, PIECE, Piece, PieceScales, Values};

const K: usize = 256;
const N: usize = 384;

/// Rows of K nibbles, one behind the other, and the scales of each 64 behind them: numbers that look random.
fn rows() -> (Format, Vec<u8>) {
    let part = |width, at, layout: String| Part::new(width, at, layout.parse().expect("a layout"));
    let q = Field::new("q", Number::Unsigned { minus: 8 }, [part(4, 0, format!("({K},{N}):(4,{})", 4 * K))]);
    let d = Field::new("d", Number::Bf16, [part(16, 4 * K * N, format!("((64,{}),{N}):((0,16),{})", K / 64, K / 4))]);
    let format = Format::new("rows", K * N, &[("q", K * N / 2), ("d", K * N / 32)], [q, d], "d * q").expect("a format");
    let bytes = (0..format.bytes()).map(|i| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()[5]).collect();
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
            let piece = &pieces[4 * PIECE * (n / 64 % 2 + 2 * (k / 64 + K / 64 * (n / 128)))..][..4 * PIECE];
            let nibble = |bytes: &[u8], at: usize| bytes[at / 2] >> (4 * (at % 2)) & 15;
            assert_eq!(nibble(piece, weights.index(n % 64 + 64 * (k % 64))), nibble(&bytes, k + K * n), "{n} {k}");
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
    for (low, high, scale) in (0..16).flat_map(|a| (0..16).flat_map(move |b| (-3..4).map(move |s| (a, b, s)))) {
        let scale = bf16::from_f32(scale as f32 * 0.37);
        let word = 0xabc0_def0 | low | high << 16;
        let exact = [low, high].map(|q| bf16::from_f32((q as f32 - 8.0) * scale.to_f32()));
        assert_eq!(bf16::scaled(word, [scale; 2]), exact);
    }
}
