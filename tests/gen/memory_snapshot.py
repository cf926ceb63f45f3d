#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Memory snapshots as torch.cuda.memory._dump_snapshot writes them.

usage: memory_snapshot.py KIND FILE [SEED]

  pickle, json   two devices: blocks from before the trace, a free that is completed later, an allocation that is never
                 freed, a free whose allocation is older, segments, a range, one that ran out of memory
  hostile        a pickle that calls a function
  random         allocations and frees at random, from SEED, as a pickle
"""
import json
import pickle
import random
import sys


def frames(*names):
    return [dict(filename=f, line=n, name=name) for f, n, name in names]


TRAIN = frames(("/lib/torch/nn/modules/linear.py", 5, "forward"), ("train.py", 41, "step"), ("train.py", 9, "main"))
LOAD = frames(("load.py", 7, "load"), ("train.py", 8, "main"))
US = 1700000000000000


def block(address, size, state, stack=LOAD):
    return dict(address=address, size=size, requested_size=size - 8, state=state, frames=stack)


def segment(device, address, blocks, kind="large"):
    return dict(device=device, address=address, total_size=sum(b["size"] for b in blocks), stream=0, segment_type=kind,
                allocated_size=sum(b["size"] for b in blocks if b["state"] == "active_allocated"), blocks=blocks,
                is_expandable=False)


def step(action, address, size, at, stack=TRAIN):
    return dict(action=action, addr=address, size=size, stream=0, time_us=US + at, frames=stack, compile_context="N/A")


def small():
    high = (1 << 47) + 4096
    return dict(
        segments=[segment(0, high, [block(high, 4096, "active_allocated"), block(high + 4096, 2048, "active_allocated", TRAIN),
                                    block(high + 6144, 1024, "inactive", []), block(high + 7168, 1024, "inactive", [])]),
                  segment(0, 1 << 20, [block(1 << 20, 512, "active_awaiting_free"), block((1 << 20) + 512, 512, "inactive")],
                          "small"),
                  segment(1, 1 << 30, [block(1 << 30, 256, "active_allocated")])],
        device_traces=[
            [step("segment_alloc", 1 << 20, 1024, 1), step("alloc", (1 << 20) + 512, 512, 2),
             step("alloc", high + 4096, 2048, 3), step("free_requested", (1 << 20) + 512, 512, 4),
             step("free_completed", (1 << 20) + 512, 512, 5), step("free_completed", high + 6144, 1024, 6, LOAD),
             dict(action="oom", size=1 << 40, device_free=77, stream=0, time_us=US + 7, frames=TRAIN),
             step("free_requested", 1 << 20, 512, 8), step("snapshot", 0, 0, 9)],
            []],
        external_annotations=[dict(device=0, stage="START", name="forward", time_us=US + 2),
                              dict(device=0, stage="END", name="forward", time_us=US + 5)],
        allocator_settings=dict(PYTORCH_CUDA_ALLOC_CONF=""))


class Calls:
    def __reduce__(self):
        return print, ("called",)


def at_random(seed, steps=200):
    """A trace of up to so many steps, that begins with what was allocated before."""
    rng = random.Random(seed)
    live, addresses, next_address, traces = {}, [], 1 << 40, []

    def new():
        nonlocal next_address
        size = rng.randrange(1, 200) * 512
        live[next_address] = size
        addresses.append(next_address)
        next_address += size
        return next_address - size, size

    for _ in range(rng.randrange(5)):
        new()
    for n in range(rng.randrange(steps // 10, steps)):
        if live and rng.random() < 0.45:
            address = addresses.pop(rng.randrange(len(addresses)))
            size = live.pop(address)
            traces.append(step("free_requested", address, size, n))
            if rng.random() < 0.9:
                traces.append(step("free_completed", address, size, n))
        else:
            traces.append(step("alloc", *new(), n, rng.choice((TRAIN, LOAD, []))))
    blocks = [block(a, s, "active_allocated", LOAD) for a, s in live.items()]
    return dict(segments=[segment(0, 1 << 40, blocks)], device_traces=[traces])


if __name__ == "__main__":
    kind, path = sys.argv[1:3]
    if kind == "json":
        with open(path, "w") as f:
            json.dump(small(), f)
    else:
        made = {"pickle": small, "hostile": lambda: dict(small(), allocator_settings=Calls()),
                "random": lambda: at_random(int(sys.argv[3]))}[kind]()
        with open(path, "wb") as f:
            pickle.dump(made, f, protocol=4)
