//! Each instruction in a program of its own, for the oldest architecture that has it: the version
//! of PTX that `layout_nvidia_build::with_version` writes is one that ptxas takes, and no older one
//! would do.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use layout_algebra::atom::{MmaAtom, Values};
use layout_nvidia::{Atom, Instruction, Visitor, mma};
use layout_nvidia_build::with_version;

/// An instruction: its name, the oldest architecture, its text.
type Text = (String, u32, String);

/// All that multiply, as they are written.
#[derive(Default)]
struct Texts(Vec<Text>);
impl Visitor for Texts {
    fn visit_instruction<I: Instruction>(&mut self) {}
    fn visit_atom<I: Atom>(&mut self) {
        if !I::PTX.starts_with("mma.sync") {
            return;
        }
        let wide = size_of::<<I as Instruction>::C>() == 8;
        let registers = |letter: &str, bytes: usize| {
            let count = bytes / if wide { 8 } else { 4 };
            let list: Vec<_> = (0..count)
                .map(|i| format!("%{}{letter}{i}", if wide { "w" } else { "" }))
                .collect();
            format!("{{{}}}", list.join(", "))
        };
        let d = size_of::<Values<<I as Instruction>::C, <I as Instruction>::CLayout>>();
        let a = size_of::<Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>>();
        let b = size_of::<Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>>();
        let operands = [("d", d), ("a", a), ("b", b), ("c", d)]
            .map(|(letter, bytes)| registers(letter, bytes));
        self.0.push((
            I::NAME.into(),
            architecture(I::NAME),
            format!("{} {};", I::PTX, operands.join(", ")),
        ));
    }
}
/// `SM80_..` is 80; CUDA 13 has none before 75.
fn architecture(name: &str) -> u32 {
    let digits: String = name.chars().skip(2).take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().expect("a number in the name").max(75)
}

/// What the copies, barriers and functions of `device::` write.
const OTHERS: &[(u32, &str)] = &[
    (75, "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%a0, %a1, %a2, %a3}, [%b0];"),
    (75, "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%a0, %a1, %a2, %a3}, [%b0];"),
    (75, "movmatrix.sync.aligned.m8n8.trans.b16 %a0, %b0;"),
    (90, "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%b0], {%a0, %a1, %a2, %a3};"),
    (90, "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%b0], {%a0, %a1, %a2, %a3};"),
    (80, "cp.async.ca.shared.global.L2::128B [%a0], [%wd0], 16, %a1;"),
    (80, "cp.async.cg.shared.global.L2::128B [%a0], [%wd0], 16, %a1;"),
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

/// What the compiler writes for an architecture: the oldest version that has it.
fn oldest(architecture: u32) -> u32 {
    match architecture {
        ..80 => 63,
        80..86 => 70,
        86 => 71,
        _ => 78,
    }
}
/// All versions there are.
const VERSIONS: &[u32] =
    &[63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87];

struct Ptxas {
    program: PathBuf,
    folder: PathBuf,
}
impl Ptxas {
    fn takes(&self, architecture: u32, text: &str) -> Result<(), String> {
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
    let mut texts = Texts::default();
    mma::sm61::visit_all(&mut texts);
    mma::sm70::visit_all(&mut texts);
    mma::sm75::visit_all(&mut texts);
    mma::sm80::visit_all(&mut texts);
    mma::sm89::visit_all(&mut texts);
    mma::sm90::visit_all(&mut texts);
    assert!(texts.0.len() > 80, "{} instructions multiply", texts.0.len());
    let others = OTHERS
        .iter()
        .map(|(architecture, text)| (text.to_string(), *architecture, text.to_string()));
    let mut wrong = Vec::new();
    for (name, architecture, text) in texts.0.into_iter().chain(others) {
        let program = |version: u32| {
            format!(
                ".version {}.{}\n.target sm_{architecture}\n.address_size 64\n.visible .entry k()\n{{\n.reg .b32 %a<8>, %b<8>, \
                 %c<8>, %d<8>;\n.reg .f32 %f<3>;\n.reg .b64 %wa<8>, %wb<8>, %wc<8>, %wd<8>;\n{}\nret;\n}}\n",
                version / 10,
                version % 10,
                text.replace("; ", ";\n")
            )
        };
        let least = oldest(architecture);
        let written = with_version(&program(least));
        if let Err(said) = ptxas.takes(architecture, &written) {
            wrong.push(format!("{name}: {said}"));
        }
        // Not one version more than that.
        let version = VERSIONS.iter().find(|version| written == program(**version)).copied();
        let before = version.and_then(|version| {
            VERSIONS.iter().rev().find(|before| **before < version && **before >= least)
        });
        if let Some(before) =
            before.filter(|before| ptxas.takes(architecture, &program(**before)).is_ok())
        {
            wrong.push(format!("{name}: version {before} would do"));
        }
    }
    fs::remove_dir_all(&ptxas.folder).expect("removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
