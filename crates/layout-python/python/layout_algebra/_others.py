"""Layouts of other packages: read from their objects and texts, and converted back."""

import itertools
import json
import operator
import re
import sys

from ._native import Layout, LayoutError, Swizzle, Xor


def _refused(kind, sentence):
    error = LayoutError(sentence)
    error.kind, error.operation, error.byte = kind, None, None
    return error


def from_pycute(layout):
    """The layout of pycute, tensor-layouts, or of any other object with a ``shape`` and a ``stride``.

    >>> class Theirs:
    ...     shape, stride = (4, (2, 3)), (1, (12, 4))
    >>> from_pycute(Theirs())
    Layout('(4,(2,3)):(1,(12,4))')
    """
    found = read(layout)
    if found is None:
        raise TypeError(f"a layout is needed, and this is of type {type(layout).__name__}")
    return found


# The attributes of swizzled layouts in tensor-layouts, in CuTe DSL (where inner and outer are exchanged) and in pycute.
_PARTS = ("outer", "inner", "layoutB", "layoutA", "swizzle", "layout")


def read(layout):
    """The layout of another package's object, or of a text that another program printed; None if it is no layout."""
    if isinstance(layout, str):
        return _pasted(layout)
    if hasattr(layout, "shape") and hasattr(layout, "stride"):
        stride = layout.stride() if callable(layout.stride) else layout.stride
        return _strided(layout, layout.shape() if callable(layout.shape) else layout.shape, stride)
    parts = [part for part in (getattr(layout, name, None) for name in _PARTS) if part is not None]
    swizzles = [three for three in map(_swizzle, parts) if three is not None]
    others = [part for part in parts if _swizzle(part) is None and not isinstance(part, str)]
    if len(parts) == 2 and len(swizzles) == len(others) == 1:
        inner = read(others[0])
        return inner and Swizzle(*swizzles[0]).compose(inner, offset=operator.index(getattr(layout, "offset", 0)))
    return _gluon(layout)


def _strided(layout, shape, stride):
    try:
        return Layout(shape, stride)
    except TypeError:
        # CuTe DSL's numbers are values of a traced program; its text has the numbers.
        found = _pasted(str(layout)) if type(layout).__module__.startswith("cutlass") else None
        if found is None:
            raise
        return found


def _swizzle(part):
    """The parameters (bits, base, shift) of a swizzle object; None for other objects."""
    for names in (("bits", "base", "shift"), ("num_bits", "num_base", "num_shift")):
        three = [getattr(part, name, None) for name in names]
        if all(isinstance(number, int) for number in three):
            return three
    return None


def to_pycute(layout):
    """The layout as pycute's, which has to be installed; pycute's strides are natural or negative.

    >>> import sys, types
    >>> pycute = sys.modules["pycute"] = types.ModuleType("pycute") # stands in for it
    >>> setattr(pycute, "Layout", lambda shape, stride: (shape, stride))
    >>> to_pycute("(4,6):(1,4)")
    ((4, 6), (1, 4))
    >>> del sys.modules["pycute"]
    """
    import pycute

    layout = Layout(layout)
    if layout.swizzle is not None or _has_xor(layout.stride):
        raise _refused("stride", f"pycute has no such strides: {layout}")
    return pycute.Layout(layout.shape, layout.stride)


def _has_xor(stride):
    return any(map(_has_xor, stride)) if isinstance(stride, tuple) else isinstance(stride, Xor)


# A pointer in front of a layout: smem_ptr[16b](unset), gmem_ptr[16b](0x7f00), ptr<f16, gmem, align<16>>.
_POINTER = r"(?:\w*ptr\[\d+b\]\(\w+\)|ptr<(?:[^<>]|<[^<>]*>)*>)"
_SWIZZLE = r"(?:Sw|S|SW|Swizzle)\s*<\s*(\d+)\s*,\s*(\d+)\s*,\s*(-?\d+)\s*>"
_SWIZZLED = re.compile(rf"\s*{_SWIZZLE}\s*o\s*(?:{_POINTER}|(\d+))\s*o(.*)", re.DOTALL)
_BEHIND = re.compile(rf"\s*{_POINTER}\s*o(.*)", re.DOTALL)
_TENSOR = re.compile(r"\s*(?:tensor<(.*)>|Tensor<(.*)>)\s*", re.DOTALL)


