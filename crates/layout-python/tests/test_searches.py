"""Counts and searches against their definitions."""

import os
import random
import time

import pytest
from layout_algebra import Layout, LayoutError, Xor

SEED = int(os.environ.get("PROPTEST_RNG_SEED", time.time() // 86400))


def drawn(rng):
    while True:
        kind = rng.choice([lambda n: n, lambda n: -n, Xor])
        shape = tuple(rng.choice([1, 2, 3, 4]) for _ in range(rng.randint(1, 3)))
        try:
            return Layout(shape, tuple(kind(rng.randint(1, 9)) if rng.random() < 0.5 else rng.randint(0, 9) for _ in shape))
        except LayoutError:
            pass


def test_answers_are_those_of_the_definition():
    print(f"PROPTEST_RNG_SEED={SEED}")
    rng, found = random.Random(SEED), 0
    for _ in range(400):
        a, b = drawn(rng), drawn(rng)
        offsets = [a(i) for i in range(a.size)]
        coverage = a.coverage()
        assert coverage["offsets"] == len(set(offsets))
        assert coverage["sharing"] == max(map(offsets.count, offsets))
        assert coverage["gaps"] == a.cosize - len(set(offsets))
        bits = {(32 * offset + bit) // 256 for offset in offsets for bit in (0, 31)}
        assert a.segments(32, 256) == len(bits)
        try:
            permutation = a.permutation()
            assert sorted(sum(permutation["cycles"], [])) == list(range(a.size))
            assert permutation["fixed_points"] == [i for i in range(a.size) if offsets[i] == i]
        except LayoutError:
            assert sorted(offsets) != list(range(a.size))
        try:
            x = b.find_solution(a)
            assert [b(x(i)) for i in range(x.size)] == offsets
            found += 1
        except LayoutError as error:
            assert "there is no x" in str(error)
        size = a[0].size
        start = rng.randrange(size + 1)
        try:
            part, offset = a.find_range(0, start, size)
            assert part.size == 0 or [part(i) + offset for i in range(size - start)] == offsets[start:size]
        except LayoutError as error:
            assert error.kind in ("divisibility", "carry", "overlap"), error
    assert found > 10


def test_searches_without_a_result_are_refused():
    for act, kind in [
        (lambda: Layout("(4,4):(4,1)").find_composition("3:3"), "divisibility"),
        (lambda: Layout("4:2").find_solution("4:1"), "bounds"),
        (lambda: Layout("(1000003,1000003):(1000003,1)").permutation(), "overflow"),
        (lambda: Layout("4:1").find_range(0, 3, 9), "bounds"),
        (lambda: Layout("4:1").compose_axes("4:1@2"), "rank"),
        (lambda: Layout("4:1").compose_axes("4:1"), "parse"),
        (lambda: Layout("Sw<1,0,1> o 0 o 4:1").coverage(), "stride"),
    ]:
        with pytest.raises(LayoutError) as error:
            act()
        assert error.value.kind == kind, error.value
