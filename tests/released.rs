//! Packages compiled in release mode as a user's are, for the code of an index. They share one
//! build of the library, which takes most of the time.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What the packages need beside the library. Each has all of it: with fewer, cargo would turn on
/// fewer features of what the library stands on, and would build the library once more for them.
const DEPENDENCIES: &str = r#"
        ndarray = { version = "0.17", default-features = false }
        rayon = { version = "1.10", default-features = false }"#;

/// Runs cargo on the package `name`, in release mode: its manifest has this target.
pub fn cargo(name: &str, target: &str, arguments: &[&str]) -> Output {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder above that of the tests");
    let all = Path::new(env!("CARGO_TARGET_TMPDIR")).join("released");
    let package = all.join(name);
    fs::create_dir_all(&package).expect("a folder");
    let arrays = root.join("crates/layout-arrays");
    let manifest = format!(
        r#"
        [package]
        name = {name:?}
        edition = "2024"
        {target}
        [dependencies]
        layout-algebra = {{ path = {root:?}, features = ["rayon"] }}
        layout-arrays = {{ path = {arrays:?}, features = ["matrixmultiply"] }}
        {DEPENDENCIES}
        [profile.release]
        codegen-units = 1
        [workspace]
        "#
    );
    fs::write(package.join("Cargo.toml"), manifest).expect("a manifest");
    // The same versions of dependencies, so that none has to be fetched.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).expect("a copy of Cargo.lock");
    let run = |offline: bool| {
        let (action, more) = arguments.split_first().expect("what cargo is to do");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args([action, "--release", "--quiet"]).args(offline.then_some("--offline"));
        cargo
            .arg("--manifest-path")
            .arg(package.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(all.join("target"))
            .args(more);
        // What the person who runs the test has set for other builds is not the subject here.
        cargo
            .env("RUSTFLAGS", "")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET");
        cargo.env("CARGO_INCREMENTAL", "0");
        cargo.output().expect("cargo runs")
    };
    let output = run(true);
    if output.status.success() { output } else { run(false) }
}

/// The assembly of the library `source`.
pub fn assembly(name: &str, source: &Path) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).with_extension("s");
    let target = format!("[lib]\npath = {source:?}");
    let emit = format!("--emit=asm={}", file.display());
    let output = cargo(name, &target, &["rustc", "--lib", "--", &emit]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(file).expect("the assembly")
}
