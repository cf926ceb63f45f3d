#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do programs that pass a stream on change what they say they change, and nothing else?

usage: carried.py BIN TRGEN TABLES N [FIRST]

For the random jobs of the seeds FIRST [1], FIRST + 1, ... (N of them): everything in the stream of a job, as the
reader of tests/spec sees it, is compared with everything in what each program writes about it: events with
their args, shapes, flows and launches, the labels of processes and threads, header entries, clocks, salvage counts, steps,
provenance, and tables, of which TABLES gives the stream random ones.  What a program may change stands in its function below.  Output is TAP, one line for each program.
"""
import concurrent.futures
import copy
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter

sys.dont_write_bytecode = True  # the source tree may be read-only
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "spec"))
import read

SHOWN = 4
ALL = "dur >= 0 || !(dur >= 0)"
TIME, TRACK, RECORD = 17, 18, 19  # types of columns of tables
TEXTS = (7, 8, 9)  # types of values whose number is that of a string


class Whole:
    """What a stream holds, with all numbers of strings, tracks and shapes replaced by what they stand for."""
    def __init__(self, path):
        s = read.Stream(read.load(path))
        text = lambda i: None if i == read.NO_STR else s.strings[i].decode("utf-8", "surrogateescape")
        value = lambda kind, v: text(v) if kind in TEXTS else v
        self.sorted, self.filtered = s.sorted, s.summary[0] >> 1
        self.runs = [(*(x.decode() for x in run[:3]), run[3]) for run in s.runs]
        self.sources = [{**x, "names": [text(n) for n in x["names"]],
                         "header": [(text(k), text(v)) for k, v in x["header"]]} for x in s.sources]
        self.clocks, self.summary = s.clocks, s.summary[1]
        self.tracks = [{**t, "pid": value(t["pid_type"], t["pid"]),
                        "tid": value(t["tid_type"] or t["pid_type"], t["tid"]),
                        "names": [text(n) for n in t["names"]]} for t in s.tracks]
        shapes = [(letter, tuple((text(k), place, role, kind) for k, place, role, kind, _ in slots))
                  for letter, slots in s.shapes]
        columns = [(text(c[0]), c[1], c[2]) for c in s.columns]
        self.events = []
        for e in s.events:
            packed = {columns[c]: value(columns[c][2], v) for c, v in e["packed"].items()}
            self.events.append({**e, "name": text(e["name"]), "cat": text(e["cat"]), "shape": shapes[e["shape"]],
                                "packed": packed})

        self.side = s.tables

    def tables(self, source=lambda i: i, shift=0):
        """The tables, their tracks as what they are; source: what stands for a source, shift: more ns."""
        def track(i):
            return frozen({**self.tracks[i], "source": source(self.tracks[i]["source"])})

        def cell(kind, v):
            if v is None or kind not in (TIME, TRACK, RECORD):
                return v
            return (track(v) if kind == TRACK else (v[0] + shift, track(v[1])) if kind == TIME else
                    (v[0], source(v[1])))

        return [(name, None if of == read.NO_STR else source(of), columns,
                 [tuple(cell(kind, v) for (_, kind), v in zip(columns, row)) for row in rows])
                for (name, of, columns), rows in self.side]

    def shown(self, v, clock):
        """A time of clock 0 as another one shows it."""
        if not clock:
            return v
        c = self.clocks[clock - 1]
        _, origin, offset, drift = c["rule"]
        v = self.shown(v, c["before"])
        unit = 10**12 + drift
        return v - offset - (2 * (v - origin) * drift + unit) // (2 * unit)  # halves up

    def starts(self):
        """Of the tables 'starts', which repeat when some events began: each event that is there, and both times."""
        events = {(self.tracks[e["track"]]["source"], e["record"]): e["ts"] for e in self.events}
        return [(events[r[1][::-1]], self.shown(r[0][0], self.tracks[r[0][1]]["clock"]))
                for (name, _, _), rows in self.side if name == b"starts" for r in rows if r[1][::-1] in events]

    def event(self, e, of_track):
        """An event as a value that can be compared; of_track: what stands for the number of a track."""
        packed = {k: of_track(v) if k[0] == "launch_track" and k[1] == 2 and v != read.NONE else v
                  for k, v in e["packed"].items()}
        return tuple((k, tuple(sorted(packed.items(), key=repr)) if k == "packed" else
                      of_track(v) if k == "track" else v) for k, v in e.items())

    def table(self):
        """Events as a multiset, without what the programs call tracks by."""
        return Counter(self.event(e, lambda i: frozen(self.tracks[i])) for e in self.events)


def frozen(x):
    if isinstance(x, dict):
        return tuple((k, frozen(v)) for k, v in sorted(x.items()))
    return tuple(map(frozen, x)) if isinstance(x, (list, tuple)) else x


def some(counter, what):
    e, n = next(iter(counter.items()))
    return ["%d events %s, one of them %s" % (sum(counter.values()), what, e)]


def differences(a, b, less=False, more=None):
    """What is wrong if b must hold what a holds; less: some of its events; more: are these events welcome?"""
    wrong = []
    for part in ("sorted", "filtered", "sources", "clocks", "summary"):
        x, y = getattr(a, part), getattr(b, part)
        if x != y and isinstance(x, list):
            wrong += ["%s: %s, not %s" % (part, j, i) for i, j in zip(x, y) if i != j][:2] or \
                     ["%d %s, not %d" % (len(y), part, len(x))]
        elif x != y:
            wrong.append("%s: %s, not %s" % (part, y, x))
    if a.tables() != b.tables():
        pairs = [(x, y) for x, y in zip(a.tables(), b.tables()) if x != y]
        wrong.append("tables: %s" % (pairs[:1] or "%d, not %d" % (len(b.side), len(a.side))))
    if any(x != y for x, y in b.starts()):
        wrong.append("times of tables are not those of events: %s" % [p for p in b.starts() if p[0] != p[1]][:2])
    have, want = b.table(), a.table()
    added = have - want
    if not less and want - have:
        wrong += some(want - have, "are gone")
    extra = Counter({e: n for e, n in added.items() if not (more and more(dict(e)))})
    if extra:
        wrong += some(extra, "are new")
    names = [(b.tracks[e["track"]]["source"], e["record"]) for e in b.events]
    if len(set(names)) != len(names):
        wrong.append("two events have one record")
    lost = set(map(frozen, a.tracks)) - set(map(frozen, b.tracks))
    if lost and not less:
        wrong.append("lost track: %s" % (next(iter(lost)),))
    return wrong


def with_run(a, b, program):
    """Provenance: the runs before, as they were, and this one on top."""
    n = len(a.runs)
    if b.runs[:n] != a.runs or len(b.runs) != n + 1:
        return ["runs %s, after %s" % (b.runs, a.runs)]
    name, _, command, parents = b.runs[-1]
    grown = name == program and command.startswith(program + " ") and parents == roots(a.runs)
    return [] if grown else ["run %s, after %s" % (b.runs[-1], a.runs)]


def roots(runs):
    """Runs that no other one comes after."""
    used = {p for run in runs for p in run[3]}
    return [i for i in range(len(runs)) if i not in used]


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        raise RuntimeError("%s ended with status %d: %s" % (
            os.path.basename(argv[0]), p.returncode, p.stderr.decode("utf-8", "replace").strip()[-300:]))


class Job:
    """A job of one seed: its stream, those of its ranks, and what programs make of them."""
    def __init__(self, bin_dir, trgen, add_tables, folder, seed):
        self.bin_dir, self.folder, self.rng, self.made = bin_dir, folder, random.Random(seed), 0
        self.add_tables, self.seed = add_tables, seed
        run(trgen, "--output", folder, "--no-truth", "--random", "--seed", str(seed))
        self.traces = sorted(os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".json"))
        self.unsorted = seed % 5 == 4
        self.traces = self.traces[:1] if self.unsorted else self.traces
        self.path, self.whole = self.parse(self.traces, seed)
        if seed % 5 == 3:  # with clocks that were moved
            self.path, self.whole = self.make("tr-align", "--offsets", self.offsets(), self.path)

    def parse(self, traces, seed):
        """Traces as a stream, with random tables."""
        path, _ = self.make("tr-parse", *traces, *(["--no-sort"] if self.unsorted else []))
        with_tables = path + ".tables"
        with open(path, "rb") as f, open(with_tables, "wb") as to:
            subprocess.run([self.add_tables, str(seed)], stdin=f, stdout=to, check=True)
        return with_tables, Whole(with_tables)

    def offsets(self):
        """A file of random offsets and drifts of all ranks."""
        path = os.path.join(self.folder, "offsets")
        with open(path, "w", encoding="utf-8") as f:
            f.write("rank\toffset_us\tdrift_ppm\n")
            for rank in sorted({s["rank"] for s in self.whole.sources}):
                f.write("%d\t%d.%03d\t%d\n" % (rank, self.rng.randint(-9, 9), self.rng.randint(0, 999),
                                               self.rng.randint(-50, 50)))
        return path

    def make(self, program, *argv):
        self.made += 1
        path = os.path.join(self.folder, "%d.trs" % self.made)
        run(os.path.join(self.bin_dir, program), "-q", "-o", path, *argv)
        return path, Whole(path)


def filter_all(job):
    """Only the mark that events may be gone."""
    path, b = job.make("tr-filter", ALL, job.path)
    wrong = with_run(job.whole, b, "tr-filter")
    want = copy.copy(job.whole)
    want.filtered = b.filtered
    return wrong + differences(want, b)


def filter_some(job):
    """Some events are gone; those that stay are what they were."""
    expr = job.rng.choice(("dur > 5us", "phase == span", "has(kind)", "step == 15", "phase == metadata",
                           "has(args.correlation)", "name =~ \"a\"", "phase == counter || activity == cpu_op"))
    path, b = job.make("tr-filter", expr, job.path)
    wrong = with_run(job.whole, b, "tr-filter")
    _, c = job.make("tr-filter", "-v", expr, job.path)
    if job.whole.table() != b.table() + c.table():
        wrong.append("%s: what is selected and what is not are not the whole" % expr)
    if b.filtered != 1:
        wrong.append("not marked as filtered")
    want = copy.copy(job.whole)
    want.filtered = 1
    return wrong + differences(want, b, less=True)


def merge(job):
    """Ranks apart or together, nothing changes but the provenance."""
    parts = [(job.path, job.whole)] if job.whole.clocks else [
        job.parse([t], job.seed + i) for i, t in enumerate(job.traces)]
    paths = [path for path, _ in parts]
    want = copy.copy(job.whole)
    if len(parts) > 1:  # tables of each source in their order, then those of none
        tables = [t for i, (_, part) in enumerate(parts) for t in part.tables(
            lambda _, i=i: i, part.sources[0]["base"] - want.sources[0]["base"])]
        want.tables = lambda: [t for t in tables if t[1] is not None] + [t for t in tables if t[1] is None]
    elif not job.whole.clocks:
        want.tables = parts[0][1].tables
    if job.rng.random() < 0.5:  # what one part lacks, the whole lacks
        paths[-1], want.filtered = job.make("tr-filter", ALL, paths[-1])[0], 1
    _, b = job.make("tr-merge", *paths)
    tops = roots(b.runs[:-1])
    wrong = [] if len(tops) == len(paths) and b.runs[-1][3] == tops else ["runs %s" % b.runs]
    return wrong + differences(want, b)


def filter_source(job):
    """Tables go with the sources whose events do; those of no source stay."""
    rank = job.whole.sources[0]["rank"]
    _, b = job.make("tr-filter", "rank == %d && has(name)" % rank, job.path)
    _, c = job.make("tr-filter", "-v", "rank == %d || rank < 0" % rank, job.path)
    keeps = {i for i, s in enumerate(job.whole.sources) if s["rank"] == rank}
    wrong = [] if b.tables() == [t for t in job.whole.tables() if t[1] is None or t[1] in keeps] else [
        "tables of rank %d: %s" % (rank, [t[:2] for t in b.tables()])]
    return wrong + ([] if c.tables() == [t for t in job.whole.tables() if t[1] not in keeps] else [
        "tables of other ranks than %d: %s" % (rank, [t[:2] for t in c.tables()])])


def redacted(job):
    """Tables without texts stay."""
    _, b = job.make("tr-filter", "--redact", ALL, job.path)
    have = [(t[:3], len(t[3])) for t in b.tables()]
    want = [(t[:3], len(t[3])) for t in job.whole.tables() if not any(kind in TEXTS for _, kind in t[2])]
    return [] if have == want else ["tables %s, not %s" % (have, want)]


def classes(job):
    """Events get a class."""
    _, b = job.make("tr-categorize", "--rules", "communication", job.path)
    wrong = with_run(job.whole, b, "tr-categorize")
    for e in b.events:
        for k in [k for k in e["packed"] if k[:2] == ("class", 2)]:
            del e["packed"][k]
        e["flags"] &= ~4
    return wrong + differences(job.whole, b)


def timeless(e):
    return {k: v for k, v in e.items() if k not in ("ts", "dur")} | {
        "packed": {k: v for k, v in e["packed"].items() if k[:2] not in (("launch_ts", 2), ("launch_dur", 2))}}


def align(job):
    """Times change, and with them lags and steps; --undo gives back the stream that there was."""
    path, b = job.make("tr-align", "--offsets", job.offsets(), job.path)
    wrong = with_run(job.whole, b, "tr-align")
    _, c = job.make("tr-align", "--undo", path)
    wrong += ["undone: " + w for w in with_run(b, c, "tr-align") + differences(job.whole, c)]
    want = copy.copy(job.whole)
    if any(x != y for x, y in b.starts()):
        wrong.append("times of tables do not move as events do: %s" % [p for p in b.starts() if p[0] != p[1]][:2])
    for w in (want, b):
        w.starts = list
        w.events = [timeless(e) for e in w.events]
        w.tracks = [{**t, "clock": 0} for t in w.tracks]
        w.summary = [{**s, "times": 0, "steps": [(x[0], x[3]) for x in s["steps"]]} for s in w.summary]
    want.clocks = b.clocks
    return wrong + differences(want, b)


def added(program, new, *options):
    def check(job):
        """Events are added, each with a record of its own, after those of its source."""
        _, b = job.make(program, *options, job.path)
        last = max((e["record"] for e in job.whole.events), default=-1)
        return with_run(job.whole, b, program) + differences(
            job.whole, b, more=lambda e: new(e) and (len(job.whole.sources) > 1 or e["record"] > last))
    return check


CHECKS = (("tr-filter, all events", filter_all), ("tr-filter, some events", filter_some),
          ("tr-filter, tables of sources", filter_source), ("tr-filter --redact, tables", redacted),
          ("tr-merge", merge), ("tr-categorize", classes), ("tr-align", align),
          ("tr-counters", added("tr-counters", lambda e: read.PHASES[e["phase"]] == "counter")),
          ("tr-patterns --mark", added("tr-patterns", lambda e: e["cat"] == "pattern", "--op", "aten", "--length", "1",
                                       "--mark")),
          ("tr-critpath --mark", added("tr-critpath", lambda e: e["cat"] == "critical_path", "--mark")))
UNSORTED = (filter_all, filter_source, redacted, merge, classes)  # the others refuse such streams


def compare(bin_dir, trgen, add_tables, seed):
    """For each check what is wrong, or None where the job has nothing for the program."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(bin_dir, trgen, add_tables, folder, seed)
        results = []
        for _, check in CHECKS:
            try:
                results.append(None if job.unsorted and check not in UNSORTED else check(job))
            except (RuntimeError, read.Bad) as e:
                results.append([str(e)])
        return results


def main(bin_dir, trgen, add_tables, n, first="1"):
    failed, seeds = 0, range(int(first), int(first) + int(n))
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(compare, [bin_dir] * len(seeds), [trgen] * len(seeds), [add_tables] * len(seeds), seeds,
                                chunksize=4))
    print("1..%d" % len(CHECKS))
    for i, (what, _) in enumerate(CHECKS):
        wrong = [(seed, result[i]) for seed, result in zip(seeds, results) if result[i]]
        tried = sum(result[i] is not None for result in results)
        print("%sok %d - %s: %d jobs" % ("not " if wrong or not tried else "", i + 1, what, tried))
        failed += bool(wrong) or not tried
        for seed, lines in wrong[:SHOWN]:
            print("".join("# seed %d: %s\n" % (seed, line[:600].replace("\n", " ")) for line in lines[:SHOWN]), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__.split("\n\n")[1])
    sys.exit(main(*sys.argv[1:]))
