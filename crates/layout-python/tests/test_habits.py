"""What users of NumPy, pycute, tensor-layouts, CuTe DSL, Triton and gguf are used to, a test for each habit."""

import builtins
import collections.abc
import doctest
import inspect
import itertools
import os
import pathlib
import random
import shutil
import subprocess
import sys

import layout_algebra as la
import pytest
from layout_algebra import Layout, LayoutError, Swizzle, check, copy_atom, from_array, from_triton, mma

from test_docs import docs

np = pytest.importorskip("numpy")
SEED = int(os.environ.get("HABITS_SEED", random.SystemRandom().randrange(1 << 32)))


@pytest.fixture
def rng():
    print("HABITS_SEED =", SEED)
    return random.Random(SEED)


def a_view(rng):
    """A random view of a NumPy array: strides of any sign, broadcast axes, new axes, and empty axes."""
    extents = (1, 2, 3, 4, 6, 8) if rng.random() < 0.8 else (0, 1, 2, 3)
    array = np.zeros([rng.choice(extents) for _ in range(rng.randint(1, 4))], np.int16)
    for _ in range(rng.randint(0, 3)):
        kind = rng.random()
        if kind < 0.4:
            array = array.transpose(rng.sample(range(array.ndim), array.ndim))
        elif kind < 0.7:
            array = array[tuple(slice(None, None, rng.choice((1, 1, 2, -1))) for _ in range(array.ndim))]
        elif kind < 0.8:
            array = array[np.newaxis]
        elif array.ndim < 4:
            array = np.broadcast_to(array, (2, *array.shape))
    return array


def a_shape(rng, size):
    """Factors of a size in any order, some of them 1."""
    factors = [] if size else [rng.choice((0, 1, 2, 3)) for _ in range(rng.randint(0, 2))] + [0]
    while size > 1 and len(factors) < 6:
        factors.append(rng.choice([number for number in range(1, size + 1) if size % number == 0]))
        size //= factors[-1]
    factors += [size] if size > 1 else [1] * rng.randint(0, 1)
    rng.shuffle(factors)
    return tuple(factors) or (1,)


def test_row_major_operations_agree_with_numpy(rng):
    copies = 0
    for _ in range(4000):
        array, order = a_view(rng), rng.choice("CF")
        layout, shape = from_array(array), list(a_shape(rng, array.size))
        if array.size and rng.random() < 0.2:
            shape[rng.randrange(len(shape))] = -1
        theirs = array.reshape(shape, order=order)
        is_view = np.shares_memory(array, theirs) or not array.size
        try:
            ours = layout.reshape(shape, order=order)
        except LayoutError as error:
            assert not is_view and "more than one stride" in str(error), (layout, shape, order)
            copies += 1
        else:
            assert is_view and ours == from_array(theirs), (layout, shape, order)
        flags = array.flags.c_contiguous, array.flags.f_contiguous
        assert (layout.is_contiguous(), layout.is_contiguous(order="F")) == flags, layout
        axes = rng.sample(range(array.ndim), array.ndim)
        moved = from_array(array.transpose(axes))
        assert layout.permute(*axes) == layout.permute(tuple(axis - array.ndim for axis in axes)) == moved
        wide = tuple(rng.choice((1, 2, 3)) if extent == 1 or rng.random() < 0.1 else extent for extent in array.shape)
        wide = (2,) * rng.randint(0, 1) + wide
        try:
            theirs = from_array(np.broadcast_to(array, wide))
        except ValueError:
            with pytest.raises(LayoutError, match="does not repeat"):
                layout.broadcast_to(wide)
        else:
            assert layout.broadcast_to(wide) == theirs
        # In order C, the last mode is the fastest.
        flat = layout.coalesce(order="C")
        if array.size and layout.base == 0 and array.size < 300:
            numbers = itertools.product(*map(range, array.shape))
            back = [mode.size for mode in flat] if flat.rank > 1 else [flat.size]
            assert [layout(*c) for c in numbers] == [flat(*c) for c in itertools.product(*map(range, back))]
    assert copies > 200
    assert Layout.right((4, 6)).coalesce(order="C") == Layout("24:1")


