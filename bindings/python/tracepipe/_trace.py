# SPDX-License-Identifier: MIT
"""Traces, comparisons and partial results."""

import glob
import json
import os
from collections import namedtuple

from ._analyses import BY_NAME, Report, methods, run
from ._errors import check, new_error, usage
from ._events import Events
from ._lib import I64_NONE, ffi, lib, sized, text, utf8
from ._reading import Control, Inputs, listen, long, missing, selections
from ._programs import Page, page_words
from ._programs import run as run_program
from ._table import Table, collect

Source = namedtuple("Source", "rank name host format base_ns first_ns last_ns events repaired lost steps")
Source.__doc__ = "An input: its rank, what it is, its times, and how many events and steps (number, start, end) it has."
Step = namedtuple("Step", "number start end")


def _number(value):
    return None if value == I64_NONE else value


class Trace:
    """Inputs as one trace: what open() returns.

    A method for each program has its views: trace.breakdown(by="kernel", per="rank").
    """

    def __init__(self, inputs, chosen=(), progress=None):
        self._inputs, self._chosen, self._progress = inputs, chosen, progress

    def __reduce__(self):
        return Trace, (self._inputs, self._chosen)

    def __repr__(self):
        what = list(self._inputs.memory_inputs) if self._inputs.memory_inputs is not None else self._inputs.paths
        chosen = "".join(", %s=%r" % (k, v) for k, v in self._chosen)
        return "tracepipe.open(%r%s)" % (what if len(what) != 1 else what[0], chosen)

    def _open(self, control):
        opened = self._inputs.open(control)
        try:
            return opened.select(self._chosen)
        except BaseException:
            opened.close()
            raise

    def select(self, **chosen):
        """The same trace with fewer events: where, rank, step, time, host_time, drop_last_step, suspect.

        Expressions of where are added; any other key replaces an earlier one.
        """
        pairs = selections(chosen)
        new = {k for k, _ in pairs if k != "where"}
        return Trace(self._inputs, tuple(p for p in self._chosen if p[0] not in new) + pairs, self._progress)

    def _whole(self):
        """The same trace with all events."""
        return Trace(self._inputs, (), self._progress)

    @property
    def sources(self):
        """The inputs, as a list of Source."""
        if self._inputs.known is None:
            control = Control(self._progress)
            opened = long(control, lambda: self._inputs.open(control))
            with opened:
                self._inputs.known = list(_sources(opened.pointer))
            control.end()
        return self._inputs.known

    @property
    def ranks(self):
        return sorted(set(s.rank for s in self.sources if s.rank is not None))

    def events(self, columns=None):
        """The events.  columns: names of fields (tr-expr(7)), such as "ts", "name", "args.bytes"; or a dict of names and
        types, int, float or str, for members of args."""
        return Events(self, columns)

    def run(self, *asked, progress=None):
        """Tables of several analyses, from one pass: trace.run("breakdown.time", ("breakdown.idle", {"per": "rank"}))."""
        pairs = [(a, {}) if isinstance(a, str) else a for a in asked]
        return run(self, pairs, self._progress if progress is None else progress)

    def partial(self, *asked, **options):
        """What analyses know of this trace, as bytes that merge() joins: trace.partial("breakdown.kernel", per="rank")."""
        return partial(self, *asked, **options)

    def info(self):
        """What tr-info(1) says of the inputs, as values: what they are, and whether they can be trusted."""
        return json.loads(run_program(self, "tr-info", "-O", "json"))

    def page(self, form="html", *, base=None, sections=None, top=None, findings=None, per=None, unit=None, arch=None,
             attach_capture=None, no_align=None, set=None, expect_ranks=None, min_ranks=None, quiet=None):
        """The page of tr-report(1), as the program writes it, for page.save("x.html").

        form      "html", "text", "md" or "json"
        base      paths of a run to compare with
        sections  names, or "all"
        quiet     warn only of ranks that are missing
        The others are the options of the program.
        """
        given = {k: v for k, v in locals().items() if k not in ("self", "form")}
        out = run_program(self, "tr-report", "-O", form, *page_words(self, given))
        return Page(out.decode("utf-8", "surrogateescape"))

    def write(self, path, compress="lz4"):
        """Write the selected events as a stream of tr-stream(5)."""
        control, err = Control(self._progress), new_error()
        out, batch, how = ffi.new("struct tr_output **"), ffi.new("const struct tr_batch **"), sized("tr_output_options")
        codec = ffi.new("char[]", utf8(compress))
        how.compress = codec

        def work():
            with self._open(control) as opened:
                status = lib.tr_output_open(out, utf8(path), opened.pointer, how, err)
                while status == lib.TR_OK:
                    status = lib.tr_trace_next(opened.pointer, batch, err)
                    if status == lib.TR_OK:
                        status = lib.tr_output_batch(out[0], batch[0], err)
                if status == lib.TR_END:
                    return lib.tr_output_finish(out[0], err)
                lib.tr_output_abandon(out[0])
                return status

        try:
            check(long(control, work), err)
        finally:
            control.end()


