# SPDX-License-Identifier: MIT
"""Databases, workbooks and folders of CSV say what JSON says, cell by cell, whatever names a trace has.

Usage: books.py BIN SAMPLES VIEWS [long].  Prints TAP lines "ok WHAT" and "not ok WHAT" for harness/tap.sh.
"""
import contextlib
import csv
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import zipfile
from xml.etree import ElementTree

BIN, SAMPLES, VIEWS = map(os.path.abspath, sys.argv[1:4])
LONG = sys.argv[4:] == ["long"]
RANKS = [os.path.join(SAMPLES, n) for n in ("rank0.json.gz", "rank1.json.gz")]
WITHOUT = {"tr-breakdown --by window": ["--steps", "2"], "tr-counters --by full": ["--max-queue", "2"]}


def start(program, *args, env=None, **how):
    return subprocess.run([os.path.join(BIN, program), "-q", *args], capture_output=True,
                          env=dict(os.environ, **(env or {})), **how)


def run(program, *args, **how):
    p = start(program, *args, **how)
    assert p.returncode == 0, "%s %s: %s" % (program, args, p.stderr.decode(errors="replace"))
    return p.stdout


def refused(status, said, program, *args, **how):
    p = start(program, *args, **how)
    text = p.stderr.decode(errors="replace")
    assert p.returncode == status and p.stdout == b"" and text.count("\n") == 1 and said in text, (args, p.returncode, text)


def database(path):
    return contextlib.closing(sqlite3.connect("file:%s?mode=ro" % path, uri=True))


def rows_of(path, table, run_id=1):
    with database(path) as db:
        db.row_factory = sqlite3.Row
        rows = [dict(r) for r in db.execute('SELECT * FROM "%s" WHERE run_id = ? ORDER BY rowid' % table, (run_id,))]
    for row in rows:
        del row["run_id"]
    return rows


def equal(a, b):
    """Whole numbers are whole and exact; numbers with a point may lack it if it has nothing after it."""
    if isinstance(a, int) and isinstance(b, int) and not isinstance(b, bool):
        return a == b
    if isinstance(b, (int, float)):
        return isinstance(a, float) and a == b
    return a == b and type(a) is type(b)


def agree(have, want, what):
    assert len(have) == len(want), "%s: %d rows, not %d" % (what, len(have), len(want))
    for a, b in zip(have, want):
        assert list(a) == list(b), (what, list(a), list(b))
        for key in b:
            assert equal(a[key], b[key]), (what, key, a[key], b[key])


def csv_text(value):
    """A cell of CSV, from that of JSON."""
    return "" if value is None else value if isinstance(value, str) else value


def agree_csv(path, want, what):
    with open(path, newline="", encoding="utf-8") as f:
        have = list(csv.DictReader(f))
    assert len(have) == len(want), "%s: %d rows, not %d" % (what, len(have), len(want))
    for a, b in zip(have, want):
        assert list(a) == list(b), (what, list(a), list(b))
        for key, y in b.items():
            x = a[key]
            if isinstance(y, int):
                assert x == str(y), (what, key, x, y)
            elif isinstance(y, float):
                assert float(x) == y, (what, key, x, y)
            else:
                plain = y is None or not re.search("[^ -~]", y)
                assert not plain or x == (y or ""), (what, key, x, y)


def table(program, view):
    """A table is named for the program and the view, as other programs have views of the same name."""
    return view.replace(",", "_") if view == program[3:] else "%s_%s" % (program[3:], view.replace(",", "_"))


def compare(program, args, inputs, unit=("--unit", "ns")):
    """A view in all formats."""
    want = json.loads(run(program, *args, "-O", "json", *unit, *inputs))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "x.db")
        run(program, *args, "-O", "sqlite", "-o", path, *inputs)
        name = table(program, args[args.index("--by") + 1]) if "--by" in args else table_of(path)
        agree(rows_of(path, name), want, "%s %s" % (program, args))
        run(program, *args, "-O", "csv", "-o", os.path.join(folder, "d") + "/", *inputs)
        assert os.listdir(os.path.join(folder, "d")) == [name + ".csv"]
        if want:
            agree_csv(os.path.join(folder, "d", name + ".csv"), want, "%s %s" % (program, args))


