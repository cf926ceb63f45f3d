#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-comm against brute force, on small random jobs of several ranks.

usage: comm.py BIN TRGEN SEEDS

Half of the jobs are made by TRGEN, whose answers tell which kernels are one collective; the other half here,
with groups of one name, kinds of collectives, sends, streams of other numbers, losses and numbers missing that
TRGEN does not have.  What belongs together is known when a job is made; the numbers of every table are worked
out from that and from the JSON, and compared with what tr-comm prints.  Output is TAP, one line for each table.
"""
import concurrent.futures
import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds

SHOWN = 3
SIZES = {"Float": 4, "BFloat16": 2, "Long": 8, "Byte": 1}
IN, OUT = ("allreduce", "_reduce_scatter_base", "all_to_all", "reduce", "send"), ("_allgather_base", "recv")
WAITING = ("allreduce", "_allgather_base", "_reduce_scatter_base", "all_to_all", "all_to_allv")
TOGETHER = WAITING[:-1]  # these end on all ranks at one moment
TABLES = ("each", "members", "each member", "stragglers", "by name", "by size", "by group", "mismatches", "exchanges", "pairs", "longest match",
          "ends")


# ---- numbers, from what belongs together ----

class Member:
    def __init__(self, rank, record, event):
        self.rank, self.record, self.args = rank, record, k.args_of(event)
        self.start, self.dur = k.ns(event["ts"]), k.ns(event["dur"])
        self.end = self.start + self.dur


def half_away(x):
    return int(math.floor(x + 0.5)) if x >= 0 else -int(math.floor(-x + 0.5))


def bytes_of(members):
    """What a collective moves, if all agree on it; None otherwise."""
    found = set()
    for m in members:
        name, size = m.args["Collective name"], SIZES.get(m.args["dtype"])
        n = m.args["In msg nelems"] if name in IN else m.args["Out msg nelems"] if name in OUT else \
            max(m.args["In msg nelems"], m.args["Out msg nelems"]) if name == "broadcast" else None
        found.add(None if n is None or size is None else n * size)
    return found.pop() if len(found) == 1 else None


def rates(members, size):
    shortest = min(m.dur for m in members)
    if size is None or shortest <= 0:
        return None, None
    name, n = members[0].args["Collective name"], members[0].args["Group size"]
    if n == 1 and name not in ("send", "recv"):  # a rank alone moves no data
        return None, None
    factor = 2.0 * (n - 1) / n if name == "allreduce" else \
        (n - 1) / n if name in ("_allgather_base", "_reduce_scatter_base", "all_to_all") else 1.0
    rate = size / (shortest / 1e9)
    return rate, rate * factor


def gb(rate):
    return "" if not rate else "%.3f" % (rate / 1e9)


def first_last(members):
    first = min(members, key=lambda m: (m.start, m.rank))
    last = min(members, key=lambda m: (-m.start, m.rank))
    return first, last


def each_row(c):
    """Columns of the table without options, but for seq."""
    ms = sorted(c["members"], key=lambda m: m.rank)
    first, last = first_last(ms)
    size = bytes_of(ms)
    several = len(ms) > 1
    alg, bus = rates(ms, size)
    wait = half_away(sum(last.start - m.start for m in ms) / len(ms))
    cell = lambda ns: k.us(ns) if several else ""
    shared = min(m.end for m in ms) - last.start  # the time in which all ranks are in it
    return [c["group"], ms[0].args["Collective name"], "" if size is None else str(size), str(len(ms)),
            cell(last.start - first.start), k.us(shared) if several and shared >= 0 else "",
            k.us(min(m.dur for m in ms)), k.us(max(m.dur for m in ms)), gb(alg), gb(bus),
            str(first.rank) if several else "", str(last.rank) if several else "", c["match"],
            str(ms[0].args["Group size"]), ms[0].args["dtype"],
            cell(max(m.end for m in ms) - min(m.end for m in ms)), cell(wait)]


EACH = ("group", "name", "bytes", "ranks", "arrival_spread_us", "transfer_us", "dur_min_us", "dur_max_us",
        "algbw_GBps", "busbw_GBps", "first_rank", "last_rank", "match", "group_size", "dtype", "end_spread_us",
        "wait_mean_us")


def lag_rows(colls):
    sums = {}
    for c in colls:
        ms = c["members"]
        if len(ms) < 2 or ms[0].args["Collective name"] not in WAITING:
            continue
        first, last = first_last(ms)
        for m in ms:
            s = sums.setdefault(m.rank, [0, 0, 0, 0, 0, 0, 0])
            s[0] += m is last and last.start > first.start
            s[1] += sum(last.start - o.start for o in ms) if m is last else 0
            s[2] += m.start - first.start
            s[3] += 1
            s[4] += m is first and last.start > first.start
            s[5] += last.start - m.start
            s[6] += m.dur
    rows = sorted(sums.items(), key=lambda r: (-r[1][1], r[0]))
    return [[str(rank), str(s[0]), "%.2f" % (100 * s[0] / s[3]), k.us(s[1]), k.us(half_away(s[2] / s[3])), str(s[3]),
             str(s[4]), k.us(s[5]), k.us(half_away(s[5] / s[3])), k.us(s[6])] for rank, s in rows]


LAGS = ("rank", "last_arrivals", "pct", "wait_caused_us", "mean_lag_us", "collectives", "first_arrivals", "wait_us",
        "mean_wait_us", "dur_us")


def median(values):
    v = sorted(values)
    h = len(v) // 2
    return v[h] if len(v) % 2 else v[h - 1] + (v[h] - v[h - 1]) * 0.5


def spread_cells(v):
    return [k.us(half_away(x)) for x in (sum(v) / len(v), median(v), max(v))] if v else [""] * 3


def rate_cells(v):
    return [gb(x) for x in (sum(v) / len(v), min(v), median(v), max(v))] if v else [""] * 4


def sum_rows(colls, by):
    """Sums by name, size or group."""
    lines = {}
    for c in colls:
        ms = sorted(c["members"], key=lambda m: m.rank)
        first, last = first_last(ms)
        size = bytes_of(ms)
        name = ms[0].args["Collective name"]
        key = {"name": (name,), "size": (name, ms[0].args["dtype"], "" if size is None else str(size)),
               "group": (c["group"], str(ms[0].args["Group size"]), () if name in ("send", "recv") else tuple(c["ranks"]))}[by]
        lines.setdefault(key, []).append((min(m.dur for m in ms), last.start - first.start if len(ms) > 1 else None,
                                          *rates(ms, size),
                                          max(m.end for m in ms) - min(m.end for m in ms)
                                          if len(ms) > 1 and name in TOGETHER else None))
    rows = []
    for key, v in lines.items():
        durs, spreads = [x[0] for x in v], [x[1] for x in v if x[1] is not None]
        alg, bus = ([half_away(x[i]) for x in v if x[i]] for i in (2, 3))
        rows.append([*key[:len(SUM_KEYS[by])], str(len(v)), k.us(sum(durs)), k.us(half_away(sum(durs) / len(v))), k.us(min(durs)),
                     k.us(half_away(median(durs))), k.us(max(durs)), *spread_cells(spreads), *rate_cells(alg), *rate_cells(bus)])
        ends = [x[4] for x in v if x[4] is not None]
        rows[-1] += [k.us(half_away(median(ends))) if ends else ""] if by == "group" else []
    return sorted(rows)


SUMS = ("count", "dur_sum_us", "dur_mean_us", "dur_min_us", "dur_p50_us", "dur_max_us",
        "spread_mean_us", "spread_p50_us", "spread_max_us",
        "algbw_mean_GBps", "algbw_min_GBps", "algbw_p50_GBps", "algbw_max_GBps",
        "busbw_mean_GBps", "busbw_min_GBps", "busbw_p50_GBps", "busbw_max_GBps")
GROUP_SUMS = ("end_spread_p50_us",)
SUM_KEYS = {"name": ("name",), "size": ("name", "dtype", "bytes"), "group": ("group", "group_size")}


def member_rows(c):
    """Columns of --by member, but for seq and what tells collectives apart."""
    ms = sorted(c["members"], key=lambda m: m.rank)
    first, last = first_last(ms)
    cell = lambda ns: k.us(ns) if len(ms) > 1 else ""
    return [[c["group"], ms[0].args["Collective name"], str(m.rank), str(m.record), k.us(m.start), k.us(m.dur),
             cell(m.start - first.start), cell(last.start - m.start), c["match"], m.args["dtype"]] for m in ms]


MEMBERS = ("group", "name", "rank", "record", "start_us", "dur_us", "lag_us", "wait_us", "match", "dtype")


EXCHANGES = ("group", "ranks", "bytes", "wall_us", "total_GBps", "rank_min_GBps", "rank_max_GBps", "imbalance",
             "dur_min_us", "dur_mean_us", "dur_max_us", "arrival_spread_us", "end_spread_us", "span")


def exchange_rows(colls, node):
    rows = []
    for c in colls:
        ms = c["members"]
        if ms[0].args["Collective name"] != "all_to_allv":
            continue
        sent = [m.args["In msg nelems"] * SIZES[m.args["dtype"]] for m in ms]
        wall, several = max(m.end for m in ms) - min(m.start for m in ms), len(ms) > 1
        own = [n / m.dur for n, m in zip(sent, ms)]
        cell = lambda ns: k.us(ns) if several else ""
        rows.append([c["group"], str(len(ms)), str(sum(sent)), k.us(wall), "%.3f" % (sum(sent) / wall), "%.3f" % min(own),
                     "%.3f" % max(own), "%.3f" % (max(sent) * len(sent) / sum(sent)) if sum(sent) else "",
                     k.us(min(m.dur for m in ms)), k.us(half_away(sum(m.dur for m in ms) / len(ms))), k.us(max(m.dur for m in ms)),
                     cell(max(m.start for m in ms) - min(m.start for m in ms)), cell(max(m.end for m in ms) - min(m.end for m in ms)),
                     "intra" if len({r // node for r in c["ranks"]}) == 1 else "inter"])
    return sorted(rows)


PAIRS = ("src", "dst", "count", "bytes", "mean_bytes", "span")


def pair_rows(colls, node):
    sums = {}
    for c in colls:
        for m in c["members"]:
            if m.args["Collective name"] == "all_to_allv":
                for to, n in zip(c["ranks"], json.loads(m.args["In split size"])):
                    s = sums.setdefault((m.rank, to), [0, 0])
                    s[0] += 1
                    s[1] += n * SIZES[m.args["dtype"]]
    return [[str(a), str(b), str(n), str(size), "%.3f" % (size / n), "intra" if a // node == b // node else "inter"]
            for (a, b), (n, size) in sorted(sums.items())]


# ---- jobs ----

def events_of(path):
    with open(path, encoding="utf-8") as f:
        trace = json.load(f, parse_float=k.Decimal)
    return trace["traceEvents"]


def generated(rng, trgen, folder):
    """A job of TRGEN: files, collectives, whether losses are among unnumbered ones."""
    ranks = rng.randint(1, 5)
    size = rng.choice([n for n in range(1, ranks + 1) if ranks % n == 0])
    seq = rng.choice(("both", "both", "record", "none"))
    missing = rng.choice((0, 0, 0.1, 0.3)) if seq != "none" else 0
    argv = [trgen, "--output", folder, "--ranks", ranks, "--group-size", size, "--steps", rng.randint(1, 2), "--layers", 1,
            "--collectives", rng.randint(1, 6), "--python", 0, "--metadata", 0, "--seq", seq, "--missing", missing,
            "--vendor", rng.choice(("nvidia", "amd", "mtia", "xpu")), "--straggler", rng.randint(-1, ranks - 1),
            "--offset-ns", "0,%d,%d" % (rng.randint(-10**6, 10**6), rng.randint(-10**7, 10**7)),
            "--drift-ppb", "0,%d" % rng.randint(-10**5, 10**5), "--seed", rng.randint(1, 10**9),
            "--grid-ns", rng.choice((0, 0, 1000, 4000))] + rng.choice(([], ["--pid-collision"]))
    subprocess.run([str(a) for a in argv], check=True, stdout=subprocess.DEVNULL)
    files, colls = [], {}
    for r in range(ranks):
        files.append(os.path.join(folder, "rank%d.json" % r))
        events = events_of(files[-1])
        with open(os.path.join(folder, "rank%d.collectives.tsv" % r), encoding="utf-8") as f:
            head, *rows = [line.rstrip("\n").split("\t") for line in f]
        for row in (dict(zip(head, x)) for x in rows):
            if int(row["element"]) < len(events) and row["element"] != "18446744073709551615":
                c = colls.setdefault((row["group"], int(row["seq"])), {
                    "group": row["group"], "match": "order" if seq == "none" else "seq", "members": [],
                    "ranks": range(r // size * size, r // size * size + size)})
                c["members"].append(Member(r, int(row["element"]), events[int(row["element"])]))
                c["members"][-1].args = {**c["members"][-1].args, "Seq": int(row["seq"])}
    return files, list(colls.values())


class Job:
    """A job made here: ranks, groups, and each rank's kernels one after the other."""
    def __init__(self, rng):
        self.rng, self.ranks = rng, rng.randint(2, 4)
        self.events = [[{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": "job"}}]
                       for _ in range(self.ranks)]
        self.grid = rng.choice((1, 1, 10000))  # of a coarse clock, on which ranks come at one time
        self.now = [self.coarse(rng.randint(0, 10**6 if self.grid == 1 else 0)) for _ in range(self.ranks)]
        self.clock = [self.coarse(rng.randint(-10**5, 10**5 if self.grid == 1 else -10**5)) + 10**6
                      for _ in range(self.ranks)]
        self.shift = rng.choice((0, 1, 10))  # streams of rank r are higher by r times this
        self.groups, self.ext = [], 100
        for _ in range(rng.randint(1, 3)):
            members = sorted(rng.sample(range(self.ranks), rng.randint(1, self.ranks)))
            self.groups.append({"ranks": members, "name": rng.choice(("tp", "dp")), "seq": 0, "counts": {},
                                "numbers": rng.choice(("kernel", "record", "none", "ids")), "ids": rng.choice((0, rng.getrandbits(64))),
                                "stream": len(self.groups) * 100 + 7})
        self.groups = [g for i, g in enumerate(self.groups) if all(
            (g["name"], g["ranks"]) != (o["name"], o["ranks"]) for o in self.groups[:i])]

    def kernel(self, rank, group, args, numbers, start, dur):
        """Print a kernel, and the host record it belongs to; its index in the file."""
        at = lambda t: "%d.%03d" % ((t + self.clock[rank]) // 1000, (t + self.clock[rank]) % 1000)
        span = lambda cat, name, tid, ts, ns, a: {"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": tid,
                                                  "ts": at(ts), "dur": "%d.%03d" % (ns // 1000, ns % 1000), "args": a}
        self.ext += 1
        own = dict(args)
        if numbers == "record":
            rec = dict(args)
            for key in self.rng.choice(((), ("Collective name", "In msg nelems", "Out msg nelems", "dtype",
                                             "Process Group Name", "Process Group Ranks", "Group size"))):
                own.pop(key, None)
            own.pop("Seq", None)
            own.pop("Comms Id", None)
            self.events[rank].append(span("cpu_op", "record_param_comms", 99, start - 500, 300,
                                          {**rec, "External id": self.ext}))
        stream = group["stream"] + rank * self.shift
        self.events[rank].append(span("kernel", "ncclDevKernel_Generic(ncclDevKernelArgs)", stream, start, dur,
                                      {**own, "device": rank, "stream": stream, "External id": self.ext}))
        member = Member(rank, len(self.events[rank]) - 1, self.events[rank][-1])
        member.args = args
        return member

    def coarse(self, ns):
        return -(-ns // self.grid) * self.grid

    def arrive(self, rank):
        self.now[rank] += self.coarse(self.rng.randint(1000, 50000))
        return self.now[rank]

    def collective(self, group, lose):
        """One collective of a group; None if it is lost on all ranks."""
        rng = self.rng
        name = rng.choice(("allreduce", "_allgather_base", "_reduce_scatter_base", "all_to_all", "all_to_allv",
                           "broadcast", "reduce"))
        n, size = rng.choice((1000, 4096)), len(group["ranks"])
        sent = {"_allgather_base": (n, n * size), "_reduce_scatter_base": (n * size, n)}.get(name, (n, n))
        args = {"Collective name": name, "In msg nelems": sent[0], "Out msg nelems": sent[1],
                "dtype": rng.choice(("Float", "BFloat16", "Long")), "Group size": size,
                "Process Group Name": group["name"], "Process Group Ranks": str(group["ranks"])}
        if group["numbers"] == "ids":
            args["Comms Id"] = rng.getrandbits(64)
        elif group["numbers"] != "none":
            group["seq"] += lose or rng.random() < 0.8  # else coalesced: the number occurs again
            args["Seq"] = group["seq"]
            if group["ids"]:  # of the number, as of all that tells collectives apart
                args["Comms Id"] = (group["ids"] * group["seq"]) % 2**64
        starts = {r: self.arrive(r) for r in group["ranks"]}
        end = max(starts.values()) + self.coarse(rng.randint(1000, 30000))
        members = []
        for r in group["ranks"]:
            self.now[r] = end
            if not (lose and rng.random() < 0.2):
                if name == "all_to_allv":  # each rank has its own sizes
                    parts = [rng.choice((0, rng.randint(0, n))) for _ in group["ranks"]]
                    args = {**args, "In msg nelems": sum(parts), "Out msg nelems": rng.randint(0, n), "In split size": str(parts)}
                members.append(self.kernel(r, group, args, group["numbers"], starts[r],
                                           end + rng.randint(0, 99 if self.grid == 1 else 0) - starts[r]))
        return {"group": group["name"], "match": {"none": "order", "ids": "id"}.get(group["numbers"], "seq"),
                "members": members, "ranks": group["ranks"], "seq": args.get("Seq")} if members else None

    def send(self, partner=True):
        """From one rank to another, which may never receive; numbers counted by each rank on its own."""
        a, b = self.rng.sample(range(self.ranks), 2)
        group = {"stream": 900}
        args = {"In msg nelems": 500, "Out msg nelems": 500, "dtype": "Byte", "Group size": self.ranks,
                "Process Group Name": "pp", "Process Group Ranks": str(list(range(self.ranks))),
                "Seq": self.rng.randint(1, 99)}
        starts, members = {r: self.arrive(r) for r in (a, b)}, []
        end = max(starts.values()) + self.coarse(2000)
        both = ((a, "send", {"Dst Rank": b}), (b, "recv", {"Src Rank": a}))
        for r, name, peer in both if partner else both[:1]:
            self.now[r] = end
            members.append(self.kernel(r, group, {"Collective name": name, **args, **peer}, "kernel", starts[r],
                                       end - starts[r]))
        return {"group": "pp", "match": "order", "members": members, "ranks": [a, b], "alone": not partner}

    def write(self, folder):
        files = []
        for r in range(self.ranks):
            files.append(os.path.join(folder, "rank%d.json" % r))
            with open(files[-1], "w", encoding="utf-8") as f:
                text = json.dumps({"distributedInfo": {"rank": r}, "traceEvents": self.events[r]})
                f.write(text)
        return files


def made(rng, folder):
    """A job made here.  Only a collective whose number occurs once may be lost on a rank."""
    job, colls = Job(rng), []
    for _ in range(rng.randint(1, 20)):
        colls.append(job.send() if rng.random() < 0.2 else job.collective(rng.choice(job.groups), False))
    numbered = [g for g in job.groups if g["numbers"] not in ("none", "ids")]
    for _ in range(rng.randint(0, 10) if numbered else 0):
        colls.append(job.collective(rng.choice(numbered), True))
    colls += [job.send(False) for _ in range(rng.choice((0, 0, 1, 2)))]
    return job.write(folder), [c for c in colls if c]


def missing_rows(colls):
    """(group, number, rank, problem) of collectives that a rank of the group does not show, and of sends that nobody
    receives; these have no number."""
    shown, rows = {}, []
    for c in colls:
        for m in c["members"]:
            shown.setdefault((c["group"], str(list(c["ranks"])), m.rank), []).append(m.args.get("Seq"))
    for c in colls:
        if c.get("alone"):
            before = any(o["ranks"] == c["ranks"] and o.get("alone") is False for o in colls)
            rows.append([c["group"], "", str(c["ranks"][1]), "outside" if before else "missing"])
        seq = c["members"][0].args.get("Seq")
        for r in c["ranks"] if c["match"] == "seq" else ():
            if r not in {m.rank for m in c["members"]}:
                own = shown.get((c["group"], str(list(c["ranks"])), r))
                outside = own and not min(own) <= seq <= max(own)
                rows.append([c["group"], str(seq), str(r), "outside" if outside else "missing"])
    return sorted(rows)


# ---- two ranks that have lost some ----

def common(a, b):
    """Length of the longest common subsequence."""
    row = [0] * (len(b) + 1)
    for x in a:
        new = [0]
        for j, y in enumerate(b):
            new.append(row[j] + 1 if x == y else max(new[-1], row[j + 1]))
        row = new
    return row[-1]


def lossy(rng, folder, bin_dir):
    """Unnumbered collectives of two ranks that do not end together: as many equal ones as possible stand together, in
    order."""
    kinds = rng.randint(1, 4)
    job = [rng.randrange(kinds) for _ in range(rng.randint(1, 60))]
    shown, files = [], []
    for r in range(2):
        shown.append([x for x in job if rng.random() > rng.choice((0, 0.1, 0.5))])
        files.append(os.path.join(folder, "rank%d.json" % r))
        events = [{"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 7, "ts": 10 * (i + 1), "dur": 5, "args": {
            "device": r, "stream": 7, "Collective name": "broadcast", "In msg nelems": 100 + x, "dtype": "Float",
            "Group size": 2, "Process Group Name": "0", "Process Group Ranks": "[0, 1]"}} for i, x in enumerate(shown[r])]
        with open(files[-1], "w", encoding="utf-8") as f:
            json.dump({"distributedInfo": {"rank": r}, "traceEvents": events}, f)
    pairs = {}
    for row in tsv(bin_dir, files, "--by", "member"):
        pairs.setdefault(int(row["seq"]), {})[int(row["rank"])] = int(row["record"])
    equal, last, bad = 0, [-1, -1], []
    for seq in sorted(pairs):
        for r, record in pairs[seq].items():
            if record <= last[r]:
                bad.append("rank %d goes back at %d" % (r, seq))
            last[r] = record
        if len(pairs[seq]) == 2:
            equal += shown[0][pairs[seq][0]] == shown[1][pairs[seq][1]]
    if sum(len(p) for p in pairs.values()) != len(shown[0]) + len(shown[1]):
        bad.append("members are lost")
    return (bad, []) if bad else (equal, common(*shown))


def ended(rng, folder, bin_dir):
    """Unnumbered all-reduces, most of them alike, that end on all ranks at nearly one moment, on clocks of their own;
    some are lost.  Those that were one stand together.  One rank in jobs of four or five may show more of them than any
    other, at times that have nothing to do with theirs; what it stands beside does not matter."""
    n, ranks, at, job = rng.randint(30, 60), rng.randint(2, 5), 0, []
    odd = rng.randrange(ranks) if ranks > 3 and rng.random() < 0.5 else -1
    for i in range(n):
        at += rng.randint(40000, 900000)
        job.append((at, rng.choice((100, 100, 100, 200))))
    want, files = [[] for _ in job], []
    for r in range(ranks):
        clock, lost, events = rng.randint(10**6, 10**9), rng.choice((0, 0.05, 0.2)), []
        own, at = job, 0
        if r == odd:
            lost, own = 0, [(at := at + rng.randint(40000, 900000), 100) for _ in range(n + 5)]
        for i, (end, size) in enumerate(own):
            if rng.random() < lost:
                continue
            start, end = clock + end - rng.randint(5000, 30000), clock + end + rng.randint(-400, 400)
            if r != odd:
                want[i].append((r, len(events)))
            events.append({"ph": "X", "cat": "kernel", "name": "nccl", "pid": 0, "tid": 7,
                           "ts": start / 1000, "dur": (end - start) / 1000, "args": {
                               "device": r, "stream": 7, "Collective name": "allreduce", "In msg nelems": size,
                               "dtype": "Float", "Process Group Name": "0"}})
        files.append(os.path.join(folder, "rank%d.json" % r))
        with open(files[-1], "w", encoding="utf-8") as f:
            json.dump({"distributedInfo": {"rank": r}, "traceEvents": events}, f)
    have = {}
    for row in tsv(bin_dir, files, "--by", "member"):
        if int(row["rank"]) != odd:
            have.setdefault(row["collective"], []).append((int(row["rank"]), int(row["record"])))
    return sorted(sorted(c) for c in have.values()), sorted(c for c in want if c)


# ---- comparison ----

def tsv(bin_dir, files, *options):
    p = subprocess.run([os.path.join(bin_dir, "tr-comm"), "-q", "-O", "tsv", *options, *files], stdin=subprocess.DEVNULL,
                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode:
        raise RuntimeError("tr-comm: status %d: %s" % (p.returncode, p.stderr.decode("utf-8", "replace")[-300:]))
    head, *lines = [line.split("\t") for line in p.stdout.decode().split("\n")[:-1]]
    return [dict(zip(head, line)) for line in lines]


def pick(rows, columns):
    return [[r[c] for c in columns] for r in rows]


def compare(bin_dir, trgen, seed):
    """For each table: what was tried, what there is and what there should be."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        files, colls = generated(rng, trgen, folder) if seed % 2 else made(rng, folder)
        parts = lambda sets: sorted(sorted(x) for x in sets)
        have, members = {}, tsv(bin_dir, files, "--by", "member")
        for r in members:
            have.setdefault(r["collective"], []).append((int(r["rank"]), int(r["record"])))
        node = rng.randint(1, 3)
        results = [
            (sorted(pick(tsv(bin_dir, files), EACH)), sorted(each_row(c) for c in colls)),
            (parts(have.values()), parts([(m.rank, m.record) for m in c["members"]] for c in colls)),
            (sorted(pick(members, MEMBERS)), sorted(row for c in colls for row in member_rows(c))),
            (pick(tsv(bin_dir, files, "--by", "straggler"), LAGS), lag_rows(colls)),
            *((sorted(pick(tsv(bin_dir, files, "--by", by), SUM_KEYS[by] + SUMS + (GROUP_SUMS if by == "group" else ()))),
                sum_rows(colls, by)) for by in SUM_KEYS),
            (sorted([group, "" if group == "pp" else seq, rank, problem] for group, seq, rank, problem in
                    pick(tsv(bin_dir, files, "--by", "mismatch"), ("group", "seq", "rank", "problem"))), missing_rows(colls)),
            (sorted(pick(tsv(bin_dir, files, "--by", "exchange", "--gpus-per-node", str(node)), EXCHANGES)),
             exchange_rows(colls, node)),
            (pick(tsv(bin_dir, files, "--by", "pair", "--gpus-per-node", str(node)), PAIRS), pair_rows(colls, node)),
            lossy(rng, folder, bin_dir),
            ended(rng, folder, bin_dir)]
    return [("seed %d" % seed, have, want) for have, want in results]


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, trgen, of = sys.argv[1], sys.argv[2], seeds.of(sys.argv[3])
    n = len(of)
    bad = [[] for _ in TABLES]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        for results in pool.map(compare, [bin_dir] * n, [trgen] * n, of, chunksize=10):
            for i, (what, have, want) in enumerate(results):
                if have != want:
                    bad[i].append((what, have, want))
    print("1..%d" % len(TABLES))
    for i, table in enumerate(TABLES):
        print("%sok %d - tr-comm %s: %d jobs" % ("not " if bad[i] else "", i + 1, table, n))
        for what, have, want in bad[i][:SHOWN]:
            lists = isinstance(have, list) and isinstance(want, list)
            print("# %s: tr-comm has %s" % (what, [r for r in have if r not in want][:4] if lists else have))
            print("# %s: should have %s" % (what, [r for r in want if r not in have][:4] if lists else want))
    return 0


if __name__ == "__main__":
    sys.exit(main())
