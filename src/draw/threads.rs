//! Which thread has which element of a tile.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::color::{Scale, shade};
use super::drawn::{Plain, RunTimeLayout};
use super::panel::{Cell, Mark, Panel, and_others, few_enough, sides};
use super::picture::Picture;
use crate::dynamic::{DynLayout, DynShape, IntoDynShape};
use crate::error::{Fault, LayoutError};
use crate::layout::print::ThreadValues;
use crate::layout::traits::Layout;

/// For each element of a tile its threads and values.
pub(super) type Owners = Vec<Vec<(usize, usize)>>;

/// Which thread's which value each element of a tile is, of a thread-value layout `(thread, value) -> element`.
/// Elements are numbered with the leftmost mode of the tile the fastest. `T3` above `V1` is value 1 of thread 3: a
/// thread has a hue, its values are paler and paler, and thread `chosen` is outlined. Where more threads have an
/// element, the first one is written and how many others there are, `T0+3`. CuTe's `print_latex` of thread-value
/// layouts.
///
/// # Errors
/// `rank` if the layout has not two modes or the tile more than two; `bounds` if the layout reaches elements beyond the
/// tile, if there is no thread `chosen`, or for more than 262,144 cells; `stride` if offsets are negative.
///
/// ```
/// use layout_algebra::draw;
/// use layout_algebra::prelude::*;
/// // What the threads of a warp have of the result of an `mma.m16n8k16`, thread 6 outlined.
/// let tv = layout!(((4, 8), (2, 2)):((32, 1), (16, 8)));
/// let picture = draw::thread_values(&tv, (16, 8), Some(6))?;
/// assert!(picture.svg().contains(">T6<"));
/// assert!(draw::thread_values(&tv, (8, 8), None).is_err());
/// # Ok::<(), LayoutError>(())
/// ```
pub fn thread_values(
    threads: &impl Plain,
    tile: impl IntoDynShape,
    chosen: Option<usize>,
) -> Result<Picture, LayoutError> {
    let (threads, tile) = (threads.to_dynamic(), tile.into());
    let panel = || {
        let owners = owners(&threads)?;
        exists(chosen, threads.mode_size(0))?;
        deal(format!("{threads} in {tile}"), &tile, &owners, chosen)
    };
    panel().map(Picture::of).map_err(|fault| LayoutError::new("draw", fault).with_operands(&threads, &tile))
}

/// The threads and values of a thread-value layout.
pub(super) fn owners(threads: &DynLayout) -> Result<Owners, Fault> {
    if threads.rank() != 2 {
        return Err(Fault::Rank { needed: 2, rank: threads.rank() });
    }
    threads.fault().map_or(Ok(()), Err)?;
    few_enough(threads.size().max(threads.cosize()))?;
    Ok(ThreadValues::of(threads, "").owners)
}

/// Refuses to single out a thread that is not there.
pub(super) fn exists(chosen: Option<usize>, threads: usize) -> Result<(), Fault> {
    match chosen {
        Some(thread) if thread >= threads => Err(Fault::Thread { thread, threads }),
        _ => Ok(()),
    }
}

/// A tile whose elements belong to threads.
pub(super) fn deal(title: String, tile: &DynShape, owners: &Owners, chosen: Option<usize>) -> Result<Panel, Fault> {
    let (rows, columns) = sides(tile)?;
    let size = few_enough(tile.try_size().map_err(|error| error.fault())?)?;
    if owners.len() > size {
        return Err(Fault::Tile { cosize: owners.len(), size });
    }
    let values = owners.iter().flatten().map(|owner| owner.1 + 1).max().unwrap_or(0);
    let cell = |i: usize| match owners.get(i).map_or(&[][..], |owners| owners) {
        [] => Cell::default(),
        all @ [(thread, value), others @ ..] => {
            let texts: Vec<_> = all.iter().map(|(thread, value)| format!("T{thread}V{value}")).collect();
            let is_chosen = chosen.is_some_and(|chosen| all.iter().any(|owner| owner.0 == chosen));
            Cell {
                label: format!("{}\nV{value}", and_others(&format_args!("T{thread}"), others.len())),
                all: Some(texts.join(",")),
                number: Some(*thread),
                shade: shade(*value, values),
                mark: if is_chosen { Mark::Chosen } else { Mark::None },
            }
        }
    };
    Ok(Panel { title, rows, columns, scale: Scale::Hues, cells: (0..size).map(cell).collect() })
}
