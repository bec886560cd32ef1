//! Every answer of a format is that of `gguf`, and of the packings as their authors write them.
//!
//! `fixtures/formats.txt`, which `.ci/test-bits` makes again, has sums over all answers, each mixed
//! with its place, for inputs that are made here by the same rule.

use half::f16;
use layout_bits::{AbsoluteMaximum, Field, Format, FormatError, Number, Part, Rounding, formats};

const FIXTURE: &str = include_str!("fixtures/formats.txt");

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58476d1ce4e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d049bb133111eb);
    x ^ (x >> 31)
}
const STEP: u64 = 0x9e3779b97f4a7c15;

fn words(seed: u64, count: usize) -> impl Iterator<Item = u64> {
    (1..=count as u64).map(move |i| mix(seed.wrapping_add(i.wrapping_mul(STEP))))
}
fn random_bytes(seed: u64, count: usize) -> Vec<u8> {
    words(seed, count.div_ceil(8)).flat_map(u64::to_le_bytes).take(count).collect()
}
fn total(answers: impl IntoIterator<Item = u64>) -> u64 {
    let mixed = answers
        .into_iter()
        .enumerate()
        .map(|(i, x)| mix(x.wrapping_add((i as u64).wrapping_mul(STEP))));
    mixed.fold(0, u64::wrapping_add)
}
fn bits_of(x: &f32) -> u64 {
    if x.is_nan() { 0x7fc0_0000 } else { x.to_bits().into() }
}
fn numbers(seed: u64, blocks: usize, size: usize) -> Vec<f32> {
    let scales: Vec<_> =
        words(seed + 1, blocks).map(|w| 2_f64.powi((w % 21) as i32 - 14)).collect();
    let number = |(i, w): (usize, u64)| match i / size % 4 {
        3 => ((w >> 58) as i64 - 32) as f32 / 2.0,
        _ => (((w >> 40) as f64 / 8388608.0 - 1.0) * scales[i / size]) as f32,
    };
    words(seed, blocks * size).enumerate().map(number).collect()
}

fn fixture(name: &str) -> impl Iterator<Item = (&'static str, u64)> {
    let lines = FIXTURE.lines().filter_map(move |line| {
        let (of, rest) = line.split_once(' ')?;
        let (what, sum) = rest.split_once(' ')?;
        (of == name).then(|| (what, u64::from_str_radix(sum, 16).unwrap()))
    });
    lines.collect::<Vec<_>>().into_iter()
}

/// By the largest size of a group, as compressed-tensors, DeepSeek and the MX formats do.
#[test]
fn rules_are_those_of_their_authors() {
    let (k, n) = (256, 256);
    let mut x = numbers(31, k * n / 32, 32);
    x.iter_mut().filter(|x| x.abs() < 1.0 / 1024.0).for_each(|x| *x = 0.25);
    let rule = AbsoluteMaximum::becomes;
    let of = [
        ("int4", formats::compressed_tensors(k, n, 32).unwrap(), rule(7.5)),
        (
            "e4m3",
            formats::scaled(Number::E4m3, k, n, [128, 128], Number::F32).unwrap(),
            rule(448.0),
        ),
        ("mxfp4", formats::mxfp4(), rule(8.0).with_scales(Rounding::TowardZero)),
    ];
    for (name, format, rule) in of {
        let bytes = format.quantize_by(rule, &x).unwrap();
        let sums = fixture(name).filter(|line| line.0 == "rule").collect::<Vec<_>>();
        assert_eq!(sums, [("rule", total(bytes.iter().map(|&byte| byte.into())))], "{name}");
    }
}

