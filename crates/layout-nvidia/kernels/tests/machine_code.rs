//! The kernels as the GPU runs them: PTX, and ptxas's machine code. `crates/layout-nvidia/check`
//! builds them and finds the tools.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use half::{bf16, f16};
use layout_nvidia::hopper::StreamK;
use layout_nvidia::launch::{Kernel, Limits};
use layout_nvidia_kernels::grouped_sm90::{self, Schedule, Tile};
use layout_nvidia_kernels::hgemm_sm90::form::{bf16_narrow, bf16_wide, f16_narrow, f16_wide};
use layout_nvidia_kernels::parts::{Plan, unpack_part};
use layout_nvidia_kernels::sgemm::form;
use layout_nvidia_kernels::{
    attention, copy, decode, epilogue, fp8_sm90, grouped_few, hgemm, hgemm_sm90, parts, ragged,
    sgemm, softmax, steps, transpose, w4_few,
    w4_sm90::{self, Strategy},
};

/// The instructions of a kernel, without predicates and operands' text split off.
struct MachineCode {
    instructions: Vec<(String, String)>,
    registers: usize,
}

fn tool(variable: &str) -> PathBuf {
    std::env::var_os(variable)
        .map(PathBuf::from)
        .unwrap_or_else(|| panic!("{variable} is not set: run crates/layout-nvidia/check"))
}

/// The module whose function ends a kernel with an error, and does not return.
const END: &str = "layout_nvidia11trap_record";

/// The PTX of a program.
fn ptx(program: &str) -> String {
    let file = tool("PROGRAMS").join(program).with_extension("ptx");
    std::fs::read_to_string(&file).unwrap_or_else(|error| {
        panic!("{}: {error}: run crates/layout-nvidia/check", file.display())
    })
}

/// The machine code of all kernels of a program; no kernel may have registers in local memory.
fn machine_code(program: &str) -> BTreeMap<String, MachineCode> {
    let source = tool("PROGRAMS").join(program).with_extension("ptx");
    let cubin = std::env::temp_dir().join(format!("{program}-{}.cubin", std::process::id()));
    let assembled = Command::new(tool("PTXAS"))
        .args(["-v", "-arch=sm_90a", "-o"])
        .arg(&cubin)
        .arg(&source)
        .output()
        .expect("ptxas");
    let report = String::from_utf8_lossy(&assembled.stdout).into_owned()
        + &String::from_utf8_lossy(&assembled.stderr);
    assert!(assembled.status.success(), "{report}");
    let mut registers = BTreeMap::new();
    let mut kernel = String::new();
    for line in report.lines() {
        if let Some(name) = line.split("Compiling entry function '").nth(1) {
            kernel = name.split('\'').next().unwrap_or_default().to_string();
        }
        if line.contains("bytes stack frame") {
            let frame: usize = line
                .trim()
                .split(' ')
                .next()
                .and_then(|bytes| bytes.parse().ok())
                .expect("a number");
            assert_eq!(frame, 0, "{kernel}: {line}");
        }
        if let Some(used) = line.split("Used ").nth(1) {
            registers.insert(
                kernel.clone(),
                used.split(' ').next().unwrap_or_default().parse().expect("a number"),
            );
        }
    }
    let listing = Command::new(tool("NVDISASM")).arg("-c").arg(&cubin).output().expect("nvdisasm");
    assert!(listing.status.success());
    let mut code: BTreeMap<String, MachineCode> = BTreeMap::new();
    let mut labels: BTreeMap<String, usize> = BTreeMap::new();
    let mut kernel = None;
    for line in String::from_utf8_lossy(&listing.stdout).lines() {
        if let Some(name) = line.strip_prefix(".text.").and_then(|line| line.strip_suffix(':')) {
            let registers = registers[name];
            code.insert(name.into(), MachineCode { instructions: Vec::new(), registers });
            kernel = Some(name.to_string());
        } else if line.starts_with("//---") || line.starts_with('$') && line.contains(END) {
            // The function that ends a kernel with an error comes after the kernel.
            kernel = None;
        }
        let Some(code) = kernel.as_ref().and_then(|kernel| code.get_mut(kernel)) else { continue };
        let line = line.trim();
        if let Some(label) = line.strip_suffix(':') {
            labels.insert(label.into(), code.instructions.len());
        } else if let Some((_, instruction)) =
            line.strip_prefix("/*").and_then(|line| line.split_once("*/"))
        {
            let instruction = instruction.trim();
            // Its call is no part of what a kernel computes; ptxas has two copies share their end,
            // behind a label. (The PTX has no other call, and a function of ptxas has a name.)
            if instruction.contains(END) || instruction.contains("CALL.REL.NOINC `(.L_") {
                continue;
            }
            // A predicate stands in front; of a dummy that is never executed too.
            if instruction.starts_with("@!PT ") || instruction.is_empty() {
                continue;
            }
            let instruction = if instruction.starts_with('@') {
                instruction.split_once(' ').map_or("", |(_, rest)| rest.trim())
            } else {
                instruction
            };
            let (name, operands) = instruction.split_once(' ').unwrap_or((instruction, ""));
            let name = name.trim_end_matches(';').to_string();
            // A jump back goes to the number of an instruction.
            let operands =
                match operands.split_once("`(").and_then(|(_, rest)| rest.split_once(')')) {
                    Some((label, _)) => {
                        labels.get(label).map_or(String::new(), |at| format!("back to {at}"))
                    }
                    None => operands.into(),
                };
            if name != "NOP" {
                code.instructions.push((name, operands));
            }
        }
    }
    let _ = std::fs::remove_file(cubin);
    code
}
impl MachineCode {
    fn count(&self, name: &str) -> usize {
        count(&self.instructions, name)
    }
    fn loops(&self) -> impl Iterator<Item = &[(String, String)]> {
        self.instructions.iter().enumerate().filter_map(|(end, (_, operands))| {
            let start: usize = operands.strip_prefix("back to ")?.parse().ok()?;
            self.instructions.get(start..=end)
        })
    }
    /// The shortest loop with at least this number of an instruction.
    fn inner_loop(&self, name: &str, least: usize) -> &[(String, String)] {
        self.loops()
            .filter(|turn| count(turn, name) >= least)
            .min_by_key(|turn| turn.len())
            .expect("a loop")
    }
    /// The innermost loop with the most of an instruction. (Rare code comes after the kernel's
    /// exit, and a jump back from there is not a loop.)
    fn main_loop(&self, name: &str) -> &[(String, String)] {
        let loops: Vec<(usize, usize)> = (self.instructions.iter().enumerate())
            .filter_map(|(end, (_, operands))| {
                Some((operands.strip_prefix("back to ")?.parse().ok()?, end))
            })
            .filter(|&(start, end)| {
                let turn = self.instructions.get(start..=end).unwrap_or_default();
                count(turn, name) > 0 && count(turn, "EXIT") == 0
            })
            .collect();
        let inner = |of: &&(usize, usize)| {
            !loops.iter().any(|one| one != *of && of.0 <= one.0 && one.1 <= of.1)
        };
        let innermost =
            loops.iter().filter(inner).map(|&(start, end)| &self.instructions[start..=end]);
        innermost.max_by_key(|turn| (count(turn, name), usize::MAX - turn.len())).expect("a loop")
    }
}
fn count(instructions: &[(String, String)], name: &str) -> usize {
    instructions.iter().filter(|(instruction, _)| instruction.starts_with(name)).count()
}

