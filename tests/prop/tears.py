#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random tears: events whose end is missing cost themselves, are counted, and nothing else changes.

usage: tears.py BIN SEEDS [FIRST]

Each seed makes a trace as some writer does: keys in one order, in any order, or in the orders of Kineto, whose metadata
begin with "name" and whose events begin with "ph"; on one line, a line for each event, or over many lines.  Up to three
events then lose all that stands after a random byte of them; one trace in eight has a stray quote between two events
instead.  Names and args hold text that looks like events, as JSON writes it: with escaped quotes.

Every event left whole must come through unchanged, no other may, each loss must be counted, and the stream must be the
same for all sizes of pieces, numbers of threads, and without the shortcut.  The last line says how many traces were
read, and how many were read wrong.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

KINETO_EVENT = ["ph", "cat", "name", "pid", "tid", "ts", "dur", "s", "id", "bp", "args"]
KINETO_META = ["name", "ph", "ts", "pid", "tid", "args"]
TRICKY = ['x,{"ph":"X"', 'y\n{"name":"z","ph":"X","ts":1}', '{"ts": 5}', "a\\", "\\\\\"", 'q", {"cat":"k"}', "\u00e9\u4e2d", ""]
LOST = ["element that is no object", "text that cannot be read as an event", "event beyond the size limit"]
CUT = "text ends in the middle"


