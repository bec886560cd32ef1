//! The tables of the kernels, run on the host: random pairs of distributions beside what each rank
//! has to have, element by element. `DRAWS` says how many, `SEED` from which seed.

mod draws;

use std::collections::BTreeSet;

use draws::{Draw, number_of};
use layout_gpus::PushPlan;

#[test]
fn random_redistributions_are_right_on_the_host() {
    let (seed, count) = (number_of("SEED", 1), number_of("DRAWS", 600));
    println!("SEED={seed} DRAWS={count}");
    let (mut refused, mut sums, mut forms) = (0, 0, BTreeSet::new());
    for draw in seed..seed + count {
        let ranks = 1 + (draw % 4) as usize;
        let Ok(of) = Draw::new(draw, ranks, 1 << 13) else {
            refused += 1;
            continue;
        };
        let plan = PushPlan::new(&of.from, &of.to, of.element)
            .unwrap_or_else(|error| panic!("{draw}: {} to {}: {error}", of.from, of.to));
        sums += u64::from(!of.summed.is_empty());
        let text = plan.to_string();
        let words = text.split("; ").filter_map(|form| form.split_once(':'));
        forms.extend(words.map(|(form, _)| form.to_string()));
        let expected = of.expected(true);
        let mut parts: Vec<Vec<u8>> = expected.iter().map(|part| vec![0xa5; part.len()]).collect();
        plan.run_on_host(&of.parts(true), &mut parts).expect("parts of these sizes");
        for (rank, (part, expected)) in parts.iter().zip(&expected).enumerate() {
            let wrong = part.iter().zip(expected).position(|(a, b)| a != b);
            assert!(
                part == expected,
                "SEED={draw}: rank {rank} of {ranks}, byte {wrong:?}, {:?}: {} to {}",
                of.element,
                of.from,
                of.to
            );
        }
    }
    println!("{sums} sums, {refused} refused");
    assert!(refused * 20 < count && sums * 20 > count, "{sums} sums, {refused} refused");
    // Vectors of 16 to 1, rows of 4 to 1, transposes of 8 to 1, sums of 16 to 2.
    assert!(count < 600 || forms.len() == 5 + 3 + 4 + 4, "{forms:?}");
}

/// What the guide shows is the program of the README, which is compiled.
#[test]
fn the_guide_shows_what_is_compiled() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read =
        |path: String| std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let readme = read(format!("{root}/crates/layout-gpus/README.md"));
    let guide = read(format!("{root}/src/guide/from_registers_to_a_cluster.md"));
    let block = guide.split("```rust,ignore\n").nth(1).and_then(|rest| rest.split("```").next());
    let lines: Vec<&str> = block.expect("a block of the guide").lines().collect();
    assert!(lines.len() > 5, "{lines:?}");
    for line in lines {
        assert!(readme.lines().any(|other| other == line), "the README has no line {line}");
    }
}
