"""Compares `DynLayout` with the specification on random layouts of every kind, alone and in pairs:

    cargo build --release -p layout-algebra-tests --features oracle --example answers
    python3 operands.py ../../target/release/examples/answers [CASES [SEED [OPERATION]]]

Answers are compared to the letter, refusals by their kind. One that differs ends the program with status 1, but for
what the specification searches where no rule has an answer: `DynLayout` does not, and refuses it or has less in common.
"""
import random
import subprocess
import sys
from collections import Counter

from laws import meaningful, random_layout, read_from_sums, swizzled_layout
from strides import *

KINDS = ("natural", "signed", "xor", "mixed")
OF_ONE = {"coalesce": coalesce, "filter": filter_modes, "right_inverse": right_inverse, "left_inverse": left_inverse,
          "nullspace": nullspace, "linear": linear, "natural": natural, "swizzled": swizzled}
OF_TWO = {"layout_add": layout_add, "max_common_layout": max_common_layout, "compose": compose}


def with_other_strides(r, layout):
    """The layout with some modes exchanged, and some strides of another kind or of another number."""
    flat = modes(layout)
    if r.random() < 0.3:
        r.shuffle(flat)
    others = []
    for s, d in flat:
        number = r.choice([abs(number_of(d))] * 3 + [1, 2, 4, 16, 64])
        others.append((s, r.choice([d, d, number, xor(number), xor(number << 6), -number])))
    return from_modes(others)


def random_case(r, operation):
    while True:
        a = random_layout(r, r.choice(KINDS))
        if operation == "swizzled":
            a = r.choice([lambda: a, lambda: swizzled_layout(r, True), lambda: read_from_sums(r)])()
        operands = [a]
        if operation in OF_TWO:
            operands.append(random_layout(r, r.choice(KINDS)) if r.random() < 0.3 else with_other_strides(r, a))
            if operation == "layout_add" and r.random() < 0.9 and size(operands[1]) != size(a):
                continue
        # What is swizzled has no negative offsets.
        if operation == "swizzled" and has_negative(modes(a)):
            continue
        # Natural layouts alone have a specification of their own.
        of_kinds = any(has_xor(modes(each)) or has_negative(modes(each)) for each in operands)
        if of_kinds and all(size(each) <= 256 and meaningful(each) for each in operands):
            return operation, operands


def specified(operation, operands):
    try:
        result = (OF_ONE | OF_TWO)[operation](*operands)
    except Undefined as reason:
        return f"refused {reason.kind}"
    if operation != "swizzled":
        return show(result)
    (b, m, s), plain = result
    return f"Sw<{b},{m},{s}> o 0 o {show(plain)}"


def without_a_search(operation, operands, found):
    """Is this what the rules have, where the specification has more?"""
    if operation == "max_common_layout":
        return ":" in found and "(" not in found
    if operation != "compose" or not found.startswith("refused"):
        return False
    try:
        composed_by_rule(*operands)
        return False
    except Undefined as reason:
        return found == f"refused {reason.kind}"


def main(program, cases=10_000, seed=1, *operations):
    r = random.Random(int(seed))
    every = [random_case(r, r.choice(operations or list(OF_ONE | OF_TWO))) for _ in range(int(cases))]
    text = "".join("\t".join([operation, *map(show, operands)]) + "\n" for operation, operands in every)
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    counts = Counter()
    for (operation, operands), found in zip(every, said, strict=True):
        wanted = specified(operation, operands)
        same = "refused" if wanted.startswith("refused") else "answered"
        if found != wanted and without_a_search(operation, operands, found):
            counts[operation, "answered by a search alone"] += 1
            continue
        counts[operation, same if found == wanted else "different"] += 1
        if found != wanted:
            print(f"{operation} {' and '.join(map(show, operands))}: {wanted} is specified, and {found} is the answer")
    for (operation, what), count in sorted(counts.items()):
        print(operation, what, count)
    sys.exit(1 if any(what == "different" for _, what in counts) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
