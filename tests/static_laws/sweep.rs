//! A layout type with `usize` leaves, filled with all sorts of numbers: the static engine against
//! the dynamic one.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use layout_algebra::Number;
use layout_algebra::prelude::*;
use typenum::{UInt, UTerm};

/// What a dynamic leaf may be: 0 and 1, small numbers with many divisors, and numbers near the end
/// of `usize`.
const NUMBERS: [usize; 24] = [
    4,
    1,
    8,
    0,
    2,
    6,
    12,
    3,
    16,
    5,
    24,
    32,
    20,
    48,
    10,
    60,
    64,
    96,
    7,
    9,
    18,
    MIDDLE,
    HALF,
    usize::MAX,
];
/// The square root of what `usize` has numbers, and the half of these.
const MIDDLE: usize = 1 << (usize::BITS / 2);
const HALF: usize = 1 << (usize::BITS - 1);
/// The most combinations of numbers for one case.
const COMBINATIONS: usize = if cfg!(feature = "thorough") { 300 } else { 100 };
/// How many offsets of a result are compared; larger results are compared at as many places all
/// over their domain.
const OFFSETS: usize = 300;

// ---- types filled with numbers ------------------------------------------------------------------

/// A value of the type, its dynamic leaves taken from `numbers` in the order in which they are
/// printed.
pub trait Fill {
    fn fill(numbers: &mut dyn Iterator<Item = usize>) -> Self;
}
impl Fill for () {
    fn fill(_: &mut dyn Iterator<Item = usize>) {}
}
impl Fill for usize {
    fn fill(numbers: &mut dyn Iterator<Item = usize>) -> usize {
        numbers.next().expect("a number for each dynamic leaf")
    }
}
impl Fill for UTerm {
    fn fill(_: &mut dyn Iterator<Item = usize>) -> Self {
        UTerm
    }
}
impl<U, B> Fill for UInt<U, B>
where
    Self: Default,
{
    fn fill(_: &mut dyn Iterator<Item = usize>) -> Self {
        Self::default()
    }
}
/// The number that stands for `number` where only multiples of `divisor` may.
fn multiple(number: usize, divisor: usize) -> usize {
    number.min(usize::MAX >> 5) * divisor
}
impl<N> Fill for Multiple<N>
where
    Self: TryFrom<usize, Error = LayoutError>,
    N: Default + Number,
{
    fn fill(numbers: &mut dyn Iterator<Item = usize>) -> Self {
        let number = numbers.next().expect("a number for each dynamic leaf");
        Multiple::try_from(multiple(number, N::default().get())).expect("a multiple")
    }
}
impl Fill for Keep {
    fn fill(_: &mut dyn Iterator<Item = usize>) -> Self {
        Keep
    }
}
impl<S: Fill + IntTuple + Congruent<D>, D: Fill + IntTuple> Fill for StridedLayout<S, D> {
    fn fill(numbers: &mut dyn Iterator<Item = usize>) -> Self {
        let (shape, stride) = (S::fill(numbers), D::fill(numbers));
        StridedLayout::new(shape, stride)
    }
}
impl<T: Fill> Fill for Tiler<T> {
    fn fill(numbers: &mut dyn Iterator<Item = usize>) -> Self {
        Tiler::const_new(T::fill(numbers))
    }
}
macro_rules! fill_tuples {
    ($($($item:ident)+;)+) => {
        $(impl<$($item: Fill),+> Fill for ($($item,)+) {
            fn fill(numbers: &mut dyn Iterator<Item = usize>) -> Self {
                ($($item::fill(numbers),)+)
            }
        })+
    };
}
fill_tuples! { A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H; }

// ---- what the static engine says ----------------------------------------------------------------

/// A result of the static engine, asked for all that can be compared; or only printed, if its
/// size or cosize leaves `usize`.
pub struct Answer {
    printed: String,
    function: Option<Function>,
}

