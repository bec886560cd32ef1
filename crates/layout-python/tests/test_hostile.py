"""Any operand gives a result or an exception: each program runs in a process of its own, which has to exit with 0."""

import subprocess
import sys
import textwrap

import pytest

BEGIN = """
import sys, threading, gc
import layout_algebra as la
from layout_algebra import *
def refused(f, *args, kinds=(LayoutError, TypeError, IndexError, OverflowError, ValueError, RecursionError)):
    try:
        f(*args)
    except kinds as error:
        assert str(error), "no sentence"
        return error
    raise SystemExit(f"not refused: {f} of {str(args)[:100]}")
def nested(n, inner=2):
    for _ in range(n):
        inner = (inner,)
    return inner
"""

PROGRAMS = {
    "numbers": """
        for n in (10**30, -1, -10**30, 2**64, 10**100000, 1.5, float("nan"), "x", b"4", None, object(), {}, {1}, 1j):
            refused(Layout, n) if n is not None else None
            refused(Layout, (4, n), (1, 4))
            refused(Layout, (4, 6), (1, n)) if n != -1 else Layout((4, 6), (1, n))
            refused(Layout("(4,6)").complement, n)
            refused(Layout("(4,6)").select, (0, n)) if n != -1 else Layout("(4,6)").select((0, n))
            refused(Layout("(4,6)").upcast, n)
            refused(Xor, n)
            refused(Swizzle, n, 1, 1)
            refused(Layout("(4,6)"), n, 0) if n is not None else None
            refused(crd2idx, n, (4, 6)) if n is not None else None
            refused(idx2crd, n, (4, 6))
        refused(Layout, (2**32, 2**32)), refused(Layout, (2, 2), (2**63, 2**63)), refused(Layout("4:1"), 2**64)
        assert refused(Layout, 10**30).kind == "overflow" and refused(Layout, (4, 10**30)).kind == "overflow"
        assert Layout((2, 2), (-2**40, 1)).base == 2**40
        assert Layout(2, 2**64 - 2)(1) == 2**64 - 2
        refused(Layout, 2, -2**70)
        for n in (0, 1, 2, 10**9):
            refused(Swizzle, n, 70, 3), refused(Swizzle, 3, 3, 2**31 - 1), refused(Swizzle, 3, 3, -2**31)
    """,
    "shapes": """
        for shape in ((), [], (4, ()), ((),), "", "()", "(", "(4,", "4:", ":", "(4,6):1", "(4,6):(1,(2,3))", "\\0", "(4,6):(1,4)x"):
            refused(Layout, shape)
        refused(Layout, (4, 6), 1), refused(Layout, (4, 6), (1, (2, 3))), refused(Layout, 4, (1,)), refused(Layout)
        refused(Layout, "\\ud800") # no text of Unicode
        empty = Layout((4, 0))
        assert empty.size == empty.cosize == 0
        refused(empty, 0), refused(empty, (0, 0))
        for row in la.operations():
            for n in range(5):
                try: call(row[0], *[empty] * n)
                except (LayoutError, TypeError): pass
                try: call(row[0], *["1:0"] * n)
                except (LayoutError, TypeError): pass
    """,
    "deep": """
        deep = nested(10**6)
        for make in (Layout, Tiler, Swizzle, lambda d: Layout((4, 6))(d, 1), lambda d: Layout((4, 6), d), lambda d: Layout((4,6)).slice(d),
                     lambda d: idx2crd(3, d), size, rank, depth, lambda d: Layout((4, 6)).compose(d), lambda d: congruent(d, d)):
            refused(make, deep)
        refused(Layout, "(" * 10**6), refused(Layout, "(" * 10**6 + "4" + ")" * 10**6), refused(Tiler, "<" * 10**6)
        assert Layout(nested(64)).depth == 64
        refused(Layout, nested(65))
        wide = (2, 2)
        for _ in range(60):
            wide = (wide, wide) # 2^61 numbers
        assert refused(Layout, wide).kind == "bounds"
        me = []
        me.append(me)
        refused(Layout, me), refused(Tiler, me), refused(size, me)
        l = Layout(2)
        for _ in range(100):
            try: l = Layout.of_modes(l)
            except LayoutError: break
        else: raise SystemExit("nested without end")
        assert repr(Layout([1] * 60000))[:8] == "Layout('"
        refused(Layout, [1] * 70000)
    """,
    "objects": """
        class Liar:
            def __index__(self): raise ZeroDivisionError("mine")
        class Negative:
            def __index__(self): return -5
        class Layouts(tuple): pass
        refused(Layout, Liar(), kinds=(TypeError, ZeroDivisionError)), refused(Layout, Negative())
        assert Layout(Layouts((4, 6))) == Layout((4, 6))
        class Tuple(tuple):
            def __iter__(self): raise ZeroDivisionError
            def __getitem__(self, i): raise ZeroDivisionError
        assert Layout(Tuple((4, 6))).size == 24
        refused(setattr, Layout(4), "shape", 5, kinds=(AttributeError, TypeError))
        refused(lambda: type("Sub", (Layout,), {}), kinds=TypeError)
        refused(Layout.__new__, Layout), refused(object.__new__, Layout)
        refused(Layout.compose, "(4,6)", 2)
        refused(call, "compose"), refused(call, "no such", 1), refused(call, "compose", 1, 2, 3), refused(call, 5)
        refused(mma, "SM80"), refused(mma, "SM80_16x8x16_F32F16F16F32_TN", (0, 1, 1)), refused(mma, "SM80_16x8x16_F32F16F16F32_TN", (2**40, 2**40, 1))
        refused(from_array, object()), refused(from_triton, "register=1"), refused(from_cute, "hello"), refused(from_pycute, 3)
        try: la._native.command(["layout", "compose", "\\udcff", "x"])
        except UnicodeError: pass
        assert la._native.command([])[0] in (0, 2)
    """,
    "large": """
        refused(Layout, "(4294967296,4294967296,2):(0,0,0)")
        big = Layout("(4294967296,4294967295):(1,0)")
        refused(big.draw), refused(big.draw_memory), refused(big.bank_conflicts, big), refused(big.vector_width, big)
        refused(best_shared_layout, big, big), refused(big.coalescing, "(32,1):(1,0)", 7), refused(big.bank_conflicts, "(32,1):(1,0)", 0)
        small = Layout("(32,32):(32,1)")
        # An empty mode makes the size 0, and the other mode is counted all the same.
        for empty in ("(18446744073709551615,0):(1,0)", "(0,18446744073709551615):(0,1)"):
            for f in (small.draw_banks, small.bank_conflicts, small.coalescing, small.vector_width):
                assert refused(f, empty).kind == "bounds"
        for bits in (0, 1, 3, 7, 33, 2**63, 2**64 - 1):
            for f in (small.bank_conflicts, small.coalescing, small.vector_width):
                try: f("(32,2):(1,32)", bits)
                except LayoutError as error: assert str(error)
            try: small.bank_conflicts("(32,2):(1,32)", 32, bits)
            except LayoutError: pass
            try: small.best_swizzle("(32,32):(32,1)", "(32,32):(1,32)", bits)
            except LayoutError: pass
            try: small.vector_width("(32,2):(1,32)", 32, bits)
            except LayoutError: pass
        refused(small.bank_conflicts, "(32,1):(1,0)", 32, 32, 3), refused(small.bank_conflicts, "32:1"), refused(small.bank_conflicts, "(2000,1):(1,0)")
        refused(Layout("(4,6):(-1,4)").bank_conflicts, "(4,1):(1,0)")
        for text in ("Sw<3,3,3> o 18446744073709551615 o 4:1", "Sw<40,20,40> o 0 o 4:1", "Sw<3,61,-3> o 0 o 4:1"):
            try: l = Layout(text); l.cosize, l(3), l.size, l.linear()
            except LayoutError: pass
        assert refused(Layout("(4,4):(4,1)").append, "Sw<1,0,1> o 0 o 4:1").kind == "stride"
    """,
    "threads": """
        layouts = [Layout("((2,2),(3,2)):((1,2),(4,12))"), Layout("Sw<3,3,3> o 0 o (8,64):(64,1)")]
        failed = []
        def work(seed):
            try:
                for k in range(2000):
                    l = layouts[k % 2]
                    assert l.coalesce().size == l.size
                    assert l(k % l.size) == list(map(l, [k % l.size]))[0]
                    try: l.compose((k + seed) % 7)
                    except LayoutError: pass
                    Layout("(64,64):(1,65)").is_injective()
                    l.draw() if k % 500 == 0 else None
            except BaseException as error:
                failed.append(error)
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
        [t.start() for t in threads]; [t.join() for t in threads]
        assert not failed, failed
    """,
    "arrays": """
        import numpy as np
        l = Layout("(4,6):(1,4)")
        for wrong in (np.array([1.5]), np.array(["a"]), np.array([None]), np.array([-1]), np.array([2**64 - 1], dtype=np.uint64), np.array([True])):
            refused(l, wrong)
        assert l(np.array([], dtype=int)).shape == (0,) and l(np.array(5)) == 5 and l(np.int8(5)) == 5
        assert l(np.array([30])) == l(30) and (l(np.arange(48).reshape(2, 4, 6)[::-1, :, ::2]).shape == (2, 4, 3))
        assert (l(np.arange(24, dtype=np.uint8)) == np.arange(24)).all()
        refused(l, np.array([0]), np.array([0]), np.array([0])), refused(l, np.zeros(3, int), np.zeros(4, int)), refused(Layout((4, 0)), np.array([0]))
        refused(Layout("(2,2):(9223372036854775807,1)"), np.array([3]))
        for a, t, o in ((np.arange(23), "(4,6):(1,4)", 0), (np.arange(24)[::2], "12:1", 0), (np.arange(24), "(4,6):(-1,4)", 2), (np.arange(24), "24:1", -1),
                        (np.arange(24), "24:1", 1), (np.arange(24), "(8,8):(^1,^9)", 0), (np.arange(24), "Sw<1,0,1> o 0 o 4:1", 0), ([1, 2], "2:1", 0)):
            refused(view, a, t, o)
        masked = np.ma.masked_array(np.arange(4), mask=[0, 1, 0, 0])
        refused(view, masked, "4:1", kinds=TypeError) and view(masked.data, "4:1")
        fixed = np.arange(4)
        fixed.flags.writeable = False
        assert not view(fixed, "(2,2)").flags.writeable and view(np.arange(4, dtype=">i4"), "4:1")[3] == 3
        v = view(np.arange(24), "(4,6):(-1,4)", 3)
        assert v[3, 0] == 0 and v.flags.writeable and v[0, 0] == 3
        assert not view(np.arange(24), "(4,6):(0,4)").flags.writeable and view(np.arange(24), "(4,0):(1,1)").shape == (4, 0)
    """,
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_an_exception_and_no_more(program):
    if program == "arrays":
        pytest.importorskip("numpy")
    code = BEGIN + textwrap.dedent(PROGRAMS[program])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{done.returncode}\n{done.stderr[-3000:]}"
    assert "panicked" not in done.stderr, done.stderr


def test_another_interpreter_is_refused_or_works():
    code = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import layout_algebra
one = interpreters.create()
try:
    said = interpreters.run_string(one, "import layout_algebra; assert layout_algebra.Layout((4, 6)).size == 24")
    print(said)
except Exception as error:
    print(error)
interpreters.destroy(one)
assert layout_algebra.Layout("(4,6)").size == 24
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "None" or "interpreter" in done.stdout, done.stdout


def test_random_calls_end_in_exceptions_of_python():
    """Methods, properties and functions of the module with operands of any kind. A panic would propagate, since PyO3's
    `PanicException` is no `Exception`."""
    code = BEGIN + textwrap.dedent("""
        import random, time
        rng = random.Random(7)
        numbers = [0, 1, 2, 3, 8, 64, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64 - 1, 2**64, 10**30, -1, -2**63, -10**30]
        extents = [1, 1, 2, 2, 3, 4, 8, 16, 0, 2**16, 2**32, 2**64 - 1]
        strides = [0, 1, 2, 3, 8, -1, -3, -2**40, Xor(1), Xor(9), Xor(2**63), 2**32, 2**62, 2**64 - 1, -2**63]
        def layout():
            shape = tuple(rng.choice(extents) for _ in range(rng.randint(1, 4)))
            try:
                plain = Layout(shape, tuple(rng.choice(strides) for _ in shape))
                swizzle = Swizzle(rng.randint(0, 9), rng.randint(0, 40), rng.choice([-20, 3, 20]))
                return plain if rng.random() < 0.8 else swizzle.compose(plain, rng.choice([0, 1, 2**63]))
            except LayoutError:
                return Layout(4)
        others = ["(4,6):(1,4)", "<2,_>", "_", "^3", b"1", 1.5, None, ..., slice(2**64, None), {}, [], Tiler("<2,_>"),
                  Swizzle(2, 1, -5), (2, 3), (4, None), nested(64), nested(65)]
        operand = lambda: rng.choice([layout, lambda: rng.choice(numbers), lambda: rng.choice(others)])()
        # Searches may be slow, and `show` prints.
        left_out = {"best_swizzle", "best_shared_layout", "show", "__class__", "__setattr__"}
        count, end = 0, time.time() + 3
        while time.time() < end:
            it = rng.choice([layout(), layout(), layout(), Swizzle(3, 0, 3), Tiler("<2,_>"), Xor(5), la])
            name = rng.choice([name for name in dir(it) if name not in left_out and not name.startswith(("is_", "_r"))])
            count += 1
            try:
                member = getattr(it, name)
                member(*[operand() for _ in range(rng.randint(0, 3))]) if callable(member) else None
            except Exception:
                pass
        assert count > 2000, count
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr[-3000:]