def from_cute(layout):
    """The layout in the text that CuTe C++ or CuTe DSL prints (``_4`` is a static 4), or of a CuTe DSL object.

    >>> from_cute("(_4,(_2,3)):(_1,(12,_4))")
    Layout('(4,(2,3)):(1,(12,4))')
    >>> from_cute("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)")
    Layout('Sw<3,4,3> o 0 o (8,64):(64,1)')
    >>> from_cute("S<3,3,3> o 0 o (8,64):(64,1)")
    Layout('Sw<3,3,3> o 0 o (8,64):(64,1)')
    """
    if isinstance(layout, Layout):
        return layout
    found = _pasted(str(layout))
    return Layout(str(layout)) if found is None else found


def _pasted(text):
    """The layout in a text that CuTe, CuTe DSL or Triton prints; None for other texts."""
    if text.lstrip().startswith("#ttg."):
        return from_triton(text)
    # A file named after a layout has underscores for spaces.
    plain = re.sub(r"_o_", " o ", re.sub(r">\s*_(?=\d)", "> o ", text))
    plain = re.sub(r"(?<![\w>])_(?=-?\d)", "", plain)
    tensor = _TENSOR.fullmatch(plain)
    plain = tensor[1] or tensor[2] if tensor else plain
    behind = _BEHIND.fullmatch(plain)
    if behind and re.search(_SWIZZLE, plain[: behind.start(1)]):
        raise _refused("stride", f"the pointer has a swizzle of its own, which permutes bytes: {text[:80]}")
    plain = behind[1] if behind else plain
    swizzled = _SWIZZLED.fullmatch(plain)
    if swizzled:
        bits, base, shift, offset, inner = swizzled.groups()
        return Swizzle(int(bits), int(base), int(shift)).compose(inner.strip(), offset=int(offset or 0))
    return None if plain == text else Layout(plain.strip())


def to_cute(layout, static=True):
    """The text of a layout as CuTe prints it: static numbers with ``_``.

    >>> to_cute("(4,(2,3)):(1,(12,4))"), to_cute("(4,6)", static=False)
    ('(_4,(_2,_3)):(_1,(_12,_4))', '(4,6):(1,4)')
    """
    layout = Layout(layout)
    if _has_xor(layout.stride):
        raise _refused("stride", f"CuTe has no XOR strides: {layout}; swizzled() may give a swizzle")
    text = str(layout)
    if not static:
        return text
    head, _, inner = text.rpartition(" o ")
    head = re.sub(r" o (\d+)$", r" o _\1", head)
    return (head + " o " if head else "") + re.sub(r"-?\d+", lambda number: "_" + number.group(), inner)


_SIZE = re.compile(r"\s*(\w+) \(size (\d{1,20})\)\s*")
_BIT = re.compile(r"(?: - |   )(\w+)(?: is a size 1 dimension|=(\d{1,20}) -> \(([\d, ]*)\))")
_NUMBER = re.compile(r" *\d{1,20} *")


# The attributes of Triton's dialect that `from_triton` reads, and the same attributes of Gluon's objects.
_PIECE = re.compile(r"(\w+)\s*=\s*(\[[\[\], \d-]*\])")
_BLOCKED = {
    "sizePerThread": "size_per_thread", "threadsPerWarp": "threads_per_warp", "warpsPerCTA": "warps_per_cta", "order": "order",
}  # fmt: skip
_LINEAR = {"register": "reg_bases", "lane": "lane_bases", "warp": "warp_bases", "block": "block_bases"}


def _attribute(layout):
    """The ``#ttg`` attribute that a Gluon object stands for; None for other objects."""
    for kind, names in (("blocked", _BLOCKED), ("linear", _LINEAR)):
        if all(hasattr(layout, theirs) for theirs in names.values()):
            pieces = (f"{ours} = {[*map(_listed, getattr(layout, theirs))]}" for ours, theirs in names.items())
            return f"#ttg.{kind}<{{{', '.join(pieces)}}}>"
    return None


