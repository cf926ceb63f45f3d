#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces with cycle stamps whose true times are known, and whether tr-cycles finds these.

usage: cycles.py make FOLDER SEED [NAME=VALUE...]   job-K.json per job and rank, and truth.json
       cycles.py events FOLDER HZ <tr-cycles --by event -O tsv --unit ns  stamps and times are the true ones
       cycles.py jobs FOLDER <tr-cycles --by job -O tsv --unit ns         jobs are where they were
       cycles.py device FOLDER <tr-cycles --by device -O tsv              appends error and standard error to FOLDER.found
       cycles.py judge FILE...            the errors of --by device: within 4 standard errors, their mean square as stated

Parameters of make: mhz, jobs, ranks, requests (of a job), gap_s (between jobs), pause_ms (between requests), jitter_ns
(of host ends), shift_us (comma separated, by job), long_s (an extra kernel of so many seconds), form (quoted, hex, int).
"""
import json
import math
import os
import random
import sys

LAP = 1 << 32
PARTS = [(" DmaI", 0, 1), (" Cmpt Prep", 1, 2), (" Cmpt Exec", 2, 3), (" DmaO", 3, 4)]


def text(value, form):
    value %= LAP
    return {"quoted": str(value), "hex": hex(value), "int": value}[form]


def make(folder, seed, params):
    rng = random.Random(seed)
    mhz = float(params.get("mhz", 560))
    jitter = float(params.get("jitter_ns", 0))
    shifts = [float(x) * 1000 for x in params.get("shift_us", "0").split(",")]
    form = params.get("form", "quoted")
    os.makedirs(folder, exist_ok=True)
    truth = {"mhz": mhz, "jitter": jitter, "events": {}, "jobs": {}}
    for rank in range(int(params.get("ranks", 1))):
        counter = rng.randrange(LAP)
        start, first = 10**15 + rng.randrange(10**9), None  # ns
        zero = start
        for job in range(int(params.get("jobs", 3))):
            name = f"aiu-rank_{rank}-of_9-job-{job}.json"
            shift = shifts[job % len(shifts)]
            now, rows, events = start, [], []
            for request in range(int(params.get("requests", 20))):
                cycles = [rng.randrange(2000, 60000), rng.randrange(100, 90000), rng.randrange(200, 400000),
                          rng.randrange(3, 30000)]
                if request == 1 and "long_s" in params:
                    cycles[2] = int(float(params["long_s"]) * mhz * 1e6)
                at = [counter + round((now - zero) * mhz / 1000)]
                for c in cycles:
                    at.append(at[-1] + c)
                first = at[0] if first is None else first
                for word, a, b in PARTS:
                    events.append((f"r{request}{word}", at, a, b))
                now += int(sum(cycles) * 1000 / mhz) + rng.randrange(1, 1 + int(float(params.get("pause_ms", 1)) * 1e6))
            for event, at, a, b in events:
                true_end = zero + (at[b] - counter) * 1000 / mhz
                # the host's end is what is trusted: its start may be anything near
                end = round(true_end + shift + rng.gauss(0, jitter) if jitter else true_end + shift)
                dur = max(0, round((at[b] - at[a]) * 1000 / mhz + (rng.gauss(0, jitter) if jitter else 0)))
                args = {f"TS{k + 1}": text(at[k], form) for k in range(5)}
                record = 1 + len(rows)
                rows.append({"ph": "X", "name": event, "pid": rank, "tid": 7, "ts": end - dur, "dur": dur, "attr": args})
                truth["events"][f"{name} {record}"] = [at, a, b, end]
            trip = [start - 50000, now + 50000]
            rows.insert(0, {"ph": "X", "name": "AIU Roundtrip", "pid": rank, "tid": 1, "ts": trip[0],
                            "dur": trip[1] - trip[0], "attr": {}})
            truth["jobs"][name] = {"shift": shift, "trip": trip}
            with open(os.path.join(folder, name), "w") as out:
                lines = []
                for row in rows:
                    ts, dur = row.pop("ts"), row.pop("dur")
                    lines.append(json.dumps(row)[:-1] +
                                 f', "ts": {ts // 1000}.{ts % 1000:03}, "dur": {dur // 1000}.{dur % 1000:03}}}')
                out.write("[\n" + ",\n".join(lines) + "\n]\n")
            start = now + int(float(params.get("gap_s", 1)) * 1e9)
    if "long_s" in params:
        truth["long"] = True
    with open(folder + ".truth", "w") as out:
        json.dump(truth, out)


def cell(text):
    try:
        return float(text) if "." in text else int(text)
    except ValueError:
        return text or None


def lines():
    head, *rows = [line.rstrip("\n").split("\t") for line in sys.stdin]
    return [dict(zip(head, map(cell, row))) for row in rows]


def events(truth, used):
    """Every stamp is the true one but for whole laps, the same of all events of a device; times follow from them."""
    bad, seen, base = 0, 0, {}
    for row in lines():
        at, a, b, end = truth["events"][f"{row['job']} {row['record']}"]
        seen += 1
        # of a request that lasts for laps only the part itself is known
        off = {row[f"ts{k + 1}"] - at[k] for k in ((a, b) if "long" in truth else range(5))}
        lap = base.setdefault(row["rank"], min(off))
        wrapped = next((f"TS{k + 1}" for k in range(1, 5) if at[k] % LAP < at[k - 1] % LAP), None)
        dur = (2 * (at[b] - at[a]) * 10**9 + int(used)) // (2 * int(used))
        shift = truth["jobs"][row["job"]]["shift"]
        ok = off == {lap} and lap % LAP == 0 and row["wrapped"] == wrapped and row["laps"] == row["ts1"] // LAP
        ok = ok and row["dur_ns"] == dur
        if not truth["jitter"] and not shift:
            ok = ok and row["start_ns"] == end - dur
        if not ok:
            bad += 1
            print(f"{row}: true {at} {a} {b} {end}, laps off {off}, dur {dur}")
            if bad > 3:
                break
    if seen != len(truth["events"]):
        bad += 1
        print(f"{seen} events of {len(truth['events'])}")
    return bad


def jobs(truth):
    bad = 0
    rows = {row["job"]: row for row in lines()}
    for name, job in truth["jobs"].items():
        row = rows[name]
        if row["host_start_ns"] != job["trip"][0] or row["host_end_ns"] != job["trip"][1]:
            bad += 1
            print(f"{name}: round trip {row}, true {job}")
        outside = row["device_start_ns"] < job["trip"][0] or row["device_end_ns"] > job["trip"][1]
        want = job["trip"][0] - row["device_start_ns"] if outside else 0
        if row["shift_ns"] != want or (job["shift"] != 0) != outside:
            bad += 1
            print(f"{name}: shift {row['shift_ns']}, wanted {want}, planted {job['shift']}")
    return bad


def judge(paths):
    pulls = []
    for path in paths:
        for line in open(path):
            error, se = map(float, line.split())
            pulls.append(error / se)
    rms = math.sqrt(sum(p * p for p in pulls) / len(pulls))
    far = [p for p in pulls if abs(p) > 4]
    print(f"{len(pulls)} frequencies, r.m.s. of error over standard error {rms:.2f}, {len(far)} beyond 4")
    return bool(far) or not 0.8 <= rms <= 1.3


def main():
    what, where = sys.argv[1], sys.argv[2]
    if what == "make":
        return make(where, int(sys.argv[3]), dict(p.split("=", 1) for p in sys.argv[4:]))
    if what == "judge":
        return judge(sys.argv[2:])
    with open(where + ".truth") as f:
        truth = json.load(f)
    if what == "events":
        return events(truth, sys.argv[3])
    if what == "jobs":
        return jobs(truth)
    with open(where + ".found", "a") as out:
        for row in lines():
            out.write(f"{row['seen_MHz'] - truth['mhz']} {row['seen_se_MHz']}\n")


sys.exit(main())
