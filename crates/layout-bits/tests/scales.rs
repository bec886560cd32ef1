//! Scale factors in blocks of 128 rows, against CUTLASS's layouts and torchao's permutation.

use layout_algebra::DynLayout;
use layout_bits::{FormatError, scales};

/// The random numbers of `scales/cutlass.cpp`: SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % end as u64) as usize
    }
}

/// Sizes, cosize and twelve offsets of a layout, as `scales/cutlass.cpp` adds them to a hash.
fn look(layout: &DynLayout, random: &mut Random, hash: &mut u64) {
    let mut add = |number: usize| *hash = (*hash ^ number as u64).wrapping_mul(0x100_0000_01B3);
    let sizes: Vec<usize> = layout.modes().map(|mode| mode.size()).collect();
    sizes.iter().for_each(|&size| add(size));
    add(layout.cosize());
    for _ in 0..12 {
        let (m, n, l) = (random.below(sizes[0]), random.below(sizes[1]), random.below(sizes[2]));
        add(layout.index((m, n, l)));
    }
}

/// `tile_atom_to_shape_SFA`, `_SFB` and `_SFD` of CUTLASS 4.2, compiled by g++.
#[test]
fn layouts_are_those_of_cutlass() {
    let mut random = Random(60);
    let expected: Vec<&str> = include_str!("scales/cutlass.txt").lines().collect();
    assert_eq!(expected.len(), 100);
    for (hundred, expected) in expected.into_iter().enumerate() {
        let mut hash = 0xCBF2_9CE4_8422_2325;
        for _ in 0..100 {
            let vector = if random.below(2) == 1 { 16 } else { 32 };
            let [m, n, k] = [3000, 3000, 5000].map(|most| 1 + random.below(most));
            let l = 1 + random.below(4);
            for (rows, columns) in [(m, k), (n, k), (m, n)] {
                let layout = scales::block_scaled(rows, columns, l, vector).expect("a layout");
                look(&layout, &mut random, &mut hash);
            }
        }
        assert_eq!(format!("{hash:016x}"), expected, "the problems from {} on", 100 * hundred);
    }
}

/// torchao's `to_blocked`: rows and columns as (block, 4, 32) and (block, 4), in the order block,
/// block, 32, 4, 4.
#[test]
fn blocks_are_those_of_torchao() {
    let seed = std::env::var("PROPTEST_RNG_SEED").map(|seed| seed.parse().expect("a number"));
    let seed =
        seed.unwrap_or_else(|_| std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs()));
    println!("the seed of what is drawn: PROPTEST_RNG_SEED={seed}");
    let mut random = Random(seed);
    for _ in 0..100 {
        let (rows, columns) = (random.below(400), random.below(20));
        let plain: Vec<u8> = (0..rows * columns).map(|_| random.below(256) as u8).collect();
        let mut expected = Vec::new();
        for block in 0..rows.div_ceil(128) {
            for wide in 0..columns.div_ceil(4) {
                for (row, quarter, column) in (0..32 * 16).map(|k| (k / 16, k / 4 % 4, k % 4)) {
                    let (row, column) = (128 * block + 32 * quarter + row, 4 * wide + column);
                    expected.push(if row < rows && column < columns {
                        plain[row * columns + column]
                    } else {
                        0
                    });
                }
            }
        }
        let blocked = scales::to_blocked(&plain, rows, columns).expect("blocks");
        assert_eq!(blocked, expected, "{rows} x {columns}");
        assert_eq!(
            scales::from_blocked(&blocked, rows, columns).expect("rows"),
            plain,
            "{rows} x {columns}"
        );
    }
}

