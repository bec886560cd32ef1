//! Formats drawn at random, over random bytes: loops give what single elements are, and repacking
//! keeps these.
//!
//! Each day has other ones: `PROPTEST_RNG_SEED` says from which seed on, `FORMATS` how many.

use half::f16;
use layout_bits::{AbsoluteMaximum, Field, Format, Number, Part, Repack, Rounding, formats};

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

/// The number that a field has for an element.
fn number(format: &Format, name: &str, bytes: &[u8], i: usize) -> Option<f32> {
    let field = format.fields().iter().find(|field| field.name() == name)?;
    Some(field.number().decode(field.get(bytes, i).unwrap(), field.width()))
}

/// Formats that have the numbers with other codes: repacked, each element has its number; or an
/// element is named that has a number without a code, by trying all codes.
#[test]
fn drawn_code_maps() {
    let (mut random, draws) = (Random::new(), draws(1500));
    let (mut done, mut refused, mut flipped) = (0, 0, 0);
    for _ in 0..draws {
        let count = 1 + random.below(3);
        let modes: Vec<_> = (0..count).map(|_| random.of(&[2, 4, 8, 16, 64, 3])).collect();
        let mut fields = Fields::new(&mut random);
        if fields.code.1 > 8 {
            fields.code.1 = 4;
        }
        let group = random.below(count + 1);
        let from = format(&mut random, &modes, &fields, group);
        let other = |random: &mut Random, (number, width): (Number, usize)| match number {
            _ if width > 16 => (number, width),
            Number::Unsigned { minus } => match random.below(4) {
                // What a sign makes of it, the same, more of both signs, and others.
                0 if minus == 1 << (width - 1) => (Number::Signed, width),
                0 | 1 => (Number::Unsigned { minus }, width),
                2 => (Number::Unsigned { minus: minus + random.below(9) as i32 }, width + 4),
                _ => (Number::Unsigned { minus: minus + random.below(3) as i32 - 1 }, width),
            },
            Number::Signed => match random.below(3) {
                0 => (Number::Unsigned { minus: 1 << (width - 1) }, width),
                1 => (Number::Signed, width + random.below(3)),
                _ => (Number::Signed, (width - random.below(2)).max(1)),
            },
            Number::F32 => (number, 32),
            _ if random.below(2) == 0 => (Number::F32, 32),
            _ => (number, width),
        };
        let mut map = |field: (Number, usize)| other(&mut random, field);
        let mut fields = Fields {
            code: map(fields.code),
            scale: fields.scale.map(&mut map),
            zero: fields.zero.map(&mut map),
            rest: fields.rest.map(|(plus, a, b)| (plus, map((a, b)).0, map((a, b)).1)),
        };
        if let Some((_, number, width)) = &mut fields.rest {
            // Drawn twice, and each kind has one width.
            *width = if *number == Number::F32 { 32 } else { *width };
        }
        match random.below(6) {
            0 => fields.zero = None,
            1 => {
                fields.zero =
                    fields.zero.or(Some((Number::Unsigned { minus: random.of(&[0, -1]) }, 9)));
            }
            _ => {}
        }
        let valid = |field: Option<(Number, usize)>| {
            field.is_none_or(|(number, width)| match number {
                Number::Unsigned { .. } | Number::Signed => width <= 24,
                Number::F16 | Number::Bf16 => width == 16,
                Number::F32 => width == 32,
                Number::Table(_) => width == 4,
                _ => width == 8,
            })
        };
        if ![Some(fields.code), fields.scale, fields.zero, fields.rest.map(|rest| (rest.1, rest.2))]
            .into_iter()
            .all(valid)
        {
            continue;
        }
        let to = format(&mut random, &modes, &fields, group);
        let Ok(plan) = Repack::plan(&from, &to) else { continue };
        let blocks = 1 + random.below(2);
        let mut bytes: Vec<u8> =
            (0..from.bytes() * blocks).map(|_| random.below(256) as u8).collect();
        // Zeros that are all one, or codes that are small, now and then.
        if let Some(zero) = from.fields().iter().find(|field| field.name() == "z")
            && fields.zero.is_none()
            && random.below(4) > 0
        {
            let code = (0..1_u32 << zero.width().min(12)).find(|&code| {
                let least = |field: &Field| match field.number() {
                    Number::Unsigned { minus } => -(minus as f32),
                    _ => -((1_u64 << (field.width() - 1)) as f32),
                };
                let of = |format: &Format| {
                    least(format.fields().iter().find(|f| f.name() == "q").unwrap())
                };
                zero.number().decode(code, zero.width()) == of(&from) - of(&to)
            });
            for block in bytes.chunks_exact_mut(from.bytes()) {
                (0..from.elements()).for_each(|i| zero.set(block, i, code.unwrap_or(0)).unwrap());
            }
        }
        flipped += usize::from(plan.to_string().contains("exchanged"));
        let all = blocks * from.elements();
        match plan.run(&bytes) {
            Ok(packed) => {
                done += 1;
                for i in 0..all {
                    let [x, y] = [from.get(&bytes, i), to.get(&packed, i)].map(Result::unwrap);
                    assert_eq!(bits(y), bits(x), "{plan}{from}{to}: {i}");
                }
                // All bytes are written, whatever was there.
                let mut again: Vec<_> = packed.iter().map(|byte| !byte).collect();
                plan.run_into(&bytes, &mut again).unwrap();
                assert!(again == packed, "{plan}{from}{to}");
            }
            Err(error) => {
                refused += 1;
                let said = error.to_string();
                let (_, rest) = said.split_once("element ").unwrap();
                let i: usize = rest.split(' ').next().unwrap().parse().unwrap();
                let (block, i) =
                    (&bytes[i / from.elements() * from.bytes()..], i % from.elements());
                let has = |name: &str, number: f32| {
                    let field = to.fields().iter().find(|field| field.name() == name).unwrap();
                    (0..1_u32 << field.width().min(16))
                        .any(|code| field.number().decode(code, field.width()) == number)
                };
                let lacks = ["q", "d", "z", "m"].into_iter().any(|name| {
                    let (x, zero) = (number(&from, name, block, i), number(&from, "z", block, i));
                    match (name, x) {
                        (_, None) => false,
                        ("z", Some(_)) if fields.zero.is_none() => true,
                        ("q", Some(x)) if fields.zero.is_none() => {
                            !has("q", x - zero.unwrap_or(0.0))
                        }
                        (_, Some(x)) => !has(name, x),
                    }
                });
                assert!(lacks, "{said}\n{plan}{from}{to}");
            }
        }
    }
    if draws >= 1500 {
        println!("{done} repacked, {refused} refused, {flipped} with bits exchanged");
        assert!(done > 500 && refused > 50 && flipped > 50, "{done} {refused} {flipped}");
    }
}

