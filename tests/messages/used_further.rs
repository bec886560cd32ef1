//! What was refused is refused once: the programs of `ui-tests` whose mistake is an operation on layouts, with more
//! done to the result, still have the one error that they had.

use std::fs;
use std::path::Path;

use super::errors_by_line;
use crate::measure::Compiler;

/// What is done with the result, of whatever rank it would have been.
const FURTHER: &str = r#"
    let coalesced = result.coalesce();
    println!("{} {} {:?} {}", coalesced, result.size(), result.shape(), result.at(1));
    let part = result.compose(layout!(2)).flatten().zipped_divide(tiler!(2));
    let inverse = result.logical_product(layout!(2)).right_inverse();
    assert_eq!(layout!((2, 2)), inverse);
    let t = Tensor::new([0; 99], part).unwrap();
    println!("{} {} {}", t.slice((.., 0)).size(), t[1], t.compose(layout!(2)).iter().sum::<i32>());
"#;

/// Programs that give something else than a layout, or need more than the macros.
const OTHERS: &[&str] = &[
    "atom-",
    "tensor-",
    "draw-",
    "crd2",
    "idx2",
    "not-",
    "ragged-",
    "coordinates-",
    "elem-less-",
    "identity-",
    "layout-tv-",
    "compose-in-a-generic-function",
    "divide-zipped-tile-used-further",
    "dynamic-extent-in-a-static-layout",
    // What they give has XOR or negative strides: what is done below is refused of these, too.
    "negative-step-of-any-sign",
    "xor-step-in-two-parts",
    "xor-tensor",
    "negative-tensor",
];

/// Programs whose mistake is the argument of a constructor, or of a function whose signature says what it gives: there
/// the first error is the one that they had, and others may follow.
const CONSTRUCTORS: &[&str] = &[
    "incongruent-",
    "layout-of-",
    "compact-layout-",
    "ordered-layout-",
    "composed-layout-",
    "swizzle-of-",
    "xor-fragment-",
    "tiler-of-",
    "relayout-with-",
    "partition-tv-",
];

/// The program with its last statement, an operation, used further; `None` if that is no operation.
fn used_further(program: &str) -> Option<String> {
    let (start, body) = program.split_once("fn main() {\n")?;
    let body = body.strip_suffix("\n}\n")?;
    let statement =
        body.match_indices("\n    ").map(|(at, _)| at + 1).filter(|at| !body[*at..].starts_with("     ")).last();
    let (before, last) = body.split_at(statement.unwrap_or(0));
    let operation = last.trim().strip_suffix(';')?;
    let no_operation = ["let ", "println", "assert", "const ", "type ", "fn ", "use ", "for ", "if "];
    if no_operation.iter().any(|word| operation.starts_with(word)) {
        return None;
    }
    Some(format!("{start}fn main() {{\n{before}    let result = {operation};{FURTHER}}}\n"))
}

#[test]
fn what_was_refused_is_refused_once() {
    let programs =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests")).expect("the folder of programs");
    let mut sources: Vec<(String, String)> = Vec::new();
    for path in programs.map(|entry| entry.expect("an entry of the folder").path()) {
        let name = path.file_stem().expect("a name").to_string_lossy().replace('-', "_");
        let other = OTHERS.iter().any(|other| name.starts_with(&other.replace('-', "_")));
        if path.extension().is_some_and(|extension| extension == "rs") && !other {
            let program = fs::read_to_string(&path).expect("a program");
            if !program.contains("Dyn") {
                sources.extend(used_further(&program).map(|source| (name, source)));
            }
        }
    }
    assert!(sources.len() > 140, "{} programs are too few: are their last statements operations?", sources.len());
    sources.sort();

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("used_further");
    let rust = Compiler::rust(&folder);
    // All of them in one file first, a module each, which costs the compiler what a few of them cost. A program with
    // exactly one error there is as it should be; any other is compiled by itself, and that decides.
    let (mut file, mut begins) = (String::from("#![allow(unused)]\n"), Vec::new());
    for (name, source) in &sources {
        begins.push(file.lines().count() + 1);
        file += &format!("mod program_{name} {{\n{source}}}\n");
    }
    let Some(together) = rust.errors("all", &file) else { panic!("each of the programs is wrong") };
    let mut errors_of = vec![Vec::new(); sources.len()];
    for (line, errors) in errors_by_line(&together) {
        errors_of[begins.partition_point(|begin| *begin <= line) - 1].extend(errors);
    }
    let (mut faults, mut alone) = (String::new(), 0);
    for ((name, source), together) in sources.iter().zip(errors_of) {
        if together.len() == 1 {
            continue;
        }
        alone += 1;
        let errors = rust.errors(name, source).unwrap_or_default();
        let first_lines: Vec<_> =
            errors.lines().filter(|line| line.starts_with("error") && !line.contains("aborting due")).collect();
        let constructor = CONSTRUCTORS.iter().any(|start| name.starts_with(&start.replace('-', "_")));
        let message = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../ui-tests")
            .join(name.replace('_', "-"))
            .with_extension("stderr");
        let message = fs::read_to_string(message).unwrap_or_default();
        let same = message.lines().next() == first_lines.first().copied();
        if first_lines.len() != 1 && !(constructor && same) {
            faults.push_str(&format!("{name}: {} errors\n{}\n", first_lines.len(), first_lines.join("\n")));
        }
    }
    println!("{} programs, {alone} of them compiled by themselves", sources.len());
    assert!(faults.is_empty(), "{faults}");
}
