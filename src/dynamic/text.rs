//! Trees of numbers written from left to right.

use core::fmt;

use smallvec::SmallVec;

/// Commas and closing parentheses of a tree that is written from left to right.
pub(super) struct Punctuation {
    close: char,
    awaited: SmallVec<[u32; 16]>,
    fresh: bool,
}

impl Punctuation {
    pub(super) fn new(close: char) -> Self {
        Punctuation { close, awaited: SmallVec::new(), fresh: true }
    }

    /// Before every node: the comma that parts it from the one before.
    pub(super) fn before(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !core::mem::replace(&mut self.fresh, true) {
            f.write_str(",")?;
        }
        Ok(())
    }

    /// After the opening parenthesis of a tuple of `children`.
    pub(super) fn opened(&mut self, children: u32) {
        self.awaited.push(children);
    }

    /// After a leaf: every tuple that it was the last of is closed.
    pub(super) fn after_leaf(&mut self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
pub(super) fn write_tree(
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

pub(super) fn write_numbers(
    f: &mut fmt::Formatter<'_>,
    profile: &[u32],
    numbers: &[usize],
) -> fmt::Result {
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
