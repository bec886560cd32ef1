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
