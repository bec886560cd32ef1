//! The functions compiled and called at every coordinate, beside `DynLayout`.
//!
//! Without an environment variable: some layouts in Rust, and in C and Python where there is a gcc and a python3.
//! `EMIT_PACK` names a folder for the programs and what they have to give, for a machine without Rust.
//! `EMIT_LAYOUTS` says how many layouts, `EMIT_LANGUAGES` in which languages, and then each of them has to be there;
//! `.ci/test-emit` installs what they need.

mod languages;
#[allow(dead_code, reason = "the other tests take more of the layouts")]
mod layouts;

use languages::{RUNNERS, Runner};
use layouts::{Case, Random, cases, layout};

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}: a number")))
}

#[test]
fn functions_give_the_offsets_of_the_layout() {
    let asked = std::env::var("EMIT_LANGUAGES").ok();
    let runners: Vec<&Runner> = match &asked {
        Some(names) => {
            let find = |name: &str| RUNNERS.iter().find(|runner| runner.name == name).expect("EMIT_LANGUAGES");
            names.split([',', ' ']).filter(|name| !name.is_empty()).map(find).collect()
        }
        None => RUNNERS.iter().filter(|runner| runner.is_everywhere).collect(),
    };
    let layouts = number("EMIT_LAYOUTS", 100);
    let mut random = Random(number("EMIT_SEED", 1) as u64);
    let all: Vec<Vec<Case>> = (0..layouts)
        .map(|k| {
            let oracle = layout(&mut random);
            cases(&mut random, &format!("f{k}"), &oracle)
        })
        .collect();
    for runner in runners {
        if std::env::var_os("EMIT_PACK").is_none() && !runner.is_there() {
            assert!(asked.is_none(), "there is no {}", runner.name);
            println!("NOT RUN: {}", runner.name);
            continue;
        }
        let (mut functions, mut calls) = (0, 0);
        for (batch, layouts) in all.chunks(runner.batch).enumerate() {
            let cases: Vec<&Case> = layouts.iter().flatten().filter(|case| runner.takes(case)).collect();
            runner.check(&cases, batch);
            functions += cases.len();
            calls += cases.iter().map(|case| case.calls.len()).sum::<usize>();
        }
        println!("{}: {layouts} layouts, {functions} functions, {calls} calls", runner.name);
    }
}
