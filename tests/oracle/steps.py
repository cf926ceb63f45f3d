#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When do the steps of Kineto traces end, with their work?  By brute force.

usage: steps.py BIN SEEDS

Makes random traces with work left over from before the first step, streams of prefetches and collectives, several
devices, processes, threads with steps of their own and steps of inference, and compares what tr-breakdown, tr-diff and
tr-report say of their steps with what follows from the definition.  Prints TAP.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree may be read-only
import kineto as k
import seeds


class Step:
    """start and end: with the work; host_start and host_end: of the annotation."""
    def __init__(self, number, start, end, thread, infers):
        self.number, self.host_start, self.host_end, self.thread, self.infers = number, start, end, thread, infers
        self.work, self.between, self.lead = [], 0, 0


def engine_step(name):
    return bool(re.match(r"execute_context_\d+\(\d+\)_generation_\d+\(\d+\)", name))


@k.once
def annotations(path):
    """The steps of a file, in the order of their starts."""
    rows = [r for r in k.spans(k.load(path)) if r[2] == "user_annotation" and k.ns(r[4].get("dur")) is not None]
    steps = []
    for infers in (False, True):
        for ts, dur, _, name, e in rows:
            number = re.fullmatch(r"ProfilerStep#(\d+)", name)
            if (engine_step(name) if infers else number) and not (infers and steps and not steps[0].infers):
                steps.append(Step(None if infers else int(number[1]), ts, ts + dur, k.thread_of(e), infers))
    steps.sort(key=lambda s: (s.host_start, -s.host_end, s.number or 0))
    for i, s in enumerate(steps):
        s.number = i if s.infers else s.number
    return steps


def candidates(steps, thread, of_device=False):
    """Those that count for a thread: its own, if it has any, else those of its process.

    A device is of no process; a process without steps uses those of the only process that has some.
    """
    own = [s for s in steps if s.thread == thread] or [s for s in steps if s.thread[:-1] == thread[:-1]]
    if of_device and not any(s.thread == thread for s in steps):
        return steps
    return own or (steps if len({s.thread[:-1] for s in steps}) == 1 else [])


def of(steps, thread, ts):
    """The step of a moment on a thread."""
    own = candidates(steps, thread)
    over = [s for s in own if s.host_start <= ts < s.host_end]
    return max(over, key=lambda s: (s.host_start, steps.index(s))) if over else None


def threads(path):
    return {e[k.RECORD]: k.thread_of(e) for _, _, _, _, e in k.spans(k.load(path))}


def assigned(path, rank, work):
    """[(step or None, work)]"""
    steps, places = annotations(path), threads(path)
    return [(of(steps, places[w.launch_record], w.launch) if w.launch is not None else None, w) for w in work]


def sequences(steps):
    """The steps of each process; of each thread, where threads of a process have the same numbers."""
    found = []
    for pid in dict.fromkeys(s.thread[0] for s in steps):
        mine = [s for s in steps if s.thread[0] == pid]
        twice = any(a.number == b.number and a.thread != b.thread for a in mine for b in mine)
        found += [[s for s in mine if s.thread == t] for t in dict.fromkeys(s.thread for s in mine)] if twice else [mine]
    return found


def main_streams(pairs):
    """{(device, stream)} of the work of steps."""
    sums = {}
    for _, w in pairs:
        compute, kernels, whole = sums.get((w.device, w.stream), (0, 0, 0))
        length = w.end - w.start
        sums[w.device, w.stream] = (compute + length * (w.kind == "compute"), kernels + length * (w.kind != "memory"),
                                    whole + length)
    best = {}
    for (device, stream), lengths in sums.items():
        key = tuple(-n for n in lengths) + (stream,)
        if device not in best or key < best[device]:
            best[device] = key
    return {(device, key[-1]) for device, key in best.items()}


def timed(path, rank, work):
    """The steps of a file with their times, by start; whether launches are missing."""
    pairs, missing = assigned(path, rank, work), False
    loose = [w for s, w in pairs if s is None]
    found = []
    for steps in sequences(annotations(path)):
        mine = [(s, w) for s, w in pairs if s in steps]
        mains = main_streams(mine)
        starts, late = [steps[0].host_start], False
        for place in mains:
            first = min(w.start for _, w in mine if (w.device, w.stream) == place)
            here = [w for w in loose if (w.device, w.stream) == place]
            if any(w.start < first for w in here):
                late |= any(w.start >= first for w in here)
                starts.append(max(w.end for w in here))
        missing |= late
        end = steps[0].host_start if late else max(starts)
        for i, s in enumerate(steps):
            s.start, s.between, s.lead = end, 0, 0
            if i and s.infers and s.host_start > end:
                s.start, s.between = s.host_start, s.host_start - end
            own = [w for t, w in mine if t is s]
            s.end = end = max([s.start, s.host_end] + [w.end for w in own if (w.device, w.stream) in mains])
            if i == 0 and own:
                s.lead = max(0, min(s.end, *(w.start for w in own)) - s.start)
            found.append(s)
    return sorted(found, key=lambda s: annotations(path).index(s)), missing


# ---- random traces ----

