#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Traces in the form of Intel's unitrace, one of each rank: PREFIX.PID.RANK.json.

usage: unitrace.py PREFIX [--ranks N] [--calls N]

Each call launches one kernel or copy, with an arrow to it; a second call waits for it, with an arrow back; every tenth
call is one of MPI.  So a call is some eight events and 1.2 KB.  The same arguments give the same files.
"""
import argparse
import random


def event(out, first, text, *values):
    out.append(("" if first else ",\n") + text % values)


def us(ns):
    return "%d.%06d" % (ns // 1000, ns % 1000 * 1000)


def write(path, rank, calls):
    rng = random.Random(rank)
    pid, device, now = 5000 + 7 * rank, 2 ** 32 - 1 - 32 * rank, 1700000000000000000
    out = ['{ "traceEvents":[\n']
    event(out, True, '{"ph": "M", "name": "process_name", "pid": %d, "ts": %s, "args": {"name": "RANK %d HOST<node%d>"}}', pid,
          us(now), rank, rank // 2)
    event(out, False, '{"ph": "M", "name": "process_name", "pid": %d, "ts": %s, "args": {"name": "RANK %d DEVICE<node%d>[Intel(R) '
          'Data Center GPU Max 1550] 0:29:0:0 #0"}}', device, us(now), rank, rank // 2)
    host = '"tid": %d, "pid": %d' % (pid, pid)
    gpu = '"tid": %d, "pid": %d' % (device, device)
    with open(path, "w", encoding="utf-8") as f:
        for k in range(1, calls + 1):
            now += rng.randrange(2000, 9000)
            start, dur = now + rng.randrange(1500, 4000), rng.randrange(900, 9000)
            wait = start + dur + 250
            name = "zeCommandListAppendMemoryCopy(M2D)[%d]" % (512 * rng.randrange(1, 99)) if k % 5 == 0 else \
                "main::{lambda(auto:1)#%d}[SIMD32 {%d; 1; 1} {%d; 1; 1}]" % (k % 7, 1024 * (k % 3 + 1), 128 * (k % 2 + 1))
            flow = '{"ph": "%s", %s, "name": "dep", "cat": "Flow_%s_%d_%d", "ts": %s, "id": %d}'
            event(out, False, '{"ph": "X", %s, "name": "zeCommandQueueExecuteCommandLists", "cat": "cpu_op", "ts": %s, "dur": %s, '
                  '"id": 0}', host, us(now), us(1800))
            event(out, False, flow, "s", host, "H2D", k, rank, us(now), k)
            event(out, False, '{"ph": "X", %s, "name": "%s", "cat": "gpu_op", "ts": %s, "dur": %s, "args": {"id": "%d"}}', gpu, name,
                  us(start), us(dur), k)
            event(out, False, flow, "t", gpu, "H2D", k, rank, us(start), k)
            event(out, False, flow, "s", gpu, "D2H", k, rank, us(start), k)
            event(out, False, '{"ph": "X", %s, "name": "zeEventHostSynchronize", "cat": "cpu_op", "ts": %s, "dur": 0.250000, "id": 0}',
                  host, us(wait))
            event(out, False, flow, "t", host, "D2H", k, rank, us(wait), k)
            if k % 10 == 0:
                event(out, False, '{"ph": "X", %s, "name": "MPI::MPI_Send", "cat": "cpu_op", "ts": %s, "dur": 1.500000, "args": '
                      '{"dsize": %d, "dst": %d, "dtag": 7}}', host, us(wait + 300), 64 * k, rank ^ 1)
            now = wait + 2000
            if len(out) > 5000:
                f.write("".join(out))
                out = []
        f.write("".join(out) + "\n]\n}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("prefix")
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--calls", type=int, default=66000)
    args = parser.parse_args()
    for rank in range(args.ranks):
        write("%s.%d.%d.json" % (args.prefix, 5000 + 7 * rank, rank), rank, args.calls)


if __name__ == "__main__":
    main()
