#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fields that stand in an arg or in the name of a kernel or copy, by brute force: usage: name_parts.py BIN N

N random traces have kernels and copies of unitrace and of Kineto, and names that only look like theirs.  What tr-view
shows is what this file finds with regular expressions; each value is what a condition of tr-filter finds, and a row
of tr-sum.  Output is TAP: one line for each program.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile

FIELDS = ["kernel", "grid", "block", "simd", "tile", "direction", "bytes"]
SIZES = r" \{(\d+); (\d+); (\d+)\} \{(\d+); (\d+); (\d+)\}"
SHAPE = re.compile(r".+\[SIMD(_ANY|[0-9]+)(?:%s)?\]" % SIZES, re.S)
NO_WIDTH = re.compile(r".+()%s\]" % SIZES, re.S)
BYTES = re.compile(r".+\[([0-9]+)(?: bytes)?\]", re.S)
WAYS = {"M2D": "Memcpy HtoD", "D2M": "Memcpy DtoH", "D2D": "Memcpy DtoD", "M2M": "Memcpy HtoH"}


def part(field, cat, name, args):
    """The text of a field, "": none.  cat: kernel, memcpy, memset, cpu_op."""
    if field in ("grid", "block", "bytes") and args.get(field) is not None:
        return json.dumps(args[field], separators=(",", ":"))
    tile = re.match(r"Tile #([0-9]+):", name)
    shape = SHAPE.fullmatch(name) or NO_WIDTH.fullmatch(name)
    size = BYTES.fullmatch(name) if "Append" in name else None
    if cat == "cpu_op" or field in ("direction", "bytes") and cat == "kernel":
        return ""
    if field == "tile":
        return tile[1] if tile else ""
    if field == "kernel":
        bare = re.sub(r"(?s)(?<=.)(\[SIMD[0-9_][^][]*|%s)\]$" % SIZES, "", name)
        bare = bare[:bare.rindex("[")] if size and cat != "kernel" else bare
        return re.sub(r"^Tile #[0-9]+: (?=.)", "", bare)
    if field == "direction":
        way = re.search(r"Copy\((...)\)", name)
        return "Memset" if cat == "memset" else WAYS.get(way[1], "Memcpy Unknown") if way else \
            name[:11] if name[:11] in WAYS.values() else "Memcpy Unknown"
    if field == "bytes":
        return str(int(size[1])) if size else ""
    if cat != "kernel" or not shape:
        return ""
    if field == "simd":
        return "any" if shape[1] == "_ANY" else str(int(shape[1])) if shape[1] else ""
    triple = shape.groups()[1:4] if field == "grid" else shape.groups()[4:]
    return "[%d,%d,%d]" % tuple(map(int, triple)) if triple[0] else ""


def make(rng):
    """Events, each as its category here, its name and its args."""
    number = lambda: rng.choice([0, 1, 2, 64, 256, 65536])
    triple = lambda: "{%d; %d; %d}" % (number(), number(), number())
    events = []
    for _ in range(rng.randrange(1, 60)):
        cat = rng.choice(["kernel"] * 5 + ["memcpy", "memset", "cpu_op"])
        kineto = cat != "cpu_op" and rng.random() < 0.3
        args = {}
        if cat in ("kernel", "cpu_op"):
            name = rng.choice(["g", "void f<int, float>(int*)", "a[3]", "x::{lambda()#1}", "\u00e9", "SIMD8"])
            if rng.random() < 0.2:
                name += rng.choice([" %s %s]", " %s %s", "%s %s]"]) % (triple(), triple())
            elif rng.random() < 0.8:
                name += "[SIMD%s%s]" % (rng.choice(["_ANY", "8", "16", "32"]),
                                        rng.choice(["", " %s %s" % (triple(), triple()), " %s" % triple()]))
        elif kineto:
            name = "Memset (Device)" if cat == "memset" else rng.choice(["Memcpy HtoD (Pinned -> Device)", "Memcpy DtoD"])
        else:
            name = "zeCommandListAppendMemory" + ("Fill" if cat == "memset" else "Copy(%s)" % rng.choice(["M2D", "D2M", "X2Y"]))
            name += rng.choice(["", "[%d]" % number(), "[%d bytes]" % number(), "[?]"])
        if rng.random() < 0.3 and not kineto:
            name = "Tile #%d: " % rng.randrange(4) + name
        if kineto or rng.random() < 0.2:
            for key in ("grid", "block"):
                if cat == "kernel" and rng.random() < 0.8:
                    args[key] = rng.choice([None, [number(), number(), number()]])
            if cat != "kernel" and rng.random() < 0.8:
                args["bytes"] = rng.choice([None, number()])
        events.append((cat, name, args, kineto))
    return events


