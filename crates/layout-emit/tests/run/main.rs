//! Compiles the functions, calls them at every coordinate, and compares with `DynLayout`.
//!
//! Without environment variables: some layouts in Rust, and in C and Python if gcc and python3 are
//! installed. `EMIT_PACK` names a folder for the programs and the expected results, for a machine
//! without Rust. `EMIT_LAYOUTS` sets the number of layouts, `EMIT_SEED` the seed, which otherwise
//! changes with each day or commit, and `EMIT_LANGUAGES` the languages, each of which must be
//! installed then; `.ci/test-emit` installs their tools.

mod languages;
#[allow(dead_code, reason = "the other tests take more of the layouts")]
mod layouts;
mod names;

use languages::{RUNNERS, Runner};
use layouts::{Case, Random, cases, layout, named_cases, number_of, seed};
use names::draw_names;

/// The requested languages, or the default languages that are installed.
fn runners() -> Vec<&'static Runner> {
    let asked = std::env::var("EMIT_LANGUAGES").ok();
    let runners: Vec<&Runner> = match &asked {
        Some(names) => {
            let find = |name: &str| {
                RUNNERS.iter().find(|runner| runner.name == name).expect("EMIT_LANGUAGES")
            };
            names.split([',', ' ']).filter(|name| !name.is_empty()).map(find).collect()
        }
        None => RUNNERS.iter().filter(|runner| runner.is_everywhere).collect(),
    };
    let is_there = |runner: &&Runner| {
        let is_there = std::env::var_os("EMIT_PACK").is_some() || runner.is_there();
        assert!(is_there || asked.is_none(), "there is no {}", runner.name);
        if !is_there {
            println!("NOT RUN: {}", runner.name);
        }
        is_there
    };
    runners.into_iter().filter(is_there).collect()
}

#[test]
fn names_that_are_not_refused_are_names() {
    let (seed, count) = (seed(), number_of("EMIT_NAMES", 60));
    println!("names of EMIT_SEED={seed}");
    for runner in runners() {
        let cases = draw_names(&mut Random(seed), runner, count);
        assert!(cases.len() > count.min(4000) / 2, "{}: {} names", runner.name, cases.len());
        for (batch, cases) in cases.chunks(10 * runner.batch).enumerate() {
            runner.check(&cases.iter().collect::<Vec<_>>(), 10_000 + batch);
        }
        println!("{}: {count} names, {} functions", runner.name, cases.len());
    }
}

#[test]
fn functions_give_the_offsets_of_the_layout() {
    let layouts = number_of("EMIT_LAYOUTS", 100);
    let seed = seed();
    println!("layouts of EMIT_SEED={seed}");
    let mut random = Random(seed);
    let all: Vec<Vec<Case>> = (0..layouts)
        .map(|k| {
            let oracle = layout(&mut random);
            cases(&mut random, &format!("f{k}"), &oracle)
        })
        .collect();
    for runner in runners() {
        let (mut functions, mut calls) = (0, 0);
        for (batch, layouts) in all.chunks(runner.batch).enumerate() {
            let cases: Vec<&Case> =
                layouts.iter().flatten().filter(|case| runner.takes(case)).collect();
            runner.check(&cases, batch);
            functions += cases.len();
            calls += cases.iter().map(|case| case.calls.len()).sum::<usize>();
        }
        println!("{}: {layouts} layouts, {functions} functions, {calls} calls", runner.name);
    }
}

/// The inverse of layouts whose strides are names.
#[test]
fn offsets_of_named_strides_lead_back() {
    let (seed, layouts) = (seed(), number_of("EMIT_LAYOUTS", 60));
    println!("layouts of EMIT_SEED={seed}");
    let mut random = Random(seed);
    let all: Vec<Vec<Case>> =
        (0..layouts).map(|k| named_cases(&mut random, &format!("g{k}"))).collect();
    for runner in runners() {
        for (batch, layouts) in all.chunks(runner.batch).enumerate() {
            let cases: Vec<&Case> =
                layouts.iter().flatten().filter(|case| runner.takes(case)).collect();
            runner.check(&cases, 20_000 + batch);
        }
        println!("{}: {layouts} layouts", runner.name);
    }
}
