//! Offsets of coordinates: of one, and of NumPy's arrays of them.
//!
//! ```text
//! offset(c) = sum over natural and negative strides + XOR over XOR strides, then the swizzle
//! ```
//!
//! An array is gone through in blocks, leaf by leaf: a loop of one kind of step for each leaf. A
//! division by an extent is a shift, or a multiplication by the extent's reciprocal where that is
//! exact. Coordinates beyond the layout, which are rare, are indexed one by one.

use layout_algebra::prelude::*;
use layout_algebra::{DynStride, Fault};
use layout_cli::{AnyLayout, Value, find};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
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
    let row = find("index").and_then(|row| {
        (row.call)(&[Value::Layout(layout.clone()), Value::Shape(coordinate.clone())])
    });
    match row {
        Some(Ok(Value::Number(offset))) => Ok(offset as i128),
        Some(Err(error)) => Err(error.into()),
        _ => Err(Error::Said("profile", "this is no coordinate".into())),
    }
}

/// The most modes of a coordinate that is read at once.
const MODES: usize = 8;

/// The offset of a number, or of numbers for modes, in a layout without a swizzle: what coordinates
/// are most often. What is refused, or negative, is left to those who say why.
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

/// This as an array of NumPy itself, if it is one with axes, for without any it is a number: of a
/// class below that one, what the array holds and not what the class says of it.
pub(crate) fn array<'py>(object: &Bound<'py, PyAny>) -> Answer<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    // There are no arrays before NumPy is there.
    let modules = py.import("sys")?.getattr("modules")?;
    let Ok(numpy) = modules.get_item("numpy") else { return Ok(None) };
    let class = object.get_type();
    let ndarray = numpy.getattr("ndarray")?;
    if !class.is(&ndarray) {
        if !class.is_subclass(&ndarray)? {
            return Ok(None);
        }
        if class.is_subclass(&numpy.getattr("ma")?.getattr("MaskedArray")?)? {
            let masked = "coordinates that are masked are none: hand in the array's `data`";
            return Err(PyTypeError::new_err(masked).into());
        }
    }
    let array = numpy.call_method1("asarray", (object,))?;
    Ok(array.getattr("ndim")?.is_truthy()?.then_some(array))
}

/// A leaf of a layout, and how numbers are divided by its extent.
struct Leaf {
    extent: u64,
    stride: Stride,
    /// The quotient is `x >> shift`, or `x * reciprocal >> 64`, or `x / extent`.
    divide: Divide,
}

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

/// Numbers in a block: they stay in the nearest cache.
const BLOCK: usize = 1024;

/// The leaves of a mode, whose numbers are below `size`.
fn leaves(mode: &DynLayout) -> Answer<Vec<Leaf>> {
    let shape = mode.shape();
    let leaf = |(&extent, stride): (&usize, DynStride)| {
        let divide = match extent as u64 {
            extent if extent.is_power_of_two() => Divide::Shift(extent.trailing_zeros()),
            extent if mode.size() as u64 <= 1 << 32 => Divide::Reciprocal(u64::MAX / extent + 1),
            _ => Divide::Plain,
        };
        let stride = match stride {
            // What does not move may have any stride.
            _ if extent == 1 => Stride::Sum(0),
            DynStride::Natural(stride) => {
                Stride::Sum(i64::try_from(stride).map_err(|_| beyond(mode))?)
            }
            DynStride::Negative(stride) => {
                Stride::Sum(i64::try_from(stride).map_err(|_| beyond(mode))?.wrapping_neg())
            }
            DynStride::Xor(stride) => Stride::Xor(stride as u64),
        };
        Ok(Leaf { extent: extent as u64, stride, divide })
    };
    shape.leaves().iter().zip(mode.strides()).map(leaf).collect()
}

fn beyond(layout: &DynLayout) -> Error {
    LayoutError::new("index", Fault::Overflow).with_operand(layout).into()
}

/// The buffers of a block.
struct Block {
    rest: [u64; BLOCK],
    digit: [u64; BLOCK],
    xor: [u64; BLOCK],
}

