#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What tr-launch says of Kineto traces, by brute force: usage: launch.py [--by launch] FILE..."""
import sys
from fractions import Fraction

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k


class Pair:
    """Work with a known launch; stream: all work of its stream."""
    def __init__(self, work, stream):
        order = sorted(stream, key=lambda w: w.order)
        earlier = order[:order.index(work)]
        called = work.launch + (work.launch_dur or 0)
        self.work, self.cpu, self.gpu = work, work.launch_dur, work.end - work.start if work.timed else None
        self.queue = max(0, work.start - called)
        self.start_latency = max(0, work.start - max([called] + [w.end for w in earlier]))
        busy = [w for w in earlier if w.end > called]  # what the stream still had to do when the call was over
        self.stream_wait = max(0, min(work.start, max(w.end for w in busy)) - called) if busy else 0
        self.negative = work.start < work.launch
        known = self.cpu is not None and self.gpu is not None
        self.total = self.cpu + self.queue + self.gpu if known else None


def pairs_of(o, per):
    """[(key of the group, [pair])]"""
    found = []
    for key, work in k.groups(o, per):
        streams = {}
        for w in work:
            streams.setdefault((w.rank, w.device, w.stream), []).append(w)
        pairs = [Pair(w, streams[w.rank, w.device, w.stream]) for w in work if w.launch is not None]
        found.append((key, pairs))
    return found


def each(o):
    """A row for each pair; suspect work and calls that share numbers are not for this."""
    rows = []
    for key, pairs in pairs_of(o, "stream"):
        rows += [(p.work.order, [*key, p.work.correlation, p.work.api, p.work.name,
                                 *("" if t is None else k.us(t) for t in
                                   (p.cpu, p.queue, p.gpu, p.total, p.stream_wait, p.start_latency)),
                                 int(p.negative), p.work.record, p.work.launch_record]) for p in pairs]
    rows.sort(key=lambda row: row[0])
    columns = ("correlation api name cpu_us queue_us gpu_us total_us stream_wait_us start_latency_us negative record "
               "launch_record").split()
    return [*k.KEYS["stream"], *columns], [row for _, row in rows]


def means(pairs):
    """cpu, queue, gpu, their sum; then the two parts of queue: the first is what the second, rounded, leaves of the whole."""
    def rounded(name):
        found = [getattr(p, name) for p in pairs if getattr(p, name) is not None]
        return k.half_up(Fraction(sum(found), len(found))) if found else None

    cpu, queue, gpu, total, latency = (rounded(name) for name in ("cpu", "queue", "gpu", "total", "start_latency"))
    wait = None if queue is None else queue - latency
    return ["" if t is None else k.us(t) for t in (cpu, queue, gpu, total, wait, latency)]


def kernels(o):
    """Kernels by call and name."""
    per, rows = o.per or "rank", []
    for key, pairs in pairs_of(o, per):
        names = {}
        for p in pairs:
            if p.work.kind != "memory":
                names.setdefault((p.work.api, p.work.name), []).append(p)
        found = []
        for (api, name), mine in names.items():
            good = [p for p in mine if not p.negative]
            total = [max(p.cpu, p.work.start + p.gpu - p.work.launch) for p in good if p.cpu is not None and p.gpu is not None]
            cpu, gpu = ([v for v in (getattr(p, n) for p in good) if v is not None] for n in ("cpu", "gpu"))
            queue = [p.queue for p in good if p.queue]
            found.append((-sum(total), k.tsv_key(api), k.tsv_key(name), [
                *key, api, name, len(mine), len(queue), k.us(sum(total)) if total else "", *k.five(total), *k.five(cpu), *k.five(queue),
                *k.five(gpu), len(mine) - len(good), 0]))
        rows += [row for *_, row in sorted(found, key=lambda f: f[:3])]
    columns = ("api name launches queued total_us total_mean_us total_p50_us total_min_us total_max_us total_std_us cpu_mean_us "
               "cpu_p50_us cpu_min_us cpu_max_us cpu_std_us queue_mean_us queue_p50_us queue_min_us queue_max_us queue_std_us "
               "gpu_mean_us gpu_p50_us gpu_min_us gpu_max_us gpu_std_us negative approx").split()
    return [*k.KEYS[per], *columns], rows


VIEWS = ("api", "launch", "kernel")


def table(o):
    if o.by in ("launch", "kernel"):
        return each(o) if o.by == "launch" else kernels(o)
    per, rows = o.per or "rank", []
    slow, late = k.ns(o.cpu_cutoff[:-2]), k.ns(o.queue_cutoff[:-2])
    for key, pairs in pairs_of(o, per):
        names = {}
        for p in pairs:
            names.setdefault(p.work.api, []).append(p)
        for api, mine in sorted(names.items(), key=lambda x: (-len(x[1]), x[0].encode("utf-8", "surrogatepass"))):
            good = [p for p in mine if not p.negative]
            rows.append([*key, api, len(mine), *means(good),
                         *(k.quantile([p.queue for p in good], q) for q in (50, 99)),
                         sum(p.cpu is not None and p.gpu is not None and p.gpu < p.cpu <= slow for p in good),
                         sum(p.cpu is not None and p.cpu > slow for p in good),
                         sum(p.queue > late for p in good), len(mine) - len(good)])
    columns = ("api launches cpu_mean_us queue_mean_us gpu_mean_us total_mean_us stream_wait_mean_us start_latency_mean_us "
               "queue_p50_us queue_p99_us short_kernels slow_calls late_starts negative").split()
    return [*k.KEYS[per], *columns], rows


if __name__ == "__main__":
    k.show(*table(k.options(__doc__, tuple(VIEWS))))
