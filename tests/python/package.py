# SPDX-License-Identifier: MIT
"""What the package does, as a line for each: "ok - WHAT", "not ok - WHAT", "skip - WHAT # WHY".

usage: package.py BIN SAMPLE IMPORTER
"""

import ctypes
import gzip
import inspect
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
import warnings

import tracepipe

BIN, SAMPLE, IMPORTER = sys.argv[1:4]
RANKS = [os.path.join(SAMPLE, "rank%d.json.gz" % r) for r in range(2)]
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def program(name, *args):
    return subprocess.run([os.path.join(BIN, name), "-q", *args], check=True, stdout=subprocess.PIPE).stdout.decode()


def program_as_is(name, *args):
    return subprocess.run([name, *args], check=True, stdout=subprocess.PIPE).stdout.decode()


def raises(kind, call, **fields):
    try:
        call()
    except kind as raised:
        for name, want in fields.items():
            have = getattr(raised, name)
            assert have == want or (isinstance(want, str) and want in str(have)), (name, have, want)
        return raised
    raise AssertionError("no %s" % kind.__name__)


def trace_of(events, rank=0):
    return json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events}).encode()


def kernel(ts, dur, name="k", **args):
    return {"ph": "X", "ts": ts, "dur": dur, "pid": 0, "tid": 7, "name": name, "cat": "kernel",
            "args": {"device": 0, "stream": 7, **args}}


# ---- opening and selecting ----


@check
def a_pattern_a_path_a_list_and_bytes():
    want = str(tracepipe.open(RANKS).breakdown())
    assert str(tracepipe.open(os.path.join(SAMPLE, "rank*.json.gz")).breakdown()) == want
    with open(RANKS[0], "rb") as one, open(RANKS[1], "rb") as other:
        data = {"a.json.gz": one.read(), "b.json.gz": other.read()}
    assert str(tracepipe.open(data).breakdown()) == want
    assert tracepipe.open(gzip.decompress(data["a.json.gz"])).ranks == [0]


@check
def the_second_question_is_answered_from_what_was_kept():
    t = tracepipe.open(RANKS)
    first = str(t.breakdown("kernel"))
    assert t._inputs.dataset is None
    assert str(t.breakdown("kernel")) == first and t._inputs.dataset is not None
    assert str(tracepipe.open(RANKS, keep=False).breakdown("kernel")) == first
    kept = tracepipe.open(RANKS, keep=True)
    assert str(kept.breakdown("kernel")) == first and kept._inputs.dataset is not None


@check
def selections_are_those_of_the_programs():
    for given, options in [({"rank": 1}, ["--rank", "1"]), ({"rank": [0, 1]}, ["--rank", "0,1"]),
                           ({"step": 16}, ["--step", "16"]), ({"step": range(16, 18)}, ["--step", "16..17"]),
                           ({"step": [17, 16]}, ["--step", "16..17"]),
                           ({"where": "dur > 50us"}, ["--where", "dur > 50us"]),
                           ({"where": ["dur > 50us", "kind == comm"]}, ["--where", "dur > 50us", "--where", "kind == comm"]),
                           ({"drop_last_step": True}, ["--drop-last-step"]), ({"suspect": True}, ["--suspect", "include"])]:
        want = program("tr-breakdown", "--by", "kernel", "-O", "json", *options, *RANKS)
        for keep in (False, True):
            assert tracepipe.open(RANKS, keep=keep, **given).breakdown("kernel").to_json() == want, given
    t = tracepipe.open(RANKS, rank=0)
    assert [r["rank"] for r in t.breakdown()] == [0] and [r["rank"] for r in t.select(rank=1).breakdown()] == [1]
    assert len(t.select(where="kind == comm").breakdown("kernel")) < len(t.breakdown("kernel"))
    source = t.sources[0]
    window = (source.steps[0].start, source.steps[0].end)
    assert 0 < t.select(time=window).breakdown()["span_ns"][0] <= window[1] - window[0]


@check
def sources_and_steps():
    t = tracepipe.open(RANKS)
    assert t.ranks == [0, 1] and len(t.sources) == 2
    s = t.sources[0]
    assert s.events > 1000 and s.repaired == s.lost == 0 and s.first_ns < s.last_ns and len(s.steps) > 2
    assert all(step.start < step.end for step in s.steps)


@check
def a_stream_is_written_and_read():
    tracepipe.open(RANKS, step=16).write("step.trs")
    want = program("tr-breakdown", "-O", "json", "--step", "16", *RANKS)
    assert json.loads(want)[0]["busy_us"] == json.loads(program("tr-breakdown", "-O", "json", "step.trs"))[0]["busy_us"]
    assert len(tracepipe.open("step.trs").breakdown()) == 2


