"""Writes golden answers of `strides.py` as JSON lines: `python3 golden.py > ../golden/golden-kinds.jsonl`

One case a line, as the other golden files have them: {"op": .., "args": [..], "out": ..}; where there is no exact
answer, "out" is {"undefined": kind}.
"""
import json
import random

from laws import random_layout, swizzled_layout
from strides import *

PER_OPERATION = 150
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
    }
    for name, make in operations.items():
        seen, undefined = set(), 0
        # Less those of "compose" that stand there already.
        while len(seen) < PER_OPERATION - (looked if name == "looked_for" else 0):
            operands, answer = make()
            flat = [modes(x) for x in operands if is_tuple(x)]
            if name != "linear" and not any(has_xor(x) or has_negative(x) for x in flat):
                continue
            try:
                out = answer()
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
            arguments = [show(x) if is_tuple(x) else x for x in operands]
            under = name
            if name == "compose" and isinstance(out, dict) and (found := looked_for(*operands)) is not None:
                under, out, looked = "looked_for", show(found), looked + 1
            line = json.dumps({"op": under, "args": arguments, "out": out})
            if line not in seen:
                seen.add(line)
                print(line)


if __name__ == "__main__":
    main()
