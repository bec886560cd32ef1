"""Writes golden answers of `strides.py` as JSON lines: `python3 golden.py > ../golden/golden-kinds.jsonl`

One case a line, as the other golden files have them: {"op": .., "args": [..], "out": ..}; where there is no exact
answer, "out" is {"undefined": kind}.
"""
import json
import random

from laws import dividing_entry, entries_as_they_are, layouts_of, meaningful, random_entry, random_layout, random_modes, \
    random_tiler, read_from_sums, swizzled_layout
from strides import *

PER_OPERATION = 150
MORE_SWIZZLED = 20
KINDS = ("signed", "xor", "mixed")


def main():
    r = random.Random(22)

    def some(most=4):
        return random_layout(r, r.choice(KINDS), most)

    def any_kind(most=2):
        return random_layout(r, r.choice(KINDS + ("natural",)), most)

    def tile(a):
        """A tile that often divides the layout: steps that are a power of two, or bits in another order."""
        n, s = size(a), 2 ** r.randint(0, 3)
        if r.random() < 0.5:
            return s, 2 ** r.randint(0, 2)
        return r.choice([(s, Xor(3)), ((2, s), (Xor(1), Xor(r.choice([2, 3, 6])))), any_kind(), (n, 1)])

    def filled(a):
        try:
            return gaps(a, True)[1] * r.choice([1, 2, 3, 4])
        except Undefined:
            return cosize(a)

    looked = 0

    def without_a_rule():
        """Layouts whose composition is there and has to be looked for."""
        while True:
            a, b = any_kind(4), any_kind(3)
            try:
                composed_by_rule(a, b)
            except Undefined:
                if looked_for(a, b) is not None:
                    return a, b

    def sharing():
        """A layout with XOR strides, most of which share bits."""
        while True:
            a = random_layout(r, "xor") if r.random() < 0.4 else swizzled_layout(r, r.random() < 0.6)
            if has_xor(modes(a)) and (first_shared(a) or r.random() < 0.1):
                return a

    def modes_and_tiler(entry=random_entry, most=1024):
        """A layout of several modes, of one kind or of several, and a tiler for them with entries of every kind."""
        while True:
            a = random_modes(r, r.choice([("signed",), ("xor",), ("mixed",), ("natural", "signed"),
                                          ("natural", "xor", "mixed")]))
            tiler = random_tiler(r, a, KINDS + ("natural",), entry)
            if product(entries_as_they_are(a, tiler)) <= most:
                return a, tiler

    def of_one_size():
        """Two layouts, most of one size."""
        n, kinds = r.choice([8, 12, 16, 24, 32, 64]), r.choice([("signed",), ("xor", "mixed"), ("xor", "natural")])
        while True:
            pair = [random_layout(r, r.choice(kinds + ("natural",))) for _ in range(2)]
            if all(size(x) == n for x in pair) or size(pair[0]) == n and r.random() < 0.002:
                return pair

    def dividing():
        return modes_and_tiler(r.choice([random_entry, dividing_entry, dividing_entry]))

    def by_rule(operation, of_one_mode, a, tiler):
        """The answer, and none where one has to be looked for, of a mode or of all together."""
        out = operation(a, tiler)
        try:
            rule = mode_by_mode(lambda mode, entry: of_one_mode(mode, entry, composed_by_rule), a, tiler)
        except Undefined:
            return None
        return out if of_one_kind(rule) == out else None

    def of_one(mode, entry, compose):
        return compose(mode, entry)

    def formed(form, operation, of_one_mode, a, tiler):
        out = by_rule(operation, of_one_mode, a, tiler)
        return out and form(out, tiler)

    def modes_without_a_rule():
        """Modes of which one is looked for at least, or all together."""
        while r.random() < 0.5:
            a, tiler = modes_and_tiler()
            try:
                if compose_by_mode(a, tiler) != of_one_kind(mode_by_mode(composed_by_rule, a, tiler)):
                    return a, tiler
            except Undefined:
                pass
        while True:
            pairs = [without_a_rule() for _ in range(2)]
            if r.random() < 0.3:
                pairs[r.randint(0, 1)] = any_kind(), None
            if meaningful(a := of_one_kind(together([a for a, _ in pairs]))) and product(size(b) for _, b in pairs if b) <= 1024:
                return a, Tiler(*[b for _, b in pairs])

    operations = {
        "cosize": lambda: ((a := some(),), lambda: cosize(a)),
        "base": lambda: ((a := some(),), lambda: base(a)),
        "index": lambda: ((a := some(), i := r.randrange(size(a))), lambda: index(a, i)),
        "coalesce": lambda: ((a := some(),), lambda: coalesce(a)),
        "coalesce_z": lambda: ((a := some(),), lambda: coalesce_z(a)),
        "filter": lambda: ((a := some(),), lambda: filter_modes(a)),
        "compose": lambda: ((a := any_kind(4), b := r.choice([any_kind(3), tile(a)])), lambda: composed_by_rule(a, b)),
        "complement": lambda: ((a := some(), n := filled(a)), lambda: complement(a, n)),
        "complement_ceil": lambda: ((a := some(), n := r.randint(1, 3 * cosize(a))), lambda: complement_ceil(a, n)),
        "right_inverse": lambda: ((a := some(),), lambda: right_inverse(a)),
        "left_inverse": lambda: ((a := some(),), lambda: left_inverse(a)),
        "nullspace": lambda: ((a := some(),), lambda: nullspace(a)),
        "max_common_layout": lambda: ((a := some(), b := a if r.random() < 0.3 else any_kind(3)),
                                      lambda: max_common_layout(a, b)),
        "logical_divide": lambda: ((a := some(), t := tile(a)), lambda: logical_divide(a, t)),
        "logical_product": lambda: ((a := some(3), t := tile(a)), lambda: logical_product(a, t)),
        "blocked_product": lambda: ((a := some(3), t := tile(a)), lambda: blocked_product(a, t)),
        "upcast": lambda: ((a := some(), n := r.choice([2, 3, 4, 8])), lambda: upcast(a, n)),
        "downcast": lambda: ((a := some(), n := r.choice([2, 3, 4, 8])), lambda: downcast(a, n)),
        "linear": lambda: ((a := random_layout(r, r.choice(["natural", "mixed", "signed"])),), lambda: linear(a)),
        "natural": lambda: ((a := random_layout(r, r.choice(["xor", "mixed"])),), lambda: natural(a)),
        "looked_for": lambda: (pair := without_a_rule(), lambda: compose(*pair)),
        "swizzled": lambda: ((a := sharing(),), lambda: swizzled(a)),
        "compose_by_mode": lambda: (pair := modes_and_tiler(), lambda: by_rule(compose_by_mode, of_one, *pair)),
        "looked_for_by_mode": lambda: (pair := modes_without_a_rule(), lambda: compose_by_mode(*pair)),
        "logical_divide_by_mode": lambda: (
            pair := dividing(), lambda: by_rule(logical_divide_by_mode, logical_divide, *pair)),
        "logical_product_by_mode": lambda: (
            pair := modes_and_tiler(), lambda: by_rule(logical_product_by_mode, block_and_copies, *pair)),
    }
    sums = {"layout_add": lambda: (pair := of_one_size(), lambda: layout_add(*pair))}
    for form in zipped_form, tiled_form, flat_form:
        name = form.__name__.removesuffix("_form")
        operations[name + "_divide"] = lambda form=form: (
            pair := dividing(), lambda: formed(form, logical_divide_by_mode, logical_divide, *pair))
        operations[name + "_product"] = lambda form=form: (
            pair := modes_and_tiler(), lambda: formed(form, logical_product_by_mode, block_and_copies, *pair))
    for name, make in (operations | sums).items():
        seen, undefined = set(), 0
        # Less those of "compose" that stand there already.
        while len(seen) < PER_OPERATION - (looked if name == "looked_for" else 0):
            operands, answer = make()
            flat = [modes(x) for x in operands if is_tuple(x)]
            flat += [modes(x) for tiler in operands if isinstance(tiler, Tiler) for x in layouts_of(tiler)]
            if name != "linear" and not any(has_xor(x) or has_negative(x) for x in flat):
                continue
            try:
                out = answer()
                if out is None:
                    continue
                if name == "swizzled":
                    (b, m, s), plain = out
                    out = f"Sw<{b},{m},{s}> o 0 o {show(plain)}"
                out = out if isinstance(out, int) else show(out) if is_tuple(out) else out
            except Undefined as reason:
                if 4 * undefined > PER_OPERATION:
                    continue
                undefined += 1
                out = {"undefined": reason.kind}
                if isinstance(reason, SharedBit):
                    out |= {"strides": [reason.first, reason.second], "bit": reason.bit}
            arguments = [show(x) if is_tuple(x) else str(x) if isinstance(x, Tiler) else x for x in operands]
            under = name
            if name == "compose" and isinstance(out, dict) and (found := looked_for(*operands)) is not None:
                under, out, looked = "looked_for", show(found), looked + 1
            line = json.dumps({"op": under, "args": arguments, "out": out})
            if line not in seen:
                seen.add(line)
                print(line)
    # Swizzles that read bits of sums which carry; there are few.
    r, seen = random.Random(22), set()
    while len(seen) < MORE_SWIZZLED:
        a = read_from_sums(r)
        try:
            (b, m, s), plain = swizzled(a)
        except SharedBit:
            continue
        kept = [(d, e) for (_, d), (_, e) in zip(modes(a), modes(plain)) if not isinstance(d, Xor)]
        if any(d != e for d, e in kept) and a not in seen:
            seen.add(a)
            print(json.dumps({"op": "swizzled", "args": [show(a)], "out": f"Sw<{b},{m},{s}> o 0 o {show(plain)}"}))


if __name__ == "__main__":
    main()
