"""The formats of quantised weights: ggml's blocks, and matrices of GPTQ, AWQ, Marlin and compressed-tensors.

>>> import layout_algebra as la
>>> la.formats.q4_0().decode(bytes(18)).shape
(32,)
>>> la.formats.gptq(64, 16, 32).elements
1024
"""

from ._native import Format
from ._native import format as _format
from ._native import format_names as names


def _block(name):
    def function():
        return _format(name)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"ggml's blocks ``{_format(name).name}``."
    return function


def _matrix(name):
    def function(k, n, group):
        return _format(name, k, n, group)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"A matrix of ``k`` rows and ``n`` columns of {name}, with a scale for each ``group`` of rows."
    return function


_MATRICES = ["gptq", "awq", "marlin", "compressed_tensors"]
for _name in names():
    globals()[_name] = _block(_name)
for _name in _MATRICES:
    globals()[_name] = _matrix(_name)

__all__ = ["Format", "names", *names(), *_MATRICES]
