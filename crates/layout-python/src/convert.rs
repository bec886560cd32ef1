//! Conversions between Python's objects (numbers, tuples, texts, the classes of this module) and
//! layouts, shapes, tilers and slices.
//!
//! Tuples are read depth first, down to the depth that text may have, and up to a number of
//! elements: a small list that contains another many times may be exponentially large.

use std::borrow::Cow;

use layout_algebra::prelude::*;
use layout_algebra::{DynStride, Fault};
use layout_cli::{AnyLayout, Kind, Value};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyEllipsis, PyInt, PyList, PySlice, PyString, PyTuple};

use crate::classes::{Layout, Swizzle, Tiler, Xor};
use crate::error::{Answer, Error, swizzled};

/// The most numbers of a tuple.
const NUMBERS: usize = 1 << 16;

/// Reads a tree of tuples, and counts how many elements may still come.
struct Reader {
    remaining: usize,
}

/// A `TypeError` for an operand of a wrong class.
fn wrong_type<T>(found: &Bound<'_, PyAny>, wanted: &str) -> Answer<T> {
    let class = found.get_type().name()?.to_string();
    Err(PyTypeError::new_err(format!("{wanted} is needed, and this is of type {class}")).into())
}

/// The elements of a tuple or a list.
fn elements<'py>(object: &Bound<'py, PyAny>) -> Option<Vec<Bound<'py, PyAny>>> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(tuple.iter().collect());
    }
    object.cast::<PyList>().ok().map(|list| list.iter().collect())
}

impl Reader {
    fn new() -> Self {
        Reader { remaining: NUMBERS }
    }

    /// Reads `object` as a tree: `leaf` reads what is no tuple, `tuple` joins the elements of one.
    fn tree<'py, T>(
        &mut self,
        object: &Bound<'py, PyAny>,
        depth: usize,
        leaf: &mut impl FnMut(&Bound<'py, PyAny>) -> Answer<T>,
        tuple: &impl Fn(Vec<T>) -> Result<T, LayoutError>,
    ) -> Answer<T> {
        let Some(elements) = elements(object) else { return leaf(object) };
        if depth == DynShape::MAX_DEPTH {
            return Err(
                LayoutError::new("tuple", Fault::Depth { limit: DynShape::MAX_DEPTH }).into()
            );
        }
        self.remaining = self.remaining.checked_sub(elements.len()).ok_or_else(|| {
            Error::Reason("bounds", format!("a tuple has more than {NUMBERS} elements"))
        })?;
        let items = elements.iter().map(|element| self.tree(element, depth + 1, leaf, tuple));
        Ok(tuple(items.collect::<Answer<Vec<T>>>()?)?)
    }
}

/// `operator.index(object)`, with any exception that it raises. `None` if the class has no
/// `__index__`.
fn index<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    static INDEX: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    // A subclass of `int` is read as its `int`; it may override `__index__`.
    if object.cast::<PyInt>().is_ok() {
        return Ok(Some(object.clone()));
    }
    let py = object.py();
    if !object.get_type().hasattr("__index__")? {
        return Ok(None);
    }
    let index = INDEX.get_or_try_init(py, || {
        Ok::<_, PyErr>(py.import("operator")?.getattr("index")?.unbind())
    })?;
    index.bind(py).call1((object,)).map(Some)
}

/// A natural number that `usize` holds.
pub(crate) fn number(object: &Bound<'_, PyAny>, wanted: &str) -> Answer<usize> {
    match signed(object, wanted)? {
        DynStride::Natural(number) => Ok(number),
        DynStride::Negative(number) | DynStride::Xor(number) => Err(Error::Reason(
            "bounds",
            format!("{wanted} is needed, and this is negative: -{number}"),
        )),
    }
}

/// A natural number.
pub(crate) fn count(object: &Bound<'_, PyAny>) -> Answer<usize> {
    number(object, "a natural number")
}

