//! One copy instruction, and the loop over all that a thread copies.
//!
//! ```text
//! copy: destination(i) = source(i)          for the values i of one thread, an atom at a time
//! ```

use core::any::type_name;
use core::array;
use core::fmt::{self, Debug, Formatter};
use core::marker::PhantomData;
use core::panic::Location;

use crate::atom::bijective::assert_fits;
use crate::atom::mma::TvLayout;
use crate::error::{Fault, LayoutError};
use crate::layout::flat::{FlatLayout, Message};
use crate::layout::strided::StridedLayout;
use crate::layout::traits::StaticLayout;
use crate::list::Nested;
use crate::number::int::{One, StaticInt, Zero};
use crate::number::unroll::{Body, Turns};
use crate::pad::pad;
use crate::tensor::space::{Anywhere, DestinationIn, SourceIn, Space};
use crate::tensor::{
    Addressable, CopiedFragment, Predicates, Storage, StorageMut, StorageOf, Tensor,
    assert_whole_vectors, is_of_a_gpu, watch,
};
use crate::tuple::profile::SizeOf;

/// One copy instruction: how many threads take part, which values each thread reads and writes, in
/// which spaces of memory the values lie, and what the instruction does. CuTe's `Copy_Atom` with
/// `Copy_Traits`. The guide makes one step by step: [Write your own
/// atom](crate::guide::write_your_own_atom).
///
/// The layouts map `(thread, value)` to one numbering of the elements that all threads move
/// together; a thread need not write what it reads.
///
/// ```
/// use layout_algebra::atom::{CopyAtom, UniversalCopy};
/// use layout_algebra::prelude::*;
/// use static_assertions::assert_type_eq_all;
/// // One thread, four values: value v is element v, read and written.
/// assert_type_eq_all!(<UniversalCopy<f32, Int<4>> as CopyAtom>::SrcLayout, Layout!((1, 4):(0, 1)));
/// ```
#[diagnostic::on_unimplemented(
    message = "this is not a copy atom",
    label = "`{Self}`: does not say who reads and who writes what",
    note = "a copy begins with its atom: `copy(&UniversalCopy::<f32, Int<4>>::new(), &source, &mut destination)` moves 4 \
            elements at once; an instruction of a machine is one impl of `CopyAtom`"
)]
pub trait CopyAtom: Copy + Debug {
    /// An element.
    type Value: Copy;
    /// The threads that take part.
    type ThrId: StaticLayout;
    /// What a thread reads. CuTe's `ValLayoutSrc`.
    type SrcLayout: TvLayout;
    /// What a thread writes. CuTe's `ValLayoutDst`.
    type DstLayout: TvLayout;
    /// The layout that a tiled copy's thread-value layout speaks of: one of the two. CuTe's
    /// `ValLayoutRef`.
    type RefLayout: TvLayout;
    /// The space that it copies from, or [`Anywhere`].
    type Source: Space;
    /// The space that it copies to, or [`Anywhere`]. Between other spaces, a copy by this atom does
    /// not compile.
    type Destination: Space;
    /// What one thread does: copies its values from number `first` on, those of one atom. Where a
    /// thread writes more or fewer values than it reads, `first` is the number of what it reads.
    fn copy<S, L, R, M>(&self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
    where
        S: Storage<Item = Self::Value, Space: SourceIn<Self::Source>>,
        L: Addressable,
        R: StorageMut<Item = Self::Value, Space: DestinationIn<Self::Destination>>,
        M: Addressable;
}

/// One thread copies `N` elements: with one load and one store if the elements are neighbours in
/// both tensors and aligned there, else one by one. CuTe's `UniversalCopy`, which takes the type of
/// the vector in place of `N`.
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// let tiled = make_tiled_copy(
///     UniversalCopy::<f32, Int<4>>::new(),
///     layout!((2, 2): right),
///     layout!((1, 4): right),
/// )?;
/// let source = Tensor::filled(layout!((4, 8): right), 1.0_f32);
/// let mut t = Tensor::filled(layout!((4, 8): right), 0.0_f32);
/// for thread in 0..tiled.size() {
///     let thread = tiled.get_slice(thread).unwrap();
///     copy(&tiled, &thread.partition_s(&source)?, &mut thread.partition_d_mut(&mut t)?)?;
/// }
/// assert_eq!(t.iter().sum::<f32>(), 32.0);
/// # Ok::<(), LayoutError>(())
/// ```
pub struct UniversalCopy<T, N = One>(PhantomData<(T, N)>);
impl<T, N> UniversalCopy<T, N> {
    /// The atom.
    ///
    /// ```
    /// use layout_algebra::atom::{UniversalCopy, copy};
    /// use layout_algebra::prelude::*;
    /// let rows = Tensor::fixed([0, 1, 2, 3], layout!((2, 2): right));
    /// let mut columns = Tensor::fixed([0; 4], layout!((2, 2)));
    /// copy(&UniversalCopy::<i32>::new(), &rows, &mut columns)?; // one thread copies all
    /// assert_eq!(columns.into_storage(), [0, 2, 1, 3]);
    /// # Ok::<(), LayoutError>(())
    /// ```
    #[inline]
    pub const fn new() -> Self {
        UniversalCopy(PhantomData)
    }
}
/// The type as it is written: `UniversalCopy<f32, 4>`.
impl<T, N: StaticInt> Debug for UniversalCopy<T, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        pad(f, &|f| write!(f, "UniversalCopy<{}, {}>", type_name::<T>(), N::VALUE))
    }
}
impl<T, N> Clone for UniversalCopy<T, N> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, N> Copy for UniversalCopy<T, N> {}
impl<T, N> Default for UniversalCopy<T, N> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

