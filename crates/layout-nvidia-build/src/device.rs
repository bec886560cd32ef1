//! The device half of a package: its library, compiled for nvptx64.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::compiler::Compiler;

const TARGET: &str = "nvptx64-nvidia-cuda";

/// The input of a compilation.
pub(crate) struct Device {
    /// The folder of the package.
    pub(crate) package: PathBuf,
    /// The target directory of cargo.
    pub(crate) target: PathBuf,
    pub(crate) architecture: String,
    pub(crate) isa: Option<String>,
    pub(crate) features: Vec<String>,
    /// Whether the default features of the package are enabled.
    pub(crate) default_features: bool,
    /// Whether the PTX has line tables.
    pub(crate) lines: bool,
}

/// The result of a compilation.
pub(crate) struct Built {
    /// The PTX of the program, or the compiler's messages.
    pub(crate) ptx: Result<String, String>,
    /// The source files.
    pub(crate) sources: Vec<PathBuf>,
}

/// The target directory of the device half: inside that of the host, the same for all profiles.
/// `out` is `target/debug/build/NAME-HASH/out`.
pub(crate) fn target_folder(out: &Path) -> PathBuf {
    let build =
        out.ancestors().find(|folder| folder.file_name().is_some_and(|name| name == "build"));
    match build.and_then(|build| build.parent()?.parent()) {
        Some(target) => target.join("layout-nvidia"),
        None => out.join("layout-nvidia"),
    }
}

impl Device {
    pub(crate) fn compile(&self, compiler: &Compiler) -> Result<Built, String> {
        let name = env::var("CARGO_PKG_NAME").unwrap_or_default();
        let mut cargo = Command::new(&compiler.cargo);
        // The environment that the running cargo sets for its own build must not reach this one.
        for (variable, _) in env::vars_os() {
            let text = variable.to_string_lossy();
            let of_the_build = ["CARGO", "RUSTC", "RUSTDOC", "DEP_", "RUSTUP_TOOLCHAIN"]
                .iter()
                .any(|s| text.starts_with(s));
            let of_the_user = [
                "CARGO_HOME",
                "CARGO_NET_",
                "CARGO_HTTP_",
                "CARGO_REGISTR",
                "CARGO_SOURCE",
                "CARGO_MAKEFLAGS",
            ]
            .iter()
            .any(|start| text.starts_with(start));
            if of_the_build && !of_the_user
                || ["TARGET", "HOST", "PROFILE", "OPT_LEVEL", "DEBUG"].contains(&&*text)
            {
                cargo.env_remove(&variable);
            }
        }
        let mut flags = vec![
            format!("-Ctarget-cpu={}", self.architecture),
            // Nothing is linked: the compiler's assembly is the program.
            format!("-Clinker={}", nothing_to_link()),
            "--cfg=layout_nvidia_build".to_string(),
            // The host's build reports lints, for it compiles the same code.
            "-Aunused".to_string(),
        ];
        // PTX has lines of inlined functions from version 7.2 on.
        let digits =
            self.architecture.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
        let isa = match digits.parse::<u32>() {
            Ok(..=86) if self.lines && self.isa.is_none() => Some("ptx74"),
            _ => self.isa.as_deref(),
        };
        flags.extend(isa.map(|isa| format!("-Ctarget-feature=+{isa}")));
        cargo
            .current_dir(&self.package)
            .env("RUSTC", &compiler.rustc)
            // The build of `core` and the ABI of kernels are unstable features.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_TERM_COLOR", "never")
            // One module, for optimization across functions.
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "3")
            .env("CARGO_PROFILE_RELEASE_LTO", "fat")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
            .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
            .env(
                "CARGO_PROFILE_RELEASE_DEBUG",
                if self.lines { "line-tables-only" } else { "false" },
            )
            .env("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "false")
            .env("CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS", "false")
            .args([
                "rustc",
                "--quiet",
                "--release",
                "--lib",
                "--crate-type",
                "cdylib",
                "--package",
                &name,
            ])
            .args(["-Zbuild-std=core", "--target", TARGET]);
        if !self.default_features {
            cargo.arg("--no-default-features");
        }
        if !self.features.is_empty() {
            cargo.args(["--features", &self.features.join(",")]);
        }
        // A file for each set of options: cargo considers an earlier build up to date, even if it
        // was overwritten by a build with other options since.
        let asm = self.target.join(format!("{}-{:016x}.ptx", name, self.way(compiler)));
        let mut emit = OsString::from("--emit=asm=");
        emit.push(&asm);
        cargo.arg("--").arg(emit);
        cargo.args([
            "-Zcrate-attr=no_std",
            "-Zcrate-attr=feature(abi_ptx, asm_experimental_arch, stmt_expr_attributes)",
        ]);
        let output =
            cargo.output().map_err(|error| format!("{}: {error}", compiler.cargo.display()))?;
        if !output.status.success() {
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            // The error may be in any file: a file that does not exist always counts as changed.
            return Ok(Built { ptx: Err(messages), sources: vec![self.target.join("again")] });
        }
        let ptx = fs::read_to_string(&asm)
            .map_err(|error| format!("{}: {error}: `cargo clean` helps", asm.display()))?;
        let library = library_name(&self.package, &name);
        let listed = self.target.join(TARGET).join("release").join(format!("{library}.d"));
        let listed = fs::read_to_string(listed).unwrap_or_default();
        let mut sources = sources(&listed);
        sources.push(self.package.join("Cargo.toml"));
        sources.push(self.package.join("src"));
        Ok(Built { ptx: Ok(ptx), sources })
    }
    /// A hash of the options.
    fn way(&self, compiler: &Compiler) -> u64 {
        let version = Command::new(&compiler.rustc)
            .arg("-vV")
            .output()
            .map(|output| output.stdout)
            .unwrap_or_default();
        let mut hasher = DefaultHasher::new();
        (
            &self.package,
            &self.architecture,
            &self.isa,
            &self.features,
            self.default_features,
            self.lines,
            &compiler.rustc,
            version,
        )
            .hash(&mut hasher);
        hasher.finish()
    }
}

