# SPDX-License-Identifier: MIT
"""Tables: the rows of an analysis."""

import html
import json
import os
from collections import namedtuple

from ._arrow import OneBatch, Records, stream_capsule
from ._errors import check, new_error, usage
from ._lib import ffi, lib, sized, text, utf8

Column = namedtuple("Column", "name type role unit meaning")
Column.__doc__ = "A column of a table: its name, the type of its cells, how they are combined, their unit and meaning."

_TYPES = ("text", "int", "count", "time", "ratio", "double")
_ROLES = ("text", "group", "key", "sum", "count", "min", "max", "inclusive", "share", "ratio", "difference", "change",
          "variance", "quantile", "mean", "time", "rank")
_ENDINGS = {".txt": "text", ".tsv": "tsv", ".csv": "csv", ".json": "json", ".md": "md", ".html": "html", ".svg": "svg"}
_FORMATS = ("text", "tsv", "csv", "json", "md", "svg", "vega")
_SHOWN = 60  # rows that a notebook or a prompt shows


def columns_of(table):
    """The columns of a struct tr_table.  Times are in ns, and their names say so."""
    info, found = sized("tr_column_info"), []
    for c in range(lib.tr_table_column_count(table)):
        lib.tr_table_column_info(table, c, info)
        name, unit = text(info.name), text(info.unit)
        if info.type == lib.TR_CELL_TIME:
            name, unit = name[: -len(unit)] + "ns", "ns"
        found.append(Column(name, _TYPES[info.type], _ROLES[info.role], unit, text(info.meaning)))
    return found


@ffi.callback("enum tr_status(void *, const void *, size_t, struct tr_error *)", error=lib.TR_SYSTEM)
def _put(ctx, data, n, err):
    ffi.from_handle(ctx).append(bytes(ffi.buffer(data, n)))
    return lib.TR_OK


def collect(call, err):
    """The bytes that call(write, ctx) writes."""
    pieces = []
    handle = ffi.new_handle(pieces)
    check(call(_put, handle), err)
    return b"".join(pieces)