/// Checks for every kernel.
fn clean(program: &str) -> BTreeMap<String, MachineCode> {
    clean_but(program, |_| 0)
}
/// The same for a program whose kernels read the shared memory of other blocks this number of
/// times: ptxas has only a generic instruction for that.
fn clean_but(program: &str, others: impl Fn(&str) -> usize) -> BTreeMap<String, MachineCode> {
    let text = ptx(program);
    for unwanted in ["call", ".local", "panic"] {
        let code = |line: &&str| !line.contains(END) && !line.contains("// callseq");
        let found = text.lines().filter(code).find(|line| {
            line.split(|c: char| c.is_whitespace() || c == '(').any(|word| word.contains(unwanted))
        });
        assert_eq!(found, None, "{program}: {unwanted} in its PTX");
    }
    let code = machine_code(program);
    for (kernel, code) in &code {
        for unwanted in ["CALL", "BRX", "JMX", "LDL", "STL"] {
            assert_eq!(code.count(unwanted), 0, "{kernel}: {unwanted}");
        }
        // Memory is global or shared, and is known to be: no instruction finds out which.
        let generic = |what: &str| {
            code.instructions
                .iter()
                .filter(|(name, _)| name.split('.').next() == Some(what))
                .count()
        };
        assert_eq!(
            (generic("LD"), generic("ST")),
            (others(kernel), 0),
            "{kernel}: generic accesses"
        );
    }
    code
}

/// Checks that a program has a kernel with the threads of its layouts, which fits an H200.
fn launched<K: Kernel>(program: &str) {
    let text = ptx(program);
    let head = text
        .split(&format!(".visible .entry {}(", K::NAME))
        .nth(1)
        .unwrap_or_else(|| panic!("no {}", K::NAME));
    let head = head.split('{').next().unwrap_or_default();
    assert!(head.contains(&format!(".maxntid {}, 1, 1", K::THREADS)), "{}: {head}", K::NAME);
    layout_nvidia::launch::Launch::of_kernel::<K>().check_limits(&Limits::H200).expect("it fits");
}

