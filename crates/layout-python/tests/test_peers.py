"""Comparisons with pycute and tensor-layouts, installed from PyPI: their results for random operands, checked against the
laws with their own functions; the operands of pycute's tests; the examples of tensor-layouts' documentation.

Neither package contains its tests. The operands of pycute's tests are repeated here in this module's notation.
"""

import inspect
import random
import re
import timeit

import layout_algebra as la
import pytest
from layout_algebra import Layout, LayoutError, call, check, from_pycute

pycute = pytest.importorskip("pycute")
tensor_layouts = pytest.importorskip("tensor_layouts")

# ---- the operands of pycute's tests ------------------------------------------------------------------------------

COMPOSITIONS = """
1:0 1:0 | 1:0 1:1 | 1:1 1:0 | 1:1 1:1 | 4:1 4:1 | 4:2 4:1 | 4:1 4:2 | 4:0 4:1 | 4:1 4:0 | 1:0 4:1 | 4:1 1:0 | 4:1 2:1 |
4:2 2:1 | 4:1 2:2 | 4:2 2:2 | 12:1 (4,3):(1,4) | 12:2 (4,3):(1,4) | 12:1 (4,3):(3,1) | 12:2 (4,3):(3,1) |
12:1 (2,3):(2,4) | (4,3):(1,4) (4,3):(1,4) | (4,3):(1,4) 12:1 | (4,3):(1,4) 6:2 | (4,3):(1,4) (6,2):(2,1) |
(4,3):(3,1) (4,3):(1,4) | (4,3):(3,1) 12:1 | (4,3):(3,1) 6:2 | (4,3):(3,1) (6,2):(2,1) |
(8,8):(1,8) ((2,2,2),(2,2,2)):((1,16,4),(8,2,32)) | (8,8):(8,1) ((2,2,2),(2,2,2)):((1,16,4),(8,2,32)) |
((2,2,2),(2,2,2)):((1,16,4),(8,2,32)) 8:4 | (4,2):(1,16) (4,2):(2,1) | (2,2):(2,1) (2,2):(2,1) |
(4,8,2):(1,4,32) (2,2,2):(2,8,1) | (4,8,2):(2,8,1) (2,2,2):(1,8,2) | (4,8,2):(2,8,1) (4,2,2):(2,8,1) |
(4,6,8):(1,4,7) 6:1 | (4,6,8,10):(2,3,5,7) 6:12
"""
COALESCED = """1:0 1:1 (2,4):(1,2) (2,4,6):(1,2,8) (2,4,6):(1,6,2) (2,1,6):(1,7,2) (2,1,6):(4,7,8) (2,(4,6)):(1,(2,8))
(2,4):(4,1) (2,4,6):(24,6,1) (2,1,3):(2,4,4) ((2,2),(2,2)):((1,4),(8,32))"""
COMPLEMENTS = """1:0 1:1 4:0 (2,4):(1,2) (2,3):(1,2) (2,4):(1,4) (2,4,8):(8,1,64) ((2,2),(2,2)):((1,4),(8,32))
(2,(3,4)):(3,(1,6)) (4,6):(1,6) (4,10):(1,10)"""
LEFT = """1:0 (1,1):(0,0) 1:1 4:1 4:2 (8,4):(1,8) (8,4):(4,1) (2,4,6):(1,2,8) (2,4,6):(4,1,8) (4,2):(1,16)"""
RIGHT = LEFT + " (3,7):(0,0) 4:0 (2,4):(0,2)"

# Products, with numbers and tuples as tilers too; and swizzled offsets.
PRODUCTS = """1:0 1:0 | 1:1 1:0 | 1:0 1:1 | 1:1 1:1 | 3:1 4:0 | 3:0 4:1 | 3:0 4:0 | 3:2 4:1 | 3 (2,4) | (2,5):(5,1) 4 | 4:1 3 |
3:2 4 | (4,8):(1,4) 16 | ((2,2),(2,2)):((1,4),(8,32)) 4"""
POINTS = [0, 1, 2, 7, 8, 9, 15, 16, 63, 64, 255, 256]
SWIZZLES = {
    (0, 4, 0): POINTS, (2, 3, -3): [0, 1, 2, 7, 72, 73, 79, 144, 255, 64, 63, 256],
    (1, 0, 1): [0, 1, 3, 6, 8, 9, 14, 16, 62, 64, 254, 256], (3, 2, 3): [0, 1, 2, 7, 8, 9, 15, 16, 59, 72, 227, 256],
    (2, 1, -2): [0, 1, 10, 31, 8, 9, 23, 16, 39, 64, 231, 256],
}  # fmt: skip

