"""Compares the types with `DynLayout` on random operands of the strides that the types have:

    python3 static.py [natural] [CASES [SEED [OPERATION ..]]]
    python3 static.py [natural] CASES SEED oracle              what the oracle is asked

With `natural` all strides are natural. Without it, a third of the left operands of compositions and divides have negative
strides too.

Writes a program with a line for each case into `target/static`, builds and runs it; 2,500 cases take 90 seconds.
What the two do not say alike is printed, and counted as

    NO TYPE           the types refuse the operation: its trait is not there
    AN ERROR          it is one of theirs when it is run
    TYPES ALONE       `DynLayout` refuses it: often because the types are wrong, and so this ends with status 1
    LESS OR MORE      both name a layout that two have in common, of another size
    ANOTHER FORM      the same function in other modes
    ANOTHER FUNCTION  one of the two is wrong: the same
"""
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

from laws import dividing_entry, layouts_of, meaningful, random_entry, random_layout, random_modes, random_question, \
    random_tiler
from operands import with_other_strides
from strides import *

ROOT = Path(__file__).resolve().parents[2]
ALONE = "coalesce", "coalesce_z", "filter", "right_inverse", "left_inverse", "flatten", "reverse", "transpose", \
    "layout_like"
WITH_NUMBER = "complement", "complement_ceil", "upcast", "downcast"
WITH_NUMBERS = "recast", "select"
WITH_LAYOUT = "max_common_layout", "blocked_product", "raked_product", "append", "prepend"
WITH_SHAPE = "coalesce_by", "filter_by", "with_shape", "tile_to_shape"
WITH_TILER = ("compose", "round_up", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide",
              "logical_product", "zipped_product", "tiled_product", "flat_product")
# Those whose answer of `DynLayout` is a `Result`.
FALLIBLE = (WITH_NUMBER + WITH_NUMBERS + WITH_TILER + WITH_SHAPE
            + ("left_inverse", "transpose", "blocked_product", "raked_product", "append", "prepend"))
OPERATIONS = ALONE + WITH_NUMBER + WITH_NUMBERS + WITH_LAYOUT + WITH_SHAPE + 2 * WITH_TILER
# Those that take negative strides on the left.
OF_NEGATIVE = "compose", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide"

CARGO = """
[package]
name = "static"
version = "0.0.0"
edition = "2024"

[dependencies]
layout-algebra = { path = "../..", features = ["std"] }

[profile.dev]
debug = false
incremental = false

[workspace]
"""
HEAD = """
#![allow(unused_imports, dead_code)]
use std::marker::PhantomData;

use layout_algebra::prelude::*;

type Answer = Result<DynLayout, LayoutError>;

fn offsets(layout: &DynLayout) -> Vec<isize> {
    (0..layout.size()).map(|i| layout.signed_index(i)).collect()
}

fn compare(case: &str, types: Option<Answer>, run_time: Answer) {
    let text = |answer: &Answer| match answer {
        Ok(layout) => layout.to_string(),
        Err(error) => format!("refused {}", error.kind()),
    };
    let said = types.as_ref().map_or("no type".into(), text);
    let what = match (&types, &run_time) {
        (None | Some(Err(_)), Err(_)) => "refused",
        (None, Ok(_)) => "NO TYPE",
        (Some(Err(_)), Ok(_)) => "AN ERROR",
        (Some(Ok(_)), Err(_)) => "TYPES ALONE",
        (Some(Ok(a)), Ok(b)) if a.to_string() == b.to_string() => "same",
        (Some(Ok(a)), Ok(b)) if offsets(a) == offsets(b) => "ANOTHER FORM",
        // Each is common to both layouts.
        (Some(Ok(_)), Ok(_)) if case.starts_with("max_common_layout ") => "LESS OR MORE",
        _ => "ANOTHER FUNCTION",
    };
    println!("{what}\\t{case}\\t{said}\\t{}", text(&run_time));
}

macro_rules! operation {
    ($module:ident, $trait:ident<$($b:ident)?>, $try_method:ident) => {
        mod $module {
            use super::*;
            pub struct Case<A, B>(pub PhantomData<(A, B)>);
            pub trait Refused {
                fn answer(&self) -> Option<Answer> {
                    None
                }
            }
            impl<A, B> Refused for Case<A, B> {}
            impl<A: Default + LayoutAlgebra + $trait<$($b)?>, B: Default> Case<A, B>
            where
                DynLayout: From<<A as $trait<$($b)?>>::Output>,
            {
                pub fn answer(&self) -> Option<Answer> {
                    Some(A::default().$try_method($($b::default())?).map(DynLayout::from))
                }
            }
        }
    };
}
macro_rules! case {
    ($module:ident, $text:literal, $left:ty, $right:ty, $run_time:expr) => {{
        use $module::*;
        compare($text, Case::<$left, $right>(PhantomData).answer(), $run_time);
    }};
}
fn layout(text: &str) -> DynLayout {
    text.parse().expect("a layout")
}
fn tiler(text: &str) -> DynTiler {
    text.parse().expect("a tiler")
}
fn shape(text: &str) -> DynShape {
    text.parse().expect("a shape")
}
"""


def rust(tree):
    """A tree of numbers as Rust writes it: a tuple of one has a comma."""
    return f"({', '.join(map(rust, tree))}{',' * (len(tree) == 1)})" if is_tuple(tree) else str(tree)


def shape_type(tree):
    """A shape as a type."""
    return f"({' '.join(shape_type(each) + ',' for each in tree)})" if is_tuple(tree) else f"Int!({tree})"