/// A natural number as an argument, with this module's error instead of PyO3's.
pub(crate) fn natural(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(count(object)?)
}

/// A natural number or `None` as an argument.
pub(crate) fn maybe(object: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
    if object.is_none() { Ok(None) } else { natural(object).map(Some) }
}

/// The number of a mode, or of the end of a range of modes; negative numbers count from the last
/// mode, -1.
pub(crate) fn mode(object: &Bound<'_, PyAny>, rank: usize) -> Answer<usize> {
    match signed(object, "the number of a mode")? {
        DynStride::Negative(back) => rank.checked_sub(back).ok_or_else(|| {
            PyIndexError::new_err(format!("there is no mode -{back} among {rank} modes")).into()
        }),
        DynStride::Natural(number) | DynStride::Xor(number) => Ok(number),
    }
}

/// Numbers of modes: a number, a tuple, or a text.
pub(crate) fn modes(object: &Bound<'_, PyAny>, rank: usize) -> Answer<Vec<usize>> {
    if text(object).is_some() {
        return Ok(shape(object)?.leaves().to_vec());
    }
    let mut leaf = |object: &Bound<'_, PyAny>| Ok(vec![mode(object, rank)?]);
    Reader::new().tree(object, 0, &mut leaf, &|items| Ok(items.concat()))
}

/// A number and its sign.
fn signed(object: &Bound<'_, PyAny>, wanted: &str) -> Answer<DynStride> {
    let Some(index) = index(object)? else { return wrong_type(object, wanted) };
    if let Ok(number) = index.extract::<usize>() {
        return Ok(DynStride::Natural(number));
    }
    let beyond = |_| {
        Error::Reason(
            "overflow",
            format!("{wanted} is needed, and this is beyond 2^{} - 1", usize::BITS),
        )
    };
    let below = |number: isize| DynStride::Negative(number.unsigned_abs());
    index.extract::<isize>().map(below).map_err(beyond)
}

/// The text of a `str`; `None` for other objects.
pub(crate) fn text(object: &Bound<'_, PyAny>) -> Option<String> {
    object.cast::<PyString>().ok().and_then(|text| text.extract().ok())
}

/// Two natural numbers.
fn pair(object: &Bound<'_, PyAny>) -> Option<[usize; 2]> {
    let pair = object.cast::<PyTuple>().ok().filter(|tuple| tuple.len() == 2)?;
    let number = |k| pair.get_borrowed_item(k).ok()?.cast_exact::<PyInt>().ok()?.extract().ok();
    Some([number(0)?, number(1)?])
}

/// The fast path for shapes and coordinates: numbers and nested tuples of numbers. `None` for other
/// objects, which the caller reads, or refuses with a reason: an exception raised and dropped here
/// would take longer than the rest.
pub(crate) fn numbers(object: &Bound<'_, PyAny>) -> Option<DynShape> {
    fn read(object: Borrowed<'_, '_, PyAny>, depth: usize, left: &mut usize) -> Option<DynShape> {
        if let Ok(number) = object.cast_exact::<PyInt>() {
            return number.extract::<usize>().ok().map(DynShape::from);
        }
        // A pair of numbers becomes a shape directly.
        if let (Some(pair), true) = (pair(&object), depth > 0) {
            return Some(DynShape::from(pair));
        }
        let tuple = object.cast_exact::<PyTuple>().ok().filter(|_| depth > 0)?;
        *left = left.checked_sub(tuple.len())?;
        let mut is_read = true;
        let items = tuple.iter_borrowed().map_while(|item| {
            let shape = read(item, depth - 1, left);
            is_read &= shape.is_some();
            shape
        });
        DynShape::tuple(items).ok().filter(|_| is_read)
    }
    read(object.as_borrowed(), DynShape::MAX_DEPTH, &mut { NUMBERS })
}

