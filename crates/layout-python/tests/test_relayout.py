"""``relayout`` by a pattern: plans of random patterns against NumPy; on a GPU with CuPy or PyTorch, every element against
the library's own operations. ``SEED`` is the seed, ``RELAYOUTS`` the number of patterns."""

import ctypes
import os
import random
import time

import layout_algebra as la
import pytest
from layout_algebra import Layout, _relayout

SEED = int(os.environ.get("SEED", time.time() // 86400))
COUNT = int(os.environ.get("RELAYOUTS", 200))


def drawn(rng, most=2048):
    """A random pattern, the source's shape, the lengths given by name, the extents and the order of all axes, and the
    result's shape."""
    names = rng.sample("abcdefgh", rng.randint(1, 6))
    extents, left = [], most
    for _ in names:
        extents.append(rng.randint(1, max(1, min(left, rng.choice((3, 8, 40))))))
        left //= extents[-1]
    order = rng.sample(range(len(names)), len(names))

    def side(axes):
        texts, shape, inner, at = [], [], [], 0
        while at < len(axes):
            if rng.random() < 0.1:
                texts.append(rng.choice(("1", "()")))
                shape.append(1)
            count = rng.randint(1, 3) if rng.random() < 0.4 else 1
            part = axes[at : at + count]
            at += count
            text = " ".join(names[axis] for axis in part)
            texts.append(f"({text})" if len(part) > 1 else text)
            shape.append(1)
            for axis in part:
                shape[-1] *= extents[axis]
            # All lengths of a group are given, or all but one.
            open_ = rng.choice([part[0], part[-1], None]) if len(part) > 1 else part[0]
            inner += [axis for axis in part if axis != open_]
        return " ".join(texts), tuple(shape), inner

    (left, shape, given), (right, result, _) = side(list(range(len(names)))), side(order)
    lengths = {names[axis]: extents[axis] for axis in given}
    return f"{left} -> {right}", shape, lengths, extents, order, result


def test_plans_beside_numpy():
    numpy = pytest.importorskip("numpy")
    rng = random.Random(SEED)
    for number in range(COUNT):
        pattern, shape, lengths, extents, order, result = drawn(rng)
        x = numpy.arange(int(numpy.prod(shape)), dtype=numpy.int64).reshape(shape)
        # A view with its axes in another order in memory, some of them reversed.
        turned = rng.sample(range(len(shape)), len(shape))
        x = numpy.ascontiguousarray(x.transpose(turned)).transpose(numpy.argsort(turned))
        x = x[tuple(slice(None, None, rng.choice((1, 1, -1))) for _ in shape)]
        strides = tuple(stride // x.itemsize for stride in x.strides)
        axes, found_order, found = _relayout._plan(pattern, shape, strides, tuple(sorted(lengths.items())))
        what = f"SEED={SEED}, number {number}: {pattern} of {shape}, {lengths}"
        assert found == result and found_order == order and [extent for extent, _ in axes] == extents, what
        pair = _relayout._Pair(tuple(axes), tuple(order), 8, 0)
        right = x.reshape(extents).transpose(order).reshape(result).ravel()
        # The kernel's source begins at the least address.
        least = sum((extent - 1) * min(stride, 0) for extent, stride in axes)
        address = x.__array_interface__["data"][0] + 8 * least
        flat = (ctypes.c_int64 * x.size).from_address(address)
        source, target = Layout(pair.source), Layout(pair.target)
        out = [None] * x.size
        for i in range(x.size):
            out[target(i)] = flat[source(i) - least]
        assert out == right.tolist(), what
        assert "__global__" in pair.code() and pair.blocks > 0 and pair.threads > 0, what


@pytest.mark.parametrize(
    "pattern,lengths,error,words",
    [
        ("a b", {}, ValueError, "0 arrows"),
        ("a b -> a", {}, ValueError, "the axis b is not on the right side"),
        ("a b -> a b c", {}, ValueError, "the axis c is not on the left side"),
        ("a a -> a", {}, ValueError, "the axis a is twice"),
        ("a b c -> c b a", {}, ValueError, "is for 3 axes"),
        ("(a c) b -> a b c", {}, ValueError, "the lengths of a and c are unknown"),
        ("(a c) b -> a b c", {"a": 3}, ValueError, "an axis of length 4 does not split into (a c): the given lengths have the product 3"),
        ("a b -> b a", {"a": 5}, ValueError, "an axis of length 4 does not split into (a)"),
        ("a b -> b a", {"c": 5}, ValueError, "has no axis c"),
        ("a b -> b a", {"a": 4.0}, TypeError, "the length of the axis a is 4.0"),
        ("1 b -> b", {}, ValueError, "has 1 or () for an axis of length 4"),
        ("... a -> a ...", {}, ValueError, "`.` in the pattern"),
        ("((a) b -> a b", {}, ValueError, "a group within a group"),
        ("a) b -> a b", {}, ValueError, "`)` without `(`"),
        ("(a b -> a b", {}, ValueError, "`(` without `)`"),
    ],
)
def test_malformed_patterns(pattern, lengths, error, words):
    with pytest.raises(error) as raised:
        _relayout._plan(pattern, (4, 6), (6, 1), tuple(sorted(lengths.items())))
    assert words in str(raised.value)


def test_operands_that_are_no_gpu_tensors():
    with pytest.raises(TypeError, match="this is of type builtins.list"):
        la.relayout([[1]], "a b -> b a")
    with pytest.raises(TypeError, match="unexpected keyword argument 'h'"):
        la.relayout("(4,6)", "(6,4)", h=4)
    with pytest.raises(TypeError, match="takes only a pattern and lengths"):
        la.relayout([[1]], "a b -> b a", language="wgsl")
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="numpy.ndarray"):
        la.relayout(numpy.zeros((4, 6)), "a b -> b a")


def card(name):
    module = pytest.importorskip(name)
    if not module.cuda.is_available():
        pytest.skip("there is no GPU")
    return module


def view(rng, make, turn, shape):
    """A tensor of this shape with another order of axes in memory, which sometimes begins at an odd element."""
    turned = rng.sample(range(len(shape)), len(shape))
    inverse = sorted(range(len(shape)), key=turned.__getitem__)
    odd = rng.random() < 0.2
    x = make([shape[axis] + (1 if odd and k == 0 else 0) for k, axis in enumerate(turned)])
    return turn(x[1:] if odd else x, inverse)


def test_cupy():
    cp = card("cupy")
    rng, types = random.Random(SEED), ["u1", "f2", "f4", "f8", "c16"]
    for number in range(COUNT):
        pattern, shape, lengths, extents, order, result = drawn(rng, 1 << 16)
        kind = rng.choice(types)
        make = lambda shape: cp.random.randint(0, 255, shape).astype(kind)
        x = view(rng, make, lambda x, axes: x.transpose(axes), shape)
        x = x[tuple(slice(None, None, rng.choice((1, 1, 1, -1))) for _ in shape)]
        right = x.reshape(extents).transpose(order).reshape(result)
        with cp.cuda.Stream(non_blocking=True) if rng.random() < 0.5 else cp.cuda.Stream.null as stream:
            cp.cuda.Device().synchronize()
            for run in range(3):
                y = la.relayout(x, pattern, **lengths)
                stream.synchronize()
                what = f"SEED={SEED}, number {number}, run {run}: {pattern} of {shape}, {lengths}, {kind}"
                assert type(y) is type(x) and y.shape == result and y.flags.c_contiguous, what
                assert y.data.ptr != x.data.ptr or x.size == 0, what
                assert bool((y == right).all()), what
    assert la.relayout(cp.zeros((0, 4)), "a b -> b a").shape == (4, 0)


@pytest.mark.parametrize("launch", ["cupy", "cuda.core"])
def test_torch(launch, monkeypatch):
    torch = card("torch")
    pytest.importorskip(launch)
    by = {"cupy": _relayout._ByCuPy, "cuda.core": _relayout._ByCudaCore}[launch]
    monkeypatch.setattr(_relayout, "_find_launch", lambda: by)
    # The two launchers' kernels are different objects: the caches are cleared.
    _relayout._pair.cache_clear()
    _relayout._kept.cache_clear()
    rng = random.Random(SEED + 1)
    types = [torch.uint8, torch.bfloat16, torch.float16, torch.float32, torch.float64, torch.complex128, torch.bool]
    for number in range(COUNT):
        pattern, shape, lengths, extents, order, result = drawn(rng, 1 << 16)
        kind = rng.choice(types)
        make = lambda shape: torch.randint(0, 255, shape, device="cuda").to(kind)
        x = view(rng, make, lambda x, axes: x.permute(axes), shape)
        right = x.reshape(extents).permute(order).reshape(result)
        torch.cuda.synchronize()
        stream = torch.cuda.Stream() if rng.random() < 0.5 else torch.cuda.default_stream()
        with torch.cuda.stream(stream):
            for run in range(3):
                y = la.relayout(x, pattern, **lengths)
                stream.synchronize()
                what = f"SEED={SEED}, number {number}, run {run}: {pattern} of {shape}, {lengths}, {kind}"
                assert tuple(y.shape) == result and y.dtype == kind and y.is_contiguous() and y.device == x.device, what
                assert y.data_ptr() != x.data_ptr(), what
                assert torch.equal(y, right), what
    expanded = torch.arange(6, device="cuda").reshape(1, 6).expand(50, 6)
    for _ in range(3):
        assert torch.equal(la.relayout(expanded, "a b -> b a"), expanded.T)
    with pytest.raises(TypeError, match="the tensor is on cpu"):
        la.relayout(torch.zeros(4, 6), "a b -> b a")
    with pytest.raises(TypeError, match="requires a gradient"):
        la.relayout(torch.zeros(4, 6, device="cuda", requires_grad=True), "a b -> b a")
    with pytest.raises(TypeError, match="resolve_conj"):
        la.relayout(torch.zeros(4, 6, device="cuda", dtype=torch.complex64).conj(), "a b -> b a")


def test_jax():
    jax = pytest.importorskip("jax")
    card("cupy")
    if not any(device.platform == "gpu" for device in jax.devices()):
        pytest.skip("there is no GPU for JAX")
    x = jax.numpy.arange(4 * 6 * 8, dtype=jax.numpy.float32).reshape(4, 6, 8)
    for _ in range(3):
        y = la.relayout(x, "a b c -> c (a b)")
        assert isinstance(y, jax.Array) and (y == x.transpose(2, 0, 1).reshape(8, 24)).all()


def test_another_stream_orders_the_work():
    """The kernel waits for earlier work on the current stream."""
    torch = card("torch")
    x = torch.zeros(4096, 4096, device="cuda")
    for _ in range(2):
        la.relayout(x, "a b -> b a")
    torch.cuda.synchronize()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(50_000_000)
        x.fill_(1)
        y = la.relayout(x, "a b -> b a")
        assert bool((y == 1).all())
