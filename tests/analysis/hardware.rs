//! The counts of `analysis` beside those of a GPU: bank conflicts of shared memory, sectors and
//! lines of global memory.
//!
//! `hardware/counters.tsv` holds what a GPU counted (Nsight Compute's
//! `l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld` and `_op_st`,
//! `l1tex__data_bank_conflicts_..`, `l1tex__t_sectors_..`, `l1tex__t_set_accesses_..`), for the
//! patterns below and for random ones; the test holds the model against it and needs no GPU. To
//! measure again, on a machine with one:
//!
//! ```text
//! HARDWARE=write cargo test -p layout-algebra-tests --test analysis hardware     # writes hardware/addresses.txt
//! tests/analysis/hardware/measure.sh     # writes hardware/counters.csv, with nvcc and ncu
//! HARDWARE=read cargo test -p layout-algebra-tests --test analysis hardware      # writes hardware/counters.tsv
//! ```

use std::fmt::Write as _;
use std::path::PathBuf;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::prelude::*;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;

/// One instruction of one warp, or several: what the GPU is asked, and the model.
#[derive(Clone, Debug)]
struct Pattern {
    name: String,
    /// `load` and `store` go to shared memory, as `ldmatrix` and `stmatrix` do; `globalload` and
    /// `globalstore` to global memory.
    kind: String,
    element_bits: usize,
    /// Of a thread's access; for a matrix instruction, how many matrices.
    width: usize,
    memory: String,
    threads: String,
}

/// What a GPU counted, or the model: (passes, conflicts) in shared memory, (sectors, lines) in
/// global memory.
type Counts = (usize, usize);

fn pattern(
    name: &str,
    kind: &str,
    element_bits: usize,
    width: usize,
    memory: &str,
    threads: &str,
) -> Pattern {
    let [name, kind, memory, threads] = [name, kind, memory, threads].map(str::to_owned);
    Pattern { name, kind, element_bits, width, memory, threads }
}

