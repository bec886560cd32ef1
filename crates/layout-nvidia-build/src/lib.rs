//! For the build script of a package whose library has kernels, functions with `layout-nvidia`'s
//! `#[kernel]`:
//!
//! ```no_run
//! layout_nvidia_build::Kernels::new("sm_80").build();
//! ```
//!
//! It compiles the library of the same package for the device, writes launch bounds into the heads
//! of the kernels, and hands the text of the program to `layout_nvidia::program!`, which embeds it.
//! So `cargo run` does everything.
//!
//! ```text
//! ptx.rs        the heads of kernels, which rustc cannot write
//! isa.rs        the version of PTX that a program needs
//! cost.rs       what each kernel costs
//! compiler.rs   a compiler that has the source of its own library
//! device.rs     the device half: cargo once more, for nvptx64
//! ```
//!
//! **Several programs.** A program is compiled whole: an edit of one kernel compiles them all.
//! `programs(["rows", "scan"])` makes one of each feature of these names, whose modules are
//! `#[cfg(feature = "rows")] pub mod rows;`, and `layout_nvidia::program!("rows")` embeds it. An
//! edit of `rows.rs` compiles that program alone. The features are default features of the package,
//! so that the host has all modules.
//!
//! **How long it takes.** The first build compiles `core` and the crates below the kernels for the
//! device, a minute or more on two cores, and then a program in 2 to 20 s. Cargo keeps the lines of
//! build scripts to itself until they end: `cargo build -vv` prints one for each program.
//!
//! **Which compiler.** One that has the source of the library of nvptx64, `core`, in this order:
//! the one that the variable `LAYOUT_NVIDIA_RUSTC` names; the one that compiles the package;
//! rustup's nightly. `LAYOUT_NVIDIA=cpu` embeds no program: for tests on the CPU, on a machine with
//! none of these.
//!
//! **What goes wrong.** A missing compiler is one sentence with the command that mends it. Mistakes
//! in a kernel's code are rustc's own messages, and the build fails with them.
//!
//! **What a kernel costs.** A warning names each kernel that can panic, with the file and the line,
//! that has arrays in local memory, that spills registers, that calls functions or that never returns,
//! since a check in it always fails; without a warning there is none of these. Where there is ptxas, the one that `LAYOUT_NVIDIA_PTXAS` names or the one
//! on the path, it has to take the program, and says the registers, the stack frame and the spills.
//! The table of all kernels is a file, `target/layout-nvidia/PACKAGE.costs.txt`, which the last
//! warning names; `LAYOUT_NVIDIA_COSTS=1` prints it too, by cargo's only words for a build script,
//! as warnings.

mod ptx;

mod cost;
mod isa;

mod compiler;

mod device;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::compiler::{Compiler, Compilers};
use crate::cost::Cost;
use crate::device::Device;
pub use crate::isa::with_version;
pub use crate::ptx::with_heads;

