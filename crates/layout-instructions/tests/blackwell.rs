//! Blackwell's tables against CuTe's, which `blackwell/cute.cpp` prints, text by text.

use layout_instructions::blackwell::{Accumulator, accumulator, tmem_copies, tmem_copy, umma};

const CUTE: &str = include_str!("blackwell/cute.txt");

#[test]
fn layouts_are_those_of_cute() {
    let mut counts = [0; 3];
    for line in CUTE.lines() {
        let words: Vec<_> = line.split(' ').collect();
        let number = |k: usize| words[k].parse::<usize>().unwrap();
        match words[0] {
            "copy" => {
                // CuTe's names in this file are without their `_`.
                let name = tmem_copies().find(|name| name.replace('_', "") == words[1]).unwrap();
                let copy = tmem_copy(&name).unwrap();
                assert_eq!(
                    [copy.address.to_string(), copy.values.to_string()],
                    words[2..],
                    "{line}"
                );
                counts[0] += 1;
            }
            "tmem" => {
                let kind = match words[1] {
                    "one-interleaved" => Accumulator::OneSm,
                    "one-apart" => Accumulator::OneSmApart,
                    "two" => Accumulator::TwoSms,
                    "two-duplicated" => Accumulator::TwoSmsDuplicated,
                    "stationary" => Accumulator::WeightStationary,
                    other => panic!("{other}"),
                };
                let [sizes, tiles, bits] = [2, 4, 6].map(|k| [number(k), number(k + 1)]);
                let layout = accumulator(kind, sizes, tiles, bits)
                    .unwrap_or_else(|why| panic!("{line}: {why}"));
                assert_eq!(layout.to_string(), words[8], "{line}");
                counts[1] += 1;
            }
            bits => {
                let bits = bits.strip_prefix("umma").unwrap().parse().unwrap();
                let layouts = umma(bits, number(1), number(2), number(3)).unwrap();
                assert_eq!(layouts.map(|layout| layout.to_string()), words[4..], "{line}");
                counts[2] += 1;
            }
        }
    }
    assert_eq!(counts, [74, 216, 144], "{counts:?}");
}

/// No two elements of an accumulator share an address, all addresses are in tensor memory, and the
/// threads of a load have each bit once.
#[test]
fn each_cell_is_taken_once() {
    for (kind, m) in [
        (Accumulator::OneSm, 64),
        (Accumulator::OneSm, 128),
        (Accumulator::OneSmApart, 64),
        (Accumulator::TwoSms, 32),
        (Accumulator::TwoSms, 64),
        (Accumulator::TwoSms, 128),
        (Accumulator::TwoSmsDuplicated, 64),
        (Accumulator::WeightStationary, 32),
    ] {
        for bits in [[32, 32], [16, 16], [16, 32], [8, 8]] {
            for tiles in [[1, 1], [2, 1], [2, 2]] {
                let layout = accumulator(kind, [m, 64], tiles, bits).unwrap();
                let mut seen = std::collections::HashSet::new();
                for i in 0..layout.size() {
                    let bit = layout.index(i) * bits[0];
                    let (lane, column) = (bit >> 21, bit % (1 << 21) / 32);
                    assert!(lane < 128 && column < 512, "{kind:?} {layout}: {lane} {column}");
                    assert!(seen.insert(bit), "{kind:?} {layout}");
                }
            }
        }
    }
    for name in tmem_copies() {
        let copy = tmem_copy(&name).unwrap();
        assert!(copy.values.is_bijective() && copy.address.is_injective(), "{name}");
        assert_eq!(copy.values.size(), copy.address.size(), "{name}");
    }
}

#[test]
fn mistakes() {
    let said =
        |kind, sizes, tiles, bits| accumulator(kind, sizes, tiles, bits).unwrap_err().to_string();
    use Accumulator::*;
    assert_eq!(
        said(OneSm, [32, 64], [1, 1], [32, 32]),
        "an accumulator of OneSm has one of [64, 128] rows, not 32"
    );
    assert!(said(TwoSmsDuplicated, [128, 64], [1, 1], [32, 32]).contains("one of [64] rows"));
    assert!(
        said(TwoSms, [32, 66], [1, 1], [32, 32])
            .contains("66 columns of an accumulator are not 4 equal parts")
    );
    assert!(
        said(WeightStationary, [64, 96], [1, 1], [32, 32])
            .contains("64, 128 or 256 columns, not 96")
    );
    assert!(said(OneSm, [128, 64], [1, 1], [64, 64]).contains("elements of 64 bits"));
    assert!(said(OneSm, [128, 64], [1, 1], [32, 16]).contains("do not lie in 16 bits each"));
    assert!(said(OneSm, [128, 256], [2, 2], [32, 32]).contains("are not 1 to 2097152 bits"));
    assert!(said(OneSm, [128, 0], [1, 1], [32, 32]).contains("0 columns"));
    assert!(said(OneSm, [128, 64], [0, 1], [32, 32]).contains("0 x 1 tiles"));
    assert!(said(OneSm, [128, 64], [usize::MAX, 2], [32, 32]).contains("tensor memory"));
    // Three tiles do not divide evenly into two halves of the lanes.
    assert!(accumulator(OneSm, [64, 64], [3, 1], [32, 32]).is_err());
    let said = |bits, sms, m, n| umma(bits, sms, m, n).unwrap_err().to_string();
    assert!(said(16, 3, 64, 8).contains("of 1 or 2 SMs, not of 3"));
    assert!(said(4, 1, 64, 8).contains("elements of 4 bits"));
    assert!(said(8, 1, 64, 24).contains("a multiple of 16 columns up to 256, not 24"));
    assert!(said(16, 2, 256, 24).contains("a multiple of 16 columns"));
    assert!(said(16, 1, 64, 264).contains("up to 256, not 264"));
    assert!(said(16, 1, 64, 0).contains("not 0"));
    for name in [
        "",
        "16dp256b",
        "16dp256bx",
        "16dp256b3x",
        "16dp256b01x",
        "16dp256b+1x",
        "32dp64b1x",
        "16dp64b1x_8b",
    ] {
        assert!(tmem_copy(name).is_none(), "{name}");
    }
}
