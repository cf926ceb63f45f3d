# SPDX-License-Identifier: MIT
"""Traces for Perfetto made by hand, as writers other than tr-view make them.

A message is a list of (number of the field, value): int: varint, float: 64 bits, str and bytes: bytes, list: a message,
Fixed: 64 bits, Packed: a packed list of varints.
"""
import random
import struct
import zlib


class Fixed(int):
    pass


class Packed(list):
    pass


def varint(v):
    v &= (1 << 64) - 1
    out = bytearray()
    while v > 127:
        out.append(v & 127 | 128)
        v >>= 7
    out.append(v)
    return bytes(out)


def encode(message):
    out = bytearray()
    for field, v in message:
        if isinstance(v, Fixed):
            out += varint(field << 3 | 1) + struct.pack("<Q", v)
        elif isinstance(v, float):
            out += varint(field << 3 | 1) + struct.pack("<d", v)
        elif isinstance(v, (bool, int)):
            out += varint(field << 3) + varint(int(v))
        else:
            data = (v.encode() if isinstance(v, str) else v if isinstance(v, bytes)
                    else b"".join(varint(x) for x in v) if isinstance(v, Packed) else encode(v))
            out += varint(field << 3 | 2) + varint(len(data)) + data
    return bytes(out)


def trace(packets):
    return b"".join(encode([(1, p)]) for p in packets)


# ---- parts ----

BEGIN, END, INSTANT, COUNTER = 1, 2, 3, 4


def event(ts, track, kind, *rest, seq=1, **packet):
    p = [(8, ts), (10, seq), (11, [(9, kind), (11, track)] + list(rest))]
    if packet.get("clock"):
        p.insert(1, (58, packet["clock"]))
    return p


def process(uuid, pid, name):
    return [(60, [(1, uuid), (3, [(1, pid), (6, name)])])]


def thread(uuid, parent, pid, tid, name):
    return [(60, [(1, uuid), (5, parent), (4, [(1, pid), (2, tid), (5, name)])])]


def named(uuid, parent, name):
    return [(60, [(1, uuid), (5, parent), (2, name)])]


def note(key, *value):
    return (4, [(10, key)] + list(value))


# ---- whole traces ----

def values(times=1):
    """Annotations of all types, in both forms of what is nested; times: so many slices, one after the other."""
    return trace([process(1, 7, "p"), thread(2, 1, 7, 8, "main")] + [p for t in range(times) for p in valued(200 * t)])


def valued(after):
    return [event(
        100 + after, 2, BEGIN, (23, "s"), (22, "a"), (22, "b"),
        note("bool", (2, 1)), note("uint", (3, 1 << 63)), note("int", (4, -3)), note("real", (5, 0.5)),
        note("nan", (5, float("nan"))), note("text", (6, "x\n")), note("pointer", (7, 255)),
        note("json", (9, '{"a":[1,null]}')), note("bad json", (9, "{oh")), note("number", (9, "5")),
        note("list", (12, [(4, 1)]), (12, [(6, "b")]), (12, [(12, [(2, 0)])])),
        note("dict", (11, [(10, "k"), (4, 1)]), (11, [(10, "l"), (11, [(10, "m"), (5, 1.5)])])),
        note("old", (8, [(1, 1), (2, "x"), (2, "y"), (3, [(5, 4)]), (3, [(1, 2), (4, [(8, "z")]), (4, [(7, 1)])])])),
    ), event(200 + after, 2, END)]


def writers():
    """Two writers of one numbering of texts; what each has said is forgotten when it says so; packets out of order."""
    def say(ts, seq, kind, name=None, flags=2, texts=()):
        rest = [(10, name)] if name else []
        p = event(ts, seq + 10, kind, *rest, seq=seq) + [(13, flags)]
        return p + ([(12, [(2, [(1, i), (2, t)]) for i, t in texts])] if texts else [])
    return trace([
        say(500, 1, BEGIN, 1, 3, [(1, "one")]), say(500, 2, BEGIN, 1, 3, [(1, "two")]),
        say(600, 1, END), say(700, 2, END),
        say(300, 1, BEGIN, 1), say(310, 2, BEGIN, 1, 1, [(2, "three")]), say(390, 1, END), say(390, 2, END),
        process(1, 7, "p"), thread(11, 1, 7, 8, "first"), thread(12, 1, 7, 9, "second"),
        [(99, [(1, 1)])], [(10, 3), (36, b"0123456789abcdef")],
    ])


