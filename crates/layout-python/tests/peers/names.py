"""A pytest plugin that puts this module behind the names of pycute, tensor-layouts and CuTe DSL, for their own tests.

    PYTHONPATH=tests/peers python -m pytest -p names /path/to/cutlass/test/python/pycute
    PYTHONPATH=tests/peers python -m pytest -p names /path/to/tensor-layouts/tests/layouts.py

Without ``-p names`` the same tests run with the package that they were written for. The plugin only translates: another
name, another order of operands, a default bound. It has no names for which this module has no counterpart.
"""

import sys
import types

import layout_algebra as la


class NotOurs(Exception):
    """A name without a counterpart in this module."""


def module(name, **names):
    made = sys.modules[name] = types.ModuleType(name)
    vars(made).update(names)

    def missing(what):
        if what.startswith("__"):
            raise AttributeError(what)

        class Missing:
            def __init__(self, *_, **__):
                raise NotOurs(f"{name}.{what}")

        return Missing

    made.__getattr__ = missing


def named(*names):
    return {name: getattr(la, name) for name in names}


class Spelled(type):
    """A class whose objects are layouts of this module."""

    def __instancecheck__(cls, thing):
        return isinstance(thing, la.Layout) and (cls.__name__ == "Layout" or thing.swizzle is not None)


class Layout(metaclass=Spelled):
    def __new__(cls, *parts, swizzle=None):
        layouts = parts and all(isinstance(part, la.Layout) for part in parts)
        layout = la.Layout.of_modes(*parts) if layouts else la.Layout(*parts)
        return swizzle.compose(layout) if swizzle else layout


class ComposedLayout(metaclass=Spelled):
    def __new__(cls, outer, inner, offset=0, preoffset=0):
        if not isinstance(outer, la.Swizzle):
            raise NotOurs("a composed layout whose outer function is no swizzle")
        return la.Layout(f"{outer} o {offset + preoffset} o {inner}")


def coalesce(layout, profile=None):
    ones = lambda part: tuple(map(ones, part)) if isinstance(part, tuple) else 1 if part is None else part
    return la.coalesce(layout, profile if profile is None else ones(profile))


def flatten(what):
    return la.Layout(what, what).flatten().shape if isinstance(what, (int, tuple)) else la.flatten(what)


def mode(what, number):
    return what[number] if isinstance(what, (tuple, la.Layout)) else what


SHARED = named(*"""Swizzle append blocked_product compatible congruent cosize depth downcast flat_divide flat_product
idx2crd left_inverse logical_divide logical_product max_common_layout max_common_vector nullspace prepend raked_product
rank replace right_inverse size tiled_divide tiled_product upcast weakly_congruent zipped_divide zipped_product crd2idx
""".split())  # fmt: skip

module(
    "pycute",
    **SHARED,
    **named("make_layout", "composition", "filter"),
    Layout=la.Layout,
    coalesce=coalesce,
    flatten=flatten,
    complement=lambda layout, bound=1: layout.complement_ceil(bound),
    is_int=lambda what: isinstance(what, int),
)

module(
    "tensor_layouts",
    **SHARED,
    **{"Layout": Layout, "ComposedLayout": ComposedLayout, "coalesce": coalesce, "flatten": flatten, "mode": mode},
    compose=la.composition,
    complement=lambda layout, bound=None: layout.complement_ceil(layout.cosize if bound is None else la.size(bound)),
    group=la.group_modes,
    Tile=lambda *layouts: layouts,
    slice_and_offset=lambda at, layout: layout.slice(at),
    is_layout=lambda what: isinstance(what, la.Layout),
    crd2flat=la.crd2idx,
    crd2offset=la.crd2idx,
    iter_layout=lambda layout: [(la.idx2crd(i, layout.shape), layout(i)) for i in range(layout.size)],
)
module(
    "tensor_layouts.layout_utils",
    make_layout_like=la.make_layout_like,
    make_ordered_layout=lambda shape, order=None: la.make_ordered_layout(shape, order) if order else la.Layout(shape),
    tile_to_shape=lambda block, shape, order=None: (
        block.tile_to_shape_ordered(shape, order) if order else block.tile_to_shape(shape)
    ),
    round_up=lambda number, unit: -(-number // unit) * unit,
)
module(
    "tensor_layouts.analysis",
    **named("is_bijective", "is_injective"),
    functionally_equal=lambda a, b: a.size == b.size and all(a(i) == b(i) for i in range(a.size)),
)
for name in ("atoms_nv", "tensor", "viz"):
    module(f"tensor_layouts.{name}")

by_tiler = lambda method: lambda layout, tiler: method(layout, tiler)
module(
    "cutlass.cute",
    **named("composition", "size", "depth"),
    **{name: by_tiler(getattr(la.Layout, name)) for name in SHARED if name.endswith(("_divide", "_product"))},
    make_layout=lambda shape, stride=None: la.Layout(shape) if stride is None else la.Layout(shape, stride),
    coalesce=lambda layout, target_profile=None: coalesce(layout, target_profile),
    jit=lambda function: function,
    printf=lambda text, *values: print(text.format(*(str(value).replace(" ", "") for value in values))),
)
module("cutlass", Int32=int, cute=sys.modules["cutlass.cute"])
