//! Text: `(2,4):(1,2)`, `(4,(2,3))`, `<4,_,(2,2):(1,8)>`.
//!
//! ```text
//! print((t0,..,tk)) = "(" print(t0) "," .. "," print(tk) ")"      print(S:D) = print(S) ":" print(D)
//! ```

use core::fmt;

use smallvec::SmallVec;

use super::layout::{DynLayout, View};
use super::shape::DynShape;
use super::slice::DynSlice;
use super::tiler::{DynTiler, Item};

/// Commas and closing parentheses of a tree that is written from left to right.
struct Punctuation {
    close: char,
    awaited: SmallVec<[u32; 16]>,
    fresh: bool,
}

impl Punctuation {
    fn new(close: char) -> Self {
        Punctuation { close, awaited: SmallVec::new(), fresh: true }
    }

    /// Before every node: the comma that parts it from the one before.
    fn before(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !core::mem::replace(&mut self.fresh, true) {
            f.write_str(",")?;
        }
        Ok(())
    }

    /// After the opening parenthesis of a tuple of `children`.
    fn opened(&mut self, children: u32) {
        self.awaited.push(children);
    }

    /// After a leaf: every tuple that it was the last of is closed.
    fn after_leaf(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        while let Some(left) = self.awaited.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            self.awaited.pop();
            fmt::Write::write_char(f, self.close)?;
        }
        self.fresh = false;
        Ok(())
    }
}

/// Writes a tree whose leaves `leaf` writes.
fn write_tree(
    f: &mut fmt::Formatter<'_>,
    profile: &[u32],
    mut leaf: impl FnMut(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    let mut punctuation = Punctuation::new(')');
    for &children in profile {
        punctuation.before(f)?;
        if children > 0 {
            f.write_str("(")?;
            punctuation.opened(children);
        } else {
            leaf(f)?;
            punctuation.after_leaf(f)?;
        }
    }
    Ok(())
}

fn write_numbers(f: &mut fmt::Formatter<'_>, profile: &[u32], numbers: &[usize]) -> fmt::Result {
    let mut numbers = numbers.iter();
    write_tree(f, profile, |f| numbers.next().map_or(Ok(()), |number| write!(f, "{number}")))
}

/// A profile alone: `(_,(_,_))`.
pub(crate) struct ProfileText<'a>(pub(crate) &'a [u32]);

impl fmt::Display for ProfileText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tree(f, self.0, |f| f.write_str("_"))
    }
}

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
            Some(Some(number)) => write!(f, "{number}"),
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
