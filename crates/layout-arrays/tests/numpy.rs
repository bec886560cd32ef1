//! DLPack against a real array: NumPy's, both ways. `numpy/arrays.py` has the tests, and runs where
//! there is a Python with NumPy 2.1 or later; elsewhere a line says that it did not.
//! `DLPACK_PYTHON` names a Python that must have it, `DLPACK_LIBRARY` the example where it is built.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What says whether a Python has what the test needs.
const HAS_NUMPY: &str =
    "import numpy; assert tuple(map(int, numpy.__version__.split('.')[:2])) >= (2, 1)";

#[test]
fn numpy_arrays_are_tensors_and_back() {
    let chosen = env::var_os("DLPACK_PYTHON");
    let python = chosen.clone().unwrap_or_else(|| "python3".into());
    let has_numpy = Command::new(&python).args(["-c", HAS_NUMPY]).output();
    if !has_numpy.as_ref().is_ok_and(|output| output.status.success()) {
        assert!(chosen.is_none(), "DLPACK_PYTHON is no Python with NumPy 2.1: {has_numpy:?}");
        // Not by a macro, whose text the test would keep.
        let note = "NOT RUN: numpy_arrays_are_tensors_and_back, python3 has no NumPy 2.1 or later \
                    (DLPACK_PYTHON=path)";
        writeln!(std::io::stderr(), "{note}").unwrap();
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let library = env::var_os("DLPACK_LIBRARY").map_or_else(|| build_example(root), PathBuf::from);
    let run = Command::new(&python)
        .arg(root.join("tests/numpy/arrays.py"))
        .arg(&library)
        .output()
        .expect("Python");
    let (said, complained) =
        (String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{}: {said}{complained}", library.display());
    assert!(said.starts_with("NumPy 2") && said.contains("tensors given"), "{said}");
    println!("{said}");
}

/// The library that the example `numpy` is. Cargo compiles it and what it needs anew where other
/// features were turned on for the tests: the gate names the one that was built with them.
fn build_example(root: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target directory");
    let build = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--example", "numpy", "--target-dir"])
        .arg(target)
        .current_dir(root)
        .output()
        .expect("cargo");
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let name = format!("{}numpy{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    target.join("debug/examples").join(name)
}