def test_reshape_refuses_wrong_orders_and_sizes():
    layout = Layout.right((4, 6))
    for shape, word in (((5, 5), "25 elements"), ((-1, -1), "natural number"), ((7, -1), "no extent in the place"), ((0, -1), "no extent")):
        with pytest.raises(LayoutError, match=word):
            layout.reshape(shape)
    with pytest.raises(LayoutError, match="an order is 'C'"):
        layout.reshape((2, 12), order="K")
    with pytest.raises(LayoutError, match="sizes 24 and 12 differ"):
        layout.with_shape((12,))
    with pytest.raises(LayoutError, match="has each of them once"):
        layout.permute(0, 0)
    # XOR strides, and the layout behind a swizzle.
    bits = Layout("(8,8):(^1,^9)")
    shaped = bits.reshape((4, 2, 8))
    assert [shaped(i, j, k) for i, j, k in np.ndindex(4, 2, 8)] == [bits(i, k) for i, k in np.ndindex(8, 8)]
    swizzled = Swizzle(3, 0, 3).compose("(8,8):(8,1)").reshape((2, 32))
    assert swizzled == Swizzle(3, 0, 3).compose("(2,32):(32,1)")


def a_swizzled(rng):
    while True:
        shape = [rng.choice((1, 2, 3, 4, 8)) for _ in range(rng.randint(1, 3))]
        inner = Layout(shape, [rng.choice((0, 1, 2, 4, 8, 16, 3)) for _ in shape])
        if rng.random() < 0.5:
            inner = rng.choice((Layout.left, Layout.right))(shape)
        swizzle = Swizzle(rng.randint(1, 3), rng.randint(0, 2), rng.choice((-1, 1)) * rng.randint(3, 4))
        return swizzle.compose(inner, offset=rng.choice((0, 0, 0, 5, 64)))


def test_swizzled_layouts_have_the_methods_of_plain_ones(rng):
    inverses = 0
    for _ in range(500):
        layout = a_swizzled(rng)
        coordinates = list(np.ndindex(*(mode.size for mode in layout.inner)))
        offsets = [layout(*map(int, c)) for c in coordinates]
        assert [mode.size for mode in layout] == [mode.size for mode in layout.inner]
        assert [str(mode) for mode in reversed(layout)] == [str(mode) for mode in layout][::-1]
        order = rng.sample(range(layout.rank), layout.rank)
        picked = layout.select(tuple(order))
        for c in coordinates:
            assert picked(*(int(c[k]) for k in order)) == layout(*map(int, c))
        assert layout[0](layout[0].size - 1) == layout(*[layout[0].size - 1] + [0] * (layout.rank - 1))
        longer = layout.append("2:1024")
        assert longer(*map(int, coordinates[-1]), 0) == offsets[-1] and longer.rank == layout.rank + 1
        assert layout.group(0, layout.rank).size == layout.size
        assert layout.is_injective() == (len(set(offsets)) == len(offsets))
        assert layout.is_surjective() == (set(offsets) == set(range(max(offsets) + 1)))
        assert layout.is_bijective() == (layout.is_injective() and layout.is_surjective())
        for inverse, law in ((layout.left_inverse, "left"), (layout.right_inverse, "right")):
            try:
                found = inverse()
            except LayoutError:
                continue
            inverses += 1
            if law == "right":
                assert all(layout(found(i)) == i for i in range(found.size)), (layout, found)
            else:
                assert all(layout(found(offset)) == offset for offset in offsets), (layout, found)
    assert inverses > 100
    sw, plain = Layout("Sw<3,3,3> o 0 o (8,64):(64,1)"), Layout("(8,64):(64,1)")
    assert sw.transpose()(5, 3) == sw.select((1, 0))(5, 3) == sw(3, 5)
    assert Swizzle(0, 0, 0).compose(plain) == Layout("Sw<0,0,0> o 0 o (8,64):(64,1)") == plain


def test_check_raises_on_misuse():
    for operands in ("compos", ("(4,6)", 8)), ("compose", ("(4,6)",)), ("compose", ("no layout", 8)):
        with pytest.raises((ValueError, TypeError)) as caught:
            check(*operands, "8:1")
        assert not isinstance(caught.value, IndexError)
    with pytest.raises(ValueError, match="near it is `compose`"):
        check("compos", ("(4,6)", 8), "8:1")
    with pytest.raises(TypeError, match="compose takes layout, tiler"):
        check("compose", ("(4,6)",), "8:1")
    with pytest.raises(TypeError, match="of type object"):
        check("compose", (object(), 8), "8:1")


