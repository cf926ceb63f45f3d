# SPDX-License-Identifier: MIT
"""Events, batch by batch."""

from ._arrow import Records, stream_capsule
from ._errors import check, failure, new_error, usage
from ._lib import CELL_ANY, CELL_DOUBLE, CELL_INT, CELL_STRING, ffi, lib, utf8
from ._reading import Control, long

USUAL = ("record", "ts", "dur", "phase", "name", "cat", "activity", "kind", "rank", "device", "stream", "pid", "tid",
         "process", "thread")
_CELLS = {int: CELL_INT, float: CELL_DOUBLE, str: CELL_STRING, "int": CELL_INT, "float": CELL_DOUBLE, "str": CELL_STRING,
          None: CELL_ANY}
_OF_FORM = {"l": CELL_INT, "g": CELL_DOUBLE, "U": CELL_STRING}


class Batch:
    """Some thousand events, as columns.  They stay as they are when the next batch is read.

    batch["ts_ns"] is a list; len(batch) is the number of events.  Packages that know Arrow take a batch as it is.
    """

    def __init__(self, make):
        self._records = Records(make)
        self.columns = self._records.names

    def __len__(self):
        return self._records.n

    def __getitem__(self, name):
        if name not in self.columns:
            raise KeyError(name)
        return self._records.list(self.columns.index(name))

    def to_pydict(self):
        return {name: self[name] for name in self.columns}

    def to_numpy(self):
        """A dict of arrays; masked where values are absent."""
        import numpy

        from ._frames import masked

        return {name: masked(*self._records.arrays(i, numpy)) for i, name in enumerate(self.columns)}

    def to_pandas(self):
        import numpy
        import pandas

        from ._frames import series

        kinds = {"l": "int", "g": "double", "U": "text"}
        data = {name: series(kinds[self._records.format(i)], *self._records.arrays(i, numpy))
                for i, name in enumerate(self.columns)}
        frame = pandas.DataFrame(data, index=range(len(self)))
        return frame.astype({n: "category" for i, n in enumerate(self.columns) if self._records.format(i) == "U"})

    def __arrow_c_array__(self, requested_schema=None):
        return self._records.capsules()


class _Stream:
    """A stream of Arrow over that of the library."""

    def __init__(self, opened, inner):
        self.opened, self.inner, self.said = opened, inner, ffi.NULL

    def _call(self, function, out):
        said = function(self.inner, out)
        try:
            self.opened.control.end()
        except BaseException as raised:  # it cannot pass through the caller, who is not Python
            self.said = ffi.new("char[]", (str(raised) or type(raised).__name__).encode("utf-8", "replace"))
            return said or 125
        self.said = self.inner.get_last_error(self.inner)
        return said

    def get_schema(self, out):
        return self._call(self.inner.get_schema, out)

    def get_next(self, out):
        return self._call(self.inner.get_next, out)

    def get_last_error(self):
        return self.said

    def release(self):
        self.inner.release(self.inner)
        self.opened = self.inner = None


class Events:
    """The selected events of a trace.  Each use reads them from the first one on.

    Iteration gives batches, so that a trace may be larger than memory.  Packages that know Arrow take the events as a
    stream: pyarrow.table(events), polars.from_arrow(events), duckdb.from_arrow(events).
    """

    def __init__(self, trace, columns=None):
        given = {f: None for f in USUAL} if columns is None else columns
        if isinstance(given, str):
            given = [given]
        if not isinstance(given, dict):
            given = {f: None for f in given}
        self._trace = trace
        self.fields = [f[:-3] if f.endswith("_ns") else f for f in given]
        for kind in given.values():
            if kind not in _CELLS:
                raise usage("the type of a column is int, float or str, not %r" % (kind,))
        self.types = dict(zip(self.fields, (_CELLS[k] for k in given.values())))
        if not self.fields:
            raise usage("columns: none is named")

    def _named(self):
        names = [ffi.new("char[]", utf8(f)) for f in self.fields]
        return ffi.new("const char *[]", names), ffi.new("enum tr_cell[]", list(self.types.values())), names

    def _opened(self, progress=None, fields=None):
        control = Control(self._trace._progress if progress is None else progress)
        opened = long(control, lambda: self._trace._open(control))
        control.end()
        if fields is not None:
            names = [ffi.new("char[]", utf8(f)) for f in fields]
            check(lib.tr_trace_want(opened.pointer, ffi.new("const char *[]", names), len(names), opened.err), opened.err)
        return opened

    def _batches(self, opened):
        """Batches of the library, each valid until the next."""
        out, control = ffi.new("const struct tr_batch **"), opened.control
        while True:
            status = lib.tr_trace_next(opened.pointer, out, opened.err)
            control.end()
            if status == lib.TR_END:
                return
            check(status, opened.err)
            yield out[0]

    def _find_types(self):
        """Members of args whose type was not said: the type that holds all values, from a pass of its own."""
        known, asked = self._trace._inputs.types, [f for f in self.fields if self.types[f] == CELL_ANY]
        unknown = [f for f in asked if f.startswith("args.") and f not in known]
        if unknown:
            forms = {}
            whole = Events(self._trace._whole(), unknown)
            with whole._opened(fields=unknown) as opened:
                names, kinds, keep = whole._named()
                for batch in whole._batches(opened):
                    records = Records(lambda schema, array: check(
                        lib.tr_batch_arrow(batch, names, kinds, len(keep), schema, array, opened.err), opened.err))
                    forms = {f: records.format(i) for i, f in enumerate(unknown)}
            known.update((f, _OF_FORM[forms.get(f, "U")]) for f in unknown)
        self.types.update((f, known[f]) for f in asked if f in known)

    def __iter__(self):
        self._find_types()
        with self._opened(fields=self.fields) as opened:
            names, kinds, keep = self._named()
            for batch in self._batches(opened):
                def make(schema, array, batch=batch):
                    check(lib.tr_batch_arrow(batch, names, kinds, len(keep), schema, array, opened.err), opened.err)

                yield Batch(make)

    def __arrow_c_stream__(self, requested_schema=None):
        self._find_types()
        opened, err = self._opened(), new_error()
        names, kinds, keep = self._named()
        inner = ffi.new("struct ArrowArrayStream *")
        status = lib.tr_trace_arrow(opened.pointer, names, kinds, len(keep), inner, err)
        opened.control.end()
        if status != lib.TR_OK:
            opened.close()
            raise failure(err)
        opened.pointer = None  # the stream closes it
        return stream_capsule(_Stream(opened, inner))

    def _collected(self):
        from ._frames import Collector

        self._find_types()
        collector = Collector(self.fields, self.types)
        with self._opened(fields=self.fields) as opened:
            for batch in self._batches(opened):
                collector.take(batch)
            return collector.n, list(collector.columns(opened.pointer))

    def to_numpy(self):
        """A dict of arrays: integers, masked where absent; texts as objects."""
        from ._frames import to_numpy

        return to_numpy(self._collected()[1])

    def to_pandas(self):
        """A DataFrame: integers as Int64, where they may be absent; texts as Categorical; times in ns."""
        from ._frames import to_pandas

        n, columns = self._collected()
        return to_pandas(columns, n)

    @property
    def df(self):
        return self.to_pandas()
