//! Layouts, shapes, tilers and swizzles as the text that they are written in, through `serde`.
//!
//! ```text
//! deserialize(serialize(x)) == x        the text is that of `{:#}`, which the run-time types parse
//! ```
//!
//! What a type knows is compared when it is read: the text of a static layout has to be that layout's.

use core::fmt::{self, Display, Formatter};
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};
use typenum::UInt;

use crate::composed::{ComposedLayout, DynComposedLayout, InnerLayout, OffsetMap};
use crate::dynamic::{DynLayout, DynShape, DynSlice, DynTiler, FromDynShape};
use crate::error::LayoutError;
use crate::layout::display::{Notation, notation};
use crate::layout::strided::StridedLayout;
use crate::layout::tiler::{Keep, Tiler};
use crate::list::{Cons, Nested, Nil};
use crate::number::table::Number;
use crate::swizzle::{DynSwizzle, Swizzle};
use crate::tuple::int_tuple::{IntTuple, StaticTuple};

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

/// The error of a text that is not that of the type.
fn another<E: Error>(expected: impl Display, found: impl Display) -> E {
    E::custom(format_args!("expected {expected}, found {found}"))
}

/// A strided layout as its type knows it: `_` for a number that run time decides.
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
/// From the text that a [`DynLayout`] parses, if its profile and every static number are those of the type.
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
/// From the text that a [`DynComposedLayout`] parses, if the swizzle, the profile and every static number are those of
/// the type.
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
        let expected = || ExpectedComposed::<O, F, Expected<S, D>>(PhantomData, Expected(PhantomData));
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
/// From the text that a [`DynTiler`] parses, if it is this tiler's, all of whose numbers are static.
impl<'de, T: Nested<Node: StaticEntries> + Copy + Default> Deserialize<'de> for Tiler<T>
where
    Self: Notation + Into<DynTiler>,
{
    fn deserialize<Z: Deserializer<'de>>(deserializer: Z) -> Result<Self, Z::Error> {
        let (found, expected) = (DynTiler::deserialize(deserializer)?, Self::default());
        if found == expected.into() {
            Ok(expected)
        } else {
            Err(another(format_args!("{:#}", notation(expected)), found))
        }
    }
}
/// Entries of a tiler of which the types know all numbers.
pub trait StaticEntries {}
impl StaticEntries for Nil {}
impl<H: StaticEntry, T: StaticEntries> StaticEntries for Cons<H, T> {}
/// An entry of a tiler of which the types know all numbers.
pub trait StaticEntry {}
impl StaticEntry for Keep {}
impl<U, B> StaticEntry for UInt<U, B> {}
impl<S: StaticTuple, D: StaticTuple> StaticEntry for StridedLayout<S, D> {}
impl<T: Nested<Node: StaticEntries>> StaticEntry for Tiler<T> {}