# Operands without an exact result, although pycute's tests pass: the kind of our refusal, and an offset that pycute's
# "complement" misses. pycute's test only requires that no offset but 0 be in both.
THEIRS = {
    "complement_ceil (4,6):(1,6)": ("divisibility", 4),
    "complement_ceil (4,10):(1,10)": ("divisibility", 8),
}


def test_the_operands_of_pycute():
    refused = {}

    def tried(name, *operands):
        try:
            return call(name, *operands)
        except LayoutError as error:
            layout = Layout(operands[0])
            theirs = pycute.complement(pycute.Layout(layout.shape, layout.stride))
            verdict = check(name, operands, from_pycute(theirs))
            assert not verdict
            refused[f"{name} {operands[0]}"] = (error.kind, verdict.expected)

    for pair in COMPOSITIONS.replace("\n", " ").split("|"):
        a, b = pair.split()
        result = tried("composition", a, b)
        assert result is None or check("composition", (a, b), result), pair
    for text in COALESCED.split():
        result = call("coalesce", text)
        assert result.size == Layout(text).size and all(result(i) == Layout(text)(i) for i in range(result.size)), text
    for text in COMPLEMENTS.split():
        # With pycute's default range.
        layout = Layout(text)
        result = tried("complement_ceil", text, layout.cosize)
        apart = lambda: all(
            layout(a) != result(b) or layout(a) == 0 for a in range(layout.size) for b in range(result.size)
        )
        assert result is None or apart(), text
    for text in LEFT.split():
        result = tried("left_inverse", text)
        assert result is None or check("left_inverse", text, result), text
    for text in RIGHT.split():
        result = tried("right_inverse", text)
        assert check("right_inverse", text, result), text
    assert refused == THEIRS
    for pair in PRODUCTS.replace("\n", " ").split("|"):
        a, b = (Layout(int(text) if text.isdigit() else text) for text in pair.split())
        result = a.logical_product(b)
        assert len(result) == 2 and result[0] == a and result[1].size == b.size, pair
        assert call("compatible", b.shape, result[1].shape), pair
        assert a.zipped_product(b).size == a.tiled_product(b).size == a.size * b.size, pair
    rows = Layout("(2,5):(5,1)")
    assert rows.logical_product(4) == Layout("((2,5),4):((5,1),10)") and rows.logical_product(None) == rows
    by_mode = Layout.of_modes(rows[0].logical_product(4), rows[1].logical_product(2))
    assert rows.logical_product((4, 2)) == rows.logical_product((Layout(4), Layout(2))) == by_mode
    for numbers, expected in SWIZZLES.items():
        swizzle = la.Swizzle(*numbers)
        assert list(map(swizzle, POINTS)) == expected
        assert all(swizzle(swizzle(x)) == x for x in range(1 << (numbers[0] + numbers[1] + abs(numbers[2]))))


# ---- the examples that tensor-layouts states ---------------------------------------------------------------------

# Wrong statements of its documentation: the coordinate of the error, or the right result.
STATED = {
    # (4,2):(1,4) is 8:1 in two modes: all 8 elements are contiguous in both.
    "max_common_layout(Layout(8, 1), Layout((4,2), (1,4)))": "max_common_layout is 8:1: the result has 4 coordinates and not 8",
    "max_common_vector(Layout(8, 1), Layout((4,2), (1,4)))": "max_common_vector is 8",
    # A(R(1)) has to be 1, and is 0 for the first and 4 for the second.
    "right_inverse(Layout(4, 2))": (1, 0),
    "right_inverse(Layout((8, 4), (4, 1)))": (1, 0),
    # `compatible` has the coarser shape on the left: a coordinate of (4,3) is none of (2,2,3).
    "compatible((2, 2, 3), (4, 3))": "compatible is False",
}


def stated():
    """The examples of tensor-layouts' docstrings for functions that this module has too."""
    from tensor_layouts.layouts import algebra, core

    names = "append blocked_product coalesce compatible complement compose congruent group left_inverse logical_divide "
    names += "logical_product max_common_layout max_common_vector nullspace prepend replace right_inverse "
    names += "weakly_congruent zipped_divide"
    seen = {}
    for module in (algebra, core):
        for _, function in inspect.getmembers(module, inspect.isfunction):
            for line in (function.__doc__ or "").splitlines():
                found = re.match(r"\s+((\w+)\(.*\))\s*->\s*([^#]*?)\s*(?:#.*|\s\s\(.*)?$", line)
                if found and found[2] in names.split() and "..." not in line:
                    seen[found[1]] = (found[2], found[3])
    return seen


