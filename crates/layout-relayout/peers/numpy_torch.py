"""NumPy's `ascontiguousarray` and PyTorch's `contiguous` on one thread, on the lines that the program beside it lists.

    LIST=1 cargo run --release | python numpy_torch.py

GB read and written in a second, the best of all rounds; `ROUNDS=5`. PyTorch where it is installed.
"""

import os
import sys
import time

import numpy

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None

rounds = int(os.environ.get("ROUNDS", 5))
for text in sys.stdin:
    name, shape, permutation = text.rstrip("\n").split("|")
    shape, permutation = ([int(n) for n in numbers.split()] for numbers in (shape, permutation))
    source = numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape)
    permuted = source.transpose(permutation)
    target = numpy.empty(permuted.shape, numpy.float32)
    ways = {"NumPy": lambda: numpy.copyto(target, permuted), "NumPy, allocated": lambda: numpy.ascontiguousarray(permuted)}
    if torch is not None:
        view, out = torch.from_numpy(source).permute(permutation), torch.from_numpy(target)
        ways["PyTorch"] = lambda: out.copy_(view)
        ways["PyTorch, allocated"] = lambda: view.contiguous()
    best = dict.fromkeys(ways, float("inf"))
    repeats = max(1, int(4e6 / (8 * source.size)))
    for _ in range(rounds + 1):
        for way, run in ways.items():
            begin = time.perf_counter()
            for _ in range(repeats):
                run()
            best[way] = min(best[way], (time.perf_counter() - begin) / repeats)
    rates = ", ".join(f"{way} {8 * source.size / seconds / 1e9:.1f}" for way, seconds in best.items())
    print(f"{name:<48} {rates}", flush=True)
