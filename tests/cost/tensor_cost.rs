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
    for name in ["sum_of_static", "sum_of_dynamic", "double_tiles"] {
        assert_eq!(calls(&assembly, name), 0, "{name}: {:#?}", body(&assembly, name));
    }
    assert_ne!(calls(&assembly, "element"), 0, "an element at any coordinate is checked");
}

/// The instructions of the innermost loops in the function `name` that move vectors of 16 bytes.
#[cfg(target_arch = "x86_64")]
fn loops_of_vectors<'a>(assembly: &'a str, name: &str) -> Vec<Vec<&'a str>> {
    let lines = assembly.lines().skip_while(|line| *line != format!("{name}:")).skip(1);
    let lines: Vec<_> = lines.map(str::trim).take_while(|line| *line != ".cfi_endproc").collect();
    let mut loops = Vec::new();
    for (end, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with('j')) {
        let label = line.split_whitespace().next_back().unwrap_or_default();
        let Some(begin) = lines[..end].iter().position(|it| *it == format!("{label}:")) else {
            continue;
        };
        let body = &lines[begin + 1..end];
        let words = body.iter().filter(|line| !line.starts_with(".p2align"));
        let mut words: Vec<_> = words.filter_map(|line| line.split_whitespace().next()).collect();
        words.sort();
        if words.contains(&"movaps") && !words.iter().any(|word| word.ends_with(':')) {
            loops.push(words);
        }
    }
    loops.sort();
    loops
}

#[cfg(target_arch = "x86_64")]
pub fn copies_by_vectors_are_the_loop_by_hand() {
    let source = root().join("tests/cost/tensor_cost/functions.rs");
    let assembly = released::assembly("tensor_cost", &source);
    let by_hand = loops_of_vectors(&assembly, "copy_columns_by_hand");
    assert!(!by_hand.is_empty(), "{:#?}", body(&assembly, "copy_columns_by_hand"));
    assert_eq!(loops_of_vectors(&assembly, "copy_columns"), by_hand);
}
