#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Work of launched graphs belongs to the operators of their captures, as if these had launched it themselves.

usage: graphs.py BIN SEED ROUNDS    random captures and launches, in the current folder
"""
import json
import os
import random
import subprocess
import sys

OPS = [("aten::mm", [[8, 4], [4, 2]]), ("aten::relu", [[8, 4]]), ("aten::add", [[8], [8]]), ("my::op", [[3]])]
VIEWS = [("tr-breakdown", "operator"), ("tr-breakdown", "operator,shape,args"), ("tr-breakdown", "operator,stack"),
         ("tr-breakdown", "operator,module,thread"), ("tr-breakdown", "operator,kernel"),
         ("tr-breakdown", "operator,args,position"), ("tr-breakdown", "category"), ("tr-roofline", "operator,shape"),
         ("tr-roofline", "operator,params"), ("tr-roofline", "family")]
# Host time is not that of a launch without graphs, and where an operator begins is not known.
OTHER = {"host_self_us", "host_us", "first_us", "record", "work"}


def call(cat, name, tid, ts, dur, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args}


class Tree:
    """Operators and modules, each with operators inside it and launches; all of them launch something."""

    def __init__(self, rnd, depth, names):
        self.module = rnd.random() < 0.3
        self.name, self.dims = rnd.choice(OPS)
        if self.module:
            self.name = "nn.Module: %s_%d" % (rnd.choice("AB"), rnd.randrange(3))
        self.parts = []
        for _ in range(rnd.randint(1, 3)):
            if depth and rnd.random() < 0.5:
                self.parts.append(Tree(rnd, depth - 1, names))
            else:
                self.parts.append(rnd.choice(names))

    def kernels(self):
        return [k for p in self.parts for k in (p.kernels() if isinstance(p, Tree) else [p])]

    def events(self, at, size, launch):
        """Events from time at on, and the time after them; launch(name, ts): that of a kernel."""
        out, t = [], at + 1
        for p in self.parts:
            if isinstance(p, Tree):
                inside, t = p.events(t, size, launch)
                out += inside
            else:
                out.append(launch(p, t))
                t += 2
        args = {} if self.module else {"Input Dims": [[size] + d[1:] for d in self.dims], "Concrete Inputs": [str(size)],
                                       "Input type": ["float"] * len(self.dims)}
        first = call("python_function" if self.module else "cpu_op", self.name, 5, at, t - at, **args)
        return [first] + out, t + 1


def make(rnd, folder):
    names = ["k%d" % i for i in range(rnd.randint(1, 5))]
    graphs = [(Tree(rnd, 2, names), size) for size in sorted(rnd.sample(range(1, 50), rnd.randint(1, 4)))]
    captures, t = [], 0
    for tree, size in graphs:
        inside, end = tree.events(t + 20, size, lambda k, ts: call("cuda_runtime", "cudaLaunchKernel", 5, ts, 1, kernel=k))
        captures += [call("user_annotation", "capture_%d_FULL" % size, 5, t, end + 30 - t),
                     call("cuda_runtime", "cudaStreamBeginCapture", 5, t + 5, 1)] + inside
        captures.append(call("cuda_runtime", "cudaStreamEndCapture", 5, end + 5, 1))
        t = end + 100
    replay, eager, t, number, device = [], [], 0, 0, 0
    for _ in range(rnd.randint(1, 6)):
        tree, size = rnd.choice(graphs)
        # captures of the same kernels are told apart by the tokens of the step
        around = call("user_annotation", "execute_context_0(0)_generation_%d(%d)" % (size, size), 5, t, 1000)
        outer = rnd.random() < 0.5 and call("cpu_op", "outer", 5, t + 1, 990)
        number += 1
        graph = number
        work = []

        def launch(name, ts):
            nonlocal number, device
            number += 1
            device = max(device + rnd.randint(0, 2), ts)
            dur = rnd.randint(1, 9)
            work.append((name, device, dur, number))
            device += dur
            return call("cuda_runtime", "cudaLaunchKernel", 5, ts, 1, correlation=number)
        inside, end = tree.events(t + 10, size, launch)
        span = call("cuda_runtime", "cudaGraphLaunch", 5, t + 9, end + 1 - t)
        for out in (replay, eager):
            out.append(around)
            if outer:
                out.append(outer)
        eager += [span] + inside
        replay.append(call("cuda_runtime", "cudaGraphLaunch", 5, t + 9, 3, correlation=graph))
        for name, ts, dur, own in work:
            for out, link in ((replay, graph), (eager, own)):
                out.append(call("kernel", name, 7, ts, dur, correlation=link, device=0, stream=7))
        t = max(end, device, t + 1000) + 10
    for name, events in (("captures", captures), ("replay", replay), ("eager", eager)):
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as f:
            json.dump({"distributedInfo": {"rank": 0}, "traceEvents": events}, f)


def table(bin_dir, view, *argv):
    p = subprocess.run([os.path.join(bin_dir, view[0]), "--by", view[1], "-q", "-O", "tsv", *argv],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        return [p.stderr.decode("utf-8", "replace")]
    lines = [line.split("\t") for line in p.stdout.decode("utf-8").split("\n")[:-1]]
    shown = [i for i, name in enumerate(lines[0]) if name not in OTHER]
    return sorted("\t".join(line[i] for i in shown) for line in lines)


def main():
    bin_dir, seed, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    for n in range(rounds):
        make(random.Random(seed + n), ".")
        for view in VIEWS:
            captured = table(bin_dir, view, "--attach-capture", "captures.json", "replay.json")
            eager = table(bin_dir, view, "eager.json")
            if captured != eager:
                print("seed %d: %s --by %s" % (seed + n, *view))
                for line in sorted(set(captured) ^ set(eager))[:6]:
                    print("  %s %s" % ("captured" if line in captured else "eager   ", line))
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