/// Any tuple of natural numbers: a shape, a coordinate, a profile.
pub(crate) fn shape(object: &Bound<'_, PyAny>) -> Answer<DynShape> {
    if let Some(numbers) = numbers(object) {
        return Ok(numbers);
    }
    if let Some(text) = text(object) {
        return Ok(text.parse()?);
    }
    let mut leaf =
        |object: &Bound<'_, PyAny>| Ok(DynShape::from(number(object, "a natural number")?));
    Reader::new().tree(object, 0, &mut leaf, &|items| DynShape::tuple(items))
}

/// The leaves of two congruent tuples, in preorder.
#[derive(Default)]
struct Leaves {
    profile: [u32; 16],
    nodes: usize,
    shape: [usize; 8],
    stride: [usize; 8],
    count: usize,
}

impl Leaves {
    fn read(
        &mut self,
        shape: Borrowed<'_, '_, PyAny>,
        stride: Borrowed<'_, '_, PyAny>,
    ) -> Option<()> {
        let node = self.profile.get_mut(self.nodes)?;
        self.nodes += 1;
        if let Ok(extent) = shape.cast_exact::<PyInt>() {
            *self.shape.get_mut(self.count)? = extent.extract().ok()?;
            self.stride[self.count] = stride.cast_exact::<PyInt>().ok()?.extract().ok()?;
            self.count += 1;
            return Some(());
        }
        let (shape, stride) =
            (shape.cast_exact::<PyTuple>().ok()?, stride.cast_exact::<PyTuple>().ok()?);
        let rank = Some(shape.len()).filter(|&rank| rank > 0 && rank == stride.len())?;
        *node = u32::try_from(rank).ok()?;
        (0..rank).try_for_each(|k| {
            self.read(shape.get_borrowed_item(k).ok()?, stride.get_borrowed_item(k).ok()?)
        })
    }
}

/// The fast path for a layout of two congruent tuples of natural numbers. `None` for other
/// operands, which the caller reads, or refuses with a reason.
pub(crate) fn of_tuples(shape: &Bound<'_, PyAny>, stride: &Bound<'_, PyAny>) -> Option<DynLayout> {
    let mut found = Leaves::default();
    found.read(shape.as_borrowed(), stride.as_borrowed())?;
    DynLayout::from_preorder(
        &found.profile[..found.nodes],
        &found.shape[..found.count],
        &found.stride[..found.count],
    )
}

/// The layout of a shape and a stride, whose numbers may be negative, or XOR strides.
pub(crate) fn of_strides(shape: &DynShape, stride: &Bound<'_, PyAny>) -> Answer<DynLayout> {
    if let Some(numbers) = numbers(stride) {
        return Ok(DynLayout::new(shape, numbers)?);
    }
    if let Some(text) = text(stride) {
        return Ok(format!("{shape}:{text}").parse()?);
    }
    let mut strides = Vec::new();
    let mut leaf = |object: &Bound<'_, PyAny>| {
        let stride = match object.cast::<Xor>() {
            Ok(xor) => DynStride::Xor(xor.get().0),
            Err(_) => signed(object, "a number")?,
        };
        strides.push(stride);
        let (DynStride::Natural(number) | DynStride::Negative(number) | DynStride::Xor(number)) =
            stride;
        Ok(DynShape::from(number))
    };
    let numbers = Reader::new().tree(stride, 0, &mut leaf, &|items| DynShape::tuple(items))?;
    let is_natural = strides.iter().all(|stride| matches!(stride, DynStride::Natural(_)));
    match is_natural || !shape.congruent(&numbers) {
        true => Ok(DynLayout::new(shape, numbers)?),
        false => Ok(DynLayout::with_strides(shape, strides)?),
    }
}

/// The layout of another package's object, or of another program's text; `None` if it is no layout.
fn of_others(object: &Bound<'_, PyAny>) -> Answer<Option<AnyLayout>> {
    let read = object.py().import("layout_algebra._others")?.getattr("read")?.call1((object,))?;
    Ok(read.cast::<Layout>().ok().map(|layout| layout.get().0.clone()))
}