# ---- failures and warnings ----


@check
def failures_are_exceptions_with_input_and_place():
    raises(FileNotFoundError, lambda: tracepipe.open("none*.json"))
    raises(tracepipe.UsageError, lambda: tracepipe.open(RANKS, step=[1, 3]), what="a range")
    with open("bad.json", "w", encoding="utf-8") as bad:
        bad.write("hello")
    raised = raises(tracepipe.DamagedError, lambda: tracepipe.open("bad.json").breakdown(), input="bad.json")
    assert str(raised).startswith("bad.json: ") and isinstance(raised, tracepipe.Error)
    raises(tracepipe.AbsentError, lambda: tracepipe.open(RANKS, rank=9).breakdown(), what="no input has rank 9",
           place="option --rank")
    raises(tracepipe.UsageError, lambda: tracepipe.open(RANKS, where="dur >").breakdown())
    t = tracepipe.open(RANKS)
    raises(tracepipe.UsageError, lambda: t.breakdown("colour"), what="no view 'colour'")
    raises(TypeError, lambda: t.breakdown(colour=1))
    raises(tracepipe.UsageError, lambda: t.breakdown("kernel", threshold="1us"), what="no option 'threshold'")
    raises(tracepipe.UsageError, lambda: t.breakdown("idle", threshold="1"))
    raises(tracepipe.UsageError, lambda: t.run("colour"), what="no analysis 'colour'")
    raises(tracepipe.UsageError, lambda: list(t.events(["colour"])), what="no field 'colour'")
    raises(tracepipe.UsageError, lambda: tracepipe.diff(t, t, by="colour"), what="'colour'")
    raises(tracepipe.UsageError, lambda: tracepipe.merge([]))
    raises(tracepipe.Error, lambda: tracepipe.merge([b"hello"]))
    raises(tracepipe.UsageError, lambda: tracepipe.open(RANKS, memory="lots").breakdown(), what="not a size")
    os.mkdir("folder.trs")
    raised = raises(OSError, lambda: t.write("folder.trs/none/x.trs"))
    assert isinstance(raised, tracepipe.Error) and raised.errno == 2


@check
def damage_is_a_warning_at_the_line_of_the_caller():
    events = [kernel(10 * i, 5) for i in range(20)]
    text = trace_of(events)[:-30]
    t = tracepipe.open({"cut.json": text})
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        t.breakdown()
        line = inspect.currentframe().f_lineno - 1
        t.breakdown()
    damage = [w for w in said if w.category is tracepipe.DamageWarning]
    assert damage and damage[0].filename == __file__ and damage[0].lineno == line, (said, line)
    assert damage[0].message.input == "cut.json" and damage[0].message.what
    raises(tracepipe.DamagedError, lambda: tracepipe.open({"cut.json": text}, strict=True).breakdown(), input="cut.json")


@check
def remarks_are_warnings_and_stay_with_the_table():
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        table = tracepipe.open({"t.json": trace_of([kernel(0, 5)])}).comm()
    assert len(table) == 0 and table.remarks
    assert [str(w.message) for w in said if w.category is tracepipe.Remark] == table.remarks


@check
def progress_is_called_and_what_it_raises_ends_the_call():
    seen = []
    tracepipe.open(RANKS, progress=lambda done, total: seen.append((done, total))).breakdown()
    assert seen

    def stop(done, total):
        raise RuntimeError("enough")

    raises(RuntimeError, lambda: tracepipe.open(RANKS, progress=stop).breakdown())

    class Bar:
        all = []

        def __init__(self, **options):
            self.n, self.total, self.closed = 0, None, False
            Bar.all.append(self)

        def update(self, more):
            self.n += more

        def close(self):
            self.closed = True

    import types

    sys.modules["tqdm"], sys.modules["tqdm.auto"] = types.ModuleType("tqdm"), types.SimpleNamespace(tqdm=Bar)
    try:
        assert len(tracepipe.open(RANKS, progress=True).breakdown()) == 2
        assert Bar.all and all(bar.closed for bar in Bar.all) and any(bar.n > 0 for bar in Bar.all)
    finally:
        del sys.modules["tqdm"], sys.modules["tqdm.auto"]


@check
def ctrl_c_ends_a_long_call():
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have started this in the background
    events = ",".join('{"ph":"X","ts":%d,"dur":5,"pid":0,"tid":7,"name":"k%d","cat":"kernel","args":{"device":0,"stream":7}}'
                      % (10 * i, i % 50) for i in range(100000))
    part = events.encode()
    data = b'{"traceEvents":[' + b",".join([part] * 12) + b"]}"
    t = tracepipe.open({"long.json": data}, threads=1)
    for call in (t.breakdown, t.events().to_numpy if NUMPY else lambda: list(t.events())):
        timer = threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        raises(KeyboardInterrupt, lambda: [call() for _ in range(100)])
        timer.join()
    assert len(tracepipe.open(RANKS).breakdown()) == 2


