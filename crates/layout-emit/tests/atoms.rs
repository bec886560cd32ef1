//! The partitions of all instructions of the table, compiled by rustc and called for every thread
//! and value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use layout_algebra::prelude::*;
use layout_emit::{Language, Operand, Partition};

#[test]
fn every_thread_has_the_elements_of_the_instruction() {
    let mut all: BTreeMap<String, (DynLayout, usize)> = BTreeMap::new();
    for line in include_str!("../src/atoms.txt").lines() {
        let row: Vec<&str> = line.split(' ').collect();
        let operands = [
            (Operand::A, row[4], row[1]),
            (Operand::B, row[5], row[2]),
            (Operand::C, row[6], row[1]),
        ];
        for (operand, layout, rows) in operands {
            let (layout, rows): (DynLayout, usize) =
                (layout.parse().expect("a layout"), rows.parse().expect("a number"));
            let emit = |name: &str| {
                Partition::of_atom(row[0], operand).expect(row[0]).name(name).emit(Language::Rust)
            };
            let function = emit("element_of").expect("emitted");
            // Many rows have the same function; matrices that all threads share are large.
            let body = function
                .lines()
                .filter(|line| !line.starts_with("///"))
                .collect::<Vec<_>>()
                .join("\n");
            if layout.size() <= 1 << 16 {
                all.entry(format!("{body}{layout}{rows}")).or_insert_with(|| (layout, rows));
            }
        }
    }
    let (mut program, mut main) = (String::from("#![allow(unused)]\n"), String::new());
    for (k, (key, (layout, rows))) in all.iter().enumerate() {
        let body = &key[..key.len() - format!("{layout}{rows}").len()];
        program += &body.replace("element_of", &format!("f{k}"));
        let [threads, values] = [0, 1].map(|mode| layout.mode(mode).expect("two modes").size());
        main += &format!(
            "    for v in 0..{values} {{ for t in 0..{threads} {{ let [m, n] = f{k}(t, v); out.push(m + {rows} * n); }} }}\n"
        );
    }
    program += &format!(
        "\nfn main() {{\n    let mut out: Vec<u32> = Vec::new();\n{main}    \
         let bytes: Vec<u8> = out.iter().flat_map(|x| x.to_le_bytes()).collect();\n    \
         std::fs::write(\"atoms.out\", bytes).unwrap();\n}}\n"
    );
    fs::write(folder().join("atoms.rs"), program).expect("written");
    for command in [
        &["rustc", "--edition=2021", "-Copt-level=1", "-Coverflow-checks=on", "atoms.rs"][..],
        &["./atoms"],
    ] {
        let ran = Command::new(command[0])
            .args(&command[1..])
            .current_dir(folder())
            .output()
            .expect(command[0]);
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    }
    let out = fs::read(folder().join("atoms.out")).expect("results");
    let mut out = out
        .chunks_exact(4)
        .map(|bytes| u32::from_le_bytes(bytes.try_into().expect("4 bytes")) as usize);
    for (key, (layout, _)) in &all {
        for i in 0..layout.size() {
            assert_eq!(out.next(), Some(layout.index(i)), "element {i} of {key}");
        }
    }
    assert!(out.next().is_none() && all.len() > 40, "{} functions", all.len());
}

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}
