# SPDX-License-Identifier: MIT
"""Events and tables for numpy and pandas, which are imported only when they are asked for."""

import numpy

from ._errors import check, new_error
from ._lib import I64_NONE, NO_STR, ffi, lib, sized, text, utf8


def masked(values, absent):
    return numpy.ma.masked_array(values, absent) if absent.any() else values


def series(kind, values, absent=None):
    """A column for a DataFrame."""
    import pandas

    if kind == "text":
        return pandas.Series(values, dtype=object)
    if kind in ("ratio", "double"):
        values = numpy.array([numpy.nan if v is None else v for v in values], float) if absent is None else values
        return values if absent is None else numpy.where(absent, numpy.nan, values)
    if absent is None:
        absent = numpy.array([v is None for v in values], bool)
        values = numpy.array([0 if v is None else v for v in values], "i8")
    return pandas.arrays.IntegerArray(values.astype("i8", copy=False), absent)


# ---- columns of events ----

# What a batch has for each event, and how its numbers read; of numbers of tracks, the member of struct tr_track_info.
_PLAIN = {"ts": ("tr_batch_ts", "i8"), "dur": ("tr_batch_dur", "i8"), "record": ("tr_batch_record", "u8"),
          "name": ("tr_batch_name", "u4"), "cat": ("tr_batch_category", "u4"), "phase": ("tr_batch_phase", "u1"),
          "activity": ("tr_batch_activity", "u1"), "kind": ("tr_batch_kind", "u1"), "suspect": ("tr_batch_suspect", "u1"),
          "track": ("tr_batch_track", "u4")}
_OF_TRACK = ("source", "rank", "pid", "tid", "device", "context", "stream", "process", "thread", "host")
_NAMES = {"phase": (lib.tr_phase_name, lib.TR_N_PHASES, -1), "activity": (lib.tr_activity_name, lib.TR_N_ACTIVITIES, -1),
          "kind": (lib.tr_kind_name, lib.TR_N_KINDS, 0), "suspect": (lib.tr_suspect_name, lib.TR_N_SUSPECTS, 0)}
_TIMES = ("ts", "dur", "end", "launch_ts", "launch_dur")


class Texts:
    """A column of texts: codes into categories, -1 for none."""

    def __init__(self, codes, categories):
        self.codes, self.categories = codes, categories

    def objects(self):
        return numpy.array(self.categories + [None], dtype=object)[self.codes]


def _sorted_texts(codes, used, texts):
    """Texts of the used codes, in order, each once."""
    order = sorted(set(texts))
    place = {t: i for i, t in enumerate(order)}
    table = numpy.full(int(used.max()) + 1 if len(used) else 1, -1, "i4")
    table[used] = [place[t] for t in texts]
    return Texts(numpy.where(codes < 0, -1, table[numpy.maximum(codes, 0)]), order)


def strings(dictionary, numbers):
    """Numbers of strings as texts."""
    codes = numbers.astype("i8")
    codes[codes == NO_STR] = -1
    present = numpy.zeros(lib.tr_dict_string_count(dictionary) + 1, bool)
    present[codes] = True  # -1 is the last one
    used = numpy.flatnonzero(present[:-1])
    return _sorted_texts(codes, used, [text(lib.tr_dict_string(dictionary, int(k), ffi.NULL)) for k in used])


def _named(field, numbers):
    function, n, none = _NAMES[field]
    codes = numbers.astype("i8")
    codes[codes == none] = -1
    used = numpy.flatnonzero(numpy.bincount(numbers))  # sorting a million is slower
    used = used[used != none]
    return _sorted_texts(codes, used, [text(function(int(k))) for k in used])


class _Tracks:
    """What is known of each track of a dictionary."""

    def __init__(self, trace):
        self.dictionary = lib.tr_trace_dict(trace)
        self.infos = []
        for k in range(lib.tr_dict_track_count(self.dictionary)):
            info = sized("tr_track_info")
            lib.tr_dict_track(self.dictionary, k, info)
            self.infos.append(info)
        self.hosts, source, one = [], sized("tr_source_info"), 0
        while lib.tr_trace_source(trace, one, source):
            self.hosts.append(text(source.host))
            one += 1

    def column(self, field, tracks):
        if field in ("process", "thread", "host"):
            texts = [self.hosts[i.source] if field == "host" else text(getattr(i, field)) for i in self.infos]
            order = sorted(set(t for t in texts if t is not None))
            codes = numpy.array([-1 if t is None else order.index(t) for t in texts], "i4")
            return Texts(codes[tracks], order)
        none = -1 if field == "rank" else I64_NONE
        values = numpy.array([getattr(i, field) for i in self.infos], "i8")
        return values[tracks], (values == none)[tracks]


