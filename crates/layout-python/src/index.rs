//! Offsets of one coordinate, and of NumPy's arrays of coordinates.
//!
//! ```text
//! offset(c) = sum over natural and negative strides + XOR over XOR strides, then the swizzle
//! ```
//!
//! An array is processed in blocks, with one loop for each leaf. A division by an extent is a
//! shift, or a multiplication by the extent's reciprocal where that is exact. Arrays that broadcast
//! to one shape are processed as they are, and NumPy adds the offsets. Coordinates beyond the
//! layout, which are rare, are indexed one by one. The arithmetic wraps: offsets of coordinates
//! beyond the layout are discarded.

use std::ops::Range;

use layout_algebra::prelude::*;
use layout_algebra::{DynStride, Fault};
use layout_cli::{AnyLayout, Value, find};
use numpy::{
    PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods,
};
use pulp::{Arch, NullaryFnOnce};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyTuple};

use crate::error::{Answer, Error};

/// The offset of a coordinate of any form.
pub(crate) fn offset(layout: &AnyLayout, coordinate: &DynShape) -> Answer<i128> {
    if let AnyLayout::Plain(layout) = layout {
        return match layout.try_index(coordinate) {
            Ok(offset) => Ok(offset as i128),
            Err(error) => layout
                .try_signed_index(coordinate)
                .map(|offset| offset as i128)
                .map_err(|_| error.into()),
        };
    }
    // Negative strides behind a swizzle: the offset is added first, and the sum is natural.
    if let AnyLayout::Swizzled(layout) = layout {
        let is_sum = !layout.inner().strides().any(|stride| matches!(stride, DynStride::Xor(_)));
        if let (true, Ok(signed)) = (is_sum, layout.inner().try_signed_index(coordinate)) {
            if let Some(before) = layout.offset().checked_add_signed(signed) {
                return Ok(layout.outer().apply(before) as i128);
            }
        }
    }
    let row = find("index").and_then(|row| {
        (row.call)(&[Value::Layout(layout.clone()), Value::Shape(coordinate.clone())])
    });
    match row {
        Some(Ok(Value::Number(offset))) => Ok(offset as i128),
        Some(Err(error)) => Err(error.into()),
        _ => Err(Error::Reason("profile", format!("{coordinate} is no coordinate of {layout}"))),
    }
}

/// The most modes of a coordinate on the fast path.
const MODES: usize = 8;

/// The fast path: the offset of an index, or of a number for each mode, in a layout without a
/// swizzle. `None` for other coordinates, and for refused or negative ones, whose error the caller
/// makes.
#[inline]
pub(crate) fn of_numbers(layout: &DynLayout, coordinate: &Bound<'_, PyTuple>) -> Option<usize> {
    let number =
        |k: usize| coordinate.get_borrowed_item(k).ok()?.cast_exact::<PyInt>().ok()?.extract().ok();
    let (mut numbers, count) = ([0; MODES], coordinate.len());
    if count == 1 {
        if let Ok(inner) = coordinate.get_borrowed_item(0).ok()?.cast_exact::<PyTuple>() {
            return if inner.len() > 1 { of_numbers(layout, &inner) } else { None };
        }
        return layout.try_index(number(0)?).ok();
    }
    if count > MODES || count != layout.rank() {
        return None;
    }
    for (k, place) in numbers[..count].iter_mut().enumerate() {
        *place = number(k)?;
    }
    layout.try_index(&numbers[..count]).ok()
}

/// The attributes of NumPy that this module uses, looked up once.
struct Numpy {
    ndarray: Py<PyAny>,
    masked: Py<PyAny>,
    asarray: Py<PyAny>,
    empty: Py<PyAny>,
    add: Py<PyAny>,
    int64: Py<PyAny>,
}

