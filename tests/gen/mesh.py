#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces of ranks of a large job with tensor, pipeline, data and expert parallelism, and the truth about it.

usage: mesh.py [--tp N] [--pp N] [--dp N] [--ep N] [--ranks A..B] [--steps N] [--layers N] [--microbatches N]
               [--kernels N] [--names N] [--straggler R] [--missing SHARE] [--drift] [--no-dp] [--seed N] --output DIR

Rank numbers count tp first, then dp, then pp; ep is a part of dp.  Traces are DIR/rankN.json, and DIR/job.truth.json has the
clocks of these ranks and what was lost.  The ranks of a job may be made in parts, in any order: the time at which each
collective ends is planned, and a rank only draws when it arrives.  So the memory is that of one rank, and equal options
give equal bytes.
"""
import argparse
import json
import os
import random

LAYER = 1000000  # ns of true time that a layer takes
PAIR = 100000  # of a slot: between its last layer and its end, activations are sent
BASE = 1751410836000000000
START = 5000000000


class Job:
    def __init__(self, a):
        self.a = a
        self.world = a.tp * a.dp * a.pp
        draw = random.Random(a.seed)
        shapes = ("128x128_32x3_nn", "128x256_64x4_tn", "256x64_32x3_nt", "64x64_16x6_nn")
        kinds = ("gemm_bf16", "elementwise_add", "layer_norm", "softmax_forward", "flash_fwd", "flash_bwd", "gelu", "copy")
        self.names = ["%s_%s_variant%d" % (kinds[i % len(kinds)], draw.choice(shapes), i) for i in range(a.names)]
        nodes = (self.world + 7) // 8
        self.offset = [0] + [draw.randint(-5000000, 5000000) for _ in range(nodes)]
        self.drift = [0] + [draw.randint(-8000, 8000) if a.drift else 0 for _ in range(nodes)]

    def clock(self, rank):
        """The clock of the node of a rank; that of the first node shows true time."""
        node = rank // 8
        return self.offset[node], self.drift[node]

    def place(self, rank):
        a = self.a
        return rank % a.tp, rank // a.tp % a.dp, rank // (a.tp * a.dp)

    def number(self, tp, dp, pp):
        return tp + self.a.tp * (dp + self.a.dp * pp)

    def groups(self, rank):
        """The process groups of a rank: name, description and ranks."""
        a = self.a
        tp, dp, pp = self.place(rank)
        of = {}
        if a.tp > 1:
            of["tp"] = ("%d" % (1 + rank // a.tp), "mesh_tp", [self.number(t, dp, pp) for t in range(a.tp)])
        if a.dp > 1 and not a.no_dp:
            name = "%d" % (100000 + tp + a.tp * pp)
            of["dp"] = (name, "mesh_dp", [self.number(tp, d, pp) for d in range(a.dp)])
        if a.ep > 1:
            first = dp // a.ep * a.ep
            name = "%d" % (200000 + tp + a.tp * (dp // a.ep + a.dp // a.ep * pp))
            of["ep"] = (name, "mesh_ep", [self.number(tp, first + e, pp) for e in range(a.ep)])
        if a.pp > 1:
            of["pp"] = ("%d" % (300000 + tp + a.tp * dp), "mesh_pp", [self.number(tp, dp, p) for p in range(a.pp)])
        return of


class Rank:
    """Writes the trace of a rank."""

    def __init__(self, job, rank):
        self.job, self.rank = job, rank
        self.tp, self.dp, self.pp = job.place(rank)
        self.draw = random.Random(job.a.seed * 1000003 + rank)
        self.offset, self.drift = job.clock(rank)
        self.groups = job.groups(rank)
        self.about = {key: '"Process Group Name":"%s","Process Group Description":"%s","Process Group Ranks":"%s",'
                           '"Group size":%d' % (g[0], g[1], g[2], len(g[2])) for key, g in self.groups.items()}
        self.seq = dict.fromkeys(self.groups, 0)
        self.events, self.number, self.host, self.lost = [], 0, 0, 0

    def shown(self, t):
        return "%.3f" % ((START + t + self.offset + t * self.drift // 1000000000) / 1000)

    def span(self, cat, name, tid, start, end, args, pid=7):
        self.events.append('{"ph":"X","cat":"%s","name":"%s","pid":%d,"tid":%d,"ts":%s,"dur":%.3f,"args":{%s}}'
                           % (cat, name, pid, tid, self.shown(start), (end - start) / 1000, args))

    def launch(self, operator, start, args=""):
        """An operator and its launch of work that starts then; returns what the work says of it."""
        self.number += 1
        at = self.host = max(self.host + 12000, start - 60000)
        ids = '"External id":%d' % self.number
        self.span("cpu_op", operator, 100, at, at + 10000, ids + args)
        self.span("cuda_runtime", "cudaLaunchKernel", 100, at + 2000, at + 7000,
                  ids + ',"correlation":%d' % self.number)
        return ids + ',"correlation":%d' % self.number

    def compute(self, start, end, key):
        """Kernels from start to end."""
        n = self.job.a.kernels
        cuts = sorted(self.draw.random() for _ in range(n - 1))
        at = start
        for i, cut in enumerate(cuts + [1.0]):
            to = start + int((end - start) * cut)
            if to - at < 1500:
                continue
            name = self.job.names[hash((key, i, self.pp, self.dp % max(self.job.a.ep, 1))) % len(self.job.names)]
            ids = self.launch("aten::op%d" % (i % 5), at)
            self.span("kernel", name, 7, at, to - 1000, '"device":0,"stream":7,' + ids, 0)
            at = to

    def wait(self, most):
        return 0 if self.rank == self.job.a.straggler else self.draw.randint(most // 10, most)

    def collective(self, key, name, kernel, stream, arrival, end, elements, more=""):
        self.seq[key] += 1
        args = ',"Collective name":"%s","dtype":"BFloat16","In msg nelems":%d,"Out msg nelems":%d,%s,"Seq":%d%s' % (
            name, elements, elements, self.about[key], self.seq[key], more)
        ids = self.launch("record_param_comms", arrival, args)
        end += self.draw.randint(-300, 300)
        if self.draw.random() < self.job.a.missing:
            self.lost += 1
            return
        self.span("kernel", kernel, stream, arrival, end, '"device":0,"stream":%d,%s%s' % (stream, ids, args), 0)

    def slot(self, start, forward, mb):
        """A microbatch, from what is received before it to what is sent after it."""
        a = self.job.a
        for layer in range(a.layers):
            at, key = start + layer * LAYER, (forward, layer)
            first = at + LAYER * 3 // 4
            if a.tp > 1:
                arrival = first - 60000 - self.wait(LAYER // 5)
                self.compute(at, arrival, key)
                self.collective("tp", "allreduce", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 20, arrival, first, 4194304)
            else:
                self.compute(at, first, key)
            if a.ep > 1:
                end = at + LAYER
                arrival = end - 40000 - self.wait(LAYER // 10)
                self.collective("ep", "all_to_all", "ncclDevKernel_SendRecv", 24, arrival, end, 1048576)
        end = start + a.layers * LAYER
        to = self.pp + (1 if forward else -1)
        if 0 <= to < a.pp:
            self.pair("send", end + PAIR // 5, end + PAIR, to)

    def pair(self, name, arrival, end, to):
        peer = self.job.number(self.tp, self.dp, to)
        more = ',"%s Rank":%d' % ("Dst" if name == "send" else "Src", peer)
        stream = 28 + (name == "send") + 2 * (to > self.pp)
        self.collective("pp", name, "ncclDevKernel_SendRecv", stream, arrival, end, 8388608, more)

    def step(self, start, number):
        a = self.job.a
        slot, n, free = a.layers * LAYER + PAIR, a.pp + a.microbatches - 1, start
        for forward in True, False:
            for mb in range(a.microbatches):
                place = (self.pp if forward else a.pp - 1 - self.pp) + mb
                at = start + (place if forward else n + place) * slot
                comes_from = self.pp - (1 if forward else -1)
                if 0 <= comes_from < a.pp:
                    self.pair("recv", min(free, at - PAIR // 2), at, comes_from)
                self.slot(at, forward, mb)
                free = at + slot
        end = start + 2 * n * slot
        for bucket in range(2 if "dp" in self.groups else 0):
            arrival = end + bucket * LAYER + LAYER // 2 - self.wait(LAYER // 5)
            self.collective("dp", "allreduce", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 40, arrival,
                            end + (bucket + 1) * LAYER - LAYER // 4, 25165824)
        end += 2 * LAYER
        self.compute(end, end + LAYER, "optimizer")
        self.span("user_annotation", "ProfilerStep#%d" % number, 100, start, end + LAYER, '"External id":0')
        return end + LAYER

    def write(self, path):
        at = 0
        for step in range(self.job.a.steps):
            at = self.step(at, step + 10) + 500000
        head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA H100"}],
                "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": self.job.world},
                "baseTimeNanoseconds": BASE}
        with open(path, "w", encoding="utf-8") as out:
            out.write(json.dumps(head)[:-1] + ', "traceEvents": [\n' + ",\n".join(self.events) + "\n]}\n")


def hash(key):  # of small integers and words, equal on every machine
    value = 0
    for part in str(key):
        value = (value * 1000003 ^ ord(part)) & 0xffffffffffffffff
    return value >> 7


def arguments():
    p = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name, default in ("tp", 8), ("pp", 1), ("dp", 1), ("ep", 1), ("steps", 2), ("layers", 2), ("microbatches", 4), \
            ("kernels", 8), ("names", 2000), ("straggler", -1), ("seed", 1):
        p.add_argument("--" + name, type=int, default=default, metavar="N", help="[%d]" % default)
    p.add_argument("--ranks", metavar="A..B", help="only these [all]")
    p.add_argument("--missing", type=float, default=0, metavar="SHARE", help="device events of collectives that are lost")
    p.add_argument("--drift", action="store_true", help="clocks of nodes drift by up to 8 ppm")
    p.add_argument("--no-dp", action="store_true", help="no collectives of data parallelism")
    p.add_argument("--output", metavar="DIR", required=True)
    a = p.parse_args()
    if a.dp % a.ep:
        p.error("--dp is a multiple of --ep")
    return a


def main():
    a = arguments()
    job = Job(a)
    first, last = [int(x) for x in a.ranks.split("..")] if a.ranks else [0, job.world - 1]
    truth = {"world": job.world, "straggler": a.straggler, "offset_ns": {}, "drift_ppb": {}, "lost": {}}
    os.makedirs(a.output, exist_ok=True)
    for rank in range(first, last + 1):
        r = Rank(job, rank)
        r.write(os.path.join(a.output, "rank%d.json" % rank))
        truth["offset_ns"][rank], truth["drift_ppb"][rank] = r.offset, r.drift
        truth["lost"][rank] = r.lost
    with open(os.path.join(a.output, "job.truth.json"), "w", encoding="utf-8") as out:
        json.dump(truth, out)


if __name__ == "__main__":
    main()
