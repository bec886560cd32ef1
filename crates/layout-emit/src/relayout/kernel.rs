//! Kernels in CUDA and in WGSL: templates with a `$key$` for each part that differs.

use super::plan::{LINE, SIDES, THREADS, WIDEST, pieces};
use super::runs::Runs;
use super::tiling::{Kernel, Period, Phase, Tile};
use crate::error::EmitError;
use crate::index::function::{Function, Word};
use crate::index::print::{print_inline, wrap_lines};
use crate::language::Language;

/// Bytes of workgroup memory that WebGPU promises.
const PROMISED_BYTES: i128 = 16_384;

/// The widest grid in one direction that WebGPU promises.
const WIDEST_GRID: i128 = 65_535;

/// Items of a thread that moves elements without a tile.
const AT_ONCE: i128 = 4;

/// Rounds of a tile of runs whose words a thread holds at once.
const ROUNDS_AT_ONCE: i128 = 4;

/// The most rounds that WGSL unrolls.
const UNROLLED: i128 = 16;

/// How a thread reads four elements, and how a thread makes a word that begins with one of them.
const FOUR: [[&str; 2]; 3] = [
    [
        "vec2<u32>(from_[$at$], from_[$at$ + 1u])",
        "(four.x >> (n * 8u)) | ((four.y << (24u - n * 8u)) << 8u)",
    ],
    ["from_[$at$]", "select(four.x, four.y, n > 1u) >> (n % 2u * 16u)"],
    [
        "from_[$at$]",
        "select(select(four.x, four.y, n == 1u), select(four.z, four.w, n == 3u), n > 1u)",
    ],
];

/// The text of a kernel, and its launch: groups, threads of a group, and the bytes of workgroup
/// memory to request from the device.
pub struct Written {
    pub text: String,
    pub groups: [i128; 3],
    pub threads: i128,
    pub workgroup_bytes: i128,
}

/// The values of the keys of a template.
type Keys = Vec<(String, String)>;

macro_rules! keys {
    ($($key:ident = $value:expr),* $(,)?) => {
        vec![$((stringify!($key).to_string(), $value.to_string())),*]
    };
}

/// Replaces each key of the template by its value: the first value, if the list has several. Values
/// may contain keys.
fn fill_template(template: &str, keys: &Keys) -> Result<String, EmitError> {
    let (mut text, mut rest) = (String::new(), template);
    while let Some((before, after)) = rest.split_once('$') {
        let (name, behind) = after.split_once('$').unwrap_or((after, ""));
        let Some((_, value)) = keys.iter().find(|(key, _)| key == name) else {
            return EmitError::refused(format!(
                "a template of this crate asks for `{name}`, which has no value"
            ));
        };
        text += before;
        text += &fill_template(value, keys)?;
        rest = behind;
    }
    Ok(text + rest)
}

/// The lines of a comment.
fn write_comment(kernel: &Kernel) -> String {
    kernel
        .comment
        .iter()
        .flat_map(|line| wrap_lines(line))
        .map(|line| format!("// {line}\n"))
        .collect()
}

/// The lines of an inlined function, and its values.
fn lines(function: &Function, language: Language, indent: &str) -> (String, Vec<String>) {
    let (lines, values) = print_inline(function, language);
    (lines.iter().map(|line| format!("{indent}{line}\n")).collect(), values)
}

/// The keys of a kernel without a tile.
fn keys_without_tile(kernel: &Kernel, language: Language, indent: &str) -> Keys {
    let (lines, values) = lines(&kernel.direct, language, indent);
    keys![lines = lines, from = values[0], to = values[1], count = kernel.elements]
}

/// The definition of a local constant, as a line.
fn define(language: Language, indent: &str, kind: &str, name: &str, value: &str) -> String {
    let local = language.text("local").replace("{t}", kind);
    format!("{indent}{}\n", local.replace("{n}", name).replace("{v}", value))
}

/// The keys of a tile's first offsets, and of the rest of its ragged axes from there on.
fn keys_of_start(tile: &Tile, language: Language) -> Keys {
    let kind = &language.list("types")[0];
    let (starts, values) = lines(&tile.start, language, "    ");
    let left = (0..).zip(&values[2..]);
    let left = left.map(|(n, left)| define(language, "    ", kind, &format!("left{n}"), left));
    let left = left.collect::<String>();
    keys![starts = starts, from = values[0], to = values[1], left = left, shared = tile.size]
}