class Plot:
    """A picture, which a notebook shows."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        with open(path, "w", encoding="utf-8") as to:
            to.write(self.svg)

    def __repr__(self):
        return "<tracepipe.Plot: SVG of %d bytes>" % len(self.svg)


class Table:
    """The rows of an analysis.

    len(table), iteration (each row is a dict) and table["COLUMN"] (a list) need no other package; .df is a DataFrame of
    pandas.  Times are integers in ns, and the names of their columns end in _ns.  An absent cell is None.  Packages that
    know Arrow take a table as it is.  Texts and pictures are those of the programs: str(table), .to_json(), .plot().
    """

    def __init__(self, name, question, pointer, owner, remarks=()):
        self.name, self.question, self.remarks = name, question, list(remarks)
        self._pointer, self._owner = pointer, owner  # the owner frees the rows
        self._records = None
        self._texts = {}
        self._page = None  # of a report: a function of the form of its page
        self.columns = columns_of(pointer)
        self._n = lib.tr_table_row_count(pointer)

    # ---- rows ----

    def _table(self):
        if self._pointer is None:
            raise usage("a table that was unpickled has rows and texts, but is no table of the library")
        return self._pointer

    def _arrow(self, schema, array):
        err = new_error()
        check(lib.tr_table_arrow(self._table(), schema, array, err), err)

    def _data(self):
        if self._records is None:
            self._records = Records(self._arrow)
        return self._records

    def _values(self, i):
        return self._lists[i] if self._pointer is None else self._data().list(i)

    def _index(self, name):
        for i, column in enumerate(self.columns):
            if name == column.name or (column.type == "time" and name + "_ns" == column.name):
                return i
        raise KeyError(name)

    def __len__(self):
        return self._n

    def __getitem__(self, name):
        return self._values(self._index(name))

    def __iter__(self):
        names = [c.name for c in self.columns]
        for cells in zip(*(self._values(i) for i in range(len(names)))):
            yield dict(zip(names, cells))

    def to_pydict(self):
        return {c.name: self._values(i) for i, c in enumerate(self.columns)}

    # ---- other packages ----

    def to_pandas(self):
        """A DataFrame: integers as Int64, which may be absent; numbers as float64; texts as object."""
        import pandas

        from ._frames import series

        data = {c.name: series(c.type, *self._arrays(i)) for i, c in enumerate(self.columns)}
        frame = pandas.DataFrame(data, index=range(self._n))
        frame.attrs["meaning"] = {c.name: c.meaning for c in self.columns}
        return frame

    def _arrays(self, i):
        import numpy

        return (self._lists[i],) if self._pointer is None else self._data().arrays(i, numpy)

    @property
    def df(self):
        return self.to_pandas()

    def to_numpy(self):
        """A dict of arrays; masked where cells are absent."""
        from ._frames import masked

        return {c.name: masked(*self._arrays(i)) for i, c in enumerate(self.columns)}

    def __arrow_c_array__(self, requested_schema=None):
        return self._data().capsules()

    def __arrow_c_stream__(self, requested_schema=None):
        return stream_capsule(OneBatch(self._data()))

    # ---- texts and pictures ----

    def to(self, form):
        """The table as "text", "tsv", "csv", "json" or "md", as the program prints it, or as "html", "svg" or "vega"."""
        if form not in self._texts:
            if self._pointer is None:
                raise usage("a table that was unpickled is not written as %r" % form)
            err = new_error()
            data = collect(lambda write, ctx: lib.tr_table_print(self._pointer, utf8(form), write, ctx, err), err)
            self._texts[form] = data.decode("utf-8", "replace")
        return self._texts[form]

    def to_json(self):
        """The rows as JSON, as the program prints them; times in the unit of the program."""
        return self.to("json")

    def plot(self):
        """The picture of this view, as SVG."""
        return Plot(self.to("svg"))

    def save(self, path):
        """Write the table to a file in the form that its name ends in: .txt .tsv .csv .json .md .html .svg

        What report() gives is written as the whole page of tr-report to .html, .md and .txt.
        """
        form = _ENDINGS.get(os.path.splitext(os.fspath(path))[1])
        if form is None:
            raise usage("the name of the file ends in none of %s" % " ".join(_ENDINGS))
        if self._page is not None and form in ("text", "md", "html"):
            self._page(form).save(path)
        else:
            with open(path, "wb") as to:
                to.write(self.to(form).encode("utf-8"))

    def __str__(self):
        return self.to("text")

    def __repr__(self):
        lines = self.to("text").splitlines()
        more = ["... %d rows" % self._n] if len(lines) > _SHOWN else []
        return "\n".join(lines[:_SHOWN] + more)

    def _repr_html_(self):
        out = ["<table>", "<caption>%s</caption>" % html.escape(self.question)] if self.question else ["<table>"]
        out.append("<thead><tr>%s</tr></thead><tbody>" % "".join(
            '<th title="%s">%s</th>' % (html.escape(c.meaning or "", True), html.escape(c.name)) for c in self.columns))
        columns = [self._values(i)[:_SHOWN] for i in range(len(self.columns))]
        for cells in zip(*columns):
            out.append("<tr>%s</tr>" % "".join(_cell(c, v) for c, v in zip(self.columns, cells)))
        out.append("</tbody></table>")
        if self._n > _SHOWN:
            out.append("<p>%d of %d rows</p>" % (_SHOWN, self._n))
        return "".join(out)

    # ---- pickling: what does not need the library ----

    def __getstate__(self):
        for form in _FORMATS:
            if self._pointer is not None:
                self.to(form)
        return {"name": self.name, "question": self.question, "remarks": self.remarks, "columns": self.columns,
                "_n": self._n, "_texts": self._texts, "_page": self._page, "_pointer": None, "_owner": None, "_records": None,
                "_lists": [self._values(i) for i in range(len(self.columns))]}


def _cell(column, value):
    if value is None:
        return "<td></td>"
    if column.type == "text":
        return '<td style="text-align:left">%s</td>' % html.escape(value)
    return "<td>%s</td>" % (json.dumps(round(value, 3)) if isinstance(value, float) else value)