/// The kernels of a package, and what they are compiled for.
#[derive(Clone, Debug)]
pub struct Kernels {
    architecture: String,
    isa: Option<String>,
    features: Vec<String>,
    programs: Vec<String>,
}
impl Kernels {
    /// Kernels for an architecture: `sm_80` runs on it and on all that came later, `sm_90a` on
    /// Hopper alone.
    #[must_use]
    pub fn new(architecture: &str) -> Self {
        Kernels {
            architecture: architecture.into(),
            isa: None,
            features: Vec::new(),
            programs: Vec::new(),
        }
    }
    /// The version of PTX that the compiler writes for, `ptx86`. Without it that is the oldest that
    /// has the architecture, and the program says the one that its instructions need.
    #[must_use]
    pub fn isa(self, isa: &str) -> Self {
        Kernels { isa: Some(isa.into()), ..self }
    }
    /// A feature of the package to compile with, beside its default ones.
    #[must_use]
    pub fn feature(mut self, feature: &str) -> Self {
        self.features.push(feature.into());
        self
    }
    /// A program for each of these features of the package, without its default ones. Kernels that
    /// are edited apart are compiled apart.
    #[must_use]
    pub fn programs<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.programs.extend(names.into_iter().map(String::from));
        self
    }

    /// Compiles them, and tells cargo and `layout_nvidia::program!` where the program is. The last
    /// line of a build script: if the compiler is missing, it ends there with a sentence.
    pub fn build(&self) {
        // Cargo runs the build script for the device half too, which embeds nothing.
        if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|target| target == "nvptx64") {
            return;
        }
        for variable in
            ["LAYOUT_NVIDIA", "LAYOUT_NVIDIA_RUSTC", "LAYOUT_NVIDIA_PTXAS", "LAYOUT_NVIDIA_COSTS"]
        {
            println!("cargo::rerun-if-env-changed={variable}");
        }
        if let Err(wrong) = self.write() {
            wrong.lines().for_each(|line| println!("cargo::error={line}"));
        }
    }

    fn write(&self) -> Result<(), String> {
        let out = PathBuf::from(variable("OUT_DIR")?);
        let on_the_cpu = env::var("LAYOUT_NVIDIA").is_ok_and(|value| value == "cpu");
        let compiler = if on_the_cpu { None } else { Some(Compiler::find(&Compilers::here())?) };
        let (mut costs, mut warnings) = (BTreeMap::new(), Vec::new());
        let one = [None];
        let several: Vec<_> = self.programs.iter().map(|name| Some(name.as_str())).collect();
        for name in if several.is_empty() { &one[..] } else { &several } {
            for (kernel, cost) in self.write_program(&out, *name, compiler.as_ref())? {
                warnings.extend(cost.warning(&kernel));
                costs.insert(kernel, cost);
            }
        }
        if costs.is_empty() {
            return Ok(());
        }
        let package = variable("CARGO_PKG_NAME")?;
        let file = device::target_folder(&out).join(format!("{package}.costs.txt"));
        let table = cost::table(&costs);
        fs::write(&file, &table).map_err(|error| format!("{}: {error}", file.display()))?;
        if env::var_os("LAYOUT_NVIDIA_COSTS").is_some() {
            println!("cargo::warning=what the kernels cost, as LAYOUT_NVIDIA_COSTS=1 asks:");
            table.lines().for_each(|line| println!("cargo::warning={line}"));
        }
        warnings.iter().for_each(|line| println!("cargo::warning={line}"));
        if !warnings.is_empty() {
            println!("cargo::warning=what all kernels cost: {}", file.display());
        }
        Ok(())
    }

    /// Compiles one program, and gives what its kernels cost. Without a compiler it is empty.
    fn write_program(
        &self,
        out: &Path,
        name: Option<&str>,
        compiler: Option<&Compiler>,
    ) -> Result<BTreeMap<String, Cost>, String> {
        let (end, file) =
            (name.map_or(String::new(), |name| format!("_{name}")), name.unwrap_or("kernels"));
        let program = out.join(format!("program{end}.rs"));
        println!("cargo::rustc-env=LAYOUT_NVIDIA_PROGRAM{end}={}", program.display());
        // Files are written only if they change: the package would be compiled again.
        let put = |path: &Path, text: &str| match fs::read_to_string(path) {
            Ok(there) if there == text => Ok(false),
            _ => fs::write(path, text)
                .map(|()| true)
                .map_err(|error| format!("{}: {error}", path.display())),
        };
        let Some(compiler) = compiler else {
            return put(&program, "\"\"\n").map(|_| BTreeMap::new());
        };
        let mut device = Device {
            package: PathBuf::from(variable("CARGO_MANIFEST_DIR")?),
            target: device::target_folder(out),
            architecture: self.architecture.clone(),
            isa: self.isa.clone(),
            features: self
                .features
                .iter()
                .map(String::as_str)
                .chain(name)
                .map(String::from)
                .collect(),
            default_features: name.is_none(),
            lines: false,
        };
        // Cargo shows it with `-vv`, or if the build fails.
        eprintln!("compiling {} for {}", name.unwrap_or("the kernels"), self.architecture);
        let built = device.compile(compiler)?;
        for source in &built.sources {
            println!("cargo::rerun-if-changed={}", source.display());
        }
        let not_compiled = |messages: String| {
            format!("the kernels do not compile for the device:\n{}", messages.trim_end())
        };
        let ptx = built.ptx.map_err(not_compiled)?;
        let text = out.join(format!("{file}.ptx"));
        let is_new = put(&text, &with_version(&with_heads(&ptx)))?;
        put(&program, &format!("include_str!({:?})\n", text.display().to_string()))?;
        let mut costs = cost::costs(&ptx);
        if costs.values().any(|cost| cost.panics.is_some()) {
            // Once more, with line tables, which say where.
            device.lines = true;
            let lines =
                device.compile(compiler)?.ptx.map(|ptx| cost::costs(&ptx)).unwrap_or_default();
            for (kernel, cost) in &mut costs {
                let places = lines.get(kernel).and_then(|cost| cost.panics.clone());
                cost.panics = cost.panics.take().map(|none| places.unwrap_or(none));
            }
        }
        let ptxas = env::var_os("LAYOUT_NVIDIA_PTXAS").unwrap_or_else(|| "ptxas".into());
        cost::ask_ptxas(&mut costs, Path::new(&ptxas), &self.architecture, &text, is_new)?;
        Ok(costs)
    }
}

/// A variable that cargo sets for build scripts.
fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| {
        format!("{name} is not set: `layout_nvidia_build` is for build scripts, which cargo runs")
    })
}
