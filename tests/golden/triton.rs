//! Triton's linear layouts: their text, compositions and inverses. Triton 3.9.0 wrote
//! `triton-linear.jsonl` (`tests/spec/triton_linear.py`).

use layout_algebra::prelude::*;
use serde_json::Value;

const ANSWERS: &str = include_str!("triton-linear.jsonl");

fn layout(case: &Value, name: &str) -> Option<DynLayout> {
    case[name].as_str().map(|text| text.parse().expect("a layout"))
}

#[test]
fn linear_layouts_are_printed_as_triton_prints_them() {
    let mut printed = 0;
    for case in
        ANSWERS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
    {
        let Some(layout) = layout(&case, "layout") else { continue };
        let names: Vec<&str> =
            case["from"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let to: Vec<(&str, usize)> = case["to"]
            .as_array()
            .unwrap()
            .iter()
            .map(|to| (to[0].as_str().unwrap(), to[1].as_u64().unwrap() as usize))
            .collect();
        let bases = layout.bases(&names, &to).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(bases.to_string(), case["prints"].as_str().unwrap(), "{layout}");
        printed += 1;
    }
    assert_eq!(printed, 60);
}

#[test]
fn linear_layouts_are_composed_and_inverted_as_by_triton() {
    let images = |answer: &Value, i: usize| -> usize {
        let bits =
            answer.as_array().unwrap().iter().enumerate().filter(|(bit, _)| i >> bit & 1 == 1);
        bits.fold(0, |sum, (_, image)| sum ^ image.as_u64().unwrap() as usize)
    };
    let mut compared = 0;
    for case in
        ANSWERS.lines().map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON"))
    {
        let (Some(a), Some(b)) = (layout(&case, "a"), layout(&case, "b")) else { continue };
        let both = a.compose(&b).unwrap_or_else(|error| panic!("{error}"));
        assert!(
            (0..b.size()).all(|i| both.index(i) == images(&case["compose"], i)),
            "{a} o {b} = {both}"
        );
        let (left, right) = (a.left_inverse().unwrap(), a.right_inverse());
        let inverted = |inverse: &DynLayout| {
            (0..a.size()).all(|x| inverse.index(x) == images(&case["invert"], x))
        };
        assert!(inverted(&left) && inverted(&right), "{a}: {left}, {right}");
        compared += 1;
    }
    assert_eq!(compared, 60);
}

#[test]
fn what_has_no_bases_is_refused_with_the_numbers() {
    let refused = |layout: &str, from: &[&str], to: &[(&str, usize)]| -> String {
        layout.parse::<DynLayout>().unwrap().bases(from, to).unwrap_err().to_string()
    };
    for (layout, from, to, sentence) in [
        ("(4,8):(8,1)", &["lane"][..], &[("row", 32)][..], "rank 1 is needed, and this is rank 2"),
        ("(4,6):(8,1)", &["register", "lane"], &[("row", 32)], "6 is no power of two"),
        (
            "(4,8):(8,1)",
            &["register", "lane"],
            &[("row", 16)],
            "32 elements are reached, and there are 16",
        ),
        (
            "(4,8):(8,1)",
            &["register", "lane"],
            &[("row", 12), ("column", 4)],
            "12 is no power of two",
        ),
        (
            "(4,4):(1,3)",
            &["register", "lane"],
            &[("row", 16)],
            "the strides 1 and 3 of two bits of the coordinate",
        ),
        ("(4,4):(-1,4)", &["register", "lane"], &[("row", 16)], "the mode 4:-1 goes backwards"),
    ] {
        let error = refused(layout, from, to);
        assert!(error.contains(sentence), "{error}");
    }
    let whole: DynLayout = "8:1".parse().unwrap();
    assert_eq!(format!("{:?}", whole.bases(&["lane"], &[("row", 8)]).unwrap()).lines().count(), 4);
}
