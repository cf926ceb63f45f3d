#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Steps of inference by brute force on random traces: usage: inference.py BIN SEEDS

The views inference, phase and window of tr-breakdown, the fields step and step_phase.  Prints TAP.
"""
import json
import os
import random
import subprocess
from fractions import Fraction

import seeds

NUMBERS = "c_requests g_requests c_sq c_sk c_sqsq c_sqsk g_sq g_sk g_sqsq g_sqsk".split()
COLUMNS = {
    "inference": "rank step start_us phase requests tokens time_us dur_us work busy_us idle_us idle_pct " + " ".join(NUMBERS),
    "phase": "rank phase steps requests tokens mean_us p50_us p99_us elapsed_us busy_us busy_pct tokens_per_s",
    "window": "rank window first last prefill decode mixed requests tokens elapsed_us busy_pct tokens_per_s",
}
ORDER = ["prefill", "decode", "mixed", "diffusion", ""]


def of_requests(rng, n, prompts):
    """Queries and keys of n requests, as four sums."""
    q = [rng.randrange(1, 900) if prompts else 1 for _ in range(n)]
    k = [x + rng.randrange(0, 2000) for x in q]
    return [sum(q), sum(k), sum(x * x for x in q), sum(x * y for x, y in zip(q, k))]


def annotation(rng, style):
    """The name of a step, and what it says."""
    c, g = rng.choice(((0, 3), (0, 5), (2, 0), (1, 4), (0, 0), (0, 2)))
    cs, gs = of_requests(rng, c, True), of_requests(rng, g, False)
    phase = "mixed" if c and g else "prefill" if c else "decode" if g else ""
    full = dict(zip(NUMBERS, [c, g] + cs + gs), phase=phase, requests=c + g, tokens=cs[0] + gs[0])
    if style == "vllm":
        four = "(sq%dsk%dsqsq%dsqsk%d)"
        return ("execute_%d_context_%d" % (full["tokens"], c) + four % tuple(cs) + "_generation_%d" % g + four % tuple(gs)), full
    if style == "plain":
        return "execute_context_%d(%d)_generation_%d(%d)" % (c, cs[0], g, gs[0]), {
            "phase": phase, "requests": c + g, "tokens": full["tokens"], "c_requests": c, "g_requests": g,
            "c_sq": cs[0], "g_sq": gs[0]}
    if style == "sglang":
        mode = {"mixed": "MIXED", "prefill": "EXTEND", "decode": "DECODE", "": "IDLE"}[phase]
        name = "step[%s bs=%d toks=%d" % (mode, c + g, full["tokens"])
        one = {"prefill": (c, 0, cs[0], 0), "decode": (0, g, 0, gs[0])}.get(phase)
        few = {"phase": phase, "requests": c + g, "tokens": full["tokens"]}
        few.update(zip(("c_requests", "g_requests", "c_sq", "g_sq"), one or ()))
        return name + "]", few
    if style == "sums":
        name = "step[MIXED bs=%d toks=%d %s]" % (c + g, full["tokens"], " ".join(
            "%s=%d" % (n, full[n]) for n in NUMBERS[2:]))
        return name, {**{n: full[n] for n in NUMBERS[2:]}, "phase": "mixed", "requests": c + g, "tokens": full["tokens"]}
    if style == "atom":
        prompts = rng.random() < 0.4
        n = rng.randrange(1, 5)
        four = of_requests(rng, n, prompts)
        name = "%s[bs=%d tok=%d sk=%d sqsq=%d sqsk=%d]" % ("prefill" if prompts else "decode", n, *four)
        sums = four + [0] * 4 if prompts else [0] * 4 + four
        return name, dict(zip(NUMBERS, [n if prompts else 0, 0 if prompts else n] + sums),
                          phase="prefill" if prompts else "decode", requests=n, tokens=four[0])
    n = rng.randrange(1, 9)
    return "execute_diffusion_%d_1024x768" % n, {"phase": "diffusion", "requests": n}


def make(rng, path, rank):
    """A trace; its steps as (number, start, end, what it says, work)."""
    events, steps, at, call = [], [], 1000, 0
    style = rng.choice(("vllm", "plain", "sglang", "sums", "atom", "images"))
    profiled = rng.random() < 0.25
    n = rng.randrange(0, 12)
    device = at
    for i in range(n):
        name, says = annotation(rng, style)
        at += rng.randrange(0, 40)
        start, end = at, at + rng.randrange(20, 200)
        events.append(("user_annotation", name, 1, start, end, {}))
        if style == "vllm" and rng.random() < 0.5: # one with fewer details inside
            events.append(("user_annotation", "step[DECODE bs=1 toks=1]", 1, start + 1, end - 1, {}))
        if style == "images" and rng.random() < 0.5:
            events.append(("user_annotation", "execute_diffusion_7_1x1", 1, start + 1, end - 1, {}))
        events.append(("gpu_user_annotation", name, 7, start, end, {"device": 0, "stream": 7}))
        number = i
        if profiled:
            number = 10 + i
            events.append(("user_annotation", "ProfilerStep#%d" % number, 1, start, end, {}))
        work = []
        for k in range(rng.randrange(0, 5)):
            call += 1
            begin = start + k * 3 + 1
            events.append(("cuda_runtime", "cudaLaunchKernel", 2 if rng.random() < 0.2 else 1, begin, begin + 2,
                           {"correlation": call}))
            device = max(device + rng.randrange(0, 9), begin + 1)
            length, stream = rng.randrange(0, 60), rng.choice((7, 7, 9))
            events.append(("kernel", "k%d" % k, stream, device, device + length, {"correlation": call, "device": 0, "stream": stream}))
            work.append((device, device + length, stream))
        steps.append([number, start, end, says, work])
        at = end
    rng.shuffle(events)
    with open(path, "w") as f:
        json.dump({"distributedInfo": {"rank": rank}, "traceEvents": [
            {"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": tid, "ts": a, "dur": b - a, "args": args}
            for cat, name, tid, a, b, args in events] + [{"ph": "M", "name": "x", "pid": 0}]}, f)
    return timed(steps)


def timed(steps):
    """The steps with their starts and ends: those of their work on the stream with most work, too."""
    length, last = {}, None
    for a, b, stream in (w for s in steps for w in s[4]):
        length[stream] = length.get(stream, 0) + b - a
    main = min(length, key=lambda stream: (-length[stream], stream)) if length else None
    for s in steps:
        begin = s[1] if last is None else max(s[1], last)
        last = max([begin, s[2]] + [b for _, b, stream in s[4] if stream == main])
        s[4] = [w[:2] for w in s[4]]
        s += [begin, last]
    return steps


def union(spans):
    total, last = 0, None
    for a, b in sorted(spans):
        total += max(0, b - (a if last is None else max(a, last)))
        last = b if last is None else max(last, b)
    return total


def time(x):
    return "" if x is None else "%.3f" % x


def share(x, y, decimals=2):
    return "" if x is None or not y else "%.*f" % (decimals, x / y)


def inference_rows(rank, steps):
    for s in steps:
        number, start, end, says, work, begin, until = s
        whole, busy = until - begin, union(work)
        idle = max(0, whole - busy)
        yield ([rank, number, time(start), says["phase"], says.get("requests", ""), says.get("tokens", ""), time(whole),
                time(end - start), len(work), time(busy), time(idle), share(100 * idle, whole)] +
               [says.get(n, "") for n in NUMBERS])


def sums(steps):
    tokens = [s[3].get("tokens") for s in steps]
    elapsed = union((s[5], s[6]) for s in steps)
    tokens = None if None in tokens else sum(tokens)
    return (share(sum(s[3]["requests"] for s in steps), len(steps)), "" if tokens is None else tokens, elapsed,
            sum(union(s[4]) for s in steps), share(None if tokens is None else tokens * 1000000, elapsed, 1))


def quantile(values, q):
    at = q * (len(values) - 1)
    low = int(at)
    return values[low] + (values[min(low + 1, len(values) - 1)] - values[low]) * (at - low)


def phase_rows(rank, steps):
    for phase in ORDER:
        own = [s for s in steps if s[3]["phase"] == phase]
        if not own:
            continue
        times = sorted(s[6] - s[5] for s in own)
        requests, tokens, elapsed, busy, rate = sums(own)
        yield [rank, phase, len(own), requests, tokens, time(sum(times) / len(times)), time(float(quantile(times, Fraction(1, 2)))),
               time(float(quantile(times, Fraction(99, 100)))), time(elapsed), time(busy), share(100 * busy, elapsed), rate]


def window_rows(rank, steps, n):
    if len(steps) < n:
        return
    prefills = lambda some: sum(s[3]["phase"] in ("prefill", "mixed") for s in some)
    requests = lambda some: sum(s[3]["requests"] for s in some)
    all_ = [(i, steps[i:i + n]) for i in range(len(steps) - n + 1)]
    target = Fraction(prefills(steps), len(steps))
    typical = min(all_, key=lambda w: (abs(Fraction(prefills(w[1]), n) - target), -requests(w[1]), w[0]))
    decode = [w for w in all_ if all(s[3]["phase"] == "decode" for s in w[1])]
    prefill = [w for w in all_ if prefills(w[1])]
    found = [("typical", typical)]
    if decode:
        found.append(("decode", min(decode, key=lambda w: (-requests(w[1]), w[0]))))
    if prefill:
        found.append(("prefill", min(prefill, key=lambda w: (-sum(s[3].get("c_sq", 0) for s in w[1]), -prefills(w[1]), w[0]))))
    for name, (_, some) in found:
        mean, tokens, elapsed, busy, rate = sums(some)
        yield ([rank, name, some[0][0], some[-1][0]] + [sum(s[3]["phase"] == p for s in some) for p in ("prefill", "decode", "mixed")] +
               [mean, tokens, time(elapsed), share(100 * busy, elapsed), rate])


def alike(have, want):
    if have == str(want):
        return True
    try:
        return abs(float(have) - float(want)) <= 0.0051
    except ValueError:
        return False


def check(bin_dir, seed, folder):
    rng = random.Random(seed)
    ranks = [make(rng, os.path.join(folder, "r%d.json" % r), r) for r in range(rng.randrange(1, 3))]
    paths = [os.path.join(folder, "r%d.json" % r) for r in range(len(ranks))]
    first = rng.choice((0, 0, 2, 11))
    ranks = [[s for s in steps if s[0] >= first] for steps in ranks]
    select = ["--step", "%d.." % first] if first else []
    n, rows = rng.randrange(1, 5), 0
    for view, make_rows in (("inference", inference_rows), ("phase", phase_rows),
                            ("window", lambda rank, steps: window_rows(rank, steps, n))):
        words = ["--by", view] + (["--steps", str(n)] if view == "window" else [])
        run = subprocess.run([os.path.join(bin_dir, "tr-breakdown"), "-q", "-O", "tsv"] + words + select + paths,
                             capture_output=True, text=True)
        if run.returncode == 3 and first and not any(ranks):
            continue # no rank has such a step
        if run.returncode:
            return rows, "%s: status %d: %s" % (words, run.returncode, run.stderr)
        head, *have = [line.split("\t") for line in run.stdout.splitlines()]
        if head != COLUMNS[view].split():
            return rows, "%s: columns %s" % (words, head)
        want = [row for rank, steps in enumerate(ranks) for row in make_rows(rank, steps)]
        if len(have) != len(want) or not all(len(h) == len(w) and all(map(alike, h, w)) for h, w in zip(have, want)):
            return rows, "%s, seed %d:\n  have %s\n  want %s" % (words, seed, have, want)
        rows += len(have)
    run = subprocess.run([os.path.join(bin_dir, "tr-sum"), "-q", "-O", "tsv", "--by", "rank,step,step_phase", "--where",
                          "activity == kernel && has(step) && (step_phase == decode || !has(step_phase) || step_phase != decode)",
                          "--columns", "rank,step,step_phase,count"] + select + paths, capture_output=True, text=True)
    have = sorted(line.split("\t") for line in run.stdout.splitlines()[1:])
    want = sorted([str(rank), str(s[0]), s[3]["phase"], str(len(s[4]))] for rank, steps in enumerate(ranks) for s in steps if s[4])
    if run.returncode not in (0, 3) or have != want:
        return rows, "tr-sum, seed %d: %s\n  have %s\n  want %s" % (seed, run.stderr, have, want)
    return rows, None


seeds.run(check, "%d rows of steps of inference from %d random traces: each, by phase, windows", 4)
