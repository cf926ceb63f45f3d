#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Categories of TraceLens against the rules of tr-categorize.  usage: classes.py CORPUS TR-CATEGORIZE

Operators: the table ops_summary of each report.  Kernels: kernel_summary of a rocprof trace.  What the reference
calls other says nothing about the name, so it is only counted.  DIFFERENT lists where ours are not the same, and why.
"""
import csv
import glob
import gzip
import io
import os
import subprocess
import sys

OPERATORS = {"InferenceAttention": "inference_attention"}  # else lower case
KERNELS = {"GEMM": "gemm", "Elementwise": "elementwise", "Reduction": "reduce", "Normalization": "norm",
           "Attention": "attention", "COMM": "comm", "Conv": "conv"}
DIFFERENT = {
    "CatArrayBatchedCopy_contig": ("Memory", "copy"),  # a copy in a kernel is no copy of the runtime
    "__amd_rocclr_copyBuffer.kd": ("Memory", "memcpy"),
    "lpnorm_cleanup": ("Normalization", "reduce"),  # the norm of gradients is a sum
    "sum_and_scatter": ("Reduction", "embedding"),  # of PyTorch's backward pass of embeddings
}


def rows(path):
    with gzip.open(path, "rt", newline="") if path.endswith(".gz") else open(path, newline="") as f:
        return list(csv.DictReader(f))


def classes(tool, names, side):
    """Classes of names, as ours."""
    found = {}
    names = sorted(names)
    for at in range(0, len(names), 100):
        p = subprocess.run([tool, "-O", "csv", *("--explain=" + n for n in names[at : at + 100])], stdout=subprocess.PIPE)
        for r in csv.DictReader(io.StringIO(p.stdout.decode(), newline="")):
            if r["as"] == side:
                found[r["name"]] = r["class"]
    return found


def check(n, what, tool, side, want, same):
    """want: name -> category of the reference; same: our class for a category."""
    have = classes(tool, want, side)
    known = {name: c for name, c in want.items() if c.lower() != "other"}
    agree = [name for name, c in known.items() if have.get(name) == same(c)]
    bad = ["%s: %s, not %s" % (name, have.get(name), c) for name, c in sorted(known.items())
           if name not in agree and DIFFERENT.get(name) != (c, have.get(name))]
    more = sum(name in have for name, c in want.items() if c.lower() == "other")
    print("%s %d - %s: %d of %d names agree; %d of %d others have a class here"
          % ("not ok" if bad or not agree else "ok", n, what, len(agree), len(known), more, len(want) - len(known)))
    for line in bad:
        print("# " + line)
    return bool(bad)


def main():
    corpus, tool = sys.argv[1:3]
    operators = {}
    for path in glob.glob(os.path.join(corpus, "golden", "*", "report", "ops_summary.csv*")):
        for r in rows(path):
            operators[r["name"]] = r["Categories"].strip("[]'")
    kernels = {r["name"]: r["Category"]
               for path in glob.glob(os.path.join(corpus, "golden", "rocprof_*", "kernel_summary.csv*")) for r in rows(path)}
    failed = check(1, "operators", tool, "operator", operators, lambda c: OPERATORS.get(c, c.lower()))
    failed |= check(2, "kernels", tool, "device", kernels, KERNELS.get)
    print("1..2")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
