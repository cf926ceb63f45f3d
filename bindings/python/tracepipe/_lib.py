# SPDX-License-Identifier: MIT
"""libtrcore by cffi, in ABI mode: no compiler is needed."""

import glob
import os

from cffi import FFI

from ._cdef import ABI, CDEF

I64_NONE = -(2**63)
NO_STR = 2**32 - 1
CELL_STRING, CELL_INT, CELL_COUNT, CELL_TIME, CELL_RATIO, CELL_DOUBLE, CELL_ANY = 0, 1, 2, 3, 4, 5, 255

ffi = FFI()
ffi.cdef(CDEF)


def _places():
    """Where the library may be: TRACEPIPE_LIBRARY, beside this file, where the system looks."""
    named = os.environ.get("TRACEPIPE_LIBRARY")
    if named:
        return [named]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "lib")
    found = sorted(glob.glob(os.path.join(beside, "libtrcore.so*")) + glob.glob(os.path.join(beside, "libtrcore*.dylib")))
    return found + ["libtrcore.so.0", "libtrcore.0.dylib"]


def _load():
    reasons = []
    for place in _places():
        try:
            found = ffi.dlopen(place)
        except OSError as failure:
            reasons.append(str(failure))
            continue
        if found.tr_abi() < ABI:
            raise ImportError("%s is older than this package: interface %d, not %d" % (place, found.tr_abi(), ABI))
        return found, place
    raise ImportError("libtrcore is not there; TRACEPIPE_LIBRARY can say where it is (%s)" % "; ".join(reasons))


lib, place = _load()


def text(pointer, default=None):
    """A text of the library."""
    return default if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")


def sized(name):
    """A struct of the caller with its size set."""
    struct = ffi.new("struct %s *" % name)
    struct.size = ffi.sizeof("struct %s" % name)
    return struct


def utf8(value):
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode("utf-8", "surrogateescape")
