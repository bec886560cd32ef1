//! How the dynamic engine answers the golden lines of each operation. How they read as types is in
//! `build/readings.rs`.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::LazyLock;

use layout_algebra::prelude::*;
use serde_json::{Value, json};

/// The arguments of one line.
pub struct Args<'a>(pub &'a [Value]);

impl Args<'_> {
    fn parse<T: FromStr<Err = LayoutError>>(&self, index: usize) -> T {
        let text = match &self.0[index] {
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            other => panic!("an argument is text or a number, and this is {other}"),
        };
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn layout(&self, index: usize) -> DynLayout {
        self.parse(index)
    }

    fn shape(&self, index: usize) -> DynShape {
        self.parse(index)
    }

    fn tiler(&self, index: usize) -> DynTiler {
        self.parse(index)
    }

    fn number(&self, index: usize) -> usize {
        usize::try_from(self.0[index].as_u64().expect("a number"))
            .expect("a number that fits usize")
    }

    fn signed(&self, index: usize) -> i32 {
        i32::try_from(self.0[index].as_i64().expect("a number")).expect("a small number")
    }
}

/// An answer as the golden file writes it.
fn text(result: Result<impl Display, LayoutError>) -> Value {
    match result {
        Ok(value) => json!(value.to_string()),
        Err(error) => json!({ "undefined": error.kind().as_str() }),
    }
}

/// The profile of `coalesce_by_mode`: `(1,..,1)`, and `1` for a layout without parentheses.
fn one_for_each_mode(layout: &DynLayout) -> DynShape {
    match layout.depth() {
        0 => DynShape::from(1),
        _ => DynShape::tuple((0..layout.rank()).map(|_| DynShape::from(1))).expect("a mode"),
    }
}

/// What an operation gives.
pub fn answer(op: &str, a: &Args<'_>) -> Value {
    match op {
        "size" => json!(a.layout(0).size()),
        "cosize" => json!(a.layout(0).cosize()),
        "base" => json!(a.layout(0).base()),
        "rank" => json!(a.layout(0).rank()),
        "depth" => json!(a.layout(0).depth()),
        "index" => match a.layout(0) {
            layout if layout.base() == 0 => json!(layout.index(a.number(1))),
            layout => json!(layout.signed_index(a.number(1))),
        },
        "index_nested" => json!(a.layout(0).index(&a.shape(1))),
        "idx2crd" => json!(a.shape(0).coord(a.number(1)).to_string()),
        "compact_left" => json!(DynLayout::left(&a.shape(0)).to_string()),
        "compact_right" => json!(DynLayout::right(&a.shape(0)).to_string()),
        "congruent" => json!(a.shape(0).congruent(&a.shape(1))),
        "weakly_congruent" => json!(a.shape(0).weakly_congruent(&a.shape(1))),
        "compatible" => json!(a.shape(0).compatible(&a.shape(1))),
        "coalesce_by_mode" => text(a.layout(0).coalesce_by(&one_for_each_mode(&a.layout(0)))),
        "nullspace" => text(Ok(a.layout(0).nullspace())),
        "layout_add" => text(a.layout(0).layout_add(&a.layout(1))),
        "greatest_common_domain" => text(a.shape(0).greatest_common_domain(&a.shape(1))),
        "linear" => text(a.layout(0).linear()),
        "natural" => text(a.layout(0).natural()),
        "swizzled" => match a.layout(0).swizzled() {
            // No swizzle: the specification says which two strides share which bit.
            Err(error) => {
                let Fault::SharedBit { first, second, bit } = error.fault() else {
                    panic!("{error}")
                };
                json!({ "undefined": error.kind().as_str(), "strides": [first, second], "bit": bit })
            }
            swizzled => text(swizzled),
        },
        "swizzle" => {
            let (bits, base) = (a.signed(0).unsigned_abs(), a.signed(1).unsigned_abs());
            let swizzle = DynSwizzle::new(bits, base, a.signed(2)).expect("a swizzle");
            json!(swizzle.apply(a.number(3)))
        }
        // Compositions that no rule gives.
        "looked_for" | "looked_for_by_mode" => text(a.layout(0).compose(a.tiler(1))),
        // A tiler goes mode by mode: `compose_by_mode` is `compose` with one.
        _ => {
            let name = op.trim_end_matches("_by_mode");
            let (_, answer) =
                OF_THE_TABLE.iter().find(|row| row.0 == name).expect("an operation of the table");
            answer(a)
        }
    }
}

/// The name of an operation, and what it gives.
type Row = (&'static str, fn(&Args<'_>) -> Value);

/// The operations of the table in `src/operations.rs`, with right operands as their kinds are.
static OF_THE_TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let mut all = Vec::<Row>::new();
    macro_rules! line {
        (
            ($($kind:ident)?) $method:ident $trait:ident $alias:ident $sentence:tt $bound:tt $operand:tt $composed:tt
            $try_method:ident $($docs:tt)*
        ) => {
            line! { @ $($kind)? $method $try_method }
        };
        (@ $right:ident => $method:ident $try_method:ident) => {
            all.push((stringify!($method), |a| text(a.layout(0).$try_method(a.$right(1)))));
        };
        (@ $method:ident $try_method:ident) => {
            all.push((stringify!($method), |a| text(a.layout(0).$try_method())));
        };
        (@ tile $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ arranged $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ tile_and_rest $($row:tt)*) => { line! { @ tiler => $($row)* } };
        (@ number $($row:tt)*) => { line! { @ number => $($row)* } };
        (@ unit $($row:tt)*) => { line! { @ number => $($row)* } };
        (@ paired $($row:tt)*) => { line! { @ layout => $($row)* } };
        (@ layout $($row:tt)*) => { line! { @ layout => $($row)* } };
        (@ shape $($row:tt)*) => { line! { @ shape => $($row)* } };
        (@ profile $($row:tt)*) => { line! { @ shape => $($row)* } };
        // Those that the specification has no answers of.
        (@ sizes $($row:tt)*) => {};
        (@ modes $($row:tt)*) => {};
        (@ domain $($row:tt)*) => {};
    }
    operations!(line);
    all
});
