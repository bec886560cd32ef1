//! Kernels written in CUDA and in WGSL.

use std::fmt::Write;

use crate::error::EmitError;
use crate::function::{Function, Word};
use crate::language::{Language, Syntax};
use crate::plan::THREADS;
use crate::print::{inline, wrapped};
use crate::tiling::{Kernel, Phase};

/// Items of a thread that moves elements directly.
const AT_ONCE: i128 = 4;

/// The lines of a comment.
fn comment(kernel: &Kernel) -> String {
    kernel.comment.iter().flat_map(|line| wrapped(line)).map(|line| format!("// {line}\n")).collect()
}

/// The lines of a function within another one, and its values.
fn lines(function: &Function, language: Language, indent: &str) -> (String, Vec<String>) {
    let (lines, values) = inline(function, language);
    (lines.iter().map(|line| format!("{indent}{line}\n")).collect(), values)
}

/// A template with `$key$` replaced by what the keys stand for.
fn filled(template: &str, texts: &[(&str, String)], numbers: &[(&str, i128)]) -> String {
    let numbers = numbers.iter().map(|(key, number)| (*key, number.to_string()));
    let all = numbers.chain(texts.iter().cloned());
    all.fold(template.to_string(), |text, (key, value)| text.replace(&format!("${key}$"), &value))
}

/// A tile by the template of a language; `pieces` says how those of either side move.
fn tile(
    kernel: &Kernel,
    phases: &[Phase; 2],
    language: Language,
    (template, own): (&str, &[(&str, String)]),
    pieces: &dyn Fn(usize, &Phase) -> String,
) -> String {
    let Syntax { local, types, .. } = language.syntax();
    let defined = |name: String, value: &str| {
        format!("{}\n", local.replace("{t}", types[0]).replace("{n}", &name).replace("{v}", value))
    };
    let (starts, values) = lines(&kernel.start, language, "    ");
    let left = (0..).zip(&values[2..]).map(|(n, left)| format!("    {}", defined(format!("left{n}"), left))).collect();
    let mut texts = own.to_vec();
    texts.extend([("starts", starts), ("from", values[0].clone()), ("to", values[1].clone()), ("left", left)]);
    let keys = ["lines0 condition0 global0 place0 pieces0", "lines1 condition1 global1 place1 pieces1"];
    for (side, phase) in phases.iter().enumerate() {
        let (lines, values) = lines(&phase.function, language, "        ");
        let item = format!("        {}", defined("v".into(), &format!("t + k * {THREADS}u")));
        let item = if phase.by_xor { String::new() } else { item };
        // Whether the item is there, and its coordinates within what is left of the ragged axes.
        let there = (phase.items % THREADS != 0).then(|| format!("v < {}u", phase.items));
        let within = values[2..].iter().enumerate().map(|(n, c)| format!("{c} < left{n}"));
        let conditions: Vec<_> = there.into_iter().chain(within.take(kernel.ragged.len())).collect();
        let joined = if conditions.is_empty() { String::new() } else { format!("if ({}) ", conditions.join(" && ")) };
        let of_side = [item + &lines, joined, values[0].clone(), values[1].clone(), pieces(side, phase)];
        texts.extend(keys[side].split(' ').zip(of_side));
    }
    let [load, store] = phases;
    let numbers = [
        ("shared", kernel.shared),
        ("groups", kernel.blocks),
        ("vector0", load.vector),
        ("rounds0", load.rounds),
        ("vector1", store.vector),
        ("rounds1", store.rounds),
    ];
    filled(template, &texts, &numbers)
}