/// A layout as the function that it is.
#[derive(PartialEq)]
struct Function {
    layout: DynLayout,
    size: usize,
    cosize: usize,
    offsets: Vec<usize>,
}

/// Places all over a domain.
pub fn places(size: usize) -> impl Iterator<Item = usize> {
    let step = (size / OFFSETS).max(1);
    (0..OFFSETS.min(size))
        .map(move |i| if i % 2 == 0 { size - 1 - i / 2 * step } else { i / 2 * step })
}

/// The static engine for a pair of types: from the numbers for their dynamic leaves to the result.
pub type Engine = dyn Fn(&[usize]) -> Result<Box<dyn Outcome>, LayoutError>;

/// What a result of the static engine is asked. What is made of the answers is compiled once, not
/// for each of a thousand types.
pub trait Outcome: Display {
    fn size(&self) -> usize;
    fn cosize(&self) -> usize;
    fn at(&self, i: usize) -> usize;
    fn dynamic(&self) -> DynLayout;
    /// Is the type's layout of this form this very layout?
    fn is(&self, layout: DynLayout) -> bool;
}
impl<L> Outcome for L
where
    L: Layout<Offset = usize>
        + Display
        + Copy
        + PartialEq
        + TryFrom<DynLayout, Error = LayoutError>,
    DynLayout: From<L>,
{
    fn size(&self) -> usize {
        Layout::size(self)
    }
    fn cosize(&self) -> usize {
        Layout::cosize(self)
    }
    fn at(&self, i: usize) -> usize {
        Layout::at(self, i)
    }
    fn dynamic(&self) -> DynLayout {
        DynLayout::from(*self)
    }
    fn is(&self, layout: DynLayout) -> bool {
        match L::try_from(layout) {
            Ok(layout) => layout == *self,
            Err(error) => panic!("static leaves and divisors as the type says: {error}"),
        }
    }
}

impl Answer {
    fn new(layout: &dyn Outcome) -> Self {
        let printed = format!("{layout:#}");
        let function = printed.parse::<DynLayout>().is_ok().then(|| {
            let size = layout.size();
            let offsets = places(size).map(|i| layout.at(i)).collect();
            let dynamic = layout.dynamic();
            assert!(layout.is(dynamic.clone()), "there and back");
            Function { layout: dynamic, size, cosize: layout.cosize(), offsets }
        });
        Answer { printed, function }
    }
}

// ---- the comparison -----------------------------------------------------------------------------

/// How the two engines agreed, or did not, over all cases.
#[derive(Debug, Default)]
pub struct Tally {
    /// Types that the operation is defined for, and types that it is not defined for.
    pub defined: usize,
    pub refused: usize,
    /// Results that are the same function, and errors of the same sentence.
    pub same: usize,
    pub same_error: usize,
    /// Operands that overflow by themselves, so that there is nothing to compare.
    pub no_operand: usize,
    /// Errors of the static engine where the dynamic one has an answer or another reason, because
    /// an extent is 1 or a stride 0 that the types do not know of (its stride may overflow), or, in
    /// `upcast`, a dynamic stride lies below a unit: the form of the result cannot follow.
    pub cautious: usize,
    /// All that should not be.
    pub wrong: Vec<String>,
    /// Results of the static engine whose size or cosize leaves `usize`.
    pub unchecked: Vec<String>,
    /// Other errors of the static engine where the dynamic one has an answer, and other errors of
    /// different kinds, or of the same kind with other numbers.
    pub shy: Vec<String>,
    pub other_kind: Vec<String>,
    pub other_numbers: Vec<String>,
}

