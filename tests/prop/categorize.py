#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random rules and names: does tr-categorize take the rule that a naive matcher takes?

usage: categorize.py BIN SEEDS

Files in which the order decides, schemas in which the longest text does, and several files in a row.  What is compared
is the stream: class and kind of every event.  The first difference is shown, with the files that made it.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

PIECES = ["a", "b", "ab", "gemm", "x::y", " ", "\t", "_1", ".", "<int>", "nccl", "aten::", "\u00e9"]
REGEXES = ["^a", "b$", "a.*b", "(gemm|x::)", "_[0-9]", "^(a|b)+", "<(int|long)>", "^$|^ab$"]
VERBS = ["equals to", "starts with", "ends with", "contains", "matches"]
KINDS = ["compute", "comm", "memory", "other"]
ACTIVITY = {"kernel": "device", "gpu_memcpy": "device", "gpu_memset": "device", "cpu_op": "operator", "cuda_runtime": None,
            "user_annotation": None, "python_function": None}


def text(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randint(1, 4)))


def bare(s):
    return s.replace(" ", "").replace("\t", "")


def make_rules(rng, schema):
    """(target, verb, text, class or None, kind or None), and the file."""
    rules, out = [], ["# made at random", ""]
    for _ in range(rng.randint(1, 6)):
        verb = rng.choice(VERBS[:3] if schema else VERBS)
        target = "device" if schema or rng.random() < 0.6 else "operator"
        kind = rng.choice(KINDS) if not schema and target == "device" and rng.random() < 0.4 else None
        label = None if kind and rng.random() < 0.3 else "c%d" % rng.randint(0, 4)
        title = (label or "-") + rng.choice(["", ".remark", ". odd if remark"] if label else [""])
        title += " (%s)" % kind if kind else ""
        about = "operator " if target == "operator" else rng.choice(["", "device "])
        out.append("[%s if %s%s]" % (title, about, verb.replace(" ", rng.choice(["", " ", "  "]))))
        for _ in range(rng.randint(0, 5)):
            what = rng.choice(REGEXES) if verb == "matches" else text(rng).strip(" \t")
            if not what or what.startswith(("#", "[")):
                continue
            rules.append((target, verb, what, label, kind))
            out.append(rng.choice(["", "  "]) + what + rng.choice(["", " "]))
        out.append(rng.choice(["", "# between", "[DEFAULT]\nignored"]) if rng.random() < 0.3 else "")
    return rules, "\n".join(out) + "\n"


def holds(rule, name):
    _, verb, what, _, _ = rule
    if verb == "matches":
        return re.search(what, name) is not None
    n, t = bare(name), bare(what)
    return {"equals to": n == t, "starts with": n.startswith(t), "ends with": n.endswith(t), "contains": t in n}[verb]


def of_target(sets, target, name):
    for rules, longest in sets:
        fit = [(i, r) for i, r in enumerate(rules) if r[0] == target and holds(r, name)]
        if fit and not longest:
            return fit[0][1]
        if fit:
            return max(fit, key=lambda x: (x[1][1] != "ends with", len(bare(x[1][2]).encode()), x[1][1] == "equals to", x[0]))[1]
    return None


def naive(sets, target, name):
    rule = of_target(sets, target, name)
    if not rule and target == "device" and name.startswith("aten::"):
        rule = of_target(sets, "operator", name)
    return rule


def run(bin_, seed, folder):
    rng = random.Random(seed)
    sets, args = [], []
    for k in range(rng.choice([1, 1, 1, 2, 3])):
        schema = rng.random() < 0.5
        rules, body = [], ""
        while not rules:
            rules, body = make_rules(rng, schema)
        plain = all(r[0] == "device" and r[1] in VERBS[:3] and not r[4] for r in rules)
        path = os.path.join(folder, "%d.rules" % k)
        with open(path, "w", encoding="utf-8") as f:
            f.write(body)
        sets.append((rules, plain))
        args += ["--rules", path]
    texts = [r[2] for rules, _ in sets for r in rules]
    events = []
    for k in range(80):
        name = rng.choice([text(rng), rng.choice(texts), rng.choice(texts) + text(rng), text(rng) + rng.choice(texts)])
        events.append({"ph": "X", "cat": rng.choice(list(ACTIVITY)), "name": name, "pid": 1, "tid": 1, "ts": 10 * k, "dur": 1})
    trace = os.path.join(folder, "t.json")
    with open(trace, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": events}, f)
    view = [os.path.join(bin_, "tr-view"), "-O", "jsonl", "--columns", "record,kind,class"]
    before = subprocess.run(view + [trace], stdout=subprocess.PIPE, check=True).stdout
    with subprocess.Popen([os.path.join(bin_, "tr-categorize"), *args, trace], stdout=subprocess.PIPE) as first:
        after = subprocess.run(view, stdin=first.stdout, stdout=subprocess.PIPE, check=True).stdout
    if first.returncode:
        raise SystemExit("seed %d: status %d" % (seed, first.returncode))
    kinds = {r["record"]: r.get("kind") for r in map(json.loads, before.splitlines())}
    taken = 0
    for line in after.splitlines():
        have = json.loads(line)
        e = events[have["record"]]
        target = ACTIVITY[e["cat"]]
        rule = naive(sets, target, e["name"]) if target else None
        taken += rule is not None
        want = (rule[3] if rule else None, (rule and rule[4]) or kinds[have["record"]])
        if (have.get("class"), have.get("kind")) != want:
            for a in args[1::2]:
                with open(a, encoding="utf-8") as f:
                    print("== %s\n%s" % (a, f.read()))
            raise SystemExit("seed %d: %s %r: %s, not %s" % (seed, e["cat"], e["name"], (have.get("class"), have.get("kind")), want))
    return len(events), taken


def main():
    bin_, seeds = sys.argv[1], int(sys.argv[2])
    total = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(seeds):
            total = [a + b for a, b in zip(total, run(bin_, seed, folder))]
    if not total[1] or total[1] == total[0]:
        raise SystemExit("%d of %d events taken by a rule: that proves nothing" % (total[1], total[0]))
    print("%d events, %d taken by a rule" % tuple(total))


if __name__ == "__main__":
    main()