pub fn cuda(kernel: &Kernel, name: &str) -> String {
    let element = match kernel.plan.bytes {
        1 => "unsigned char",
        2 => "unsigned short",
        4 => "unsigned int",
        8 => "uint2",
        _ => "uint4",
    };
    let mut text = comment(kernel);
    let _ = writeln!(text, "// Both pointers are multiples of 16 bytes, and no element of one is one of the other.");
    // Bytes that are gathered one by one: registers for five blocks at once.
    let at_once = if kernel.plan.slanted && kernel.plan.bytes == 1 && !kernel.ordered { ", 5" } else { "" };
    let head = |text: &mut String| {
        let _ = writeln!(
            text,
            "extern \"C\" __global__ void __launch_bounds__({THREADS}{at_once}) {name}(const {element} *__restrict__ from, \
             {element} *__restrict__ to) {{"
        );
    };
    let blocks = match &kernel.phases {
        None if kernel.ordered => {
            let (bytes, count) = (kernel.plan.bytes, kernel.plan.elements());
            let width = 16 / bytes;
            text += &vector_type(name, width, bytes);
            head(&mut text);
            let (lines, values) = lines(&kernel.direct, Language::Cuda, "            ");
            let gather = gathered(bytes, element, &format!("from[{}]", values[0]));
            let texts = [("name", name.into()), ("lines", lines), ("from", values[0].clone()), ("gather", gather)];
            let numbers = [("width", width), ("threads", THREADS), ("count", count)];
            text += &filled(include_str!("cuda/ordered.cu"), &texts, &numbers);
            (count + width * THREADS - 1) / (width * THREADS)
        }
        None if kernel.plan.slanted => {
            let width = 16 / kernel.plan.bytes;
            text += &vector_type(name, width, kernel.plan.bytes);
            head(&mut text);
            cuda_slanted(&mut text, kernel, name, element);
            kernel.blocks
        }
        None => {
            let count = kernel.plan.elements();
            head(&mut text);
            let (lines, values) = lines(&kernel.direct, Language::Cuda, "            ");
            let word = Language::Cuda.syntax().types[usize::from(kernel.direct.word == Word::WIDE)];
            let texts = [
                ("element", element.into()),
                ("lines", lines),
                ("from", values[0].clone()),
                ("to", values[1].clone()),
                ("word", word.into()),
            ];
            let each = AT_ONCE * THREADS;
            let numbers = [("at_once", AT_ONCE), ("each", each), ("threads", THREADS), ("count", count)];
            text += &filled(include_str!("cuda/direct.cu"), &texts, &numbers);
            (count + each - 1) / each
        }
        Some(phases) => {
            let mut widths: Vec<i128> = phases.iter().flat_map(|phase| [phase.vector, phase.piece]).collect();
            widths.sort_unstable();
            widths.dedup();
            widths.into_iter().for_each(|width| text += &vector_type(name, width, kernel.plan.bytes));
            head(&mut text);
            text += &cuda_tile(kernel, phases, name, element);
            kernel.blocks
        }
    };
    let _ = write!(
        text,
        "#ifndef __CUDACC_RTC__\nstatic inline cudaError_t {name}_launch(const void *from, void *to, cudaStream_t stream) {{\n    \
         {name}<<<{blocks}u, {THREADS}u, 0, stream>>>(static_cast<const {element} *>(from), static_cast<{element} *>(to));\n    \
         return cudaGetLastError();\n}}\n#else\n// {blocks} blocks of {THREADS} threads.\n#endif\n"
    );
    text
}

/// The type of a vector: words, so that no compiler takes it for as many numbers as it has elements.
fn vector_type(name: &str, width: i128, bytes: i128) -> String {
    let all = width * bytes;
    let word = ["unsigned int", "unsigned char", "unsigned short"].get(all as usize).unwrap_or(&"unsigned int");
    format!("struct __align__({all}) {name}_x{width} {{ {word} x[{}]; }};\n", (all / 4).max(1))
}

/// Element `n` of a vector.
fn gathered(bytes: i128, element: &str, value: &str) -> String {
    match bytes {
        1 | 2 => format!("vector.x[n / {0}] |= (unsigned int){value} << n % {0} * {1}", 4 / bytes, 8 * bytes),
        _ => format!("*reinterpret_cast<{element} *>(vector.x + n * {}) = {value}", bytes / 4),
    }
}

