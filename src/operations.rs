//! The operations of the algebra, one row each.
//!
//! A row has everything about an operation but its algorithm. This file is only the table; each
//! chapter below generates its own part from the table:
//!
//! | from a row | is made | in |
//! |---|---|---|
//! | documentation, names | the method of `LayoutAlgebra` and its `try_` twin | `algebra/methods.rs` |
//! | `Trait -> Alias`, `bound` | the public trait, also of what was refused, and the alias | `algebra/traits.rs` |
//! | `Trait` | the type that stands for it | `algebra/operation.rs` |
//! | `right: kind`, `operand` | the trait of its right operand | `algebra/operation.rs` |
//! | `right: kind` | the message where the right operand is of another kind | `algebra/misplaced.rs` |
//! | `right: kind` | the trait for `DynLayout`, whose method has the same name | `dynamic/algebra.rs` |
//! | `composed` | the trait for composed layouts | `composed/algebra.rs` |
//! | `right: kind`, `composed` | the method of `DynComposedLayout`, which returns a `Result` | `composed/run_time.rs` |
//! | `sentence` | how a run-time error begins | `error/mod.rs` |
//!
//! # The lines of a row
//!
//! - The documentation is the only one that the operation has: its law, examples, CuTe's name.
//! - `method, try_method(right: kind): Trait -> Alias;`: the work is `Evaluate<operation::Trait>`
//!   of the layout, or with a right operand `Apply<operation::Trait, Left>` of that one.
//! - `sentence("verb" "connective");`: *cannot VERB a CONNECTIVE b*.
//! - `bound(message, note);`: what the compiler says where a generic function lacks the bound.
//! - `operand(message);`: what the compiler says where the right operand is of no kind that layouts
//!   know.
//! - `composed(Outer);`: for a composed layout, the operation applies to the inner layout if the
//!   outer function is an `OffsetMap`, or a `Bijection`; empty if composed layouts lack the
//!   operation or implement it by hand.
//!
//! # The kinds of right operand
//!
//! | kind | is | of a `DynLayout` |
//! |---|---|---|
//! | `tile` | a layout, a number `n` for `n:1`, or a tiler that goes mode by mode | `impl Into<DynTiler>` |
//! | `arranged` | a tile, for a form of another operation that only arranges its modes | `impl Into<DynTiler>` |
//! | `tile_and_rest` | the same, where the trait names the two parts: it is in `divide.rs` | `impl Into<DynTiler>` |
//! | `paired` | a layout or a number, paired with the left one mode by mode | `&DynLayout` |
//! | `layout` | a layout | `&DynLayout` |
//! | `number` | a number | `usize` |
//! | `unit` | a static number: of elements in a unit | `usize` |
//! | `sizes` | a pair of static numbers | two `usize` |
//! | `modes` | a tuple of static numbers | `&[usize]` |
//! | `shape` | a number or a tuple of numbers | `&DynShape` |
//! | `profile` | the same, of which only the parentheses matter | `&DynShape` |

