//! What the guide quotes of the compiler is what the compiler says: each program there that does not compile is compiled,
//! and its first error is the one that stands beside it, with the numbers of that program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::errors_by_line;
use crate::measure::Compiler;

/// A program of a page that does not compile, and the messages that are quoted for it.
struct Program {
    place: String,
    code: String,
    quotes: Vec<String>,
    /// Whether type checking finds the mistake. A constant (E0080) is evaluated by `cargo build` alone: that it fails is a
    /// documentation test, and what it says is not compared.
    is_checked: bool,
}

/// The programs of a page. A message is a block quote between the program before and this one, or a comment in the program
/// that says more than a few words.
fn programs(name: &str, page: &str) -> Vec<Program> {
    let (mut programs, mut quotes): (Vec<Program>, Vec<String>) = (Vec::new(), Vec::new());
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(quote) = line.strip_prefix("> ") {
            quotes.push(quote.to_string());
        }
        if line.starts_with("## ") {
            quotes.clear();
        }
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else { continue };
        let body: Vec<&str> = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        if fence.split(',').any(|word| word == "compile_fail") {
            let comments = body.iter().filter_map(|line| Some(line.split_once("// ")?.1.trim()));
            let said = comments.filter(|comment| comment.split(' ').count() > 5 && !comment.ends_with('?'));
            quotes.extend(said.map(|comment| comment.trim_start_matches("error[E0277]: ").to_string()));
            let code = body.iter().map(|line| line.strip_prefix("# ").unwrap_or(line).to_string() + "\n").collect();
            let is_checked = !fence.contains("E0080");
            let place = format!("{name}:{}", number + 1);
            programs.push(Program { place, code, quotes: std::mem::take(&mut quotes), is_checked });
        }
    }
    programs
}

/// Text without what differs between two programs with the same mistake.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn messages_of_the_guide_are_the_compilers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let markdown = |folder: &str| {
        let entries = fs::read_dir(root.join(folder)).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect::<Vec<_>>()
    };
    let mut pages = [markdown("src/guide"), markdown("src/guide/cookbook")].concat();
    pages.push(root.join("README.md"));
    pages.sort();
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let all: Vec<Program> = pages
        .iter()
        .flat_map(|path| programs(&path.file_name().expect("a name").to_string_lossy(), &read(path)))
        .collect();
    // All of them in one file, a module each.
    let (mut file, mut begins) = (String::from("#![allow(unused)]\n"), Vec::new());
    for (k, program) in all.iter().enumerate().filter(|(_, program)| program.is_checked) {
        begins.push((file.lines().count() + 1, k));
        file += &format!(
            "mod program_{k} {{\nfn program() -> Result<(), Box<dyn std::error::Error>> {{\n{}\n;Ok(())\n}}\n}}\n",
            program.code
        );
    }
    let rust = Compiler::rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide"));
    let text = rust.errors("guide", &file).expect("each of the programs is wrong");
    let mut errors_of: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (line, errors) in errors_by_line(&text) {
        let (_, k) = begins[begins.partition_point(|(begin, _)| *begin <= line) - 1];
        errors_of.entry(k).or_default().extend(errors.into_iter().map(str::to_string));
    }
    // The programs of `ui-tests` have the messages that the guide quotes beside another one.
    let known: String = fs::read_dir(root.join("ui-tests"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "stderr"))
        .map(|path| without_numbers(&read(&path)))
        .collect();
    let (mut faults, mut compared) = (String::new(), 0);
    for (k, program) in all.iter().enumerate().filter(|(_, program)| program.is_checked) {
        let errors = errors_of.remove(&k).unwrap_or_default();
        let first = errors.first().map_or("", String::as_str);
        if first.is_empty() {
            faults += &format!("{} compiles, or no error is in its lines\n", program.place);
        }
        let is_said = |quote: &String| first.contains(quote.as_str());
        if !program.quotes.is_empty() && !program.quotes.iter().any(is_said) {
            faults += &format!("{}: the compiler says\n  {first}\n  {:?}\n", program.place, program.quotes);
        }
        for quote in &program.quotes {
            compared += 1;
            if !is_said(quote) && !known.contains(&without_numbers(quote)) {
                faults += &format!("{}: nothing says {quote:?}\n", program.place);
            }
        }
    }
    println!("{} programs, {compared} messages", all.len());
    assert!(all.len() > 20 && compared > 15, "{} programs, {compared} messages", all.len());
    assert!(faults.is_empty(), "{faults}");
}
