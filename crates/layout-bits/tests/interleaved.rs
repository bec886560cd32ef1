//! ggml's blocks side by side, byte by byte those of ggml: `interleaved/ggml.txt` has a hash of
//! what its own functions make of the blocks, for each size.

use layout_bits::{Format, Repack, formats};

const GGML: &str = include_str!("interleaved/ggml.txt");

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}
const STEP: u64 = 0x9e3779b97f4a7c15;

fn total(bytes: &[u8]) -> u64 {
    let mixed =
        bytes.iter().zip(0_u64..).map(|(&x, i)| mix(i.wrapping_mul(STEP).wrapping_add(x.into())));
    mixed.fold(0, u64::wrapping_add)
}

/// The blocks of a file.
fn of_a_row(name: &str) -> Format {
    let name = &name[..name.len() - 4];
    let all = [
        formats::q4_0(),
        formats::q8_0(),
        formats::iq4_nl(),
        formats::mxfp4(),
        formats::q2_k(),
        formats::q4_k(),
        formats::q5_k(),
        formats::q6_k(),
    ];
    all.into_iter().find(|format| format.name() == name).unwrap()
}

#[test]
fn bytes_are_those_of_ggml() {
    let mut checked = 0;
    for line in GGML.lines() {
        let [name, k, n, hash] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let (k, n): (usize, usize) = (k.parse().unwrap(), n.parse().unwrap());
        let (file, loaded) = (of_a_row(name), formats::interleaved(name, k, n).unwrap());
        let count = k * n / file.elements() * file.bytes();
        let byte = |i: u64| mix(((k * 1000 + n) as u64).wrapping_add(i.wrapping_mul(STEP))) as u8;
        let bytes: Vec<_> = (1..=count as u64).map(byte).collect();
        let there = Repack::plan(&file, &loaded).unwrap();
        let made = there.run(&bytes).unwrap();
        assert_eq!(total(&made), u64::from_str_radix(hash, 16).unwrap(), "{line}\n{there}");
        assert_eq!(Repack::plan(&loaded, &file).unwrap().run(&made).unwrap(), bytes, "{line}");
        let numbers = |format: &Format, bytes: &[u8]| -> Vec<u32> {
            let numbers = format.dequantize(bytes).unwrap();
            numbers.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect()
        };
        assert_eq!(numbers(&loaded, &made), numbers(&file, &bytes), "{line}");
        for i in (0..k * n).step_by(97) {
            let [a, b] = [loaded.get(&made, i), file.get(&bytes, i)].map(Result::unwrap);
            assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "{line}: {i}");
        }
        checked += 1;
    }
    assert_eq!(checked, 16 * 15);
}

#[test]
fn mistakes() {
    let said = |name, k, n| formats::interleaved(name, k, n).unwrap_err().to_string();
    for name in ["q5_0_4x4", "q4_0_2x2", "q4_0_8x4", "q4_K_4x4", "q4_0", "", "4x4", "_4x4"] {
        assert!(said(name, 256, 8).contains("ggml interleaves q4_0 as 4x4"), "{name}");
    }
    assert_eq!(said("q4_0_4x4", 32, 6), "no format q4_0_4x4: 6 columns are no multiple of 4");
    assert_eq!(said("q4_K_8x8", 128, 8), "no format q4_K_8x8: 128 rows are no multiple of 256");
    assert!(said("q8_0_4x4", 0, 4).contains("has no elements"));
    assert!(said("q8_0_4x4", 32, usize::MAX / 4 * 4).contains("more bits than can be counted"));
}