def test_layouts_of_other_packages_are_layouts():
    pycute, theirs = pytest.importorskip("pycute"), pytest.importorskip("tensor_layouts")

    class Static(int):
        """As CuTe DSL's numbers."""

    class Dsl:
        inner, offset, outer = pycute.Swizzle(3, 0, 3), 8, pycute.Layout((8, Static(8)), (8, 1))

    swizzled = Layout("Sw<3,0,3> o 0 o (8,8):(8,1)")
    for layout in (
        pycute.ComposedLayout(pycute.Swizzle(3, 0, 3), 0, pycute.Layout((8, 8), (8, 1))),
        theirs.ComposedLayout(theirs.Swizzle(3, 0, 3), theirs.Layout((8, 8), (8, 1))),
    ):
        assert Layout(layout) == la.from_pycute(layout) == swizzled
        assert la.select(layout, (1, 0)) == swizzled.select((1, 0))
        assert check("select", (layout, (1, 0)), swizzled.transpose()) and not check("select", (layout, (1, 0)), layout)
    assert Layout(Dsl()) == Layout("Sw<3,0,3> o 8 o (8,8):(8,1)")
    for make in (pycute.Layout, theirs.Layout):
        assert Layout(make((4, 6), (6, 1))) == Layout("(4,6):(6,1)")
        assert la.composition(make((4, 6), (1, 4)), make(8, 1)) == Layout("8:1")
        assert Layout("(4,6)").compose((make(2, 2), None)) == Layout("(2,6):(2,4)")
        assert check("compose", (make((4, 6), (1, 4)), make(8, 1)), make(8, 1))
        assert not check("compose", (make((4, 6), (1, 4)), make(8, 1)), make(8, 2))


