#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Nodes of graphs by hand, beside tr-breakdown --by graph: usage: graph.py BIN [--random TRGEN SEEDS] [FILE.json[.gz]]...

Nothing here knows about libcore.  Columns: rank graph launches nodes position node name count sum_us pct mean_us p50_us
p99_us max_us approx.  Output is TAP: one line for each trace that has graphs, one for the others.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds
import sums as events

WORK = ("kernel", "memcpy", "memset")


def table(path, order):
    launches = {}
    for x in events.load(path, order):
        if x.activity not in WORK or not x.launch:
            continue
        named = x.args.get("graph id") and x.args.get("graph node id")
        if "GraphLaunch" in x.launch.name or named:
            launches.setdefault(x.launch.record, []).append(x)
    graphs, finished = {}, []
    for record, work in launches.items():
        named = all(w.args.get("graph id") for w in work)
        work.sort(key=lambda x: ((0 if named or x.stream is None else x.stream), x.ts, -x.order, x.record))
        whole = max((x.ts, -x.order, x.record) for x in work + [work[0].launch])
        finished.append((whole, record, named, work))
    for _, record, named, work in sorted(finished, key=lambda f: f[:2]):
        for position, x in enumerate(work):
            if x.suspect:
                continue
            graph = (x.args["graph id"],) if named else tuple(w.name for w in work)
            g = graphs.setdefault((named, graph), {"launches": set(), "nodes": {}, "rank": x.rank})
            g["launches"].add(record)
            node = x.args.get("graph node id") if named else None
            key = (node, x.name) if named else (position, x.name)
            n = g["nodes"].setdefault(key, {"position": position, "node": node, "name": x.name, "durs": []})
            n["durs"].append(x.length)
    rows, unnamed = [], 0
    for i, ((named, graph), g) in enumerate(graphs.items()):
        unnamed += not named
        total = sum(sum(n["durs"]) for n in g["nodes"].values())
        for j, n in enumerate(sorted(g["nodes"].values(), key=lambda n: n["position"])):
            d = n["durs"]
            rows.append((-total, i, j, [g["rank"], graph[0] if named else "#%d" % unnamed, len(g["launches"]), len(g["nodes"]),
                                        n["position"], n["node"], n["name"], len(d), k.us(sum(d)), k.pct(sum(d), total),
                                        k.mean(d), k.quantile(d, 50), k.quantile(d, 99), k.us(max(d)), 0]))
    return [r[3] for r in sorted(rows, key=lambda r: r[:3])]


def compare(bin_dir, path):
    p = subprocess.run([os.path.join(bin_dir, "tr-breakdown"), "-q", "--by", "graph", "-O", "tsv", path],
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    have = [[events.unescape(c) for c in line.split("\t")] for line in p.stdout.decode("utf-8").split("\n")[1:-1]]
    want = table(path, 0)
    if len(have) != len(want):
        return len(want), "%d rows, not %d" % (len(have), len(want))
    for i, (h, w) in enumerate(zip(have, want)):
        if not all(events.same(a, b) for a, b in zip(h, w)):
            return len(want), "row %d: %r, not %r" % (i, h, w)
    return len(want), None


def main():
    bin_dir, rest = sys.argv[1], sys.argv[2:]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        if rest[:1] == ["--random"]:
            for seed in seeds.of(rest[2]):
                name = os.path.join(folder, str(seed))
                os.mkdir(name)
                subprocess.run([rest[1], "--output", name, "--seed", str(seed), "--ranks", "1", "--steps", str(seed % 5 + 1),
                                "--layers", "1", "--graphs", str(seed % 4 + 1), "--graph-kernels", str(seed % 7 + 2),
                                "--no-truth"], check=True)
                results.append(("seed %d" % seed, *compare(bin_dir, os.path.join(name, "rank0.json"))))
            rest = rest[3:]
        results += [(os.path.basename(path), *compare(bin_dir, path)) for path in rest]
    with_graphs = [r for r in results if r[1]]
    others = [r for r in results if not r[1]]
    print("1..%d" % (len(with_graphs) + 1))
    for i, (name, n, said) in enumerate(with_graphs):
        print("%s %d - %s: %d nodes of graphs" % ("not ok" if said else "ok", i + 1, name, n))
        if said:
            print("# " + said)
    print("%s %d - %d traces without graphs" % ("not ok" if any(r[2] for r in others) else "ok", len(with_graphs) + 1, len(others)))
    for r in others:
        if r[2]:
            print("# %s: %s" % (r[0], r[2]))


main()