/// The patterns of practice.
fn named() -> Vec<Pattern> {
    // Thread i has four neighbours of row i, of a 32x32 tile with rows in mode 0 ...
    let rows4 = "(32,4):(32,1024)";
    // ... whose coordinates are numbered by columns.
    let rows4 = rows4.replace("(32,1024)", "(1,32)");
    // An ldmatrix of 16 rows of 64 halves, two columns of 8x8 matrices.
    let matrices = "((16,2),8):((1,512),64)";
    let k_major = |sw: &str, columns: usize| format!("{sw} o 0 o (64,{columns}):({columns},1)");
    vec![
        pattern("a column of 32x32 floats", "load", 32, 32, "(32,32):(32,1)", "(32,1):(1,0)"),
        pattern("a column, rows padded by one", "load", 32, 32, "(32,32):(33,1)", "(32,1):(1,0)"),
        pattern(
            "a column, swizzled",
            "load",
            32,
            32,
            "Sw<5,0,5> o 0 o (32,32):(32,1)",
            "(32,1):(1,0)",
        ),
        pattern("a row of 32x32 floats", "load", 32, 32, "(32,32):(32,1)", "(32,1):(32,0)"),
        pattern("everybody one word", "load", 32, 32, "(32,32):(32,1)", "(32,1):(0,0)"),
        pattern("everybody the same two words", "load", 32, 64, "1024:1", "(32,2):(0,1)"),
        pattern("everybody the same four words", "load", 32, 128, "1024:1", "(32,4):(0,1)"),
        pattern("neighbours share two words", "load", 32, 64, "1024:1", "((2,16),2):((0,2),1)"),
        pattern("neighbours share four words", "load", 32, 128, "1024:1", "((2,16),4):((0,4),1)"),
        pattern("two words each, in a row", "load", 32, 64, "1024:1", "(32,2):(2,1)"),
        pattern("two words each, by 32", "load", 32, 64, "1024:1", "(32,2):(32,1)"),
        pattern("four words each, in a row", "load", 32, 128, "1024:1", "(32,4):(4,1)"),
        pattern("four of a row each, by columns", "load", 32, 128, "(32,32):(32,1)", &rows4),
        pattern(
            "four of a row each, swizzled",
            "load",
            32,
            128,
            "Sw<3,2,3> o 0 o (32,32):(32,1)",
            &rows4,
        ),
        pattern("four of a row each, padded by four", "load", 32, 128, "(32,32):(36,1)", &rows4),
        pattern("writes of a column", "store", 32, 32, "(32,32):(32,1)", "(32,1):(1,0)"),
        pattern("writes of four of a row each", "store", 32, 128, "(32,32):(32,1)", &rows4),
        pattern(
            "writes of four, swizzled",
            "store",
            32,
            128,
            "Sw<3,2,3> o 0 o (32,32):(32,1)",
            &rows4,
        ),
        pattern(
            "writes of a swizzled column",
            "store",
            32,
            32,
            "Sw<5,0,5> o 0 o (32,32):(32,1)",
            "(32,1):(1,0)",
        ),
        pattern(
            "ldmatrix, rows of 128 bytes",
            "ldmatrix",
            16,
            4,
            &k_major("Sw<0,3,3>", 64),
            matrices,
        ),
        pattern(
            "ldmatrix, CUTLASS's 128 bytes",
            "ldmatrix",
            16,
            4,
            &k_major("Sw<3,3,3>", 64),
            matrices,
        ),
        pattern(
            "ldmatrix, CUTLASS's 64 bytes",
            "ldmatrix",
            16,
            4,
            &k_major("Sw<2,3,3>", 32),
            matrices,
        ),
        pattern(
            "ldmatrix, CUTLASS's 32 bytes",
            "ldmatrix",
            16,
            4,
            &k_major("Sw<1,3,3>", 16),
            "((16,2),8):((1,512),64)",
        ),
        pattern(
            "ldmatrix, rows of 64 bytes",
            "ldmatrix",
            16,
            4,
            &k_major("Sw<0,3,3>", 32),
            matrices,
        ),
        pattern(
            "stmatrix, CUTLASS's 128 bytes",
            "stmatrix",
            16,
            4,
            &k_major("Sw<3,3,3>", 64),
            matrices,
        ),
        // Layouts of the fewest accesses: `best_shared_layout` has others now, of fewer passes, and
        // of as few.
        pattern(
            MIXED,
            "store",
            32,
            128,
            MIXED_TILE,
            "((2,2,2,2,2),(2,2)):((256,1,2,4,8),(64,128))",
        ),
        pattern(MIXED, "load", 32, 32, MIXED_TILE, "((2,2,2,2,2),(1)):((1,2,4,8,16),(0))"),
        pattern(
            "32x32 doubles turned, found",
            "store",
            64,
            64,
            "Sw<3,1,5> o 0 o (2,8,2,2,8,2):(16,2,512,1,64,32)",
            "((2,2,2,2,2),(1)):((2,4,8,16,32),(0))",
        ),
        pattern(
            "32x32 doubles turned, found",
            "load",
            64,
            128,
            "Sw<3,1,5> o 0 o (2,8,2,2,8,2):(16,2,512,1,64,32)",
            "((2,2,2,2,2),(2)):((64,128,256,512,1),(32))",
        ),
        pattern("a row of global floats", "globalload", 32, 32, "(64,64):(64,1)", "(32,1):(64,0)"),
        pattern(
            "a column of global floats",
            "globalload",
            32,
            32,
            "(64,64):(64,1)",
            "(32,1):(1,0)",
        ),
        pattern("every other global float", "globalload", 32, 32, "1024:1", "(32,1):(2,0)"),
        pattern("four global floats each", "globalload", 32, 128, "1024:1", "(32,4):(4,1)"),
        pattern(
            "writes of a global column",
            "globalstore",
            32,
            32,
            "(64,64):(64,1)",
            "(32,1):(1,0)",
        ),
    ]
}

const MIXED: &str = "64x8 floats, written by 4, read by 1, found";
const MIXED_TILE: &str = "Sw<1,2,4> o 0 o (4,8,2,8):(8,64,32,1)";

/// Four tiles, by the elements of the bits of thread and of value that write, and of those that
/// read.
type Tiles = [(&'static str, usize, [[&'static [usize]; 2]; 2]); 4];
const TILES: Tiles = [
    (
        "32x32 floats turned",
        32,
        [
            [&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512], &[]],
            [&[32, 64, 128, 256, 512, 1, 2, 4, 8, 16], &[]],
        ],
    ),
    (
        "32x32 floats turned, four of a row",
        32,
        [
            [&[32, 64, 128, 256, 512, 2, 4, 8, 16], &[1]],
            [&[1, 2, 4, 8, 16, 128, 256, 512], &[32, 64]],
        ],
    ),
    (
        "8x64 halves, as ldmatrix has them",
        16,
        [[&[64, 128, 256, 1, 2, 4], &[8, 16, 32]], [&[1, 2, 4, 64, 128, 256], &[8, 16, 32]]],
    ),
    (
        "64x64 halves turned",
        16,
        [
            [&[8, 16, 32, 64, 128, 256, 512, 1024, 2048], &[1, 2, 4]],
            [&[512, 1024, 2048, 1, 2, 4, 8, 16, 32], &[64, 128, 256]],
        ],
    ),
];

