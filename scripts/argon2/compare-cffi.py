"""Compares every level of the kernel with argon2-cffi, whose wheel contains a separate libargon2.

Needs argon2-cffi (Debian: python3-argon2). Usage: compare-cffi.py LIBRARY [SETS [SEED]], where LIBRARY is the kernel as a
shared library; scripts/sanitize kernel builds it.
"""

import ctypes
import random
import sys

from argon2 import low_level
from argon2.low_level import ffi

kernel = ctypes.CDLL(sys.argv[1])
kernel.argon_kernel_matrix_size.restype = ctypes.c_size_t
kernel.argon_kernel_level_name.restype = ctypes.c_char_p
kernel.argon_kernel_has_level.restype = ctypes.c_bool


class Bytes(ctypes.Structure):
    _fields_ = [("start", ctypes.c_char_p), ("count", ctypes.c_size_t)]


class Input(ctypes.Structure):
    _fields_ = [(name, Bytes) for name in ("password", "salt", "secret", "data")] + [
        (name, ctypes.c_uint32) for name in ("memory", "passes", "lanes")
    ]


def kernel_tag(level, parts, memory, passes, lanes, tag_count):
    given = Input(*(Bytes(part, len(part)) for part in parts), memory, passes, lanes)
    size = kernel.argon_kernel_matrix_size(memory, lanes)
    buffer = ctypes.create_string_buffer(size + 64)
    start = -(-ctypes.addressof(buffer) // 64) * 64
    tag = ctypes.create_string_buffer(tag_count)
    status = kernel.argon_kernel_hash(
        level, ctypes.byref(given), ctypes.c_void_p(start), ctypes.c_size_t(size), tag, ctypes.c_size_t(tag_count))
    assert status == 0, status
    return tag.raw


def cffi_tag(parts, memory, passes, lanes, tag_count):
    out = ffi.new("uint8_t[]", tag_count)
    buffers = [ffi.new("uint8_t[]", part) for part in parts]
    context = ffi.new("argon2_context *", dict(
        version=0x13, out=out, outlen=tag_count,
        pwd=buffers[0], pwdlen=len(parts[0]), salt=buffers[1], saltlen=len(parts[1]),
        secret=buffers[2], secretlen=len(parts[2]), ad=buffers[3], adlen=len(parts[3]),
        t_cost=passes, m_cost=memory, lanes=lanes, threads=1,
        allocate_cbk=ffi.NULL, free_cbk=ffi.NULL, flags=0))
    code = low_level.core(context, low_level.Type.ID.value)
    assert code == 0, low_level.error_to_str(code)
    return bytes(out)


def main():
    sets = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 9106
    source = random.Random(seed)
    levels = [level for level in range(3) if kernel.argon_kernel_has_level(level)]
    for _ in range(sets):
        lanes = source.randint(1, 8)
        case = (
            [source.randbytes(source.randint(low, high)) for low, high in ((0, 80), (8, 40), (0, 60), (0, 60))],
            8 * lanes + source.randint(0, 1200), source.randint(1, 4), lanes, source.randint(4, 200))
        expected = cffi_tag(*case)
        for level in levels:
            if kernel_tag(level, *case) != expected:
                print(kernel.argon_kernel_level_name(level).decode(), "differs:", case)
                return 1
    print(f"{sets} parameter sets equal to argon2-cffi at {len(levels)} levels, seed {seed}")
    return 0


sys.exit(main())
