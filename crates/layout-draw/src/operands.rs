//! The threads and values of a tiled copy's source and destination, and of the operands of a tiled
//! MMA.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Debug;

use layout_algebra::atom::{Operand, TiledCopy, TiledMma, TiledOperands, TiledTv};
use layout_algebra::{DynLayout, DynShape, DynTiler, LayoutError, Notation, ToDynamic};

use crate::panel::{Panel, few_enough};
use crate::picture::{Picture, Placed};
use crate::threads::{Owners, deal, exists, owners};

/// Pictures of tiled copies and tiled MMAs: the thread and value of each element.
///
/// ```
/// use layout_algebra::atom::{UniversalCopy, UniversalFma, make_tiled_copy, make_tiled_mma};
/// use layout_algebra::prelude::*;
/// use layout_draw::DrawTiled;
/// // 4 x 2 threads with four floats of a column each.
/// let copy = make_tiled_copy(UniversalCopy::<f32, Int<4>>::new(), layout!((4, 2)), layout!((4, 1)))?;
/// assert!(copy.draw(Some(3))?.svg().contains("source and destination"));
/// assert!(copy.draw(Some(8)).is_err());
/// let mma = make_tiled_mma(UniversalFma::<f32>::new(), layout!((4, 2, 1)), tiler!(_, 8, _));
/// let table = mma.draw(None)?.table().to_string();
/// assert!(table.contains("A, 4 x 1") && table.contains("B, 1 x 8") && table.contains("C, 4 x 8"));
/// # Ok::<(), LayoutError>(())
/// ```
pub trait DrawTiled {
    /// Of a copy, the source and beside it the destination, or one grid if both are the same. Of an
    /// MMA, A on the left, B above, and C between them, so that an element of C is in the row of A
    /// and the column of B that it is computed from. Thread `chosen` is outlined; colours and
    /// labels are those of [`draw_thread_values`](crate::Draw::draw_thread_values). CuTe's
    /// `print_latex`.
    ///
    /// # Errors
    /// `rank` for a tile of more than two modes, `bounds` if there is no thread `chosen`, or for
    /// more than 262,144 cells.
    fn draw(&self, chosen: Option<usize>) -> Result<Picture, LayoutError>;
}

impl<A, V, T> DrawTiled for TiledCopy<A, V, T>
where
    A: Debug,
    V: Notation + Default,
    T: Notation + Default,
    TiledCopy<A, V, T>: TiledTv<
            Tile: Into<DynTiler>,
            Source: ToDynamic<Dynamic = DynLayout>,
            Destination: ToDynamic<Dynamic = DynLayout>,
        >,
{
    fn draw(&self, chosen: Option<usize>) -> Result<Picture, LayoutError> {
        let (source, destination) =
            (self.layout_s_tv().to_dynamic(), self.layout_d_tv().to_dynamic());
        let tile = tile(self.tiler().into().spans());
        let side = |name: &str, layout: &DynLayout| {
            deal(format!("{name} {layout} in {tile}"), &tile, &owners(layout)?, chosen)
        };
        let panels = || {
            exists(chosen, self.size())?;
            Ok(match source == destination {
                true => vec![side("source and destination", &source)?],
                false => vec![side("source", &source)?, side("destination", &destination)?],
            })
        };
        let title = format!("{self:#}");
        let failed = |fault| LayoutError::new("draw", fault).with_operands(self, &tile);
        panels().map_err(failed).map(|panels| Picture::row(title, panels))
    }
}

impl<A, H, P> DrawTiled for TiledMma<A, H, P>
where
    A: Debug,
    H: Notation + Default,
    P: Notation + Default,
    TiledMma<A, H, P>: TiledOperands<
            ThrLayoutVmnk: ToDynamic<Dynamic = DynLayout>,
            A: DealtOperand,
            B: DealtOperand,
            C: DealtOperand,
        >,
{
    fn draw(&self, chosen: Option<usize>) -> Result<Picture, LayoutError> {
        let threads = self.thr_layout_vmnk().to_dynamic();
        let place = |row, column, panel| Placed { row, column, panel };
        let draw = || {
            let failed = |fault| LayoutError::new("draw", fault).with_operand(self);
            exists(chosen, threads.size()).map_err(failed)?;
            let (b, (n, k)) = operand::<<Self as TiledOperands>::B>(&threads, [2, 3])?;
            let (a, (m, _)) = operand::<<Self as TiledOperands>::A>(&threads, [1, 3])?;
            let (c, _) = operand::<<Self as TiledOperands>::C>(&threads, [1, 2])?;
            let panel = |name: &str,
                         rows: usize,
                         columns: usize,
                         owners: &Owners|
             -> Result<Panel, LayoutError> {
                deal(String::from(name), &tile(vec![rows, columns]), owners, chosen).map_err(failed)
            };
            Ok(vec![
                place(
                    0,
                    1,
                    panel(
                        &format!("B, {k} x {n}: rows are k, columns n"),
                        k,
                        n,
                        &transposed(b, n, k),
                    )?,
                ),
                place(1, 0, panel(&format!("A, {m} x {k}: rows are m, columns k"), m, k, &a)?),
                place(1, 1, panel(&format!("C, {m} x {n}: rows are m, columns n"), m, n, &c)?),
            ])
        };
        Ok(Picture {
            title: format!("{self:#}"),
            panels: draw()?,
            notes: vec![format!("{self:#}")],
            cell_size: None,
        })
    }
}

