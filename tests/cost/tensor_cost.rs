//! Safe indexing costs nothing in loops over a tensor's own extents: no check is left, and no way
//! to panic.
//!
//! `tensor_cost/functions.rs` is compiled in release mode. A function that can panic calls
//! something; these call nothing.

use crate::{released, root};

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
    body.iter()
        .filter(|line| {
            line.starts_with("call") || line.starts_with("bl\t") || line.contains("panic")
        })
        .count()
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub fn no_check_is_left_in_loops_over_the_extents() {
    let source = root().join("tests/cost/tensor_cost/functions.rs");
    let assembly = released::assembly("tensor_cost", &source);
    for name in ["sum_of_static", "sum_of_dynamic", "double_tiles", "sum_of_share"] {
        assert_eq!(calls(&assembly, name), 0, "{name}: {:#?}", body(&assembly, name));
    }
    assert_ne!(calls(&assembly, "element"), 0, "an element at any coordinate is checked");
}
