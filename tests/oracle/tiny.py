# SPDX-License-Identifier: MIT
"""Tiny traces on a coarse clock: starts, ends and sums are equal, and thresholds are met exactly, all the time.

Several sources have the same processes, threads, devices, streams and correlation numbers.
"""
import os
import random
from decimal import Decimal

import twist

KERNELS = ("gemm", "relu", "softmax", "ncclDevKernel_AllReduce", "runFunction")
CALLS = ("cudaLaunchKernel", "cudaLaunchKernel", "cudaGraphLaunch", "hipMemcpyAsync", "cuLaunchKernel")


class Tiny:
    """One source.  Times count in steps of the grid."""
    def __init__(self, rng, clock, again):
        self.rng, self.clock, self.events, self.calls = rng, clock, [], 0
        self.again = again  # how often a call has the number of the one before
        self.caller = None  # process of the one before
        self.nested = rng.random() < 0.7
        for thread in range(rng.randrange(1, 4)):
            place = {"pid": 100 + 100 * (thread == 2), "tid": 1 + thread % 2}
            at = rng.randrange(0, 4)
            for _ in range(rng.randrange(1, 5)):
                at = self.host(place, at, at + rng.randrange(0, 9), 0) + rng.randrange(0, 2)
        steps = rng.randrange(0, 4)
        for step in range(1, steps + 1):
            self.span("user_annotation", "ProfilerStep#%d" % step, {"pid": 100, "tid": 1}, {}, 8 * step - 8, 8)
        for _ in range(rng.randrange(0, 4)):
            self.span("gpu_user_annotation", rng.choice(("fwd", "bwd")), *self.device(), rng.randrange(0, 20), rng.randrange(0, 9))
        for _ in range(rng.randrange(0, 5)):
            self.flow(rng.randrange(1, 4))
        if rng.random() < 0.5:
            rng.shuffle(self.events)

    def time(self, steps, start=0):
        grid, origin, halves = self.clock
        us = Decimal(grid * steps + (origin if start else 0)) / 1000
        return us - Decimal("0.0005") if halves else us

    def span(self, cat, name, place, args, at, length):
        self.events.append({"ph": "X", "cat": cat, "name": name, **place, "ts": self.time(at, True),
                            "dur": self.time(length), "args": args})

    def device(self):
        device, stream = self.rng.choice((0, 0, 1)), self.rng.choice((7, 7, 1))
        return {"pid": device, "tid": stream}, {"device": device, "stream": stream}

    def host(self, place, at, end, depth):
        """An operator or range with what lies in it; when the next one may begin."""
        rng = self.rng
        if depth == 3 or rng.random() < 0.4:
            return self.call(place, at, min(end, at + rng.choice((0, 1, 1, 2, 5))))
        kind = rng.choice((("cpu_op", "aten::mm"), ("cpu_op", "aten::add"), ("user_annotation", "fwd"),
                           ("python_function", "train.py(1): step"), ("python_function", "nn.Module: Block_0"),
                           ("python_function", "nn.Module: Block_1"), ("user_annotation", "model.layers.0.mlp"),
                           ("user_annotation", "Optimizer.step#SGD.step"),
                           ("cpu_op", "autograd::engine::evaluate_function: MmBackward0")))
        shown = end if self.nested else end + rng.randrange(-2, 3)
        self.span(*kind, place, {"External id": depth}, at, max(0, shown - at))
        inside = at + rng.randrange(0, 2)
        while inside < end or (inside == end and rng.random() < 0.3):
            inside = self.host(place, inside, rng.randrange(inside, end + 1), depth + 1) + rng.randrange(0, 3)
        return end

    def call(self, place, at, end):
        rng = self.rng
        other = self.caller != place["pid"]  # two processes with one number would be two ranks in a file
        self.calls += self.calls == 0 or rng.random() >= self.again or other
        self.caller = place["pid"]
        self.span(rng.choice(("cuda_runtime", "cuda_runtime", "cuda_driver")), rng.choice(CALLS), place,
                  {"correlation": self.calls}, at, end - at)
        for _ in range(rng.choice((0, 1, 1, 1, 2, 3))):
            where, args = self.device()
            copy = rng.random() < 0.2
            if rng.random() < 0.95:
                args["correlation"] = self.calls if rng.random() < 0.9 else 99
            self.span("gpu_memcpy" if copy else "kernel", "Memcpy HtoD" if copy else rng.choice(KERNELS), where, args,
                      at + rng.randrange(-1, 9), rng.choice((0, 1, 1, 2, 3, 6)))
        return end

    def flow(self, number):
        """An arrow; sources have the same numbers."""
        at = self.rng.randrange(0, 16)
        for ph, tid, t in (("s", 1, at), ("f", self.rng.choice((1, 2)), at + self.rng.randrange(0, 4))):
            self.events.append({"ph": ph, "id": number, "cat": "fwdbwd", "name": "fwdbwd", "pid": 100, "tid": tid,
                                "ts": self.time(t, True), **({"bp": "e"} if ph == "f" and self.rng.random() < 0.7 else {})})


def write(folder, seed):
    """Traces of 1 to 3 sources; their paths, and whether calls share numbers."""
    rng = random.Random(seed)
    grid = rng.choice((1000, 5000, 10000, 10000))
    clock = (grid, grid * rng.choice((0, -3, -8, -40, 10**6)), rng.random() < 0.3)
    paths, again = [], rng.choice((0, 0, 0, 0.5))
    for rank in range(rng.choice((1, 1, 2, 3))):
        paths.append(os.path.join(folder, "rank%d.json" % rank))
        twist.write(paths[-1], {"distributedInfo": {"rank": rank}, "traceEvents": Tiny(rng, clock, again).events})
    return paths, again > 0
