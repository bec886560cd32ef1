//! Reasons of casts: elements put together to units, or taken apart.

use super::*;

reason! {
    /// Upcast: the offsets below one unit add up to a whole unit.
    UnitCarry(Sum, Unit), UnitCarryHolds: "there is no exact result: offsets below one unit add up to {Sum}, which is not under {Unit}";
    {
        Upcast: UpcastUnitCarry "cannot upcast: offsets below one unit add up to {Sum}, which is not under {Unit}";
        Recast: RecastUnitCarry "cannot recast: offsets below one unit add up to {Sum}, which is not under {Unit}";
    }
    label "carry: {Sum} is not below {Unit}"; note "the modes within a unit have to be contiguous";
}
reason! {
    /// Upcast: a mode does not regroup into whole units.
    Regroup(Extent, Stride, Unit), RegroupHolds: "there is no exact result: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
    {
        Upcast: UpcastRegroup "cannot upcast: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
        Recast: RecastRegroup "cannot recast: the mode {Extent}:{Stride} does not regroup into units of {Unit}";
    }
    label "divisibility: the mode is no whole number of units of {Unit}"; note "pad the mode to whole units, or coalesce first";
}
reason! {
    /// Downcast: not exactly one mode of stride 1.
    UnitStride(Count), UnitStrideHolds: "there is no exact result: exactly one mode of stride 1 is needed, and there are {Count}";
    {
        Downcast: DowncastUnitStride "cannot downcast: exactly one mode of stride 1 is needed, and there are {Count}";
        Recast: RecastUnitStride "cannot recast: exactly one mode of stride 1 is needed, and there are {Count}";
    }
    label "unit-stride: {Count} modes of stride 1"; note "coalesce first, so that what is contiguous is one mode";
}
reason! {
    /// Recast: a unit known only at run time.
    DynamicUnit(), DynamicUnitHolds: "there is no exact result: the number of elements in a unit is known only at run time";
    {
        Upcast: UpcastDynamicUnit "cannot upcast: the number of elements in a unit is known only at run time";
        Downcast: DowncastDynamicUnit "cannot downcast: the number of elements in a unit is known only at run time";
        Recast: RecastDynamicUnit "cannot recast: the number of elements in a unit is known only at run time";
    }
    label "this number has to be static"; note "write `int!(4)`, or use `DynLayout`";
}

reason! {
    /// The unit divides what a swizzle moves as a whole.
    SwizzleUnit(Block, By), SwizzleUnitDivides: "the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
    {
        Upcast: UpcastSwizzleUnit "cannot upcast: the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
        Recast: RecastSwizzleUnit "cannot recast: the swizzle moves blocks of {Block}, which is not a multiple of the unit's {By}";
    }
    label "divisibility: the swizzle acts within a unit"; note "`Swizzle<B, M, S>` moves blocks of 2^M elements; in units of 2^k it is `Swizzle<B, M - k, S>`";
}
reason! {
    /// An element falls into a power of two of parts under a swizzle.
    SwizzleParts(Parts), SwizzlePartsFit: "the swizzle moves bits, and {Parts} parts of an element are no power of two";
    {
        Downcast: DowncastSwizzleParts "cannot downcast: the swizzle moves bits, and {Parts} parts of an element are no power of two";
        Recast: RecastSwizzleParts "cannot recast: the swizzle moves bits, and {Parts} parts of an element are no power of two";
    }
    label "divisibility: the swizzle has no form in such parts"; note "`Swizzle<B, M, S>` in 2^k parts of an element is `Swizzle<B, M + k, S>`";
}
reason! {
    /// The unit divides the offset of a composed layout.
    OffsetUnit(Offset, By), OffsetUnitDivides: "the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
    {
        Upcast: UpcastOffsetUnit "cannot upcast: the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
        Recast: RecastOffsetUnit "cannot recast: the offset before the swizzle, {Offset}, is not a multiple of the unit's {By}";
    }
    label "divisibility: the offset is no whole number of units"; note "upcast(Sw o f o L, n) = upcast(Sw, n) o f/n o upcast(L, n)";
}
reason! {
    /// A unit of no elements.
    ZeroUnit(), ZeroUnitHolds: "a unit of 0 elements holds nothing";
    {
        Upcast: UpcastZeroUnit "cannot upcast: a unit of 0 elements holds nothing";
        Recast: RecastZeroUnit "cannot recast: a unit of 0 elements holds nothing";
        Downcast: DowncastZeroUnit "cannot downcast: a unit of 0 elements holds nothing";
    }
    label "divisibility: 0 divides nothing"; note "a unit has at least one element";
}
