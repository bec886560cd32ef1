//! The twelve patterns of `benches/patterns` in C: with emitted functions, the inner loops have no
//! more instructions than with hand-written arithmetic. The test counts gcc's instructions, if gcc
//! is installed.

use std::fs;
use std::path::Path;
use std::process::Command;

use layout_emit::{Index, Language, Module, NamedLayout};

/// The emitted functions that the patterns call.
const FUNCTIONS: [(&str, &str); 15] = [
    ("rows", "(64,96):(96,1)"),
    ("columns", "(64,96):(1,64)"),
    ("tiles", "(8,16,8,6):(96,1,768,16)"),
    ("thread_value", "((8,4),(4,8)):((128,8),(32,1))"),
    ("swizzled", "Sw<5,0,5> o 0 o (32,32):(32,1)"),
    ("square", "(32,32):(1,32)"),
    ("row", "(3,3,30,30):(1,3,9,270)"),
    ("window", "(3,3,30,30):(1,32,1,32)"),
    ("slice", "(64,24):(96,4)"),
    ("source", "(2,3,4,5,6):(1,2,6,24,120)"),
    ("target", "(2,3,4,5,6):(60,20,5,1,120)"),
    ("diagonal", "64:65"),
    ("matrix", "(32,64):(64,1)"),
    ("repeated", "(32,64):(0,1)"),
    ("mixed", "(32,48):(ld,1)"),
];

