//! Tilers that go mode by mode.

use core::fmt::{self, Display, Formatter};

use crate::layout::display::{Notation, display};
use crate::layout::strided::StridedLayout;
use crate::list::{Cons, Nested, Nil};
use crate::number::table::Number;

/// A by-mode tiler `<t0, t1, ..>`: each entry tiles one mode of a layout. An entry is a number `n`
/// (for `n:1`), a layout, a `Tiler` in turn, or [`Keep`], which leaves the mode alone. Written with
/// `tiler!` and `Tiler!`.
///
/// ```
/// use layout_algebra::prelude::*;
/// let t = tiler!(2, (2, 3):(1, 8), _);
/// assert_eq!(format!("{t:#}"), "<2,(2,3):(1,8),_>");
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Tiler<T>(T);

/// The entry of a [`Tiler`] that leaves its mode alone, `_` in the macros.
///
/// ```
/// use layout_algebra::prelude::*;
/// assert_eq!(tiler!(2, _), Tiler::new((int!(2), Keep)));
/// assert_eq!(layout!((4, 6)).compose(tiler!(2, _)), layout!((2, 6):(1, 4)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Keep;

impl<T> Tiler<T> {
    /// A tiler of a tuple of entries.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let tiler = Tiler::new((int!(2), layout!(3:2))); // rows 0 and 1, columns 0, 2 and 4
    /// assert_eq!(layout!((4, 6)).compose(tiler), layout!((2, 3):(1, 8)));
    /// const ROWS: Tiler<(usize, Keep)> = Tiler::new((2, Keep));
    /// assert_eq!(ROWS, Tiler::new((2, Keep)));
    /// ```
    ///
    /// ```compile_fail,E0277
    /// use layout_algebra::prelude::*;
    /// let tiler = Tiler::new((int!(2), "3")); // a tiler is a tuple of numbers, layouts, tilers and `Keep`
    /// ```
    #[inline(always)]
    pub const fn new(modes: T) -> Self
    where
        T: TilerModes,
    {
        Tiler(modes)
    }
    /// [`new`](Tiler::new) for code that does not know its entries: an entry that is no tiler is an
    /// error where the tiler is used.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// fn rows<N>(number: N) -> Tiler<(N, Keep)> {
    ///     Tiler::const_new((number, Keep))
    /// }
    /// assert_eq!(rows(2), Tiler::new((2, Keep)));
    /// ```
    #[inline(always)]
    pub const fn const_new(modes: T) -> Self {
        Tiler(modes)
    }
    /// The tuple of entries.
    #[inline(always)]
    pub(crate) fn into_modes(self) -> T {
        self.0
    }
}
impl<T: Nested> Tiler<T> {
    /// The entries as a list.
    #[inline(always)]
    pub(crate) fn entries(self) -> T::Node {
        self.0.node()
    }
}

/// `T: TilerModes`: a tuple of numbers, layouts, tilers and [`Keep`], the entries of a [`Tiler`].
///
/// ```
/// use layout_algebra::TilerModes;
/// use layout_algebra::prelude::*;
/// fn halves<M: TilerModes>(modes: M) -> Tiler<M> {
///     Tiler::new(modes)
/// }
/// assert_eq!(layout!((4, 6)).compose(halves((int!(2), int!(3)))), layout!((2, 3):(1, 4)));
/// ```
#[diagnostic::on_unimplemented(
    message = "cannot make a tiler: it has to be a tuple of numbers, layouts, tilers and `Keep`",
    label = "`{Self}` is no such tuple",
    note = "a tiler is written `tiler!(2, (2, 3):(1, 8), _)`; generic code names what it needs as a bound: \
            `T: TilerModes`"
)]
pub trait TilerModes {}
#[diagnostic::do_not_recommend]
#[doc(hidden)]
impl<T: Nested<Node: WriteEntries + EntryList>> TilerModes for T {}
/// A list, which a number is not.
pub trait EntryList {}
impl<H, T> EntryList for Cons<H, T> {}

/// The entries of a tiler, for printing.
pub trait WriteEntries {
    fn write_entries(&self, first: bool, f: &mut Formatter<'_>) -> fmt::Result;
}
impl WriteEntries for Nil {
    fn write_entries(&self, _: bool, _: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
impl<H: TilerEntry, T: WriteEntries> WriteEntries for Cons<H, T> {
    fn write_entries(&self, first: bool, f: &mut Formatter<'_>) -> fmt::Result {
        if !first {
            f.write_str(",")?;
        }
        self.head.write_entry(f)?;
        self.tail.write_entries(false, f)
    }
}

/// An entry of a tiler.
pub trait TilerEntry {
    fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result;
}
impl TilerEntry for Keep {
    fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}
impl<T: Nested<Node: WriteEntries> + Copy> TilerEntry for Tiler<T> {
    fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        self.entries().write_entries(true, f)?;
        f.write_str(">")
    }
}
macro_rules! entries_by_notation {
    ($([$($generic:tt)*] $type:ty;)*) => {
        $(impl<$($generic)*> TilerEntry for $type where Self: Notation {
            fn write_entry(&self, f: &mut Formatter<'_>) -> fmt::Result {
                self.write(f)
            }
        })*
    };
}
entries_by_notation! { [N: Number] N; [S, D] StridedLayout<S, D>; }

/// A tuple is no entry for any operation, but it prints, so that only the operation reports an
/// error.
macro_rules! tuple_entries {
    ($($Item:ident $item:ident)+) => {
        entries_by_notation! { [$($Item),+] ($($Item,)+); }
    };
}
each_arity!(tuple_entries);

impl<T: Nested<Node: WriteEntries> + Copy> Notation for Tiler<T> {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_entry(f)
    }
}
impl Notation for Keep {
    fn write(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_entry(f)
    }
}
impl<T: Nested<Node: WriteEntries> + Copy> Display for Tiler<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
impl Display for Keep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        display(self, f)
    }
}
debug_as_display! { [T: Nested<Node: WriteEntries> + Copy] Tiler<T>; [] Keep; }
