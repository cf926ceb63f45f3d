# SPDX-License-Identifier: MIT
"""Changes traces of trgen in ways that it does not have: what is missing, and what begins at once.

Some spans become a begin and an end, some have no duration or never end, and some operators start exactly
with the launch inside them.
"""
import json
import random
import re
from decimal import Decimal

OPERATORS = ("cpu_op", "Operator")
STEP = re.compile(r"ProfilerStep#\d")
MARK = "\0number"


def is_call(e):
    return e["cat"].endswith(("_runtime", "_driver")) or e["cat"] == "Runtime"


def whole_span(e):
    """A span whose times are sound numbers."""
    numbers = all(isinstance(e.get(key), (int, Decimal)) for key in ("ts", "dur")) if isinstance(e, dict) else False
    return numbers and e.get("ph") == "X" and isinstance(e.get("cat"), str) and 0 <= e["dur"] < 10**9


def begin_with_launches(rng, spans, share):
    """Operators whose start is moved to that of the first call in them."""
    for call in spans:
        if not is_call(call) or rng.random() >= share:
            continue
        around = [o for o in spans if o["cat"] in OPERATORS and (o.get("pid"), o.get("tid")) ==
                  (call.get("pid"), call.get("tid")) and o["ts"] <= call["ts"] and
                  call["ts"] + call["dur"] <= o["ts"] + o["dur"]]
        if around:
            o = max(around, key=lambda o: o["ts"])
            o["ts"], o["dur"] = call["ts"], o["ts"] + o["dur"] - call["ts"]


def take_apart(rng, events, share):
    """Pairs of begin and end, ends before or after their begins in the file; spans that never end."""
    out, later = [], []
    for e in events:
        out.append(e)
        if not whole_span(e) or rng.random() >= share:
            continue
        what = rng.random()
        dur = e.pop("dur")
        if what < 0.3 and not STEP.match(str(e.get("name"))):
            e["ph"] = rng.choice("XB")
            continue
        e["ph"] = "B"
        end = {key: e[key] for key in ("cat", "name", "pid", "tid") if key in e and (key in ("pid", "tid") or what < 0.9)}
        end.update(ph="E", ts=e["ts"] + dur)
        if what < 0.5:
            out.insert(len(out) - 1, end)
        else:
            (out if what < 0.7 else later).append(end)
    return out + later


def write(path, trace):
    """As JSON; a Decimal is a number with all its digits."""
    text = json.dumps(trace, default=lambda number: "%s%s" % (MARK, number))
    with open(path, "w", encoding="utf-8") as f:
        f.write(re.sub(r'"\\u0000number([^"]*)"', r"\1", text))


def twist(path, seed):
    """Rewrite a trace that is strict JSON."""
    rng = random.Random(seed)
    with open(path, encoding="utf-8") as f:
        trace = json.load(f, parse_float=Decimal)
    events = trace["traceEvents"] if isinstance(trace, dict) else trace
    if rng.random() < 0.7:
        begin_with_launches(rng, [e for e in events if whole_span(e)], 0.4)
    events[:] = take_apart(rng, events, rng.choice((0, 0.05, 0.3)))
    write(path, trace)
