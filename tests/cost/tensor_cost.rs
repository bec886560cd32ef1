//! Safe indexing costs nothing in loops over a tensor's own extents: no check is left, and no way to panic.
//!
//! `tensor_cost/functions.rs` is compiled in release mode, as a package of its own. A function that can panic calls
//! something; these call nothing.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use crate::root;

/// The instructions of the function `name`.
fn body<'a>(assembly: &'a str, name: &str) -> Vec<&'a str> {
    let lines = assembly.lines().skip_while(|line| *line != format!("{name}:"));
    lines
        .skip(1)
        .map(str::trim)
        .take_while(|line| *line != ".cfi_endproc")
        .filter(|line| !line.starts_with('.'))
        .collect()
}

fn calls(assembly: &str, name: &str) -> usize {
    let body = body(assembly, name);
    assert!(body.len() > 2, "{name} is not in the assembly");
    body.iter().filter(|line| line.starts_with("call") || line.starts_with("bl\t") || line.contains("panic")).count()
}

#[test]
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn no_check_is_left_in_loops_over_the_extents() {
    let root = root();
    let package = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tensor_cost");
    fs::create_dir_all(&package).unwrap();
    let manifest = format!(
        r#"
        [package]
        name = "functions"
        edition = "2024"
        [lib]
        crate-type = ["cdylib"]
        path = {functions:?}
        [dependencies]
        layout-algebra = {{ path = {root:?} }}
        [profile.release]
        codegen-units = 1
        lto = "fat"
        panic = "abort"
        [workspace]
        "#,
        functions = root.join("tests/cost/tensor_cost/functions.rs"),
    );
    fs::write(package.join("Cargo.toml"), manifest).unwrap();
    // The same versions of dependencies, so that none has to be fetched.
    fs::copy(root.join("Cargo.lock"), package.join("Cargo.lock")).unwrap();
    let output = package.join("functions.s");
    let result = Command::new(env!("CARGO"))
        .args(["rustc", "--release", "--lib", "--quiet", "--manifest-path"])
        .arg(package.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(package.join("target"))
        .arg("--")
        .arg(format!("--emit=asm={}", output.display()))
        .env("RUSTFLAGS", "")
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("CARGO_BUILD_TARGET")
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    let assembly = fs::read_to_string(&output).unwrap();
    for name in ["sum_of_static", "sum_of_dynamic", "double_tiles", "sum_of_share"] {
        assert_eq!(calls(&assembly, name), 0, "{name}: {:#?}", body(&assembly, name));
    }
    assert_ne!(calls(&assembly, "element"), 0, "an element at any coordinate is checked");
}
