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


def random_question(r):
    """What the oracle is asked: an operation and two layouts, of which most operations take the first one alone."""
    kinds = ("natural", "signed", "xor", "mixed")
    while True:
        a, b = random_layout(r, r.choice(kinds), 3), random_layout(r, r.choice(kinds), 3)
        if size(a) <= 128 and size(b) <= 64:
            return r.choice(("compose", "compose", "compose", "left_inverse", "right_inverse", "coalesce")), a, b


def nested(r, extents, strides):
    if len(extents) > 2 and r.random() < 0.4:
        return (extents[0], tuple(extents[1:])), (strides[0], tuple(strides[1:]))
    return tuple(extents), tuple(strides)


def random_modes(r, kinds):
    """A layout of two or three modes, of a kind each, whose natural strides often share bits."""
    while True:
        modes_of_it = []
        for kind in r.choices(kinds, k=r.randint(2, 3)):
            if kind == "mixed" and r.random() < 0.4:
                # A natural and an XOR mode, over both of which a step of 5 goes: XOR strides tell what is natural.
                pair = [r.choice([1, 1, 2, 3, 4]), Xor(r.choice([16, 32, 64, 128, 48]))]
                extents = [r.choice([2, 4, 4, 8]), r.choice([2, 3, 4])]
                r.shuffle(pair)
                modes_of_it.append((tuple(extents), tuple(pair)))
            else:
                modes_of_it.append(random_layout(r, kind, 2))
        layout = of_one_kind(together(modes_of_it))
        if size(layout) <= 512 and meaningful(layout):
            return layout


def random_entry(r, mode, kinds):
    """An entry of a tiler for the mode: often one that divides it, or that goes beyond it."""
    n, s = size(mode), r.choice([1, 2, 2, 4, 4, 8, 3, 5, 6])
    if is_tuple(mode[0]) and len(mode[0]) > 1 and r.random() < 0.12:
        return random_tiler(r, mode, kinds)
    return r.choice([
        lambda: None,
        lambda: r.choice([n, s]),
        lambda: (s, r.choice([1, 2, 3, 5, 5, 9, -1])),
        lambda: (r.choice([2, 4]), leaves(mode[0])[0] + 1),
        lambda: (s, xor(r.choice([1, 2, 3, 5]))),
        lambda: ((2, s), (xor(r.choice([1, 1, 2])), xor(r.choice([2, 3, 4, 5, 6])))),
        lambda: ((2, 2), (Xor(n), Xor(n * r.choice([1, 2, 3])))),
        lambda: random_layout(r, r.choice(kinds), 2),
    ])()