/// An operand's type as the text of a value: `Layout!((4, usize) : (1, usize))` with 6 and 4 is
/// `(4,6):(1,4)`.
fn filled(written: &str, numbers: &mut dyn Iterator<Item = usize>) -> String {
    let text: String = written.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = |name: &str| text.strip_prefix(name).and_then(|text| text.strip_suffix(')'));
    let text = match (inner("Layout!(").or(inner("Shape!(")).or(inner("Int!(")), inner("Tiler!(")) {
        (Some(inner), _) => inner.into(),
        (None, Some(entries)) => format!("<{entries}>"),
        (None, None) => text,
    };
    let text = text.replace(",)", ")");
    let (mut out, mut rest) = (String::new(), &text[..]);
    while let Some(start) = rest.find("usize").into_iter().chain(rest.find("By")).min() {
        let end =
            rest[start..].find([',', ')', ':', '>']).map_or(rest.len(), |length| start + length);
        let number = numbers.next().expect("a number for each dynamic leaf");
        let divisor =
            rest[start..end].strip_prefix("By").map(|divisor| divisor.parse().expect("a divisor"));
        out += &rest[..start];
        out += &divisor.map_or(number, |divisor| multiple(number, divisor)).to_string();
        rest = &rest[end..];
    }
    out + rest
}

/// Has the layout an extent of 0? Its size is 0, although the other extents, on which
/// `DynLayout` insists, may leave `usize`.
fn is_empty(printed: &str) -> bool {
    printed
        .split(':')
        .next()
        .is_some_and(|shape| shape.split(['(', ',', ')']).any(|extent| extent == "0"))
}

/// Do both trees have modes of the same sizes, as far as both are tuples?
fn same_modes(a: &DynShape, b: &DynShape) -> bool {
    let both = a.as_leaf().is_none() && b.as_leaf().is_none() && a.rank() == b.rank();
    a.size() == b.size()
        && (!both || a.children().zip(b.children()).all(|(a, b)| same_modes(&a, &b)))
}

/// How many combinations of `count` numbers are tried: all of them, if there are not too many. How
/// many there are may leave `usize`.
fn turns(count: usize) -> usize {
    NUMBERS.len().checked_pow(count as u32).map_or(COMBINATIONS, |all| all.min(COMBINATIONS))
}

/// The `turn`-th combination of `count` numbers; all of them, if there are not too many,
/// otherwise a part spread evenly.
fn combination(count: usize, turn: usize) -> Vec<usize> {
    let mut state = turn as u64;
    let part = turns(count) == COMBINATIONS;
    if part {
        state = state
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
            .wrapping_mul(0xbf58_476d_1ce4_e5b9)
            >> 1;
    }
    // Small numbers more often than others, since what divides is rare.
    let mut next = |numbers: usize| {
        let digit = state % numbers as u64;
        state /= numbers as u64;
        NUMBERS[digit as usize]
    };
    let few = part && turn % 3 != 0;
    (0..count).map(|_| next(if few { 12 } else { NUMBERS.len() })).collect()
}

/// How a result with dynamic leaves compares to that of the dynamic engine. Without dynamic leaves,
/// they are the same to the letter.
#[derive(Clone, Copy)]
pub enum Agreement {
    /// The same function, mode by mode.
    Form,
    /// The same function; modes may be split otherwise, since dynamic ones do not merge.
    Function,
    /// This law holds of the left operand, the right one, and the result: where dynamic numbers
    /// could take part in more than the types know of.
    Law(fn(&DynLayout, &str, &DynLayout) -> bool),
}

/// Is there a number that only run time knows and the form of the result cannot follow: an extent
/// of 1 or a stride of 0 drops out of the dynamic result?
fn drops_out(numbers: &[usize]) -> bool {
    numbers.iter().any(|&number| number < 2)
}

