# SPDX-License-Identifier: MIT
"""Readers of the files that tr-flame writes, by the rules of their makers; nothing here knows about libcore.

Each gives {stack: weights}, where a stack is a tuple of names, outermost first.  What breaks a rule is a ValueError.
"""
import gzip
import json
import re
import struct


def check(fine, what):
    if not fine:
        raise ValueError(what)


# ---- folded: flamegraph.pl ----

def unescape(name):
    """Names are UTF-8, in which \\xHH stands for a byte."""
    return re.sub(rb"\\x([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), name).decode("utf-8", "replace")


def folded(data, n=1):
    """Lines "a;b 17", or of two sides "a;b 3 17"."""
    stacks = {}
    for line in data.split(b"\n")[:-1]:
        m = re.fullmatch(rb"(.+?)" + rb" (\d+)" * n, line)
        check(m and not re.search(rb" [0-9.]+$", m[1]), "a line that has no stack and %d weights: %r" % (n, line))
        names = m[1].split(b";")
        check(all(names), "a frame without a name: %r" % line)
        stack = tuple(unescape(name) if name != b"(no name)" else "" for name in names)
        check(stack not in stacks, "a stack is there twice: %r" % (stack,))
        stacks[stack] = tuple(int(v) for v in m.groups()[1:])
        check(any(stacks[stack]), "a stack without weight: %r" % line)
    check(not data or data.endswith(b"\n"), "the last line has no end")
    return stacks


# ---- speedscope ----

def speedscope(data):
    """{name of a profile: (unit, {stack: weight})}, and the name of the one that is shown."""
    file, profiles = json.loads(data.decode("utf-8")), {}
    check(file["$schema"] == "https://www.speedscope.app/file-format-schema.json", "another schema")
    frames = file["shared"]["frames"]
    check(all(isinstance(f["name"], str) for f in frames), "a frame without a name")
    check(len({f["name"] for f in frames}) == len(frames), "frames are there twice")
    for p in file["profiles"]:
        check(p["type"] == "sampled" and p["startValue"] == 0, "not a sampled profile that starts at 0")
        check(p["unit"] in ("none", "nanoseconds", "bytes"), "an unknown unit")
        check(len(p["samples"]) == len(p["weights"]), "not as many weights as samples")
        check(all(0 <= f < len(frames) for s in p["samples"] for f in s), "a frame that there is none of")
        check(all(s for s in p["samples"]), "a sample without frames")
        check(all(w > 0 for w in p["weights"]) and sum(p["weights"]) == p["endValue"], "weights that are not the sum")
        stacks = {}
        for s, w in zip(p["samples"], p["weights"]):
            stack = tuple(frames[f]["name"] for f in s)
            stacks[stack] = stacks.get(stack, 0) + w
        check(len(stacks) == len(p["samples"]), "a stack is there twice")
        check(p["name"] not in profiles, "a profile is there twice")
        profiles[p["name"]] = p["unit"], stacks
    return profiles, file["profiles"][file["activeProfileIndex"]]["name"]


# ---- pprof: perftools.profiles.Profile ----

def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def fields(data):
    """(number, value) of each field of a message; a value is a number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        elif key & 7 == 2:
            size, at = varint(data, at)
            value, at = data[at:at + size], at + size
            check(len(value) == size, "a field that is cut")
        elif key & 7 == 1:
            value, at = struct.unpack_from("<Q", data, at)[0], at + 8
        else:
            raise ValueError("a field of type %d" % (key & 7))
        yield key >> 3, value


def numbers(value):
    """The numbers of a repeated field: packed, or one."""
    if isinstance(value, int):
        return [value]
    found, at = [], 0
    while at < len(value):
        v, at = varint(value, at)
        found.append(v)
    return found


def signed(v):
    return v - 2**64 if v >= 2**63 else v


def pprof(data):
    """The names and units of the types of samples, the name of the first that is shown, and {stack: values}."""
    profile = list(fields(gzip.decompress(data)))
    of = lambda number: [v for n, v in profile if n == number]
    text = [v.decode("utf-8") for v in of(6)]
    check(text and text[0] == "" and len(set(text)) == len(text), "the table of strings does not start with the empty one, or has one twice")
    types = [tuple(text[dict(fields(t))[n]] for n in (1, 2)) for t in of(1)]
    functions, locations, stacks = {}, {}, {}
    for f in of(5):
        f = dict(fields(f))
        check(f[1] and f[1] not in functions, "the id of a function is 0 or there twice")
        functions[f[1]] = text[f.get(2, 0)]
    for place in of(4):
        place = dict(fields(place))
        check(place[1] and place[1] not in locations, "the id of a location is 0 or there twice")
        locations[place[1]] = functions[dict(fields(place[4]))[1]]
    for s in of(2):
        ids = [v for n, value in fields(s) if n == 1 for v in numbers(value)]
        values = [signed(v) for n, value in fields(s) if n == 2 for v in numbers(value)]
        check(ids and len(values) == len(types), "a sample without a place, or without a value for each type")
        stack = tuple(locations[i] for i in reversed(ids))  # the innermost is the first
        check(stack not in stacks, "a stack is there twice: %r" % (stack,))
        stacks[stack] = tuple(values)
    shown = of(14)
    return types, text[shown[0]] if shown else types[0][0], stacks