def _listed(number):
    return [*map(operator.index, number)] if isinstance(number, (list, tuple)) else operator.index(number)


def _gluon(layout):
    text = _attribute(layout)
    return text and from_triton(text)


def _printed(text):
    """Rewrites a ``#ttg`` attribute in the text form of a linear layout; returns other texts unchanged."""
    head = re.match(r"\s*#ttg\.(\w+)\s*<", text)
    if not head:
        return text
    pieces = {name: json.loads(numbers) for name, numbers in _PIECE.findall(text)}
    if head[1] == "blocked" and set(_BLOCKED) <= set(pieces):
        bases = _blocked(pieces)
    elif head[1] == "linear" and any(pieces.get(name) for name in _LINEAR):
        bases = {name: pieces.get(name, []) for name in _LINEAR}
    else:
        raise TypeError(f"from_triton reads #ttg.linear and #ttg.blocked, and this is #ttg.{head[1]}: {text[:80]}")
    images = [image for bits in bases.values() for image in bits]
    ranks = {len(image) if isinstance(image, list) else 0 for image in images}
    if len(ranks) != 1 or 0 in ranks:
        raise _refused("parse", f"the bits of a linear layout have a number for each dimension: {text[:80]}")
    sizes = [1 << max(map(int.bit_length, column)) for column in zip(*images)]
    lines = []
    for name, bits in bases.items():
        lines += [f" - {name} is a size 1 dimension"] if not bits else []
        for k, image in enumerate(bits):
            lines.append(f"{'   ' if k else ' - '}{name}={1 << k} -> ({', '.join(map(str, image))})")
    dims = ", ".join(f"dim{k} (size {size})" for k, size in enumerate(sizes))
    return "\n".join([*lines, f"where out dims are: [{dims}]"])


def _blocked(pieces):
    """The bases of a blocked layout: registers, lanes, warps, with the first dimension of ``order`` the fastest."""
    numbers = [pieces[name] for name in ("sizePerThread", "threadsPerWarp", "warpsPerCTA")]
    order, rank = pieces["order"], len(pieces["order"])
    if sorted(order) != list(range(rank)) or any(len(row) != rank for row in numbers):
        raise _refused("rank", f"a blocked layout has {rank} numbers in each part, and an order of all of them")
    bases, steps = {name: [] for name in _LINEAR}, [1] * rank
    for name, row in zip(_LINEAR, numbers):
        for axis in order:
            if row[axis] < 1 or row[axis] & (row[axis] - 1):
                raise _refused("bounds", f"the extents of a blocked layout are powers of two, and one is {row[axis]}")
            while row[axis] > 1:
                bases[name].append([steps[axis] if k == axis else 0 for k in range(rank)])
                steps[axis], row[axis] = steps[axis] * 2, row[axis] // 2
    return bases


