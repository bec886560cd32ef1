//! Kernels written in CUDA and in WGSL: templates with `$key$` in place of what differs.

use crate::error::EmitError;
use crate::function::{Function, Word};
use crate::language::{Language, Syntax};
use crate::plan::{SIDES, THREADS, WIDEST};
use crate::print::{inline, wrapped};
use crate::tiling::{Kernel, PERIODIC, Phase, Tile};

/// Items of a thread that moves elements directly.
const AT_ONCE: i128 = 4;
/// The widest grid in one direction that WebGPU promises.
const MOST_GROUPS: i128 = 65_535;

/// What the keys of a template stand for.
type Keys = Vec<(String, String)>;

macro_rules! keys {
    ($($key:ident = $value:expr),* $(,)?) => { vec![$((stringify!($key).to_string(), $value.to_string())),*] };
}

fn filled(template: &str, keys: &Keys) -> String {
    keys.iter().fold(template.to_string(), |text, (key, value)| text.replace(&format!("${key}$"), value))
}

/// The lines of a comment.
fn comment(kernel: &Kernel) -> String {
    kernel.comment.iter().flat_map(|line| wrapped(line)).map(|line| format!("// {line}\n")).collect()
}

/// The lines of a function within another one, and its values.
fn lines(function: &Function, language: Language, indent: &str) -> (String, Vec<String>) {
    let (lines, values) = inline(function, language);
    (lines.iter().map(|line| format!("{indent}{line}\n")).collect(), values)
}

/// The keys of a kernel without a tile.
fn direct(kernel: &Kernel, language: Language, indent: &str) -> Keys {
    let (lines, values) = lines(&kernel.direct, language, indent);
    keys![lines = lines, from = values[0], to = values[1], count = kernel.elements, threads = THREADS]
}

/// The keys of a tile; `pieces` says how those of either side move.
fn tile(tile: &Tile, phases: &[Phase; 2], language: Language, pieces: &dyn Fn(usize, &Phase) -> String) -> Keys {
    let Syntax { local, types, .. } = language.syntax();
    let defined = |name: &str, value: &str| {
        format!("{}\n", local.replace("{t}", types[0]).replace("{n}", name).replace("{v}", value))
    };
    let (starts, values) = lines(&tile.start, language, "    ");
    let left = (0..).zip(&values[2..]).map(|(n, left)| format!("    {}", defined(&format!("left{n}"), left)));
    let mut keys = keys![starts = starts, from = values[0], to = values[1], left = left.collect::<String>()];
    keys.extend(keys![shared = tile.size, groups = tile.blocks]);
    for (side, phase) in phases.iter().enumerate() {
        let (lines, values) = lines(&phase.function, language, "        ");
        let item = format!("        {}", defined("v", &format!("t + k * {}u", tile.threads)));
        let item = if phase.active.is_some() { String::new() } else { item };
        // Whether the item is there, and its coordinates within what is left of the ragged axes.
        let (name, most) = phase.active.map_or(("v", phase.items), |active| ("t", active));
        let there = (most % tile.threads != 0).then(|| format!("{name} < {most}u"));
        let within = values[2..].iter().enumerate().map(|(n, c)| format!("{c} < left{n}"));
        let conditions: Vec<_> = there.into_iter().chain(within).collect();
        let joined = if conditions.is_empty() { String::new() } else { format!("if ({}) ", conditions.join(" && ")) };
        let own = keys![lines = item + &lines, condition = joined, global = values[0], place = values[1]];
        let more = keys![pieces = pieces(side, phase), vector = phase.vector, rounds = phase.rounds];
        keys.extend(own.into_iter().chain(more).map(|(key, value)| (format!("{key}{side}"), value)));
    }
    keys
}

