# SPDX-License-Identifier: MIT
"""Pictures show what tables say: each SVG is read back, and its marks are compared with the TSV of the same command.

Usage: charts.py BIN SAMPLES [long].  Prints TAP lines "ok WHAT" and "not ok WHAT" for harness/tap.sh.
"""
import json
import os
import random
import re
import subprocess
import sys

from svg_reader import NUMBER, Picture, number, read

BIN, SAMPLES = map(os.path.abspath, sys.argv[1:3])
LONG = sys.argv[3:] == ["long"]
UNITS = r"(?: (?:ns|\u00b5s|us|ms|s|%|bytes|GB/s))?"


def run(program, *args, data=None, env=None, ok=True):
    e = dict(os.environ, **(env or {}))
    p = subprocess.run([os.path.join(BIN, program), *args], input=data, capture_output=True, env=e, cwd=SAMPLES)
    if ok and p.returncode != 0:
        raise AssertionError("%s %s: %s" % (program, " ".join(args), p.stderr.decode(errors="replace")))
    return p.stdout if ok else (p.returncode, p.stderr.decode(errors="replace"))


def near(a, b, tolerance):
    return abs(a - b) <= tolerance


# ---- tables ----

def unescape(cell):
    return re.sub(r"\\(x[0-9a-f]{2}|.)",
                  lambda m: {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}.get(m[1], m[0]), cell)


def table(tsv):
    lines = tsv.decode().split("\n")[:-1]
    names = lines[0].split("\t")
    return [dict(zip(names, (unescape(c) for c in line.split("\t")))) for line in lines[1:]]


def ns(cell, unit="us"):
    return round(float(cell) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit])


def value_of(title):
    m = re.search(NUMBER + UNITS + r"(?: \(" + NUMBER + r" %\))?$", title)
    assert m, "no value in '%s'" % title
    return number(m[1])


# ---- comparisons ----

def compare_bars(p, cells, horizontal, scale=1000.0):
    """Each bar says a cell of the table, and is as long as it says; cells are of the figures."""
    assert p.bars, "no bars"
    axis = p.axis(horizontal)
    per_px = abs(axis(100.0) - axis(0.0)) / 100
    for x, y, w, h, _, title in p.bars:
        v = value_of(title)
        assert any(near(v, c, 1e-9 * abs(c) + 1e-9) for c in cells), "'%s' is not in the table" % title
        length = (w if horizontal else h) * per_px
        assert near(length, abs(v) * scale, 0.02 * per_px + 0.002 * abs(v) * scale + 1e-9), \
            "'%s' is drawn %g long, and is %g" % (title, length, abs(v) * scale)


def figures(rows, *names):
    return [float(r[n]) for r in rows for n in names if r.get(n)]


def both(*command):
    return read(run(*command, "-O", "svg")), table(run(*command, "-O", "tsv"))


def check_sample_bars():
    for command, names, horizontal in [
            (("tr-breakdown", "rank0.json.gz", "rank1.json.gz"),
             ("compute_us", "exposed_comm_us", "exposed_memory_us", "other_us", "idle_us"), True),
            (("tr-breakdown", "--by", "step", "rank0.json.gz"), ("busy_us", "idle_us"), False),
            (("tr-breakdown", "--by", "kernel", "rank0.json.gz"), ("sum_us",), True),
            (("tr-breakdown", "--by", "annotation", "rank0.json.gz"), ("mean_us",), True),
            (("tr-breakdown", "--by", "operator,shape", "rank0.json.gz"), ("device_self_us",), True),
            (("tr-breakdown", "--by", "type", "--unit", "ns", "rank0.json.gz"), ("sum_ns",), True),
            (("tr-comm", "--by", "straggler", "rank0.json.gz", "rank1.json.gz"), ("wait_caused_us", "wait_us"), True),
            (("tr-launch", "rank0.json.gz"), ("cpu_mean_us", "queue_mean_us", "gpu_mean_us"), True),
            (("tr-replay", "rank0.json.gz"), ("device_self_us",), True),
            (("tr-report", "--sections", "findings", "rank0.json.gz", "rank1.json.gz"), ("impact_us",), True)]:
        p, rows = both(*command)
        compare_bars(p, figures(rows, *names), horizontal, 1.0 if "ns" in command or "findings" in command else 1000.0)