def from_triton(layout, order=None):
    """The linear layout that Triton prints, or an object of its kind: (register, lane, ..) to the index of an element,
    in XOR strides. The fastest dimension is the first one in brackets, or the first one of ``order``. A
    ``TensorDescriptor`` is read as the array that it describes. The attributes ``#ttg.linear<..>`` and
    ``#ttg.blocked<..>`` and Gluon's objects of these kinds are read too, with the dimensions ``dim0``, ``dim1``, ..; a
    blocked layout is read as one tile.

    >>> l = from_triton('''
    ...  - register=1 -> (0, 1)
    ...  - lane=1 -> (1, 0)
    ...    lane=2 -> (2, 0)
    ... where out dims are: [row (size 4), column (size 2)]''')
    >>> l, l.natural()
    (Layout('(2,4):(^4,^1)'), Layout('(2,4):(4,1)'))
    >>> blocked = "#ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = [1, 0]}>"
    >>> from_triton(blocked, order=["dim1", "dim0"]).natural()
    Layout('(2,32,1,1):(1,2,0,0)')
    """
    if hasattr(layout, "block_shape") and hasattr(layout, "strides"):
        return from_array(layout)
    text = _printed(layout if isinstance(layout, str) else _attribute(layout) or str(layout))
    sizes = [_SIZE.fullmatch(size) for size in text.rpartition("[")[2].strip().removesuffix("]").split(",")]
    if None in sizes:
        raise _refused("parse", "a linear layout ends with `where out dims are: [name (size n), ..]`")
    sizes = {size[1]: int(size[2]) for size in sizes} if len(sizes) == len({size[1] for size in sizes}) else {}
    order = list(itertools.islice(sizes if order is None else order, len(sizes) + 1))
    if not sizes or len(order) != len(sizes) or set(order) != set(sizes):
        raise _refused("parse", "the dimensions of a linear layout have distinct names, and an order has each of them once")
    places, place = {}, 1
    for name in order:
        places[name] = place
        place *= sizes[name]
        if place >= 1 << 64:
            raise _refused("overflow", f"a linear layout has less than 2^64 elements, and this one has {place} up to {name[:80]}")
    modes, count = {}, 0
    for line in text.splitlines():
        found = _BIT.fullmatch(line)
        if not found:
            if line.startswith((" - ", "   ")):
                raise _refused("parse", f"not a line of a linear layout: {line.strip()[:80]}")
            continue
        mode, step, image = found.groups()
        bits = modes.setdefault(mode, [])
        if step is not None:
            image = image.split(",")
            count += 1
            if count > 64:
                raise _refused("bounds", f"a linear layout has at most 64 bits, and bit {count} is {mode[:80]}={step}")
            if int(step) != 1 << len(bits) or len(image) != len(sizes) or not all(map(_NUMBER.fullmatch, image)):
                raise _refused(
                    "parse", f"bits come one after the other, each with {len(sizes)} numbers: {line.strip()[:80]}"
                )
            image = dict(zip(sizes, map(int, image)))
            for name, number in image.items():
                if number >= sizes[name]:
                    raise _refused("bounds", f"{name[:80]} has {sizes[name]} elements, and one leads to {number}")
            bits.append(sum(number * places[name] for name, number in image.items()))
    if not modes:
        raise _refused("parse", "a linear layout has a line for each bit")
    shape = tuple(tuple(2 for _ in bits) or 1 for bits in modes.values())
    stride = tuple(tuple(map(Xor, bits)) or 0 for bits in modes.values())
    return Layout(shape, stride).coalesce_by(tuple(1 for _ in modes))


