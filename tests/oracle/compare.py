#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-breakdown and tr-overlap against the oracles, on small random traces.

usage: compare.py BIN TRGEN SEEDS

Makes the traces of the seeds (see seeds.py) by TRGEN --random, with defects and all, and compares what the programs of BIN print about them with what the oracles beside this file find.
Views and selections change with the seed.  Traces that Python's JSON parser refuses are left out (tests/prop
compares those with what the generator says).  Output is TAP: one line for each program and view.
"""
import concurrent.futures
import difflib
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import breakdown
import calls
import kineto
import launch
import overlap
import seeds as seeds_of
import tiny
import twist
import util

SHOWN, LINES = 3, 30
LIMITS = ([], ["--top", "3"], ["--ratio", "0.8"], ["--top", "2", "--ratio", "0.5"], ["--ratio", "0.5"], ["--ratio", "0.75"],
          ["--top", "1"])
TOPS = ([], ["--top", "1"], ["--top", "2"])
CUTOFFS = ([], ["--cpu-cutoff", "10us", "--queue-cutoff", "50us"], ["--cpu-cutoff", "5us", "--queue-cutoff", "10us"],
           ["--cpu-cutoff", "20us", "--queue-cutoff", "0us"])
BINS = ([], ["--bin", "7us"], ["--bin", "100us"])
BELOW = ([], ["--below", "25"], ["--below", "100"])
THRESHOLDS = ([], ["--threshold", "10us"], ["--threshold", "5us"])
# Program, oracle, options; whether it follows launches; whether it knows groups and selections.
VIEWS = (("tr-breakdown", breakdown, ["--by", "time"], False, True),
         ("tr-breakdown", breakdown, ["--by", "timeline"], False, True),
         ("tr-breakdown", breakdown, ["--by", "timeline", "--micro-idle", "7us", "--memset", "compute"], False, True),
         ("tr-breakdown", breakdown, ["--by", "type"], False, True),
         ("tr-breakdown", breakdown, ["--by", "idle"], True, True),
         ("tr-breakdown", breakdown, ["--by", "cause"], True, True),
         ("tr-breakdown", breakdown, ["--by", "gap"], True, True),
         ("tr-breakdown", breakdown, ["--by", "step"], True, False),
         ("tr-breakdown", breakdown, ["--by", "typical"], False, False),
         ("tr-breakdown", breakdown, ["--by", "stream-idle"], True, True),
         ("tr-breakdown", breakdown, ["--by", "kernel"], False, True),
         ("tr-breakdown", breakdown, ["--by", "annotation"], False, False),
         ("tr-breakdown", breakdown, ["--by", "annotation", "--side", "device"], False, False),
         ("tr-breakdown", breakdown, ["--by", "annotation", "--side", "work"], False, False),
         ("tr-overlap", overlap, [], False, True),
         ("tr-overlap", overlap, ["--by", "kernel"], False, False),
         ("tr-breakdown", calls, ["--by", "tree"], True, False),
         ("tr-breakdown", calls, ["--by", "operator"], True, False),
         ("tr-breakdown", calls, ["--by", "operator,position"], True, False),
         ("tr-breakdown", calls, ["--by", "operator,step_phase"], True, False),
         ("tr-breakdown", calls, ["--by", "module,tree"], True, False),
         ("tr-breakdown", calls, ["--by", "sequence"], True, False),
         ("tr-patterns", calls, ["--length", "1", "--op", "^aten|^ProfilerStep"], True, False),
         ("tr-launch", launch, [], True, True),
         ("tr-launch", launch, ["--by", "launch"], True, True),
         ("tr-launch", launch, ["--by", "kernel"], True, True),
         ("tr-util", util, ["--by", "rank"], False, False),
         ("tr-util", util, ["--by", "device"], False, False),
         ("tr-util", util, ["--by", "stream"], False, False),
         ("tr-util", util, ["--by", "region"], True, False),
         ("tr-util", util, ["--by", "pace"], True, False),
         ("tr-util", util, ["--by", "annotation"], True, False))


def selection(seed, reused):
    """Options of both; those that follow launches only where it is clear which launch is meant."""
    options = [["--per", p] for p in ("rank", "device", "stream", "all")][seed % 4] if seed % 5 else []
    if reused:
        return options
    return options + (["--drop-last-step"] if seed % 3 == 1 else [])


def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        said = p.stderr.decode("utf-8", "replace").strip()
        raise RuntimeError("%s ended with status %d: %s" % (
            " ".join(os.path.basename(a) for a in argv), p.returncode, said[-300:]))
    return p.stdout.decode("utf-8", "surrogateescape")


def traces(folder, trgen, seed):
    """Files, none if Python's JSON parser refuses them; whether calls share correlation numbers."""
    if seed % 3 == 1:
        files, reused = tiny.write(folder, seed)
    else:
        run(trgen, "--output", folder, "--random", "--seed", str(seed))
        stems = sorted(n[:-len(".truth.json")] for n in os.listdir(folder) if n.endswith(".truth.json"))
        truths = []
        for stem in stems:
            with open(os.path.join(folder, stem + ".truth.json"), encoding="utf-8") as f:
                truths.append(json.load(f))
        reused = any("reused-correlation" in t["planted_counts"] for t in truths)
        files = [os.path.join(folder, stem + ".json") for stem in stems] if all(t["strict_json"] for t in truths) else []
    for path in files if seed % 2 == 0 else []:
        twist.twist(path, seed)
    return files, reused


