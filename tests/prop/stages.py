#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stages of steps of jobs whose truth is known: see stages.sh."""
import json
import random
import subprocess

STAGES = ("data", "forward", "backward", "optimizer")
CAUSES = ("compute", "communication", "memory", "other", "host", "idle")
COLUMNS = ("stage", "rank", "step", "exposed_us", "share_pct", "cause", "place", "dur_us", "step_time_us", "compute_us",
           "comm_us", "memory_us", "other_us", "host_us", "idle_us", "ranks", "capture", "late_us")
count = 0


def ok(good, what):
    global count
    count += 1
    print("%sok %d - %s" % ("" if good else "not ", count, what))


class Job:
    """A job whose ranks wait for each other in one all-reduce at the end of backward.  All times are in ns."""

    def __init__(self, seed, plant=None, marks=True):
        """plant: (rank, stage, ns) of a delay; marks: its parts are annotated."""
        self.draw, self.plant, self.marks = random.Random(seed), plant, marks
        self.ranks, self.steps = self.draw.randint(2, 4), self.draw.randint(2, 3)
        self.events = [[] for _ in range(self.ranks)]
        self.host = [1000000 + 200 * rank for rank in range(self.ranks)]  # so no two are equally late
        self.device = [0] * self.ranks
        self.number = 0
        for step in range(1, self.steps + 1):
            self.step(step)

    def span(self, rank, cat, name, tid, start, end, **args):
        self.events[rank].append({"cat": cat, "name": name, "tid": tid, "start": start, "end": end, "args": args})

    def work(self, rank, dur, name="gemm", stream=7, cat="kernel", after=0):
        """The host launches work; it runs when the stream is free."""
        self.number += 1
        at = self.host[rank]
        self.host[rank] += self.draw.randint(3000, 9000)
        launched = self.host[rank] - 1000
        self.span(rank, "cuda_runtime", "cudaLaunchKernel", 100, at, launched, correlation=self.number)
        start = max(self.device[rank], launched + 2000, after)
        self.device[rank] = start + dur
        self.span(rank, cat, name, stream, start, start + dur, correlation=self.number, device=0, stream=stream)
        return self.events[rank][-1]

    def late(self, rank, stage):
        return self.plant[2] if self.plant and self.plant[:2] == (rank, stage) else 0

    def step(self, number):
        began, open_at, arrivals = list(self.host), {}, {}
        for stage in STAGES:
            for rank in range(self.ranks):
                self.host[rank] += self.draw.randint(1000, 5000)
                open_at[rank] = self.host[rank]
                if stage == "data":
                    self.host[rank] += self.draw.randint(20000, 40000) + self.late(rank, stage)
                    self.work(rank, self.draw.randint(1000, 3000), "copy", 7, "gpu_memcpy")
                for _ in range(0 if stage == "data" else self.draw.randint(1, 4)):
                    self.work(rank, self.draw.randint(5000, 20000))
                if stage != "data" and self.late(rank, stage):
                    self.work(rank, self.late(rank, stage))
                if stage == "backward":
                    arrivals[rank] = self.work(rank, 0, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 20)
                    arrivals[rank]["args"].update({
                        "Collective name": "allreduce", "dtype": "Float", "In msg nelems": 1000, "Out msg nelems": 1000,
                        "Group size": self.ranks, "Process Group Name": "0", "Seq": number,
                        "Process Group Ranks": str(list(range(self.ranks)))})
                if stage != "backward" and self.marks:
                    self.span(rank, "user_annotation", stage, 100, open_at[rank], self.host[rank])
            if stage == "backward":
                self.meet(arrivals, open_at)
        for rank in range(self.ranks):
            self.host[rank] = max(self.host[rank], self.device[rank]) + 3000
            self.span(rank, "user_annotation", "ProfilerStep#%d" % number, 100, began[rank], self.host[rank])
            if self.marks and rank == 0 and self.draw.random() < 0.5:  # no other rank has it
                self.span(rank, "user_annotation", "log", 100, self.host[rank] - 2000, self.host[rank] - 1000)

    def meet(self, arrivals, open_at):
        end = max(e["start"] for e in arrivals.values()) + 15000
        for rank, e in arrivals.items():
            e["end"] = self.device[rank] = end
            self.host[rank] = max(self.host[rank], end)  # backward waits
            if self.marks:
                self.span(rank, "user_annotation", "backward", 100, open_at[rank], self.host[rank])
                self.span(rank, "user_annotation", "inner", 100, open_at[rank] + 10, self.host[rank] - 10)

    def write(self, clocks=None):
        """The traces; clocks: offset (ns) and drift (ppm) of each rank."""
        names = []
        for rank, events in enumerate(self.events):
            offset, ppm = clocks[rank] if clocks else (0, 0)

            def us(t):
                return round(t + offset + t * ppm / 1e6) / 1000

            out = [{"ph": "X", "cat": e["cat"], "name": e["name"], "pid": 9, "tid": e["tid"], "ts": us(e["start"]),
                    "dur": round(us(e["end"]) - us(e["start"]), 3), "args": e["args"]} for e in events]
            names.append("rank%d.json" % rank)
            with open(names[-1], "w") as f:
                json.dump({"distributedInfo": {"rank": rank, "world_size": self.ranks}, "traceEvents": out}, f)
        return names