/// The keys of a tile; `pieces` writes the moves of a side's pieces.
fn tile(
    tile: &Tile,
    phases: &[Phase; 2],
    language: Language,
    pieces: &dyn Fn(usize, &Phase) -> String,
) -> Keys {
    let types = language.list("types");
    let is_wide = phases.iter().any(|phase| phase.function.word == Word::WIDE);
    let index = types[usize::from(is_wide)];
    let mut keys = keys_of_start(tile, language);
    keys.extend(keys![groups = tile.blocks, index = index]);
    for (side, phase) in phases.iter().enumerate() {
        let (lines, values) = lines(&phase.function, language, "        ");
        let each = tile.threads;
        let item = define(language, "        ", index, "v", &format!("t + k * {each}u"));
        let item = if phase.active.is_some() { String::new() } else { item };
        // Whether the item exists, with coordinates within the rest of the ragged axes.
        let (name, most) = phase.active.map_or(("v", phase.items), |active| ("t", active));
        let there = (most % each != 0).then(|| format!("{name} < {most}u"));
        let within = values[2..].iter().enumerate().map(|(n, c)| format!("{c} < left{n}"));
        let conditions: Vec<_> = there.into_iter().chain(within).collect();
        let joined = if conditions.is_empty() {
            String::new()
        } else {
            format!("if ({}) ", conditions.join(" && "))
        };
        let own =
            keys![lines = item + &lines, condition = joined, global = values[0], place = values[1]];
        let more =
            keys![pieces = pieces(side, phase), vector = phase.vector, rounds = phase.rounds];
        keys.extend(
            own.into_iter().chain(more).map(|(key, value)| (format!("{key}{side}"), value)),
        );
    }
    keys
}

pub fn write_cuda(kernel: &Kernel, name: &str) -> Result<Written, EmitError> {
    let bytes = kernel.bytes;
    let element = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"]
        [bytes.ilog2() as usize];
    let width = WIDEST / bytes;
    let mut keys = keys![
        load = include_str!("cuda/load.cu"),
        store = include_str!("cuda/store.cu"),
        name = name
    ];
    keys.extend(keys![element = element, width = width, bytes = bytes]);
    let (template, blocks) = match &kernel.tile {
        Some(own @ Tile { runs: Some(runs), .. }) => {
            keys.extend(keys![gather = gather_element(bytes, element, "row[places[n]]")]);
            keys.extend(cuda_keys_of_runs(runs, bytes));
            keys.extend(keys_of_runs(own, runs, Language::Cuda));
            let template = include_str!("cuda/runs.cu");
            let is_kept = [("$via$\n", !runs.is_direct), ("$ends$\n", !runs.is_whole)];
            let choose = |text: String, (mark, is_kept): (&str, bool)| {
                let keep = |(n, part)| if n == 1 && !is_kept { "" } else { part };
                text.split(mark).enumerate().map(keep).collect::<String>()
            };
            (is_kept.into_iter().fold(template.to_string(), choose), own.blocks)
        }
        Some(own @ Tile { phases: Some(phases), .. }) => {
            keys.extend(tile(own, phases, Language::Cuda, &|side, phase| {
                move_pieces(own, name, side, phase)
            }));
            keys.extend(keys![cached = ".nc.L1::no_allocate"]);
            (include_str!("cuda/tile.cu").to_string(), own.blocks)
        }
        Some(own) => {
            // Offsets have 64 bits if those of blocks have 64 bits.
            let [s, d] = SIDES.map(|side| own.plan.axes[own.plan.order[side][0]]);
            let suffix = if own.start.word == Word::WIDE { "ll" } else { "" };
            keys.extend(keys![from = format!("{}{suffix}", d.step[0])]);
            keys.extend(keys![to = format!("{}{suffix}", s.step[1])]);
            keys.extend(keys_of_plane(own, Language::Cuda));
            keys.extend(keys![
                gather = gather_element(bytes, element, "top[(step + n) * pitch + k]")
            ]);
            (include_str!("cuda/slanted.cu").to_string(), own.blocks)
        }
        None => {
            keys.extend(keys_without_tile(kernel, Language::Cuda, "            "));
            let each = AT_ONCE * THREADS;
            keys.extend(keys![at_once = AT_ONCE, each = each, registers = ""]);
            (include_str!("cuda/direct.cu").to_string(), pieces(kernel.elements, each))
        }
    };
    // The type of a vector is an array of words: the compiler would move narrower elements one by
    // one.
    let kind = |width: i128| {
        let all = width * bytes;
        let word = ["unsigned int", "unsigned char", "unsigned short"]
            .get(all as usize)
            .unwrap_or(&"unsigned int");
        format!("struct __align__({all}) {name}_x{width} {{ {word} x[{}]; }};\n", (all / 4).max(1))
    };
    let word = kernel.tile.as_ref().map_or(kernel.direct.word, |tile| tile.start.word);
    let word = Language::Cuda.list("types")[usize::from(word == Word::WIDE)];
    let threads = kernel.tile.as_ref().map_or(THREADS, |tile| tile.threads);
    let fetch = kernel.tile.as_ref().map_or(LINE, |tile| tile.fetch);
    keys.extend(keys![
        vector0 = width,
        word = word,
        fetch = fetch,
        registers = "",
        cached = "",
        blocks = blocks,
        threads = threads
    ]);
    let (before, behind) =
        include_str!("cuda/kernel.cu").split_once("$types$\n").unwrap_or_default();
    let [before, behind] =
        [before, behind].map(|part| fill_template(&part.replace("$body$\n", &template), &keys));
    let (before, behind) = (before?, behind?);
    let used =
        [1, 2, 4, 8, 16].into_iter().filter(|width| behind.contains(&format!("{name}_x{width} ")));
    let text = write_comment(kernel) + &before + &used.map(kind).collect::<String>() + &behind;
    // The kernel declares shared memory, and the launch adds none.
    Ok(Written { text, groups: [blocks, 1, 1], threads, workgroup_bytes: 0 })
}

