#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A trace of Perfetto in the text form of protocol buffers, as bytes.

usage: perfetto_text.py TRACE.textproto >TRACE.pftrace

Knows the messages that traces of devices have; an unknown name is an error.  Numbers of fields: Perfetto's published
trace format.
"""
import re
import sys

from perfetto_made import Fixed, encode

ID_NAME = {"iid": 1, "name": 2}
SPEC = {"counter_id": 1, "name": 2, "description": 3, "select_by_default": 10}
XYZ = {"x": 1, "y": 2, "z": 3}
ARG = {"name_iid": 1, "name": 2, "int_value": 3, "uint_value": 4, "double_value": 5, "string_value": 6}
# name: number, or number and message; number 0: what is not read, and left out
DESCRIPTOR = {"specs": (1, SPEC)}
EXTENSION = "perfetto.protos.GpuInternedData."
INTERNED = {
    "event_categories": (1, ID_NAME), "event_names": (2, ID_NAME), "debug_annotation_names": (3, ID_NAME),
    "graphics_contexts": (23, {"iid": 1, "pid": 2, "api": 3}),
    "gpu_specifications": (24, {"iid": 1, "name": 2, "description": 3, "category": 4}),
    "gpu_counter_descriptors": (47, {"iid": 1, "counter_descriptor": (2, DESCRIPTOR), "gpu_id": 3}),
    EXTENSION + "compute_kernels": (1000, {"iid": 1, "name": 2, "demangled_name": 3, "arch": 4, "args": (0, ARG)}),
    EXTENSION + "compute_arg_names": (1001, ID_NAME),
}
WORK = {
    "event_id": 1, "duration": 2, "context": 5, "extra_data": (6, {"name": 1, "value": 2}), "submission_id": 10,
    "gpu_id": 11, "hw_queue_iid": 13, "stage_iid": 14, "name": 17, "event_wait_ids": 18, "kernel_iid": 19, "name_iid": 20,
    "launch": (21, {"grid_size": (1, XYZ), "workgroup_size": (2, XYZ), "args": (3, ARG)}),
}
COUNTERS = {"counter_descriptor": (1, DESCRIPTOR), "gpu_id": 3, "counter_descriptor_iid": 4,
            "counters": (2, {"counter_id": 1, "int_value": 2, "double_value": 3})}
TRACK = {"uuid": 1, "name": 2, "process": (3, {"pid": 1, "process_name": 6}), "parent_uuid": 5,
         "thread": (4, {"pid": 1, "tid": 2, "thread_name": 5})}
EVENT = {"type": 9, "name_iid": 10, "track_uuid": 11, "name": 23, "categories": 22, "flow_ids": 47}
PACKET = {"trusted_uid": 3, "timestamp": 8, "trusted_packet_sequence_id": 10, "track_event": (11, EVENT),
          "interned_data": (12, INTERNED), "sequence_flags": 13, "gpu_counter_event": (52, COUNTERS),
          "gpu_render_stage_event": (53, WORK), "track_descriptor": (60, TRACK)}
TRACE = {"packet": (1, PACKET)}
WORDS = {"COMPUTE": 2, "GRAPHICS": 1, "OTHER": 0, "VULKAN": 2, "OPEN_GL": 1, "CUDA": 4, "HIP": 5, "true": 1, "false": 0,
         "TYPE_SLICE_BEGIN": 1, "TYPE_SLICE_END": 2, "TYPE_INSTANT": 3, "TYPE_COUNTER": 4}
REAL = ("double_value",)
TOKEN = re.compile(r'\s+|#[^\n]*|("(?:[^"\\]|\\.)*")|([\w.+-]+)|(.)')


def tokens(text):
    for quoted, word, mark in TOKEN.findall(text):
        if quoted or word or mark:
            yield quoted or word or mark


def value(name, token):
    if token[0] == '"':
        return token[1:-1].encode().decode("unicode_escape")
    if name in REAL:
        return float(token)
    return WORDS[token] if token in WORDS else Fixed(int(token, 0)) if name == "flow_ids" else int(token, 0)


def message(words, fields):
    found = []
    for name in words:
        if name == "}":
            break
        if name == "[":
            name = next(words)
            assert next(words) == "]"
        of = fields[name]
        sign = next(words)
        if isinstance(of, tuple):
            assert sign == "{" or next(words) == "{"
            inner = message(words, of[1])
            if of[0]:
                found.append((of[0], inner))
        else:
            assert sign == ":"
            found.append((of, value(name, next(words))))
    return found


def from_text(text):
    return encode(message(tokens(text), TRACE))


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        sys.stdout.buffer.write(from_text(f.read()))
