"""The operations as functions under CuTe's names: methods of ``Layout`` whose layout may also be a text or a shape."""

import builtins
import inspect

from ._native import Layout, Swizzle
from ._native import call_by_name as call


def _function(name, method):
    def function(layout, *operands, **named):
        return method(layout if type(layout) is Layout else Layout(layout), *operands, **named)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = method.__doc__
    # The method's parameters, of which the layout is the first.
    _, *others = inspect.signature(method).parameters.values()
    layout = inspect.Parameter("layout", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(other.name == "layout" for other in others):
        layout = layout.replace(name="of", kind=inspect.Parameter.POSITIONAL_ONLY)
    function.__signature__ = inspect.Signature([layout, *others])
    return function


# CuTe's names; `name=method` if the method has another one.
_METHODS = """
blocked_product broadcast_to coalesce_by coalesce_z complement complement_ceil domain_offset=window downcast explain_compose
explain_logical_divide filter filter_by flat_divide flat_product flatten flip get=mode group_modes=group
is_bijective is_compact is_contiguous is_injective is_surjective layout_add left_inverse linear local_tile logical_divide logical_product
make_layout_like=layout_like max_common_layout max_common_vector natural nullspace permute raked_product recast_layout=recast
replace reshape reverse right_inverse round_up select slice_and_offset=slice swizzled take tile_to_shape tiled_divide
tiled_product transpose ungroup upcast with_shape zipped_divide zipped_product
""".split()
for _entry in _METHODS:
    _name, _, _method = _entry.partition("=")
    globals()[_name] = _function(_name, getattr(Layout, _method or _name))


def composition(left, right):
    """R(c) = left(right(c)); ``right`` is a layout, a number or a tiler. A swizzle on the left swizzles a layout.

    >>> composition("(4,6):(1,4)", (2, 3))
    Layout('(2,3):(1,4)')
    >>> composition(Swizzle(3, 0, 3), "(8,8):(8,1)")
    Layout('Sw<3,0,3> o 0 o (8,8):(8,1)')
    """
    if isinstance(left, Swizzle):
        return left.compose(right)
    return (left if type(left) is Layout else Layout(left)).compose(right)


def coalesce(layout, profile=None, order="F"):
    """R(i) = A(i) for i < size(A), in the fewest modes; with a profile, within each leaf of the profile. ``order="C"``
    counts elements with the last mode the fastest.

    >>> coalesce("(2,(1,6)):(1,(6,2))"), coalesce("((2,2),(3,2)):((1,2),(4,12))", (1, 1))
    (Layout('12:1'), Layout('(4,6):(1,4)'))
    """
    layout = Layout(layout)
    return layout.coalesce(order) if profile is None else layout.coalesce_by(profile)


def append(layout, *modes):
    """More modes at the end.

    >>> append("(2,3)", "4:6", "2:24")
    Layout('(2,3,4,2):(1,2,6,24)')
    """
    layout = Layout(layout)
    for mode in modes:
        layout = layout.append(mode)
    return layout


def prepend(layout, *modes):
    """More modes at the beginning, one after the other.

    >>> prepend("(2,3)", "4:6")
    Layout('(4,2,3):(6,1,2)')
    """
    layout = Layout(layout)
    for mode in modes:
        layout = layout.prepend(mode)
    return layout


def make_layout(*parts):
    """The layout of a shape and a stride, or the one whose modes are layouts.

    >>> make_layout((4, 6), (6, 1)), make_layout((4, 6)), make_layout(Layout("4:6"), Layout("6:1"))
    (Layout('(4,6):(6,1)'), Layout('(4,6):(1,4)'), Layout('(4,6):(6,1)'))
    """
    if parts and all(type(part) is Layout for part in parts):
        return Layout.of_modes(*parts)
    return Layout(*parts)


def make_ordered_layout(shape, order):
    """Strides in the order given, the least first.

    >>> make_ordered_layout((4, 6, 2), (1, 2, 0))
    Layout('(4,6,2):(2,8,1)')
    """
    return Layout.ordered(shape, order)


def size(layout, mode=None):
    """The number of coordinates of a layout or a shape, or of one of its modes.

    >>> size("(4,6):(1,8)"), size((4, (2, 3)), 1)
    (24, 6)
    """
    layout = _shaped(layout)
    return layout.size if mode is None else layout[mode].size


def cosize(layout):
    """One past the largest offset.

    >>> cosize("(4,6):(1,8)")
    44
    """
    return Layout(layout).cosize


def rank(layout):
    """The number of modes of a layout or a shape.

    >>> rank("(4,6):(1,8)"), rank((4, (2, 3))), rank(4)
    (2, 2, 1)
    """
    return _shaped(layout).rank


def depth(layout):
    """How deeply modes are nested.

    >>> depth((4, (2, 3))), depth(4)
    (2, 0)
    """
    return _shaped(layout).depth


def _shaped(layout):
    """The layout. A shape gets strides of 0, so that no offset overflows."""
    if type(layout) is Layout or isinstance(layout, str):
        return Layout(layout)
    return Layout(layout, _zeros(layout))


def _zeros(shape, deep=0, left=None):
    # Deeper trees and longer tuples are refused by `Layout`. The iterators of `tuple` and `list` themselves: a subclass
    # may override its own.
    left = [1 << 16] if left is None else left
    iterate = tuple.__iter__ if isinstance(shape, tuple) else list.__iter__ if isinstance(shape, list) else None
    if iterate is None or deep > 64 or left[0] < 0:
        return 0
    left[0] -= len(shape)
    return [_zeros(mode, deep + 1, left) for mode in iterate(shape)]


def crd2idx(coordinate, shape, stride=None):
    """The offset of a coordinate in a shape and a stride, or in a layout.

    >>> crd2idx((2, 3), (4, 6)), crd2idx((2, 3), (4, 6), (6, 1)), crd2idx((2, 3), Layout("(4,6):(6,1)"))
    (14, 15, 15)
    """
    return (Layout(shape) if stride is None else Layout(shape, stride))(coordinate)


def idx2crd(index, shape):
    """The coordinate of an index, with the leftmost mode the fastest.

    >>> idx2crd(9, (4, (3, 2)))
    (1, (2, 0))
    """
    return call("idx2crd", shape, index)


def congruent(shape, other):
    """Do both have the same profile, that is the same parentheses?

    >>> congruent((4, (2, 3)), (1, (1, 1))), congruent((4, 6), 24)
    (True, False)
    """
    return call("congruent", _shape(shape), _shape(other))


def weakly_congruent(shape, other):
    """Does the second profile refine the first: the same parentheses wherever the first has some?

    >>> weakly_congruent((4, 6), (1, (2, 3))), weakly_congruent((4, (2, 3)), (4, 6))
    (True, False)
    """
    return call("weakly_congruent", _shape(shape), _shape(other))


def compatible(shape, other):
    """Are all coordinates of the first also coordinates of the second?

    >>> compatible(24, (4, 6)), compatible((4, 6), (4, (3, 2))), compatible((4, 6), 24)
    (True, True, False)
    """
    return call("compatible", _shape(shape), _shape(other))


def greatest_common_domain(shape, other):
    """Factors that both shapes have at the same place.

    >>> greatest_common_domain((4, 6), (2, 12))
    Layout('(2,2,6):(1,2,4)')
    """
    return call("greatest_common_domain", _shape(shape), _shape(other))


def _shape(shape):
    return shape.shape if type(shape) is Layout else shape


# `from layout_algebra import *` shadows no builtin: `filter` is reached as `layout_algebra.filter` only.
__all__ = (
    [name for name in (entry.partition("=")[0] for entry in _METHODS) if not hasattr(builtins, name)]
    + """
append coalesce compatible composition congruent cosize crd2idx depth greatest_common_domain idx2crd make_layout
make_ordered_layout prepend rank size weakly_congruent
""".split()
)
