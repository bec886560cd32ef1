//! Reasons that lie in the kind of an operand, its rank or the rank of the result.

use super::*;

reason! {
    /// A by-mode tiler or profile has more modes than the layout, or, for a composition, not as many.
    Rank(Tiles, Modes), RankHolds: "there is no exact result: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
    {
        Compose: ComposeRank "cannot compose: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Compose in Mode: ComposeRankInMode "cannot compose mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: ComposeRankInModes "cannot compose mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Divide: DivideRank "cannot divide: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Divide in Mode: DivideRankInMode "cannot divide mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: DivideRankInModes "cannot divide mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Multiply: MultiplyRank "cannot multiply: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Multiply in Mode: MultiplyRankInMode "cannot multiply mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        RoundUp: RoundUpRank "cannot round up: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        RoundUp in Mode: RoundUpRankInMode "cannot round up mode {Mode}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        + Inner: RoundUpRankInModes "cannot round up mode {Mode}.{Inner}: a tiler of rank {Tiles} does not fit a layout of rank {Modes}";
        Coalesce: CoalesceRank "cannot coalesce: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        FilterBy: FilterByRank "cannot filter: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        FilterBy in Mode: FilterByRankInMode "cannot filter mode {Mode}: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
        Coalesce in Mode: CoalesceRankInMode "cannot coalesce mode {Mode}: a profile of rank {Tiles} does not fit a layout of rank {Modes}";
    }
    label "rank: {Tiles} entries for {Modes} modes"; note "a by-mode tiler or profile has at most one entry for each mode, and for a composition one for each; `_` leaves a mode alone";
}
reason! {
    /// A result has more modes on one level than a tuple here has items.
    TooManyModes(Modes), TooManyModesHolds: "the result has {Modes} modes on one level, and 8 is the most";
    {
        Flatten: FlattenTooManyModes "cannot flatten: the result has {Modes} modes on one level, and 8 is the most";
        Filter: FilterTooManyModes "cannot filter: the result has {Modes} modes on one level, and 8 is the most";
        FilterBy: FilterByTooManyModes "cannot filter: the result has {Modes} modes on one level, and 8 is the most";
        FilterBy in Mode: FilterByTooManyModesInMode "cannot filter mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Coalesce: CoalesceTooManyModes "cannot coalesce: the result has {Modes} modes on one level, and 8 is the most";
        Coalesce in Mode: CoalesceTooManyModesInMode "cannot coalesce mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Ungroup: UngroupTooManyModes "cannot ungroup: the result has {Modes} modes on one level, and 8 is the most";
        Append: AppendTooManyModes "cannot append: the result has {Modes} modes on one level, and 8 is the most";
        Prepend: PrependTooManyModes "cannot prepend: the result has {Modes} modes on one level, and 8 is the most";
        Compose: ComposeTooManyModes "cannot compose: the result has {Modes} modes on one level, and 8 is the most";
        Compose in Mode: ComposeTooManyModesInMode "cannot compose mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Divide: DivideTooManyModes "cannot divide: the result has {Modes} modes on one level, and 8 is the most";
        Divide in Mode: DivideTooManyModesInMode "cannot divide mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Multiply: MultiplyTooManyModes "cannot multiply: the result has {Modes} modes on one level, and 8 is the most";
        Multiply in Mode: MultiplyTooManyModesInMode "cannot multiply mode {Mode}: the result has {Modes} modes on one level, and 8 is the most";
        Complement: ComplementTooManyModes "cannot take the complement: the result has {Modes} modes on one level, and 8 is the most";
        Invert: InvertTooManyModes "cannot invert: the result has {Modes} modes on one level, and 8 is the most";
        CommonDomain: CommonDomainTooManyModes "cannot take the common domain: the result has {Modes} modes on one level, and 8 is the most";
        Add: AddTooManyModes "cannot add: the result has {Modes} modes on one level, and 8 is the most";
        Common: CommonTooManyModes "cannot take the common layout: an inverse on the way to it has {Modes} modes on one level, and 8 is the most";
        LeftInvert: LeftInvertTooManyModes "cannot take the left inverse: the result has {Modes} modes on one level, and 8 is the most";
    }
    label "{Modes} modes do not fit a tuple of the types"; note "`group` or `coalesce` modes first, ask for a form of fewer modes (`zipped_divide` in place of `flat_divide`), or use `DynLayout`, which has no such limit";
}
reason! {
    /// A layout is wanted on the right.
    WantsLayout(), WantsLayoutHolds: "the right operand has to be a layout";
    {
        Replace: ReplaceWantsLayout "cannot replace a mode: the mode has to be a layout";
        Append: AppendWantsLayout "cannot append: the mode has to be a layout";
        Prepend: PrependWantsLayout "cannot prepend: the mode has to be a layout";
        Add: AddWantsLayout "cannot add: the right operand has to be a layout";
        Common: CommonWantsLayout "cannot take the common layout: the right operand has to be a layout";
        Multiply: MultiplyWantsLayout "cannot multiply: the right operand of this product has to be a layout or a number";
    }
    label "this is not a layout"; note "a number `n` as a layout is written `layout!(n:1)`; the product that takes a tiler is `logical_product`";
}
reason! {
    /// A number is wanted on the right.
    WantsNumber(), WantsNumberHolds: "the right operand has to be a number";
    {
        Complement: ComplementWantsNumber "cannot take the complement: the range has to be a number";
        Upcast: UpcastWantsNumber "cannot upcast: the number of elements in a unit has to be a number";
        Downcast: DowncastWantsNumber "cannot downcast: the number of elements in a unit has to be a number";
    }
    label "this is not a number"; note "write `int!(4)` for a number known at compile time, and a `usize` for one known at run time";
}
reason! {
    /// A tuple is wanted on the right.
    WantsTuple(), WantsTupleHolds: "the right operand has to be a tuple";
    {
        Select: SelectWantsTuple "cannot select modes: the modes have to be a tuple of static numbers";
        Recast: RecastWantsTuple "cannot recast: the sizes have to be a pair of static numbers";
    }
    label "this is not a tuple"; note "write `shape!((8, 16))` for a tuple of static numbers";
}
reason! {
    /// A shape is wanted on the right.
    WantsShape(), WantsShapeHolds: "the right operand has to be a shape";
    {
        CommonDomain: CommonDomainWantsShape "cannot take the common domain: the right operand has to be a shape or a layout";
        Tile: TileWantsShape "cannot tile the shape: the right operand has to be a shape";
        Compose: ComposeWantsShape "cannot take the shape: the right operand has to be a shape";
        Coalesce: CoalesceWantsShape "cannot coalesce: the profile has to be a number or a tuple of numbers";
        FilterBy: FilterByWantsShape "cannot filter: the profile has to be a number or a tuple of numbers";
    }
    label "this is not a tuple of numbers"; note "a shape is written `shape!((4, 6))`; that of a layout is `l.shape()`";
}
reason! {
    /// A tile is wanted on the right.
    WantsTile(), WantsTileHolds: "the right operand has to be a layout, a number or a tiler";
    {
        Compose: ComposeWantsTile "cannot compose: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Compose in Mode: ComposeWantsTileInMode "cannot compose mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Divide: DivideWantsTile "cannot divide: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Divide in Mode: DivideWantsTileInMode "cannot divide mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Multiply: MultiplyWantsTile "cannot multiply: the right operand is a tuple, and has to be a layout, a number or a tiler";
        Multiply in Mode: MultiplyWantsTileInMode "cannot multiply mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
        RoundUp: RoundUpWantsTile "cannot round up: the right operand is a tuple, and has to be a layout, a number or a tiler";
        RoundUp in Mode: RoundUpWantsTileInMode "cannot round up mode {Mode}: the right operand is a tuple, and has to be a layout, a number or a tiler";
    }
    label "this is a tuple"; note "a tiler goes mode by mode and is written `tiler!(2, 3)`, or `<2, 3>` within one; a layout is written `layout!((2, 3))`";
}
reason! {
    /// A plain layout is wanted on the right.
    WantsPlain(), WantsPlainHolds: "the right operand is a composed layout, and has to be a plain one";
    {
        Divide: DivideWantsPlain "cannot divide: the right operand is a composed layout, and has to be a plain one";
        Multiply: MultiplyWantsPlain "cannot multiply: the right operand is a composed layout, and has to be a plain one";
        RoundUp: RoundUpWantsPlain "cannot round up: the right operand is a composed layout, and has to be a plain one";
        Replace: ReplaceWantsPlain "cannot replace a mode: the mode is a composed layout, and has to be a plain one";
        Append: AppendWantsPlain "cannot append: the mode is a composed layout, and has to be a plain one";
        Prepend: PrependWantsPlain "cannot prepend: the mode is a composed layout, and has to be a plain one";
        Add: AddWantsPlain "cannot add: the right operand is a composed layout, and has to be a plain one";
        Common: CommonWantsPlain "cannot take the common layout: the right operand is a composed layout, and has to be a plain one";
    }
    label "this layout is behind a swizzle or another function"; note "only the composition with a plain layout takes a composed one on the right; its plain part is `l.inner()`";
}

reason! {
    /// A mode is asked for that the layout does not have.
    NoMode(Asked, Modes), NoModeHolds: "there is no mode {Asked} in rank {Modes}";
    {
        Select: SelectNoMode "cannot select modes: there is no mode {Asked} in rank {Modes}";
    }
    label "rank: modes are counted from 0, so mode {Asked} is beyond rank {Modes}"; note "`append` adds a mode; `flatten` and `ungroup` make modes of the modes within one";
}
reason! {
    /// The number of a mode is known only at run time.
    DynamicMode(), DynamicModeHolds: "the number of a mode is known only at run time";
    {
        Select: SelectDynamicMode "cannot select modes: the number of a mode is known only at run time";
    }
    label "these numbers have to be static"; note "write `shape!((1, 0))`, or use `DynLayout`";
}
