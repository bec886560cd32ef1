//! Random layouts of every kind, and the expected results of their functions.

use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use layout_emit::{EmitError, Index, Language, NamedLayout};

/// Random numbers (SplitMix64) that a seed determines.
pub struct Random(pub u64);
impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
    pub fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

/// A number from the environment, or a default.
pub fn number_of(name: &str, default: usize) -> usize {
    std::env::var(name)
        .map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: a number")))
}

/// The seed of random draws: from the environment, from the commit, which the gate sets, or from
/// the day.
pub fn seed() -> u64 {
    let day = std::time::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs() / 86_400);
    let commit = number_of("PROPTEST_RNG_SEED", day as usize);
    number_of("EMIT_SEED", commit) as u64
}

/// A layout of either engine, which gives the expected offsets.
pub enum Oracle {
    Plain(DynLayout),
    Swizzled(DynComposedLayout),
}
impl Oracle {
    pub fn read(text: &str) -> Oracle {
        match text.starts_with("Sw") {
            true => Oracle::Swizzled(text.parse().expect(text)),
            false => Oracle::Plain(text.parse().expect(text)),
        }
    }
    /// The least offset or 0, and the largest.
    pub fn reach(&self) -> (i64, i64) {
        match self {
            Oracle::Plain(layout) => {
                let lo = -(layout.base() as i64);
                (lo, lo + layout.cosize() as i64 - 1)
            }
            Oracle::Swizzled(layout) => {
                (0, (0..layout.size()).map(|i| layout.at(i) as i64).max().expect("a coordinate"))
            }
        }
    }
    /// The elements of memory from the least offset on, or from 0.
    pub fn room(&self) -> usize {
        let (lo, hi) = self.reach();
        (hi - lo + 1) as usize
    }
    pub fn at(&self, i: usize) -> i64 {
        match self {
            Oracle::Plain(layout) => layout.signed_index(i) as i64,
            Oracle::Swizzled(layout) => layout.at(i) as i64,
        }
    }
    pub fn inner(&self) -> DynLayout {
        match self {
            Oracle::Plain(layout) => layout.clone(),
            Oracle::Swizzled(layout) => layout.inner(),
        }
    }
    pub fn named(&self) -> NamedLayout {
        match self {
            Oracle::Plain(layout) => layout.into(),
            Oracle::Swizzled(layout) => layout.into(),
        }
    }
}

/// Arguments, and results unless there are none.
pub type Call = (Vec<i64>, Option<Vec<i64>>);

/// The arguments and results of a function, read from its text in C.
pub struct Signature {
    pub name: String,
    pub arguments: Vec<String>,
    /// The fields of the result, or `one`.
    pub results: Vec<String>,
    pub bits: u32,
    pub bounds: bool,
}
impl Signature {
    fn of(name: &str, index: &Index) -> Result<Signature, EmitError> {
        let code = index.emit(Language::C)?;
        let (before, after) = code.split_once(&format!(" {name}(")).expect("the head");
        let (arguments, _) = after.split_once(')').expect("arguments");
        let last = |text: &str| text.rsplit(' ').next().expect("a name").to_string();
        let mut results: Vec<String> = match before.split_once("typedef struct {\n") {
            Some((_, fields)) => {
                let field = |line: &str| line.strip_prefix("    ")?.strip_suffix(';').map(last);
                fields.lines().map_while(field).collect()
            }
            None => vec!["one".into()],
        };
        let bounds = results.last().is_some_and(|field| field == "inside");
        results.truncate(results.len() - usize::from(bounds));
        Ok(Signature {
            name: name.into(),
            arguments: arguments.split(", ").map(last).collect(),
            results,
            bits: if arguments.contains("64_t ") { 64 } else { 32 },
            bounds,
        })
    }
}

/// A function, and its expected results.
pub struct Case {
    pub layout: String,
    pub index: Index,
    pub signature: Signature,
    pub calls: Vec<Call>,
}

/// A shape of a few modes and up to 600 coordinates; only powers of two if `only_bits`.
fn shape(random: &mut Random, only_bits: bool) -> DynShape {
    let extent = |random: &mut Random| {
        if only_bits || random.chance(2) { 1 << random.below(5) } else { 1 + random.below(9) }
    };
    loop {
        let rank = 1 + random.below(4);
        let mode = |random: &mut Random| match random.below(3) {
            0 => DynShape::from(extent(random)),
            _ => DynShape::tuple((0..1 + random.below(3)).map(|_| DynShape::from(extent(random))))
                .expect("a tuple"),
        };
        let modes: Vec<_> = (0..rank).map(|_| mode(random)).collect();
        let shape = if rank == 1 && random.chance(2) {
            modes[0].clone()
        } else {
            DynShape::tuple(modes).expect("a tuple")
        };
        if shape.size() <= 600 {
            return shape;
        }
    }
}