# ---- the same, without the program ----

def step_ends(events):
    """The steps of a rank: number, host start and end, start and end.  All its work is on streams 7 and 20."""
    steps, before = [], None
    for e in sorted((e for e in events if e["name"].startswith("ProfilerStep#")), key=lambda e: e["start"]):
        inside = [w for w in launched(events) if e["start"] <= w[1] < e["end"]]
        end = max([e["end"], before or e["end"]] + [w[0]["end"] for w in inside if w[0]["args"]["stream"] == 7])
        steps.append((int(e["name"][13:]), e["start"], e["end"], e["start"] if before is None else before, end))
        before = end
    return steps


def launched(events):
    """Device work with the start and the end of its launch call."""
    calls = {e["args"]["correlation"]: e for e in events if e["cat"] == "cuda_runtime"}
    return [(e, calls[e["args"]["correlation"]]["start"], calls[e["args"]["correlation"]]["end"]) for e in events
            if e["cat"] in ("kernel", "gpu_memcpy")]


def marks_of(events, start, end):
    inside = [e for e in events if e["cat"] == "user_annotation" and start <= e["start"] and e["end"] <= end and
              not e["name"].startswith("Prof")]
    top = [e for e in inside
           if not any(o is not e and o["start"] <= e["start"] and e["end"] <= o["end"] for o in inside)]
    return sorted(top, key=lambda e: e["start"])


def account(events, start, end):
    """What each moment between two times counts for."""
    of, work = dict.fromkeys(CAUSES, 0), launched(events)
    cuts = sorted({start, end} | {t for w in work for t in (w[0]["start"], w[0]["end"], w[2]) if start < t < end})
    for a, b in zip(cuts, cuts[1:]):
        runs = [w[0] for w in work if w[0]["start"] <= a < w[0]["end"]]
        later = [w for w in work if w[0]["start"] > a]
        if any(r["cat"] == "kernel" and "nccl" not in r["name"] for r in runs):
            of["compute"] += b - a
        elif any("nccl" in r["name"] for r in runs):
            of["communication"] += b - a
        elif runs:
            of["memory"] += b - a
        else:
            following = min(later, key=lambda w: w[0]["start"]) if later else None
            of["host" if not following or a < following[2] else "idle"] += b - a
    return of


def by_annotations(job, ranks, number):
    """The bounds of stages of each rank, and their names."""
    marks = [marks_of(events, s[1], s[2]) for events, s in ranks]
    names = [[m["name"] for m in of] for of in marks]
    common = [n for n in names[0] if all(of.count(n) == names[0].count(n) for of in names)]
    bounds = []
    for (events, s), of in zip(ranks, marks):
        at, cuts, ends = s[3], [t for m in of if m["name"] in common for t in (m["start"], m["end"])], []
        for k, host in enumerate(cuts + [None]):
            first = cuts[k - 1] if k else s[1]
            ends.append(s[4] if host is None else max(
                [at, host] + [w[0]["end"] for w in launched(events)
                              if s[1] <= w[1] < s[2] and first <= w[1] < host and w[0]["cat"] == "kernel"]))
            at = ends[-1] = min(ends[-1], s[4])
        bounds.append(ends)
    stages = list(range(2 * len(common) + 1))
    for ends, (events, _) in zip(bounds, ranks):  # the all-reduce cuts the stage in which it is launched
        e = [e for e in events if "nccl" in e["name"] and e["args"]["Seq"] == number][0]
        k = 2 * common.index("backward") + 1
        ends[k:k] = [min(max(t, ends[k - 1]), ends[k]) for t in (e["start"], e["end"])]
    stages[k:k] = [k, k]
    return bounds, common, stages


