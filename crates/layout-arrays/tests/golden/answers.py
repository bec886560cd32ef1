"""What NumPy and PyTorch answer on random layouts, a line each, for the test `golden`.

    python3 answers.py numpy 1000000 7 > lines     COUNT and SEED
    GOLDEN=lines cargo test --release -p layout-arrays --test golden

Lines: operation; shape; strides; offset; arguments; the view's shape; its strides; its offset, or `copy`.
"""

import random
import sys

who, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rng = random.Random(seed)


def draw_shape(most=5):
    return [rng.choice([1, 1, 2, 2, 3, 4, 6, 5, 0 if rng.random() < 0.2 else 2]) for _ in range(rng.randrange(most + 1))]


def draw_shape_of(size):
    shape = [1] * (1 + rng.randrange(5))
    if size == 1 and rng.random() < 0.25:
        return []
    if size == 0:
        shape = [rng.randrange(4) for _ in shape]
        shape[rng.randrange(len(shape))] = 0
        return shape
    at, factor = len(shape) - 1, 2
    while size > 1:
        if size % factor:
            factor += 1
            continue
        size //= factor
        if rng.random() < 0.33:
            at = rng.randrange(len(shape))
        shape[at] *= factor
    return shape


def draw_layout(shape, signs):
    order = list(range(len(shape)))
    if rng.random() < 0.5:
        rng.shuffle(order)
    kind, strides, step, offset = rng.randrange(4), [0] * len(shape), 1, 0
    for axis in reversed(order):
        n = max(shape[axis], 1)
        strides[axis] = step
        if kind == 3:
            strides[axis] = rng.randrange(9) - 4
        elif kind == 2 and rng.random() < 0.3:
            strides[axis] = 0
        step *= n
        if kind and rng.random() < 0.33:
            step += rng.randrange(4) * min(step, 7)
        if n == 1 and rng.random() < 0.5:
            strides[axis] = rng.randrange(30) - 7
        if kind and rng.random() < 0.25:
            strides[axis] = -strides[axis]
        if not signs:
            strides[axis] = abs(strides[axis])
        if strides[axis] < 0:
            offset -= (n - 1) * strides[axis]
    return strides, offset + rng.randrange(3)


def numbers(items):
    return ",".join(map(str, items))


def numpy_view(operation, shape, strides, offset, arguments):
    import numpy

    buffer = numpy_view.buffer
    a = numpy.lib.stride_tricks.as_strided(buffer[offset:], shape, strides)
    if operation == "reshape":
        try:
            b = a.reshape(arguments, copy=False)
        except ValueError:
            return None
    elif operation == "broadcast":
        b = numpy.broadcast_to(a, arguments)
    elif operation == "permute":
        b = a.transpose(arguments)
    else:
        axis, start, end, step = arguments
        # Backwards: from the last element of the range on.
        at = slice(start, end, step) if step > 0 else slice(end - 1, start - 1 if start else None, step)
        at = slice(0, 0) if start == end else at
        b = a[(slice(None),) * axis + (at,)]
    return b.shape, b.strides, b.ctypes.data - buffer.ctypes.data


def torch_view(operation, shape, strides, offset, arguments):
    import torch

    a = torch_view.buffer.as_strided(shape, strides, offset)
    if operation == "reshape":
        try:
            b = a.view(arguments)
        except RuntimeError:
            return None
    elif operation == "broadcast":
        b = a.expand(arguments)
    elif operation == "permute":
        b = a.permute(arguments)
    else:
        axis, start, end, step = arguments
        b = a[(slice(None),) * axis + (slice(start, end, step),)]
    return tuple(b.shape), b.stride(), b.storage_offset()


if who == "numpy":
    import numpy

    view, numpy_view.buffer = numpy_view, numpy.zeros(1 << 20, dtype=numpy.int8)
else:
    import torch

    view, torch_view.buffer = torch_view, torch.zeros(1 << 20, dtype=torch.int8)

for _ in range(count):
    shape = draw_shape()
    strides, offset = draw_layout(shape, who == "numpy")
    operation = rng.choice(["reshape"] * 4 + ["broadcast", "permute", "slice", "slice"])
    if operation == "reshape":
        size = 1
        for n in shape:
            size *= n
        arguments = draw_shape_of(size)
    elif operation == "broadcast":
        arguments = draw_shape(2) + [rng.randrange(4) if n == 1 else n for n in shape]
    elif operation == "permute":
        arguments = rng.sample(range(len(shape)), len(shape))
    elif not shape:
        continue
    else:
        axis = rng.randrange(len(shape))
        start, end = sorted([rng.randrange(shape[axis] + 1), rng.randrange(shape[axis] + 1)])
        arguments = [axis, start, end, rng.choice([1, 2, 3] + [-1, -2] * (who == "numpy"))]
    found = view(operation, shape, strides, offset, arguments)
    answer = "copy" if found is None else ";".join([numbers(found[0]), numbers(found[1]), str(found[2])])
    print(";".join([operation, numbers(shape), numbers(strides), str(offset), numbers(arguments), answer]))
