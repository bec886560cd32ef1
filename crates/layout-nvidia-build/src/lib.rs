//! For the build script of a package whose library has kernels, functions with `layout-nvidia`'s
//! `#[kernel]`:
//!
//! ```no_run
//! layout_nvidia_build::Kernels::new("sm_80").build();
//! ```
//!
//! It compiles the library of the same package for the device, writes launch bounds into the
//! kernels' headers, and passes the PTX to `layout_nvidia::program!`, which embeds it. So
//! `cargo run` does everything.
//!
//! ```text
//! ptx.rs        directives of kernels that rustc cannot write
//! isa.rs        the PTX version that a program needs
//! cost.rs       the costs of each kernel
//! compiler.rs   finds a compiler with the source of its library
//! device.rs     runs cargo for nvptx64
//! ```
//!
//! **Several programs.** A program is compiled whole: an edit of one kernel compiles them all.
//! `programs(["rows", "scan"])` makes one of each feature of these names, whose modules are
//! `#[cfg(feature = "rows")] pub mod rows;`, and `layout_nvidia::program!("rows")` embeds it. An
//! edit of `rows.rs` compiles that program alone. The features are default features of the package,
//! so that the host has all modules.
//!
//! **Build times.** The first build compiles `core` and the dependencies of the kernels for the
//! device, in a minute or more on two cores, and then each program in 2 to 20 s. Cargo shows the
//! output of build scripts only after they end; with `cargo build -vv` it has a line for each
//! program.
//!
//! **The compiler.** The first of these that has the source of `core`: the compiler in
//! `LAYOUT_NVIDIA_RUSTC`, the compiler of the package, rustup's nightly. With `LAYOUT_NVIDIA=cpu`
//! no program is embedded, for tests on the CPU without such a compiler.
//!
//! **Errors.** If the compiler is missing, the message has the command that installs it. Errors in
//! a kernel's code are rustc's messages, and the build fails with them.
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

/// The kernels of a package, and the options of their compilation.
#[derive(Clone, Debug)]
pub struct Kernels {
    architecture: String,
    isa: Option<String>,
    features: Vec<String>,
    programs: Vec<String>,
}
impl Kernels {
    /// Kernels for an architecture: `sm_80` runs on it and on all later ones, `sm_90a` only on
    /// Hopper.
    #[must_use]
    pub fn new(architecture: &str) -> Self {
        Kernels {
            architecture: architecture.into(),
            isa: None,
            features: Vec::new(),
            programs: Vec::new(),
        }
    }
    /// The PTX version, `ptx86`. By default the compiler writes the oldest version that has the
    /// architecture, which is then raised to the version that the program's instructions need.
    #[must_use]
    pub fn isa(self, isa: &str) -> Self {
        Kernels { isa: Some(isa.into()), ..self }
    }
    /// A feature of the package to compile with, in addition to its default features.
    #[must_use]
    pub fn feature(mut self, feature: &str) -> Self {
        self.features.push(feature.into());
        self
    }
    /// A program for each of these features of the package, without its default features, so that
    /// an edit of one program's kernels does not recompile the others.
    #[must_use]
    pub fn programs<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.programs.extend(names.into_iter().map(String::from));
        self
    }

    /// Compiles the kernels, and passes the location of the program to cargo and
    /// `layout_nvidia::program!`. If the compiler is missing, the build script exits with an error.
    pub fn build(&self) {
        // Cargo also runs the build script in the build of the device half, which embeds nothing.
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

    /// Compiles one program, and returns the costs of its kernels. Without a compiler the program
    /// is empty.
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
        // Files are written only if they change, for cargo would recompile the package.
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
            // Once more with line tables, for the location of the panic.
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
