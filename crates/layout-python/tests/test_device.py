"""On a GPU: the functions that ``cuda()`` and ``triton()`` give, at every coordinate of 100 random layouts. Each of the two
tests needs its package and a device, and is skipped without."""

import importlib.util
import itertools
import random
import sys
import types

import layout_algebra as la
import pytest
from layout_algebra import Layout, LayoutError, Swizzle, Xor

WIDE = Layout("(70000,70000):(70000,1)")
ROOM = 4096


def made(rng):
    kind, rank = rng.choice(("natural", "right", "negative", "xor", "swizzled", "nested")), rng.randint(1, 3)
    extent = lambda: rng.choice((2, 4, 8, 16)) if kind in ("xor", "swizzled") else rng.randint(1, 12)
    if kind == "nested":
        shape = tuple(tuple(extent() for _ in range(rng.randint(1, 2))) for _ in range(rank))
        return Layout(shape, tuple(tuple(rng.randint(0, 40) for _ in mode) for mode in shape))
    shape = tuple(extent() for _ in range(rank))
    if kind in ("right", "swizzled"):
        layout = Layout.right(shape)
        swizzle = Swizzle(rng.randint(1, 3), rng.randint(0, 2), rng.randint(3, 4))
        return layout if kind == "right" else swizzle.compose(layout)
    stride = {"natural": lambda: rng.randint(0, 40), "negative": lambda: rng.randint(-40, 40)}
    return Layout(shape, tuple(stride.get(kind, lambda: Xor(rng.randint(0, 300)))() for _ in shape))


def layouts(count=100):
    rng, found = random.Random(41), []
    while len(found) < count:
        try:
            layout = made(rng)
        except LayoutError:
            continue
        if 1 <= layout.size <= ROOM:
            found.append(layout)
    return found


def coordinates(layout, divide):
    """The coordinates of number ``t`` in a language, the first mode the fastest."""
    rest, terms = "t", []
    for mode in layout.inner:
        terms.append(f"({rest} % {mode.size})")
        rest = f"({rest} {divide} {mode.size})"
    return ", ".join(terms)


def expected(layout):
    return [layout(i) for i in range(layout.size)]


def test_cuda_by_cupy():
    cp = pytest.importorskip("cupy")
    if not cp.cuda.is_available():
        pytest.skip("there is no GPU")

    def source(k, layout):
        return (
            layout.cuda(f"at{k}") + f'\nextern "C" __global__ void all{k}(long long* out) {{\n'
            "    unsigned int t = blockIdx.x * blockDim.x + threadIdx.x;\n"
            f"    if (t < {layout.size}) out[t] = at{k}({coordinates(layout, '/')});\n}}\n"
        )

    def run(kernel, layout):
        out = cp.full(layout.size, -(2**60), dtype=cp.int64)
        kernel(((layout.size + 127) // 128,), (128,), (out,))
        assert out.get().tolist() == expected(layout), layout

    all_layouts = layouts()
    module = cp.RawModule(code="".join(itertools.starmap(source, enumerate(all_layouts))))
    for k, layout in enumerate(all_layouts):
        run(module.get_function(f"all{k}"), layout)
    run(cp.RawKernel(source(0, all_layouts[0]), "all0"), all_layouts[0])
    far = WIDE.cuda("at") + 'extern "C" __global__ void far(unsigned long long* out) { *out = at(69999, 69999); }'
    out = cp.zeros(1, dtype=cp.uint64)
    cp.RawKernel(far, "far")((1,), (1,), (out,))
    assert int(out[0]) == WIDE(69999, 69999)
    assert la.from_array(cp.zeros((8, 6))[::2].T) == Layout("(6,4):(1,12)")


def test_triton(tmp_path):
    pytest.importorskip("triton")
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("there is no GPU")
    given = types.ModuleType("given")
    sys.modules["given"] = given
    all_layouts = layouts()

    def module(name, lines):
        file = tmp_path / f"{name}.py"
        file.write_text("\n".join(["import triton", "import triton.language as tl", "from given import *", *lines, ""]))
        spec = importlib.util.spec_from_file_location(name, file)
        found = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
        return found

    for begin in range(0, len(all_layouts), 10):
        lines = ["@triton.jit", "def kernel(out):", "    t = tl.program_id(0) * 128 + tl.arange(0, 128)"]
        some = all_layouts[begin : begin + 10]
        for k, layout in enumerate(some):
            setattr(given, f"at{begin + k}", layout.triton(f"at{begin + k}"))
            value = f"(t * 0).to(tl.int64) + at{begin + k}({coordinates(layout, '//')})"
            lines.append(f"    tl.store(out + {k * ROOM} + t, {value}, mask=t < {layout.size})")
        out = torch.full((10, ROOM), -(2**60), dtype=torch.int64, device="cuda")
        module(f"kernels{begin}", lines).kernel[(ROOM // 128,)](out)
        for row, layout in zip(out.tolist(), some):
            assert row[: layout.size] == expected(layout), layout
    given.far = WIDE.triton("far")
    out = torch.zeros(1, dtype=torch.int64, device="cuda")
    far = module("far", ["@triton.jit", "def kernel(i, out):", "    tl.store(out, far(i, i))"])
    far.kernel[(1,)](69999, out)
    assert out.item() == WIDE(69999, 69999)