def table_of(path):
    with database(path) as db:
        names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'runs'")]
    assert len(names) == 1, names
    return names[0]


def views():
    with open(VIEWS, encoding="utf-8") as f:
        for line in f:
            words = line.rstrip("\n").split("\t")
            if line.strip() and not line.startswith("#"):
                yield words[0], words[1].split() if words[1] != "-" else []


def check_views():
    """Every view of the list that the sample has."""
    n = 0
    for i, (program, args) in enumerate(views()):
        if program in ("tr-diff", "tr-view", "tr-replay") or (not LONG and i % 3):
            continue
        args = args + WITHOUT.get(" ".join([program] + args), [])
        p = start(program, *args, "-O", "json", "--unit", "ns", *RANKS)
        unit = ("--unit", "ns") if p.returncode == 0 else ()
        if p.returncode and start(program, *args, "-O", "json", *RANKS).returncode:
            continue
        compare(program, args, RANKS, unit)
        n += 1
    assert n >= 15, n


MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def plain(text):
    """_xHHHH_ stands for a character."""
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda m: chr(int(m[1], 16)), text or "")


def workbook(path):
    """{sheet: (names of columns, rows)}; a row has a value for each name."""
    with zipfile.ZipFile(path) as z:
        assert z.testzip() is None
        trees = {n: ElementTree.fromstring(z.read(n)) for n in z.namelist()}
    assert {"[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/styles.xml", "xl/_rels/workbook.xml.rels"} <= set(trees)
    styles = len(trees["xl/styles.xml"].find(MAIN + "cellXfs"))
    sheets = {}
    for i, sheet in enumerate(trees["xl/workbook.xml"].iter(MAIN + "sheet")):
        root, lines = trees["xl/worksheets/sheet%d.xml" % (i + 1)], []
        assert root.find(".//" + MAIN + "pane").get("state") == "frozen" and len(sheet.get("name")) <= 31
        for row in root.iter(MAIN + "row"):
            lines.append([])
            for c in row:
                v = c.find(MAIN + "v")
                assert int(c.get("s", "0")) < styles
                lines[-1].append(plain("".join(c.find(MAIN + "is").itertext())) if c.get("t") == "inlineStr"
                                 else None if v is None else bool(int(v.text)) if c.get("t") == "b" else float(v.text))
        bars = [e.get("sqref") for e in root.iter(MAIN + "conditionalFormatting")]
        last = re.fullmatch("A1:([A-Z]+)([0-9]+)", root.find(MAIN + "autoFilter").get("ref"))
        assert int(last[2]) == len(lines) and len(lines[0]) == (ord(last[1]) - 64 if len(last[1]) == 1 else
                                                                (ord(last[1][0]) - 64) * 26 + ord(last[1][1]) - 64)
        sheets[sheet.get("name")] = (lines[0], lines[1:], bars)
    return sheets


def digits(value):
    return len(re.sub("[-.]", "", str(value)).strip("0"))


def agree_sheet(sheet, text, what):
    """The cells of a sheet, and those of JSON, whose numbers are kept as texts."""
    names, lines, _ = sheet
    want = json.loads(text, parse_float=lambda s: ("number", s), parse_int=lambda s: ("number", s))
    assert len(lines) == len(want), (what, len(lines), len(want))
    for line, row in zip(lines, want):
        assert names == list(row), (what, names, list(row))
        for key, x, y in zip(names, line, row.values()):
            if not isinstance(y, tuple):
                assert x == (y[:32767] if isinstance(y, str) else y), (what, key, x, y)
            elif isinstance(x, float):
                assert x == float(y[1]), (what, key, x, y)
            else:
                assert x == y[1] and digits(y[1]) > 15, (what, key, x, y) # Excel would lose its last digits