/// The keys of a kernel in the order of the target.
fn keys_of_period(period: &Period, language: Language) -> Keys {
    let (lines, begin) = lines(&period.begin, language, "        ");
    let mut keys = keys![
        lines_begin = lines,
        begin = begin[0],
        period = period.elements,
        extent = period.extent
    ];
    keys.extend(keys![
        active = period.active,
        span = period.span,
        room = period.room,
        pitch = period.pitch
    ]);
    keys.extend(keys![at_once = period.vectors]);
    keys
}

/// Element `n` of a vector.
fn gather_element(bytes: i128, element: &str, value: &str) -> String {
    match bytes {
        1 | 2 => format!(
            "vector.x[n / {0}] += (unsigned int){value} << n % {0} * {1}",
            4 / bytes,
            8 * bytes
        ),
        _ => format!("*reinterpret_cast<{element} *>(vector.x + n * {}) = {value}", bytes / 4),
    }
}

/// How the pieces of a vector move in CUDA, to the tile or from the tile.
fn move_pieces(tile: &Tile, name: &str, side: usize, phase: &Phase) -> String {
    // A piece has a place in the tile and a place in its vector: a word, or some bits of a word.
    let bytes = tile.plan.bytes;
    let (wide, word) = (phase.piece * bytes, (phase.vector * bytes).min(4));
    let piece = |(n, by): (i128, &usize)| {
        let sign = if tile.by_xor { "^" } else { "+" };
        let place = if *by == 0 { "place".into() } else { format!("(place {sign} {by}u)") };
        let (at, shift) = (n * wide / word, n * wide % word * 8);
        let vector = format!("{}.x", ["vectors[k]", "vector"][side]);
        let narrow =
            ["", "unsigned char", "unsigned short"].get(wide as usize).filter(|_| wide < word);
        let kind = narrow.map_or(format!("{name}_x{}", phase.piece), |narrow| narrow.to_string());
        let cast = |side: usize, at: &str| {
            format!("*reinterpret_cast<{}{kind} *>({at})", ["", "const "][side])
        };
        let in_tile = cast(side, &format!("tile + {place}"));
        let in_vector = cast(1 - side, &format!("{vector} + {at}"));
        let moves = match (narrow, side) {
            (None, 0) => format!("{in_tile} = {in_vector}"),
            (None, _) => format!("{in_vector} = {in_tile}"),
            (Some(narrow), 0) => format!("{in_tile} = ({narrow})({vector}[{at}] >> {shift})"),
            (Some(_), _) => format!("{vector}[{at}] |= (unsigned int){in_tile} << {shift}"),
        };
        format!("            {moves};\n")
    };
    (0..).zip(&phase.places).map(piece).collect()
}

