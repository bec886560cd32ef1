"""Beside pycute and tensor-layouts, which are installed from PyPI: what they say on random operands, held against the law
by their own functions; the operands of pycute's tests; and the examples that tensor-layouts' documentation states.

Neither package has tests in it. The operands of pycute's are facts, and stand here in this module's notation.
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

# Those that have no exact result, though pycute's tests pass: the kind of the refusal here, and the offset at which what
# pycute returns is no complement. Its test asks only that no offset but 0 be in both.
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
        # In the range that pycute takes if none is given.
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


# ---- the examples that tensor-layouts states ---------------------------------------------------------------------

# Statements of its documentation that are wrong: at which coordinate, or what there is.
STATED = {
    # (4,2):(1,4) is 8:1 told in two modes: all 8 elements are neighbours in both.
    "max_common_layout(Layout(8, 1), Layout((4,2), (1,4)))": "max_common_layout is 8:1: the result has 4 coordinates and not 8",
    "max_common_vector(Layout(8, 1), Layout((4,2), (1,4)))": "max_common_vector is 8",
    # A(R(1)) is 0 and not 1, and 4 and not 1.
    "right_inverse(Layout(4, 2))": (1, 0),
    "right_inverse(Layout((8, 4), (4, 1)))": (1, 0),
    # CuTe's word has the coarser shape on the left: coordinates of (4,3) are none of (2,2,3).
    "compatible((2, 2, 3), (4, 3))": "compatible is False",
}


def stated():
    """The examples of its docstrings whose functions are here too, as texts of this module."""
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
    """A result of theirs is right if R(c) = A(B(c)), by their own functions. ``check`` says the same of it, and there is
    no result here that is wrong."""
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


def test_speed():
    """Times beside one another, the least of several: a machine with other work on it has both."""
    a, b, t = Layout((4, 6), (1, 4)), Layout((2, 3), (2, 8)), Layout(4)
    pa, pb, pt = pycute.Layout((4, 6), (1, 4)), pycute.Layout((2, 3), (2, 8)), pycute.Layout(4)
    pairs = {
        "compose": (lambda: a.compose(b), lambda: pycute.composition(pa, pb)),
        "coalesce": (lambda: a.coalesce(), lambda: pycute.coalesce(pa)),
        "complement": (lambda: a.complement(48), lambda: pycute.complement(pa, 48)),
        "right_inverse": (lambda: a.right_inverse(), lambda: pycute.right_inverse(pa)),
        "left_inverse": (lambda: a.left_inverse(), lambda: pycute.left_inverse(pa)),
        "logical_divide": (lambda: a.logical_divide(t), lambda: pycute.logical_divide(pa, pt)),
        "logical_divide by mode": (lambda: a.logical_divide((2, 3)), lambda: pycute.logical_divide(pa, (2, 3))),
        "logical_product": (lambda: a.logical_product(t), lambda: pycute.logical_product(pa, pt)),
    }
    ratios = {}
    for name, (ours, theirs) in pairs.items():
        rounds = [(timeit.timeit(ours, number=2000) / 2000, timeit.timeit(theirs, number=100) / 100) for _ in range(15)]
        ours, theirs = min(one for one, _ in rounds), min(other for _, other in rounds)
        ratios[name] = round(theirs / ours, 1)
    print(ratios)
    # Half of what a machine with nothing else to do has at least.
    assert min(ratios.values()) > 15, ratios


def test_speed_of_arrays():
    numpy = pytest.importorskip("numpy")
    numbers = numpy.arange(4_000_000) % 3000
    rates, texts = {}, ["(50,60):(60,1)", "((2,25),(4,15)):((60,120),(1,4))", "(64,64):(64,1)"]
    for text in (*texts, "Sw<3,3,3> o 0 o (64,64):(64,1)", "(64,64):(^1,^65)"):
        layout = Layout(text)
        rates[text] = round(4 / min(timeit.repeat(lambda: layout(numbers), number=1, repeat=9)))
    # The first of these as one writes it with NumPy.
    by_hand = 4 / min(timeit.repeat(lambda: numbers % 50 * 60 + numbers // 50, number=1, repeat=9))
    print("million a second:", rates, "by hand:", round(by_hand))
    assert rates[texts[0]] > by_hand / 2 and min(rates.values()) > by_hand / 4, (rates, by_hand)
