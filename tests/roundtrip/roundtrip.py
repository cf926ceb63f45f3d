#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does a trace survive the event stream?

tr-parse T | tr-view -O chrome must equal T as JSON values.

usage: roundtrip.py [--bin DIR] [FILE...]     the given files
       roundtrip.py [--bin DIR] --corpus DIR  every trace under DIR that Python's json can load
       roundtrip.py --self-test               does the comparison find planted differences?

Equal means: the same events in any order, each as often; the same other top-level members; a bare
array of events stays one.  Numbers are compared as decimals with all their digits (1, 1.0 and 1e0
are one number, 0.1 and 0.10000000000000001 are two), a number never equals a string.  Of a key
that occurs twice the last one counts.  NaN and infinities, which JSON cannot express, come back as
the strings "NaN", "Infinity" and "-Infinity", and a lone surrogate as U+FFFD.  Elements that hold
no usable event (no object, no ph, no number in ts) may be missing; how many were is part of the
output.

A named file that Python cannot load is salvaged by tr-parse: then what comes back must be JSON,
and must itself survive the stream.

Files may be packed (gzip, and where the program is there lz4, zstd; zip).  Output is TAP.
DIR of --bin (default: the variable TR_BIN, else PATH) holds tr-parse and tr-view.
"""
import argparse
import gzip
import io
import json
import os
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from decimal import Decimal, InvalidOperation, Overflow

LIST = "traceEvents"
SHOWN = 3           # events shown of each kind of difference
UNREADABLE = "not readable by Python"
MAX_EXPONENT = 400  # larger ones are compared as mantissa and exponent

# Numbers that are no integers become this text and their canonical digits; no input can hold it.
NUMBER = secrets.token_hex(8) + ":"


def number(text):
    """A JSON number with fraction or exponent: an int when it is one, else its canonical text."""
    if "e" in text or "E" in text:
        try:
            sign, digits, exponent = Decimal(text).as_tuple()
        except (InvalidOperation, Overflow):
            return NUMBER + text.lower()
        digits = "".join(map(str, digits)).lstrip("0")
        short = digits.rstrip("0")
        if not short:
            return 0
        exponent += len(digits) - len(short)
        minus = "-" if sign else ""
        if abs(exponent) > MAX_EXPONENT:
            return "%s%s%se%d" % (NUMBER, minus, short, exponent)
        if exponent >= 0:
            return int(minus + short + "0" * exponent)
        short = short.rjust(1 - exponent, "0")
        return "%s%s%s.%s" % (NUMBER, minus, short[:exponent], short[exponent:])
    text = text.rstrip("0")
    return int(text[:-1]) if text[-1] == "." else NUMBER + text


def without_lone_surrogates(value):
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, list):
        return [without_lone_surrogates(v) for v in value]
    if isinstance(value, dict):
        return {without_lone_surrogates(k): without_lone_surrogates(v) for k, v in value.items()}
    return value


def load(text):
    value = json.loads(text, parse_float=number, parse_constant=str, strict=False)
    if re.search(r"\\[uU][dD][89a-fA-F]", text):
        value = without_lone_surrogates(value)
    return value


def events_of(value):
    """The list of events of a loaded trace, or None when it is no trace."""
    if isinstance(value, dict):
        events = value.get(LIST)
        return events if isinstance(events, list) else None
    if isinstance(value, list) and any(isinstance(e, dict) and "ph" in e for e in value):
        return value
    return None


def is_number(value):
    if isinstance(value, str):  # a number in quotes, or what number() made of a fraction
        value = value[len(NUMBER):] if value.startswith(NUMBER) else value
        return re.fullmatch(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", value) is not None
    return isinstance(value, int) and not isinstance(value, bool)


def usable(event):
    if not isinstance(event, dict):
        return False
    ph = event.get("ph")
    if not isinstance(ph, str) or not ph:
        return False
    return is_number(event.get("ts")) or (ph == "M" and event.get("ts") is None)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def readable(text):
    return re.sub('"' + NUMBER + '([^"]*)"', r"\1", text)


def show(lines, what, counter):
    texts = sorted(counter.elements())
    if texts:
        lines.append("%s: %d" % (what, len(texts)))
        lines += ["  " + readable(t)[:400] for t in texts[:SHOWN]]


def compare(before, after):
    """Differences as lines (empty: equal), and how many elements without an event are gone."""
    old, new = events_of(before), events_of(after)
    if new is None:
        return ["the result holds no events"], 0
    lines = []
    if isinstance(before, list) != isinstance(after, list):
        lines.append("a bare array became an object, or the other way round")
    elif isinstance(before, dict):
        for key in sorted((set(before) | set(after)) - {LIST}):
            if key not in after:
                lines.append("lost top-level member %r" % key)
            elif key not in before:
                lines.append("new top-level member %r" % key)
            elif canonical(before[key]) != canonical(after[key]):
                lines.append("top-level member %r: was %.200s, is %.200s" % (
                    key, readable(canonical(before[key])), readable(canonical(after[key]))))
    left, right = Counter(map(canonical, old)), Counter(map(canonical, new))
    missing, extra = left - right, right - left
    excused = missing & Counter(canonical(e) for e in old if not usable(e)) if missing else missing
    show(lines, "missing events", missing - excused)
    show(lines, "extra events", extra)
    return lines, sum(excused.values())


def unpack(path):
    """The bytes of a file, decompressed; None when this cannot be done here."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as z:
            names = [n for n in z.namelist() if not n.endswith("/")]
            return z.read(names[0]) if len(names) == 1 else None
    for magic, program in ((b"\x28\xb5\x2f\xfd", "zstd"), (b"\x04\x22\x4d\x18", "lz4")):
        if data[:4] == magic:
            if shutil.which(program) is None:
                return None
            return subprocess.run([program, "-dc"], input=data, stdout=subprocess.PIPE,
                                  check=True).stdout
    return data


