//! How a composition or a division comes about, step by step, in plain text.
//!
//! ```text
//! (4,3):(1,8) o 6:2
//!   left, coalesced: 4:1 *:8
//!   right mode 6:2
//!     stride 2 has the digits 2 in 4:1, 0 in *:8
//!     2 of 6 steps stay linear: 2:2, and 3:4 is left
//!     stride 4 has the digits 0 in 4:1, 1 in *:8
//!     3 of 3 steps stay linear: 3:8
//!   carry in 4:1: 2, below 4
//! result (2,3):(2,8)
//! ```
//!
//! The steps are those of the composition itself: each run comes from its `Composer`.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Display, Write};

use super::complement::fill;
use super::composition::Composer;
use super::flat::{DynMode, DynModes};
use super::layout::{DynLayout, View, from_modes};
use super::sorted::Rounded;
use super::tiler::{DynTiler, IntoDynTiler, Item, Items};
use crate::error::{Fault, LayoutError};

/// How a result comes about, as text: what [`DynLayout::explain_compose`] and
/// [`explain!`](crate::explain!) return.
///
/// ```
/// use layout_algebra::prelude::*;
/// let why: Explanation =
///     "(4,6):(1,8)".parse::<DynLayout>()?.explain_compose("3:2".parse::<DynLayout>()?);
/// assert!(why.to_string().ends_with("2 does not divide 3"));
/// # Ok::<(), LayoutError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Explanation(String);
impl Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}
debug_as_display! { [] Explanation; }

/// The operation with a tile: its name in the text, and its trace.
#[derive(Clone, Copy)]
enum TracedOperation {
    Compose,
    Divide,
}

/// The lines written so far.
struct Trace {
    text: String,
    indent: usize,
}

impl Trace {
    /// One more line.
    fn line(&mut self, line: fmt::Arguments<'_>) {
        // A `String` takes whatever is written to it.
        let _ = writeln!(self.text, "{:1$}{line}", "", 2 * self.indent);
    }

    /// The lines that `write` writes, one level deeper.
    fn deeper(&mut self, write: impl FnOnce(&mut Self)) {
        self.indent += 1;
        write(self);
        self.indent -= 1;
    }

    /// A tiler on a layout, mode by mode where it is a tuple.
    fn tiler(&mut self, operation: TracedOperation, left: View<'_>, items: &mut Items<'_>) {
        match items.node() {
            Item::Keep => self.line(format_args!("kept whole")),
            Item::Number(right) | Item::Layout(right) => match operation {
                TracedOperation::Compose => self.compose(left, right.flat()),
                TracedOperation::Divide => self.divide(left, right),
            },
            Item::Tuple(rank) => {
                let mut modes = left.modes();
                for index in 0..rank {
                    match modes.next() {
                        Some(mode) => {
                            self.line(format_args!("mode {index}, {}", mode.to_layout()));
                            self.deeper(|trace| trace.tiler(operation, mode, items));
                        }
                        None => {
                            return self.line(format_args!(
                                "the layout has no mode {index} for the tiler's"
                            ));
                        }
                    }
                }
                for (index, mode) in modes.enumerate() {
                    self.line(format_args!(
                        "mode {}, {}: the tiler says nothing of it",
                        rank + index,
                        mode.to_layout()
                    ));
                }
            }
        }
    }

    /// The complement of the tile, then the composition with both.
    fn divide(&mut self, left: View<'_>, tile: View<'_>) {
        let mut rest = DynModes::new();
        let found =
            fill(tile, left.size(), Rounded::No, &mut rest).and_then(|()| from_modes(&rest));
        match found {
            Ok(complement) => {
                let (tile_text, size) = (tile.to_layout(), left.size());
                self.line(format_args!(
                    "rest: the complement of {tile_text} in {size} is {complement}"
                ));
                self.compose(left, tile.flat().chain(rest));
            }
            Err(fault) => {
                let error = LayoutError::new("logical_divide", fault);
                self.line(format_args!("no rest: {}", error.fault()));
            }
        }
    }

    /// The modes of a right operand, one after the other, and the carries of all of them.
    fn compose(&mut self, left: View<'_>, right: impl Iterator<Item = DynMode>) {
        let mut composer = Composer::new(left.flat());
        let mut text = String::new();
        for mode in composer.bounded() {
            let _ = write!(text, "{}:{} ", mode.extent, mode.stride);
        }
        self.line(format_args!(
            "left, coalesced: {text}*:{}",
            composer.last_stride().unwrap_or_default()
        ));
        for mode in right {
            self.line(format_args!("right mode {}:{}", mode.extent, mode.stride));
            let mut linear = true;
            self.deeper(|trace| linear = trace.runs(&mut composer, mode).is_ok());
            if !linear {
                return;
            }
        }
        let carries = composer.bounded().zip(composer.reached());
        for (mode, sum) in carries.filter(|(_, sum)| *sum > 0) {
            let answer = if sum < mode.extent { "below" } else { "not below" };
            self.line(format_args!(
                "carry in {}:{}: {sum}, {answer} {}",
                mode.extent, mode.stride, mode.extent
            ));
        }
    }