/// Strides that make the shape compact in a random order, times `scale`; or any strides up to 40.
fn strides(random: &mut Random, shape: &DynShape, scale: usize) -> Vec<usize> {
    let extents = shape.leaves();
    if random.chance(3) {
        return extents.iter().map(|_| random.below(40) * scale).collect();
    }
    let mut order: Vec<usize> = (0..extents.len()).collect();
    (1..order.len()).rev().for_each(|k| order.swap(k, random.below(k + 1)));
    let (mut strides, mut next) = (vec![0; extents.len()], scale);
    let gap = if random.chance(3) { 1 + random.below(4) } else { 1 };
    for k in order {
        strides[k] = if random.chance(12) { 0 } else { next };
        next *= extents[k] * gap;
    }
    strides
}

pub fn layout(random: &mut Random) -> Oracle {
    loop {
        let kind = random.below(8);
        let only_bits = matches!(kind, 3 | 5 | 6) && !random.chance(4);
        let shape = shape(random, only_bits);
        let scale = if kind == 7 { random.one_of(&[1 << 31, 1 << 33, 5_000_000_000]) } else { 1 };
        let natural = strides(random, &shape, scale);
        let made = match kind {
            // XOR strides, with natural strides where the mixture is a layout.
            3 | 4 => {
                let mixed = random.chance(3);
                let bits = 1 + random.below(8);
                let each = natural.iter().map(|&stride| match mixed && random.chance(2) {
                    true => DynStride::Natural(stride << 8),
                    false => DynStride::Xor(if random.chance(2) {
                        1 << random.below(9)
                    } else {
                        random.below(1 << bits)
                    }),
                });
                DynLayout::with_strides(&shape, each.collect::<Vec<_>>())
            }
            2 => DynLayout::with_strides(
                &shape,
                natural.iter().map(|&stride| match random.chance(2) {
                    true => DynStride::Negative(stride),
                    false => DynStride::Natural(stride),
                }),
            ),
            _ => DynLayout::with_strides(
                &shape,
                natural.iter().map(|&stride| DynStride::Natural(stride)),
            ),
        };
        let Ok(made) = made else { continue };
        if !matches!(kind, 4..=6) {
            return Oracle::Plain(made);
        }
        let bits = random.below(4) as u32;
        let shift = bits as i32 + random.below(4) as i32;
        let shift = if random.chance(4) { -shift } else { shift };
        let swizzle = DynSwizzle::new(bits, random.below(5) as u32, shift).expect("apart");
        let offset = if random.chance(2) { 0 } else { random.below(300) };
        let text = format!("{swizzle} o {offset} o {made}");
        if let Ok(layout) = text.parse() {
            return Oracle::Swizzled(layout);
        }
    }
}

/// The text with some numbers replaced by names, and the values of the names. `None` if the result
/// cannot be parsed.
fn with_names(random: &mut Random, oracle: &Oracle) -> Option<(NamedLayout, Vec<(String, i64)>)> {
    let text = match oracle {
        Oracle::Plain(layout) => layout.to_string(),
        Oracle::Swizzled(_) => return None,
    };
    if text.contains('^') {
        return None;
    }
    let (mut named, mut values, mut digits) = (String::new(), Vec::new(), String::new());
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() {
            digits.push(c);
            continue;
        }
        if !digits.is_empty() {
            match digits.parse::<i64>() {
                Ok(value) if random.chance(2) && value > 0 => {
                    let name = format!("n{}", values.len());
                    let two = value % 2 == 0 && random.chance(3);
                    named += &if two { format!("2*{name}") } else { name.clone() };
                    values.push((name, if two { value / 2 } else { value }));
                }
                _ => named += &digits,
            }
            digits.clear();
        }
        named.push(c);
    }
    (!values.is_empty()).then(|| (named.parse().expect(&named), values))
}

