# SPDX-License-Identifier: MIT
"""Traces of Perfetto that are small as they stand and large once unpacked.

usage: packed.py FOLDER
"""
import os
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "prop"))
from perfetto_made import COUNTER, INSTANT, encode, event, process, thread, trace, varint  # noqa: E402

HEAD = trace([process(1, 7, "p"), thread(2, 1, 7, 8, "main")])
INSTANTS = trace([event(1000, 2, INSTANT, (23, "i"))])


def packed(data, levels=1):
    for _ in range(levels):
        data = trace([[(50, zlib.compress(data))]])
    return data


def of_event(*fields, ts=5):
    return encode([(1, encode([(8, ts), (10, 1), (11, b"".join(encode([f]) for f in fields))]))])


def large_levels():
    """On each level a packet of 15 MB, before the one with the next level."""
    data = trace([[(200, bytes(15000000))]])
    for _ in range(4):
        data = trace([[(200, bytes(15000000))], [(50, zlib.compress(data))]])
    return data


MADE = {
    "instants": lambda: packed(HEAD + INSTANTS * 2000000),
    "instants-4-levels": lambda: packed(HEAD + INSTANTS * 2000000, 4),
    "many-packets": lambda: packed(HEAD + INSTANTS * 20000) * 100,
    "large-packets": lambda: packed(HEAD + INSTANTS * 1500000) * 2,
    "large-levels": large_levels,
    "flows": lambda: packed(HEAD + of_event((9, INSTANT), (11, 2), (47, b"\1\0\0\0\0\0\0\0" * 1900000))),
    "values-of-an-event": lambda: packed(HEAD + trace([[(10, 1), (59, [(11, [(31, b"\3" * 4000000)])])]]) +
                                         of_event((9, INSTANT), (11, 2), (12, b"\1" * 4000000))),
    "device-counters": lambda: packed(HEAD + encode([(1, encode([(8, 5), (10, 1), (52, encode([(2, [(1, 1), (2, 1)])]) *
                                                                                  2000000)]))])),
    "annotations": lambda: packed(HEAD + of_event((9, INSTANT), (11, 2)) + of_event(
        (9, INSTANT), (11, 2), *[(4, [(10, "k"), (4, 1)])] * 300000)),
    "default-counters": lambda: packed(b"".join(
        trace([[(10, i), (59, [(11, [(31, b"\3" * 60000)])])]]) for i in range(1, 400)) + INSTANTS),
}

for name, make in MADE.items():
    with open("%s/%s.pftrace" % (sys.argv[1], name), "wb") as f:
        f.write(make())
