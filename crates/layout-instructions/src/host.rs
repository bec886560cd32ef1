//! The threads of a block on the CPU, for testing GPU code without a GPU.
//!
//! An instruction of a warp takes operands from each of 32 threads and gives each a part of the
//! result. Here these are threads of the operating system, which wait for each other at every such
//! instruction: the same code as on the GPU, much slower.

use std::any::{TypeId, type_name};
use std::sync::Arc;

use layout_algebra::atom::{CopyAtom, MmaAtom, Values};
use layout_algebra::prelude::*;
use layout_algebra::tensor::assert_whole_vectors;
use layout_algebra::tensor::space::{Shared, Space};
use layout_algebra::tensor::{Addressable, Storage, StorageMut};

pub use crate::block::sync_threads;
use crate::block::{check_vector, end_kernel, exchange_operands, run_block};
use crate::element::Packed;
use crate::{Atom, Instruction};

/// Runs `body` for each thread of a block concurrently, and returns the results in the order of the
/// threads. In `body`, warp instructions work: a warp is 32 consecutive threads.
///
/// # Panics
/// If a thread panics, or the threads of a warp do not execute the same instructions.
///
/// ```
/// use layout_algebra::atom::MmaAtom;
/// use layout_instructions::host;
/// use layout_instructions::mma::SM80_8x8x4_F64F64F64F64_TN as Atom;
/// // Each thread has an element of A and of B, 8 x 4 elements all in all, and two elements of the product.
/// let d = host::run_threads(32, |_| Atom.fma(&[1.0].into(), &[2.0].into(), [0.5, 0.0].into()));
/// assert!(d.iter().all(|d| d[..] == [8.5, 8.0]));
/// ```
#[track_caller]
pub fn run_threads<R: Send>(number: usize, body: impl Fn(usize) -> R + Sync) -> Vec<R> {
    run_block(number, ((0, 0, 0), (1, 1, 1)), 0, &Arc::default(), body)
}

/// The part of one thread in a product that the threads of an instruction compute together, from
/// the thread's values.
#[doc(hidden)]
pub fn multiply_values<I: Atom>(
    a: &Values<<I as MmaAtom>::A, <I as MmaAtom>::ALayout>,
    b: &Values<<I as MmaAtom>::B, <I as MmaAtom>::BLayout>,
    mut c: Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout>,
) -> Values<<I as MmaAtom>::C, <I as MmaAtom>::CLayout> {
    let (thread, all) =
        exchange_operands::<I, <I as Instruction>::ThrId, _>((a.to_vec(), b.to_vec()));
    let a = unpack_operand::<_, <I as Instruction>::ALayout>(I::M * I::K, |thread| &all[thread].0);
    let b = unpack_operand::<_, <I as Instruction>::BLayout>(I::N * I::K, |thread| &all[thread].1);
    let layout = FlatLayout::of_type::<<I as Instruction>::CLayout>();
    for (value, c) in c.iter_mut().enumerate() {
        let (m, n) =
            (layout.of_thread(thread, value) % I::M, layout.of_thread(thread, value) / I::M);
        *c = I::compute_element(*c, (0..I::K).map(|k| (a[m + I::M * k], b[n + I::N * k])));
    }
    c
}

/// Computes an instruction for all its threads, whose values stand thread by thread: replaces `c`
/// by D. For instructions that are layouts only, without [`run_threads`].
///
/// ```
/// use layout_instructions::host;
/// use layout_instructions::amd::V_MFMA_I32_16X16X16_I8;
/// // Each element of A is 2 and each of B is 3: 16 products of 6.
/// let d = host::execute_threads::<V_MFMA_I32_16X16X16_I8>(|_, _| 2, |_, _| 3, |_, _| 1);
/// assert_eq!((d.len(), d[0].len()), (64, 4)); // of 64 threads 4 values each
/// assert!(d.iter().flatten().all(|d| *d == 97));
/// ```
pub fn execute_threads<I: Instruction>(
    a: impl Fn(usize, usize) -> I::A,
    b: impl Fn(usize, usize) -> I::B,
    c: impl Fn(usize, usize) -> I::C,
) -> Vec<Vec<I::C>> {
    let (a, b) = (
        collect_operand::<I::A, I::ALayout>(I::M * I::K, a),
        collect_operand::<I::B, I::BLayout>(I::N * I::K, b),
    );
    let layout = FlatLayout::of_type::<I::CLayout>();
    let value = |thread, value| {
        let (m, n) =
            (layout.of_thread(thread, value) % I::M, layout.of_thread(thread, value) / I::M);
        I::compute_element(c(thread, value), (0..I::K).map(|k| (a[m + I::M * k], b[n + I::N * k])))
    };
    (0..layout.threads())
        .map(|thread| (0..layout.values()).map(|v| value(thread, v)).collect())
        .collect()
}

/// The elements of an operand in order. If threads share an element, the first thread's value
/// counts.
fn collect_operand<T: Copy, L: StaticLayout>(
    size: usize,
    value: impl Fn(usize, usize) -> T,
) -> Vec<T> {
    let layout = FlatLayout::of_type::<L>();
    let mut tile = vec![None; size];
    for (thread, v) in
        (0..layout.threads()).flat_map(|thread| (0..layout.values()).map(move |v| (thread, v)))
    {
        if v == 0 && thread > 0 && layout.of_thread(thread, 0) == layout.of_thread(0, 0) {
            break;
        }
        tile[layout.of_thread(thread, v)].get_or_insert_with(|| value(thread, v));
    }
    tile.into_iter().map(|element| element.expect("every operand is covered")).collect()
}