/// The keys of a tile of runs in CUDA alone.
fn cuda_keys_of_runs(runs: &Runs, bytes: i128) -> Keys {
    let shifted = format!(
        "                words[j].x[0] = __funnelshift_l(reinterpret_cast<const unsigned int *>\
         (place)[-1], words[j].x[0], far * {}u);\n",
        8 * bytes
    );
    let [far, shifted] = match runs.is_shifted {
        true => ["(unsigned int)(slant + a0 + b0) & (each - 1u)", &shifted],
        false => ["0u", ""],
    };
    let [kept, between] = match runs.is_direct {
        true => ["to + a0 + b0", ""],
        false => {
            ["tile + width + (unsigned int)a3 + (unsigned int)b3", "            __syncthreads();\n"]
        }
    };
    let rounds = runs.sides[1].rounds;
    let at_once = if runs.is_direct { ROUNDS_AT_ONCE.min(rounds) } else { rounds };
    let mut keys = keys![far = far, shifted = shifted, kept = kept, between = between];
    keys.extend(keys![unit = runs.unit, reach = runs.reach, at_once = at_once]);
    keys
}

/// The keys of a tile of runs.
fn keys_of_runs(tile: &Tile, runs: &Runs, language: Language) -> Keys {
    let types = language.list("types");
    let (thread, deep) = match language {
        Language::Cuda => ("threadIdx.x", "            "),
        _ => ("thread", "                "),
    };
    let is_wide = runs.sides.iter().any(|side| side.functions[0].word == Word::WIDE);
    let index = types[usize::from(is_wide)];
    let (place_lines, place) = lines(&runs.place, language, "                ");
    let mut keys = keys_of_start(tile, language);
    keys.extend(keys![room = tile.plan.reach(0) + 1, index = index, mask = runs.mask]);
    keys.extend(keys![lines_of_place = place_lines, place = place[0], last = runs.last]);
    keys.extend(keys![
        each = runs.sides[1].width,
        piece = runs.piece,
        front = runs.front,
        back = runs.back,
        shift = runs.shift,
        number = runs.number,
        at_once = ROUNDS_AT_ONCE.min(runs.sides[1].rounds),
        registers = format!(", {}", runs.blocks)
    ]);
    for (n, side) in runs.sides.iter().enumerate() {
        let part = |function: &Function, name: &str, indent: &str| {
            let (lines, values) = lines(function, language, indent);
            let values = (0..).zip(values);
            let define = |(n, value): (usize, String)| {
                define(language, indent, index, &format!("{name}{n}"), &value)
            };
            lines + &values.map(define).collect::<String>()
        };
        let first = side.functions[0].values.len() - side.bounds.len();
        let bounds =
            (first..).zip(&side.bounds).map(|(n, most)| format!("a{n} + b{n} < {most} && "));
        let there =
            (side.active < tile.threads).then(|| format!("{thread} < {}u && ", side.active));
        let condition: String = there.into_iter().chain(bounds).collect();
        let own = keys![
            thread = part(&side.functions[0], "a", "        "),
            round = part(&side.functions[1], "b", if n == 1 { deep } else { "            " }),
            condition = condition,
            length = side.length,
            rounds = side.rounds,
            active = side.active
        ];
        keys.extend(own.into_iter().map(|(key, value)| (format!("{key}{n}"), value)));
    }
    keys
}