/// Under a swizzle that tears its vectors it does not compile, in memory of a GPU.
///
/// ```compile_fail,E0080
/// use layout_algebra::atom::{UniversalCopy, copy};
/// use layout_algebra::prelude::*;
/// use layout_algebra::tensor::space::Shared;
/// let torn = ComposedLayout::<Swizzle<3, 0, 3>, Int<0>, Layout!((8, 8): right)>::default();
/// let from = Tensor::fixed([0_u16; 64], torn).in_space::<Shared>();
/// let mut to = Tensor::fixed([0_u16; 64], layout!((8, 8): right));
/// // Swizzle<3, 0, 3> tears vectors of 8 elements: it leaves 1 side by side, ..
/// copy(&UniversalCopy::<u16, Int<8>>::new(), &from, &mut to)?;
/// # Ok::<(), LayoutError>(())
/// ```
impl<T: Copy + Debug, N: StaticInt + Turns> CopyAtom for UniversalCopy<T, N>
where
    StridedLayout<(One, N), (Zero, One)>: TvLayout,
{
    type Value = T;
    type ThrId = StridedLayout<One, Zero>;
    type SrcLayout = StridedLayout<(One, N), (Zero, One)>;
    type DstLayout = StridedLayout<(One, N), (Zero, One)>;
    type RefLayout = StridedLayout<(One, N), (Zero, One)>;
    type Source = Anywhere;
    type Destination = Anywhere;
    #[inline]
    fn copy<S, L, R, M>(&self, source: &Tensor<S, L>, destination: &mut Tensor<R, M>, first: usize)
    where
        S: Storage<Item = T>,
        L: Addressable,
        R: StorageMut<Item = T>,
        M: Addressable,
    {
        const { assert_whole_vectors::<S::Space, L>(N::VALUE) };
        const { assert_whole_vectors::<R::Space, M>(N::VALUE) };
        destination.copy_run(source, first, N::default());
    }
}

