//! The instructions on nvptx64.

use generic_array::GenericArray;
use generic_array::sequence::GenericSequence;
use layout_algebra::atom::{CopyAtom, TvLayout};
use layout_algebra::prelude::*;
use layout_algebra::tensor::{Addressable, Storage, StorageMut};
use layout_algebra::typenum::Unsigned;

pub(crate) use crate::mma::ptx::as_registers;

type ValuesOf<L> = <L as TvLayout>::Values;

/// Ends the kernel with an error: the instruction does not support the requested copy.
#[cold]
pub(crate) fn end_mismatched() -> ! {
    // SAFETY: it does nothing else.
    unsafe { core::arch::nvptx::trap() }
}

/// The registers of one thread of a source.
#[inline]
pub(crate) fn read_registers<A, Words, S, L>(source: &Tensor<S, L>, first: usize) -> Words
where
    A: CopyAtom,
    S: Storage<Item = A::Value>,
    L: Addressable,
{
    let values: GenericArray<A::Value, ValuesOf<A::SrcLayout>> =
        GenericArray::generate(|v| *source.value(first + v).unwrap_or_else(|| end_mismatched()));
    as_registers(values)
}

/// Writes the registers of one thread of a destination.
#[inline]
pub(crate) fn write_registers<A, Words, R, M>(
    destination: &mut Tensor<R, M>,
    first: usize,
    words: Words,
) where
    A: CopyAtom,
    R: StorageMut<Item = A::Value>,
    M: Addressable,
{
    let values: GenericArray<A::Value, ValuesOf<A::DstLayout>> = as_registers(words);
    let first = first_written::<A>(first);
    for (v, value) in values.into_iter().enumerate() {
        *destination.value_mut(first + v).unwrap_or_else(|| end_mismatched()) = value;
    }
}

/// The number of the first value that is written, from that of the first that is read.
#[inline]
pub(crate) fn first_written<A: CopyAtom>(first: usize) -> usize {
    first / ValuesOf::<A::SrcLayout>::USIZE * ValuesOf::<A::DstLayout>::USIZE
}

/// The address of the row that a thread reads, in shared memory.
#[inline]
pub(crate) fn row_address<A, S, L>(source: &Tensor<S, L>, first: usize) -> u32
where
    A: CopyAtom,
    S: Storage<Item = A::Value>,
    L: Addressable,
{
    source.vector::<ValuesOf<A::SrcLayout>>(first).unwrap_or_else(|| end_mismatched()).addr() as u32
}

/// The address of the row that a thread writes, in shared memory.
#[inline]
pub(crate) fn row_address_mut<A, R, M>(destination: &mut Tensor<R, M>, first: usize) -> u32
where
    A: CopyAtom,
    R: StorageMut<Item = A::Value>,
    M: Addressable,
{
    destination
        .vector_mut::<ValuesOf<A::DstLayout>>(first_written::<A>(first))
        .unwrap_or_else(|| end_mismatched())
        .addr() as u32
}

macro_rules! ldmatrix {
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 1) => {
        $crate::copy::ptx::ldmatrix! { @ $atom, $source $destination $first; $how "{{{}}}" [0] }
    };
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 2) => {
        $crate::copy::ptx::ldmatrix! {
            @ $atom, $source $destination $first; $how "{{{}, {}}}" [0 1] }
    };
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 4) => {
        $crate::copy::ptx::ldmatrix! {
            @ $atom, $source $destination $first; $how "{{{}, {}, {}, {}}}" [0 1 2 3] }
    };
    (@ $atom:ty, $source:ident $destination:ident $first:ident;
        $how:literal $words:literal [$($i:literal)*]) => {{
        let mut words = [0_u32; [$($i),*].len()];
        let from = $crate::copy::ptx::row_address::<$atom, _, _>($source, $first);
        // SAFETY: a row of a matrix lies there, in shared memory, aligned.
        unsafe {
            ::core::arch::asm!(concat!("ldmatrix.sync.aligned.m8n8.", $how, ".shared.b16 ", $words,
                ", [{}];"),
                $(lateout(reg32) words[$i],)* in(reg32) from, options(readonly, nostack));
        }
        $crate::copy::ptx::write_registers::<$atom, _, _, _>($destination, $first, words);
    }};
}
macro_rules! stmatrix {
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 1) => {
        $crate::copy::ptx::stmatrix! { @ $atom, $source $destination $first; $how "{{{}}}" [0] }
    };
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 2) => {
        $crate::copy::ptx::stmatrix! {
            @ $atom, $source $destination $first; $how "{{{}, {}}}" [0 1] }
    };
    ($atom:ty, $source:ident $destination:ident $first:ident; $how:literal 4) => {
        $crate::copy::ptx::stmatrix! {
            @ $atom, $source $destination $first; $how "{{{}, {}, {}, {}}}" [0 1 2 3] }
    };
    (@ $atom:ty, $source:ident $destination:ident $first:ident;
        $how:literal $words:literal [$($i:literal)*]) => {{
        let words: [u32; [$($i),*].len()] =
            $crate::copy::ptx::read_registers::<$atom, _, _, _>($source, $first);
        let to = $crate::copy::ptx::row_address_mut::<$atom, _, _>($destination, $first);
        // SAFETY: a row of a matrix lies there, in shared memory, aligned.
        unsafe {
            ::core::arch::asm!(concat!("stmatrix.sync.aligned.m8n8.", $how, ".shared.b16 [{}], ",
                $words, ";"),
                in(reg32) to, $(in(reg32) words[$i],)* options(nostack));
        }
    }};
}
macro_rules! movmatrix {
    ($atom:ty, $source:ident $destination:ident $first:ident;) => {{
        let [word]: [u32; 1] = $crate::copy::ptx::read_registers::<$atom, _, _, _>($source, $first);
        let moved: u32;
        // SAFETY: it reads and writes registers alone.
        unsafe {
            ::core::arch::asm!("movmatrix.sync.aligned.m8n8.trans.b16 {}, {};",
                lateout(reg32) moved, in(reg32) word,
                options(nomem, nostack));
        }
        $crate::copy::ptx::write_registers::<$atom, _, _, _>($destination, $first, [moved]);
    }};
}
macro_rules! shuffle {
    ($atom:ty, $source:ident $destination:ident $first:ident; $mask:literal) => {{
        let [x, y]: [u32; 2] = $crate::copy::ptx::read_registers::<$atom, _, _, _>($source, $first);
        // SAFETY: reads a register.
        let thread = unsafe { ::core::arch::nvptx::_thread_idx_x() };
        let odd = thread as u32 & $mask != 0;
        let give = if odd { x } else { y };
        let got: u32;
        // SAFETY: it reads and writes registers alone.
        unsafe {
            ::core::arch::asm!("shfl.sync.bfly.b32 {}, {}, {}, 0x1f, 0xffffffff;",
                lateout(reg32) got,
                in(reg32) give, const $mask, options(nomem, nostack));
        }
        let words = if odd { [got, y] } else { [x, got] };
        $crate::copy::ptx::write_registers::<$atom, _, _, _>($destination, $first, words);
    }};
}
pub(crate) use {ldmatrix, movmatrix, shuffle, stmatrix};
