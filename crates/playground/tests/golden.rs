//! The 6,607 answers of the executable specification through the text that the page reads.

use layout_algebra::prelude::*;
use layout_algebra_playground::evaluate::evaluate;
use serde_json::{Value as Json, json};

const GOLDEN: [&str; 2] = [
    include_str!("../../../tests/golden/golden.jsonl"),
    include_str!("../../../tests/golden/golden-2.jsonl"),
];

/// The text that asks for a golden answer.
fn text(op: &str, args: &[Json]) -> String {
    let args: Vec<String> = args
        .iter()
        .map(|arg| arg.as_str().map_or_else(|| arg.to_string(), str::to_string))
        .collect();
    match op {
        "swizzle" => format!("Sw<{},{},{}>.apply({})", args[0], args[1], args[2], args[3]),
        "coalesce_by_mode" => {
            let layout: DynLayout = args[0].parse().expect("a layout");
            let profile = if layout.depth() == 0 {
                "1".into()
            } else {
                format!("({})", vec!["1"; layout.rank()].join(","))
            };
            format!("coalesce_by({},{profile})", args[0])
        }
        _ => {
            let name = match op {
                "index_nested" => "index",
                "compose_by_mode" => "compose",
                other => other,
            };
            format!("{name}({})", args.join(","))
        }
    }
}

#[test]
fn every_golden_answer() {
    let (mut lines, mut wrong) = (0, Vec::new());
    for line in GOLDEN.iter().flat_map(|file| file.lines()) {
        lines += 1;
        let case: Json = serde_json::from_str(line).expect("JSON");
        let text = text(
            case["op"].as_str().expect("an operation"),
            case["args"].as_array().expect("arguments"),
        );
        let found = evaluate(&text);
        let answer = match &found.trouble {
            Some(trouble) => {
                let kind = trouble.refusal.as_ref().map(|error| error.kind().as_str());
                json!({ "undefined": kind.unwrap_or(&trouble.sentence) })
            }
            None => json!(found.parts.last().expect("a part").operand.value.to_string()),
        };
        let expected = match &case["out"] {
            out @ (Json::Number(_) | Json::Bool(_)) => json!(out.to_string()),
            out => out.clone(),
        };
        if answer != expected {
            wrong.push(format!("{text}\n  is {answer}, and not {expected}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
    assert_eq!(lines, 6608);
}