pub fn cuda(kernel: &Kernel, name: &str) -> String {
    let bytes = kernel.bytes;
    let element = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"][bytes.ilog2() as usize];
    let width = WIDEST / bytes;
    let mut keys = keys![load = include_str!("cuda/load.cu"), store = include_str!("cuda/store.cu"), name = name];
    keys.extend(keys![element = element, width = width, bytes = bytes]);
    let (template, mut widths, blocks) = match &kernel.tile {
        None => {
            keys.extend(direct(kernel, Language::Cuda, "            "));
            let (mut each, mut widths, mut template) = (AT_ONCE * THREADS, Vec::new(), include_str!("cuda/direct.cu"));
            if let Some(period) = &kernel.ordered {
                each = PERIODIC * period.active * width;
                widths.push(width);
                let (lines, begin) = lines(&period.begin, Language::Cuda, "        ");
                let [gather, gather_cut] = ["", " + (n < cut ? 0u : more)"]
                    .map(|more| gathered(bytes, element, &format!("tile[at[n] + k * next * step{more}]")));
                keys.extend(keys![lines_begin = lines, begin = begin[0], gather = gather, gather_cut = gather_cut]);
                keys.extend(keys![period = period.elements, extent = period.extent, active = period.active]);
                keys.extend(keys![span = period.span, room = period.room, pitch = period.pitch, at_once = PERIODIC]);
                keys.extend(keys![registers = ", 6"]);
                template = include_str!("cuda/ordered.cu");
            }
            let word = Language::Cuda.syntax().types[usize::from(kernel.direct.word == Word::WIDE)];
            keys.extend(keys![word = word, at_once = AT_ONCE, each = each]);
            (template, widths, (kernel.elements + each - 1) / each)
        }
        Some(own) => match &own.phases {
            Some(phases) => {
                keys.extend(tile(own, phases, Language::Cuda, &|side, phase| cuda_pieces(own, name, side, phase)));
                keys.extend(keys![cached = ".nc.L1::no_allocate"]);
                let widths = phases.iter().flat_map(|phase| [phase.vector, phase.piece]).collect();
                (include_str!("cuda/tile.cu"), widths, own.blocks)
            }
            None => {
                keys.extend(slanted(own, element));
                (include_str!("cuda/slanted.cu"), vec![width], own.blocks)
            }
        },
    };
    widths.sort_unstable();
    widths.dedup();
    // The type of a vector: words, so that no compiler takes it for as many numbers as it has elements.
    let kind = |width: i128| {
        let all = width * bytes;
        let word = ["unsigned int", "unsigned char", "unsigned short"].get(all as usize).unwrap_or(&"unsigned int");
        format!("struct __align__({all}) {name}_x{width} {{ {word} x[{}]; }};\n", (all / 4).max(1))
    };
    let types = widths.into_iter().map(kind).collect::<String>();
    let threads = kernel.tile.as_ref().map_or(THREADS, |tile| tile.threads);
    let fetch = kernel.tile.as_ref().map_or(128, |tile| tile.fetch);
    keys.extend(keys![vector0 = width, fetch = fetch, registers = "", blocks = blocks, threads = threads]);
    keys.extend(keys![cached = ""]);
    let around = include_str!("cuda/kernel.cu").split_once("$body$\n").unwrap_or_default();
    comment(kernel)
        + &filled(around.0, &keys).replace("$types$\n", &types)
        + &filled(&(template.to_string() + around.1), &keys)
}

/// Element `n` of a vector.
fn gathered(bytes: i128, element: &str, value: &str) -> String {
    match bytes {
        1 | 2 => format!("vector.x[n / {0}] |= (unsigned int){value} << n % {0} * {1}", 4 / bytes, 8 * bytes),
        _ => format!("*reinterpret_cast<{element} *>(vector.x + n * {}) = {value}", bytes / 4),
    }
}

