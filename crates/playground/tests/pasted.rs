//! What the page gives to paste is given to the compiler: types that it says are equal are, and
//! what it says is refused gives the error that it says, and no other. Where several rules are
//! broken at once the compiler may name another of them: that is counted.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use layout_algebra_playground::evaluate::evaluate;
use layout_algebra_playground::rust::Pasted;
use layout_algebra_playground::value::Value;
use layout_cli::AnyLayout;
use serde_json::Value as Json;

fn pasted(text: &str) -> Pasted {
    evaluate(text).pasted()
}

/// The type of a layout that a text gives.
fn result(text: &str) -> Option<String> {
    let evaluated = evaluate(text);
    let last = evaluated.parts.last().filter(|_| evaluated.trouble.is_none())?;
    match &last.operand.value {
        Value::Memory(AnyLayout::Plain(layout)) => Some(format!("Layout!({layout})")),
        Value::Number(_) => Some("usize".into()),
        _ => None,
    }
}

/// The texts of the page's starting points.
fn gallery() -> Vec<&'static str> {
    let entries = include_str!("../page/gallery.js").split("text: \"").skip(1);
    entries.map(|entry| entry.split('"').next().expect("the end of a text")).collect()
}

/// Texts of every form that Rust takes here, and of the ways to be refused.
const TEXTS: &[&str] = &[
    "(4,6)",
    "12",
    "Sw<3,3,-3>",
    "Sw<3,3,3> o 8 o (8,64):(64,1)",
    "Sw<2,0,2> o 0 o (4,4):(4,1).logical_divide(<2,2>)",
    "(8,8):(8,1) o (2,8):(8,1)",
    "(8,8):(8,1) o <2,(2,2):(1,4)>",
    "(8,8):(8,1).compose(<_,4>).coalesce()",
    "coalesce((2,(1,6)):(1,(6,2)))",
    "((2,2),3):((1,2),4).coalesce_by((1,1))",
    "(4,6).complement(48)",
    "(4,6):(6,1).left_inverse()",
    "(4,6):(1,4).layout_add((4,6):(6,1))",
    "greatest_common_domain((4,6),(2,12))",
    "(8,8):(1,8).upcast(4)",
    "(8,8):(1,8).recast(8,32)",
    "(2,3,4):(1,2,6).select((2,0))",
    "(2,3,4):(1,2,6).take(1,3)",
    "(2,3,4):(1,2,6).group(0,2)",
    "(2,3,4):(1,2,6).mode(1)",
    "((2,3),4):((1,2),6).ungroup(0)",
    "(4,6).append(2:24)",
    "right((4,6))",
    "(4,6).size()",
    "(4,(2,3)).depth()",
    "congruent((4,(2,3)),(1,(1,1)))",
    "compatible((4,6),((2,2),6))",
    "(100,60):(60,1).round_up(<16,8>)",
    "let r = layout!((4, 6)).zipped_divide(&tiler!(2, 3))?;",
    "layout!((8, 8): right).try_compose(tiler!(_, 4))?.coalesce()",
    "Swizzle::<3, 0, 3>::new().compose(layout!((8, 8): right)).flat_divide(tiler!(4, 4))",
    "layout!((4, 6)).complement(int!(48)).mode::<0>()",
    "(2,2):(1,2).tile_to_shape((8,4))",
    // Refused.
    "Sw<2,0,2> o 0 o (4,4):(4,1).logical_divide(<3,2>)",
    "Sw<2,0,2> o 0 o (4,4):(4,1).compose(5:2)",
    "(4,6).zipped_divide(<2,3>).compose(5)",
    "((4,6),8).tiled_divide(<<2,4>,2>)",
    "12:1.logical_divide(5)",
    "(4,3):(1,8) o 6:3",
    "(2,4):(1,2).complement(13)",
    "(2,2):(1,3).left_inverse()",
    "(4,6).layout_add((5,5))",
    "(8,8):(1,8).upcast(3)",
    "(4,4):(2,2).complement(64)",
    "(2,2):(2,4).downcast(2)",
    "(4,6).layout_add((3,8))",
    "(3,2):(1,3).tile_to_shape((8,4))",
    "(4,6,2).select((5,0))",
    "(4,6).compose(<2,3,1>)",
    "(4,6).zipped_divide(<2,3,1>)",
];

/// One answer in so many of the golden file's, so that all operations are there.
const EVERY: usize = 37;

fn golden() -> Vec<String> {
    let lines = include_str!("../../../tests/golden/golden.jsonl").lines().enumerate();
    let chosen =
        lines.filter(|(k, line)| k % EVERY == 0 || line.contains("undefined") && k % 5 == 0);
    chosen
        .filter_map(|(_, line)| {
            let case: Json = serde_json::from_str(line).expect("JSON");
            let op = case["op"].as_str().expect("an operation");
            let args = case["args"].as_array().expect("arguments");
            let args: Vec<String> = args
                .iter()
                .map(|arg| arg.as_str().map_or_else(|| arg.to_string(), str::to_string))
                .collect();
            let name = match op {
                "compose_by_mode" => "compose",
                "coalesce_by_mode" | "index_nested" | "index" | "swizzle" | "idx2crd" => {
                    return None;
                }
                other => other,
            };
            Some(format!("{name}({})", args.join(",")))
        })
        .collect()
}

