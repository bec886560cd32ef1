"""CuTe DSL 4.8.1's results for 1,500 random operands, which `cute_dsl.py` recorded, checked against the laws: this module's
results are always right, and where the two differ, CuTe DSL's result is wrong at a coordinate."""

import collections
import pathlib

from layout_algebra import LayoutError, call, check, from_cute

HERE = pathlib.Path(__file__).parent

# Wrong: an offset breaks the law. Not exact: no layout satisfies the law, because a division leaves a remainder, or copies
# would not lie at multiples of a stride; CuTe DSL rounds. "Ends the process": it divides by zero (SIGFPE).
COUNTS = {
    "the same function": 1086, "wrong, refused here": 27, "not exact, refused here": 212, "right, refused here": 1,
    "refused, refused here": 121, "refused, a result here": 11, "ends the process, refused here": 41,
    "ends the process, a result here": 1,
}  # fmt: skip


def judged():
    """For each line: its class, the line, and the reason."""
    for line in (HERE / "cute_dsl.txt").read_text().splitlines():
        name, *operands, answer = line.split("\t")
        name = {"composition": "compose", "complement": "complement_ceil"}.get(name, name)
        operands = [int(operand) if operand.isdigit() else from_cute(operand) for operand in operands]
        try:
            ours = call(name, *operands)
        except LayoutError as error:
            ours = error
        is_ours = not isinstance(ours, LayoutError)
        if is_ours:
            assert check(name, operands, ours), (line, ours)
        if answer.startswith("!"):
            what = "ends the process" if "signal" in answer else "refused"
            yield f"{what}, {'a result' if is_ours else 'refused'} here", line, ours
            continue
        verdict = check(name, operands, from_cute(answer))
        if is_ours:
            yield "the same function" if verdict else "another function", line, verdict
        else:
            where = "wrong" if verdict.coordinate is not None or verdict.expected is not None else "not exact"
            yield f"{'right' if verdict else where}, refused here", line, verdict


def test_where_the_two_differ():
    counts = collections.Counter()
    for what, line, why in judged():
        counts[what] += 1
        assert what != "another function", (line, why)
        if what.startswith("wrong"):
            print(line.replace("\t", " "), "|", why.reason)
    print(dict(counts))
    assert dict(counts) == COUNTS


