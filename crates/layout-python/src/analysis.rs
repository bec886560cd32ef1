//! What accesses to memory cost: the library's analysis, with a `LayoutError` where it would panic.

use layout_algebra::DynStride;
use layout_algebra::analysis::{BankConflicts, WarpAccess};
use layout_algebra::prelude::*;
use layout_cli::AnyLayout;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::classes::{Layout, Swizzle};
use crate::convert::{maybe, natural, plain};
use crate::error::{Answer, Error, caught};

/// The most coordinates that the analysis visits one by one.
const MAX_COORDINATES: usize = 1 << 24;

/// The most elements of a tile for which all swizzles are tried: more than shared memory holds, and
/// the limit of `best_shared_layout`.
const MAX_SEARCHED: usize = 1 << 19;

/// Refuses thread-value layouts with more than `MAX_COORDINATES` coordinates. A mode is visited
/// even if the other one is empty.
fn check_size(layout: &DynLayout) -> Answer<()> {
    match layout.size() > MAX_COORDINATES
        || layout.modes().any(|mode| mode.size() > MAX_COORDINATES)
    {
        true => Err(Error::Reason(
            "bounds",
            format!(
                "{layout} has more than {MAX_COORDINATES} coordinates, and the analysis visits \
                 each one"
            ),
        )),
        false => Ok(()),
    }
}

/// The layout in the form that the analysis takes.
fn flat(layout: &AnyLayout) -> Answer<FlatLayout> {
    let flat = caught("stride", || layout.flat())?;
    flat.ok_or_else(|| {
        let what =
            "up to 32 leaves, no negative strides, and XOR strides only if they are a swizzle";
        Error::Reason(
            "stride",
            format!("the analysis takes layouts of {what}, and this is {layout}"),
        )
    })
}

/// The thread-value layout in the form that the analysis takes.
fn thread_values(threads: &DynLayout) -> Answer<FlatLayout> {
    check_size(threads)?;
    // Each of the two modes is coalesced, since the number of leaves is limited.
    match threads.rank() {
        2 => flat(&AnyLayout::Plain(threads.coalesce_by(&DynShape::from((1, 1)))?)),
        rank => Err(Error::Reason(
            "rank",
            format!(
                "accesses are a layout of two modes, (thread, value), and {threads} has {rank}"
            ),
        )),
    }
}

/// Accesses to memory: the element of each (thread, value), and the bits of one access.
pub(crate) fn access(
    threads: &DynLayout,
    element_bits: usize,
    bits: Option<usize>,
    ldmatrix: Option<usize>,
) -> Answer<WarpAccess> {
    let threads = thread_values(threads)?;
    caught("divisibility", || match ldmatrix {
        Some(matrices) => WarpAccess::ldmatrix(&threads, element_bits, matrices),
        None => WarpAccess::new(&threads, element_bits, bits.unwrap_or(element_bits)),
    })
}

/// The layout of memory, if it has all elements that the accesses reach.
fn memory(layout: &AnyLayout, threads: &FlatLayout) -> Answer<FlatLayout> {
    let (cosize, size) = (threads.cosize(), layout.size());
    if cosize <= size {
        return flat(layout);
    }
    let reached = format!("the accesses reach {cosize} elements, and the layout has {size}");
    Err(Error::Reason("bounds", format!("no analysis of {layout}: {reached}")))
}

/// The bank conflicts of accesses to memory of this layout.
fn conflicts(py: Python<'_>, layout: &AnyLayout, access: &WarpAccess) -> Answer<BankConflicts> {
    let memory = memory(layout, access.threads())?;
    py.detach(|| caught("divisibility", || access.bank_conflicts(&memory)))
}

/// A dictionary of named values.
macro_rules! dictionary {
    ($py:ident: $($name:literal: $value:expr),* $(,)?) => {{
        let dictionary = PyDict::new($py);
        $(dictionary.set_item($name, $value)?;)*
        Ok(dictionary.into_any())
    }};
}

/// Swizzles of up to 5 bits on offsets of `within` bits, those of the fewest bits first.
fn swizzles(within: u32) -> impl Iterator<Item = DynSwizzle> {
    let some = (1..=5u32).flat_map(move |bits| {
        (bits..=within.saturating_sub(bits)).flat_map(move |distance| {
            [distance as i32, -(distance as i32)].into_iter().flat_map(move |shift| {
                (0..=within - bits - distance)
                    .filter_map(move |base| DynSwizzle::new(bits, base, shift).ok())
            })
        })
    });
    [DynSwizzle::IDENTITY].into_iter().chain(some)
}

impl Layout {
    /// The layout with the identity in place of its swizzle.
    fn unswizzled(&self) -> AnyLayout {
        match &self.0 {
            AnyLayout::Plain(_) => self.0.clone(),
            AnyLayout::Swizzled(layout) => AnyLayout::Swizzled(DynComposedLayout::new(
                DynSwizzle::IDENTITY,
                layout.offset(),
                layout.inner(),
            )),
        }
    }