def sheet(view):
    """Sheets have the names of views, and those of TraceLens where it has the same rows."""
    return {"collective": "nccl_implicit_sync", "operators": "ops_summary", "categories": "ops_summary_by_category",
            "stragglers": "straggler_summary", "parents": "kernel_summary", "timeline": "gpu_timeline"}.get(view, view.replace(",", "_"))


def check_workbooks():
    """Sheets of Excel have the cells of JSON: numbers as numbers, formulas as texts."""
    with tempfile.TemporaryDirectory() as folder:
        path, odd_names = os.path.join(folder, "x.xlsx"), hostile(folder)
        for program, args, inputs in (("tr-breakdown", ["--by", "kernel", "--by", "time", "--by", "operator,shape"], RANKS),
                                      ("tr-breakdown", ["--by", "kernel", "--unit", "ns"], [odd_names]),
                                      ("tr-launch", ["--by", "launch", "--unit", "s"], [odd_names]),
                                      ("tr-comm", ["--by", "collective", "--by", "name"], RANKS)):
            run(program, *args, "-O", "xlsx", "-o", path, *inputs)
            sheets, first = workbook(path), open(path, "rb").read()
            run(program, *args, "-O", "xlsx", "-o", path, *inputs)
            assert open(path, "rb").read() == first, "equal runs are equal files"
            names = [a for a in args[1::2] if a not in ("ns", "s")]
            assert list(sheets) == [sheet(n) for n in names]
            for name in names:
                options = args[args.index("--unit"):] if "--unit" in args else []
                agree_sheet(sheets[sheet(name)], run(program, "--by", name, *options, "-O", "json", *inputs), name)
        run("tr-breakdown", "--by", "kernel", "-O", "xlsx", "-o", path, *RANKS)
        names, lines, bars = workbook(path)["kernel"]
        assert bars == ["%s2:%s%d" % (c, c, len(lines) + 1) for c in (chr(65 + names.index(n)) for n in ("pct", "kind_pct"))], bars
        run("tr-report", "-O", "xlsx", "-o", path, *RANKS)
        want = json.loads(run("tr-report", "-O", "json", *RANKS))
        names = [n for n in want if n not in ("version", "findings") and want[n]["rows"]]
        assert list(workbook(path)) == [sheet(n) for n in ["findings"] + names]
        run("tr-view", "-O", "xlsx", "-o", path, "--args", "rows", odd(folder))
        assert {"events", "args", "sources", "tracks"} <= set(workbook(path))
        refused(2, "-O xlsx needs -o FILE", "tr-breakdown", "-O", "xlsx", *RANKS)
        refused(4, "No space left", "tr-breakdown", "-O", "xlsx", "-o", "/dev/full", *RANKS)
        before = open(path, "rb").read()
        p = subprocess.run(["sh", "-c", "ulimit -f 8; exec \"$@\"", "sh", os.path.join(BIN, "tr-view"), "-q", "-O", "xlsx", "-o", path,
                            *RANKS], capture_output=True)
        assert p.returncode == 4 and open(path, "rb").read() == before, (p.returncode, p.stderr)
        assert sorted(os.listdir(folder)) == ["hostile.json", "odd.json", "x.xlsx"]


SEVERAL = [("tr-breakdown", ["idle", "kernel", "operator,shape", "time"], []),
           ("tr-breakdown", ["time", "kernel"], ["--per", "device", "--sort", "name:asc", "--columns", "all"]),
           ("tr-comm", ["collective", "name", "straggler"], ["--align"]),
           ("tr-launch", ["api", "launch"], ["--top", "3"])]