/// NumPy, if the program has imported it: otherwise there are no arrays.
fn numpy(py: Python<'_>) -> PyResult<Option<&'static Numpy>> {
    static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();
    if let Some(found) = NUMPY.get(py) {
        return Ok(Some(found));
    }
    let Ok(module) = py.import("sys")?.getattr("modules")?.get_item("numpy") else {
        return Ok(None);
    };
    let part = |name: &str| Ok::<_, PyErr>(module.getattr(name)?.unbind());
    let found = Numpy {
        ndarray: part("ndarray")?,
        masked: module.getattr("ma")?.getattr("MaskedArray")?.unbind(),
        asarray: part("asarray")?,
        empty: part("empty")?,
        add: part("add")?,
        int64: module.call_method1("dtype", ("int64",))?.unbind(),
    };
    Ok(Some(NUMPY.get_or_init(py, || found)))
}

/// The object as a plain NumPy array, if it is an array with at least one axis; an array without
/// axes is a number. A subclass is read by `asarray`, for it may override methods.
pub(crate) fn array<'py>(object: &Bound<'py, PyAny>) -> Answer<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    let Some(numpy) = numpy(py)? else { return Ok(None) };
    let class = object.get_type();
    let mut array = object.clone();
    if !class.is(&numpy.ndarray) {
        if !class.is_subclass(numpy.ndarray.bind(py))? {
            return Ok(None);
        }
        if class.is_subclass(numpy.masked.bind(py))? {
            let masked =
                "a masked array has no coordinates where it is masked: pass the array's `data`";
            return Err(PyTypeError::new_err(masked).into());
        }
        array = numpy.asarray.bind(py).call1((object,))?;
    }
    let has_axes = array.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() > 0);
    Ok(has_axes.then_some(array))
}

/// A leaf of a layout, and how to divide by its extent.
struct Leaf {
    extent: u64,
    stride: Stride,
    /// The quotient is `x >> shift`, or `x * reciprocal >> 64`, or `x / extent`.
    divide: Divide,
}

#[derive(Clone, Copy)]
enum Stride {
    Sum(i64),
    Xor(u64),
}

enum Divide {
    Shift(u32),
    /// Exact for `x < 2^32` and extents below that: the error `reciprocal * extent - 2^64` is less
    /// than the extent.
    Reciprocal(u64),
    Plain,
}

/// A mode of a layout: its last coordinate, and its leaves, none if the layout is empty.
struct Mode {
    last: i64,
    leaves: Vec<Leaf>,
}

/// Coordinates in a block: its buffers fit in the L1 cache.
const BLOCK: usize = 1024;

impl Mode {
    fn of(mode: &DynLayout) -> Answer<Self> {
        let (shape, size) = (mode.shape(), mode.size() as u64);
        let leaf = |(&extent, stride): (&usize, DynStride)| {
            let divide = match extent as u64 {
                extent if extent.is_power_of_two() => Divide::Shift(extent.trailing_zeros()),
                extent if size <= 1 << 32 => Divide::Reciprocal(u64::MAX / extent + 1),
                _ => Divide::Plain,
            };
            let number = |stride| i64::try_from(stride).map_err(|_| beyond(mode));
            let stride = match stride {
                // The only coordinate is 0: the stride does not matter.
                _ if extent == 1 => Stride::Sum(0),
                DynStride::Natural(stride) => Stride::Sum(number(stride)?),
                DynStride::Negative(stride) => Stride::Sum(number(stride)?.wrapping_neg()),
                DynStride::Xor(stride) => Stride::Xor(stride as u64),
            };
            Ok(Leaf { extent: extent as u64, stride, divide })
        };
        let is_empty = size == 0;
        let leaves = shape.leaves().iter().zip(mode.strides()).filter(|_| !is_empty).map(leaf);
        let last = i64::try_from(size).map_or(i64::MAX, |size| size - 1);
        Ok(Mode { last, leaves: leaves.collect::<Answer<_>>()? })
    }

    /// Adds the offsets of the mode's coordinates to `sum` (writes them if `is_first`) and to
    /// `block.xor`. Returns whether all are coordinates of the mode; if not, `sum` is discarded.
    #[inline(always)]
    fn add(&self, numbers: &[i64], block: &mut Block, sum: &mut [i64], is_first: bool) -> bool {
        // Negative as soon as one coordinate is negative or beyond the last one.
        let mut beyond = 0;
        macro_rules! added {
            ($x:ident => $product:expr) => {
                if is_first {
                    for (sum, &$x) in sum.iter_mut().zip(numbers) {
                        beyond |= $x | self.last.wrapping_sub($x);
                        *sum = $product;
                    }
                } else {
                    for (sum, &$x) in sum.iter_mut().zip(numbers) {
                        beyond |= $x | self.last.wrapping_sub($x);
                        *sum = sum.wrapping_add($product);
                    }
                }
            };
        }
        match (&self.leaves[..], self.small_stride()) {
            (_, Some(1)) => added!(x => x),
            (_, Some(stride)) => added!(x => (x as u32 as u64 * stride as u64) as i64),
            (&[Leaf { stride: Stride::Sum(stride), .. }], _) => {
                added!(x => x.wrapping_mul(stride))
            }
            _ => {
                if is_first {
                    sum.fill(0);
                }
                for (rest, &x) in block.rest.iter_mut().zip(numbers) {
                    beyond |= x | self.last.wrapping_sub(x);
                    *rest = x as u64;
                }
                self.add_leaves(block, sum);
            }
        }
        beyond >= 0
    }

