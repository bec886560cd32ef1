"""Layouts of other packages as texts and objects; views of memory; the command; pictures; analysis."""

import json
import os
import subprocess
import sys

import layout_algebra as la
import numpy as np
import pytest
from conftest import ROOT
from layout_algebra import Layout, LayoutError, Swizzle, check, from_array, from_cute, from_triton, mma, to_cute, view


def test_triton_texts_round_trip():
    read = 0
    for line in (ROOT / "tests" / "golden" / "triton-linear.jsonl").read_text().splitlines():
        case = json.loads(line)
        if "prints" not in case:
            continue
        ours, theirs = Layout(case["layout"]), from_triton(case["prints"])
        assert theirs.rank == len(case["from"]) or ours.rank == 1
        assert [theirs(i) for i in range(ours.size)] == [ours(i) for i in range(ours.size)], case["prints"]
        assert theirs.bases(case["from"], [tuple(size) for size in case["to"]]) == case["prints"]
        read += 1
    assert read == 60


@pytest.mark.parametrize("text", [
    "", "where out dims are: []", " - lane=1 -> (1)", " - lane=2 -> (1)\nwhere out dims are: [row (size 4)]",
    " - lane=1 -> (4)\nwhere out dims are: [row (size 4)]", " - lane=1 -> (1, 1)\nwhere out dims are: [row (size 4)]",
    " - lane=1 -> x\nwhere out dims are: [row (size 4)]", "where out dims are: [row (size 4)]",
])  # fmt: skip
def test_malformed_triton_texts_are_refused(text):
    with pytest.raises(LayoutError):
        from_triton(text)


def test_cute_texts_round_trip():
    for text in (
        "(4,(2,3)):(1,(12,4))",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
        "Sw<2,1,-3> o 8 o 64:1",
        "7:3",
        "(4,6):(-1,4)",
    ):
        assert from_cute(to_cute(text)) == from_cute(to_cute(text, static=False)) == Layout(text)
    assert to_cute("Sw<3,3,3> o 8 o (8,64):(64,1)") == "Sw<3,3,3> o _8 o (_8,_64):(_64,_1)"
    for text in ("(?,6):(?,1)", "(_4,_6)o(_1,_4)", "S<1,2> o 0 o 4:1", ""):
        with pytest.raises(LayoutError):
            from_cute(text)


def test_arrays_are_layouts_and_layouts_are_views():
    memory = np.arange(4 * 6 * 5, dtype=np.int16)
    box = memory.reshape(4, 6, 5)
    for part in (box, box.T, box[1:, ::2], box[::-1, 2, ::-2], box[:, None, 0], box[0, 0, 0]):
        layout = from_array(part)
        numbers = np.array([layout(i) for i in range(layout.size)])
        first = part.ravel()[0] if part.size else 0
        assert (numbers + first == part.T.ravel()).all()
    for text in ("(4,30):(1,4)", "((2,2),3):((1,4),8)", "(4,6):(0,3)", "5:-24", "(2,2):(2,2)"):
        layout = Layout(text)
        seen = view(memory, layout, offset=layout.base)
        assert seen.base is not None and np.shares_memory(seen, memory) and seen.size == layout.size
        flat = seen.T.ravel()
        assert all(flat[i] == layout(i) + layout.base for i in range(layout.size))
    seen = view(memory, "(2,3):(60,7)")
    seen[1, 2] = -1
    assert memory[60 + 14] == -1
    with pytest.raises(LayoutError, match="there are 120"):
        view(memory, "(4,31):(1,4)")
    with pytest.raises(LayoutError, match="not multiples"):
        from_array(np.zeros(4, dtype=[("a", "u1"), ("b", "u4")])["b"])


def test_a_tensor_descriptor_is_the_layout_of_its_array():
    class TensorDescriptor:
        base, shape, strides, block_shape = None, [4, 6], [6, 1], [2, 2]

    assert from_triton(TensorDescriptor()) == Layout("(4,6):(6,1)")


def test_dlpack_is_read_without_numpy():
    class OnlyDlpack:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self):
            return self.array.__dlpack__()

    for array in (np.zeros((4, 6)), np.zeros((4, 6)).T[::2, 1:], np.zeros(3, np.float32)):
        assert from_array(OnlyDlpack(array)) == from_array(array)


