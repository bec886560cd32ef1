//! Kernels run and compared at every element: those of CUDA as C++ on the CPU, where there is a g++, and those of WGSL on
//! whatever GPU there is, where `EMIT_GPU` names the program that runs them.
//!
//! `EMIT_RELAYOUTS` says how many random pairs of layouts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use layout_algebra::prelude::*;
use layout_emit::{Language, NamedLayout, Relayout};

#[path = "../run/layouts.rs"]
#[allow(dead_code, reason = "the other test takes the layouts too")]
mod layouts;
use layouts::{Oracle, Random, layout};

struct Job {
    name: String,
    from: Oracle,
    to: Oracle,
    bytes: usize,
}

/// The relayouts that people wait for, in small.
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
    ("(4,64,32,128):(262144,4096,128,1)", "(4,64,32,128):(262144,128,8192,1)"),
    // Channels in groups of 32, windows of an image, and the operand of a tensor core.
    ("(2,(32,2),14,15):(13440,(210,6720),15,1)", "(2,(32,2),14,15):(13440,(1,6720),480,32)"),
    ("(3,3,30,30):(1,32,1,32)", "(3,3,30,30):(1,3,9,270)"),
    ("((8,2),(2,4,2,8)):((256,2048),(1,2,8,16))", "((8,2),(2,4,2,8)):((8,2),(1,64,4,256))"),
];

fn jobs() -> Vec<Job> {
    let mut jobs = Vec::new();
    for (k, (from, to)) in KNOWN.iter().enumerate() {
        // Wide elements are those of the plain ones: some of them.
        for bytes in [1, 2, 4, if k % 2 == 0 { 8 } else { 16 }] {
            let (from, to) = (Oracle::read(from), Oracle::read(to));
            jobs.push(Job { name: format!("known{k}_{bytes}"), from, to, bytes });
        }
    }
    let count = std::env::var("EMIT_RELAYOUTS").map_or(16, |text| text.parse().expect("a number"));
    let mut random = Random(5);
    for k in 0..count {
        let rank = 1 + random.below(5);
        let mut extents: Vec<usize> = Vec::new();
        for _ in 0..rank {
            let most = (40_000 / extents.iter().product::<usize>()).clamp(1, 300);
            extents.push(1 + random.below(most));
        }
        let mut order = |gap: bool| {
            let mut order: Vec<usize> = (0..rank).collect();
            (1..rank).rev().for_each(|k| order.swap(k, random.below(k + 1)));
            let (mut strides, mut next) = (vec![0; rank], 1);
            for at in order {
                strides[at] = next;
                next *= extents[at] + if gap { random.below(3) } else { 0 };
            }
            DynLayout::new(
                DynShape::tuple(extents.iter().copied().map(DynShape::from)).expect("a shape"),
                DynShape::tuple(strides.into_iter().map(DynShape::from)).expect("strides"),
            )
            .expect("a layout")
        };
        let (from, to) = (Oracle::Plain(order(k % 3 == 0)), Oracle::Plain(order(k % 4 == 0)));
        jobs.push(Job { name: format!("random{k}"), from, to, bytes: 1 << random.below(5) });
    }
    // Planes of long rows, which begin anywhere, in any order and with or without gaps.
    for k in 0..count {
        let [planes, high, wide] = [1 + random.below(3), 64 + random.below(100), 64 + random.below(100)];
        let [x, y] = if k % 4 == 0 { [random.below(3), random.below(3)] } else { [0, 0] };
        let (row, column) = (wide + x, high + y);
        let from = format!("({wide},{high},{planes}):(1,{row},{})", row * high);
        let to = match k % 3 {
            0 => format!("({wide},{high},{planes}):({},1,{column})", column * planes),
            _ => format!("({wide},{high},{planes}):({column},1,{})", column * wide),
        };
        let (from, to) = (Oracle::read(&from), Oracle::read(&to));
        jobs.push(Job { name: format!("planes{k}"), from, to, bytes: 1 << random.below(3) });
    }
    // Windows that overlap, of images with rows of any pitch, side by side or every other one.
    for k in 0..count {
        let [high, wide] = [1 + random.below(5), 1 + random.below(7)];
        let [rows, columns, images] = [1 + random.below(40), 1 + random.below(90), 1 + random.below(3)];
        let step = 1 + k / 2 % 2;
        let reach = step * (columns - 1) + wide;
        let pitch = if k % 2 == 0 { (reach + 1).next_multiple_of(32) } else { reach };
        let image = pitch * (rows + high - 1);
        let [a, b, c, d] = [wide, wide * high, wide * high * columns, wide * high * columns * rows];
        let from = format!("({wide},{high},{columns},{rows},{images}):(1,{pitch},{step},{pitch},{image})");
        let to = format!("({wide},{high},{columns},{rows},{images}):(1,{a},{b},{c},{d})");
        let (from, to) = (Oracle::read(&from), Oracle::read(&to));
        jobs.push(Job { name: format!("windows{k}"), from, to, bytes: 1 << random.below(5) });
    }
    for (k, (from, to)) in WITHOUT_AXES.iter().enumerate() {
        for bytes in [1, 2, 4, 8, 16] {
            jobs.push(Job { name: format!("odd{k}_{bytes}"), from: Oracle::read(from), to: Oracle::read(to), bytes });
        }
    }
    // Of every kind: the target has an offset for each element, and both are small.
    for k in 0..count {
        let mut of_size = |is_target: bool, size: Option<usize>| loop {
            let found = layout(&mut random);
            let inner = found.inner();
            if size.is_none_or(|size| inner.size() == size) && (!is_target || inner.is_injective()) {
                let (lo, hi) = found.reach();
                if hi - lo < 1 << 20 {
                    return found;
                }
            }
        };
        let to = of_size(true, None);
        let from = of_size(false, Some(to.inner().size()));
        jobs.push(Job { name: format!("any{k}"), from, to, bytes: 1 << random.below(5) });
    }
    jobs
}

