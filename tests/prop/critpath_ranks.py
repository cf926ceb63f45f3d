#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The critical path of all ranks is the same from their traces and from their partial results.

usage: critpath_ranks.py BIN SEEDS

Makes small random jobs of oracle/critpath_random.py: ranks whose collectives overlap, with members that are missing,
uneven all-to-alls, sends and receives with and without their other side, and clocks that disagree.  Each rank is saved
on its own, or with others, or stays a trace, or partial results are combined first.  Output is TAP.
"""
import concurrent.futures, json, os, random, subprocess, sys, tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
sys.dont_write_bytecode = True  # the source tree may be read-only
import critpath_random
import seeds

VIEWS = ("bound", "leg", "path")
KINDS = ("allreduce", "all_to_allv", "broadcast", "allgather")


class Rank(critpath_random.Maker):
    """A rank of a job: collectives of two groups, on two streams, that come in the order of the job."""
    def __init__(self, rng, rank, ranks, plan):
        self.ranks, self.plan, self.next = ranks, plan, 0
        super().__init__(rng, rank, len(plan))

    def leaf(self, thread, t, dur):
        if thread == 0 and self.next < len(self.plan) and self.rng.random() < 0.25:
            self.collective(thread, t, dur)
        else:
            super().leaf(thread, t, dur)

    def collective(self, thread, t, dur):
        kind, group, seq, stream, pair = self.plan[self.next]
        self.next += 1
        if self.rng.random() < 0.05 or (pair and self.rank not in pair):
            return
        corr = self.call(thread, t, "cudaLaunchKernelExC", dur)
        args = {"Collective name": kind, "Process Group Name": group, "Seq": seq, "Group size": self.ranks,
                "In msg nelems": 8, "Out msg nelems": 8, "dtype": "Float"}
        if pair:
            other = pair[1] if self.rank == pair[0] else pair[0]
            args["Collective name"] = "send" if self.rank == pair[0] else "recv"
            args["Dst Rank" if self.rank == pair[0] else "Src Rank"] = other
            del args["Seq"]
        self.event("kernel", "ncclDevKernel_" + kind, 0, stream, t + self.rng.randrange(1, 30), self.rng.randrange(0, 60),
                   stream=stream, device=0, correlation=corr, **args)


def job(rng):
    ranks = rng.choice((1, 2, 3, 4))
    plan, seqs = [], {}
    for _ in range(rng.randrange(0, 12)):
        if rng.random() < 0.25 and ranks > 1:
            plan.append(("SendRecv", "pp", 0, 35, tuple(rng.sample(range(ranks), 2))))
            continue
        group, stream = rng.choice((("0", 33), ("1", 34)))
        seqs[group] = seqs.get(group, 0) + 1
        plan.append((rng.choice(KINDS), group, seqs[group], stream, None))
    traces = [Rank(rng, rank, ranks, plan).events for rank in range(ranks)]
    late = rng.choice((0, 0, 0, 3, 40))
    return [[{**e, "ts": e["ts"] + rank * late} for e in events] for rank, events in enumerate(traces)]


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise RuntimeError("%s: %s" % (" ".join(argv[1:]), p.stderr.decode("utf-8", "replace").strip()[-300:]))
    return p.stdout.decode()


def save(tool, folder, rng, paths, flags):
    """Inputs that stand for the traces."""
    left, inputs, parts = list(paths), [], []
    rng.shuffle(left)
    while left:
        some = [left.pop() for _ in range(min(len(left), rng.choice((1, 1, 2))))]
        if rng.random() < 0.2:
            inputs += some
            continue
        parts.append(os.path.join(folder, "%d.part" % len(parts)))
        run(tool, "-q", "--per", "all", *flags, "--save-partial", parts[-1], *some)
    if len(parts) > 1 and rng.random() < 0.3:
        both = os.path.join(folder, "both.part")
        run(tool, "-q", "--per", "all", *flags, "--save-partial", both, *parts[:2])
        parts[:2] = [both]
    inputs += parts
    rng.shuffle(inputs)
    return inputs


def one(tool, seed):
    rng = random.Random(seed)
    traces = job(rng)
    flags = ["--launch-edges"] * (rng.random() < 0.2) + ["--suspect", "include"] * (rng.random() < 0.2)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, "rank%d.json" % r) for r in range(len(traces))]
        for rank, (path, events) in enumerate(zip(paths, traces)):
            with open(path, "w", encoding="utf-8") as f:
                json.dump({"distributedInfo": {"rank": rank}, "traceEvents": events}, f)
        try:
            counts = run(tool, "-q", "--per", "all", "--by", "count", "-O", "tsv", *flags, *paths)
            cut = [line for line in counts.split("\n") if line.split("\t")[1:2] == ["cut"] and line.split("\t")[2] != "0"]
            if cut:
                return seed, {"cycles": None}
            inputs = save(tool, folder, rng, paths, flags)
            here = {str(paths.index(path)) for path in inputs if path in paths}
            for view in VIEWS:
                ask = ["-q", "--per", "all", "--by", view, "-O", "tsv", "--unit", "ns", *flags]
                want, have = run(tool, *ask, *paths), run(tool, *ask, *inputs)
                if view == "path":
                    want, have = ("\n".join(seen(text, here)) for text in (want, have))
                found[view] = None if want == have else "%s\nhave\n%s\nwant\n%s" % (inputs, have, want)
        except RuntimeError as e:
            found["bound"] = "failed: %s" % e
    return seed, found


def seen(text, here):
    """The path as far as it can be seen: all of it in the ranks whose traces are here, the time by bound in others.
    The moment when all have come is a row of the rank that came last."""
    lines = [line.split("\t") for line in text.split("\n")[:-1]]
    names, rows, others = lines[0], [], {}
    for line in lines[1:]:
        r = dict(zip(names, line))
        if r["rank"] in here:
            rows.append(line)
        elif r["weight_ns"] != "0":
            key = r["rank"], r["bound"]
            others[key] = others.get(key, 0) + int(r["weight_ns"])
    return ["\t".join(line) for line in rows] + ["%s\t%s\t%d" % (*k, n) for k, n in sorted(others.items())]


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
    print("1..%d" % len(VIEWS))
    for i, what in enumerate(VIEWS, 1):
        bad = wrong.get(what, [])
        print("%sok %d - tr-critpath --by %s, from partial results: %d random jobs, and %d whose edges close a cycle" %
              ("not " if bad or not tried.get(what) else "", i, what, tried.get(what, 0), tried.get("cycles", 0)))
        for seed, why in bad[:3]:
            print("# seed %d: %s" % (seed, why[:2000].replace("\n", "\n# ")))
        if len(bad) > 3:
            print("# and %d more" % (len(bad) - 3))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