/// Quantized by a rule: no code has a number that is nearer, and no scale, by trying all of them.
#[test]
fn drawn_rules() {
    let (mut random, draws) = (Random::new(), draws(400));
    let mut done = 0;
    for _ in 0..draws {
        let count = 1 + random.below(3);
        let modes: Vec<_> = (0..count).map(|_| random.of(&[2, 4, 8, 3])).collect();
        let mut fields = Fields::new(&mut random);
        fields.rest = None;
        fields.code.1 = fields.code.1.min(8);
        fields.scale = Some(random.of(&[
            (Number::F16, 16),
            (Number::Bf16, 16),
            (Number::F32, 32),
            (Number::E4m3, 8),
            (Number::E5m2, 8),
            (Number::E8m0, 8),
            (Number::HalfE4m3, 8),
            (Number::Unsigned { minus: 0 }, 9),
        ]));
        if random.below(3) == 0 {
            let floats = [Number::E4m3, Number::E5m2, Number::HalfE4m3];
            (fields.code, fields.zero) = ((random.of(&floats), 8), None);
        }
        if fields.zero.is_some() {
            fields.zero = Some((Number::Unsigned { minus: random.of(&[0, -1, 8]) }, 11));
        }
        let group = random.below(count + 1);
        let format = format(&mut random, &modes, &fields, group);
        let (scaling, coding) = (rounding(&mut random), rounding(&mut random));
        let becomes = random.of(&[1.0_f32, 7.0, 7.5, 8.0, 127.0, 448.0, 3.3]);
        let rule = AbsoluteMaximum::becomes(becomes).with_scales(scaling).with_codes(coding);
        let blocks = 1 + random.below(2);
        // Halves and quarters, so that there are ties, and others.
        let few = random.below(2) == 0;
        let mut draw = || {
            let x = random.below(2001) as f32 - 1000.0;
            if few { (x / 50.0).trunc() / 4.0 } else { x * 0.3 }
        };
        let numbers: Vec<_> = (0..blocks * format.elements()).map(|_| draw()).collect();
        let Ok(bytes) = format.quantize_by(rule, &numbers) else { continue };
        done += 1;
        let field = |name: &str| format.fields().iter().find(|field| field.name() == name);
        let (q, d, z) = (field("q").unwrap(), field("d").unwrap(), field("z"));
        let of = |field: &Field, code: u32| f64::from(field.number().decode(code, field.width()));
        let block = |i: usize| &bytes[i / format.elements() * format.bytes()..][..format.bytes()];
        let get = |field: &Field, i: usize| field.get(block(i), i % format.elements()).unwrap();
        let all = |field: &Field| -> Vec<f64> {
            (0..1_u32 << field.width())
                .map(|code| of(field, code))
                .filter(|x| x.is_finite())
                .collect()
        };
        let zero = z.map_or(0.0, |z| of(z, get(z, 0)));
        if let Some(z) = z {
            assert!((0..numbers.len()).all(|i| of(z, get(z, i)) == zero), "{format}");
        }
        let mut codes: Vec<_> = all(q).into_iter().map(|code| code - zero).collect();
        codes.sort_by(f64::total_cmp);
        let scales = if d.width() == 32 { Vec::new() } else { all(d) };
        for (i, &x) in numbers.iter().enumerate() {
            let scale = of(d, get(d, i));
            let by = if scale == 0.0 { 1.0 } else { scale };
            fits(of(q, get(q, i)) - zero, x.into(), by, &codes, coding)
                .unwrap_or_else(|why| panic!("{rule:?} {format}: {x} of {i}, {why}"));
            let same = |j: &usize| {
                j / format.elements() == i / format.elements()
                    && d.parts()[0].bit(j % format.elements())
                        == d.parts()[0].bit(i % format.elements())
            };
            let largest =
                (0..numbers.len()).filter(same).map(|j| numbers[j].abs()).fold(0.0, f32::max);
            if d.width() < 32 {
                fits(scale, largest.into(), becomes.into(), &scales, scaling)
                    .unwrap_or_else(|why| panic!("{rule:?} {format}: the scale of {i}, {why}"));
            } else if scaling == Rounding::HalfToEven {
                assert_eq!(scale as f32, largest / becomes);
            }
        }
    }
    assert!(draws < 400 || done > 150, "{done}");
}

