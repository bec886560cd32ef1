"""Compares `DynLayout` with islpy, which computes with integer relations and shares nothing with us:

    cargo build --release -p layout-algebra-tests --features oracle --example answers
    python3 oracle.py ../../target/release/examples/answers [CASES [SEED]]       (pip install islpy)

A layout is the relation { [i] -> [o] } of numbers of coordinates and offsets. An XOR stride is one too: bit k of the
offset is the parity of those bits of the coordinate whose strides have it. Compositions are composed as relations,
inverses are asked whether composed with the layout they are the identity, coalesced layouts whether they are the same
relation.

An answer about which islpy would think for minutes is compared number by number, and counted.

Wrong answers end the program with status 1. Refusals are counted, and those of compositions which are a layout after
all: that is searched for by trying all factors of the right layout's extents and all kinds of strides. The last mode of
the left layout has no end there.
"""
import random
import subprocess
import sys
from itertools import product as all_of

import islpy as isl

from laws import random_question
from strides import Undefined, Xor, checked, from_modes, index, leaves, modes, show, size


# What islpy does for one answer at most.
OPERATIONS = 2_000_000


def parse_tree(text, at):
    if text[at] != "(":
        end = at
        while end < len(text) and text[end] not in ",):":
            end += 1
        word = text[at:end]
        return (Xor(int(word[1:])) if word[0] == "^" else int(word)), end
    items, at = [], at + 1
    while True:
        item, at = parse_tree(text, at)
        items.append(item)
        if text[at] == ")":
            return tuple(items), at + 1
        at += 1


def parse(text):
    shape, at = parse_tree(text, 0)
    return shape, parse_tree(text, at + 1)[0]


def relation(layout, beyond=None):
    """{ [i] -> [o] : o = L(i) } for i below the size, or below `beyond`, where the last mode goes on."""
    flat, step, terms, parity = modes(layout), 1, [], {}
    domain = size(layout) if beyond is None else beyond
    for place, (s, d) in enumerate(flat):
        last = place + 1 == len(flat)
        digit = f"(floor(i/{step}))" if last else f"((floor(i/{step})) mod {s})"
        if isinstance(d, Xor):
            reach = (domain - 1) // step + 1 if last else s
            for bit in range(max(reach - 1, 0).bit_length()):
                value = d.number << bit
                one = f"((floor({digit}/{2 ** bit})) mod 2)"
                for k in range(value.bit_length()):
                    if value >> k & 1:
                        parity.setdefault(k, []).append(one)
        elif d:
            terms.append(f"{d}*{digit}")
        step *= s
    terms += [f"{2 ** k}*(({' + '.join(ones)}) mod 2)" for k, ones in parity.items()]
    return isl.Map(f"{{ [i] -> [{' + '.join(terms) or 0}] : 0 <= i < {domain} }}")


def chains(values):
    """All lists of modes, of any kinds of stride, that are this function of one coordinate."""
    n = len(values)
    if n == 1:
        return [[]]
    lists, d = [], values[1]
    for t in [t for t in range(2, n + 1) if n % t == 0]:
        for stride in ([d, Xor(d)] if d > 0 else [d]):
            if [index((t, stride), i) for i in range(t)] == values[:t]:
                lists += [chain for rest in chains(values[::t]) if is_layout(chain := [(t, stride)] + rest, values)]
    return lists


def is_layout(flat, values):
    try:
        layout = checked(from_modes(flat))
    except Undefined:
        return False
    return [index(layout, i) for i in range(len(values))] == values


def exists(values, extents):
    """Is there a layout whose shape refines these extents? All factors of the extents and all kinds are tried."""
    parts, step = [], 1
    for n in extents:
        parts.append(chains([values[step * c] for c in range(n)]))
        step *= n
    return any(is_layout([mode for part in every for mode in part], values) for every in all_of(*parts))


def by_relations(op, a, b, result):
    """Is the answer right, as relations?"""
    if op == "coalesce":
        return relation(a).is_equal(relation(result))
    if op == "right_inverse":
        back = relation(result)
        return back.apply_range(relation(a)).is_equal(back.domain().identity())
    inner = b if op == "compose" else a
    reach = max(index(inner, i) for i in range(size(inner))) + 1
    there = relation(inner)
    if op == "compose":
        return there.apply_range(relation(a, max(reach, 1))).is_equal(relation(result))
    back = relation(result, max(reach, 1))
    return there.apply_range(back).apply_range(there).is_equal(there)


def by_numbers(op, a, b, result):
    """The same, number by number: where relations of XOR strides take too long."""
    each = range(size(result) if op in ("compose", "right_inverse") else size(a))
    if op == "compose":
        return size(result) == size(b) and all(index(result, i) == index(a, index(b, i)) for i in each)
    if op == "coalesce":
        return size(result) == size(a) and all(index(result, i) == index(a, i) for i in each)
    if op == "right_inverse":
        return all(index(a, index(result, i)) == i for i in each)
    return all(index(a, index(result, index(a, i))) == index(a, i) for i in each)


def main(program, cases, seed):
    r = random.Random(seed)
    questions = [random_question(r) for _ in range(cases)]
    text = "".join(f"{op}\t{show(a)}\t{show(b)}\n" for op, a, b in questions)
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == len(questions)
    answered, refused, too_long, missed, wrong = 0, 0, 0, [], []
    isl.DEFAULT_CONTEXT.set_max_operations(OPERATIONS)
    for (op, a, b), answer in zip(questions, said):
        if answer.startswith("refused"):
            refused += 1
            offsets = [index(b, i) for i in range(size(b))]
            if op == "compose" and min(offsets) >= 0:
                values = [index(a, x) for x in offsets]
                if exists(values, leaves(b[0])):
                    missed.append((op, show(a), show(b)))
            continue
        answered += 1
        isl.DEFAULT_CONTEXT.reset_operations()
        try:
            right = by_relations(op, a, b, parse(answer))
        except isl.Error:
            too_long += 1
            right = by_numbers(op, a, b, parse(answer))
        if not right:
            wrong.append((op, show(a), show(b), answer))
    print(f"{cases} cases: {answered} answered, {len(wrong)} of them wrong; {refused} refused, "
          f"{len(missed)} of them compositions that are a layout; {too_long} compared number by number")
    for line in (wrong + missed)[:20]:
        print(*line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, (sys.argv[2:] + ["100000", "5"][len(sys.argv) - 2:])))