/// A thread-value layout, of the elements of its bits.
fn of_bits([threads, values]: [&[usize]; 2]) -> String {
    let mode = |strides: &[usize]| {
        let all: Vec<_> = strides.iter().map(usize::to_string).collect();
        // `()` has no form of its own.
        if all.is_empty() {
            ("1".into(), "0".into())
        } else {
            (vec!["2"; all.len()].join(","), all.join(","))
        }
    };
    let ((s0, d0), (s1, d1)): ((String, String), (String, String)) = (mode(threads), mode(values));
    format!("(({s0}),({s1})):(({d0}),({d1}))")
}

/// Both sides of layouts that `best_shared_layout` found, the first access of a warp each; and its
/// own count of all of them.
fn found() -> Vec<(Pattern, usize)> {
    let flat = |text: &str| FlatLayout::of(&text.parse::<DynLayout>().unwrap());
    let mut patterns = Vec::new();
    for (name, bits, sides) in TILES {
        let [writes, reads] = sides.map(of_bits);
        let best = flat(&writes).best_shared_layout(&flat(&reads), bits);
        let (swizzle, plain) =
            best.swizzled().unwrap_or_else(|| panic!("{name}: {best} is no swizzle"));
        let memory = format!("{swizzle} o 0 o {plain}");
        let counts = [
            ("store", best.write_bits, best.write_conflicts),
            ("load", best.read_bits, best.read_conflicts),
        ];
        for ((kind, by, conflicts), [threads, values]) in counts.into_iter().zip(sides) {
            let width = (by / bits).ilog2() as usize;
            let (first, more) = threads.split_at(5);
            let first = of_bits([first, &values[..width]]);
            let pattern = pattern(&format!("{name}, found"), kind, bits, by, &memory, &first);
            patterns.push((pattern, conflicts >> (values.len() - width + more.len())));
        }
    }
    patterns
}

/// What `best_shared_layout` says of conflicts is what is said of its accesses one by one, which a
/// GPU has counted.
#[test]
fn layouts_that_are_found_are_counted_alike() {
    let found = found();
    assert_eq!(found.len(), 2 * TILES.len());
    for (pattern, conflicts) in &found {
        assert_eq!(pattern.model().1, *conflicts, "{pattern:?}");
    }
}

/// Warps, in part perhaps, whose threads are bits with strides of their own, some of them 0: 32, 64
/// and 128 bits each, swizzled and not.
fn random() -> impl Strategy<Value = Pattern> {
    let kinds = prop_oneof![4 => Just("load"), 1 => Just("globalload")];
    let strides = proptest::collection::vec(
        prop_oneof![1 => Just(0usize), 3 => (0u32..7).prop_map(|k| 1 << k), 1 => 0usize..128],
        5,
    );
    let swizzle = select(vec!["", "Sw<2,2,3> o 0 o ", "Sw<3,2,3> o 0 o "]);
    let whole = (strides, kinds, select(vec![1usize, 2, 4]), swizzle);
    let bits = whole.prop_map(|(s, kind, words, swizzle)| {
        let s: Vec<_> = s.into_iter().map(|stride| stride * words).collect();
        let threads =
            format!("((2,2,2,2,2),{words}):(({},{},{},{},{}),1)", s[0], s[1], s[2], s[3], s[4]);
        pattern("random bits", kind, 32, 32 * words, &format!("{swizzle}4096:1"), &threads)
    });
    let parts = (1usize..9, 1usize..5, 0usize..9, 0usize..80, select(vec![1usize, 2, 4])).prop_map(
        |(m, n, first, second, words)| {
            let threads = format!("(({m},{n}),{words}):(({},{}),1)", first * words, second * words);
            pattern("random part", "load", 32, 32 * words, "4096:1", &threads)
        },
    );
    prop_oneof![3 => bits, 1 => parts]
}

impl Pattern {
    fn memory(&self) -> FlatLayout {
        if self.memory.starts_with("Sw") {
            FlatLayout::of(&self.memory.parse::<DynComposedLayout>().unwrap())
        } else {
            FlatLayout::of(&self.memory.parse::<DynLayout>().unwrap())
        }
    }

    fn threads(&self) -> FlatLayout {
        FlatLayout::of(&self.threads.parse::<DynLayout>().unwrap())
    }