/// The elements of an operand in order, from the words of the threads.
fn unpack_operand<'a, T: Packed + 'a, L: StaticLayout>(
    size: usize,
    words: impl Fn(usize) -> &'a Vec<T>,
) -> Vec<T::Element> {
    let layout = FlatLayout::of_type::<L>();
    let mut tile = vec![T::default().unpack_element(0); size];
    // If all threads have the same elements, as for a tile in shared memory, the first thread's
    // values count.
    let same =
        layout.threads() > 1 && layout.of_thread(layout.threads() - 1, 0) == layout.of_thread(0, 0);
    let threads = if same { 1 } else { layout.threads() };
    for (thread, value) in
        (0..layout.values()).flat_map(|value| (0..threads).map(move |thread| (thread, value)))
    {
        tile[layout.of_thread(thread, value)] =
            words(thread)[value / T::ELEMENTS].unpack_element(value % T::ELEMENTS);
    }
    tile
}

/// The part of one thread in a copy that the threads of an instruction execute together: the thread
/// receives the values of its destination layout from the threads that read them.
pub(crate) fn copy_values<A, S, L, R, M>(
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    first: usize,
) where
    A: CopyAtom<Value: Send + Sync + 'static>,
    S: Storage<Item = A::Value>,
    L: Addressable,
    R: StorageMut<Item = A::Value>,
    M: Addressable,
{
    const {
        if A::Source::OF_A_GPU {
            assert_whole_vectors::<S::Space, L>(FlatLayout::of_type::<A::SrcLayout>().values());
        }
        if A::Destination::OF_A_GPU {
            assert_whole_vectors::<R::Space, M>(FlatLayout::of_type::<A::DstLayout>().values());
        }
    }
    let (from, to) = (FlatLayout::of_type::<A::SrcLayout>(), FlatLayout::of_type::<A::DstLayout>());
    // The row of a matrix in shared memory.
    let name = type_name::<A>()
        .split('<')
        .next()
        .and_then(|path| path.rsplit("::").next())
        .unwrap_or_default();
    if TypeId::of::<A::Source>() == TypeId::of::<Shared>() {
        assert_side_by_side(source, first, from.values(), name);
    }
    if TypeId::of::<A::Destination>() == TypeId::of::<Shared>() {
        assert_side_by_side(destination, first / from.values() * to.values(), to.values(), name);
    }
    let value = |v| *source.value(first + v).expect("the values of an atom are there");
    let mine: Vec<_> = (0..from.values()).map(value).collect();
    let (thread, all) = exchange_operands::<A, A::ThrId, _>(mine);
    // If threads share a row, the instruction takes the address from the first.
    if (0..thread).any(|before| to.of_thread(before, 0) == to.of_thread(thread, 0)) {
        return;
    }
    let written = first / from.values() * to.values();
    for v in 0..to.values() {
        let read = (0..from.size())
            .find(|i| from.at(*i) == to.of_thread(thread, v))
            .expect("what is written is read");
        let value = all[read % from.threads()][read / from.threads()];
        *destination.value_mut(written + v).expect("the values of an atom are there") = value;
    }
}

/// Checks that the values of one copy instruction are contiguous and aligned to their size.
fn assert_side_by_side<S: Storage, L: Addressable>(
    tensor: &Tensor<S, L>,
    first: usize,
    count: usize,
    instruction: &str,
) {
    let at = |i| tensor.address(first + i).map(|address| address.addr());
    let bytes = count * size_of::<S::Item>();
    let apart = (1..count)
        .find(|i| at(*i) != at(0).and_then(|first| first.checked_add(i * size_of::<S::Item>())));
    if let Some(apart) = apart {
        end_kernel(format!(
            "`{instruction}` takes {count} elements side by side, and number {apart} of them is \
             not behind the one before, under the layout {:#}: the card ends the kernel there",
            tensor.layout()
        ))
    }
    if let Some(address) = at(0) {
        check_vector(address, bytes);
    }
}

/// `cp.async`, executed at once: copies as many bytes as an `Access` has, or writes zeros.
pub(crate) fn copy_elements<Access, T, S, L, R, M>(
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    first: usize,
    read: bool,
) where
    T: Copy + Default,
    S: Storage<Item = T>,
    L: Addressable,
    R: StorageMut<Item = T>,
    M: Addressable,
{
    const { assert_whole_vectors::<R::Space, M>(size_of::<Access>() / size_of::<T>()) };
    let count = size_of::<Access>() / size_of::<T>();
    if read {
        assert_side_by_side(source, first, count, "cp.async");
    }
    assert_side_by_side(destination, first, count, "cp.async");
    for i in first..first + count {
        let value = if read {
            *source.value(i).expect("the values of an atom are there")
        } else {
            T::default()
        };
        *destination.value_mut(i).expect("the values of an atom are there") = value;
    }
}
