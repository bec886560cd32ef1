//! A refused operation gives one error, even if its result is used later: the programs of
//! `ui-tests` in which an operation on layouts is refused have the same single error with more
//! operations on the result. Each reason has such a program.

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

/// The program with its last statement, an operation on layouts, used further; `None` if that is
/// none.
fn used_further(program: &str) -> Option<String> {
    let (start, body) = program.split_once("fn main() {\n    ")?;
    let body = body.strip_suffix(";\n}\n")?;
    let (before, last) =
        body.rsplit_once(";\n    ").map_or(("", body), |(before, last)| (before, last));
    // What is printed or compared is a method of the result.
    let last = last
        .strip_prefix("println!(\"{}\", ")
        .map_or(last, |printed| printed.trim_end_matches(')'));
    let last = [".size(", ".rank("].iter().find_map(|end| last.strip_suffix(end)).unwrap_or(last);
    let operation =
        last.starts_with("layout!") || last.starts_with("l.") || last.starts_with("Swizzle::");
    operation.then(|| {
        format!("{start}fn main() {{\n    {before};\n    let result = {last};{FURTHER}}}\n")
    })
}

#[test]
fn what_was_refused_is_refused_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests");
    let mut sources: Vec<(String, String)> = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of programs") {
        let path = entry.expect("an entry of the folder").path();
        let message = fs::read_to_string(path.with_extension("stderr")).unwrap_or_default();
        if path.extension().is_some_and(|extension| extension == "rs")
            && message.contains("::reasons::table::")
        {
            let name = path.file_stem().expect("a name").to_string_lossy().replace('-', "_");
            let program = fs::read_to_string(&path).expect("a program");
            sources.extend(used_further(&program).map(|source| (name, source)));
        }
    }
    assert!(
        sources.len() > 50,
        "{} programs are too few: are their last statements operations?",
        sources.len()
    );
    sources.sort();

    let rust = Compiler::rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("used_further"));
    // All of them in one file first, a module each, which costs the compiler what a few of them
    // cost. A program with exactly one error there is as it should be; any other is compiled by
    // itself, and that decides.
    let (mut file, mut begins) = (String::from("#![allow(unused)]\n"), Vec::new());
    for (name, source) in &sources {
        begins.push(file.lines().count() + 1);
        file += &format!("mod program_{name} {{\n{source}}}\n");
    }
    let Some(together) = rust.errors("all", &file) else { panic!("each of the programs is wrong") };
    let mut errors_of = vec![0; sources.len()];
    for (line, errors) in errors_by_line(&together) {
        errors_of[begins.partition_point(|begin| *begin <= line) - 1] += errors.len();
    }
    let mut faults = String::new();
    for ((name, source), _) in sources.iter().zip(errors_of).filter(|(_, together)| *together != 1)
    {
        let errors = rust.errors(name, source).unwrap_or_default();
        let errors: Vec<_> = errors_by_line(&errors).into_values().flatten().collect();
        if errors.len() != 1 {
            faults.push_str(&format!("{name}: {} errors\n{}\n", errors.len(), errors.join("\n")));
        }
    }
    println!("{} programs", sources.len());
    assert!(faults.is_empty(), "{faults}");
}
