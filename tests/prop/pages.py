# SPDX-License-Identifier: MIT
"""Pages say what tables say, and names of a trace can do nothing in them.

Usage: pages.py BIN SAMPLES [long].  Prints TAP lines "ok WHAT" and "not ok WHAT" for harness/tap.sh.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

from page_reader import S, X, Page, read

BIN, SAMPLES = map(os.path.abspath, sys.argv[1:3])
LONG = sys.argv[3:] == ["long"]
RANKS = ["rank0.json.gz", "rank1.json.gz"]


def run(program, *args, data=None, cwd=SAMPLES, env=None):
    p = subprocess.run([os.path.join(BIN, program), "-q", *args], input=data, capture_output=True, cwd=cwd,
                       env=dict(os.environ, **(env or {})))
    assert p.returncode == 0, "%s %s: %s" % (program, args, p.stderr.decode(errors="replace"))
    return p.stdout


def cells(row):
    return {k: v.replace(",", "") if re.fullmatch(r"-?[0-9,]+(\.[0-9]+)?", v) else v for k, v in row.items()}


def printed(value):
    return "" if value is None else str(value) if isinstance(value, str) else value


def agree(have, want, what):
    """The rows of a page and those of JSON: numbers are equal, texts too."""
    assert len(have) == len(want), "%s: %d rows, not %d" % (what, len(have), len(want))
    for a, b in zip(have, want):
        a = cells(a)
        for key in a:
            x, y = a[key], printed(b[key])
            assert (float(x) == float(y) if isinstance(y, (int, float)) else x == y), (what, key, x, y)
        for key in set(b) - set(a):
            assert all(r[key] is None for r in want), "%s: no column %s" % (what, key)


def compare_report(*inputs, cwd=SAMPLES, options=()):
    page = read(run("tr-report", "-O", "html", *options, *inputs, cwd=cwd))
    want = json.loads(run("tr-report", "-O", "json", "--top", "12", *options, *inputs, cwd=cwd))
    names = [n for n in want if n not in ("version", "findings") and want[n]["rows"]]
    assert names
    for name in names:
        section = page.section(name)
        assert section is not None, "no section " + name
        agree(page.tables(section)[0], want[name]["rows"], name)
        command = "".join(section.find(".//" + X + "pre").itertext()) if "command" in want[name] else ""
        assert command.replace("\n", "; ") == want[name].get("command", ""), (name, command)
    found = [e for e in page.root.iter(X + "article")]
    assert len(found) == len(want["findings"])
    for e, f in zip(found, want["findings"]):
        text = "".join(e.itertext()).strip()
        assert text.startswith(f["severity"]) and f["command"] in text, (f, text)
        evidence = page.tables(e)
        assert [r["metric"] for r in (evidence[0] if evidence else [])] == [v["metric"] for v in f["evidence"]]
    return page


def check_sample():
    page = compare_report(*RANKS)
    for name in ("steps", "breakdown", "idle", "kernels", "operators", "memory"):
        section = page.section(name)
        assert len(list(section.iter(S + "svg"))) >= 2, name + ": wide and narrow"
        assert section.find(X + "p[@class='means']") is not None, name + " has no sentence"
    h1 = "".join(page.root.find(".//" + X + "h1").itertext())
    assert h1.startswith("Devices wait for data to be loaded") and " us" not in h1, h1
    compare_report(RANKS[0])
    compare_report(*RANKS, options=("--per", "rank"))
    compare_report(*RANKS, options=("--sections", "all"))
    compare_report(RANKS[1], options=("--base", RANKS[0], "--step", "16"))


def check_parts():
    """The picture of a finding has the part of each step that the table of steps has, as a mean over ranks."""
    page = read(run("tr-report", "-O", "html", *RANKS))
    rows = json.loads(run("tr-breakdown", "--by", "step", "--columns", "all", "-O", "json", *RANKS))
    steps = sorted({r["step"] for r in rows})
    mean = lambda step, column: sum(r[column] for r in rows if r["step"] == step) / sum(r["step"] == step for r in rows)
    whole = [mean(s, "time_us") for s in steps]
    drawn = 0
    for article, column in (("finding-1", "data_loading_us"), ("finding-2", "exposed_comm_us")):
        e = next(e for e in page.root.iter(X + "article") if e.get("id") == article)
        svg = e.find(X + "div[@class='part']/" + S + "svg")
        cut = [r for r in svg.iter(S + "rect") if r.get("class") == "cut"]
        rest = [r for r in svg.iter(S + "rect") if r.get("class") == "rest"]
        assert len(cut) == len(rest) == len(steps)
        for step, a, b, full in zip(steps, cut, rest, whole):
            part = mean(step, column)
            assert abs(float(a.get("height")) - 100 * part / max(whole)) < 0.11, (article, step, a.get("height"), part)
            assert abs(float(a.get("height")) + float(b.get("height")) - 100 * full / max(whole)) < 0.11, (article, step)
            assert b.find(S + "title").text.startswith("step %d: " % step)
            drawn += 1
    assert drawn == 2 * len(steps) > 4
    third = next(e for e in page.root.iter(X + "article") if e.get("id") == "finding-3")
    assert third.find(X + "div[@class='part']") is None, "memory has no part of a step"


def marks(page, name):
    """The wide picture of a section: what its marks say, and their time in us."""
    figure = page.section(name).find(".//" + X + "div[@class='wide']")
    said = {}
    for title in figure.iter(S + "title"):
        found = re.fullmatch(r"(.*) ([0-9,.]+) \u00b5s(?: \(.*\))?", title.text.replace("\u00a0", " "))
        if found:
            said[found[1]] = float(found[2].replace(",", ""))
    return said


def check_base():
    """With --base, sections show both runs: tables of each, and pictures with means per rank."""
    page = read(run("tr-report", "-O", "html", "--base", *RANKS, "--", RANKS[0]))
    alone = json.loads(run("tr-report", "-O", "json", "--top", "12", *RANKS))
    for name in ("steps", "breakdown", "idle", "kernels", "operators", "comm", "memory"):
        tables = page.tables(page.section(name))
        assert len(tables) == 2, name + " has no table of the base"
        agree(tables[1], alone[name]["rows"], name + " of the base")
        assert page.section(name).find(X + "p[@class='notes']") is not None or name == "comm", name
    both = {"base": RANKS, "this run": RANKS[:1]}
    for name, view, parts in (("breakdown", "time", ("compute", "exposed_comm", "idle")), ("idle", "cause", None),
                              ("kernels", "kernel", None), ("steps", "step", ("compute", "idle"))):
        said, n = marks(page, name), 0
        for who, files in both.items():
            rows = json.loads(run("tr-breakdown", "--by", view, "--top", "0", "-O", "json", "--columns", "all", *files))
            for row in rows:
                if parts is None:
                    label = row["cause" if view == "cause" else "name"]
                    figure = "idle_us" if view == "cause" else "sum_us"
                    keys = [(k, figure) for k in said if k == "%s: %s" % (label, who)]
                    same = [r for r in rows if r["cause" if view == "cause" else "name"] == label]
                else:
                    place = who if view == "time" else "%s, step %d" % (who, row["step"])
                    keys = [("%s: %s" % (place, p.replace("_", " ")), p + "_us") for p in parts]
                    same = [r for r in rows if view == "time" or r["step"] == row["step"]]
                for key, column in keys:
                    want = sum(r[column] for r in same) / len(files)
                    assert abs(said.get(key, 0) - want) < 0.002 or want < 1, (name, key, said.get(key), want)
                    n += 1
        assert n >= 8, "%s: %d marks" % (name, n)
    page = read(run("tr-report", "-O", "html", "--per", "rank", "--sections", "all", "--base", RANKS[0], "--", RANKS[1]))
    assert "typical" in [s.get("id") for s in page.root.iter(X + "section")]
    assert any(t.text.startswith("base stream") for t in page.section("typical").iter(S + "text"))


def check_views():
    """Each view is a page with its rows, and a picture if the rows have one."""
    for view in ("time", "step", "cause", "kernel", "operator", "stream-idle", "category", "idle"):
        args = ("--by", view, *RANKS)
        page = read(run("tr-breakdown", *args, "-O", "html"))
        rows = json.loads(run("tr-breakdown", *args, "-O", "json"))
        have = [cells(r) for r in page.tables()[0]]
        assert len(have) == len(rows), view
        for a, b in zip(have, rows):
            assert all((float(a[k]) == b[k] if isinstance(b[k], (int, float)) else a[k] == printed(b[k])) for k in a), (a, b)
        assert page.root.find(".//" + X + "figure") is not None or view == "idle", view
    page = read(run("tr-breakdown", "--by", "kernel", "--columns", "name,count", "-O", "html", RANKS[0]))
    assert list(page.tables()[0][0]) == ["name", "count"]


# ---- names ----

PIECES = ['</script>', '<script>alert(1)</script>', '"><svg onload=alert(1)>', "' onclick='x", "&lt;b&gt;", "&amp;", "]]>",
          "<![CDATA[", "-->", "<!--", "</style>", "</title>", "</pre>", "\x00", "\x1b[31m", "\x7f", "\u202e", "\u200b",
          "\ufffe", "\uffff", "\ufeff", "\U0001f600", "\u8868", "javascript:alert(1)", "a", "::", "kernel", " ", "\n", "\t",
          "<%s>" % ("x" * 300), "{{7*7}}", "\\", "`", "${x}", "ncclDevKernel_AllReduce"]


def hostile(rng):
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 6)))


def hostile_trace(rng, rank):
    rows = [dict(ph="M", name="process_name", pid=1, tid=0, ts=0, args={"name": hostile(rng)})]
    names = [hostile(rng) for _ in range(20)]
    for n in range(60):
        at, name = 100 * n, rng.choice(names)
        call = {"correlation": n + 1, "External id": n + 1}
        if n % 20 == 0:
            rows.append(dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % (n // 20), pid=1, tid=1, ts=at, dur=1990))
        rows.append(dict(ph="X", cat="cpu_op", name=name, pid=1, tid=1, ts=at + 5, dur=50,
                         args={"Input Dims": [[n, 7]], "Input type": [hostile(rng)]}))
        rows.append(dict(ph="X", cat="cuda_runtime", name="cudaLaunchKernel" + rng.choice(["", name]), pid=1, tid=1, ts=at + 10,
                         dur=5, args=call))
        rows.append(dict(ph="X", cat="kernel", name=rng.choice(names), pid=0, tid=7, ts=at + 20, dur=rng.randrange(1, 70),
                         args=dict(call, device=0, stream=7)))
    comm = {"Collective name": hostile(rng), "Process Group Name": hostile(rng), "Group size": 1, "dtype": "Int", "In msg nelems": 8}
    rows.append(dict(ph="X", cat="kernel", name="ncclDevKernel_" + names[0], pid=0, tid=9, ts=955, dur=9,
                     args=dict(comm, device=0, stream=9)))
    return json.dumps({"deviceProperties": [{"id": 0, "name": hostile(rng)}], "distributedInfo": {"rank": rank},
                       "traceEvents": rows})


def file_name(rng):
    return re.sub(r"[/\x00]", "", hostile(rng))[:60] + ".json"


def check_hostile():
    """Elements are those of pages, whatever names there are: the reader refuses all others."""
    for seed in range(60 if LONG else 12):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            names = ["./" + file_name(rng) for _ in range(rng.randrange(1, 4))]
            names = list(dict.fromkeys(names))
            for rank, name in enumerate(names):
                with open(os.path.join(folder, name), "w", encoding="utf-8", errors="surrogatepass") as f:
                    f.write(hostile_trace(rng, rank))
            where = "name != '%s'" % re.sub(r"['\\\x00-\x1f]", "", hostile(rng))
            for options in ((), ("--sections", "all", "--top", "0"), ("--where", where, "--per", "rank")):
                read(run("tr-report", "-O", "html", *options, *names, cwd=folder))
            read(run("tr-report", "-O", "html", "--base", names[0], "--", names[0], cwd=folder))
            for view in ("kernel", "operator,shape", "category"):
                read(run("tr-breakdown", "--by", view, "-O", "html", *names, cwd=folder))


def check_cells():
    """The text of a cell is the name: the same that JSON has, but for characters that would do something."""
    data = b"name\tsum_us\n" + b"".join(b"%s%d\t%d\n" % (p.encode("utf-8", "surrogatepass").replace(b"\\", b"\\\\")
                                        .replace(b"\n", b"\\n").replace(b"\t", b"\\t"), i, 100 - i) for i, p in enumerate(PIECES))
    page = read(run("tr-plot", "-O", "html", data=data))
    rows = json.loads(run("tr-plot", "-O", "json", data=data))
    seen = [r["name"] for r in page.tables()[0]]
    assert len(seen) == len(rows) == len(PIECES)
    plain = [(a, b["name"]) for a, b in zip(seen, rows) if b["name"].isprintable() and not re.search("[\u200b\u202e]", b["name"])]
    assert len(plain) > 20 and all(a == b.strip() for a, b in plain), plain


# ---- size ----

def check_sizes():
    """A page of many ranks, names and steps stays small, and so does one of a long table."""
    n = 100000 if LONG else 20000
    data = "name\tvalue\n" + "".join("%s_%d\t%d\n" % ("long name " * 20, i, i) for i in range(n))
    page = read(run("tr-plot", "-O", "html", data=data.encode()))
    assert len(page.tables()[0]) <= 1000 and "of %d rows" % n in page.text
    with tempfile.TemporaryDirectory() as folder:
        for rank in range(32):
            rows = []
            for n in range(200):
                at = 100 * n
                if n % 2 == 0:
                    rows.append(dict(ph="X", cat="user_annotation", name="ProfilerStep#%d" % (n // 2), pid=1, tid=1, ts=at, dur=199))
                rows.append(dict(ph="X", cat="kernel", name="kernel_%d_%d" % (rank, n), pid=0, tid=7, ts=at + 20, dur=10 + n % 60,
                                 args={"device": 0, "stream": 7}))
            with open(os.path.join(folder, "r%02d.json" % rank), "w") as f:
                json.dump({"distributedInfo": {"rank": rank}, "traceEvents": rows}, f)
        names = sorted(os.listdir(folder))
        data = run("tr-report", "-O", "html", *names, cwd=folder)
        page = read(data)
        assert len(data) < 600000, len(data)
        heat = page.section("steps").find(X + "figure")
        assert heat is not None and any(re.match("h[0-9]", e.get("class", "")) for e in heat.iter()), "no heat map of ranks"


def check_bytes():
    """The same bytes for any number of threads."""
    strip = lambda html: html[:html.index(b"Made by")]
    assert strip(run("tr-report", "-O", "html", "-j", "1", *RANKS)) == strip(run("tr-report", "-O", "html", "-j", "3", *RANKS))


def check_reader():
    """The reader notices what it is for."""
    good = run("tr-breakdown", "--by", "kernel", "-O", "html", *RANKS)
    for old, new in ((b"</body>", b"<script>alert(1)</script></body>"), (b"<td>", b"<td onclick=\"x\">"), (b"--line", b"--linf"),
                     (b"<h1>", b"<h1 style=\"color:red\">"), (b"</section>", b"<img src=\"x\"/></section>"), (b"</p>", b"")):
        assert old in good
        try:
            Page(good.replace(old, new, 1))
        except Exception:
            continue
        raise AssertionError("%r is not noticed" % new)


CHECKS = [check_sample, check_parts, check_base, check_views, check_hostile, check_cells, check_sizes, check_bytes, check_reader]
for check in CHECKS:
    what = check.__name__.replace("check_", "").replace("_", " ")
    try:
        check()
        print("ok - pages: " + what)
    except Exception:
        import traceback
        print("not ok - pages: " + what)
        for line in traceback.format_exc().splitlines():
            print("# " + line)
print("1..%d" % len(CHECKS))