fn cuda_tile(kernel: &Kernel, phases: &[Phase; 2], name: &str, element: &str) -> String {
    let pieces = |side: usize, phase: &Phase| {
        // Where a piece lies in the tile, and in its vector: in words of it, or in bits of a word.
        let (wide, word) = (phase.piece * kernel.plan.bytes, (phase.vector * kernel.plan.bytes).min(4));
        let piece = |(n, by): (i128, &i128)| {
            let sign = if phase.by_xor { "^" } else { "+" };
            let place = if *by == 0 { "place".into() } else { format!("(place {sign} {by}u)") };
            let (at, shift) = (n * wide / word, n * wide % word * 8);
            let vector = format!("{}.x", ["vectors[k]", "vector"][side]);
            let kind = format!("{name}_x{} *>(", phase.piece);
            let narrow = ["", "unsigned char", "unsigned short"].get(wide as usize).filter(|_| wide < word);
            let moves = match (narrow, side) {
                (None, 0) => {
                    format!("*reinterpret_cast<{kind}tile + {place}) = *reinterpret_cast<const {kind}{vector} + {at})")
                }
                (None, _) => {
                    format!("*reinterpret_cast<{kind}{vector} + {at}) = *reinterpret_cast<const {kind}tile + {place})")
                }
                (Some(narrow), 0) => {
                    format!("*reinterpret_cast<{narrow} *>(tile + {place}) = ({narrow})({vector}[{at}] >> {shift})")
                }
                (Some(narrow), _) => format!(
                    "{vector}[{at}] |= (unsigned int)*reinterpret_cast<const {narrow} *>(tile + {place}) << {shift}"
                ),
            };
            format!("            {moves};\n")
        };
        (0..).zip(&phase.places).map(piece).collect()
    };
    let texts = [("element", element.into()), ("name", name.into())];
    tile(kernel, phases, Language::Cuda, (include_str!("cuda/tile.cu"), &texts), &pieces)
}

/// A plane of the fastest axes of both sides, rows of which begin anywhere.
///
/// The pitch of a row in shared memory is that in memory but for whole vectors, and so is the place where the first row
/// begins: what is a vector in memory is one in the tile. A column then goes in equal steps. A block writes whole sectors
/// of the target alone, from the first one that begins in its tile on, for which it reads some rows beyond the tile; only
/// the ends of the axis are written element by element.
fn cuda_slanted(text: &mut String, kernel: &Kernel, name: &str, element: &str) {
    let plan = &kernel.plan;
    let (s, d) = (plan.axes[plan.by_from[0]], plan.axes[plan.by_to[0]]);
    let width = 16 / plan.bytes;
    let by_row = (s.tile + 2 * width - 2) / width;
    let pitch = by_row * width + d.from % width;
    // Lanes side by side in a row of the target, and rows of a warp.
    let (lanes, rows) = (8, 4);
    let (across, down) = ((d.tile / width + lanes - 1) / lanes, (s.tile + rows - 1) / rows);
    let most: i128 = 1 + plan.axes.iter().map(|axis| (axis.extent - 1) * axis.from).sum::<i128>();
    let (starts, values) = lines(&kernel.start, Language::Cuda, "    ");
    // What is left of an axis in this block.
    let left = |axis: usize| kernel.ragged.iter().position(|&k| k == axis).map(|n| &values[2 + n]);
    let columns = left(plan.by_from[0]).map_or(format!("{}u", s.tile), |left| format!("min({left}, {}u)", s.tile));
    let left = left(plan.by_to[0]).map_or(String::new(), String::clone);
    let sector = 2 * width;
    let load = ((d.tile + sector) * by_row + THREADS - 1) / THREADS;
    let store = (32 * across * down + THREADS - 1) / THREADS;
    let numbers = [
        ("THREADS", THREADS),
        ("across", across),
        ("apart", sector - 1),
        ("beyond", d.tile + sector),
        ("by_row", by_row),
        ("d_tile", d.tile),
        ("edges", (sector + width) * s.tile),
        ("extent", d.extent),
        ("from", d.from),
        ("lanes", lanes),
        ("last", width - 1),
        ("load", load),
        ("pitch", pitch),
        ("rest", most % width),
        ("rows", rows),
        ("sector", sector),
        ("span", sector + width),
        ("store", store),
        ("tile", (d.tile + sector + 1) * pitch + 2 * width),
        ("to", s.to),
        ("whole", most / width * width),
        ("width", width),
    ];
    let gather = gathered(plan.bytes, element, &format!("top[n * {pitch}u]"));
    let texts = [
        ("columns", columns),
        ("gather", gather),
        ("element", element.into()),
        ("left", left),
        ("name", name.into()),
        ("source", values[0].clone()),
        ("starts", starts),
        ("target", values[1].clone()),
    ];
    *text += &filled(include_str!("cuda/slanted.cu"), &texts, &numbers);
}

/// The widest grid in one direction that WebGPU promises.
const MOST_GROUPS: i128 = 65_535;

