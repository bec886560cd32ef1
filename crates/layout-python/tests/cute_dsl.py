"""Records CuTe DSL's results for random operands in `cute_dsl.txt`. Needs the package nvidia-cutlass-dsl, but no GPU, for
layouts are computed while a function is traced. If an operation kills the process, a new one continues after it.

    python cute_dsl.py cute_dsl.txt
"""

import random
import subprocess
import sys

TWO = "composition logical_divide zipped_divide tiled_divide flat_divide logical_product zipped_product blocked_product"
TWO = [*TWO.split(), "raked_product"]
ONE = ["coalesce", "right_inverse", "left_inverse", "flatten"]
COUNT = 1500


def layout(rng, rank):
    """A shape and a stride: compact in some order, or any strides."""
    shape, stride = [rng.choice((1, 2, 2, 3, 4, 4, 6, 8)) for _ in range(rank)], [0] * rank
    if rng.random() < 0.5:
        step = 1
        for mode in rng.sample(range(rank), rank):
            stride[mode] = step
            step *= shape[mode]
    else:
        stride = [rng.choice((0, 1, 2, 3, 4, 8, 16, 24)) for _ in range(rank)]
    if rank == 1:
        return shape[0], stride[0]
    if rank == 3 and rng.random() < 0.5:
        return ((*shape[:2],), shape[2]), ((*stride[:2],), stride[2])
    return tuple(shape), tuple(stride)


def cases():
    rng = random.Random(41)
    for _ in range(COUNT):
        name = rng.choice([*TWO, *ONE, "complement"])
        operands = [layout(rng, rng.randint(1, 3))]
        if name in TWO:
            operands.append(layout(rng, rng.randint(1, 2)))
        elif name == "complement":
            operands.append(rng.choice((24, 48, 64, 96, 192)))
        yield name, operands


def text(operand):
    return f"{operand[0]}:{operand[1]}".replace(" ", "") if isinstance(operand, tuple) else str(operand)


def answered(begin, out):
    import cutlass.cute as cute

    for number, (name, operands) in enumerate(cases()):
        if number < begin:
            continue
        made = [cute.make_layout(o[0], stride=o[1]) if isinstance(o, tuple) else o for o in operands]
        try:
            answer = str(getattr(cute, name)(*made))
        except Exception as error:
            answer = f"! {type(error).__name__}"
        print(name, *map(text, operands), answer, sep="\t", file=out, flush=True)


if __name__ == "__main__" and len(sys.argv) == 3:
    import cutlass.cute as cute

    # A function without a decorator runs unchanged while the decorated one is traced.
    work = lambda: answered(int(sys.argv[2]), open(sys.argv[1], "a"))

    @cute.jit
    def traced():
        work()

    traced()
elif __name__ == "__main__":
    file = sys.argv[1]
    open(file, "w").close()
    everything = list(cases())
    while (done := len(open(file).readlines())) < COUNT:
        code = subprocess.run([sys.executable, __file__, file, str(done)], stdout=subprocess.DEVNULL).returncode
        if code < 0:
            name, operands = everything[len(open(file).readlines())]
            print(name, *map(text, operands), f"! signal {-code}", sep="\t", file=open(file, "a"))
        elif code:
            sys.exit(code)
