//! Layouts, shapes, tilers and swizzles as the text that they are written in, through `serde`.
//!
//! ```text
//! deserialize(serialize(x)) == x        the text is that of `{:#}`, which the run-time types parse
//! ```
//!
//! Numbers that a type knows are compared on reading: the text of a static layout has to be that of
//! the layout.

use core::fmt::{self, Display, Formatter};
use core::marker::PhantomData;
use core::str::FromStr;

use crate::composed::{ComposedLayout, DynComposedLayout, InnerLayout, OffsetMap};
use crate::dynamic::{DynLayout, DynShape, DynSlice, DynTiler, FromDynShape, Item, Items};
use crate::error::LayoutError;
use crate::layout::display::{Notation, notation};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil, Untangle};
use crate::number::int::StaticInt;
use crate::number::multiple::Multiple;
use crate::number::table::Number;
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::int_tuple::IntTuple;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Reads a text and makes a `T` of it.
struct Reads<T>(&'static str, PhantomData<T>);
impl<T: FromStr<Err = LayoutError>> Visitor<'_> for Reads<T> {
    type Value = T;
    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} as text", self.0)
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

macro_rules! texts {
    ($($type:ty, $what:literal, $example:literal;)*) => {
        $(
            /// As the text of `{}`.
            impl Serialize for $type {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }
            /// From the text that it parses. An error of `parse` is the error here.
            impl<'de> Deserialize<'de> for $type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    deserializer.deserialize_str(Reads(concat!($what, ", for example `", $example, "`,"), PhantomData))
                }
            }
        )*
    };
}
texts! {
    DynLayout, "a layout", "(4,6):(1,4)";
    DynShape, "a shape", "(4,(2,3))";
    DynTiler, "a tiler", "<2,3>";
    DynSlice, "a slice", "(1,_)";
    DynSwizzle, "a swizzle", "Sw<3,3,3>";
}

/// The error for a text that does not fit the type.
fn another<E: Error>(expected: impl Display, found: impl Display) -> E {
    E::custom(format_args!("expected {expected}, found {found}"))
}

/// A strided layout as its type knows it: `_` for a number known only at run time.
struct Expected<S, D>(PhantomData<(S, D)>);
impl<S: FromDynShape, D: FromDynShape> Display for Expected<S, D> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        S::expect(f)?;
        f.write_str(":")?;
        D::expect(f)
    }
}

/// As the text of `{:#}`.
impl<S: IntTuple, D: IntTuple> Serialize for StridedLayout<S, D> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_str(&format_args!("{self:#}"))
    }
}
/// From the text that a [`DynLayout`] parses, if its profile and every static number are those of
/// the type.
impl<'de, S: FromDynShape, D: FromDynShape> Deserialize<'de> for StridedLayout<S, D> {
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let found = DynLayout::deserialize(deserializer)?;
        Self::try_from(&found).map_err(|_| another(Expected::<S, D>(PhantomData), found))
    }
}

/// As the text of `{}`.
impl<const B: u32, const M: u32, const S: i32> Serialize for Swizzle<B, M, S> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        Self::DYNAMIC.serialize(serializer)
    }
}
/// From the text that a [`DynSwizzle`] parses, if it is this swizzle's.
impl<'de, const B: u32, const M: u32, const S: i32> Deserialize<'de> for Swizzle<B, M, S>
where
    Self: Default,
{
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let found = DynSwizzle::deserialize(deserializer)?;
        Self::of(found).ok_or_else(|| another(Self::DYNAMIC, found))
    }
}

/// As the text of `{:#}`.
impl<O: OffsetMap, F: Number, L: InnerLayout> Serialize for ComposedLayout<O, F, L>
where
    Self: Display,
{
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_str(&format_args!("{self:#}"))
    }
}
/// From the text that it parses. An error of `parse` is the error here.
impl<'de> Deserialize<'de> for DynComposedLayout {
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let what = "a swizzled layout, for example `Sw<3,3,3> o 0 o (8,64):(64,1)`,";
        deserializer.deserialize_str(Reads(what, PhantomData))
    }
}
/// From the text that a [`DynComposedLayout`] parses, if the swizzle, the profile and every static
/// number are those of the type.
impl<'de, O, F, S, D> Deserialize<'de> for ComposedLayout<O, F, StridedLayout<S, D>>
where
    O: OfSwizzle + OffsetMap,
    F: FromDynShape + Number,
    S: FromDynShape + IntTuple,
    D: FromDynShape + IntTuple,
{
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let found = DynComposedLayout::deserialize(deserializer)?;
        let read = || {
            let offset = F::from_dyn_shape(&DynShape::from(found.offset()), &mut 0).ok()?;
            let inner = StridedLayout::try_from(found.inner_ref()).ok()?;
            Some(ComposedLayout::const_new(O::of(found.outer())?, offset, inner))
        };
        let expected =
            || ExpectedComposed::<O, F, Expected<S, D>>(PhantomData, Expected(PhantomData));
        read().ok_or_else(|| another(expected(), &found))
    }
}
/// A swizzled layout as its type knows it.
struct ExpectedComposed<O, F, L>(PhantomData<(O, F)>, L);
impl<O: OfSwizzle, F: FromDynShape, L: Display> Display for ExpectedComposed<O, F, L> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        O::expect(f)?;
        f.write_str(" o ")?;
        F::expect(f)?;
        write!(f, " o {}", self.1)
    }
}

