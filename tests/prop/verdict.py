# SPDX-License-Identifier: MIT
"""Verdicts on dumps of flight recorders of simulated jobs, with planted faults.

usage: verdict.py BIN FIRST_SEED LAST_SEED [MAX_RANKS]

A job has ranks in groups of tensor, pipeline and data parallelism.  Each rank runs its calls in order, and waits in each
until all its members have called the same; so one wrong call stops the job.  What tr-comm --by verdict says is the cause
has to be what was planted: the kind, the group, the number and the ranks; and nothing for jobs that end.
"""
import json
import os
import pickle
import random
import subprocess
import sys

KINDS = ("clean", "missing", "exited", "type", "size", "dtype", "p2p", "alltoall", "no_dump", "active", "stuck", "deadlock")
CALLS = ("all_reduce", "_all_gather_base", "_reduce_scatter_base", "broadcast", "all_to_all_single", "barrier")


class Group:
    def __init__(self, name, desc, ranks):
        self.name, self.desc, self.ranks = name, desc, ranks


def make_groups(rng, n):
    tp = rng.choice([t for t in (2, 4, 8) if t <= n and n % t == 0])
    pp = rng.choice([p for p in (1, 2, 4) if n // tp % p == 0])
    dp = n // tp // pp
    rank = lambda t, d, p: (p * dp + d) * tp + t
    groups = [Group("0", "default_pg", list(range(n)))]
    groups += [Group(str(1 + i), "tp", [rank(t, d, p) for t in range(tp)])
               for i, (d, p) in enumerate((d, p) for d in range(dp) for p in range(pp))]
    # each rank counts its own groups, so that two groups may have one name
    groups += [Group("77", "dp", [rank(t, d, p) for d in range(dp)]) for t in range(tp) for p in range(pp) if dp > 1]
    groups += [Group("99", "pp", [rank(t, d, p) for p in range(pp)]) for t in range(tp) for d in range(dp) if pp > 1]
    return groups, tp, dp, pp


def make_program(rng, groups, n, steps):
    """Calls in an order that all ranks keep: group, operation, sizes, type; of a p2p, sender and receiver in the group."""
    program = []
    for _ in range(steps):
        for g in groups:
            if g.desc == "tp":
                for _ in range(rng.randrange(1, 3)):
                    program.append((g, rng.choice(CALLS[:3]), rng.choice((64, 1024)), "Float", None))
        for g in groups:
            if g.desc == "pp":
                program += [(g, "p2p", 256, "BFloat16", (i, i + 1)) for i in range(len(g.ranks) - 1)]
        for g in groups:
            if g.desc == "dp":
                program.append((g, "all_reduce", 4096, "Float", None))
        program.append((groups[0], rng.choice(CALLS), 8 * n, "Float", None))
    return program


class Call:
    def __init__(self, group, op, size, dtype, p2p, number):
        self.group, self.op, self.size, self.dtype, self.p2p, self.number = group, op, size, dtype, p2p, number

    def __repr__(self):
        return "%s %s %s" % (self.group.desc, self.op, self.number)


def calls_of(program, n):
    """By rank: its calls; all members of a call have the same number."""
    counts, lists = {}, [[] for _ in range(n)]
    for group, op, size, dtype, p2p in program:
        key = (id(group), op == "p2p")
        counts[key] = counts.get(key, 0) + 1
        members = [group.ranks[i] for i in p2p] if p2p else group.ranks
        for r in members:
            lists[r].append(Call(group, op, size, dtype, p2p, counts[key]))
    return lists


def run(lists, n, halts):
    """How many calls of each rank are complete, and when each was made.  halts: the call that a rank never makes."""
    at, when, now = [0] * n, [[0] for _ in range(n)], 0
    moved = True
    while moved:
        moved = False
        for r in range(n):
            while at[r] < len(lists[r]):
                c = lists[r][at[r]]
                members = [c.group.ranks[i] for i in c.p2p] if c.p2p else c.group.ranks
                if at[r] >= halts.get(r, len(lists[r]) + 1) or c in STOPPED:
                    break
                ready = True
                for m in members:
                    o = lists[m][at[m]] if at[m] < len(lists[m]) and at[m] < halts.get(m, 1 << 30) else None
                    ready = ready and o is not None and o.group is c.group and o.number == c.number and \
                        (o.op == "p2p") == (c.op == "p2p") and o not in STOPPED
                if not ready:
                    break
                now += 1
                for m in members:
                    at[m] += 1
                    when[m].append(now)
                moved = True
    return at, when


STOPPED = set()


def entry(r, c, state, record, now):
    size, n = c.size, len(c.group.ranks)
    ins, outs, name = [[size]], [[size]], c.op
    if c.op == "_all_gather_base":
        outs = [[size * n]]
    elif c.op == "_reduce_scatter_base":
        ins = [[size * n]]
    elif c.op == "barrier":
        ins, outs = [[1]], [[1]]
    elif c.op == "all_to_all_single" and isinstance(c.size, tuple):
        ins, outs = [[c.size[0]]], [[c.size[1]]]
    elif c.op == "p2p":
        a, b = c.p2p
        name = "send %d->%d" % (a, b) if c.group.ranks[a] == r else "recv %d<-%d" % (b, a)
    e = {"record_id": record, "pg_id": 3, "process_group": [c.group.name, c.group.desc],
         "collective_seq_id": 0 if c.p2p else c.number, "p2p_seq_id": c.number if c.p2p else 0, "op_id": record,
         "profiling_name": "nccl:" + name, "time_created_ns": now, "input_sizes": ins, "input_dtypes": [c.dtype],
         "output_sizes": outs, "output_dtypes": [c.dtype], "state": state, "retired": state == "completed",
         "timeout_ms": 600000, "is_p2p": c.p2p is not None, "thread_id": "7", "thread_name": "main"}
    return e


def dump(r, groups, lists, at, when, halted, ring, active):
    entries, status = [], {}
    mine = [g for g in groups if r in g.ranks]
    last = at[r] + (0 if halted or at[r] >= len(lists[r]) else 1)
    for i in range(last):
        c = lists[r][i]
        e = entry(r, c, "completed" if i < at[r] else "started", i, 10 ** 18 + when[r][i] * 10 ** 6 + r)
        e["pg_id"] = mine.index(c.group)
        entries.append(e)
        if not c.p2p:
            s = status.setdefault(str(e["pg_id"]), dict.fromkeys(
                ("last_enqueued_collective", "last_started_collective", "last_completed_collective"), -1))
            s["last_enqueued_collective"] = s["last_started_collective"] = c.number
            if i < at[r]:
                s["last_completed_collective"] = c.number
    entries = entries[-ring:]
    if active:
        entries = [e for e in entries if e["state"] != "completed"]
    d = {"version": "2.10", "comm_lib_version": "2.28", "pg_status": status, "entries": entries,
         "pg_config": {"%s/%d" % (g.name, i): {"name": g.name, "desc": g.desc, "ranks": str(g.ranks)}
                       for i, g in enumerate(mine)}}
    return d


def write(rng, d, r):
    how = rng.randrange(3)
    name = "nccl_trace_rank_%d" % r
    if how == 0:
        with open(name + ".json", "w") as f:
            json.dump(d, f, sort_keys=True, separators=(",", ":"))
        return name + ".json"
    with open(name, "wb") as f:
        pickle.dump(d, f, protocol=(2, 4)[how - 1])
    return name


def plant(rng, kind, lists, n):
    """Change a call.  The truth: (kind, group, number, ranks); the ranks that halt."""
    many = [(r, i, c) for r in range(n) for i, c in enumerate(lists[r]) if len(c.group.ranks) > 2 and not c.p2p and i > 3]
    if not many:
        return None, {}
    r, i, c = rng.choice(many)
    truth = None
    halts = {}
    if kind in ("missing", "exited", "active", "no_dump"):
        halts[r] = i
        truth = ("missing_rank", c, [r])
    elif kind in ("type", "size", "dtype"):
        many = [x for x in many if x[2].op not in ("barrier", "all_to_all_single", "broadcast")]
        if not many:
            return None, {}
        r, i, c = rng.choice(many)
        w = Call(c.group, c.op, c.size, c.dtype, None, c.number)
        if kind == "type":
            w.op = "gather"
        elif kind == "size":
            w.size = c.size + 8
        else:
            w.dtype = "Half"
        lists[r][i] = w
        truth = (kind + "_mismatch", c, [r])
    elif kind == "alltoall":
        all_to_all = [x for x in many if x[2].op == "all_to_all_single"]
        if not all_to_all:
            return None, {}
        r, i, c = rng.choice(all_to_all)
        for m in c.group.ranks:
            k = next(k for k, x in enumerate(lists[m]) if x.group is c.group and x.number == c.number and not x.p2p)
            w = Call(c.group, c.op, (c.size + m, c.size + (m + 1) % n + (m == r)), c.dtype, None, c.number)
            lists[m][k] = w
            STOPPED.add(w)
        truth = ("size_mismatch", c, [])
    elif kind == "p2p":
        p2p = [(m, k, x) for m in range(n) for k, x in enumerate(lists[m]) if x.p2p and k > 3]
        if not p2p:
            return None, {}
        r, i, c = rng.choice(p2p)
        halts[r] = i
        truth = ("missing_rank", c, [r])
    elif kind == "stuck":
        truth = ("stuck", c, [])
    elif kind == "deadlock":
        # two ranks that share two groups call them in different orders
        world = [(m, k, x) for m in range(n) for k, x in enumerate(lists[m]) if k > 3 and x.group.desc == "default_pg"]
        r, i, c = rng.choice(world)
        if lists[r][i - 1].group is c.group or lists[r][i - 1].p2p:
            return None, {}
        truth = ("deadlock", c, None)
        lists[r][i - 1], lists[r][i] = lists[r][i], lists[r][i - 1]
    if kind in ("type", "size", "dtype", "stuck"):
        for m in c.group.ranks:
            STOPPED.update(x for x in lists[m] if x.group is c.group and x.number == c.number and not x.p2p)
    return truth, halts


def case(bin, seed, most):
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    n = rng.choice([k for k in (8, 16, 32, 64, 128, 256, 512) if k <= most])
    groups, _, _, _ = make_groups(rng, n)
    steps = rng.randrange(2, 5)
    lists = calls_of(make_program(rng, groups, n, steps), n)
    STOPPED.clear()
    truth, halts = (None, {}) if kind == "clean" else plant(rng, kind, lists, n)
    at, when = run(lists, n, halts)
    ring = rng.choice((2000, 2000, 12))
    names = []
    for f in os.listdir("."):
        if f.startswith("nccl_trace"):
            os.remove(f)
    for r in range(n):
        active = kind == "active" and rng.random() < 0.7
        d = dump(r, groups, lists, at, when, r in halts, ring, active)
        if kind == "no_dump" and r in halts:
            continue
        names.append(write(rng, d, r))
    rng.shuffle(names)
    p = subprocess.run([bin + "/tr-comm", "--by", "verdict", "-q", "-O", "json", *names], capture_output=True, text=True)
    if p.returncode not in (0, 1, 5):
        return "%s: status %d: %s" % (kind, p.returncode, p.stderr[:200])
    rows = json.loads(p.stdout)
    causes = [r for r in rows if r["cause"] == "yes"]
    if truth is None:
        return None if p.returncode == 0 and not causes and rows[0]["verdict"] == "none" else "%s: false alarm: %s" % (
            kind, json.dumps(causes or rows)[:300])
    name, c, ranks = truth
    if kind == "no_dump":
        return None if p.returncode == 5 and not causes and any(r["verdict"] == "undecided" for r in rows) else \
            "no_dump: status %d, %s" % (p.returncode, json.dumps(rows)[:300])
    if kind == "deadlock":
        return None if p.returncode == 1 and {r["verdict"] for r in causes} == {"deadlock"} and len(causes) >= 2 else \
            "deadlock: %s" % json.dumps(rows)[:400]
    if kind == "active" and not causes and p.returncode == 5:
        return None  # the dump of the rank at fault says nothing
    if len(causes) != 1 or p.returncode != 1:
        return "%s (%s): status %d, %d causes: %s" % (kind, truth, p.returncode, len(causes), json.dumps(causes)[:300])
    got = causes[0]
    for o in lists[ranks[0]][halts[ranks[0]]:] if ranks and ranks[0] in halts else ():
        if (o.group.desc, o.number, str(o.group.ranks)) == (got["group"], got["seq"], got["group_ranks"]):
            c = o  # which of its calls a rank lacks first is not in any dump
    want = (name, c.group.desc, str(c.group.ranks), c.number, " ".join(map(str, ranks)))
    seen = (got["verdict"], got["group"], got["group_ranks"], got["seq"], got["ranks"] or "")
    return None if want == seen else "%s: want %s, got %s" % (kind, want, seen)


def main():
    bin, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    most = int(sys.argv[4]) if len(sys.argv) > 4 else 64
    wrong, n, by = [], 0, {}
    for seed in range(first, last):
        bad = case(bin, seed, most)
        n += 1
        k = by.setdefault(KINDS[seed % len(KINDS)], [0, 0])
        k[0] += 1
        k[1] += bad is None
        if bad:
            wrong.append((seed, bad))
    print("%s 1 - verdicts of %d jobs" % ("not ok" if wrong else "ok", n))
    for w in wrong[:20]:
        print("#", str(w)[:500])
    print("# right of all:", " ".join("%s %d/%d" % (k, v[1], v[0]) for k, v in by.items()))
    print("1..1")


main()
