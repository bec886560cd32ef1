//! The macros that expand a row of the tables.
//!
//! ```text
//! [M x N x K, THREADS, A LAYOUT, B LAYOUT, C LAYOUT] {
//!     NAME (C: A * B, how it adds up, the instruction in PTX, 32-bit registers of D, of A and of B);
//! }
//! ```
//!
//! A layout of CuTe's header, `(thread, value) -> element`, is written once for all instructions
//! that share it. If a register holds several elements, `words of 8` and what follows give K and
//! two layouts in registers.

/// The instructions of a table: the types, and `visit_all`.
macro_rules! instructions {
    ($($head:tt { $($name:ident $row:tt;)* })*) => {
        $($( instruction! { $name $head $row } )*)*

        /// Visits each of these instructions, in this order.
        pub fn visit_all(visitor: &mut impl $crate::Visitor) {
            $($( visitor.visit_atom::<$name>(); )*)*
        }
    };
}

/// The same for instructions that are layouts only, with the prefix of their names in the code of
/// kernels.
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! shapes {
    ($prefix:literal $($head:tt { $($name:ident $row:tt;)* })*) => {
        $( shape! { $prefix $head $($name $row)* } )*

        /// Visits each of these instructions, in this order.
        pub fn visit_all(visitor: &mut impl $crate::Visitor) {
            $($( visitor.visit_instruction::<$name>(); )*)*
        }
    };
}

/// The instructions of one shape: their layouts are types once for all of them.
#[cfg(not(target_arch = "nvptx64"))]
macro_rules! shape {
    (
        $prefix:literal
        [
            $m:literal x $n:literal x $k:literal, $threads:tt:$of_thread:tt,
            A $a_shape:tt:$a_stride:tt, B $b_shape:tt:$b_stride:tt, C $c_shape:tt:$c_stride:tt
        ]
        $($name:ident ($c:ty: $a:ty, $b:ty; $sum:ident; $text:literal))*
    ) => {
        $(
            #[doc = concat!(
                "`", $prefix, $text, "`: ", stringify!($m), " x ", stringify!($n), " x ",
                stringify!($k),
                " elements, `", stringify!($c), "` += `", stringify!($a), "` * `", stringify!($b),
                "`."
            )]
            #[allow(non_camel_case_types, reason = "the name that it has elsewhere")]
            #[derive(Clone, Copy, Debug, Default)]
            pub struct $name;
        )*
        const _: () = {
            type ShapeMnk = ::layout_algebra::Shape!(($m, $n, $k));
            type ThrId = ::layout_algebra::Layout!($threads:$of_thread);
            type ALayout = ::layout_algebra::Layout!($a_shape:$a_stride);
            type BLayout = ::layout_algebra::Layout!($b_shape:$b_stride);
            type CLayout = ::layout_algebra::Layout!($c_shape:$c_stride);
            $(
                impl_instruction! {
                    $name concat!($prefix, $text); $m x $n x $k,
                    ShapeMnk, ThrId, ALayout, BLayout, CLayout; $c: $a, $b; $sum
                }
            )*
        };
    };
}

/// Implements `Instruction`.
#[doc(hidden)]
#[macro_export]
macro_rules! impl_instruction {
    (
        $name:ident $ptx:expr; $m:literal x $n:literal x $k:literal,
        $shape:ty, $thr_id:ty, $a_layout:ty, $b_layout:ty, $c_layout:ty; $c:ty: $a:ty, $b:ty;
            $sum:ident
    ) => {
        impl $crate::Instruction for $name {
            const NAME: &'static str = stringify!($name);
            const PTX: &'static str = $ptx;
            const M: usize = $m;
            const N: usize = $n;
            const K: usize = $k;
            type ShapeMnk = $shape;
            type ThrId = $thr_id;
            type ALayout = $a_layout;
            type BLayout = $b_layout;
            type CLayout = $c_layout;
            type A = <$a as $crate::element::Packed>::Element;
            type B = <$b as $crate::element::Packed>::Element;
            type C = $c;
            type Sum = $crate::$sum;
        }
        $crate::checked! { $name: $m x $n x $k }
    };
}

/// The last argument.
macro_rules! last {
    ([$($t:tt)*]) => { $($t)* };
    ([$($first:tt)*] [$($t:tt)*]) => { $($t)* };
}

