//! Copies that go on while the threads do.

use core::fmt::Debug;
use core::marker::PhantomData;

use half::{bf16, f16};
use layout_algebra::atom::CopyAtom;
use layout_algebra::prelude::*;
use layout_algebra::tensor::space::{Global, Registers, Shared};

/// `COUNT` neighbours from global to shared memory, while the threads go on: `cp.async`. If the elements are none, zeros.
#[derive(Clone, Copy, Debug)]
pub struct CpAsync<T, const COUNT: usize> {
    there: bool,
    element: PhantomData<T>,
}
impl<T, const COUNT: usize> CpAsync<T, COUNT> {
    /// A copy of elements that are there.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        CpAsync { there: true, element: PhantomData }
    }
    /// A copy of elements if they are there, else of zeros; then no memory is read. CuTe's `with`.
    #[inline]
    #[must_use]
    pub const fn with(self, there: bool) -> Self {
        CpAsync { there, element: PhantomData }
    }
}
impl<T, const COUNT: usize> Default for CpAsync<T, COUNT> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}
macro_rules! copies {
    ($($element:ident $count:literal $instruction:literal;)*) => {$(
        impl CopyAtom for CpAsync<$element, $count> {
            type Value = $element;
            type ThrId = Layout!(1:0);
            type SrcLayout = Layout!((1, $count):(0, 1));
            type DstLayout = Layout!((1, $count):(0, 1));
            type RefLayout = Layout!((1, $count):(0, 1));
            type Source = Global;
            type Destination = Shared;
            #[inline]
            fn copy<S, L, R, M>(&self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
            where
                S: Storage<Item = $element>,
                L: Addressable,
                R: StorageMut<Item = $element>,
                M: Addressable,
            {
                #[cfg(target_arch = "nvptx64")]
                if let (Some(from), Some(to)) =
                    (source.address(first), destination.address_mut(first))
                {
                    let bytes = if self.there { $count * size_of::<$element>() } else { 0 };
                    // SAFETY: both are there, if `there` is what it says, and aligned.
                    unsafe {
                        core::arch::asm!(concat!("cp.async.", $instruction, ", {bytes};"), to = in(reg32) to.addr() as u32,
                            from = in(reg64) from, bytes = in(reg32) bytes as u32, options(nostack));
                    }
                }
                #[cfg(not(target_arch = "nvptx64"))]
                for i in first..first + $count {
                    if let (Some(from), Some(to)) = (source.value(i), destination.value_mut(i)) {
                        *to = if self.there { *from } else { Default::default() };
                    }
                }
            }
        }
    )*};
}
copies! {
    f32 1 "ca.shared.global [{to}], [{from}], 4";
    f32 4 "cg.shared.global [{to}], [{from}], 16";
    f16 8 "cg.shared.global [{to}], [{from}], 16";
    bf16 8 "cg.shared.global [{to}], [{from}], 16";
}

/// CuTe's `SM75_U32x4_LDSM_N`: four tiles of 8 x 8 halves, whose rows 32 threads name.
#[derive(Clone, Copy, Debug, Default)]
pub struct LdMatrix4<T>(PhantomData<T>);
impl<T: Copy + Debug> CopyAtom for LdMatrix4<T> {
    type Value = T;
    type ThrId = Layout!(32:1);
    type SrcLayout = Layout!((32, 8):(8, 1));
    type DstLayout = Layout!((32, (2, 4)):(2, (1, 64)));
    type RefLayout = Layout!((32, (2, 4)):(2, (1, 64)));
    type Source = Shared;
    type Destination = Registers;
    #[inline]
    fn copy<S, L, R, M>(&self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
    where
        S: Storage<Item = T>,
        L: Addressable,
        R: StorageMut<Item = T>,
        M: Addressable,
    {
        #[cfg(target_arch = "nvptx64")]
        if let Some(from) = source.address(first) {
            const { assert!(size_of::<T>() == 2) }
            let (a, b, c, d): (u32, u32, u32, u32);
            // SAFETY: 8 neighbours are there, and aligned.
            unsafe {
                core::arch::asm!("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {{{a}, {b}, {c}, {d}}}, [{from}];",
                    a = lateout(reg32) a, b = lateout(reg32) b, c = lateout(reg32) c, d = lateout(reg32) d,
                    from = in(reg32) from.addr() as u32, options(nostack, readonly));
            }
            let halves = [a as u16, (a >> 16) as u16, b as u16, (b >> 16) as u16, c as u16, (c >> 16) as u16, d as u16, (d >> 16) as u16];
            macro_rules! put {
                ($($i:literal)*) => {$(
                    if let Some(value) = destination.value_mut(first + $i) {
                        // SAFETY: both have 16 bits, of which any are a half.
                        *value = unsafe { core::mem::transmute_copy(&halves[$i]) };
                    }
                )*};
            }
            put!(0 1 2 3 4 5 6 7);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            let _ = (source, destination, first);
            unimplemented!("an instruction of 32 threads")
        }
    }
}
