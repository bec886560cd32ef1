//! Each instruction in a program of its own, for the oldest architecture that has it: the version
//! of PTX that `layout_nvidia_build::with_version` writes is one that ptxas takes, and no older one
//! would do. The atoms are those of the tables: an atom that is added is in this test.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use layout_algebra::atom::{MmaAtom, Values};
use layout_nvidia::{Atom, Instruction, Visitor, mma};
use layout_nvidia_build::with_version;

/// An instruction: its name, the oldest architecture, its text.
struct Text {
    name: String,
    architecture: String,
    text: String,
}

/// All multiply instructions, as they are written.
#[derive(Default)]
struct Texts(Vec<Text>);
impl Visitor for Texts {
    fn visit_instruction<I: Instruction>(&mut self) {}
    fn visit_atom<I: Atom>(&mut self) {
        let text = match I::NAME {
            "SM61_DP4A" => "dp4a.s32.s32 %d0, %a0, %b0, %c0;".into(),
            "SM61_DP2A" => {
                "dp2a.hi.s32.s32 %d0, %a0, %b0, 0; dp2a.lo.s32.u32 %d1, %a0, %b0, %d0;".into()
            }
            _ if I::PTX.starts_with("mma.sync") => mma_text::<I>(),
            // Products of other atoms.
            _ => return assert!(I::PTX.contains(" times `"), "{}: {}", I::NAME, I::PTX),
        };
        self.0.push(Text { name: I::NAME.into(), architecture: architecture(I::NAME), text });
    }
}
fn mma_text<I: Atom>() -> String {
    let wide = size_of::<<I as Instruction>::C>() == 8;
    let registers = |letter: &str, bytes: usize| {
        let count = bytes / if wide { 8 } else { 4 };
        let prefix = if wide { "w" } else { "" };
        list(&format!("{prefix}{letter}"), count)
    };
    let d = size_of::<Values<<I as Instruction>::C, <I as Instruction>::CLayout>>();
    let a = size_of::<Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>>();
    let b = size_of::<Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>>();
    let operands =
        [("d", d), ("a", a), ("b", b), ("c", d)].map(|(letter, bytes)| registers(letter, bytes));
    format!("{} {};", I::PTX, operands.join(", "))
}
/// `{%a0, %a1}`.
fn list(name: &str, count: usize) -> String {
    let all: Vec<_> = (0..count).map(|i| format!("%{name}{i}")).collect();
    format!("{{{}}}", all.join(", "))
}
/// `SM80_..` is 80; CUDA 13 has none before 75.
fn architecture(name: &str) -> String {
    let digits: String = name.chars().skip(2).take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().expect("a number in the name").max(75).to_string()
}

/// The row of an atom in a table, `SM90_..: ..;`, up to the next row.
fn rows(table: &str) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        match line.split_once(':').filter(|(name, _)| name.starts_with("SM")) {
            Some((name, row)) => rows.push((name.to_string(), row.to_string())),
            None if line == "}" => rows.push(Default::default()),
            None => rows.last_mut().into_iter().for_each(|(_, row)| *row += &format!(" {line}")),
        }
    }
    rows.retain(|(name, _)| !name.is_empty());
    rows
}
/// The text in the row between two marks.
fn between<'r>(row: &'r str, open: &str, close: &str) -> &'r str {
    let behind = row.split_once(open).unwrap_or_else(|| panic!("no {open} in {row}")).1;
    behind.split_once(close).unwrap_or_else(|| panic!("no {close} in {row}")).0
}

/// The copy atoms, as `copy/ptx.rs` and `copy/row.rs` write them.
fn copies() -> Vec<Text> {
    let mut texts = Vec::new();
    for (name, row) in rows(include_str!("../../../layout-instructions/src/copy/table.rs")) {
        if name.contains("CP_ASYNC") {
            let (cache, bytes) = (between(&row, "\"", "\""), between(&row, "\", ", ";"));
            for name in name.split(", ") {
                for bytes in bytes.split(' ') {
                    texts.push(Text {
                        name: format!("{name} of {bytes} bytes"),
                        architecture: architecture(name),
                        text: format!(
                            "cp.async.{cache}.shared.global.L2::128B [%a0], [%wd0], {bytes}, %a1;"
                        ),
                    });
                }
            }
            continue;
        }
        let words: Vec<_> = between(&row, "[", "]").split(' ').collect();
        let how = words.get(1).map_or("", |how| how.trim_matches('"'));
        let matrices = || list("a", words[2].parse().expect("a number of matrices"));
        let text = match words[0] {
            "shuffle" => format!("shfl.sync.bfly.b32 %a0, %b0, {how}, 0x1f, 0xffffffff;"),
            "movmatrix" => "movmatrix.sync.aligned.m8n8.trans.b16 %a0, %b0;".to_string(),
            "ldmatrix" => {
                format!("ldmatrix.sync.aligned.m8n8.{how}.shared.b16 {}, [%b0];", matrices())
            }
            "stmatrix" => {
                format!("stmatrix.sync.aligned.m8n8.{how}.shared.b16 [%b0], {};", matrices())
            }
            other => panic!("{name}: {other} is not known"),
        };
        texts.push(Text { architecture: architecture(&name), name, text });
    }
    texts
}
/// The atoms of a warpgroup, with operands in shared memory and in registers.
fn wgmmas() -> Vec<Text> {
    let shared = include_str!("../../src/hopper/instructions/wgmma.rs");
    let registers = include_str!("../../src/hopper/instructions/wgmma_registers.rs");
    let tables = [(shared, "%wa0"), (registers, "{%a0, %a1, %a2, %a3}")];
    let text = |(name, row): (String, String), a: &str| {
        let shape = between(&row, "\"", "\"");
        let (n, k) = between(shape, "n", ".").split_once('k').expect("N and K");
        // Four of eight columns for each of 128 threads, and which mode is fastest, of halves.
        let d = list("d", n.parse::<usize>().expect("N") / 2);
        let majors = match (k, a.starts_with('{')) {
            ("16", true) => ", 0",
            ("16", false) => ", 0, 0",
            _ => "",
        };
        let text = format!(
            "setp.ne.b32 %p0, %c0, 0; wgmma.mma_async.sync.aligned.{shape} {d}, {a}, %wb0, %p0, \
             1, 1{majors};"
        );
        Text { architecture: architecture(&name) + "a", name, text }
    };
    let rows = tables.into_iter().flat_map(|(table, a)| {
        let is_atom = |(_, row): &(String, String)| row.contains(", \"m64n");
        rows(table).into_iter().filter(is_atom).map(move |row| (row, a))
    });
    rows.map(|(row, a)| text(row, a)).collect()
}

