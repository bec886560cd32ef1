//! Programs with one mistake each: what the compiler says about them is part of the crate.
//!
//! A file of `ui-tests` is named after its mistake and has the expected message beside it. `TRYBUILD=overwrite` writes
//! the messages anew; read them before they are committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a first line must not show: typenum's bits, and what the library keeps to itself.
const HIDDEN: &[&str] = &["UInt<", "UTerm", "B0", "B1", "__private", "layout_algebra::"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The programs of `ui-tests`, sorted by name.
fn programs() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("ui-tests")).expect("the folder of programs");
    let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
    let mut programs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|e| e == "rs")).collect();
    programs.sort();
    assert!(!programs.is_empty(), "no programs in ui-tests");
    programs
}

/// Every program fails to compile with exactly the message beside it.
#[test]
fn messages() {
    let pinned = fs::read_to_string(root().join("rust-toolchain.toml")).expect("the pinned toolchain");
    let pinned = pinned.lines().find_map(|line| line.strip_prefix("channel = ")).expect("a channel").trim_matches('"');
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output().expect("rustc runs");
    let version = String::from_utf8(version.stdout).expect("a version in UTF-8");
    assert!(
        version.starts_with(&format!("rustc {pinned} ")),
        "the messages are those of rustc {pinned}, not of {version}: run this test with the pinned toolchain"
    );
    trybuild::TestCases::new().compile_fail("ui-tests/*.rs");
}

/// One mistake, in a program short enough to see it, gives one error, and its first line speaks the user's language.
#[test]
fn one_mistake_one_error() {
    let mut faults = Vec::new();
    for program in programs() {
        let name = program.file_name().expect("a file name").to_string_lossy().into_owned();
        let source = fs::read_to_string(&program).expect("a program");
        if source.lines().count() > 10 {
            faults.push(format!("{name}: more than ten lines"));
        }
        let Ok(message) = fs::read_to_string(program.with_extension("stderr")) else {
            faults.push(format!("{name}: no message beside it"));
            continue;
        };
        let errors = message.lines().filter(|line| line.starts_with("error")).count();
        if errors != 1 {
            faults.push(format!("{name}: {errors} errors"));
        }
        let first = message.lines().next().unwrap_or_default();
        if !first.starts_with("error") {
            faults.push(format!("{name}: begins with `{first}`"));
        }
        for hidden in HIDDEN.iter().filter(|hidden| first.contains(**hidden)) {
            faults.push(format!("{name}: `{hidden}` in the first line"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
