//! The types and the run-time engine refuse random operands with the same sentence and the same numbers.
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
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % end
    }
    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
    fn extent(&mut self) -> usize {
        self.one_of(&[2, 2, 2, 3, 4, 4, 5, 6, 8])
    }
    fn tuple(&mut self, rank: usize, mut item: impl FnMut(&mut Self) -> String) -> String {
        let items: Vec<String> = (0..rank).map(|_| item(self)).collect();
        format!("({})", items.join(","))
    }
    /// A shape of one to three modes, now and then nested, and strides that are compact, or any.
    fn layout(&mut self) -> String {
        let (mut shape, mut stride, mut run) = (Vec::new(), Vec::new(), 1);
        let any = self.below(2) == 0;
        let mut leaf = |random: &mut Self| {
            let extent = random.extent();
            let step = if any { random.one_of(&[1, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24]) } else { run };
            run *= extent * random.one_of(&[1, 1, 1, 2, 3]);
            (extent.to_string(), step.to_string())
        };
        for _ in 0..1 + self.below(3) {
            if self.below(4) == 0 {
                let ((a, x), (b, y)) = (leaf(self), leaf(self));
                shape.push(format!("({a},{b})"));
                stride.push(format!("({x},{y})"));
            } else {
                let (extent, step) = leaf(self);
                shape.push(extent);
                stride.push(step);
            }
        }
        match shape.len() {
            1 => format!("{}:{}", shape[0], stride[0]),
            _ => format!("({}):({})", shape.join(","), stride.join(",")),
        }
    }
    fn tiler(&mut self, rank: usize) -> String {
        let entries: Vec<String> = (0..rank)
            .map(|_| match self.below(3) {
                0 => format!("{}:{}", self.extent(), self.one_of(&[1, 2, 3])),
                _ => self.extent().to_string(),
            })
            .collect();
        format!("<{}>", entries.join(","))
    }
}

/// An operand as it stands in a program.
fn written(operand: &str) -> String {
    match operand.strip_prefix('<').and_then(|entries| entries.strip_suffix('>')) {
        Some(entries) => format!("tiler!({entries})"),
        None if operand.contains(':') => format!("layout!({operand})"),
        None if operand.starts_with('(') => format!("shape!({operand})"),
        None => format!("int!({operand})"),
    }
}

/// What is said behind what cannot be done to the operands.
fn sentence(text: &str) -> &str {
    text.split_once(": ").map_or(text, |(_, sentence)| sentence)
}

#[test]
fn random_operands_are_refused_with_the_same_numbers() {
    let mut random = Random(20260);
    let mut program = vec!["use layout_algebra::prelude::*;".to_owned()];
    let mut expected = Vec::new();
    type Refused = Result<DynLayout, LayoutError>;
    let mut refused = |program: &mut Vec<String>, method: &str, left: &str, right: &str, answer: Refused| {
        let Err(error) = answer else { return false };
        let argument = if right.is_empty() { String::new() } else { written(right) };
        expected.push((program.len() + 1, sentence(&error.to_string()).to_owned()));
        program.push(format!("pub fn f{}() {{ let _ = {}.{method}({argument}); }}", program.len(), written(left)));
        true
    };
    macro_rules! operations {
        ($($method:ident $right:ident: |$l:ident, $t:ident| $answer:expr;)*) => {$(
            let (mut count, mut tries) = (0, 0);
            while count < OF_EACH && tries < 20_000 {
                tries += 1;
                let left = random.layout();
                let Ok($l) = left.parse::<DynLayout>() else { continue };
                let right = match stringify!($right) {
                    "none" => String::new(),
                    "layout" => random.layout(),
                    "number" => (1 + random.below(40)).to_string(),
                    "shape" => random.tuple($l.rank(), |random| (1 + random.below(12)).to_string()),
                    "tiler" if random.below(2) == 0 && $l.rank() > 1 => random.tiler($l.rank()),
                    _ => random.layout(),
                };
                let $t = right.as_str();
                if refused(&mut program, stringify!($method), &left, &right, $answer) {
                    count += 1;
                }
            }
        )*};
    }
    fn text<T: std::str::FromStr<Err = LayoutError>>(text: &str) -> T {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }
    operations! {
        compose tiler: |l, t| l.compose(text::<DynTiler>(t));
        complement number: |l, t| l.complement(t.parse().unwrap());
        complement_ceil number: |l, t| l.complement_ceil(t.parse().unwrap());
        left_inverse none: |l, _t| l.left_inverse();
        layout_add layout: |l, t| l.layout_add(&text(t));
        logical_divide tiler: |l, t| l.logical_divide(text::<DynTiler>(t));
        zipped_divide tiler: |l, t| l.zipped_divide(text::<DynTiler>(t));
        logical_product tiler: |l, t| l.logical_product(text::<DynTiler>(t));
        flat_product tiler: |l, t| l.flat_product(text::<DynTiler>(t));
        blocked_product layout: |l, t| l.blocked_product(&text(t));
        raked_product layout: |l, t| l.raked_product(&text(t));
        tile_to_shape shape: |l, t| l.tile_to_shape(&text(t));
        with_shape shape: |l, t| l.with_shape(&text(t));
        upcast number: |l, t| l.upcast(t.parse().unwrap());
        downcast number: |l, t| l.downcast(t.parse().unwrap());
        round_up tiler: |l, t| l.round_up(text::<DynTiler>(t));
    }
    assert!(expected.len() > 10 * OF_EACH, "{} refusals are too few", expected.len());

    let rust = Compiler::rust(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("same_numbers"));
    let text = rust.errors("same_numbers", &program.join("\n")).expect("errors");
    let errors = errors_by_line(&text);
    let mut faults = Vec::new();
    for (line, said) in &expected {
        let compiler = errors.get(line).map_or("no error", |errors| sentence(errors[0].split_once("]: ").unwrap().1));
        if compiler != said {
            faults.push(format!("{}\n  compiler: {compiler}\n  run time: {said}", program[line - 1]));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), expected.len(), faults.join("\n"));
}