@check
def ctrl_c_ends_an_analysis_after_the_last_event():
    from tracepipe import _reading

    signal.signal(signal.SIGINT, signal.default_int_handler)
    t = tracepipe.open({"k.json": trace_of([kernel(10 * i, 5, "k%d" % (i % 50)) for i in range(20000)])}, keep=True)
    go_on, calls, last = _reading.Control.go_on, [0], [0]

    def counted(control, done, total):
        calls[0] += 1
        if calls[0] == last[0]:
            os.kill(os.getpid(), signal.SIGINT)
            while not control.cancelled:
                threading.Event().wait(0.01)
        return go_on(control, done, total)

    def count(name):
        calls[0] = 0
        return list(t.run(name)[0]), calls[0]

    t.breakdown()
    _reading.Control.go_on = counted
    try:
        read, (rows, asked) = count("critpath.count")[1], count("critpath.edge")
        assert asked > read + 4, (asked, read)
        last[0] = asked - 2
        for _ in range(20):
            raises(KeyboardInterrupt, lambda: count("critpath.edge"))
            assert calls[0] == last[0], (calls, last)
        last[0] = 0
        assert count("critpath.edge") == (rows, asked)
    finally:
        _reading.Control.go_on = go_on


# ---- tables ----


@check
def a_table_without_any_other_package():
    table = tracepipe.open(RANKS).breakdown()
    assert len(table) == 2 and [r["rank"] for r in table] == table["rank"] == [0, 1]
    assert all(isinstance(v, int) for v in table["busy_ns"]) and table["busy"] == table["busy_ns"]
    raises(KeyError, lambda: table["colour"])
    busy = [c for c in table.columns if c.name == "busy_ns"][0]
    assert busy.unit == "ns" and busy.type == "time" and busy.role == "sum" and busy.meaning
    rows = json.loads(table.to_json())
    assert [round(r["busy_us"] * 1000) for r in rows] == table["busy_ns"]
    assert str(table) == program("tr-breakdown", "-O", "text", *RANKS)
    assert table.to("tsv") == program("tr-breakdown", "-O", "tsv", *RANKS)
    assert table.to("tsv") == table.to("tsv") and "rank" in repr(table)
    raises(tracepipe.UsageError, lambda: table.to("xlsx"))
    html = table._repr_html_()
    assert html.startswith("<table>") and "busy_ns" in html
    assert tracepipe.open({"t": trace_of([kernel(0, 5, "<b>")])}).breakdown("kernel")._repr_html_().count("<b>") == 0
    assert "%d" % table["busy_ns"][0] in html


@check
def pictures_are_those_of_the_programs():
    table = tracepipe.open(RANKS).breakdown()
    svg = table.plot()._repr_svg_()
    assert svg.startswith("<svg") and svg.rstrip().endswith("</svg>")
    assert len(table) == 2 and table["rank"] == [0, 1]
    table.plot().save("x.svg")
    with open("x.svg", encoding="utf-8") as saved:
        assert saved.read() == svg

    def texts(picture):
        import re
        return [t for t in re.findall(r"<text[^>]*>([^<]*)<", picture) if t]

    theirs = texts(program("tr-breakdown", "-O", "svg", *RANKS))
    assert texts(svg) and not [t for t in texts(svg) if t not in theirs], set(texts(svg)) - set(theirs)


@check
def tables_and_traces_are_pickled():
    t = tracepipe.open(RANKS, step=16)
    table = t.breakdown("kernel")
    other = pickle.loads(pickle.dumps(table))
    assert list(other) == list(table) and str(other) == str(table) and other.columns == table.columns
    assert other.plot().svg == table.plot().svg and other.to_json() == table.to_json()
    assert str(pickle.loads(pickle.dumps(t)).breakdown("kernel")) == str(table)


@check
def several_analyses_in_one_pass():
    t = tracepipe.open(RANKS)
    kernels, idle = t.run("breakdown.kernel", ("breakdown.idle", {"threshold": 50000, "per": "all"}))
    assert str(kernels) == str(t.breakdown("kernel"))
    assert idle.to("tsv") == program("tr-breakdown", "-O", "tsv", "--by", "idle", "--threshold", "50us", "--per", "all", *RANKS)
    assert (kernels.name, idle.name) == ("breakdown.kernel", "breakdown.idle")


