# SPDX-License-Identifier: MIT
"""Opening inputs, what happens while they are read, and long calls that signals can end."""

import errno
import os
import sys
import threading
import time
import warnings

from ._errors import DamageWarning, Remark, check, new_error, usage
from ._lib import ffi, lib, sized, text, utf8

_OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep
_FLAGS = {"strict": 1, "no_sort": 2, "no_args": 4, "renumber": 8}


# ---- what is said while a call runs ----


class Control:
    """What the library calls while it works: warnings, progress, and whether to go on."""

    def __init__(self, progress=None):
        self.handle = ffi.new_handle(self)
        self.warnings = []
        self.cancelled = False
        self.raised = None
        self.bar = None
        self.shown = 0.0
        self.progress = self._bar() if progress is True else progress

    def _bar(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        self.bar = tqdm(unit="B", unit_scale=True)

        def show(done, total):
            self.bar.total = total or None
            self.bar.update(done - self.bar.n)

        return show

    def go_on(self, done, total):
        now = time.monotonic()
        if self.progress and (now - self.shown >= 0.1 or done == total):
            self.shown = now
            try:
                self.progress(done, total)
            except BaseException as raised:  # also KeyboardInterrupt
                self.raised = raised
                self.cancelled = True
        return not self.cancelled

    def end(self):
        """Warn of what was said; raise what a callback raised."""
        said, self.warnings = self.warnings, []
        if self.bar is not None:
            self.bar.close()
            self.bar = None
            self.progress = None
        if self.raised is not None:
            raised, self.raised = self.raised, None
            raise raised
        warn(said)


def warn(said):
    """Warnings with the line of the program that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OWN):
        frame, level = frame.f_back, level + 1
    for what in said:
        warnings.warn(what, stacklevel=level)


@ffi.callback("void(void *, const char *, const char *, const char *)")
def _warn(ctx, name, place, what):
    parts = [text(t) or None for t in (name, place, what)]
    said = DamageWarning(": ".join(p for p in parts if p))
    said.input, said.place, said.what = parts
    ffi.from_handle(ctx).warnings.append(said)


def _interrupted(_, raised, trace):
    """A signal came while the callback ran: its exception belongs to the call."""
    control = ffi.from_handle(trace.tb_frame.f_locals["ctx"])
    control.raised, control.cancelled = raised, True


@ffi.callback("bool(void *, uint64_t, uint64_t)", error=False, onerror=_interrupted)
def _proceed(ctx, done, total):
    return ffi.from_handle(ctx).go_on(done, total)


@ffi.callback("void(void *, const char *)")
def _remark(ctx, said):
    ffi.from_handle(ctx).warnings.append(Remark(text(said)))


def listen(report, control):
    lib.tr_report_listen(report, _remark, control.handle)


def long(control, work):
    """Call work() so that a signal ends it: Python looks after signals in its main thread alone."""
    if threading.current_thread() is not threading.main_thread():
        return work()
    result = []

    def run():
        try:
            result.append((work(), None))
        except BaseException as raised:
            result.append((None, raised))

    thread = threading.Thread(target=run, name="tracepipe", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:  # KeyboardInterrupt, or what another handler of a signal raises
        control.cancelled = True
        thread.join()
        raise
    value, raised = result[0]
    if raised is not None:
        raise raised
    return value


# ---- arguments as texts of the library ----


def size_of(value):
    """Bytes: a number, or a text such as "128M"."""
    if isinstance(value, int):
        return value
    number = str(value).strip()
    units = {"K": 10, "M": 20, "G": 30, "T": 40}
    plain = number[:-2] if number[-2:].lower() == "ib" else number.rstrip("bB")
    shift = units.get(plain[-1:].upper(), 0)
    try:
        return int(float(plain[:-1] if shift else plain) * (1 << shift))
    except ValueError:
        raise usage("memory: %r is not a size such as 128M" % (value,)) from None


def numbers(value):
    """Ranks or steps: 3, "0..2", range(3), [0, 3, 8]."""
    if isinstance(value, range) and value.step == 1 and len(value):
        return "%d..%d" % (value[0], value[-1])
    if isinstance(value, (list, tuple, set, frozenset, range)):
        return ",".join(str(int(v)) for v in value)
    return str(value)


def steps(value):
    """Steps are a range: the library has no lists of them."""
    if isinstance(value, (list, tuple, set, frozenset)):
        have = sorted(set(int(v) for v in value))
        if not have or have != list(range(have[0], have[-1] + 1)):
            raise usage("step: a range of numbers is needed, such as range(3, 6) or \"3..5\"")
        value = range(have[0], have[-1] + 1)
    return numbers(value)


def window(value):
    """A window of times: "1ms..2ms", or (from, to) in ns."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return "..".join("" if v is None else "%dns" % v for v in value)
    return str(value)


_SELECT = {"rank": numbers, "step": steps, "time": window, "host_time": window,
           "drop_last_step": lambda v: "1" if v else "0"}


def selections(chosen):
    """Pairs of key and text for tr_trace_select, from keywords."""
    pairs = []
    for key, value in chosen.items():
        if value is None:
            continue
        if key == "where":
            pairs += [("where", w) for w in ([value] if isinstance(value, str) else value)]
        elif key == "suspect":
            if value:
                pairs.append(("suspect", "include"))
        elif key in _SELECT:
            pairs.append((key.replace("_", "-"), _SELECT[key](value)))
        else:
            raise usage("events cannot be selected by %r" % key)
    return tuple(pairs)


# ---- inputs ----


class Opened:
    """An open trace, with all that must live as long.  With `with', it is closed at the end."""

    def __init__(self, pointer, control, keep):
        self.pointer, self.control, self.keep = pointer, control, keep
        self.err = new_error()

    def select(self, pairs):
        for key, value in pairs:
            check(lib.tr_trace_select(self.pointer, utf8(key), utf8(value), self.err), self.err)
        return self

    def close(self):
        pointer, self.pointer = self.pointer, None
        if pointer is not None:
            lib.tr_trace_close(pointer)

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Inputs:
    """The inputs of a trace.  They are read for the first question.  The second one keeps the events for all others."""

    def __init__(self, paths, memory_inputs, options):
        self.paths, self.memory_inputs, self.options = paths, memory_inputs, options
        self.lock = threading.Lock()
        self.reads, self.warned = 0, False
        self.dataset = None
        self.known = None  # sources
        self.types = {}    # of members of args

    def __reduce__(self):
        return Inputs, (self.paths, self.memory_inputs, self.options)

    def _options(self, control):
        o, keep = sized("tr_trace_options"), [control]
        given = self.options
        o.threads = given.get("threads") or min(os.cpu_count() or 1, 16)
        o.flags = sum(bit for name, bit in _FLAGS.items() if given.get(name))
        o.max_memory = size_of(given["memory"]) if given.get("memory") else 0
        for member, name in (("temp_dir", "temp_dir"), ("input_format", "format")):
            if given.get(name):
                keep.append(ffi.new("char[]", utf8(given[name])))
                setattr(o, member, keep[-1])
        o.warn = ffi.NULL if self.warned else _warn  # once
        o.proceed, o.ctx = _proceed, control.handle
        return o, keep

    def _read(self, control):
        out, err = ffi.new("struct tr_trace **"), new_error()
        options, keep = self._options(control)
        if self.memory_inputs is None:
            texts = [ffi.new("char[]", utf8(p)) for p in self.paths]
            keep += texts
            check(lib.tr_trace_open(out, ffi.new("const char *[]", texts), len(texts), options, err), err)
        else:
            inputs = []
            for name, data in self.memory_inputs.items():
                one, label, data = sized("tr_memory_input"), ffi.new("char[]", utf8(name)), ffi.from_buffer(data)
                one.name, one.bytes, one.n = label, data, len(data)
                keep += [one, label, data]
                inputs.append(one)
            check(lib.tr_trace_open_memory(out, ffi.new("const struct tr_memory_input *[]", inputs), len(inputs), options,
                                           err), err)
        self.warned = True
        return Opened(out[0], control, keep)

    def are_files(self):
        return self.memory_inputs is None and all(os.path.isfile(p) or os.path.isdir(p) for p in self.paths)

    def again(self):
        """Can the inputs be read several times?"""
        return self.memory_inputs is not None or self.are_files()

    def _keep(self, control):
        with self._read(control) as opened:
            out = ffi.new("struct tr_dataset **")
            check(lib.tr_dataset_new(out, opened.pointer, opened.err), opened.err)
            self.dataset = ffi.gc(out[0], lib.tr_dataset_free)

    def open(self, control):
        """An open trace of all events, of which nothing has been read."""
        keep = self.options.get("keep")
        with self.lock:
            if self.dataset is None and (keep or (keep is None and self.reads) or not self.again()):
                self._keep(control)
            self.reads += 1
            dataset = self.dataset
        if dataset is None:
            return self._read(control)
        out, err = ffi.new("struct tr_trace **"), new_error()
        options, kept = self._options(control)
        options.flags = 0
        options.input_format = ffi.NULL
        check(lib.tr_dataset_open(dataset, out, options, err), err)
        return Opened(out[0], control, [kept, dataset])


def missing(path):
    raised = FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
    return raised
