#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does each analysis give the same table through the public interface as its program prints?

usage: api.py BIN TRGEN FOLDER API_TABLES

The analyses and their keys are those that the interface lists; the traces are those of rules/heard.py, and of TR_CORPUS
where that is set.
"""

import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../rules"))
import heard  # noqa: E402

# What analyses need, or what they need to have rows for these small traces.
OPTIONS = {
    "counters.full": ["max-queue=2"], "roofline.roof": ["arch=PEAKS"], "metrics.ideal": ["attach=IDEAL"],
    "metrics.utilization": ["attach=IDEAL"], "breakdown.window": ["steps=2"], "patterns.pattern": ["length=1"],
    "categorize.across": ["across=mean"], "breakdown.graph": ["attach=NODES"], "categorize.class": ["rules=RULES"],
    "sum.sum": ["by=kind,name", "stat=count,p50"], "breakdown.idle": ["threshold=1us"], "stalls.cause": ["asm=DUMP"],
    "breakdown.annotation": ["side=work"], "overlap.state": ["classes=compute,comm"], "replay.replay": ["limit=2"],
    "roofline.operator": ["models=MODELS", "arch=H100"], "critpath.bound": ["gaps=1"], "breakdown.module": ["op=a"],
}
KEYS_TOGETHER = {"breakdown.operator", "roofline.operator"}  # all of them at once, too
ONE_VIEW = {"patterns", "replay", "sum"}  # programs without --by
BY_OTHER = {"categorize.across": ["--by", "class"]}  # the form of the program is another


def variants(line):
    name, keys = line.split("\t")
    keys = [] if keys == "-" else keys.split(",")
    return [name] + [name + "," + k for k in keys] + ([name + "," + ",".join(keys)] if name in KEYS_TOGETHER else [])


def program_of(job, variant, options):
    name, _, keys = variant.partition(",")
    program, _, view = name.partition(".")
    argv = [os.path.join(job.bin, "tr-" + program), "-q", "-j1", "-O", "tsv", "--columns", "all"]
    if name in BY_OTHER:
        argv += BY_OTHER[name]
    elif program not in ONE_VIEW:
        argv += ["--by", view + ("," + keys if keys else "")]
    for option in options:
        key, _, value = option.partition("=")
        argv += ["--" + key] if key == "gaps" else ["--" + key + "=" + value]
    return argv


def corpus():
    """Traces of the corpus that are small enough."""
    top, found = os.environ.get("TR_CORPUS", ""), []
    for folder, _, files in sorted(os.walk(top)) if top else []:
        found += [os.path.join(folder, f) for f in sorted(files) if f.endswith((".json", ".json.gz"))]
    return [[f] for f in found if os.path.getsize(f) < 60000]


def judge(job, tables, variant):
    """What is wrong with an analysis, as lines."""
    options = [job.replace(o) for o in OPTIONS.get(variant.split(",")[0], [])]
    wrong, rows = [], 0
    for files in job.inputs + corpus():
        status, want, said = heard.run(program_of(job, variant, options) + files)
        api_status, have, api_said = heard.run([tables, variant, *options, "--", *files])
        if (status in (0, 1)) != (api_status == 0):
            wrong.append("%s: the program: %d %s; the interface: %d %s" % (files, status, said, api_status, api_said))
        elif api_status == 0 and want != have:
            wrong.append("%s: the tables differ" % files)
        rows += want.count(b"\n") > 1
    return wrong + ([] if rows else ["no trace has rows"])


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.split("\n\n")[1])
    job = heard.Job(*(os.path.abspath(a) for a in sys.argv[1:4]))
    tables = os.path.abspath(sys.argv[4])
    listed = heard.run([tables, "list"])[1].decode().split("\n")[:-1]
    cases = [v for line in listed for v in variants(line)]
    cases = [c for c in cases if os.access(os.path.join(job.bin, "tr-" + c.split(".")[0]), os.X_OK)]
    print("1..%d" % len(cases))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for n, (case, wrong) in enumerate(zip(cases, pool.map(lambda c: judge(job, tables, c), cases)), 1):
            print("%sok %d - %s: the same table through the interface" % ("not " if wrong else "", n, case))
            print("".join("# %s\n" % w for w in wrong), end="")


main()
