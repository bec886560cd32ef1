"""DLPack between the library and NumPy: the same elements at the same place, kept as long as someone has them, and
given back once. `arrays.py LIBRARY`; the library is that of `lib.rs`."""

import ctypes
import gc
import random
import sys
import weakref

import numpy as np

UNUSED, USED = b"dltensor_versioned", b"used_dltensor_versioned"
OLD, OLD_USED = b"dltensor", b"used_dltensor"
# The tensors that the library gives in the form from before DLPack 1.0.
OLD_KINDS = (6, 9)

python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_GetName.restype = ctypes.c_char_p
python.PyCapsule_GetName.argtypes = [ctypes.py_object]

library = ctypes.CDLL(sys.argv[1])
library.live.restype = ctypes.c_size_t
library.give.restype = ctypes.c_void_p
library.give.argtypes = [ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
library.take.restype = ctypes.c_void_p
library.take.argtypes = [ctypes.c_void_p] + 2 * [ctypes.c_bool] + [ctypes.c_char_p, ctypes.c_size_t]
library.elements.restype = ctypes.c_size_t
library.elements.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
library.address.restype = ctypes.c_void_p
library.address.argtypes = [ctypes.c_void_p]
library.number_tiles.restype = ctypes.c_bool
library.number_tiles.argtypes = [ctypes.c_void_p]
library.give_back.argtypes = [ctypes.c_void_p]


# ---- from the library to NumPy


class Given:
    """A tensor of the library, as `numpy.from_dlpack` asks for it."""

    def __init__(self, kind):
        first = ctypes.c_void_p()
        self.pointer = library.give(kind, ctypes.byref(first))
        self.first = first.value
        self.capsule = python.PyCapsule_New(self.pointer, OLD if kind in OLD_KINDS else UNUSED, None)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **_):
        return self.capsule


def array_of(kind):
    given = Given(kind)
    array = np.from_dlpack(given)
    used = python.PyCapsule_GetName(given.capsule)
    assert used in (USED, OLD_USED), f"the tensor {kind} is not NumPy's now: {used}"
    if array.size:
        assert array.ctypes.data == given.first, f"the tensor {kind} was copied"
    return array


def expected(dtype, shape, strides, length, first=0):
    """The elements 0, 1, 2, .. under a layout, from one of them on."""
    numbers = np.arange(length).astype(dtype)[first:]
    return np.lib.stride_tricks.as_strided(numbers, shape, [numbers.itemsize * step for step in strides])


def given_away():
    kinds = [
        expected(np.float32, (4, 6), (6, 1), 24),
        expected(np.int64, (4, 2, 3), (1, 5, 11), 31),
        expected(np.float64, (4, 6), (10, 1), 36),
        expected(np.uint16, (3, 2, 2), (4, 1, 2), 12),
        np.array([i % 3 == 0 for i in (0, 2, 4, 6, 8)]),
        np.zeros((0, 3), np.float32),
        expected(np.int32, (2, 3), (3, 1), 6),
        expected(np.uint8, (2, 3), (3, 1), 6),
        expected(np.float32, (4, 6), (-6, 1), 24, 18),
        expected(np.int64, (4, 2, 3), (-1, 5, -11), 31, 25),
        expected(np.int16, (3, 2), (-2, -3), 8, 7),
        expected(np.float64, (1, 5), (1, -1), 5, 4),
    ]
    for kind, wanted in enumerate(kinds):
        before = library.live()
        array = array_of(kind)
        assert array.dtype == wanted.dtype and array.shape == wanted.shape, (kind, array)
        assert (array == wanted).all(), (kind, array)
        if array.size > 1 and kind not in (4, 11):
            assert array.strides == wanted.strides, (kind, array.strides)
        # NumPy does not write to what came in the old form.
        assert array.flags.writeable == (kind not in (7, *OLD_KINDS)), kind
        if array.flags.writeable and array.size:
            array[...] = 1
            assert (array == 1).all()
        # A view keeps the storage, and the last one gives it back.
        during = library.live()
        view = array[1:] if array.size else array.T
        del array
        gc.collect()
        assert library.live() == during and (kind == 7 or during > before), kind
        view.sum()
        del view
        gc.collect()
        assert library.live() == before, f"{library.live() - before} bytes of the tensor {kind} were not given back"
    return len(kinds)


# ---- from NumPy to the library


class Taken:
    """An array taken by the library, which owns what NumPy handed over."""

    def __init__(self, array, to_write, versioned=True):
        capsule = array.__dlpack__(max_version=(1, 0)) if versioned else array.__dlpack__()
        unused, used = (UNUSED, USED) if versioned else (OLD, OLD_USED)
        text = ctypes.create_string_buffer(500)
        pointer = python.PyCapsule_GetPointer(capsule, unused)
        self.pointer = library.take(pointer, versioned, to_write, text, len(text))
        self.text = text.value.decode()
        if self.pointer:
            assert python.PyCapsule_SetName(capsule, used) == 0

    def elements(self, size):
        to = np.zeros(max(size, 1), np.float32)
        assert library.elements(self.pointer, to.ctypes.data, size) == size
        return to[:size]

    def give_back(self):
        library.give_back(self.pointer)


