"""Untrusted operands: NumPy's numbers, objects whose methods return something else each time, subclasses of NumPy's
array, exceptions of the operands, random arrays of other libraries.

``FUZZ_SECONDS=600`` sets how long random operands are drawn; the seed changes each day, and is printed.
"""

import ctypes
import inspect
import itertools
import os
import random
import re
import signal
import threading
import time

import layout_algebra
import pytest
from layout_algebra import *

np = pytest.importorskip("numpy")

SEED = int(os.environ.get("SEED", os.environ.get("PROPTEST_RNG_SEED", time.time() // 86400)))
SECONDS = float(os.environ.get("FUZZ_SECONDS", 2))

# Every function and method, called with ``n(4)`` wherever it takes a number 4.
ENTRIES = """
Layout((n(4), (n(2), n(3))), (n(3), (n(1), n(12))))
Layout(n(4), n(3))
Layout(n(4))
Layout.left((n(4), 3))
Layout.right((n(4), 3))
Layout.ordered((n(4), 3), (n(2), n(1)))
Layout.of_modes(n(4), n(3))
Layout.domain_distribute((n(4), 3), n(2))
Layout("(2,4):(4,1)").bases(["a", "b"], {"x": n(4), "y": n(2)})
Layout("(2,4):(4,1)").bases(["a", "b"], [("x", n(4)), ("y", n(2))])
l(n(3)), l(n(3), n(4)), l((n(3), n(4))), l(n(1), None), l(slice(n(1), n(3)), n(2))
l[n(1)], l[n(-1)], l[n(0):n(1)]
l @ n(2), l @ (n(2), n(3))
l.slice((None, slice(n(1), n(3)))), slice_and_offset(l, (n(1), None))
l.window((n(1), n(2)), (n(2), n(3))), domain_offset(l, (n(1), n(2)), (n(2), n(3)))
l.compose((n(2), None)), composition(l, n(2)), l.explain_compose(n(2)), explain_compose(l, n(2))
l.draw_compose(n(2)).table()
l.logical_divide(n(2)), logical_divide(l, (n(2), n(3))), l.explain_logical_divide(n(2))
explain_logical_divide(l, n(2))
l.zipped_divide((n(2), n(3))), zipped_divide(l, n(2)), l.draw_divide((n(2), n(3))).table()
l.tiled_divide((n(2), n(3))), tiled_divide(l, (n(2), n(3))), l.flat_divide((n(2), n(3)))
flat_divide(l, (n(2), n(3)))
l.round_up((n(3), n(4))), round_up(l, n(4))
l.logical_product(n(2)), logical_product(l, n(2)), l.zipped_product(n(2)), zipped_product(l, n(2))
l.tiled_product(n(2)), tiled_product(l, n(2)), l.flat_product(n(2)), flat_product(l, n(2))
l.blocked_product((n(2), n(3))), blocked_product(l, (n(2), n(3))), l.raked_product((n(2), n(3)))
raked_product(l, (n(2), n(3)))
l.tile_to_shape((n(4), n(12))), tile_to_shape(l, (n(8), n(6)))
l.tile_to_shape_ordered((n(8), n(12)), (n(1), n(0)))
coalesce(l, n(1)), l.coalesce_by((n(1), n(1))), coalesce_by(l, (n(1), n(1)))
l.filter_by((n(1), n(1))), filter_by(l, (n(1), n(1)))
l.complement(n(48)), complement("2:1", n(4)), l.complement_ceil(n(50)), complement_ceil(l, n(50))
l.max_common_layout((n(4), n(6))), max_common_layout(l, (n(4), 3))
l.max_common_vector((n(4), n(6))), max_common_vector(l, n(4))
l.greatest_common_domain(n(4)), greatest_common_domain(n(4), (n(2), 2))
l.layout_add((n(4), n(6))), layout_add(l, (n(4), n(6)))
l.upcast(n(2)), upcast(l, n(2)), l.downcast(n(2)), downcast(l, n(2)), l.recast(n(16), n(32))
recast_layout(l, n(16), n(32))
l.flip(n(1)), flip(l, n(1)), l.select((n(1), n(0))), select(l, (n(1), n(0))), l.mode(n(1))
get(l, n(1))
l.take(n(1), n(2)), take(l, n(0), n(1)), l.group(n(0), n(2)), group_modes(l, n(0), n(2))
Layout("(4,(2,3))").ungroup(n(1)), ungroup("(4,(2,3))", n(1)), l.append(n(2))
append(l, n(2), n(3)), l.prepend(n(2)), prepend(l, n(2))
l.replace(n(1), n(2)), replace(l, n(1), n(2)), l.with_shape((n(12), n(2))), with_shape(l, n(24))
l.draw("bank", n(4)).table(), l.svg("bank", n(4)), l.draw().svg(n(4))
Layout("(2,2)").draw_threads((n(2), n(2)), n(1)).table()
l.bank_conflicts("(4,1):(1,0)", n(32), n(32)), l.bank_costs("(4,1):(1,0)", n(32), n(32))
l.draw_banks("(4,1):(1,0)", n(32), n(32)).table()
l.coalescing("(4,1):(1,0)", n(32), n(32)), l.vector_width("(4,1):(1,0)", n(32), n(16))
l.best_swizzle("(4,1):(1,0)", "(4,1):(1,0)", n(32))
l.segments(n(32), n(64)), l.find_composition((n(4), n(3))), l.find_solution(n(4)), l.find_range(n(1), n(1), n(3))
best_shared_layout("(4,1):(1,0)", "(4,1):(1,0)", n(32))
relayout((n(4), n(3)), "(4,3):(3,1)", n(4))
call("complement", "2:1", n(4)), bool(check("complement", ("2:1", n(4)), "2:2"))
mma("SM80_16x8x16_F32F16F16F32_TN", (n(2), n(1), n(1)))
mma("SM80_16x8x16_F32F16F16F32_TN").draw("C", n(4)).table()
Swizzle(n(2), n(1), n(3)), Swizzle((n(2), n(1), n(3)))
Swizzle(2, 1, 3).compose((n(4), n(3)), n(4)), Swizzle(2, 1, 3)(n(16))
Swizzle(2, 1, 3).upcast(n(2)), Swizzle(2, 1, 3).downcast(n(2)), Tiler((n(2), None, n(3)))
Tiler((n(2), 3))[n(0)], Xor(n(4))
make_layout((n(4), n(3)), (n(3), n(1))), make_ordered_layout((n(4), n(3)), (n(1), n(0)))
make_layout_like((n(4), n(3)))
size((n(4), n(3))), size(l, n(1)), cosize((n(4), n(3))), rank((n(4), n(3))), depth((n(4), n(3)))
crd2idx((n(2), n(3)), (n(4), 6), (n(1), 4)), idx2crd(n(3), (n(4), 6))
congruent((n(4), n(3)), n(4)), weakly_congruent(n(4), (n(4), 6))
l.permute(n(1), n(0)), permute(l, n(1), n(0)), l.reshape((n(2), n(12)), "F"), reshape(l, (n(24),), "F")
l.broadcast_to((n(4), n(6))), broadcast_to(l, (n(2), n(4), n(6)))
l.local_tile((n(2), n(3)), (n(1), n(0))), local_tile(l, (n(2), n(3)), (n(1), n(0)))
Layout.with_strides((n(4), n(6)), (n(6), n(1)))
mma("SM80_16x8x16_F32F16F16F32_TN").thread_of("C", n(3), n(5))
BankModel(n(32), n(32), n(32)).lanes_of_phase(n(64)), BankModel.sm_90().with_order([n(k) for k in range(32)])
BankModel.sm_90().conflicts("(4,6):(6,1)", "(4,1):(1,0)", n(32), n(32))
formats.q8_0().get(bytes(34), n(3)), formats.gptq(n(64), n(16), n(32)).bytes
compatible((n(4), n(3)), (n(4), (n(3), n(1)))), from_pycute(Theirs((n(4), n(3)), (n(1), n(4))))
from_array(Theirs((n(4), n(3)), (n(1), n(4)))), from_numpy(Theirs((n(4),), (n(1),)))
from_torch(Theirs((n(4),), (n(1),)))
view(np.arange(48), (n(4), n(3)), n(4)).tolist(), view(np.arange(48), "4:-1", n(40)).tolist()
view(np.arange(48), Layout(n(40)), n(8))[0]
to_cute((n(4), n(3))), from_cute("_4:_1"), from_triton(LINEAR, ["b", "a"]), right_inverse(n(4))
left_inverse((n(4), 3)), nullspace(n(4))
coalesce_z((n(4), 3)), filter((n(4), 3)), flatten((n(4), 3)), transpose((n(4), 3))
reverse((n(4), 3)), linear(n(4)), natural(n(4))
swizzled(n(4)), is_injective(n(4)), is_surjective(n(4)), is_bijective(n(4)), is_compact(n(4))
""".strip().splitlines()
# Functions and methods without a numeric operand.
WITHOUT = set(
    """
call check copy_atom copy_atom_names mma_names operations to_pycute Format.decode Format.encode Layout.is_contiguous is_contiguous Layout.is_bijective Layout.is_compact Layout.is_injective Layout.is_surjective
Layout.coalesce Layout.coalesce_z Layout.filter Layout.find_left_inverse Layout.flatten Layout.layout_like Layout.left_inverse
Layout.linear Layout.natural Layout.nullspace Layout.reverse Layout.right_inverse Layout.swizzled Layout.transpose
Layout.coverage Layout.permutation Layout.compose_axes Layout.draw_memory Layout.emit Layout.cuda Layout.triton Layout.show Picture.show Picture.table
""".split()
)
LINEAR = " - x=1 -> (1, 0)\n   x=2 -> (0, 1)\nwhere out dims are: [a (size 2), b (size 2)]"


class Theirs:
    """A tensor of PyTorch's kind, and a layout of pycute's."""

    def __init__(self, shape, strides):
        self.shape, self.stride = shape, Strides(strides)


class Strides(tuple):
    def __call__(self):
        return self


def run(entry, n):
    """The text of the results of a line's expressions; exceptions propagate."""
    space = {
        **vars(layout_algebra),
        "np": np,
        "Theirs": Theirs,
        "LINEAR": LINEAR,
        "l": Layout("(4,6):(1,4)"),
        "n": n,
    }
    return repr(eval(entry, space))


def test_every_entry_is_listed():
    listed = " ".join(ENTRIES)
    missing = []
    for name in layout_algebra.__all__:
        member = getattr(layout_algebra, name)
        if (
            not inspect.isclass(member)
            and callable(member)
            and not re.search(rf"(?<![.\w]){name}\(", listed)
        ):
            missing.append(name)
    for cls in (Layout, Swizzle, Tiler, Xor, Mma, Picture):
        for name, member in vars(cls).items():
            if (
                callable(getattr(cls, name))
                and not name.startswith("_")
                and not re.search(rf"\.{name}\(", listed)
            ):
                missing.append(f"{cls.__name__}.{name}")
    assert set(missing) <= WITHOUT, sorted(set(missing) - WITHOUT)


def lies(number, result):
    """An object that `operator.index` reads as this number, and whose other methods return something else."""

    def lie(*_):
        return result

    names = "add sub mul mod floordiv neg lshift rshift and xor lt le gt ge eq ne"
    names = [f"__{name}__" for name in names.split()] + [
        f"__r{name}__" for name in names.split()[:10]
    ]
    body = {name: lie for name in (*names, "__hash__")}
    below_int = type("Number", (int,), {**body, "__int__": lie, "__index__": lie})
    apart = type("Number", (), {**body, "__index__": lambda self: number})
    return random.choice([below_int(number), apart()])


def test_numbers_are_those_of_operator_index():
    random.seed(SEED)
    types = [
        np.int8,
        np.uint8,
        np.int16,
        np.uint16,
        np.int32,
        np.uint32,
        np.int64,
        np.uint64,
        np.intp,
        np.array,
    ]
    for entry in ENTRIES:
        expected = run(entry, int)
        for kind in types:
            if not (kind in (np.uint8, np.uint16, np.uint32, np.uint64) and "n(-1)" in entry):
                assert run(entry, kind) == expected, (kind, entry)
        for result in (0, -1, 1 << 70, None, np.uint8(255)):
            assert run(entry, lambda number: lies(number, result)) == expected, entry


@pytest.mark.parametrize(
    "raised",
    [KeyboardInterrupt, SystemExit, ZeroDivisionError, TypeError, OverflowError, MemoryError],
)
def test_exceptions_of_others_come_through(raised):
    class Mine(raised):
        pass

    class Raises:
        def __index__(self):
            raise Mine("mine")

    for entry in ENTRIES:
        # Each number raises in turn.
        for at in range(len(re.findall(r"\bn\(", entry))):
            numbers = itertools.count()
            with pytest.raises(Mine, match="mine"):
                run(entry, lambda number: Raises() if next(numbers) == at else number)
    for at in (Raises(), (Raises(), 1), [1, Raises()]):
        with pytest.raises(Mine):
            Layout("(4,6)")(np.arange(3), Raises()) if at is None else Layout(at)

    class Array(np.ndarray):
        @property
        def shape(self):
            raise Mine("mine")

    # No method of the subclass is called.
    assert view(np.arange(4).view(Array), "4:1").tolist() == [0, 1, 2, 3]


LIES = {
    "size": 1 << 40,
    "shape": (1 << 40,),
    "strides": (-8,),
    "itemsize": 1 << 20,
    "ndim": 7,
    "nbytes": 1 << 40,
    "flags": None,
    "dtype": np.dtype("f8"),
    "data": None,
    "ctypes": None,
    "base": None,
    "T": None,
    "reshape": None,
    "ravel": None,
    "astype": None,
    "max": None,
    "__array__": None,
    "__array_interface__": {},
    "__array_struct__": None,
    "__getitem__": None,
    "__len__": 3,
    "__iter__": None,
    "__array_priority__": 1e9,
    "__array_function__": None,
    "__array_ufunc__": None,
    "stride": None,
    "__dlpack__": None,
    "__buffer__": None,
    "view": None,
    "__class__": None,
    "__index__": 7,
    "flat": None,
}


def liar(array, rng):
    """The same memory in a subclass whose methods return other memory, and whose attributes return other numbers."""
    other = np.arange(1000, 2000)

    def body(name):
        lie = LIES[name]
        if name == "__array_finalize__":
            return lambda self, _: None
        if lie is None:
            return rng.choice([lambda *_, **__: other, property(lambda _: other)])
        return rng.choice([lie, property(lambda _: lie), lambda *_, **__: lie])

    while True:
        names = rng.sample(sorted(LIES), rng.randint(0, 6))
        cls = rng.choice([np.ndarray, np.ndarray, np.matrix, np.memmap, np.recarray])
        try:
            return array.view(type("Array", (cls,), {name: body(name) for name in names})), names
        except Exception:
            pass  # There is no such array.


def test_arrays_are_read_by_their_contents():
    """Subclasses of NumPy's array, `numpy.matrix` and classes that override anything, are read by their contents."""
    rng, count, end = random.Random(SEED), 0, time.time() + SECONDS
    print(f"the seed of these arrays: SEED={SEED}")
    while time.time() < end or count < 200:
        count += 1
        dtype = rng.choice(
            ["u1", "i2", "i4", "i8", "u8", "f4", "c16", "M8[s]", [("a", "u1"), ("b", "u8")]]
        )
        length = rng.randint(0, 40)
        memory = np.zeros(length + 80, dtype)
        memory.view("u1")[:] = np.arange(memory.nbytes) % 251
        plain = memory[40 : 40 + length]
        extents = [rng.randint(0, 4) for _ in range(rng.randint(1, 3))]
        layout = Layout(
            tuple(extents), tuple(rng.choice([-9, -4, -1, 0, 1, 1, 2, 4, 12]) for _ in extents)
        )
        offset = rng.choice(
            [layout.base, layout.base, layout.base + 1, rng.randint(-3, 45), 1 << 62, -(1 << 62)]
        )
        number = rng.choice(
            [
                int,
                np.uint8,
                np.int16,
                np.uint64,
                lambda number: lies(number, rng.choice([0, 5, -5])),
            ]
        )
        number = number if 0 <= offset < 256 else int
        array, names = liar(plain, rng)
        said = (layout, offset, length, dtype, names, type(array).__mro__)
        try:
            expected = view(plain, layout, offset)
            assert layout.size == 0 or (
                0 <= offset - layout.base and offset - layout.base + layout.cosize <= length
            )
        except LayoutError:
            assert offset - layout.base < 0 or offset - layout.base + layout.cosize > length, said
            with pytest.raises(LayoutError):
                view(array, layout, number(offset))
            continue
        seen = view(array, layout, number(offset))
        assert (
            type(seen) is np.ndarray
            and seen.tobytes() == expected.tobytes()
            and seen.shape == expected.shape
        ), said
        assert seen.dtype == plain.dtype and (
            seen.size == 0 or np.shares_memory(seen, plain) or not layout.cosize
        ), said
        for at in np.ndindex(seen.shape):
            assert (
                seen[at]
                == plain[
                    offset + layout(*at)
                    if layout.base == 0
                    else offset + sum(i * d for i, d in zip(at, layout.stride))
                ]
            ), said
        if offset == layout.base == 0 and memory.dtype.kind in "iu" and layout.size:
            target = Layout("(5,9):(9,1)")
            numbers = (np.arange(length) % 45).astype(dtype)
            coordinates, names = liar(numbers, rng)
            assert np.array_equal(
                target(coordinates), target(numbers).reshape(np.asarray(coordinates).shape)
            ), names
            assert from_array(coordinates) == from_array(np.asarray(coordinates)), names


def test_a_thread_that_writes_changes_nothing_that_is_read():
    """Each coordinate is read once, then checked and used, while a thread writes others, some beyond the layout."""
    layout, numbers = Layout("(512,512):(513,1)"), np.zeros(1 << 20, np.int64)
    stop = threading.Event()

    def write():
        while not stop.is_set():
            numbers[:] = 512 * 512 - 1
            numbers[:] = 0

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(20):
            offsets = layout(numbers)
            assert set(np.unique(offsets).tolist()) <= {0, layout(512 * 512 - 1)}
    finally:
        stop.set()
        thread.join()


class Struct(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("dtype", ctypes.c_uint8 * 4),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("byte_offset", ctypes.c_uint64),
    ]


def hostile(rng):
    """An object with some attributes of foreign arrays and layouts, each with any value."""
    keep = []

    def dlpack(*_, **__):
        new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        new = new(("PyCapsule_New", ctypes.pythonapi))
        axes = rng.choice([0, 1, 2, 5])
        numbers = lambda: (ctypes.c_int64 * 8)(
            *[rng.choice([0, 1, 2, 3, 1 << 40, -1, -(1 << 63), (1 << 63) - 1]) for _ in range(8)]
        )
        struct, shape, strides = Struct(), numbers(), numbers()
        struct.ndim = rng.choice([axes, axes, axes, -1, -(1 << 31), (1 << 31) - 1, 1 << 17])
        struct.shape = rng.choice([ctypes.addressof(shape), ctypes.addressof(shape), 0])
        struct.strides = rng.choice([ctypes.addressof(strides), 0])
        keep.extend([struct, shape, strides])
        return rng.choice(
            [new(ctypes.addressof(struct), b"dltensor", None)] * 4
            + [new(ctypes.addressof(struct), b"used", None), None, 5]
        )

    def raises(*_):
        raise rng.choice([ValueError, TypeError, RuntimeError, AttributeError, MemoryError])("mine")

    def value(deep=0):
        pool = [
            lambda: rng.choice(
                [
                    0,
                    1,
                    2,
                    3,
                    4,
                    8,
                    -1,
                    -4,
                    1 << 63,
                    1 << 64,
                    -(1 << 63),
                    10**30,
                    True,
                    1.5,
                    float("nan"),
                    None,
                    "x",
                    b"4",
                    "",
                ]
            ),
            lambda: rng.choice(
                [
                    np.uint8(4),
                    np.int64(-8),
                    np.float64(2),
                    np.array([2, 3]),
                    np.array(3),
                    lies(4, -1),
                ]
            ),
            lambda: tuple(value(deep + 1) for _ in range(rng.randint(0, 3))) if deep < 3 else 2,
            lambda: [value(deep + 1) for _ in range(rng.randint(0, 3))] if deep < 3 else 2,
            lambda: itertools.count(),
            lambda: itertools.repeat(2),
            lambda: iter([2, 3]),
            lambda: (k for k in (2, 3)),
            lambda: {2: 3},
            lambda: range(2, 5),
            lambda: hostile(rng) if deep < 2 else None,
            lambda: raises,
            lambda: lambda *_: value(2),
            lambda: Layout("(2,3)"),
        ]
        return rng.choice(pool)()

    names = [
        "shape",
        "strides",
        "stride",
        "itemsize",
        "layout",
        "swizzle",
        "block_shape",
        "base",
        "dtype",
        "__index__",
        "__iter__",
        "__len__",
    ]
    body = {}
    for name in rng.sample(names, rng.randint(0, 5)):
        made = value()
        body[name] = rng.choice([made, property(lambda _, made=made: made), property(raises)])
    if rng.random() < 0.3:
        body["__dlpack__"] = rng.choice([dlpack, dlpack, dlpack, raises, None])
    if rng.random() < 0.3:
        body["__str__"] = rng.choice(
            [raises, lambda _: "(_4,_2):(_1,_4)", lambda _: 5, lambda _: LINEAR]
        )
    made = type("Hostile", (object,), body)()
    made.__dict__["keep"] = keep
    return made


def texts(rng):
    """Texts near those that Triton and CuTe print."""
    text = rng.choice(
        [
            LINEAR,
            "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
            "(_4,(_2,_3)):(_1,(12,_4))",
        ]
    )
    for _ in range(rng.randint(0, 4)):
        a, b = sorted(rng.randint(0, len(text)) for _ in range(2))
        part = rng.choice(
            [
                "",
                "9",
                "_",
                "(",
                ")",
                " - ",
                "\n",
                "[",
                "size 8",
                ", ",
                "=",
                "o",
                text[a:b],
                text[a:b] * 9,
                "7" * 40,
                "\u0661",
            ]
        )
        text = text[:a] + part + text[rng.choice([a, b]) :]
    return text


def test_attributes_of_others_end_in_layouts_or_sentences():
    """Random objects in place of arrays, tensors, layouts and texts give a layout, or an exception with a text, in time."""
    rng, count, end = random.Random(SEED + 1), 0, time.time() + SECONDS
    print(f"the seed of these objects: SEED={SEED}")
    readers = [
        from_array,
        from_numpy,
        from_torch,
        from_pycute,
        from_cute,
        from_triton,
        Layout,
        Tiler,
        Swizzle,
        size,
        depth,
        cosize,
        Layout("(4,6)"),
        lambda it: view(np.arange(30), it),
        lambda it: view(it, "4:1"),
        lambda it: view(np.arange(30), "4:1", it),
        lambda it: Layout((4, 6), it),
        lambda it: Layout("(4,6)")(it, np.arange(4)),
        lambda it: from_triton(LINEAR, it),
        lambda it: Layout("(2,4):(4,1)").bases(["a", "b"], it),
        lambda it: call("compose", "(4,6)", it),
        lambda it: mma("SM61_DP2A", it),
    ]

    def late(*_):
        raise SystemExit(f"no answer in time: {said}")

    # A limit of processor time: time in which the process is stopped does not count.
    before = signal.signal(signal.SIGPROF, late)
    try:
        while time.time() < end or count < 300:
            count += 1
            it, reader = (texts(rng) if rng.random() < 0.3 else hostile(rng)), rng.choice(readers)
            said = (reader, it if isinstance(it, str) else vars(type(it)))
            signal.setitimer(signal.ITIMER_PROF, 20)
            try:
                reader(it)
            except Exception as error:
                assert str(error) or isinstance(error, (MemoryError, AttributeError)), said
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        signal.signal(signal.SIGPROF, before)
    print(f"{count} objects")


def test_long_texts_are_read_in_time_or_refused():
    begin = time.time()
    for text in (
        "a" * 100000,
        "a " * 50000,
        "[" + "a" * 100000,
        "[" + " " * 100000,
        "[" + "a (size 2), " * 9000 + "]",
        " - " + "x" * 100000,
        " - x=1 -> (" + "1, " * 40000 + ")\n[a (size 2)]",
        "".join(f" - x{k} is a size 1 dimension\n" for k in range(20000)) + "[a (size 2)]",
        "[" + ", ".join(f"a{k} (size 2)" for k in range(9000)) + "]",
        "[a (size " + "9" * 100000 + ")]",
        "".join(f"   x={1 << k} -> (1)\n" for k in range(2000)) + "[a (size 2)]",
    ):
        try:
            from_triton(text)
        except LayoutError as error:
            assert len(str(error)) < 500, len(str(error))
        for reader in (from_cute, Layout, Tiler, Swizzle):
            with pytest.raises((LayoutError, ValueError)):
                reader(text)
    assert time.time() - begin < 20
    wide = (2, 2)
    for _ in range(60):
        wide = (wide, wide)  # 2^61 numbers
    for reader in (size, rank, depth, cosize, Layout, Tiler):
        with pytest.raises(LayoutError):
            reader(wide)

    class Endless(tuple):
        def __iter__(self):
            return itertools.repeat(2)

    assert size(Endless((4, 6))) == 24 and depth(Endless((4, Endless((2, 3))))) == 2


def test_searches_have_limits():
    with pytest.raises(LayoutError, match="16777216 elements"):
        Layout(1 << 24).best_swizzle("(32,524288):(1,32)", "(32,524288):(524288,1)", 8)
    with pytest.raises(LayoutError, match="reach 1024 elements, and the layout has 24"):
        Layout("(4,6)").bank_conflicts("(32,32)")
