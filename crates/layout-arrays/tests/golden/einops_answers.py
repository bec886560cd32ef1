"""What einops answers on random patterns, a line each, for the test `einops`: half of them made to be right, half of
them changed in some characters.

    python3 einops_answers.py 1000000 7 > lines     COUNT and SEED
    EINOPS=lines cargo test --release -p layout-arrays --test einops

Lines: operation; pattern; name=extent,..; shape; `refused`, or the result's shape and its elements, where the array's
elements are 0, 1, 2, ... Of results above 64 elements, a checksum stands for them.
"""

import random
import sys
import warnings

import einops
import numpy

warnings.simplefilter("ignore")
count, seed = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
NAMES = ["a", "b", "c", "h", "w", "p1", "h_2", "längs", "batch"]


def write(groups):
    return " ".join(group[0] if bare else "(" + " ".join(group) + ")" for group, bare in groups)


def group_up(axes):
    groups = []
    while axes:
        width = rng.choice([1, 1, 1, 2, 2, 3])
        part, axes = axes[:width], axes[width:]
        groups.append((part, len(part) == 1 and rng.random() < 0.9))
        if rng.random() < 0.1:
            groups.append((["1"], True) if rng.random() < 0.5 else ([], False))
    return groups


def right_pattern():
    operation = rng.choice(["rearrange", "rearrange", "repeat", "sum", "max"])
    names = rng.sample(NAMES, rng.randrange(1, 6))
    extent = {name: 0 if rng.random() < 0.02 else rng.choice([1, 2, 2, 3, 4]) for name in names}
    left = group_up(names)
    # Extents of all but one part of each group, mostly.
    given = {}
    for part, _ in left:
        for name in part[: max(len(part) - 1, 0)] if rng.random() < 0.95 else part:
            if name != "1":
                given[name] = extent[name]
    rng.shuffle(names)
    kept = list(names)
    if operation in ("sum", "max"):
        kept = [name for name in names if rng.random() < 0.6]
        left = [([str(max(extent[n], 1)) if n not in kept and n != "1" and rng.random() < 0.2 else n for n in part], bare) for part, bare in left]
        for part, _ in left:
            for name in list(given):
                if name in names and name not in kept and not any(name in part for part, _ in left):
                    del given[name]
    if operation == "repeat":
        for new in rng.sample(["r", "q"], rng.randrange(3)):
            given[new] = rng.choice([1, 2, 3])
            kept.insert(rng.randrange(len(kept) + 1), new)
        if rng.random() < 0.3:
            kept.insert(rng.randrange(len(kept) + 1), rng.choice(["2", "3"]))
    shape = []
    for part, _ in left:
        n = 1
        for name in part:
            n *= int(name) if name.isdecimal() else extent[name]
        shape.append(n)
    right = group_up(kept)
    left_text, right_text = write(left), write(right)
    if rng.random() < 0.25:
        at = rng.randrange(len(left) + 1)
        left_text = write(left[:at]) + " ... " + write(left[at:])
        shape[at:at] = [rng.choice([1, 2, 3]) for _ in range(rng.randrange(3))]
        if operation not in ("sum", "max") or rng.random() < 0.6:
            at = rng.randrange(len(right) + 1)
            inside = "(" + rng.choice(["...", "... " + "1"]) + ")" if rng.random() < 0.2 else "..."
            right_text = write(right[:at]) + " " + inside + " " + write(right[at:])
    if rng.random() < 0.1 and shape:
        shape[rng.randrange(len(shape))] += 1
    return operation, left_text + " -> " + right_text, given, shape


def changed_pattern():
    operation, pattern, given, shape = right_pattern()
    pieces = ["a", "b", "(", ")", "()", "...", "->", "1", "2", "0", " ", " ", "_", "2d", ".", "-", "c1", ",", "\t"]
    for _ in range(rng.choice([1, 1, 2, 6])):
        at = rng.randrange(len(pattern) + 1)
        pattern = pattern[:at] + rng.choice(pieces + [""] * 9) + pattern[at + rng.choice([0, 1, 1]) :]
    if rng.random() < 0.2:
        given[rng.choice(NAMES + ["_x", "", "2"])] = rng.choice([1, 2])
    if rng.random() < 0.1:
        operation = rng.choice(["rearrange", "repeat", "sum"])
    return operation, pattern, given, shape


def numbers(items):
    return ",".join(map(str, items))


for line in range(count):
    operation, pattern, given, shape = right_pattern() if line % 2 else changed_pattern()
    size = 1
    for n in shape:
        size *= n
    if size > 100_000:
        continue
    x = numpy.arange(size, dtype=numpy.int64).reshape(shape)
    try:
        if operation in ("rearrange", "repeat"):
            y = getattr(einops, operation)(x, pattern, **given)
        else:
            y = einops.reduce(x, pattern, operation, **given)
        if y.size > 100_000:
            continue
        flat = y.reshape(-1).tolist()
        if len(flat) > 64:
            checksum = 0
            for n in flat:
                checksum = (checksum * 31 + n) % (1 << 61)
            flat = ["checksum", checksum]
        answer = numbers(y.shape) + ";" + numbers(flat)
    except Exception:
        answer = "refused"
    print(";".join([operation, pattern, numbers(f"{k}={v}" for k, v in given.items()), numbers(shape), answer]))