def make_args(rng, i):
    args = {"External id": i}
    if rng.random() < 0.5:
        args["Input Dims"] = [[rng.randint(1, 99) for _ in range(rng.randint(0, 3))] for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.3:
        args["note"] = rng.choice(TRICKY)
    if rng.random() < 0.2:
        args["config"] = json.dumps([{"name": "n", "ph": "X", "id": 1}, {"id": 2}], indent=rng.choice([None, 1]))
    if rng.random() < 0.2:
        args["nested"] = {"a": {"b": [1, {"c": rng.choice(TRICKY)}]}}
    return args


def make_event(rng, i, own):
    """An event, its keys in the order of Kineto."""
    kind = rng.choice("XXXXXXiMsfC")
    name = "ok%d" % i + (rng.choice(TRICKY) if rng.random() < 0.3 else "")
    e = {"ph": kind, "cat": rng.choice(["cpu_op", "kernel", "user_annotation"]), "name": name, "pid": rng.choice([0, 7, "host"]),
         "tid": rng.choice([7, 9]), "ts": Decimal(1000 + i * 10) + Decimal(rng.randint(0, 999)) / 1000, "args": make_args(rng, i)}
    if kind == "X":
        e["dur"] = rng.randint(0, 9)
    if kind in "sf":
        e["id"] = i
    if kind == "f":
        e["bp"] = "e"
    if kind == "i":
        e["s"] = "t"
    if kind == "C":
        e["args"] = {"v": i}
    if kind == "M":
        e = {"name": "process_name", "ph": "M", "pid": i, "args": {"name": "p%d" % i + rng.choice(TRICKY)}}
    if own and kind != "M":
        e[own] = i
    return e


def in_order(rng, e, order, own):
    keys = list(e)
    if order == "shuffled" or (order == "mixed" and rng.random() < 0.3):
        rng.shuffle(keys)
    elif order == "own" and own in e:
        keys = [own] + [k for k in KINETO_EVENT if k in e]
    else:
        keys = [k for k in (KINETO_META if e["ph"] == "M" else KINETO_EVENT) if k in e]
    return {k: e[k] for k in keys}


def value(v, **how):
    if isinstance(v, Decimal):
        return str(v)
    return json.dumps(v, **how)


def written(e, layout):
    """The text of an event, from its brace to its brace."""
    if layout == "compact":
        return "{" + ",".join('"%s":%s' % (k, value(v, separators=(",", ":"))) for k, v in e.items()) + "}"
    if layout == "lines":
        return "{" + ", ".join('"%s": %s' % (k, value(v)) for k, v in e.items()) + "}"
    if layout == "indented":
        text = ",\n".join('   "%s": %s' % (k, value(v, indent=1).replace("\n", "\n   ")) for k, v in e.items())
        return "{\n" + text + "\n  }"
    out = "{\n   "  # as Kineto: some members on one line, args over several
    for n, (k, v) in enumerate(e.items()):
        out += "," * (n > 0) + ("\n   " if k in ("ts", "args") else " ") + '"%s": ' % k
        if k == "args":
            out += "{\n      " + ", ".join('"%s": %s' % (a, value(b)) for a, b in v.items()) + "\n    }"
        else:
            out += value(v)
    return out + "\n  }"


def make_trace(rng, many):
    """The bytes, the events that are whole, how many losses must be counted (at least, at most), is the last torn?"""
    layout = rng.choice(["compact", "lines", "indented", "kineto"])
    order = rng.choice(["fixed", "fixed", "shuffled", "mixed", "own"])
    own = rng.choice(["seq", "event_id"]) if order == "own" else None
    n = rng.randint(400, 700) if many else rng.randint(4, 14)
    events = [in_order(rng, make_event(rng, i, own), order, own) for i in range(n)]
    texts = [written(e, layout).encode() for e in events]
    between = {"compact": b",", "lines": b",\n", "indented": b",\n  ", "kineto": b",\n  "}[layout]
    first = next((i for i in range(n) if own and own in events[i]), 0) + 1  # what begins with a key of its own is seen first
    torn = set()
    if rng.random() < 0.9 and first < n:
        at = rng.randint(first, n - 1)
        torn = set(rng.sample(range(first, n), min(n - first, rng.randint(1, 3)))) if rng.random() < 0.5 else \
            set(range(at, min(n, at + rng.randint(1, 3))))
    stray = rng.randint(0, n - 1) if rng.random() < 0.125 else -1
    if stray >= 0:
        torn = set()
    together, colon = 0, False
    doc = bytearray(b'{"schemaVersion": 1,' + rng.choice([b"", b"\n"]) + b'"traceEvents": [' + rng.choice([b"", b"\n"]))
    for i, text in enumerate(texts):
        if i == stray:
            doc += b'": {}}' + between
        if i in torn:
            left = rng.randint(1, len(text) - 1)
            # one that has no key left, is the value of the one before, or the last, or ends in a list before its "ph":
            # it may be part of the loss before it
            in_list = b'"ph"' not in text[:left] and text[:left].count(b"[") > text[:left].count(b"]")
            together += i - 1 in torn and (left <= text.index(b":") or colon or in_list or i == n - 1)
            colon = text[:left].rstrip().endswith(b":")
            doc += text[:left] + (rng.choice([between, b"\n", b","]) if i < n - 1 else b"")
        else:
            doc += text + (between if i < n - 1 else b"")
    doc += rng.choice([b"", b"\n"]) + rng.choice([b'], "displayTimeUnit": "ms"}\n', b"]}", b""])
    most = len(torn) + (stray >= 0)
    return bytes(doc), [e for i, e in enumerate(events) if i not in torn], most - together, most, n - 1 in torn


def exact(v):
    """Numbers as text that is the same for equal numbers."""
    if isinstance(v, dict):
        return {k: exact(x) for k, x in v.items()}
    if isinstance(v, list):
        return [exact(x) for x in v]
    return str(Decimal(v).normalize()) if isinstance(v, (int, Decimal)) else v


def canonical(events):
    return sorted(json.dumps(exact(e), sort_keys=True) for e in events)


def counted(said):
    """Events counted as lost, and texts that end in the middle."""
    lost = cut = 0
    for line in said.splitlines():
        times = re.search(r"\((\d+) times", line)
        lost += (int(times.group(1)) if times else 1) * any(c in line for c in LOST)
        cut += CUT in line
    return lost, cut


def run(*command):
    p = subprocess.run(command, capture_output=True)
    return p.returncode, p.stdout, p.stderr.decode(errors="replace")


def check(bin_dir, seed, where):
    """What is wrong with the reading of one trace: a text, or None."""
    rng = random.Random(seed)
    doc, whole, least, most, last_torn = make_trace(rng, seed % 10 == 0)
    with open(where, "wb") as f:
        f.write(doc)
    parse = [os.path.join(bin_dir, "tr-parse"), "--no-provenance", where]
    status, stream, said = run(*parse)
    if not whole:
        return None
    if status != 0:
        return "status %d: %s" % (status, said)
    for how in (["--no-shortcut", "--piece-size", "1", "-j", "1"], ["--piece-size", "%d" % rng.choice([64, 4096, 10007]), "-j", "3"]):
        if run(*parse, *how)[1] != stream:
            return "%s: another stream" % " ".join(how)
    p = subprocess.run([os.path.join(bin_dir, "tr-view"), "-q", "-O", "chrome"], input=stream, capture_output=True)
    if p.returncode != 0:
        return "tr-view: status %d" % p.returncode
    have = canonical(json.loads(p.stdout, parse_float=Decimal)["traceEvents"])
    want = canonical(whole)
    missing, invented = [e for e in want if e not in have], [e for e in have if e not in want]
    if missing or invented or len(have) != len(want):
        return "intact, but missing: %s\n  invented: %s" % (missing, invented)
    lost, cut = counted(said)
    if not least <= lost + (cut if last_torn else 0) or lost > most:
        return "%d to %d lost, counted %d and %d cut: %s" % (least, most, lost, cut, said)
    return None


def main():
    bin_dir, n = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    wrong = 0
    with tempfile.TemporaryDirectory(dir=".") as folder:
        for seed in range(first, first + n):
            what = check(bin_dir, seed, os.path.join(folder, "t.json"))
            if what:
                wrong += 1
                if wrong <= 5:
                    print("seed %d: %s" % (seed, what))
    print("%d torn traces, %d wrong" % (n, wrong))
    return wrong > 0


sys.exit(main())
