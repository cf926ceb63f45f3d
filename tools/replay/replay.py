#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Made by tr-replay(1): calls of operators that a trace shows, with the same arguments, to be timed one by one.
#
# Needs PyTorch.  Each call gets tensors of its own, with the shapes, strides and types of the trace, and is made some
# times to warm up and then as often as --runs says.  A line for each call: operator, overload, how often the trace has
# it, the mean of its device time there, and the mean of the time measured here, in microseconds.
import argparse
import collections
import re
import sys
import time

import torch

Call = collections.namedtuple("Call", "op overload calls trace_us args keywords")
Tensor = collections.namedtuple("Tensor", "shape strides dtype init below host")
Constant = collections.namedtuple("Constant", "name")  # of the module torch

# Numbers of types and of memory formats, as traces have them.
DTYPES = {0: "uint8", 1: "int8", 2: "int16", 3: "int32", 4: "int64", 5: "float16", 6: "float32", 7: "float64",
          8: "complex32", 9: "complex64", 10: "complex128", 11: "bool", 15: "bfloat16", 23: "float8_e5m2",
          24: "float8_e4m3fn", 25: "float8_e5m2fnuz", 26: "float8_e4m3fnuz"}
FORMATS = {0: "contiguous_format", 1: "preserve_format", 2: "channels_last", 3: "channels_last_3d"}
RANDOM = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")


def tensor(shape, strides, dtype, init, below=0, host=False):
    """A tensor to be made when its call comes; init: normal, ones, bool, index (from 0, less than below) or None."""
    return Tensor(shape, strides, dtype, init, below, host)


def dtype(number):
    return Constant(DTYPES[number])


def memory_format(number):
    return Constant(FORMATS[number])


def layout(number):
    return Constant({0: "strided"}[number])


def elements(t):
    """How many elements the memory of a tensor has, gaps included."""
    return 0 if 0 in t.shape else 1 + sum((d - 1) * s for d, s in zip(t.shape, t.strides))


def build(t, device):
    if isinstance(t, Constant):
        return getattr(torch, t.name)
    if not isinstance(t, Tensor):
        return t
    n, kind, on = elements(t), getattr(torch, t.dtype), "cpu" if t.host else device
    if t.init == "index":
        flat = torch.randint(0, t.below, (n,), dtype=kind, device=on)
    elif t.init == "bool":
        flat = torch.randint(0, 2, (n,), device=on).to(kind)
    elif t.init == "ones":
        flat = torch.ones((n,), dtype=kind, device=on)
    elif t.init is None:
        flat = torch.empty((n,), dtype=kind, device=on)
    elif t.dtype in RANDOM:
        flat = torch.randn((n,), dtype=kind, device=on)
    else:
        flat = torch.randn((n,), dtype=torch.float32, device=on).to(kind)
    return flat.as_strided(t.shape, t.strides)


def function(call):
    space, name = call.op.split("::", 1)
    return getattr(getattr(getattr(torch.ops, space), name), call.overload or "default")


def wait(device):
    if not device.startswith("cpu"):
        getattr(torch, device.split(":")[0]).synchronize()


def measure(call, options):
    """Mean time of a call, in microseconds."""
    run = function(call)
    args = [build(a, options.device) for a in call.args]
    keywords = {k: build(a, options.device) for k, a in call.keywords.items()}
    for _ in range(options.warmup):
        run(*args, **keywords)
    wait(options.device)
    start = time.perf_counter()
    for _ in range(options.runs):
        run(*args, **keywords)
    wait(options.device)
    return (time.perf_counter() - start) * 1e6 / options.runs


def options_of(argv):
    parser = argparse.ArgumentParser(description="Make the calls of operators of a trace again, and time them.")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="[%(default)s]")
    parser.add_argument("--op", default="", metavar="REGEX", help="only operators with such names")
    parser.add_argument("--warmup", type=int, default=50, metavar="N", help="[%(default)s]")
    parser.add_argument("--runs", type=int, default=100, metavar="N", help="[%(default)s]")
    options = parser.parse_args(argv)
    if options.runs < 1:
        parser.error("--runs: at least 1")
    return options


def main(calls, argv=None):
    options = options_of(argv)
    failed = 0
    print("op\toverload\tcalls\ttrace_us\trun_us\tfailure")
    with torch.no_grad():
        for call in calls:
            if not re.search(options.op, call.op):
                continue
            run, failure = "", ""
            try:
                run = "%.3f" % measure(call, options)
            except Exception as e:  # whatever this version of PyTorch says: the other calls go on
                failed += 1
                failure = " ".join(("%s: %s" % (type(e).__name__, e)).split())[:200]
            print("%s\t%s\t%d\t%.3f\t%s\t%s" % (call.op, call.overload, call.calls, call.trace_us, run, failure), flush=True)
    return 1 if failed else 0