fn rounding(random: &mut Random) -> Rounding {
    use Rounding::*;
    random.of(&[HalfToEven, HalfAwayFromZero, TowardZero, AwayFromZero])
}

/// Whether a number is what `x / d` is rounded to, of all that there are.
fn fits(number: f64, x: f64, d: f64, all: &[f64], rounding: Rounding) -> Result<(), String> {
    let error = |number: f64| (number * d - x).abs();
    let least = all.iter().map(|&other| error(other)).fold(f64::INFINITY, f64::min);
    let inside = |other: f64| (other * d).abs() <= x.abs() && other * x >= 0.0;
    let outside = |other: f64| (other * d).abs() >= x.abs() && other * x >= 0.0;
    let of = |side: &dyn Fn(f64) -> bool| {
        all.iter().copied().filter(|&other| side(other)).map(error).fold(f64::INFINITY, f64::min)
    };
    let wanted = match rounding {
        Rounding::TowardZero if of(&inside) < f64::INFINITY && of(&outside) < f64::INFINITY => {
            of(&inside)
        }
        Rounding::AwayFromZero if of(&outside) < f64::INFINITY && of(&inside) < f64::INFINITY => {
            of(&outside)
        }
        _ => least,
    };
    if error(number) != wanted {
        return Err(format!("{number} is off by {}, and another by {wanted}", error(number)));
    }
    let others: Vec<_> =
        all.iter().filter(|&&other| error(other) == wanted && other != number).collect();
    match rounding {
        Rounding::HalfAwayFromZero if others.iter().any(|other| other.abs() > number.abs()) => {
            Err(format!("{number} is taken, and {others:?} has the larger size"))
        }
        Rounding::HalfToEven
            if !others.is_empty() && all.windows(2).all(|two| two[1] - two[0] == 1.0) =>
        {
            match number % 2.0 == 0.0 {
                true => Ok(()),
                false => Err(format!("{number} is taken, and {others:?} is even")),
            }
        }
        _ => Ok(()),
    }
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
    for _ in 0..draws(1500) {
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
