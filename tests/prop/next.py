#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-report says to look at next, against the commands printed with it; usage: next.py BIN JOB...

A job is the names of its files, as words of the shell.  Prints what is wrong, a line each: a figure that does not follow
from the commands, lines that are not in order, and no line where one is due.
"""
import json
import re
import subprocess
import sys
from statistics import median_low

MUCH = 0.10
TIME = r"(\d+\.\d (?:us|ms))"
PERCENT = r"(\d+\.\d) %"


def us(text):
    value, unit = text.split()
    return float(value) * (1000 if unit == "ms" else 1)


def near(text, value):
    """Is a printed time, with one decimal, this one in us?"""
    return abs(us(text) - value) <= (50.1 if text.endswith("ms") else 0.0501)


class Job:
    def __init__(self, bin_dir, files):
        self.bin, self.files, self.seen = bin_dir, files, {}

    def rows(self, command):
        if command not in self.seen:
            said = subprocess.run(["sh", "-c", f"PATH={self.bin}:$PATH; {command} -q -O json"], check=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8").stdout
            self.seen[command] = json.loads(said)
        return self.seen[command]

    def of(self, words):
        return self.rows(f"tr-{words} {self.files}")


def total(rows, column, **where):
    return sum(r[column] or 0 for r in rows if all(r[k] == v for k, v in where.items()))


def mean(job, tables, column, found):
    """A mean over the ranks, and its share of their spans."""
    times = job.rows(tables[-1] if "--by time" in tables[-1] else tables[0])
    whole, spans = total(times, column), total(times, "span_us")
    return near(found[1], whole / len(times)) and abs(float(found[2]) - 100 * whole / spans) <= 0.0501


def check_idle(job, tables, found):
    idle = job.rows(tables[0])
    shares = dict(re.findall(r"(\w+) (\d+\.\d) %", found[3]))
    return mean(job, tables, "idle_us", found) and total(idle, "idle_us") and all(
        abs(float(share) - 100 * total(idle, "idle_us", cause=cause) / total(idle, "idle_us")) <= 0.0501
        for cause, share in shares.items()) and sum(map(float, shares.values())) > 90


def check_idle_rank(job, tables, found):
    row, = job.rows(tables[1])
    return near(found[2], row["idle_us"]) and abs(float(found[3]) - row["idle_pct"]) <= 0.0551


def check_comm(job, tables, found):
    return mean(job, tables, "exposed_comm_us", found)


def check_measured(job, tables, found):
    late = job.rows(tables[1])
    share = 100 * total(late, "wait_us") / total(late, "dur_us")
    return mean(job, [tables[0]], "exposed_comm_us", found) and abs(float(found[3]) - share) <= 0.0501


def check_last(job, tables, found):
    rows = job.rows(tables[0])
    row = next(r for r in rows if r["rank"] == int(found[1]))
    spans = [r["span_us"] for r in job.of("breakdown --by time")]
    size = row["wait_caused_us"] / (len(spans) - 1)
    return (int(found[2]), int(found[3])) == (row["last_arrivals"], row["collectives"]) and near(found[4], size) and \
        size > 0.01 * sum(spans) / len(spans)


def check_late(job, tables, found):
    column = {"is idle": "idle_us", "computes": "compute_us"}[found[2]]
    rows = job.rows(tables[0])
    own = next(r for r in rows if r["rank"] == int(found[1]))
    return near(found[3], own[column] - median_low([r[column] for r in rows]))


def check_steps(job, tables, found):
    times = sorted(r["time_us"] for r in job.rows(tables[0]))
    usual = us(found[4])
    slow = [t for t in times if t > 1.2 * usual]
    return int(found[2]) == len(times) and times[0] <= usual + 50 and usual - 50 <= times[-1] and \
        int(found[1]) == len(slow) and abs(us(found[3]) - sum(t - usual for t in slow)) <= 51 * len(slow) + 51


def check_operators(job, tables, found):
    rows = job.rows(tables[0])
    none = sum(r["device_self_us"] for r in rows if r["calls"] is None)
    return abs(float(found[2]) - 100 * none / total(rows, "device_self_us")) <= 0.0501


def check_short(job, tables, found):
    short, causes = job.rows(tables[0]), job.rows(tables[1])
    lost = total(causes, "idle_us", cause="launch_overhead") + total(causes, "idle_us", cause="device_overhead")
    n = len(job.of("breakdown --by time"))
    return near(found[1], lost / n) and int(found[3]) == total(short, "count")


def check_device(job, tables, found):
    return any(near(found[2], r["idle_us"]) for r in job.rows(tables[0]) if r["device"] == int(found[1]))


def check_lead(job, tables, found):
    steps, spans = total(job.rows(tables[0]), "time_us"), [r["span_us"] for r in job.rows(tables[1])]
    return near(found[1], steps - max(spans)) and near(found[2], steps)


MEAN = TIME + r"(?: per rank)? \(" + PERCENT + r"\)"
# A line, the group that has its size, and its check; None: it has no size.
LINES = [
    (r"The inputs have ", None, None),
    (r"Clocks of the ranks are not aligned", None, None),
    (r"Device work of no operator: " + MEAN, 1, check_operators),
    (r"Devices are idle " + MEAN + r": ([^;]*)", 1, check_idle),
    (r"Rank (\d+) is idle " + TIME + r" \(" + PERCENT, 2, check_idle_rank),
    (r"Device (\d+)(?: of rank \d+)? is idle " + TIME, 2, check_device),
    (r"Communication runs alone for " + MEAN + r"; how much", 1, check_comm),
    (r"Communication runs alone for " + MEAN + r"; (?:of all|most) time in collectives, " + PERCENT, 1,
     check_measured),
    (r"Copies and memsets run alone for " + MEAN, 1,
     lambda job, tables, found: mean(job, [tables[0]], "exposed_memory_us", found)),
    (r"Launch calls and short waits after them leave devices idle for " + MEAN + r", with (\d+) kernels", 1,
     check_short),
    (r"Rank (\d+) comes last to (\d+) of (\d+) matched collectives: .* waits? " + TIME, 4, check_last),
    (r"Rank (\d+) comes late: it (is idle|computes) " + TIME, 3, check_late),
    (r"(\d+) of (\d+) steps takes? " + TIME + r" longer .*than the median of " + TIME, 3, check_steps),
    (r"No device works in " + TIME + r" \(.*\) of the " + TIME + " of steps", 1, check_lead),
]


def wrong(bin_dir, files):
    job = Job(bin_dir, files)
    page = json.loads(subprocess.run(["sh", "-c", f"PATH={bin_dir}:$PATH; tr-report -q -O json --sections next {files}"],
                                     check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout)
    rows, size = page["next"]["rows"], float("inf")
    for row in rows:
        kinds = [(k, re.match(k[0], row["what"])) for k in LINES if re.match(k[0], row["what"])]
        if len(kinds) != 1:
            yield f"unknown line: {row['what']}"
            continue
        (_, group, check), found = kinds[0]
        if group and us(found[group]) > size + (50 if found[group].endswith("ms") else 0.1):
            yield f"not in order: {row['what']}"
        size = us(found[group]) if group else size
        if check and not check(job, row["command"].split("; "), found):
            yield f"its figures are not those of {row['command']}: {row['what']}"
    times, operators = job.of("breakdown --by time"), job.of("breakdown --by operator")
    none = sum(r["device_self_us"] for r in operators if r["calls"] is None)
    if not rows and (any(r["idle_us"] > MUCH * r["span_us"] for r in times) or
                     none > total(operators, "device_self_us") / 2):
        yield "no problems found, but there are some"


def main():
    for files in sys.argv[2:]:
        for problem in wrong(sys.argv[1], files):
            print(f"{files}: {problem}")


if __name__ == "__main__":
    main()