/// Tells of a fragment that is copied in the order of a tiled copy to memory in `P` or, afterwards,
/// from there.
#[inline(always)]
#[track_caller]
fn tell_copy<A: AsCopyAtom, S: Storage, L: Addressable, P: Space>(
    fragment: &Tensor<S, L>,
    is_read: bool,
) {
    let in_memory = is_of_a_gpu::<P>() && !is_of_a_gpu::<S::Space>();
    if let (Some(watch), Some(order)) = (in_memory.then(watch).flatten(), A::ORDER) {
        let names = [A::TILE(), type_name::<S::Item>(), type_name::<L>()];
        let value = &|value| fragment.address(value).map(<*const S::Item>::cast);
        let asked = Location::caller();
        (watch.copy)(&CopiedFragment { asked, names, order, value, is_read });
    }
}

/// What is copied, atom by atom.
struct Atoms<'t, A, S, L, R, M, P> {
    atom: &'t A,
    source: &'t Tensor<S, L>,
    destination: &'t mut Tensor<R, M>,
    predicate: P,
}
impl<A, S, L, R, M, P> Body for Atoms<'_, A, S, L, R, M, P>
where
    A: CopyAtom,
    S: Storage<Item = A::Value, Space: SourceIn<A::Source>>,
    L: Addressable,
    R: StorageMut<Item = A::Value, Space: DestinationIn<A::Destination>>,
    M: Addressable,
    P: FnMut(usize) -> bool,
{
    #[inline]
    fn turn(&mut self, i: usize) {
        let values = <A::SrcLayout as TvLayout>::Values::VALUE;
        if i % values == 0 && (self.predicate)(i) {
            self.atom.copy(self.source, self.destination, i);
        }
    }
}

/// Copies the values of one thread from one partition to another or to a fragment, by the atom of a
/// tiled copy. CuTe's `copy(tiled_copy, source, destination)`.
///
/// The values have the same numbers in both tensors, whose modes may be nested differently. A
/// static number of values is unrolled. A fragment of another tiled operation has its values in
/// another order:
///
/// ```compile_fail,E0080
/// use layout_algebra::atom::{UniversalCopy, UniversalFma, copy, make_tiled_copy, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, _, _));
/// let tiled = make_tiled_copy(UniversalCopy::<f32, Int<2>>::new(), layout!((4, 2)), layout!((2, 1)))?;
/// let c = Tensor::filled(layout!((8, 4)), 1.0);
/// let mine = mma.get_slice(0).unwrap().partition_c(&c)?; // (1, 2, 2)
/// let mut fragment = mine.fragment_like::<f32>();
/// let mine = tiled.get_slice(0).unwrap().partition_s(&c)?; // ((2, 1), 1, 2)
/// // cannot copy: mode 0 has 2 values in the source and 1 in the destination, ..
/// copy(&tiled, &mine, &mut fragment)?;
/// # Ok::<(), LayoutError>(())
/// ```
///
/// # Errors
/// `profile` if the tensors are not of one size, or that is not a multiple of what the atom copies:
/// if they do not hold what the same number of atoms reads and writes. `profile` too if they have
/// as many modes and not the same number of atoms in each, as parts of two copies do; the build
/// stops if the types know that.
///
/// ```compile_fail,E0080
/// use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// # fn main() -> Result<(), LayoutError> {
/// let rows = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((4, 1)), layout!((1, 2)))?;
/// let columns = make_tiled_copy(UniversalCopy::<i32>::new(), layout!((1, 4)), layout!((2, 1)))?;
/// let mut t = Tensor::fixed([0; 64], layout!((8, 8)));
/// let fragment = rows.get_slice(0).unwrap().partition_s(&t)?.fragment_like::<i32>(); // ((1, 2), 2, 4)
/// // A thread of the other copy has ((1, 2), 4, 2): `retile_s` would say which is which.
/// copy(&columns, &fragment, &mut columns.get_slice(0).unwrap().partition_d_mut(&mut t)?)
/// # }
/// ```
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, copy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// // 4 threads down, 2 values each side by side: tiles of 4 x 2 in a matrix of 8 x 6.
/// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 1)), layout!((1, 2)))?;
/// let a = Tensor::fixed(core::array::from_fn::<i32, 48, _>(|i| i as i32), layout!((8, 6): right));
/// let mine = tiled.get_slice(1).unwrap().partition_s(&a)?;
/// assert_eq!(*mine.layout(), layout!(((2, 1), 2, 3):((1, 0), 24, 2)));
/// let mut fragment = mine.fragment_like::<i32>();
/// copy(&tiled, &mine, &mut fragment)?;
/// assert_eq!(fragment.into_storage()[..], [6, 7, 30, 31, 8, 9, 32, 33, 10, 11, 34, 35]);
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
#[track_caller]
pub fn copy<A, S, L, R, M>(
    atom: &A,
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
) -> Result<(), LayoutError>
where
    A: AsCopyAtom,
    S: StorageOf<<A::Atom as CopyAtom>::Value>,
    S::Space: SourceIn<<A::Atom as CopyAtom>::Source>,
    L: Addressable<Shape: Nested<Node: SizeOf<Output: Turns>>>,
    R: StorageMut + StorageOf<S::Item>,
    R::Space: DestinationIn<<A::Atom as CopyAtom>::Destination>,
    M: Addressable,
{
    copy_if(atom, source, destination, |_| true)
}

