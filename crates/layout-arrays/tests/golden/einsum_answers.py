"""What NumPy's einsum answers on random contractions, a line each, for the test `contraction`.

    python3 einsum_answers.py 240 58 > einsum.txt     COUNT and SEED

Lines: pattern; shape, strides and offset of the left array; of the right one; the result's shape; its elements.
"""

import random
import sys

import numpy as np

count, seed = int(sys.argv[1]), int(sys.argv[2])
rng = random.Random(seed)
NAMES = "ijklmn"


def draw_layout(shape):
    """A permuted, padded and flipped view of a compact array, broadcast at times."""
    order, strides, step, offset = list(range(len(shape))), [0] * len(shape), 1, rng.randrange(3)
    rng.shuffle(order)
    for axis in order:
        strides[axis] = step
        step *= max(shape[axis], 1)
        if rng.random() < 0.2:
            step += rng.randrange(5)
        if rng.random() < 0.1:
            strides[axis] = 0
        if rng.random() < 0.2:
            strides[axis] = -strides[axis]
            offset += max(shape[axis] - 1, 0) * -strides[axis]
    return strides, offset


def array(shape, strides, offset, start):
    """The elements `(i * 7919 + start) % 13 - 6` of memory, under the layout."""
    size = 1 + offset + sum(max(n - 1, 0) * abs(d) for n, d in zip(shape, strides))
    memory = (np.arange(size, dtype=np.int64) * 7919 + start) % 13 - 6
    memory = memory.astype(np.float64)
    return np.lib.stride_tricks.as_strided(memory[offset:], shape, [8 * d for d in strides])


def text(numbers):
    return ",".join(str(int(number)) for number in numbers)


written = 0
while written < count:
    extents = {name: rng.choice([1, 2, 2, 3, 3, 4, 5, 0 if rng.random() < 0.1 else 2]) for name in NAMES}
    operands = ["", "", ""]
    for name in NAMES:
        if rng.random() < 0.25:
            continue
        of = rng.choice([(0,), (1,), (0, 1), (0, 1), (0, 1)])
        for operand in of:
            operands[operand] += name * (2 if rng.random() < 0.07 else 1)
        if rng.random() < 0.5:
            operands[2] += name
    operands = ["".join(rng.sample(names, len(names))) for names in operands]
    shapes = [[extents[name] for name in names] for names in operands]
    if np.prod(shapes[2], dtype=int) > 120:
        continue
    layouts = [draw_layout(shape) for shape in shapes[:2]]
    a, b = (array(shape, *layout, start) for shape, layout, start in zip(shapes, layouts, (1, 5)))
    result = np.einsum("{},{}->{}".format(*operands), a, b)
    left, right, out = (" ".join(names) for names in operands)
    fields = [f"{left}, {right} -> {out}"]
    for shape, (strides, offset) in zip(shapes, layouts):
        fields += [text(shape), text(strides), str(offset)]
    print(";".join(fields + [text(result.shape), text(result.reshape(-1))]))
    written += 1
