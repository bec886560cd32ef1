//! The operations of the algebra, one row for each: the library's method of the same name, with its
//! law and an example.

use layout_algebra::prelude::*;
use layout_cli::AnyLayout;
use pyo3::prelude::*;

use crate::classes::Layout;
use crate::convert::{self, count, plain, right};
use crate::error::{Answer, guarded};

/// The result of an operation as a Python object, constructed in place: a layout has 300 bytes, and
/// moving it would take as long as the shorter operations.
#[inline]
fn made<T: Into<Layout>>(
    py: Python<'_>,
    layout: Result<T, LayoutError>,
) -> Answer<Bound<'_, Layout>> {
    Ok(Bound::new(py, layout?.into())?)
}

/// A method for each row: the kind of layout, the name, the operands, the expression. The kinds:
/// `either` takes swizzled layouts too, `always` also never fails, `plain` takes layouts without a
/// swizzle. Behind the arrow of a `plain` row stands what to do with a swizzled layout: `inner`
/// works on the layout behind the swizzle, which stays; `bits` on its XOR strides.
macro_rules! operations {
    ($($(#[$($doc:tt)*])* $kind:ident $name:ident($($operand:ident),*) => $($how:ident)? |$layout:ident| $work:expr;)*) => {
        #[pymethods]
        impl Layout {
            $(
                $(#[$($doc)*])*
                                pub(crate) fn $name<'py>(&self, py: Python<'py>, $($operand: &Bound<'py, PyAny>),*) -> Answer<Bound<'py, Layout>> {
                    guarded(|| operations!(@$kind $($how)? self, py, $name, $layout, $work))
                }
            )*
        }
    };
    (@either $self:ident, $py:ident, $name:ident, $layout:ident, $work:expr) => {
        layout_cli::either!(&$self.0, $layout => made($py, $work))
    };
    // As a function of its own, `of` returns the layout in place; inlined, it is copied once more,
    // a tenth of the time.
    (@always $self:ident, $py:ident, $name:ident, $layout:ident, $work:expr) => {{
        #[inline(never)]
        fn of(it: &layout_cli::AnyLayout) -> Layout { layout_cli::either!(it, $layout => $work.into()) }
        Ok(Bound::new($py, of(&$self.0))?)
    }};
    (@plain inner $self:ident, $py:ident, $name:ident, $layout:ident, $work:expr) => {
        { let inner = convert::on_inner(&$self.0, |$layout| { let work: Result<DynLayout, LayoutError> = $work; Ok(work?) }); made($py, Ok(inner?)) }
    };
    (@plain bits $self:ident, $py:ident, $name:ident, $layout:ident, $work:expr) => {{
        let $layout = &*$self.in_bits(stringify!($name))?;
        made($py, $work)
    }};
    (@plain $self:ident, $py:ident, $name:ident, $layout:ident, $work:expr) => {{
        let $layout = $self.plain(stringify!($name))?;
        made($py, $work)
    }};
}

operations! {
    /// R(c) = A(B(c)): the layout ``tiler`` first, then this one. CuTe's ``composition``.
    ///
    /// ``tiler`` is a layout, a number ``n`` for ``n:1``, or a tiler that goes mode by mode.
    ///
    /// >>> Layout("(4,6):(1,4)").compose("(2,3):(2,8)")
    /// Layout('(2,3):(2,8)')
    /// >>> Layout("(4,6):(1,4)").compose((2, 3))
    /// Layout('(2,3):(1,4)')
    either compose(tiler) => |l| l.compose(right(tiler)?);
    /// R = A o (T, complement(T, size(A))): mode 0 is the tile, mode 1 the rest, by mode.
    ///
    /// >>> Layout("(4,6):(1,4)").logical_divide((2, 3))
    /// Layout('((2,2),(3,2)):((1,2),(4,12))')
    either logical_divide(tiler) => |l| l.logical_divide(right(tiler)?);
    /// The division with the tile of all modes as mode 0; mode 1 says which tile.
    ///
    /// >>> Layout("(4,6):(1,4)").zipped_divide("<2,3>")
    /// Layout('((2,3),(2,2)):((1,4),(2,12))')
    either zipped_divide(tiler) => |l| l.zipped_divide(right(tiler)?);
    /// ``zipped_divide`` with the rest as modes of its own.
    ///
    /// >>> Layout("(4,6):(1,4)").tiled_divide("<2,3>")
    /// Layout('((2,3),2,2):((1,4),2,12)')
    either tiled_divide(tiler) => |l| l.tiled_divide(right(tiler)?);
    /// ``zipped_divide`` on one level.
    ///
    /// >>> Layout("(4,6):(1,4)").flat_divide("<2,3>")
    /// Layout('(2,3,2,2):(1,4,2,12)')
    either flat_divide(tiler) => |l| l.flat_divide(right(tiler)?);
    /// Rounds extents up to whole tiles; strides stay. No other operation rounds.
    ///
    /// >>> Layout("(5,6):(1,5)").round_up((4, 3))
    /// Layout('(8,6):(1,5)')
    plain round_up(tiler) => inner |l| l.round_up(right(tiler)?);
    /// Disjoint copies of A, laid out by T.
    ///
    /// >>> Layout("(2,2):(1,2)").logical_product("3:1")
    /// Layout('((2,2),3):((1,2),4)')
    either logical_product(tiler) => |l| l.logical_product(right(tiler)?);
    /// The product with A as mode 0; mode 1 says which copy.
    ///
    /// >>> Layout("(2,2):(1,2)").zipped_product("(2,3):(1,2)")
    /// Layout('((2,2),(2,3)):((1,2),(4,8))')
    either zipped_product(tiler) => |l| l.zipped_product(right(tiler)?);
    /// ``zipped_product`` with the copies as modes of their own.
    ///
    /// >>> Layout("(2,2):(1,2)").tiled_product("(2,3):(1,2)")
    /// Layout('((2,2),2,3):((1,2),4,8)')
    either tiled_product(tiler) => |l| l.tiled_product(right(tiler)?);
    /// ``zipped_product`` on one level.
    ///
    /// >>> Layout("(2,2):(1,2)").flat_product("(2,3):(1,2)")
    /// Layout('(2,2,2,3):(1,2,4,8)')
    either flat_product(tiler) => |l| l.flat_product(right(tiler)?);
    /// Copies of A as blocks, mode by mode.
    ///
    /// >>> Layout("(2,2):(1,2)").blocked_product("(3,2):(1,3)")
    /// Layout('((2,3),(2,2)):((1,4),(2,12))')
    either blocked_product(grid) => |l| l.blocked_product(&*plain(grid)?);
    /// Copies of A, interleaved, mode by mode.
    ///
    /// >>> Layout("(2,2):(1,2)").raked_product("(3,2):(1,3)")
    /// Layout('((3,2),(2,2)):((4,1),(12,2))')
    either raked_product(grid) => |l| l.raked_product(&*plain(grid)?);
    /// A repeated until it fills a shape.
    ///
    /// >>> Layout("(2,2):(1,2)").tile_to_shape((4, 6))
    /// Layout('((2,2),(2,3)):((1,4),(2,8))')
    either tile_to_shape(shape) => |l| l.tile_to_shape(&convert::shape(shape)?);
    /// ``tile_to_shape`` with the copies in the order given.
    ///
    /// >>> Layout("(2,2):(1,2)").tile_to_shape_ordered((4, 6), (1, 0))
    /// Layout('((2,2),(2,3)):((1,12),(2,4))')
    plain tile_to_shape_ordered(shape, order) => inner |l| l.tile_to_shape_ordered(&convert::shape(shape)?, &convert::shape(order)?);
    /// R(i) = A(i) for all i: a last mode of extent 1 stays, for its stride extends the domain.
    ///
    /// >>> Layout("(4,2,1):(1,4,10)").coalesce_z()
    /// Layout('(8,1):(1,10)')
    plain coalesce_z() => inner |l| Ok(l.coalesce_z());
    /// Coalesces within each leaf of a profile, of which only the parentheses matter.
    ///
    /// >>> Layout("((2,2),(3,2)):((1,2),(4,12))").coalesce_by((1, 1))
    /// Layout('(4,6):(1,4)')
    either coalesce_by(profile) => |l| l.coalesce_by(&convert::shape(profile)?);
    /// The same offsets, without modes of stride 0 and of extent 1.
    ///
    /// >>> Layout("(4,6,1):(1,0,3)").filter()
    /// Layout('4:1')
    plain filter() => inner |l| Ok(l.filter());
    /// ``filter`` within each leaf of a profile.
    ///
    /// >>> Layout("((2,2),(3,2)):((1,0),(2,0))").filter_by((1, 1))
    /// Layout('(2,3):(1,2)')
    plain filter_by(profile) => inner |l| l.filter_by(&convert::shape(profile)?);
    /// (A, R) is a bijection onto 0..extent. CuTe's ``complement`` rounds the extent up, as
    /// ``complement_ceil`` does here.
    ///
    /// >>> Layout("(2,4):(1,2)").complement(24)
    /// Layout('3:8')
    plain complement(extent) => bits |l| l.complement(count(extent)?);
    /// The complement in ``extent`` rounded up to a multiple of A's span.
    ///
    /// >>> Layout("4:2").complement_ceil(13)
    /// Layout('(2,2):(1,8)')
    plain complement_ceil(extent) => bits |l| l.complement_ceil(count(extent)?);
    /// A(R(i)) = 0: the coordinates whose offset is 0.
    ///
    /// >>> Layout("(4,6):(1,0)").nullspace()
    /// Layout('6:4')
    plain nullspace() => bits |l| Ok(l.nullspace());
    /// The largest R with A(R(i)) = B(R(i)) = i.
    ///
    /// >>> Layout("(4,6):(1,4)").max_common_layout("(2,12):(1,2)")
    /// Layout('24:1')
    plain max_common_layout(other) => bits |l| Ok(l.max_common_layout(&*plain(other)?));
    /// Factors that both layouts have at the same place of their shapes. PyCuTe's
    /// ``greatest_common_domain``.
    ///
    /// >>> Layout("(4,6)").greatest_common_domain("(2,12)")
    /// Layout('(2,2,6):(1,2,4)')
    plain greatest_common_domain(other) => |l| Ok(l.greatest_common_domain(&*plain(other)?));
    /// R(i) = A(i) + B(i).
    ///
    /// >>> Layout("(4,6):(1,4)").layout_add("(4,6):(6,1)")
    /// Layout('(4,6):(7,5)')
    plain layout_add(other) => bits |l| l.layout_add(&*plain(other)?);
    /// The same memory in units of n elements.
    ///
    /// >>> Layout("(4,6):(1,4)").upcast(2)
    /// Layout('(2,6):(1,2)')
    either upcast(elements) => |l| l.upcast(count(elements)?);
    /// The same memory in n parts of each element.
    ///
    /// >>> Layout("(4,6):(1,4)").downcast(2)
    /// Layout('(8,6):(1,8)')
    either downcast(parts) => |l| l.downcast(count(parts)?);
    /// Elements of one size seen as elements of another. CuTe's ``recast_layout``.
    ///
    /// >>> Layout("(4,6):(1,4)").recast(16, 32)
    /// Layout('(2,6):(1,2)')
    either recast(old, new) => |l| l.recast(count(old)?, count(new)?);
    /// All modes on one level.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").flatten()
    /// Layout('(4,2,3):(1,4,8)')
    always flatten() => |l| l.flatten();
    /// Exchanges the two modes.
    ///
    /// >>> Layout("(4,6):(1,4)").transpose()
    /// Layout('(6,4):(4,1)')
    plain transpose() => inner |l| l.transpose();
    /// The modes from last to first, each as it is.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").reverse()
    /// Layout('((2,3),4):((4,8),1)')
    plain reverse() => inner |l| Ok(l.reverse());
    /// The given modes, in the given order.
    ///
    /// >>> Layout("(2,3,4)").select((2, 0))
    /// Layout('(4,2):(6,1)')
    plain select(modes) => inner |l| l.select(&convert::modes(modes, l.rank())?);
    /// One mode, counted from 0, or backwards from -1. CuTe's ``get`` and ``layout<I>``.
    ///
    /// >>> Layout("(4,(2,3)):(1,(4,8))").mode(1)
    /// Layout('(2,3):(4,8)')
    plain mode(mode) => inner |l| l.mode(convert::mode(mode, l.rank())?);
    /// Modes ``first`` to ``last - 1``.
    ///
    /// >>> Layout("(2,3,4)").take(1, 3)
    /// Layout('(3,4):(2,6)')
    plain take(first, last) => inner |l| l.take(convert::mode(first, l.rank())?, convert::mode(last, l.rank())?);
    /// Modes ``first`` to ``last - 1`` as one. CuTe's ``group_modes``.
    ///
    /// >>> Layout("(2,3,4)").group(0, 2)
    /// Layout('((2,3),4):((1,2),6)')
    plain group(first, last) => inner |l| l.group(convert::mode(first, l.rank())?, convert::mode(last, l.rank())?);
    /// Replaces a mode by its own modes.
    ///
    /// >>> Layout("((2,3),4):((1,2),6)").ungroup(0)
    /// Layout('(2,3,4):(1,2,6)')
    plain ungroup(mode) => inner |l| l.ungroup(convert::mode(mode, l.rank())?);
    /// One more mode at the end.
    ///
    /// >>> Layout("(2,3)").append("4:6")
    /// Layout('(2,3,4):(1,2,6)')
    plain append(mode) => inner |l| l.append(&*plain(mode)?);
    /// One more mode at the beginning.
    ///
    /// >>> Layout("(2,3)").prepend("4:6")
    /// Layout('(4,2,3):(6,1,2)')
    plain prepend(mode) => inner |l| l.prepend(&*plain(mode)?);
    /// Replaces a mode by a layout.
    ///
    /// >>> Layout("(2,3)").replace(0, "4:6")
    /// Layout('(4,3):(6,2)')
    plain replace(mode, layout) => inner |l| l.replace(convert::mode(mode, l.rank())?, &*plain(layout)?);
    /// The same function in XOR strides, a linear layout over F2; a swizzle becomes XOR strides
    /// too.
    ///
    /// >>> Layout("Sw<1,0,1> o 0 o (2,2):(2,1)").linear()
    /// Layout('(2,2):(^3,^1)')
    either linear() => |l| l.linear();
    /// The same function in natural strides.
    ///
    /// >>> Layout("(4,6):(^1,4)").natural()
    /// Layout('(4,6):(1,4)')
    plain natural() => |l| l.natural();
    /// The same function as a swizzle and a layout of natural strides, by a search of all swizzles.
    ///
    /// >>> Layout("(8,8):(^1,^9)").swizzled()
    /// Layout('Sw<3,0,3> o 0 o (8,8):(1,8)')
    plain swizzled() => |l| l.swizzled();
}

#[pymethods]
impl Layout {
    /// Reverses a mode: flip(L)(c) = L(n - 1 - c) - L(n - 1); for a swizzled layout, whose offset
    /// changes, flip(L)(c) = L(n - 1 - c).
    ///
    /// >>> Layout("(4,6):(1,4)").flip(0), Layout("Sw<2,0,2> o 0 o (4,4):(4,1)").flip(1)
    /// (Layout('(4,6):(-1,4)'), Layout('Sw<2,0,2> o 3 o (4,4):(4,-1)'))
    fn flip(&self, mode: &Bound<'_, PyAny>) -> Answer<Layout> {
        let inner = self.0.strided();
        let mode = convert::mode(mode, inner.rank())?;
        guarded(|| {
            let flipped = inner.flip(mode)?;
            let AnyLayout::Swizzled(layout) = &self.0 else { return Ok(flipped.into()) };
            let last = inner.mode(mode)?;
            let moved = if inner.size() == 0 { 0 } else { last.try_signed_index(last.size() - 1)? };
            let offset = layout.offset().wrapping_add_signed(moved);
            Ok(format!("{} o {offset} o {flipped}", layout.outer()).parse::<AnyLayout>()?.into())
        })
    }

    /// The compact layout of the same shape whose strides have the same order, without a swizzle.
    /// CuTe's ``make_layout_like``.
    ///
    /// >>> Layout("(4,6):(100,3)").layout_like()
    /// Layout('(4,6):(6,1)')
    fn layout_like(&self) -> Layout {
        self.0.strided().layout_like().into()
    }

    /// The size of the ``max_common_layout``: how many elements are contiguous in both.
    ///
    /// >>> Layout("(4,6):(1,4)").max_common_vector("(4,6):(1,8)")
    /// 4
    fn max_common_vector(&self, other: &Bound<'_, PyAny>) -> Answer<usize> {
        guarded(|| Ok(self.plain("max_common_vector")?.max_common_vector(&*plain(other)?)))
    }

    /// A o left(shape): the same offsets under another shape of the same size, with the first mode
    /// the fastest. ``reshape`` counts as NumPy does; ``compose`` may take a part of the layout.
    ///
    /// >>> Layout("(4,6):(1,4)").with_shape((12, 2))
    /// Layout('(12,2):(1,12)')
    fn with_shape(&self, shape: &Bound<'_, PyAny>) -> Answer<Layout> {
        guarded(|| Ok(self.0.with_shape(&convert::shape(shape)?)?.into()))
    }

    /// A(R(i)) = i for i < size(R). A swizzled layout has to begin at offset 0.
    ///
    /// >>> Layout("(4,6):(6,1)").right_inverse(), Layout("Sw<2,0,2> o 0 o (4,4):(4,1)").right_inverse()
    /// (Layout('(6,4):(4,1)'), Layout('Sw<2,0,-2> o 0 o (4,4):(4,1)'))
    fn right_inverse(&self) -> Answer<Layout> {
        guarded(|| Ok(self.0.right_inverse()?.into()))
    }

    /// A(R(A(i))) = A(i) for i < size(A), so that R(A(i)) = i where A is injective. A swizzled
    /// layout has to begin at offset 0.
    ///
    /// >>> Layout("(4,6):(12,1)").left_inverse(), Layout("Sw<2,0,2> o 0 o (4,4):(4,1)").left_inverse()
    /// (Layout('(12,4):(4,1)'), Layout('Sw<2,0,-2> o 0 o (4,4):(4,1)'))
    fn left_inverse(&self) -> Answer<Layout> {
        guarded(|| Ok(self.0.left_inverse()?.into()))
    }

    /// No two coordinates share an offset.
    ///
    /// >>> Layout("(4,6):(1,4)").is_injective(), Layout("Sw<3,0,3> o 0 o (8,8):(8,1)").is_injective()
    /// (True, True)
    fn is_injective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = &self.0;
        py.detach(|| guarded(|| Ok(layout.is_injective())))
    }

    /// Every offset below the cosize is reached.
    ///
    /// >>> Layout("(4,6):(1,5)").is_surjective()
    /// False
    fn is_surjective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = &self.0;
        py.detach(|| guarded(|| Ok(layout.try_is_surjective()?)))
    }

    /// Injective and surjective.
    ///
    /// >>> Layout("(4,6):(6,1)").is_bijective()
    /// True
    fn is_bijective(&self, py: Python<'_>) -> Answer<bool> {
        let layout = &self.0;
        py.detach(|| guarded(|| Ok(layout.try_is_bijective()?)))
    }

    /// Bijective once modes of stride 0 are dropped.
    ///
    /// >>> Layout("(4,6):(1,0)").is_compact()
    /// True
    fn is_compact(&self, py: Python<'_>) -> Answer<bool> {
        let layout = &self.0;
        py.detach(|| guarded(|| Ok(layout.try_is_compact()?)))
    }

    /// The steps of ``compose`` to its result, or the reason why there is none.
    ///
    /// >>> print(Layout("(4,3):(1,8)").explain_compose(6))
    /// (4,3):(1,8) o 6
    ///   left, coalesced: 4:1 *:8
    ///   right mode 6:1
    ///     stride 1 has the digits 1 in 4:1, 0 in *:8
    ///     4 of 6 steps stay linear, and 4 does not divide 6
    /// refused, divisibility: the right mode 6:1 leaves the mode 4:1 of the left layout after 4
    /// steps, and 4 does not divide 6
    fn explain_compose(&self, tiler: &Bound<'_, PyAny>) -> Answer<String> {
        guarded(|| {
            Ok(self.plain("explain_compose")?.explain_compose(&convert::tiler(tiler)?).to_string())
        })
    }

    /// The steps of ``logical_divide`` to its result, or the reason why there is none.
    ///
    /// >>> print(Layout("12:1").explain_logical_divide(4)) # doctest: +ELLIPSIS
    /// 12:1 / 4
    ///   rest: the complement of 4:1 in 12 is 3:4
    ///   left, coalesced: *:1
    /// ...
    /// result (4,3):(1,4)
    fn explain_logical_divide(&self, tiler: &Bound<'_, PyAny>) -> Answer<String> {
        let what = "explain_logical_divide";
        guarded(|| {
            Ok(self.plain(what)?.explain_logical_divide(&convert::tiler(tiler)?).to_string())
        })
    }
}