    /// Adds the offsets of the coordinates in `block.rest`, which is overwritten.
    #[inline(always)]
    fn add_leaves(&self, block: &mut Block, sum: &mut [i64]) {
        let count = sum.len();
        let (rest, digit) = (&mut block.rest[..count], &mut block.digit[..count]);
        for (k, leaf) in self.leaves.iter().enumerate() {
            macro_rules! digits {
                ($x:ident => $quotient:expr) => {
                    for (rest, digit) in rest.iter_mut().zip(digit.iter_mut()) {
                        let $x = *rest;
                        *rest = $quotient;
                        *digit = $x.wrapping_sub(rest.wrapping_mul(leaf.extent));
                    }
                };
            }
            match leaf.divide {
                // The rest is below the extent of the last leaf.
                _ if k + 1 == self.leaves.len() => digit.copy_from_slice(rest),
                Divide::Shift(shift) => digits!(x => x >> shift),
                Divide::Reciprocal(reciprocal) => {
                    digits!(x => ((x as u128).wrapping_mul(reciprocal as u128) >> 64) as u64)
                }
                Divide::Plain => digits!(x => x / leaf.extent),
            }
            match leaf.stride {
                Stride::Sum(stride) => {
                    for (sum, &digit) in sum.iter_mut().zip(digit.iter()) {
                        *sum = sum.wrapping_add((digit as i64).wrapping_mul(stride));
                    }
                }
                Stride::Xor(stride) => {
                    for bit in 0..u64::BITS - (leaf.extent - 1).leading_zeros() {
                        let image =
                            |digit: u64| (stride << bit) & (digit >> bit & 1).wrapping_neg();
                        let xors = block.xor.iter_mut().zip(digit.iter());
                        xors.for_each(|(xor, &digit)| *xor ^= image(digit));
                    }
                }
            }
        }
    }

    /// The stride of the only leaf, if the stride and the coordinates have 32 bits: vector units
    /// multiply 32 bits by 32 bits in one instruction.
    fn small_stride(&self) -> Option<u32> {
        match self.leaves[..] {
            [Leaf { stride: Stride::Sum(stride), .. }] if self.last < 1 << 32 => {
                stride.try_into().ok()
            }
            _ => None,
        }
    }

    fn has_xor(&self) -> bool {
        self.leaves.iter().any(|leaf| matches!(leaf.stride, Stride::Xor(_)))
    }
}

fn beyond(layout: &DynLayout) -> Error {
    LayoutError::new("index", Fault::Overflow).with_operand(layout).into()
}

/// The buffers of a block, empty if no mode needs them.
struct Block {
    rest: Vec<u64>,
    digit: Vec<u64>,
    xor: Vec<u64>,
}

/// Writes the offsets of two modes of one leaf each in one pass, if coordinates and strides have 32
/// bits; returns whether all are coordinates of the modes. `None` for other modes.
#[inline(always)]
fn add_both(modes: &[Mode], numbers: [&[i64]; 2], out: &mut [i64]) -> Option<bool> {
    let [(first, a), (second, b)] = match modes {
        [first, second] => [(first, first.small_stride()?), (second, second.small_stride()?)],
        _ => return None,
    };
    let mut beyond = 0;
    for ((out, &x), &y) in out.iter_mut().zip(numbers[0]).zip(numbers[1]) {
        beyond |= x | first.last.wrapping_sub(x) | y | second.last.wrapping_sub(y);
        let (x, y) = (x as u32 as u64 * a as u64, y as u32 as u64 * b as u64);
        *out = x.wrapping_add(y) as i64;
    }
    Some(beyond >= 0)
}