def check_several():
    """Several views in one pass are those of a pass each; an option is for the views that have it."""
    for program, names, options in SEVERAL:
        by = [w for n in names for w in ("--by", n)]
        alone = {}
        for name in names:
            args = ["--by", name, *options]
            if start(program, *args, "-O", "json", "--unit", "ns", *RANKS).returncode == 2:
                args = [w for w in args if w not in ("--sort", "name:asc")]
            alone[name.replace(",", "_")] = json.loads(run(program, *args, "-O", "json", "--unit", "ns", *RANKS))
        assert json.loads(run(program, *by, *options, "-O", "json", "--unit", "ns", *RANKS)) == alone
        with tempfile.TemporaryDirectory() as folder:
            run(program, *by, *options, "-O", "sqlite", "-o", os.path.join(folder, "x.db"), *RANKS)
            run(program, *by, *options, "-O", "csv", "-o", os.path.join(folder, "d") + "/", *RANKS)
            for name, want in alone.items():
                agree(rows_of(os.path.join(folder, "x.db"), table(program, name)), want, name)
                agree_csv(os.path.join(folder, "d", table(program, name) + ".csv"), want, name)
            with database(os.path.join(folder, "x.db")) as db:
                assert db.execute("SELECT count(*) FROM runs").fetchone() == (1,)
        for form, between in (("text", "# %s\n"), ("md", "## %s\n\n")):
            text = b"\n".join((between % n.replace(",", "_")).encode() + run(
                program, "--by", n, *(options if not options or "--sort" not in options or n == "kernel" else options[:2] + options[4:]),
                "-O", form, *RANKS) for n in names)
            assert run(program, *by, *options, "-O", form, *RANKS) == text, (program, form)
        for form in ("tsv", "csv", "svg", "vega"):
            refused(2, "one table is printed as " + form, program, *by, *options, "-O", form, *RANKS)


def check_report():
    """All sections of the page, and all findings."""
    for options, inputs in (((), RANKS), (("--top", "0", "--sections", "all"), RANKS), (("--base", RANKS[0], "--"), RANKS[1:]),
                            (("--per", "rank"), RANKS), (("--sections", "job,findings"), RANKS[:1])):
        want = json.loads(run("tr-report", "-O", "json", "--unit", "ns", *options, *inputs))
        found = run("tr-report", "--sections", "findings", "-O", "tsv", *inputs).decode().splitlines()
        with tempfile.TemporaryDirectory() as folder:
            run("tr-report", "-O", "sqlite", "-o", os.path.join(folder, "x.db"), *options, *inputs)
            run("tr-report", "-O", "csv", "-o", os.path.join(folder, "d") + "/", *options, *inputs)
            names = sorted(n for n in want if n not in ("version", "findings") and want[n]["rows"]) + ["findings"]
            assert sorted(os.listdir(os.path.join(folder, "d"))) == sorted("report_%s.csv" % n for n in names)
            for name in names[:-1]:
                agree(rows_of(os.path.join(folder, "x.db"), "report_" + name), want[name]["rows"], name)
                agree_csv(os.path.join(folder, "d", "report_%s.csv" % name), want[name]["rows"], name)
            have = rows_of(os.path.join(folder, "x.db"), "report_findings")
            assert [r["sentence"] for r in have[:7]] == [f["sentence"] for f in want["findings"]]
            assert [r["id"] for r in have] == [line.split("\t")[0] for line in found[1:]]


HOSTILE = ["", " ", "plain", "q\"uo'te", "semi;colon -- drop", "a,b", "line\nend", "tab\tend", "cr\rend", "zero\0byte", "=cmd|' /C calc'!A0",
           "+1", "-1", "@x", "\u202eturned", "\u00e9\u4e2d\U0001f600", "<b>&amp;", "x" * 3000, "]]>", "1e5", "007", "NULL", "\x01\x1f\x7f"]


