# SPDX-License-Identifier: MIT
"""The analyses that the library lists, as methods of Trace."""

import functools
import inspect
import keyword
import os

from ._errors import check, new_error, usage
from ._lib import ffi, lib, sized, text, utf8
from ._reading import Control, listen, long
from ._table import Table, columns_of

_KINDS = ("flag", "whole", "whole", "number", "size", "time", "text", "file", "folder", "choice", "list", "names", "call",
          "set")
_PYTHON = {"flag": "bool", "whole": "int", "number": "float", "size": "int | str", "time": "int | str", "text": "str",
           "file": "str | os.PathLike", "folder": "str | os.PathLike", "choice": "str", "list": "str | list",
           "names": "str", "call": "str", "set": "str | list"}
# Options of all analyses (tr_report_set).
COMMON = (("per", "str", "groups: rank, device, stream, step, capture or all"),
          ("sort", "str", "COLUMN, COLUMN:asc or COLUMN:desc"),
          ("top", "int", "rows of each group; one more row sums up the others"),
          ("top_per", "str", "a column: the rows of top for each of its values"),
          ("columns", "str | list", 'names of columns, or "all"'),
          ("unit", "str", "of times in texts and pictures: ns, us, ms or s; rows are in ns"),
          ("align", "bool", "compare ranks on one clock, found from collectives"),
          ("short_names", "bool", "names without template arguments and parameters"))


class Option:
    def __init__(self, info):
        self.key = text(info.name)
        self.name = self.key.replace("-", "_")
        if keyword.iskeyword(self.name):
            self.name += "_"
        self.kind = _KINDS[info.type]
        self.help = text(info.help, "")
        self.default = text(info.standard) or None
        self.choices = []
        while info.choices != ffi.NULL and info.choices[len(self.choices)] != ffi.NULL:
            self.choices.append(text(info.choices[len(self.choices)]))


class View:
    """A view of a program: "breakdown.idle"."""

    def __init__(self, number):
        self.name = text(lib.tr_analysis_name(number))
        self.program, self.view = self.name.split(".", 1)
        self.question = text(lib.tr_analysis_question(number))
        self.keys, self.options = [], []
        while lib.tr_analysis_key(number, len(self.keys)) != ffi.NULL:
            self.keys.append(text(lib.tr_analysis_key(number, len(self.keys))))
        info = sized("tr_option_info")
        while lib.tr_analysis_option(number, len(self.options), info):
            self.options.append(Option(info))

    def columns(self):
        """Those that it has with default options; the data may add some."""
        report, out, err = ffi.gc(lib.tr_report_new(), lib.tr_report_free), ffi.new("const struct tr_table **"), new_error()
        check(lib.tr_report_add(report, utf8(self.name), err), err)
        check(lib.tr_report_set(report, b"columns", b"all", err), err)
        if lib.tr_report_columns(report, 0, out, err) != lib.TR_OK:
            return []  # an option is needed
        return columns_of(out[0])


VIEWS = [View(i) for i in range(lib.tr_analysis_count())]
BY_NAME = {v.name: v for v in VIEWS}
PROGRAMS = {}
for _view in VIEWS:
    PROGRAMS.setdefault(_view.program, []).append(_view)
    BY_NAME.setdefault(_view.program, _view)


# ---- values as texts ----


def _text_of(value, kind):
    if isinstance(value, bool):
        return "1" if value else "0"
    if kind == "time" and isinstance(value, int):
        return "%dns" % value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, (list, tuple)):
        return ",".join(str(v) for v in value)
    return str(value)


def settings(view, given):
    """Pairs of key and text for tr_report_set."""
    common = {name for name, _, _ in COMMON}
    own = {o.name: o for o in view.options}
    for name, value in given.items():
        if value is None:
            continue
        if name not in own and name not in common and name != "keys":
            raise usage("the view %s has no option %r" % (view.name, name))
        option = own.get(name)
        key = option.key if option else name.replace("_", "-")
        kind = option.kind if option else "text"
        if kind in ("list", "names") and isinstance(value, (list, tuple)):
            for one in value:
                yield key, _text_of(one, kind)
        else:
            yield key, _text_of(value, kind)


def view_of(program, by):
    """The view and its keys from by="operator,shape"."""
    words = by.split(",") if isinstance(by, str) else list(by)
    view = BY_NAME.get("%s.%s" % (program, words[0]))
    if view is None:
        raise usage("%s has no view %r; there are %s" % (program, words[0], ", ".join(v.view for v in PROGRAMS[program])))
    return view, words[1:]