    /// The swizzle with the fewest conflicts among those that keep the elements of each access
    /// adjacent.
    fn best_of_bits<'py>(
        &self,
        py: Python<'py>,
        sides: [(&DynLayout, usize); 2],
        element_bits: usize,
    ) -> Answer<Bound<'py, PyAny>> {
        let accesses = sides.map(|(threads, bits)| access(threads, element_bits, Some(bits), None));
        let [writes, reads] = accesses;
        let accesses = [writes?, reads?];
        for access in &accesses {
            memory(&self.unswizzled(), access.threads())?;
        }
        let (inner, cosize) = (self.0.strided(), self.unswizzled().try_cosize()?);
        let within = (usize::BITS - cosize.saturating_sub(1).leading_zeros()).min(16);
        let cost = |swizzle: DynSwizzle| {
            let memory =
                FlatLayout::of(&DynComposedLayout::new(swizzle, self.offset(), inner.clone()));
            let is_whole = |access: &WarpAccess| {
                let bits = access.access_bits();
                bits == element_bits
                    || memory.vector_width(access.threads(), element_bits, bits.div_ceil(8)) >= bits
            };
            accesses.iter().all(is_whole).then(|| {
                accesses
                    .iter()
                    .map(|access| access.bank_conflicts(&memory).conflicts)
                    .sum::<usize>()
            })
        };
        let best = py.detach(|| {
            caught("divisibility", || {
                let costs = swizzles(within).filter_map(|swizzle| Some((cost(swizzle)?, swizzle)));
                // `min_by_key` returns the first of equal ones.
                costs.min_by_key(|&(conflicts, _)| conflicts)
            })
        })?;
        let [(_, write_bits), (_, read_bits)] = sides;
        let none = || {
            let sentence = format!(
                "no swizzle of {} keeps the elements of writes of {write_bits} bits and reads of \
                 {read_bits} adjacent",
                self.0
            );
            Error::Reason("divisibility", sentence)
        };
        let (conflicts, swizzle) = best.ok_or_else(none)?;
        dictionary! { py:
            "swizzle": Swizzle(swizzle), "write_bits": write_bits, "read_bits": read_bits, "conflicts": conflicts,
        }
    }
}

#[pymethods]
impl Layout {
    /// The bank conflicts of all accesses of all warps to shared memory of this layout: the passes
    /// beyond the least number of passes.
    ///
    /// ``accesses`` is a thread-value layout, (thread, value) to the index of a coordinate of this
    /// layout. An element has ``element_bits``; a thread moves ``bits`` at once, by default one
    /// element; ``ldmatrix`` is the number of 8 x 8 matrices of an ``ldmatrix`` instruction.
    ///
    /// >>> Layout("(32,32):(32,1)").bank_conflicts("(32,1):(1,0)")
    /// 31
    /// >>> Layout("Sw<5,0,5> o 0 o (32,32):(32,1)").bank_conflicts("(32,1):(1,0)")
    /// 0
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn bank_conflicts(
        &self,
        py: Python<'_>,
        accesses: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
        #[pyo3(from_py_with = maybe)] ldmatrix: Option<usize>,
    ) -> Answer<usize> {
        let access = access(&*plain(accesses)?, element_bits, bits, ldmatrix)?;
        Ok(conflicts(py, &self.0, &access)?.conflicts)
    }