/// A program that does nothing and exits with success.
fn nothing_to_link() -> &'static str {
    if cfg!(windows) { "rundll32" } else { "true" }
}

/// The name of the library in files: that of the manifest, or else of the package.
fn library_name(package: &Path, name: &str) -> String {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap_or_default();
    let lib = manifest.split("[lib]").nth(1).unwrap_or_default();
    let lib = lib.split("\n[").next().unwrap_or_default();
    let said =
        lib.lines().find_map(|line| line.trim().strip_prefix("name")?.trim().strip_prefix('='));
    said.map_or(name, |said| said.trim().trim_matches('"')).replace('-', "_")
}

/// The files after the colon of cargo's `.d` file; spaces in names are escaped.
fn sources(listed: &str) -> Vec<PathBuf> {
    let behind =
        listed.lines().find_map(|line| line.split_once(": ")).map_or("", |(_, files)| files);
    let mut files = vec![String::new()];
    let mut chars = behind.chars();
    while let Some(char) = chars.next() {
        let file = files.last_mut().expect("one at least");
        match char {
            '\\' => file.extend(chars.next()),
            ' ' => files.push(String::new()),
            char => file.push(char),
        }
    }
    files.into_iter().filter(|file| !file.is_empty()).map(PathBuf::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_device_half_is_built_beside_the_hosts() {
        let folder = |out: &str| target_folder(Path::new(out));
        assert_eq!(
            folder("/p/target/debug/build/own-0a/out"),
            Path::new("/p/target/layout-nvidia")
        );
        assert_eq!(
            folder("/p/target/release/build/own-0a/out"),
            Path::new("/p/target/layout-nvidia")
        );
        assert_eq!(folder("/elsewhere/out"), Path::new("/elsewhere/out/layout-nvidia"));
    }
    #[test]
    fn names_with_blanks_are_listed() {
        let listed = "/t/libown.so: /p/src/lib.rs /my\\ kernels/a.rs\n\n/other: /p/x.rs\n";
        assert_eq!(
            sources(listed),
            [PathBuf::from("/p/src/lib.rs"), PathBuf::from("/my kernels/a.rs")]
        );
        assert_eq!(sources(""), Vec::<PathBuf>::new());
    }
}