def type_of(operand):
    """A layout, a number or an entry of a tiler as a type."""
    if operand is None:
        return "Keep"
    if isinstance(operand, int):
        return f"Int!({operand})"
    if isinstance(operand, Tiler):
        return f"Tiler<({' '.join(type_of(entry) + ',' for entry in operand.entries)})>"
    return f"Layout!({rust(operand[0])}:{rust(operand[1])})"


def right_operand(r, operation, a):
    """A number or some, a layout, a shape or a tiler, as the operation takes it, which often fits `a`."""
    if operation == "recast":
        return r.choice([1, 2, 4, 8]), r.choice([1, 2, 4, 8])
    if operation == "select":
        modes = len(a[0]) if is_tuple(a[0]) else 1
        return tuple(r.sample(range(modes + (r.random() < 0.1)), r.randint(1, modes)))
    if operation in WITH_NUMBER:
        return r.choice([2, 3, 4, 8]) if "cast" in operation else r.choice([1, 2, 3, 8]) * cosize(a)
    if operation in WITH_LAYOUT:
        return random_layout(r, "natural", 3) if r.random() < 0.5 else with_other_strides(r, a)
    if operation in WITH_SHAPE:
        extents = [s * r.choice([1, 1, 1, 2]) for s in leaves(a[0])]
        return r.choice([a[0], size(a), from_modes([(s, 0) for s in extents])[0]])
    entry = dividing_entry if "divide" in operation and r.random() < 0.7 else random_entry
    if r.random() < 0.5:
        return random_tiler(r, a, ("natural",), entry)
    n = size(a)
    return r.choice([lambda: random_layout(r, "natural", 3), lambda: (2 ** r.randint(1, 3), 2 ** r.randint(0, 2)),
                     lambda: entry(r, (n, 1), ("natural",)) or n])()


def has(signs, layout):
    """Is one of the signs written before a stride, though it be that of an extent of 1?"""
    return any(sign in show(layout) for sign in signs)


def random_case(r, operation, natural):
    """Operands: those on the right natural, the left one too or with negative strides."""
    while True:
        if operation == "oracle":
            asked, a, b = random_question(r)
        else:
            kind = "signed" if operation in OF_NEGATIVE and not natural and r.random() < 0.33 else "natural"
            a = r.choice([lambda: random_layout(r, kind), lambda: random_modes(r, (kind,))])()
            asked, b = operation, None if operation in ALONE else right_operand(r, operation, a)
        on_the_right = []
        if isinstance(b, Tiler):
            on_the_right = layouts_of(b)
        elif is_tuple(b) and asked not in WITH_SHAPE + WITH_NUMBERS:
            on_the_right = [b]
        signed = asked in OF_NEGATIVE and not natural
        if has("^" if signed else "^-", a) or any(has("^-", each) for each in on_the_right):
            continue
        if all(size(each) <= 256 and meaningful(each) for each in [a, *on_the_right]):
            return asked, a, b


def line_of(operation, a, b):
    """The case as a line of the program."""
    text = show(a)
    if operation in ALONE:
        right, said = "()", ""
    elif operation in WITH_NUMBER:
        right, said, text = type_of(b), str(b), f"{text} {b}"
    elif operation in WITH_NUMBERS:
        said = ", ".join(map(str, b)) if operation == "recast" else f"&[{', '.join(map(str, b))}]"
        right, text = shape_type(b), f"{text} {show_tree(b)}"
    elif operation in WITH_SHAPE:
        right, said, text = shape_type(b), f'&shape("{show_tree(b)}")', f"{text} {show_tree(b)}"
    else:
        shown = show_entry(b)
        reader = '&layout("{}")' if operation in WITH_LAYOUT else 'tiler("{}")'
        right, said, text = type_of(b), reader.format(shown), f"{text} {shown}"
    answer = f'layout("{show(a)}").{operation}({said})'
    answer = answer if operation in FALLIBLE else f"Ok({answer})"
    return f'    case!({operation}, "{operation} {text}", {type_of(a)}, {right}, {answer});'


def main(*arguments):
    natural = arguments[:1] == ("natural",)
    cases, seed, *operations = (*arguments[natural:], *("1000", "1")[len(arguments[natural:]):])
    r = random.Random(int(seed))
    every = [random_case(r, r.choice(operations or OPERATIONS), natural) for _ in range(int(cases))]
    functions = [every[i:i + 20] for i in range(0, len(every), 20)]
    program = HEAD
    for operation in sorted(set(OPERATIONS)):
        name, b = "".join(map(str.capitalize, operation.split("_"))), "" if operation in ALONE else "B"
        program += f"operation!({operation}, {name}<{b}>, try_{operation});\n"
    for i, some in enumerate(functions):
        program += f"fn cases_{i}() {{\n" + "\n".join(line_of(*case) for case in some) + "\n}\n"
    program += "fn main() {\n" + "".join(f"    cases_{i}();\n" for i in range(len(functions))) + "}\n"
    crate = ROOT / "target" / "static"
    (crate / "src").mkdir(parents=True, exist_ok=True)
    (crate / "Cargo.toml").write_text(CARGO)
    (crate / "src" / "main.rs").write_text(program)
    said = subprocess.run(["cargo", "run", "--quiet"], cwd=crate, stdout=subprocess.PIPE, text=True, check=True).stdout
    lines = [line.split("\t") for line in said.splitlines()]
    for what, case, types, run_time in lines:
        if what not in ("same", "refused"):
            print(f"{what}: {case}: {types} is what the types say, and {run_time} what DynLayout says")
    counts = Counter(what for what, *_ in lines)
    print(dict(counts))
    sys.exit(1 if counts["ANOTHER FUNCTION"] or counts["TYPES ALONE"] or len(lines) != len(every) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