#[test]
fn what_is_pasted_compiles_or_gives_the_error_that_it_says() {
    let texts: Vec<String> = gallery()
        .into_iter()
        .chain(TEXTS.iter().copied())
        .map(str::to_string)
        .chain(golden())
        .collect();
    let programs: Vec<(&String, Pasted)> = texts.iter().map(|text| (text, pasted(text))).collect();
    let with_code = programs.iter().filter(|(_, program)| !program.code.is_empty());
    assert!(with_code.clone().count() > 200, "{} programs", with_code.count());

    // The types, and in a crate of their own the lines of values, which the compiler looks at when
    // all types are right. A line gives the same type as the page says, and the same error.
    let of_values = |(text, program): &(&String, Pasted)| {
        let of_type =
            result(text).map(|result| format!("let _: {result} = r;")).unwrap_or_default();
        let line = program.line.as_ref();
        line.map(|line| {
            format!("use layout_algebra::prelude::*;\nfn f() {{ let r = {line}; {of_type} }}\n")
        })
    };
    let lines: Vec<Option<String>> = programs.iter().map(of_values).collect();
    assert!(lines.iter().flatten().count() > 200, "{} lines", lines.iter().flatten().count());
    let (types, said) = errors("types", programs.iter().map(|(_, program)| program.code.as_str()));
    let (values, _) =
        errors("values", lines.iter().map(|line| line.as_deref().unwrap_or_default()));

    let (mut wrong, mut others) = (String::new(), 0);
    let all = programs.iter().zip(&types).chain(
        programs
            .iter()
            .zip(&values)
            .zip(&lines)
            .filter_map(|(it, line)| line.is_some().then_some(it)),
    );
    for ((text, program), found) in all {
        let expected: Vec<String> = program.error.iter().cloned().collect();
        let mut found = found.clone();
        found.dedup();
        // `error[E0277]`
        let words = |errors: &[String]| {
            errors.first().and_then(|error| error.split(": ").next()).map(str::to_owned)
        };
        if expected != found && found.len() == 1 && words(&expected) == words(&found) {
            println!("{text}\n  says  {expected:?}\n  gives {found:?}");
            others += 1;
        } else if expected != found {
            writeln!(wrong, "{text}\n  says  {expected:?}\n  gives {found:?}\n{}", program.code)
                .expect("text");
        }
    }
    let refused = programs.iter().zip(&lines).filter(|((_, program), _)| program.error.is_some());
    let count = refused.map(|(_, line)| 1 + usize::from(line.is_some())).sum::<usize>();
    println!(
        "{} programs, {count} of them refused, {others} of these for another rule than the page \
         says",
        programs.len() + lines.iter().flatten().count()
    );
    assert!(
        count > 80 && others * 10 <= count,
        "{others} of {count} refusals are worded otherwise"
    );
    assert!(wrong.is_empty(), "{wrong}{}", said.lines().take(5).collect::<String>());
}

/// The errors of each of these programs, and all that the compiler says otherwise: one crate, a
/// module each.
fn errors<'a>(name: &str, programs: impl Iterator<Item = &'a str>) -> (Vec<Vec<String>>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pasted").join(name);
    std::fs::create_dir_all(folder.join("src")).expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .ancestors()
        .nth(2)
        .expect("the crate")
        .display()
        .to_string();
    let manifest = format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \
         \"2024\"\n\n[workspace]\n\n[dependencies]\nlayout-algebra = {{ path = {root:?}, features \
         = [\"alloc\"] }}\n"
    );
    std::fs::write(folder.join("Cargo.toml"), manifest).expect("a file");
    std::fs::copy(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.lock"),
        folder.join("Cargo.lock"),
    )
    .expect("a lock");
    let mut library = String::from("#![allow(dead_code, unused_imports)]\n");
    let mut lines = Vec::new();
    for (k, program) in programs.enumerate() {
        writeln!(library, "mod p{k} {{").expect("text");
        let first = library.lines().count() + 1;
        writeln!(library, "{program}}}").expect("text");
        lines.push(first..library.lines().count());
    }
    std::fs::write(folder.join("src/lib.rs"), &library).expect("a file");

    let output = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--lib", "--message-format=json", "--manifest-path"])
        .arg(folder.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(folder.with_file_name("target"))
        .output()
        .expect("cargo");
    let mut errors: Vec<Vec<String>> = vec![Vec::new(); lines.len()];
    for message in String::from_utf8_lossy(&output.stdout).lines() {
        let message: Json = serde_json::from_str(message).expect("JSON");
        let message = &message["message"];
        if message["level"] != "error" || message["spans"].as_array().is_none_or(Vec::is_empty) {
            continue;
        }
        let spans = message["spans"].as_array().expect("spans");
        let line = spans
            .iter()
            .find(|span| span["is_primary"] == true)
            .and_then(outermost)
            .expect("a place");
        let code = message["code"]["code"].as_str().unwrap_or_default();
        let program = lines.iter().position(|lines| lines.contains(&line)).expect("a program");
        errors[program]
            .push(format!("error[{code}]: {}", message["message"].as_str().unwrap_or_default()));
    }
    (errors, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The line in the crate's own file, behind macros.
fn outermost(span: &Json) -> Option<usize> {
    let mut span = span;
    while let Some(call) = span["expansion"]["span"].as_object() {
        span = &span["expansion"]["span"];
        let _ = call;
    }
    (span["file_name"] == "src/lib.rs")
        .then(|| span["line_start"].as_u64().and_then(|line| usize::try_from(line).ok()))?
}