/// The keys of a plane of the fastest axes of both sides, with rows at any alignment.
///
/// The pitch of a row in shared memory equals the pitch in memory modulo a vector, and so does the
/// offset of the first row: a vector of memory is a vector of the tile. All steps along a column
/// are equal. A block writes whole sectors of the target, from the first sector that begins in its
/// tile; for the last sector, the block reads some rows beyond the tile. Only the ends of the axis
/// are written element by element.
fn keys_of_plane(tile: &Tile, language: Language) -> Keys {
    let plan = &tile.plan;
    let [s, d] = SIDES.map(|side| plan.axes[plan.order[side][0]]);
    let (starts, values) = lines(&tile.start, language, "    ");
    // The rest of an axis in this block.
    let left = |side: usize| {
        tile.ragged.iter().position(|&k| k == plan.order[side][0]).map(|n| &values[2 + n])
    };
    let cast = if language == Language::Cuda { "(unsigned int)" } else { "" };
    let columns =
        left(0).map_or(format!("{}u", s.tile), |left| format!("min({cast}{left}, {}u)", s.tile));
    let mut keys =
        keys![starts = starts, source = values[0], target = values[1], columns = columns];
    keys.extend(keys![left = left(1).map_or("", |left| left), s_tile = s.tile, d_tile = d.tile]);
    keys.extend(keys![
        from = d.step[0],
        to = s.step[1],
        extent = d.extent,
        most = 1 + plan.reach(0)
    ]);
    // For bytes, which are gathered one by one, a limit of registers lets five blocks run at once.
    keys.extend(keys![registers = ["", ", 5"][usize::from(plan.bytes == 1)]]);
    keys
}

