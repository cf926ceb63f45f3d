# SPDX-License-Identifier: MIT
"""tr-diff --by table against a program that joins tables by comparing every row with every other.

usage: tables.py BIN SEEDS

Random tables as TSV, CSV or JSON: two keys, a text, and numbers as integers and with three decimals.  Keys may come
several times; they and texts have characters that these formats escape.
"""
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal

sys.dont_write_bytecode = True
import seeds
NAMES = ("gemm", "re\tlu", "a,b", 'say "x"', "back\\slash", "new\nline", "\u00e4", "x" * 70)
HEADER = ("name", "kind", "note", "count", "sum_us")


def table(rng):
    return [(rng.choice(NAMES[:rng.randrange(1, 9)]), rng.choice(("comm", "compute")), rng.choice(("", "n1", "n2")),
             rng.choice((None, rng.randrange(-9, 10 ** 6))), Decimal(rng.randrange(0, 10 ** 9)) / 1000)
            for _ in range(rng.randrange(0, 9))]


def shown(value):
    return "" if value is None else "%.3f" % value if isinstance(value, Decimal) else str(value)


def escaped(text):
    for plain, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(plain, escape)
    return text


def write(rng, path, rows):
    form = rng.choice(("tsv", "csv", "json"))
    if form == "tsv":
        text = "".join("\t".join(escaped(shown(v)) for v in row) + "\n" for row in [HEADER] + rows)
    elif form == "csv":
        out = io.StringIO()
        csv.writer(out).writerows([HEADER] + [[shown(v) for v in row] for row in rows])
        text = out.getvalue()
    else:
        objects = [{k: float(v) if isinstance(v, Decimal) else v for k, v in zip(HEADER, row)} for row in rows]
        text = json.dumps(objects, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    with open(path, "w", encoding="utf-8", newline="") as f:
        f.write(text)


def joined(tables):
    """Rows of equal keys together, several in their order: the order of the base, then of the tests."""
    left = [list(enumerate(t)) for t in tables]
    out = []
    for i, rows in enumerate(left):
        for row in list(rows):
            if row not in left[i]:
                continue
            found = []
            for other in left:
                same = [r for r in other if r[1][:2] == row[1][:2]][:1]
                found += same or [None]
                for r in same:
                    other.remove(r)
            out.append(tuple(f[1] if f else None for f in found))
    return out


def expected(rows, n):
    out = []
    for found in rows:
        have = [i for i, f in enumerate(found) if f]
        names = ["base"] + ["test%d" % i if n > 2 else "test" for i in range(1, n)]
        run = ("both" if n == 2 else "all") if len(have) == n else ",".join(names[i] for i in have)
        key = found[have[0]]
        note = [found[i][2] for i in have[::-1] if found[i][2]][:1] or [""]
        cells = [key[0], key[1], run, note[0]]
        for c in (4, 3):  # times come first
            base = found[0][c] if found[0] else None
            cells.append(shown(base))
            for f in found[1:]:
                value = f[c] if f else None
                diff = None if base is None or value is None else value - base
                cells += [shown(value), shown(diff), "" if diff is None or base == 0 else
                          "%.2f" % (100 * float(diff) / float(base))]
        out.append(tuple(cells))
    return out


def run(tool, paths):
    # Columns run, base_sum_us, test_sum_us, diff_sum_us, pct_sum_us, base_count, test_count, diff_count, pct_count.
    done = subprocess.run([tool, "--by", "table", "--keys", "name,kind", "-q", "-O", "csv"] + paths,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode:
        raise AssertionError("status %d: %s" % (done.returncode, done.stderr.decode()))
    return list(csv.reader(io.StringIO(done.stdout.decode(), newline="")))


def same(got, want):
    """Percentages may be rounded the other way."""
    return len(got) == len(want) and all(
        g == w or (g and w and "\n" not in g and abs(Decimal(g) - Decimal(w)) <= Decimal("0.01")) for g, w in zip(got, want))


def check(tool, rng, folder):
    n = rng.choice((2, 2, 3, 4))
    tables = [table(rng) for _ in range(n)]
    if not any(r[3] is not None for t in tables for r in t):
        return  # a column without a number is no column of numbers
    paths = [os.path.join(folder, str(i)) for i in range(n)]
    for path, rows in zip(paths, tables):
        write(rng, path, rows)
    got = run(tool, paths)[1:]
    want = expected(joined(tables), n)
    assert len(got) == len(want), "%d rows, not %d" % (len(got), len(want))
    for g, w in zip(got, want):
        assert g[:4] == list(w[:4]) and same(g[4:], w[4:]), "%s, not %s" % (g, w)


def main():
    tool, of = os.path.join(sys.argv[1], "tr-diff"), seeds.of(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        for seed in of:
            try:
                check(tool, random.Random(seed), folder)
            except AssertionError as why:
                print("not ok - tables.py: seed %d: %s" % (seed, str(why)[:2000]))
                return
    print("ok - tables.py: %d joins of tables" % len(of))
    print("1..1")


main()