/// An object that is neither a number nor a tuple.
fn is_foreign(object: &Bound<'_, PyAny>) -> Answer<bool> {
    let is_known = object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyList>();
    Ok(!is_known && !object.is_none() && !object.get_type().hasattr("__index__")?)
}

/// A layout: a `Layout`, its text, a shape, which gets strides from the left, or another package's
/// layout.
pub(crate) fn layout(object: &Bound<'_, PyAny>) -> Answer<AnyLayout> {
    if let Ok(layout) = object.cast::<Layout>() {
        return Ok(layout.get().0.clone());
    }
    if let Some(numbers) = numbers(object) {
        return Ok(AnyLayout::Plain(DynLayout::try_left(&numbers)?));
    }
    if let Some(text) = text(object) {
        return match text.parse::<AnyLayout>() {
            Ok(layout) => Ok(Layout::from(layout).0),
            Err(error) => of_others(object)?.ok_or(Error::Refused(error)),
        };
    }
    if is_foreign(object)? {
        let wanted = "a layout, its text, a shape, or an object with a shape and a stride";
        return of_others(object)?.map_or_else(|| wrong_type(object, wanted), Ok);
    }
    Ok(AnyLayout::Plain(DynLayout::try_left(&shape(object)?)?))
}

/// Applies `work` to the layout, or to the layout behind the swizzle, which stays.
pub(crate) fn on_inner(
    layout: &AnyLayout,
    work: impl FnOnce(&DynLayout) -> Answer<DynLayout>,
) -> Answer<Layout> {
    let inner = match layout {
        AnyLayout::Plain(layout) => return Ok(work(layout)?.into()),
        AnyLayout::Swizzled(layout) => work(&layout.inner())?,
    };
    Ok(layout.on_inner(|_| Ok(inner))?.into())
}

/// A layout without a swizzle.
pub(crate) fn plain<'a>(object: &'a Bound<'_, PyAny>) -> Answer<Cow<'a, DynLayout>> {
    if let Ok(layout) = object.cast::<Layout>() {
        return layout.get().plain("this operand").map(Cow::Borrowed);
    }
    match layout(object)? {
        AnyLayout::Plain(layout) => Ok(Cow::Owned(layout)),
        AnyLayout::Swizzled(layout) => Err(swizzled("this operand", &layout)),
    }
}

/// A mode that is kept whole: `None`, `...` or `:`.
fn is_kept(object: &Bound<'_, PyAny>) -> Answer<bool> {
    if object.is_none() || object.cast::<PyEllipsis>().is_ok() {
        return Ok(true);
    }
    let Ok(slice) = object.cast::<PySlice>() else { return Ok(false) };
    let parts = ["start", "stop", "step"].into_iter().map(|part| slice.getattr(part));
    Ok(parts.collect::<PyResult<Vec<_>>>()?.iter().all(|part| part.is_none()))
}

/// A right operand: most often a layout, which is borrowed.
pub(crate) enum Right<'a> {
    Layout(&'a DynLayout),
    Tiler(Box<DynTiler>),
}

impl From<Right<'_>> for DynTiler {
    #[inline]
    fn from(right: Right<'_>) -> DynTiler {
        match right {
            Right::Layout(layout) => layout.into(),
            Right::Tiler(tiler) => *tiler,
        }
    }
}

/// A tiler: a `Tiler`, its text, a number, a layout, or a tuple of these, one for each mode, with
/// `None` for a mode that stays as it is.
#[inline]
pub(crate) fn right<'a>(object: &'a Bound<'_, PyAny>) -> Answer<Right<'a>> {
    match object.cast::<Layout>() {
        Ok(layout) => layout.get().plain("this operand").map(Right::Layout),
        Err(_) => Ok(Right::Tiler(Box::new(tiler(object)?))),
    }
}

