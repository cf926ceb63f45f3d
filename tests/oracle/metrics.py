#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-metrics against brute force on random traces: usage: metrics.py BIN SEEDS

Half of the traces have counter ranges, the others counter events: samples of series, which belong to the kernels that
run when they are taken.  Prints TAP.
"""
import json
import os
import random
import subprocess

import seeds

COUNTS = {"dram__bytes.sum": "dram__bytes.sum_GBps", "L3 READ[bytes]": "L3 READ_GBps", "inst": "inst_per_ns"}
OTHERS = ["gpu__time_duration.sum", "GpuTime[ns]", "sm.pct_of_peak", "Load[%]", "dram__bytes.sum.per_second"]
COLUMNS = {
    "instance": "rank name instance record start_us dur_us operator samples device",
    "kernel": "rank name count",
    "operator": "rank name count",
    "operator,stack": "rank op_stack count",
    "list": "rank metric process unit samples min mean max position",
    "series": "rank ts_us metric process unit value dur_us name record instance sample",
}
UNITS = {"dram__bytes.sum": "byte", "L3 READ[bytes]": "bytes", "inst": "", "gpu__time_duration.sum": "ns",
         "GpuTime[ns]": "ns", "sm.pct_of_peak": "", "Load[%]": "%", "dram__bytes.sum.per_second": "byte/s", "SM Active (%)": "%",
         "power": "", "power.watts": "", "power.cap": "", "clock": ""}


def us(t):
    """ns as text in us."""
    return "%d.%03d" % (t // 1000, t % 1000)


class Trace:
    """Of one rank: launches in operators, kernels, and ranges or samples; times in ns."""
    def __init__(self, rng, rank, ranged):
        self.rng, self.rank, self.events = rng, rank, []
        self.kernels, self.ranges, self.samples = [], [], []
        t, self.launches = 1000, []
        for c in range(rng.randint(0, 8)):
            around = [rng.choice("ABC") for _ in range(rng.randint(0, 2))]
            for d, op in enumerate(around):
                self.add(ph="X", cat="cpu_op", name=op, pid=9, tid=1, ts=t + 100 * d, dur=3000 - 200 * d)
            record = self.add(ph="X", cat="cuda_runtime", name="cudaLaunchKernel", pid=9, tid=1, ts=t + 500, dur=700,
                              args={"correlation": c + 1})
            self.launches.append((record, around))
            if not ranged:
                start = t + rng.choice([600, 1500, 1500, 4000])
                device, dur = rng.randint(0, 1), rng.choice([0, 500, 1000, 3000, 6000])
                name = rng.choice("klm")
                at = self.add(ph="X", cat="kernel", name=name, pid=device, tid=c, ts=start, dur=dur,
                              args={"correlation": c + 1, "device": device, "stream": c})
                self.kernels.append({"record": at, "name": name, "ts": start, "dur": dur, "device": device, "ops": around})
            t += 4000
        if ranged:
            self.make_ranges(t)
        else:
            self.make_samples(t)

    def add(self, **e):
        e["ts"], e["dur"] = e["ts"] / 1000, e.get("dur", 0) / 1000
        if e["ph"] == "C":
            del e["dur"]
        self.events.append(e)
        return len(self.events) - 1

    def value(self):
        return self.rng.choice([0, 1, 7, 2 ** 40, 0.25, 12.5, -3])

    def make_ranges(self, t):
        n = len(self.launches) + self.rng.choice([0, 0, 0, 1])
        for k in range(n):
            names = self.rng.sample(sorted(COUNTS) + OTHERS, self.rng.randint(0, 5))
            args = {m: abs(self.value()) if "ime" in m else self.value() for m in names}
            name, dur = self.rng.choice("klm"), self.rng.choice([0, 1000, 2500])
            record = self.add(ph="X", cat="cuda_profiler_range", name=name, pid=0, tid=0, ts=t, dur=dur,
                              args={**args, "text": "no metric"})
            ops = self.launches[k][1] if n == len(self.launches) else []
            self.ranges.append({"record": record, "name": name, "ts": t, "dur": dur, "ops": ops, "values": args})
            t += 3000

    def make_samples(self, t):
        for _ in range(self.rng.randint(0, 25)):
            at = self.rng.randrange(0, t, 500)
            pid = self.rng.choice([0, 1, "GPU 0 Counters", "GPU 1 Counters", "Node"])
            name, args = self.rng.choice([("SM Active (%)", {"": self.value()}), ("clock", {"value": self.value()}),
                                          ("power", {"watts": self.value(), "cap": 700, "limit": "none"}),
                                          ("power", {"power": self.value()})])
            record = self.add(ph="C", name=name, pid=pid, ts=at, args=args)
            values = {name if k in ("", "value", name) else name + "." + k: v for k, v in args.items() if k != "limit"}
            self.samples.append({"record": record, "ts": at, "pid": pid, "values": values})

    def write(self, path):
        with open(path, "w") as f:
            json.dump({"distributedInfo": {"rank": self.rank}, "traceEvents": self.events}, f)


def about(sample, kernel):
    pid = sample["pid"]
    if isinstance(pid, int):
        return kernel["device"] == pid
    return not pid.startswith("GPU") or kernel["device"] == int(pid.split()[1])


def instances(trace, ranged, wanted, window):
    """Ranges with values, or kernels with samples: name, ops, time, values [(metric, value)], samples."""
    found = []
    inside = lambda x: window is None or (x["ts"] < window[1] and
                                          (x["ts"] >= window[0] or x["ts"] + x.get("dur", 0) > window[0]))
    if ranged:
        for r in trace.ranges:
            own = [v for m, v in r["values"].items() if m in ("gpu__time_duration.sum", "GpuTime[ns]")]
            values = [(m, v) for m, v in r["values"].items() if m in wanted]
            if values and inside(r):
                found.append({**r, "time": own[-1] if own else r["dur"], "values": values, "samples": 1})
        return found
    for k in trace.kernels:
        taken = [s for s in trace.samples if k["ts"] <= s["ts"] < k["ts"] + k["dur"] and about(s, k) and inside(s)]
        taken = [(s, [(m, v) for m, v in s["values"].items() if m in wanted]) for s in taken]
        taken = [values for s, values in taken if values]
        if taken and inside(k):
            found.append({**k, "time": None, "values": [x for values in taken for x in values], "samples": len(taken)})
    return found


def cell(members, metric, ranged, throughput):
    """Ranges are added up, samples averaged; throughput: the sum over the time of the ranges that have it."""
    values = [v for x in members for m, v in x["values"] if m == metric]
    if not values:
        return None
    if throughput:
        time = sum(x["time"] for x in members if any(m == metric for m, _ in x["values"]))
        return sum(values) / time if time > 0 else None
    return sum(values) if ranged else sum(values) / len(values)


def expected(traces, ranged, view, wanted, throughput, window):
    rows = []
    shown = [m for m in wanted if not throughput or m in COUNTS]
    for t in traces:
        mine = sorted(instances(t, ranged, wanted, window), key=lambda x: (x["ts"], x["record"]))
        cells = lambda members: [cell(members, m, ranged, throughput) for m in shown]
        if view == "instance":
            seen = {}
            for x in mine:
                seen[x["name"]] = seen.get(x["name"], 0) + 1
                op = x["ops"][-1] if x["ops"] else ""
                rows.append([t.rank, x["name"], seen[x["name"]], x["record"], us(x["ts"]), us(x["dur"]), op, x["samples"],
                             str(x["device"]) if "device" in x else "", *cells([x])])
            continue
        groups = {}
        for x in mine:
            key = {"kernel": x["name"], "operator": (x["ops"] or [""])[-1], "operator,stack": "|".join(x["ops"])}[view]
            groups.setdefault(key, []).append(x)
        rows += [[t.rank, key, len(m), *cells(m)] for key, m in groups.items()]
    return rows


def bearing(t):
    """Events with values, as (pid of a series or "", event)."""
    return [("", r) for r in t.ranges] + [(str(s["pid"]), s) for s in t.samples]


def expected_list(traces, wanted):
    groups, places = {}, {}
    for t in traces:
        for pid, e in sorted(bearing(t), key=lambda x: (x[1]["ts"], -x[1].get("dur", 0), x[1]["record"])):
            for place, (m, v) in enumerate(e["values"].items()):
                if m in wanted:
                    groups.setdefault((t.rank, m, pid), []).append(v)
                    places.setdefault((t.rank, m, pid), place)
    return [[*key, UNITS[key[1]], len(v), min(v), sum(v) / len(v), max(v), places[key]] for key, v in groups.items()]


RATE_UNITS = {"dram__bytes.sum": "GB/s", "L3 READ[bytes]": "GB/s", "inst": "1/ns"}


def own_time(e):
    """What a range took by its own measure, the last of several, or its duration."""
    own = [v for m, v in e["values"].items() if m in ("gpu__time_duration.sum", "GpuTime[ns]")]
    return own[-1] if own else e["dur"]


def expected_series(traces, wanted, throughput):
    if throughput:
        return [[t.rank, us(e["ts"]), m, pid, RATE_UNITS[m], v / own_time(e), us(e["dur"]), e["name"], e["record"], "", ""]
                for t in traces for pid, e in bearing(t) if "dur" in e
                for m, v in e["values"].items() if m in wanted and m in COUNTS and own_time(e) > 0]
    return [[t.rank, us(e["ts"]), m, pid, UNITS[m], v, us(e["dur"]) if "dur" in e else "", e.get("name", ""),
             e["record"], "", ""]
            for t in traces for pid, e in bearing(t) for m, v in e["values"].items() if m in wanted]


def alike(have, want):
    if want is None or want == "":
        return have == ""
    if isinstance(want, (int, float)):
        return have != "" and abs(float(have) - want) <= 1e-9 * max(1e-9, abs(want))
    return have == want


def run(bin_dir, words, paths):
    done = subprocess.run([os.path.join(bin_dir, "tr-metrics"), "-q", "-O", "tsv", *words, *paths],
                          capture_output=True, text=True)
    lines = done.stdout.split("\n")[:-1]
    return done.returncode, [line.split("\t") for line in lines], done.stderr


def check(bin_dir, seed, folder):
    """How many rows were the same, and what was not."""
    rng = random.Random(seed)
    ranged = seed % 2 == 0
    traces = [Trace(rng, r, ranged) for r in range(rng.randint(1, 2))]
    paths = []
    for t in traces:
        paths.append(os.path.join(folder, "%d.json" % t.rank))
        t.write(paths[-1])
    metrics = sorted({m for t in traces for _, e in bearing(t) for m in e["values"]})
    n_rows = 0
    for view in ("instance", "kernel", "operator", "operator,stack", "list", "series"):
        for throughput in (False, True):
            words, wanted, window = ["--by", view], metrics, None
            if metrics and rng.random() < 0.4:
                wanted = rng.sample(metrics, rng.randint(1, len(metrics)))
                words += ["--metrics", ",".join(wanted)]
            if rng.random() < 0.3 and view not in ("list", "series"):
                window = (2000, rng.choice([9000, 20000]))
                words += ["--time", "%d..%d" % (window[0] // 1000, window[1] // 1000)]
            if throughput:
                words.append("--throughput")
            status, rows, said = run(bin_dir, words, paths)
            if throughput and view == "list":
                if status != 2:
                    return n_rows, "%s: status %d" % (words, status)
                continue
            if status == 3 and "option --time" in said:
                continue # no event is in the window
            if throughput and (not ranged or not any(m in COUNTS for m in wanted)) and status == 3:
                continue
            if status:
                return n_rows, "%s: status %d: %s" % (words, status, said)
            if view == "list":
                want, n, names = expected_list(traces, wanted), 3, []
            elif view == "series":
                want, n, names = expected_series(traces, wanted, throughput), 9, []
            else:
                want, n = expected(traces, ranged, view, wanted, throughput, window), 3
                names = [COUNTS[m] for m in wanted if m in COUNTS] if throughput else wanted
            if rows and rows[0] != COLUMNS[view].split() + names:
                return n_rows, "%s: columns %s" % (words, rows[0])
            have = rows[1:]
            if view != "instance":
                number = lambda x: "%g" % float(x) if view == "series" and x != "" else str(x)
                key = lambda row: [number(x) if i == 5 else str(x) for i, x in enumerate(row[:n])]
                have, want = sorted(have, key=key), sorted(want, key=key)
            texts = [[str(x) if isinstance(x, int) and i < n else x for i, x in enumerate(w)] for w in want]
            if len(have) != len(want) or any(len(h) != len(w) or not all(map(alike, h, w)) for h, w in zip(have, texts)):
                return n_rows, "%s, seed %d:\n  have %s\n  want %s" % (words, seed, have, want)
            n_rows += len(have)
    return n_rows, None


seeds.run(check, "%d rows of metrics from %d random traces: of kernels and operators, lists, series, throughput", 10)
