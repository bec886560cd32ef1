"""``relayout``: a kernel as text, or a call on a tensor of CuPy or PyTorch on a CUDA device.

A tensor's extents and strides become two layouts, ``relayout(source, target, ...)`` writes the kernel, and CuPy or
``cuda.core`` compiles and launches it on the caller's current stream."""

import functools
import math
import re

from . import _native

# The call from which a pair of layouts has a kernel of its own. Before, the tensor's library copies the elements.
OWN_FROM = 2
# Bytes of the kernels' vectors: buffers have to be aligned to them.
VECTOR = 16
# Pairs of layouts that the cache keeps.
PAIRS = 4096
# The device type of CUDA in DLPack.
_CUDA = 2

_TOKEN = re.compile(r"\s*(?:([A-Za-z_]\w*)|(\()|(\))|(1)(?!\w)|(\S))")


def relayout(source, target, element_bytes=4, language="cuda", name="relayout", by_number=False, **lengths):
    """A kernel, in ``"cuda"`` or ``"wgsl"``, that moves elements of ``element_bytes`` from one layout to the other, at
    the same coordinates. With ``by_number`` the two shapes need only one size: coordinates with the same index are
    paired, with the leftmost mode the fastest (a reshape).

    >>> "__global__" in relayout("(64,32):(32,1)", "(64,32):(1,64)", element_bytes=2, name="transpose")
    True
    >>> "__global__" in relayout("(64,32):(32,1)", "(32,64)", by_number=True)
    True

    With a tensor of CuPy or PyTorch on a CUDA device, and a pattern, it returns a new tensor of the same library, with the
    axes in another order and contiguous memory, the last axis the fastest. Tensors of other libraries that import and export
    DLPack, as JAX does, go through CuPy. In the pattern each axis has a name; parentheses group axes, the last one the
    fastest; all lengths of a group but one are given by name; ``1`` is an axis of length 1.

        y = relayout(x, "b s h d -> b h s d")
        y = relayout(x, "b s (h d) -> b h s d", h=32)

    The kernel is launched on the library's current stream. CuPy or ``cuda.core`` compiles it at the second call with one
    pair of layouts; the first call uses the library's own copy, so a thousand shapes that occur once compile nothing.
    """
    if not (isinstance(target, str) and "->" in target):
        if lengths:
            raise TypeError(f"relayout() got an unexpected keyword argument '{next(iter(lengths))}'")
        return _native.relayout(source, target, element_bytes, language, name, by_number)
    if (element_bytes, language, name, by_number) != (4, "cuda", "relayout", False):
        raise TypeError("a relayout of a tensor takes only a pattern and lengths of axes: the tensor has the element type")
    library = _library(source)
    if library is _ByDlpack:
        return _ByDlpack.relayout(source, target, lengths)
    shape, strides = library.shape_and_strides(source)
    element_bytes, given = library.element_bytes(source), tuple(sorted(lengths.items()))
    pair, axes, order, result = _kept(target, shape, strides, given, element_bytes, library.device(source))
    if 0 in shape:
        return library.empty(source, result)
    launch = _find_launch()
    pair.runs += 1
    address = library.address(source) + pair.below
    into = library.empty(source, result) if pair.runs >= OWN_FROM and address % VECTOR == 0 else None
    if into is None or library.address(into) % VECTOR:
        return library.permuted(source, [extent for extent, _ in axes], order, result)
    if pair.kernel is None:
        pair.kernel = launch.compile(pair)
    launch.run(pair, library.stream(source), address, library.address(into))
    return into


def _keep(pattern, shape, strides, lengths, element_bytes, device):
    axes, order, result = _plan(pattern, shape, strides, lengths)
    return _pair(tuple(axes), tuple(order), element_bytes, device), axes, order, result


_kept = functools.lru_cache(maxsize=PAIRS)(_keep)


def _read_side(text, pattern):
    """A list of axes, each a list of names: one name, a group's names, or an empty list for ``1``."""
    axes, group, at = [], None, 0
    text = text.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        name, opens, closes, one, other = found.groups()
        at = found.end()
        if other:
            raise ValueError(f"`{other}` in the pattern '{pattern}' is neither a name, nor a parenthesis, nor 1")
        if opens and group is not None:
            raise ValueError(f"a group within a group in the pattern '{pattern}'")
        if closes and group is None:
            raise ValueError(f"`)` without `(` in the pattern '{pattern}'")
        if opens:
            group = []
        elif closes:
            axes.append(group)
            group = None
        elif group is not None:
            group += [name] if name else []
        else:
            axes.append([name] if name else [])
    if group is not None:
        raise ValueError(f"`(` without `)` in the pattern '{pattern}'")
    return axes


