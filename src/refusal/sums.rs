//! Reasons of sums of layouts and of what shapes have in common.

use super::*;

reason! {
    /// Sum: the sizes differ.
    SizesDiffer(Left, Right), SizesAgree: "there is no exact result: sizes {Left} and {Right} differ";
    {
        Add: AddSizesDiffer "cannot add: sizes {Left} and {Right} differ";
    }
    label "profile: {Left} elements and {Right} elements"; note "a sum is taken element by element: `compose` takes the part of a layout that fits, and a mode of stride 0 repeats one";
}
reason! {
    /// Sum: of two modes that meet, no extent divides the other.
    NoRefinement(Extent, Stride, Other, OtherStride), HaveRefinement: "there is no exact result: the modes {Extent}:{Stride} and {Other}:{OtherStride} have no common refinement";
    {
        Add: AddNoRefinement "cannot add: the modes {Extent}:{Stride} and {Other}:{OtherStride} have no common refinement";
    }
    label "divisibility: {Extent} does not divide {Other}"; note "the extents of both layouts, coalesced, have to divide one another where they meet";
}
reason! {
    /// Sum: a dynamic extent that is not the last one.
    DynamicSum(), DynamicSumHolds: "there is no exact result: an extent before the last one is known only at run time, and so is where it meets the other layout's";
    {
        Add: AddDynamicSum "cannot add: an extent before the last one is known only at run time, and so is where it meets the other layout's";
    }
    label "all extents but the last have to be static"; note "the form of the result would depend on a run-time value: write this number as a literal, or use `DynLayout`";
}
