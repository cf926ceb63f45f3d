#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Schemas and summaries of unitrace against tr-categorize.  usage: unitrace.py CORPUS TR-CATEGORIZE

Schemas: the reference is the tree into which unitrace turned a file.  The file and the tree have to give the same
rules, and both the classes that a walk down the tree gives, for every text of the schema and for texts like them.
(Where the walk of unitrace itself breaks off, the category met on the way is the right one.)

Summaries: their input is an archive of text reports, one of each process.  Names of the host are not in the reference, and
neither are those of OpenCL, so there the rest is compared.
"""
import csv
import glob
import io
import json
import os
import subprocess
import sys

NUMBER = [0, 0]  # tests, failures


def result(bad, what):
    NUMBER[0] += 1
    NUMBER[1] += bool(bad)
    print("%s %d - %s" % ("not ok" if bad else "ok", NUMBER[0], what))
    for line in bad[:5]:
        print("# " + line)


def run(*args):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode not in (0, 1):
        raise SystemExit("# %s: %s" % (" ".join(args), p.stderr.decode()))
    return p.stdout.decode()


def table(*args):
    return list(csv.DictReader(io.StringIO(run(*args, "-O", "csv"), newline="")))


# ---- schemas ----


def flatten(tree, path=""):
    """(text, whole name?) -> category"""
    found = {}
    if "category" in tree:
        found[path, False] = tree["category"]
    for piece, node in tree.get("next", {}).items():
        if piece == "":
            found[path, True] = node["category"]
        else:
            found.update(flatten(node, path + piece))
    return found


def walk(tree, name):
    """The longest text wins."""
    category, rest = tree.get("category"), name
    while "next" in tree:
        if rest == "":
            return tree["next"].get("", {}).get("category", category)
        piece = rest[:tree.get("length", 0)]
        if piece not in tree["next"] or piece == "":
            return category
        tree, rest = tree["next"][piece], rest[len(piece):]
        category = tree.get("category", category)
    return category


def look_up(schema, name):
    if schema["ignore_spaces"]:
        name = name.replace(" ", "").replace("\t", "")
    direct = walk(schema["direct"], name)
    return direct if direct is not None else walk(schema["reverse"], name[::-1])


def rules(tool, path, spaces):
    """As flatten, for both trees; of equal texts the last counts."""
    found = {}
    for r in table(tool, "--show-rules", "--rules", path, *(["--keep-spaces"] if spaces else [])):
        text = r["text"] if spaces else r["text"].replace(" ", "").replace("\t", "")
        found[text, r["condition"]] = r["class"]
    return found


def check_schema(tool, golden, ini, spaces):
    path = os.path.join(golden, "schema.json")
    with open(path, encoding="utf-8") as f:
        schema = json.load(f)
    want = {(text, "equals to" if whole else "starts with"): c for (text, whole), c in flatten(schema["direct"]).items()}
    want.update({(text[::-1], "ends with"): c for (text, _), c in flatten(schema["reverse"]).items()})
    case = os.path.basename(golden)
    for source, have in ((ini, rules(tool, ini, spaces)), (path, rules(tool, path, spaces))):
        bad = ["%s: %s, not %s" % (key, have.get(key), want.get(key)) for key in sorted(set(want) | set(have))
               if have.get(key) != want.get(key)]
        result(bad, "%s: %d rules of %s" % (case, len(want), os.path.basename(source)))
    names = set()
    for text, _ in want:
        names |= {text, text + "x", "x" + text, text[:-1], text[1:], text + " y", text * 2, " " + text, text[: len(text) // 2]}
    names = sorted(n for n in names if n)
    for source in (ini, path):
        bad = []
        for at in range(0, len(names), 100):
            some = names[at : at + 100]
            have = {r["name"]: r["class"] for r in table(tool, "--rules", source, *(["--keep-spaces"] if spaces else []),
                                                         *("--explain=" + n for n in some))}
            bad += ["%r is %s, not %s" % (n, have[n], look_up(schema, n)) for n in some if (have[n] or None) != look_up(schema, n)]
        result(bad, "%s: %d names by %s" % (case, len(names), os.path.basename(source)))


# ---- summaries ----


def check_summary(tool, corpus, golden):
    with open(os.path.join(golden, "cmd.json"), encoding="utf-8") as f:
        argv = json.load(f)["argv"]
    with open(os.path.join(golden, "summary.json"), encoding="utf-8") as f:
        want = json.load(f)
    option = dict(zip(argv[1::2], argv[2::2]))
    schema = os.path.join(corpus, "inputs", "schemas", option["--schema"][len("cat_"):-len(".json")] + ".ini")
    archive = os.path.join(corpus, "inputs", option["--input"][len("in/"):])
    said = run(tool, "-q", "--rules", schema, "--by", "class", "--compat", "unitrace", "-O", "json", "--across",
               option.get("--aggregator", "mean"), archive)
    have = json.loads(said)
    if "opencl_only" in golden:
        have = {k: v for k, v in have.items() if k in want}
    bad = ["%s: %s, not %s" % (k, have.get(k), want.get(k)) for k in list(want) + [k for k in have if k not in want]
           if k not in have or k not in want or abs(have[k] - want[k]) > 1e-9 * abs(want[k])]
    if not bad and list(have) != list(want):
        bad = ["order %s, not %s" % (list(have), list(want))]
    result(bad, "%s: %d numbers" % (os.path.basename(golden), len(want)))


def main():
    corpus, tool = sys.argv[1:3]
    schemas = os.path.join(corpus, "inputs", "schemas")
    for golden in sorted(glob.glob(os.path.join(corpus, "golden", "categorize_*"))):
        if os.path.exists(os.path.join(golden, "schema.json")):
            name = os.path.basename(golden)[len("categorize_"):]
            spaces = name.endswith("_keep_spaces")
            check_schema(tool, golden, os.path.join(schemas, name.replace("_keep_spaces", "") + ".ini"), spaces)
    # Unitrace breaks off where a schema has no endings.
    have = table(tool, "--rules", os.path.join(schemas, "no_ends.ini"), "--explain", "gemm_kernel")
    result([] if have[0]["class"] == "a" else [str(have)], "categorize_no_ends: is read")
    for golden in sorted(glob.glob(os.path.join(corpus, "golden", "summary_*"))):
        check_summary(tool, corpus, golden)
    print("1..%d" % NUMBER[0])
    return 1 if NUMBER[1] else 0


if __name__ == "__main__":
    sys.exit(main())
