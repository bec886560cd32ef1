//! A tensor as a table.

use core::fmt::{self, Display, Formatter};

use crate::layout::stand_in::StandIn;
use crate::layout::strided::StridedLayout;
use crate::tensor::storage::{Addressable, CoordinateIn, Storage, Tensor};

/// The layout, and under it the elements of a tensor of rank 2, a row for each number of mode 0. CuTe's `print_tensor`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let t = Tensor::fixed([1, 2, 30, 4, 5, 6], layout!((2, 3): right));
/// assert_eq!(t.to_string(), "\
/// (2,3):(3,1)
///    1   2  30
///    4   5   6
/// ");
/// ```
impl<S, A, B, C, D> Display for Tensor<S, StridedLayout<(A, B), (C, D)>>
where
    S: Storage<Item: Display>,
    StridedLayout<(A, B), (C, D)>: Addressable + Display,
    (usize, usize): CoordinateIn<StridedLayout<(A, B), (C, D)>>,
{
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let rows = (0..).take_while(|&i| self.get((i, 0)).is_some()).count();
        let width = self.iter().try_fold(0, |width, element| Ok(width.max(width_of(element)?)))?;
        writeln!(f, "{:#}", self.layout())?;
        for i in 0..rows {
            for element in (0..).map_while(|j| self.get((i, j))) {
                write!(f, "{:1$}", "", 2 + width - width_of(element)?)?;
                element_text(element, f)?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl<S> Display for Tensor<S, StandIn> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(self.layout(), f)
    }
}

fn element_text(element: &impl Display, f: &mut impl fmt::Write) -> fmt::Result {
    write!(f, "{element}")
}

/// How many characters an element takes.
fn width_of(element: &impl Display) -> Result<usize, fmt::Error> {
    struct CharCount(usize);
    impl fmt::Write for CharCount {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 += text.chars().count();
            Ok(())
        }
    }
    let mut count = CharCount(0);
    element_text(element, &mut count)?;
    Ok(count.0)
}