/// Adds the offsets of the numbers `block.rest`, each below the size of the leaves, which are used
/// up.
fn add(leaves: &[Leaf], block: &mut Block, sum: &mut [i64]) {
    let count = sum.len();
    let (rest, digit, xor) =
        (&mut block.rest[..count], &mut block.digit[..count], &mut block.xor[..count]);
    for (k, leaf) in leaves.iter().enumerate() {
        macro_rules! digits {
            ($x:ident => $quotient:expr) => {
                for (rest, digit) in rest.iter_mut().zip(digit.iter_mut()) {
                    let $x = *rest;
                    *rest = $quotient;
                    *digit = $x - *rest * leaf.extent;
                }
            };
        }
        match leaf.divide {
            // What is left for the last leaf is below its extent.
            _ if k + 1 == leaves.len() => digit.copy_from_slice(rest),
            Divide::Shift(shift) => digits!(x => x >> shift),
            Divide::Reciprocal(reciprocal) => {
                digits!(x => ((x as u128 * reciprocal as u128) >> 64) as u64)
            }
            Divide::Plain => digits!(x => x / leaf.extent),
        }
        match leaf.stride {
            Stride::Sum(stride) => {
                sum.iter_mut()
                    .zip(digit.iter())
                    .for_each(|(sum, &digit)| *sum += digit as i64 * stride);
            }
            Stride::Xor(stride) => {
                for bit in 0..u64::BITS - (leaf.extent - 1).leading_zeros() {
                    let image = |digit: u64| (stride << bit) & (digit >> bit & 1).wrapping_neg();
                    xor.iter_mut().zip(digit.iter()).for_each(|(xor, &digit)| *xor ^= image(digit));
                }
            }
        }
    }
}

/// The offsets of coordinates: `modes` are the modes of the layout that each array counts in.
fn offsets(
    layout: &AnyLayout,
    modes: &[DynLayout],
    numbers: &[&[i64]],
    coordinate: &(dyn Fn(usize) -> DynShape + Sync),
    out: &mut [i64],
) -> Answer<()> {
    let is_empty = layout.size() == 0;
    let all_leaves = modes.iter().map(|mode| if is_empty { Ok(Vec::new()) } else { leaves(mode) });
    let all_leaves = all_leaves.collect::<Answer<Vec<_>>>()?;
    let fits = !is_empty && i64::try_from(layout.strided().cosize()).is_ok();
    let mut buffers = Block { rest: [0; BLOCK], digit: [0; BLOCK], xor: [0; BLOCK] };
    for (block, out) in out.chunks_mut(BLOCK).enumerate() {
        let begin = block * BLOCK;
        let mut within = fits;
        out.fill(0);
        buffers.xor.fill(0);
        for ((mode, leaves), numbers) in modes.iter().zip(&all_leaves).zip(numbers) {
            let numbers = &numbers[begin..begin + out.len()];
            let (least, most) =
                numbers.iter().fold((0, 0), |(least, most), &x| (x.min(least), x.max(most)));
            if least < 0 {
                let sentence =
                    format!("a coordinate is a natural number below 2^63, and one is {least}");
                return Err(Error::Said("bounds", sentence));
            }
            within &= (most as u64) < mode.size() as u64;
            if within {
                buffers
                    .rest
                    .iter_mut()
                    .zip(numbers)
                    .for_each(|(rest, &number)| *rest = number as u64);
                add(leaves, &mut buffers, out);
            }
        }
        if !within {
            for (i, out) in out.iter_mut().enumerate() {
                let offset = offset(layout, &coordinate(begin + i))?;
                *out = i64::try_from(offset).map_err(|_| beyond(&layout.strided()))?;
            }
            continue;
        }
        match layout {
            // Natural strides share no bits with XOR strides.
            AnyLayout::Plain(_) => {
                out.iter_mut().zip(&buffers.xor).for_each(|(out, xor)| *out += *xor as i64)
            }
            AnyLayout::Swizzled(layout) => {
                let (swizzle, offset) = (layout.outer(), layout.offset());
                for (out, xor) in out.iter_mut().zip(&buffers.xor) {
                    let before = ((*out + offset as i64) as usize) ^ *xor as usize;
                    *out = i64::try_from(swizzle.apply(before))
                        .map_err(|_| beyond(&layout.inner()))?;
                }
            }
        }
    }
    Ok(())
}