def test_best_swizzle_and_bank_conflicts_agree(rng):
    rows, columns, tile = Layout.right((32, 32)), Layout((32, 32)), Layout.right((32, 32))
    best = tile.best_swizzle(columns, rows, bits=32, read_bits=32)
    assert best["swizzle"] == Swizzle(5, 0, 5) and best["conflicts"] == 0
    tiles = ["(16,64):(64,1)", "(32,32):(33,1)", "(8,64):(64,1)", "(64,16):(1,64)"]
    for _ in range(12):
        tile, element = Layout(rng.choice(tiles)), rng.choice((16, 32))
        sides = [rng.choice((Layout.left, Layout.right))((32, tile.size // 32)) for _ in "wr"]
        widths = [rng.choice((element, 2 * element)), rng.choice((None, element))]
        try:
            best = tile.best_swizzle(*sides, element, bits=widths[0], read_bits=widths[1])
        except LayoutError as error:
            assert "adjacent" in str(error)
            continue
        shared = best["swizzle"].compose(tile)
        counted = [shared.bank_conflicts(side, element, bits) for side, bits in zip(sides, (best["write_bits"], best["read_bits"]))]
        assert best["conflicts"] == sum(counted), (tile, sides, best)
        assert (best["write_bits"], best["read_bits"]) == (widths[0], widths[1] or widths[0])
        plain = [tile.bank_conflicts(side, element, bits) for side, bits in zip(sides, (best["write_bits"], best["read_bits"]))]
        assert best["conflicts"] <= sum(plain)


PASTED = {
    "Sw<3,4,3>_0_o_(8,64):(64,1)": "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "Sw<3,4,3> o smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)": "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "gmem_ptr[16b](0x7f00) o (4,(_2,3)):(1,(12,_4))": "(4,(2,3)):(1,(12,4))",
    "tensor<ptr<f16, gmem, align<16>> o (4,6):(6,1)>": "(4,6):(6,1)",
    "tensor<ptr<f16, smem, align<16>> o S<3,4,3> o 0 o (8,64):(64,1)>": "Sw<3,4,3> o 0 o (8,64):(64,1)",
}
BLOCKED = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>"
LINEAR = "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]], block = []}>"


def test_texts_of_cute_and_triton_are_read():
    for text, layout in PASTED.items():
        assert Layout(text) == la.from_cute(text) == Layout(layout), text
    blocked = from_triton(BLOCKED, order=["dim1", "dim0"])
    assert blocked == from_triton(LINEAR, order=["dim1", "dim0"]) and blocked.size == 16 * 16
    # 4 registers in a row, 4 lanes beside one another in 8 rows, 2 warps below one another.
    for register, lane, warp in np.ndindex(4, 32, 2):
        assert blocked(int(register), int(lane), int(warp), 0) == register + 4 * (lane % 4) + 16 * (lane // 4 + 8 * warp)

    class BlockedLayout:
        size_per_thread, threads_per_warp, warps_per_cta, order = [1, 4], [8, 4], [2, 1], [1, 0]

    class DistributedLinearLayout:
        reg_bases, lane_bases = [[0, 1], [0, 2]], [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]]
        warp_bases, block_bases, shape = [[8, 0]], [], [16, 16]

    for theirs in (BlockedLayout(), DistributedLinearLayout()):
        assert from_triton(theirs, order=["dim1", "dim0"]) == blocked and Layout(theirs) == Layout(BLOCKED)
    for other in ("#ttg.slice<{dim = 0, parent = #blocked}>", "#ttg.nvidia_mma<{versionMajor = 2}>"):
        with pytest.raises(TypeError, match=r"this is #ttg\.(slice|nvidia_mma)"):
            Layout(other)
    with pytest.raises(TypeError, match="of type dict"):
        Layout({"shape": 4})
    with pytest.raises(LayoutError, match="swizzle of its own"):
        Layout("tensor<ptr<f16, smem, align<128>, S<3,4,3>> o (8,64):(64,1)>")


def test_instructions_have_ptx_names_and_owners(rng):
    for name in rng.sample(la.mma_names(), 40):
        atom = mma(name.swapcase())
        assert atom.name == name and mma(atom.ptx.upper()).ptx == atom.ptx
        rows, columns, depth = atom.shape
        for operand, (height, width) in {"A": (rows, depth), "b": (columns, depth), "C": (rows, columns)}.items():
            row, column = rng.randrange(height), rng.randrange(width)
            thread, value = atom.thread_of(operand, row, column)
            assert getattr(atom, operand.lower())(thread, value) == row + height * column
            with pytest.raises(LayoutError, match=f"is {height} x {width}"):
                atom.thread_of(operand, height, 0)


def test_copy_atoms_are_those_of_tensor_layouts():
    theirs = pytest.importorskip("tensor_layouts.atoms_nv")
    compared = 0
    for name in la.copy_atom_names():
        atom, other = copy_atom(name.lower()), getattr(theirs, name, None)
        assert copy_atom(atom.ptx).ptx == atom.ptx
        if other is not None:
            compared += 1
            assert (atom.source, atom.destination) == (Layout(other.src_layout_bits), Layout(other.dst_layout_bits)), name
            assert atom.threads.size == Layout(other.thr_id).size
    assert compared == 14


def test_protocols():
    layout = Layout("(4,(2,3)):(1,(12,4))")
    assert isinstance(layout, collections.abc.Iterable) and isinstance(layout, collections.abc.Reversible)
    assert [str(mode) for mode in reversed(layout)] == ["(2,3):(12,4)", "4:1"]
    assert f"{layout:>24}|{layout}" == "    (4,(2,3)):(1,(12,4))|(4,(2,3)):(1,(12,4))"
    assert layout.mode(-1) == layout[-1] and layout.select((-1, 0)) == layout.reverse() and layout.flip(-2) == layout.flip(0)
    for wrong in (lambda: layout[-3], lambda: layout.mode(-3), lambda: layout.ungroup(-3), lambda: la.Tiler((2, 3))[-3]):
        with pytest.raises(IndexError, match="there is no mode -3 among 2 modes"):
            wrong()
    error = LayoutError("x")
    assert (error.kind, error.operation, error.byte) == (None, None, None)
    space = {}
    exec("from layout_algebra import *", space)
    assert not [name for name in space if hasattr(builtins, name) and name != "__builtins__"]
    assert la.filter("(4,1):(1,0)") == Layout("4:1")
    assert la.zipped_divide(layout="(4,6)", tiler=(2, 3)) == la.zipped_divide("(4,6)", tiler=(2, 3))
    assert la.call("compose", layout="(4,6):(1,4)", tiler=8) == la.call("compose", "(4,6):(1,4)", tiler=8)
    with pytest.raises(TypeError, match="tiler is not given"):
        la.call("compose", "(4,6)", tile=8)


def test_errors_use_no_words_of_rust():
    for wrong in (
        lambda: Layout("(4,6)").bank_conflicts("(4,1,2)"), lambda: Layout("(4,6)").bank_conflicts("(4,1)", 2**70),
        lambda: Swizzle(2**70, 0, 3), lambda: Swizzle(1, -1, 3), lambda: Swizzle(1, 0, -(2**70)),
        lambda: Swizzle((2**70, 0, 3)), lambda: Layout("(4,6)").draw().svg(-1), lambda: Layout((2**64,)),
        lambda: Layout("(4,6)").find_range(0, -1, 2**65), lambda: Layout.right((2**40, 2**40)),
    ):  # fmt: skip
        with pytest.raises(LayoutError) as caught:
            wrong()
        text = str(caught.value)
        assert "usize" not in text and "thread_value" not in text and "Rust" not in text, text


def test_formats_are_those_of_gguf(rng):
    gguf = pytest.importorskip("gguf")
    kinds = {name: getattr(gguf.GGMLQuantizationType, name.upper(), None) for name in la.formats.names()}
    compared = 0
    generator = np.random.default_rng(rng.randrange(1 << 32))
    for name, kind in kinds.items():
        made = getattr(la.formats, name)()
        try:
            elements, size = gguf.GGML_QUANT_SIZES[kind]
            raw = generator.integers(0, 256, (5, 3 * size), dtype=np.uint8)
            with np.errstate(all="ignore"):
                theirs = gguf.dequantize(raw, kind)
        except (KeyError, NotImplementedError):
            continue
        compared += 1
        assert (made.elements, made.bytes) == (elements, size), name
        ours = made.decode(raw)
        assert ours.shape == theirs.shape and ours.dtype == np.float32
        # Bit for bit the same numbers, except for the payload of a NaN.
        assert np.array_equal(ours, theirs, equal_nan=True), name
        assert np.array_equal(made.decode(raw.tobytes()), theirs.ravel(), equal_nan=True)
        assert made.get(raw, 7) == theirs.ravel()[7] or np.isnan(theirs.ravel()[7])
    assert compared >= 11
    numbers = generator.standard_normal((4, 64), dtype=np.float32)
    assert np.array_equal(la.formats.q4_0().encode(numbers), gguf.quantize(numbers, gguf.GGMLQuantizationType.Q4_0))
    for wrong in (lambda: la.formats.q4_0().decode(bytes(17)), lambda: la.formats.q4_0().decode(np.zeros((2, 9), np.uint8))):
        with pytest.raises(LayoutError):
            wrong()
    with pytest.raises(TypeError, match="array of uint8"):
        la.formats.q4_0().decode(np.zeros(18))


def test_c_compiles_alone(tmp_path):
    layout = Layout("Sw<3,3,3> o 0 o (8,64):(64,1)")
    assert layout.emit("c", "at") == layout.emit("cpp", "at")
    with pytest.raises(LayoutError, match="c, cuda, hip.*`triton`"):
        layout.emit("triton")
    with pytest.raises(LayoutError, match="c, cuda, hip"):
        layout.emit("fortran")
    compiler = shutil.which("cc") or pytest.skip("no C compiler")
    for end, options in ((".c", {}), (".cpp", {}), (".c", {"back": True, "bounds": True})):
        file = tmp_path / f"at{end}"
        file.write_text(layout.emit("c", "at", **options))
        subprocess.run([compiler, "-Wall", "-Werror", "-Wno-unused-function", "-c", file, "-o", tmp_path / "at.o"], check=True)


def test_bank_models_agree_with_the_analysis():
    tile, column = Layout("(64,64):(64,1)"), Layout("(64,1):(1,0)")
    old, new = (model.conflicts(tile, column) for model in (la.BankModel.gfx942(), la.BankModel.gfx950()))
    assert (old["phases"], old["passes"], old["ways"]) == (2, 64, 32) and (new["phases"], new["ways"]) == (1, 64)
    assert la.BankModel(64, 32) == la.BankModel.gfx942() != la.BankModel.sm_90()
    warp = Layout("(32,1):(1,0)")
    for text in ("(32,32):(32,1)", "(32,32):(33,1)", "Sw<5,0,5> o 0 o (32,32):(32,1)"):
        assert la.BankModel.sm_90().conflicts(text, warp)["conflicts"] == Layout(text).bank_conflicts(warp)
    for wrong in (lambda: la.BankModel(64, 24), lambda: la.BankModel.sm_90().with_order([0] * 32)):
        with pytest.raises(LayoutError):
            wrong()


def mypy(*arguments):
    if subprocess.run([sys.executable, "-c", "import mypy"], capture_output=True).returncode:
        pytest.skip("no mypy")
    settings = pathlib.Path(__file__).parents[1] / "pyproject.toml"
    arguments = [str(settings) if argument == "SETTINGS" else argument for argument in arguments]
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_generated_stubs_are_up_to_date():
    stubs = pathlib.Path(__file__).parents[1] / "stubs.py"
    done = subprocess.run([sys.executable, stubs, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_stubs_are_those_of_the_module():
    mypy("mypy.stubtest", "--mypy-config-file", "SETTINGS", "layout_algebra")


def test_the_examples_have_the_types_of_the_stubs(tmp_path):
    """Type-checks every example of a docstring with `--strict`; `test_docs` runs them."""
    lines = ["from layout_algebra import *", "from layout_algebra import filter, formats"]
    for number, (name, text) in enumerate(docs()):
        examples = doctest.DocTestParser().get_examples(inspect.cleandoc(text or ""))
        if examples:
            lines.append(f"def example_{number}() -> None:  # {name}")
            lines += [f"    {line}" for example in examples for line in example.source.splitlines()]
    assert len(lines) > 500
    (tmp_path / "examples.py").write_text("\n".join(lines))
    mypy("mypy", "--strict", "--config-file", "SETTINGS", str(tmp_path / "examples.py"))
    (tmp_path / "wrong.py").write_text("from layout_algebra import *\ncall('compos', 4)\nLayout(4).emit('fortran')\n")
    with pytest.raises(AssertionError, match="Found 2 errors"):
        mypy("mypy", "--strict", "--config-file", "SETTINGS", str(tmp_path / "wrong.py"))


def test_swizzled_layouts_are_flipped_drawn_and_searched(rng):
    flipped = 0
    for _ in range(300):
        layout = a_swizzled(rng)
        mode = rng.randrange(layout.rank)
        if layout.swizzle is None:
            continue
        try:
            back = layout.flip(mode)
        except LayoutError:
            continue
        flipped += 1
        extents = [each.size for each in layout.inner]
        for c in np.ndindex(*extents):
            c = [int(k) for k in c]
            there = [extent - 1 - k if at == mode else k for at, (k, extent) in enumerate(zip(c, extents))]
            assert back(*c) == layout(*there), (layout, mode, back)
        assert layout.layout_like() == layout.inner.layout_like()
    assert flipped > 200
    sw = Layout("Sw<2,0,2> o 0 o (4,4):(4,1)")
    assert f"logical_divide = {sw.logical_divide((2, 2))}" in str(sw.draw_divide((2, 2)))
    assert f"A o B = {sw.compose((2, 2))}" in str(sw.draw_compose((2, 2)))
    assert "T0" in str(sw.draw_threads((4, 4))) and "<svg" in sw.draw_memory().svg()
    rows, columns = Layout.right((32, 32)), Layout((32, 32))
    shared = Layout("Sw<2,0,2> o 0 o (32,32):(32,1)")
    for bits in (None, 32):
        best = shared.best_swizzle(columns, rows, bits=bits)
        assert best["conflicts"] == 0 and best == rows.best_swizzle(columns, rows, bits=bits)
    assert best["swizzle"].compose(shared.inner).bank_conflicts(columns) == 0


def coordinates_of(rng, extents):
    """Coordinates of arrays and numbers: equal shapes or shapes that broadcast, any integer type, any strides."""
    shape = tuple(rng.choice((0, 1, 2, 3, 40)) if rng.random() < 0.3 else rng.choice((1, 5, 33)) for _ in range(rng.randint(1, 2)))
    generator = np.random.default_rng(rng.randrange(1 << 32))
    found = []
    for extent in extents:
        some = tuple(rng.choice((1, length)) if rng.random() < 0.4 else length for length in shape)[rng.choice((0, 0, 0, 1)) :]
        made = generator.integers(0, extent, some, dtype=rng.choice((np.int64, np.int64, np.int32, np.uint8, np.uint64)))
        if rng.random() < 0.3:
            made = np.repeat(made, 2, axis=-1)[..., ::2] if made.ndim else made
        found.append(int(made.flat[0]) if made.size and rng.random() < 0.1 else made)
    return found


def test_arrays_of_coordinates_agree_with_single_coordinates(rng):
    arrays = 0
    layouts = ["(4,6):(1,4)", "(4,(2,3)):(1,(12,4))", "(8,8):(^1,^9)", "(4,6):(-1,4)", "(5,7):(0,3)", "(4,4,3):(1,5,100000000000)", "Sw<1,0,2> o 64 o (4,4):(^1,^5)"]
    for _ in range(1500):
        layout = a_swizzled(rng) if rng.random() < 0.5 else Layout(rng.choice(layouts))
        if layout.swizzle is not None and "^" not in str(layout) and rng.random() < 0.3:
            layout = layout.flip(rng.randrange(layout.rank))
        extents = [mode.size for mode in layout.inner]
        given = coordinates_of(rng, extents) if layout.rank > 1 else coordinates_of(rng, extents)[:1]
        if not any(isinstance(each, np.ndarray) and each.ndim for each in given):
            continue
        try:
            repeated = np.broadcast_arrays(*given)
        except ValueError:
            with pytest.raises(ValueError):
                layout(*given)
            continue
        found, arrays = layout(*given), arrays + 1
        assert found.shape == repeated[0].shape and found.dtype == np.int64
        flat = [layout(*map(int, c)) for c in zip(*(each.ravel() for each in repeated))]
        assert found.ravel().tolist() == flat, (layout, given)
    assert arrays > 800
    with pytest.raises(LayoutError, match="one is -1"):
        Layout("(4,6)")(np.array([0, -1]), np.array([0, 1]))
    with pytest.raises(LayoutError, match="one is -1"):
        Layout("(4,6)")(np.array([[0], [-1]]), np.array([[0, 1]]))


def test_layouts_of_tuples_equal_layouts_of_texts(rng):
    def nested(leaves, deep=0):
        if len(leaves) == 1 and rng.random() < 0.7 or deep > 4:
            return leaves[0]
        cuts = sorted(rng.sample(range(1, len(leaves)), rng.randint(0, min(3, len(leaves) - 1)))) if len(leaves) > 1 else []
        parts = [leaves[i:j] for i, j in zip([0, *cuts], [*cuts, len(leaves)])]
        return tuple(nested(part, deep + 1) for part in parts) if len(leaves) > 1 or deep < 3 else leaves[0]

    def stride_of(shape):
        return tuple(map(stride_of, shape)) if isinstance(shape, tuple) else rng.choice((0, 1, 2, 12, 2**40))

    for _ in range(2000):
        shape = nested([rng.choice((0, 1, 2, 3, 64)) for _ in range(rng.randint(1, 11))])
        if isinstance(shape, list):
            continue
        stride = stride_of(shape)
        text = f"{shape}:{stride}".replace(" ", "").replace(",)", ")")
        try:
            wanted = Layout(text)
        except LayoutError as error:
            with pytest.raises(LayoutError):
                Layout(shape, stride)
            assert error.kind == "overflow", text
        else:
            assert Layout(shape, stride) == wanted and Layout(shape, stride).shape == shape
    for wrong in (((4, 6), 1), ((4, 6), (1, 4, 2)), ((), ()), (4, (1,)), ((4, (2,)), (1, 2)), ((4, 2**64), (1, 4)), (2**40, 2**40)):
        with pytest.raises((LayoutError, TypeError)):
            Layout(*wrong)