/// The functions of a layout; each name begins with `name`.
pub fn cases(random: &mut Random, name: &str, oracle: &Oracle) -> Vec<Case> {
    let mut cases = Vec::new();
    let inner = oracle.inner();
    let extents: Vec<usize> = inner.modes().map(|mode| mode.size()).collect();
    let size: usize = extents.iter().product();
    let offsets: Vec<i64> = (0..size).map(|i| oracle.at(i)).collect();
    let coordinate = |mut i: usize, extents: &[usize]| -> Vec<i64> {
        let digit = |&extent: &usize| {
            let digit = i % extent;
            i /= extent;
            digit as i64
        };
        extents.iter().map(digit).collect()
    };
    let mut push = |index: Index, what: &str, calls: &dyn Fn(&Signature) -> Vec<Call>| {
        let title = format!("{name}{what}");
        let index = index.name(&title);
        match Signature::of(&title, &index) {
            Ok(signature) => {
                let calls = calls(&signature);
                cases.push(Case { layout: oracle.named().to_string(), index, signature, calls });
                true
            }
            Err(EmitError::Refused(_)) => false,
            Err(error) => panic!("{}: {error}", oracle.named()),
        }
    };
    let named = oracle.named();
    for flat in [false, true] {
        let extents = if flat { vec![size] } else { extents.clone() };
        let of =
            |layout: &NamedLayout| if flat { Index::of(layout).flat() } else { Index::of(layout) };
        let there = |_: &Signature| {
            offsets
                .iter()
                .enumerate()
                .map(|(i, &offset)| (coordinate(i, &extents), Some(vec![offset])))
                .collect()
        };
        let is_there = push(of(&named), if flat { "_flat" } else { "_at" }, &there);
        assert!(is_there || offsets.iter().any(|&offset| offset < 0), "{named} has no function");
        // Coordinates beyond every edge too.
        push(of(&named).bounds(), if flat { "_flat_in" } else { "_in" }, &|_: &Signature| {
            let beyond: Vec<usize> = extents.iter().map(|extent| extent + 2).collect();
            let all = (0..beyond.iter().product()).map(|i| coordinate(i, &beyond));
            let number = |c: &[i64]| {
                c.iter().zip(&extents).rev().fold(0, |i, (&c, &extent)| i * extent + c as usize)
            };
            let inside = |c: &[i64]| c.iter().zip(&extents).all(|(&c, &extent)| c < extent as i64);
            all.map(|c| {
                let found = inside(&c).then(|| vec![offsets[number(&c)]]);
                (c, found)
            })
            .collect()
        });
        let back: Vec<_> = offsets
            .iter()
            .enumerate()
            .map(|(i, &offset)| (vec![offset], Some(coordinate(i, &extents))))
            .collect();
        let is_back = push(
            of(&named).coordinate(),
            if flat { "_flat_back" } else { "_back" },
            &|_: &Signature| back.clone(),
        );
        let is_of = push(
            of(&named).coordinate().bounds(),
            if flat { "_flat_of" } else { "_of" },
            &|signature: &Signature| {
                let (lo, hi) =
                    (offsets.iter().min().expect("some"), offsets.iter().max().expect("some"));
                let from = if *lo < 0 { lo - 9 } else { (lo - 9).max(0) };
                let found: std::collections::HashMap<i64, usize> =
                    offsets.iter().enumerate().map(|(i, &offset)| (offset, i)).collect();
                let far = if signature.bits == 32 { 1i64 << 31 } else { 1 << 62 };
                let step = ((hi - from) / 1500).max(1);
                let all = (from..=hi + 9).step_by(step as usize).chain(offsets.iter().copied());
                let all = all.chain([far - 1, if *lo < 0 { -far } else { far + far / 2 }]);
                all.map(|x| (vec![x], found.get(&x).map(|&i| coordinate(i, &extents)))).collect()
            },
        );
        assert_eq!(is_back, is_of, "{named}: the way back with bounds and without");
        if let Some((with_names, values)) = with_names(random, oracle) {
            let index = of(&with_names);
            let index = if offsets.iter().any(|offset| offset.abs() >= 1 << 30) {
                index.bits(64)
            } else {
                index
            };
            let is_named = push(
                index,
                if flat { "_flat_named" } else { "_named" },
                &|signature: &Signature| {
                    let read = signature
                        .arguments
                        .iter()
                        .filter_map(|name| values.iter().find(|(n, _)| n == name));
                    let read: Vec<i64> = read.map(|(_, value)| *value).collect();
                    let call = |(i, &offset)| {
                        ([coordinate(i, &extents), read.clone()].concat(), Some(vec![offset]))
                    };
                    offsets.iter().enumerate().map(call).collect()
                },
            );
            assert!(is_named, "{with_names} has no function");
        }
    }
    cases
}