/// How the pieces of a vector move in CUDA, to the tile or from it.
fn cuda_pieces(tile: &Tile, name: &str, side: usize, phase: &Phase) -> String {
    // Where a piece lies in the tile, and in its vector: in words of it, or in bits of a word.
    let bytes = tile.plan.bytes;
    let (wide, word) = (phase.piece * bytes, (phase.vector * bytes).min(4));
    let piece = |(n, by): (i128, &usize)| {
        let sign = if tile.by_xor { "^" } else { "+" };
        let place = if *by == 0 { "place".into() } else { format!("(place {sign} {by}u)") };
        let (at, shift) = (n * wide / word, n * wide % word * 8);
        let vector = format!("{}.x", ["vectors[k]", "vector"][side]);
        let narrow = ["", "unsigned char", "unsigned short"].get(wide as usize).filter(|_| wide < word);
        let kind = narrow.map_or(format!("{name}_x{}", phase.piece), |narrow| narrow.to_string());
        let cast = |is_read: bool, at: &str| {
            format!("*reinterpret_cast<{}{kind} *>({at})", if is_read { "const " } else { "" })
        };
        let [in_tile, in_vector] = [format!("tile + {place}"), format!("{vector} + {at}")];
        let moves = match (narrow, side) {
            (None, 0) => format!("{} = {}", cast(false, &in_tile), cast(true, &in_vector)),
            (None, _) => format!("{} = {}", cast(false, &in_vector), cast(true, &in_tile)),
            (Some(narrow), 0) => format!("{} = ({narrow})({vector}[{at}] >> {shift})", cast(false, &in_tile)),
            (Some(_), _) => format!("{vector}[{at}] |= (unsigned int){} << {shift}", cast(true, &in_tile)),
        };
        format!("            {moves};\n")
    };
    (0..).zip(&phase.places).map(piece).collect()
}

/// The keys of a plane of the fastest axes of both sides, rows of which begin anywhere.
///
/// The pitch of a row in shared memory is that in memory but for whole vectors, and so is the place where the first row
/// begins: what is a vector in memory is one in the tile. A column then goes in equal steps. A block writes whole sectors
/// of the target alone, from the first one that begins in its tile on, for which it reads some rows beyond the tile; only
/// the ends of the axis are written element by element.
fn slanted(tile: &Tile, element: &str) -> Keys {
    let plan = &tile.plan;
    let [s, d] = SIDES.map(|side| plan.axes[plan.order[side][0]]);
    let (starts, values) = lines(&tile.start, Language::Cuda, "    ");
    // What is left of an axis in this block.
    let left = |side: usize| tile.ragged.iter().position(|&k| k == plan.order[side][0]).map(|n| &values[2 + n]);
    let columns = left(0).map_or(format!("{}u", s.tile), |left| format!("min({left}, {}u)", s.tile));
    let most = 1 + plan.axes.iter().map(|axis| (axis.extent - 1) * axis.step[0]).sum::<i128>();
    let gather = gathered(plan.bytes, element, "top[(step + n) * pitch + k]");
    let mut keys = keys![starts = starts, source = values[0], target = values[1], columns = columns, most = most];
    keys.extend(keys![left = left(1).map_or("", |left| left), gather = gather, s_tile = s.tile, d_tile = d.tile]);
    keys.extend(keys![from = d.step[0], to = s.step[1], extent = d.extent]);
    // Where bytes are gathered one by one, registers for five blocks at once.
    keys.extend(keys![registers = ["", ", 5"][usize::from(plan.bytes == 1)]]);
    keys
}