/// Arrays shorter than this are gone through by one thread.
const SHORT: usize = 1 << 17;

/// Does the same to parts of an array, each with the number of its first element.
fn in_threads(
    out: &mut [i64],
    work: impl Fn(usize, &mut [i64]) -> Answer<()> + Sync,
) -> Answer<()> {
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(8));
    if out.len() < SHORT || threads == 1 {
        return work(0, out);
    }
    let part = out.len().div_ceil(threads).next_multiple_of(BLOCK);
    std::thread::scope(|scope| {
        let work = &work;
        let parts = out.chunks_mut(part).enumerate();
        let all: Vec<_> = parts.map(|(k, out)| scope.spawn(move || work(k * part, out))).collect();
        let panicked = |_| Error::Said("overflow", "a thread did not end well".into());
        all.into_iter().try_for_each(|thread| thread.join().map_err(panicked)?)
    })
}

/// An array as numbers of 64 bits one after the other, if they are whole numbers: a copy, which no
/// other thread writes while it is read here.
fn whole<'py>(array: &Bound<'py, PyAny>) -> Answer<PyReadonlyArray1<'py, i64>> {
    let dtype = array.getattr("dtype")?;
    let kind: String = dtype.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        let sentence =
            format!("coordinates are whole numbers, and these are of the type {}", dtype.str()?);
        return Err(PyTypeError::new_err(sentence).into());
    }
    // What 64 bits with a sign do not hold is named as it is.
    if kind == "u"
        && dtype.getattr("itemsize")?.extract::<usize>()? == 8
        && array.getattr("size")?.gt(0)?
    {
        let most = array.call_method0("max")?;
        if most.gt(i64::MAX)? {
            let sentence =
                format!("a coordinate is a natural number below 2^63, and one is {}", most.str()?);
            return Err(Error::Said("bounds", sentence));
        }
    }
    let copy = array.call_method1("astype", ("int64", "C"))?.call_method1("reshape", (-1,))?;
    Ok(copy.cast::<PyArray1<i64>>().map_err(PyErr::from)?.readonly())
}

/// The offsets of arrays of coordinates of one shape, `shaped` having that shape.
fn computed<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    modes: &[DynLayout],
    arrays: &[Bound<'py, PyAny>],
    shaped: &Bound<'py, PyAny>,
) -> Answer<Bound<'py, PyAny>> {
    let read = arrays.iter().map(whole).collect::<Answer<Vec<_>>>()?;
    let numbers = read.iter().map(|read| read.as_slice()).collect::<Result<Vec<_>, _>>();
    let numbers = numbers.map_err(|error| PyTypeError::new_err(error.to_string()))?;
    let out = PyArray1::<i64>::zeros(py, numbers.first().map_or(0, |first| first.len()), false);
    {
        let mut writable = out.readwrite();
        let out =
            writable.as_slice_mut().map_err(|error| PyTypeError::new_err(error.to_string()))?;
        let coordinate = |i: usize| match numbers[..] {
            [numbers] => DynShape::from(numbers[i] as usize),
            _ => DynShape::tuple(numbers.iter().map(|numbers| DynShape::from(numbers[i] as usize)))
                .expect("there are modes, and numbers are flat"),
        };
        py.detach(|| {
            in_threads(out, |begin, out| {
                let numbers: Vec<&[i64]> =
                    numbers.iter().map(|numbers| &numbers[begin..begin + out.len()]).collect();
                offsets(layout, modes, &numbers, &|i| coordinate(begin + i), out)
            })
        })?;
    }
    Ok(out.call_method1("reshape", (shaped.getattr("shape")?,))?)
}

/// The offsets of an array of numbers.
pub(crate) fn of_array<'py>(
    py: Python<'py>,
    layout: &AnyLayout,
    array: &Bound<'py, PyAny>,
) -> Answer<Bound<'py, PyAny>> {
    computed(py, layout, &[layout.strided()], std::slice::from_ref(array), array)
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
    let broadcast =
        py.import("numpy")?.call_method1("broadcast_arrays", PyTuple::new(py, coordinate)?)?;
    let arrays = broadcast.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    computed(py, layout, &modes, &arrays, &arrays[0])
}