def check_sums_stay_out():
    p, rows = both("tr-breakdown", "--by", "timeline", "rank0.json.gz", "rank1.json.gz")
    parts = [r for r in rows if r["type"] not in ("total", "busy", "total_comm", "total_memory")]
    compare_bars(p, figures(parts, "time_us"), True)
    assert len(p.bars) == len([r for r in parts if float(r["time_us"])])


def check_segments_add_up():
    """Rows that a stack does not name are one segment: its title is their sum."""
    p, rows = both("tr-breakdown", "--by", "idle", "rank0.json.gz", "rank1.json.gz")
    sums = {}
    for r in rows:
        key = (r["rank"], r["cause"].replace("_", " "))
        sums[key] = sums.get(key, 0) + ns(r["idle_us"])
    shown = {}
    for bar in p.bars:
        m = re.match(r"rank (\d+): (.*) " + NUMBER + " \u00b5s", bar[5])
        if m:
            shown[m[1], m[2]] = round(number(m[3]) * 1000)
    assert shown == {k: v for k, v in sums.items() if v}, (shown, sums)


def check_whiskers():
    data = b"name\tmean_us\tmin_us\tmax_us\na\t30\t10\t90\nb\t20\t20\t20\nc\t5\t\t\n"
    p = read(run("tr-plot", "-y", "mean_us", "--low", "min_us", "--high", "max_us", data=data))
    ends = [d for d, c, _ in p.paths if c == "wh"]
    assert len(ends) == 1, "one bar has whiskers"
    axis = p.axis(True)
    x = [float(n) for n in re.findall(r"M([0-9.]+)", ends[0])]
    assert near(axis(min(x)), 10e3, 300) and near(axis(max(x)), 90e3, 300), (axis(min(x)), axis(max(x)))
    assert any(t.s == "30 \u00b5s (10 to 90)" or t.s == "30.0 \u00b5s (10.0 to 90.0)" for t in p.texts), [t.s for t in p.texts]


def check_points():
    p, rows = both("tr-breakdown", "--by", "gap", "rank0.json.gz")
    assert len(p.circles) == len(rows)
    y, x = p.axis(False, True), p.axis(True)
    start = min(ns(r["start_us"]) for r in rows)
    want = sorted((ns(r["start_us"]) - start, ns(r["idle_us"])) for r in rows)
    have = sorted((x(cx), y(cy)) for cx, cy, _ in p.circles)
    for a, b in zip(want, have):
        assert near(a[0], b[0], 5e4), (a, b)
    for a, b in zip(sorted(w[1] for w in want), sorted(h[1] for h in have)):
        assert near(a, b, 0.01 * a), (a, b)


def check_lines():
    rng = random.Random(5)
    points = [(i * 7, rng.randrange(100, 1000)) for i in range(100)]
    data = "ts_us\tvalue\n" + "".join("%d\t%d\n" % q for q in points)
    for kind in ("line", "step"):
        p = read(run("tr-plot", "--kind", kind, "-x", "ts_us", "-y", "value", data=data.encode()))
        d = next(d for d, c, _ in p.paths if c.startswith("ln"))
        x, y = p.axis(True), p.axis(False)
        if kind == "line":
            have = [(x(float(a)), y(float(b))) for a, b in re.findall(r"[ML]([0-9.]+) ([0-9.]+)", d)]
        else:
            first = re.match(r"M([0-9.]+) ([0-9.]+)", d)
            have = [(x(float(first[1])), y(float(first[2])))]
            have += [(x(float(a)), y(float(b))) for a, b in re.findall(r"H([0-9.]+)V([0-9.]+)", d)]
        assert len(have) == len(points), (len(have), len(points))
        for (a, b), (c, e) in zip(points, have):
            assert near(a * 1000, c, 1000) and near(b, e, 3), (kind, a, b, c, e)


def check_areas():
    """Areas on top of each other are as high as the largest sum, and a value without a time holds from the start."""
    p, rows = both("tr-memory", "--by", "series,operator", "rank0.json.gz")
    y = p.axis(False)
    tops = [float(v) for d, c, _ in p.paths if c.startswith("f-") for v in re.findall(r"V([0-9.]+)", d)]
    want, have = max(int(r["total_bytes"]) for r in rows), y(min(tops))
    assert near(have, want, 0.005 * want), (have, want)
    value, most = {}, 0
    for r in rows:
        value[r["category"]] = int(r["allocated_bytes"])
        most = max(most, sum(value.values()))
    assert most == want, (most, want)