/// The first mode that has not as many atoms in the source as in the destination, though there are
/// as many in all: these are parts of two copies, and an element has two numbers. In mode 0 are the
/// values of an atom, which reads and writes so many.
const fn unlike(from: &[usize; 8], to: &[usize; 8], reads: usize, writes: usize) -> Option<Fault> {
    let (mut mode, mut found, mut all) = (0, None, [1_usize; 2]);
    while mode < from.len() {
        let [by, of] = if mode == 0 { [writes, reads] } else { [1, 1] };
        let (left, right) = (from[mode].saturating_mul(by), to[mode].saturating_mul(of));
        if left != right && found.is_none() {
            found = Some(Fault::CopyModes { mode, source: from[mode], destination: to[mode] });
        }
        all = [all[0].saturating_mul(left), all[1].saturating_mul(right)];
        mode += 1;
    }
    // Of other sizes the sizes are refused, and of no elements none is moved.
    if all[0] == all[1] && all[0] > 0 { found } else { None }
}
/// What is [`unlike`], if the types know both: that stops the build.
const fn unlike_types<A: CopyAtom, L: Addressable, M: Addressable>() -> Option<Message> {
    let (reads, writes) =
        (<A::SrcLayout as TvLayout>::Values::VALUE, <A::DstLayout as TvLayout>::Values::VALUE);
    let (Some((rank, from)), Some((other, to))) = (L::MODE_SIZES, M::MODE_SIZES) else {
        return None;
    };
    let (true, Some(Fault::CopyModes { mode, source, destination })) =
        (rank == other, unlike(&from, &to, reads, writes))
    else {
        return None;
    };
    let message =
        Message::new().text("cannot copy: mode ").number(mode).text(" has ").number(source);
    let message = message
        .text(" values in the source and ")
        .number(destination)
        .text(" in the destination, as those of two");
    Some(
        message.text(
            " copies do: `retile_s` or `retile_d` gives a fragment the order of the other copy",
        ),
    )
}
/// What is [`unlike`], where run time alone knows.
#[inline]
fn unlike_layouts<L: Addressable, M: Addressable>(
    from: &L,
    to: &M,
    reads: usize,
    writes: usize,
) -> Option<Fault> {
    let known = L::MODE_SIZES.is_some() && M::MODE_SIZES.is_some();
    if known || from.rank() != to.rank() || !(2..=8).contains(&from.rank()) {
        return None;
    }
    let (from, to) =
        (array::from_fn(|mode| from.mode_size(mode)), array::from_fn(|mode| to.mode_size(mode)));
    unlike(&from, &to, reads, writes)
}