def hostile(folder):
    events = []
    for i, name in enumerate(HOSTILE):
        link = {"correlation": i + 1}
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10 * i, "dur": 2,
                       "args": link})
        events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": 10 * i + 3, "dur": 5 + i / 1000,
                       "args": dict(link, device=0, stream=7)})
    path = os.path.join(folder, "hostile.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"baseTimeNanoseconds": 1766000000123456789, "distributedInfo": {"rank": 3}, "traceEvents": events}, f)
    with open(path, "rb") as f: # a name that is not UTF-8
        data = f.read().replace(b'"plain"', b'"bad\xff\xfeutf"')
    with open(path, "wb") as f:
        f.write(data)
    return path


def check_hostile():
    with tempfile.TemporaryDirectory() as folder:
        path = hostile(folder)
        compare("tr-breakdown", ["--by", "kernel"], [path])
        compare("tr-launch", ["--by", "launch"], [path]) # times of 64 bits
        names = {r["name"] for r in rows_of_view(folder, path)}
        assert {n for n in HOSTILE if n not in ("plain", "")} <= names and any("\ufffd" in n for n in names), names


FIELDS = ("rank,source,record,phase,activity,kind,class,ts,dur,end,name,cat,step,step_phase,operator,module,annotation,"
          "parent,host,process,thread,pid,tid,device,stream,context,correlation,api,launch_record,launch_ts,launch_dur,"
          "queue_wait,n_device,group,kernel,grid,block,simd,tile,direction,bytes,graph_id,graph_node,ts_ps,dur_ps,suspect")


def odd(folder):
    """Values of all types, numbers beyond doubles and beyond 64 bits, pids that are texts."""
    values = [1, -(2 ** 63), 2 ** 53 + 1, 2 ** 63, 2 ** 64 - 1, 10 ** 30, 0.1, 1e300, -0.0, True, False, None, "", "12", "x", [1, "a"],
              {"k": None}, "0x1f", "007"]
    events = [{"ph": "X", "cat": "cpu_op", "name": "e%d" % i, "pid": "Spans" if i % 2 else i, "tid": i if i % 2 else "PyTorch Profiler (0)",
               "ts": 100 + 10 * i, "dur": 5, "args": {"a": v, "b": i, "": i, 'q"uo,te': "z"}} for i, v in enumerate(values)]
    path = os.path.join(folder, "odd.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": events}, f)
    return path


def crossing(folder):
    """Spans that overlap others of their thread in part."""
    path = os.path.join(folder, "crossing.json")
    with open(path, "w", encoding="utf-8") as f:
        json.dump({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "s%d" % i, "pid": 1, "tid": i % 2, "ts": 10 + 3 * i,
                                    "dur": (8, 3.002, 20, 6)[i % 4]} for i in range(20)]}, f)
    return path