def clocks():
    """Times of a writer's own clock in us, as distances; of another one; of none that is known."""
    return trace([
        [(6, [(1, [(1, 6), (2, 1000000)]), (1, [(1, 1), (2, 1700000000000000000)]), (1, [(1, 3), (2, 400000)]),
              (1, [(1, 64), (2, 100), (3, 1), (4, 1000)])]), (10, 1)],
        [(10, 1), (59, [(58, 64), (11, [(11, 2)])])],
        process(1, 7, "p"), thread(2, 1, 7, 8, "main"),
        [(8, 5), (10, 1), (11, [(9, 1), (23, "a")])],            # 105 us of its own: 1,005,000
        [(8, 5), (10, 1), (11, [(9, 2)])],
        event(420000, 2, INSTANT, (23, "b"), clock=3),           # 1,020,000
        event(1030000, 2, INSTANT, (23, "c"), clock=6),
        event(5, 2, INSTANT, (23, "d"), clock=99),
        [(6, [(1, [(1, 6), (2, 2000000)]), (1, [(1, 3), (2, 1500000)])])],
        event(1500001, 2, INSTANT, (23, "e"), clock=3),          # by the second snapshot
    ])


def counters():
    """Units, factors, distances, values beside those of slices."""
    def track(uuid, name, *unit):
        return [(60, [(1, uuid), (5, 1), (2, name), (8, list(unit))])]
    return trace([
        process(1, 7, "p"), thread(2, 1, 7, 8, "main"),
        track(3, "memory", (3, 3), (4, 1024)), track(4, "ticks", (5, 1)), track(5, "power: W"),
        track(6, "load", (6, "%")),
        event(10, 3, COUNTER, (30, 2)), event(10, 5, COUNTER, (44, 1.5)), event(11, 6, COUNTER, (44, 50.0)),
        event(12, 2, BEGIN, (23, "s"), (31, 4), (12, 5), (45, 6), (46, 25.0)),
        event(13, 2, END, (31, 4), (12, 7)),
    ])


def phases():
    """The phases of the Trace Event Format, with their own process and thread; flows."""
    return trace([
        [(44, [(1, 7), (2, 8), (5, "main"), (6, 100)]), (10, 1)],
        [(10, 1), (11, [(1, 5), (23, "x"), (6, [(2, ord("X")), (3, 20)])])],                      # 105 us
        [(10, 1), (11, [(1, 1), (23, "i"), (6, [(2, ord("i")), (14, 2)])])],
        [(10, 1), (11, [(1, 0), (23, "b"), (22, "c"), (6, [(2, ord("b")), (11, 5), (7, "s")])])],
        [(10, 1), (11, [(1, 1), (23, "b"), (22, "c"), (6, [(2, ord("e")), (11, 5), (7, "s"), (18, 9), (19, 10)])])],
        event(200000, 50, BEGIN, (23, "from"), (47, Fixed(77))), event(210000, 50, END),
        event(220000, 51, BEGIN, (23, "to"), (48, Fixed(77)), (36, 5)), event(230000, 51, END),
        named(50, 0, "a"), named(51, 0, "a"),
    ])


def flows():
    """Flows that begin, go on, end and begin again; one that ends without having begun."""
    def slice(ts, name, *rest):
        return [event(ts, 50, BEGIN, (23, name), *rest), event(ts + 5, 50, END)]
    return trace([named(50, 0, "a")] + slice(10, "from", (47, Fixed(7))) + slice(20, "by", (47, Fixed(7))) +
                 slice(30, "to", (48, Fixed(7))) + slice(40, "again", (47, Fixed(7)), (48, Fixed(9))))