/// The offset that is added before the swizzle.
fn offset_of(layout: &AnyLayout) -> i64 {
    if let AnyLayout::Swizzled(layout) = layout { layout.offset() as i64 } else { 0 }
}

/// Adds `offset` to the offsets of the inner layout, and swizzles them.
#[inline(always)]
fn swizzle(layout: &AnyLayout, out: &mut [i64], offset: i64) -> Answer<()> {
    let AnyLayout::Swizzled(layout) = layout else { return Ok(()) };
    let (bits, base, shift) = layout.outer().parameters();
    // A swizzle of no bits may have any base and shift: they could overflow below.
    let (base, distance) = if bits == 0 { (0, 0) } else { (base, shift.unsigned_abs()) };
    let read = ((1u64 << bits) - 1) << (base + if shift > 0 { distance } else { 0 });
    let mut all = 0;
    macro_rules! swizzled {
        ($x:ident => $moved:expr) => {
            for out in out.iter_mut() {
                let $x = out.wrapping_add(offset) as u64;
                *out = ($x ^ $moved) as i64;
                all |= *out;
            }
        };
    }
    match shift > 0 {
        true => swizzled!(x => (x & read) >> distance),
        false => swizzled!(x => (x & read) << distance),
    }
    if all < 0 { Err(beyond(&layout.inner())) } else { Ok(()) }
}

/// Computes the offsets of a block of coordinates; returns whether all belong to the layout. A
/// closure would not be compiled for the instruction set that is dispatched to.
struct AddBlock<'a> {
    modes: &'a [Mode],
    numbers: &'a [&'a [i64]],
    block: Range<usize>,
    buffers: &'a mut Block,
    out: &'a mut [i64],
    /// If there are XOR strides, the offset to add before their bits are XORed.
    offset: Option<i64>,
}

impl NullaryFnOnce for AddBlock<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let AddBlock { modes, numbers, block, buffers, out, offset } = self;
        if let &[x, y] = numbers {
            if let Some(within) = add_both(modes, [&x[block.clone()], &y[block.clone()]], out) {
                return within;
            }
        }
        for (k, (mode, numbers)) in modes.iter().zip(numbers).enumerate() {
            if !mode.add(&numbers[block.clone()], buffers, out, k == 0) {
                return false;
            }
        }
        if let Some(offset) = offset {
            for (out, xor) in out.iter_mut().zip(&buffers.xor) {
                *out = out.wrapping_add(offset) ^ *xor as i64;
            }
        }
        true
    }
}

/// Computes the offsets of coordinates, given as an array for each mode. Blocks with a coordinate
/// beyond a mode are indexed one by one through `coordinate`; without it, the result is `false`.
fn offsets(
    layout: &AnyLayout,
    modes: &[Mode],
    numbers: &[&[i64]],
    coordinate: Option<&(dyn Fn(usize) -> DynShape + Sync)>,
    out: &mut [i64],
) -> Answer<bool> {
    let fits = layout.size() > 0 && i64::try_from(layout.strided().cosize()).is_ok();
    let (has_xor, before) = (modes.iter().any(Mode::has_xor), offset_of(layout));
    let vectorised = Arch::new();
    let length = |needed| if needed { BLOCK.min(out.len()) } else { 0 };
    let has_leaves = length(modes.iter().any(|mode| mode.leaves.len() != 1 || mode.has_xor()));
    let mut buffers = Block {
        rest: vec![0; has_leaves],
        digit: vec![0; has_leaves],
        xor: vec![0; length(has_xor)],
    };
    for (block, out) in out.chunks_mut(BLOCK).enumerate() {
        let begin = block * BLOCK;
        if has_xor {
            buffers.xor.fill(0);
        }
        let block = begin..begin + out.len();
        // With the widest registers of this processor.
        let within = fits
            && vectorised.dispatch(AddBlock {
                modes,
                numbers,
                block,
                buffers: &mut buffers,
                out: &mut *out,
                offset: has_xor.then_some(before),
            });
        if within {
            swizzle(layout, out, if has_xor { 0 } else { before })?;
            continue;
        }
        let Some(coordinate) = coordinate else { return Ok(false) };
        let least = numbers.iter().flat_map(|numbers| &numbers[begin..begin + out.len()]).min();
        if let Some(least) = least.filter(|&&least| least < 0) {
            let sentence =
                format!("a coordinate is a natural number below 2^63, and one is {least}");
            return Err(Error::Reason("bounds", sentence));
        }
        for (i, out) in out.iter_mut().enumerate() {
            let offset = offset(layout, &coordinate(begin + i))?;
            *out = i64::try_from(offset).map_err(|_| beyond(&layout.strided()))?;
        }
    }
    Ok(true)
}

