# SPDX-License-Identifier: MIT
"""Device work of Kineto JSON traces, read the plain way: what the oracles beside this file share.

Nothing here knows about libcore.  Times are integer nanoseconds, made from the decimal text.
"""
import argparse, functools, gzip, json, math, os, re
from decimal import Decimal, InvalidOperation, ROUND_FLOOR
from fractions import Fraction

DEVICE = {"kernel", "gpu_memcpy", "gpu_memset", "mtia_ccp_events", "Kernel", "Memcpy", "Memset"}
COPIES = {"gpu_memcpy", "gpu_memset", "Memcpy", "Memset"}
RECORD = "\0record"  # key of an event's place in its file
WEEK = 7 * 86400 * 10**9
# No kernels that compute: parts of a runtime that some devices show as work.
OTHER = re.compile(r"Stream Wait Event|runFunction|job_exe|packet|pe_exe|cpum_exe_subgraph|"
                   r"collective_subgraph_execution")


def kind_of(cat, name):
    if cat in COPIES or re.match(r"Memcpy|Memset|hipMemcpy|hipMemset|dma|__amd_rocclr_(copy|fill)Buffer", name):
        return "memory"
    if re.match(r"(void )?(nccl|rccl|hccl|oneccl|mscclKernel)", name) or "ncclKernel" in name or "ncclDevKernel" in name:
        return "comm"
    if re.match(r"void (vllm|sglang|aiter)::cross_device_reduce", name):
        return "comm"
    return "other" if OTHER.match(name) else "compute"


def ns(value):
    """Nanoseconds of decimal microseconds, half up; None where there is no finite number that fits."""
    try:
        t = Decimal(str(value)) * 1000
        t = int((t + Decimal("0.5")).to_integral_value(ROUND_FLOOR)) if t.is_finite() else None
    except InvalidOperation:
        return None
    return t if t is not None and -2**63 < t < 2**63 else None


def once(read):
    """A reader of a file, and maybe more arguments, that keeps what it found of the last few files.  A file that is
    written again is read again; what is kept is shared, so nobody may change it."""
    @functools.lru_cache(maxsize=16)
    def kept(path, state, *more):
        return read(path, *more)

    def reader(path, *more):
        s = os.stat(path)
        return kept(path, (s.st_ino, s.st_size, s.st_mtime_ns, s.st_ctime_ns), *more)
    return reader


