//! Formats drawn at random, over random bytes: loops give what single elements are, and repacking
//! keeps these.
//!
//! Each day has other ones: `PROPTEST_RNG_SEED` says from which seed on, `FORMATS` how many.

use half::f16;
use layout_bits::{Field, Format, Number, Part, Repack, formats};

/// A number of the environment.
fn variable(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value}")))
}
/// So many draws, or as many as the environment says.
fn draws(usual: u64) -> u64 {
    variable("FORMATS").unwrap_or(usual) / variable("FEWER_CASES").unwrap_or(1)
}

struct Random(u64);
impl Random {
    /// From the seed of the environment, or of the day.
    fn new() -> Self {
        let day = || std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs() / 86400);
        let seed = variable("PROPTEST_RNG_SEED").unwrap_or_else(day);
        println!("the seed of what is drawn: PROPTEST_RNG_SEED={seed}");
        Random(seed)
    }
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Bits of `width` for each element, side by side in an order of modes that is drawn, `unit` bits
/// apart.
fn places(
    random: &mut Random,
    modes: &[usize],
    width: usize,
    unit: usize,
    at: &mut usize,
) -> (usize, Vec<usize>) {
    let (mut order, mut strides, mut reach) =
        ((0..modes.len()).collect::<Vec<_>>(), vec![0; modes.len()], unit);
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

/// What two formats have in common.
struct Fields {
    code: (Number, usize),
    scale: Option<(Number, usize)>,
    zero: Option<(Number, usize)>,
    rest: Option<(bool, Number, usize)>,
}
impl Fields {
    fn new(random: &mut Random) -> Self {
        let width = random.of(&[1, 2, 3, 4, 4, 4, 5, 6, 7, 8, 11, 13]);
        let code = match random.below(3) {
            0 => Number::Unsigned { minus: random.of(&[0, 1, 8, 128, -1, 300]) },
            1 => Number::Signed,
            _ if width == 4 => formats::iq4_nl().fields()[0].number(),
            _ => Number::Unsigned { minus: 0 },
        };
        let mut other = || match random.below(11) {
            8 => (Number::E4m3, 8),
            9 => (Number::E5m2, 8),
            10 => (Number::E8m0, 8),
            0 => (Number::Bf16, 16),
            1 => (Number::F32, 32),
            2 => (Number::HalfE8m0, 8),
            3 => (Number::HalfE4m3, 8),
            4 => (Number::Signed, 1 + random.below(24)),
            5 => (Number::Unsigned { minus: random.of(&[0, 32, -1]) }, 1 + random.below(24)),
            _ => (Number::F16, 16),
        };
        let (a, b, c) = (other(), other(), other());
        let zero = (random.below(3) == 0).then_some(b);
        let rest = (random.below(3) == 0).then_some((random.below(2) == 0, c.0, c.1));
        Fields { code: (code, width), scale: (random.below(8) != 0).then_some(a), zero, rest }
    }
    fn text(&self) -> String {
        let code = if self.zero.is_some() { "(q - z)" } else { "q" };
        let rest = self.rest.map_or("", |rest| if rest.0 { " + m" } else { " - m" });
        format!("{}{code}{rest}", if self.scale.is_some() { "d * " } else { "" })
    }
}

/// A format of these modes with these fields, the scales the same for the first modes.
fn format(random: &mut Random, modes: &[usize], fields: &Fields, group: usize) -> Format {
    let mut at = random.of(&[0, 8, 16, 128]);
    let others =
        [("d", fields.scale), ("z", fields.zero), ("m", fields.rest.map(|rest| (rest.1, rest.2)))];
    let mut all = vec![("q", 0, fields.code)];
    all.extend(others.into_iter().filter_map(|(name, field)| Some((name, group, field?))));
    // Codes come first, or last, so that any field ends where the block does.
    let first = random.below(all.len());
    all.rotate_left(first);
    let mut made = Vec::new();
    for (name, group, (number, width)) in all {
        let low = if random.below(3) == 0 { 1 + random.below(width) } else { width };
        let mut parts = Vec::new();
        for width in [low, width - low].into_iter().filter(|&width| width > 0) {
            let unit = random.of(&[width, width, 8, 8, 16]).max(width);
            let (first, strides) = places(random, &modes[group..], width, unit, &mut at);
            parts.push(part(width, first, modes, &[vec![0; group], strides].concat()));
            at = at.next_multiple_of(random.of(&[1, 8, 8, 32]));
        }
        made.push(Field::new(name, number, parts));
    }
    let bytes = at.div_ceil(8) + random.of(&[0, 0, 1, 2]);
    Format::new("drawn", modes.iter().product(), &[("block", bytes)], made, &fields.text()).unwrap()
}

/// As bits; a NaN is one whatever its bits.
fn bits(x: f32) -> u32 {
    if x.is_nan() { u32::MAX } else { x.to_bits() }
}

#[test]
fn drawn_formats() {
    let (mut random, draws) = (Random::new(), draws(3000));
    let (mut moved, mut ways) = (0, std::collections::BTreeMap::new());
    for _ in 0..draws {
        let count = 1 + random.below(4);
        let modes: Vec<_> = (0..count).map(|_| random.of(&[2, 4, 8, 16, 2, 3])).collect();
        let fields = Fields::new(&mut random);
        let group = random.below(count + 1);
        let format = [0, 1].map(|_| format(&mut random, &modes, &fields, group));
        let blocks = 1 + random.below(4);
        let bytes: Vec<u8> =
            (0..format[0].bytes() * blocks).map(|_| random.below(256) as u8).collect();
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
            assert_eq!(
                bits(format[1].get(&packed, i).unwrap()),
                bits(x),
                "{plan}{}{}: {i}",
                format[0],
                format[1]
            );
        }
    }
    if draws < 3000 {
        return;
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
    let mut random = Random::new();
    let mut all = vec![
        q4_0(),
        q4_1(),
        q5_0(),
        q5_1(),
        q8_0(),
        q2_k(),
        q3_k(),
        q4_k(),
        q5_k(),
        q6_k(),
        iq4_nl(),
    ];
    all.extend([
        mxfp4(),
        nvfp4(),
        gptq(32, 8, 16).unwrap(),
        awq(32, 8, 16).unwrap(),
        marlin(16, 64, 16).unwrap(),
    ]);
    for format in all {
        for _ in 0..200 {
            let bytes: Vec<u8> =
                (0..random.below(4 * format.bytes())).map(|_| random.below(256) as u8).collect();
            match (format.dequantize(&bytes), bytes.len() % format.bytes()) {
                (Ok(numbers), 0) => {
                    assert_eq!(numbers.len(), bytes.len() / format.bytes() * format.elements())
                }
                (Err(error), 1..) => {
                    assert!(error.to_string().contains(&bytes.len().to_string()), "{error}")
                }
                (answer, rest) => panic!("{answer:?} of {rest} bytes too many"),
            }
        }
    }
}

/// Two numbers that share a bit are refused, with bits that they share, and no others are.
#[test]
fn shared_bits_are_refused_exactly() {
    let mut random = Random::new();
    let mut found = [0, 0];
    for _ in 0..draws(4000) {
        let modes: Vec<_> = (0..1 + random.below(3)).map(|_| random.of(&[2, 3, 4, 2])).collect();
        let elements: usize = modes.iter().product();
        let mut parts = Vec::new();
        for _ in 0..1 + random.below(3) {
            let strides: Vec<_> = modes
                .iter()
                .map(|_| random.of(&[0, 1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48]))
                .collect();
            parts.push(part(1 + random.below(5), random.below(100), &modes, &strides));
        }
        // Fields of one part, or one field of all.
        let whole = random.below(2) == 0;
        let fields: Vec<_> = match whole {
            true => vec![Field::new("a", Number::Unsigned { minus: 0 }, parts.clone())],
            false => {
                let field =
                    |(name, part): (_, &Part)| Field::new(name, Number::Signed, [part.clone()]);
                ["a", "b", "c"].into_iter().zip(&parts).map(field).collect()
            }
        };
        let bits = |p: usize, i: usize| (parts[p].bit(i), parts[p].bit(i) + parts[p].width());
        let mut pairs = Vec::new();
        for p in 0..parts.len() {
            for q in p..parts.len() {
                for (i, j) in (0..elements).flat_map(|i| (0..elements).map(move |j| (i, j))) {
                    let (x, y) = (bits(p, i), bits(q, j));
                    if x.0 < y.1 && y.0 < x.1 && (p != q || x.0 != y.0) {
                        pairs.push((x, y));
                    }
                }
            }
        }
        let said = Format::new("drawn", elements, &[("block", 128)], fields, "a")
            .map_err(|error| error.to_string());
        match said {
            Err(said) if said.contains(" has the bits ") => {
                let ranges: Vec<usize> = said
                    .split(|c: char| !c.is_ascii_digit())
                    .filter_map(|n| n.parse().ok())
                    .collect();
                let &[a, b, c, d] = &ranges[..] else { panic!("{said}") };
                assert!(pairs.contains(&((a, b), (c, d))), "{said}: {parts:?}");
                found[0] += 1;
            }
            _ => {
                assert!(pairs.is_empty(), "{said:?}: {parts:?} share {:?}", pairs[0]);
                found[1] += 1;
            }
        }
    }
    println!("{} shared bits, {} apart", found[0], found[1]);
    assert!(found.iter().all(|&count| count > 0));
}
