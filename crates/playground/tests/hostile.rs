//! Every operation on operands of every kind, empty, huge and wrong ones among them: an answer or a
//! sentence, in time, and never a panic. `everything.test.mjs` does the same in the browser.

use std::time::{Duration, Instant};

use layout_algebra_playground::operation::operations;
use layout_algebra_playground::session::Session;
use serde_json::Value;

/// The operands of `everything.test.mjs`.
const OPERANDS: &str = include_str!("browser/operands.json");

#[test]
fn every_operation_on_everything() {
    let operands: Vec<String> = serde_json::from_str(OPERANDS).expect("texts");
    let mut session = Session::default();
    let (mut count, mut slowest) = (0, (Duration::ZERO, String::new()));
    let mut ask = |text: String| {
        let start = Instant::now();
        let report = session.evaluate(&text);
        let report: Value = serde_json::from_str(&report)
            .unwrap_or_else(|error| panic!("{text}: {error}: {report}"));
        let drawn = report["parts"].as_array().map_or(0, Vec::len) + 1;
        for part in 0..drawn {
            session.cells(part, [0, 0, 64, 64]);
            session.cells(part, [usize::MAX, usize::MAX, usize::MAX, usize::MAX]);
            session.coordinates(part, [0, 0, 4, 4]);
        }
        assert!(
            report["trouble"].is_object() || !report["parts"][drawn - 2]["text"].is_null(),
            "{text}"
        );
        count += 1;
        slowest = std::mem::take(&mut slowest).max((start.elapsed(), text));
    };
    // One pair in so many for each operation, others for the next one.
    const EVERY: usize = 8;
    for (k, row) in operations().enumerate() {
        for (i, left) in operands.iter().enumerate() {
            ask(format!("{}({left})", row.name));
            ask(left.clone());
            for (_, right) in
                operands.iter().enumerate().filter(|(j, _)| (i + j) % EVERY == k % EVERY)
            {
                ask(format!("{}({left}, {right})", row.name));
                if row.operands.len() > 2 {
                    ask(format!("{}({left}, {right}, 16, 32)", row.name));
                    ask(format!("{}({left}, {right}, 0)", row.name));
                    ask(format!("{}({left}, 1, {right})", row.name));
                }
            }
        }
    }
    println!("{count} texts, the slowest took {:?}: {}", slowest.0, slowest.1);
    assert!(count > 10_000);
    // Built without optimisation, and beside others.
    assert!(slowest.0 < Duration::from_secs(4), "{slowest:?}");
}

/// Rust that is no layout, or ends too early: a sentence with its place, and no panic.
#[test]
fn rust_that_is_no_layout() {
    let mut session = Session::default();
    let whole = "let r: R = &\"(4,6):(1,4)\".parse::<DynLayout>()?.try_compose(&tiler!(2, \
                 <3>))?.mode::<1>().unwrap();";
    let cut = (0..whole.len())
        .map(|end| whole[..end].to_string())
        .chain((0..whole.len()).map(|from| whole[from..].into()));
    let odd = [
        "layout!()",
        "tiler!()",
        "shape!()",
        "int!()",
        "layout!(:right)",
        "layout!(4:left)",
        "layout!((4,6):right:right)",
        "Swizzle::<>::new()",
        "Swizzle::<3,3>::new()",
        "Swizzle::<64,64,64>::new()",
        "\"\"",
        "é!(4)",
        "layout!(é)",
        "layout!((4, {T}))",
        "vec![4]",
        "&&&",
        "let",
        "let =",
        "let r = ",
        ";",
        "4;;",
        "4?",
        "????",
        "layout!((4,6)).mode::<9>()",
        "layout!((4,6)).mode::<>()",
        "layout!((4,6)).take::<0,é>()",
        "layout!((18446744073709551615, 2))",
        "a.compose(b)",
        "layout!((4294967296, 4294967296): right)",
        "DynLayout::left(&s)",
        "tiler!(2, 3)",
        "int!(4)",
        "shape!((4, 6))",
    ];
    for text in cut.chain(odd.map(String::from)) {
        let report = session.evaluate(&text);
        let report: Value = serde_json::from_str(&report)
            .unwrap_or_else(|error| panic!("{text}: {error}: {report}"));
        let sentence = report["trouble"]["sentence"].as_str().unwrap_or("-");
        assert!(
            !sentence.is_empty() && (sentence != "-" || !report["parts"][0].is_null()),
            "{text}: {report}"
        );
        session.cells(0, [0, 0, 64, 64]);
        session.coordinates(0, [0, 0, 4, 4]);
    }
    for (text, sentence) in [
        (
            "layout!((4, n))",
            "a number is wanted in place of `n`: what it is, only the program knows",
        ),
        (
            "a.compose(b)",
            "expected `(` and the operands, or a layout in place of the name at byte 1",
        ),
        ("vec!(4)", "`layout!`, `tiler!`, `shape!` and `int!` are read here"),
    ] {
        let report: Value = serde_json::from_str(&session.evaluate(text)).expect("JSON");
        assert_eq!(report["trouble"]["sentence"], sentence);
    }
}

/// While the text does not parse, the pictures of the last valid text stay.
#[test]
fn pictures_outlive_what_is_typed() {
    let mut session = Session::default();
    session.evaluate("(2,2):(1,2)");
    for text in ["(2,2):(1,2", "", "size(2,2)", "unknown(4)", "bank_conflicts(8:1,8:1,8,0)"] {
        session.evaluate(text);
        assert_eq!(session.cells(0, [0, 0, 2, 2]), [0.0, 2.0, 1.0, 3.0], "{text}");
    }
    // A refused operation has pictures of its own.
    session.evaluate("(4,6):(1,4).zipped_divide(<2,4>)");
    assert_eq!(session.cells(0, [0, 0, 1, 3]), [0.0, 4.0, 8.0]);
}

/// Texts that once panicked.
#[test]
fn an_answer_or_a_sentence() {
    let mut session = Session::default();
    for (text, sentence) in [
        ("bank_conflicts(8:1,8:1,8,0)", "an access is of whole elements, one at least"),
        ("bank_conflicts(4:7,1:-5)", ""),
        ("bank_conflicts((4,0):(-1,1),(1,0):(1,0))", "no negative strides"),
        ("bank_conflicts(8:1,(0,4):(1,0))", ""),
        ("thread_value_table(0:8,(2,(6,9223372036854775807),0))", "more than 262144 elements"),
        ("round_up(1:-3,7)", "the offset -18 is negative"),
        ("3:^9223372036854775807", ""),
        ("Sw<0,0,0> o 18446744073709551615 o 1:1", "beyond 18446744073709551615"),
        ("is_surjective((3000000,4):(^1,^1))", "was not decided"),
        ("(5000000000,4):(^1,^6)", ""),
    ] {
        let report = session.evaluate(text);
        let report: Value = serde_json::from_str(&report)
            .unwrap_or_else(|error| panic!("{text}: {error}: {report}"));
        let trouble = report["trouble"]["sentence"].as_str().unwrap_or_default();
        assert!(
            trouble.is_empty() == sentence.is_empty() && trouble.contains(sentence),
            "{text}: {report}"
        );
        session.cells(0, [0, 0, 64, 64]);
    }
}