def test_the_examples_that_tensor_layouts_states():
    wrong, tried = {}, 0
    quoted = lambda text: re.sub(r"(?<![\w'])((?:\d+|\((?:[\d,()]+)\)):(?:\d+|\([\d,()]+\)))(?=[,) ]|$)", r"'\1'", text)
    operands = lambda name: {"Layout": Layout, "Swizzle": la.Swizzle, "tiler": None, name: lambda *operands: operands}
    for example, (name, result) in stated().items():
        try:
            given, result = eval(quoted(example), operands(name)), eval(quoted(result), {"Layout": Layout})
        except (SyntaxError, NameError):
            continue  # no example but a law, or one with names
        tried += 1
        name, given = ("coalesce_by", given) if name == "coalesce" and len(given) == 2 else (name, given)
        verdict = check(name, given, result)
        if not verdict:
            wrong[example] = verdict.coordinate if verdict.coordinate is not None else verdict.reason
    assert tried >= 30
    print(tried, wrong)
    assert wrong == STATED


# ---- random operands ---------------------------------------------------------------------------------------------


def random_layout(rng, make, rank):
    shape = tuple(rng.randint(1, 8) for _ in range(rank))
    stride = tuple(rng.randint(0, 8) for _ in range(rank))
    return make(shape, stride)


def offsets(layout):
    return [
        layout(i)
        for i in range(
            tensor_layouts.size(layout) if isinstance(layout, tensor_layouts.Layout) else pycute.size(layout)
        )
    ]


@pytest.mark.parametrize("peer", ["pycute", "tensor_layouts"])
def test_random_compositions(peer):
    """A peer's result is right if R(c) = A(B(c)) by the peer's own functions. ``check`` has to agree, and this module's
    results have to be right."""
    peer, compose = {
        "pycute": (pycute, getattr(pycute, "composition")),
        "tensor_layouts": (tensor_layouts, tensor_layouts.compose),
    }[peer]
    rng, counts = random.Random(7), {"theirs right": 0, "theirs wrong": 0, "theirs refused": 0, "ours": 0}
    for _ in range(3000):
        rank = rng.randint(1, 2)
        a, b = random_layout(rng, peer.Layout, rank), random_layout(rng, peer.Layout, rank)
        ours_a, ours_b = from_pycute(a), from_pycute(b)
        expected = [a(x) for x in offsets(b)]
        try:
            ours = ours_a.compose(ours_b)
            counts["ours"] += 1
            assert [ours(i) for i in range(ours.size)] == expected, (a, b, ours)
        except LayoutError:
            pass
        try:
            theirs = compose(a, b)
        except Exception:
            counts["theirs refused"] += 1
            continue
        right = offsets(theirs) == expected
        counts["theirs right" if right else "theirs wrong"] += 1
        verdict = check("compose", (ours_a, ours_b), from_pycute(theirs))
        assert bool(verdict) == right, (a, b, theirs, verdict)
        if verdict.coordinate is not None:
            assert verdict.expected != verdict.found
    print(peer.__name__, counts)
    assert counts["ours"] > 1000 and counts["theirs right"] > 500


# ---- speed -------------------------------------------------------------------------------------------------------


# The same call in this module, pycute and tensor-layouts: `a` is (4,6):(1,4), `n` has four leaves, `t` is 4.
TIMED = """
a.compose(b) | P.composition(pa, pb) | T.compose(ta, tb)
a.coalesce() | P.coalesce(pa) | T.coalesce(ta)
n.coalesce() | P.coalesce(pn) | T.coalesce(tn)
a.complement(48) | P.complement(pa, 48) | T.complement(ta, 48)
a.right_inverse() | P.right_inverse(pa) | T.right_inverse(ta)
a.left_inverse() | P.left_inverse(pa) | T.left_inverse(ta)
a.logical_divide(t) | P.logical_divide(pa, pt) | T.logical_divide(ta, tt)
a.logical_divide((2, 3)) | P.logical_divide(pa, (2, 3)) | T.logical_divide(ta, (2, 3))
a.zipped_divide((2, 3)) | P.zipped_divide(pa, (2, 3)) | T.zipped_divide(ta, (2, 3))
a.tiled_divide((2, 3)) | P.tiled_divide(pa, (2, 3)) | T.tiled_divide(ta, (2, 3))
a.logical_product(t) | P.logical_product(pa, pt) | T.logical_product(ta, tt)
a.zipped_product(t) | P.zipped_product(pa, pt) | T.zipped_product(ta, tt)
a.filter() | P.filter(pa) |
a.blocked_product(b) | | T.blocked_product(ta, tb)
a.raked_product(b) | | T.raked_product(ta, tb)
n.flatten() | | T.flatten(tn)
"""