/// The inverse of a layout whose strides are names, or products of names. Each stride is a multiple
/// of the smaller strides, and exceeds their reach; some are negative, some modes are nested.
pub fn named_cases(random: &mut Random, name: &str) -> Vec<Case> {
    // The text of a product: one number, and names.
    let times = |a: &str, b: &str| {
        let parts: Vec<&str> = a.split('*').chain(b.split('*')).collect();
        let number: i64 = parts.iter().filter_map(|part| part.parse::<i64>().ok()).product();
        let names = parts.into_iter().filter(|part| part.parse::<i64>().is_err());
        let number = Some(number).filter(|&number| number != 1).map(|number| number.to_string());
        let all: Vec<String> = number.into_iter().chain(names.map(String::from)).collect();
        if all.is_empty() { "1".into() } else { all.join("*") }
    };
    let rank = 1 + random.below(4);
    let mut values: Vec<(String, i64)> = Vec::new();
    let named = |random: &mut Random, value: i64, values: &mut Vec<(String, i64)>| {
        if random.chance(2) {
            return value.to_string();
        }
        let (name, two) = (format!("n{}", values.len()), value % 2 == 0 && random.chance(3));
        values.push((name.clone(), if two { value / 2 } else { value }));
        if two { format!("2*{name}") } else { name }
    };
    let extents: Vec<(String, i64)> = (0..rank)
        .map(|_| {
            let value = 1 + random.below(6) as i64;
            (named(random, value, &mut values), value)
        })
        .collect();
    let mut order: Vec<usize> = (0..rank).collect();
    (1..rank).rev().for_each(|k| order.swap(k, random.below(k + 1)));
    let (mut strides, mut run) = (vec![(String::new(), 0i64); rank], ("1".to_string(), 1i64));
    for (k, &mode) in order.iter().enumerate() {
        if random.chance(4) {
            // A gap: a multiple, or after a mode of stride 1 any larger number.
            let more = 1 + random.below(3) as i64;
            run = match k {
                1 if strides[order[0]].1.abs() == 1 && !strides[order[0]].0.contains('n') => {
                    let ld = run.1 + more;
                    (named(random, ld, &mut values), ld)
                }
                _ => (times(&run.0, &named(random, more, &mut values)), run.1 * more),
            };
        }
        let back = random.chance(4);
        strides[mode] = (
            format!("{}{}", if back { "-" } else { "" }, run.0),
            if back { -run.1 } else { run.1 },
        );
        run = (times(&run.0, &extents[mode].0), run.1 * extents[mode].1);
    }
    let nested = rank > 2 && random.chance(2);
    let text = |of: &[String]| match (nested, of) {
        (true, [a, b, rest @ ..]) => format!("(({a},{b}),{})", rest.join(",")),
        _ => format!("({})", of.join(",")),
    };
    let of = |list: &[(String, i64)], names: bool| {
        let item =
            |(text, value): &(String, i64)| if names { text.clone() } else { value.to_string() };
        text(&list.iter().map(item).collect::<Vec<_>>())
    };
    let layout: NamedLayout =
        format!("{}:{}", of(&extents, true), of(&strides, true)).parse().expect("a layout");
    let oracle = Oracle::read(&format!("{}:{}", of(&extents, false), of(&strides, false)));
    let sizes: Vec<usize> = oracle.inner().modes().map(|mode| mode.size()).collect();
    let offsets: Vec<i64> = (0..sizes.iter().product()).map(|i| oracle.at(i)).collect();
    let mut cases = Vec::new();
    for (flat, bounds) in [(false, false), (false, true), (true, false), (true, true)] {
        let title = format!(
            "{name}{}{}",
            if flat { "_flat" } else { "" },
            if bounds { "_of" } else { "_back" }
        );
        let index = Index::of(layout.clone()).name(&title).coordinate();
        let index = if flat { index.flat() } else { index };
        let index = if bounds { index.bounds() } else { index };
        let signature =
            Signature::of(&title, &index).unwrap_or_else(|error| panic!("{layout}: {error}"));
        let read =
            signature.arguments.iter().filter_map(|name| values.iter().find(|(n, _)| n == name));
        let read: Vec<i64> = read.map(|(_, value)| *value).collect();
        let coordinate = |mut i: usize| -> Vec<i64> {
            let mut digit = |&size: &usize| {
                let digit = i % size;
                i /= size;
                digit as i64
            };
            if flat { vec![i as i64] } else { sizes.iter().map(&mut digit).collect() }
        };
        let (lo, hi) = (offsets.iter().min().expect("one"), offsets.iter().max().expect("one"));
        // Offsets beyond both ends and in every gap, if the function reports them.
        let least =
            if signature.arguments[0] == "offset" && *lo >= 0 { 0.max(lo - 9) } else { lo - 9 };
        let asked: Vec<i64> = if bounds { (least..=hi + 9).collect() } else { offsets.clone() };
        let call = |x: i64| {
            let found = offsets.iter().position(|&offset| offset == x).map(&coordinate);
            ([vec![x], read.clone()].concat(), found)
        };
        let calls = asked.into_iter().map(call).collect();
        cases.push(Case { layout: layout.to_string(), index, signature, calls });
    }
    cases
}