class Maker:
    def __init__(self, rng, rank):
        self.rng, self.rank, self.events, self.calls = rng, rank, [], 0
        self.devices, self.infers = rng.choice((1, 1, 1, 2)), rng.random() < 0.25

    def span(self, cat, name, pid, tid, ts, dur, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})

    def kernel(self, start, length, stream=7, name="gemm", device=0, call=None):
        self.span("kernel", name, device, stream, start, length, device=device, stream=stream,
                  **({} if call is None else {"correlation": call}))

    def process(self, pid, first, free):
        """The steps of a process from a time on, and their work.  free: when a stream has ended its work."""
        rng = self.rng
        infers, at = self.infers, first
        others = rng.choice(((), (), (2,), (3,)))  # threads with steps of their own, or of the backward pass
        same = rng.random() < 0.5
        for i in range(rng.randrange(1, 6) if rng.random() < 0.9 else 25):
            at += rng.randrange(0, 60) if infers or rng.random() < 0.2 else 0
            dur = rng.randrange(20, 200)
            name = "execute_context_0(0)_generation_1(1)" if infers else "ProfilerStep#%d" % (3 + i)
            self.span("user_annotation", name, pid, 1, at, dur)
            for tid in (1, *others):
                if tid == 2 and not infers:
                    self.span("user_annotation", name if same else "ProfilerStep#%d" % (30 + i), pid, 2, at + 7, max(1, dur - 9))
                for _ in range(rng.randrange(0, 4)):
                    self.launch(pid, tid, at + rng.randrange(0, dur), free)
            at += dur

    def launch(self, pid, tid, ts, free):
        rng = self.rng
        self.calls += 1
        stream, name = rng.choice(((7, "gemm"), (7, "gemm"), (7, "relu"), (20, "prefetch"), (30, "ncclDevKernel_AllReduce_Sum")))
        device = rng.randrange(self.devices)
        self.span("cuda_runtime", "cudaLaunchKernel", pid, tid, ts, rng.choice((0, 1, 2, 9)), correlation=self.calls)
        start = max(ts + 1, free.get((device, stream), 0) + rng.choice((0, 0, 1, 8, 40)))
        length = rng.randrange(0, 90) * (3 if stream == 30 else 1)
        free[device, stream] = start + length
        if rng.random() < 0.93:
            if rng.random() < 0.15:
                self.span("gpu_memcpy", "Memcpy HtoD", device, stream, start, length, device=device, stream=stream,
                          correlation=self.calls)
            else:
                self.kernel(start, length, stream, name, device, self.calls)

    def trace(self):
        rng, free = self.rng, {}
        first = rng.randrange(500, 600)
        for device in range(self.devices):
            start = first - rng.randrange(0, 100)
            for _ in range(rng.choice((0, 0, 1, 2, 3))):  # left-over work
                length = rng.randrange(1, 90)
                self.kernel(start, length, device=device)
                start += length + rng.randrange(0, 20)
                free[device, 7] = start
        if rng.random() < 0.2:
            self.kernel(first + rng.randrange(0, 500), 5)
        for pid in (100, 200) if rng.random() < 0.3 else (100,):
            self.process(pid, first + rng.randrange(0, 50), free)
        if rng.random() < 0.2:
            self.span("kernel", "gemm", 0, 7, first + 30, 8 * 86400 * 10**6, device=0, stream=7, correlation=1)  # suspect
        rng.shuffle(self.events)
        return {"distributedInfo": {"rank": self.rank}, "traceEvents": self.events}


def write(folder, seed):
    rng, paths = random.Random(seed), []
    for rank in range(rng.choice((1, 1, 2))):
        paths.append(os.path.join(folder, "rank%d.json" % rank))
        with open(paths[-1], "w") as f:
            json.dump(Maker(rng, rank).trace(), f)
    return paths


def check(bin_dir, seed, folder):
    """Why the programs are wrong about a random trace; None: they are not."""
    import breakdown
    import headline
    paths = write(folder, seed)
    run = lambda *argv: subprocess.run([os.path.join(bin_dir, argv[0]), *argv[1:], *paths], capture_output=True, text=True)
    for per in ("rank", "all"):
        o = k.options("", list(breakdown.VIEWS), ["--by", "step", "--per", per, *paths])
        have = run("tr-breakdown", "--by", "step", "--per", per, "-O", "tsv", "--columns", ",".join(breakdown.STEP_COLUMNS))
        want = k.text(*breakdown.by_step(o))
        if have.stdout != want:
            return "--by step --per %s\n%s\n%s%s" % (per, want, have.stdout, have.stderr)
    missing = any(timed(p, i, k.read(p, i, o)[1])[1] for i, p in enumerate(paths))
    if ("launches are missing" in have.stderr) != missing:
        return "remark: " + have.stderr
    have = subprocess.run([os.path.join(bin_dir, "tr-diff"), "-q", "-O", "tsv", "--by", "headline", "--columns",
                           ",".join(headline.COLUMNS), "--base", *paths, "--test", *paths], capture_output=True, text=True)
    wrong = headline.wrong(have.stdout, paths, paths)
    return wrong and "headline\n%s\n%s%s" % (wrong[1], wrong[0], have.stderr)


def main():
    bin_dir, of = sys.argv[1], seeds.of(sys.argv[2])
    shown = 0
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            wrong = check(bin_dir, seed, folder)
        if wrong:
            shown += 1
            print("# seed %d: %s" % (seed, wrong.replace("\n", "\n# ")))
        if shown == 3:
            break
    print("%sok 1 - the times of steps of %d random traces\n1..1" % ("not " if shown else "", len(of)))
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