def check_bins_of_long_lines():
    """A line of many points keeps its extremes: its band reaches from the minimum to the maximum."""
    rng = random.Random(6)
    values = [rng.randrange(200, 800) for _ in range(5000)]
    values[3333], values[1111] = 999, 1
    data = "ts_us\tvalue\n" + "".join("%d\t%d\n" % (i, v) for i, v in enumerate(values))
    p = read(run("tr-plot", "-x", "ts_us", "-y", "value", data=data.encode()))
    d = next(d for d, c, _ in p.paths if c.startswith("ar"))
    y = p.axis(False)
    heights = [y(float(b)) for _, b in re.findall(r"[ML]([0-9.]+) ([0-9.]+)", d)]
    assert near(max(heights), 999, 4) and near(min(heights), 1, 4), (min(heights), max(heights))
    assert any("bins: mean, min and max" in t.s for t in p.texts)


def check_histogram():
    for log in ([], ["=log"]):
        command = ("tr-sum", "--by", "kind", "--where", 'kind == "compute"', "--hist" + "".join(log), "rank0.json.gz")
        p, rows = both(*command)
        bars = {}
        for bar in p.bars:
            m = re.match(NUMBER + r" \u00b5s: " + NUMBER + "$", bar[5])
            bars[round(number(m[1]) * 1000)] = (bar, number(m[2]))
        want = [r for r in rows if r["count"] != "0"]
        assert len(bars) == len(want), (len(bars), len(want))
        y = p.axis(False)
        per_px = abs(y(0) - y(100)) / 100
        for r in want:
            bar, n = bars[ns(r["from_us"])]
            assert n == int(r["count"]) and near(bar[3] * per_px, n, 0.02 * per_px + 0.004 * n), (r, bar)


def check_spans():
    p, rows = both("tr-comm", "--by", "member", "rank0.json.gz", "rank1.json.gz")
    x = p.axis(True)
    start = min(ns(r["start_us"]) for r in rows)
    per_px = (x(100) - x(0)) / 100
    have = sorted((x(b[0]), b[2] * per_px) for b in p.bars)
    want = sorted((ns(r["start_us"]) - start, ns(r["dur_us"])) for r in rows)
    assert len(have) == len(want), (len(have), len(want))
    for a, b in zip(want, have):
        assert near(a[0], b[0], 2 * per_px) and near(a[1], b[1], 2 * per_px), (a, b)


def check_heat():
    rng = random.Random(7)
    cells = {(i, k): rng.randrange(0, 500) for i in range(6) for k in range(4) if (i + k) % 5}
    data = "src\tdst\tn\n" + "".join("%d\t%d\t%d\n" % (i, k, v) for (i, k), v in cells.items())
    p = read(run("tr-plot", "--kind", "heat", "-x", "src", "-y", "dst,n", data=data.encode()))
    shown = [r for r in p.rects if r[5]]
    assert len(shown) == len(cells)
    xs, ys = sorted({r[0] for r in shown}), sorted({r[1] for r in shown})
    most = max(cells.values())
    for x, y, _, _, level, title in shown:
        v = cells[xs.index(x), ys.index(y)]
        assert title.endswith(": %d" % v), (title, v)
        want = 0 if v == 0 else min(9, int(v / most * 9 + 0.999))
        assert int(level[1:]) == want, (level, v, most)


def check_bins():
    """Bins of time have their place on an axis of time, and their level; 100 percent is the darkest."""
    for by, files in (("rank", ("rank0.json.gz", "rank1.json.gz")), ("stream", ("rank0.json.gz",))):
        p, rows = both("tr-util", "--by", by, "--bin", "2ms", *files)
        shown = [r for r in p.rects if r[5]]
        assert len(shown) == len(rows), (len(shown), len(rows))
        x = p.axis(True)
        per_px, names = (x(100) - x(0)) / 100, sorted({int(r[by]) for r in rows})
        up = {y: name for y, name in zip(sorted({r[1] for r in shown}), names)}
        have = {(up[r[1]], round(x(r[0]) / 2e6)): r for r in shown}
        for row in rows:
            left, _, w, _, level, title = have[int(row[by]), round(ns(row["bin_start_us"]) / 2e6)]
            v = float(row["busy_pct"])
            assert near(x(left), ns(row["bin_start_us"]), 1.1 * per_px) and near(w * per_px, 2e6, 1.1 * per_px), row
            assert value_of(title) == v and int(level[1:]) == (0 if v == 0 else min(9, int(v / 100 * 9 + 0.999))), (title, level)


