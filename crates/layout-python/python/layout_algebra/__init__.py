"""CuTe's layout algebra, exact: an operation returns the one right layout, or raises a LayoutError that says why there
is none.

>>> tiles = Layout("(4,6):(1,4)").zipped_divide((2, 3))
>>> tiles
Layout('((2,3),(2,2)):((1,4),(2,12))')
>>> tiles((1, 2), (0, 1))
21

Operations are methods of ``Layout`` and functions under CuTe's names. An operand that is a layout may be given as text,
or as a shape in a tuple; a tiler may be a number, a layout, a text or a tuple of these.
"""

from . import formats
from ._native import (
    BankModel,
    CopyAtom,
    Layout,
    LayoutError,
    Mma,
    Picture,
    Swizzle,
    Tiler,
    Xor,
    best_shared_layout,
    copy_atom,
    copy_atom_names,
    mma,
    mma_names,
    operations,
)
from ._native import call_by_name as call
from ._functions import *
from ._functions import __all__ as _names
from ._functions import filter
from ._types import Coordinate, Language, LayoutLike, Operation, Order, ShapeLike, SliceLike, StrideLike, TilerLike
from ._others import from_array, from_cute, from_numpy, from_pycute, from_torch, from_triton, to_cute, to_pycute, view
from ._check import Verdict, check
from ._relayout import relayout

__version__ = "0.1.0"

__all__ = [
    "BankModel", "CopyAtom", "Layout", "LayoutError", "Mma", "Picture", "Swizzle", "Tiler", "Verdict", "Xor",
    "best_shared_layout", "call", "check", "copy_atom", "copy_atom_names", "formats", "from_array", "from_cute", "from_numpy", "from_pycute", "from_torch", "from_triton", "mma", "mma_names",
    "operations", "relayout", "to_cute", "to_pycute", "view", *_names,
]  # fmt: skip
