"""DLPack's ``DLTensor``, which a capsule points to."""

import ctypes

_FIELDS = [
    ("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
    ("dtype", ctypes.c_uint8 * 4), ("shape", ctypes.POINTER(ctypes.c_int64)),
    ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
]  # fmt: skip
Tensor = type("Tensor", (ctypes.Structure,), {"_fields_": _FIELDS})