/// Compares the two engines for all combinations of numbers.
pub fn sweep(
    tally: &mut Tally,
    name: &str,
    agreement: Agreement,
    (left, right): (&str, &str),
    dynamic: &dyn Fn(&DynLayout, &str) -> Result<DynLayout, LayoutError>,
    answer: Option<&Engine>,
) {
    let Some(answer) = answer else {
        tally.refused += 1;
        return;
    };
    tally.defined += 1;
    // What a panic says is in the tally.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let leaves: usize = [left, right]
        .map(|text| text.matches("usize").count() + text.matches("By").count())
        .iter()
        .sum();
    for turn in 0..turns(leaves) {
        let numbers = combination(leaves, turn);
        let source = &mut numbers.iter().copied();
        let (a, b) = (filled(left, source), filled(right, source));
        let case = format!("{name} {a} {b}   [{left} {right}]");
        let right_fits = !b.contains(':') || b.parse::<DynTiler>().is_ok();
        let (Ok(layout), true) = (a.parse::<DynLayout>(), right_fits) else {
            tally.no_operand += 1;
            continue;
        };
        let found = match catch_unwind(AssertUnwindSafe(|| {
            answer(&numbers).map(|result| Answer::new(&*result))
        })) {
            Ok(found) => found,
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
                let dynamic = dynamic(&layout, &b)
                    .map_or_else(|error| error.to_string(), |result| result.to_string());
                tally
                    .wrong
                    .push(format!("{case}: a panic ({}), and {dynamic}", text.unwrap_or_default()));
                continue;
            }
        };
        match (dynamic(&layout, &b), found) {
            (Ok(expected), Ok(Answer { printed, function: Some(found) })) => {
                let offsets: Vec<usize> =
                    places(expected.size()).map(|i| expected.index(i)).collect();
                let function = (expected.size(), expected.cosize(), &offsets)
                    == (found.size, found.cosize, &found.offsets);
                // In an empty range every layout is a complement of one without coordinates: both
                // together have none.
                let any_is = name == "complement" && layout.size() == 0 && b == "0";
                let same = any_is
                    || match agreement {
                        _ if leaves == 0 => found.layout == expected && function,
                        Agreement::Form => {
                            let modes = expected.size() == 0
                                || same_modes(&expected.shape(), &found.layout.shape());
                            function && modes
                        }
                        Agreement::Function => function,
                        Agreement::Law(law) => law(&layout, &b, &found.layout),
                    } && found.layout.to_string() == printed;
                if same {
                    tally.same += 1;
                } else {
                    tally.wrong.push(format!("{case}: {expected} is {printed} here"));
                }
            }
            (Err(_), Ok(Answer { printed, function: None })) if is_empty(&printed) => {
                tally.cautious += 1
            }
            (expected, Ok(Answer { printed, function: None })) => {
                let expected = expected
                    .map_or_else(|error| error.kind().as_str().into(), |layout| layout.to_string());
                tally.unchecked.push(format!("{case}: {expected}, but {printed} here"));
            }
            (Err(expected), Err(found))
                if expected.fault().to_string() == found.fault().to_string() =>
            {
                tally.same_error += 1;
            }
            (Err(_), Err(_)) if drops_out(&numbers) || name == "upcast" => tally.cautious += 1,
            (Err(expected), Err(found)) if expected.kind() == found.kind() => {
                tally.other_numbers.push(format!("{case}: {expected} // {found}"));
            }
            (Err(expected), Err(found)) => {
                tally.other_kind.push(format!("{case}: {expected} // {found}"))
            }
            (Err(expected), Ok(Answer { printed, function: Some(found) })) => match agreement {
                Agreement::Law(law) if leaves > 0 && law(&layout, &b, &found.layout) => {
                    tally.same += 1
                }
                _ => tally
                    .wrong
                    .push(format!("{case}: refused ({}), but is {printed} here", expected.kind())),
            },
            (Ok(expected), Err(found))
                if drops_out(&numbers)
                    || name == "upcast"
                    || matches!(found.fault(), Fault::DynamicLink { .. })
                    || found.kind() == ErrorKind::Overflow
                        && expected.shape().leaves().contains(&1) =>
            {
                tally.cautious += 1;
            }
            (Ok(expected), Err(found)) => {
                tally.shy.push(format!("{case}: {expected}, but here: {found}"))
            }
        }
    }
    std::panic::set_hook(hook);
}