def layout_of(array):
    def tuple_of(numbers):
        return "(" + ",".join(str(number) for number in numbers) + ")"

    strides = [step // array.itemsize for step in array.strides]
    first = sum((n - 1) * -step for n, step in zip(array.shape, strides) if step < 0)
    return (first, tuple_of(array.shape) + ":" + tuple_of(strides))


def look_at(array, to_write, versioned=True):
    """Takes the array, compares, drops it first and what the library has of it then."""
    size = array.size
    taken = Taken(array, to_write, versioned)
    assert taken.pointer, (array.shape, array.strides, taken.text)
    assert (taken.elements(size) == array.flatten(order="F")).all(), (array.shape, array.strides)
    if array.ndim and size > 1:
        assert library.address(taken.pointer) == array.ctypes.data, "copied"
    if array.ndim and size > 1 and min(array.shape) > 1:
        first, layout = layout_of(array)
        assert taken.text == f"Sw<0,0,0> o {first} o {layout}", (taken.text, first, layout)
    wanted, alive = array.flatten(order="F"), weakref.ref(array)
    del array
    return taken, wanted, alive


def some_array(rng, signed):
    """An array of up to 4 axes in any order, parts of a larger one, some repeated, some empty; some backwards."""
    rank = rng.randrange(5)
    shape = [rng.choice([0, 1, 2, 3, 4, 5, 6, 7]) if rng.random() < 0.2 else rng.randrange(1, 7) for _ in range(rank)]
    whole = np.arange(max(int(np.prod([2 * n + 1 for n in shape])), 1), dtype=np.float32)
    whole = whole.reshape([2 * n + 1 for n in shape])
    part = []
    for n in shape:
        step = rng.choice([1, 1, 2])
        start = rng.randrange(2)
        part.append(slice(start, start + step * n, step))
    array = whole[tuple(part)] if rank else whole.reshape(())
    if rank:
        array = array.transpose(rng.sample(range(rank), rank))
        if signed:
            array = array[tuple(slice(None, None, rng.choice([1, -1])) for _ in range(rank))]
        if rng.random() < 0.2:
            array = np.broadcast_to(array, [rng.randrange(1, 4)] + list(array.shape))
    return array


def taken_in():
    rng = random.Random(17)
    count, before = 0, library.live()
    for round in range(3000):
        signed = round % 2 == 1
        array = some_array(rng, signed)
        to_write = bool(array.flags.writeable) and rng.random() < 0.5
        # The old form cannot say that an array is not to be written, and NumPy refuses to export such.
        versioned = not array.flags.writeable or rng.random() < 0.7
        taken, wanted, alive = look_at(array, to_write, versioned)
        del array
        gc.collect(0)
        assert alive() is not None, "the library has it, and NumPy has let go of it"
        assert (taken.elements(wanted.size) == wanted).all()
        taken.give_back()
        gc.collect(0)
        assert alive() is None, "the library does not have it, and it was not given back"
        count += 1
    assert library.live() == before, f"{library.live() - before} bytes were lost"

    # What the library writes is what NumPy reads.
    array = np.zeros((6, 10), np.float32)[1:5, ::2][:, :3]
    array = np.concatenate([array, array], axis=1)
    taken, _, _ = look_at(array, True)
    assert library.number_tiles(taken.pointer)
    assert (array == np.kron(np.array([[0, 2], [1, 3]]), np.ones((2, 3)))).all(), array
    taken.give_back()
    strided = np.zeros((8, 12), np.float32, order="F")[::2, 1::2]
    taken, _, _ = look_at(strided, True)
    assert library.number_tiles(taken.pointer)
    assert strided.sum() == 6 * (0 + 1 + 2 + 3) and strided.base.sum() == strided.sum()
    taken.give_back()
    # Backwards too: the tiles are those of the array that goes backwards.
    flat, wide = np.zeros((4, 6), np.float32), np.zeros((8, 12), np.float32)
    for array in (flat[::-1], np.zeros((4, 6), np.float32)[::-1, ::-1], wide[::-2, 1::2]):
        taken, _, _ = look_at(array, True)
        assert library.number_tiles(taken.pointer)
        assert (array == np.kron(np.array([[0, 2], [1, 3]]), np.ones((2, 3)))).all(), array
        taken.give_back()
    return count + 5


def refused():
    frozen = np.ones((4, 6), np.float32)
    frozen.flags.writeable = False
    misaligned = np.ndarray((4, 6), np.float32, buffer=bytearray(101), offset=1)
    cases = [
        (frozen, True, "may be read and not written"),
        (np.broadcast_to(np.ones(6, np.float32), (4, 6)), True, "may be read and not written"),
        (np.ones((4, 6)), False, "elements of type code 2 of 64 bits, 1 in one, and not 2 of 32"),
        (np.ones((4, 6), np.complex64), False, "type code 5 of 64 bits"),
        (np.ones((4, 6), np.int32), False, "type code 0 of 32 bits"),
        (misaligned, False, "a multiple of the 4 that elements need"),
    ]
    before = library.live()
    for array, to_write, sentence in cases:
        taken = Taken(array, to_write)
        assert not taken.pointer, f"taken, and should not be: {sentence}"
        assert sentence in taken.text, f"{taken.text!r} does not say {sentence!r}"
        # It is still NumPy's, which gives it back with the capsule.
        alive = weakref.ref(array)
        del array, taken
        gc.collect()
        assert alive() is not None
    count = len(cases)
    references = [weakref.ref(case[0]) for case in cases]
    del cases, frozen, misaligned, alive
    gc.collect()
    assert all(reference() is None for reference in references), "what was refused was not given back"
    assert library.live() == before
    return count


print(f"NumPy {np.__version__}: {given_away()} tensors given, {taken_in()} arrays taken, {refused()} refused")
