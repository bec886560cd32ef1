//! Text: `(2,4):(1,2)`, `(4,(2,3))`, `<4,_,(2,2):(1,8)>`.
//!
//! ```text
//! print((t0,..,tk)) = "(" print(t0) "," .. "," print(tk) ")"      print(S:D) = print(S) ":" print(D)
//! ```

use core::fmt;

use super::layout::{DynLayout, View};
use super::shape::DynShape;
use super::slice::{DynSlice, Kept};
use super::text::{Punctuation, write_numbers, write_tree};
use super::tiler::{DynTiler, Item};
use crate::layout::display::Notation;
use crate::pad::pad;

impl fmt::Display for DynShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| write_numbers(f, &self.profile, &self.leaves))
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            write_numbers(f, self.profile, self.shape)?;
            f.write_str(":")?;
            let mut strides = self.every().map(|mode| mode.stride);
            write_tree(f, self.profile, |f| strides.next().map_or(Ok(()), |stride| stride.fmt(f)))
        })
    }
}

impl fmt::Display for DynLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl fmt::Display for DynTiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            let mut punctuation = Punctuation::new('>');
            let items = self.items();
            for item in items {
                punctuation.before(f)?;
                match item {
                    Item::Tuple(rank) => {
                        f.write_str("<")?;
                        punctuation.opened(super::tree::arity(rank));
                        continue;
                    }
                    Item::Keep => f.write_str("_")?,
                    Item::Number(view) => write!(f, "{}", view.shape[0])?,
                    Item::Layout(view) => view.fmt(f)?,
                }
                punctuation.after_leaf(f)?;
            }
            Ok(())
        })
    }
}

impl fmt::Display for DynSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        pad(f, &|f| {
            let mut leaves = self.leaves.iter();
            write_tree(f, &self.profile, |f| match leaves.next() {
                Some(Kept::At(number)) => write!(f, "{number}"),
                Some(Kept::Range(range)) => write!(f, "{range}"),
                _ => f.write_str("_"),
            })
        })
    }
}

debug_as_display! { [] DynShape; [] DynLayout; [] DynTiler; [] DynSlice; }

macro_rules! notations {
    ($($type:ident)*) => {
        $(impl Notation for $type {
            fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        })*
    };
}
notations! { DynShape DynTiler DynSlice }