@check
def methods_have_signatures_and_texts():
    names = tracepipe.analyses()
    assert len(names) > 80 and names["breakdown.idle"].endswith("?")
    for program_name in sorted(set(n.split(".")[0] for n in names)) + ["findings"]:
        method = getattr(tracepipe.Trace, program_name)
        signature = inspect.signature(method)
        assert list(signature.parameters)[0] == "self" and "per" in signature.parameters
        assert method.__doc__ and method.__name__ == program_name
        assert program_name in dir(tracepipe.open(RANKS))
    text = tracepipe.Trace.breakdown.__doc__
    assert "busy_ns" in text and "threshold" in text and "[ns]" in text and "first start to last end" in text
    assert list(inspect.signature(tracepipe.Trace.breakdown).parameters)[:3] == ["self", "by", "per"]


@check
def stubs_agree_with_the_package():
    import ast

    with open(os.path.join(os.path.dirname(tracepipe.__file__), "__init__.pyi"), encoding="utf-8") as stub:
        tree = ast.parse(stub.read())

    def parameters(function):
        a = function.args
        return [p.arg for p in a.posonlyargs + a.args] + (["*" + a.vararg.arg] if a.vararg else []) + [
            p.arg for p in a.kwonlyargs] + (["**" + a.kwarg.arg] if a.kwarg else [])

    def runtime(function):
        marks = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
        return [marks.get(p.kind, "") + n for n, p in inspect.signature(function).parameters.items()]

    declared = {n.name: n for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
    for name in tracepipe.__all__:
        have, stub = getattr(tracepipe, name), declared[name]
        if isinstance(stub, ast.FunctionDef):
            assert parameters(stub) == runtime(have), name
            continue
        methods = {n.name: n for n in stub.body if isinstance(n, ast.FunctionDef)}
        own = {n for n, v in vars(have).items() if not n.startswith("_") and (inspect.isfunction(v) or isinstance(v, property))}
        assert own == {n for n in methods if not n.startswith("_")}, (name, own ^ set(methods))
        for method, node in methods.items():
            if inspect.isfunction(getattr(have, method)):
                assert parameters(node) == runtime(getattr(have, method)), (name, method)


# ---- two runs, partial results ----


@check
def a_comparison_is_that_of_the_program():
    for by in ("name", "kernel", "operator", "operator,shape", "class", "step", "path"):
        rows = tracepipe.diff(RANKS[0], RANKS[1], by=by)
        want = program("tr-diff", "--by", by, "-O", "tsv", "--columns", "all", *RANKS)
        assert rows.to("tsv") == want, by
    headline = tracepipe.diff(tracepipe.open(RANKS[0], step=16), tracepipe.open(RANKS[1], step=16)).headline
    assert headline.to("tsv") == program("tr-diff", "--by", "headline", "-O", "tsv", "--step", "16", *RANKS)
    few = tracepipe.diff(RANKS[0], RANKS[1], by="kernel", columns=["name", "diff"], sort="diff:asc", top=2, changed_only=True)
    assert few.to("tsv") == program("tr-diff", "--by", "kernel", "-O", "tsv", "--columns", "name,diff", "--sort", "diff:asc",
                                    "--top", "2", "--changed-only", *RANKS)
    assert few.plot().svg.startswith("<svg") and few.headline.plot().svg.startswith("<svg")


@check
def call_trees_are_compared_as_the_program_does():
    for by in ("tree", "tree,kernel", "tree,pair", "tree,node"):
        rows = tracepipe.diff(tracepipe.open(RANKS[0], step=range(15, 18)), tracepipe.open(RANKS[1], step=16), by=by)
        whole = tracepipe.diff(*RANKS, by=by)
        assert whole.to("tsv") == program("tr-diff", "--by", by, "-O", "tsv", "--columns", "all", *RANKS), by
        assert rows.headline is None and len(rows) > 0 and len(whole) > 0
    few = tracepipe.diff(*RANKS, by="tree,pair", columns=["base_name", "diff"], sort="diff:asc", top=2)
    assert few.to("tsv") == program("tr-diff", "--by", "tree,pair", "-O", "tsv", "--columns", "base_name,diff", "--sort",
                                    "diff:asc", "--top", "2", *RANKS)
    raises(tracepipe.UsageError, lambda: tracepipe.diff(*RANKS, by="tree", changed_only=True), what="takes neither")
    raises(tracepipe.UsageError, lambda: tracepipe.diff(*RANKS, by="tree,colour"), what="tree,colour")


@check
def what_a_trace_is():
    t = tracepipe.open(RANKS)
    assert t.info() == json.loads(program("tr-info", "-O", "json", *RANKS))
    assert t.select(step=16).info() == json.loads(program("tr-info", "-O", "json", "--step", "16", *RANKS))
    with open(RANKS[0], "rb") as one:
        data = one.read()
    assert tracepipe.open({"a/b.json.gz": data}).info()["sources"][0]["events"] == t.sources[0].events
    raises(tracepipe.AbsentError, lambda: t.select(rank=9).info(), what="no input has rank 9")
    raises(tracepipe.DamagedError, lambda: tracepipe.open({"x.json": b"hello"}).info(), what="x.json: unknown format")
    raises(tracepipe.UsageError, lambda: t.select(suspect=True).info(), what="--suspect")
    raises(tracepipe.UsageError, lambda: tracepipe.open(RANKS, no_args=True).info(), what="no_args")
    raises(tracepipe.UsageError, lambda: tracepipe.open({"a/b": data, "a_b": data}).info(), what="a_b")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        tracepipe.open({"cut.json": trace_of([kernel(10 * i, 5) for i in range(20)])[:-30]}).info()
    assert [w.category for w in said] == [tracepipe.Remark] and "cut.json" in str(said[0].message), said
    assert said[0].filename == __file__
    os.mkfifo("fifo")
    threading.Thread(target=lambda: open("fifo", "wb").write(data), daemon=True).start()
    piped = tracepipe.open("fifo")  # it can be read once
    assert piped.info()["events"] == piped.info()["events"] == t.sources[0].events


@check
def programs_are_in_the_path_and_end_by_ctrl_c():
    t, path = tracepipe.open(RANKS), os.environ["PATH"]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.mkdir("slow")
    with open("slow/tr-info", "w", encoding="utf-8") as slow:
        slow.write("#!/bin/sh\necho $$ >number\nexec sleep 1000\n")
    os.chmod("slow/tr-info", 0o755)
    try:
        os.environ["PATH"] = "/nowhere"
        assert raises(tracepipe.TraceOSError, t.info).errno == 2
        os.environ["PATH"] = os.path.abspath("slow") + os.pathsep + path

        def interrupt():
            while not os.path.exists("number") or os.path.getsize("number") == 0:
                threading.Event().wait(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=interrupt, daemon=True).start()
        raises(KeyboardInterrupt, t.info)
        with open("number", encoding="utf-8") as number:
            raises(ProcessLookupError, lambda: os.kill(int(number.read()), 0))
    finally:
        os.environ["PATH"] = path


@check
def pages_are_those_of_tr_report():
    t = tracepipe.open(RANKS)
    for name, words in (("x.html", ["-O", "html"]), ("x.md", ["-O", "md"]), ("x.txt", ["-O", "text"])):
        t.report().save(name)
        with open(name, "rb") as saved:
            assert saved.read().decode() == program_as_is("tr-report", *words, *RANKS), name
    assert t.page("json", top=2, sections=["kernels", "idle"]) == program_as_is(
        "tr-report", "-O", "json", "--top", "2", "--sections", "kernels,idle", *RANKS)
    limits = ["host_bound.share=10", "data_loading.share=99"]
    page = t.select(step=16).page("text", base=RANKS[0], set=limits, no_align=True)
    assert page == program_as_is("tr-report", "--step", "16", "-O", "text", "--base", RANKS[0], "--no-align", "--set", limits[0],
                                 "--set", limits[1], "--", *RANKS)
    with open(RANKS[0], "rb") as one:
        memory = tracepipe.open({"rank0.json.gz": one.read()})
    os.makedirs("here", exist_ok=True)
    with open("here/base.json.gz", "wb") as base, open(RANKS[1], "rb") as other:
        base.write(other.read())
    assert memory.page("text", base="here/base.json.gz", sections="headline").startswith("# Headline")
    assert t.page()._repr_html_().startswith("<iframe") and t.page("md")._repr_html_().startswith("<pre>")
    t.report(set="data_loading.share=99").save("y.txt")
    with open("y.txt", encoding="utf-8") as saved:
        assert saved.read() == program_as_is("tr-report", "-O", "text", "--set", "data_loading.share=99", *RANKS)
    parts = {"%d.part" % i: tracepipe.partial(rank, "page") for i, rank in enumerate(RANKS)}
    want = program_as_is("tr-report", "-O", "text", "--distinct", "64", *RANKS)
    assert tracepipe.open(parts).page("text") == want
    assert tracepipe.open({"all": tracepipe.partial(tracepipe.open(parts), "page")}).page("text") == want
    raises(tracepipe.UsageError, lambda: t.page("colour"), what="colour")


@check
def tables_are_saved_by_the_ending_of_the_name():
    table = tracepipe.open(RANKS).breakdown("kernel", top=3)
    for ending, form in ((".txt", "text"), (".tsv", "tsv"), (".csv", "csv"), (".json", "json"), (".md", "md"), (".svg", "svg"),
                         (".html", "html")):
        table.save("table" + ending)
        with open("table" + ending, encoding="utf-8", newline="") as saved:
            assert saved.read() == table.to(form), form
    raises(tracepipe.UsageError, lambda: table.save("table.xlsx"), what=".svg")


@check
def tables_of_two_runs_are_compared():
    for view, options in (("kernel", {}), ("idle", {"threshold": "50us"}), ("step", {})):
        runs = [tracepipe.open(r).breakdown(view, **options) for r in RANKS]
        words = " ".join(["tr-breakdown --by " + view] + ["--%s %s" % o for o in options.items()])
        want = program("tr-diff", "--of", words, "-O", "tsv", "--columns", "all", *RANKS)
        assert tracepipe.diff(*runs).to("tsv") == want, view
    want = program("tr-diff", "--of", "tr-breakdown --by kernel", "--keys", "kind,name", "-O", "tsv", "--columns",
                   "name,diff_sum", "--sort", "diff_sum", "--top", "2", *RANKS)
    kernels = [tracepipe.open(r).breakdown("kernel") for r in RANKS]
    have = tracepipe.diff(*kernels, keys=["kind", "name"], columns=["name", "diff_sum"], sort="diff_sum", top=2)
    assert have.to("tsv") == want
    raises(tracepipe.UsageError, lambda: tracepipe.diff(runs[0], kernels[0]), what="tables of one analysis")
    raises(tracepipe.UsageError, lambda: tracepipe.diff(*kernels, keys="colour"))
    raises(tracepipe.UsageError, lambda: tracepipe.diff(pickle.loads(pickle.dumps(kernels[0])), kernels[1]))


@check
def partial_results_are_merged_in_any_order():
    whole = tracepipe.open(RANKS)
    for name, options in [("breakdown.kernel", {}), ("breakdown.idle", {"threshold": "50us"}), ("comm.collective", {}),
                          ("breakdown.time", {"per": "device"})]:
        program_name, view = name.split(".")
        parts = [tracepipe.partial(r, name, **options) for r in RANKS]
        parts = pickle.loads(pickle.dumps(parts))
        want = str(getattr(whole, program_name)(view, **options))
        assert str(tracepipe.merge(parts).table()) == str(tracepipe.merge(reversed(parts)).table()) == want, name
        again = tracepipe.merge([tracepipe.merge(parts[:1]), tracepipe.merge(parts[1:])])
        assert isinstance(again, bytes) and again.table().name == name and str(again.table()) == want
        with open("x.part", "wb") as part:
            part.write(again)
        given = ["--%s=%s" % o for o in options.items()]
        assert program("tr-" + program_name, "-O", "tsv", "--by", view, *given, "x.part") == again.table().to("tsv")
    both = tracepipe.merge([tracepipe.partial(r, "breakdown.kernel", ("breakdown.time", {"per": "rank"})) for r in RANKS])
    assert [t.name for t in both.tables()] == ["breakdown.kernel", "breakdown.time"]
    assert tracepipe.partial(RANKS[0]).table().name == "breakdown.time"
    assert str(tracepipe.open(RANKS[0], step=16).partial("breakdown.kernel").table()) == str(
        tracepipe.open(RANKS[0], step=16).breakdown("kernel"))
    raises(tracepipe.UsageError, lambda: whole.partial("breakdown.time", top=1))
    raises(tracepipe.Error, lambda: tracepipe.merge([parts[0], parts[0]]))
    raises(tracepipe.UsageError, lambda: whole.partial("report.findings"))


@check
def processes_share_the_work():
    import multiprocessing

    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(tracepipe.partial, RANKS)
    assert str(tracepipe.merge(parts).table()) == str(tracepipe.open(RANKS).breakdown())


@check
def four_threads_at_once():
    t = tracepipe.open(RANKS)
    want = {"kernel": str(t.breakdown("kernel")), "idle": str(t.breakdown("idle"))}
    shared, failed = tracepipe.open(RANKS), []

    def ask(own):
        try:
            for _ in range(3):
                for view, rows in want.items():
                    assert str((tracepipe.open(RANKS) if own else shared).breakdown(view)) == rows
                assert sum(len(b) for b in shared.events(["ts", "name"])) == 22834
        except BaseException:
            failed.append(traceback.format_exc())

    threads = [threading.Thread(target=ask, args=(k % 2,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed[0]


# ---- events ----

ARGS = [kernel(10, 5, "a", n=1, f=1, s="x", mixed=1), kernel(20, 5, "b", n=2, f=0.5, s="y", mixed="two"),
        kernel(30, 5, "c", n=None, s=True), {"ph": "i", "ts": 40, "pid": 0, "tid": 1, "name": "d", "s": "t"}]


@check
def events_batch_by_batch():
    t = tracepipe.open(RANKS)
    batches = list(t.events(["ts", "dur", "name", "kind", "rank"]))
    assert sum(len(b) for b in batches) == sum(s.events for s in t.sources) and len(batches) > 1
    names = [n for b in batches for n in b["name"]]
    rows = program("tr-view", "-O", "tsv", "--columns", "name", *RANKS).split("\n")[1:-1]
    assert names == rows
    ts = [v for b in batches for v in b["ts_ns"]]
    assert ts == sorted(ts) and all(isinstance(v, int) for v in ts)
    assert batches[0].columns == ["ts_ns", "dur_ns", "name", "kind", "rank"]
    assert batches[0].to_pydict()["name"] == batches[0]["name"]
    assert list(next(iter(t.events("name"))).columns) == ["name"]
    assert not list(tracepipe.open(RANKS, where="dur > 1000s").events())
    assert len(list(t.select(where="activity == kernel", rank=0).events(["name"]))[0]) > 0


@check
def members_of_args_have_the_type_of_all_values():
    t = tracepipe.open({"t.json": trace_of(ARGS)})
    batch = next(iter(t.events(["args.n", "args.f", "args.s", "args.mixed", "args.none"])))
    assert batch.to_pydict() == {"args.n": [1, 2, None, None], "args.f": [1.0, 0.5, None, None],
                                 "args.s": ["x", "y", "true", None], "args.mixed": ["1", "two", None, None],
                                 "args.none": [None] * 4}
    batch = next(iter(t.events({"args.mixed": int, "args.n": str, "name": None})))
    assert batch.to_pydict() == {"args.mixed": [1, None, None, None], "args.n": ["1", "2", None, None],
                                 "name": ["a", "b", "c", "d"]}
    raises(tracepipe.UsageError, lambda: t.events({"args.n": "colour"}))
    many = [kernel(i, 1, late=i if i > 15000 else None) for i in range(20000)]
    late = tracepipe.open({"a.json": trace_of(many), "b.json": trace_of(many, 1)})
    for events in (late.events(["args.late"]), late.events(["args.late"])):
        assert sum(v or 0 for b in events for v in b["args.late"]) == 2 * sum(range(15001, 20000))


def importer():
    lib = ctypes.CDLL(IMPORTER)
    lib.take_array.restype = lib.take_stream.restype = ctypes.c_int64
    lib.take_array.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    lib.take_stream.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_char_p, ctypes.c_size_t]
    pointer = ctypes.pythonapi.PyCapsule_GetPointer  # also changed for who else uses it
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]

    def take(what, stop_after=0):
        why = ctypes.create_string_buffer(300)
        if hasattr(what, "__arrow_c_stream__") and not isinstance(what, tuple):
            capsule = what.__arrow_c_stream__()
            rows = lib.take_stream(pointer(capsule, b"arrow_array_stream"), stop_after, why, 300)
        else:
            schema, array = what.__arrow_c_array__() if not isinstance(what, tuple) else what
            rows = lib.take_array(pointer(schema, b"arrow_schema"), pointer(array, b"arrow_array"), why, 300)
        if rows < 0:
            raise RuntimeError(why.value.decode())
        return rows

    return take


@check
def a_strict_importer_takes_arrays_and_streams():
    if not IMPORTER:
        return "the importer could not be compiled"
    take = importer()
    t = tracepipe.open(RANKS)
    n = sum(s.events for s in t.sources)
    for _ in range(3):
        assert take(t.events()) == n
    every = ["record", "ts", "dur", "end", "phase", "name", "cat", "activity", "kind", "suspect", "source", "rank", "host",
             "pid", "tid", "device", "context", "stream", "process", "thread", "api", "class", "launch_ts", "args.stream",
             "args.External id", "args.none"]
    assert take(t.events(every)) == n
    assert 0 < take(t.events(), 1) < n  # it stops in the middle
    batch = list(t.events(["ts", "name", "kind"]))[0]
    assert take(batch) == take(batch) == len(batch) and len(batch["name"]) == len(batch)
    table = t.breakdown("kernel")
    assert take(table) == take(table.__arrow_c_array__()) == len(table) == len(list(table))
    assert take(tracepipe.open(RANKS, where="dur > 1000s").events()) == 0
    hostile = tracepipe.open({"t.json": b'[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"a\xff\\u0000\\ud800b"}]'})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert take(hostile.events(["name"])) == 1
    t.events().__arrow_c_stream__()  # nobody takes it over
    table.__arrow_c_array__()
    raises(tracepipe.UsageError, lambda: t.events(["colour"]).__arrow_c_stream__())
    import gc

    gc.collect()
    from tracepipe import _arrow

    assert not _arrow._held and not _arrow._streams and not _arrow._shared


try:
    import numpy as NUMPY
except ImportError:
    NUMPY = None
try:
    import pandas as PANDAS
except ImportError:
    PANDAS = None


@check
def events_for_numpy():
    if not NUMPY:
        return "no numpy"
    t = tracepipe.open({"t.json": trace_of(ARGS)})
    fields = ["ts", "dur", "end", "record", "name", "cat", "kind", "phase", "rank", "device", "tid", "thread", "source",
              "args.n", "args.f", "args.mixed"]
    arrays = t.events(fields).to_numpy()
    assert arrays["ts_ns"].tolist() == [10000, 20000, 30000, 40000] and arrays["ts_ns"].dtype == "i8"
    assert arrays["dur_ns"].tolist() == [5000, 5000, 5000, None] and arrays["dur_ns"].dtype == "i8"
    assert arrays["end_ns"].tolist() == [15000, 25000, 35000, None]
    assert list(arrays["name"]) == ["a", "b", "c", "d"] and list(arrays["kind"]) == ["compute"] * 3 + [None]
    assert list(arrays["phase"]) == ["span"] * 3 + ["instant"] and arrays["rank"].tolist() == [0] * 4
    assert arrays["device"].tolist() == [0, 0, 0, None] and arrays["args.n"].tolist() == [1, 2, None, None]
    assert arrays["args.f"].tolist() == [1.0, 0.5, None, None] and list(arrays["args.mixed"]) == ["1", "two", None, None]
    batch = next(iter(t.events(fields))).to_numpy()
    for name, column in arrays.items():
        assert batch[name].tolist() == (column.tolist()), name
    table = tracepipe.open(RANKS).breakdown().to_numpy()
    assert table["busy_ns"].dtype == "i8"
    empty = tracepipe.open(RANKS, where="dur > 1000s").events(fields).to_numpy()
    assert all(len(v) == 0 for v in empty.values())


@check
def events_for_pandas():
    if not PANDAS:
        return "no pandas"
    frame = tracepipe.open(RANKS).events().df
    assert str(frame.dtypes["ts_ns"]) == "Int64" and str(frame.dtypes["name"]) == "category"
    assert str(frame.dtypes["record"]) == "int64" and str(frame.dtypes["device"]) == "Int64"
    fields = "record,ts,dur,phase,name,cat,activity,kind,rank,device,stream,pid,tid,process,thread"
    rows = [json.loads(line) for line in program("tr-view", "-O", "jsonl", "--columns", fields, *RANKS).splitlines()]
    assert len(rows) == len(frame)
    for k in range(0, len(rows), 97):
        have = frame.iloc[k]
        for name, want in rows[k].items():
            value = None if PANDAS.isna(have[name]) else have[name]
            assert value == (None if want == "" else want), (k, name, value, want)
    batch = next(iter(tracepipe.open(RANKS).events())).to_pandas()
    assert (batch["name"].astype(str) == frame["name"].astype(str)[: len(batch)]).all()
    assert batch["ts_ns"].equals(frame["ts_ns"][: len(batch)])
    none = tracepipe.open(RANKS, where="dur > 1000s").events().df
    assert len(none) == 0 and list(none.columns) == list(frame.columns)
    kernels = tracepipe.open(RANKS).breakdown("kernel", per="rank").df
    assert str(kernels.dtypes["sum_ns"]) == "Int64" and kernels["sum_ns"].sum() > 0 and kernels.attrs["meaning"]["name"]
    busy = tracepipe.open(RANKS).breakdown("kernel", per="rank", short_names=True).df
    assert len(busy) <= len(kernels)
    assert kernels.groupby("rank")["sum_ns"].sum().tolist() == busy.groupby("rank")["sum_ns"].sum().tolist()


@check
def a_thousand_opens_leave_nothing():
    import gc
    import resource

    data = trace_of([kernel(10 * i, 5, "k%d" % (i % 9)) for i in range(300)])

    def use(n):
        for _ in range(n):
            t = tracepipe.open({"t.json": data}, keep=True)
            len(t.breakdown("kernel"))
            next(iter(t.events(["ts", "name"])))
        gc.collect()

    def resident():
        with open("/proc/self/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * resource.getpagesize()

    if not os.path.exists("/proc/self/statm"):
        return "no /proc"
    files = len(os.listdir("/proc/self/fd"))
    use(200)
    before = resident()
    use(1000)
    grown = resident() - before
    assert grown < 4 << 20, "%d bytes more" % grown
    assert len(os.listdir("/proc/self/fd")) == files


def main():
    bad = 0
    for function in CHECKS:
        what = function.__name__.replace("_", " ")
        try:
            why = function()
            print("skip - %s # %s" % (what, why) if why else "ok - " + what, flush=True)
        except BaseException:
            bad += 1
            print("not ok - " + what)
            print("".join("# %s\n" % line for line in traceback.format_exc().splitlines()), end="", flush=True)
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