pub fn write_wgsl(kernel: &Kernel, name: &str) -> Result<Written, EmitError> {
    if kernel.direct.word == Word::WIDE {
        return EmitError::refused("WGSL has no numbers of 64 bits, which the offsets need");
    }
    // Elements of a word.
    let (bytes, each, width) = (kernel.bytes, (4 / kernel.bytes).max(1), WIDEST / kernel.bytes);
    let threads = kernel.tile.as_ref().map_or(THREADS, |tile| tile.threads);
    let mut keys = if kernel.tile.is_none() {
        keys_without_tile(kernel, Language::Wgsl, "            ")
    } else {
        Keys::new()
    };
    keys.extend(keys![
        each = each,
        width = width,
        bits = 8 * bytes.min(4),
        count = kernel.elements
    ]);
    // A template, the types of both buffers, and the number of workgroups of `per` elements each.
    let simple = |template: &str, kinds, per: i128| {
        (template.to_string(), kinds, pieces(kernel.elements, per))
    };
    let mut workgroup_bytes = 0;
    let (template, kinds, groups) = match (&kernel.tile, &kernel.ordered) {
        (None, Some(period @ Period { windows: Some((lanes, made)), .. })) => {
            keys.extend(keys_of_period(period, Language::Wgsl));
            let all = kernel.elements / period.elements;
            let main = pieces(pieces(all, lanes * width) * lanes, THREADS);
            let elements = join_words(&|n| format!("element(at + {n}u)"), width, bytes);
            keys.extend(keys![made = made, lanes = lanes, main = main, joined = elements]);
            let ends = pieces(lanes * period.elements * (all / period.extent), THREADS);
            (include_str!("wgsl/windows.wgsl").into(), [kind(4), kind(WIDEST)], main + ends)
        }
        (None, Some(period)) => {
            // A word of bytes has elements of at most two runs.
            let run = if bytes == 1 { period.run } else { 1 };
            let at = |more: &str| {
                let more = |n: &str| more.replace("$n$", n);
                let pair = |n: i128| {
                    let [a, b] =
                        [more(&format!("{}u", 4 * n)), more(&format!("{}u + run{n} / 8u", 4 * n))];
                    let then = format!("(tile[then{n} + by{b}] << (run{n} & 31u))");
                    format!("(tile[at{n} + by{a}] & mask{n}) | ({then} & ~mask{n})")
                };
                match run {
                    3.. => (0..4).map(pair).collect::<Vec<_>>().join(", "),
                    _ => join_words(
                        &|n| format!("tile[at{n} + by{}]", more(&format!("{n}u"))),
                        width,
                        bytes,
                    ),
                }
            };
            keys.extend(keys![gather = at(""), gather_cut = at(" + select(0u, more, $n$ >= cut)")]);
            keys.extend(keys_of_period(period, Language::Wgsl));
            let pad = if period.pitch < period.room { 8 } else { 0 };
            workgroup_bytes = 4 * (period.span + (period.span / period.pitch + 2) * pad);
            let [fetched, split] = FOUR[bytes.ilog2() as usize];
            let fetched = fetched.replace("$at$", "low + t + $k$u * $threads$u");
            let (at, count) = match run {
                3.. => (include_str!("wgsl/pair.wgsl"), 4),
                _ => ("    let at$k$ = place(source(phase + $k$u));\n", width),
            };
            keys.extend(keys![split = split, four = kind((4 * bytes).max(8)), run = run]);
            let template = include_str!("wgsl/ordered.wgsl")
                .replace("$fetched$", &fetched)
                .replace("$at$", at);
            let template =
                repeat_parts(&template, [period.span / (4 * THREADS) + 1, count, period.vectors]);
            simple(&template, [kind(4 * bytes), kind(16)], period.vectors * period.active * width)
        }
        // Other threads write the other bytes of the same word.
        (None, None) if bytes < 4 => {
            simple(include_str!("wgsl/bytes.wgsl"), [kind(4), "atomic<u32>".into()], THREADS)
        }
        (None, None) => {
            let kinds = SIDES.map(|_| kind(bytes));
            simple(
                &repeat_parts(include_str!("wgsl/direct.wgsl"), [AT_ONCE, 0, 0]),
                kinds,
                AT_ONCE * THREADS,
            )
        }
        (Some(own @ Tile { phases: Some(phases), .. }), _) => {
            keys.extend(wgsl_keys_of_tile(own, phases));
            let piece = wgsl_piece(own, phases);
            workgroup_bytes = pieces(own.size as i128, piece) * (piece * bytes).max(4);
            let template = repeat_parts(
                include_str!("wgsl/tile.wgsl"),
                [phases[0].rounds, phases[1].rounds, 0],
            );
            (template, SIDES.map(|side| kind(phases[side].vector * bytes)), own.blocks)
        }
        (Some(own @ Tile { runs: Some(runs), .. }), _) => {
            let (unit, rounds) = (bytes.max(4), runs.sides[1].rounds);
            // A loop only if the unrolled text would be long.
            let at_once = pieces(rounds, pieces(rounds, UNROLLED));
            keys.extend(keys![at_once = at_once, units = pieces(own.size as i128, each)]);
            keys.extend(keys_of_runs(own, runs, Language::Wgsl));
            keys.extend(wgsl_keys_of_runs(bytes));
            workgroup_bytes = pieces(own.size as i128, each) * unit;
            let (write, target) = match runs.is_whole {
                true => ("                    to_[at] = word$k$;\n", kind(unit)),
                false => (include_str!("wgsl/ends.wgsl"), "atomic<u32>".into()),
            };
            let template = include_str!("wgsl/runs.wgsl").replace("$write$", write);
            let template = repeat_parts(&template, [runs.sides[0].rounds, at_once, at_once]);
            (template, [kind(WIDEST), target], own.blocks)
        }
        (Some(own), _) => {
            let (lines, values) = lines(&kernel.direct, Language::Wgsl, "    ");
            keys.extend(keys![
                lines = lines,
                direct = values[0],
                equal = own.plan.count_equal_rows()
            ]);
            keys.extend(keys![
                word = join_words(&|n| format!("tile[at[{n}]] >> by[{n}]"), each, bytes)
            ]);
            keys.extend(keys![
                inside = join_words(&|n| format!("element(place + {n}u * pitch)"), width, bytes)
            ]);
            keys.extend(keys_of_plane(own, Language::Wgsl));
            let [s, d] = SIDES.map(|side| own.plan.axes[own.plan.order[side][0]].tile);
            let [by_row, readers] = own.plan.count_readers();
            workgroup_bytes = match bytes {
                1 => 16 * pieces(s, 4) * (pieces(d + 32, 4) + 1),
                _ => {
                    let pitch =
                        by_row * width + own.plan.axes[own.plan.order[1][0]].step[0] % width;
                    ((d + 2 * width + 1) * pitch + 2 * width) / each * 4
                }
            };
            let turned = [(d + 32) / 4 * pieces(s, 4), s * d / 16].map(|all| pieces(all, threads));
            let slanted = [
                pieces((d + 2 * width) * by_row, readers),
                pieces(d / width, 8) * pieces(8 * s, threads),
            ];
            // The elements after the rows of the target: the source's next column, or elements
            // anywhere in the source.
            let behind = [
                [include_str!("wgsl/turned_apart.wgsl"), include_str!("wgsl/turned_next.wgsl")],
                [include_str!("wgsl/slanted_apart.wgsl"), include_str!("wgsl/slanted_next.wgsl")],
            ];
            let behind = behind[usize::from(bytes > 1)][usize::from(own.plan.is_followed())];
            let [rows_behind, behind] =
                behind.split_once("$each$\n").map_or(["", behind], |(rows, own)| [rows, own]);
            let all = [
                (include_str!("wgsl/turned.wgsl"), turned, 4),
                (include_str!("wgsl/slanted.wgsl"), slanted, WIDEST),
            ];
            let (template, rounds, from) = all[usize::from(bytes > 1)];
            let template =
                template.replace("$rows_behind$", rows_behind).replace("$behind$", behind);
            (
                repeat_parts(&template, [rounds[0], rounds[1], 0]),
                [kind(from), kind(WIDEST)],
                own.blocks,
            )
        }
    };
    keys.extend(keys![
        name = name,
        threads = threads,
        groups = groups,
        from_kind = kinds[0],
        to_kind = kinds[1],
        rotated = include_str!("wgsl/rotated.wgsl")
    ]);
    let memory = if workgroup_bytes > PROMISED_BYTES {
        format!(
            "// The device needs {workgroup_bytes} bytes of workgroup memory \
             (maxComputeWorkgroupStorageSize); WebGPU promises {PROMISED_BYTES}.\n"
        )
    } else {
        String::new()
    };
    keys.push(("memory".into(), memory));
    let [x, y] = [groups.min(WIDEST_GRID), pieces(groups, WIDEST_GRID)];
    keys.extend(keys![x = x, y = y]);
    let template = template.replace("$kernel$", include_str!("wgsl/kernel.wgsl"));
    let template = include_str!("wgsl/memory.wgsl").to_string() + &template;
    let text = write_comment(kernel) + &fill_template(&template, &keys)?;
    Ok(Written { text, groups: [x, y, 1], threads, workgroup_bytes })
}

