# SPDX-License-Identifier: MIT
"""The table of operators of one trace beside their points of difference with another one, as TraceLens prints it.

usage: comparison.py OPERATORS KERNELS NODES CALLS

Tables in TSV: operators by shape and thread (tr-roofline), device work and nodes of the merged tree (tr-diff --by
tree,kernel and tree,node), and the arguments of all operators of the first trace (tr-view).
"""
import json
import sys

sys.dont_write_bytecode = True
ARGS = ("shapes", "dtypes", "strides", "args")


def rows_of(path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    head = lines[0].split("\t")
    return [dict(zip(head, line.split("\t"))) for line in lines[1:] if line]


def canonical(text):
    return json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False) if text else ""


def main():
    operators, kernels, nodes, calls = (rows_of(path) for path in sys.argv[1:5])
    row_of = {}
    for r in operators:
        row_of[(r["name"],) + tuple(canonical(r[k]) for k in ARGS)] = r
        r["points"] = {}
    key_of = {}
    for c in calls:
        values = (c["Input Dims"], c["Input type"], c["Input Strides"], c["Concrete Inputs"])
        key_of[c["record"]] = (c["name"],) + tuple(canonical(v.replace("\\\\", "\\")) for v in values)

    # Operators around each piece of work of the first trace, outermost first.
    above, around = [], {}
    for n in nodes:
        del above[int(n["depth"]):]
        above.append(n["base_record"])
        around[n["base_record"]] = list(above)

    busy = {"base": {}, "test": {}}
    names = {}
    for k in kernels:
        busy[k["run"]][k["point"]] = float(k["point_busy_us"])
        names[k["point"]] = k["place"]
    for k in kernels:
        if k["run"] != "base":
            continue
        chain = [row_of.get(key_of.get(record)) for record in around[k["record"]]]
        found = [r for r in chain if r and r["has_model"] == "true"][:1] or [r for r in chain if r][-1:]
        for r in found:
            r["points"][k["point"]] = True

    print("\t".join(("name",) + ARGS + ("thread", "record", "calls", "device_us", "lca_us_a", "lca_us_b", "ratio",
                                        "delta_us", "lca_count_b", "lca_names")))
    for r in operators:
        points = sorted(r["points"], key=int)
        a = sum(busy["base"].get(p, 0) for p in points)
        b = sum(busy["test"].get(p, 0) for p in points)
        ratio = "%.12g" % (b / a) if a else ""
        print("\t".join([r["name"]] + [r[k] for k in ARGS] + [
            r["thread"], r["record"], r["calls"], r["device_us"], "%.3f" % a, "%.3f" % b, ratio,
            "%.3f" % (b - float(r["device_us"])), str(sum(p in busy["test"] for p in points)),
            json.dumps([names[p] for p in points], separators=(",", ":"), ensure_ascii=False)]))


main()
