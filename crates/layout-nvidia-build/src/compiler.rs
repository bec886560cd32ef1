//! Finds a compiler with the source of its standard library: `core` is compiled for nvptx64, and
//! has to be that of the compiler.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The candidates.
pub(crate) struct Compilers {
    /// The value of `LAYOUT_NVIDIA_RUSTC`.
    pub(crate) named: Option<PathBuf>,
    /// The compiler of the package.
    pub(crate) package: Option<PathBuf>,
    /// rustup's nightly.
    pub(crate) nightly: Option<PathBuf>,
}
impl Compilers {
    /// The candidates of this machine.
    pub(crate) fn here() -> Self {
        let path = |name| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
        let rustup = |run: &mut Command| run.output().ok().filter(|output| output.status.success());
        let nightly =
            rustup(Command::new("rustup").args(["which", "rustc", "--toolchain", "nightly"]))
                .map(|output| PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()));
        Compilers { named: path("LAYOUT_NVIDIA_RUSTC"), package: path("RUSTC"), nightly }
    }
}

/// A compiler, and the cargo that drives it.
#[derive(Debug)]
pub(crate) struct Compiler {
    pub(crate) rustc: PathBuf,
    pub(crate) cargo: PathBuf,
}
impl Compiler {
    /// The first candidate with the source of its library, or an error with the command that
    /// installs one.
    pub(crate) fn find(compilers: &Compilers) -> Result<Self, String> {
        if let Some(named) = &compilers.named {
            return match library(named) {
                Ok(Some(_)) => Ok(Compiler::of(named)),
                Ok(None) => Err(format!(
                    "LAYOUT_NVIDIA_RUSTC names {}, which has not the source of its library: \
                     `rustup component add rust-src --toolchain nightly`, and LAYOUT_NVIDIA_RUSTC \
                     unset, get one that has",
                    named.display()
                )),
                Err(error) => Err(format!(
                    "LAYOUT_NVIDIA_RUSTC names {}, which is no compiler: {error}",
                    named.display()
                )),
            };
        }
        let others = [&compilers.package, &compilers.nightly];
        let with_source = |rustc: &&PathBuf| matches!(library(rustc), Ok(Some(_)));
        if let Some(rustc) = others.into_iter().flatten().find(with_source) {
            return Ok(Compiler::of(rustc));
        }
        let command = match compilers.nightly {
            Some(_) => "rustup component add rust-src --toolchain nightly",
            None => "rustup toolchain install nightly --component rust-src",
        };
        Err(format!(
            "the kernels need a compiler that has the source of its library, and there is none \
             here: `{command}` gets one; LAYOUT_NVIDIA_RUSTC may name another; with \
             LAYOUT_NVIDIA=cpu everything but a launch works without"
        ))
    }
    fn of(rustc: &Path) -> Self {
        // The cargo of the same toolchain knows the compiler's flags; without one, use the running
        // cargo.
        let beside = rustc.with_file_name("cargo");
        let running = || PathBuf::from(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        Compiler { rustc: rustc.into(), cargo: if beside.is_file() { beside } else { running() } }
    }
}

/// The folder of the library's source, if the compiler has it.
fn library(rustc: &Path) -> Result<Option<PathBuf>, String> {
    let output = Command::new(rustc)
        .args(["--print", "sysroot"])
        .output()
        .map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).trim().replace('\n', " "));
    }
    let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    let source = root.join("lib/rustlib/src/rust/library");
    Ok(source.join("core").is_dir().then_some(source))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    /// A folder that is removed at the end of the test.
    struct Folder(PathBuf);
    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                env::temp_dir().join(format!("layout-nvidia-build-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).expect("a folder");
            Folder(folder)
        }
        /// A compiler that prints its sysroot, with or without the source of its library.
        fn compiler(&self, name: &str, source: bool) -> PathBuf {
            let root = self.0.join(name);
            let bin = root.join("bin");
            fs::create_dir_all(&bin).expect("a folder");
            if source {
                fs::create_dir_all(root.join("lib/rustlib/src/rust/library/core"))
                    .expect("a folder");
            }
            let rustc = bin.join("rustc");
            fs::write(&rustc, format!("#!/bin/sh\necho '{}'\n", root.display())).expect("a file");
            fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).expect("permissions");
            rustc
        }
    }
    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_first_with_source_is_taken() {
        let folder = Folder::new("first");
        let [bare, full, other] =
            [("bare", false), ("full", true), ("other", true)].map(|(n, s)| folder.compiler(n, s));
        let found = |named: Option<&PathBuf>, package: &PathBuf, nightly: Option<&PathBuf>| {
            let compilers = Compilers {
                named: named.cloned(),
                package: Some(package.clone()),
                nightly: nightly.cloned(),
            };
            Compiler::find(&compilers).map(|compiler| compiler.rustc)
        };
        assert_eq!(found(Some(&other), &full, None), Ok(other.clone()));
        assert_eq!(found(None, &full, Some(&other)), Ok(full.clone()));
        assert_eq!(found(None, &bare, Some(&other)), Ok(other.clone()));
        let said = found(None, &bare, Some(&bare)).expect_err("no source");
        assert!(said.contains("`rustup component add rust-src --toolchain nightly`"), "{said}");
        let said = found(None, &bare, None).expect_err("no source");
        assert!(said.contains("`rustup toolchain install nightly --component rust-src`"), "{said}");
        // A named compiler without the source is an error.
        let said = found(Some(&bare), &full, Some(&other)).expect_err("no source");
        assert!(said.contains("which has not the source of its library"), "{said}");
        let said = found(Some(&folder.0.join("nothing")), &full, None).expect_err("nothing there");
        assert!(said.contains("which is no compiler"), "{said}");
    }
    #[test]
    fn a_toolchain_is_driven_by_its_own_cargo() {
        let folder = Folder::new("cargo");
        let rustc = folder.compiler("full", true);
        assert_ne!(Compiler::of(&rustc).cargo, rustc.with_file_name("cargo"));
        fs::write(rustc.with_file_name("cargo"), "").expect("a file");
        assert_eq!(Compiler::of(&rustc).cargo, rustc.with_file_name("cargo"));
    }
}