/// WGSL's type of `bytes` bytes: a word or a vector of words.
fn kind(bytes: i128) -> String {
    if bytes <= 4 { "u32".into() } else { format!("vec{}<u32>", bytes / 4) }
}

/// The words of a vector, each joined from its elements; an element wider than a word is written
/// unchanged. The bits above an element in its word do not matter.
fn join_words(element: &dyn Fn(i128) -> String, vector: i128, bytes: i128) -> String {
    let each = (4 / bytes).max(1);
    let word = |word: i128| {
        let next = |all, n| {
            format!("insertBits({all}, {}, {}u, {}u)", element(word + n), 8 * bytes * n, 8 * bytes)
        };
        (1..each).fold(element(word), next)
    };
    (0..vector).step_by(each as usize).map(word).collect::<Vec<_>>().join(", ")
}

/// The keys of a tile of runs in WGSL alone.
fn wgsl_keys_of_runs(bytes: i128) -> Keys {
    let (each, unit) = ((4 / bytes).max(1), bytes.max(4));
    // The words of a vector, or its elements if these are wider.
    let lanes = WIDEST / unit;
    let store = |n: i128| {
        let own = &"xyzw"[(n * unit / 4) as usize..((n + 1) * unit / 4) as usize];
        format!("                tile[first + ({n}u + turned) % {lanes}u] = words.{own};\n")
    };
    // The places of the elements around a word, then of its own: those `far` before the last.
    let around = |n| format!("                let p{each}_{n} = around($number$, {n}u);\n");
    let mut places: String = (0..2 * each - 1).map(around).collect();
    for bit in [2, 1].into_iter().filter(|bit| *bit < each) {
        for n in 0..each - 1 + bit {
            let [last, next] = [n, n + bit].map(|n| format!("p{}_{n}", 2 * bit));
            places += &format!(
                "                let p{bit}_{n} = select({next}, {last}, (far & {bit}u) != 0u);\n"
            );
        }
    }
    let narrow = "tile[at / each] >> (at % each * $bits$u)";
    keys![
        kind = kind(unit),
        turns = 4 / lanes,
        stores = (0..lanes).map(store).collect::<String>(),
        element = if bytes < 4 { narrow } else { "tile[at]" },
        places = places,
        joined = join_words(&|n| format!("element(row + p1_{n})"), each, bytes)
    ]
}