def check_changes():
    """Bars of changes go to the side of their sign, in its colour; the greatest is the first; a total has none."""
    p, rows = both("tr-diff", "--by", "kernel", "-q", "rank0.json.gz", "rank1.json.gz")
    x, last = p.axis(True), float("inf")
    per_px = (x(100) - x(0)) / 100
    cells = [float(r["diff_us"]) for r in rows if r["name"] != "total"]
    assert 5 <= len(p.bars) <= len(cells)
    for left, _, w, _, colour, title in sorted(p.bars, key=lambda b: b[1]):
        v = value_of(title)
        assert any(near(v, c, 1e-9 * abs(c) + 1e-9) for c in cells), title
        assert ("f-compute" in colour) == (v < 0) and v <= last, (title, colour)
        ends = sorted((0, v * 1000))
        assert near(x(left), ends[0], 2 * per_px) and near(x(left + w), ends[1], 2 * per_px), (title, left, w)
        last = v


def check_flame():
    p, rows = both("tr-breakdown", "--by", "tree", "--step", "17", "rank0.json.gz")
    names = {r["name"] for r in rows}
    singles = [b for b in p.bars if not re.search(r"\d spans$", b[5]) and b[1] > 90]
    assert len(singles) > 50
    x = p.axis(True)
    per_px = (x(100) - x(0)) / 100
    for b in singles:
        name, _, value = b[5].rpartition(": ")
        assert name in names or name[:190] in {n[:190] for n in names}, name
        assert near(b[2] * per_px, value_of(value) * 1000, 2 * per_px), b
    # spans of a row are beside each other
    for y in {b[1] for b in singles}:
        row = sorted((b[0], b[0] + b[2]) for b in p.bars if b[1] == y)
        for a, b in zip(row, row[1:]):
            assert b[0] >= a[1] - 0.5, "spans of a row overlap: %s %s" % (a, b)


def check_roofline():
    p, rows = both("tr-roofline", "--arch", "h100", "--columns", "all", "rank0.json.gz")
    want = [r for r in rows if r["flop_per_byte"] and r["tflops"] and float(r["flop"]) > 0]
    for r in want:  # the table has three decimals
        r["tflops"] = float(r["flop"]) / (float(r["device_us"]) * float(r["model_pct"]) / 100) / 1e6
    assert len(p.circles) == len(want), (len(p.circles), len(want))
    x, y = p.axis(True, True), p.axis(False, True)
    have = sorted(((x(cx), y(cy)) for cx, cy, _ in p.circles), key=lambda point: point[1])
    for r, (a, b) in zip(sorted(want, key=lambda r: r["tflops"]), have):
        assert near(float(r["flop_per_byte"]), a, 0.02 * a) and near(r["tflops"], b, 0.03 * b), (r, a, b)
    assert [c for _, c, _ in p.paths].count("wh") >= 1, "no roof"


# ---- random tables ----

def random_name(rng):
    kind = rng.randrange(8)
    if kind == 0:
        return "n" * rng.randrange(1, 300)
    if kind == 1:
        return "void ns::kernel<int, %d>(float*, int)" % rng.randrange(1000)
    if kind == 2:
        return "\u8868" * rng.randrange(1, 40)
    if kind == 3:
        return "<script>alert(%d)</script>" % rng.randrange(100)
    return "name_%d" % rng.randrange(10000)


def random_value(rng):
    return rng.choice([rng.random() * 1e-3, rng.random() * 1e9, rng.randrange(100), 0, -rng.random() * 1000])


