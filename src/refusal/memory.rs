//! Reasons of tensors: storage, and who may write to it.

use super::*;

reason! {
    /// The storage of a tensor is shorter than the layout reaches.
    Short(Cosize, Length), ShortHolds: "the layout reaches {Cosize} elements, and the storage holds {Length}";
    {
        Make: MakeShort "cannot make a tensor: the layout reaches {Cosize} elements, and the storage holds {Length}";
    }
    label "bounds: {Length} is less than {Cosize}"; note "take storage of at least {Cosize} elements, the layout's cosize, or smaller extents and strides";
}
reason! {
    /// The storage of a tensor is shorter than the blocks of the swizzle in which its layout lies.
    ShortOfBlocks(Blocks, Length), ShortOfBlocksHolds: "the swizzled layout lies in blocks of {Blocks} elements in all, and the storage holds {Length}";
    {
        Make: MakeShortOfBlocks "cannot make a tensor: the swizzled layout lies in blocks of {Blocks} elements in all, and the storage holds {Length}";
    }
    label "bounds: {Length} is less than {Blocks}"; note "take storage of {Blocks} elements, or `Tensor::new`, which finds out where in the last block the layout ends";
}
reason! {
    /// How far a layout reaches is known only at run time.
    DynamicCosize(), DynamicCosizeHolds: "the cosize of this layout is known only at run time";
    {
        Make: MakeDynamicCosize "cannot make a tensor: the cosize of this layout is known only at run time";
    }
    label "every number of this layout has to be static"; note "`Tensor::new` takes any layout, and compares the storage with it when it runs";
}
reason! {
    /// Mutable parts: modes overlap, or interleave.
    Shared(Extent, Stride, Below), SharedHolds: "the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    {
        Part: PartShared "cannot hand out disjoint parts: the mode {Extent}:{Stride} overlaps the {Below} offsets that the modes below it span";
    }
    label "overlap: stride {Stride} is less than {Below}"; note "modes have to lie apart: make this stride at least {Below}; modes that interleave and share no offset, as in (5,3):(3,5), \
        pass `try_tiles_mut`, which looks at run time";
}