/// Elements that are written to shared memory at once in WGSL.
fn wgsl_piece(own: &Tile, phases: &[Phase; 2]) -> i128 {
    if own.plan.bytes <= 4 { phases[0].piece } else { 1 }
}

/// The keys of a tile in WGSL.
fn wgsl_keys_of_tile(own: &Tile, phases: &[Phase; 2]) -> Keys {
    let bytes = own.plan.bytes;
    // `piece`: the elements that one store writes to shared memory. `each`: the elements of a word.
    let (piece, each) = (wgsl_piece(own, phases), (4 / bytes).max(1));
    let place = |side: usize, n: i128| {
        let Phase { piece, places, .. } = &phases[side];
        format!(
            "place {} {}u",
            if own.by_xor { "^" } else { "+" },
            places[(n / piece) as usize] as i128 + n % piece
        )
    };
    let split = |n: i128| {
        let lanes = &"xyzw"[(n * bytes / 4) as usize..((n + piece) * bytes / 4) as usize];
        let value = if piece == phases[0].vector { String::new() } else { format!(".{lanes}") };
        format!("            tile[({}) / {piece}u] = vector{value};\n", place(0, n))
    };
    let vector = phases[1].vector;
    let element = |n: i128| match own.plan.fixed {
        // One read gives all elements of a word of the tile.
        2.. => {
            let n = phases[1].places[n as usize] as i128;
            let (first, by) = (n - n % each, n % each * bytes * 8);
            format!("word(place {} {first}u) >> {by}u", if own.by_xor { "^" } else { "+" })
        }
        _ => format!("element({})", place(1, n)),
    };
    let joined = join_words(&element, vector, bytes);
    let written = match own.plan.turn {
        2 => include_str!("wgsl/turn2.wgsl"),
        4 => include_str!("wgsl/turn4.wgsl"),
        _ => "            to_[at] = $kind1$($joined$);\n",
    };
    let word =
        if piece > each { format!("[place / {each}u % {}u]", piece / each) } else { String::new() };
    let mut keys = tile(own, phases, Language::Wgsl, &|side, phase| match side {
        0 => (0..phase.vector).step_by(piece as usize).map(split).collect(),
        _ => written.into(),
    });
    // The words that a thread transposes: one for each element of a vector, in the order of the
    // elements in a word.
    for (n, name) in (0..each).zip(["a", "b", "c", "d"]) {
        let words =
            (0..own.plan.vectors[1] / each).map(|m| format!("word({})", place(1, m * each + n)));
        keys.push((name.into(), words.collect::<Vec<_>>().join(", ")));
    }
    let next = own.plan.axes[own.plan.order[0][0]].step[1] / vector;
    let narrow = format!("word(place) >> (place % {each}u * {}u)", 8 * bytes.min(4));
    let value = if bytes < 4 { &narrow } else { "word(place)" };
    keys.extend(keys![value = value, joined = joined, next = next, unit = piece, word = word]);
    let kinds =
        keys![kind1 = kind(vector * bytes), kind = kind(bytes), unit_kind = kind(piece * bytes)];
    keys.extend(kinds.into_iter().chain(keys![units = pieces(own.size as i128, piece)]));
    keys
}

/// Repeats parts of a template: the second and the fourth for each round of reads, the sixth for
/// each round of writes, the eighth for each vector of a thread. The shader has no loops, because a
/// driver counts the steps of a loop to make sure that the loop ends. All loads come before the
/// first use of a loaded value.
fn repeat_parts(template: &str, [reads, writes, more]: [i128; 3]) -> String {
    let each = |(part, n): (&str, i128)| {
        (0..n).map(|k| part.replace("$k$", &k.to_string())).collect::<String>()
    };
    template.split("$each$\n").zip([1, reads, 1, reads, 1, writes, 1, more, 1]).map(each).collect()
}
