//! `layout(..)` with a coordinate or a slice, and `layout[..]` with modes.

use layout_algebra::Layout as _;
use layout_algebra::prelude::DynSlice;
use layout_cli::{AnyLayout, either};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyEllipsis, PySlice, PyTuple};

use crate::classes::Layout;
use crate::convert::{self, int};
use crate::error::{Answer, Error, guarded};
use crate::index;

#[pymethods]
impl Layout {
    #[pyo3(signature = (*coordinate))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        coordinate: &Bound<'py, PyTuple>,
    ) -> Answer<Bound<'py, PyAny>> {
        guarded(|| {
            if let AnyLayout::Plain(layout) = &self.0 {
                if let Some(offset) = index::of_numbers(layout, coordinate) {
                    return Ok(int(py, offset as i128));
                }
            }
            let object = match coordinate.len() {
                1 => coordinate.get_item(0)?,
                _ => coordinate.as_any().clone(),
            };
            if let Some(coordinate) = convert::numbers(&object) {
                return Ok(int(py, index::offset(&self.0, &coordinate)?));
            }
            if let Some(array) = index::array(&object)? {
                return index::of_array(py, &self.0, &array);
            }
            if coordinate.len() > 1 {
                let arrays = coordinate
                    .iter()
                    .map(|mode| index::array(&mode))
                    .collect::<Answer<Vec<_>>>()?;
                if arrays.iter().any(Option::is_some) {
                    let numbers =
                        coordinate.iter().zip(arrays).map(|(mode, array)| array.unwrap_or(mode));
                    return index::of_arrays(py, &self.0, &numbers.collect::<Vec<_>>());
                }
            }
            if convert::keeps_something(&object)? {
                return Ok(self.slice(&object)?.0.into_pyobject(py)?.into_any());
            }
            Ok(int(py, index::offset(&self.0, &convert::shape(&object)?)?))
        })
    }

    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        modes: &Bound<'py, PyAny>,
    ) -> Answer<Bound<'py, PyAny>> {
        if let Ok(path) = modes.cast::<PyTuple>() {
            let mut at = Layout(self.0.clone()).into_pyobject(py)?.into_any();
            for mode in path.iter() {
                at = at.get_item(mode)?;
            }
            return Ok(at);
        }
        if modes.cast::<PyEllipsis>().is_ok() {
            return Ok(self.clone().into_pyobject(py)?.into_any());
        }
        let rank = either!(&self.0, layout => layout.rank());
        let taken = |first: isize, last: isize| {
            let (first, last) = (first as usize, last as usize);
            let taken = convert::on_inner(&self.0, |layout| {
                Ok(if last > first { layout.take(first, last)? } else { layout.mode(first)? })
            })?;
            Ok(taken.into_pyobject(py)?.into_any())
        };
        if let Ok(range) = modes.cast::<PySlice>() {
            let range = range.indices(rank as isize)?;
            if range.step == 1 && range.slicelength > 0 {
                return guarded(|| taken(range.start, range.stop));
            }
            return Err(Error::Reason(
                "rank",
                format!("a range of modes has steps of 1 and at least one of the {rank} modes"),
            ));
        }
        let mode = convert::mode(modes, rank)?;
        if mode >= rank {
            return Err(PyIndexError::new_err(format!(
                "there is no mode {mode} among {rank} modes"
            ))
            .into());
        }
        guarded(|| taken(mode as isize, mode as isize))
    }

    /// (R, offset) with R(x) + offset = A(c), where c is ``at`` with x in the place of None. CuTe's
    /// ``slice_and_offset``.
    ///
    /// >>> Layout("(4,6):(1,4)").slice((1, None))
    /// (Layout('6:4'), 1)
    /// >>> Layout("(4,6):(1,4)").slice("(1,2..4)")
    /// (Layout('2:4'), 9)
    fn slice(&self, at: &Bound<'_, PyAny>) -> Answer<(Self, usize)> {
        guarded(|| {
            let at = &convert::slice(at)?;
            let part = either!(&self.0, layout => {
                layout.slice(at).map(|(part, offset)| (part.into(), offset))
            })?;
            Ok(part)
        })
    }

    /// The tile at a coordinate among the tiles of a tiler, and the offset where the tile begins.
    /// CuTe's ``local_tile``.
    ///
    /// >>> Layout("(4,6):(1,4)").local_tile((2, 3), (1, 0))
    /// (Layout('(2,3):(1,4)'), 2)
    fn local_tile(&self, tiler: &Bound<'_, PyAny>, at: &Bound<'_, PyAny>) -> Answer<(Self, usize)> {
        let at = DynSlice::tuple([DynSlice::keep(), convert::slice(at)?])?;
        guarded(|| {
            let tiles = either!(&self.0, layout => {
                layout.zipped_divide(convert::right(tiler)?).map(Layout::from)
            })?;
            let tile = either!(&tiles.0, layout => {
                layout.slice(&at).map(|(tile, offset)| (tile.into(), offset))
            })?;
            Ok(tile)
        })
    }

    /// The part of the layout with this shape that begins at ``origin``, and its offset.
    ///
    /// >>> Layout("(4,6):(1,4)").window((1, 2), (2, 3))
    /// (Layout('(2,3):(1,4)'), 9)
    fn window(&self, origin: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> Answer<(Self, usize)> {
        guarded(|| {
            let (origin, shape) = (&convert::shape(origin)?, &convert::shape(shape)?);
            let part = either!(&self.0, layout => {
                layout.window(origin, shape).map(|(part, offset)| (part.into(), offset))
            })?;
            Ok(part)
        })
    }
}
