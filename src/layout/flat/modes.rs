//! Flat modes in an array, the leftmost one the fastest.

use core::fmt;

use super::message::Message;
use crate::tuple::node::{Kind, Node};

/// The most leaves of a layout as data.
pub(crate) const LEAVES: usize = 32;

/// Flat modes, the leftmost one the fastest.
#[derive(Clone, Copy)]
pub struct Modes {
    pub(crate) extents: [usize; LEAVES],
    pub(crate) strides: [usize; LEAVES],
    pub(crate) count: usize,
}

impl fmt::Display for Modes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (open, numbers) in [("(", &self.extents), ("):(", &self.strides)] {
            f.write_str(open)?;
            for (k, number) in numbers[..self.count].iter().enumerate() {
                write!(f, "{}{number}", if k > 0 { "," } else { "" })?;
            }
        }
        f.write_str(")")
    }
}

impl Modes {
    /// No modes.
    pub(crate) const NONE: Self = Modes { extents: [1; LEAVES], strides: [0; LEAVES], count: 0 };

    /// One more mode.
    #[must_use]
    #[track_caller]
    pub(crate) const fn push(mut self, extent: usize, stride: usize) -> Self {
        let words = ["a layout of more than ", " leaves: coalesce it, then it can be analysed"];
        Message::require(self.count < LEAVES, &words, &[LEAVES]);
        self.extents[self.count] = extent;
        self.strides[self.count] = stride;
        self.count += 1;
        self
    }

    /// The modes of static trees behind these.
    #[track_caller]
    pub(crate) const fn of_types<S: Node, D: Node>(self) -> Self {
        match S::KIND {
            Kind::Nil => self,
            Kind::Leaf => match (S::STATIC, D::STATIC) {
                (Some(extent), Some(stride)) => self.push(extent, stride),
                _ => panic!("this layout has a dynamic leaf"),
            },
            Kind::Cons => self.of_types::<S::Head, D::Head>().of_types::<S::Tail, D::Tail>(),
        }
    }

    /// The modes of trees behind these.
    #[track_caller]
    pub(crate) fn of_values<S: Node, D: Node>(self, shape: S, stride: D) -> Self {
        match S::KIND {
            Kind::Nil => self,
            Kind::Leaf => self.push(shape.leaf(), stride.leaf()),
            Kind::Cons => {
                self.of_values(shape.head(), stride.head()).of_values(shape.tail(), stride.tail())
            }
        }
    }

    /// The product of the extents `first` to `last - 1`; 0 if one of them is 0, whatever the others
    /// are.
    #[track_caller]
    pub(super) const fn size_of(&self, first: usize, last: usize) -> usize {
        let (mut size, mut k) = (1u128, first);
        while k < last {
            if self.extents[k] == 0 {
                return 0;
            }
            k += 1;
        }
        k = first;
        while k < last {
            // Both factors are below 2^64.
            size *= self.extents[k] as u128;
            if size > usize::MAX as u128 {
                let message = Message::new()
                    .text("overflow: the size of a layout is ")
                    .wide(size)
                    .text(" or more, and the largest number is ")
                    .number(usize::MAX);
                panic!("{}", message.as_str());
            }
            k += 1;
        }
        size as usize
    }

    /// The offset of the `i`-th coordinate of the modes `first` to `last - 1`; the last one has no
    /// end.
    #[track_caller]
    pub(super) const fn offset(&self, first: usize, last: usize, mut i: usize) -> usize {
        let (mut offset, mut k) = (0, first);
        while k + 1 < last {
            let extent = self.extents[k];
            if extent == 0 {
                panic!("an empty layout has no valid index");
            }
            offset = multiple_added(offset, i % extent, self.strides[k]);
            i /= extent;
            k += 1;
        }
        if first < last { multiple_added(offset, i, self.strides[k]) } else { offset }
    }

    /// The modes that move, by descending stride.
    #[must_use]
    pub(crate) const fn moving(&self) -> Self {
        let (mut sorted, mut k) = (Modes::NONE, 0);
        while k < self.count {
            if self.extents[k] != 1 && self.strides[k] != 0 {
                sorted = sorted.push(self.extents[k], self.strides[k]);
                let mut at = sorted.count - 1;
                while at > 0 && sorted.strides[at - 1] < sorted.strides[at] {
                    sorted.strides.swap(at - 1, at);
                    sorted.extents.swap(at - 1, at);
                    at -= 1;
                }
            }
            k += 1;
        }
        sorted
    }
}

/// `offset + number * stride`
///
/// # Panics
/// If it is beyond `usize`.
#[track_caller]
pub(crate) const fn multiple_added(offset: usize, number: usize, stride: usize) -> usize {
    // The product of two numbers of 64 bits and one more number fit 128 bits.
    let sum = offset as u128 + number as u128 * stride as u128;
    if sum > usize::MAX as u128 {
        beyond_usize(sum);
    }
    sum as usize
}

/// `a + b`
///
/// # Panics
/// If it is beyond `usize`.
#[track_caller]
pub(crate) const fn sum(a: usize, b: usize) -> usize {
    match a.checked_add(b) {
        Some(sum) => sum,
        None => beyond_usize(a as u128 + b as u128),
    }
}

/// Says that an offset, which is at least `offset`, is beyond `usize`.
#[cold]
#[track_caller]
const fn beyond_usize(offset: u128) -> ! {
    let message = Message::new()
        .text("overflow: an offset of a layout is ")
        .wide(offset)
        .text(" or more, and the largest number is ")
        .number(usize::MAX);
    panic!("{}", message.as_str());
}
