//! Accesses of a warp to the banks of shared memory.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use layout_algebra::analysis::WarpAccess;
use layout_algebra::{ComposedLayout, DynSwizzle, Fault, FlatLayout, LayoutError};

use crate::axis::Axis;
use crate::color::Scale;
use crate::drawn::{Drawn, RunTimeLayout, Swizzled};
use crate::panel::{Cell, Mark, Panel, and_others, few_enough};
use crate::picture::Picture;

/// See [`draw_banks`](crate::Draw::draw_banks).
pub(crate) fn banks<L: Drawn + ?Sized>(
    memory: &L,
    access: &WarpAccess,
) -> Result<Picture, LayoutError> {
    let memory = memory.to_dynamic();
    let draw = || {
        let flat = flat(&memory)?;
        let panel = words("", &memory.to_string(), &flat, access, 0)?;
        Ok(with_totals(Picture::of(panel), &[&flat], access))
    };
    draw()
        .map_err(|fault| LayoutError::new("banks", fault).with_operands(&memory, access.threads()))
}

/// See [`draw_swizzle`](crate::Draw::draw_swizzle).
pub(crate) fn swizzle<L: Swizzled + ?Sized>(
    memory: &L,
    access: &WarpAccess,
) -> Result<Picture, LayoutError> {
    let memory = memory.to_dynamic();
    let plain = ComposedLayout::const_new(DynSwizzle::IDENTITY, memory.offset(), memory.inner());
    let draw = || {
        let (before, after) = (flat(&plain)?, flat(&memory)?);
        let rows = words("", "", &before, access, 0)?
            .rows
            .count()
            .max(words("", "", &after, access, 0)?.rows.count());
        let panels = vec![
            words("before: ", &memory.inner().to_string(), &before, access, rows)?,
            words("after: ", &memory.to_string(), &after, access, rows)?,
        ];
        // Below each other, so that the columns are the same banks.
        Ok(with_totals(Picture::column(memory.to_string(), panels), &[&before, &after], access))
    };
    draw()
        .map_err(|fault| LayoutError::new("banks", fault).with_operands(&memory, access.threads()))
}

/// The most leaves that the analysis takes.
const LEAVES: usize = 32;

/// A layout in the form that the analysis takes, if it takes it.
fn flat(memory: &impl RunTimeLayout) -> Result<FlatLayout, Fault> {
    memory.fault_of_analysis().map_or(Ok(()), Err)?;
    few_enough(memory.size())?;
    match memory.shape().leaves().len() {
        0..=LEAVES => Ok(FlatLayout::of(memory)),
        _ => Err(Fault::Leaves { limit: LEAVES }),
    }
}

/// The words of memory that the first access of the first warp needs, in at least `rows` rows.
fn words(
    name: &str,
    text: &str,
    memory: &FlatLayout,
    access: &WarpAccess,
    rows: usize,
) -> Result<Panel, Fault> {
    let (threads, element_bits, access_bits, banks) =
        (access.threads(), access.element_bits(), access.access_bits(), access.banks());
    few_enough(threads.size())?;
    if threads.cosize() > memory.size() {
        return Err(Fault::Tile { cosize: threads.cosize(), size: memory.size() });
    }
    // The widest access has 1024 bits.
    let most = memory.vector_width(threads, element_bits, 128);
    if access_bits > most || !(access_bits / element_bits).is_power_of_two() {
        return Err(Fault::Access { access_bits, most });
    }
    let phases = if threads.size() == 0 { Vec::new() } else { access.phases(memory, 0, 0) };
    // For each word its threads, and whether the same phase needs another word of its bank.
    let mut needed = BTreeMap::<u128, (BTreeSet<usize>, bool)>::new();
    for phase in &phases {
        let mut in_bank = BTreeMap::<u128, BTreeSet<u128>>::new();
        for &(_, word) in &phase.words {
            in_bank.entry(word % banks as u128).or_default().insert(word);
        }
        for &(thread, word) in &phase.words {
            let (threads, conflict) = needed.entry(word).or_default();
            threads.insert(thread);
            *conflict |= in_bank[&(word % banks as u128)].len() > 1;
        }
    }
    let last = needed.last_key_value().map_or(0, |(&word, _)| word / banks as u128);
    let rows = usize::try_from(last).map_or(usize::MAX, |last| last.saturating_add(1)).max(rows);
    few_enough(rows.saturating_mul(banks))?;
    let cell = |i: usize| match needed.get(&((i % rows * banks + i / rows) as u128)) {
        None => Cell::default(),
        Some((threads, conflict)) => {
            let first = threads.first().copied().unwrap_or(0);
            let all: Vec<_> = threads.iter().map(|thread| format!("T{thread}")).collect();
            Cell {
                label: and_others(&format_args!("T{first}"), threads.len() - 1),
                all: Some(all.join(",")),
                number: Some(first),
                shade: 0,
                mark: if *conflict { Mark::Conflict } else { Mark::None },
            }
        }
    };
    let passes: usize = phases.iter().map(|phase| phase.passes).sum();
    Ok(Panel {
        title: format!("{name}{text}, {}", cycles(passes, phases.len())),
        rows: Axis::numbers(rows, 1),
        columns: Axis::numbers(banks, 1),
        scale: Scale::Hues,
        cells: (0..rows * banks).map(cell).collect(),
    })
}

/// An explanation of passes and phases.
fn cycles(passes: usize, phases: usize) -> String {
    let plural = if passes == 1 { "" } else { "s" };
    match passes == phases {
        true => format!("{passes} cycle{plural}, free of conflicts"),
        false => format!("{passes} cycle{plural}, {phases} at best"),
    }
}

/// The picture with captions for the columns and, if there is more than one access, for the costs
/// of all.
fn with_totals(mut picture: Picture, memories: &[&FlatLayout], access: &WarpAccess) -> Picture {
    let across = format!("across: {} banks of {} bytes", access.banks(), access.bank_bytes());
    let what = format!("access 0 of warp 0, {} bits a thread", access.access_bits());
    let mut cells = picture.panels.iter().flat_map(|placed| &placed.panel.cells);
    // No caption for a mark that does not occur.
    let marked = match cells.any(|cell| cell.mark == Mark::Conflict) {
        true => "; outlined: words that wait for one another",
        false => "",
    };
    picture.notes.push(format!("{what}; {across}{marked}"));
    let all: Vec<_> = memories.iter().map(|memory| access.bank_conflicts(memory)).collect();
    if let Some(found) = all.first().filter(|found| found.instructions > 1) {
        let texts: Vec<_> = all.iter().map(|found| cycles(found.passes, found.phases)).collect();
        picture.notes.push(format!(
            "all {} accesses: {}",
            found.instructions,
            texts.join("; after: ")
        ));
    }
    picture
}
