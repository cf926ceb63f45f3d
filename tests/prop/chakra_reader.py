# SPDX-License-Identifier: MIT
"""Execution traces of Chakra, read and written from the format alone: lengths and messages of protocol buffers."""
import struct

TYPES = {0: "INVALID_NODE", 1: "METADATA_NODE", 2: "MEM_LOAD_NODE", 3: "MEM_STORE_NODE", 4: "COMP_NODE", 5: "COMM_SEND_NODE",
         6: "COMM_RECV_NODE", 7: "COMM_COLL_NODE"}
# Fields of a node: number, wire type.  Fields of an attribute: wire type and how the value is read.
NODE = {1: 0, 2: 2, 3: 0, 6: 0, 7: 0, 8: 2, 9: 2, 10: 2}
ATTR = {3: 1, 5: 5, 7: 0, 9: 0, 11: 0, 13: 0, 15: 0, 17: 0, 19: 5, 21: 1, 23: 5, 25: 1, 27: 0, 29: 2, 31: 2}


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        assert shift <= 70
        if byte < 128:
            return value & (1 << 64) - 1, at


def fields(data):
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = varint(data, at)
        else:
            n = {1: 8, 5: 4}.get(wire)
            if n is None:
                assert wire == 2, "wire type %d" % wire
                n, at = varint(data, at)
            value, at = data[at:at + n], at + n
            assert at <= len(data)
        yield number, wire, value


def attribute(data):
    name = value = None
    for number, wire, v in fields(data):
        if number == 1:
            name = v.decode()
        elif number in ATTR:
            assert wire == ATTR[number], (name, number, wire)
            value = v
            if number in (7, 9, 15, 17) and v >= 1 << 63:
                value = v - (1 << 64)
            elif number == 27:
                assert v in (0, 1)
                value = bool(v)
            elif number == 29:
                value = v.decode()
    return name, value


def node(data):
    n = {"id": 0, "name": "", "type": 0, "start": 0, "dur": 0, "data": [], "ctrl": [], "attr": {}}
    names = {1: "id", 3: "type", 6: "start", 7: "dur"}
    for number, wire, v in fields(data):
        if number in (4, 5):
            deps = n["ctrl" if number == 4 else "data"]
            if wire == 0:
                deps.append(v)
            at = 0
            while wire == 2 and at < len(v):
                one, at = varint(v, at)
                deps.append(one)
            continue
        assert NODE.get(number) == wire, "field %d of wire type %d" % (number, wire)
        if number in names:
            n[names[number]] = v
        elif number == 2:
            n["name"] = v.decode()
        elif number == 10:
            name, value = attribute(v)
            assert name and name not in n["attr"], name
            n["attr"][name] = value
    assert n["type"] in TYPES
    return n


def read(data):
    """The facts of the first message, and the nodes."""
    facts, nodes, at, first = {}, [], 0, True
    while at < len(data):
        n, at = varint(data, at)
        assert at + n <= len(data), "the last message is cut"
        message, at = data[at:at + n], at + n
        if first:
            for number, wire, v in fields(message):
                assert wire == 2 and number in (1, 2)
                name, value = attribute(v) if number == 2 else ("version", v.decode())
                facts[name] = value
            first = False
        else:
            nodes.append(node(message))
    return facts, nodes


def out_varint(v):
    v &= (1 << 64) - 1
    out = b""
    while v > 127:
        out += bytes([v & 127 | 128])
        v >>= 7
    return out + bytes([v])


def field(number, v):
    if isinstance(v, int):
        return out_varint(number << 3) + out_varint(v)
    v = v.encode() if isinstance(v, str) else v
    return out_varint(number << 3 | 2) + out_varint(len(v)) + v


def write(nodes, packed):
    """Nodes as read gives them."""
    messages = [field(1, "0.0.4") + field(2, field(1, "schema") + field(29, "1.0.1"))]
    for n in nodes:
        m = field(1, n["id"]) + field(2, n["name"]) + field(3, n["type"]) + (field(7, n["dur"]) if n["dur"] else b"")
        for number, deps in ((4, n["ctrl"]), (5, n["data"])):
            m += field(number, b"".join(map(out_varint, deps))) if packed and deps else b"".join(field(number, d) for d in deps)
        for name, v in n["attr"].items():
            value = field(27, int(v)) if isinstance(v, bool) else field(9, v) if isinstance(v, int) else \
                out_varint(3 << 3 | 1) + struct.pack("<d", v) if isinstance(v, float) else field(29, v)
            m += field(10, field(1, name) + value)
        messages.append(m)
    return b"".join(out_varint(len(m)) + m for m in messages)