def typed(value):
    """A value of JSON as databases have it."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    if isinstance(value, bool):
        return int(value)
    return str(value) if isinstance(value, int) and not -2 ** 63 <= value < 2 ** 63 else value


def agree_typed(have, want, what):
    assert len(have) == len(want), (what, len(have), len(want))
    for a, b in zip(have, want):
        assert list(a) == list(b), (what, list(a), list(b))
        for key, y in b.items():
            y = typed(y)
            y = y.encode("utf-8", "replace").decode() if isinstance(y, str) else y
            assert a[key] == y and (a[key] is None) == (y is None) and isinstance(a[key], float) == isinstance(y, float), (
                what, key, a[key], y)


def compare_events(inputs, folder, selection=()):
    """Events, args, launches, collectives, steps, sources and tracks."""
    path = os.path.join(folder, "events.db")
    if os.path.exists(path):
        os.remove(path)
    run("tr-view", "-O", "sqlite", "-o", path, "--args", "rows", *selection, *inputs)
    lines = run("tr-view", "-O", "jsonl", "--unit", "ns", "--columns", FIELDS + ",args", *selection, *inputs).decode().splitlines()
    events = [json.loads(line, strict=False) for line in lines]
    args = [(e["source"], e["record"], k, v) for e in events for k, v in (e.pop("args") or {}).items()]
    assert events
    agree_typed(rows_of(path, "events"), events, inputs)
    have = sorted(((r["source"], r["record"], r["key"], r["value"]) for r in rows_of(path, "args")), key=repr)
    assert have == sorted(((s, r, k, typed(v)) for s, r, k, v in args), key=repr), inputs
    agree(rows_of(path, "launches"), json.loads(run("tr-launch", "--by", "launch", "-O", "json", "--unit", "ns", *selection, *inputs)), "launches")
    agree(rows_of(path, "collectives"), json.loads(run("tr-comm", "--by", "collective", "-O", "json", "--unit", "ns", *selection, *inputs)),
          "collectives")
    info = json.loads(run("tr-info", "-O", "json", *inputs))
    with database(path) as db:
        for view, activity in (("kernels", "kernel"), ("operators", "cpu_op")):
            n = sum(e["activity"] == activity for e in events)
            assert db.execute("SELECT count(*) FROM " + view).fetchone() == (n,), (view, n)
        if not selection:
            assert db.execute("SELECT count(*) FROM sources").fetchone() == (len(info["sources"]),)
            assert db.execute("SELECT sum(events) FROM sources").fetchone() == (len(events),)
        wide = db.execute("SELECT count(*) FROM events e JOIN events l ON l.source = e.source AND l.record = e.launch_record").fetchone()
        assert selection or wide == (sum(e["launch_record"] is not None for e in events),), wide
    keys = sorted({k for _, _, k, _ in args if k and not re.search('[",]', k)})[:5]
    if keys:
        d = os.path.join(folder, "d")
        run("tr-view", "-O", "csv", "-o", d, "--args", ",".join(keys), *selection, *inputs) if os.path.isdir(d) else run(
            "tr-view", "-O", "csv", "-o", d + "/", "--args", ",".join(keys), *selection, *inputs)
        with open(os.path.join(d, "events.csv"), newline="", encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        assert len(rows) == len(events)
        for row, event in zip(rows, events):
            assert row["ts_ns"] == csv_number(event["ts_ns"]) and row["dur_ns"] == csv_number(event["dur_ns"])
            assert [k for k in row if k.startswith("args.")] == ["args." + k for k in keys]


def csv_number(value):
    return "" if value is None else str(value)


def check_events():
    with tempfile.TemporaryDirectory() as folder:
        for inputs, selection in ((RANKS[:1], ()), (RANKS, ("--step", "16", "--rank", "1")), ([odd(folder)], ()), ([hostile(folder)], ())):
            compare_events(inputs, folder, selection)
        path = os.path.join(folder, "x.db")
        run("tr-view", "-O", "sqlite", "-o", path, "--columns", "name,ts", odd(folder))
        assert list(rows_of(path, "events")[0]) == ["name", "ts_ns"]
        with database(path) as db:
            assert not db.execute("SELECT 1 FROM sqlite_master WHERE type = 'view'").fetchone()
        for how in (["--limit", "3"], ["--overlap", "drop"], ["--overlap", "shift"], ["--overlap", "lane", "--columns", "name,lane,ts"],
                    ["--overlap", "async", "--limit", "5", "--where", "dur > 4us"], ["--limit", "0"]):
            file = os.path.join(folder, "how%d.db" % len(os.listdir(folder)))
            columns = [] if "--columns" in how else ["--columns", FIELDS]
            run("tr-view", "-O", "sqlite", "-o", file, *how, crossing(folder))
            want = run("tr-view", "-O", "jsonl", "--unit", "ns", *columns, *how, crossing(folder)).decode().splitlines()
            agree_typed(rows_of(file, "events"), [json.loads(line) for line in want], how)
            with database(file) as db:
                assert db.execute("SELECT count(*) FROM tracks").fetchone() == (2,), how
        for args in (["--unit", "us"], ["--args", "rows", "--by", "x"], ["--top", "3"]):
            refused(2, args[0], "tr-view", "-O", "sqlite", "-o", path, *args, RANKS[0])
        refused(2, "--args", "tr-view", "-O", "tsv", "--args", "rows", RANKS[0])
        tables = os.path.join(os.path.dirname(VIEWS), "../spec/accept/tables.trs")
        run("tr-view", "-O", "sqlite", "-o", os.path.join(folder, "t.db"), tables)
        have = rows_of(os.path.join(folder, "t.db"), "samples")
        agree_typed(have, json.loads(run("tr-view", "--by", "samples", "-O", "json", tables)), "samples")
        assert have


def rows_of_view(folder, path):
    run("tr-breakdown", "--by", "kernel", "-O", "sqlite", "-o", os.path.join(folder, "y.db"), path)
    return rows_of(os.path.join(folder, "y.db"), "breakdown_kernel")


def check_runs():
    """A database is added to, and equal runs give equal files."""
    with tempfile.TemporaryDirectory() as folder:
        path, env = os.path.join(folder, "x.db"), {"SOURCE_DATE_EPOCH": "86400"}
        run("tr-breakdown", "--by", "kernel", "-O", "sqlite", "-o", path, *RANKS, env=env)
        with open(path, "rb") as f:
            first = f.read()
        again = os.path.join(folder, "y", "x.db")
        os.mkdir(os.path.join(folder, "y"))
        run("tr-breakdown", "--by", "kernel", "-O", "sqlite", "-o", path, *RANKS[:1])
        run("tr-breakdown", "--by", "idle", "-O", "sqlite", "-o", path, *RANKS)
        run("tr-overlap", "--by", "kernel", "-O", "sqlite", "-o", path, *RANKS) # another view of this name
        run("tr-report", "-O", "sqlite", "-o", path, *RANKS)
        run("tr-view", "-O", "sqlite", "-o", path, *RANKS) # its steps and launches are not those of the report
        for name, program, number in (("kernel", "tr-overlap", 4), ("steps", None, 6)):
            assert rows_of(path, table(program, name) if program else name, number)
        assert rows_of(path, "breakdown_kernel", 2) == json.loads(
            run("tr-breakdown", "--by", "kernel", "-O", "json", "--unit", "ns", *RANKS[:1]))
        with database(path) as db:
            runs = db.execute("SELECT id, inputs, time FROM runs ORDER BY id").fetchall()
            assert [json.loads(r[1]) for r in runs] == [RANKS, RANKS[:1], RANKS, RANKS, RANKS, RANKS]
            assert runs[0][2] == "1970-01-02T00:00:00Z" and runs[1][2] > "2020", runs
            assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        run("tr-breakdown", "--by", "kernel", "-O", "sqlite", "-o", "x.db", *RANKS, env=env, cwd=os.path.join(folder, "y"))
        with open(again, "rb") as f:
            other = f.read()
        assert first.replace(path.encode(), b"") != first and len(first) == len(other)


def check_refused():
    """What cannot be added to stays as it was."""
    with tempfile.TemporaryDirectory() as folder:
        path, other, text = (os.path.join(folder, n) for n in ("x.db", "other.db", "text"))
        view = ("--by", "kernel", "-O", "sqlite", "-o")
        run("tr-breakdown", *view, path, *RANKS)
        with contextlib.closing(sqlite3.connect(other)) as db:
            db.execute("CREATE TABLE kernel (x)")
            db.commit()
        with open(text, "w", encoding="utf-8") as f:
            f.write("no database\n" * 100)
        before = {n: open(os.path.join(folder, n), "rb").read() for n in ("x.db", "other.db", "text")}
        refused(3, "not a database of tracepipe", "tr-breakdown", *view, other, *RANKS)
        refused(3, "not a database of tracepipe", "tr-breakdown", *view, text, *RANKS)
        refused(3, "other columns", "tr-breakdown", *view, path, "--columns", "name", *RANKS)
        refused(3, "other columns", "tr-breakdown", *view, path, "--per", "device", *RANKS)
        refused(2, "-O sqlite needs -o FILE", "tr-breakdown", "-O", "sqlite", *RANKS)
        refused(2, "regular file", "tr-breakdown", *view, "/dev/full", *RANKS)
        refused(2, "--unit", "tr-breakdown", *view, path, "--unit", "us", *RANKS)
        refused(2, "--unit", "tr-breakdown", "-O", "csv", "-o", folder, "--unit", "us", *RANKS)
        refused(2, "", "tr-breakdown", *view, path, "--human", *RANKS)
        refused(2, "SOURCE_DATE_EPOCH", "tr-breakdown", *view, path, *RANKS, env={"SOURCE_DATE_EPOCH": "x"})
        os.chmod(path, 0o444)
        refused(3, "read-only", "tr-breakdown", *view, path, *RANKS)
        os.chmod(path, 0o644)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            refused(3, "locked", "tr-breakdown", *view, path, *RANKS)
        with tempfile.TemporaryDirectory() as libraries:
            with open(os.path.join(libraries, "libsqlite3.so.0"), "w", encoding="utf-8") as f:
                f.write("no library\n" * 100)
            for file in (path, os.path.join(folder, "new.db")):
                refused(2, "tr-breakdown: -O sqlite needs libsqlite3.so.0, which cannot be loaded", "tr-breakdown", *view, file, *RANKS,
                        env={"LD_LIBRARY_PATH": libraries})
            run("tr-breakdown", "--by", "kernel", *RANKS, env={"LD_LIBRARY_PATH": libraries}) # nothing else needs it
        after = {n: open(os.path.join(folder, n), "rb").read() for n in os.listdir(folder)}
        assert after == before, set(after) ^ set(before)


def check_full():
    """Without room for it, nothing is half written."""
    with tempfile.TemporaryDirectory() as folder:
        path, small = os.path.join(folder, "x.db"), os.path.join(folder, "small.db")
        run("tr-breakdown", "--by", "time", "-O", "sqlite", "-o", path, *RANKS)
        before = open(path, "rb").read()
        view, limit = ("--by", "operator", "--columns", "all", "-O"), "ulimit -f 8; exec \"$@\""
        for args in ((*view, "sqlite", "-o", path), (*view, "sqlite", "-o", small),
                     (*view, "csv", "-o", os.path.join(folder, "d") + "/")):
            p = subprocess.run(["sh", "-c", limit, "sh", os.path.join(BIN, "tr-breakdown"), "-q", *args, *RANKS], capture_output=True)
            assert p.returncode == 4 and p.stderr.count(b"\n") == 1, (args, p.returncode, p.stderr)
        assert os.listdir(folder) == ["x.db"], os.listdir(folder)
        assert open(path, "rb").read() == before
        assert rows_of(path, "breakdown_time") == json.loads(run("tr-breakdown", "--by", "time", "-O", "json", "--unit", "ns", *RANKS))


def check_folder():
    """Files of other runs stay, those of the same name are replaced."""
    with tempfile.TemporaryDirectory() as folder:
        for by, inputs in (("kernel", RANKS), ("idle", RANKS), ("kernel", RANKS[:1])):
            run("tr-breakdown", "--by", by, "-O", "csv", "-o", folder, *inputs)
        assert sorted(os.listdir(folder)) == ["breakdown_idle.csv", "breakdown_kernel.csv"]
        agree_csv(os.path.join(folder, "breakdown_kernel.csv"),
                  json.loads(run("tr-breakdown", "--by", "kernel", "-O", "json", "--unit", "ns", RANKS[0])), "replaced")


CHECKS = [
    (check_views, "views: each cell of databases and CSV is that of JSON"),
    (check_several, "several views in one pass"),
    (check_report, "all sections of tr-report"),
    (check_workbooks, "workbooks: numbers are numbers, texts are texts"),
    (check_hostile, "hostile names, and times of 64 bits"),
    (check_events, "events and what belongs to them"),
    (check_runs, "a database is added to; equal runs are equal"),
    (check_refused, "what cannot be added to is refused, and stays"),
    (check_full, "on a full disk, nothing is half written"),
    (check_folder, "folders keep the files of other runs"),
]


def main():
    for check, what in CHECKS:
        try:
            check()
            print("ok", what)
        except Exception: # a failure of one is no reason to leave out the others
            print("not ok", what)
            print("# " + traceback.format_exc().replace("\n", "\n# "))
    print("1..%d" % len(CHECKS))


main()