def check_random():
    """Any table of names and figures is a picture that says what the table does, without labels over each other."""
    for seed in range(60 if LONG else 25):
        rng = random.Random(seed)
        n, n_series = rng.choice([1, 2, 3, 7, 12, 13, 40, 300]), rng.choice([1, 1, 2, 3, 9])
        negative = rng.random() < 0.3
        names = list(dict.fromkeys(random_name(rng) for _ in range(n)))
        numbered = rng.random() < 0.4
        keys = [str(i) for i in range(len(names))] if numbered else names
        rows = []
        for key in keys:
            for s in range(n_series):
                v = random_value(rng)
                rows.append((key, "s%d" % s, v if negative else abs(v)))
        column = rng.choice(["step", "rank"]) if numbered else "name"
        data = "%s\tclass\tvalue\n" % column + "".join("%s\t%s\t%r\n" % r for r in rows)
        kind = rng.choice(["bar", "stacked"])
        size = rng.choice(["800x500", "400x300", "1600x900"])
        args = ["--kind", kind, "-x", column, "-y", "value", "--series", "class", "--size", size]
        p = read(run("tr-plot", *args, data=data.encode()))
        horizontal = not numbered or (column == "rank" and len(keys) <= 12)
        marks = Picture(p.svg)
        marks.bars = [b for b in p.bars if re.search(": ", b[5])]
        if any(r[2] for r in rows) and kind == "bar" and marks.bars:
            compare_bars(marks, [r[2] for r in rows], horizontal, 1.0)


def check_hostile():
    names = ['</text><script>alert(1)</script>', '"><svg onload=alert(1)>', "&lt;b&gt;", "]]>", "a\x01b\x1b[31mred",
             "\u202eevil", "x" * 10000, "javascript:alert(1)", "<!--", "\ufffe\uffff"]
    raw = "".join("%s\t%d\n" % (n, 10 + i) for i, n in enumerate(names)).encode("utf-8", "surrogatepass")
    data = b"name\tsum_us\n" + raw + b"bad \xff\xc0\x80 utf\t3\n\xed\xa0\x80\t4\n"
    for kind in ("bar", "stacked"):
        p = read(run("tr-plot", "--kind", kind, "--title", "<script>", data=data))
        assert len(p.svg) < 60000
    data = b"ts_us\tvalue\tname\n" + b"".join(b"%d\t%d\t%s\n" % (i, i % 7, n.encode("utf-8", "surrogatepass"))
                                             for i, n in enumerate(names * 3))
    for kind in ("line", "step", "scatter"):
        read(run("tr-plot", "--kind", kind, "--series", "name", data=data))
    read(run("tr-plot", "--kind", "band", "-x", "ts_us", "-y", "value", "--series", "name", "--facet", "name", data=data))
    read(run("tr-plot", "--kind", "heat", "-x", "name", "-y", "name,value", data=data))
    json.loads(run("tr-plot", "-O", "vega", data=data))


def check_edges():
    empty = read(run("tr-plot", data=b"name\tsum_us\n"))
    assert any(t.s.startswith("Nothing to draw") for t in empty.texts)
    one = read(run("tr-plot", data=b"name\tsum_us\nonly\t5.000\n"))
    compare_bars(one, [5.0], True)
    nan = read(run("tr-plot", "--kind", "line", "-x", "t", "-y", "v", data=b"t\tv\n1\t1\n2\tNaN\n3\t3\n4\t4\n5\t-\n"))
    d = next(d for d, c, _ in nan.paths if c.startswith("ln"))
    assert d.count("M") == 2, "NaN is a gap: " + d
    none = read(run("tr-plot", "-x", "name", "-y", "v", data=b"name\tv\na\tNaN\nb\t1\n"))
    assert len(none.bars) == 1
    for data, args, status, said in [
            (b"name\tv\na\t1\nb\tx7\nc\t3\n", ["-y", "v"], 3, "row 2 has 'x7'"),
            (b"name\tv\na\tb\n", [], 2, "no column of figures"),
            (b"name\tv\na\tb\n", ["-y", "v"], 2, ""),
            (b"v\n1\n", [], 2, "needs two"),
            (b"name\tv\na\t1\n", ["-y", "w"], 2, "no column 'w'"),
            (b"", [], 3, "is empty"),
            (b"a\tb\n1\n", [], 3, "row 1"),
            (b"name\tv\na\t1\n", ["--size", "10x10"], 2, "from 200 to 10000"),
            (b"name\tv\na\t1\n", ["--kind", "heat"], 2, "two columns")]:
        have, err = run("tr-plot", *args, data=data, ok=False)
        assert have == status and said in err and err.count("\n") == 1, (args, have, err)


def check_many():
    n = 1000000 if LONG else 100000
    rng = random.Random(9)
    data = "ts_us\tvalue\tkind\n" + "".join("%d\t%d\t%s\n" % (i, rng.randrange(1000), "ab"[i % 2]) for i in range(n))
    for kind, most in (("line", 60000), ("scatter", 400000), ("band", 400000)):
        svg = run("tr-plot", "--kind", kind, "-x", "ts_us", "-y", "value", "--series", "kind", data=data.encode())
        assert len(svg) < most, (kind, len(svg))
        Picture(svg)
    svg = run("tr-plot", "-x", "ts_us", "-y", "value", "--kind", "bar", data=data.encode())
    assert len(svg) < 200000, len(svg)


