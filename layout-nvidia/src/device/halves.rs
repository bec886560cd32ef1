//! Copies of floats of 16 bits.

use core::marker::PhantomData;

use layout_algebra::atom::CopyAtom;
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

use crate::device::shared::{address, address_mut};
use crate::device::shared_address;

/// 8 halves from global to shared memory: `cp.async` of 128 bits.
#[derive(Clone, Copy, Debug, Default)]
pub struct CpAsync8<T>(PhantomData<T>);
/// CuTe's `SM75_U32x4_LDSM_N`: four tiles of 8 x 8 halves, whose rows 32 threads name.
#[derive(Clone, Copy, Debug, Default)]
pub struct LdMatrix4<T>(PhantomData<T>);
/// Two halves, or two numbers of 32 bits, from registers to global memory by one store.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stg2<T>(PhantomData<T>);

macro_rules! copies {
    ($($atom:ident $threads:ty, $source_layout:ty, $destination_layout:ty; |$source:ident, $destination:ident, $first:ident| $body:block)*) => {$(
        impl<T: Copy + core::fmt::Debug> CopyAtom for $atom<T> {
            type Value = T;
            type ThrId = $threads;
            type SrcLayout = $source_layout;
            type DstLayout = $destination_layout;
            type RefLayout = $destination_layout;
            type State = ();
            #[inline]
            fn prepare<S, L, R, M>(&self, _: &Tensor<S, L>, _: &Tensor<R, M>)
            where
                S: Storage<Item = T>,
                L: Addressable,
                R: StorageMut<Item = T>,
                M: Addressable,
            {
            }
            #[inline]
            fn copy<S, L, R, M>(&self, $source: &Tensor<S, L>, $destination: &mut Tensor<R, M>, $first: usize, (): ())
            where
                S: Storage<Item = T>,
                L: Addressable,
                R: StorageMut<Item = T>,
                M: Addressable,
            {
                #[cfg(target_arch = "nvptx64")]
                $body
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    let _ = ($source, $destination, $first);
                    let _: (fn(*const T) -> u32, _, _) = (shared_address, address::<S, L>, address_mut::<R, M>);
                    unimplemented!("an instruction of the device")
                }
            }
        }
    )*};
}
copies! {
    CpAsync8 Layout!(1:0), Layout!((1, 8):(0, 1)), Layout!((1, 8):(0, 1)); |source, destination, first| {
        let (to, from) = (shared_address(address_mut(destination, first)), address(source, first));
        // SAFETY: the tensors' promises; 8 neighbours.
        unsafe {
            core::arch::asm!("cp.async.cg.shared.global [{to}], [{from}], 16;", to = in(reg32) to, from = in(reg64) from,
                options(nostack));
        }
    }
    LdMatrix4 Layout!(32:1), Layout!((32, 8):(8, 1)), Layout!((32, (2, 4)):(2, (1, 64))); |source, destination, first| {
        const { assert!(size_of::<T>() == 2) }
        let from = shared_address(address(source, first));
        let (a, b, c, d): (u32, u32, u32, u32);
        // SAFETY: the tensors' promises: 8 neighbours in shared memory, 8 values of the fragment. A half has 16 bits.
        unsafe {
            core::arch::asm!("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{a}, {b}, {c}, {d}}}, [{from}];",
                a = lateout(reg32) a, b = lateout(reg32) b, c = lateout(reg32) c, d = lateout(reg32) d,
                from = in(reg32) from, options(nostack, readonly));
            *address_mut(destination, first).cast::<u16>() = a as u16;
            *address_mut(destination, first + 1).cast::<u16>() = (a >> 16) as u16;
            *address_mut(destination, first + 2).cast::<u16>() = b as u16;
            *address_mut(destination, first + 3).cast::<u16>() = (b >> 16) as u16;
            *address_mut(destination, first + 4).cast::<u16>() = c as u16;
            *address_mut(destination, first + 5).cast::<u16>() = (c >> 16) as u16;
            *address_mut(destination, first + 6).cast::<u16>() = d as u16;
            *address_mut(destination, first + 7).cast::<u16>() = (d >> 16) as u16;
        }
    }
    Stg2 Layout!(1:0), Layout!((1, 2):(0, 1)), Layout!((1, 2):(0, 1)); |source, destination, first| {
        let to = address_mut(destination, first);
        // SAFETY: the tensors' promises; two neighbours.
        unsafe {
            let (a, b) = (*address(source, first), *address(source, first + 1));
            if size_of::<T>() == 4 {
                let (a, b): (u32, u32) = (core::mem::transmute_copy(&a), core::mem::transmute_copy(&b));
                core::arch::asm!("st.global.v2.b32 [{to}], {{{a}, {b}}};", a = in(reg32) a, b = in(reg32) b,
                    to = in(reg64) to, options(nostack));
            } else {
                const { assert!(size_of::<T>() == 4 || size_of::<T>() == 2) }
                let (a, b): (u16, u16) = (core::mem::transmute_copy(&a), core::mem::transmute_copy(&b));
                core::arch::asm!("st.global.b32 [{to}], {ab};", ab = in(reg32) u32::from(a) | u32::from(b) << 16,
                    to = in(reg64) to, options(nostack));
            }
        }
    }
}