/// Layouts that have no common axes: swizzles, XOR and negative strides, extents that do not divide one another.
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
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn call(folder: &Path, command: &[&str]) {
    let ran = Command::new(command[0]).args(&command[1..]).current_dir(folder).output().expect(command[0]);
    assert!(ran.status.success(), "{command:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// Memory of a layout, of bytes that differ from element to element.
fn memory(layout: &Oracle, bytes: usize, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    (0..(layout.room() * bytes).next_multiple_of(16)).map(|_| random.next() as u8).collect()
}

/// What the target holds after the kernel, which was `before`.
fn moved(job: &Job, from: &[u8], before: &[u8]) -> Vec<u8> {
    let mut to = before.to_vec();
    let below = [&job.from, &job.to].map(|layout| layout.reach().0);
    for i in 0..job.from.inner().size() {
        let [a, b] = [job.from.at(i) - below[0], job.to.at(i) - below[1]].map(|offset| offset as usize * job.bytes);
        to[b..b + job.bytes].copy_from_slice(&from[a..a + job.bytes]);
    }
    to
}

#[test]
fn kernels_of_cuda_move_every_element() {
    if !Command::new("g++").arg("--version").output().is_ok_and(|output| output.status.success()) {
        println!("NOT RUN: there is no g++");
        return;
    }
    // With EMIT_PACK, programs of small jobs for a machine with a GPU, which write `*.to` as `*.expected`.
    let pack = std::env::var_os("EMIT_PACK").map(PathBuf::from);
    let all: Vec<Job> =
        jobs().into_iter().filter(|job| pack.is_none() || job.to.room() * job.bytes < 1 << 16).collect();
    for (batch, jobs) in all.chunks(20).enumerate() {
        let folder = match &pack {
            Some(pack) => pack.join(format!("relayout-{batch}")),
            None => folder("relayout-cuda"),
        };
        fs::create_dir_all(&folder).expect("a folder");
        let (mut program, mut main) = (include_str!("blocks.h").to_string(), String::new());
        program += "static void *from, *to;\n";
        for job in jobs {
            let Job { name, from, to, bytes } = job;
            let relayout = Relayout::new(from.named(), to.named(), *bytes).expect(name).name(name);
            let code = relayout.emit(Language::Cuda).unwrap_or_else(|error| panic!("{name}: {error}"));
            let (_, end) = code.split_once("#else\n// ").expect("the number of blocks");
            let (blocks, end) = end.split_once(" blocks of ").expect("a number");
            let (threads, _) = end.split_once(' ').expect("a number");
            let element = ["unsigned char", "unsigned short", "unsigned int", "uint2", "uint4"];
            let element = element.into_iter().find(|element| code.contains(&format!("{name}(const {element} *")));
            let element = element.expect("the type of an element");
            program +=
                &format!("{code}#ifdef __CUDACC__\nstatic void run_{name}() {{ {name}_launch(from, to, 0); }}\n");
            program += &format!(
                "#else\nstatic void run_{name}() {{ {name}((const {element} *)from, ({element} *)to); }}\n#endif\n"
            );
            let [a, b] = [from, to].map(|layout| (layout.room() * bytes).next_multiple_of(16));
            main += &format!("    from = contents(\"{name}.from\", {a}); to = contents(\"{name}.to\", {b});\n");
            main += &format!(
                "    launch({blocks}, {threads}, run_{name}); written(\"{name}.to\", to, {b}); free(from); free(to);\n"
            );
            fs::write(folder.join(format!("{name}.from")), memory(from, *bytes, 1)).expect("written");
            fs::write(folder.join(format!("{name}.to")), memory(to, *bytes, 2)).expect("written");
        }
        fs::write(folder.join("program.cpp"), format!("{program}int main() {{\n{main}}}\n")).expect("written");
        let expected = |job: &Job| moved(job, &memory(&job.from, job.bytes, 1), &memory(&job.to, job.bytes, 2));
        if pack.is_some() {
            for job in jobs {
                fs::write(folder.join(format!("{}.expected", job.name)), expected(job)).expect("written");
            }
            continue;
        }
        call(&folder, &["g++", "-O0", "-fno-strict-aliasing", "-Wno-unknown-pragmas", "program.cpp", "-o", "program"]);
        call(&folder, &["./program"]);
        for job in jobs {
            let found = fs::read(folder.join(format!("{}.to", job.name))).expect("results");
            let [from, to] = [job.from.named(), job.to.named()];
            assert!(found == expected(job), "{}: {from} to {to}, {} bytes", job.name, job.bytes);
        }
        fs::remove_dir_all(folder).expect("removed");
    }
    println!("{} kernels", all.len());
}

#[test]
fn kernels_of_wgsl_move_every_element() {
    let Some(gpu) = std::env::var_os("EMIT_GPU") else {
        println!("NOT RUN: EMIT_GPU names no program");
        return;
    };
    let (folder, mut count) = (folder("relayout-wgsl"), 0);
    for job in jobs() {
        let Job { name, from, to, bytes } = &job;
        let relayout = Relayout::new(from.named(), to.named(), *bytes).expect(name).name("run");
        let code = match relayout.emit(Language::Wgsl) {
            Ok(code) => code,
            Err(error) => panic!("{name}: {error}"),
        };
        let groups = code.split_once("dispatch_workgroups(").expect("the launch").1;
        let groups: Vec<&str> = groups.split(", ").take(2).collect();
        fs::write(folder.join("run.wgsl"), &code).expect("written");
        fs::write(folder.join("from"), memory(from, *bytes, 1)).expect("written");
        fs::write(folder.join("to"), memory(to, *bytes, 2)).expect("written");
        let gpu = gpu.to_str().expect("a path");
        call(&folder, &[gpu, "--kernel", "run", groups[0], groups[1], "run.wgsl", "from", "to"]);
        let expected = moved(&job, &memory(from, *bytes, 1), &memory(to, *bytes, 2));
        assert!(
            fs::read(folder.join("to")).expect("results") == expected,
            "{name}: {} to {}, {bytes} bytes\n{code}",
            from.named(),
            to.named()
        );
        count += 1;
    }
    println!("{count} kernels");
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn what_is_not_known_to_be_right_is_refused() {
    let refused = |from: &DynLayout, to: &NamedLayout, language: Language| match Relayout::new(from, to, 4)
        .and_then(|relayout| relayout.emit(language))
    {
        Err(error) => error.to_string(),
        Ok(code) => panic!("{from} to {to}:\n{code}"),
    };
    for to in ["(4,6):(1,3)", "(4,6):(0,1)", "(4,6):(-1,3)", "((2,2),6):((^1,^1),4)", "Sw<1,0,1> o 3 o (4,6):(1,3)"] {
        let from = DynLayout::left(&DynShape::from([4, 6]));
        let error = refused(&from, &to.parse::<NamedLayout>().expect(to), Language::Cuda);
        assert!(error.starts_with("two elements go to one place: ") && error.contains(to), "{error}");
    }
    // Offsets beyond 32 bits are CUDA's alone.
    let wide: [DynLayout; 2] =
        ["(65536,65536):(65536,1)", "(65536,65536):(1,65536)"].map(|text| text.parse().expect(text));
    assert!(refused(&wide[0], &NamedLayout::from(&wide[1]), Language::Wgsl).contains("no numbers of 64 bits"));
    let code = Relayout::new(&wide[0], &wide[1], 2).expect("a kernel").emit(Language::Cuda).expect("code");
    assert!(code.contains("const unsigned long long i = "), "{code}");
}
