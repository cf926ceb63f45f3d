#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Make a trace that is too long for a whole graph: random blocks of oracle/critpath_random.py, over and over.

usage: critpath_parts.py SEED EVENTS >TRACE

Between most blocks, nothing is open; waits lead over such moments, and some work crosses them.
"""
import json, os, random, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
sys.dont_write_bytecode = True  # the source tree may be read-only
import critpath_random


class Blocks(critpath_random.Maker):
    """Blocks of one process, whose calls are numbered on, and may wait for what the block before has recorded."""
    def __init__(self, rng):
        super().__init__(rng, 0, 0)
        self.names_waits = False  # what is named may be anywhere, which needs the whole graph

    def wait_on(self):
        """Each recorded event is on one stream, which all waits for it name, or none."""
        record = self.rng.choice(self.recorded)
        return {"wait_on_cuda_event_record_corr_id": record, "wait_on_stream": (7, 20, -1)[record % 3]}

    def block(self, at):
        self.events, self.free, self.recorded = [], {}, self.recorded[-self.rng.choice((0, 1, 5)):]
        for thread in range(self.threads):
            self.work_on(thread, self.rng.randrange(0, 40))
        return [{**e, "ts": e["ts"] + at} for e in self.events]


def numbered(event, more):
    """The same event with greater numbers of calls."""
    args = {k: v + more if k in ("correlation", "wait_on_cuda_event_record_corr_id") else v
            for k, v in event["args"].items()}
    return {**event, "args": args}


def main():
    rng, n = random.Random(int(sys.argv[1])), int(sys.argv[2])
    blocks, at = Blocks(rng), 1000
    blocks.correlation, once = 0, []
    while len(once) < 1500:
        once += blocks.block(at)
        at = max(e["ts"] + e["dur"] for e in once) + rng.choice((1, 3, 30, 300, 3000, -20))
    events = []
    for turn in range(n // len(once) + 1):
        events += [numbered({**e, "ts": e["ts"] + turn * at}, turn * blocks.correlation) for e in once]
    json.dump({"distributedInfo": {"rank": 0}, "traceEvents": critpath_random.coarse(events, rng.choice((1, 1, 4)))},
              sys.stdout)


if __name__ == "__main__":
    main()
