#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Waits of streams that a trace does not show: see inferred.sh.

usage: inferred.py BIN SEED...

Each seed is a job whose streams wait for each other.  It is written with what the streams waited for, and without.
Prints a line for each test, and how many of the waits that decided something were found.
"""
import json
import os
import random
import subprocess
import sys

BIN = sys.argv[1]
NEAR = 10000  # ns


class Job:
    """Threads launch work on streams, record events on them, and make streams wait for these.  All times in ns."""

    def __init__(self, seed, threads, ask):
        self.draw, self.now = random.Random(seed), 0
        self.streams = list(range(7, 7 + self.draw.randint(2, 4)))
        self.free = dict.fromkeys(self.streams, 0)
        self.last = dict.fromkeys(self.streams)  # launched last there
        self.waits = {s: [] for s in self.streams}  # for the next work there
        self.recorded = []  # number, stream, work
        self.work, self.events, self.number = [], [], 0
        for _ in range(400):
            self.thread = self.draw.randrange(threads)
            self.now += self.draw.choice((1000, 3000, 8000, 40000))
            self.act(ask)

    def call(self, name):
        self.number += 1
        self.event("cuda_runtime", name, 1, self.thread, self.now, 2000, correlation=self.number)
        self.now += 2500
        return self.now - 2500

    def event(self, cat, name, pid, tid, ts, dur, **args):
        self.events.append({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args})
        return len(self.events) - 1

    def act(self, ask):
        stream, what = self.draw.choice(self.streams), self.draw.random()
        if what < ask and self.last[stream]:
            self.call("cudaEventRecord")
            self.recorded.append((self.number, stream, self.last[stream]))
        elif what < 2 * ask and self.recorded:
            number, of, work = self.draw.choice(self.recorded[-3:])
            at = self.call("cudaStreamWaitEvent")
            self.event("cuda_sync", "Stream Wait Event", 0, stream, at + 1000, 500, device=0, stream=stream,
                       correlation=self.number, wait_on_stream=of, wait_on_cuda_event_record_corr_id=number)
            if of != stream:
                self.waits[stream].append(work)
        else:
            at = self.call("cudaLaunchKernel")
            dur = self.draw.choice((2000, 20000, 90000))
            self.waits[stream], held = [], self.waits[stream]
            ready = [at + 4000, self.free[stream] + 1500] + [w["end"] + self.draw.randint(500, 4000) for w in held]
            start = max(ready)
            place = self.event("kernel", "k%d" % self.number, 0, stream, start, dur, device=0, stream=stream,
                               correlation=self.number)
            w = {"place": place, "stream": stream, "start": start, "end": start + dur, "known": max(ready[:2])}
            w["waited"] = held
            w["held"] = [h for h in held if w["start"] - h["end"] <= NEAR and h["end"] > w["known"] - 1500]
            self.work.append(w)
            self.free[stream], self.last[stream] = start + dur, w

    def write(self, name, shown):
        """The records of events in the file, by their places in the list."""
        events = [(i, e) for i, e in enumerate(self.events) if shown or e["cat"] != "cuda_sync"]
        out = [{**e, "ts": e["ts"] / 1000, "dur": e["dur"] / 1000} for _, e in events]
        with open(name, "w", encoding="utf-8") as f:
            json.dump({"distributedInfo": {"rank": 0}, "traceEvents": out}, f)
        return {k: i for k, (i, _) in enumerate(events)}


def edges(name, kind):
    run = subprocess.run([os.path.join(BIN, "tr-critpath"), "-q", "--gaps", "--by", "edge", "-O", "json", name],
                         stdout=subprocess.PIPE, check=True)
    return {(e["from_record"], e["to_record"]) for e in json.loads(run.stdout) if e["edge"] == kind and e["to_side"] == "start"}


def ambiguous(job, w):
    """Does other work of another stream end just before, with an event recorded after its launch?"""
    near = {o["place"] for o in job.work if o["stream"] != w["stream"] and 0 <= w["start"] - o["end"] <= NEAR
            and o["end"] > w["known"] - 1500 and any(r[2] is o for r in job.recorded)}
    return len(near) > 1


def main():
    n = found_all = truth_all = 0
    for seed in map(int, sys.argv[2:]):
        job = Job(seed, 1 + seed % 2, (0.1, 0.2, 0.3)[seed % 3])
        shown, hidden = job.write("shown.json", True), job.write("hidden.json", False)
        truth = {(h["place"], w["place"]) for w in job.work for h in w["waited"]}
        known = {(shown[a], shown[b]) for a, b in edges("shown.json", "sync")}
        found = {(hidden[a], hidden[b]) for a, b in edges("hidden.json", "inferred")}
        decided = {(h["place"], w["place"]) for w in job.work for h in w["held"]
                   if w["start"] - w["known"] > NEAR and h["end"] == max(o["end"] for o in w["held"])}
        twofold = {w["place"] for w in job.work if ambiguous(job, w)}
        if seed % 2 == 0:  # tr-critpath lets only work of the thread that called wait
            n += 1
            print("%sok %d - seed %d: what streams waited for is known where it is shown" %
                  ("" if decided <= known <= truth else "not ", n, seed))
        good = found <= truth
        n += 1
        print("%sok %d - seed %d: the %d inferred waits are true" % ("" if good else "not ", n, seed, len(found)))
        for a, b in sorted(found - truth):
            print("# false: %s after %s" % (job.events[b], job.events[a]))
        n += 1
        some = {b for _, b in found} & twofold
        print("%sok %d - seed %d: nothing is inferred where two explanations are left" % ("not " if some else "", n, seed))
        found_all += len(found & decided)
        truth_all += len(decided)
    n += 1
    print("%sok %d - at least half of the waits that decided something are found: %d of %d" %
          ("" if truth_all and 2 * found_all >= truth_all else "not ", n, found_all, truth_all))
    print("1..%d" % n)


main()