def read_trace(path):
    """The loaded trace, or None and why it is none."""
    try:
        data = unpack(path)
        if data is None:
            return None, "packed in a way that cannot be undone here"
        if data[:64].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
            return None, "no JSON"
        value = load(data.decode("utf-8-sig"))
    except (OSError, EOFError, ValueError, zipfile.BadZipFile, subprocess.CalledProcessError,
            RecursionError) as e:
        return None, "%s: %s" % (UNREADABLE, str(e).split("\n")[0][:120])
    return (value, "") if events_of(value) is not None else (None, "holds no events")


def through_stream(path, bin_dir):
    """The text that comes back, and what went wrong."""
    parse, view = (os.path.join(bin_dir, p) if bin_dir else p for p in ("tr-parse", "tr-view"))
    with tempfile.TemporaryFile() as notes, tempfile.TemporaryFile() as result:
        p = subprocess.Popen([parse, path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=notes)
        v = subprocess.Popen([view, "-O", "chrome"], stdin=p.stdout, stdout=result, stderr=notes)
        p.stdout.close()
        codes = [("tr-view", v.wait()), ("tr-parse", p.wait())]
        notes.seek(0)
        said = notes.read().decode("utf-8", "replace").strip().split("\n")
        bad = ["%s ended with status %d" % c for c in codes if c[1] != 0]
        if bad:
            return "", bad + ["  " + s[:300] for s in said[-3:] if s]
        result.seek(0)
        try:
            return result.read().decode("utf-8"), []
        except UnicodeDecodeError as e:
            return "", ["the result is no UTF-8: %s" % e]


def check(path, value, bin_dir):
    text, lines = through_stream(path, bin_dir)
    if lines:
        return lines, 0
    try:
        after = load(text)
    except ValueError as e:
        return ["the result is no JSON: %s" % e], 0
    return compare(value, after)


def check_salvaged(path, bin_dir):
    """Differences between what comes back and what comes back of that; and the number of events."""
    text, lines = through_stream(path, bin_dir)
    if lines:
        return lines, 0
    try:
        value = load(text)
    except ValueError as e:
        return ["the result is no JSON: %s" % e], 0
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        lines, gone = check(f.name, value, bin_dir)
    if gone:
        lines.append("%d elements of the result hold no event" % gone)
    return lines, len(events_of(value) or [])


class Tap:
    def __init__(self):
        self.n = self.failed = 0

    def line(self, ok, what, lines=()):
        self.n += 1
        self.failed += not ok
        print("%sok %d - %s" % ("" if ok else "not ", self.n, what))
        for l in lines:
            print("# " + l.replace("\n", " "))
        sys.stdout.flush()

    def end(self):
        print("1..%d" % self.n if self.n else "1..0 # SKIP no trace to try")
        return 1 if self.failed else 0


NUMBERS = (  # JSON texts, and whether they are one value
    ("1", "1.0", True), ("1", "1e0", True), ("100", "1e2", True), ("0", "-0.0", True),
    ("1.5", "15e-1", True), ("0.001", "1E-3", True), ("-0.25", "-2.50e-1", True),
    ("0.1", "0.10000000000000001", False), ("1", '"1"', False), ("1.5", '"1.5"', False),
    ("18446744073709551615", "18446744073709551616", False), ("NaN", '"NaN"', True), ("NaN", "null", False),
    ("1e999999999", "1e999999998", False), ("1e5000", "10e4999", True),
    ('"\\ud800x"', '"\\ufffdx"', True), ('"\\ud83d\\ude00"', '"\U0001f600"', True),
)


def self_test():
    def span():
        return {"ph": "X", "name": "a", "ts": "%0", "dur": 1, "pid": 1, "args": {"x": [1, None]}}

    def trace():
        return {"schemaVersion": 1, "distributedInfo": {"rank": 3, "ratio": "0.5"}, LIST: [
            span(), span(),
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "p"}}, None, {}]}

    def texts(value, digits="1651112345678901.250"):
        return json.dumps(value).replace('"%0"', digits)

    def planted(change, digits="1651112345678901.250"):
        value = trace()
        value = change(value) or value
        return compare(load(texts(trace())), load(texts(value, digits)))

    def drop(v): del v[LIST][1]
    def double(v): v[LIST].append(v[LIST][0])
    def pid_type(v): v[LIST][0]["pid"] = "1"
    def lose_key(v): del v["schemaVersion"]
    def new_key(v): v["more"] = 1
    def header(v): v["distributedInfo"]["ratio"] = 0.5
    def lose_null(v): v[LIST][0]["args"]["x"] = [1]
    def lose_args(v): del v[LIST][2]["args"]
    def bool_type(v): v[LIST][0]["dur"] = True
    def bare(v): return v[LIST]
    def same(v): v[LIST].reverse()
    def without_none(v): v[LIST] = v[LIST][:3]

    tap = Tap()
    for f in (drop, double, pid_type, lose_key, new_key, header, lose_null, lose_args, bool_type,
              bare):
        tap.line(planted(f)[0] != [], "finds: " + f.__name__)
    tap.line(planted(same, "1651112345678901.251")[0] != [], "finds: changed 19th digit")
    tap.line(planted(same, "16511123456789012.50")[0] != [], "finds: moved point")
    tap.line(planted(same) == ([], 0), "takes: other order")
    tap.line(planted(same, "1651112345678901.25") == ([], 0), "takes: no zero at the end")
    tap.line(planted(same, "1.65111234567890125e15") == ([], 0), "takes: exponent")
    tap.line(planted(without_none) == ([], 2), "takes and counts: elements without an event gone")
    for a, b, equal in NUMBERS:
        tap.line((canonical(load(a)) == canonical(load(b))) is equal,
                 "%s %s %s" % (ascii(a), "equals" if equal else "differs from", ascii(b)))
    return tap.end()