/// Arrays shorter than this are processed by one thread.
const SHORT: usize = 1 << 17;

/// Runs `work` on the parts of an array, each with the index of its first element, in threads.
/// `false` if one of them returns `false`.
fn in_threads(
    out: &mut [i64],
    work: impl Fn(usize, &mut [i64]) -> Answer<bool> + Sync,
) -> Answer<bool> {
    // `available_parallelism` reads files, which takes longer than a short array.
    let processors = || std::thread::available_parallelism().map_or(1, |threads| threads.get());
    let threads = if out.len() < SHORT { 1 } else { processors().min(8) };
    if threads == 1 {
        return work(0, out);
    }
    let part = out.len().div_ceil(threads).next_multiple_of(BLOCK);
    std::thread::scope(|scope| {
        let work = &work;
        let parts = out.chunks_mut(part).enumerate();
        let all: Vec<_> = parts.map(|(k, out)| scope.spawn(move || work(k * part, out))).collect();
        let panicked = |_| Error::Reason("overflow", "a thread panicked".into());
        all.into_iter().try_fold(true, |done, thread| Ok(thread.join().map_err(panicked)?? && done))
    })
}

/// An array of integers as contiguous `int64`: the array itself if it is such, otherwise a copy. No
/// other thread of Python writes it while it is borrowed.
fn whole<'py>(array: &Bound<'py, PyAny>) -> Answer<PyReadonlyArrayDyn<'py, i64>> {
    let readonly = |array: &Bound<'py, PyArrayDyn<i64>>| {
        array.try_readonly().map_err(|error| PyTypeError::new_err(error.to_string()).into())
    };
    if let Ok(array) = array.cast::<PyArrayDyn<i64>>() {
        if array.is_c_contiguous() {
            return readonly(array);
        }
    }
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        let sentence =
            format!("coordinates are whole numbers, and these are of the type {}", dtype.str()?);
        return Err(PyTypeError::new_err(sentence).into());
    }
    // The cast below would wrap numbers above `i64::MAX`: they are refused by their value.
    if kind == "u"
        && dtype.getattr("itemsize")?.extract::<usize>()? == 8
        && array.getattr("size")?.gt(0)?
    {
        let most = array.call_method0("max")?;
        if most.gt(i64::MAX)? {
            let sentence =
                format!("a coordinate is a natural number below 2^63, and one is {}", most.str()?);
            return Err(Error::Reason("bounds", sentence));
        }
    }
    let copy = array.call_method1("astype", ("int64", "C"))?;
    readonly(copy.cast::<PyArrayDyn<i64>>().map_err(PyErr::from)?)
}

/// The elements of a contiguous array.
fn slice<'a>(array: &'a PyReadonlyArrayDyn<'_, i64>) -> Answer<&'a [i64]> {
    Ok(array.as_slice().map_err(|error| PyTypeError::new_err(error.to_string()))?)
}

/// Writes to an array that this module has made.
fn written<'py>(
    array: &Bound<'py, PyAny>,
    write: impl FnOnce(&mut [i64]) -> Answer<bool>,
) -> Answer<bool> {
    let mut writable = array.cast::<PyArrayDyn<i64>>().map_err(PyErr::from)?.readwrite();
    write(writable.as_slice_mut().map_err(|error| PyTypeError::new_err(error.to_string()))?)
}