def alike():
    """Events with annotations of the same keys and types, which differ in all else; ends that are more than ends."""
    def notes(i):
        return [note("a", (4, i)), note("long name of a key: longer than most", (6, "t%d" % (i % 2))), note("b", (2, i % 2)),
                note("external", (4, -i if i % 3 else 1 << 40)), note("l", (12, [(4, i % 2)]), (12, [(6, "x")]))]
    packets = [process(1, 7, "p"), thread(2, 1, 7, 8, "main"), named(3, 1, "other")]
    for i in range(0, 60, 6):
        packets += [
            event(1000 * i, 2, BEGIN, (23, "named"), *notes(i)), event(1000 * i + 500, 2, END),
            event(1000 * i + 600, 2, BEGIN, (23, "of a category"), (22, "c"), *notes(i)),
            event(1000 * i + 610, 2, 66, (23, "of no known type")), event(1000 * i + 620, 2, 66),
            event(1000 * i + 700, 2, END, (9, END)),
            event(1000 * i + 800, 3, BEGIN, *notes(i)), event(1000 * i + 850, 3, END, *notes(i)),
            event(1000 * i + 900, 3, INSTANT, (23, "now"), *notes(i)),
            event(1000 * i + 910, 2, BEGIN, (23, "twice"), *notes(i), note("a", (4, 5))), event(1000 * i + 920, 2, END),
            event(1000 * i + 930, 2, BEGIN, (23, "phase"), *notes(i), (6, [(2, ord("i")), (14, 2)])),
            event(1000 * i + 940, 2, BEGIN, (23, "work"), *notes(i), (3000, [(1, 9)])), event(1000 * i + 950, 2, END),
        ]
    return trace(packets)


def shuffled(seed):
    """Spans of several tracks, and what they are: (name, time, duration).  Some tracks are described after their events.
    On others, packets are not in order of time.  One writer begins anew in the middle, another one changes its clock."""
    rand = random.Random(seed)
    packets, spans = [], []
    for track in range(2, 8):
        ts, open_spans, mine = 1000, [], []
        for i in range(rand.randrange(1, 40)):
            ts += rand.randrange(1, 50)
            if open_spans and rand.random() < 0.5:
                name, since = open_spans.pop()
                spans.append((name, since, ts - since))
                mine.append(event(ts, track, END, seq=track % 3))
            else:
                open_spans.append(("%d of %d" % (i, track), ts))
                mine.append(event(ts, track, BEGIN, (23, open_spans[-1][0]), seq=track % 3))
        for name, since in reversed(open_spans):
            ts += 1
            spans.append((name, since, ts - since))
            mine.append(event(ts, track, END, seq=track % 3))
        if track % 2 and len(mine) > 3 and rand.random() < 0.7:
            at = rand.randrange(len(mine) - 2)
            mine[at], mine[at + 2] = mine[at + 2], mine[at]
        packets = mixed(rand, packets, mine)
    others = [process(1, 7, "p")] + [thread(t, 1, 7, 100 + t, "t%d" % t) for t in range(2, 8)]
    rand.shuffle(others)
    others += [[(10, 0), (13, 1)]] * rand.randrange(2)
    if rand.random() < 0.5:  # a clock 1000 ns behind: later times of this writer are those of the file all the same
        at = rand.randrange(len(packets) + 1)
        for p in packets[at:]:
            p[0] = (8, p[0][1] - 1000 * (p[1][1] == 1))
        packets[at:at] = [[(6, [(1, [(1, 6), (2, 2000)]), (1, [(1, 3), (2, 1000)])])], [(10, 1), (59, [(58, 3)])]]
    return trace(mixed(rand, packets, others)), sorted(spans)


def mixed(rand, some, more):
    """Both lists as one; each keeps its order."""
    order = [0] * len(some) + [1] * len(more)
    rand.shuffle(order)
    lists = iter(some), iter(more)
    return [next(lists[k]) for k in order]


def queues():
    """Work of two queues, each piece where the one before it ends; one that changes its name."""
    packets = [[(10, 1), (13, 1), (12, [(24, [(1, 1), (2, "Kernel"), (4, 2)]), (24, [(1, 100), (2, "stream 0007")]),
                                        (24, [(1, 101), (2, "stream 0008")]), (24, [(1, 102), (2, "other 0007")])])]]
    for i in range(20):
        for queue in (100, 101, 102)[:2 if i < 10 else 3]:
            packets.append([(8, 1000 + 10 * i), (10, 1), (53, [(1, i + 1), (2, 10), (11, 0), (13, queue), (14, 1),
                                                              (17, "k%d" % i)])])
    return trace(packets)


