//! The guide quotes the compiler correctly: each program that does not compile is compiled, and its
//! first error contains the quoted lines, with the numbers of that program.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::measure::Compiler;

/// A program of a page that does not compile, and the messages that are quoted for it.
struct Program {
    place: String,
    code: String,
    quotes: Vec<String>,
    /// Whether type checking finds the mistake. A constant of a generic function (E0080) is
    /// evaluated by `cargo build`.
    is_checked: bool,
}

/// The programs of a page. A message is a block quote between the program before and this one, or a
/// comment in the program that says more than a few words.
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
        let Some(fence) = line.strip_prefix("```").filter(|fence| !fence.is_empty()) else {
            continue;
        };
        let body: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```").collect();
        if fence.split(',').any(|word| word == "compile_fail") {
            let comments = body.iter().filter_map(|line| Some(line.split_once("// ")?.1.trim()));
            let said = comments
                .filter(|comment| comment.split(' ').count() > 5 && !comment.ends_with('?'));
            quotes.extend(
                said.map(|comment| comment.trim_start_matches("error[E0277]: ").to_string()),
            );
            let code = body
                .iter()
                .map(|line| line.strip_prefix("# ").unwrap_or(line).to_string() + "\n")
                .collect();
            let is_checked = !fence.contains("E0080");
            let place = format!("{name}:{}", number + 1);
            programs.push(Program { place, code, quotes: std::mem::take(&mut quotes), is_checked });
        }
    }
    programs
}

/// A program with `?` in it, in a function of this name.
fn function(name: &str, code: &str) -> String {
    format!("fn {name}() -> Result<(), Box<dyn std::error::Error>> {{\n{code}\n;Ok(())\n}}\n")
}

/// The errors of programs by their numbers: all of them in one file, a module each, as
/// `cargo check` sees them.
fn checked<'a>(
    programs: impl Iterator<Item = (usize, &'a Program)>,
    folder: &Path,
) -> BTreeMap<usize, String> {
    let (mut file, mut begins) = (String::from("#![allow(unused)]\n"), Vec::new());
    for (k, program) in programs {
        begins.push((file.lines().count() + 1, k));
        file += &format!("mod program_{k} {{\n{}}}\n", function("program", &program.code));
    }
    let text =
        Compiler::rust(folder).errors("guide", &file).expect("each of the programs is wrong");
    let mut errors = BTreeMap::<usize, String>::new();
    for error in text.split("\n\n").filter(|error| error.starts_with("error")) {
        let place = error
            .split("guide.rs:")
            .nth(1)
            .and_then(|rest| rest.split(':').next()?.parse::<usize>().ok());
        let Some(line) = place else { continue };
        let (_, k) = begins[begins.partition_point(|(begin, _)| *begin <= line) - 1];
        // The first one counts.
        errors.entry(k).or_insert_with(|| error.replace("layout_algebra::", ""));
    }
    errors
}

/// The errors of programs by their numbers: a binary each, as `cargo build` sees them.
fn built<'a>(
    programs: impl Iterator<Item = (usize, &'a Program)>,
    folder: &Path,
    root: &Path,
) -> BTreeMap<usize, String> {
    let _ = fs::remove_dir_all(folder.join("src"));
    fs::create_dir_all(folder.join("src/bin")).expect("a folder");
    let manifest = "[package]\nname = \"built\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nlayout-algebra.path = ";
    fs::write(folder.join("Cargo.toml"), format!("{manifest}{root:?}\n")).expect("a manifest");
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock")).expect("a copy of Cargo.lock");
    for (k, program) in programs {
        let source = format!("#![allow(unused)]\n{}", function("main", &program.code));
        fs::write(folder.join(format!("src/bin/program_{k}.rs")), source).expect("a program");
    }
    // What is downloaded suffices as a rule; else cargo fetches it.
    let build = |offline: Option<&str>| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--keep-going", "--message-format=json"]).args(offline);
        cargo
            .arg("--target-dir")
            .arg(folder.join("target"))
            .arg("--manifest-path")
            .arg(folder.join("Cargo.toml"));
        cargo
            .env("CARGO_INCREMENTAL", "0")
            .stderr(Stdio::null())
            .output()
            .expect("cargo runs")
            .stdout
    };
    let messages = Some(build(Some("--offline")))
        .filter(|said| !said.is_empty())
        .unwrap_or_else(|| build(None));
    let mut errors = BTreeMap::<usize, String>::new();
    for line in String::from_utf8(messages).expect("text").lines() {
        let message: serde_json::Value = serde_json::from_str(line).expect("cargo writes JSON");
        let program = message["target"]["name"]
            .as_str()
            .and_then(|name| name.strip_prefix("program_")?.parse().ok());
        if let (Some(k), "error") =
            (program, message["message"]["level"].as_str().unwrap_or_default())
        {
            *errors.entry(k).or_default() +=
                message["message"]["rendered"].as_str().unwrap_or_default();
        }
    }
    errors
}

/// Text without what differs between two programs with the same mistake.
fn without_numbers(text: &str) -> String {
    text.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn messages_of_the_guide_are_the_compilers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let markdown = |folder: &str| {
        let entries = fs::read_dir(root.join(folder))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect::<Vec<_>>()
    };
    let mut pages = [markdown("src/guide"), markdown("src/guide/cookbook")].concat();
    pages.push(root.join("README.md"));
    pages.sort();
    let read = |path: &Path| {
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let all: Vec<Program> = pages
        .iter()
        .flat_map(|path| {
            programs(&path.file_name().expect("a name").to_string_lossy(), &read(path))
        })
        .collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guide");
    let numbered = |is_checked| {
        all.iter().enumerate().filter(move |(_, program)| program.is_checked == is_checked)
    };
    let mut errors_of = checked(numbered(true), &folder);
    errors_of.extend(built(numbered(false), &folder.join("built"), &root));
    // The programs of `ui-tests` have the messages that the guide quotes beside another one.
    let known: String = fs::read_dir(root.join("ui-tests"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|end| end == "stderr"))
        .map(|path| without_numbers(&read(&path)))
        .collect();
    let (mut faults, mut compared) = (String::new(), 0);
    for (k, program) in all.iter().enumerate() {
        let first = errors_of.remove(&k).unwrap_or_default();
        if first.is_empty() {
            faults += &format!("{} compiles, or no error is in its lines\n", program.place);
        }
        let is_said = |quote: &String| first.contains(quote.as_str());
        if !program.quotes.is_empty() && !program.quotes.iter().any(is_said) {
            faults += &format!(
                "{}: the compiler says\n  {first}\n  {:?}\n",
                program.place, program.quotes
            );
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