/// The partition of an operand of a tiled MMA, in run-time form: an [`Operand`] of static parts.
///
/// ```
/// use layout_algebra::atom::{TiledMma, TiledOperands, UniversalFma};
/// use layout_algebra::prelude::*;
/// use layout_draw::DealtOperand;
/// fn can_be_drawn<D: DealtOperand>(_: D) {}
/// type Product = TiledMma<UniversalFma<f32>, Layout!((4, 2, 1)), Tiler!(_, _, _)>;
/// can_be_drawn(<Product as TiledOperands>::A::default());
/// ```
#[diagnostic::on_unimplemented(
    message = "this does not say how an operand is dealt out",
    label = "no `Operand`"
)]
pub trait DealtOperand {
    /// The permuted modes, the atom, its thread-value layout, and the threads along the modes.
    #[doc(hidden)]
    fn parts() -> (DynTiler, DynTiler, DynLayout, DynTiler);
}
impl<P, A, V, H> DealtOperand for Operand<P, A, V, H>
where
    P: Default + Into<DynTiler>,
    A: Default + Into<DynTiler>,
    V: Default + ToDynamic<Dynamic = DynLayout>,
    H: Default + Into<DynTiler>,
{
    fn parts() -> (DynTiler, DynTiler, DynLayout, DynTiler) {
        (P::default().into(), A::default().into(), V::default().to_dynamic(), H::default().into())
    }
}

/// A shape of extents.
fn tile(extents: Vec<usize>) -> DynShape {
    DynShape::tuple(extents.into_iter().map(DynShape::from)).unwrap_or(DynShape::from(1))
}

/// The thread-value layout of an operand, and the extents of its tile. `modes` are the modes of
/// `(ThrV, ThrM, ThrN, ThrK) -> thread` along which the operand is partitioned: threads that differ
/// in the other mode have the same elements.
fn operand<D: DealtOperand>(
    threads: &DynLayout,
    modes: [usize; 2],
) -> Result<(Owners, (usize, usize)), LayoutError> {
    let (permuted, atom, values, along) = D::parts();
    let extents = permuted.spans();
    let numbers = DynLayout::try_left(&tile(extents.clone()))?;
    let failed = |fault| LayoutError::new("draw", fault).with_operand(&numbers);
    few_enough(numbers.size().max(threads.size())).map_err(failed)?;
    // As in `thrfrg_A`: ((ThrV, FrgV), atoms), with the atoms split into (thread, value).
    let atoms = numbers.logical_divide(permuted)?.zipped_divide(atom)?;
    let atoms = atoms.compose(DynTiler::tuple([DynTiler::from(values), DynTiler::keep()])?)?;
    let (atom, atoms) = (atoms.mode(0)?, atoms.mode(1)?.zipped_divide(along)?);
    let (lane, value) = (atom.mode(0)?, atom.mode(1)?);
    let (which, rest) = (atoms.mode(0)?, atoms.mode(1)?);

    let mut owners = vec![Vec::new(); numbers.size()];
    let shape = threads.shape();
    let sizes: Vec<_> = shape.children().map(|mode| mode.size()).collect();
    for i in 0..threads.size() {
        // The coordinate of the thread in each mode.
        let mut places = [0; 4];
        let mut more = i;
        for (place, size) in places.iter_mut().zip(&sizes) {
            (*place, more) = (more % size, more / size);
        }
        let [first, second] = modes.map(|mode| places[mode]);
        let start = lane.index(places[0]) + which.index(first + second * sizes[modes[0]]);
        for v in 0..value.size() * rest.size() {
            let element = start + value.index(v % value.size()) + rest.index(v / value.size());
            owners[element].push((threads.index(i), v));
        }
    }
    owners.iter_mut().for_each(|owners| owners.sort_unstable());
    let extent = |mode: usize| extents.get(mode).copied().unwrap_or(1);
    Ok((owners, (extent(0), extent(1))))
}

/// The transpose of a list with an item for each element of `rows` x `columns`.
fn transposed(owners: Owners, rows: usize, columns: usize) -> Owners {
    (0..rows * columns).map(|i| owners[i / columns + rows * (i % columns)].clone()).collect()
}