def write(path, events):
    own = {"kernel": "kernel", "memcpy": "gpu_memcpy", "memset": "gpu_memset"}
    rows = []
    for k, (cat, name, args, kineto) in enumerate(events):
        rows.append({"ph": "X", "pid": 9, "tid": 5 if cat == "cpu_op" else 9, "name": name, "ts": 10 * k, "dur": 1,
                     "cat": "cpu_op" if cat == "cpu_op" else own[cat] if kineto else "gpu_op", "args": args})
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": rows}, f)


def run(*argv):
    return subprocess.run(argv, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8").stdout


def rows(text):
    return [line.split("\t") for line in text.splitlines()[1:]]


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main():
    bin_dir, n = sys.argv[1], int(sys.argv[2])
    program = lambda name: os.path.join(bin_dir, name)
    wrong, seen = collections.defaultdict(list), collections.Counter()
    with tempfile.TemporaryDirectory() as tmp:
        trace, stream = os.path.join(tmp, "t.json"), os.path.join(tmp, "t.trs")
        for seed in range(n):
            events = make(random.Random(seed))
            write(trace, events)
            run(program("tr-parse"), "-q", "-o", stream, trace)
            want = [[part(f, *e[:3]) for f in FIELDS] for e in events]
            have = rows(run(program("tr-view"), "-q", "-O", "tsv", "--columns", ",".join(FIELDS), stream))
            for e, w, h in zip(events, want, have):
                if w != h:
                    wrong["tr-view"].append("seed %d: %r: %r, not %r" % (seed, e, h, w))
            if len(want) != len(have):
                wrong["tr-view"].append("seed %d: %d events, not %d" % (seed, len(have), len(want)))
            for k, field in enumerate(FIELDS):
                counts = collections.Counter(w[k] for w in want)
                seen[field] += len(counts) - ("" in counts)
                sums = {r[0]: int(r[1]) for r in rows(run(program("tr-sum"), "-q", "-O", "tsv", "--by", field, "--value",
                                                          "event", "--stat", "count", stream))}
                if sums != counts:
                    wrong["tr-sum"].append("seed %d: %s: %r, not %r" % (seed, field, sums, counts))
                value = rng_value(seed, [v for v in counts if v])
                tests = {"has(%s)" % field: len(want) - counts[""]}
                if value:
                    typed = value if field in ("tile", "bytes") or field == "simd" and value != "any" else quote(value)
                    tests["%s == %s" % (field, typed)] = counts[value]
                    tests["%s != %s" % (field, typed)] = len(want) - counts[""] - counts[value]
                for expr, count in tests.items():
                    found = run(program("tr-filter"), "-q", "-c", expr, stream).strip()
                    if found != str(count):
                        wrong["tr-filter"].append("seed %d: %s: %s, not %d" % (seed, expr, found, count))
    print("1..4")
    for k, name in enumerate(["tr-view", "tr-sum", "tr-filter"], 1):
        print("%sok %d - %s finds what stands in names and args, in %d traces" % ("not " * bool(wrong[name]), k, name, n))
        for line in wrong[name][:5]:
            print("# " + line)
    missing = [f for f in FIELDS if not seen[f]]
    print("%sok 4 - each field has values" % ("not " * bool(missing)))
    return 1 if missing or any(wrong.values()) else 0


def rng_value(seed, values):
    return sorted(values)[seed % len(values)] if values else None


if __name__ == "__main__":
    sys.exit(main())