def ranks():
    """Two ranks whose correlations have the same numbers, as tr-view writes them; launches come before their work."""
    tracks, events = [], []
    for rank in range(2):
        at = 10 * rank
        tracks += [process(at + 1, 7 + rank, "rank %d: python" % rank), thread(at + 2, at + 1, 7 + rank, 8, "main"),
                   thread(at + 3, at + 1, 7 + rank, 9, "stream 9")]
    for i in range(6):
        for rank in range(2):
            at, ts = 10 * rank, 1000 * i + 10 * rank
            call = note("correlation", (4, i + 1))
            work = [call, note("device", (4, rank)), note("stream", (4, 9)), note("grid", (6, "[1, 1, 1]"))]
            events += [event(ts, at + 2, BEGIN, (23, "cudaLaunchKernel"), call), event(ts + 5, at + 2, END),
                       event(ts + 100, at + 3, BEGIN, (23, "k%d of %d" % (i, rank)), *work),
                       event(ts + 105, at + 3, END)]
    return trace(tracks + events)


def packed():
    """Packets in packets, compressed; the second is damaged."""
    inner = trace([process(1, 7, "p"), thread(2, 1, 7, 8, "main"), event(100, 2, BEGIN, (23, "s")), event(150, 2, END)])
    again = trace([event(100 + i, 2, INSTANT, (23, "i%d" % (i * i % 1000))) for i in range(2000)])
    data = bytearray(zlib.compress(again))
    data[len(data) // 2] ^= 255
    return trace([[(50, zlib.compress(inner))], [(50, bytes(data))], event(160, 2, INSTANT, (23, "after"))])


def device_packets():
    """Work of devices as PyTorch has written it since it has packets of their own for it."""
    def begin(ts, *rest):
        return event(ts, 2, BEGIN, *rest)
    launch = [(1, [(1, 64)]), (2, [(1, 128), (2, 2)]), (3, [(1, 1), (4, 40)])]

    def work(ts, ident, dur, queue, stage, *rest):
        return [(8, ts), (10, 1), (53, [(1, ident), (2, dur), (5, 1), (11, 0), (13, queue), (14, stage)] + list(rest))]
    return trace([
        process(1, 7, "python"), thread(2, 1, 7, 8, "main"),
        [(10, 1), (13, 1), (12, [
            (2, [(1, 1), (2, "cudaLaunchKernel")]), (2, [(1, 2), (2, "aten::mm")]), (2, [(1, 3), (2, "Memcpy HtoD")]),
            (2, [(1, 4), (2, "cudaMemcpyAsync")]),
            (3, [(1, 1), (2, "External id")]), (3, [(1, 2), (2, "correlation")]),
            (23, [(1, 1), (2, 7), (3, 4)]),
            (24, [(1, 1), (2, "Kernel"), (4, 2)]), (24, [(1, 2), (2, "Memcpy")]), (24, [(1, 100), (2, "stream 0007")]),
            (47, [(1, 1), (2, [(1, [(1, 5), (2, "power")])]), (3, 0)]),
            (1000, [(1, 1), (3, "gemm<float>")]), (1001, [(1, 1), (2, "registers_per_thread")])])],
        begin(1000, (10, 2), (4, [(1, 1), (4, 11)])),
        begin(1100, (10, 1), (3000, [(1, 21)]), (3001, 4)),
        event(1200, 2, END), event(1300, 2, END),
        begin(1400, (10, 4), (3000, [(1, Packed([22]))]), (3001, 4)), event(1450, 2, END),
        work(2000, 21, 500, 100, 1, (19, 1), (21, launch), (6, [(1, "graph node id"), (2, "12")])),
        work(2500, 22, 100, 100, 2, (20, 3), (6, [(1, "bytes"), (2, "4096")])),
        [(8, 2600), (10, 1), (52, [(2, [(1, 5), (3, 300.5)]), (4, 1)])],
    ])


def graph_packets():
    """Work of a graph, as PyTorch has written it since packets have numbers of their own: the call names the first ones,
    the others what they wait for."""
    def work(ts, ident, dur, queue, stage, *rest):
        extra = [(6, [(1, "correlation"), (2, "21")]), (6, [(1, "graph id"), (2, "3")])]
        return [(8, ts), (10, 1), (53, [(1, ident), (2, dur), (5, 1), (11, 0), (13, queue), (14, stage)] + list(rest) + extra)]
    return trace([
        process(1, 7, "python"), thread(2, 1, 7, 8, "main"),
        [(10, 1), (13, 1), (12, [
            (1, [(1, 1), (2, "cuda_runtime")]), (2, [(1, 1), (2, "cudaGraphLaunch")]),
            (24, [(1, 1), (2, "Kernel"), (4, 2)]), (24, [(1, 5), (2, "EventRecord")]), (24, [(1, 6), (2, "HostNode")]),
            (24, [(1, 100), (2, "[0007] stream 7")]), (24, [(1, 101), (2, "[0008] other lane")]),
            (1000, [(1, 1), (3, "gemm"), (4, "sm_90")]), (1000, [(1, 2), (3, "add")])])],
        event(1000, 2, BEGIN, (10, 1), (3, 1), (3000, [(1, 1)]), note("correlation", (4, 21))), event(1100, 2, END),
        work(2000, 1, 500, 100, 1, (19, 1)),
        work(2500, 2, 0, 100, 5, (18, 1)),
        work(2600, 3, 100, 101, 1, (19, 2), (18, Packed([1, 2])), (6, [(1, "stream id"), (2, "8")]),
             (6, [(1, "In split size"), (2, "[1,2]")]), (6, [(1, "Is async"), (2, "true")]), (6, [(1, "arch"), (2, "[x")])),
        work(2700, 4, 50, 100, 6, (18, 3), (6, [(1, "host fn"), (2, "free")])),
    ])


def waiting_packets(*waits):
    """Two calls launch a on stream 7 and b on stream 8; a call makes stream 8 wait.  waits: fields of b."""
    def call(ts, ident):
        return [event(ts, 2, BEGIN, (10, 1), (3, 1), note("correlation", (4, ident))), event(ts + 100, 2, END)]

    def work(ts, dur, ident, queue, *rest):
        return [(8, ts), (10, 1), (53, [(1, ident), (2, dur), (11, 0), (13, queue), (14, 1), (19, ident - 20)] + list(rest))]
    return trace([
        process(1, 7, "python"), thread(2, 1, 7, 8, "main"),
        [(10, 1), (13, 1), (12, [
            (1, [(1, 1), (2, "cuda_runtime")]), (2, [(1, 1), (2, "cudaLaunchKernelExC")]),
            (2, [(1, 2), (2, "cudaStreamWaitEvent")]),
            (24, [(1, 1), (2, "Kernel"), (4, 2)]), (24, [(1, 100), (2, "stream 7")]), (24, [(1, 101), (2, "stream 8")]),
            (1000, [(1, 1), (3, "a")]), (1000, [(1, 2), (3, "b")])])],
        *call(1000, 21), event(1200, 2, BEGIN, (10, 2), (3, 1)), event(1210, 2, END), *call(1300, 22),
        work(2000, 5000, 21, 100), work(7100, 300, 22, 101, *waits),
    ])


def device_events():
    """The same as PyTorch wrote it at first: work of devices as track events without a category."""
    def args(device, stream, correlation, **more):
        notes = [note("device", (4, device)), note("stream", (4, stream)), note("correlation", (4, correlation))]
        return notes + [note(k.replace("_", " "), v) for k, v in more.items()]
    return trace([
        process(1, 7, "python"), thread(2, 1, 7, 8, "main"), process(3, 100, "GPU 0"), thread(4, 3, 100, 7, "stream 7"),
        event(1000, 2, BEGIN, (23, "aten::mm"), note("External id", (4, 11))),
        event(1100, 2, BEGIN, (23, "cudaLaunchKernel"), note("correlation", (4, 21))),
        event(1400, 2, BEGIN, (23, "cudaMemcpyAsync"), note("correlation", (4, 22))),
        event(2000, 4, BEGIN, (23, "gemm<float>"), *args(0, 7, 21, grid=(12, [(4, 64)]))),
        event(2500, 4, BEGIN, (23, "Memcpy HtoD"), *args(0, 7, 22, bytes=(4, 4096))),
        event(1200, 2, END), event(1300, 2, END), event(1450, 2, END), event(2490, 4, END), event(2600, 4, END),
    ])


def rocprof():
    """As rocprofv3 writes: calls, dispatches and copies on named tracks."""
    def span(ts, dur, track, cat, name, *notes):
        flow = (47, Fixed(5))
        return [event(ts, track, BEGIN, (22, cat), (23, name), flow, *notes), event(ts + dur, track, END)]
    packets = [process(1, 7, "app"), named(2, 1, "THREAD 0"), named(3, 1, "COMPUTE AGENT [4] QUEUE [1]"),
               named(4, 1, "COPY to AGENT [4]")]
    packets += span(1000, 100, 2, "hip_api", "hipLaunchKernel", note("corr_id", (3, 5)))
    packets += span(1200, 300, 3, "kernel_dispatch", "gemm", note("corr_id", (3, 5)), note("agent", (6, "gpu_1")),
                    note("agent_ID", (3, 4)),
                    note("queue", (3, 2)), note("LDS_Block_Size", (3, 1024)), note("VGPR_Count", (3, 32)))
    packets += span(1600, 50, 2, "hip_api", "hipMemcpyAsync", note("corr_id", (3, 6)))
    packets += span(1700, 90, 4, "memory_copy", "MEMORY_COPY_HOST_TO_DEVICE", note("corr_id", (3, 6)),
                    note("copy_bytes", (3, 4096)), note("dst_agent", (3, 4)))
    return trace(packets)


def rocprof_copies():
    """Copies with sizes by rocprofv3's name; one has an arg bytes of its own."""
    packets = [process(1, 7, "app"), named(4, 1, "COPY to AGENT [4]")]
    for i, name in enumerate(["a", "b", "own", "c", "d"]):
        own = [note("bytes", (3, i))] if name == "own" else []
        packets += [event(1000 * i, 4, BEGIN, (22, "memory_copy"), (23, name), note("corr_id", (3, i)),
                          note("copy_bytes", (3, 100 + i)), *own, note("dst_agent", (3, 4))),
                    event(1000 * i + 90, 4, END)]
    return trace(packets)


def rocprof_streams():
    """As rocprofv3 has written since it knows streams: agents are texts, copies stand before dispatches, calls in calls
    after the calls around them, times go back and forth."""
    def span(ts, dur, track, cat, name, correlation, *notes):
        begin = event(ts, track, BEGIN, (22, cat), (23, name), note("corr_id", (3, correlation)), *notes)
        return [begin, event(ts + dur, track, END)]
    packets = [process(1, 7, "app"), named(2, 1, "THREAD 0 (7)"), named(3, 1, "COPY to AGENT [4] STREAM [2] (GPU)"),
               named(4, 1, "COPY to AGENT [0] STREAM [2] (CPU)"), named(5, 1, "COMPUTE AGENT [4] STREAM [2] (GPU)")]
    packets += span(1010, 50, 2, "hsa_api", "hsa_queue_create", 4) + span(3010, 20, 2, "hsa_api", "hsa_signal_create", 7)
    packets += span(1000, 100, 2, "hip_api", "hipLaunchKernel", 5) + span(3000, 90, 2, "hip_api", "hipMemcpyAsync", 6)
    packets += span(3200, 40, 3, "memory_copy", "MEMORY_COPY_HOST_TO_DEVICE", 6, note("src_agent", (6, "Agent-0")),
                    note("dst_agent", (6, "Agent-4")), note("copy_bytes", (3, 64)))
    packets += span(3300, 40, 4, "memory_copy", "MEMORY_COPY_DEVICE_TO_HOST", 6, note("src_agent", (6, "Agent-4")),
                    note("dst_agent", (6, "Agent-0")), note("copy_bytes", (3, 64)))
    packets += span(1200, 300, 5, "kernel_dispatch", "gemm", 5, note("agent", (6, "Agent-4")),
                    note("queue", (3, 140700000000000)), note("grid_size", (3, 64)), note("workgroup_size", (3, 32)))
    return trace(packets)
