"""Checks results of other libraries: each operation against its law, coordinate by coordinate."""

import operator

from ._native import Layout, LayoutError, operations, read_operands
from ._native import call_by_name as call

MAX_COORDINATES = 1 << 22


class Verdict:
    """The verdict of ``check``: true if the result is right. Otherwise ``coordinate`` is where the result is wrong,
    ``expected`` the right offset there, ``found`` the result's, and ``reason`` a sentence.

    >>> bool(check("compose", ("(4,6):(1,4)", 8), "(4,2):(1,4)"))
    True
    """

    def __init__(self, right, reason, coordinate=None, expected=None, found=None):
        self.right, self.reason = right, reason
        self.coordinate, self.expected, self.found = coordinate, expected, found

    def __bool__(self):
        return self.right

    def __repr__(self):
        return f"Verdict({self.right}, {self.reason!r})"


def _layout(layout):
    return layout if isinstance(layout, Layout) else Layout(layout)


def _same(expected, result, size, law):
    """Compares the result with the expected offset at each coordinate."""
    if result.size != size:
        why = f"{law}: the result has {result.size} coordinates and not {size}"
        return Verdict(False, why, None, size, result.size)
    for i in range(size):
        want, found = expected(i), result(i)
        if want != found:
            at = call("idx2crd", result.shape, i)
            return Verdict(False, f"{law}: at {at} it has {found} and not {want}", at, want, found)
    return Verdict(True, law)


def _compose(left, right, result):
    if isinstance(right, Layout):
        # The law is checked itself: it may hold where `compose` has no result.
        try:
            return _same(lambda i: left(right(i)), result, right.size, "R(c) = A(B(c))")
        except LayoutError:
            pass  # B leads outside A: `compose` gives the reason.
    return None


def _right_inverse(layout, result):
    return _same(lambda i: i, _After(layout, result), result.size, "A(R(i)) = i")


def _left_inverse(layout, result):
    # If A is injective, the law is R(A(i)) = i.
    return _same(layout, _After(layout, _After(result, layout)), layout.size, "A(R(A(i))) = A(i)")


class _After:
    """``left(right(i))``"""

    def __init__(self, left, right):
        self.left, self.right = left, right
        self.size, self.shape = right.size, right.shape

    def __call__(self, i):
        return self.left(self.right(i))


def _complement(layout, extent, result, exact):
    """(A, R) is a bijection onto 0..extent, after modes of stride 0 are dropped."""
    seen, filtered = {}, layout.filter()
    if filtered.size * result.size > MAX_COORDINATES:
        return None
    for i in range(result.size):
        for j in range(filtered.size):
            offset = filtered(j) + result(i)
            if offset in seen:
                at = call("idx2crd", result.shape, i)
                why = f"(A, R) is injective: coordinate {at} of R leads to offset {offset} once more"
                return Verdict(False, why, at, None, offset)
            seen[offset] = i
    # The range begins at 0, or at the least offset if strides are negative; rounded up, it ends at the largest offset.
    least, last = min(seen, default=0), max(seen, default=0)
    for offset in range(least, least + extent if exact else max(least + extent, last + 1)):
        if offset not in seen:
            return Verdict(False, f"(A, R) is onto a range: nothing leads to {offset}", None, offset, None)
    if exact and len(seen) != extent:
        return Verdict(False, f"(A, R) is onto 0..{extent}: it reaches {len(seen)}", None, extent, len(seen))
    return Verdict(True, "(A, R) is a bijection")


def check(operation, operands, result):
    """A ``Verdict``: is ``result``, which another library returned, right for the operation and its operands?

    Compositions, inverses and complements are checked against their laws. Other operations are compared with this
    module's result: the same offset at each coordinate, and modes of the same sizes for divisions and products. If this
    module refuses such an operation, any result is wrong, and the verdict has the reason.

    >>> v = check("compose", ("(4,3):(1,8)", "6:3"), "(2,3):(3,8)")
    >>> bool(v), v.coordinate, v.expected, v.found
    (False, (0, 1), 10, 8)
    >>> check("coalesce", ("(2,2):(1,2)",), "4:1").right
    True

    An unknown operation or a wrong operand raises a ValueError or a TypeError; it is no verdict.
    """
    operands = operands if isinstance(operands, (tuple, list)) else (operands,)
    operands = read_operands(operation, *operands)
    name = next(row[0] for row in operations() if operation in (row[0], *row[1]))
    verdict = None
    is_number = name in ("size", "cosize", "rank", "depth", "index", "max_common_vector", "apply")
    if is_number:
        result = operator.index(result)
    if not is_number and not isinstance(result, bool) and name not in ("coord", "slice"):
        result = _layout(result)
        if result.size > MAX_COORDINATES:
            raise ValueError(f"a result of more than {MAX_COORDINATES} coordinates is not checked")
        if name == "compose":
            verdict = _compose(_layout(operands[0]), operands[1].layout, result)
        elif name in ("right_inverse", "left_inverse"):
            law = {"right_inverse": _right_inverse, "left_inverse": _left_inverse}[name]
            verdict = law(_layout(operands[0]), result)
        elif name in ("complement", "complement_ceil"):
            verdict = _complement(_layout(operands[0]), operator.index(operands[1]), result, name == "complement")
    if verdict is not None:
        return verdict
    try:
        ours = call(name, *operands)
    except LayoutError as error:
        return Verdict(False, f"there is no result: {error}")
    if isinstance(ours, Layout):
        sizes = [tuple(mode.size for mode in layout) for layout in (ours, result)]
        if name.endswith(("_divide", "_product")) and sizes[0] != sizes[1]:
            return Verdict(False, f"{name} is {ours}: modes of sizes {sizes[0]} and not {sizes[1]}", None, *sizes)
        return _same(ours, result, ours.size, f"{name} is {ours}")
    right = ours == result
    return Verdict(right, f"{name} is {ours}", None, ours, result)
