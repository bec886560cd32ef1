//! The expansion of a row of the table.
//!
//! ```text
//! NAME: SPACE => SPACE, THREADS, Src LAYOUT, Dst LAYOUT, Ref one of the two; [the instruction, its registers]
//! ```
//!
//! The layouts are CuTe's, `(thread, value) -> bit`. Checked at compile time: the bits written are
//! the bits read, and each bit of a register has one thread and value.

macro_rules! copies {
    ($(
        $(#[$doc:meta])*
        $name:ident: $from:ident => $to:ident, $threads:tt:$of_thread:tt,
            Src $src:tt:$d_src:tt, Dst $dst:tt:$d_dst:tt, Ref $reference:ident;
                [$what:ident $($how:tt)*];
    )*) => { $(
        $(#[$doc])*
        ///
        #[doc = concat!(
            "In bits: `", stringify!($src), ":", stringify!($d_src), "` is read, `",
            stringify!($dst), ":",
            stringify!($d_dst), "` written."
        )]
        #[allow(non_camel_case_types, reason = "CuTe's name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name<T>(::core::marker::PhantomData<T>);
        impl<T> $name<T> {
            /// The atom.
            #[inline]
            pub const fn new() -> Self {
                $name(::core::marker::PhantomData)
            }
        }
        const _: () = {
            use ::layout_algebra::prelude::*;
            use ::layout_algebra::atom::{CopyAtom, TvLayout};
            use ::layout_algebra::tensor::{Addressable, Storage, StorageMut};
            use $crate::copy::Element;

            type Src = Layout!($src:$d_src);
            type Dst = Layout!($dst:$d_dst);
            assert!(<Src as StaticLayout>::COSIZE == <Dst as StaticLayout>::COSIZE,
                "other bits are written than read");
            const BITS: usize = <Src as StaticLayout>::COSIZE;
            assert!($crate::private::Covers::<Src, BITS>::ALL, "a bit is not read");
            assert!($crate::private::Covers::<Dst, BITS>::ALL, "a bit is not written");
            assert!($crate::private::Covers::<$reference, BITS>::ONCE,
                "a bit of a register has two threads");

            impl<T> CopyAtom for $name<T>
            where
                T: Element,
                Src: Upcast<T::Bits, Output: TvLayout>,
                Dst: Upcast<T::Bits, Output: TvLayout>,
            {
                type Value = T;
                type ThrId = Layout!($threads:$of_thread);
                type SrcLayout = Upcasted<Src, T::Bits>;
                type DstLayout = Upcasted<Dst, T::Bits>;
                type RefLayout = Upcasted<$reference, T::Bits>;
                type Source = ::layout_algebra::tensor::space::$from;
                type Destination = ::layout_algebra::tensor::space::$to;
                #[inline]
                fn copy<S, L, R, M>(
                    &self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
                where
                    S: Storage<Item = T>,
                    L: Addressable,
                    R: StorageMut<Item = T>,
                    M: Addressable,
                {
                    #[cfg(target_arch = "nvptx64")]
                    $crate::copy::ptx::$what!(Self, source destination first; $($how)*);
                    #[cfg(not(target_arch = "nvptx64"))]
                    $crate::host::copy_values::<Self, _, _, _, _>(source, destination, first);
                }
            }
        };
    )* };
}

macro_rules! asynchronous {
    ($($(#[$doc:meta])* $name:ident, $zfill:ident: $cache:literal, $($bytes:literal)*;)*) => { $(
        asynchronous! {
            @ $(#[$doc])* #[doc = ""] #[doc = "`T` is an element."] $name $cache $($bytes)*;
            () |_atom| size_of::<S>() as u32 }
        asynchronous! { @ $(#[$doc])* #[doc = ""]
            #[doc = "`T` is an element. With a predicate that is false, zeros are written and nothing is read."]
            $zfill $cache $($bytes)*; (bool) |atom| if atom.1 { size_of::<S>() as u32 } else { 0 } }
        impl<S, T> $zfill<S, T> {
            /// The atom that reads if `predicate` holds, and writes zeros if not.
            #[inline]
            pub const fn with_predicate(self, predicate: bool) -> Self {
                $zfill(self.0, predicate)
            }
        }
    )* };
    (
        @ $(#[$doc:meta])* $name:ident $cache:literal $($bytes:literal)*;
            ($($predicate:ty)?) |$atom:ident| $read:expr
    ) => {
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "CuTe's name")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name<S, T>(::core::marker::PhantomData<(S, T)> $(, $predicate)?);
        impl<S, T> $name<S, T> {
            /// The atom.
            #[inline]
            pub const fn new() -> Self {
                $name(::core::marker::PhantomData $(, { let all: $predicate = true; all })?)
            }
        }
        impl<S, T> Default for $name<S, T> {
            #[inline]
            fn default() -> Self {
                Self::new()
            }
        }
        const _: () = {
            use ::layout_algebra::prelude::*;
            use ::layout_algebra::atom::CopyAtom;
            use ::layout_algebra::tensor::{Addressable, Storage, StorageMut};
            use $crate::copy::{Element, OfAccess};

            impl<S, T> CopyAtom for $name<S, T>
            where
                S: OfAccess<T>,
                T: Element + Default,
            {
                type Value = T;
                type ThrId = Layout!(1:0);
                type SrcLayout = S::Layout;
                type DstLayout = S::Layout;
                type RefLayout = S::Layout;
                type Source = ::layout_algebra::tensor::space::Global;
                type Destination = ::layout_algebra::tensor::space::Shared;
                #[inline]
                fn copy<St, L, R, M>(
                    &self, source: &Tensor<St, L>, destination: &mut Tensor<R, M>, first: usize)
                where
                    St: Storage<Item = T>,
                    L: Addressable,
                    R: StorageMut<Item = T>,
                    M: Addressable,
                {
                    const { assert!($(size_of::<S>() == $bytes)||*,
                        "`cp.async` does not copy so many bytes at once") }
                    // Another access's layout may be wrong about its bytes, and these are what is
                    // copied.
                    const {
                        let layout = ::layout_algebra::FlatLayout::of_type::<S::Layout>();
                        assert!(layout.values() * size_of::<T>() == size_of::<S>(),
                            "the layout has not the access's bytes")
                    }
                    let $atom = self;
                    let read: u32 = $read;
                    #[cfg(target_arch = "nvptx64")]
                    {
                        type Values<L> = <L as ::layout_algebra::atom::TvLayout>::Values;
                        let (Some(from), Some(to)) = (
                            source.vector::<Values<S::Layout>>(first),
                            destination.vector_mut::<Values<S::Layout>>(first),
                        ) else {
                            $crate::copy::ptx::end_mismatched()
                        };
                        // SAFETY: as many bytes as an `S` has lie at both places, aligned, in these
                        // spaces.
                        unsafe {
                            ::core::arch::asm!(
                                concat!("cp.async.", $cache,
                                    ".shared.global.L2::128B [{}], [{}], {}, {};"),
                                in(reg32) to.addr() as u32, in(reg64) from, const size_of::<S>(),
                                    in(reg32) read,
                                options(nostack),
                            );
                        }
                    }
                    #[cfg(not(target_arch = "nvptx64"))]
                    $crate::host::copy_elements::<S, _, _, _, _, _>(
                        source, destination, first, read != 0);
                }
            }
        };
    };
}
