#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Execution traces: tables, producers and longest chains of random graphs; what tr-critpath -O chakra writes.

usage: execution_trace.py BIN FIRST LAST TRACE...

Random graphs are written in each form, and read again: nodes, dependencies, who made each tensor, and the longest chain
are what a naive search finds.  The graphs of the TRACEs, as tr-critpath -O chakra writes them, are read from the format
alone: each work of the device is a node of its length, what is needed comes before, a stream is a chain, work needs the
host before its launch, and the own time of the host is all there.  A graph that needs more memory than -M allows is
refused in each form.
"""
import csv
import functools
import gzip
import io
import json
import os
import random
import subprocess
import sys

from chakra_reader import TYPES, read, write

BIN = sys.argv[1]
count, failed = 0, 0


def judge(what, wrong):
    global count
    count += 1
    print("%s %d - %s" % ("not ok" if wrong else "ok", count, what))
    for w in wrong[:5]:
        print("#", str(w)[:400])


def run(*args):
    p = subprocess.run([BIN + "/" + args[0], "-q", *args[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert p.returncode == 0, (args, p.returncode, p.stderr)
    return p.stdout


def table(*args):
    return list(csv.DictReader(io.StringIO(run(*args, "-O", "tsv").decode()), delimiter="\t", quoting=csv.QUOTE_NONE))


# ---- random graphs ----

def longest(needs, weight):
    """needs: by node, the nodes that it needs; the largest sum of weights of a chain, without nodes of circles."""
    left, order = {n: {m for m in needs[n] if m in needs and m != n} for n in needs}, []
    while True:
        free = [n for n in left if not any(m in left for m in left[n])]
        if not free:
            break
        for n in free:
            del left[n]
        order += free
    best = {}
    for n in order:
        best[n] = weight[n] + max((best[m] for m in needs[n] if m in best and m != n), default=0)
    return max(best.values(), default=0)


def chakra_graph(draw):
    n = draw.randrange(1, 40)
    ids = draw.sample(range(1, 1000), n)
    nodes = []
    for k, i in enumerate(ids):
        pool = ids if draw.random() < 0.1 else ids[:k]  # now and then, a circle
        data = draw.sample(pool, min(len(pool), draw.randrange(4))) + ([5000] if draw.random() < 0.2 else [])
        attr = {"is_cpu_op": draw.random() < 0.5}
        if draw.random() < 0.5:
            attr["tid"] = draw.randrange(-3, 9)
        nodes.append({"id": i, "name": "op %d" % k, "type": draw.choice(list(TYPES)), "dur": draw.choice([0, 1, 7, 300]),
                      "data": data, "ctrl": [draw.choice(ids)] if draw.random() < 0.5 else [], "attr": attr})
    return nodes


def check_chakra(nodes, path):
    rows, deps = table("tr-view", "--by", "nodes", path), table("tr-view", "--by", "dependencies", path)
    wrong = []
    have = [(int(r["id"]), r["name"], r["kind"], int(r["dur_ns"] or 0), r["is_cpu_op"]) for r in rows]
    want = [(n["id"], n["name"], TYPES[n["type"]], 1000 * n["dur"], str(n["attr"]["is_cpu_op"]).lower()) for n in nodes]
    if have != want:
        wrong.append(("nodes", [x for x in zip(have, want) if x[0] != x[1]][:2], len(have), len(want)))
    have = sorted((int(d["node"]), int(d["on"]), d["kind"]) for d in deps)
    want = sorted([(n["id"], m, "data") for n in nodes for m in n["data"]] + [(n["id"], m, "control") for n in nodes for m in n["ctrl"]])
    if have != want:
        wrong.append(("dependencies", have[:5], want[:5]))
    chain = table("tr-critpath", "--by", "chain", path)
    want = longest({n["id"]: n["data"] for n in nodes}, {n["id"]: n["dur"] for n in nodes})
    have = float(chain[-1]["sum_us"]) if chain else 0
    if have != want:
        wrong.append(("chain", have, want))
    return wrong


def pytorch_graph(draw):
    """Operators that read and write tensors, and views, which are other tensors of the same storage."""
    tensors = [(k, 100 + k // 2) for k in range(1, 12)]
    nodes, t = [], 0
    for k in range(draw.randrange(2, 30)):
        def some(most):
            return [[t, s, 0, 4, 4, "cpu"] for t, s in draw.sample(tensors, draw.randrange(most))]
        own = draw.randrange(1, 50)
        nodes.append({"id": 3 * k + 2, "name": "aten::op%d" % (k % 5), "ctrl_deps": draw.randrange(max(1, 3 * k)),
                      "inputs": {"values": some(4) + ([some(3)] if draw.random() < 0.3 else []) + [7], "shapes": [], "types": []},
                      "outputs": {"values": some(3), "shapes": [], "types": []},
                      "attrs": [{"name": "rf_id", "type": "uint64", "value": k + 1}, {"name": "op_schema", "type": "string", "value": "x"}],
                      "ts": t, "inclusive_dur": own + 3, "exclusive_dur": own,
                      "inter_thread_dep": 3 * draw.randrange(k) + 2 if k and draw.random() < 0.2 else None})
        t += own + 5
    shuffled = nodes[:]
    draw.shuffle(shuffled)
    return nodes, shuffled


def flat(values):
    for v in values:
        if isinstance(v, list) and len(v) == 6:
            yield v[0], v[1]
        elif isinstance(v, list):
            yield from flat(v)


def producers(nodes):
    made = set()
    for n in nodes:
        before = [m for m in nodes if m["id"] < n["id"]]
        for t, s in flat(n["inputs"]["values"]):
            by = [m["id"] for m in before if any(x == t for x, _ in flat(m["outputs"]["values"]))] or \
                 [m["id"] for m in before if any(y == s for _, y in flat(m["outputs"]["values"]))]
            if by:
                made.add((n["id"], by[-1], t))
    return made


def check_pytorch(nodes, path):
    deps = table("tr-view", "--by", "dependencies", path)
    want, wrong = producers(nodes), []
    have = {(int(d["node"]), int(d["on"]), int(d["tensor"])) for d in deps if d["kind"] == "tensor"}
    if have != want:
        wrong.append(("producers", sorted(have ^ want)[:5]))
    needs = {n["id"]: [b for a, b, _ in want if a == n["id"]] + ([n["inter_thread_dep"]] if n["inter_thread_dep"] else []) for n in nodes}
    want = longest(needs, {n["id"]: n["exclusive_dur"] for n in nodes})
    have = float(table("tr-critpath", "--by", "chain", path)[-1]["sum_us"])
    return wrong + ([("chain", have, want)] if have != want else [])


def random_graphs(first, last):
    wrong = {"pytorch-et": [], "chakra-json": [], "chakra": []}
    for seed in range(first, last):
        draw = random.Random(seed)
        nodes = chakra_graph(draw)
        with open("g.0.et", "wb") as f:
            f.write(write(nodes, seed % 2))
        wrong["chakra"] += [(seed, w) for w in check_chakra(nodes, "g.0.et")]
        if read(write(nodes, True))[1] != [dict(n, start=0) for n in nodes]:
            wrong["chakra"].append((seed, "the reader of this test reads what its writer wrote"))
        with open("g.0.json", "w") as f:
            json.dump({"workload_graph": [{"Id": n["id"], "Name": n["name"], "NodeType": n["type"], "ctrlDeps": n["ctrl"],
                                           "data_deps": n["data"], "runtime": n["dur"], **n["attr"]} for n in nodes]}, f)
        wrong["chakra-json"] += [(seed, w) for w in check_chakra(nodes, "g.0.json")]
        nodes, shuffled = pytorch_graph(draw)
        with open("p_0.json", "w") as f:
            json.dump({"schema": "1.1.0-chakra.0.0.4", "nodes": shuffled}, f)
        wrong["pytorch-et"] += [(seed, w) for w in check_pytorch(nodes, "p_0.json")]
    for form in wrong:
        judge("%s: tables and chains of %d random graphs" % (form, last - first), wrong[form])


# ---- little memory ----

def long_names(n):
    """Graphs of n nodes whose names have 1 MiB each, in each form, compressed: the tables are larger than 64 MiB."""
    name = "x" * (1 << 20)
    packed = gzip.compress(name.encode(), 1)

    def put(path, data):
        with open(path, "wb") as f:
            f.write(packed.join(gzip.compress(part, 1) for part in data.split(b"NAME")))
        return path

    graph = {"workload_graph": [{"Id": k + 1, "Name": "NAME", "NodeType": 4, "data_deps": []} for k in range(n)]}
    yield put("long.0.json.gz", json.dumps(graph).encode())
    node = {"name": "NAME", "ctrl_deps": 1, "inputs": {"values": [], "shapes": [], "types": []},
            "outputs": {"values": [], "shapes": [], "types": []}, "attrs": []}
    graph = {"schema": "1.1.0-chakra.0.0.4", "nodes": [dict(node, id=k + 2) for k in range(n)]}
    yield put("long_0.json.gz", json.dumps(graph).encode())
    facts, data = write([], True), b""
    for k in range(n):
        data += write([{"id": k + 1, "name": name, "type": 4, "start": 0, "dur": 0, "data": [], "ctrl": [], "attr": {}}],
                      True)[len(facts):].replace(name.encode(), b"NAME")
    yield put("long.0.et.gz", facts + data)


def little_memory():
    wrong = []
    for path in long_names(68):
        for tool, *options in (("tr-parse", "-o", "long.trace"), ("tr-critpath", "--by", "chain", "-O", "tsv")):
            p = subprocess.run([BIN + "/" + tool, "-M", "64M", *options, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            said = p.stderr.decode()
            if p.returncode != 4 or said.count("\n") != 1 or path not in said or " -M " not in said or p.stdout:
                wrong.append((path, tool, "with little memory", p.returncode, said, p.stdout[:99]))
            if [x for x in os.listdir(".") if x.startswith("long.trace")]:
                wrong.append((path, tool, "something is left"))
        run("tr-parse", "-M", "128M", "-o", "long.trace", path)
        rows = table("tr-view", "--by", "nodes", "--columns", "id", "long.trace")
        if len(rows) != 68:
            wrong.append((path, "with enough memory", len(rows)))
        os.remove("long.trace")
    return wrong


# ---- what tr-critpath -O chakra writes ----

def half_up(ns):
    return (ns + 500) // 1000


def check_written(path):
    run("tr-critpath", "-O", "chakra", "-f", "-o", "out.0.et", path)
    with open("out.0.et", "rb") as f:
        facts, nodes = read(f.read())
    wrong = [] if facts.get("version") and "chakra" in facts.get("schema", "") else [("facts", facts)]
    by, depth = {}, sys.getrecursionlimit()
    for n in nodes:
        if n["id"] in by or any(d not in by for d in n["data"]) or len(set(n["data"])) != len(n["data"]):
            wrong.append(("comes before what it needs, or twice", n))
        by[n["id"]] = n
    device = [n for n in nodes if not n["attr"]["is_cpu_op"]]
    columns = "name,ts,dur,stream,activity,kind,launch_dur,queue_wait,record"
    work = [e for e in table("tr-view", "--unit", "ns", "--columns", columns, path) if e["activity"] in ("kernel", "memcpy", "memset")]
    have = sorted((n["name"], n["dur"], n["start"], n["attr"]["stream"]) for n in device)
    want = sorted((e["name"], half_up(int(e["dur_ns"])), int(e["ts_ns"]) // 1000, int(e["stream"])) for e in work if e["launch_dur_ns"])
    if have != want:
        wrong.append(("device work", len(have), len(want), [x for x in zip(have, want) if x[0] != x[1]][:2]))
    if sum(n["type"] in (5, 6, 7) for n in device) != sum(e["kind"] == "comm" and bool(e["launch_dur_ns"]) for e in work):
        wrong.append(("nodes of communication",))
    if any(n["type"] == 7 and "comm_type" not in n["attr"] for n in device):
        wrong.append(("a collective without its type",))
    above = {}
    for n in nodes:  # all that a node needs, by way of others too; as bits
        bits = 0
        for d in n["data"]:
            bits |= above[d] | 1 << d
        above[n["id"]] = bits
    for stream in {n["attr"]["stream"] for n in device}:
        chain = sorted((n["start"], n["id"]) for n in device if n["attr"]["stream"] == stream)
        for (_, a), (_, b) in zip(chain, chain[1:]):
            if by[a]["start"] + by[a]["dur"] < by[b]["start"] and not above[b] >> a & 1:
                wrong.append(("work of a stream does not need the work before", by[a]["name"], by[b]["name"]))
    if device and not any(by[d]["attr"]["is_cpu_op"] for n in device for d in n["data"]):
        wrong.append(("no work needs the host",))
    edges = [e for e in table("tr-critpath", "--gaps", "--by", "edge", "--unit", "ns", path)]
    started = {e["record"] for e in work}
    own = [int(e["weight_ns"]) for e in edges if e["edge"] == "operator" and e["payer_record"] not in started and int(e["weight_ns"]) > 0]
    host = [n for n in nodes if n["attr"]["is_cpu_op"] and n["dur"] >= 0]
    if sorted(map(half_up, own)) != sorted(n["dur"] for n in host):
        wrong.append(("own time of the host", len(own), len(host), sum(own) / 1e3, sum(n["dur"] for n in host)))
    chain = table("tr-critpath", "--by", "chain", "out.0.et")
    want = longest({n["id"]: n["data"] for n in nodes}, {n["id"]: n["dur"] for n in nodes}) if len(nodes) < 3000 else None
    if want is not None and float(chain[-1]["sum_us"]) != want:
        wrong.append(("the chain that tr-critpath finds in it", chain[-1]["sum_us"], want))
    return wrong


def many_waits():
    """Calls that wait one after the other, each for work of another stream: what comes after them needs all of it."""
    events = []
    for s in range(150):
        events += [{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10 + s, "dur": 0.5, "args": {"correlation": s + 1}},
                   {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": s, "ts": 200, "dur": 108 + 10 * s,
                    "args": {"correlation": s + 1, "device": 0, "stream": s}},
                   {"ph": "X", "cat": "cuda_runtime", "name": "cudaStreamSynchronize", "pid": 1, "tid": 1, "ts": 300 + 10 * s, "dur": 9,
                    "args": {"correlation": 900 + s}}]
    events.append({"ph": "X", "cat": "cpu_op", "name": "last", "pid": 1, "tid": 1, "ts": 2291, "dur": 10})
    with open("many.json", "w") as f:
        json.dump({"traceEvents": events}, f)
    run("tr-critpath", "-O", "chakra", "-f", "-o", "many.et", "many.json")
    with open("many.et", "rb") as f:
        nodes = read(f.read())[1]
    above = {}
    for n in nodes:
        above[n["id"]] = set(n["data"]).union(*(above[d] for d in n["data"]))
    last, = (n["id"] for n in nodes if n["name"] == "last")
    needed = sum(n["name"] == "k" and n["id"] in above[last] for n in nodes)
    most = max(len(n["data"]) for n in nodes)
    return [] if needed == 150 and most < 100 else [(needed, most)]


def main():
    random_graphs(int(sys.argv[2]), int(sys.argv[3]))
    judge("graphs that are larger than -M allows", little_memory())
    for path in sys.argv[4:]:
        judge("-O chakra: %s" % path.rsplit("/", 1)[-1], check_written(path))
    judge("-O chakra: many waits in a row", many_waits())
    print("1..%d" % count)


main()