macro_rules! instruction {
    (
        $name:ident
        [
            $m:literal x $n:literal x $k:literal, $threads:tt:$of_thread:tt,
            A $a_shape:tt:$a_stride:tt, B $b_shape:tt:$b_stride:tt, C $c_shape:tt:$c_stride:tt
            $(; words of $w:literal: K $word_k:literal,
                A $wa_shape:tt:$wa_stride:tt, B $wb_shape:tt:$wb_stride:tt)?
        ]
        ($c:ty: $a:ty, $b:ty; $sum:ident; $($ptx:tt)*)
    ) => {
        #[doc = concat!(
            "`", ptx_text!($($ptx)*), "`: ", stringify!($m), " x ", stringify!($n), " x ",
            stringify!($k),
            " elements, `", stringify!($c), "` += `", stringify!($a), "` * `", stringify!($b), "`."
        )]
        #[allow(non_camel_case_types, reason = "CuTe's name")]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;
        impl_instruction! {
            $name ptx_text!($($ptx)*); $m x $n x $k,
            ::layout_algebra::Shape!(($m, $n, $k)), ::layout_algebra::Layout!($threads:$of_thread),
            ::layout_algebra::Layout!($a_shape:$a_stride),
            ::layout_algebra::Layout!($b_shape:$b_stride),
            ::layout_algebra::Layout!($c_shape:$c_stride); $c: $a, $b; $sum
        }
        impl ::layout_algebra::atom::MmaAtom for $name {
            type ShapeMnk = last!(
                [::layout_algebra::Shape!(($m, $n, $k))]
                $([::layout_algebra::Shape!(($m, $n, $word_k))])?
            );
            type ThrId = ::layout_algebra::Layout!($threads:$of_thread);
            type ALayout = last!(
                [::layout_algebra::Layout!($a_shape:$a_stride)]
                $([::layout_algebra::Layout!($wa_shape:$wa_stride)])?
            );
            type BLayout = last!(
                [::layout_algebra::Layout!($b_shape:$b_stride)]
                $([::layout_algebra::Layout!($wb_shape:$wb_stride)])?
            );
            type CLayout = ::layout_algebra::Layout!($c_shape:$c_stride);
            type A = $a;
            type B = $b;
            type C = $c;
            #[inline]
            fn fma(
                &self,
                a: &::layout_algebra::atom::Values<$a,
                    <Self as ::layout_algebra::atom::MmaAtom>::ALayout>,
                b: &::layout_algebra::atom::Values<$b,
                    <Self as ::layout_algebra::atom::MmaAtom>::BLayout>,
                c: ::layout_algebra::atom::Values<$c,
                    <Self as ::layout_algebra::atom::MmaAtom>::CLayout>,
            ) -> ::layout_algebra::atom::Values<$c,
                <Self as ::layout_algebra::atom::MmaAtom>::CLayout> {
                #[cfg(target_arch = "nvptx64")]
                return ptx! { a b c; $($ptx)* };
                #[cfg(not(target_arch = "nvptx64"))]
                return $crate::host::multiply_values::<Self>(a, b, c);
            }
        }
        impl $crate::Atom for $name {}
        $(const _: () = {
            assert!(
                $crate::private::Packs::<
                    <$name as ::layout_algebra::atom::MmaAtom>::ALayout,
                    <$name as $crate::Instruction>::ALayout, $m, $w
                >::RIGHT,
                "the words of A are not its elements"
            );
            assert!(
                $crate::private::Packs::<
                    <$name as ::layout_algebra::atom::MmaAtom>::BLayout,
                    <$name as $crate::Instruction>::BLayout, $n, $w
                >::RIGHT,
                "the words of B are not its elements"
            );
        };)?
    };
}

/// The PTX text of the instruction.
macro_rules! ptx_text {
    ($text:literal $($registers:tt)*) => {
        concat!("mma.sync.aligned.", $text)
    };
    (complex $real:ident) => {
        concat!("four times `", stringify!($real), "`, of real and imaginary parts")
    };
    (gauss $real:ident) => {
        concat!("three times `", stringify!($real), "`, by Gauss's method")
    };
    (dp4a) => {
        "dp4a.s32.s32"
    };
    (dp2a) => {
        "dp2a.lo.s32.u32 and dp2a.hi.s32.s32"
    };
}