for _name, _method in methods().items():
    setattr(Trace, _name, _method)


def _sources(trace):
    info, step = sized("tr_source_info"), sized("tr_step_info")
    n = 0
    while lib.tr_trace_source(trace, n, info):
        steps, k = [], 0
        while lib.tr_trace_step(trace, n, k, step):
            steps.append(Step(step.number, step.start, step.end))
            k += 1
        yield Source(None if info.rank < 0 else info.rank, text(info.name), text(info.host), text(info.format),
                     info.base_ns, _number(info.first_ns), _number(info.last_ns), info.n_events, info.n_repaired,
                     info.n_lost, steps)
        n += 1


# ---- opening ----


def _paths(paths):
    found = []
    for path in [paths] if isinstance(paths, (str, os.PathLike)) else paths:
        path = os.fspath(path)
        if path == "-" or os.path.exists(path):
            found.append(path)
        elif glob.has_magic(path) and glob.glob(path):
            found += sorted(glob.glob(path))
        else:
            raise missing(path)
    if not found:
        raise usage("no input is named")
    return found


def open(paths, where=None, rank=None, step=None, time=None, host_time=None, drop_last_step=False, suspect=False, *,
         memory=None, threads=None, strict=False, renumber=False, no_args=False, format=None, temp_dir=None, keep=None,
         progress=None):
    """Open inputs as one trace: paths, patterns such as "rank*.json.gz", or a dict of names and bytes.

    where, rank, step, time, host_time, drop_last_step, suspect  select events, as options of tr-breakdown(1) do:
        where="dur > 50us", rank=[0, 1], step=3 or range(3, 6), time="1ms..2ms" or (from_ns, to_ns)
    memory    "128M": beyond it, events go to temporary files in temp_dir [256M]
    threads   for reading [one for each processor]
    strict    refuse damage instead of repairing it
    renumber  if two inputs have one rank, give the later one a free rank
    no_args   leave out args
    format    of the inputs [found by content]
    keep      keep the events packed, so that they are read once: True, False [from the second question on]
    progress  a function of bytes read and bytes in all (0: unknown), called from another thread; True: a bar of tqdm

    The inputs are read when something is asked.  What is damaged in them is repaired, with a DamageWarning.
    """
    options = {"memory": memory, "threads": threads, "strict": strict, "renumber": renumber, "no_args": no_args,
               "format": format, "temp_dir": temp_dir, "keep": keep}
    chosen = selections({"where": where, "rank": rank, "step": step, "time": time, "host_time": host_time,
                         "drop_last_step": drop_last_step or None, "suspect": suspect})
    if isinstance(paths, (bytes, bytearray, memoryview)):
        paths = {"memory": paths}
    if isinstance(paths, dict):
        return Trace(Inputs(None, {n: bytes(b) for n, b in paths.items()}, options), chosen, progress)
    return Trace(Inputs(_paths(paths), None, options), chosen, progress)


def _trace(what):
    return what if isinstance(what, Trace) else open(what)


# ---- two runs ----


class _Comparison:
    def __init__(self, pointer):
        self.pointer = ffi.gc(pointer, lib.tr_comparison_free)


def _compare_options(columns, sort, top):
    """A struct tr_compare_options, and what must live as long."""
    o = sized("tr_compare_options")
    named = columns if isinstance(columns, str) or columns is None else ",".join(columns)
    keep = [None if v is None else ffi.new("char[]", utf8(v)) for v in (named, sort)]
    o.columns, o.sort = (ffi.NULL if v is None else v for v in keep)
    o.top = top or 0
    return o, keep


def _diff_tables(base, test, keys, o):
    if base.name != test.name:
        raise usage("tables of one analysis are compared, not of %s and %s" % (base.name, test.name))
    err, out = new_error(), ffi.new("struct tr_comparison **")
    named = ffi.NULL if keys is None else ffi.new("char[]", utf8(keys if isinstance(keys, str) else ",".join(keys)))
    check(lib.tr_compare_tables(out, base._table(), test._table(), named, o, err), err)
    owner = _Comparison(out[0])
    return Table("diff", "What changed from the base to the test?", lib.tr_comparison_rows(owner.pointer), owner)


