//! Random cases as golden lines, with the answers of `DynLayout`: `.ci/prove` gives them to the
//! functions of the proof.
//!
//! ```text
//! cargo run -p layout-algebra-tests --features oracle --example cases -- 100000 7 > random.jsonl
//! ```
//!
//! The first argument is the number of cases, the second one the seed.

use std::fmt::Write;

use layout_algebra::prelude::*;

/// Random numbers, the same ones for the same seed (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }
    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Small extents, and those most often that divide others.
const EXTENTS: &[usize] = &[1, 2, 2, 2, 3, 4, 4, 5, 6, 8, 9, 12];

/// Modes of a compact layout in some order, with gaps, broadcasts and odd strides now and then;
/// nested at random.
fn layout(r: &mut Random, most: usize) -> String {
    let n = 1 + r.below(most);
    let shape: Vec<usize> = (0..n).map(|_| r.of(EXTENTS)).collect();
    let mut order: Vec<usize> = (0..n).collect();
    if r.below(3) > 0 {
        for k in (1..n).rev() {
            order.swap(k, r.below(k + 1));
        }
    }
    let (mut stride, mut run) = (vec![0; n], if r.below(4) == 0 { r.of(&[2, 3, 4]) } else { 1 });
    for &k in &order {
        if r.below(6) == 0 {
            run *= r.of(&[2, 3]);
        }
        if r.below(12) == 0 {
            run += r.of(&[1, 2]);
        }
        stride[k] = run;
        run *= shape[k];
    }
    for d in &mut stride {
        match r.below(16) {
            0 => *d = 0,
            1 => *d = r.of(&[1, 2, 3, 4, 5, 6, 8, 10, 12]),
            _ => {}
        }
    }
    if n > 2 && r.below(3) == 0 {
        let k = 1 + r.below(n - 1);
        let tuple =
            |l: &[usize]| if l.len() == 1 { l[0].to_string() } else { format!("({})", join(l)) };
        return format!(
            "({},{}):({},{})",
            tuple(&shape[..k]),
            tuple(&shape[k..]),
            tuple(&stride[..k]),
            tuple(&stride[k..])
        );
    }
    if n == 1 {
        format!("{}:{}", shape[0], stride[0])
    } else {
        format!("({}):({})", join(&shape), join(&stride))
    }
}

/// An order of the modes; now and then one with a number twice, or one that has not the profile.
fn order(r: &mut Random, rank: usize) -> String {
    let mut numbers: Vec<usize> = (0..rank).map(|k| k * 2).collect();
    for k in (1..rank).rev() {
        numbers.swap(k, r.below(k + 1));
    }
    match r.below(12) {
        0 => numbers[0] = numbers[rank - 1],
        1 => numbers.push(9),
        2 => return format!("(({}),{})", join(&numbers), rank),
        _ => {}
    }
    match numbers.as_slice() {
        &[one] => one.to_string(),
        _ => format!("({})", join(&numbers)),
    }
}

/// A tiler for modes, now and then one for fewer or for one too many.
fn tiler(r: &mut Random, rank: usize) -> String {
    let modes = match r.below(8) {
        0 => r.below(rank) + 1,
        1 => rank + 1,
        _ => rank,
    };
    let mode = |r: &mut Random| match r.below(5) {
        0 => "_".to_owned(),
        1 => layout(r, 2),
        _ => r.of(EXTENTS).to_string(),
    };
    let modes: Vec<String> = (0..modes).map(|_| mode(r)).collect();
    format!("<{}>", modes.join(","))
}

fn join(l: &[usize]) -> String {
    l.iter().map(|n| n.to_string()).collect::<Vec<_>>().join(",")
}

