//! What accesses to memory cost: the analysis of the library, with a sentence where it would panic.

use layout_algebra::DynStride;
use layout_algebra::analysis::{BankConflicts, WarpAccess};
use layout_algebra::prelude::*;
use layout_cli::AnyLayout;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::classes::{Layout, Swizzle};
use crate::convert::{maybe, natural, plain};
use crate::error::{Answer, Error, caught};

/// The most coordinates that are counted one by one.
const MOST: usize = 1 << 24;

/// The most that all swizzles are tried on: more than shared memory holds, and as many as
/// `best_shared_layout` takes.
const SEARCHED: usize = 1 << 19;

/// Of thread-value layouts too large to be counted. A mode is counted even if another one is empty.
fn few_enough(layout: &DynLayout) -> Answer<()> {
    match layout.size() > MOST || layout.modes().any(|mode| mode.size() > MOST) {
        true => Err(Error::Said(
            "bounds",
            format!("{layout} has more than {MOST} coordinates: they are counted"),
        )),
        false => Ok(()),
    }
}

/// A layout as the analysis takes it.
fn flat(layout: &AnyLayout) -> Answer<FlatLayout> {
    let flat = caught("stride", || layout.flat())?;
    flat.ok_or_else(|| {
        let what =
            "up to 32 leaves, no negative strides, and XOR strides only if they are a swizzle";
        Error::Said("stride", format!("the analysis takes layouts of {what}: this is {layout}"))
    })
}

/// A thread-value layout as the analysis takes it.
fn thread_values(threads: &DynLayout) -> Answer<FlatLayout> {
    few_enough(threads)?;
    // Within its two modes, modes that continue one another are fewer.
    match threads.rank() {
        2 => flat(&AnyLayout::Plain(threads.coalesce_by(&DynShape::from((1, 1)))?)),
        rank => Err(Error::Said(
            "rank",
            format!(
                "accesses are a layout of two modes, (thread, value), and {threads} has {rank}"
            ),
        )),
    }
}

/// Accesses to memory: who goes where, and how much at once.
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

/// Memory, if it has all elements that are accessed.
fn memory(layout: &AnyLayout, threads: &FlatLayout) -> Answer<FlatLayout> {
    let (cosize, size) = (threads.cosize(), layout.size());
    if cosize <= size {
        return flat(layout);
    }
    let reached = format!("the accesses reach {cosize} elements, and there are {size}");
    Err(Error::Said("bounds", format!("no analysis of {layout}: {reached}")))
}

/// What accesses to memory of this layout cost.
fn conflicts(py: Python<'_>, layout: &AnyLayout, access: &WarpAccess) -> Answer<BankConflicts> {
    let memory = memory(layout, access.threads())?;
    py.detach(|| caught("divisibility", || access.bank_conflicts(&memory)))
}

/// A dictionary of what is named.
macro_rules! dictionary {
    ($py:ident: $($name:literal: $value:expr),* $(,)?) => {{
        let dictionary = PyDict::new($py);
        $(dictionary.set_item($name, $value)?;)*
        Ok(dictionary.into_any())
    }};
}

/// Swizzles of up to 5 bits within so many bits of offsets, those of the fewest bits first.
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
    /// The layout with a swizzle that changes nothing in the place of its own.
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

    /// The swizzle under which accesses of these bits, which stay neighbours, have the fewest
    /// conflicts.
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
                // The first of several.
                costs.min_by_key(|&(conflicts, _)| conflicts)
            })
        })?;
        let [(_, write_bits), (_, read_bits)] = sides;
        let none = || {
            let sentence = format!(
                "under no swizzle of {} do writes of {write_bits} bits and reads of {read_bits} have neighbours",
                self.0
            );
            Error::Said("divisibility", sentence)
        };
        let (conflicts, swizzle) = best.ok_or_else(none)?;
        dictionary! { py:
            "swizzle": Swizzle(swizzle), "write_bits": write_bits, "read_bits": read_bits, "conflicts": conflicts,
        }
    }
}

#[pymethods]
impl Layout {
    /// The bank conflicts of all accesses of all warps to shared memory of this layout: passes
    /// beyond the least number.
    ///
    /// ``accesses`` is a thread-value layout, (thread, value) to the number of a coordinate of this
    /// layout. An element has ``element_bits``; a thread moves ``bits`` at once, one element if
    /// they are not given; ``ldmatrix`` is the number of 8 x 8 matrices of such an instruction.
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
    /// memory of this layout, and the fewest that could hold as much; ``ratio`` 1 is the best.
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

    /// How many bits each thread can move at once: values that are neighbours in memory of this
    /// layout, aligned.
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

    /// The swizzle of this layout of shared memory under which writes and reads take the fewest
    /// accesses, and of these the one with the fewest bank conflicts; all are tried, on up to 2^19
    /// elements. With ``bits``, writes are of so many bits, and reads of ``read_bits``, or as many;
    /// then ``conflicts`` is the sum of what ``bank_conflicts`` counts. Of a swizzled layout it is
    /// the swizzle in the place of its own.
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
        if let Some(tile) = [&writes, &reads].into_iter().find(|tile| tile.size() > SEARCHED) {
            let sentence = format!(
                "{tile} has {} elements, and all swizzles are tried on up to {SEARCHED}",
                tile.size()
            );
            return Err(Error::Said("bounds", sentence));
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

/// The best layout of shared memory for a tile that is written in one way and read in another, both
/// thread-value layouts to numbers of elements; proven the best of all linear layouts. A
/// dictionary: ``layout``, ``write_bits``, ``read_bits``, ``passes``, ``accesses``, ``conflicts``,
/// ``is_optimal``.
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
