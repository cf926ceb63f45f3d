#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What --coverage and tr-info say of Kineto traces, by brute force.

usage: coverage.py BIN FILE...             compare, on these files together
       coverage.py BIN --random TRGEN SEEDS compare, on the traces of these seeds, each by itself

For each trace every analysis has to print the same line, which is the one found here, and tr-info the same
numbers.  Output is TAP: one line for each program.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds

ANALYSES = {"tr-breakdown": [], "tr-overlap": [], "tr-launch": [], "tr-counters": ["--by", "queue"],
            "tr-patterns": ["--op", "."], "tr-metrics": [], "tr-comm": []}
LINE = re.compile(r"coverage: launches with device work (\d+) of (\d+).*, device work with a launch (\d+) of (\d+).*, "
                  r"device time launched by operators (\d+)\.(\d{3}) of (\d+)\.(\d{3}) us")
SHOWN = 3
LAUNCH = re.compile(r"(cuda|cu)(Launch|GraphLaunch|Memcpy)|hip(Ext|Drv|Module|ExtModule|HccModule)?Launch|hipGraphLaunch|"
                    r"hip(Drv)?Memcpy|zeCommandQueueExecuteCommandLists|clEnqueue(NDRange|Read|Write|Copy|Fill)|"
                    r"runFunction - job_prep_and_submit|enqueueCommand memcpy|aiuLaunch|Node@launch")
MEMSET = re.compile(r"(cuda|cu|hip)Memset")
APPEND = re.compile(r"urEnqueue(Kernel|USM|Mem)|zeCommandListAppend(Launch|Memory)")
NO_LAUNCH = re.compile(r"\w+LaunchHostFunc")
CAPTURE = re.compile(r"(cuda|cu|hip)Stream(Begin|End)Capture")


def launch_calls(calls, used):
    """
    (with device work, all) of the calls (thread, ts, dur, number, name) that launch: not those inside other ones.
    used: the numbers of those with device work.
    """
    roles = {"launch": [0, 0], "memset": [0, 0], "append": [0, 0], "other": [0, 0]}
    captures, around = {}, {}
    for thread, ts, dur, i, name in sorted(calls, key=lambda c: (c[1], -c[2], c[3])):
        capture = CAPTURE.match(name)
        if capture:
            captures[thread] = capture.group(2) == "Begin"
        role = ("other" if NO_LAUNCH.match(name) else "launch" if LAUNCH.match(name) else
                "memset" if MEMSET.match(name) else "append" if APPEND.match(name) else "other")
        if i not in used and (role == "other" or captures.get(thread)):
            continue
        outer = [c for c in around.setdefault(thread, []) if ts < c["end"] and ts + dur <= c["end"] + 1]
        if outer:
            outer[-1]["used"] |= i in used
        else:
            around[thread].append({"end": ts + dur, "used": i in used, "role": role})
    for call in sum(around.values(), []):
        roles[call["role"]][0] += call["used"]
        roles[call["role"]][1] += 1
    if not roles["memset"][0]:
        del roles["memset"]
    if roles["launch"][1]:
        roles["append"][1] = roles["append"][0]
    return tuple(map(sum, zip(*roles.values())))


def counts(path):
    """(launches used, launches, work launched, work, time by operators in ns, time in ns) of a file."""
    rows = list(k.spans(k.load(path)))
    calls, operators, owners = [], {}, {}
    for i, (ts, dur, cat, name, e) in enumerate(rows):
        if cat in ("cpu_op", "Operator"):
            operators.setdefault((e.get("pid"), e.get("tid")), []).append((ts, -dur, i))
        if cat.lower().endswith(("runtime", "driver")):
            calls.append(((e.get("pid"), e.get("tid")), ts, dur, i, name))
            number = k.args_of(e).get("correlation")
            if number is not None and (number not in owners or k.inner(ts, dur, i) > k.inner(*rows[owners[number]][:2], owners[number])):
                owners[number] = i

    def by_operator(i):
        ts, dur, _, _, e = rows[i]
        around = operators.get((e.get("pid"), e.get("tid")), ())
        return any((start, negative, j) < (ts, -dur, i) and ts < start - negative for start, negative, j in around)

    work = [(dur, owners.get(k.args_of(e).get("correlation"))) for _, dur, cat, _, e in rows if cat in k.DEVICE]
    used = {owner for _, owner in work if owner is not None}
    return (*launch_calls(calls, used), sum(owner is not None for _, owner in work), len(work),
            sum(dur for dur, owner in work if owner is not None and by_operator(owner)), sum(dur for dur, _ in work))


def run(*argv):
    return subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          errors="surrogateescape")


def said_by(bin_dir, program, options, files):
    """The counts in the line of a program, or what went wrong."""
    p = run(os.path.join(bin_dir, program), *options, "-q", "--coverage", *files)
    line = LINE.search(p.stderr)
    if p.returncode or not line:
        return "status %d: %s" % (p.returncode, p.stderr.strip()[-200:])
    n = [int(g) for g in line.groups()]
    return (*n[:4], n[4] * 1000 + n[5], n[6] * 1000 + n[7])


def said_by_info(bin_dir, files):
    p = run(os.path.join(bin_dir, "tr-info"), "-q", "-O", "json", *files)
    if p.returncode:
        return "status %d: %s" % (p.returncode, p.stderr.strip()[-200:])
    keys = ("launches_with_device_work", "launches", "device_work_with_launch", "device_work",
            "device_time_by_operator_ns", "device_time_ns")
    sources = json.loads(p.stdout)["sources"]
    return tuple(sum(s["coverage"][key] for s in sources) for key in keys)


def differences(bin_dir, files):
    """{program: what it says instead}"""
    want = tuple(sum(column) for column in zip(*map(counts, files)))
    have = {program: said_by(bin_dir, program, options, files) for program, options in ANALYSES.items()}
    have["tr-info"] = said_by_info(bin_dir, files)
    return {program: "%s, not %s" % (said, want) for program, said in have.items() if said != want}


def suspicious(path):
    """Is there an event with impossible times?  tr-info counts those, analyses do not."""
    trace = k.load(path)
    events = [e for e in trace.get("traceEvents", []) if isinstance(e, dict) and e.get("ph") in ("X", "B", "E") and "cat" in e]
    return len(events) != len(list(k.spans(trace))) or any(k.ns(e.get("dur")) is None for e in events)


def random_traces(bin_dir, trgen, of):
    """{program: [what differs]}, and how many traces were compared."""
    found, tried = {}, 0
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([trgen, "--random", "--seed", str(seed), "--output", folder], check=True)
            path = os.path.join(folder, "rank0.json")
            try:
                if suspicious(path):
                    continue
            except ValueError:  # what Python refuses
                continue
            tried += 1
            for program, what in differences(bin_dir, [path]).items():
                found.setdefault(program, []).append("seed %d: %s" % (seed, what))
    return found, tried


def main(bin_dir, *files):
    if files[0] == "--random":
        found, tried = random_traces(bin_dir, files[1], seeds.of(files[2]))
        where = "%d random traces" % tried
    else:
        found = {program: [what] for program, what in differences(bin_dir, files).items()}
        where = " ".join(map(os.path.basename, files))
    programs = [*ANALYSES, "tr-info"]
    for i, program in enumerate(programs, 1):
        wrong = found.get(program, [])
        print("%sok %d - %s: coverage of %s" % ("not " if wrong else "", i, program, where))
        for what in wrong[:SHOWN]:
            print("# " + what)
    print("1..%d" % len(programs))


if __name__ == "__main__":
    main(*sys.argv[1:])