def compare(bin_dir, trgen, seed):
    """For each view a list of (what was tried, differences or None)."""
    results = [[] for _ in VIEWS]
    with tempfile.TemporaryDirectory() as folder:
        files, reused = traces(folder, trgen, seed)
        for i, (program, oracle, view, launches, groups) in enumerate(VIEWS if files else ()):
            if launches and reused:
                continue
            options = selection(seed, reused) if groups else []
            if "launch" in view and "--per" in options: # each launch is a row of its own
                options = options[2:]
            if program == "tr-util" and not {"pace", "annotation"} & set(view):
                options += BINS[seed % len(BINS)]
            if "region" in view:
                options += BELOW[seed // 3 % len(BELOW)] + THRESHOLDS[seed // 2 % len(THRESHOLDS)]
            if program == "tr-breakdown" and {"kernel", "annotation"} & set(view):
                options += LIMITS[seed % len(LIMITS)]
            elif program == "tr-patterns":
                options += TOPS[seed // 2 % len(TOPS)]
            elif program == "tr-launch" and not view:
                options += CUTOFFS[seed // 2 % len(CUTOFFS)]
            elif {"idle", "cause", "gap", "step", "stream-idle"} & set(view):
                options += THRESHOLDS[seed // 2 % len(THRESHOLDS)]
            if "step" in view and seed % 2:
                options += ["--per", "all"]
            columns = ["--columns", ",".join(breakdown.STEP_COLUMNS)] if "step" in view else []
            have = run(os.path.join(bin_dir, program), "-O", "tsv", "-q", *view, *columns, *options, *files)
            views = tuple(breakdown.VIEWS) + tuple(calls.VIEWS) + launch.VIEWS + tuple(util.VIEWS)
            by = ["--by", "patterns"] if program == "tr-patterns" else []
            parsed = kineto.options("", views, by + view + options + files)
            want = kineto.text(*oracle.table(parsed))
            n = want.split("\n", 1)[0].count("\t") + 1  # an oracle need not know the last columns
            have = "".join("\t".join(line.split("\t")[:n]) + "\n" for line in have.split("\n")[:-1])
            what = "seed %d: %s" % (seed, " ".join([program] + view + options))
            results[i].append((what, None if have == want else (have, want)))
    return results


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, trgen, seeds = sys.argv[1], sys.argv[2], seeds_of.of(sys.argv[3])
    n = len(seeds)
    total = [[] for _ in VIEWS]
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        for results in pool.map(compare, [bin_dir] * n, [trgen] * n, seeds, chunksize=10):
            for all_of_view, some in zip(total, results):
                all_of_view += some
    failed = 0
    print("1..%d" % len(VIEWS))
    for i, (program, _, view, _, _) in enumerate(VIEWS):
        wrong = [(what, why) for what, why in total[i] if why]
        failed += bool(wrong) or not total[i]
        print("%sok %d - %s: %d traces of %d" % ("not " if wrong or not total[i] else "", i + 1,
                                                 " ".join([program] + view), len(total[i]), n))
        for what, (have, want) in wrong[:SHOWN]:
            print("# " + what)
            differ = difflib.unified_diff(want.split("\n"), have.split("\n"), "want", "have", n=1, lineterm="")
            for line in list(differ)[2:LINES]:
                print("# " + line)
        if len(wrong) > SHOWN:
            print("# and %d more" % (len(wrong) - SHOWN))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
