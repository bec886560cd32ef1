"""The laws of `strides.py` by brute force: all layouts of up to two small modes of each kind and each pair of kinds,
and random ones of more: `python3 laws.py [CASES]`. Says for each operation how often it had an answer."""
import random
import sys
from itertools import product as all_of

from strides import *

KINDS = {
    "natural": lambda d: d,
    "signed": lambda d: d,
    "xor": xor,
}


def offsets(layout):
    return [index(layout, i) for i in range(size(layout))]


def meaningful(layout):
    try:
        return checked(layout)
    except Undefined:
        return None


def small_layouts(extents, numbers):
    """Each layout of up to two modes, of every pair of kinds."""
    strides = [d for d in numbers] + [-d for d in numbers if d] + [Xor(d) for d in numbers if d]
    one = [(s, d) for s, d in all_of(extents, strides)]
    two = [((s, t), (d, e)) for (s, d), (t, e) in all_of(one, one)]
    return [l for l in one + two if meaningful(l)]


def random_layout(r, kind, most=4, powers=False):
    while True:
        n = r.randint(1, most)
        extents = [r.choice([2, 4, 8] if powers else [1, 2, 2, 3, 4, 4, 5, 6, 8]) for _ in range(n)]
        strides = []
        for s in extents:
            d = r.choice([0, 1, 1, 2, 3, 4, 4, 5, 6, 8, 9, 12, 16, 17, 24, 32, 64])
            k = r.choice(["natural", "xor"]) if kind == "mixed" else kind
            strides.append(xor(d) if k == "xor" else -d if k == "signed" and r.random() < 0.5 else d)
        if r.random() < 0.4:
            # A compact one, or what a swizzle makes of one.
            order, run = list(range(n)), 1
            r.shuffle(order)
            swap = 1 << r.randint(2, 5)
            for k in order:
                d = run ^ (run // swap if kind in ("xor", "mixed") and run >= swap else 0)
                strides[k] = xor(d) if kind in ("xor", "mixed") and (kind == "xor" or r.random() < 0.5) else \
                    -d if kind == "signed" and r.random() < 0.4 else d
                run *= extents[k]
        layout = (extents[0], strides[0]) if n == 1 and r.random() < 0.7 else nested(r, extents, strides)
        if size(layout) <= 512 and meaningful(layout):
            return layout


def nested(r, extents, strides):
    if len(extents) > 2 and r.random() < 0.4:
        return (extents[0], tuple(extents[1:])), (strides[0], tuple(strides[1:]))
    return tuple(extents), tuple(strides)


def check(name, counts, operation, law, *operands):
    """The law holds wherever there is an answer."""
    try:
        result = operation(*operands)
    except Undefined:
        counts[name] = counts.get(name, (0, 0))[0], counts.get(name, (0, 0))[1] + 1
        return
    counts[name] = counts.get(name, (0, 0))[0] + 1, counts.get(name, (0, 0))[1]
    shown = [show(x) if is_tuple(x) else x for x in operands]
    said = result if isinstance(result, int) else show(result)
    assert law(result), f"{name}: {shown} gave {said}"


def same(layout):
    return lambda r: offsets(r) == offsets(layout) and meaningful(r)


def is_complement(layout, extent):
    moved = from_modes([(s, d) for s, d in modes(layout) if d != 0])

    def law(rest):
        both = checked(((moved[0], rest[0]), (moved[1], rest[1])))
        return sorted(o + base(moved) for o in offsets(both)) == list(range(extent))
    return law


def inverse_law(layout):
    image = offsets(layout)
    return lambda r: all(index(layout, index(r, x)) == x for x in image)


def laws_of_one(layout, counts):
    image = offsets(layout)
    assert cosize(layout) == (max(image) - min(image) + 1 if image else 0), show(layout)
    assert base(layout) == (-min(image) if image else 0), show(layout)
    check("coalesce", counts, coalesce, same(layout), layout)
    further = [index(layout, i) for i in range(2 * size(layout) + 3)]
    check("coalesce_z", counts, coalesce_z, lambda r: [index(r, i) for i in range(len(further))] == further, layout)
    check("filter", counts, filter_modes, lambda r: set(offsets(r)) == set(image), layout)
    check("right_inverse", counts, right_inverse,
          lambda r: all(index(layout, index(r, i)) == i and index(r, i) < size(layout) for i in range(size(r))), layout)
    check("left_inverse", counts, left_inverse, inverse_law(layout), layout)
    check("nullspace", counts, nullspace, lambda r: all(index(layout, x) == 0 for x in offsets(r)), layout)
    for extent in {cosize(layout), 2 * cosize(layout), 64}:
        check("complement", counts, complement, is_complement(layout, extent), layout, extent)
    check("linear", counts, linear, same(layout), layout)
    check("natural", counts, natural, same(layout), layout)
    for n in (2, 3, 4):
        if not has_negative(modes(layout)):
            check("upcast", counts, upcast, lambda r: {o // n for o in image} == set(offsets(r)), layout, n)
        check("downcast", counts, downcast,
              lambda r: {o * n + k for o in image for k in range(n)} >= set(offsets(r))
              and len(offsets(r)) == n * len(image), layout, n)


def linear_is_natural(layout):
    """Two bits share a bit if and only if no layout of the other kind is the same function."""
    flat = modes(layout)
    if has_negative(flat):
        return
    if not has_xor(flat):
        other = map_leaves(layout, lambda s, d: (s, xor(d)))
    elif all(isinstance(d, Xor) or d == 0 for _, d in flat):
        other = map_leaves(layout, lambda s, d: (s, number_of(d)))
    else:
        return
    try:
        (natural if has_xor(flat) else linear)(layout)
        known = True
    except Undefined:
        known = False
    assert known == (offsets(other) == offsets(layout)), show(layout)


def natural_offsets(values, extents):
    """Are these the offsets of natural strides? If so, a step along a mode adds the same wherever it is taken."""
    place, steps = 1, []
    for s in extents:
        steps.append(values[place] if s > 1 else 0)
        place *= s
    sums = [0]
    for s, d in zip(extents, steps):
        sums = [x + c * d for c in range(s) for x in sums]
    return sums == values


def is_first_swizzle(layout, counts):
    """Of all swizzles of the bits below the highest one of offsets, and of three more, none comes before the one that
    is found, and where it is refused there is none. The offsets alone are looked at, not the strides."""
    image, extents = offsets(layout), leaves(layout[0])
    top = max(image).bit_length() + 3
    by = [(b, m, s) for b in range(1, top) for m in range(top) for s in range(-top, top + 1)
          if b <= abs(s) <= top - b - m]
    found = [sw for sw in [(0, 0, 0)] + by if natural_offsets([swizzle(*sw, x) for x in image], extents)]
    name, (answered, refused) = "swizzled", counts.get("swizzled", (0, 0))
    try:
        sw, plain = swizzled(layout)
        counts[name] = answered + 1, refused
        assert [swizzle(*sw, x) for x in offsets(plain)] == image, show(layout)
        assert not has_xor(modes(plain)), show(layout)
        assert sw == min(found, key=lambda sw: (sw[0], sw[1], abs(sw[2]), sw[2] < 0)), show(layout)
    except SharedBit as reason:
        counts[name] = answered, refused + 1
        assert not found, show(layout)
        assert reason.first & reason.second & 2 ** reason.bit, show(layout)


def swizzled_layout(r, kinds):
    """What a swizzle makes of a layout of natural strides; with more `kinds`, some of its strides are natural ones, or
    a mode is beside it whose multiples carry."""
    while True:
        n = r.randint(1, 4)
        extents = [r.choice([1, 2, 2, 3, 4, 4, 5, 6, 8]) for _ in range(n)]
        order, run, plain = list(range(n)), 1, [0] * n
        r.shuffle(order)
        for k in order:
            run *= r.choice([1, 1, 1, 2, 3, 4])
            plain[k] = run
            run *= extents[k]
        b = r.randint(1, 3)
        sw = b, r.randint(0, 3), r.randint(b, 4) * r.choice([1, -1])
        strides = [xor(swizzle(*sw, d)) for d in plain]
        if kinds and r.random() < 0.5:
            strides = [e if number_of(e) != d else d for e, d in zip(strides, plain)]
        if kinds and r.random() < 0.5:
            extents.append(r.choice([3, 4, 5]))
            strides.append(r.choice([3, 5, 7]) << r.randint(0, run.bit_length() + 1))
        layout = nested(r, extents, strides)
        if size(layout) <= 512 and meaningful(layout) and has_xor(modes(layout)):
            return layout


def laws_of_two(a, b, counts):
    if all(x >= 0 for x in offsets(b)):
        check("compose", counts, compose,
              lambda r: offsets(r) == [index(a, x) for x in offsets(b)] and meaningful(r), a, b)
    check("max_common_layout", counts, max_common_layout,
          lambda r: all(index(a, x) == index(b, x) == i for i, x in enumerate(offsets(r))), a, b)
    # A tile that stands still reaches each offset as often as it has coordinates.
    still = product(s for s, d in modes(b) if d == 0)
    check("logical_divide", counts, logical_divide, lambda r: sorted(offsets(r)) == sorted(offsets(a) * still), a, b)

    def disjoint(r):
        first = offsets((r[0][0], r[1][0]))
        copies_of = offsets((r[0][1], r[1][1]))
        both = offsets(r)
        moved = set(offsets(a))
        image = {}
        for place, offset in enumerate(both):
            image.setdefault(copies_of[place // len(first)], set()).add(offset)
        whole = [image[c] for c in image]
        return offsets(a) == first and sum(map(len, whole)) == len(set().union(*whole)) and \
            all(len(x) == len(moved) for x in whole)
    check("logical_product", counts, logical_product, disjoint, a, b)


def main(cases):
    counts = {}
    for layout in small_layouts((1, 2, 3, 4), range(7)):
        laws_of_one(layout, counts)
        linear_is_natural(layout)
        if has_xor(modes(layout)):
            is_first_swizzle(layout, counts)
    print("all layouts of up to two small modes:", counts)
    r = random.Random(1)
    for kind in ("signed", "xor", "mixed"):
        counts = {}
        for _ in range(cases):
            layout = random_layout(r, kind)
            laws_of_one(layout, counts)
            linear_is_natural(layout)
        print(kind, counts)
    counts = {}
    for k in range(cases):
        is_first_swizzle(r.choice([lambda: random_layout(r, "xor", 3), lambda: swizzled_layout(r, k % 2)])(), counts)
    print("swizzles", counts)
    for left, right in all_of(("natural", "signed", "xor", "mixed"), repeat=2):
        counts = {}
        for _ in range(cases):
            laws_of_two(random_layout(r, left), random_layout(r, right, 2), counts)
        print(left, "and", right, counts)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