#[test]
fn what_is_no_matrix_is_refused() {
    let refused = |error: FormatError| error.to_string();
    let message = refused(scales::block_scaled(128, 4, 1, 0).unwrap_err());
    assert!(message.ends_with("a scale factor is of 0 elements"), "{message}");
    for (rows, columns, batches, vector) in [
        (usize::MAX, 4, 1, 1),
        (4, usize::MAX, 1, 16),
        (4, 4, 1, usize::MAX),
        (1 << 40, 1 << 40, 1, 1),
        (128, 4, usize::MAX, 1),
    ] {
        assert!(scales::block_scaled(rows, columns, batches, vector).is_err());
    }
    let message = refused(scales::to_blocked(&[0; 7], 2, 4).unwrap_err());
    assert!(message.contains('7') && message.contains('8'), "{message}");
    assert!(scales::to_blocked(&[0; 8], usize::MAX, 2).is_err());
    assert!(scales::from_blocked(&[0; 511], 2, 4).is_err());
    assert!(scales::from_blocked(&[], usize::MAX / 2, 8).is_err());
    // Nothing of 4 columns is nothing.
    assert_eq!(scales::to_blocked(&[], 0, 4).expect("no rows"), [0u8; 0]);
    assert_eq!(scales::from_blocked(&[], 128, 0).expect("no columns"), [0u8; 0]);
    let empty = scales::block_scaled(0, 64, 1, 16).expect("no rows");
    assert_eq!((empty.size(), empty.cosize()), (0, 0));
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}
const STEP: u64 = 0x9e3779b97f4a7c15;
fn word(seed: u64, i: u64) -> u64 {
    mix(seed.wrapping_add((i + 1).wrapping_mul(STEP)))
}

/// Words of four powers of two, those of DeepGEMM's own test: a hash of the bytes of each.
#[test]
fn words_are_those_of_deep_gemm() {
    let mut checked = 0;
    for line in include_str!("fixtures/formats.txt").lines() {
        let [_, draw, hash] = line.split(' ').collect::<Vec<_>>()[..] else { continue };
        if !line.starts_with("deep_gemm ") {
            continue;
        }
        let (draw, of): (u64, _) = (draw.parse().unwrap(), |i| word(1000 + checked, i));
        assert_eq!(draw, checked);
        let (rows, columns) = (1 + (of(0) % 300) as usize, 1 + (of(1) % 13) as usize);
        let per = [1, 128][(of(2) % 2) as usize];
        let factor = |i| f32::from_bits(((word(2000 + draw, i) % 254 + 1) as u32) << 23);
        let factors: Vec<_> = (0..(rows.div_ceil(per) * columns) as u64).map(factor).collect();
        let bytes = scales::to_deep_gemm(&factors, rows, columns, per).unwrap();
        let sum = bytes.iter().zip(0_u64..).fold(0_u64, |sum, (&byte, i)| {
            sum.wrapping_add(mix(i.wrapping_mul(STEP).wrapping_add(byte.into())))
        });
        assert_eq!(sum, u64::from_str_radix(hash, 16).unwrap(), "{rows} {columns} {per}");
        assert_eq!(scales::from_deep_gemm(&bytes, rows, columns, per).unwrap(), factors);
        checked += 1;
    }
    assert_eq!(checked, 200);
}

#[test]
fn what_are_no_words() {
    let said = |factors: &[f32], [rows, columns, per]: [usize; 3]| {
        scales::to_deep_gemm(factors, rows, columns, per).unwrap_err().to_string()
    };
    for x in [0.0, -1.0, 3.0, f32::INFINITY, f32::NAN, f32::from_bits(1), 1.0_f32.next_up()] {
        assert!(said(&[1.0, x], [2, 1, 1]).contains("is no power of two"), "{x}");
    }
    let ends = [f32::from_bits(0x0040_0000), 2.0_f32.powi(127)];
    assert_eq!(scales::to_deep_gemm(&ends, 1, 2, 1).unwrap()[..2], [0, 254]);
    assert!(said(&[], [0, 1, 1]).contains("1 matrices of 0 x 1 have none"));
    assert!(said(&[1.0], [1, 1, 0]).contains("no rows share"));
    assert!(said(&[1.0], [129, 1, 128]).contains("2 elements are needed, and the slice has 1"));
    assert!(said(&[1.0], [usize::MAX, 1, 1]).contains("padded, are more than"));
    assert!(said(&[1.0], [1, usize::MAX, 1]).contains("padded, are more than"));
    let said = |bytes: &[u8], [rows, columns, per]: [usize; 3]| {
        scales::from_deep_gemm(bytes, rows, columns, per).unwrap_err().to_string()
    };
    assert!(said(&[0; 15], [1, 1, 1]).contains("16 bytes are needed"));
    assert!(said(&[255; 16], [1, 1, 1]).contains("its code 255 is no number"));
    assert!(said(&[0; 16], [1, 1, 0]).contains("no rows share"));
}