    /// The linear runs of one right mode.
    fn runs(&mut self, composer: &mut Composer, mut right: DynMode) -> Result<(), Fault> {
        if right.extent == 1 {
            self.line(format_args!("extent 1 does not move: 1:0"));
            return Ok(());
        }
        loop {
            let digits = digits(composer, right.stride);
            self.line(format_args!("stride {} has the digits {digits}", right.stride));
            let run =
                composer.run(right).inspect_err(|fault| self.line(format_args!("{fault}")))?;
            let (steps, all) = (run.extent, right.extent);
            let linear = format!("{steps} of {all} steps stay linear");
            if steps == all {
                self.line(format_args!("{linear}: {steps}:{}", run.stride));
                return Ok(());
            }
            if all % steps != 0 {
                self.line(format_args!("{linear}, and {steps} does not divide {all}"));
                return Err(composer.steps(right, steps));
            }
            right = DynMode::new(all / steps, right.stride * steps);
            self.line(format_args!(
                "{linear}: {steps}:{}, and {}:{} is left",
                run.stride, right.extent, right.stride
            ));
        }
    }

    /// The whole: the operands, the steps, and the result or the reason why there is none.
    fn close(mut self, result: Result<DynLayout, LayoutError>) -> Explanation {
        self.indent = 0;
        match result {
            Ok(layout) => self.line(format_args!("result {layout}")),
            Err(error) => self.line(format_args!("refused, {}: {}", error.kind(), error.fault())),
        }
        self.text.truncate(self.text.trim_end().len());
        Explanation(self.text)
    }
}

/// The digits of a stride in the mixed radix of the left extents.
fn digits(composer: &Composer, stride: usize) -> String {
    let (mut text, mut rest) = (String::new(), stride);
    for mode in composer.bounded().filter(|mode| mode.extent > 0) {
        let _ = write!(text, "{} in {}:{}, ", rest % mode.extent, mode.extent, mode.stride);
        rest /= mode.extent;
    }
    let _ = write!(text, "{rest} in *:{}", composer.last_stride().unwrap_or_default());
    text
}

fn explain(
    (name, operation): (&str, TracedOperation),
    left: &DynLayout,
    tiler: &DynTiler,
    result: Result<DynLayout, LayoutError>,
) -> Explanation {
    let mut trace = Trace { text: String::new(), indent: 0 };
    trace.line(format_args!("{left} {name} {tiler}"));
    if left.view().is_natural() && tiler.is_natural() {
        trace.deeper(|trace| trace.tiler(operation, left.view(), &mut tiler.items()));
    }
    trace.close(result)
}

impl DynLayout {
    /// How the composition comes about: both operands, the digits and linear runs of each right
    /// mode, the carries, and the result or the reason why there is none. For the eyes of a person;
    /// the text may change. For strides that are not natural, the text has the result alone.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let a: DynLayout = "(4,3):(1,8)".parse()?;
    /// assert_eq!(a.explain_compose(6).to_string(), "\
    /// (4,3):(1,8) o 6
    ///   left, coalesced: 4:1 *:8
    ///   right mode 6:1
    ///     stride 1 has the digits 1 in 4:1, 0 in *:8
    ///     4 of 6 steps stay linear, and 4 does not divide 6
    /// refused, divisibility: the right mode 6:1 leaves the mode 4:1 of the left layout after 4 steps, \
    /// and 4 does not divide 6");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn explain_compose(&self, tiler: impl IntoDynTiler) -> Explanation {
        let tiler = tiler.into();
        explain(("o", TracedOperation::Compose), self, &tiler, self.compose(&tiler))
    }

    /// How the division comes about: for each tile its complement, and the composition with both.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// let a: DynLayout = "(4,6):(1,4)".parse()?;
    /// assert_eq!(a.explain_logical_divide(&"<2,4>".parse::<DynTiler>()?).to_string(), "\
    /// (4,6):(1,4) / <2,4>
    ///   mode 0, 4:1
    ///     rest: the complement of 2:1 in 4 is 2:2
    ///     left, coalesced: *:1
    ///     right mode 2:1
    ///       stride 1 has the digits 1 in *:1
    ///       2 of 2 steps stay linear: 2:1
    ///     right mode 2:2
    ///       stride 2 has the digits 2 in *:1
    ///       2 of 2 steps stay linear: 2:2
    ///   mode 1, 6:4
    ///     no rest: extent 6 is not a multiple of the span 4
    /// refused, divisibility: extent 6 is not a multiple of the span 4");
    /// # Ok::<(), LayoutError>(())
    /// ```
    pub fn explain_logical_divide(&self, tiler: impl IntoDynTiler) -> Explanation {
        let tiler = tiler.into();
        explain(("/", TracedOperation::Divide), self, &tiler, self.logical_divide(&tiler))
    }
}