pub(crate) fn tiler(object: &Bound<'_, PyAny>) -> Answer<DynTiler> {
    if let Some(pair) = pair(object) {
        return Ok(DynTiler::tuple(pair)?);
    }
    let mut leaf = |object: &Bound<'_, PyAny>| {
        if let Ok(tiler) = object.cast::<Tiler>() {
            return Ok(tiler.get().0.clone());
        }
        if let Some(text) = text(object) {
            return Ok(text.parse()?);
        }
        match object.cast::<Layout>() {
            Ok(layout) => Ok(layout.get().plain("this operand")?.into()),
            Err(_) if is_kept(object)? => Ok(DynTiler::keep()),
            Err(_) if is_foreign(object)? => Ok(plain(object)?.into_owned().into()),
            Err(_) => {
                Ok(number(object, "a tiler (a layout, a number, None, or a tuple of these)")?
                    .into())
            }
        }
    };
    Reader::new().tree(object, 0, &mut leaf, &|items| DynTiler::tuple(items))
}

/// A coordinate that may keep modes: `None`, `...` and `:` keep a whole mode, `a:b` a range.
pub(crate) fn slice(object: &Bound<'_, PyAny>) -> Answer<DynSlice> {
    if let Some(text) = text(object) {
        return Ok(text.parse()?);
    }
    let mut leaf = |object: &Bound<'_, PyAny>| {
        if is_kept(object)? {
            return Ok(DynSlice::keep());
        }
        let Ok(range) = object.cast::<PySlice>() else {
            return Ok(DynSlice::from(number(object, "a natural number, a range or None")?));
        };
        let part = |name: &str| match range.getattr(name)? {
            none if none.is_none() => Ok(None),
            bound => number(&bound, "a natural number").map(Some),
        };
        if part("step")?.is_some_and(|step| step != 1) {
            return Err(Error::Reason("bounds", "a range has steps of 1".into()));
        }
        let start = part("start")?.unwrap_or(0);
        Ok(match part("stop")? {
            Some(stop) => DynSlice::from(start..stop),
            None => DynSlice::from(start..),
        })
    };
    Reader::new().tree(object, 0, &mut leaf, &|items| DynSlice::tuple(items))
}

/// Does the coordinate keep a mode or a range, so that it is a slice?
pub(crate) fn keeps_something(object: &Bound<'_, PyAny>) -> Answer<bool> {
    let mut kept = false;
    let mut leaf = |object: &Bound<'_, PyAny>| {
        kept |= object.is_none()
            || object.cast::<PySlice>().is_ok()
            || object.cast::<PyEllipsis>().is_ok();
        Ok(())
    };
    Reader::new().tree(object, 0, &mut leaf, &|_| Ok(()))?;
    Ok(kept)
}

/// The swizzle of these parameters.
pub(crate) fn swizzle_of(
    bits: &Bound<'_, PyAny>,
    base: &Bound<'_, PyAny>,
    shift: &Bound<'_, PyAny>,
) -> Answer<DynSwizzle> {
    // Numbers beyond 32 bits saturate: no swizzle has them.
    let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let distance = match signed(shift, "a number")? {
        DynStride::Negative(down) => -i32::try_from(down).unwrap_or(i32::MAX),
        DynStride::Natural(up) | DynStride::Xor(up) => i32::try_from(up).unwrap_or(i32::MAX),
    };
    Ok(DynSwizzle::new(small(count(bits)?), small(count(base)?), distance)?)
}

