#!/usr/bin/env python3
"""Triton's counts of the bank conflicts of 10,000 random linear layouts, for `tests/banks.rs`.

    python3 -m venv v && v/bin/pip install triton==3.9.0
    v/bin/python generate.py sm_90 1 10000 5
    v/bin/python generate.py gfx942 2 10000 6
    v/bin/python generate.py gfx950 3 10000 6      # see below

Triton's Python function has 32 banks for every target of NVIDIA, and stops at an assertion of its own for AMD's
(3.9.0: `inDim not found in layout`). What it calls, `bankConflictsMemDesc`, takes the number of banks as an argument and
the lanes from the layout. So the counts of gfx942 are those of 64 lanes and 32 banks, and those of gfx950 are made with
a copy of libtriton.so in which the one constant before the call, 32, is 64 (`mov $0x20,%ecx`, b9 20 00 00 00).

A digit is the logarithm of one more than the conflicts of an access.
"""

import sys

from triton._filecheck import run_parser
from triton.backends.compiler import GPUTarget
from triton.experimental import gluon
from triton.experimental.gluon.language._core import builtin

MASK = (1 << 64) - 1


class Random:
    """SplitMix64, as in `tests/banks.rs`."""

    def __init__(self, seed):
        self.state = seed

    def below(self, end):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % end

    def shuffle(self, numbers):
        for k in range(len(numbers) - 1, 0, -1):
            j = self.below(k + 1)
            numbers[k], numbers[j] = numbers[j], numbers[k]


def case(random, lanes):
    """The elements of the bits of registers, lanes, warps and offsets; elements, and the bits of one."""
    bits = 8 << random.below(4)
    size = lanes + random.below(7)
    order = list(range(size))
    random.shuffle(order)
    warps = min(2, size - lanes)
    registers = size - lanes - warps
    of = [1 << bit for bit in order]
    # The first registers are the lowest bits of offsets; all others are shuffled, and some added to one another.
    vector = min(registers, random.below(5))
    rest = of[vector:]
    random.shuffle(rest)
    offsets = of[:vector] + rest
    for _ in range(random.below(5)):
        a, b = vector + random.below(len(rest)), vector + random.below(len(rest))
        if a != b:
            offsets[a] ^= offsets[b]
    return of[:registers], of[registers:registers + lanes], of[registers + lanes:], offsets, 1 << size, bits


NAME, SEED, COUNT, LANES = sys.argv[1], *map(int, sys.argv[2:5])


@builtin
def count(_semantic=None):
    builder, random, digits = _semantic.builder, Random(SEED), ""
    for _ in range(COUNT):
        registers, lanes, warps, offsets, size, bits = case(random, LANES)
        of = [[[element] for element in elements] for elements in (registers, lanes, warps, [])]
        layout = builder.get_distributed_linear_layout(*of, [size])
        shared = builder.get_shared_linear_layout([[element] for element in offsets], [], 16)
        conflicts = builder.get_shared_bank_conflicts(layout, shared, [size], bits)
        digits += str((conflicts + 1).bit_length() - 1)
    with open(NAME + ".txt", "w") as file:
        file.writelines(digits[k:k + 100] + "\n" for k in range(0, COUNT, 100))


@gluon.jit
def kernel():
    count()


run_parser(kernel, target=GPUTarget("cuda", 90, 32))