def diff(base, test, by="name", *, keys=None, columns="all", sort=None, top=None, profiler=False, changed_only=False):
    """What differs between two runs: a Table of rows, as tr-diff(1) prints them; its attribute headline is another.

    base, test    traces, or what open() takes; or two tables of one analysis, whose rows are compared
    by            name, short-name, kernel, operator (also "operator,shape", "operator,args"), class, step or path;
                  tree: where call trees differ (also "tree,kernel", "tree,pair", "tree,node"), without a headline
    keys          of tables: columns by which rows are matched [as the analysis says]
    profiler      spans of the profiler count, too
    changed_only  only rows in which something differs
    """
    o, keep = _compare_options(columns, sort, top)
    if isinstance(base, Table) and isinstance(test, Table):
        return _diff_tables(base, test, keys, o)
    base, test = _trace(base), _trace(test)
    control, err, out = Control(), new_error(), ffi.new("struct tr_comparison **")
    keep.append(ffi.new("char[]", utf8(by if isinstance(by, str) else ",".join(by))))
    o.by, o.profiler, o.changed_only = keep[-1], profiler, changed_only

    def work():
        with base._open(control) as one, test._open(control) as other:
            return lib.tr_compare(out, one.pointer, other.pointer, o, err)

    try:
        check(long(control, work), err)
    finally:
        control.end()
    owner = _Comparison(out[0])
    rows = Table("diff", "What changed from the base to the test?", lib.tr_comparison_rows(owner.pointer), owner)
    headline = lib.tr_comparison_headline(owner.pointer)
    rows.headline = None
    if headline != ffi.NULL:
        rows.headline = Table("diff.headline", "How do the main figures of two runs differ?", headline, owner)
    return rows


# ---- partial results ----


class Partial(bytes):
    """What analyses know of some ranks: bytes that may be stored, sent and pickled, and that merge() joins.

    A file with them is an input of the programs: tr-breakdown x.part.
    """

    def tables(self):
        """The tables that one run over all of these ranks would give."""
        return _merged([self], None)

    def table(self):
        """The first of them."""
        return self.tables()[0]


def partial(trace, *asked, **options):
    """Save what analyses know of a trace, or of what open() takes, as a Partial [of "breakdown.time"].

    asked    names of analyses, or pairs of name and options; or "page" alone: what the trace adds to the page of
             tr-report.  open() of a dict of such bytes has the page() of all, and so has their partial("page").
    options  of the one analysis that is named
    """
    if asked == ("page",):
        trace = _trace(trace)
        return Partial(run_program(trace, "tr-report", "--save-partial", "-", *page_words(trace, options)))
    trace, control, report = _trace(trace), Control(), Report()
    pairs = [(a, options) if isinstance(a, str) else a for a in asked or ("breakdown.time",)]
    if options and len(pairs) > 1:
        raise usage("with several analyses, each is a pair of name and options")
    for name, given in pairs:
        report.add(name, given)
    listen(report.pointer, control)

    def work(write, ctx):
        def inner():
            with trace._open(control) as opened:
                return lib.tr_report_save(report.pointer, opened.pointer, write, ctx, report.err)

        return long(control, inner)

    try:
        return Partial(collect(work, report.err))
    finally:
        control.end()


def _merged(partials, write):
    control, report = Control(), Report()
    inputs = Inputs(None, {"partial %d" % i: bytes(p) for i, p in enumerate(partials)}, {"threads": 1})
    if not inputs.memory_inputs:
        raise usage("no partial result is given")
    listen(report.pointer, control)
    try:
        with inputs.open(control) as opened:
            check(lib.tr_report_add_saved(report.pointer, opened.pointer, report.err), report.err)
            if write is not None:
                return collect(lambda put, ctx: lib.tr_report_save(report.pointer, opened.pointer, put, ctx, report.err),
                               report.err)
            check(lib.tr_report_run(report.pointer, opened.pointer, report.err), report.err)
        return report.tables(control)
    finally:
        control.end()


def merge(partials):
    """Join partial results, in any order, to one Partial.  Its table() is that of one run over all ranks."""
    return Partial(_merged(partials, True))


def analyses():
    """Names of all analyses, and the questions that they answer."""
    return {name: view.question for name, view in BY_NAME.items() if "." in name}


def version():
    return text(lib.tr_version())