pub fn wgsl(kernel: &Kernel, name: &str) -> Result<String, EmitError> {
    let bytes = kernel.bytes;
    if kernel.direct.word == Word::WIDE {
        return EmitError::refused("WGSL has no numbers of 64 bits, which the offsets need");
    }
    let phases = kernel.tile.as_ref().and_then(|tile| tile.phases.as_ref());
    // The words that either side moves at once.
    let words = SIDES.map(|side| (phases.map_or(1, |phases| phases[side].vector) * bytes / 4).max(1));
    let kind = |words: i128| if words == 1 { "u32".into() } else { format!("vec{words}<u32>") };
    // Elements of a word, and those that a group makes; words of which others write other bytes.
    let each = (4 / bytes).max(1);
    let is_ordered = kernel.ordered.is_some();
    let group = if is_ordered { each * THREADS } else { THREADS };
    let is_atomic = phases.is_none() && bytes < 4 && !is_ordered;
    let groups = kernel.tile.as_ref().map_or((kernel.elements + group - 1) / group, |tile| tile.blocks);
    // Elements that are written to shared memory at once.
    let unit =
        kernel.tile.as_ref().zip(phases).map_or(1, |(tile, phases)| if tile.each < 4 { phases[0].piece } else { 1 });
    let [threads, size] = kernel.tile.as_ref().map_or([THREADS, 0], |tile| [tile.threads, tile.size as i128]);
    let word = if unit > each { format!("[place / {each}u % {}u]", unit / each) } else { String::new() };
    let to_kind = if is_atomic { "atomic<u32>".into() } else { kind(words[1]) };
    let mut keys = keys![name = name, most = MOST_GROUPS, each = each, bits = 8 * bytes, unit = unit, word = word];
    keys.extend(keys![x = groups.min(MOST_GROUPS), y = (groups + MOST_GROUPS - 1) / MOST_GROUPS]);
    keys.extend(keys![from_kind = kind(words[0]), to_kind = to_kind, kind = kind((unit * bytes / 4).max(1))]);
    keys.extend(keys![threads = threads, units = (size + unit - 1) / unit]);
    let template = match (&kernel.tile, phases) {
        (Some(own), Some(phases)) => {
            keys.extend(tile(own, phases, Language::Wgsl, &|side, phase| match side {
                0 => wgsl_split(own, phase, unit),
                _ => wgsl_joined(own, phase, &kind(words[1])),
            }));
            // No loops: shaders count the steps of each one, so that it ends. All loads come before they are waited for.
            let rounds = [1, phases[0].rounds, phases[0].rounds, 1, phases[1].rounds, 1];
            let each =
                |(part, rounds): (&'static str, i128)| (0..rounds).map(move |k| part.replace("$k$", &k.to_string()));
            include_str!("wgsl/tile.wgsl").split("$each$\n").zip(rounds).flat_map(each).collect()
        }
        _ => {
            keys.extend(direct(kernel, Language::Wgsl, "        "));
            let moves = if is_atomic { include_str!("wgsl/bytes.wgsl") } else { include_str!("wgsl/words.wgsl") };
            let template =
                if is_ordered { include_str!("wgsl/ordered.wgsl") } else { include_str!("wgsl/direct.wgsl") };
            template.replace("$moves$", moves)
        }
    };
    let memory = if phases.is_some() { include_str!("wgsl/shared.wgsl") } else { "" };
    let element = if unit > 1 { include_str!("wgsl/element.wgsl") } else { "" };
    let head = include_str!("wgsl/kernel.wgsl").replace("$tile$\n", &(memory.to_string() + element));
    Ok(comment(kernel) + &filled(&(head + &template), &keys))
}

/// The place of element `n` of a vector in the tile.
fn wgsl_place(tile: &Tile, phase: &Phase, n: i128) -> String {
    let by = phase.places[(n / phase.piece) as usize] as i128 + n % phase.piece;
    format!("place {} {by}u", if tile.by_xor { "^" } else { "+" })
}

/// How the elements of a vector go to the tile in WGSL, so many at once.
fn wgsl_split(tile: &Tile, phase: &Phase, unit: i128) -> String {
    let bytes = tile.plan.bytes;
    let (words, all) = ((unit * bytes / 4).max(1) as usize, (phase.vector * bytes / 4).max(1) as usize);
    let moved = |n: i128| {
        let (place, word, shift) = (wgsl_place(tile, phase, n), (n * bytes / 4) as usize, n * bytes % 4 * 8);
        let value = if words == all { "vector" } else { &format!("vector.{}", &"xyzw"[word..word + words]) };
        let place = if unit == 1 { place } else { format!("({place}) / {unit}u") };
        let part = format!("extractBits({value}, {shift}u, {}u)", 8 * bytes);
        let value = if unit == 1 && bytes < 4 { &part } else { value };
        format!("            tile[{place}] = {value};\n")
    };
    (0..phase.vector).step_by(unit as usize).map(moved).collect()
}

/// The vector that the elements in the tile make in WGSL.
fn wgsl_joined(tile: &Tile, phase: &Phase, kind: &str) -> String {
    let each = (4 / tile.plan.bytes).max(1);
    let [open, close] = if tile.each < 4 { ["element(", ")"] } else { ["tile[", "]"] };
    let shifted = |n: i128| match (n % each, format!("{open}{}{close}", wgsl_place(tile, phase, n))) {
        (0, element) => element,
        (at, element) => format!("({element} << {}u)", at * tile.plan.bytes * 8),
    };
    let word = |word: i128| (word * each..(word + 1) * each).map(shifted).collect::<Vec<_>>().join(" | ");
    let all: Vec<String> = (0..phase.vector / each).map(word).collect();
    if all.len() == 1 { all[0].clone() } else { format!("{kind}({})", all.join(", ")) }
}