#[test]
fn copies_are_128_bits_wide() {
    let code = &clean("copy")["copy_tiles"];
    // 128 x 64 elements over 256 threads, 4 at once.
    assert_eq!((code.count("LDG.E.128"), code.count("STG.E.128")), (8, 8));
    assert_eq!((code.count("LDG"), code.count("STG")), (8, 8));
    launched::<copy::copy_tiles>("copy");
}

#[test]
fn a_transpose_goes_through_shared_memory_128_bits_at_a_time() {
    let code = &clean("transpose")["transpose_tiles"];
    for instruction in ["LDG", "STS", "LDS", "STG"] {
        assert_eq!(code.count(instruction), 4, "{instruction}");
        assert_eq!(
            code.instructions
                .iter()
                .filter(|(name, _)| name.starts_with(instruction) && name.ends_with(".128"))
                .count(),
            4
        );
    }
    launched::<transpose::transpose_tiles>("transpose");
}

#[test]
fn softmax_reads_and_writes_once() {
    let code = clean("softmax");
    for (kernel, accesses, warps) in [("softmax_rows", 8, 8), ("softmax_short", 4, 2)] {
        let code = &code[kernel];
        assert_eq!((code.count("STG"), code.count("STG.E.128")), (accesses, accesses), "{kernel}");
        assert_eq!((code.count("LDG"), code.count("LDG.E.128")), (accesses, accesses), "{kernel}");
        // The largest number of each warp, and its sum.
        assert_eq!((code.count("STS"), code.count("LDS.64")), (2, warps), "{kernel}");
    }
    launched::<softmax::softmax<softmax::rows>>("softmax");
    launched::<softmax::softmax<softmax::short>>("softmax");
}

#[test]
fn sgemm_is_multiply_adds() {
    let mut code = clean("sgemm");
    code.append(&mut clean("ragged"));
    // An operand comes to shared memory by 4 copies of four numbers, or by 16 of one.
    let aligned = [("sgemm_nt", 8), ("sgemm_nn", 20), ("sgemm_tt", 20), ("sgemm_tn", 32)];
    let ragged = ["ragged_nt", "ragged_nn", "ragged_tt", "ragged_tn"].map(|kernel| (kernel, 32));
    for (kernel, fetches) in aligned.into_iter().chain(ragged) {
        let main = code[kernel].main_loop("FFMA");
        // 8 x 16 sums at 16 steps along K, whose operands come 4 at a time; the tile after the next
        // one is fetched. Two blocks of 128 threads are on a multiprocessor at once.
        let sums = (count(main, "FFMA"), count(main, "LDS.128"), count(main, "LDS"));
        assert_eq!(sums, (2048, 96, 96), "{kernel}");
        let (instructions, registers) = (2290, 255);
        assert_eq!(count(main, "LDGSTS"), fetches, "{kernel}");
        assert!(
            main.len() <= instructions,
            "{kernel}: {} instructions in the main loop",
            main.len()
        );
        assert!(
            code[kernel].registers <= registers,
            "{kernel}: {} registers",
            code[kernel].registers
        );
    }
    launched::<sgemm::sgemm<form::nt>>("sgemm");
    launched::<sgemm::sgemm<form::nn>>("sgemm");
    launched::<sgemm::sgemm<form::tn>>("sgemm");
    launched::<sgemm::sgemm<form::tt>>("sgemm");
    launched::<ragged::ragged<form::nt>>("ragged");
    launched::<ragged::ragged<form::nn>>("ragged");
    launched::<ragged::ragged<form::tn>>("ragged");
    launched::<ragged::ragged<form::tt>>("ragged");
}

