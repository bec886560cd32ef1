//! Formats of fields and values that are drawn: what their text says, for each element, or refused
//! in a sentence.

use layout_bits::{Field, Format, Number, Part, Repack};

use crate::draw::Draw;

/// Makes a format, decodes blocks of it, and repacks them; whether there was one.
pub(crate) fn formats(bytes: &[u8]) -> usize {
    let mut draw = Draw::new(bytes);
    let modes: Vec<_> = (0..1 + draw.below(4)).map(|_| draw.of(&[2, 3, 4, 8, 16, 1])).collect();
    let mut at = draw.of(&[0, 0, 8, 3]);
    let mut fields = Vec::new();
    for name in ["q", "s", "z", "m"].into_iter().take(1 + draw.below(4)) {
        fields.push(field(&mut draw, name, &modes, &mut at));
    }
    let words =
        ["q", "s", "z", "m", "*", "*", "-", "+", "(", ")", " ", "none", "- z)", "(q", "s * ", "q"];
    let usual = match fields.len() {
        1 => &["q"][..],
        2 => &["q", "s * q", "q - s", "s * q", "s * q + s"],
        3 => &["s * (q - z)", "(q - z)", "s * z * q", "s * q - z", "s * (q - z) + z"],
        _ => &["s * (q - z) + m", "s * m * q - z * s", "m * (q - z)", "s (q - z)", "s * q - m * z"],
    };
    let value = match draw.one_in(4) {
        false => usual[draw.below(usual.len())].to_string(),
        true => (0..1 + draw.below(7)).map(|_| draw.of(&words)).collect::<Vec<_>>().concat(),
    };
    let elements = if draw.one_in(30) { draw.below(100) } else { modes.iter().product() };
    let bytes =
        (at.div_ceil(8) + draw.of(&[0, 0, 0, 1, 2])).saturating_sub(draw.of(&[0, 0, 0, 0, 1]));
    let format = match Format::new("drawn", elements, &[("block", bytes)], fields, &value) {
        Ok(format) => format,
        Err(error) => {
            let said = error.to_string();
            assert!(said.starts_with("no format drawn: ") && said.len() > 25, "{said:?}");
            return 0;
        }
    };
    let mut state = draw.number() | 1;
    let mut byte = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    let blocks: Vec<u8> = (0..bytes * (1 + draw.below(3))).map(|_| byte()).collect();
    let numbers = format.dequantize(&blocks).expect("whole blocks");
    for (i, &x) in numbers.iter().enumerate() {
        let block = &blocks[i / elements * bytes..][..bytes];
        let said = Said { text: value.as_bytes(), format: &format, block, element: i % elements };
        assert_eq!(alike(said.all()), alike(x), "{format}: element {i}");
        assert_eq!(
            alike(format.get(&blocks, i).expect("an element")),
            alike(x),
            "{format}: element {i}"
        );
    }
    assert!(format.get(&blocks, numbers.len()).is_err());
    match Repack::plan(&format, &format) {
        Ok(plan) => {
            let again =
                format.dequantize(&plan.run(&blocks).expect("whole blocks")).expect("whole blocks");
            assert!(
                again.iter().map(|&x| alike(x)).eq(numbers.iter().map(|&x| alike(x))),
                "{plan}{format}"
            );
        }
        Err(error) => assert!(error.to_string().starts_with("no repacking of drawn"), "{error}"),
    }
    1
}

/// As bits; a NaN is one whatever its bits.
fn alike(x: f32) -> u32 {
    if x.is_nan() { u32::MAX } else { x.to_bits() }
}

fn field(draw: &mut Draw<'_>, name: &str, modes: &[usize], at: &mut usize) -> Field {
    let (number, width) = match draw.below(12) {
        9 => (Number::E4m3, 8),
        10 => (Number::E5m2, 8),
        11 => (Number::E8m0, draw.of(&[8, 8, 9])),
        0 => (Number::F16, 16),
        1 => (Number::Bf16, 16),
        2 => (Number::F32, 32),
        3 => (Number::HalfE8m0, 8),
        4 => (Number::Signed, 1 + draw.below(24)),
        5 => (
            Number::Unsigned { minus: draw.of(&[-1, 8, 128, i32::MIN, i32::MAX, 1 << 24]) },
            1 + draw.below(24),
        ),
        6 => (Number::HalfE4m3, draw.of(&[8, 8, 7])),
        _ => (Number::Unsigned { minus: 0 }, draw.of(&[4, 4, 8, 3, 11, 6])),
    };
    let low = if draw.one_in(3) { 1 + draw.below(width) } else { width };
    let mut parts = Vec::new();
    for width in [low, width - low].into_iter().filter(|&width| width > 0) {
        let unit = draw.of(&[width, width, 8, 16]).max(if draw.one_in(25) { 1 } else { width });
        let (mut reach, mut strides) = (unit, vec![0; modes.len()]);
        // Often one number for the first modes.
        let shared = if name == "q" { 0 } else { draw.below(modes.len() + 1) };
        for k in shared..modes.len() {
            strides[k] = reach;
            reach *= modes[k];
        }
        if draw.one_in(25) {
            strides[0] = draw.below(40);
        }
        let list =
            |list: &[usize]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let layout = format!("({}):({})", list(modes), list(&strides)).parse().expect("a layout");
        parts.push(Part::new(width, *at, layout));
        *at += if draw.one_in(25) { draw.below(reach) } else { reach };
        *at = at.next_multiple_of(draw.of(&[1, 8, 8]));
    }
    Field::new(name, number, parts)
}

/// What a text says of an element, by the rules of arithmetic.
struct Said<'a> {
    text: &'a [u8],
    format: &'a Format,
    block: &'a [u8],
    element: usize,
}
impl Said<'_> {
    fn all(mut self) -> f32 {
        let x = self.sum();
        assert!(self.next().is_none(), "the text goes on");
        x
    }
    fn next(&mut self) -> Option<u8> {
        self.text = self.text.trim_ascii_start();
        self.text.first().copied()
    }
    fn sign(&mut self, signs: &[u8]) -> Option<u8> {
        let sign = self.next().filter(|sign| signs.contains(sign))?;
        self.text = &self.text[1..];
        Some(sign)
    }
    fn sum(&mut self) -> f32 {
        let mut x = self.product();
        while let Some(sign) = self.sign(b"+-") {
            let y = self.product();
            x = if sign == b'+' { x + y } else { x - y };
        }
        x
    }
    fn product(&mut self) -> f32 {
        let mut x = self.factor();
        while self.sign(b"*").is_some() {
            x *= self.factor();
        }
        x
    }
    fn factor(&mut self) -> f32 {
        if self.sign(b"(").is_some() {
            let x = self.sum();
            assert!(self.sign(b")").is_some(), "a ) is missing");
            return x;
        }
        self.next();
        let end =
            self.text.iter().position(|byte| b"+-*() ".contains(byte)).unwrap_or(self.text.len());
        let (name, rest) = self.text.split_at(end);
        self.text = rest;
        let field = self
            .format
            .fields()
            .iter()
            .find(|field| field.name().as_bytes() == name)
            .expect("a field");
        let (mut code, mut width) = (0, 0);
        for part in field.parts() {
            for k in 0..part.width() {
                let bit = part.bit(self.element) + k;
                code |= u32::from(self.block[bit / 8] >> (bit % 8) & 1) << width;
                width += 1;
            }
        }
        field.number().decode(code, width)
    }
}