/// [`copy`](fn@copy) of the atoms whose first value satisfies a predicate; the values of the other
/// atoms do not change. CuTe's `copy_if(tiled_copy, predicate, source, destination)`.
///
/// The predicate gets the number `i` of a value; [`copy_predicated`] takes a tensor of predicates.
///
/// # Errors
/// Those of [`copy`](fn@copy).
///
/// `destination(i) = source(i)` where `predicate(i - i % values)` holds
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, copy_if};
/// use layout_algebra::prelude::*;
/// let source = Tensor::fixed([1, 2, 3, 4, 5, 6], layout!(6));
/// let mut t = Tensor::fixed([0; 6], layout!(6));
/// // atoms of two values, at 0, 2 and 4
/// copy_if(&UniversalCopy::<i32, Int<2>>::new(), &source, &mut t, |i| i < 4)?;
/// assert_eq!(t.into_storage(), [1, 2, 3, 4, 0, 0]);
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
#[track_caller]
pub fn copy_if<A, S, L, R, M>(
    atom: &A,
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    predicate: impl FnMut(usize) -> bool,
) -> Result<(), LayoutError>
where
    A: AsCopyAtom,
    S: StorageOf<<A::Atom as CopyAtom>::Value>,
    S::Space: SourceIn<<A::Atom as CopyAtom>::Source>,
    L: Addressable<Shape: Nested<Node: SizeOf<Output: Turns>>>,
    R: StorageMut + StorageOf<S::Item>,
    R::Space: DestinationIn<<A::Atom as CopyAtom>::Destination>,
    M: Addressable,
{
    let atom = atom.as_copy_atom();
    let reads = <<A::Atom as CopyAtom>::SrcLayout as TvLayout>::Values::VALUE;
    let writes = <<A::Atom as CopyAtom>::DstLayout as TvLayout>::Values::VALUE;
    let (from, to) = (source.size(), destination.size());
    if from % reads != 0 || to % writes != 0 || from / reads != to / writes {
        return Err(LayoutError::new("copy", Fault::Shapes)
            .with_operands(source.layout(), destination.layout()));
    }
    const { assert_fits(&unlike_types::<A::Atom, L, M>()) }
    if let Some(fault) = unlike_layouts(source.layout(), destination.layout(), reads, writes) {
        return Err(
            LayoutError::new("copy", fault).with_operands(source.layout(), destination.layout())
        );
    }
    let turns = source
        .layout()
        .shape()
        .node()
        .size_of()
        .map_err(|fault| LayoutError::new("copy", fault))?;
    tell_copy::<A, _, _, R::Space>(source, true);
    turns.turns(&mut Atoms { atom, source, destination, predicate });
    tell_copy::<A, _, _, S::Space>(destination, false);
    Ok(())
}

/// What is copied by atoms whose values are all selected; and then, with `by_values`, what is left,
/// value by value. Two passes, so that the first one has no branch: the compiler of PTX lets its
/// loads go on at the same time.
struct Edges<'t, A, S, L, R, M, P> {
    atoms: Atoms<'t, A, S, L, R, M, P>,
    by_values: bool,
    is_ragged: bool,
}
impl<A, S, L, R, M, P> Body for Edges<'_, A, S, L, R, M, P>
where
    A: CopyAtom,
    S: Storage<Item = A::Value, Space: SourceIn<A::Source> + SourceIn<Anywhere>>,
    L: Addressable,
    R: StorageMut<Item = A::Value, Space: DestinationIn<A::Destination> + DestinationIn<Anywhere>>,
    M: Addressable,
    P: FnMut(usize) -> bool,
    A::Value: Debug,
{
    #[inline]
    fn turn(&mut self, i: usize) {
        let values = <A::SrcLayout as TvLayout>::Values::VALUE;
        if i % values != 0 {
            return;
        }
        let Atoms { atom, source, destination, predicate } = &mut self.atoms;
        let is_whole = (i..i + values).all(&mut *predicate);
        if self.by_values && !is_whole {
            (i..i + values)
                .filter(|i| predicate(*i))
                .for_each(|i| UniversalCopy::<_>::new().copy(source, destination, i));
        } else if !self.by_values && is_whole {
            atom.copy(source, destination, i);
        }
        self.is_ragged |= !is_whole;
    }
}

