#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-critpath against its oracle, on small random traces.

usage: critpath_random.py BIN SEEDS

Makes a small trace of each seed with host threads, streams, launches of one or several kernels,
recorded events, all kinds of waits and calls that share the runtime's lock, and compares every edge, the weight
of the path, each step of it, and what-if times.  Every fourth is a job of several ranks, joined by collectives.
Output is TAP.
"""
import concurrent.futures, json, os, random, subprocess, sys, tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
sys.setrecursionlimit(20000)
import critpath
import seeds

def coarse(events, grid):
    """The same on a clock that shows multiples of so many microseconds."""
    floor = lambda t: t // grid * grid
    return [{**e, "ts": floor(e["ts"]), "dur": floor(e["ts"] + e["dur"]) - floor(e["ts"])} for e in events]


class Maker:
    """Events of a rank: host threads that call, and streams that work off what they were given."""
    def __init__(self, rng, rank, n_collectives):
        self.rng, self.rank, self.events, self.correlation = rng, rank, [], 0
        self.free = {}  # (device, stream): when it has nothing to do
        self.recorded, self.collectives, self.asked = [], n_collectives, 0
        self.names_waits = rng.random() < 0.4  # work says what it waited for
        self.loose = rng.random() < 0.3
        self.stage = rng.random() < 0.3  # it sends and receives what no other trace has
        self.threads = rng.choice((1, 1, 2, 3, 4))
        self.processes = rng.choice((1, 2))  # of two the threads have the same numbers
        self.devices = rng.choice(((0,), (0,), (0, 1)))
        self.shows_waits = (self.threads + self.processes) % 3 > 0  # the device shows what streams waited for
        for thread in range(self.threads):
            self.work_on(thread, rng.choice((0, rng.randrange(0, 40))))
        self.events = coarse(self.events, rng.choice((1, 1, 4, 10)))

    def event(self, cat, name, pid, tid, ts, dur, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur,
                            "args": args})
        return self.events[-1]

    def place(self, thread):
        return 100 * (1 + thread % self.processes), 1 + thread // self.processes

    def call(self, thread, t, name, dur):
        self.correlation += 1
        self.event("cuda_driver" if name.startswith("cu") and not name.startswith("cuda") else "cuda_runtime",
                   name, *self.place(thread), t, dur, correlation=self.correlation)
        return self.correlation

    def bar(self, kind, stream, ts, dur, corr, **args):
        device = self.rng.choice(self.devices)
        self.event("cuda_sync", kind, device, stream, ts, dur, stream=stream, device=device, correlation=corr, **args)

    def kernel(self, corr, t, name=None):
        rng, stream, device = self.rng, self.rng.choice((7, 7, 7, 20)), self.rng.choice(self.devices)
        free = self.free.get((device, stream), 0)
        start = max(t + rng.randrange(0, 9), free + rng.randrange(0, 4))
        start = max(start, free + critpath.LIMIT) if rng.random() < 0.02 else start  # no longer one after the other
        start += 2000 if rng.random() < 0.02 else 0  # too late to have waited for what came before
        start += rng.choice((9, 11, 60, 101, 700)) if rng.random() < 0.15 else 0  # it waited for something else
        start -= rng.randrange(0, 12) if rng.random() < 0.03 else 0  # clocks that disagree
        dur = rng.randrange(0, 30)
        peer = self.peer() if self.stage and not name and rng.random() < 0.3 else {}
        name, stream = ("ncclDevKernel_SendRecv", 21) if peer else (name, stream)
        dur *= rng.choice((1, 4)) if peer else 1
        cat = "kernel" if name else rng.choice(("kernel", "kernel", "gpu_memcpy"))
        copy = cat == "gpu_memcpy" and rng.random() < 0.3  # its call waits for it, if it ends during the call
        name = "Memcpy DtoH (Device -> Pageable)" if copy else name
        corr += 10**9 if self.loose and rng.random() < 0.2 else 0  # of a call that was not recorded
        self.event(cat, name or rng.choice(("gemm", "relu")), device, stream, start, dur, stream=stream, device=device,
                   correlation=corr, **self.waits(), **peer)
        self.free[device, stream] = max(free, start + dur)

    def peer(self):
        kind = self.rng.choice(("send", "recv"))
        return {"Collective name": kind, "Src Rank" if kind == "recv" else "Dst Rank": 9, "Process Group Name": "pp",
                "Group size": 2, "dtype": "Float", "In msg nelems": 8, "Out msg nelems": 8}

    def waits(self):
        """Work names other work by numbers of its own, or by correlation; some is later, or not there."""
        rng, args = self.rng, {}
        if self.names_waits and rng.random() < 0.5:
            args["event id"] = rng.randrange(0, 20)
        if self.names_waits and rng.random() < 0.5:
            args["event wait ids"] = [rng.randrange(0, 30) for _ in range(rng.randrange(0, 4))]
        return args

    def leaf(self, thread, t, dur):
        rng, what = self.rng, self.rng.random()
        if what < 0.5:
            name = rng.choice(("cudaLaunchKernel", "cudaLaunchKernel", "cudaMemcpyAsync", "hipLaunchKernel",
                               "cuLaunchKernel", "cudaMemcpy"))
            self.kernel(self.call(thread, t, name, dur), t)
        elif what < 0.58:
            corr = self.call(thread, t, "cudaGraphLaunch", dur)
            for _ in range(rng.randrange(1, 5)):
                self.kernel(corr, t)
        elif what < 0.7:
            self.recorded.append(self.call(thread, t, "cudaEventRecord", dur))
        elif what < 0.78 and self.recorded:
            corr = self.call(thread, t, "cudaStreamWaitEvent", dur)
            self.bar("Stream Wait Event", rng.choice((7, 20)), t + 1, dur, corr, **self.wait_on())
            if not self.shows_waits:
                self.events.pop()
        elif what < 0.84 and self.recorded:
            corr = self.call(thread, t, rng.choice(("cudaEventSynchronize", "cudaEventQuery")), dur)
            self.bar("Event Sync", -1, t, dur, corr, **self.wait_on())
        elif what < 0.9:
            self.bar("Stream Sync", rng.choice((7, 20)), t, dur, self.call(thread, t, "cudaStreamSynchronize", dur))
        elif what < 0.93:
            self.bar("Context Sync", -1, t, dur, self.call(thread, t, "cudaDeviceSynchronize", dur))
        elif self.asked < self.collectives and thread == 0:
            self.asked += 1
            corr = self.call(thread, t, "cudaLaunchKernelExC", dur)
            kind = ("allreduce", "all_to_allv")[self.asked % 2]
            self.event("kernel", "ncclDevKernel_" + kind, 0, 33, t + 5, rng.randrange(5, 40), stream=33, device=0,
                       correlation=corr, **{"Collective name": kind, "Process Group Name": "0", "Seq": self.asked,
                                            "Group size": 2, "In msg nelems": 8, "Out msg nelems": 8, "dtype": "Float"})
        else:
            self.call(thread, t, rng.choice(("cudaHostAlloc", "cudaMalloc", "hipDeviceSynchronize")), dur)

    def wait_on(self):
        stream = self.rng.choice((7, 20, 7, -1))
        return {"wait_on_cuda_event_record_corr_id": self.rng.choice(self.recorded), "wait_on_stream": stream}

    def operator(self, thread, t, depth):
        """An operator with what lies in it; when it ends."""
        rng, begin, inside = self.rng, t, []
        place = len(self.events)
        t += rng.randrange(0, 5)
        for _ in range(rng.randrange(0, 4)):
            if depth < 3 and rng.random() < 0.4:
                t = self.operator(thread, t, depth + 1)
            else:
                dur = rng.randrange(0, 12)
                self.leaf(thread, t, dur)
                t += dur
            inside.append(t)
            t += rng.randrange(0, 4)
        name = rng.choice(("aten::mm", "aten::add", "forward", "autograd::engine", "aten::sum"))
        cat = "user_annotation" if rng.random() < 0.15 else "cpu_op"
        crossing = rng.randrange(1, 6) if rng.random() < 0.05 else 0
        end = max(t - crossing, begin + 1)
        pid, number = self.place(thread)
        self.events.insert(place, {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": number, "ts": begin,
                                   "dur": end - begin, "args": {}})
        return max(t, end)

    def work_on(self, thread, t):
        for step in range(3):
            begin = t
            for _ in range(self.rng.randrange(1, 4)):
                t = self.operator(thread, t, 0) + self.rng.randrange(0, 30)
            if thread == 0:
                self.event("user_annotation", "window#%d" % step, *self.place(thread), begin, t - begin)
            t += self.rng.randrange(1, 20)


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise RuntimeError("%s: %s" % (" ".join(argv[1:]), p.stderr.decode("utf-8", "replace").strip()[-300:]))
    lines = [line.split("\t") for line in p.stdout.decode().split("\n")[:-1]]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def us(text):
    whole, part = text.split(".")
    assert part == "000", text
    return int(whole)


def edges_of(rows):
    return {((int(r["rank"]), int(r["from_record"]), r["from_side"]), (int(r["to_rank"]), int(r["to_record"]),
             r["to_side"])): (r["edge"], us(r["weight_us"]), int(r["payer_record"]) if r["payer_record"] else None)
            for r in rows}


def total(rows, column="sum_us"):
    found = [us(r[column]) for r in rows if r["bound"] == "total"]
    parts = sum(us(r[column]) for r in rows if r["bound"] != "total")
    assert parts == sum(found), "parts %d, total %s" % (parts, found)
    return found[0] if found else 0


def walk(rows):
    return sum(us(r["weight_us"]) for r in rows)


def one_rank(tool, path, events, rng):
    name, first, last = rng.choice(((None, 0, 0), ("window", 0, 0), ("window", 1, 1), ("window", 0, 1)))
    choice = [] if name is None else ["--annotation", name, "--instance", "%d..%d" % (first, last)]
    launch_edges, gaps, suspect = rng.random() < 0.3, rng.random() < 0.3, rng.random() < 0.3
    flags = choice + ["--launch-edges"] * launch_edges + ["--gaps"] * gaps + ["--suspect", "include"] * suspect
    g = critpath.Graph(0, events, name, first, last, launch_edges, gaps, suspect=suspect)
    rows = run(tool, "-q", "-O", "tsv", "--by", "edge", *flags, path)
    have = edges_of(rows)
    found = {"edges": None if have == g.edges else "%s: %s" % (flags, differences(have, g.edges))}
    lost = sum(int(r["count"]) for r in run(tool, "-q", "-O", "tsv", "--by", "count", *flags, path) if r["item"] == "lost_waits")
    if lost != g.lost:
        found["edges"] = "%s: %d waits are lost, want %d" % (flags, lost, g.lost)
    weights = {e: w for e, (_, w, _) in g.edges.items()}
    want = critpath.heaviest(weights)
    if want is None:
        return found
    sums = [total(run(tool, "-q", "-O", "tsv", *flags, path)),
            walk(run(tool, "-q", "-O", "tsv", "--by", "path", *flags, path))]
    slacks = [us(r["slack_us"]) for r in rows if not r["on_path"] == "1"] + [0]
    sums.append(walk([r for r in rows if r["on_path"] == "1" and us(r["slack_us"]) == 0]))
    right = sums == [want] * 3 and min(slacks) >= 0
    found["path"] = None if right else "%s: %s, want %d, least slack %d" % (flags, sums, want, min(slacks))
    g = critpath.Graph(0, events, name, first, last, True, gaps, suspect=suspect)
    scale = rng.choice((0, 2, 3, 1))
    names = {r: s.name for r, s in g.spans.items()}
    scaled = ("gemm", "ncclDevKernel_SendRecv")
    new = {e: w * scale if k in ("operator", "peer") and names.get(p) in scaled else w for e, (k, w, p) in g.edges.items()}
    g.other_times(new)
    rows = run(tool, "-q", "-O", "tsv", *flags, "--what-if", 'name in ("gemm", "ncclDevKernel_SendRecv") scale=%d' % scale, path)
    sums = [total(rows), total(rows, "what_if_us")]
    want = [critpath.heaviest({e: w for e, (_, w, _) in g.edges.items()}), critpath.heaviest(new)]
    found["what-if"] = None if sums == want or None in want else "%s, scale %d: %s, want %s" % (flags, scale, sums, want)
    return found


def differences(have, want):
    odd = [(e, have.get(e), want.get(e)) for e in sorted(set(have) | set(want), key=str) if have.get(e) != want.get(e)]
    return "; ".join("%s: have %s, want %s" % o for o in odd[:3])


def joined_ranks(tool, paths, traces):
    """All ranks at once, with gaps: a collective ends nowhere before all have come; to wait for that weighs nothing.
    Only an uneven all-to-all can be left before, and then its time is that of the rank."""
    members = {}
    for rank, events in enumerate(traces):
        in_graph = {s.record for s in critpath.Graph(rank, events).work}  # not that of a call without length
        for record, e in enumerate(events):
            if "Seq" in e["args"] and record in in_graph:
                members.setdefault(e["args"]["Seq"], []).append((rank, record, e["ts"], e["ts"] + e["dur"]))
    members = {seq: m for seq, m in members.items() if len(m) > 1}
    came = {seq: max(ts for _, _, ts, _ in m) for seq, m in members.items()}
    waits = {(rank, record): seq % 2 == 0 or end >= came[seq] for seq, m in members.items() for rank, record, _, end in m}
    graphs = [critpath.Graph(rank, events, gaps=True, joined={record for (r, record), w in waits.items() if w and r == rank})
              for rank, events in enumerate(traces)]
    edges = {e: w for g in graphs for e, (_, w, _) in g.edges.items()}
    edges.update({e: w for e, (_, w, _) in critpath.first_edges(graphs, edges).items()})
    for seq, m in members.items():
        for rank, record, _, end in m:
            edges[(rank, record, "start"), ("all", seq)] = 0
            if waits[rank, record]:
                edges[("all", seq), (rank, record, "end")] = max(0, end - came[seq])
    want, have = critpath.heaviest(edges), total(run(tool, "-q", "-O", "tsv", "--per", "all", *paths))
    return None if want in (None, have) else "%d, want %d" % (have, want)


def several(tool, paths, traces):
    """Ranks beside each other: equal numbers of processes, streams and calls join nothing, in whatever order ranks are
    read."""
    count = lambda *paths: [tuple(r.values()) for r in run(tool, "-q", "-O", "tsv", "--by", "count", *paths)]
    each = [row for path in paths for row in count(path)]
    if count(*paths) != each:
        return "counts of all ranks are not those of each"
    want = {}
    for rank, events in enumerate(traces):
        want.update(critpath.Graph(rank, events).edges)
    have = edges_of(run(tool, "-q", "-O", "tsv", "--by", "edge", *paths))
    return None if have == want else differences(have, want)


def one(tool, seed):
    rng, found = random.Random(seed), {}
    ranks = rng.choice((2, 3)) if seed % 4 == 0 else 1
    traces = [Maker(rng, rank, rng.randrange(3, 5) if ranks > 1 else 0).events for rank in range(ranks)]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "rank%d.json" % r) for r in range(ranks)]
        for rank, (path, events) in enumerate(zip(paths, traces)):
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"distributedInfo": {"rank": rank}, "traceEvents": events}, f)
        try:
            found.update(one_rank(tool, paths[0], traces[0], rng))
            if ranks > 1:
                found["edges of several ranks"] = several(tool, paths, traces)
                found["ranks joined"] = joined_ranks(tool, paths, traces)
        except (RuntimeError, AssertionError) as e:
            found["edges"] = "failed: %s" % e
    return seed, found


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    tool, of = os.path.join(sys.argv[1], "tr-critpath"), seeds.of(sys.argv[2])
    tried, wrong = {}, {}
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        for seed, found in pool.map(one, [tool] * len(of), of, chunksize=5):
            for what, why in found.items():
                tried[what] = tried.get(what, 0) + 1
                if why:
                    wrong.setdefault(what, []).append((seed, why))
    print("1..5")
    for i, what in enumerate(("edges", "path", "what-if", "edges of several ranks", "ranks joined"), 1):
        bad = wrong.get(what, [])
        print("%sok %d - tr-critpath, %s: %d random traces" % ("not " if bad or not tried.get(what) else "", i, what,
                                                                tried.get(what, 0)))
        for seed, why in bad[:3]:
            print("# seed %d: %s" % (seed, why[:600]))
        if len(bad) > 3:
            print("# and %d more" % (len(bad) - 3))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