    /// What the accesses of ``bank_conflicts`` cost: instructions, phases, passes, conflicts, ways,
    /// the worst phase.
    ///
    /// >>> Layout("(32,32):(32,1)").bank_costs("(32,1):(1,0)")["passes"]
    /// 32
    #[pyo3(signature = (accesses, element_bits = 32, bits = None, ldmatrix = None))]
    fn bank_costs<'py>(
        &self,
        py: Python<'py>,
        accesses: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
        #[pyo3(from_py_with = maybe)] ldmatrix: Option<usize>,
    ) -> Answer<Bound<'py, PyAny>> {
        let access = access(&*plain(accesses)?, element_bits, bits, ldmatrix)?;
        let found = conflicts(py, &self.0, &access)?;
        dictionary! { py:
            "instructions": found.instructions, "phases": found.phases, "passes": found.passes,
            "conflicts": found.conflicts, "ways": found.ways, "worst": found.worst.map(|worst| worst.to_string()),
        }
    }

    /// The sectors of 32 bytes and lines of 128 that the accesses of all warps touch in global
    /// memory of this layout, and the fewest that hold as many bytes; ``ratio`` 1 is the best.
    ///
    /// >>> Layout("(64):(1)").coalescing("(32,1):(2,0)")["ratio"]
    /// 2.0
    #[pyo3(signature = (accesses, element_bits = 32, bits = None))]
    fn coalescing<'py>(
        &self,
        py: Python<'py>,
        accesses: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
    ) -> Answer<Bound<'py, PyAny>> {
        let access = access(&*plain(accesses)?, element_bits, bits, None)?;
        let memory = memory(&self.0, access.threads())?;
        let found = py.detach(|| caught("divisibility", || access.coalescing(&memory)))?;
        dictionary! { py:
            "instructions": found.instructions, "sectors": found.sectors, "lines": found.lines,
            "least_sectors": found.least_sectors, "least_lines": found.least_lines, "ratio": found.ratio(),
        }
    }

    /// How many bits each thread can move at once: values that are adjacent and aligned in memory
    /// of this layout.
    ///
    /// >>> Layout("(8,64):(64,1)").vector_width("(8,64):(1,8)", element_bits=16)
    /// 128
    #[pyo3(signature = (accesses, element_bits = 32, alignment = 16))]
    fn vector_width(
        &self,
        py: Python<'_>,
        accesses: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = natural)] alignment: usize,
    ) -> Answer<usize> {
        let threads = thread_values(&*plain(accesses)?)?;
        let memory = memory(&self.0, &threads)?;
        py.detach(|| {
            caught("divisibility", || memory.vector_width(&threads, element_bits, alignment))
        })
    }

    /// The swizzle of this layout of shared memory with which writes and reads take the fewest
    /// accesses, and among these the fewest bank conflicts. All swizzles are tried, on up to 2^19
    /// elements. ``bits`` fixes the bits of a write, and of a read unless ``read_bits`` does; then
    /// ``conflicts`` is the sum of ``bank_conflicts`` for both. The swizzle of a swizzled layout is
    /// replaced.
    ///
    /// >>> Layout("(8,64):(64,1)").best_swizzle("((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16)["swizzle"]
    /// Swizzle(3, 3, 3)
    /// >>> rows, columns = Layout("(32,32):(32,1)"), Layout("(32,32)")
    /// >>> Layout.right((32, 32)).best_swizzle(columns, rows, bits=32)["swizzle"]
    /// Swizzle(5, 0, 5)
    #[pyo3(signature = (writes, reads, element_bits = 32, bits = None, read_bits = None))]
    fn best_swizzle<'py>(
        &self,
        py: Python<'py>,
        writes: &Bound<'py, PyAny>,
        reads: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = natural)] element_bits: usize,
        #[pyo3(from_py_with = maybe)] bits: Option<usize>,
        #[pyo3(from_py_with = maybe)] read_bits: Option<usize>,
    ) -> Answer<Bound<'py, PyAny>> {
        let (writes, reads) = (plain(writes)?, plain(reads)?);
        if let Some(tile) = [&writes, &reads].into_iter().find(|tile| tile.size() > MAX_SEARCHED) {
            let sentence = format!(
                "{tile} has {} elements, and the search for a swizzle takes up to {MAX_SEARCHED}",
                tile.size()
            );
            return Err(Error::Reason("bounds", sentence));
        }
        if let Some(bits) = bits.or(read_bits) {
            let sides = [(&*writes, bits), (&*reads, read_bits.unwrap_or(bits))];
            return self.best_of_bits(py, sides, element_bits);
        }
        let (writes, reads) = (thread_values(&writes)?, thread_values(&reads)?);
        memory(&self.unswizzled(), &reads)?;
        let memory = memory(&self.unswizzled(), &writes)?;
        let best = py.detach(|| {
            caught("divisibility", || memory.best_swizzle(&writes, &reads, element_bits))
        })?;
        dictionary! { py:
            "swizzle": Swizzle(best.swizzle), "write_bits": best.write_bits, "read_bits": best.read_bits,
            "conflicts": best.conflicts,
        }
    }
}

/// The best layout of shared memory for a tile that threads write in one order and read in another,
/// given as two thread-value layouts to indices of elements. ``is_optimal`` says that no linear
/// layout is better. Returns a dictionary: ``layout``, ``write_bits``, ``read_bits``, ``passes``,
/// ``accesses``, ``conflicts``, ``is_optimal``.
///
/// >>> best = best_shared_layout("(32,32):(32,1)", "(32,32):(1,32)")
/// >>> best["write_bits"], best["read_bits"], best["conflicts"], best["is_optimal"]
/// (32, 128, 0, True)
#[pyfunction]
#[pyo3(signature = (writes, reads, element_bits = 32))]
pub(crate) fn best_shared_layout<'py>(
    py: Python<'py>,
    writes: &Bound<'py, PyAny>,
    reads: &Bound<'py, PyAny>,
    #[pyo3(from_py_with = natural)] element_bits: usize,
) -> Answer<Bound<'py, PyAny>> {
    let (writes, reads) = (thread_values(&*plain(writes)?)?, thread_values(&*plain(reads)?)?);
    let best =
        py.detach(|| caught("divisibility", || writes.best_shared_layout(&reads, element_bits)))?;
    let bits = best.basis().iter().map(|&offset| DynStride::Xor(offset));
    // A tile of one element has no bits.
    let layout = match DynShape::tuple(bits.clone().map(|_| DynShape::from(2))) {
        Ok(shape) => DynLayout::with_strides(shape, bits)?.coalesce(),
        Err(_) => DynLayout::left(&DynShape::from(1)),
    };
    dictionary! { py:
        "layout": Layout::from(layout), "write_bits": best.write_bits, "read_bits": best.read_bits,
        "passes": best.passes, "accesses": best.accesses, "conflicts": best.conflicts(), "is_optimal": best.is_optimal(),
    }
}