/// [`copy`](fn@copy) of the values that satisfy a predicate: by the atom where all of its values
/// do, else one by one. So the tile at the end of a row is copied by vectors, but for the last one.
/// Where the predicate is false, the destination keeps what it has: a fragment that is loaded has to
/// begin with what counts for nothing, zeros in a sum and `-inf` in a maximum.
///
/// At the edges of two modes the predicate is [`within`](Tensor::within) of the coordinates:
/// `|i| there.holds(i)` for `there = coordinates.within((m, n))`.
///
/// # Errors
/// Those of [`copy`](fn@copy).
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, copy_edges_if};
/// use layout_algebra::prelude::*;
/// let source = Tensor::fixed([1, 2, 3, 4, 5, 6, 7, 8], layout!(8));
/// let mut t = Tensor::fixed([0; 8], layout!(8));
/// // atoms of four values, at 0 and 4: of the second one a value is there
/// copy_edges_if(&UniversalCopy::<i32, Int<4>>::new(), &source, &mut t, |i| i < 5)?;
/// assert_eq!(t.into_storage(), [1, 2, 3, 4, 5, 0, 0, 0]);
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
#[track_caller]
pub fn copy_edges_if<A, S, L, R, M>(
    atom: &A,
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
    predicate: impl FnMut(usize) -> bool,
) -> Result<(), LayoutError>
where
    A: AsCopyAtom,
    S: StorageOf<<A::Atom as CopyAtom>::Value>,
    S::Space: SourceIn<<A::Atom as CopyAtom>::Source> + SourceIn<Anywhere>,
    L: Addressable<Shape: Nested<Node: SizeOf<Output: Turns>>>,
    R: StorageMut + StorageOf<S::Item>,
    R::Space: DestinationIn<<A::Atom as CopyAtom>::Destination> + DestinationIn<Anywhere>,
    M: Addressable,
    <A::Atom as CopyAtom>::Value: Debug,
{
    const { assert_fits(&unlike_types::<A::Atom, L, M>()) }
    let atom = atom.as_copy_atom();
    let values = <<A::Atom as CopyAtom>::SrcLayout as TvLayout>::Values::VALUE;
    let same = <<A::Atom as CopyAtom>::DstLayout as TvLayout>::Values::VALUE == values;
    if !same || source.size() % values != 0 || source.size() != destination.size() {
        return Err(LayoutError::new("copy", Fault::Shapes)
            .with_operands(source.layout(), destination.layout()));
    }
    if let Some(fault) = unlike_layouts(source.layout(), destination.layout(), values, values) {
        return Err(
            LayoutError::new("copy", fault).with_operands(source.layout(), destination.layout())
        );
    }
    let turns = source
        .layout()
        .shape()
        .node()
        .size_of()
        .map_err(|fault| LayoutError::new("copy", fault))?;
    tell_copy::<A, _, _, R::Space>(source, true);
    let atoms = Atoms { atom, source, destination, predicate };
    let mut edges = Edges { atoms, by_values: false, is_ragged: false };
    turns.turns(&mut edges);
    if edges.is_ragged {
        edges.by_values = true;
        turns.turns(&mut edges);
    }
    tell_copy::<A, _, _, S::Space>(destination, false);
    Ok(())
}