/// Instructions of barriers and functions of `device::`.
const OTHERS: &[(u32, &str)] = &[
    (80, "cp.async.commit_group; cp.async.wait_group 1;"),
    (75, "shfl.sync.bfly.b32 %a0, %b0, 1, 31, 0xffffffff;"),
    (75, "bar.warp.sync 0xffffffff;"),
    (75, "atom.global.relaxed.gpu.inc.u32 %a0, [%wd0], %b0;"),
    (75, "tanh.approx.f32 %f0, %f1;"),
    (75, "ex2.approx.ftz.f32 %f0, %f1;"),
    (75, "lg2.approx.ftz.f32 %f0, %f1;"),
    (75, "sqrt.rn.f32 %f0, %f1;"),
    (75, "rsqrt.approx.ftz.f32 %f0, %f1;"),
    (75, "div.approx.ftz.f32 %f0, %f1, %f2;"),
    (80, "cvt.rn.f16x2.f32 %a0, %f0, %f1;"),
    (80, "cvt.rn.bf16x2.f32 %a0, %f0, %f1;"),
    (90, "griddepcontrol.wait; griddepcontrol.launch_dependents;"),
    (90, "fence.proxy.async.shared::cta;"),
    (90, "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%a0], %b0;"),
];

/// The compiler's minimum version for an architecture.
fn oldest(architecture: &str) -> u32 {
    match architecture.trim_end_matches('a').parse::<u32>().expect("a number") {
        ..80 => 63,
        80..86 => 70,
        86 => 71,
        90 if architecture.ends_with('a') => 80,
        _ => 78,
    }
}
/// All versions.
const VERSIONS: &[u32] =
    &[63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87];

struct Ptxas {
    program: PathBuf,
    folder: PathBuf,
}
impl Ptxas {
    fn takes(&self, architecture: &str, text: &str) -> Result<(), String> {
        let file = self.folder.join("k.ptx");
        fs::write(&file, text).map_err(|error| error.to_string())?;
        let mut ptxas = Command::new(&self.program);
        ptxas
            .arg(format!("-arch=sm_{architecture}"))
            .arg("-o")
            .arg(self.folder.join("k.cubin"))
            .arg(&file);
        let output = ptxas.output().map_err(|error| error.to_string())?;
        if output.status.success() {
            Ok(())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

#[test]
fn every_instruction_passes_at_its_oldest_architecture() {
    let program = env::var_os("PTXAS")
        .expect("PTXAS says where ptxas is: crates/layout-nvidia/check does")
        .into();
    let folder = env::temp_dir().join(format!("layout-nvidia-isa-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder of its own");
    let ptxas = Ptxas { program, folder };
    let mut multiply = Texts::default();
    mma::visit_all(&mut multiply);
    let (copies, wgmmas) = (copies(), wgmmas());
    let counts = [multiply.0.len(), wgmmas.len(), copies.len()];
    println!("{} atoms multiply, {} of a warpgroup, {} copy", counts[0], counts[1], counts[2]);
    assert!(counts[0] > 80 && counts[1] >= 64 && counts[2] >= 23, "{counts:?}");
    let others = OTHERS.iter().map(|(architecture, text)| Text {
        name: text.to_string(),
        architecture: architecture.to_string(),
        text: text.to_string(),
    });
    let mut wrong = Vec::new();
    let all = multiply.0.into_iter().chain(wgmmas).chain(copies).chain(others);
    for Text { name, architecture, text } in all {
        let program = |version: u32| {
            format!(
                ".version {}.{}\n.target sm_{architecture}\n.address_size 64\n.visible .entry \
                 k()\n{{\n.reg .pred %p<1>;\n.reg .b32 %a<8>, %b<8>, %c<8>, %d<128>;\n.reg .f32 \
                 %f<3>;\n.reg .b64 %wa<8>, %wb<8>, %wc<8>, %wd<8>;\n{}\nret;\n}}\n",
                version / 10,
                version % 10,
                text.replace("; ", ";\n")
            )
        };
        let least = oldest(&architecture);
        let written = with_version(&program(least));
        if let Err(said) = ptxas.takes(&architecture, &written) {
            wrong.push(format!("{name}: {said}"));
        }
        // Not one version more than that.
        let version = VERSIONS.iter().find(|version| written == program(**version)).copied();
        let before = version.and_then(|version| {
            VERSIONS.iter().rev().find(|before| **before < version && **before >= least)
        });
        if let Some(before) =
            before.filter(|before| ptxas.takes(&architecture, &program(**before)).is_ok())
        {
            wrong.push(format!("{name}: version {before} would do"));
        }
    }
    fs::remove_dir_all(&ptxas.folder).expect("removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
