"""NumPy's `sum(axis=..)` on the lines that the program beside it lists.

    LIST=1 cargo run --release --bin sums | python numpy_sums.py

GB read in a second, the best of all rounds; `ROUNDS=7`.
"""

import json
import os
import sys
import time

import numpy

rounds = int(os.environ.get("ROUNDS", 7))
for number, text in enumerate(sys.stdin):
    size, extents, order, summed = (json.loads(part) for part in text.split("|"))
    kind = numpy.float32 if size == 4 else numpy.float64
    # `order` has the fastest mode first, NumPy's shape the slowest.
    slowest = order[::-1]
    memory = numpy.ones([extents[k] for k in slowest], kind)
    source = memory.transpose([slowest.index(k) for k in range(len(extents))])
    kept = [extents[k] for k in range(len(extents)) if k not in summed]
    target = numpy.empty(kept, kind, order="F")
    repeats = max(1, int(1e6 / source.size))
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(repeats):
            numpy.add.reduce(source, axis=tuple(summed), out=target)
        best = min(best, (time.perf_counter() - begin) / repeats)
    print(f"{number:>2}: {source.nbytes / best / 1e9:.1f}", flush=True)
