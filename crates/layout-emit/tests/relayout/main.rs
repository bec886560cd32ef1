//! Runs kernels and compares every element: CUDA kernels as C++ on the CPU, if g++ is installed,
//! and WGSL kernels on any GPU, if `EMIT_GPU` names the program that runs them.
//!
//! The relayouts are some known ones and random ones: `EMIT_RELAYOUTS` sets their number,
//! `EMIT_SEED` the seed, which otherwise changes with each day or commit, and `EMIT_FIRST` the
//! first number. `EMIT_PACK` names a folder for CUDA programs that a machine with a card compiles
//! and runs alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout_algebra::DynStride;
use layout_algebra::prelude::*;
use layout_emit::{Language, Launch, NamedLayout, RelayoutKernel};

mod draws;
#[path = "../run/layouts.rs"]
#[allow(dead_code, reason = "the other test takes the layouts too")]
mod layouts;
mod refusals;
use draws::{Job, draw_job};
use layouts::{Oracle, Random, number_of, seed};

/// Common relayouts, at small sizes.
const KNOWN: [(&str, &str); 13] = [
    ("(192,256):(256,1)", "(192,256):(1,192)"),
    ("(101,203):(203,1)", "(101,203):(1,101)"),
    ("(2,48,14,15):(10080,210,15,1)", "(2,48,14,15):(10080,1,720,48)"),
    ("(2,48,14,15):(10080,1,720,48)", "(2,48,14,15):(10080,210,15,1)"),
    ("(32,24,20):(480,20,1)", "(32,24,20):(1,32,768)"),
    ("(32,24,20):(480,20,1)", "(32,24,20):(480,1,24)"),
    ("(32,24,20):(480,20,1)", "(32,24,20):(20,640,1)"),
    ("(6,6,6,6,6,6):(7776,1296,216,36,6,1)", "(6,6,6,6,6,6):(1,216,6,1296,36,7776)"),
    ("(7,21,33,9,10):(62370,2970,90,10,1)", "(7,21,33,9,10):(6930,33,1,48510,693)"),
    ("(2,16,32,128):(65536,4096,128,1)", "(2,16,32,128):(65536,128,2048,1)"),
    // Channels in groups of 32, windows of an image, and an operand of tensor cores.
    ("(2,(32,2),14,15):(13440,(210,6720),15,1)", "(2,(32,2),14,15):(13440,(1,6720),480,32)"),
    ("(3,3,30,30):(1,32,1,32)", "(3,3,30,30):(1,3,9,270)"),
    ("((8,2),(2,4,2,8)):((256,2048),(1,2,8,16))", "((8,2),(2,4,2,8)):((8,2),(1,64,4,256))"),
];

/// Relayouts that failed once: the axis after the target's row is not the source's fastest axis;
/// vectors of a row reach into the next row in shared memory.
const WRONG_ONCE: [(&str, &str, usize); 7] = [
    ("(17,2,16):(32,16,1)", "(17,2,16):(1,17,34)", 4),
    ("(33,2,32):(64,32,1)", "(33,2,32):(1,33,66)", 2),
    ("(45,2,58):(116,58,1)", "(45,2,58):(1,45,90)", 1),
    ("(49,100,45):(1,49,4900)", "(49,100,45):(4500,45,1)", 4),
    ("(8,8,2,7,8,2):(1,8,64,128,896,7168)", "(8,8,2,7,8,2):(2816,256,128,16,2,1)", 1),
    ("(2,4,83,31):(1,192,2,192)", "(2,4,83,31):(1,2,8,664)", 1),
    ("(133,3,16):(1,136,408)", "(133,3,16):(48,16,1)", 4),
];

/// Texts of the parts of CUDA's kernels that others lack: the test runs each part.
const TEMPLATES: [&str; 6] = [
    "bank conflicts; no linear",
    "constexpr unsigned int down",
    "*>(to + a0 + b0 + c) = words[j]",
    "*>(tile + width",
    "__funnelshift_l",
    "] = element[k]",
];

fn known_jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut push = |name: String, from: &str, to: &str, bytes: usize| {
        jobs.push(Job { name, from: Oracle::read(from), to: Oracle::read(to), bytes });
    };
    for (k, (from, to)) in KNOWN.iter().enumerate() {
        // Wide elements use the plain templates: only some relayouts.
        for bytes in [1, 2, 4, if k % 2 == 0 { 8 } else { 16 }] {
            push(format!("known{k}_{bytes}"), from, to, bytes);
        }
    }
    for (k, (from, to)) in WITHOUT_AXES.iter().enumerate() {
        for bytes in [1, 2, 4, 8, 16] {
            push(format!("odd{k}_{bytes}"), from, to, bytes);
        }
    }
    for (k, (from, to, bytes)) in WRONG_ONCE.iter().enumerate() {
        push(format!("wrong{k}"), from, to, *bytes);
    }
    jobs
}