def main():
    ap = argparse.ArgumentParser(usage=__doc__.split("\n\n")[2].replace("usage: ", ""))
    ap.add_argument("--bin", default=os.environ.get("TR_BIN", ""))
    ap.add_argument("--corpus", action="append", default=[])
    ap.add_argument("--self-test", action="store_true")
    ap.add_argument("files", nargs="*")
    a = ap.parse_args()
    if a.self_test:
        return self_test()
    tap = Tap()
    todo = [(f, f, True) for f in a.files]
    for folder in a.corpus:
        for where, folders, names in os.walk(folder):
            folders.sort()
            paths = [os.path.join(where, n) for n in sorted(names)]
            todo += [(p, os.path.relpath(p, folder), False) for p in paths]
    for path, label, named in todo:
        value, why = read_trace(path)
        if value is None:
            if named and why.startswith(UNREADABLE):
                lines, n = check_salvaged(path, a.bin)
                tap.line(not lines, "%s: salvaged, %d events" % (label, n), lines)
            elif named:
                tap.line(True, "%s # SKIP %s" % (label, why))
            continue
        lines, gone = check(path, value, a.bin)
        note = "%d events" % (len(events_of(value)) - gone)
        if gone:
            note += ", %d elements without a usable event" % gone
        tap.line(not lines, "%s: %s" % (label, note), lines)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