fn main() {
    let mut args = std::env::args().skip(1).map(|a| a.parse::<u64>().unwrap());
    let (count, seed) = (args.next().unwrap(), args.next().unwrap_or(7));
    let mut r = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut made = 0;
    let mut out = String::new();
    while made < count {
        let (a, b) = (layout(&mut r, 4), layout(&mut r, 3));
        let (la, lb): (DynLayout, DynLayout) = (a.parse().unwrap(), b.parse().unwrap());
        let ok = |l: DynLayout| Ok::<_, LayoutError>(l);
        // A multiple of the cosize now and then, so that complements exist.
        let m = if r.below(2) == 0 { la.cosize() * (1 + r.below(3)) } else { 1 + r.below(300) };
        let n = 1 + r.below(12);
        let (op, second, result) = match r.below(26) {
            0 | 1 | 2 | 3 => ("compose", Some(format!("\"{b}\"")), la.compose(&lb)),
            4 => ("compose", Some(format!("\"{n}\"")), la.compose(n)),
            5 => ("logical_divide", Some(format!("\"{b}\"")), la.logical_divide(&lb)),
            6 => ("logical_divide", Some(format!("\"{n}\"")), la.logical_divide(n)),
            7 => ("logical_product", Some(format!("\"{b}\"")), la.logical_product(&lb)),
            8 => ("complement", Some(m.to_string()), la.complement(m)),
            9 => ("complement_ceil", Some(m.to_string()), la.complement_ceil(m)),
            10 => ("left_inverse", None, la.left_inverse()),
            11 => ("right_inverse", None, ok(la.right_inverse())),
            12 => ("max_common_layout", Some(format!("\"{b}\"")), ok(la.max_common_layout(&lb))),
            13 => ("coalesce_z", None, ok(la.coalesce_z())),
            14 => ("blocked_product", Some(format!("\"{b}\"")), la.blocked_product(&lb)),
            15 => ("raked_product", Some(format!("\"{b}\"")), la.raked_product(&lb)),
            16 => ("nullspace", None, ok(la.nullspace())),
            17 => ("coalesce", None, ok(la.coalesce())),
            18 => {
                // A shape of whole blocks in each mode, and now and then one that has a rest.
                let counts: Vec<usize> =
                    (0..la.rank()).map(|k| la.mode(k).unwrap().size() * (1 + r.below(3))).collect();
                let rest = usize::from(r.below(8) == 0);
                let shape = match counts.as_slice() {
                    &[one] => (one + rest).to_string(),
                    [first, others @ ..] => format!("({},{})", first + rest, join(others)),
                    [] => unreachable!("a layout has a mode"),
                };
                if r.below(2) == 0 {
                    let result = la.tile_to_shape(&shape.parse().unwrap());
                    ("tile_to_shape", Some(format!("\"{shape}\"")), result)
                } else {
                    let order = order(&mut r, la.rank());
                    let result =
                        la.tile_to_shape_ordered(&shape.parse().unwrap(), &order.parse().unwrap());
                    ("tile_to_shape", Some(format!("\"{shape}\", \"{order}\"")), result)
                }
            }
            19 => ("zipped_divide", Some(format!("\"{b}\"")), la.zipped_divide(&lb)),
            20 => ("upcast", Some(n.to_string()), la.upcast(n)),
            21 => ("downcast", Some(n.to_string()), la.downcast(n)),
            22 => {
                let first = r.of(&[1, 2, 3, 4]);
                let whole = la.size() / first * first;
                let b = format!("({first},{}):({n},{})", whole / first, r.below(9));
                let sum = la.layout_add(&b.parse().unwrap());
                ("layout_add", Some(format!("\"{b}\"")), sum)
            }
            _ => {
                let tiler = tiler(&mut r, la.rank());
                let t: DynTiler = tiler.parse().unwrap();
                let (op, result) = match r.below(6) {
                    0 => ("compose_by_mode", la.compose(&t)),
                    1 => ("logical_divide", la.logical_divide(&t)),
                    2 => ("zipped_divide", la.zipped_divide(&t)),
                    3 => ("tiled_divide", la.tiled_divide(&t)),
                    4 => ("flat_divide", la.flat_divide(&t)),
                    _ => ("logical_product", la.logical_product(&t)),
                };
                (op, Some(format!("\"{tiler}\"")), result)
            }
        };
        let answer = match result {
            Ok(l) => format!("\"{l}\""),
            Err(e) => format!("{{\"undefined\": \"{}\"}}", e.kind().as_str()),
        };
        let second = second.map_or(String::new(), |s| format!(", {s}"));
        writeln!(out, "{{\"op\": \"{op}\", \"args\": [\"{a}\"{second}], \"out\": {answer}}}")
            .unwrap();
        made += 1;
    }
    print!("{out}");
}
