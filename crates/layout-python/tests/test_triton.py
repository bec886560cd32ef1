"""``triton()`` returns a Triton function. With Triton installed, kernels that call it are compiled, which needs no GPU;
without Triton, a stand-in decorates it."""

import importlib.util
import subprocess
import sys
import textwrap
import types

import pytest
from layout_algebra import Layout, idx2crd

TEXTS = [
    "(64,96):(96,1)", "((4,8),(2,2)):((32,1),(16,8))", "(4,6):(-1,4)", "(8,8):(^1,^9)", "7:3", "(4,6):(0,0)",
    "Sw<3,3,3> o 0 o (8,64):(64,1)", "(5,(3,2)):(1,(5,15))", "(70000,70000):(70000,1)",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_the_function_that_is_decorated(text, monkeypatch):
    language = types.SimpleNamespace(cast=lambda number, kind: kind(number), int64=int)
    triton = types.ModuleType("triton")
    triton.jit, triton.language = lambda function: [function], language
    monkeypatch.setitem(sys.modules, "triton", triton)
    monkeypatch.setitem(sys.modules, "triton.language", language)
    layout = Layout(text)
    (at,) = layout.triton("at")
    modes = [mode.size for mode in layout.inner]
    step = max(layout.size // 5000, 1)
    for i in range(0, layout.size, step):
        coordinate = idx2crd(i, tuple(modes))
        assert at(*coordinate) == layout(*coordinate)
    import inspect

    source = inspect.getsource(at)
    assert "def at(" in source and ("int64" in source) == (text == "(70000,70000):(70000,1)")


def test_without_triton():
    code = """
        import sys
        sys.modules["triton"] = None
        from layout_algebra import Layout
        try:
            Layout("(4,6)").triton()
        except ImportError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("triton() needs Triton")


@pytest.mark.skipif(importlib.util.find_spec("triton") is None, reason="Triton is not installed")
@pytest.mark.parametrize("text", TEXTS)
def test_triton_compiles_it(text, tmp_path, monkeypatch):
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    layout = Layout(text)
    names = ["i", "j"][: layout.rank]
    file = tmp_path / f"kernel_{TEXTS.index(text)}.py"
    file.write_text(
        "import triton\nimport triton.language as tl\n@triton.jit\ndef kernel(i, j, out):\n"
        f"    tl.store(out, (i * 0).to(tl.int64) + at({', '.join(names)}))\n"
    )
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    module.at = layout.triton("at")
    spec.loader.exec_module(module)
    source = ASTSource(module.kernel, {"i": "i32", "j": "i32", "out": "*i64"})
    ptx = triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ptx"]
    assert "st.global" in ptx