def by_collectives(job, ranks, number):
    bounds = []
    for events, s in ranks:
        e = [e for e in events if "nccl" in e["name"] and e["args"]["Seq"] == number][0]
        bounds.append([min(max(e["start"], s[3]), s[4]), min(max(e["end"], s[3]), s[4]), s[4]])
    return bounds, ["allreduce"], [0, 1, 2]


def behind(spent, rank):
    """How far a rank is behind all others."""
    return max(0, min(spent[rank] - of for r, of in enumerate(spent) if r != rank))


def expected(job):
    rows, steps = [], [step_ends(events) for events in job.events]
    for i in range(job.steps):
        number = steps[0][i][0]
        ranks = [(events, of[i]) for events, of in zip(job.events, steps)]
        bounds, names, stages = (by_annotations if job.marks else by_collectives)(job, ranks, number)
        names = ["before " + n if k == 0 else n for n in names for k in range(2)] + ["after " + names[-1]]
        before, total, of = 0, max(b[-1] - r[1][3] for b, r in zip(bounds, ranks)), {}
        for k, stage in enumerate(stages):
            spent = [b[k] - r[1][3] for b, r in zip(bounds, ranks)]
            rank = spent.index(max(spent))
            if max(spent) > before:
                start = bounds[rank][k - 1] if k else ranks[rank][1][3]
                row = of.setdefault((stage, rank), [0, 0, dict.fromkeys(CAUSES, 0), 0])
                row[0] += max(spent) - before
                row[3] += max(0, behind(spent, rank) - (behind(last, rank) if k else 0))
                row[1] += bounds[rank][k] - start
                for cause, ns in account(ranks[rank][0], start, bounds[rank][k]).items():
                    row[2][cause] += ns
            before, last = max(spent), spent
        for (stage, rank), (exposed, dur, parts, late) in sorted(of.items()):
            cause = max(CAUSES, key=lambda c: parts[c])
            rows.append([names[stage], rank, number, exposed, 100 * exposed / total, cause,
                         stage, dur, total] + [parts[c] for c in CAUSES] + [job.ranks, 0, late])
    return rows


def rows_of(names):
    run = subprocess.run(["tr-comm", "--by", "stage", "-O", "json", "--unit", "ns"] + names, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stderr
    return [[row[c.replace("_us", "_ns")] for c in COLUMNS] for row in json.loads(run.stdout)]


def close(have, want, slack):
    if isinstance(want, str) or isinstance(have, str) or have is None:
        return have == want
    return abs(have - want) <= slack * (1 + abs(want) / 1e4)


def equal(have, want, slack=0.006):
    return len(have) == len(want) and all(close(h, w, slack) for a, b in zip(have, want) for h, w in zip(a, b))


def main():
    for seed in range(12):
        job = Job(seed, marks=seed % 3 != 0)
        have, want = rows_of(job.write()), expected(job)
        ok(equal(have, want), "job %d: each column" % seed)
        for h, w in zip(have, want):
            if not equal([h], [w]):
                print("# have %s\n# want %s" % (h, w))
        for number in sorted({row[2] for row in have}):
            of = [row for row in have if row[2] == number]
            ok(sum(row[3] for row in of) == of[0][8], "job %d, step %d: stages add up to the step" % (seed, number))
        clocks = [(random.Random(seed * 10 + r).randint(0, 10**9), random.Random(seed + r).randint(-5, 5))
                  for r in range(job.ranks)]
        moved = rows_of(job.write(clocks))
        keys = [[row[0], row[1], row[2], row[5]] for row in have if row[3] > 10]
        ok([[row[0], row[1], row[2], row[5]] for row in moved if row[3] > 10] == keys,
           "job %d: stages, ranks and causes do not depend on clocks" % seed)
    for seed, (stage, cause) in enumerate([("data", "host"), ("forward", "compute"), ("backward", "compute"),
                                           ("optimizer", "compute")] * 2):
        plain = Job(100 + seed)
        rank, delay = seed % plain.ranks, 500000
        have = rows_of(Job(100 + seed, plant=(rank, stage, delay)).write())
        # After the last collective, the others feel a delay in the next step.
        for number in sorted({row[2] for row in have if stage != "optimizer" or row[2] == 1}):
            most = max((row for row in have if row[2] == number), key=lambda row: row[3])
            ok(most[0] == stage and most[1] == rank and most[5] == cause and 0.8 * delay < most[3] < 1.2 * delay,
               "%s of rank %d is late: %s" % (stage, rank, most[:6]))
    print("1..%d" % count)


main()
