//! The threads and values of the elements of a tile.

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::{DynLayout, DynShape, Fault, Layout, LayoutError};

use crate::color::{Scale, shade};
use crate::drawn::{Plain, RunTimeLayout};
use crate::panel::{Cell, Mark, Panel, and_others, few_enough, sides};
use crate::picture::Picture;

/// The threads and values of each element of a tile.
pub(crate) type Owners = Vec<Vec<(usize, usize)>>;

/// See [`draw_thread_values`](crate::Draw::draw_thread_values).
pub(crate) fn thread_values(
    threads: &(impl Plain + ?Sized),
    tile: DynShape,
    chosen: Option<usize>,
) -> Result<Picture, LayoutError> {
    let threads = threads.to_dynamic();
    let panel = || {
        let owners = owners(&threads)?;
        exists(chosen, threads.mode_size(0))?;
        deal(format!("{threads} in {tile}"), &tile, &owners, chosen)
    };
    panel()
        .map(Picture::of)
        .map_err(|fault| LayoutError::new("draw", fault).with_operands(&threads, &tile))
}

/// The threads and values of a thread-value layout.
pub(crate) fn owners(threads: &DynLayout) -> Result<Owners, Fault> {
    if threads.rank() != 2 {
        return Err(Fault::Rank { needed: 2, rank: threads.rank() });
    }
    threads.fault().map_or(Ok(()), Err)?;
    few_enough(threads.size().max(threads.cosize()))?;
    let count = threads.mode_size(0);
    let mut owners = vec![Vec::new(); threads.cosize()];
    for i in 0..threads.size() {
        owners[threads.at(i)].push((i % count, i / count));
    }
    Ok(owners)
}

/// An error if there is no thread `chosen`.
pub(crate) fn exists(chosen: Option<usize>, threads: usize) -> Result<(), Fault> {
    match chosen {
        Some(thread) if thread >= threads => Err(Fault::Thread { thread, threads }),
        _ => Ok(()),
    }
}

/// A tile with the threads and values of its elements.
pub(crate) fn deal(
    title: String,
    tile: &DynShape,
    owners: &Owners,
    chosen: Option<usize>,
) -> Result<Panel, Fault> {
    let (rows, columns) = sides(tile)?;
    let size = few_enough(tile.try_size().map_err(|error| error.fault())?)?;
    if owners.len() > size {
        return Err(Fault::Tile { cosize: owners.len(), size });
    }
    let values = owners.iter().flatten().map(|owner| owner.1 + 1).max().unwrap_or(0);
    let cell = |i: usize| match owners.get(i).map_or(&[][..], |owners| owners) {
        [] => Cell::default(),
        all @ [(thread, value), others @ ..] => {
            let texts: Vec<_> =
                all.iter().map(|(thread, value)| format!("T{thread}V{value}")).collect();
            let is_chosen = chosen.is_some_and(|chosen| all.iter().any(|owner| owner.0 == chosen));
            Cell {
                label: format!(
                    "{}\nV{value}",
                    and_others(&format_args!("T{thread}"), others.len())
                ),
                all: Some(texts.join(",")),
                number: Some(*thread),
                shade: shade(*value, values),
                mark: if is_chosen { Mark::Chosen } else { Mark::None },
            }
        }
    };
    Ok(Panel { title, rows, columns, scale: Scale::Hues, cells: (0..size).map(cell).collect() })
}