    fn access(&self) -> WarpAccess {
        if self.kind.contains("matrix") {
            WarpAccess::ldmatrix(&self.threads(), self.element_bits, self.width)
        } else {
            WarpAccess::new(&self.threads(), self.element_bits, self.width)
        }
    }

    fn model(&self) -> Counts {
        if self.kind.starts_with("global") {
            let found = self.access().coalescing(&self.memory());
            (found.sectors, found.lines)
        } else {
            let found = self.access().bank_conflicts(&self.memory());
            (found.passes, found.conflicts)
        }
    }

    /// The byte address of each lane, `-` where there is none.
    fn addresses(&self) -> String {
        let (memory, threads) = (self.memory(), self.threads());
        let lanes = if self.kind.contains("matrix") { 8 * self.width } else { 32 };
        let mut line = format!("{}{}", self.kind, self.width);
        for lane in 0..32 {
            if lane < lanes.min(threads.threads()) {
                let byte = memory.at(threads.of_thread(lane, 0)) * self.element_bits / 8;
                write!(line, " {byte}").unwrap();
            } else {
                line.push_str(" -");
            }
        }
        line
    }

    fn fields(&self) -> String {
        let Pattern { name, kind, element_bits, width, memory, threads } = self;
        format!("{name}\t{kind}\t{element_bits}\t{width}\t{memory}\t{threads}")
    }
}

fn all() -> Vec<Pattern> {
    let mut runner = TestRunner::deterministic();
    let random = random();
    let measured = named()
        .into_iter()
        .chain((0..400).map(|_| random.new_tree(&mut runner).unwrap().current()));
    measured.chain(found().into_iter().map(|(pattern, _)| pattern)).collect()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("analysis/hardware").join(name)
}

/// The sum of the counters with this in their name, of one line of ncu's table.
fn sum(head: &csv::StringRecord, line: &csv::StringRecord, name: &str) -> usize {
    let fields =
        head.iter().zip(line).filter(|(head, _)| head.contains(name) && head.ends_with(".sum"));
    fields.map(|(_, text)| text.replace(',', "").parse::<f64>().unwrap_or(0.0) as usize).sum()
}

fn read_counters() {
    let table = std::fs::read_to_string(file("counters.csv")).unwrap();
    let table: Vec<_> = table.lines().filter(|line| line.starts_with('"')).collect();
    let mut table = csv::Reader::from_reader(std::io::Cursor::new(table.join("\n")));
    let head = table.headers().unwrap().clone();
    // The line below the names holds units.
    let lines: Vec<_> =
        table.records().map(Result::unwrap).filter(|line| !line[0].is_empty()).collect();
    let patterns = all();
    assert_eq!(lines.len(), patterns.len(), "one launch for each pattern");
    let mut text = String::new();
    for (pattern, line) in patterns.iter().zip(&lines) {
        let (one, two) = if pattern.kind.starts_with("global") {
            ("t_sectors_pipe_lsu_mem_global", "t_set_accesses_pipe_lsu_mem_global")
        } else {
            ("data_pipe_lsu_wavefronts_mem_shared_op", "data_bank_conflicts_pipe_lsu_mem_shared_op")
        };
        writeln!(
            text,
            "{}\t{}\t{}",
            pattern.fields(),
            sum(&head, line, one),
            sum(&head, line, two)
        )
        .unwrap();
    }
    std::fs::write(file("counters.tsv"), text).unwrap();
}

#[test]
fn the_model_counts_what_a_gpu_counts() {
    match std::env::var("HARDWARE").as_deref() {
        Ok("write") => {
            let lines: Vec<_> = all().iter().map(Pattern::addresses).collect();
            return std::fs::write(file("addresses.txt"), lines.join("\n") + "\n").unwrap();
        }
        Ok("read") => read_counters(),
        _ => {}
    }
    let counters = std::fs::read_to_string(file("counters.tsv")).unwrap();
    let mut measured = Vec::new();
    for line in counters.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let number = |k: usize| fields[k].parse::<usize>().unwrap();
        let pattern = pattern(fields[0], fields[1], number(2), number(3), fields[4], fields[5]);
        assert_eq!(pattern.model(), (number(6), number(7)), "{}: {line}", pattern.addresses());
        measured.push(pattern.fields());
    }
    for pattern in named().into_iter().chain(found().into_iter().map(|(pattern, _)| pattern)) {
        assert!(measured.contains(&pattern.fields()), "not measured: {}", pattern.fields());
    }
    // Also the loads of 64 and 128 bits whose phases go as one.
    assert!(measured.len() >= 400);
}