/// The known and the random relayouts, in groups.
fn for_each_batch(what: &str, size: usize, mut run: impl FnMut(usize, &[Job])) {
    let (seed, count, first) =
        (seed(), number_of("EMIT_RELAYOUTS", 10), number_of("EMIT_FIRST", 0));
    println!("{what}: {count} draws of EMIT_SEED={seed} from EMIT_FIRST={first} on");
    let known = if first == 0 { known_jobs() } else { Vec::new() };
    let mut all =
        known.into_iter().chain((first..first + count).map(|number| draw_job(seed, number)));
    for batch in 0.. {
        let jobs: Vec<Job> = all.by_ref().take(size).collect();
        if jobs.is_empty() {
            break;
        }
        run(batch, &jobs);
        if batch % 50 == 49 {
            println!("{what}: {} kernels are right", (batch + 1) * size);
        }
    }
    println!("{what}: all kernels are right");
}

/// Layouts without common axes: swizzles, XOR and negative strides, extents that do not divide one
/// another.
const WITHOUT_AXES: [(&str, &str); 8] = [
    ("(64,64):(64,1)", "Sw<3,3,3> o 0 o (64,64):(1,64)"),
    ("Sw<3,3,3> o 64 o (64,64):(64,1)", "(64,64):(-1,64)"),
    ("(8,8):(^1,^9)", "(8,8):(8,1)"),
    ("(8,8):(1,8)", "(8,8):(^1,^9)"),
    ("(31,7):(-7,-1)", "(7,31):(-31,1)"),
    ("(4,6):(1,4)", "(3,8):(8,1)"),
    ("(35,99):(99,1)", "(21,165):(165,1)"),
    ("1:0", "1:5"),
];