/// Calls the macro `$part` for each row, with what the row says, in this order: `with_docs` if it
/// takes the documentation, of which there is ten times as much as of all else.
macro_rules! each_row {
    (with_docs $part:ident $(
        $(#[$($doc:tt)*])*
        $method:ident, $try_method:ident($($right:ident: $kind:ident)?): $trait:ident -> $alias:ident;
        sentence $sentence:tt;
        bound $bound:tt;
        operand $operand:tt;
        composed $composed:tt;
    )*) => {
        $($part! {
            ($($kind)?) $method $trait $alias $sentence $bound $operand $composed
            $try_method($($right)?) [$(#[$($doc)*])*]
        })*
    };
    ($part:ident $(
        $(#[$($doc:tt)*])*
        $method:ident, $try_method:ident($($right:ident: $kind:ident)?): $trait:ident -> $alias:ident;
        sentence $sentence:tt;
        bound $bound:tt;
        operand $operand:tt;
        composed $composed:tt;
    )*) => {
        $($part! {
            ($($kind)?) $method $trait $alias $sentence $bound $operand $composed $try_method($($right)?) []
        })*
    };
}
/// Hands all rows to the macro `$part`, one by one: see [`each_row`].
#[rustfmt::skip]
macro_rules! operations { ($($part:ident)+) => { each_row! { $($part)+

    /// The layout in the fewest modes. CuTe's `coalesce`.
    ///
    /// `coalesce(L)(i) == L(i)` for all `i < size(L)`
    ///
    /// Proven: `coalesce_same_function`, `coalesce_normal_form`, `coalesce_fewest` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, (1, 6)):(1, (6, 2))).coalesce(), layout!(12:1));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Coalesced<Layout!((2, (1, 6)):(1, (6, 2)))>, Layout!(12:1));
    /// assert_type_eq_all!(Coalesced<Layout!((2, 4):(4, 1))>, Layout!((2, 4):(4, 1)));
    /// ```
    coalesce, try_coalesce(): Coalesce -> Coalesced;
        sentence("coalesce" "with");
        bound("cannot coalesce: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Coalesce`");
        operand();
        composed(OffsetMap);

    /// Coalesces and preserves the function for all `i`, not only for `i < size(L)`.
    ///
    /// `coalesce_z(L)(i) == L(i)` for all `i`
    ///
    /// A last mode of extent 1 stays, because its stride extends the domain. The left operand of a
    /// composition is coalesced in this way. PyCuTe's `coalesce_z`.
    ///
    /// Proven: `coalesce_z_same_function`, `coalesce_z_fewest` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((4, 2, 1):(1, 4, 10));
    /// assert_eq!(l.coalesce(), layout!(8:1));
    /// assert_eq!(l.coalesce_z(), layout!((8, 1):(1, 10))); // coordinate 8 leads to offset 10
    /// assert_eq!(l.coalesce_z().compose(int!(16)), l.compose(int!(16)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(CoalescedZ<Layout!((2, (1, 6)):(1, (6, 2)))>, Layout!(12:1));
    /// assert_type_eq_all!(CoalescedZ<Layout!(1:7)>, Layout!(1:7));
    /// ```
    coalesce_z, try_coalesce_z(): CoalesceZ -> CoalescedZ;
        sentence("coalesce" "with");
        bound("cannot coalesce: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: CoalesceZ`");
        operand();
        composed(OffsetMap);

    /// The composition with a layout, a number `n` (for `n:1`) or a [`Tiler`](struct@crate::Tiler)
    /// that goes mode by mode.
    ///
    /// `(A o B)(c) == A(B(c))`. CuTe's `composition`.
    ///
    /// Proven: `composition_sound`, `nested_composition_sound`, `composition_exact`,
    /// `refused_only_by_cancellation` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 8;
    /// let a = layout!((n, 64):(1, n)); // the last mode is the unbounded one
    /// assert_eq!(format!("{:#}", a.compose(tiler!(4:2, 16))), "(4,16):(2,8)");
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(Composition<Layout!((4, 3):(1, 8)), Layout!(6:2)>, Layout!((2, 3):(2, 8)));
    /// assert_not_impl_any!(Layout!((4, 3):(1, 8)): Compose<Layout!(6:3)>);
    /// ```
    ///
    /// What is known only at run time is an error of `try_compose`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(6:4).try_compose(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    compose, try_compose(right: tile): Compose -> Composition;
        sentence("compose" "with");
        bound("cannot compose: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Compose<R>` for the right operand `R`");
        operand("cannot compose: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// What the layout leaves free in the range `extent`.
    ///
    /// `(L, complement(L, M))` is a bijection onto `[0, M)`, once stride-0 modes are dropped.
    /// CuTe's `complement`, but exact.
    ///
    /// Proven: `complement_bijection`, `complement_exact`, `complement_only`, `nested_complement`
    /// in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4):(1, 2)).complement(int!(16)), layout!(2:8));
    /// let m = 48;
    /// assert_eq!(format!("{:#}", layout!((2, 4):(1, 2)).complement(m)), "6:8");
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(ComplementOf<Layout!((2, 4):(1, 2)), Int!(16)>, Layout!(2:8));
    /// assert_type_eq_all!(ComplementOf<Layout!(8:2), Int!(32)>, Layout!((2, 2):(1, 16)));
    /// assert_not_impl_any!(Layout!(8:2): Complement<Int!(33)>);
    /// ```
    ///
    /// What only run time can tell is an error of `try_complement`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let m = 13;
    /// // 8 does not divide 13.
    /// assert_eq!(layout!((2, 4):(1, 2)).try_complement(m).unwrap_err().kind().as_str(), "divisibility");
    /// ```
    complement, try_complement(extent: number): Complement -> ComplementOf; // `Int!(24)` in a bound takes `int!(24)`
        sentence("take the complement of" "in");
        bound("cannot take the complement: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Complement<R>` for the right operand `R`");
        operand("cannot take the complement: the range has to be a number");
        composed();

    /// The complement in `extent` rounded up to a multiple of the layout's span. CuTe's
    /// `complement` rounds up like this silently.
    ///
    /// `complement_ceil(L, M) == complement(L, ceil(M / span) * span)`, `span` being what `L`
    /// spans.
    ///
    /// Proven: `complement_ceil_law`, `complement_ceil_exact` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4):(1, 2)).complement_ceil(int!(13)), layout!(2:8));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(ComplementCeilOf<Layout!(4:1), Int!(13)>, ComplementOf<Layout!(4:1), Int!(16)>);
    /// ```
    ///
    /// What only run time can tell is an error of `try_complement_ceil`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let m = 13;
    /// // 13 is rounded up to 16.
    /// assert_eq!(layout!((2, 4):(1, 2)).try_complement_ceil(m).map(|rest| rest.size()), Ok(2));
    /// ```
    complement_ceil, try_complement_ceil(extent: number): ComplementCeil -> ComplementCeilOf;
        sentence("take the rounded-up complement of" "in");
        bound("cannot take the complement: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: ComplementCeil<R>` for the right operand `R`");
        operand("cannot take the complement: the range has to be a number");
        composed();

    /// The layout cut into tiles, mode by mode with a [`Tiler`](struct@crate::Tiler): mode 0 is a
    /// tile, mode 1 counts the tiles.
    ///
    /// `logical_divide(A, T) == A o (T, complement(T, size(A)))`. CuTe's `logical_divide`, but
    /// exact.
    ///
    /// Proven: `nested_divide_tile`, `logical_divide_offsets`, `divide_exact_any_rest` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(12:1).logical_divide(layout!(4:1)), layout!((4, 3):(1, 4)));
    /// let r = layout!((4, 6):(1, 4)).logical_divide(tiler!(2, 3));
    /// assert_eq!(r, layout!(((2, 2), (3, 2)):((1, 2), (4, 12))));
    /// ```
    ///
    /// A tile that does not divide does not compile:
    ///
    /// ```compile_fail
    /// use layout_algebra::prelude::*;
    /// layout!(12:1).logical_divide(layout!(5:1)); // extent 12 is not a multiple of the span 5
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::{assert_not_impl_any, assert_type_eq_all};
    /// assert_type_eq_all!(LogicalDivision<Layout!(12:1), Layout!(4:1)>, Layout!((4, 3):(1, 4)));
    /// assert_not_impl_any!(Layout!(12:1): LogicalDivide<Layout!(5:1)>);
    /// ```
    ///
    /// What only run time can tell is an error of `try_logical_divide`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// assert_eq!(
    ///     layout!((4, n)).try_logical_divide(tiler!(2, 4)).unwrap_err().kind().as_str(),
    ///     "divisibility"
    /// );
    /// assert_eq!(layout!((4, n)).try_logical_divide(tiler!(2, 3)).unwrap().size(), 24);
    /// ```
    logical_divide, try_logical_divide(tile: tile): LogicalDivide -> LogicalDivision;
        sentence("divide" "by");
        bound("cannot divide: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: LogicalDivide<R>` for the right operand `R`");
        operand("cannot divide: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// The layout cut into tiles: mode 0 is a tile with the tiles of all modes, mode 1 counts the
    /// tiles. A mode that the tiler keeps belongs to the tile as a whole. CuTe's `zipped_divide`,
    /// but exact.
    ///
    /// `((T0, T1, ..), (R0, R1, .., L))` where the logical division is
    /// `((T0, R0), (T1, R1), .., L)`
    ///
    /// Proven: `zipped_divide_offsets` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (128, 96);
    /// let tiles = layout!((m, n):(n, 1)).zipped_divide(tiler!(16, 8));
    /// assert_eq!(format!("{tiles:#}"), "((16,8),(8,12)):((96,1),(1536,8))");
    /// // The tile in row 2, column 3 of tiles begins at element (32, 24).
    /// assert_eq!(tiles.index(((0, 0), (2, 3))), 32 * n + 24);
    /// ```
    ///
    /// What only run time can tell is an error of `try_zipped_divide`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// let error = layout!((4, n)).try_zipped_divide(tiler!(2, 4)).unwrap_err();
    /// assert_eq!(error.kind().as_str(), "divisibility");
    /// ```
    zipped_divide, try_zipped_divide(tile: tile_and_rest): ZippedDivide -> ZippedDivision;
        sentence("divide" "by");
        bound("cannot divide: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: ZippedDivide<R>` for the right operand `R`");
        operand("cannot divide: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// The layout with each extent rounded up to the next multiple of the tiler's span in that
    /// mode, so that the tiler divides it. The strides stay.
    ///
    /// `size(round_up(L, T)_k)` is the least multiple of `span(T_k)` that is at least `size(L_k)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((100, 60):(60, 1)).round_up(tiler!(16, 8)), layout!((112, 64):(60, 1)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     RoundedUp<Layout!((100, 60):(60, 1)), Tiler!(16, 8)>,
    ///     Layout!((112, 64):(60, 1)),
    /// );
    /// let (m, n) = (100, 60);
    /// let padded = layout!((m, n):(n, 1)).round_up(tiler!(16, 8));
    /// assert_eq!(format!("{padded:#}"), "(112,64):(60,1)");
    /// // The padded extents are known to be multiples, so this divides without a check.
    /// let padded: Layout!((Multiple<Int<16>>, Multiple<Int<8>>):(_, 1)) = padded;
    /// assert_eq!(padded.zipped_divide(tiler!(16, 8)).size(), 112 * 64);
    /// ```
    ///
    /// What only run time can tell is an error of `try_round_up`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(
    ///     layout!((4, n):(1, 4)).try_round_up(tiler!(2, 4)).unwrap_err().kind().as_str(),
    ///     "overflow"
    /// );
    /// ```
    round_up, try_round_up(tile: tile): RoundUp -> RoundedUp;
        sentence("round up" "to tiles of");
        bound("cannot round up: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: RoundUp<R>` for the right operand `R`");
        operand("cannot round up: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// The layout coalesced within each leaf of a profile, whose numbers do not matter. Modes
    /// beyond the rank of the profile are kept. CuTe's `coalesce` with a target profile.
    ///
    /// `R(i) == L(i)` for all `i < size(L)`, and the profile is weakly congruent to the modes of
    /// `R` that it names.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((2, (1, 6)):(1, (6, 2)));
    /// assert_eq!(l.coalesce_by((1, 1)), layout!((2, 6):(1, 2)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     CoalescedBy<Layout!((2, (1, 6)):(1, (6, 2))), Shape!((1, 1))>,
    ///     Layout!((2, 6):(1, 2)),
    /// );
    /// ```
    coalesce_by, try_coalesce_by(profile: profile): CoalesceBy -> CoalescedBy;
        sentence("coalesce" "by profile");
        bound("cannot coalesce by a profile: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: CoalesceBy<R>` for the right operand `R`");
        operand("cannot coalesce: a profile has to be a number or a tuple of numbers");
        composed(OffsetMap);

    /// The layout without the modes that do not move, coalesced. CuTe's `filter`.
    ///
    /// `{filter(L)(i)} == {L(i)}`. A dynamic stride stays, even if it is 0 at run time.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4, 3):(1, 0, 2)).filter(), layout!(6:1));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Filtered<Layout!((2, 4, 3):(1, 0, 2))>, Layout!(6:1));
    /// ```
    filter, try_filter(): Filter -> Filtered;
        sentence("filter" "with");
        bound("cannot filter: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Filter`");
        operand();
        composed(OffsetMap);

    /// The layout filtered within each leaf of a profile, whose numbers do not matter.
    ///
    /// Mode by mode, `{R_k(i)} == {L_k(i)}`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!(((2, 4), 3):((1, 0), 2)).filter_by((1, 1)), layout!((2, 3):(1, 2)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     FilteredBy<Layout!(((2, 4), 3):((1, 0), 2)), Shape!((1, 1))>,
    ///     Layout!((2, 3):(1, 2)),
    /// );
    /// ```
    filter_by, try_filter_by(profile: profile): FilterBy -> FilteredBy;
        sentence("filter" "by profile");
        bound("cannot filter by a profile: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: FilterBy<R>` for the right operand `R`");
        operand("cannot filter: a profile has to be a number or a tuple of numbers");
        composed(OffsetMap);

    /// A layout with `L(R(i)) == i`: the modes of stride 1, s0, s0*s1, .., each whole. None is
    /// longer unless two modes of `L` overlap: `(2,3):(1,1)` gives `2:1`, and `(2,2):(1,4)` is
    /// longer. It always exists, `1:0` at worst; it is refused where only run time knows that a
    /// mode is part of it. CuTe's `right_inverse`.
    ///
    /// Proven: `right_inverse_law`, `right_inverse_longest` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((4, 8):(8, 1));
    /// let r = l.right_inverse();
    /// assert!((0..r.size()).all(|i| l.at(r.at(i)) == i));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(RightInverseOf<Layout!((4, 8):(8, 1))>, Layout!((8, 4):(4, 1)));
    /// ```
    right_inverse, try_right_inverse(): RightInverse -> RightInverseOf;
        sentence("take the right inverse of" "with");
        bound("cannot take the right inverse: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: RightInverse`");
        operand();
        composed();

    /// The layout with `R(L(i)) == i` where `L` is injective, and `L(R(L(i))) == L(i)` everywhere.
    /// Where strides do not divide one another it is refused, though there may be one:
    /// `(2,2):(2,3)` has `(2,3):(1,1)`. CuTe's `left_inverse`.
    ///
    /// Proven: `left_inverse_law`, `left_inverse_exact` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let l = layout!((4, 8):(10, 1)); // padded rows
    /// let r = l.left_inverse();
    /// assert!((0..l.size()).all(|i| r.at(l.at(i)) == i));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(LeftInverseOf<Layout!((4, 8):(10, 1))>, Layout!((10, 4):(4, 1)));
    /// ```
    left_inverse, try_left_inverse(): LeftInverse -> LeftInverseOf;
        sentence("take the left inverse of" "with");
        bound("cannot take the left inverse: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: LeftInverse`");
        operand();
        composed();

    /// A layout with `A(R(i)) == B(R(i)) == i`, as far as the types know: contiguous elements that
    /// both layouts share, in the order of `B`'s right inverse, and no more than either has. A copy
    /// between them can be vectorised up to that size. CuTe's `max_common_layout`.
    ///
    /// Proven: `max_common_law` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (a, b) = (layout!((4, 8):(1, 4)), layout!((4, 8):(1, 10)));
    /// assert_eq!(a.max_common_layout(b), layout!(4:1));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     MaxCommonLayoutOf<Layout!((4, 8):(1, 4)), Layout!((4, 8):(1, 10))>,
    ///     Layout!(4:1),
    /// );
    /// // Of a dynamic extent, what it is known to be a multiple of can be held in common.
    /// type Rows = Layout!((Multiple<Int<8>>, _):(1, _));
    /// assert_type_eq_all!(MaxCommonLayoutOf<Rows, Rows>, Layout!(8:1));
    /// ```
    max_common_layout, try_max_common_layout(other: layout): MaxCommonLayout -> MaxCommonLayoutOf;
        sentence("take the common layout of" "and");
        bound("cannot take the common layout: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: MaxCommonLayout<R>` for the right operand `R`");
        operand("cannot take the common layout: the right operand has to be a layout");
        composed();

    /// [`zipped_divide`](LayoutAlgebra::zipped_divide) with the rest as modes of its own:
    /// `((T0, T1), R0, R1, ..)`. CuTe's `tiled_divide`. Proven: `tiled_divide_offsets` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6)).tiled_divide(tiler!(2, 3)), layout!(((2, 3), 2, 2):((1, 4), 2, 12)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = TiledDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>;
    /// assert_type_eq_all!(R, Layout!(((2, 3), 2, 2):((1, 4), 2, 12)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_tiled_divide`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// assert_eq!(
    ///     layout!((4, n)).try_tiled_divide(tiler!(2, 4)).unwrap_err().kind().as_str(),
    ///     "divisibility"
    /// );
    /// ```
    tiled_divide, try_tiled_divide(tile: arranged): TiledDivide -> TiledDivision;
        sentence("divide" "by");
        bound("cannot divide: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: TiledDivide<R>` for the right operand `R`");
        operand("cannot divide: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// [`zipped_divide`](LayoutAlgebra::zipped_divide) with all modes on one level:
    /// `(T0, T1, .., R0, R1, ..)`. CuTe's `flat_divide`. Proven: `flat_divide_offsets` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6)).flat_divide(tiler!(2, 3)), layout!((2, 3, 2, 2):(1, 4, 2, 12)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = FlatDivision<Layout!((4, 6):(1, 4)), Tiler!(2, 3)>;
    /// assert_type_eq_all!(R, Layout!((2, 3, 2, 2):(1, 4, 2, 12)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_flat_divide`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// assert_eq!(
    ///     layout!((4, n)).try_flat_divide(tiler!(2, 4)).unwrap_err().kind().as_str(),
    ///     "divisibility"
    /// );
    /// ```
    flat_divide, try_flat_divide(tile: arranged): FlatDivide -> FlatDivision;
        sentence("divide" "by");
        bound("cannot divide: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: FlatDivide<R>` for the right operand `R`");
        operand("cannot divide: the right operand has to be a layout, a number or a tiler");
        composed(OffsetMap);

    /// Disjoint copies of the layout, arranged by `tile`; a [`Tiler`](struct@crate::Tiler) copies
    /// each mode by itself. CuTe's `logical_product`.
    ///
    /// `logical_product(A, T) == (A, A* o T)`, `A*` being what `A` leaves free; of a single copy,
    /// `cosize(T) == 1`, every `A` has a product. A [`Tiler`](struct@crate::Tiler) multiplies mode
    /// by mode: then the copies of each mode are disjoint, and those of two modes need not be.
    ///
    /// Proven: `star_disjoint`, `nested_product_disjoint`, `product_exact` in `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(
    ///     layout!((2, 2):(4, 1)).logical_product(int!(6)),
    ///     layout!(((2, 2), (2, 3)):((4, 1), (2, 8)))
    /// );
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type Tile = Layout!((2, 2):(4, 1));
    /// assert_type_eq_all!(
    ///     LogicalProductOf<Tile, Layout!(6:1)>,
    ///     Layout!(((2, 2), (2, 3)):((4, 1), (2, 8))),
    /// );
    /// ```
    ///
    /// What only run time can tell is an error of `try_logical_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_logical_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    logical_product, try_logical_product(tile: tile): LogicalProduct -> LogicalProductOf;
        sentence("multiply" "by");
        bound("cannot multiply: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: LogicalProduct<R>` for the right operand `R`");
        operand("cannot multiply: the right operand has to be a layout, a number or a tiler");
        composed(Bijection);

    /// The product with the modes of the layout in mode 0 and all copies in mode 1. CuTe's
    /// `zipped_product`.
    ///
    /// `((A0, A1, ..), (C0, C1, .., L))` where the logical product is `((A0, C0), (A1, C1), .., L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(
    ///     layout!((2, 4)).zipped_product(tiler!(3, _)),
    ///     layout!(((2, 4), (3, 1)):((1, 2), (2, 0)))
    /// );
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = ZippedProductOf<Layout!((2, 4)), Tiler!(3, _)>;
    /// assert_type_eq_all!(R, Layout!(((2, 4), (3, 1)):((1, 2), (2, 0))));
    /// ```
    ///
    /// What only run time can tell is an error of `try_zipped_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_zipped_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    zipped_product, try_zipped_product(tile: arranged): ZippedProduct -> ZippedProductOf;
        sentence("multiply" "by");
        bound("cannot multiply: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: ZippedProduct<R>` for the right operand `R`");
        operand("cannot multiply: the right operand has to be a layout, a number or a tiler");
        composed(Bijection);

    /// The zipped product with the copies as modes of their own. CuTe's `tiled_product`.
    ///
    /// `((A0, A1, ..), C0, C1, .., L)` where the logical product is `((A0, C0), (A1, C1), .., L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4)).tiled_product(tiler!(3, _)), layout!(((2, 4), 3, 1):((1, 2), 2, 0)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = TiledProductOf<Layout!((2, 4)), Tiler!(3, _)>;
    /// assert_type_eq_all!(R, Layout!(((2, 4), 3, 1):((1, 2), 2, 0)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_tiled_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_tiled_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    tiled_product, try_tiled_product(tile: arranged): TiledProduct -> TiledProductOf;
        sentence("multiply" "by");
        bound("cannot multiply: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: TiledProduct<R>` for the right operand `R`");
        operand("cannot multiply: the right operand has to be a layout, a number or a tiler");
        composed(Bijection);

    /// The zipped product with all modes on one level. CuTe's `flat_product`.
    ///
    /// `(A0, A1, .., C0, C1, .., L)` where the logical product is `((A0, C0), (A1, C1), .., L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 4)).flat_product(tiler!(3, _)), layout!((2, 4, 3, 1):(1, 2, 2, 0)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = FlatProductOf<Layout!((2, 4)), Tiler!(3, _)>;
    /// assert_type_eq_all!(R, Layout!((2, 4, 3, 1):(1, 2, 2, 0)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_flat_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_flat_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    flat_product, try_flat_product(tile: arranged): FlatProduct -> FlatProductOf;
        sentence("multiply" "by");
        bound("cannot multiply: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: FlatProduct<R>` for the right operand `R`");
        operand("cannot multiply: the right operand has to be a layout, a number or a tiler");
        composed(Bijection);

    /// The product whose mode `i` is `(A_i, copies along it)`: every copy is a block of
    /// coordinates. CuTe's `blocked_product`.
    ///
    /// Its offsets are those of the logical product. Proven: `blocked_product_modes` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let r = layout!((2, 5):(5, 1)).blocked_product(layout!((3, 4):(1, 3)));
    /// assert_eq!(r, layout!(((2, 3), (5, 4)):((5, 10), (1, 30))));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = BlockedProductOf<Layout!((2, 5):(5, 1)), Layout!((3, 4):(1, 3))>;
    /// assert_type_eq_all!(R, Layout!(((2, 3), (5, 4)):((5, 10), (1, 30))));
    /// ```
    ///
    /// What only run time can tell is an error of `try_blocked_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_blocked_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    blocked_product, try_blocked_product(tile: paired): BlockedProduct -> BlockedProductOf;
        sentence("take the blocked product of" "and");
        bound("cannot take the blocked product: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: BlockedProduct<R>` for the right operand `R`");
        operand("cannot take the blocked product: the right operand has to be a layout or a number");
        composed(Bijection);

    /// The product whose mode `i` is `(copies along it, A_i)`: the copies interleave, a cyclic
    /// distribution. CuTe's `raked_product`.
    ///
    /// Its offsets are those of the logical product. Proven: `raked_product_modes` in
    /// `crates/proof`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let r = layout!((2, 5):(5, 1)).raked_product(layout!((3, 4):(1, 3)));
    /// assert_eq!(r, layout!(((3, 2), (4, 5)):((10, 5), (30, 1))));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type R = RakedProductOf<Layout!((2, 5):(5, 1)), Layout!((3, 4):(1, 3))>;
    /// assert_type_eq_all!(R, Layout!(((3, 2), (4, 5)):((10, 5), (30, 1))));
    /// ```
    ///
    /// What only run time can tell is an error of `try_raked_product`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!(4).try_raked_product(layout!(2:n)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    raked_product, try_raked_product(tile: paired): RakedProduct -> RakedProductOf;
        sentence("take the raked product of" "and");
        bound("cannot take the raked product: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: RakedProduct<R>` for the right operand `R`");
        operand("cannot take the raked product: the right operand has to be a layout or a number");
        composed(Bijection);

    /// The layout repeated until it fills a shape, the copies in the order of the modes from the
    /// left, or with an [`Ordered`](crate::Ordered) shape in any order. Exact: the block divides
    /// the shape. CuTe's `tile_to_shape`.
    ///
    /// `tile_to_shape(A, S) == blocked_product(A, compact(S / shape(A)))`, mode by mode.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let (m, n) = (4, 6);
    /// let l = layout!((2, 2)).tile_to_shape((m, n));
    /// assert_eq!(format!("{l:#}"), "((2,2),(2,3)):((1,4),(2,8))");
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// type Block = Layout!((2, 2):(1, 2));
    /// assert_type_eq_all!(
    ///     TileToShapeOf<Block, Shape!((4, 6))>,
    ///     Layout!(((2, 2), (2, 3)):((1, 4), (2, 8))),
    /// );
    /// type RightFirst = Ordered<Shape!((4, 6)), Shape!((1, 0))>;
    /// assert_type_eq_all!(TileToShapeOf<Block, RightFirst>, Layout!(((2, 2), (2, 3)):((1, 12), (2, 4))));
    /// ```
    ///
    /// What only run time can tell is an error of `try_tile_to_shape`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 5;
    /// // 2 does not divide 5.
    /// assert_eq!(layout!((2, 2)).try_tile_to_shape((4, n)).unwrap_err().kind().as_str(), "divisibility");
    /// ```
    tile_to_shape, try_tile_to_shape(shape: shape): TileToShape -> TileToShapeOf;
        sentence("tile with" "over shape");
        bound("cannot tile the shape: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: TileToShape<R>` for the right operand `R`");
        operand("cannot tile the shape: a shape has to be a number or a tuple of numbers, in an order if it is \
    `Ordered`");
        composed(Bijection);

    /// The layout in units of `n` elements, `n` static. A dynamic stride has to be a multiple of
    /// `n` at run time. CuTe's `upcast`, but exact.
    ///
    /// `{upcast(L, n)(i)} == {floor(L(i) / n)}`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((32, 8):(1, 32)).upcast(int!(4)), layout!((8, 8):(1, 8)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Upcasted<Layout!((32, 8):(1, 32)), Int!(4)>, Layout!((8, 8):(1, 8)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_upcast`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// // Columns begin within a unit.
    /// assert_eq!(layout!((4, 3):(1, n)).try_upcast(int!(4)).unwrap_err().kind().as_str(), "divisibility");
    /// ```
    upcast, try_upcast(unit: unit): Upcast -> Upcasted; // `Int!(4)` in a bound takes `int!(4)`
        sentence("upcast" "by");
        bound("cannot upcast: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Upcast<R>` for the right operand `R`");
        operand("cannot upcast: the unit has to be a static number");
        composed();

    /// The layout in units of 1/`n` of an element, `n` static; exactly one mode has stride 1, and
    /// it grows. CuTe's `downcast`.
    ///
    /// `{downcast(L, n)(i)} == {n * L(i) + k, k < n}`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((8, 8):(1, 8)).downcast(int!(4)), layout!((32, 8):(1, 32)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Downcasted<Layout!((8, 8):(1, 8)), Int!(4)>, Layout!((32, 8):(1, 32)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_downcast`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = usize::MAX;
    /// assert_eq!(layout!((4, 3):(1, n)).try_downcast(int!(4)).unwrap_err().kind().as_str(), "overflow");
    /// ```
    downcast, try_downcast(parts: unit): Downcast -> Downcasted; // `Int!(4)` in a bound takes `int!(4)`
        sentence("downcast" "by");
        bound("cannot downcast: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Downcast<R>` for the right operand `R`");
        operand("cannot downcast: the number of parts has to be a static number");
        composed();

    /// The layout with elements of the first size seen as elements of the second, both static, in
    /// bits or bytes. CuTe's `recast_layout`.
    ///
    /// `recast(L, (p, q)) == downcast(upcast(L, q / g), p / g)` for `g == gcd(p, q)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((32, 8):(1, 32)).recast(shape!((8, 32))), layout!((8, 8):(1, 8)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Recasted<Layout!((32, 8):(1, 32)), Shape!((8, 32))>, Layout!((8, 8):(1, 8)));
    /// ```
    ///
    /// What only run time can tell is an error of `try_recast`:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// let n = 6;
    /// // 4 does not divide 6.
    /// assert_eq!(
    ///     layout!((4, 3):(1, n)).try_recast(shape!((8, 32))).unwrap_err().kind().as_str(),
    ///     "divisibility"
    /// );
    /// ```
    recast, try_recast(sizes: sizes): Recast -> Recasted;
        sentence("recast" "by");
        bound("cannot recast: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Recast<(P, Q)>`");
        operand("cannot recast: the sizes have to be a pair of static numbers");
        composed();

    /// The layout with all leaves on one level. CuTe's `flatten`.
    ///
    /// `R(i) == L(i)` for all `i < size(L)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, (3, 4)):(1, (8, 2))).flatten(), layout!((2, 3, 4):(1, 8, 2)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Flattened<Layout!((2, (3, 4)):(1, (8, 2)))>, Layout!((2, 3, 4):(1, 8, 2)));
    /// ```
    flatten, try_flatten(): Flatten -> Flattened;
        sentence("flatten" "with");
        bound("cannot flatten: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Flatten`");
        operand();
        composed(OffsetMap);

    /// The modes of the first level in reverse order.
    ///
    /// Mode `k` is mode `rank - 1 - k`, and `reverse(reverse(L)) == L`. CuTe's `reverse` is of
    /// tuples, not of layouts.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3, 4)).reverse(), layout!((4, 3, 2):(6, 2, 1)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Reversed<Layout!((2, (3, 4)):(1, (8, 2)))>, Layout!(((3, 4), 2):((8, 2), 1)));
    /// ```
    reverse, try_reverse(): Reverse -> Reversed;
        sentence("reverse" "with");
        bound("cannot reverse the modes: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Reverse`");
        operand();
        composed(OffsetMap);

    /// The layout of rank 2 with its modes swapped: `R(i, j) == L(j, i)`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3):(3, 1)).transpose(), layout!((3, 2):(1, 3)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Transposed<Layout!((2, 3):(3, 1))>, Layout!((3, 2):(1, 3)));
    /// ```
    transpose, try_transpose(): Transpose -> Transposed;
        sentence("transpose" "with");
        bound("cannot transpose: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: Transpose`");
        operand();
        composed(OffsetMap);

    /// The modes that a tuple of static numbers names, in its order. CuTe's `select`.
    ///
    /// Mode `k` of the result is the mode that entry `k` names.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3, 4)).select(shape!((2, 0))), layout!((4, 2):(6, 1)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Selected<Layout!((2, 3, 4):(1, 2, 6)), Shape!((2, 0))>, Layout!((4, 2):(6, 1)));
    /// ```
    select, try_select(modes: modes): Select -> Selected;
        sentence("take modes of" "with");
        bound("cannot select modes: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Select<R>` for the right operand `R`");
        operand("cannot select modes: the modes have to be a tuple of static numbers");
        composed(OffsetMap);

    /// The layout with one more mode at the end. CuTe's `append`.
    ///
    /// `append(L, M) == (L_0, .., L_k, M)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3)).append(layout!(4:6)), layout!((2, 3, 4):(1, 2, 6)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Appended<Layout!((2, 3)), Layout!(4:6)>, Layout!((2, 3, 4)));
    /// ```
    append, try_append(mode: layout): Append -> Appended;
        sentence("append to" "the mode");
        bound("cannot append a mode: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Append<R>` for the right operand `R`");
        operand("cannot append: the mode has to be a layout");
        composed();

    /// The layout with one more mode at the front. CuTe's `prepend`.
    ///
    /// `prepend(L, M) == (M, L_0, .., L_k)`
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((2, 3)).prepend(layout!(4:6)), layout!((4, 2, 3):(6, 1, 2)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(Prepended<Layout!((2, 3)), Layout!(4:6)>, Layout!((4, 2, 3):(6, 1, 2)));
    /// ```
    prepend, try_prepend(mode: layout): Prepend -> Prepended;
        sentence("prepend to" "the mode");
        bound("cannot prepend a mode: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: Prepend<R>` for the right operand `R`");
        operand("cannot prepend: the mode has to be a layout");
        composed();

    /// The same function for coordinates of another shape. CuTe's `layout.with_shape`.
    ///
    /// `with_shape(L, S)(c) == L(crd2idx(c, S))`
    ///
    /// The size becomes that of `S`: of fewer coordinates the first ones stay, and more of them go
    /// on along the last mode, beyond the layout.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6):(1, 10)).with_shape(shape!((4, 12))).cosize(), 114); // no longer 54
    /// assert_eq!(layout!((4, 6):(6, 1)).with_shape(shape!((2, 2, 6))), layout!((2, 2, 6):(6, 12, 1)));
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     WithShapeOf<Layout!((4, 6):(6, 1)), Shape!((2, 2, 6))>,
    ///     Layout!((2, 2, 6):(6, 12, 1)),
    /// );
    /// ```
    with_shape, try_with_shape(shape: shape): WithShape -> WithShapeOf;
        sentence("give" "the shape");
        bound("cannot take the shape: nothing says that this layout can",
            "generic code names what it needs as a bound: `{Self}: WithShape<R>` for the right operand `R`");
        operand("cannot take the shape: a shape has to be a number or a tuple of numbers");
        composed();

    /// The compact layout of the same shape with the modes in the order of the strides, which are
    /// static. A stride of 0 stays 0. CuTe's `make_layout_like`.
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// assert_eq!(layout!((4, 6):(10, 1)).layout_like(), layout!((4, 6):(6, 1))); // no padding left
    /// ```
    ///
    /// As types:
    ///
    /// ```
    /// use layout_algebra::prelude::*;
    /// use static_assertions::assert_type_eq_all;
    /// assert_type_eq_all!(
    ///     LayoutLikeOf<Layout!((4, (2, 3)):(10, (50, 1)))>,
    ///     Layout!((4, (2, 3)):(3, (12, 1)))
    /// );
    /// ```
    layout_like, try_layout_like(): LayoutLike -> LayoutLikeOf;
        sentence("make a layout like" "with");
        bound("cannot lay out alike: nothing says that this layout can",
            "generic code names what it needs as a bound: `L: LayoutLike`");
        operand();
        composed();
} }; }