#[test]
fn what_no_rule_quantizes() {
    let rule = AbsoluteMaximum::becomes;
    let said =
        |format: &Format, rule, x: &[f32]| format.quantize_by(rule, x).unwrap_err().to_string();
    let q8 = formats::q8_0();
    assert!(
        said(&formats::q4_1(), rule(7.0), &[0.0; 32])
            .contains("has one scale and a code, and its value is d * q + m")
    );
    assert!(said(&formats::q6_k(), rule(31.0), &[0.0; 256]).contains("its value is d * scale * q"));
    for to in [0.0, -1.0, f32::INFINITY, f32::NAN] {
        assert!(said(&q8, rule(to), &[0.0; 32]).contains("no positive number"), "{to}");
    }
    assert!(said(&q8, rule(127.0), &[0.0; 33]).contains("33 elements are no whole number"));
    assert!(said(&q8, rule(127.0), &[f32::NAN; 32]).contains("its element 0 is NaN"));
    assert!(
        said(&q8, rule(127.0), &[f32::MAX; 32])
            .contains("its scale 2.6793887e36 is beyond 6.5504e4")
    );
    assert!(said(&q8, rule(127.0), &[1e-9; 32]).contains("its scale 7.874016e-12 is rounded to 0"));
    assert!(q8.quantize_by(rule(127.0).with_scales(Rounding::AwayFromZero), &[1e-9; 32]).is_ok());
    assert_eq!(q8.quantize_by(rule(127.0), &[0.0; 32]).unwrap(), [0; 34]);
    assert_eq!(q8.quantize_by(rule(127.0), &[]).unwrap(), [0; 0]);
    let shared = |layout: &str, scale: &[Part]| {
        let q = Part::new(4, 0, layout.parse().unwrap());
        let fields = [
            Field::new("q", Number::Signed, [q]),
            Field::new("d", Number::Unsigned { minus: 0 }, scale),
        ];
        Format::new("shared", 4, &[("block", 8)], fields, "d * q").unwrap()
    };
    let part = |at, layout: &str| Part::new(8, at, layout.parse().unwrap());
    let one = [part(32, "4:0")];
    assert!(
        said(&shared("(2,2):(0,4)", &one), rule(7.0), &[0.0; 4])
            .contains("several elements share their q")
    );
    let two = [part(32, "(2,2):(0,8)"), part(48, "(2,2):(8,0)")];
    assert!(
        said(&shared("4:4", &two), rule(7.0), &[0.0; 4])
            .contains("elements share some bits of d and not others")
    );
}

fn all() -> Vec<(&'static str, Format)> {
    use formats::*;
    vec![
        ("Q4_0", q4_0()),
        ("Q4_1", q4_1()),
        ("Q5_0", q5_0()),
        ("Q5_1", q5_1()),
        ("Q8_0", q8_0()),
        ("Q2_K", q2_k()),
        ("Q3_K", q3_k()),
        ("Q4_K", q4_k()),
        ("Q5_K", q5_k()),
        ("Q6_K", q6_k()),
        ("IQ4_NL", iq4_nl()),
        ("MXFP4", mxfp4()),
        ("NVFP4", nvfp4()),
    ]
}