/// 64 x 64 sums of a warp at 4 steps along K: 4 x 8 atoms each, whose operands are 8 reads by
/// `ldmatrix`.
fn on_tensor_cores(code: &MachineCode, kernel: &str) {
    let main = code.main_loop("HMMA");
    assert_eq!(
        (count(main, "HMMA.16816.F32"), count(main, "LDSM.16.M88.4"), count(main, "LDGSTS")),
        (128, 32, 16),
        "{kernel}"
    );
    assert!(main.len() <= 300, "{kernel}: {} instructions in the main loop", main.len());
    assert!(code.registers <= 255, "{kernel}");
}
#[test]
fn hgemm_is_products_of_tensor_cores() {
    let code = clean("hgemm");
    on_tensor_cores(&code["hgemm_f16"], "hgemm_f16");
    on_tensor_cores(&code["hgemm_bf16"], "hgemm_bf16");
    launched::<hgemm::hgemm<f16>>("hgemm");
    launched::<hgemm::hgemm<bf16>>("hgemm");
}
#[test]
fn an_epilogue_adds_nothing_to_the_main_loop() {
    let code = clean("epilogue");
    let [wide, narrow, alone] =
        ["hgemm_gelu_f16_wide_4_2", "hgemm_gelu_f16_narrow_6_4", "hgemm_gelu_f16_narrow_6_1"];
    on_warpgroups(&code[wide], wide, "HGMMA.64x256x16.F32", 4, 1, 4);
    on_warpgroups(&code[narrow], narrow, "HGMMA.64x128x16.F32", 4, 1, 2);
    on_warpgroups(&code[alone], alone, "HGMMA.64x128x16.F32", 4, 1, 2);
    // A tanh for each sum.
    assert_eq!((code[wide].count("MUFU.TANH"), code[narrow].count("MUFU.TANH")), (128, 64));
    launched::<epilogue::hgemm_gelu<f16_wide, 4, 2>>("epilogue");
    launched::<epilogue::hgemm_gelu<f16_narrow, 6, 4>>("epilogue");
    launched::<epilogue::hgemm_gelu<f16_narrow, 6, 1>>("epilogue");
    launched::<epilogue::gelu_apart>("epilogue");
}
/// Products of 64 rows of a warpgroup, whose operands TMA brings, and whose results it takes away.
fn on_warpgroups(
    code: &MachineCode,
    kernel: &str,
    product: &str,
    products: usize,
    waits: usize,
    parts: usize,
) {
    let main = code.inner_loop(product, 1);
    // The products of a stage; one wait for it, some for products, and that it, or the one before,
    // is given back.
    assert_eq!(
        [product, "WARPGROUP.DEPBAR", "SYNCS.PHASECHK", "SYNCS.ARRIVE", "MEMBAR"]
            .map(|what| count(main, what)),
        [products, waits, 1, 1, 0],
        "{kernel}"
    );
    let most = 90 + 32 * count(main, "FADD") / 25;
    assert!(main.len() <= most, "{kernel}: {} instructions in the main loop", main.len());
    // All of a multiprocessor's registers, which the warpgroups share out anew.
    assert_eq!(code.registers, 168, "{kernel}");
    assert_eq!((code.count("USETMAXREG"), code.count("UTMASTG.2D")), (2, parts), "{kernel}");
    // Two for each part of the result; two more where sums are left to others; and where a residual
    // comes through the same tiles, one more for each, and one before: the compiler has not written
    // them twice, for some threads of a warp and for others. (ptxas adds one to each of them that
    // takes a warp's threads one by one: its operands are two registers.)
    let together = code.instructions.iter().filter(|(name, operands)| {
        name.starts_with("BAR.SYNC") && operands.trim_end_matches([';', ' ']).ends_with(", 0x80")
    });
    let more = match kernel.split('_').next() {
        Some("grouped") => 2,
        _ if kernel.contains("gelu") => parts + 1,
        _ => 0,
    };
    assert_eq!(together.count(), 2 * parts + more, "{kernel}");
}
#[test]
fn hgemm_sm90_is_products_of_warpgroups_without_a_fence() {
    let code = clean("hgemm_sm90");
    for (kernel, code) in &code {
        let (product, parts) = if kernel.contains("wide") {
            ("HGMMA.64x256x16.F32", 4)
        } else {
            ("HGMMA.64x128x16.F32", 2)
        };
        on_warpgroups(code, kernel, product, 4, 1, parts);
    }
    let text = ptx("hgemm_sm90");
    let clusters = [2, 4].map(|blocks| {
        text.matches(&format!(".explicitcluster .reqnctapercluster {blocks}, 1, 1")).count()
    });
    assert_eq!(clusters, [2, 2]);
    // The maps are parameters, all 128 bytes: no block waits until the copy engine knows them.
    let maps =
        [".param .align 64 .b8 ", "fence.proxy.tensormap"].map(|what| text.matches(what).count());
    assert_eq!(maps, [3 * code.len(), 0]);
    launched::<hgemm_sm90::hgemm_sm90<f16_wide, 4, 2>>("hgemm_sm90");
    launched::<hgemm_sm90::hgemm_sm90<f16_narrow, 6, 4>>("hgemm_sm90");
    launched::<hgemm_sm90::hgemm_sm90<f16_narrow, 6, 1>>("hgemm_sm90");
    launched::<hgemm_sm90::hgemm_sm90<bf16_wide, 4, 2>>("hgemm_sm90");
    launched::<hgemm_sm90::hgemm_sm90<bf16_narrow, 6, 4>>("hgemm_sm90");
    launched::<hgemm_sm90::hgemm_sm90<bf16_narrow, 6, 1>>("hgemm_sm90");
}
#[test]
fn tiles_and_clusters_are_those_that_leave_fewest_multiprocessors_idle() {
    use layout_nvidia::hopper::TileConfig;
    let of = |m, n, processors| {
        let TileConfig { wide, blocks } =
            TileConfig::ALL[TileConfig::fastest_for(m, n, processors)];
        (wide, blocks)
    };
    // Few tiles; one tile; one row; too many for one round of clusters of four.
    assert_eq!(
        [of(1000, 1520, 132), of(100, 200, 132), of(1, 8192, 132)],
        [(1, 4), (1, 4), (1, 1)]
    );
    assert_eq!(
        [of(2048, 1024, 132), of(512, 8192, 132), of(4096, 4096, 132)],
        [(1, 1), (2, 2), (2, 2)]
    );
    // Nothing at all, and a device of one multiprocessor: there is an answer.
    assert_eq!(
        TileConfig::ALL[TileConfig::fastest_for(0, 0, 132)].launch_sizes(0, 0, 132),
        (0, 0, 0)
    );
    assert_eq!(
        TileConfig::ALL[TileConfig::fastest_for(4096, 4096, 1)].launch_sizes(256, 256, 1).2,
        1
    );
}
#[test]
fn attention_multiplies_while_it_computes_powers() {
    let code = clean("attention");
    for (kernel, d, steps) in [
        ("attention_64_4_f16", 64, 4),
        ("attention_64_4_bf16", 64, 4),
        ("attention_128_2_f16", 128, 8),
        ("attention_128_2_bf16", 128, 8),
    ] {
        let main = code[kernel].inner_loop("HGMMA", steps + 8);
        // A step of 16 along the head's size for the scores, and 8 steps along 128 keys for the
        // sums, each of which waits for its own; 64 powers, and two of what the rows have shrunk
        // by.
        let out = format!("HGMMA.64x{d}x16.F32");
        assert_eq!(count(main, "HGMMA"), steps + 8, "{kernel}");
        assert!(count(main, &out) >= 8, "{kernel}");
        assert_eq!(
            ["WARPGROUP.DEPBAR", "MUFU.EX2", "F2FP", "SYNCS.ARRIVE", "MEMBAR"]
                .map(|what| count(main, what)),
            [2, 66, 32, 2, 0],
            "{kernel}"
        );
        assert_eq!(
            (code[kernel].registers, code[kernel].count("USETMAXREG")),
            (168, 2),
            "{kernel}"
        );
    }
    launched::<attention::attention<64, 4, f16>>("attention");
    launched::<attention::attention<64, 4, bf16>>("attention");
    launched::<attention::attention<128, 2, f16>>("attention");
    launched::<attention::attention<128, 2, bf16>>("attention");
}
#[test]
fn decode_multiplies_while_it_computes_powers() {
    let code = clean("decode");
    for (kernel, steps) in [
        ("decode_64_4_f16", 4),
        ("decode_64_4_bf16", 4),
        ("decode_128_2_f16", 8),
        ("decode_128_2_bf16", 8),
    ] {
        // As in attention, and each score is asked whether its row sees it.
        let main = code[kernel].inner_loop("HGMMA", steps + 8);
        assert_eq!(
            ["HGMMA", "WARPGROUP.DEPBAR", "MUFU.EX2", "F2FP", "FSEL", "SYNCS.ARRIVE", "MEMBAR"]
                .map(|what| count(main, what)),
            [steps + 8, 2, 66, 32, 64, 2, 0],
            "{kernel}"
        );
        // A lane fetches pieces of Q, of K and of V.
        assert_eq!(code[kernel].count("UTMALDG"), 3 * steps / 4, "{kernel}");
    }
    launched::<decode::decode<64, 4, f16>>("decode");
    launched::<decode::decode<64, 4, bf16>>("decode");
    launched::<decode::decode<128, 2, f16>>("decode");
    launched::<decode::decode<128, 2, bf16>>("decode");
    launched::<parts::join<64, f16>>("decode");
    launched::<parts::join<128, bf16>>("decode");
}
#[test]
fn a_step_of_decoding_is_cut_into_parts() {
    let step = Plan {
        queries: 1,
        heads: 2,
        group: 4,
        pages: 600,
        per_page: 1,
        blocks: 2,
        ..Plan::default()
    };
    // 8 tiles and 2, of two heads: parts of 2, of which none is shorter.
    let plan = step.with_chunk(&[1000, 0, 130]).expect("a step");
    assert_eq!((plan.chunk, plan.parts), (2, 10));
    let plan = Plan { blocks: 16, ..step }.with_chunk(&[2048]).expect("a step");
    assert_eq!((plan.chunk, plan.parts), (2, 16));
    let plan = step.with_chunk(&[]).expect("a step without sequences");
    assert_eq!((plan.parts, plan.plan_words(&[]).count()), (0, 2 * Plan::PAIRS + 2));
    // Each tile of each sequence and head is in one part, and the list has its end.
    for (lengths, blocks) in
        [(vec![1, 4097, 0, 300, 9000, 128], 132), (vec![8192; 7], 5), (vec![129; 300], 132)]
    {
        let plan = Plan { blocks, ..step }.with_chunk(&lengths).expect("a step");
        let list: Vec<u64> = plan.plan_words(&lengths).collect();
        assert_eq!(
            (list.len(), list[list.len() - 2]),
            (2 * (Plan::PAIRS + plan.parts as usize + 1), 0)
        );
        let mut covered = BTreeMap::new();
        for pair in list[2 * Plan::PAIRS..list.len() - 2].chunks(2) {
            let [sequence, head, first, count] = unpack_part(pair[0]);
            assert!(
                count > 0 && count <= plan.chunk && first % plan.chunk == 0,
                "{first} {count} {}",
                plan.chunk
            );
            (first..first + count)
                .for_each(|tile| *covered.entry((sequence, head, tile)).or_insert(0) += 1);
        }
        let tiles: u32 = lengths.iter().map(|length: &u32| length.div_ceil(128)).sum();
        assert_eq!(
            (covered.len(), covered.values().all(|times| *times == 1)),
            (2 * tiles as usize, true)
        );
    }
    // Nine rows of a head of keys in 8 boxes, a sequence with fewer keys than rows, one beyond its
    // pages, no page.
    assert_eq!(Plan { queries: 9, ..step }.with_chunk(&[20]), None);
    assert_eq!(Plan { queries: 8, ..step }.with_chunk(&[7]), None);
    assert_eq!(step.with_chunk(&[9601]), None);
    assert_eq!(Plan { per_page: 0, ..step }.with_chunk(&[1]), None);
}
#[test]
fn each_step_to_hgemm_sm90_has_what_it_adds() {
    let code = clean("steps");
    // The main loop of each: what it multiplies, reads, and fetches.
    let counts = |kernel: &str, main: &str, what: [&str; 5]| {
        let turn = code[kernel].main_loop(main);
        assert!(turn.len() <= 200, "{kernel}: {} instructions in the main loop", turn.len());
        what.map(|what| count(turn, what))
    };
    // One step along K: 8 x 8 sums, whose 16 operands are read and made floats.
    let ordinary = ["FFMA", "LDS.U16", "HADD2.F32", "HGMMA", "LDG"];
    assert_eq!(counts("step_2_tiles", "FFMA", ordinary), [64, 16, 16, 0, 0]);
    // Two atoms along M, both waited for, four along K; 8 vectors of each operand by a thread ..
    let products = ["HGMMA", "LDG.E.128", "STS.128", "UTMALDG.2D", "WARPGROUP.DEPBAR"];
    assert_eq!(counts("step_3_wgmma", "HGMMA", products), [8, 16, 16, 0, 2]);
    // .. or a box of each by the copy engine ..
    assert_eq!(counts("step_4_tma", "HGMMA", products), [8, 0, 0, 2, 2]);
    // .. whom another warpgroup asks.
    assert_eq!(counts("step_5_ring", "HGMMA", products), [4, 0, 0, 0, 1]);
    assert_eq!(code["step_5_ring"].count("UTMALDG.2D"), 2);
    for kernel in ["step_1_index", "step_2_tiles", "step_3_wgmma", "step_4_tma", "step_5_ring"] {
        assert!(code[kernel].registers <= 168, "{kernel}: {} registers", code[kernel].registers);
    }
    launched::<steps::step_1_index>("steps");
    launched::<steps::step_2_tiles>("steps");
    launched::<steps::step_3_wgmma>("steps");
    launched::<steps::step_4_tma>("steps");
    launched::<steps::step_5_ring>("steps");
}
#[test]
fn fp8_sm90_is_products_of_warpgroups_and_adds_where_it_says_so() {
    let code = clean("fp8_sm90");
    for (a, name) in [("E4M3", "e4m3"), ("E5M2", "e5m2")] {
        let (wide, narrow) =
            (format!("fp8_sm90_{name}_4_2"), format!("fp8_sm90_{name}_narrow_6_4"));
        on_warpgroups(&code[&wide], &wide, &format!("QGMMA.64x256x32.F32.{a}.E4M3"), 4, 1, 4);
        on_warpgroups(&code[&narrow], &narrow, &format!("QGMMA.64x128x32.F32.{a}.E4M3"), 4, 1, 2);
    }
    // Both halves of the columns, each added to its sums.
    let fp32 = "fp8_sm90_e4m3_fp32_4_2";
    on_warpgroups(&code[fp32], fp32, "QGMMA.64x128x32.F32.E4M3.E4M3", 8, 2, 4);
    assert_eq!(count(code[fp32].inner_loop("QGMMA", 1), "FADD"), 128);
    for blocks in [4, 1] {
        // A stage alone; and four, of which each is multiplied while the one before is added.
        let narrow = format!("fp8_sm90_e4m3_fp32_narrow_6_{blocks}");
        on_warpgroups(&code[&narrow], &narrow, "QGMMA.64x128x32.F32.E4M3.E4M3", 4, 1, 2);
        let main = code[&narrow].main_loop("QGMMA");
        let found =
            ["QGMMA", "FADD", "WARPGROUP.DEPBAR", "SYNCS.ARRIVE"].map(|what| count(main, what));
        assert_eq!(found, [16, 256, 4, 4], "{narrow}");
        assert!(main.len() <= 600, "{narrow}: {} instructions in the main loop", main.len());
    }
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e4m3, 4, 2>>("fp8_sm90");
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e4m3_narrow, 6, 4>>("fp8_sm90");
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e4m3_fp32, 4, 2>>("fp8_sm90");
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e4m3_fp32_narrow, 6, 4>>("fp8_sm90");
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e5m2, 4, 2>>("fp8_sm90");
    launched::<fp8_sm90::fp8_sm90<fp8_sm90::form::e5m2_narrow, 6, 4>>("fp8_sm90");
}
#[test]
fn weights_of_4_bits_become_halves_between_products() {
    // Four sums at a time of another block's, where two share K.
    let code = clean_but("w4_sm90", |kernel| match kernel.strip_suffix("_2") {
        Some(tiles) if tiles.contains("sm90") && tiles.contains("_64_") => 8,
        Some(tiles) if tiles.contains("sm90") => 16,
        _ => 0,
    });
    for (kernel, code) in &code {
        let mut numbers = kernel.split('_').filter_map(|word| word.parse::<usize>().ok());
        let (rows, m16_tiles) = (numbers.next().expect("rows"), numbers.next().expect("strips"));
        if kernel.contains("few") {
            // A turn of the loop has all stages, but for few rows and m16_tiles. A strip's 16
            // registers of two halves, 4 steps along K for each eight of rows. (Scales of f16
            // become fp32 by HADD2.)
            let stages =
                if (rows, m16_tiles) == (1, 2) { 1 } else { numbers.nth(1).expect("stages") };
            let main = code.main_loop("HMMA");
            let found = ["HMMA.16816.F32", "HADD2", "LDSM.16.M88.4"].map(|what| count(main, what));
            let scales = if kernel.contains("bf16") { 0 } else { 2 };
            assert_eq!(
                found,
                [4 * rows * m16_tiles, (16 + scales) * m16_tiles, 2 * rows]
                    .map(|each| stages * each),
                "{kernel}"
            );
            let most = if stages == 1 { 220 } else { stages * (40 + m16_tiles * (48 + 13 * rows)) };
            assert!(main.len() <= most, "{kernel}: {} instructions, {most}", main.len());
            // Two blocks on a multiprocessor: the next launch's begin while these end.
            assert!(code.registers <= 104, "{kernel}: {} registers", code.registers);
        } else {
            // Two pieces of a stage.
            let pieces = 2;
            let main = code.inner_loop("HGMMA", 1);
            let found = ["HGMMA", "WARPGROUP.DEPBAR", "SYNCS.PHASECHK", "SYNCS.ARRIVE"]
                .map(|what| count(main, what));
            assert_eq!(found, [4 * pieces, pieces, 1, 1], "{kernel}");
            // Each of a piece's 16 registers: a mask, a difference, a product, and a shift for
            // three of four.
            assert_eq!(count(main, "HMUL2"), 16 * pieces, "{kernel}");
            assert!(main.len() <= 200, "{kernel}: {} instructions", main.len());
        }
    }
    launched::<w4_few::w4_few<bf16, 1, 2, 8, 4>>("w4_sm90");
    launched::<w4_few::w4_few<f16, 2, 4, 8, 3>>("w4_sm90");
    launched::<w4_sm90::w4_sm90<bf16, 64, 7, 2>>("w4_sm90");
    launched::<w4_sm90::w4_sm90<f16, 256, 2, 1>>("w4_sm90");
}
#[test]
fn the_way_of_a_product_is_that_of_its_rows() {
    let of = |m, n, k| Strategy::fastest_for(m, n, k, 132).expect("a way");
    // A block of 64 rows of W for each multiprocessor, or there are more of 32.
    assert_eq!(
        [of(8, 14336, 4096), of(8, 4096, 4096)],
        [4, 2].map(|m16_tiles| Strategy::SmallM { n8_tiles: 1, m16_tiles })
    );
    assert_eq!(
        [of(9, 14336, 4096), of(16, 4096, 14336)],
        [4, 2].map(|m16_tiles| Strategy::SmallM { n8_tiles: 2, m16_tiles })
    );
    assert!(matches!(of(17, 4096, 4096), Strategy::Tiles { rows: 64, .. }));
    // One stage is not shared, and a device of one multiprocessor has an answer.
    assert!(matches!(of(100, 128, 128), Strategy::Tiles { parts: 1, .. }));
    assert!(Strategy::fastest_for(100, 4096, 4096, 1).is_ok());
    assert_eq!(Strategy::fastest_for(0, 128, 128, 132), Err("no product: X has no row"));
    assert_eq!(
        Strategy::fastest_for(1, 100, 128, 132),
        Err("no product: the rows of W are no multiple of 128")
    );
    let refused = "no product: the columns of W are no multiple of 128";
    assert_eq!(
        [Strategy::fastest_for(1, 128, 64, 132), Strategy::fastest_for(1, 128, 0, 132)],
        [Err(refused), Err(refused)]
    );
}
#[test]
fn grouped_sm90_is_products_of_warpgroups_too() {
    let code = clean("grouped_sm90");
    for kernel in ["grouped_sm90_f16", "grouped_sm90_bf16"] {
        on_warpgroups(&code[kernel], kernel, "HGMMA.64x256x16.F32", 4, 1, 4);
        // A and half of B, which is for both blocks of the cluster, or A for both and all of B; a
        // ragged end leaves by 64 stores of two numbers, sums for another cluster by 32 of four,
        // and with a flag, which that one sets back.
        assert_eq!(
            (code[kernel].count("UTMALDG.3D"), code[kernel].count("UTMALDG.3D.MULTICAST")),
            (5, 2),
            "{kernel}"
        );
        assert_eq!(
            (code[kernel].count("STG"), code[kernel].count("STG.E.128")),
            (64 + 32 + 2, 32),
            "{kernel}"
        );
    }
    launched::<grouped_sm90::grouped_sm90<f16>>("grouped_sm90");
    launched::<grouped_sm90::grouped_sm90<bf16>>("grouped_sm90");
    for (kernel, code) in code.iter().filter(|(kernel, _)| kernel.contains("few")) {
        let mut numbers = kernel.split('_').filter_map(|word| word.parse::<usize>().ok());
        let (n8_tiles, m16_tiles) =
            (numbers.next().expect("rows") / 8, numbers.next().expect("strips"));
        // Four steps along K: a strip of B by four reads, A by two for each eight of rows, of what
        // as many copies have brought.
        let main = code.main_loop("HMMA");
        let found =
            ["HMMA.16816.F32", "LDSM.16.M88.4", "LDGSTS", "BAR"].map(|what| count(main, what));
        let reads = 4 * m16_tiles + 2 * n8_tiles;
        assert_eq!(found, [4 * m16_tiles * n8_tiles, reads, reads, 0], "{kernel}");
        // Two blocks on a multiprocessor.
        assert!(code.registers <= 128, "{kernel}: {} registers", code.registers);
    }
    launched::<grouped_few::grouped_few<f16, 8, 1, 4>>("grouped_sm90");
    launched::<grouped_few::grouped_few<bf16, 16, 1, 3>>("grouped_sm90");
    launched::<grouped_few::grouped_few<bf16, 16, 2, 2>>("grouped_sm90");
}
#[test]
fn every_row_of_every_group_is_in_one_tile() {
    // (No kernel is looked at: the schedule is the host's too.)
    let rows = [0, 1, 127, 128, 129, 0, 0, 700, 5, 0];
    let offsets: Vec<u32> = (0..=rows.len()).map(|group| rows[..group].iter().sum()).collect();
    for (columns, clusters, depth) in
        [(1, 1, 7), (3, 1, 64), (3, 4, 64), (2, 66, 64), (2, 66, 224), (3, 66, 8)]
    {
        let mut seen = vec![0; 2 * offsets[rows.len()] as usize * columns as usize];
        let rows_of = |group: u32| (offsets[group as usize], offsets[group as usize + 1]);
        for cluster in 0..clusters {
            let mut schedule = Schedule::<128>::new(rows.len() as u32, columns);
            for share in StreamK::new(schedule.count_tiles(rows_of), depth, clusters, cluster) {
                let tile = schedule.find_tile(share.tile, rows_of).expect("there is such a tile");
                let Tile { group, rows: (first, end), .. } = tile;
                assert_eq!((first, end), (offsets[group as usize], offsets[group as usize + 1]));
                // Whoever adds up finds the other parts where they are left.
                assert!(share.part == 0 || share.part * share.cluster_stride <= cluster);
                let (from, to) = share.k_tile_range(depth);
                assert!(from < to);
                // Columns of blocks are half of a cluster's.
                for (row, column, above) in [0, 1].map(|rank| tile.tile_of_block(rank)) {
                    assert!(above || row % 2 == 0, "two blocks side by side are below all others");
                    for row in (first + 128 * row as u32..end).take(128) {
                        seen[(2 * row * columns) as usize + column] += to - from;
                    }
                }
            }
        }
        assert!(seen.iter().all(|steps| *steps == depth), "{columns} columns, {clusters} clusters");
    }
}
