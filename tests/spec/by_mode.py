"""Compares `DynLayout` with the specification on random operations mode by mode, with strides of every kind:

    cargo build --release -p layout-algebra-tests --features oracle --example answers
    python3 by_mode.py ../../target/release/examples/answers [CASES [SEED]]

Answers are compared to the letter. One that differs ends the program with status 1. The specification searches where no
rule has an answer and `DynLayout` does not: a refusal of it, or for another reason, is counted by itself.
"""
import random
import subprocess
import sys
from collections import Counter

from laws import dividing_entry, entries_as_they_are, layouts_of, random_entry, random_modes, random_tiler
from strides import *

KINDS = ("natural", "signed", "xor", "mixed")
LEFT = ("natural",), ("signed",), ("xor",), ("mixed",), ("natural", "signed"), ("natural", "xor", "mixed")
FORMS = {"logical": lambda result, _: result, "zipped": zipped_form, "tiled": tiled_form, "flat": flat_form}
LOGICAL = {"divide": logical_divide_by_mode, "product": logical_product_by_mode}


def specified(operation, a, tiler):
    try:
        if operation == "compose":
            return show(compose_by_mode(a, tiler))
        form, of = operation.split("_")
        return show(FORMS[form](LOGICAL[of](a, tiler), tiler))
    except Undefined as reason:
        return f"refused {reason.kind}"


def random_case(r):
    operation = r.choice(["compose"] * 4 + [f"{form}_{of}" for form in FORMS for of in LOGICAL])
    while True:
        a = random_modes(r, r.choice(LEFT))
        entry = dividing_entry if operation.endswith("divide") and r.random() < 0.7 else random_entry
        tiler = random_tiler(r, a, KINDS, entry)
        all_layouts = [modes(a)] + [modes(layout) for layout in layouts_of(tiler)]
        few = operation.endswith("product") or product(entries_as_they_are(a, tiler)) <= 2048
        if few and any(has_xor(flat) or has_negative(flat) for flat in all_layouts):
            return operation, a, tiler


def main(program, cases=10_000, seed=1):
    r = random.Random(int(seed))
    every = [random_case(r) for _ in range(int(cases))]
    text = "".join(f"{operation}\t{show(a)}\t{tiler}\n" for operation, a, tiler in every)
    said = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    counts = Counter()
    for (operation, a, tiler), found in zip(every, said, strict=True):
        wanted = specified(operation, a, tiler)
        same = "refused" if wanted.startswith("refused") else "answered"
        if found != wanted and found.startswith("refused"):
            counts["answered by a search alone" if same == "answered" else "refused for another reason"] += 1
            continue
        counts[same if found == wanted else "different"] += 1
        if found != wanted:
            print(f"{operation} {show(a)} {tiler}: {wanted} is specified, and {found} is the answer")
    print(dict(counts))
    sys.exit(1 if counts["different"] else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