/// A swizzle that is read from one known at run time.
pub trait OfSwizzle: Sized {
    /// The swizzle, if it is one of this type.
    fn of(swizzle: DynSwizzle) -> Option<Self>;
    /// Writes which ones are: `_` for any.
    fn expect(f: &mut Formatter<'_>) -> fmt::Result;
}
impl OfSwizzle for DynSwizzle {
    fn of(swizzle: DynSwizzle) -> Option<Self> {
        Some(swizzle)
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("Sw<_,_,_>")
    }
}
impl<const B: u32, const M: u32, const S: i32> OfSwizzle for Swizzle<B, M, S>
where
    Self: Default,
{
    fn of(swizzle: DynSwizzle) -> Option<Self> {
        (swizzle == Self::DYNAMIC).then(Self::default)
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        Self::DYNAMIC.fmt(f)
    }
}

/// As the text of `{:#}`.
impl<T: Copy> Serialize for Tiler<T>
where
    Self: Notation,
{
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        serializer.collect_str(&format_args!("{:#}", notation(*self)))
    }
}
/// From the text that a [`DynTiler`] parses, if its entries and every static number are those of
/// the type.
impl<'de, T: Copy + Nested<Node: EntriesFromDyn + Untangle<Tree = T>>> Deserialize<'de>
    for Tiler<T>
{
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let found = DynTiler::deserialize(deserializer)?;
        Self::entry_from_dyn(&mut TilerEntries(found.items()))
            .ok_or_else(|| another(ExpectedTiler::<T>(PhantomData), found))
    }
}
/// A tiler as its type knows it: `usize` for an entry known only at run time, because `_` leaves a
/// mode alone.
struct ExpectedTiler<T>(PhantomData<T>);
impl<T: Nested<Node: EntriesFromDyn + Untangle<Tree = T>>> Display for ExpectedTiler<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Tiler::<T>::expect(f)
    }
}

/// The entries of a tiler that are not read yet.
pub struct TilerEntries<'a>(Items<'a>);

/// An entry of a tiler, read from the same entry of one known at run time.
pub trait EntryFromDyn: Sized {
    #[doc(hidden)]
    fn entry_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self>;
    /// Writes what such an entry looks like.
    #[doc(hidden)]
    fn expect(f: &mut Formatter<'_>) -> fmt::Result;
}
impl EntryFromDyn for Keep {
    fn entry_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self> {
        matches!(entries.0.next()?, Item::Keep).then_some(Keep)
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("_")
    }
}
impl<N: FromDynShape + Number> EntryFromDyn for N {
    fn entry_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self> {
        match entries.0.next()? {
            Item::Number(number) => {
                N::from_dyn_shape(&DynShape::from(number.shape[0]), &mut 0).ok()
            }
            _ => None,
        }
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        N::expect_in_tiler(f)
    }
}
impl<S: FromDynShape, D: FromDynShape> EntryFromDyn for StridedLayout<S, D> {
    fn entry_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self> {
        match entries.0.next()? {
            Item::Layout(layout) => Self::try_from(layout.to_layout()).ok(),
            _ => None,
        }
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        Expected::<S, D>(PhantomData).fmt(f)
    }
}
impl<T: Nested<Node: EntriesFromDyn + Untangle<Tree = T>>> EntryFromDyn for Tiler<T> {
    fn entry_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self> {
        match entries.0.next()? {
            Item::Tuple(rank) if rank == T::Node::RANK => {
                T::Node::entries_from_dyn(entries).map(|read| Tiler::const_new(read.tree()))
            }
            _ => None,
        }
    }
    fn expect(f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("<")?;
        T::Node::expect_entries("", f)?;
        f.write_str(">")
    }
}
/// A list of entries of a tiler.
pub trait EntriesFromDyn: Sized {
    #[doc(hidden)]
    const RANK: usize;
    #[doc(hidden)]
    fn entries_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self>;
    /// Writes what such entries look like, the first one after `before`.
    #[doc(hidden)]
    fn expect_entries(before: &str, f: &mut Formatter<'_>) -> fmt::Result;
}
impl EntriesFromDyn for Nil {
    const RANK: usize = 0;
    fn entries_from_dyn(_: &mut TilerEntries<'_>) -> Option<Self> {
        Some(Nil)
    }
    fn expect_entries(_: &str, _: &mut Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
impl<H: EntryFromDyn, T: EntriesFromDyn> EntriesFromDyn for Cons<H, T> {
    const RANK: usize = 1 + T::RANK;
    fn entries_from_dyn(entries: &mut TilerEntries<'_>) -> Option<Self> {
        Some(Cons { head: H::entry_from_dyn(entries)?, tail: T::entries_from_dyn(entries)? })
    }
    fn expect_entries(before: &str, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(before)?;
        H::expect(f)?;
        T::expect_entries(",", f)
    }
}

/// As the number.
impl<N: StaticInt> Serialize for Multiple<N> {
    fn serialize<Z: Serializer>(&self, serializer: Z) -> Result<Z::Ok, Z::Error> {
        self.get().serialize(serializer)
    }
}
/// From a number, if it is a multiple of `N`.
impl<'de, N: StaticInt> Deserialize<'de> for Multiple<N> {
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let found = usize::deserialize(deserializer)?;
        Multiple::new(found).map_err(|_| another(format_args!("a multiple of {}", N::VALUE), found))
    }
}