def dividing_entry(r, mode, kinds):
    """An entry that often divides the mode."""
    n = size(mode)
    if is_tuple(mode[0]) and len(mode[0]) > 1 and r.random() < 0.12:
        return random_tiler(r, mode, kinds, dividing_entry)
    s = r.choice([d for d in range(1, n + 1) if n % d == 0])
    step = r.choice([d for d in range(1, n // s + 1) if n // s % d == 0])
    half = s // 2 if s % 2 == 0 else s
    return r.choice([
        lambda: s,
        lambda: (s, step),
        lambda: (s, xor(step)),
        lambda: ((2, half), (step, 2 * step)),
        lambda: ((2, half), (xor(step), xor(step * r.choice([2, 3, 6])))),
        lambda: None,
    ])()


def layouts_of(tiler):
    """The layouts among the entries."""
    return [layout for entry in tiler.entries for layout in
            (layouts_of(entry) if isinstance(entry, Tiler) else [entry] if is_tuple(entry) else [])]


def random_tiler(r, layout, kinds, random_entry=random_entry):
    entries = [random_entry(r, mode, kinds) for mode in by_mode(layout)]
    return Tiler(*(entries[:-1] if len(entries) > 1 and r.random() < 0.1 else entries))


def check(name, counts, operation, law, *operands):
    """The law holds wherever there is an answer."""
    try:
        result = operation(*operands)
    except Undefined:
        counts[name] = counts.get(name, (0, 0))[0], counts.get(name, (0, 0))[1] + 1
        return
    counts[name] = counts.get(name, (0, 0))[0] + 1, counts.get(name, (0, 0))[1]
    shown = list(map(show_entry, operands))
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
    check("nullspace", counts, nullspace, lambda r: all(index(layout, x) == 0 for x in offsets(r))
          and len(set(offsets(r))) == size(r) and meaningful(r), layout)
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


def most_in_step(a, inverse):
    """How many of the first coordinates of the inverse lead to 0, 1, 2, .. in A, no more than A has, in whole steps of a
    mode."""
    counted, most, place = 0, 1, 1
    while counted < min(size(inverse), size(a)) and index(a, index(inverse, counted)) == counted:
        counted += 1
    for s, _ in merged(modes(inverse)):
        most = max(most, place * min(s, counted // place))
        if counted // place < s:
            break
        place *= s
    return most


def read_from_sums(r):
    """What a swizzle makes of a layout with a mode of odd multiples that carry, whose bits it reads: the mode stays
    natural, with another stride. The others are bits."""
    while True:
        b, m, n, t = r.randint(4, 6), r.randint(0, 2), r.choice([3, 5, 6]), r.choice([1, 3, 5])
        distance, width = r.randint(b, 7), ((n - 1) * t).bit_length()
        if width > b:
            continue
        low = m + r.randint(0, b - width)
        free = [k for k in range(m + distance + b + 1) if not low <= k < low + width]
        free = [k for k in free if not low <= k - distance < low + width]
        flat = [(2, 1 << k) for k in r.sample(free, min(len(free), 5))] + [(n, t << low | t << low + distance)]
        r.shuffle(flat)
        extents, sw = [s for s, _ in flat], (b, m, distance * r.choice([1, -1]))
        values = [swizzle(*sw, x) for x in offsets(from_modes(flat))]
        places = [product(extents[:k]) for k in range(len(flat))]
        layout = from_modes(kinds_of_steps(values, [(s, values[x], x) for s, x in zip(extents, places)]))
        if meaningful(layout) and has_xor(modes(layout)) and offsets(layout) == values:
            return layout


def laws_of_two(a, b, counts):
    if all(x >= 0 for x in offsets(b)):
        check("compose", counts, compose,
              lambda r: offsets(r) == [index(a, x) for x in offsets(b)] and meaningful(r), a, b)
    # As many coordinates as the other one has, in the order of its modes or not, and its strides.
    extents, strides = leaves(a[0]), leaves(b[1]) * len(leaves(a[0]))
    for other in [b] if size(a) == size(b) else [(extents, strides[:len(extents)]), (extents[::-1], strides[:len(extents)])]:
        other = tuple(map(tuple, other)) if other is not b else b
        if meaningful(other):
            check("layout_add", counts, layout_add,
                  lambda r: offsets(r) == [x + y for x, y in zip(offsets(a), offsets(other))] and meaningful(r), a, other)
    check("max_common_layout", counts, max_common_layout,
          lambda r: all(index(a, x) == index(b, x) == i for i, x in enumerate(offsets(r)))
          and size(r) == most_in_step(a, right_inverse(b)), a, b)
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


def through_modes(a, entry, numbers):
    """A(B0(c0), B1(c1), ..) where the coordinates are `numbers`, one for each leaf of the entries, which are taken from
    there; its natural part and its XOR part. Bit by bit of the numbers, without the specification's own products."""
    if isinstance(entry, Tiler):
        both = [through_modes(mode, each, numbers) for mode, each in zip(by_mode(a), entry.entries)]
        both += [through_modes(mode, None, numbers) for mode in by_mode(a)[len(both):]]
        return sum(x for x, _ in both), without_carries(w for _, w in both)
    tile = a if entry is None else entry if is_tuple(entry) else (entry, 1)
    mine = [next(numbers) for _ in leaves(tile[0])]
    if entry is None:
        digits_of_it = mine
    else:
        place = offset_of(modes(tile), mine)
        digits_of_it = digits(sum(place), left=modes(a))
    return offset_of(modes(a), digits_of_it)


def without_carries(numbers):
    result = 0
    for number in numbers:
        result ^= number
    return result


def offset_of(flat, coordinate):
    natural_part = sum(c * d for c, (_, d) in zip(coordinate, flat) if not isinstance(d, Xor))
    bits_of = [(d.number << k) for c, (_, d) in zip(coordinate, flat) if isinstance(d, Xor)
               for k in range(c.bit_length()) if c >> k & 1]
    return natural_part, without_carries(bits_of)


def coordinates(extents):
    return [c[::-1] for c in all_of(*[range(s) for s in reversed(extents)])]


def entries_as_they_are(a, entry):
    """The leaves of the domain of a composition."""
    if isinstance(entry, Tiler):
        its = list(zip(by_mode(a), entry.entries)) + [(mode, None) for mode in by_mode(a)[len(entry.entries):]]
        return [s for mode, each in its for s in entries_as_they_are(mode, each)]
    return leaves(a[0]) if entry is None else leaves(entry[0]) if is_tuple(entry) else [entry]


def is_composition_by_mode(a, entry):
    every = entries_as_they_are(a, entry)
    return lambda r: offsets(r) == [sum(through_modes(a, entry, iter(c))) for c in coordinates(every)] and meaningful(r)


def tiles_and_rests(result, entry):
    """The sizes of what a divide or a product makes of each mode, in the order of the logical form, and whether it is a
    tile; a mode that an entry leaves alone is one, a mode beyond the entries is none."""
    if isinstance(entry, Tiler):
        its = by_mode(result)
        out = [part for mode, each in zip(its, entry.entries) for part in tiles_and_rests(mode, each)]
        return out + [(size(mode), False) for mode in its[len(entry.entries):]]
    if entry is None:
        return [(size(result), True)]
    tile, rest = by_mode(result)
    return [(size(tile), True), (size(rest), False)]


def number_of_coordinate(coordinate, extents):
    number, place = 0, 1
    for c, s in zip(coordinate, extents):
        number, place = number + c * place, place * s
    return number


def forms_agree(result, entry):
    """At each coordinate the zipped, the tiled and the flat form have the offset of the logical one, all tiles first."""
    parts_of_it = tiles_and_rests(result, entry)
    order = sorted(range(len(parts_of_it)), key=lambda k: not parts_of_it[k][1])
    extents = [s for s, _ in parts_of_it]
    entries, rank = len(entry.entries), len(by_mode(result))
    for form, its_rank in (zipped_form, 2), (tiled_form, 1 + rank), (flat_form, entries + rank):
        formed = form(result, entry)
        assert len(by_mode(formed)) == its_rank and size(formed) == size(result), show(formed)
        for c in coordinates(extents):
            number = number_of_coordinate([c[k] for k in order], [extents[k] for k in order])
            assert index(formed, number) == index(result, number_of_coordinate(c, extents)), show(formed)
    return True


def is_division_by_mode(a, entry):
    def law(r):
        same = is_composition_by_mode(a, tile_and_rest(a, entry))(r) and forms_agree(r, entry)
        return same and set(offsets(r)) == set(offsets(a))
    return law


def copies_are_disjoint(a, r):
    """Mode 0 is A, and mode 1 has copies of it: those of different offsets share none."""
    block, counts = by_mode(r)
    image, both = set(offsets(block)), offsets(r)
    copies_of = {}
    for place, offset in enumerate(both):
        copies_of.setdefault(index(counts, place // size(block)), set()).add(offset)
    return offsets(block) == offsets(a) and all(len(copy) == len(image) for copy in copies_of.values()) and \
        sum(map(len, copies_of.values())) == len(set(both))


def is_product_by_mode(a, entry):
    """Each mode is the product of the mode."""
    def law(r, a=a, entry=entry):
        if entry is None:
            return r == a
        if not isinstance(entry, Tiler):
            return copies_are_disjoint(a, r)
        kept = len(by_mode(a)) - len(entry.entries)
        its = list(zip(by_mode(r), by_mode(a), entry.entries + (None,) * kept))
        return all(law(*each) for each in its)
    return lambda r: law(r) and forms_agree(r, entry) and meaningful(r)


def laws_of_modes(r, kinds, counts):
    a = random_modes(r, kinds)
    tiler = random_tiler(r, a, ("natural", "signed", "xor", "mixed"))
    if product(entries_as_they_are(a, tiler)) <= 1024:
        check("compose by mode", counts, compose_by_mode, is_composition_by_mode(a, tiler), a, tiler)
    by = random_tiler(r, a, kinds, r.choice([random_entry, dividing_entry, dividing_entry]))
    check("logical_divide by mode", counts, logical_divide_by_mode, is_division_by_mode(a, by), a, by)
    if product(entries_as_they_are(a, tiler)) * size(a) <= 4096:
        check("logical_product by mode", counts, logical_product_by_mode, is_product_by_mode(a, tiler), a, tiler)


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
        if k % 20 == 0:
            is_first_swizzle(read_from_sums(r), counts)
    print("swizzles", counts)
    for left, right in all_of(("natural", "signed", "xor", "mixed"), repeat=2):
        counts = {}
        for _ in range(cases):
            laws_of_two(random_layout(r, left), random_layout(r, right, 2), counts)
        print(left, "and", right, counts)
    for kinds in ("natural",), ("signed",), ("xor",), ("mixed",), ("natural", "signed"), ("natural", "xor", "mixed"):
        counts = {}
        for _ in range(cases):
            laws_of_modes(r, kinds, counts)
        print("mode by mode,", " and ".join(kinds), counts)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