#[test]
fn blocks_are_those_of_gguf() {
    let mut checked = 0;
    for (name, format) in all() {
        let size = format.bytes();
        for (what, sum) in fixture(name) {
            let bytes = match what.split(':').collect::<Vec<_>>()[..] {
                ["random"] => random_bytes(7, 2048 * size),
                ["scale", byte, count] => {
                    let (byte, count): (usize, u32) =
                        (byte.parse().unwrap(), count.parse().unwrap());
                    let mut bytes = random_bytes(8, size).repeat(1 << (8 * count));
                    for (value, block) in bytes.chunks_exact_mut(size).enumerate() {
                        block[byte..][..count as usize]
                            .copy_from_slice(&value.to_le_bytes()[..count as usize]);
                    }
                    bytes
                }
                _ => continue,
            };
            let numbers = format.dequantize(&bytes).unwrap();
            assert_eq!(total(numbers.iter().map(bits_of)), sum, "{name} {what}");
            // One by one, from the layouts and not from loops over them.
            for i in (0..numbers.len()).step_by(if numbers.len() > 100_000 { 1009 } else { 7 }) {
                assert_eq!(
                    bits_of(&format.get(&bytes, i).unwrap()),
                    bits_of(&numbers[i]),
                    "{name} {what}: {i}"
                );
            }
            let mut halves = vec![f16::ZERO; numbers.len()];
            format.dequantize_into(&bytes, &mut halves).unwrap();
            for (half, &x) in halves.iter().zip(&numbers) {
                let expected = f16::from_f32(x);
                assert!(
                    half.to_bits() == expected.to_bits() || x.is_nan() && half.is_nan(),
                    "{name} {what}: {x}"
                );
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 41);
}

#[test]
fn quantized_blocks_are_those_of_gguf() {
    let mut checked = 0;
    for (name, format) in all() {
        for (_, sum) in fixture(name).filter(|line| line.0 == "quantize") {
            let mut x = numbers(9, 4096, 32);
            if name == "MXFP4" {
                for (k, (e, n)) in
                    (-100..120).flat_map(|e| (-3..=3).map(move |n| (e, n))).enumerate()
                {
                    let top = f32::from_bits(2_f32.powi(e).to_bits().wrapping_add_signed(n));
                    (0..32).for_each(|i| x[32 * k + i] = top * (i as f32 - 16.0) / 16.0);
                }
            }
            let bytes = format.quantize(&x).unwrap();
            assert_eq!(total(bytes.iter().map(|&byte| byte.into())), sum, "{name}");
            checked += 1;
        }
        let zeros = format.quantize(&vec![0.0; format.elements()]);
        match zeros {
            Ok(block) => {
                assert!(format.dequantize(&block).unwrap().iter().all(|&x| x == 0.0), "{name}")
            }
            Err(error) => assert!(matches!(error, FormatError::NoRule { .. }), "{name}: {error}"),
        }
    }
    assert_eq!(checked, 6);
}

/// The bits of a field for element `i`, one by one.
fn put(field: &Field, bytes: &mut [u8], i: usize, code: u32) {
    let mut shift = 0;
    for part in field.parts() {
        for k in 0..part.width() {
            let bit = part.bit(i) + k;
            bytes[bit / 8] =
                bytes[bit / 8] & !(1 << (bit % 8)) | ((code >> (shift + k) & 1) as u8) << (bit % 8);
        }
        shift += part.width();
    }
}

#[test]
fn matrices_are_those_of_their_authors() {
    let (k, n, group) = (128, 256, 32);
    let codes: Vec<u32> = words(11, k * n).map(|w| (w % 16) as u32).collect();
    let zeros: Vec<u32> = words(12, k / group * n).map(|w| (w % 16) as u32).collect();
    let scales: Vec<f32> =
        words(13, k / group * n).map(|w| 1.0 + (w % 512) as f32 / 256.0).collect();
    let made = [
        formats::gptq(k, n, group),
        formats::awq(k, n, group),
        formats::compressed_tensors(k, n, group),
    ];
    let of_marlin = [
        ("marlin", formats::marlin(k, n, group)),
        ("marlin-single", formats::marlin(k, n, k)),
        ("marlin-zeros", formats::marlin_with_zeros(k, n, group)),
    ];
    let made = made.map(|format| ("", format)).into_iter().chain(of_marlin);
    for (name, format) in made.map(|(name, format)| (name, format.unwrap())) {
        let name = if name.is_empty() { format.name() } else { name };
        let group = if name == "marlin-single" { k } else { group };
        let mut bytes = vec![0; format.bytes()];
        for (i, &q) in codes.iter().enumerate() {
            let of = i % k / group * n + i / k;
            for field in format.fields() {
                let code = match field.name() {
                    "q" => q,
                    "zero" if format.name() == "gptq" => zeros[of].wrapping_sub(1) & 15,
                    "zero" => zeros[of],
                    _ => f16::from_f32(scales[of]).to_bits().into(),
                };
                put(field, &mut bytes, i, code);
            }
        }
        let numbers = format.dequantize(&bytes).unwrap();
        for (what, sum) in fixture(name) {
            match what {
                "bytes" => {
                    assert_eq!(total(bytes.iter().map(|&byte| byte.into())), sum, "{format}")
                }
                _ => assert_eq!(total(numbers.iter().map(bits_of)), sum, "{format}"),
            }
        }
        assert_eq!(fixture(name).count(), 2);
        for i in (0..k * n).step_by(97) {
            assert_eq!(format.get(&bytes, i).unwrap(), numbers[i], "{format}: {i}");
        }
    }
}

/// Other widths, whose words are made by the same rule in Python.
#[test]
fn other_widths_are_those_of_their_authors() {
    let (k, n, group) = (128, 256, 32);
    let scales: Vec<f32> =
        words(13, k / group * n).map(|w| 1.0 + (w % 512) as f32 / 256.0).collect();
    let gptq = [2, 8].map(|bits| (bits, k, formats::gptq_of(bits, k, n, group)));
    let gptq = gptq.into_iter().chain([(3, k, formats::gptq_across(3, k, n, group))]);
    let others = [(2, k, group), (3, 120, 120), (8, k, group)]
        .map(|(bits, k, group)| (bits, k, formats::compressed_tensors_of(bits, k, n, group)));
    for (bits, k, format) in gptq.chain(others) {
        let format = format.unwrap();
        let group = if k == 120 { k } else { group };
        let codes: Vec<u32> = words(14, k * n).map(|w| (w % (1 << bits)) as u32).collect();
        let zeros: Vec<u32> = words(15, k / group * n).map(|w| (w % (1 << bits)) as u32).collect();
        let mut bytes = vec![0; format.bytes()];
        for (i, &q) in codes.iter().enumerate() {
            let of = i % k / group * n + i / k;
            for field in format.fields() {
                let code = match field.name() {
                    "q" => q,
                    "zero" => zeros[of].wrapping_sub(1) & ((1 << bits) - 1),
                    _ => f16::from_f32(scales[of]).to_bits().into(),
                };
                put(field, &mut bytes, i, code);
            }
        }
        let numbers = format.dequantize(&bytes).unwrap();
        let name = format!("{}-{bits}", format.name());
        if name == "gptq-3" {
            // The file has row after row of words.
            let words = k * n / 8 * bits;
            let rows = formats::turn_words(&bytes[..words], n, k / 32 * bits).unwrap();
            bytes[..words].copy_from_slice(&rows);
            let again = formats::turn_words(&rows, k / 32 * bits, n).unwrap();
            let again = [&again, &bytes[words..]].concat();
            assert_eq!(format.dequantize(&again).unwrap(), numbers);
        }
        for (what, sum) in fixture(&name) {
            match what {
                "bytes" => {
                    assert_eq!(total(bytes.iter().map(|&byte| byte.into())), sum, "{format}")
                }
                _ => assert_eq!(total(numbers.iter().map(bits_of)), sum, "{format}"),
            }
        }
        assert_eq!(fixture(&name).count(), 2, "{name}");
    }
    let said = |result: Result<Format, FormatError>| result.unwrap_err().to_string();
    assert!(said(formats::gptq_of(3, 96, 32, 32)).contains("go across words"));
    assert!(said(formats::gptq_of(9, 96, 32, 32)).contains("a word has no numbers of 9 bits"));
    assert!(
        said(formats::compressed_tensors_of(0, 96, 32, 32))
            .contains("a word has no numbers of 0 bits")
    );
    assert!(
        said(formats::compressed_tensors_of(3, 160, 32, 32)).contains("divide into no common ones")
    );
}

/// A checkpoint whose `g_idx` says the group of each row: in the order of the groups it is a
/// format.
#[test]
fn rows_in_the_order_of_their_groups() {
    let (k, n, group) = (64, 16, 16);
    let format = formats::gptq(k, n, group).unwrap();
    let mut bytes = random_bytes(21, format.bytes());
    let scales = format.bytes() - k / group * n * 2;
    bytes[scales..]
        .chunks_exact_mut(2)
        .for_each(|half| half.copy_from_slice(&[0x00, half[1] & 0x3f | 0x20]));
    // Groups of 16 rows, drawn.
    let mut drawn: Vec<_> = words(22, k).zip(0..k).collect();
    drawn.sort();
    let mut g_idx = vec![0; k];
    drawn.iter().enumerate().for_each(|(j, &(_, row))| g_idx[row] = j / group);
    let order = formats::act_order(&g_idx, group).unwrap();
    let sorted = format.reordered(&bytes, "q", |i| order[i % k] + i / k * k).unwrap();
    let numbers = format.dequantize(&sorted).unwrap();
    let bits = |bit: usize, width: usize| {
        (0..width)
            .fold(0_u32, |sum, b| sum | u32::from(bytes[(bit + b) / 8] >> ((bit + b) % 8) & 1) << b)
    };
    for c in 0..n {
        for j in 0..k {
            let row = order[j];
            let code = bits((row / 8 * n + c) * 32 + row % 8 * 4, 4);
            let zero = bits(k * n * 4 + (g_idx[row] * (n / 8) + c / 8) * 32 + c % 8 * 4, 4) + 1;
            let scale =
                f16::from_bits(bits((scales + (g_idx[row] * n + c) * 2) * 8, 16) as u16).to_f32();
            assert_eq!(
                numbers[j + k * c],
                scale * (code as f32 - zero as f32),
                "row {row}, column {c}"
            );
        }
    }
    assert!(formats::act_order(&[0, 0, 1], 2).is_ok());
    assert!(formats::act_order(&[0, 0, 1, 1], 0).is_err());
    assert!(
        format
            .reordered(&bytes, "g", |i| i)
            .unwrap_err()
            .to_string()
            .contains("gptq has no field g")
    );
    assert!(matches!(
        format.reordered(&bytes, "q", |i| i + 1),
        Err(FormatError::Index { index: 1024, .. })
    ));
}

/// Each bit of a block is one field's, and no bit is nobody's.
#[test]
fn bits_belong_to_one_field() {
    let matrices =
        [formats::gptq(64, 64, 32), formats::awq(64, 64, 32), formats::marlin(64, 64, 32)];
    let matrices = matrices.into_iter().map(|format| ("", format.unwrap()));
    for (_, format) in all().into_iter().chain(matrices) {
        let mut owners = vec![None; format.bytes() * 8];
        for field in format.fields() {
            for (p, part) in field.parts().iter().enumerate() {
                for i in 0..format.elements() {
                    for k in 0..part.width() {
                        let owner = &mut owners[part.bit(i) + k];
                        let this = (field.name(), p, k);
                        assert_eq!(*owner.get_or_insert(this), this, "{format}");
                    }
                }
            }
        }
        assert!(owners.iter().all(Option::is_some), "{format}");
    }
}

#[test]
fn mistakes() {
    let said = |error: FormatError| error.to_string();
    assert_eq!(
        said(formats::q4_0().dequantize_into(&[0; 36], &mut [0.0_f32; 32]).unwrap_err()),
        "64 elements are needed, and the slice has 32"
    );
    assert_eq!(
        said(formats::q4_0().get(&[0; 18], 32).unwrap_err()),
        "there is no element 32: there are 32"
    );
    assert!(formats::q4_0().dequantize(&[]).unwrap().is_empty());
    assert_eq!(
        said(formats::q4_0().quantize(&[1.0; 31]).unwrap_err()),
        "q4_0 has blocks of 32 elements: 31 elements are no whole number of them"
    );
    let mut x = [1.0; 64];
    x[40] = f32::INFINITY;
    assert_eq!(
        said(formats::q8_0().quantize(&x).unwrap_err()),
        "the rule of q8_0 has no answer for the block at element 32: its element 8 is inf"
    );
    assert!(said(formats::q4_0().quantize(&[1e-40; 32]).unwrap_err()).contains("has no inverse"));
    assert!(said(formats::mxfp4().quantize(&[1e-40; 32]).unwrap_err()).contains("is below 2^-127"));
    assert_eq!(
        said(formats::q4_0().quantize(&[&[0.5; 31][..], &[600000.0]].concat()).unwrap_err()),
        "the rule of q4_0 has no answer for the block at element 0: its scale -7.5e4 is beyond \
         65504"
    );
    assert!(formats::q4_0().quantize(&[&[0.5; 31][..], &[524000.0]].concat()).is_ok());
    for (format, least) in
        [(formats::q4_1(), "least number -7e4"), (formats::q5_1(), "least number -7e4")]
    {
        let x = [&[0.5; 31][..], &[-70000.0]].concat();
        assert!(
            said(format.quantize(&x).unwrap_err()).ends_with(&format!("{least} is beyond 65504"))
        );
    }
    assert!(
        said(formats::q5_0().quantize(&[2e6; 32]).unwrap_err())
            .contains("its scale -1.25e5 is beyond 65504")
    );
    assert!(said(formats::q8_0().quantize(&[1e7; 32]).unwrap_err()).contains("is beyond 65504"));
    assert!(
        said(formats::q4_1().quantize(&[&[1e6; 1][..], &[0.0; 31]].concat()).unwrap_err())
            .contains("its scale")
    );
    assert_eq!(
        said(formats::q4_k().quantize(&[0.0; 256]).unwrap_err()),
        "q4_K has no rule that quantizes: q4_0, q4_1, q5_0, q5_1, q8_0 and mxfp4 of \
         layout_bits::formats have one, and quantize_by takes a rule"
    );
    assert_eq!(
        said(formats::gptq(8, 8, 0).unwrap_err()),
        "no format gptq: 8 rows are no whole number of groups of 0"
    );
    assert_eq!(
        said(formats::awq(8, 7, 8).unwrap_err()),
        "no format awq: 7 columns are no multiple of 8"
    );
    assert_eq!(
        said(formats::awq(8, 0, 8).unwrap_err()),
        "no format awq: a matrix of 8 rows and 0 columns has no elements"
    );
    for (k, n, group) in
        [(0, 8, 8), (12, 8, 4), (64, 12, 32), (64, 64, 48), (usize::MAX / 8 * 8, 64, 8)]
    {
        assert!(formats::gptq(k, n, group).is_err(), "{k} {n} {group}");
        assert!(formats::marlin(k, n, group).is_err(), "{k} {n} {group}");
    }
    let part = |text: &str| Part::new(4, 0, text.parse().unwrap());
    let new =
        |fields: &[Field], value: &str| Format::new("mine", 8, &[("block", 4)], fields, value);
    let q = Field::new("q", Number::Signed, [part("8:4")]);
    assert!(new(std::slice::from_ref(&q), "q").is_ok());
    assert!(
        said(new(std::slice::from_ref(&q), "d * q").unwrap_err())
            .contains("names \"d\", which is no field")
    );
    assert!(
        said(new(std::slice::from_ref(&q), "q * (q)").unwrap_err())
            .contains("no difference in its parentheses")
    );
    let other = Field::new("d", Number::Signed, [part("(3,3):(1,1)")]);
    assert!(
        said(new(&[q.clone(), other], "d * q").unwrap_err())
            .contains("for 9 elements, and a block has 8")
    );
    let narrow = Field::new("d", Number::F16, [part("8:0")]);
    assert_eq!(
        said(new(&[q, narrow], "d * q").unwrap_err()),
        "no format mine: d has 4 bits, which are no f16"
    );
    let two = |a: &str, b: &str| {
        let part = |at: usize, text: &str| [Part::new(1, at, text.parse().unwrap())];
        let fields = [
            Field::new("a", Number::Signed, part(0, a)),
            Field::new("b", Number::Signed, part(8, b)),
        ];
        Format::new("mine", 6, &[("block", 2)], fields, "a * b")
    };
    // Both count up, whatever their modes are.
    assert!(two("(2,3):(1,2)", "(3,2):(1,3)").is_ok());
    let error = two("(2,3):(3,1)", "(3,2):(2,1)").unwrap_err();
    assert!(said(error).contains("the extents 3 and 2 of its layouts divide into no common ones"));
}

/// Values are read as they are written, or refused: nothing of them is dropped.
#[test]
fn values_are_read_whole() {
    let unsigned = Number::Unsigned { minus: 0 };
    let field = |name: &str, width, at, layout: &str| {
        Field::new(name, unsigned, [Part::new(width, at, layout.parse().unwrap())])
    };
    let new = |value: &str| {
        let fields =
            [field("q", 4, 0, "16:4"), field("s", 8, 64, "16:0"), field("z", 8, 72, "16:0")];
        Format::new("own", 16, &[("block", 10)], fields, value)
    };
    let mut bytes = [0x77_u8; 10];
    (bytes[8], bytes[9]) = (100, 1);
    for (value, x) in [
        ("s * (q - z)", 600.0),
        (" s*( q-z ) ", 600.0),
        ("(q - z)", 6.0),
        ("s * (q - z) + s * z", 700.0),
        ("q - z", 6.0),
        ("s * q - s * z", 600.0),
    ] {
        assert_eq!(new(value).unwrap().dequantize(&bytes).unwrap(), [x; 16], "{value}");
    }
    for (value, why) in [
        ("s (q - z)", "\"s (q - z)\" has \"s\" before its parentheses, and no * between them"),
        ("s + (q - z)", "has \"s +\" before its parentheses, and no * between them"),
        ("s / (q - z)", "has \"s /\" before its parentheses, and no * between them"),
        ("nothing (q - z)", "has \"nothing\" before its parentheses, and no * between them"),
        ("nothing * (q - z)", "names \"nothing\", which is no field"),
        ("s + z * (q - z)", "names \"s + z\", which is no field"),
        ("s * (q - z) s", "has \"s\" behind its parentheses, where + or - may stand"),
        ("s * (q - z) * s", "has \"* s\" behind its parentheses"),
        ("s * (q - z", "has a ( without a )"),
        ("s * (q + z)", "has no difference in its parentheses"),
        ("s * (q - z) - s - z", "names \"s - z\", which is no field"),
        ("* (q - z)", "lacks a field beside one of its signs"),
        ("", "lacks a field beside one of its signs"),
        ("s * q -", "lacks a field beside one of its signs"),
    ] {
        let said = new(value).unwrap_err().to_string();
        assert!(said.contains(why), "{value}: {said}");
    }
}

/// No two numbers share a bit: those of one field and of two, of one part and of two.
#[test]
fn bits_of_two_numbers_are_refused() {
    let part = |width, at, layout: &str| Part::new(width, at, layout.parse().unwrap());
    let unsigned =
        |name: &str, parts: &[Part]| Field::new(name, Number::Unsigned { minus: 0 }, parts);
    let said = |elements, fields: &[Field]| {
        Format::new("own", elements, &[("block", 64)], fields, "q").unwrap_err().to_string()
    };
    assert_eq!(
        said(32, &[unsigned("q", &[part(3, 0, "32:2")])]),
        "no format own: q has the bits 2..5, and another q has the bits 0..3"
    );
    let q = unsigned("q", &[part(4, 0, "32:4")]);
    assert_eq!(
        said(32, &[q.clone(), unsigned("d", &[part(16, 120, "32:0")])]),
        "no format own: q has the bits 120..124, and d has the bits 120..136"
    );
    let halves = [part(4, 0, "32:8"), part(1, 7, "32:8"), part(1, 3, "32:0")];
    assert_eq!(
        said(32, &[unsigned("q", &halves)]),
        "no format own: q has the bits 0..4, and another part of q has the bits 3..4"
    );
    // Interleaved, and apart; and one number for several elements is no second one.
    let fields = [q, unsigned("d", &[part(2, 128, "(2,16):(0,4)"), part(2, 130, "(2,16):(0,4)")])];
    assert!(Format::new("own", 32, &[("block", 64)], fields, "d * q").is_ok());
    for (fields, why) in [
        (
            vec![unsigned("q", &[part(4, 0, "4:4")]), unsigned("q", &[part(4, 16, "4:4")])],
            "two fields have the name q",
        ),
        (vec![unsigned("q - 1", &[part(4, 0, "4:4")])], "\"q - 1\" is no name of a field"),
        (vec![unsigned("q", &[part(4, 0, "4:4"), part(0, 4, "4:4")])], "q has a part of 0 bits"),
        (
            vec![unsigned("q", &[part(usize::MAX, 0, "4:4"), part(9, 4, "4:4")])],
            "bits, which are no u",
        ),
        (vec![unsigned("q", &[part(4, 0, "4:-4")])], "whose strides are no natural numbers"),
        (vec![unsigned("q", &[part(4, usize::MAX, "4:4")])], "and a block has 512"),
        (
            vec![Field::new("q", Number::Unsigned { minus: i32::MIN }, [part(4, 0, "4:4")])],
            "q is u + 2147483648 of 4 bits, 2147483648 to 2147483663, and floats have all \
             integers up to 16777216 only",
        ),
    ] {
        let said = said(4, &fields);
        assert!(said.contains(why), "{said}");
    }
    // Blocks of more elements than there is memory for.
    let constant = |bytes| {
        let q = unsigned("q", &[part(4, 0, "1152921504606846976:0")]);
        Format::new("constant", 1 << 60, &[("block", bytes)], [q], "q").unwrap()
    };
    assert_eq!(
        constant(1).dequantize(&[0]).unwrap_err().to_string(),
        "1 blocks of constant, each of 1152921504606846976 elements, are more than there is \
         memory for"
    );
    let plan = layout_bits::Repack::plan(&constant(1), &constant(1 << 50)).unwrap();
    assert!(plan.run(&[0]).unwrap_err().to_string().contains("each of 1125899906842624 bytes"));
    assert!(layout_bits::Repack::plan(&constant(1 << 58), &constant(1 << 58)).is_ok());
}

/// At the last place of a block fewer bytes are read of a number than at others.
#[test]
fn numbers_end_where_the_block_does() {
    let part = |width, at, layout: &str| Part::new(width, at, layout.parse().unwrap());
    let q = |at| Field::new("q", Number::Signed, [part(8, at, "(16,32):(8,128)")]);
    let words = Field::new("q", Number::Unsigned { minus: 0 }, [part(3, 4, "(16,64):(3,52)")]);
    let drawn = [
        (
            [
                q(0),
                Field::new("s", Number::Unsigned { minus: 0 }, [part(11, 4102, "(16,32):(0,11)")]),
            ],
            512,
            557,
        ),
        (
            [words, Field::new("s", Number::Unsigned { minus: 0 }, [part(4, 0, "1024:0")])],
            1024,
            416,
        ),
    ];
    for (fields, elements, bytes) in drawn {
        let format = Format::new("own", elements, &[("block", bytes)], fields, "s * q").unwrap();
        for blocks in [1, 2] {
            let bytes = random_bytes(3, bytes * blocks);
            let one: Vec<f32> =
                (0..elements * blocks).map(|i| format.get(&bytes, i).unwrap()).collect();
            assert_eq!(format.dequantize(&bytes).unwrap(), one);
        }
    }
}

/// What is set is there, in the bits of that field alone.
#[test]
fn fields_are_set() {
    for (_, format) in all() {
        let bytes = random_bytes(4, format.bytes());
        for field in format.fields() {
            for i in 0..format.elements() {
                let mut block = bytes.clone();
                let code = field.get(&random_bytes(i as u64, format.bytes()), i).unwrap();
                field.set(&mut block, i, code).unwrap();
                assert_eq!(field.get(&block, i).unwrap(), code, "{format}");
                let mine = |bit: usize| {
                    field.parts().iter().any(|p| (p.bit(i)..p.bit(i) + p.width()).contains(&bit))
                };
                for bit in (0..format.bytes() * 8).filter(|&bit| !mine(bit)) {
                    assert_eq!(
                        block[bit / 8] >> (bit % 8) & 1,
                        bytes[bit / 8] >> (bit % 8) & 1,
                        "{format}"
                    );
                }
            }
            let mut block = bytes.clone();
            assert!(field.width() == 32 || field.set(&mut block, 0, 1 << field.width()).is_err());
            assert!(matches!(
                field.set(&mut block, format.elements(), 0),
                Err(FormatError::Index { .. })
            ));
            assert!(matches!(field.set(&mut [], 0, 0), Err(FormatError::Room { .. })));
            assert_eq!(block, bytes);
        }
    }
}