fn folder(name: &str) -> PathBuf {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn call(folder: &Path, command: &[&str]) {
    let mut call = Command::new(command[0]);
    // Mesa's software GPU: for small kernels, its threads only wait for one another.
    call.env("LP_NUM_THREADS", "0").env("MESA_SHADER_CACHE_DISABLE", "true");
    let ran = call.args(&command[1..]).current_dir(folder).output().expect(command[0]);
    assert!(ran.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// The memory of a layout; its bytes differ from element to element.
fn memory(layout: &Oracle, bytes: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..(layout.room() * bytes).next_multiple_of(16)).map(|_| random.next() as u8).collect()
}

/// The target after the kernel; `before` is the target before the kernel.
fn moved(job: &Job, from: &[u8], before: &[u8]) -> Vec<u8> {
    let mut to = before.to_vec();
    let below = [&job.from, &job.to].map(|layout| layout.reach().0);
    for i in 0..job.from.inner().size() {
        let [a, b] = [job.from.at(i) - below[0], job.to.at(i) - below[1]]
            .map(|offset| offset as usize * job.bytes);
        to[b..b + job.bytes].copy_from_slice(&from[a..a + job.bytes]);
    }
    to
}

/// Compares the target with the expected target.
fn check(job: &Job, found: &[u8]) {
    let expected = moved(job, &memory(&job.from, job.bytes, 1), &memory(&job.to, job.bytes, 2));
    let wrong = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
    let [from, to] = [job.from.named(), job.to.named()];
    let sizes = [found.len(), expected.len()];
    assert!(
        wrong == 0 && sizes[0] == sizes[1],
        "{}: {from} to {to}, elements of {} bytes: {wrong} wrong bytes",
        job.name,
        job.bytes
    );
}

fn kernel(job: &Job) -> RelayoutKernel {
    let [from, to] = [job.from.named(), job.to.named()];
    RelayoutKernel::by_number(&from, &to, job.bytes).expect(&job.name).name(&job.name)
}

fn emit(job: &Job, language: Language) -> String {
    let [from, to] = [job.from.named(), job.to.named()];
    kernel(job)
        .emit(language)
        .unwrap_or_else(|error| panic!("{}: {from} to {to}: {error}", job.name))
}

/// The kernel, its launch, and the type of its elements.
fn cuda_kernel(job: &Job) -> (String, Launch, &'static str) {
    let code = emit(job, Language::Cuda);
    let launch = kernel(job).launch(Language::Cuda).expect("as its kernel");
    // The text and the kernel's launch agree.
    let [blocks, threads] = [launch.groups[0], launch.threads];
    assert!(code.contains(&format!("<<<{blocks}u, {threads}u, 0, stream>>>")), "{code}");
    assert!(code.contains(&format!(" void __launch_bounds__({threads}")), "{code}");
    assert!(!code.contains("[&]("), "NVRTC takes a lambda for a function of the host: {code}");
    assert_eq!((&launch.entry, &launch.groups[1..]), (&job.name, &[1, 1][..]));
    let elements = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"];
    let element = elements
        .into_iter()
        .find(|element| code.contains(&format!("{}(const {element} *", job.name)));
    (code, launch, element.expect("the type of an element"))
}

/// The launches of WGSL agree with the text, and buffers have room for both layouts.
#[test]
fn launches_are_those_of_the_kernels() {
    for_each_batch("launches", 40, |_, jobs| {
        for job in jobs {
            let (code, launch) = (emit(job, Language::Wgsl), kernel(job).launch(Language::Wgsl));
            let Launch { groups: [x, y, z], threads, workgroup_bytes, buffer_bytes, entry } =
                launch.expect("as its kernel");
            assert!(code.contains(&format!("dispatch_workgroups({x}, {y}, {z})")), "{code}");
            assert!(code.contains(&format!("@workgroup_size({threads})\nfn {entry}(")), "{code}");
            let needs = format!("The device needs {workgroup_bytes} bytes of workgroup memory");
            assert_eq!(code.contains(&needs), workgroup_bytes > 16_384, "{code}");
            assert_eq!(code.contains("var<workgroup>"), workgroup_bytes > 0, "{code}");
            assert!(workgroup_bytes <= 32_768, "more than Mesa has: {code}");
            let rooms = [&job.from, &job.to].map(|of| (of.room() * job.bytes).next_multiple_of(16));
            assert_eq!(buffer_bytes, rooms.map(|room| room as u64), "{}", job.name);
            let cuda = kernel(job).launch(Language::Cuda).expect("as its kernel");
            assert!(cuda.workgroup_bytes <= 48 << 10, "more than a block has: {cuda:?}");
        }
    });
}

/// Whether g++ is installed; otherwise a line says that nothing ran.
fn has_compiler() -> bool {
    let output = Command::new("g++").arg("--version").output();
    let is_there = output.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("NOT RUN: there is no g++");
    }
    is_there
}

/// Compiles a program of C++ and runs it.
fn run_program(folder: &Path, program: &str) {
    fs::write(folder.join("program.cpp"), program).expect("written");
    let flags = ["-O0", "-fno-strict-aliasing", "-Wno-unknown-pragmas"];
    call(folder, &[&["g++"][..], &flags, &["program.cpp", "-o", "program"]].concat());
    call(folder, &["./program"]);
}

/// Layouts with a mode whose stride exceeds 31 bits, in either memory, outside and within tiles,
/// and a text of the template that their kernels use.
const FAR_APART: [(&str, &str, usize, &str); 13] = [
    ("(64,64,2):(1,64,2200000000)", "(64,64,2):(64,1,4096)", 4, "bank conflicts"),
    ("(64,64,2):(1,64,4096)", "(64,64,2):(64,1,4300000000)", 2, "bank conflicts"),
    (
        "(381,383,2):(1,381,2200000000)",
        "(381,383,2):(383,1,145923)",
        1,
        "constexpr unsigned int down",
    ),
    (
        "(381,383,2):(1,381,145923)",
        "(381,383,2):(383,1,4300000001)",
        2,
        "constexpr unsigned int down",
    ),
    ("(381,383):(1,2200000001)", "(381,383):(383,1)", 4, "constexpr unsigned int down"),
    ("(381,383):(1,381)", "(381,383):(4300000001,1)", 2, "constexpr unsigned int down"),
    ("(40,3,37):(1,4300000000,40)", "(40,3,37):(3,1,120)", 4, "__shared__"),
    ("(40,3,37):(3,1,120)", "(40,3,37):(1,2200000001,40)", 8, "__shared__"),
    ("(9,11,13,2):(1,9,99,2200000001)", "(9,11,13,2):(143,13,1,1287)", 1, "skew = source &"),
    ("(9,11,13,2):(143,13,1,1287)", "(9,11,13,2):(1,9,99,4300000003)", 1, "skew = source &"),
    ("(9,11,13,2):(1,9,4300000007,99)", "(9,11,13,2):(143,13,1,1287)", 2, "skew = source &"),
    // The parts of a thread and of a round have 32 bits, and their sum has more.
    ("(91,7,80):(1,91,637)", "(91,7,80):(48150800,80,1)", 1, "skew = source &"),
    ("(100,2):(1,4300000001)", "(100,2):(1,100)", 4, "place[k] = "),
];

#[test]
fn kernels_of_cuda_have_offsets_beyond_31_bits() {
    if !has_compiler() {
        return;
    }
    let folder = folder("relayout-far");
    let (mut program, mut main) = (include_str!("blocks.h").to_string(), String::new());
    for (k, (from, to, bytes, part)) in FAR_APART.into_iter().enumerate() {
        let [from, to] = [from, to].map(Oracle::read);
        let [a, b] = [&from, &to].map(|layout| leaves(layout).expect("a sum"));
        let job = Job { name: format!("far{k}"), from, to, bytes };
        let (code, launch, element) = cuda_kernel(&job);
        assert!(code.contains("unsigned long long") && code.contains(part), "{part}: {code}");
        let (name, blocks, threads) = (&job.name, launch.groups[0], launch.threads);
        program += &format!(
            "{code}static void run_{name}() {{ {name}((const {element} *)from, ({element} *)to); }}\n"
        );
        main += &format!(
            "    sparse(\"{name}\", {bytes}, {a}, {b}, {blocks}, {threads}, run_{name});\n"
        );
    }
    run_program(&folder, &format!("{program}int main() {{\n{main}}}\n"));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn kernels_of_cuda_move_every_element() {
    if std::env::var_os("EMIT_PACK").is_some() {
        return;
    }
    if !has_compiler() {
        return;
    }
    let folder = folder("relayout-cuda");
    let mut templates = TEMPLATES.to_vec();
    for_each_batch("kernels of CUDA as C++", 40, |_, jobs| {
        let (mut program, mut main) = (include_str!("blocks.h").to_string(), String::new());
        for (k, job) in jobs.iter().enumerate() {
            let Job { name, from, to, bytes } = job;
            let (code, launch, element) = cuda_kernel(job);
            templates.retain(|template| !code.contains(template));
            let ([blocks, ..], threads, [a, b]) =
                (launch.groups, launch.threads, launch.buffer_bytes);
            program += &format!(
                "{code}static void run_{name}() {{ {name}((const {element} *)from, ({element} *)to); }}\n"
            );
            // Every other relayout ends where memory ends; the others begin where memory begins.
            let at_end = k % 2;
            main += &format!(
                "    from = contents(\"{name}.from\", {a}, {at_end}); to = contents(\"{name}.to\", {b}, {at_end});\n    \
                 launch({blocks}, {threads}, run_{name}); written(\"{name}.to\", to, {b}); release();\n"
            );
            fs::write(folder.join(format!("{name}.from")), memory(from, *bytes, 1))
                .expect("written");
            fs::write(folder.join(format!("{name}.to")), memory(to, *bytes, 2)).expect("written");
        }
        run_program(&folder, &format!("{program}int main() {{\n{main}}}\n"));
        for job in jobs {
            let [from, to] = ["from", "to"].map(|side| folder.join(format!("{}.{side}", job.name)));
            check(job, &fs::read(&to).expect("results"));
            [from, to].iter().for_each(|file| fs::remove_file(file).expect("removed"));
        }
    });
    let all_known = number_of("EMIT_FIRST", 0) == 0;
    assert!(!all_known || templates.is_empty(), "no kernel has {templates:?}");
    fs::remove_dir_all(folder).expect("removed");
}

/// Programs for a machine with a card, which make their own memory and compute the offset of each
/// element: only layouts that are sums of modes, which a line of numbers describes.
#[test]
fn programs_of_cuda_are_packed_for_a_card() {
    let Some(pack) = std::env::var_os("EMIT_PACK").map(PathBuf::from) else { return };
    fs::create_dir_all(&pack).expect("a folder");
    fs::write(pack.join("card.h"), include_str!("card.h")).expect("written");
    fs::write(pack.join("run"), include_str!("card.sh")).expect("written");
    let mut count = 0;
    for_each_batch("programs of CUDA", 40, |batch, jobs| {
        let (mut program, mut main) = ("#include \"card.h\"\n".to_string(), String::new());
        for job in jobs {
            let [Some(from), Some(to)] = [&job.from, &job.to].map(leaves) else { continue };
            let (code, ..) = cuda_kernel(job);
            let Job { name, bytes, .. } = job;
            program += &code;
            main += &format!("    check(\"{name}\", {name}_launch, {bytes}, {from}, {to});\n");
            count += 1;
        }
        let text = format!("{program}int main() {{\n{main}    return ended();\n}}\n");
        fs::write(pack.join(format!("program{batch}.cu")), text).expect("written");
    });
    println!("{count} kernels in {}: sh run", pack.display());
}

/// The extents and strides in C++, for layouts that are sums of modes.
fn leaves(layout: &Oracle) -> Option<String> {
    let Oracle::Plain(layout) = layout else { return None };
    let stride = |stride| match stride {
        DynStride::Natural(stride) => Some(stride as i64),
        DynStride::Negative(stride) => Some(-(stride as i64)),
        DynStride::Xor(_) => None,
    };
    let strides = layout.strides().map(stride).collect::<Option<Vec<_>>>()?;
    let leaves = layout.shape().leaves().to_vec().into_iter().zip(strides);
    let leaves: Vec<_> = leaves.map(|(extent, stride)| format!("{{{extent}, {stride}}}")).collect();
    Some(format!("{{{}}}", leaves.join(", ")))
}

#[test]
fn kernels_of_wgsl_move_every_element() {
    let Some(gpu) = std::env::var_os("EMIT_GPU") else {
        println!("NOT RUN: EMIT_GPU names no program");
        return;
    };
    let gpu = gpu.to_str().expect("a path");
    let folder = folder("relayout-wgsl");
    for_each_batch("kernels of WGSL", 100, |_, jobs| {
        let mut list = String::new();
        for job in jobs {
            let Job { name, from, to, bytes } = job;
            let code = emit(job, Language::Wgsl);
            let groups = code.split_once("dispatch_workgroups(").expect("the launch").1;
            let groups: Vec<&str> = groups.split(", ").take(2).collect();
            list +=
                &format!("{name} {} {} {name}.wgsl {name}.from {name}.to\n", groups[0], groups[1]);
            fs::write(folder.join(format!("{name}.wgsl")), &code).expect("written");
            fs::write(folder.join(format!("{name}.from")), memory(from, *bytes, 1))
                .expect("written");
            fs::write(folder.join(format!("{name}.to")), memory(to, *bytes, 2)).expect("written");
        }
        fs::write(folder.join("list"), list).expect("written");
        call(&folder, &[gpu, "--batch", "list"]);
        for job in jobs {
            let [code, from, to] =
                ["wgsl", "from", "to"].map(|end| folder.join(format!("{}.{end}", job.name)));
            check(job, &fs::read(&to).expect("results"));
            [code, from, to].iter().for_each(|file| fs::remove_file(file).expect("removed"));
        }
    });
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn what_is_not_known_to_be_right_is_refused() {
    let refused =
        |from: &DynLayout, to: &NamedLayout, language: Language| match RelayoutKernel::new(
            from, to, 4,
        )
        .and_then(|relayout| relayout.emit(language))
        {
            Err(error) => error.to_string(),
            Ok(code) => panic!("{from} to {to}:\n{code}"),
        };
    for to in [
        "(4,6):(1,3)",
        "(4,6):(0,1)",
        "(4,6):(-1,3)",
        "((2,2),6):((^1,^1),4)",
        "Sw<1,0,1> o 3 o (4,6):(1,3)",
    ] {
        let from = DynLayout::left(&DynShape::from([4, 6]));
        let error = refused(&from, &to.parse::<NamedLayout>().expect(to), Language::Cuda);
        assert!(
            error.starts_with("two elements go to one place: ") && error.contains(to),
            "{error}"
        );
    }
    // Only CUDA has offsets beyond 32 bits.
    let wide: [DynLayout; 2] = ["(65536,65536):(65536,1)", "(65536,65536):(1,65536)"]
        .map(|text| text.parse().expect(text));
    assert!(
        refused(&wide[0], &NamedLayout::from(&wide[1]), Language::Wgsl)
            .contains("no numbers of 64 bits")
    );
    let code = RelayoutKernel::new(&wide[0], &wide[1], 2)
        .expect("a kernel")
        .emit(Language::Cuda)
        .expect("code");
    assert!(code.contains("const unsigned long long block = blockIdx.x;"), "{code}");
    assert!(code.contains("__shared__"), "{code}");
}
