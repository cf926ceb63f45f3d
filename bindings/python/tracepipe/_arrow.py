# SPDX-License-Identifier: MIT
"""Record batches of Arrow: for who imports them, and read here without any other package."""

import ctypes

from ._lib import ffi

# Functions of our own: others change the types of those that ctypes.pythonapi has.
_capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)(
    ("PyCapsule_New", ctypes.pythonapi))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi))

# The structs that capsules hold, by address, until their capsule is destroyed.
_held = {}


def _destroyer(name):
    @ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
    def destroy(capsule, held=_held, pointer=_capsule_pointer, null=ffi.NULL):
        struct = held.pop(pointer(capsule, name))
        if struct.release != null:  # nobody has taken it over
            struct.release(struct)

    return destroy


# A capsule points to its name, which is kept here.
_names = {name: (name, _destroyer(name)) for name in (b"arrow_schema", b"arrow_array", b"arrow_array_stream")}


def capsule(struct, name):
    address = int(ffi.cast("uintptr_t", struct))
    _held[address] = struct
    kept, destroy = _names[name]
    return _capsule_new(address, kept, ctypes.cast(destroy, ctypes.c_void_p))


def _release(struct):
    if struct.release != ffi.NULL:
        struct.release(struct)


class Records:
    """The columns of a record batch, which it owns."""

    def __init__(self, make):
        """make(schema, array) fills both structs, or raises."""
        schema, array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        make(schema, array)
        self.schema, self.array = ffi.gc(schema, _release), ffi.gc(array, _release)
        self.names = [ffi.string(schema.children[i].name).decode("utf-8") for i in range(schema.n_children)]
        self.n = array.length

    def _buffers(self, i):
        column = self.array.children[i]
        return ffi.string(self.schema.children[i].format), column.buffers, column.null_count

    def format(self, i):
        return ffi.string(self.schema.children[i].format).decode()

    def list(self, i):
        """The values of a column; None: absent."""
        form, buffers, n_null = self._buffers(i)
        bits = ffi.cast("const uint8_t *", buffers[0])
        if form == b"U":
            offsets = ffi.unpack(ffi.cast("const int64_t *", buffers[1]), self.n + 1)
            data = bytes(ffi.buffer(buffers[2], offsets[-1])) if offsets[-1] else b""
            values = [data[a:b].decode("utf-8", "replace") for a, b in zip(offsets, offsets[1:])]
        else:
            kind = {b"l": "int64_t", b"L": "uint64_t", b"g": "double"}[form]
            values = ffi.unpack(ffi.cast("const %s *" % kind, buffers[1]), self.n) if self.n else []
        if n_null:
            values = [v if bits[k >> 3] >> (k & 7) & 1 else None for k, v in enumerate(values)]
        return values

    def arrays(self, i, numpy):
        """The values of a column, copied, and which of them are absent, as arrays of numpy."""
        form, buffers, n_null = self._buffers(i)
        if form == b"U":
            values = numpy.array(self.list(i) + [None], dtype=object)[:-1]
        else:
            kind = {b"l": "i8", b"L": "u8", b"g": "f8"}[form]
            values = numpy.frombuffer(ffi.buffer(buffers[1], self.n * 8), kind).copy() if self.n else numpy.empty(0, kind)
        if not n_null:
            return values, numpy.zeros(self.n, bool)
        bits = numpy.frombuffer(ffi.buffer(buffers[0], (self.n + 7) // 8), "u1")
        return values, numpy.unpackbits(bits, bitorder="little")[: self.n] == 0

    def capsules(self):
        """Schema and array as capsules.  They share the buffers, which live as long as one of them is used."""
        schema, array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        share(self, schema, array)
        return capsule(schema, b"arrow_schema"), capsule(array, b"arrow_array")


# What structs that were given away point into, by their private data, until they are released.  Children have structs of
# their own for each importer, who may move them.
_shared = {}


def _release_shared(struct):
    for i in range(struct.n_children):
        if struct.children[i].release != ffi.NULL:
            struct.children[i].release(struct.children[i])
    del _shared[struct.private_data]
    struct.release = ffi.NULL


_releases = {kind: ffi.callback("void(struct %s *)" % kind, _release_shared) for kind in ("ArrowSchema", "ArrowArray")}


def _share_one(records, to, of, kind):
    ffi.memmove(to, of, ffi.sizeof(of[0]))
    children = [ffi.new("struct %s *" % kind) for _ in range(of.n_children)]
    for child, of_child in zip(children, (of.children[i] for i in range(of.n_children))):
        _share_one(records, child, of_child, kind)
    listed = ffi.new("struct %s *[]" % kind, children)
    handle = ffi.new_handle(records)
    to.private_data = handle
    _shared[handle] = (records, children, listed, handle)
    to.children = listed if children else ffi.NULL
    to.release = _releases[kind]


def share(records, schema, array):
    """Structs for an importer, with the buffers of records."""
    _share_one(records, schema, records.schema, "ArrowSchema")
    _share_one(records, array, records.array, "ArrowArray")


# ---- streams whose functions are here, because they also keep what the stream of the library needs ----

_CANCELLED, _FAILED = 125, 5  # ECANCELED, EIO
_streams = {}


def _stream_of(stream):
    return ffi.from_handle(stream.private_data)


@ffi.callback("int(struct ArrowArrayStream *, struct ArrowSchema *)", error=_FAILED)
def _get_schema(stream, out):
    return _stream_of(stream).get_schema(out)


@ffi.callback("int(struct ArrowArrayStream *, struct ArrowArray *)", error=_FAILED)
def _get_next(stream, out):
    return _stream_of(stream).get_next(out)


@ffi.callback("const char *(struct ArrowArrayStream *)", error=ffi.NULL)
def _get_last_error(stream):
    return _stream_of(stream).get_last_error()


@ffi.callback("void(struct ArrowArrayStream *)")
def _release_stream(stream):
    source = _stream_of(stream)
    del _streams[source.handle]
    stream.release = ffi.NULL
    source.release()


def stream_capsule(source):
    """A capsule of a stream whose functions are those of source."""
    source.handle = ffi.new_handle(source)
    _streams[source.handle] = source
    struct = ffi.new("struct ArrowArrayStream *", [_get_schema, _get_next, _get_last_error, _release_stream, source.handle])
    return capsule(struct, b"arrow_array_stream")


class OneBatch:
    """A stream of one record batch."""

    def __init__(self, records):
        self.records, self.given = records, False

    def _give(self, out, kind):
        schema, array = ffi.new("struct ArrowSchema *"), ffi.new("struct ArrowArray *")
        share(self.records, schema, array)
        taken, other = (schema, array) if kind == "schema" else (array, schema)
        ffi.memmove(out, taken, ffi.sizeof(taken[0]))
        other.release(other)
        return 0

    def get_schema(self, out):
        return self._give(out, "schema")

    def get_next(self, out):
        if self.given:
            out.release = ffi.NULL
            return 0
        self.given = True
        return self._give(out, "array")

    def get_last_error(self):
        return ffi.NULL

    def release(self):
        self.records = None
