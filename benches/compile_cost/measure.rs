//! The time and the memory of a compiler for a file.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What one run of a compiler, or the middle one of several, took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Of processor time, which other work on the machine disturbs least; of the clock where the
    /// system does not tell.
    pub milliseconds: f64,
    /// The largest resident set, or that of the largest child; 0 where the system does not tell.
    pub megabytes: f64,
}

impl std::ops::Sub for Cost {
    type Output = Cost;
    fn sub(self, other: Cost) -> Cost {
        Cost {
            milliseconds: self.milliseconds - other.milliseconds,
            megabytes: self.megabytes - other.megabytes,
        }
    }
}

impl Cost {
    /// A share of it.
    pub fn per(self, count: usize) -> Cost {
        Cost {
            milliseconds: self.milliseconds / count as f64,
            megabytes: self.megabytes / count as f64,
        }
    }
}

/// A compiler that type-checks single files.
pub struct Compiler {
    folder: PathBuf,
    extension: &'static str,
    command: Box<dyn Fn(&Path) -> Command + Send>,
}

/// The rustc beside the cargo that runs this.
pub fn rustc() -> PathBuf {
    let beside =
        Path::new(env!("CARGO")).with_file_name(format!("rustc{}", std::env::consts::EXE_SUFFIX));
    if beside.exists() { beside } else { PathBuf::from("rustc") }
}

impl Compiler {
    /// rustc as `cargo check` calls it, on files that depend on this crate, and on its pictures if
    /// they name these. Both are compiled here, as dependencies of a package in `folder`, and once
    /// for all folders beside it: with the features that any of those who call this needs.
    pub fn rust(folder: &Path) -> Self {
        // Benches and tests are folders of the crate's, each a package.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of the crate");
        let package = folder.join("package");
        fs::create_dir_all(package.join("src")).expect("a folder");
        let manifest = format!(
            "[package]\nname = \"operations\"\nedition = \"2024\"\n[dependencies]\nlayout-algebra = {{ path = {root:?}, features = [\"std\", \"bytemuck\"] }}\nlayout-draw = {{ path = {:?} }}\n[workspace]\n",
            root.join("crates/layout-draw"),
        );
        fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
        fs::write(package.join("src/lib.rs"), "").expect("a library");
        // The same versions of dependencies, so that none has to be fetched.
        fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock"))
            .expect("a copy of Cargo.lock");
        let check = |offline: Option<&str>| {
            let mut cargo = Command::new(env!("CARGO"));
            cargo
                .args(["check", "--quiet", "--message-format=json"])
                .args(offline)
                .env("CARGO_INCREMENTAL", "0");
            cargo.arg("--manifest-path").arg(package.join("Cargo.toml"));
            cargo.arg("--target-dir").arg(folder.with_file_name("checked"));
            cargo.stderr(Stdio::inherit()).output().expect("cargo runs")
        };
        let mut output = check(Some("--offline"));
        if !output.status.success() {
            output = check(None);
        }
        assert!(output.status.success(), "the crate does not compile");
        let messages = String::from_utf8(output.stdout).expect("text");
        let built = |name: &str| messages.lines().find_map(|message| metadata(message, name));
        let [library, pictures] = ["layout_algebra", "layout_draw"]
            .map(|name| built(name).expect("cargo names what it built"));
        let dependencies = library.parent().expect("a file is in a folder").to_owned();
        let command = move |file: &Path| {
            let mut rustc = Command::new(rustc());
            // Types in messages in full, and not in files beside them.
            rustc.args([
                "--edition=2024",
                "--crate-type=lib",
                "--crate-name=operations",
                "--emit=metadata",
                "--verbose",
            ]);
            rustc.arg(format!("--extern=layout_algebra={}", library.display()));
            rustc.arg(format!("--extern=layout_draw={}", pictures.display()));
            rustc.arg(format!("-Ldependency={}", dependencies.display()));
            rustc.arg("-o").arg(file.with_extension("rmeta")).arg(file);
            rustc
        };
        Compiler { folder: folder.to_owned(), extension: "rs", command: Box::new(command) }
    }

    /// rustc on files that depend on nothing.
    pub fn plain_rust(folder: &Path) -> Self {
        let command = |file: &Path| {
            let mut rustc = Command::new(rustc());
            rustc.args([
                "--edition=2024",
                "--crate-type=lib",
                "--crate-name=reference",
                "--emit=metadata",
            ]);
            rustc.arg("-o").arg(file.with_extension("rmeta")).arg(file);
            rustc
        };
        Compiler { folder: folder.to_owned(), extension: "rs", command: Box::new(command) }
    }