# ---- running ----


class Report:
    """A struct tr_report, for as long as its tables are used."""

    def __init__(self):
        self.pointer = ffi.gc(lib.tr_report_new(), lib.tr_report_free)
        self.err = new_error()

    def add(self, name, options):
        view = BY_NAME.get(name)
        if view is None:
            raise usage("there is no analysis %r" % name)
        check(lib.tr_report_add(self.pointer, utf8(view.name), self.err), self.err)
        for key, value in settings(view, options):
            check(lib.tr_report_set(self.pointer, utf8(key), utf8(value), self.err), self.err)

    def tables(self, control):
        remarks = [str(w) for w in control.warnings]
        found = []
        while True:
            pointer = lib.tr_report_table(self.pointer, len(found))
            if pointer == ffi.NULL:
                return found
            name = text(lib.tr_report_name(self.pointer, len(found)))
            found.append(Table(name, BY_NAME[name].question, pointer, self, remarks))


def run(trace, asked, progress=None):
    """Tables of several analyses, from one pass over a trace.  asked: names with their options."""
    control, report = Control(progress), Report()
    for name, options in asked:
        report.add(name, options)
    listen(report.pointer, control)

    def work():
        with trace._open(control) as opened:
            return lib.tr_report_run(report.pointer, opened.pointer, report.err)

    try:
        status = long(control, work)
        check(status, report.err)
        tables = report.tables(control)
    finally:
        control.end()
    return tables


# ---- methods ----

_OF_PAGE = ("arch", "attach_capture", "no_align", "set", "unit")  # options of findings that the whole page has, too


def _parameters(program):
    """Names, types and helps of the parameters of a method, after self."""
    views = PROGRAMS[program]
    own = {}
    for view in views:
        for o in view.options:
            own.setdefault(o.name, (o, []))[1].append(view.view)
    found = []
    if len(views) > 1:
        found.append(("by", "str | list", "the view, perhaps with keys after it: %s"
                      % ", ".join(",".join([v.view] + v.keys[:1]) for v in views), views[0].view))
    found += [(name, kind, says, None) for name, kind, says in COMMON if name not in own]
    for name in sorted(own):
        option, of = own[name]
        says = option.help
        if option.choices:
            says += " (%s)" % ", ".join(option.choices)
        if len(of) < len(views):
            says += "; of %s" % ", ".join(of)
        found.append((name, _PYTHON[option.kind], says, None))
    return found


def _signature(program):
    kinds = inspect.Parameter
    parameters = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    for name, kind, _, default in _parameters(program):
        first = name == "by" and default is not None
        parameters.append(kinds(name, kinds.POSITIONAL_OR_KEYWORD if first else kinds.KEYWORD_ONLY, default=default,
                                annotation=kind if first else kind + " | None"))
    return inspect.Signature(parameters, return_annotation="Table")


def _doc(program):
    lines = [PROGRAMS[program][0].question, "", "The page tr-%s(1) describes the views.  Parameters:" % program, ""]
    lines += ["  %-14s %s" % (name, says) for name, _, says, _ in _parameters(program)]
    for view in PROGRAMS[program]:
        lines += ["", "%s: %s" % (view.view, view.question)]
        if view.keys:
            lines.append("  keys: %s" % ", ".join(view.keys))
        lines += ["  %-18s %s%s" % (c.name, c.meaning or "", " [%s]" % c.unit if c.unit else "") for c in view.columns()]
    return "\n".join(lines)


def method(program, name):
    views = PROGRAMS[program]
    signature = _signature(program)

    def analysis(self, *args, **given):
        bound = signature.bind(self, *args, **given).arguments
        del bound["self"]
        view, keys = views[0], []
        if len(views) > 1:
            view, keys = view_of(program, bound.pop("by", views[0].view))
        if keys:
            bound["keys"] = keys
        table = self.run((view.name, bound))[0]
        if view.name == "report.findings":
            table._page = functools.partial(self.page, **{o: bound[o] for o in _OF_PAGE if o in bound})
        return table

    analysis.__name__, analysis.__qualname__ = name, "Trace." + name
    analysis.__signature__ = signature
    analysis.__doc__ = _doc(program)
    return analysis


def methods():
    """The methods by their names: those of programs, and findings()."""
    found = {program: method(program, program) for program in PROGRAMS}
    if "report" in found:
        found["findings"] = method("report", "findings")
    return found