def test_speed():
    """The least of several times, measured in turns, so that other work on the machine affects both sides."""
    names = {"P": pycute, "T": tensor_layouts}
    for name, parts in {
        "a": ((4, 6), (1, 4)), "b": ((2, 3), (2, 8)), "n": (((2, 2), (3, 2)), ((1, 2), (4, 12))), "t": (4, 1),
    }.items():  # fmt: skip
        for prefix, make in (("", Layout), ("p", pycute.Layout), ("t", tensor_layouts.Layout)):
            names[prefix + name] = make(*parts)
    ratios = {}
    for line in TIMED.strip().splitlines():
        timers = [timeit.Timer(text, globals=names) if text else None for text in map(str.strip, line.split("|"))]
        rounds = [
            [timer and timer.timeit(n) / n for timer, n in zip(timers, (2000, 100, 50)) if timer] for _ in range(15)
        ]
        ours, *theirs = map(min, zip(*rounds))
        ratios[line.split("|")[0].strip()] = [round(ours * 1e9), *(round(time / ours, 1) for time in theirs)]
    print("ns, times pycute's, tensor-layouts':", ratios)
    # Half of the least ratio of the profile `quick`, which is 18, of coalesce.
    assert min(least for _, *least in ratios.values() for least in least) > 9, ratios


def test_speed_of_arrays():
    numpy = pytest.importorskip("numpy")
    numbers = numpy.arange(4_000_000) % 3000
    rates, texts = {}, ["(50,60):(60,1)", "((2,25),(4,15)):((60,120),(1,4))", "(64,64):(64,1)"]
    for text in (*texts, "Sw<3,3,3> o 0 o (64,64):(64,1)", "(64,64):(^1,^65)"):
        layout = Layout(text)
        rates[text] = round(4 / min(timeit.repeat(lambda: layout(numbers), number=1, repeat=9)))
    # The first layout, written by hand with NumPy.
    by_hand = 4 / min(timeit.repeat(lambda: numbers % 50 * 60 + numbers // 50, number=1, repeat=9))
    print("million a second:", rates, "by hand:", round(by_hand))
    assert rates[texts[0]] > by_hand / 2 and min(rates.values()) > by_hand / 4, (rates, by_hand)


def test_speed_of_coordinates():
    """Arrays of coordinates against NumPy's own expression, and layouts of tuples against pycute's, in turns."""
    numpy = pytest.importorskip("numpy")
    ratios = {}

    def compare(name, ours, theirs, number):
        turns = [[timeit.timeit(what, number=number) for what in (ours, theirs)] for _ in range(15)]
        ours, theirs = map(min, zip(*turns))
        ratios[name] = round(theirs / ours, 2)

    for side in (64, 2048):
        i, j = numpy.indices((side, side))
        rows, columns = numpy.ogrid[:side, :side]
        plain, swizzled = Layout.right((side, side)), Layout(f"Sw<3,3,3> o 0 o ({side},{side}):({side},1)")

        def by_hand(i, j):
            x = i * side + j
            return x ^ ((x >> 3) & 56)

        number = 200 if side < 100 else 1
        compare(f"{side} x {side}", lambda: plain(i, j), lambda: i * side + j, number)
        compare(f"{side} x {side}, open", lambda: plain(rows, columns), lambda: rows * side + columns, number)
        compare(f"{side} x {side}, swizzled", lambda: swizzled(i, j), lambda: by_hand(i, j), number)
        compare(f"{side} x {side}, open, swizzled", lambda: swizzled(rows, columns), lambda: by_hand(rows, columns), number)
    for shape, stride in (((4, 6), (1, 4)), (((2, 2), (3, 2)), ((1, 2), (4, 12)))):
        compare(f"{shape}", lambda: Layout(shape, stride), lambda: pycute.Layout(shape, stride), 5000)
    print("of NumPy's or pycute's speed:", ratios)
    # Half of the least ratio of the profile `quick`, which is 0.39, of a nested layout.
    assert min(ratios.values()) > 0.2, ratios
