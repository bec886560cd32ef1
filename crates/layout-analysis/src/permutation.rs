//! A layout as a permutation of the numbers below its size.
//!
//! ```text
//! i -> L(i)     cycles: i, L(i), L(L(i)), .. back to i
//! ```

use layout_algebra::DynLayout;

use crate::error::Error;
use crate::function::Function;

/// A permutation of the numbers `0..size`: a layout whose offsets are these numbers.
///
/// ```
/// use layout_algebra::prelude::*;
/// use layout_analysis::Analysis;
/// let transposed = "(2,2):(2,1)".parse::<DynLayout>()?.permutation()?;
/// assert_eq!(transposed.cycles().collect::<Vec<_>>(), [vec![0], vec![1, 2], vec![3]]);
/// assert_eq!((transposed.order(), transposed.is_even()), (Some(2), false));
/// assert_eq!(transposed.fixed_points().collect::<Vec<_>>(), [0, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation {
    images: Vec<usize>,
}

impl Permutation {
    pub(crate) fn new(layout: &DynLayout) -> Result<Self, Error> {
        let size = layout.size();
        let offsets = Function::new(layout).table(layout, size)?;
        let (mut reached, mut images) = (vec![false; size], Vec::with_capacity(size));
        for offset in offsets {
            let image = usize::try_from(offset).ok().filter(|&image| image < size);
            let image = image.ok_or_else(|| Error::NoPermutation {
                layout: layout.to_string(),
                size,
                offset,
            })?;
            reached[image] = true;
            images.push(image);
        }
        // `size` indices map to `0..size`: two map to one number if and only if another is missing.
        match reached.iter().position(|reached| !reached) {
            Some(missing) => Err(Error::NoPermutation {
                layout: layout.to_string(),
                size,
                offset: missing as i128,
            }),
            None => Ok(Permutation { images }),
        }
    }

    /// The size.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// assert_eq!("(4,6):(6,1)".parse::<DynLayout>()?.permutation()?.size(), 24);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn size(&self) -> usize {
        self.images.len()
    }

    /// The image of each number.
    ///
    /// `images()[i] = L(i)`
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// assert_eq!("(2,3):(3,1)".parse::<DynLayout>()?.permutation()?.images(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn images(&self) -> &[usize] {
        &self.images
    }

    /// All cycles, cycles of one number included. Each starts at its least number, and they are in
    /// the order of these.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// let cycles = "(2,3):(3,1)".parse::<DynLayout>()?.permutation()?;
    /// assert_eq!(cycles.cycles().collect::<Vec<_>>(), [vec![0], vec![1, 3, 4, 2], vec![5]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cycles(&self) -> impl Iterator<Item = Vec<usize>> + '_ {
        let mut seen = vec![false; self.images.len()];
        (0..self.images.len()).filter_map(move |first| {
            let mut cycle = Vec::new();
            let mut number = first;
            while !seen[number] {
                seen[number] = true;
                cycle.push(number);
                number = self.images[number];
            }
            (!cycle.is_empty()).then_some(cycle)
        })
    }

    /// The order: the least power of the permutation that is the identity, which is the least
    /// common multiple of the cycle lengths; `None` if it exceeds `u128`.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// assert_eq!("(2,3):(3,1)".parse::<DynLayout>()?.permutation()?.order(), Some(4));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn order(&self) -> Option<u128> {
        fn gcd(a: u128, b: u128) -> u128 {
            if b == 0 { a } else { gcd(b, a % b) }
        }
        self.cycles()
            .map(|cycle| cycle.len() as u128)
            .try_fold(1u128, |all, length| all.checked_mul(length / gcd(all, length)))
    }

    /// Whether the permutation is a product of an even number of transpositions.
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// assert!("8:1".parse::<DynLayout>()?.permutation()?.is_even());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_even(&self) -> bool {
        // A cycle of n numbers is n - 1 transpositions.
        (self.images.len() - self.cycles().count()) % 2 == 0
    }

    /// The fixed points, in ascending order.
    ///
    /// `L(i) = i`
    ///
    /// ```
    /// # use layout_algebra::prelude::*;
    /// # use layout_analysis::Analysis;
    /// let points = "(3,3):(3,1)".parse::<DynLayout>()?.permutation()?;
    /// assert_eq!(points.fixed_points().collect::<Vec<_>>(), [0, 4, 8]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fixed_points(&self) -> impl Iterator<Item = usize> + '_ {
        self.images
            .iter()
            .enumerate()
            .filter(|(number, image)| number == *image)
            .map(|(number, _)| number)
    }
}
