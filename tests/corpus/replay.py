#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the script of tr-replay builds and calls, against the JSON of the trace.  usage: replay.py TR-REPLAY TRACE...

The script runs with a module torch made here, which notes tensors and calls.  Each call has to be one that the trace
shows: tensors with these types, shapes and strides, and these values, as often as the script says; and each call of an
operator that the script knows is in the script once.
"""
import ast
import collections
import contextlib
import gzip
import io
import json
import runpy
import subprocess
import sys
import tempfile
import types

sys.dont_write_bytecode = True
TYPES = {"float": "float32", "double": "float64", "c10::Half": "float16", "c10::BFloat16": "bfloat16", "int": "int32",
         "long int": "int64", "long": "int64", "bool": "bool", "unsigned char": "uint8", "signed char": "int8",
         "short int": "int16", "short": "int16"}
NUMBERS = {0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64", 11: "bool",
           15: "bfloat16"}


class Memory:
    def __init__(self, n, dtype):
        self.n, self.dtype = n, dtype

    def to(self, dtype):
        return Memory(self.n, dtype)

    def as_strided(self, shape, strides):
        need = 0 if 0 in shape else 1 + sum((d - 1) * s for d, s in zip(shape, strides))
        assert self.n == need, "memory of %d elements, %d are needed" % (self.n, need)
        return "tensor", self.dtype, tuple(shape), tuple(strides)


def stub(calls):
    torch = types.ModuleType("torch")
    for name in list(NUMBERS.values()) + ["strided", "contiguous_format", "preserve_format", "channels_last", "channels_last_3d"]:
        setattr(torch, name, name)
    filled = lambda size, dtype, device: Memory(size[0], dtype)
    torch.randn = torch.ones = torch.empty = filled
    torch.randint = lambda low, high, size, dtype="int64", device=None: Memory(size[0], dtype)
    torch.no_grad = contextlib.nullcontext
    torch.cuda = types.SimpleNamespace(is_available=lambda: False)

    class Op:
        def __init__(self, path=()):
            self.path = path

        def __getattr__(self, name):
            return Op(self.path + (name,))

        def __call__(self, *args, **keywords):
            calls.append(("::".join(self.path[:2]), list(args) + list(keywords.values())))
    torch.ops = Op()
    return torch


def contiguous(shape):
    strides, step = [], 1
    for d in reversed(shape):
        strides.insert(0, step)
        step *= max(d, 1)
    return tuple(strides)


def value(text):
    if text in ("", None):
        return None
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return float(text)  # inf, -inf, nan


def arguments(e):
    """The arguments of an event; None: unknown."""
    a = e["args"]
    dims, kinds = a["Input Dims"], a["Input type"]
    strides, values = a.get("Input Strides"), a.get("Concrete Inputs")
    out = []
    for i, kind in enumerate(kinds):
        if kind in TYPES:
            own = tuple(strides[i]) if strides and strides[i] else contiguous(dims[i])
            out.append(("tensor", TYPES[kind], tuple(dims[i]), own))
        else:
            out.append(value(values[i]) if values else "?")
    return out


def same(have, want):
    if want == "?":
        return not isinstance(have, tuple)
    if want is None:  # or the default of something that profilers do not write
        return not isinstance(have, tuple)
    if isinstance(want, int) and not isinstance(want, bool) and isinstance(have, str):
        return have in (NUMBERS.get(want), "strided", "contiguous_format", "preserve_format", "channels_last")
    return have == want and type(have) is type(want)


def check(tool, path):
    said = subprocess.run([tool, "-q", "-O", "python", path], stdout=subprocess.PIPE, check=True).stdout
    calls, bad = [], []
    with tempfile.NamedTemporaryFile(suffix=".py") as script:
        script.write(said)
        script.flush()
        sys.modules["torch"] = stub(calls)
        made = runpy.run_path(script.name)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            status = made["main"](made["CALLS"], ["--warmup", "0", "--runs", "1"])
    if status or len(calls) != len(made["CALLS"]):
        bad.append("status %d: %s" % (status, [l for l in out.getvalue().split("\n") if l.count("\t") == 5 and l[-1] != "\t"][1:3]))
    shown = collections.defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as f:
        for e in json.load(f)["traceEvents"]:
            if e.get("cat") == "cpu_op" and "Input type" in e.get("args", {}):
                shown[e["name"], json.dumps([e["args"].get(k) for k in ("Input Dims", "Input type", "Input Strides", "Concrete Inputs")])].append(e)
    sets = collections.defaultdict(list)
    for (name, _), events in shown.items():
        sets[name].append((events[0], len(events)))
    for call, (name, args) in zip(made["CALLS"], calls):
        found = [n for e, n in sets[name] if len(e["args"]["Input type"]) == len(args) and
                 all(same(x, y) for x, y in zip(args, arguments(e)))]
        if call.calls not in found:
            bad.append("%s %s: %d calls, the trace has %s" % (name, args, call.calls, found))
    return len(calls), bad


def main():
    failed = 0
    print("1..%d" % len(sys.argv[2:]))
    for i, path in enumerate(sys.argv[2:]):
        n, bad = check(sys.argv[1], path)
        failed += bool(bad) or not n
        print("%sok %d - %s: %d calls" % ("not " if bad or not n else "", i + 1, path.rsplit("/", 1)[1], n))
        print("".join("# %s\n" % b[:300] for b in bad[:5]), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
