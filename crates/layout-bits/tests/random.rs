//! Formats drawn at random, over random bytes: loops give what single elements are, and repacking keeps these.

use half::f16;
use layout_bits::{Field, Format, Number, Part, Repack, formats};

struct Random(u64);
impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Bits of `width` for each element, side by side in an order of modes that is drawn, `unit` bits apart.
fn places(random: &mut Random, modes: &[usize], width: usize, unit: usize, at: &mut usize) -> (usize, Vec<usize>) {
    let (mut order, mut strides, mut reach) = ((0..modes.len()).collect::<Vec<_>>(), vec![0; modes.len()], unit);
    (1..order.len()).rev().for_each(|k| order.swap(k, random.below(k + 1)));
    // Now and then as they come, so that there are runs.
    if random.below(2) == 0 {
        order.sort();
    }
    for k in order {
        strides[k] = reach;
        reach *= modes[k];
    }
    let first = *at + random.of(&[0, 0, 0, unit - width]);
    *at += reach;
    (first, strides)
}
fn part(width: usize, at: usize, shape: &[usize], strides: &[usize]) -> Part {
    let text = |list: &[usize]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    Part::new(width, at, format!("({}):({})", text(shape), text(strides)).parse().unwrap())
}

/// A format of these modes whose fields are `d` and `q`.
fn format(random: &mut Random, modes: &[usize], number: Number, width: usize, group: usize) -> Format {
    let mut at = random.of(&[0, 8, 16, 128]);
    let low = if random.below(3) == 0 { 1 + random.below(width) } else { width };
    let mut parts = Vec::new();
    for width in [low, width - low].into_iter().filter(|&width| width > 0) {
        let unit = random.of(&[width, width, 8, 8, 16]);
        let (first, strides) = places(random, modes, width, unit.max(width), &mut at);
        parts.push(part(width, first, modes, &strides));
        at = at.next_multiple_of(random.of(&[1, 8, 32]));
    }
    // One scale for the first modes.
    at = at.next_multiple_of(8);
    let (first, others) = places(random, &modes[group..], 16, 16, &mut at);
    let d = part(16, first, modes, &[vec![0; group], others].concat());
    let fields = [Field::new("q", number, parts), Field::new("d", Number::F16, [d])];
    let bytes = at.div_ceil(8) + random.below(3);
    Format::new("drawn", modes.iter().product(), &[("block", bytes)], fields, "d * q").unwrap()
}

/// As bits; a NaN is one whatever its bits.
fn bits(x: f32) -> u32 {
    if x.is_nan() { u32::MAX } else { x.to_bits() }
}

#[test]
fn drawn_formats() {
    let mut random = Random(5);
    let (mut moved, mut ways) = (0, std::collections::BTreeMap::new());
    for _ in 0..3000 {
        let count = 1 + random.below(4);
        let modes: Vec<_> = (0..count).map(|_| random.of(&[2, 4, 8, 16, 2, 3])).collect();
        let width = random.of(&[1, 2, 3, 4, 4, 4, 5, 6, 7, 8]);
        let number = match random.below(3) {
            0 => Number::Unsigned { minus: random.of(&[0, 1, 8, 128, -1, 300]) },
            1 => Number::Signed,
            _ if width == 4 => formats::iq4_nl().fields()[0].number(),
            _ => Number::Unsigned { minus: 0 },
        };
        let group = random.below(count + 1);
        let format = [0, 1].map(|_| format(&mut random, &modes, number, width, group));
        let blocks = 1 + random.below(4);
        let bytes: Vec<u8> = (0..format[0].bytes() * blocks).map(|_| random.below(256) as u8).collect();
        let numbers = format[0].dequantize(&bytes).unwrap();
        let mut halves = vec![f16::ZERO; numbers.len()];
        format[0].dequantize_into(&bytes, &mut halves).unwrap();
        for (i, (&x, half)) in numbers.iter().zip(halves).enumerate() {
            assert_eq!(bits(format[0].get(&bytes, i).unwrap()), bits(x), "{}: {i}", format[0]);
            assert_eq!(bits(f16::from_f32(x).into()), bits(half.into()), "{}: {i}", format[0]);
        }
        let Ok(plan) = Repack::plan(&format[0], &format[1]) else { continue };
        moved += 1;
        for line in plan.to_string().lines().skip(1) {
            let way = line.split(": ").nth(1).unwrap().split(' ').next_back().unwrap().to_string();
            *ways.entry(way).or_insert(0) += 1;
        }
        let packed = plan.run(&bytes).unwrap();
        for (i, &x) in numbers.iter().enumerate() {
            assert_eq!(bits(format[1].get(&packed, i).unwrap()), bits(x), "{plan}{}{}: {i}", format[0], format[1]);
        }
    }
    assert!(moved > 1000, "{moved}");
    // Bytes, words and single bits.
    assert_eq!(ways.keys().collect::<Vec<_>>(), ["bytes", "exchanges", "time"]);
    assert!(ways.values().all(|&count| count > 50), "{ways:?}");
}

/// Any bytes are a block of any format, and no length but whole blocks is.
#[test]
fn any_bytes_and_any_length() {
    use formats::*;
    let mut random = Random(9);
    let mut all = vec![q4_0(), q4_1(), q5_0(), q5_1(), q8_0(), q2_k(), q3_k(), q4_k(), q5_k(), q6_k(), iq4_nl()];
    all.extend([mxfp4(), nvfp4(), gptq(32, 8, 16).unwrap(), awq(32, 8, 16).unwrap(), marlin(16, 64, 16).unwrap()]);
    for format in all {
        for _ in 0..200 {
            let bytes: Vec<u8> = (0..random.below(4 * format.bytes())).map(|_| random.below(256) as u8).collect();
            match (format.dequantize(&bytes), bytes.len() % format.bytes()) {
                (Ok(numbers), 0) => assert_eq!(numbers.len(), bytes.len() / format.bytes() * format.elements()),
                (Err(error), 1..) => assert!(error.to_string().contains(&bytes.len().to_string()), "{error}"),
                (answer, rest) => panic!("{answer:?} of {rest} bytes too many"),
            }
        }
    }
}