/// A swizzle: a `Swizzle`, its text, or its three numbers.
pub(crate) fn swizzle(object: &Bound<'_, PyAny>) -> Answer<DynSwizzle> {
    match (object.cast::<Swizzle>(), text(object)) {
        (Ok(swizzle), _) => Ok(swizzle.get().0),
        (_, Some(text)) => Ok(text.parse()?),
        _ => match object.cast::<PyTuple>() {
            Ok(three) if three.len() == 3 => {
                swizzle_of(&three.get_item(0)?, &three.get_item(1)?, &three.get_item(2)?)
            }
            _ => wrong_type(object, "a swizzle, its text or its three numbers"),
        },
    }
}

/// An operand of this kind.
pub(crate) fn operand(kind: Kind, object: &Bound<'_, PyAny>) -> Answer<Value> {
    Ok(match kind {
        Kind::AnyLayout => Value::Layout(layout(object)?),
        Kind::Layout => Value::Layout(AnyLayout::Plain(plain(object)?.into_owned())),
        Kind::Tile => Value::Tile(tiler(object)?),
        Kind::Shape => Value::Shape(shape(object)?),
        Kind::Number => Value::Number(number(object, "a natural number")?),
        Kind::Modes => {
            Value::Shape(DynShape::tuple(modes(object, 0)?.into_iter().map(DynShape::from))?)
        }
        Kind::Slice => Value::Slice(slice(object)?),
        Kind::Swizzle => Value::Swizzle(swizzle(object)?),
    })
}

/// A Python `int`.
pub(crate) fn int(py: Python<'_>, number: i128) -> Bound<'_, PyAny> {
    let Ok(int) = match i64::try_from(number) {
        Ok(number) => number.into_pyobject(py),
        Err(_) => {
            return number
                .into_pyobject(py)
                .map_or_else(|_| py.None().into_bound(py), Bound::into_any);
        }
    };
    int.into_any()
}

/// Nested tuples of this profile, whose numbers `leaf` makes in order.
pub(crate) fn tuple_of<'py>(
    py: Python<'py>,
    profile: &DynShape,
    leaf: &mut impl FnMut() -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if profile.as_leaf().is_some() {
        return leaf();
    }
    let items = profile.children().map(|child| tuple_of(py, &child, leaf));
    Ok(PyTuple::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any())
}

/// A shape as Python's tuples.
pub(crate) fn to_tuple<'py>(py: Python<'py>, shape: &DynShape) -> PyResult<Bound<'py, PyAny>> {
    let mut leaves = shape.leaves().iter();
    tuple_of(py, shape, &mut || Ok(int(py, leaves.next().copied().unwrap_or(0) as i128)))
}

/// The strides of a layout as Python's tuples: numbers, negative ones, and `Xor`.
pub(crate) fn to_strides<'py>(py: Python<'py>, layout: &DynLayout) -> PyResult<Bound<'py, PyAny>> {
    let mut strides = layout.strides();
    tuple_of(py, &layout.shape(), &mut || match strides.next() {
        Some(DynStride::Xor(number)) => Ok(Xor(number).into_pyobject(py)?.into_any()),
        Some(DynStride::Negative(number)) => Ok(int(py, -(number as i128))),
        Some(DynStride::Natural(number)) => Ok(int(py, number as i128)),
        None => Ok(int(py, 0)),
    })
}

/// A result as an object of Python.
pub(crate) fn result<'py>(py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Layout(layout) => Ok(Layout::from(layout).into_pyobject(py)?.into_any()),
        Value::Part(layout, offset) => {
            Ok((Layout::from(layout), offset).into_pyobject(py)?.into_any())
        }
        Value::Shape(shape) => to_tuple(py, &shape),
        Value::Number(number) => Ok(int(py, number as i128)),
        Value::Bool(answer) => Ok(answer.into_pyobject(py)?.to_owned().into_any()),
        Value::Tile(tiler) => Ok(Tiler(tiler).into_pyobject(py)?.into_any()),
        Value::Swizzle(swizzle) => Ok(Swizzle(swizzle).into_pyobject(py)?.into_any()),
        Value::Slice(slice) => Ok(PyString::new(py, &slice.to_string()).into_any()),
    }
}
