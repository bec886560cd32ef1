//! The expansion of `rearrange!`: applies a function of layouts to a layout or a tensor.

use layout_algebra::strides::SteppedLayout;
use layout_algebra::tensor::{IntoMemory, Storage};
use layout_algebra::{ComposedLayout, StridedLayout, Tensor};

/// A value with a static layout: the layout itself, or a tensor.
#[diagnostic::on_unimplemented(
    message = "`rearrange!` is for layouts and tensors of types",
    label = "`{Self}`: neither a layout of types nor a tensor with one",
    note = "`Rearrange::new(..)` is for layouts that are known at run time"
)]
pub trait HasTypedLayout {
    /// The layout.
    type Layout;
    /// The layout.
    fn typed_layout(&self) -> &Self::Layout;
}

/// The value under another layout `M`.
pub trait Under<M>: HasTypedLayout {
    /// The layout `M`, or the tensor under it.
    type Output;
    /// Replaces the layout.
    fn under(self, layout: M) -> Self::Output;
}

macro_rules! layouts {
    ($($layout:ident<$($part:ident),*>)*) => {$(
        impl<$($part),*> HasTypedLayout for $layout<$($part),*> {
            type Layout = Self;
            fn typed_layout(&self) -> &Self {
                self
            }
        }
        impl<$($part,)* M> Under<M> for $layout<$($part),*> {
            type Output = M;
            fn under(self, layout: M) -> M {
                layout
            }
        }
    )*};
}
layouts! { StridedLayout<S, D> SteppedLayout<T, S, D> ComposedLayout<W, F, L> }

impl<S, L> HasTypedLayout for Tensor<S, L>
where
    S: Storage,
    L: layout_algebra::tensor::Addressable,
{
    type Layout = L;
    fn typed_layout(&self) -> &L {
        self.layout()
    }
}
impl<S: Storage, L: layout_algebra::tensor::Addressable, M: IntoMemory> Under<M> for Tensor<S, L> {
    type Output = Tensor<S, M::InMemory>;
    #[track_caller]
    fn under(self, layout: M) -> Self::Output {
        // The same offsets in another order: all of them lie within the storage.
        self.with_layout(layout).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The value with its layout replaced by `f` of it.
#[track_caller]
pub fn rearranged<T: Under<M>, M>(value: T, f: impl FnOnce(&T::Layout) -> M) -> T::Output {
    let layout = f(value.typed_layout());
    value.under(layout)
}