def _read_pattern(pattern):
    sides = pattern.split("->")
    if len(sides) != 2:
        raise ValueError(f"the pattern '{pattern}' has {len(sides) - 1} arrows and not one")
    left, right = (_read_side(side, pattern) for side in sides)
    names = [[name for axis in side for name in axis] for side in (left, right)]
    for side in names:
        for name in side:
            if side.count(name) > 1:
                raise ValueError(f"the axis {name} is twice on one side of the pattern '{pattern}'")
    for here, there, where in ((names[0], names[1], "right"), (names[1], names[0], "left")):
        for name in here:
            if name not in there:
                raise ValueError(f"the axis {name} is not on the {where} side of the pattern '{pattern}'")
    return left, right


_read = functools.lru_cache(maxsize=PAIRS)(_read_pattern)


def _plan(pattern, shape, strides, lengths):
    """The extent and stride of each named axis of the source; their order in the result; the result's shape."""
    left, right = _read(pattern)
    if len(left) != len(shape):
        raise ValueError(f"the pattern '{pattern}' is for {len(left)} axes, and the tensor's shape is {shape}")
    lengths, axes, names, extents = dict(lengths), [], [], {}
    for name, length in lengths.items():
        if not isinstance(length, int) or isinstance(length, bool) or length < 1:
            raise TypeError(f"the length of the axis {name} is {length!r}, and not a number of at least 1")
        if not any(name in axis for axis in left):
            raise ValueError(f"the pattern '{pattern}' has no axis {name}")
    for axis, extent, stride in zip(left, shape, strides):
        if not axis and extent != 1:
            raise ValueError(f"the pattern '{pattern}' has 1 or () for an axis of length {extent}")
        unknown = [name for name in axis if name not in lengths]
        known = math.prod(lengths[name] for name in axis if name in lengths)
        if len(unknown) > 1:
            raise ValueError(f"the lengths of {' and '.join(unknown)} are unknown: the pattern '{pattern}' needs all but one of a group")
        if extent % known or (not unknown and extent != known):
            group = " ".join(axis)
            raise ValueError(f"an axis of length {extent} does not split into ({group}): the given lengths have the product {known}")
        step = stride
        for name in reversed(axis):
            extents[name] = lengths.get(name, extent // known)
            axes.insert(len(names), (extents[name], step))
            step *= extents[name]
        names += axis
    order = [names.index(name) for axis in right for name in axis]
    result = tuple(math.prod(extents[name] for name in axis) for axis in right)
    return axes, order, result


class _Pair:
    """A pair of layouts and its kernel, for one device."""

    def __init__(self, axes, order, element_bytes, device):
        steps, step = [0] * len(axes), 1
        for axis in reversed(order):
            steps[axis] = step
            step *= axes[axis][0]
        tree = lambda numbers: f"({','.join(map(str, numbers))})" if numbers else "1"
        extents = tree([extent for extent, _ in axes])
        self.source = f"{extents}:{tree([stride for _, stride in axes])}"
        self.target = f"{extents}:{tree(steps)}"
        self.element_bytes, self.device = element_bytes, device
        # The element of the least offset lies this many bytes before element 0: zero or less.
        self.below = sum((extent - 1) * min(stride, 0) for extent, stride in axes) * element_bytes
        self.runs, self.kernel, self.blocks, self.threads = 0, None, 0, 0

    def code(self):
        text = _native.relayout(self.source, self.target, self.element_bytes, "cuda", "relayout")
        self.blocks, self.threads = map(int, re.search(r"<<<(\d+)u, (\d+)u, 0, stream>>>", text).groups())
        return text


_pair = functools.lru_cache(maxsize=PAIRS)(_Pair)


class _CuPy:
    """CuPy's arrays."""

    @staticmethod
    def shape_and_strides(x):
        # A view of a structured array's field may have a stride that is no multiple of the element.
        size = x.dtype.itemsize
        if any(stride % size for stride, extent in zip(x.strides, x.shape) if extent > 1):
            raise TypeError(f"strides of {x.strides} bytes are not multiples of the {size} bytes of {x.dtype}")
        return x.shape, tuple([stride // size for stride in x.strides])

    @staticmethod
    def element_bytes(x):
        return x.dtype.itemsize

    @staticmethod
    def address(x):
        return x.data.ptr

    @staticmethod
    def device(x):
        return x.device.id

    @staticmethod
    def stream(x):
        """CuPy's own."""
        return None

    @staticmethod
    def empty(x, shape):
        import cupy

        with x.device:
            return cupy.empty(shape, x.dtype)

    @staticmethod
    def permuted(x, extents, order, shape):
        import cupy

        with x.device:
            return cupy.array(x.reshape(extents).transpose(order), copy=True, order="C").reshape(shape)


class _Torch:
    """PyTorch's tensors."""

    @staticmethod
    def shape_and_strides(x):
        return tuple(x.shape), x.stride()

    @staticmethod
    def element_bytes(x):
        return x.element_size()

    @staticmethod
    def address(x):
        return x.data_ptr()

    @staticmethod
    def device(x):
        return x.device.index

    @staticmethod
    def stream(x):
        import torch

        return torch.cuda.current_stream(x.device).cuda_stream

    @staticmethod
    def empty(x, shape):
        return x.new_empty(shape)

    @staticmethod
    def permuted(x, extents, order, shape):
        import torch

        turned = x.reshape(extents).permute(order)
        return turned.clone(memory_format=torch.contiguous_format).reshape(shape)


def _library_of(kind):
    """The adapter for a type: CuPy's, PyTorch's, or the one for types that import and export DLPack."""
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] == "cupy" and base.__name__ == "ndarray":
            return _CuPy
        if base.__module__ == "torch" and base.__name__ == "Tensor":
            return _Torch
    if all(hasattr(kind, name) for name in ("__dlpack__", "__dlpack_device__", "__array_namespace__")):
        return _ByDlpack
    home = f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"
    raise TypeError(
        f"a relayout by a pattern takes a tensor of CuPy or PyTorch on a CUDA device, and this is of type {home}; "
        "`cupy.from_dlpack` takes those of other libraries"
    )


_library_kept = functools.lru_cache(maxsize=64)(_library_of)


def _library(x):
    library = _library_kept(type(x))
    if library is _ByDlpack and x.__dlpack_device__()[0] != _CUDA:
        home = f"{type(x).__module__.partition('.')[0]}.{type(x).__qualname__}"
        raise TypeError(f"a relayout by a pattern takes a tensor on a CUDA device, and the {home} is on another one")
    if library is not _Torch:
        return library
    import torch

    if x.device.type != "cuda":
        raise TypeError(f"a relayout by a pattern takes a tensor on a CUDA device, and the tensor is on {x.device}")
    if x.layout is not torch.strided:
        raise TypeError(f"a tensor of the layout {x.layout} has no strides")
    if x.requires_grad and torch.is_grad_enabled():
        raise TypeError("the tensor requires a gradient, and a relayout has none: pass x.detach(), or use torch.no_grad()")
    if x.is_conj() or x.is_neg():
        raise TypeError("the tensor's memory is not yet conjugated or negated: pass x.resolve_conj().resolve_neg()")
    return _Torch


class _ByDlpack:
    """Tensors of other libraries, imported as CuPy's arrays."""

    @staticmethod
    def relayout(x, pattern, lengths):
        import cupy

        y = relayout(cupy.from_dlpack(x), pattern, **lengths)
        return x.__array_namespace__().from_dlpack(y)


class _Foreign:
    """A stream of another library, under the ``__cuda_stream__`` protocol."""

    def __init__(self, address):
        self.address = address

    def __cuda_stream__(self):
        return 0, self.address


def _make_stream(address, device):
    import cupy

    if address == 0:
        return cupy.cuda.Stream.null
    if hasattr(cupy.cuda.Stream, "from_external"):
        with cupy.cuda.Device(device):
            return cupy.cuda.Stream.from_external(_Foreign(address))
    return cupy.cuda.ExternalStream(address, device)


_stream_kept = functools.lru_cache(maxsize=64)(_make_stream)


class _ByCuPy:
    @staticmethod
    def compile(pair):
        import cupy

        with cupy.cuda.Device(pair.device):
            return cupy.RawModule(code=pair.code(), options=("--std=c++17",)).get_function("relayout")

    @staticmethod
    def run(pair, stream, source, target):
        import cupy

        with cupy.cuda.Device(pair.device):
            if stream is None:
                pair.kernel((pair.blocks,), (pair.threads,), (source, target))
                return
            with _stream_kept(stream, pair.device):
                pair.kernel((pair.blocks,), (pair.threads,), (source, target))


class _ByCudaCore:
    @staticmethod
    def module():
        try:
            import cuda.core as core

            core.Program
        except (ImportError, AttributeError):
            import cuda.core.experimental as core
        return core

    @classmethod
    def compile(cls, pair):
        core = cls.module()
        device = core.Device(pair.device)
        device.set_current()
        options = core.ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
        return core.Program(pair.code(), "c++", options).compile("cubin").get_kernel("relayout")

    @classmethod
    def run(cls, pair, stream, source, target):
        core = cls.module()
        core.Device(pair.device).set_current()
        config = core.LaunchConfig(grid=pair.blocks, block=pair.threads)
        core.launch(core.Stream.from_handle(stream), config, pair.kernel, source, target)


def _choose_launch():
    """What compiles and launches kernels."""
    try:
        import cupy  # noqa: F401

        return _ByCuPy
    except ImportError:
        pass
    try:
        _ByCudaCore.module()
        return _ByCudaCore
    except ImportError:
        raise ImportError(
            "a relayout of a tensor compiles its kernel with CuPy or cuda.core, and neither is installed: "
            "pip install cupy-cuda13x, or cuda-core"
        ) from None


_find_launch = functools.lru_cache(maxsize=None)(_choose_launch)