def check_bytes():
    """The same bytes for any number of threads and in any locale."""
    command = ("--by", "kernel", "rank0.json.gz", "rank1.json.gz", "-O", "svg")
    want = run("tr-breakdown", *command)
    strip = lambda svg: re.sub(rb"<desc.*?</desc>", b"", svg)
    assert strip(run("tr-breakdown", "-j", "1", *command)) == strip(want)
    locales = subprocess.run(["locale", "-a"], capture_output=True).stdout.decode().split()
    for name in [l for l in locales if l.startswith(("de_DE", "fr_FR"))][:1]:
        assert run("tr-breakdown", *command, env={"LC_ALL": name}) == want


def check_refusals():
    status, err = run("tr-stalls", "--by", "wait", "-O", "svg", "rank0.json.gz", ok=False)
    assert status == 2 and "kernel, instruction" in err and err.count("\n") == 1, err
    status, err = run("tr-memory", "-O", "text", "--bars", "rank0.json.gz", ok=False)
    assert status == 2 and "--bars" in err and err.count("\n") == 1, err
    status, err = run("tr-breakdown", "--size", "900x600", "rank0.json.gz", ok=False)
    assert status == 2 and "-O svg" in err, err


def check_text_bars():
    out = run("tr-breakdown", "--by", "kernel", "--bars", "rank0.json.gz").decode()
    rows = table(run("tr-breakdown", "--by", "kernel", "-O", "tsv", "rank0.json.gz"))
    lines = out.split("\n")[1:-1]
    assert len(lines) == len(rows)
    most = max(float(r["sum_us"]) for r in rows)
    longest = max(len(re.search(r"  ([#=+:ox.]*) *[0-9]", l)[1]) for l in lines)
    for line, r in zip(lines, rows):
        bar = re.search(r"  ([#=+:ox.]*) *[0-9.,]+ \S+$", line)[1]
        assert abs(len(bar) - float(r["sum_us"]) / most * longest) <= 1, (line, r["sum_us"])
        assert len(line) <= 80, line
    # a stack is as long as its sum
    out = run("tr-breakdown", "--bars", "rank0.json.gz", "rank1.json.gz").decode()
    rows = table(run("tr-breakdown", "-O", "tsv", "rank0.json.gz", "rank1.json.gz"))
    stacks = [re.search(r"  ([#=+:ox.]+) ", l)[1] for l in out.split("\n")[1:-1]]
    spans = [float(r["span_us"]) for r in rows]
    assert abs(len(stacks[0]) / len(stacks[1]) - spans[0] / spans[1]) < 0.05


def check_vega():
    for command, y in [(("tr-breakdown", "--by", "kernel", "rank0.json.gz"), "sum_us"),
                       (("tr-breakdown", "--by", "gap", "rank0.json.gz"), "idle_us"),
                       (("tr-memory", "--by", "series", "rank0.json.gz"), "allocated_bytes"),
                       (("tr-comm", "--by", "member", "rank0.json.gz"), "dur_us")]:
        spec = json.loads(run(*command, "-O", "vega"))
        rows = table(run(*command, "-O", "tsv"))
        assert spec["$schema"].endswith("/v5.json")
        assert [v["y"] for v in spec["data"]["values"]] == [float(r[y]) for r in rows]


CHECKS = [check_sample_bars, check_sums_stay_out, check_segments_add_up, check_whiskers, check_points, check_lines,
          check_areas, check_bins_of_long_lines, check_histogram, check_spans, check_heat, check_bins, check_changes, check_flame, check_roofline, check_random,
          check_hostile, check_edges, check_many, check_bytes, check_refusals, check_text_bars, check_vega]

for check in CHECKS:
    what = check.__name__.replace("check_", "").replace("_", " ")
    try:
        check()
        print("ok - pictures: " + what)
    except Exception as e:
        import traceback
        print("not ok - pictures: " + what)
        for line in (traceback.format_exc() if os.environ.get("TR_TRACE") else "%s: %s" % (type(e).__name__, e)).split("\n"):
            print("# " + line)
print("1..%d" % len(CHECKS))