def test_check_finds_where_an_answer_is_wrong():
    # The first result is pycute's, and wrong; the second one is right.
    wrong = check("composition", ("(4,3):(1,8)", "6:3"), "(2,3):(3,8)")
    assert not wrong and wrong.coordinate == (0, 1) and (wrong.expected, wrong.found) == (10, 8)
    assert check("composition", ("(4,6):(1,4)", "(2,3):(2,8)"), "(2,3):(2,8)")
    assert check("right_inverse", "(4,6):(6,1)", "(6,4):(4,1)") and not check("right_inverse", "(4,6):(6,1)", "24:1")
    assert check("left_inverse", "4:2", "(2,4):(0,1)") and not check("left_inverse", "4:2", "8:1")
    assert check("complement", ("4:2", 16), "(2,2):(1,8)") and not check("complement", ("4:2", 16), "2:1")
    assert not check("complement", ("4:2", 16), "(2,2):(1,4)") and not check("complement_ceil", ("4:2", 13), "2:1")
    assert check("logical_divide", ("12:1", 4), "(4,3):(1,4)") and not check(
        "logical_divide", ("12:1", 5), "(5,3):(1,5)"
    )
    assert check("size", "(4,6)", 24) and not check("cosize", "(4,6):(1,5)", 24)
    assert check("coalesce", "(2,2):(1,2)", "4:1") and not check("coalesce", "(2,2):(1,2)", "4:2")
    assert "there is no result" in check("logical_product", ("(2,2):(1,1)", 2), "(2,2,2):(1,1,2)").reason


def run(*arguments, **more):
    return subprocess.run([sys.executable, "-m", "layout_algebra", *arguments], capture_output=True, text=True, **more)


def test_the_command():
    done = run("divide", "(4,6):(1,4)", "<2,3>")
    assert (done.returncode, done.stdout, done.stderr) == (0, "((2,2),(3,2)):((1,2),(4,12))\n", "")
    done = run("divide", "12:1", "5")
    assert done.returncode == 1 and "not a multiple of the span 5" in done.stderr and not done.stdout
    assert run("nothing").returncode == 2 and run("--help").stdout.startswith("CuTe's layout algebra")
    closed = subprocess.run(
        f"{sys.executable} -m layout_algebra show '(100,100)' | head -1", shell=True, capture_output=True
    )
    assert closed.stderr == b"" and closed.stdout == b"(100,100):(1,100)\n"