    /// g++ on files that include CuTe, or `None` if the headers in `packages` or the compiler are
    /// missing.
    pub fn cute(folder: &Path, packages: &Path) -> Option<Self> {
        let includes = [
            "cutlass_library/source/include",
            "nvidia/cuda_runtime/include",
            "nvidia/cuda_nvcc/include",
            "nvidia/cuda_cccl/include",
        ];
        let includes = includes.map(|include| packages.join(include));
        let compiler = std::env::var_os("CXX").unwrap_or_else(|| "g++".into());
        let runs = Command::new(&compiler)
            .arg("--version")
            .output()
            .is_ok_and(|output| output.status.success());
        if !runs || !includes.iter().all(|include| include.is_dir()) {
            return None;
        }
        let command = move |file: &Path| {
            let mut cxx = Command::new(&compiler);
            cxx.args(["-std=c++17", "-fsyntax-only", "-w"])
                .args(includes.iter().flat_map(|it| ["-I".as_ref(), it.as_os_str()]));
            cxx.arg(file);
            cxx
        };
        Some(Compiler { folder: folder.to_owned(), extension: "cpp", command: Box::new(command) })
    }

    /// What compiling each of the sources costs: the median of `runs` runs each, in turns, so that
    /// a slow moment of the machine falls on all of them.
    pub fn costs<const N: usize>(&self, name: &str, sources: [&str; N], runs: usize) -> [Cost; N] {
        let mut all: [Vec<Cost>; N] = std::array::from_fn(|_| Vec::with_capacity(runs));
        for _ in 0..runs {
            for (i, source) in sources.iter().enumerate() {
                let cost = self.once(&format!("{name}_{i}"), source);
                all[i].push(
                    cost.unwrap_or_else(|errors| panic!("{name}_{i} does not compile:\n{errors}")),
                );
            }
        }
        all.map(median)
    }

    /// How many instructions the compiler takes for a source, counted by valgrind from now on; what
    /// is given waits for the number.
    pub fn instructions(&self, name: &str, source: &str) -> impl FnOnce() -> f64 {
        let file = self.folder.join(name).with_extension(self.extension);
        fs::write(&file, source).expect("a source file");
        let compiler = (self.command)(&file);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
        valgrind
            .arg(compiler.get_program())
            .args(compiler.get_args())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let (child, name) = (valgrind.spawn().expect("valgrind runs"), name.to_owned());
        move || {
            let output = child.wait_with_output().expect("valgrind ends");
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{name} does not compile:\n{text}");
            let count = text
                .lines()
                .find_map(|line| line.split_once("refs:"))
                .expect("valgrind counts")
                .1
                .replace(',', "");
            count.trim().parse().expect("a number of instructions")
        }
    }

    /// What the compiler says against a source; nobody looks at what that costs.
    pub fn errors(&self, name: &str, source: &str) -> Option<String> {
        let file = self.folder.join(name).with_extension(self.extension);
        fs::write(&file, source).expect("a source file");
        let output = (self.command)(&file).output().expect("the compiler runs");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// What compiling a source costs, or what the compiler says against it.
    pub fn once(&self, name: &str, source: &str) -> Result<Cost, String> {
        let file = self.folder.join(name).with_extension(self.extension);
        fs::write(&file, source).expect("a source file");
        run((self.command)(&file)).expect("the compiler runs")
    }
}

/// The metadata of the library `name`, if the message tells of it.
fn metadata(message: &str, name: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != name {
        return None;
    }
    let files = message["filenames"].as_array()?;
    files
        .iter()
        .filter_map(|file| file.as_str())
        .find(|file| file.ends_with(".rmeta"))
        .map(PathBuf::from)
}

fn median(mut costs: Vec<Cost>) -> Cost {
    let middle = costs.len() / 2;
    costs.sort_by(|a, b| a.milliseconds.total_cmp(&b.milliseconds));
    let milliseconds = costs[middle].milliseconds;
    costs.sort_by(|a, b| a.megabytes.total_cmp(&b.megabytes));
    Cost { milliseconds, megabytes: costs[middle].megabytes }
}

/// Runs a command to its end, and looks every now and then at how much it has used by then.
fn run(mut command: Command) -> io::Result<Result<Cost, String>> {
    let start = Instant::now();
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut errors = child.stderr.take().expect("stderr is piped");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let mut cost = Cost::default();
    let status = loop {
        let used = used(child.id());
        cost.milliseconds = cost.milliseconds.max(used.milliseconds);
        cost.megabytes = cost.megabytes.max(used.megabytes);
        match child.try_wait()? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    if cost.milliseconds == 0.0 {
        cost.milliseconds = start.elapsed().as_secs_f64() * 1e3;
    }
    let errors = reader.join().expect("the reader ends")?;
    Ok(if status.success() { Ok(cost) } else { Err(errors) })
}

/// The processor time of a process and its children so far, and the most memory that one of them
/// has had, where `/proc` tells.
fn used(process: u32) -> Cost {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mark = status.lines().find_map(|line| {
        line.strip_prefix("VmHWM:")?.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()
    });
    let mut used = Cost { milliseconds: 0.0, megabytes: mark.unwrap_or(0.0) / 1e3 };
    for thread in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
        // The first number is the time on a processor, in nanoseconds.
        let times = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
        let time = times.split_whitespace().next().and_then(|time| time.parse::<f64>().ok());
        used.milliseconds += time.unwrap_or(0.0) / 1e6;
    }
    let children =
        fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
        let child = self::used(child);
        used.milliseconds += child.milliseconds;
        used.megabytes = used.megabytes.max(child.megabytes);
    }
    used
}
