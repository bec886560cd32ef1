//! The types refuse what the run-time engine refuses, on random operands, and nearly always with
//! the same sentence and the same numbers: if several rules are broken, each reports the rule that
//! it checks first.
//!
//! One program holds all of them, a function for each; the errors of the compiler are read by line.

use std::path::Path;

use layout_algebra::prelude::*;

use super::errors_by_line;
use crate::measure::Compiler;

/// How many refusals of each operation are compared.
const OF_EACH: usize = 24;

/// Numbers that are the same every time.
struct Random(u64);
impl Random {
    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        of[(self.0 >> 33) as usize % of.len()]
    }
    fn extent(&mut self) -> usize {
        self.one_of(&[2, 2, 2, 3, 4, 4, 5, 6, 8])
    }
    /// One to three modes, now and then two of them in one, with gaps or any strides.
    fn layout(&mut self) -> String {
        let (any, mut run) = (self.one_of(&[true, false]), 1);
        let mut leaf = |random: &mut Self| {
            let extent = random.extent();
            let step =
                if any { random.one_of(&[1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24]) } else { run };
            run *= extent * random.one_of(&[1, 1, 1, 2, 3]);
            (extent.to_string(), step.to_string())
        };
        let ((a, d), (b, e), (c, f)) = (leaf(self), leaf(self), leaf(self));
        match self.one_of(&[0, 1, 2, 3]) {
            0 => format!("{a}:{d}"),
            1 => format!("({a},{b}):({d},{e})"),
            2 => format!("({a},{b},{c}):({d},{e},{f})"),
            _ => format!("(({a},{b}),{c}):(({d},{e}),{f})"),
        }
    }
}

/// An operand as it stands in a program.
fn written(operand: &str) -> String {
    match operand.strip_prefix('<').and_then(|entries| entries.strip_suffix('>')) {
        Some(entries) => format!("tiler!({entries})"),
        None if operand.contains(':') => format!("layout!({operand})"),
        None if operand.starts_with('(') => format!("shape!({operand})"),
        None if operand.is_empty() => String::new(),
        None => format!("int!({operand})"),
    }
}
fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn random_operands_are_refused_with_the_same_numbers() {
    let (mut random, mut expected) = (Random(20260), Vec::new());
    let mut program = vec!["use layout_algebra::prelude::*;".to_owned()];
    macro_rules! operations {
        ($($method:ident($right:expr) = |$l:ident, $r:ident| $answer:expr;)*) => {$(
            let end = expected.len() + OF_EACH;
            for _ in 0..20_000 {
                let left = random.layout();
                let Ok($l) = left.parse::<DynLayout>() else { continue };
                let right: String = $right(&mut random, $l.rank());
                let $r = right.as_str();
                let Err(error) = $answer else { continue };
                let (left, right) = (written(&left), written(&right));
                program.push(format!(
                    "pub fn f{}() {{ let _ = {left}.{}({right}); }}", program.len(), stringify!($method)
                ));
                expected.push((program.len(), error.fault().to_string()));
                if expected.len() == end {
                    break;
                }
            }
        )*};
    }
    let none = |_: &mut Random, _| String::new();
    let number = |random: &mut Random, _| (random.extent() * random.extent() + 1).to_string();
    let layout = |random: &mut Random, _| random.layout();
    let extents = |random: &mut Random, rank| {
        (0..rank).map(|_| random.extent().to_string()).collect::<Vec<_>>().join(",")
    };
    let shape = |random: &mut Random, rank| format!("({})", extents(random, rank));
    let tile = |random: &mut Random, rank| match random.one_of(&[true, false]) {
        true => random.layout(),
        false => format!("<{}>", extents(random, rank)),
    };
    operations! {
        compose(tile) = |l, r| l.compose(text::<DynTiler>(r));
        complement(number) = |l, r| l.complement(r.parse().unwrap());
        left_inverse(none) = |l, _r| l.left_inverse();
        logical_divide(tile) = |l, r| l.logical_divide(text::<DynTiler>(r));
        flat_product(tile) = |l, r| l.flat_product(text::<DynTiler>(r));
        raked_product(layout) = |l, r| l.raked_product(&text(r));
        tile_to_shape(shape) = |l, r| l.tile_to_shape(&text(r));
        upcast(number) = |l, r| l.upcast(r.parse().unwrap());
        downcast(number) = |l, r| l.downcast(r.parse().unwrap());
        round_up(tile) = |l, r| l.round_up(text::<DynTiler>(r));
    }
    assert!(expected.len() > 8 * OF_EACH, "{} refusals are too few", expected.len());

    let rust = Compiler::rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_numbers"));
    let text = rust.errors("same_numbers", &program.join("\n")).expect("errors");
    let errors = errors_by_line(&text);
    let (mut others, mut count) = (String::new(), 0);
    for (line, run_time) in &expected {
        let Some(said) = errors.get(line) else {
            panic!("no error in {}: {run_time}", program[line - 1])
        };
        let compiler = said[0].strip_prefix("error[E0277]: ").unwrap_or(said[0]);
        if compiler != run_time {
            count += 1;
            others +=
                &format!("{}\n  compiler: {compiler}\n  run time: {run_time}\n", program[line - 1]);
        }
    }
    println!("{others}{count} of {} refusals name another rule", expected.len());
    assert!(count * 10 < expected.len(), "{count} of {}:\n{others}", expected.len());
}
