//! Pages whose code stands elsewhere: what they show is what is there.

use std::path::Path;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
/// Without white space: pages have shorter lines than sources.
fn characters(text: &str) -> String {
    text.split_whitespace().collect()
}

/// `## N. ..` shows lines of the kernel `step_N_..`, or of the types above all kernels; the last one those of
/// `hgemm_sm90`.
#[test]
fn the_steps_to_wgmma_are_those_of_the_kernels() {
    let page = file("src/guide/from_index_to_wgmma.md");
    let (steps, last) =
        (file("crates/layout-nvidia/kernels/src/steps.rs"), file("crates/layout-nvidia/kernels/src/hgemm_sm90.rs"));
    let (types, kernels) = steps.split_once("\nmod kernels {").unwrap();
    let (last_types, _) = last.split_once("\nmod kernels {").unwrap();
    let kernels: Vec<&str> = kernels.split("pub fn step_").collect();
    let (mut shown, mut sections) = (0, 0);
    for (number, section) in (1..=6).map(|n| (n, page.split(&format!("\n## {n}. ")).nth(1).unwrap())) {
        let section = section.split("\n## ").next().unwrap();
        let source = match kernels.get(number) {
            Some(kernel) => characters(&[last_types, types, kernel].join("\n")),
            None => characters(&last),
        };
        for block in section.split("\n```rust,ignore\n").skip(1) {
            let block = characters(block.split("\n```").next().unwrap());
            assert!(source.contains(&block), "step {number}: this is not in its source:\n{block}");
            shown += 1;
        }
        sections += 1;
    }
    assert!(kernels.len() == 6 && sections == 6 && shown > 10, "{} kernels, {shown} blocks", kernels.len() - 1);
}

/// The figures are those of the run that is written down.
#[test]
fn the_figures_of_the_steps_are_those_of_the_run() {
    let page = file("src/guide/from_index_to_wgmma.md");
    let results = file("crates/layout-nvidia/results/nvidia-h200-steps.jsonl");
    let of = |line: &str, name: &str| -> f64 {
        let value = line.split(&format!("\"{name}\": ")).nth(1).unwrap_or_else(|| panic!("{name} in {line}"));
        value.split([',', '}']).next().unwrap().parse().unwrap()
    };
    let mut rows = 0;
    for line in results.lines().filter(|line| line.contains("\"rate\"")) {
        let kernel = line.split("\"kernel\": \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        let said = format!("| `{kernel}` | {:.1} | {:.1e} |", of(line, "rate"), of(line, "error"));
        assert!(page.contains(&said), "the page does not say {said}");
        let (_, peer) = line.split_once("cuBLAS").unwrap();
        assert!(page.contains(&format!("cuBLAS has {:.1}", of(peer, "rate"))), "what cuBLAS has");
        rows += 1;
    }
    assert_eq!(rows, 6);
}
