"""What Triton says of linear layouts, as golden answers: `python triton_linear.py > ../golden/triton-linear.jsonl`.

Needs Triton (`pip install triton`, 3.9.0 wrote the file), and no GPU. Random bases, written as layouts whose modes are of
two: how Triton prints them, and what it makes of two of them composed, and of one inverted.
"""

import json
import random

from triton._C.libtriton import linear_layout

Linear = linear_layout.LinearLayout


def layout(offsets):
    """The layout whose bits lead to these offsets, a mode each, as one mode."""
    if not offsets:
        return "1", "0"
    if len(offsets) == 1:
        return "2", f"^{offsets[0]}"
    return f"({','.join('2' for _ in offsets)})", f"({','.join(f'^{offset}' for offset in offsets)})"


def split(offset, sizes):
    digits = []
    for size in sizes:
        digits.append(offset % size)
        offset //= size
    return digits


def printed():
    outs = [(f"dim{i}", 1 << random.randrange(5)) for i in range(random.randrange(1, 4))]
    sizes = [size for _, size in outs]
    total = 1
    for size in sizes:
        total *= size
    names = ["register", "lane", "warp", "block"][: random.randrange(1, 5)]
    offsets = [[random.randrange(total) for _ in range(random.randrange(5))] for _ in names]
    bases = [(name, [split(offset, sizes) for offset in of_name]) for name, of_name in zip(names, offsets)]
    linear = Linear.from_bases(bases, [name for name, _ in outs], sizes, False)
    modes = [layout(of_name) for of_name in offsets]
    text = f"({','.join(shape for shape, _ in modes)}):({','.join(stride for _, stride in modes)})"
    # The first character ends the line before.
    return {"layout": text, "from": names, "to": outs, "prints": str(linear)[1:]}


def independent(bits):
    """So many offsets of so many bits, none of which is the XOR of others."""
    while True:
        offsets, rows = [random.randrange(1 << bits) for _ in range(bits)], []
        for offset in offsets:
            for row in rows:
                offset = min(offset, offset ^ row)
            rows = sorted([*rows, offset], reverse=True)
        if 0 not in rows:
            return offsets


def composed():
    bits = random.randrange(1, 9)
    a, b = independent(bits), [random.randrange(1 << bits) for _ in range(random.randrange(1, 7))]
    of_a = Linear.from_bases([("a", [[offset] for offset in a])], ["offset"], [1 << bits], True)
    of_b = Linear.from_bases([("b", [[offset] for offset in b])], ["a"], [1 << bits], False)
    images = lambda linear, name: [image[0] for image in dict(linear.bases)[name]]
    both, inverse = images(of_b.compose(of_a), "b"), images(of_a.invert(), "offset")
    return {"a": ":".join(layout(a)), "b": ":".join(layout(b)), "compose": both, "invert": inverse}


random.seed(5)
for case in [printed() for _ in range(60)] + [composed() for _ in range(60)]:
    print(json.dumps(case, separators=(",", ":")))