def test_pictures():
    assert Layout("(2,3,4)")._repr_svg_().startswith("<svg ") and Layout("(4,6):(-1,4)")._repr_svg_().startswith("<svg ")
    assert Layout("(1000,1000)")._repr_svg_() is None and Layout("Sw<3,0,3> o 0 o (8,8):(8,1)").svg("bank").startswith(
        "<svg "
    )
    assert Layout("(2,3)").draw("thread").svg(40) != Layout("(2,3)").draw("offset").svg(40)
    for wrong in (lambda: Layout("(2,3)").draw("colour"), lambda: Layout("(3,3):(1,3)").draw_threads((2, 2))):
        with pytest.raises(LayoutError):
            wrong()
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [sys.executable, "-c", "from layout_algebra import *; Layout((2,3)).show()"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.stdout.startswith("(2,3):(1,2)\n") and "\x1b" not in done.stdout


def test_the_catalogue():
    assert len(la.mma_names()) == 432
    for name in la.mma_names():
        atom = mma(name)
        m, n, k = atom.shape
        assert atom.c.size == m * n and sorted(map(atom.c, range(m * n))) == list(range(m * n)), name
        assert eval(repr(atom)) == atom
    tiled = mma("SM80_16x8x16_F32F16F16F32_TN", atoms=(2, 2, 2))
    assert tiled.shape == (32, 16, 32)
    atom = mma("SM80_16x8x16_F32F16F16F32_TN")
    for operand, rows, sides in (("a", 32, (0, 2)), ("b", 16, (1, 2)), ("c", 32, (0, 1))):
        one, all_atoms = getattr(atom, operand), getattr(tiled, operand)
        height = atom.shape[sides[0]]
        for at in np.ndindex(2, 2, 2):
            for i in range(one.size):
                thread, value = i % 32, i // 32
                down, across = one(i) % height, one(i) // height
                place = down + at[sides[0]] * height + rows * (across + at[sides[1]] * atom.shape[sides[1]])
                assert all_atoms((thread, at), value) == place
    assert mma("SM80_16x8x16_F32F16F16F32_TN")._repr_html_().count("<svg ") == 3


def test_analysis_agrees_with_the_crate():
    tile, column = Layout("(32,32):(32,1)"), "(32,1):(1,0)"
    assert tile.bank_conflicts(column) == 31 and tile.bank_costs(column)["ways"] == 32
    assert Layout("(32,32):(33,1)").bank_conflicts(column) == 0
    assert Layout("256:1").bank_costs("((8,4),8):((32,8),1)", 16, ldmatrix=4)["ways"] == 4
    found = Layout("64:1").coalescing("(32,1):(2,0)")
    assert (found["sectors"], found["least_sectors"], found["lines"], found["least_lines"]) == (8, 4, 2, 1)
    assert Layout("(8,64):(64,1)").vector_width("(8,64):(1,8)", 16) == 128
    writes, reads = "((8,32),8):((256,1),32)", "(((4,8),8),(2,4)):(((64,1),256),(32,8))"
    best = la.best_shared_layout(writes, reads, 16)
    assert (best["write_bits"], best["read_bits"], best["conflicts"], best["is_optimal"]) == (128, 32, 0, True)
    # The conflicts of the returned layout, counted separately.
    layout = best["layout"]
    assert layout.is_bijective() and layout.size == 2048
    try:
        shared = layout.swizzled()
    except LayoutError:
        return
    assert shared.bank_conflicts(writes, 16, 128) + shared.bank_conflicts(reads, 16, 32) == 0
    assert (
        Swizzle("Sw<3,3,3>")
        == Layout("(8,64):(64,1)").best_swizzle("((8,8),8):((64,1),8)", "((8,8),8):((1,64),8)", 16)["swizzle"]
    )


@pytest.mark.parametrize("text", [
    "(64,96):(96,1)", "((4,8),(2,2)):((32,1),(16,8))", "(4,6):(-1,4)", "(8,8):(^1,^9)", "7:3",
    "Sw<3,3,3> o 0 o (8,64):(64,1)", "(5,(3,2)):(1,(5,15))",
])  # fmt: skip
def test_emitted_code_gives_the_offsets(text):
    layout, names = Layout(text), {}
    exec(layout.emit("python", "at"), names)
    modes = [mode.size for mode in layout.inner]
    for i in range(layout.size):
        coordinate = la.idx2crd(i, tuple(modes))
        assert names["at"](*coordinate) == layout(*coordinate)
    if layout.swizzle is None and layout.base == 0:
        exec(layout.emit("python", "back", back=True), names)
        found = names["back"](layout(layout.size - 1))
        assert layout(*(found if isinstance(found, tuple) else (found,))) == layout(layout.size - 1)
    for language in ("c", "cuda", "hip", "opencl", "wgsl", "glsl", "hlsl", "msl", "rust"):
        assert "at" in layout.emit(language, "at")
    assert layout.cuda("at") == layout.emit("cuda", "at")


def test_code_is_refused_with_a_sentence():
    for wrong in (
        lambda: Layout(4).emit("fortran"), lambda: Layout(4).emit("c", "1x"), lambda: Layout(4).emit("c", "while"),
        lambda: Layout((4, 0)).emit("c"), lambda: la.relayout("(4,6)", "(4,5)"),
        lambda: la.relayout("(2,4,8,8):(256,1,32,4)", "(2,8,8,4):(256,32,4,1)"), lambda: la.relayout(4, 4, 3),
        lambda: la.relayout("(4,6)", "(4,6):(0,0)"), lambda: la.relayout("(4,6)", "(4,6)", 4, "rust"),
    ):  # fmt: skip
        with pytest.raises(LayoutError):
            wrong()
