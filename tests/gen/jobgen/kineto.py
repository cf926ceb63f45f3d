# SPDX-License-Identifier: MIT
"""Traces as Kineto writes them (libkineto's output_json.cpp), with names, pids and tids as in files of PyTorch."""
import gzip
import os

from .draw import Draw

EPOCH = 1764288000_000000000
BASE = 1751410836_000000000
CBID = {"cudaLaunchKernel": 211, "cudaLaunchKernelExC": 430, "cuLaunchKernel": 307, "cudaMemcpyAsync": 41,
        "cudaStreamSynchronize": 131,
        "cudaDeviceSynchronize": 165, "cudaEventRecord": 135, "cudaStreamWaitEvent": 147, "cudaGraphLaunch": 311,
        "cudaEventSynchronize": 137, "cudaMalloc": 20}
COUNTER = "sm__cycles_elapsed.avg.per_second"
CLOCK_HZ = {"h100": 1980000000, "a100": 1410000000}


class Clock:
    """What a rank's clock shows of true time, and how it is printed."""

    def __init__(self, job, rank):
        d = Draw(job.seed, "clock", rank // 8 if job.clock_per_node else rank)
        self.offset = int(d.between(-2000000, 2000000)) if job.ranks > 1 else 0
        self.drift = int(d.between(-10000, 10000)) if job.ranks > 1 else 0      # in 10^-9
        self.whole_us = job.whole_us
        self.zero = 0 if job.whole_us else BASE
        self.epoch = EPOCH + Draw(job.seed, "epoch").below(86400) * 1000000000

    def ns(self, true):
        return self.epoch + true + self.offset + true * self.drift // 1000000000 - self.zero

    def at(self, true):
        ns = self.ns(true)
        if self.whole_us:
            return str(ns // 1000)
        return "%d.%03d" % (ns // 1000, ns % 1000)

    def span(self, start, end):
        a, b = self.ns(start), self.ns(end)
        if self.whole_us:
            return '"ts": %d, "dur": %d' % (a // 1000, b // 1000 - a // 1000)
        d = b - a
        return '"ts": %d.%03d, "dur": %d.%03d' % (a // 1000, a % 1000, d // 1000, d % 1000)


def _head(job, rank, shared):
    local, dev = rank % 8, job.device
    props = ", ".join('{"id": %d, "name": "%s", "totalGlobalMem": %d, "computeMajor": %d, "computeMinor": %d, '
                      '"maxThreadsPerBlock": 1024, '
                      '"maxThreadsPerMultiprocessor": 2048, "regsPerBlock": 65536, "warpSize": 32, '
                      '"sharedMemPerBlock": 49152, "numSms": %d, '
                      '"regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 232448, '
                      '"sharedMemPerMultiprocessor": 233472}'
                      % (i, dev.name, dev.memory, dev.capability[0], dev.capability[1], dev.sms)
                      for i in range(min(8, job.ranks)))
    out = ['{\n  "schemaVersion": 1,\n  "deviceProperties": [%s],\n  "cupti_version": 22,\n  "cuda_runtime_version": '
           '12040,\n'
           '  "cuda_driver_version": 12090,\n  "record_shapes": 1,\n  "with_stack": %d,\n  "profile_memory": %d,\n'
           % (props, job.stacks, job.memory)]
    if job.ranks > 1:
        config = ", ".join('{"pg_name": "%s", "pg_desc": "%s", "backend_config": "cuda:nccl", "pg_size": %d, "ranks": '
                           '[%s]}'
                           % (g.name, g.description, len(g.members), ", ".join(map(str, g.members)))
                           for g in shared["list"] if rank in g.members)
        out.append('  "distributedInfo": {"backend": "nccl", "rank": %d, "world_size": %d, "pg_count": %d, '
                   '"pg_config": [%s], '
                   '"nccl_version": "2.27.3"},\n' % (rank, job.ranks, config.count("pg_name"), config))
    d = Draw(job.seed, "trace", rank)
    out.append('  "trace_id": "%08X%08X%08X%08X",\n  "displayTimeUnit": "ms",\n' % tuple(d.bits() for _ in range(4)))
    if not job.whole_us:
        out.append('  "baseTimeNanoseconds": %d,\n' % BASE)
    out.append('  "traceName": "/tmp/trace/rank%d.json",\n  "traceEvents": [\n' % rank)
    return "".join(out), local


def write(job, rank, shared, path):
    """The trace of a simulated rank (sim.Rank) into a file, compressed if the name says so."""
    clock = Clock(job, rank.number)
    head, device = _head(job, rank.number, shared)
    text = [head]
    body = _events(job, rank, clock, device)
    text.append(",\n".join(body))
    text.append("\n  ]\n}\n")
    data = "".join(text).encode()
    if path.endswith(".gz"):
        with open(path, "wb") as f, gzip.GzipFile("", "wb", 1, f, 0) as z:
            z.write(data)
    else:
        with open(path, "wb") as f:
            f.write(data)


def _window(rank):
    start = end = None
    for m in rank.marks:
        if m[2] == "window":
            start = m[0]
        elif m[2] == "window_end":
            end = m[0]
    return start, end


def _events(job, rank, clock, device):
    pid = 4000 + 13 * rank.number
    tids = (pid, pid + 700)
    start, end = _window(rank)
    last = rank.now
    out, span = [], clock.span
    index = 0
    python_id = 0
    # Operators and annotations by start, as the profiler numbers them; Python frames come after.
    spans = sorted((s for s in rank.spans if s[1] >= start), key=lambda s: (s[1], -s[2], s[3]))
    for thread, t0, t1, ext, what in spans:
        if what[1] == "python_function":
            continue
        index += 1
        extra = what[3]
        out.append('  {"ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": %d, %s, "args": {"External id": %d, '
                   '"Record function id": 0, '
                   '%s"Ev Idx": %d}}' % (what[1], what[2], pid, tids[thread], span(t0, t1), ext, extra + ", "
                                         if extra else "", index))
    parents = []
    for thread, t0, t1, ext, what in spans:
        if what[1] != "python_function":
            continue
        index += 1
        python_id += 1
        while parents and (parents[-1][0] <= t0 or parents[-1][2] != thread):
            parents.pop()
        out.append('  {"ph": "X", "cat": "python_function", "name": "%s", "pid": %d, "tid": %d, %s, "args": {"Python '
                   'parent id": %s, '
                   '"Python id": %d, "Ev Idx": %d}}' % (what[2], pid, tids[thread], span(t0, t1),
                                                         parents[-1][1] if parents else "null", python_id, index))
        parents.append((t1, python_id, thread))
    for m in rank.marks:
        if m[2] == "memory" and start <= m[0] < end:
            index += 1
            address, allocated, reserved = m[4]
            out.append('  {"ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]", "pid": %d, "tid": %d, '
                       '"ts": %s, "args": '
                       '{"Total Reserved": %d, "Total Allocated": %d, "Bytes": %d, "Addr": %d, "Device Id": %d, '
                       '"Device Type": 1, "Ev Idx": %d}}'
                       % (pid, tids[m[1]], clock.at(m[0]), reserved, allocated, m[3], address, device, index))
    _calls(job, rank, clock, pid, tids, start, out)
    launched = {}
    for call in rank.calls:
        if call[1] >= start:
            launched[call[4]] = call
    _work(job, rank, clock, device, start, launched, out)
    for t0, t1, name in rank.stalls:
        if t0 >= start:
            out.append('  {"ph": "X", "cat": "overhead", "name": "%s", "pid": -1, "tid": 0, %s, "args": {}}'
                       % (name, span(t0, t1)))
    _annotations(rank, clock, device, start, spans, out)
    if job.counters:
        _counters(job, rank, clock, device, start, end, out)
    _metadata(job, rank, clock, pid, tids, device, start, last, out)
    return out


def _calls(job, rank, clock, pid, tids, start, out):
    flows = job.flows
    span = clock.span
    for thread, t0, t1, name, corr, ext in rank.calls:
        if t0 < start:
            continue
        out.append('  {"ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": %d, %s, "args": {%s"cbid": %d, '
                   '"correlation": %d}}'
                   % ("cuda_driver" if name.startswith("cu") and name[2].isupper() else "cuda_runtime", name, pid,
                      tids[thread], span(t0, t1),
                      '"External id": %d, ' % ext if ext else "", CBID.get(name, 0), corr))
        if flows and ("Launch" in name or "Memcpy" in name):
            out.append('  {"ph": "s", "id": %d, "pid": %d, "tid": %d, "ts": %s, "cat": "ac2g", "name": "ac2g"}'
                       % (corr, pid, tids[thread], clock.at(t0)))


def _shape(sms, grid, block, registers, shared):
    """The args of a launch's shape; occupancy as threads and registers allow it."""
    blocks, threads = grid[0] * grid[1] * grid[2] / sms, block[0] * block[1] * block[2]
    warps = (threads + 31) // 32
    fit = max(1, min(64 // warps, 65536 // max(1, registers * threads)))
    occupancy = min(100, int(100 * min(fit, blocks) * warps / 64))
    return ('"registers per thread": %d, "shared memory": %d, "blocks per SM": %f, "warps per SM": %f, '
            '"grid": [%d, %d, %d], "block": [%d, %d, %d], "est. achieved occupancy %%": %d'
            % (registers, shared, blocks, blocks * warps, *grid, *block, occupancy))


def _work(job, rank, clock, device, start, launched, out):
    shapes, span, flows, sms = {}, clock.span, job.flows, job.device.sms
    for w in rank.work:
        if w.start < start or w.hidden or (w.corr not in launched and not job.mid_start):
            continue
        stream, corr = w.stream.id, w.corr
        ext = '"External id": %d, ' % w.ext if w.ext and corr in launched else ""
        if w.kind == "kernel":
            shape = shapes.get(w.shape)
            if shape is None:
                shape = shapes[w.shape] = _shape(sms, *w.shape)
            args = '"queued": 0, "device": %d, "context": 1, "stream": %d, "correlation": %d, %s%s' % (
                device, stream, corr, shape, ", " + w.info if w.info else "")
        else:
            dur = max(1, w.end - w.start)
            args = ('"device": %d, "context": 1, "stream": %d, "correlation": %d, "bytes": %d, '
                    '"memory bandwidth (GB/s)": %.6f' % (device, stream, corr, w.shape, w.shape / dur))
        out.append('  {"ph": "X", "cat": "%s", "name": "%s", "pid": %d, "tid": %d, %s, "args": {%s%s}}'
                   % (w.kind, w.name, device, stream, span(w.start, w.end), ext, args))
        if flows and corr in launched:
            out.append('  {"ph": "f", "id": %d, "pid": %d, "tid": %d, "ts": %s, "cat": "ac2g", "name": "ac2g", '
                       '"bp": "e"}' % (corr, device, stream, clock.at(w.start)))


def _annotations(rank, clock, device, start, spans, out):
    """Annotations on the device: from the first to the last work of a step on each stream, a ns wider as Kineto's."""
    names = {}
    for _, _, _, ext, what in spans:
        if what[1] == "user_annotation" and (what[2].startswith("ProfilerStep") or what[2].startswith("execute_")):
            names[len(names)] = (what[2], ext)
    edges = {}
    for w in rank.work:
        if w.step >= 0 and w.start >= start and not w.hidden:
            key = (w.step, w.stream.id)
            e = edges.get(key)
            edges[key] = (min(e[0], w.start), max(e[1], w.end)) if e else (w.start, w.end)
    wide = 0 if clock.whole_us else 1
    for (step, stream), (a, b) in sorted(edges.items()):
        if step in names:
            name, ext = names[step]
            out.append('  {"ph": "X", "cat": "gpu_user_annotation", "name": "%s", "pid": %d, "tid": %d, %s, "args": '
                       '{"External id": %d}}'
                       % (name, device, stream, clock.span(a - wide, b + wide), ext))


def _counters(job, rank, clock, device, start, end, out):
    """The device's clock, sampled each ms: what it ran at in the kernels of that time."""
    hz = CLOCK_HZ[job.device_name]
    d = Draw(job.seed, "counter", rank.number)
    slow = [(w.start, w.end) for w in rank.work if w.slow and w.stream.id == 7]
    low, high = (slow[0][0], slow[-1][1]) if slow else (0, 0)
    factor = job.cause.slow[2] if job.cause.slow else 1.0
    t = start
    while t < rank.now:
        value = hz / factor if low <= t < high else hz
        out.append('  {"ph": "C", "cat": "hardware_counters", "name": "%s", "pid": "GPU %d Counters", "tid": 0, "ts": '
                   '%s, "args": {"": %d}}'
                   % (COUNTER, device, clock.at(t), int(value * d.between(0.998, 1.002))))
        t += 1000000


def _metadata(job, rank, clock, pid, tids, device, start, last, out):
    ts = clock.at(start)

    def meta(name, p, t, key, value):
        out.append('  {"name": "%s", "ph": "M", "ts": %s, "pid": %s, "tid": %s, "args": {"%s": %s}}'
                   % (name, ts, p, t, key, value))

    meta("process_name", pid, 0, "name", '"python3"')
    meta("process_labels", pid, 0, "labels", '"CPU"')
    meta("process_sort_index", pid, 0, "sort_index", pid)
    for d in range(min(8, job.ranks)):
        meta("process_name", d, 0, "name", '"python3"')
        meta("process_labels", d, 0, "labels", '"GPU %d"' % d)
        meta("process_sort_index", d, 0, "sort_index", 16777216 + d)
    for s in sorted(rank.streams):
        meta("thread_name", device, s, "name", '"stream %d "' % s)
        meta("thread_sort_index", device, s, "sort_index", s)
    names = ("python3", "pt_autograd_0")
    for k in range(2 if any(s[0] == 1 for s in rank.spans) else 1):
        meta("thread_name", pid, tids[k], "name", '"thread %d (%s)"' % (tids[k], names[k]))
        meta("thread_sort_index", pid, tids[k], "sort_index", tids[k])
    out.append('  {"ph": "X", "cat": "Trace", %s, "pid": "Spans", "tid": "PyTorch Profiler", "name": "PyTorch '
               'Profiler (0)", '
               '"args": {"Op count": 0}}' % clock.span(start - 200000, last + 100000))
    meta("process_sort_index", '"Spans"', 0, "sort_index", 536870912)
    out.append('  {"name": "Iteration Start: PyTorch Profiler", "ph": "i", "s": "g", "pid": "Traces", "tid": "Trace '
               'PyTorch Profiler", '
               '"ts": %s}' % clock.at(start - 200000))
    out.append('  {"name": "Record Window End", "ph": "i", "s": "g", "pid": "", "tid": "", "ts": %s}'
               % clock.at(last + 300000))


def write_job(job, ranks, shared, folder, compressed=False):
    os.makedirs(folder, exist_ok=True)
    for r in ranks:
        write(job, r, shared, os.path.join(folder, "rank%d.json%s" % (r.number, ".gz" if compressed else "")))
