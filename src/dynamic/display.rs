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

impl fmt::Display for DynShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, &self.profile, &self.leaves)
    }
}

impl fmt::Display for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_numbers(f, self.profile, self.shape)?;
        f.write_str(":")?;
        write_numbers(f, self.profile, self.stride)
    }
}

impl fmt::Display for DynLayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl fmt::Display for DynTiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
    }
}

impl fmt::Display for DynSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut leaves = self.leaves.iter();
        write_tree(f, &self.profile, |f| match leaves.next() {
            Some(Kept::At(number)) => write!(f, "{number}"),
            Some(Kept::Range(range)) => write!(f, "{range}"),
            _ => f.write_str("_"),
        })
    }
}

/// `Debug` is the text in braces after the name of the type: `DynShape { (4,2) }`.
macro_rules! debug_as_text {
    ($($type:ident),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($type), " {{ {} }}"), self)
            }
        }
    )*};
}

debug_as_text!(DynShape, DynLayout, DynTiler, DynSlice);