class Collector:
    """Columns of events, batch by batch, and then whole."""

    def __init__(self, fields, types):
        self.fields, self.types = fields, types
        plain = [f for f in fields if f in _PLAIN]
        if "end" in fields:
            plain += [f for f in ("ts", "dur") if f not in plain]
        if any(f in _OF_TRACK for f in fields):
            plain.append("track")
        self.plain = plain
        self.others = [f for f in fields if f not in _PLAIN and f not in _OF_TRACK and f != "end"]
        self.pieces = {f: [] for f in plain + self.others}
        self.forms = {}
        self.err = new_error()
        self.n = 0

    def take(self, batch):
        n = lib.tr_batch_count(batch)
        self.n += n
        for field in self.plain:
            function, kind = _PLAIN[field]
            column = getattr(lib, function)(batch)
            self.pieces[field].append(numpy.frombuffer(ffi.buffer(column, n * int(kind[1])), kind).copy())
        if self.others:
            self._take_others(batch)

    def _take_others(self, batch):
        from ._arrow import Records

        names = [ffi.new("char[]", utf8(f)) for f in self.others]
        kinds = ffi.new("enum tr_cell[]", [self.types[f] for f in self.others])

        def make(schema, array):
            check(lib.tr_batch_arrow(batch, ffi.new("const char *[]", names), kinds, len(names), schema, array, self.err),
                  self.err)

        records = Records(make)
        for i, field in enumerate(self.others):
            self.forms[field] = records.format(i)
            self.pieces[field].append(records.arrays(i, numpy))

    def _other(self, field):
        pieces = self.pieces[field]
        if self.forms.get(field, "U") == "U":
            values = numpy.concatenate([v for v, _ in pieces] or [numpy.empty(0, object)])
            order = sorted(set(v for v in values if v is not None))
            place = {t: i for i, t in enumerate(order)}
            place[None] = -1
            return Texts(numpy.array([place[v] for v in values], "i4"), order)
        return numpy.concatenate([v for v, _ in pieces]), numpy.concatenate([a for _, a in pieces])

    def columns(self, trace):
        """Pairs of name and column: Texts, or values and which of them are absent."""
        dictionary, tracks = lib.tr_trace_dict(trace), None
        whole = {f: numpy.concatenate(self.pieces[f] or [numpy.empty(0, _PLAIN[f][1])]) for f in self.plain}
        for field in self.fields:
            name = field + "_ns" if field in _TIMES else field
            if field in ("name", "cat"):
                column = strings(dictionary, whole[field])
            elif field in _NAMES:
                column = _named(field, whole[field])
            elif field in _OF_TRACK:
                tracks = tracks or _Tracks(trace)
                column = tracks.column(field, whole["track"])
            elif field == "end":
                absent = (whole["ts"] == I64_NONE) | (whole["dur"] == I64_NONE)
                column = numpy.where(absent, 0, whole["ts"] + numpy.where(absent, 0, whole["dur"])), absent
            elif field == "record":
                column = whole[field].astype("i8"), None
            elif field in _PLAIN:
                column = whole[field], whole[field] == I64_NONE
            else:
                column = self._other(field)
            yield name, column


def to_numpy(columns):
    return {name: c.objects() if isinstance(c, Texts) else c[0] if c[1] is None else masked(*c) for name, c in columns}


def to_pandas(columns, n):
    import pandas

    data = {}
    for name, c in columns:
        if isinstance(c, Texts):
            data[name] = pandas.Categorical.from_codes(c.codes, c.categories)
        elif c[1] is None:
            data[name] = c[0]
        elif c[0].dtype == float:
            data[name] = numpy.where(c[1], numpy.nan, c[0])
        else:
            data[name] = pandas.arrays.IntegerArray(c[0], c[1])
    return pandas.DataFrame(data, index=range(n), copy=False)