@once
def load(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    # strict=False: names may hold raw control characters
    trace = json.loads(data.decode("utf-8", "replace"), strict=False, parse_float=Decimal)
    return trace if isinstance(trace, dict) else {"traceEvents": trace}


def number(value, otherwise):
    try:
        return int(value)
    except (TypeError, ValueError):
        return otherwise


def thread_of(event):
    """542, 542.0 and "542" are the same thread."""
    return tuple(re.sub(r"\.0+$", "", str(event.get(n))) for n in ("pid", "tid"))


def complete(events):
    """(record, event) of spans; a B and the E that ends it make one, a B without E one without duration.

    An E ends the innermost B of its thread that has no other name or category.
    """
    found, marks, open_ = [], [], {}
    for i, e in enumerate(events):
        if isinstance(e, dict) and e.get("ph") == "X":
            found.append((i, e))
        elif isinstance(e, dict) and e.get("ph") in ("B", "E") and ns(e.get("ts")) is not None:
            marks.append((ns(e["ts"]), i, e))
    for ts, i, e in sorted(marks, key=lambda m: m[:2]):
        stack = open_.setdefault(thread_of(e), [])
        if e["ph"] == "B":
            stack.append((i, {key: value for key, value in e.items() if key != "dur"}))
            found.append(stack[-1])
            continue
        fits = [b for b in stack if all(not e.get(key) or not b[1].get(key) or e[key] == b[1][key] for key in ("name", "cat"))]
        if fits:
            stack.remove(fits[-1])
            fits[-1][1]["dur"] = Decimal(ts - ns(fits[-1][1]["ts"])) / 1000
    return sorted(found, key=lambda f: f[0])


def spans(trace):
    """(ts, dur, cat, name, event) of all spans, impossible times left out; no dur counts as 0."""
    for record, e in complete(trace.get("traceEvents", [])):
        if "cat" not in e:
            continue
        e[RECORD] = record
        ts, dur = ns(e.get("ts")), ns(e.get("dur")) or 0
        if ts is not None and 0 <= dur <= WEEK and not (ts < 0 and trace.get("baseTimeNanoseconds")):
            yield ts, dur, str(e["cat"]), str(e.get("name", "")), e


def args_of(event):
    args = event.get("args")
    return args if isinstance(args, dict) else {}


def inner(ts, dur, record):
    """Of calls around each other the innermost has the most; one without a duration counts as of length 0."""
    return ts, -dur, record


def annotations(trace, side):
    """(ts, dur, name) of the ranges that a program marked, as the host or a device shows them."""
    wanted = "user_annotation" if side == "host" else "gpu_user_annotation"
    return [(ts, dur, name) for ts, dur, cat, name, e in spans(trace) if cat == wanted and ns(e.get("dur")) is not None]


class Work:
    """One event on a device: [start, end), and the start of its launch, or None."""
    def __init__(self, rank, ts, dur, cat, name, event, launches):
        args = args_of(event)
        self.rank, self.start, self.end, self.kind = rank, ts, ts + dur, kind_of(cat, name)
        self.cat, self.name, self.timed = cat, name, ns(event.get("dur")) is not None
        self.device = number(args.get("device"), number(event.get("pid"), None))
        self.stream = number(args.get("stream"), number(event.get("tid"), None))
        self.launch, self.launch_dur, self.api = launches.get(args.get("correlation"), (None, None, None))[:3]
        self.correlation = args.get("correlation")
        self.record, self.launch_record = event[RECORD], launches.get(self.correlation, (None,) * 5)[3]
        self.order = (ts, -dur if self.timed else float("-inf"), rank, self.record)


def read(path, rank, options):
    """Work of a file that the options select, and its rank (the given one if it names none)."""
    trace = load(path)
    rank = number((trace.get("distributedInfo") or {}).get("rank"), rank)
    rows = list(spans(trace))
    launches, steps = {}, {}
    for ts, dur, cat, name, e in rows:
        number_of = args_of(e).get("correlation")
        if cat.lower().endswith(("runtime", "driver")) and number_of is not None:
            if number_of not in launches or inner(ts, dur, e[RECORD]) > launches[number_of][4]:
                launches[number_of] = (ts, dur if ns(e.get("dur")) is not None else None, name, e[RECORD],
                                       inner(ts, dur, e[RECORD]))
        step = re.fullmatch(r"ProfilerStep#(\d+)", name)
        if cat == "user_annotation" and step and ns(e.get("dur")) is not None:
            steps.setdefault(int(step[1]), []).append(ts)
    work = [Work(rank, *row, launches) for row in rows if row[2] in DEVICE]
    work = [w for w in work if w.launch is None or w.start or w.end or not w.timed]  # linked work without times is suspect
    if options.drop_last_step and len(steps) > 1:
        last = max(max(starts) for starts in steps.values())
        work = [w for w in work if w.launch is not None and w.launch < last]
    if options.host_time:
        low, high = (ns(x) if x else None for x in options.host_time.replace("us", "").split(".."))
        work = [w for w in work if w.launch is not None and (low is None or w.launch >= low)
                and (high is None or w.launch < high)]
    return rank, work


def options(description, views=(), argv=None):
    p = argparse.ArgumentParser(description=description)
    if views:
        p.add_argument("--by", choices=views, default=views[0])
    p.add_argument("--per", choices=("rank", "device", "stream", "all"))
    p.add_argument("--drop-last-step", action="store_true")
    p.add_argument("--side", choices=("host", "device", "work"), default="host")
    p.add_argument("--threshold", default="30us")
    p.add_argument("--micro-idle", default="0us")
    p.add_argument("--memset", choices=("memory", "compute"), default="memory")
    p.add_argument("--cpu-cutoff", default="50us")
    p.add_argument("--queue-cutoff", default="100us")
    p.add_argument("--top", type=int, default=0)
    p.add_argument("--ratio", type=float, default=1)
    p.add_argument("--host-time")
    p.add_argument("--bin")
    p.add_argument("--below", default="50")
    p.add_argument("--op", default="")
    p.add_argument("--length", type=int, default=3)
    p.add_argument("files", nargs="+")
    return p.parse_args(argv)


KEYS = {"rank": ("rank",), "device": ("rank", "device"), "stream": ("rank", "device", "stream"), "all": ()}


def groups(o, per):
    """{key: [work]} with a key for every rank; unknown parts of a key sort last."""
    found = {}
    for i, path in enumerate(o.files):
        rank, work = read(path, i, o)
        if per in ("rank", "all"):
            found.setdefault((rank,) if per == "rank" else (), [])
        for w in work:
            found.setdefault(tuple(getattr(w, k) for k in KEYS[per]), []).append(w)
    return sorted(found.items(), key=lambda g: [(k is None, k or 0) for k in g[0]])


def spans_of_ranks(o):
    """{rank: (first start, last end) of the work of all its devices}"""
    return {key[0]: (min(w.start for w in work), max(w.end for w in work)) for key, work in groups(o, "rank") if work}


def stretched(o, per):
    """groups(), where a device also has the time at both ends in which only other devices of its rank work."""
    whole = spans_of_ranks(o) if per == "device" else {}
    for key, work in groups(o, per):
        ends = whole.get(key[0]) if key and work else None
        yield key, work, (ends or (None, None))


def active(work, ends=(None, None)):
    """{frozenset of kinds at work: ns}: every stretch between two ends is looked at by itself."""
    edges = sorted({t for w in work for t in (w.start, w.end)} | set(ends) - {None})
    at = {t: i for i, t in enumerate(edges)}
    on = [set() for _ in edges]
    for w in work:
        for i in range(at[w.start], at[w.end]):
            on[i].add(w.kind)
    time = {}
    for i in range(len(edges) - 1):
        time[frozenset(on[i])] = time.get(frozenset(on[i]), 0) + edges[i + 1] - edges[i]
    return time


def us(t):
    return "%s%d.%03d" % ("-" * (t < 0), abs(t) // 1000, abs(t) % 1000)


def half_up(x):
    """A Fraction or float to the nearest integer, half away from 0."""
    return int(x + Fraction(1, 2)) if x >= 0 else -int(-x + Fraction(1, 2))


def mean(values):
    return us(half_up(Fraction(sum(values), len(values)))) if values else ""


def std(values):
    """Sample standard deviation."""
    n = len(values)
    if n < 2:
        return ""
    return us(half_up(Fraction(math.sqrt((n * sum(v * v for v in values) - sum(values) ** 2) / n / (n - 1)))))


def quantile(values, percent):
    """By linear interpolation between the two nearest of the sorted values."""
    if not values:
        return ""
    values = sorted(values)
    whole, rest = divmod((len(values) - 1) * percent, 100)
    low, high = values[whole], values[min(whole + 1, len(values) - 1)]
    return us(half_up(low + Fraction((high - low) * rest, 100)))


def five(values):
    """mean, median, min, max, standard deviation"""
    return [mean(values), quantile(values, 50), us(min(values)), us(max(values)), std(values)] if values else [""] * 5


def tenth(part, whole):
    """A quotient with one decimal."""
    return "%.1f" % (part / whole) if whole else ""


def pct(part, whole):
    return "%.2f" % (100 * part / whole) if whole else ""


def tsv_key(name):
    """Names in the order of their bytes."""
    return name.encode("utf-8", "surrogatepass")


def text(columns, rows):
    lines = [columns] + [["" if c is None else str(c) for c in row] for row in rows]
    return "".join("\t".join(line) + "\n" for line in lines)


def show(columns, rows):
    print(text(columns, rows), end="")