/// The offsets of arrays of coordinates of one shape. `None` if a coordinate is beyond its mode and
/// `one_by_one` is false.
fn computed<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    modes: &[DynLayout],
    arrays: &[Bound<'py, PyAny>],
    one_by_one: bool,
) -> Answer<Option<Bound<'py, PyAny>>> {
    let Some(numpy) = numpy(py)? else { return Ok(None) };
    let read = arrays.iter().map(whole).collect::<Answer<Vec<_>>>()?;
    let numbers = read.iter().map(slice).collect::<Answer<Vec<_>>>()?;
    let modes = modes.iter().map(Mode::of).collect::<Answer<Vec<_>>>()?;
    let shape = PyTuple::new(py, read[0].shape())?;
    let out = numpy.empty.bind(py).call1((shape, &numpy.int64))?;
    let coordinate = |i: usize| match numbers[..] {
        [numbers] => DynShape::from(numbers[i] as usize),
        _ => DynShape::tuple(numbers.iter().map(|numbers| DynShape::from(numbers[i] as usize)))
            .expect("there are modes, and numbers are flat"),
    };
    let done = written(&out, |out| {
        in_threads(out, |begin, out| {
            let numbers: Vec<&[i64]> =
                numbers.iter().map(|numbers| &numbers[begin..begin + out.len()]).collect();
            let coordinate = |i| coordinate(begin + i);
            let coordinate =
                one_by_one.then_some(&coordinate as &(dyn Fn(usize) -> DynShape + Sync));
            offsets(layout, &modes, &numbers, coordinate, out)
        })
    })?;
    Ok(done.then_some(out))
}

/// The offsets of an array of numbers.
pub(crate) fn of_array<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    array: &Bound<'py, PyAny>,
) -> Answer<Bound<'py, PyAny>> {
    let found = computed(py, layout, &[layout.strided()], std::slice::from_ref(array), true)?;
    Ok(found.unwrap_or_else(|| array.clone()))
}

/// The offsets of coordinates, an array or a number for each mode.
pub(crate) fn of_arrays<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    coordinate: &[Bound<'py, PyAny>],
) -> Answer<Bound<'py, PyAny>> {
    let modes: Vec<_> = layout.strided().modes().collect();
    if modes.len() != coordinate.len() {
        return Err(LayoutError::new(
            "index",
            Fault::Rank { needed: coordinate.len(), rank: modes.len() },
        )
        .with_operand(layout)
        .into());
    }
    let shape = |array: &Bound<'py, PyAny>| {
        array.cast::<PyUntypedArray>().ok().map(|array| array.shape().to_vec())
    };
    let first = shape(&coordinate[0]);
    if first.is_some() && coordinate[1..].iter().all(|array| shape(array) == first) {
        if let Some(found) = computed(py, layout, &modes, coordinate, true)? {
            return Ok(found);
        }
    }
    if let Some(found) = added(py, layout, &modes, coordinate)? {
        return Ok(found);
    }
    let broadcast =
        py.import("numpy")?.call_method1("broadcast_arrays", PyTuple::new(py, coordinate)?)?;
    let arrays = broadcast.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    let found = computed(py, layout, &modes, &arrays, true)?;
    Ok(found.unwrap_or(broadcast))
}

/// `of_arrays` for arrays that broadcast: the offsets of each mode are computed alone, and NumPy
/// adds them. `None` with XOR strides, or if a coordinate is beyond its mode.
fn added<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    modes: &[DynLayout],
    coordinate: &[Bound<'py, PyAny>],
) -> Answer<Option<Bound<'py, PyAny>>> {
    let Some(numpy) = numpy(py)? else { return Ok(None) };
    let moves_bits = |stride| matches!(stride, DynStride::Xor(_));
    let cosize = i64::try_from(layout.strided().cosize());
    if layout.size() == 0 || cosize.is_err() || layout.strided().strides().any(moves_bits) {
        return Ok(None);
    }
    let mut sum: Option<Bound<'py, PyAny>> = None;
    for (mode, numbers) in modes.iter().zip(coordinate) {
        let numbers = numpy.asarray.bind(py).call1((numbers,))?;
        let mode_alone = AnyLayout::Plain(mode.clone());
        let modes = std::slice::from_ref(mode);
        let Some(found) = computed(py, &mode_alone, modes, &[numbers], false)? else {
            return Ok(None);
        };
        sum = Some(match sum {
            None => found,
            Some(sum) => numpy.add.bind(py).call1((sum, found))?,
        });
    }
    if let (Some(sum), AnyLayout::Swizzled(_)) = (&sum, layout) {
        let offset = offset_of(layout);
        let swizzled = |_, out: &mut [i64]| swizzle(layout, out, offset).map(|()| true);
        written(sum, |out| in_threads(out, swizzled))?;
    }
    Ok(sum)
}
