"""NumPy's side of the bench: reads `instance repetitions` lines, answers the seconds of one call.

Each instance has what NumPy does best: einsum, with a path or without, or matmul and multiply on views, all into given
memory. One thread.
"""

import os
import sys
import time

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np


def matmul_batch_last(a, b, c):
    np.matmul(a.reshape(16, 16, 16).transpose(2, 0, 1), b.reshape(16, 16, 16).transpose(2, 0, 1), out=c.reshape(16, 16, 16).transpose(2, 0, 1))


def permuted(a, b, c):
    left = a.transpose(0, 2, 3, 1).reshape(1024, 1024)
    np.matmul(left, b.reshape(1024, 1024), out=c.reshape(1024, 1024))


OWN = {
    "batched products": lambda a, b, c: np.matmul(a, b, out=c),
    "outer, compact": lambda a, b, c: np.multiply(a.reshape(64, 1, 256), b[:, :, None], out=c.reshape(64, 64, 256)),
    "outer, not compact": lambda a, b, c: np.multiply(a.transpose(0, 2, 1)[:, None], b[:, :, None, None], out=c),
    "permuted": permuted,
    "high rank": matmul_batch_last,
    "element-wise": lambda a, b, c: np.multiply(a, b, out=c),
    "product of 256": lambda a, b, c: np.matmul(a, b, out=c),
    "rank 10": lambda a, b, c: np.matmul(a.reshape(32, 32), b.reshape(32, 32), out=c.reshape(32, 32)),
}

name, pattern, calls = None, None, []
for line in sys.stdin:
    words = line.rstrip("\n").split(";")
    if words[0] == "instance":
        name, pattern = words[1], words[2]
        shapes = [tuple(map(int, filter(None, shape.split(",")))) for shape in words[3:6]]
        rng = np.random.default_rng(1)
        a, b, c = rng.random(shapes[0]), rng.random(shapes[1]), np.zeros(shapes[2])
        calls = [
            lambda: OWN[name](a, b, c),
            lambda: np.einsum(pattern, a, b, out=c),
            lambda: np.einsum(pattern, a, b, out=c, optimize=True),
        ]
        OWN[name](a, b, c)
        assert np.allclose(c, np.einsum(pattern, a, b, optimize=True)), name
        seconds = []
        for call in calls:
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
        # A way that takes ten times as long is no candidate.
        calls = [call for call, took in zip(calls, seconds) if took < 10 * min(seconds)]
        print("ready", flush=True)
    else:
        repetitions, best = int(words[0]), float("inf")
        for call in calls:
            call()
            begin = time.perf_counter()
            for _ in range(repetitions):
                call()
            best = min(best, (time.perf_counter() - begin) / repetitions)
        print(best, flush=True)