/// A pattern: its name, its parameters, and its body with an emitted and with a hand-written index.
struct Pattern(&'static str, &'static str, &'static str, [&'static str; 2], [&'static str; 2]);

const LOOPS: [&str; 5] = [
    "for (uint32_t i = 0; i < 64; i++) for (uint32_t j = 0; j < 96; j++)",
    "for (uint32_t j = 0; j < 96; j++) for (uint32_t i = 0; i < 64; i++)",
    "for (uint32_t i = 0; i < 32; i++) for (uint32_t j = 0; j < 32; j++)",
    "for (uint32_t y = 0; y < 30; y++) for (uint32_t x = 0; x < 30; x++) \
     for (uint32_t e = 0; e < 3; e++) for (uint32_t d = 0; d < 3; d++)",
    "for (uint32_t e = 0; e < 6; e++) for (uint32_t d = 0; d < 5; d++) for (uint32_t c = 0; c < 4; c++) \
     for (uint32_t b = 0; b < 3; b++) for (uint32_t a = 0; a < 2; a++)",
];

const SUM: &str = "const uint64_t *restrict x";
const COPY: &str = "const float *restrict from, float *restrict to";

/// `to[A] = from[B]` or `sum += x[A]`, with A and B emitted and hand-written.
const PATTERNS: [Pattern; 12] = [
    Pattern("row_major", SUM, LOOPS[0], ["rows(i, j)", ""], ["i * 96 + j", ""]),
    Pattern("column_major", SUM, LOOPS[1], ["columns(i, j)", ""], ["i + j * 64", ""]),
    Pattern(
        "transpose",
        COPY,
        LOOPS[0],
        ["columns(i, j)", "rows(i, j)"],
        ["i + j * 64", "i * 96 + j"],
    ),
    Pattern(
        "tiles",
        "const uint64_t *restrict x, uint32_t bi, uint32_t bj",
        "for (uint32_t i = 0; i < 8; i++) for (uint32_t j = 0; j < 16; j++)",
        ["tiles(i, j, bi, bj)", ""],
        ["(bi * 8 + i) * 96 + bj * 16 + j", ""],
    ),
    Pattern(
        "thread_values",
        "const float *restrict from, float *restrict to, uint32_t thread",
        "for (uint32_t value = 0; value < 32; value++)",
        ["value", "thread_value(thread, value)"],
        ["value", "(thread % 8 * 128 + thread / 8 * 8) + (value % 4 * 32 + value / 4)"],
    ),
    Pattern(
        "swizzle",
        COPY,
        LOOPS[2],
        ["swizzled(i, j)", "square(i, j)"],
        ["(i * 32 + j) ^ ((i * 32 + j) >> 5 & 31)", "i + j * 32"],
    ),
    Pattern(
        "im2col",
        COPY,
        LOOPS[3],
        ["row(d, e, x, y)", "window(d, e, x, y)"],
        ["d + e * 3 + x * 9 + y * 270", "d + e * 32 + x + y * 32"],
    ),
    Pattern(
        "strided_slice",
        SUM,
        "for (uint32_t i = 0; i < 64; i++) for (uint32_t j = 0; j < 24; j++)",
        ["slice(i, j)", ""],
        ["i * 96 + j * 4", ""],
    ),
    Pattern(
        "permute",
        COPY,
        LOOPS[4],
        ["target(a, b, c, d, e)", "source(a, b, c, d, e)"],
        ["a * 60 + b * 20 + c * 5 + d + e * 120", "a + b * 2 + c * 6 + d * 24 + e * 120"],
    ),
    Pattern(
        "diagonal",
        SUM,
        "for (uint32_t i = 0; i < 64; i++)",
        ["diagonal(i)", ""],
        ["i * 65", ""],
    ),
    Pattern(
        "broadcast",
        COPY,
        "for (uint32_t i = 0; i < 32; i++) for (uint32_t j = 0; j < 64; j++)",
        ["matrix(i, j)", "repeated(i, j)"],
        ["i * 64 + j", "j"],
    ),
    Pattern(
        "mixed",
        "const uint64_t *restrict x, uint32_t ld",
        "for (uint32_t i = 0; i < 32; i++) for (uint32_t j = 0; j < 48; j++)",
        ["mixed(i, j, ld)", ""],
        ["i * ld + j", ""],
    ),
];

fn program() -> String {
    let with = |module: Module, (name, layout): (&str, &str)| {
        module.with(Index::of(layout.parse::<NamedLayout>().expect(layout)).name(name))
    };
    let mut text =
        FUNCTIONS.into_iter().fold(Module::new(Language::C), with).emit().expect("functions");
    for Pattern(name, parameters, loops, ours, hand) in PATTERNS {
        for (who, [to, from]) in [("ours", ours), ("hand", hand)] {
            text += &match from {
                "" => format!(
                    "uint64_t {who}_{name}({parameters}) {{ uint64_t sum = 0; {loops} sum += x[{to}]; return sum; }}\n"
                ),
                _ => format!(
                    "void {who}_{name}({parameters}) {{ {loops} to[{to}] = from[{from}]; }}\n"
                ),
            };
        }
    }
    text
}

/// Six patterns as CUDA kernels, a thread for each element, for a machine with nvcc: EMIT_PACK
/// names the folder.
#[test]
fn kernels_of_six_patterns() {
    let threads = "const uint32_t i = blockIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;";
    let window = "const uint32_t d = threadIdx.x, e = threadIdx.y, x = blockIdx.x, y = blockIdx.y;";
    let with = |module: Module, (name, layout): (&str, &str)| {
        module.with(Index::of(layout.parse::<NamedLayout>().expect(layout)).name(name))
    };
    let functions =
        FUNCTIONS.into_iter().fold(Module::new(Language::Cuda), with).emit().expect("functions");
    let mut text = format!("#include <cstdint>\n{functions}");
    for wanted in ["transpose", "thread_values", "swizzle", "im2col", "permute", "mixed"] {
        let Pattern(name, parameters, _, ours, hand) =
            PATTERNS.iter().find(|pattern| pattern.0 == wanted).expect("a pattern");
        let coordinates = match *name {
            "im2col" => window.to_string(),
            "permute" => format!(
                "{} const uint32_t c = blockIdx.z;",
                window
                    .replace("d =", "a =")
                    .replace("e =", "b =")
                    .replace("x = b", "d = b")
                    .replace("y = b", "e = b")
            ),
            "thread_values" => "const uint32_t value = threadIdx.y;".to_string(),
            _ => threads.to_string(),
        };
        // For a sum, the elements.
        let parameters = parameters.replace(
            "const uint64_t *restrict x",
            "const float *restrict from, float *restrict to",
        );
        let parameters = parameters.replace("restrict", "__restrict__");
        for (who, [to, from]) in [("ours", ours), ("hand", hand)] {
            let (to, from) = if from.is_empty() { ("j", to) } else { (*to, from) };
            text += &format!(
                "extern \"C\" __global__ void {who}_{name}({parameters}) {{ {coordinates} to[{to}] = from[{from}]; }}\n"
            );
        }
    }
    assert_eq!(text.matches("__global__ void ").count(), 12);
    if let Some(pack) = std::env::var_os("EMIT_PACK") {
        fs::write(Path::new(&pack).join("patterns.cu"), text).expect("written");
    }
}

/// The instructions of a function, and of its shortest loop: from a label to a jump back to it.
fn counted(assembly: &str, function: &str) -> (usize, usize) {
    let from = assembly.find(&format!("\n{function}:\n")).expect("the function");
    let body = &assembly[from..];
    let body = &body[..body.find(".cfi_endproc").expect("an end")];
    let (mut count, mut labels, mut shortest) = (0, Vec::new(), usize::MAX);
    for line in body.lines().map(str::trim) {
        if let Some(label) = line.strip_suffix(':') {
            labels.push((label, count));
        } else if !line.is_empty() && !line.starts_with('.') {
            count += 1;
            let target = line.split_whitespace().last().expect("words");
            let back =
                labels.iter().find(|(label, _)| *label == target).filter(|_| line.starts_with('j'));
            if let Some((_, at)) = back {
                shortest = shortest.min(count - at);
            }
        }
    }
    (count, if shortest == usize::MAX { count } else { shortest })
}

#[test]
#[cfg(target_arch = "x86_64")]
fn inner_loops_are_no_longer_than_by_hand() {
    if !Command::new("gcc").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("NOT RUN: there is no gcc");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, assembly) = (folder.join("patterns.c"), folder.join("patterns.s"));
    fs::write(&source, program()).expect("written");
    let gcc = Command::new("gcc")
        .args(["-std=c99", "-O2", "-S"])
        .arg(&source)
        .arg("-o")
        .arg(&assembly)
        .output();
    let gcc = gcc.expect("gcc runs");
    assert!(gcc.status.success(), "{}", String::from_utf8_lossy(&gcc.stderr));
    let text = fs::read_to_string(&assembly).expect("assembly");
    for Pattern(name, ..) in PATTERNS {
        let (ours, hand) =
            (counted(&text, &format!("ours_{name}")), counted(&text, &format!("hand_{name}")));
        println!("{name}: {} of {} in the loop, {} of {} in all", ours.1, hand.1, ours.0, hand.0);
        assert!(
            ours.1 <= hand.1,
            "{name}: the loop has {} instructions, by hand {}",
            ours.1,
            hand.1
        );
    }
}