pub fn wgsl(kernel: &Kernel, name: &str) -> Result<String, EmitError> {
    let bytes = kernel.plan.bytes;
    let phases = kernel.phases.as_ref();
    // The words that either side moves at once.
    let words = |phase: Option<&Phase>| (phase.map_or(1, |phase| phase.vector) * bytes / 4).max(1);
    let sides = [words(phases.map(|phases| &phases[0])), words(phases.map(|phases| &phases[1]))];
    if kernel.direct.word == Word::WIDE {
        return EmitError::refused("WGSL has no numbers of 64 bits, which the offsets need");
    }
    // Words of which others write other bytes.
    let is_atomic = phases.is_none() && bytes < 4 && !kernel.ordered;
    let kind = |words: i128| match words {
        1 => "u32".into(),
        words => format!("vec{words}<u32>"),
    };
    let mut text = comment(kernel);
    let each = if kernel.ordered { (4 / bytes).max(1) } else { 1 };
    let groups = match phases {
        None => (kernel.plan.elements() + each * THREADS - 1) / (each * THREADS),
        Some(_) => kernel.blocks,
    };
    let (x, y) = (groups.min(MOST_GROUPS), (groups + MOST_GROUPS - 1) / MOST_GROUPS);
    let _ = write!(
        text,
        "// Launch: dispatch_workgroups({x}, {y}, 1).\n@group(0) @binding(0) var<storage, read> from_: array<{}>;\n\
         @group(0) @binding(1) var<storage, read_write> to_: array<{}>;\n",
        kind(sides[0]),
        if is_atomic { "atomic<u32>".into() } else { kind(sides[1]) }
    );
    let head = format!(
        "@compute @workgroup_size({THREADS})\nfn {name}(@builtin(workgroup_id) group: vec3<u32>, \
         @builtin(local_invocation_index) t: u32) {{\n    let block = group.x + group.y * {MOST_GROUPS}u;\n"
    );
    let Some(phases) = phases else {
        let (lines, values) = lines(&kernel.direct, Language::Wgsl, "        ");
        let count = kernel.plan.elements();
        let numbers = [
            ("each", (4 / bytes).max(1)),
            ("bits", 8 * bytes),
            ("mask", (1 << (8 * bytes).min(32)) - 1),
            ("threads", THREADS),
            ("count", count),
        ];
        let mut texts = vec![("from", values[0].clone()), ("to", values[1].clone()), ("lines", lines)];
        let template =
            if kernel.ordered { include_str!("wgsl/ordered.wgsl") } else { include_str!("wgsl/direct.wgsl") };
        texts.push((
            "moves",
            match is_atomic {
                true => filled(include_str!("wgsl/bytes.wgsl"), &texts, &numbers),
                false => format!("        to_[{}] = from_[{}];\n", values[1], values[0]),
            },
        ));
        return Ok(text + &head + &filled(template, &texts, &numbers));
    };
    // An element in shared memory is a word, or as many as it has.
    let own = (bytes / 4).max(1);
    let _ = write!(text, "var<workgroup> tile: array<{}, {}>;\n{head}", kind(own), kernel.shared);
    let pieces = |side: usize, phase: &Phase| {
        let element = |n: i128| {
            // The elements of a piece are neighbours.
            let by = phase.places[(n / phase.piece) as usize] + n % phase.piece;
            format!("tile[place {} {by}u]", if phase.by_xor { "^" } else { "+" })
        };
        let member = |word: i128| match sides[side] {
            1 => String::new(),
            _ => format!(".{}", ["x", "y", "z", "w"][word as usize]),
        };
        if side == 0 {
            let moved = |n: i128| {
                let value = match bytes {
                    4.. if phase.vector == 1 => "vector".to_string(),
                    4 => format!("vector{}", member(n)),
                    5.. => format!("vector.{}", ["xy", "zw"][n as usize]),
                    _ => {
                        let (word, shift) = (n * bytes / 4, n * bytes % 4 * 8);
                        format!("(vector{} >> {shift}u) & {}u", member(word), (1u64 << (8 * bytes)) - 1)
                    }
                };
                format!("            {} = {value};\n", element(n))
            };
            return (0..phase.vector).map(moved).collect();
        }
        let each = (4 / bytes).max(1);
        let shifted = |n: i128| match n % each {
            0 => element(n),
            at => format!("({} << {}u)", element(n), at * bytes * 8),
        };
        let word = |word: i128| (word * each..(word + 1) * each).map(shifted).collect::<Vec<_>>().join(" | ");
        let all: Vec<String> = (0..phase.vector / each).map(word).collect();
        if all.len() == 1 { all[0].clone() } else { format!("{}({})", kind(sides[1]), all.join(", ")) }
    };
    Ok(text + &tile(kernel, phases, Language::Wgsl, (include_str!("wgsl/tile.wgsl"), &[]), &pieces))
}