/// [`copy`](fn@copy) of the atoms that predicates select; there is a predicate for each value.
/// CuTe's `copy_if(tiled_copy, predicates, source, destination)`, whose tensor has one for each
/// atom.
///
/// # Errors
/// Those of [`copy`](fn@copy); `profile` if there is not a predicate for each value, `divisibility`
/// if an atom has values that are selected and others that are not.
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, copy_predicated, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// // 4 x 2 threads with two values each side by side: a tile of 4 x 4 in a matrix of 3 x 2, and what
/// // is there of it.
/// let tiled = make_tiled_copy(UniversalCopy::<i32, Int<2>>::new(), layout!((4, 2)), layout!((1, 2)))?;
/// let places = Tensor::coordinates(identity((3, 2)).round_up(tiler!(4, 4)));
/// let (source, mut t) =
///     (Tensor::filled(layout!((4, 4): right), 1), Tensor::filled(layout!((4, 4): right), 0));
/// for thread in (0..8).filter_map(|i| tiled.get_slice(i)) {
///     let there = thread.slice_s().coordinates(&places)?.within((3, 2));
///     copy_predicated(
///         &tiled,
///         &there,
///         &thread.partition_s(&source)?,
///         &mut thread.partition_d_mut(&mut t)?,
///     )?;
/// }
/// assert_eq!(t.into_storage(), [1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), LayoutError>(())
/// ```
#[inline]
#[track_caller]
pub fn copy_predicated<A, P, S, L, R, M>(
    atom: &A,
    predicates: &P,
    source: &Tensor<S, L>,
    destination: &mut Tensor<R, M>,
) -> Result<(), LayoutError>
where
    A: AsCopyAtom,
    P: Predicates,
    S: StorageOf<<A::Atom as CopyAtom>::Value>,
    S::Space: SourceIn<<A::Atom as CopyAtom>::Source>,
    L: Addressable<Shape: Nested<Node: SizeOf<Output: Turns>>>,
    R: StorageMut + StorageOf<S::Item>,
    R::Space: DestinationIn<<A::Atom as CopyAtom>::Destination>,
    M: Addressable,
{
    let values = <<A::Atom as CopyAtom>::SrcLayout as TvLayout>::Values::VALUE;
    let fault = match (0..source.size())
        .find(|i| predicates.holds(*i) != predicates.holds(i - i % values))
    {
        _ if predicates.count() != source.size() => Fault::Shapes,
        Some(value) => Fault::Predicate { value, values },
        None => return copy_if(atom, source, destination, |i| predicates.holds(i)),
    };
    Err(LayoutError::new("copy", fault).with_operands(source.layout(), destination.layout()))
}

/// A copy atom, or what is tiled of one.
///
/// ```
/// use layout_algebra::atom::{AsCopyAtom, CopyAtom, UniversalCopy, make_tiled_copy};
/// use layout_algebra::prelude::*;
/// fn at_once<A: AsCopyAtom>(_: &A) -> usize {
///     <A::Atom as CopyAtom>::SrcLayout::SIZE
/// }
/// let tiled =
///     make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((32, 8)), layout!((4, 1)))?;
/// assert_eq!((at_once(&UniversalCopy::<f32>::new()), at_once(&tiled)), (1, 4));
/// # Ok::<(), LayoutError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "this has no copy atom",
    label = "neither a copy atom nor a tiled copy",
    note = "`UniversalCopy<T, N>` copies N elements at once; `make_tiled_copy` gives it to threads"
)]
pub trait AsCopyAtom {
    /// The atom.
    type Atom: CopyAtom;
    /// Of a tiled copy, `(thread, value) -> element` of the tile, and the name of the tile's type.
    #[doc(hidden)]
    const ORDER: Option<FlatLayout> = None;
    #[doc(hidden)]
    const TILE: fn() -> &'static str = type_name::<Self>;
    /// The atom.
    fn as_copy_atom(&self) -> &Self::Atom;
}
#[doc(hidden)]
impl<A: CopyAtom> AsCopyAtom for A {
    type Atom = A;
    #[inline]
    fn as_copy_atom(&self) -> &A {
        self
    }
}
