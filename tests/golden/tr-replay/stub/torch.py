# SPDX-License-Identifier: MIT
"""A stub of PyTorch that says what a script builds and calls: one line for each call of an operator."""
import contextlib


class Kind:
    def __init__(self, name):
        self.name = name


class Flat:
    """Memory of n elements, and how it was filled."""

    def __init__(self, fill, n, dtype, device):
        self.fill, self.n, self.dtype, self.device = fill, n, dtype, device

    def to(self, dtype):
        return Flat(self.fill + " of " + self.dtype.name, self.n, dtype, self.device)

    def as_strided(self, shape, strides):
        return "%s%s/%s %s[%d] %s" % (self.dtype.name, list(shape), list(strides), self.fill, self.n, self.device)


for _name in ("uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool bfloat16 "
              "float8_e4m3fn preserve_format channels_last contiguous_format strided").split():
    globals()[_name] = Kind(_name)


def randn(size, dtype, device):
    return Flat("randn", size[0], dtype, device)


def ones(size, dtype, device):
    return Flat("ones", size[0], dtype, device)


def empty(size, dtype, device):
    return Flat("empty", size[0], dtype, device)


def randint(low, high, size, dtype=Kind("int64"), device=None):
    return Flat("randint(%d,%d)" % (low, high), size[0], dtype, device)


def no_grad():
    return contextlib.nullcontext()


class cuda:
    @staticmethod
    def is_available():
        return False


def shown(x):
    return x.name if isinstance(x, Kind) else repr(x)


class Function:
    def __init__(self, name):
        self.name = name

    def __getattr__(self, name):
        return Function(self.name + "." + name)

    def __call__(self, *args, **keywords):
        if "fails" in self.name:
            raise RuntimeError("no such\noperator")
        print("%s(%s)" % (self.name, ", ".join([shown(a) for a in args] + ["%s=%s" % (k, shown(a)) for k, a in keywords.items()])))


ops = Function("ops")