def from_array(array):
    """The layout of an array's memory: NumPy's, PyTorch's, CuPy's, or any other array with strides or with DLPack.
    Offsets count elements from the array's first one.

    >>> class Tensor: # as PyTorch's
    ...     shape = (4, 6)
    ...     def stride(self) -> tuple[int, int]: return (6, 1)
    >>> from_array(Tensor())
    Layout('(4,6):(6,1)')
    """
    numpy = sys.modules.get("numpy")
    if numpy is not None and issubclass(type(array), numpy.ndarray):
        # A subclass may override `shape` and `strides`: `asarray` gives those of the array itself.
        array = numpy.asarray(array)
    shape, strides = getattr(array, "shape", None), getattr(array, "strides", None)
    if callable(getattr(array, "stride", None)):
        strides = _numbers(array.stride())
    elif strides is not None and hasattr(array, "itemsize"):
        itemsize, strides = operator.index(array.itemsize), _numbers(strides)
        if any(stride % (itemsize or 1) for stride in strides):
            raise _refused("divisibility", f"strides of {strides} bytes are not multiples of {itemsize} bytes")
        strides = tuple(stride // (itemsize or 1) for stride in strides)
    elif strides is None and hasattr(array, "__dlpack__"):
        shape, strides = _dlpack(array)
    if shape is None or strides is None:
        raise TypeError(f"an array with strides is needed, and this is of type {type(array).__name__}")
    shape, strides = _numbers(shape), _numbers(strides)
    if len(shape) != len(strides):
        raise _refused("rank", f"an array has a stride for each axis, and this one has {len(shape)} axes and {len(strides)} strides")
    return Layout(shape, strides) if shape else Layout(1, 0)


# The most axes of an array: NumPy's has 64, and a layout 2^16 numbers.
_AXES = 1 << 16


def _numbers(numbers):
    """The integers of a foreign sequence, at most ``_AXES``."""
    numbers = tuple(map(operator.index, itertools.islice(numbers, _AXES + 1)))
    if len(numbers) > _AXES:
        raise _refused("bounds", f"an array has at most {_AXES} axes, and this one has more")
    return numbers


def from_numpy(array):
    """``from_array`` of an array of NumPy.

    >>> import numpy
    >>> from_numpy(numpy.zeros((4, 6))), from_numpy(numpy.zeros((4, 6))[::2, ::-1].T)
    (Layout('(4,6):(6,1)'), Layout('(6,2):(-1,12)'))
    """
    return from_array(array)


def from_torch(tensor):
    """``from_array`` of a tensor of PyTorch.

    >>> class Tensor:
    ...     shape = (2, 3)
    ...     def stride(self) -> tuple[int, int]: return (1, 2)
    >>> from_torch(Tensor())
    Layout('(2,3):(1,2)')
    """
    return from_array(tensor)


def _dlpack(array):
    """Shape and strides in elements, read from the capsule's ``DLTensor``; the elements may be on any device."""
    import ctypes

    from ._dlpack import Tensor

    # A prototype of this call's own: `ctypes.pythonapi` is shared by the whole process.
    prototype = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    pointer = prototype(("PyCapsule_GetPointer", ctypes.pythonapi))
    capsule = array.__dlpack__()
    if type(capsule).__name__ != "PyCapsule":
        raise TypeError(f"__dlpack__ returned an object of type {type(capsule).__name__} and not a capsule")
    tensor = Tensor.from_address(pointer(capsule, b"dltensor"))
    if not 0 <= tensor.ndim <= _AXES or (tensor.ndim and not tensor.shape):
        raise _refused("rank", f"a DLPack tensor has {tensor.ndim} axes, or no shape")
    shape = tensor.shape[: tensor.ndim]
    if tensor.strides:
        return shape, tensor.strides[: tensor.ndim]
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return shape, strides


def view(array, layout, offset=0):
    """A NumPy array's elements under a layout: a view with an axis for each leaf, without a copy. Offsets count the
    elements of memory from the first one, or from ``offset``. The array has to be contiguous, and each offset has to lie
    within it. The view is read-only if coordinates share an element.

    >>> import numpy
    >>> memory = numpy.arange(24)
    >>> view(memory, "(4,6):(1,4)")[1]
    array([ 1,  5,  9, 13, 17, 21])
    >>> view(memory, "((2,2),3):((1,4),8)").shape
    (2, 2, 3)
    """
    import numpy

    # Converted once, before the checks: a subclass may return other values the next time.
    layout, offset = Layout(layout), operator.index(offset)
    if layout.swizzle is not None or _has_xor(layout.stride):
        raise _refused(
            "stride", f"an array has natural and negative strides, and this is {layout}: index with it instead"
        )
    if not issubclass(type(array), numpy.ndarray):
        raise TypeError(f"an array of NumPy is needed, and this is of type {type(array).__name__}")
    if issubclass(type(array), numpy.ma.MaskedArray):
        raise TypeError("a view has no mask and would show masked elements: pass the array's `data`")
    array = numpy.asarray(array)
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        raise _refused("stride", f"the elements of the array do not lie next to one another: {from_array(array)}")
    least, end = offset - layout.base, offset - layout.base + layout.cosize
    if least < 0 or end > array.size:
        raise _refused(
            "bounds",
            f"{layout} from offset {offset} on has the elements {least} to {end - 1}, and there are {array.size}",
        )
    flat = layout.flatten()
    memory = array.reshape(-1, order="A")
    shape = flat.shape if isinstance(flat.shape, tuple) else (flat.shape,)
    if layout.size == 0:
        return memory[:0].reshape(shape)
    strides = flat.stride if isinstance(flat.stride, tuple) else (flat.stride,)
    strides = tuple(stride * array.itemsize for stride in strides)
    seen = numpy.lib.stride_tricks.as_strided(memory[offset:], shape, strides)
    if not layout.is_injective():
        seen.flags.writeable = False
    return seen
