//! The operations, as messages name them.

/// An operation, as messages name it.
pub trait Operation {
    /// The name of the method.
    const NAME: &'static str;
}

macro_rules! operations {
    ($($operation:ident $name:literal;)*) => {
        $(#[doc = concat!("`", $name, "`")]
        pub struct $operation;
        impl Operation for $operation {
            const NAME: &'static str = $name;
        })*
    };
}
operations! {
    Coalesce "coalesce";
    CoalesceBy "coalesce_by";
    Filter "filter";
    FilterBy "filter_by";
    Flatten "flatten";
    Compose "compose";
    Complement "complement";
    ComplementCeil "complement_ceil";
    RightInverse "right_inverse";
    LeftInverse "left_inverse";
    Nullspace "nullspace";
    MaxCommonLayout "max_common_layout";
    LogicalDivide "logical_divide";
    ZippedDivide "zipped_divide";
    TiledDivide "tiled_divide";
    FlatDivide "flat_divide";
    LogicalProduct "logical_product";
    ZippedProduct "zipped_product";
    TiledProduct "tiled_product";
    FlatProduct "flat_product";
    BlockedProduct "blocked_product";
    RakedProduct "raked_product";
    TileToShape "tile_to_shape";
    RoundUp "round_up";
    Upcast "upcast";
    Downcast "downcast";
    Recast "recast";
    Select "select modes of";
    Append "append to";
    Prepend "prepend to";
    Ungroup "ungroup";
    Replace "replace";
    Reverse "reverse";
    Transpose "transpose";
    WithShape "with_shape";
    LayoutLike "layout_like";
    Tensor "tensor";
    PartsMut "parts_mut";
}
