# Truth: by hand.  Two processes launch work with correlations 1 and 2.  The numbers of the second one are others in the
# stream (2^40 more); each work has the launch of its own process.  Kernel "second" waited for "first".  Three records
# are damaged: work that is cut, what no work waited for, and a list that says that it has more numbers than it has.
${PYTHON:-python3} - <<'END'
import struct

def word(*values):
    return struct.pack("<%dQ" % len(values), *(v & (1 << 64) - 1 for v in values))

def first(type, api, words, name=0xffff, aux=0xffff):
    return type | api << 8 | words << 16 | name << 32 | aux << 48

def name(number, text):
    data = text.encode() + b"\0" * (-len(text) % 8)
    return word(first(1, 0, 2 + len(data) // 8, number), len(text)) + data

def work(api, name, ts, dur, device, queue, correlation):
    return word(first(16, api, 5, name, 4), ts, dur, queue | device << 32, correlation)

def arg(key, value):
    return word(first(8, 0, 2, key, 0), value)

def numbers(key, *values):
    return word(first(8, 0, 2 + len(values), key, 5), len(values), *values)

def call(name, start, end, correlation):
    return word(first(2, 9, 2, name), start, first(17, 0, 2), correlation, first(3, 9, 2), end)

def block(pid, records):
    head = struct.pack("<8sIIIIiiQQQ", b"\211trcrec1", 56 + len(records), len(records), 1, 0, pid, pid, 5, 1000000, 1)
    return head + records

NAMES = b"".join(name(i, t) for i, t in enumerate(
    ("first", "second", "clEnqueueNDRangeKernel", "clEnqueueReadBuffer", "a device", "bytes", "grid", "Stream Sync")))
(FIRST, SECOND, LAUNCH, READ, DEVICE, BYTES, GRID, SYNC), (KERNEL, COPY, WAIT) = range(8), (10, 11, 13)
one = NAMES + call(LAUNCH, 100, 110, 1) + call(LAUNCH, 120, 130, 2) + call(READ, 140, 400, 3)
one += work(KERNEL, FIRST, 200, 50, 0, 1, 1) + numbers(GRID, 4, 2, 1)
one += work(KERNEL, SECOND, 260, 30, 0, 2, 2) + word(first(18, 0, 2), 1)
one += work(COPY, READ, 300, 90, 0, 2, 3) + arg(BYTES, 4096) + work(WAIT, SYNC, 140, 260, 0, 2, 3)
one += word(first(16, KERNEL, 3, FIRST, DEVICE), 410, 5)  # cut
one += call(LAUNCH, 420, 430, 4) + word(first(18, 0, 2), 1)  # no work
one += work(KERNEL, FIRST, 440, 5, 0, 1, 4) + word(first(8, 0, 3, GRID, 5), 9, 1)
two = NAMES + call(LAUNCH, 105, 115, 1) + work(KERNEL, FIRST, 205, 50, 0, 1, 1)
two += call(LAUNCH, 125, 135, 2) + work(KERNEL, SECOND, 265, 30, 1, 1, 2) + word(first(18, 0, 2), 1)
open("job.trr", "wb").write(block(11, one) + block(12, two))
END
tr-view -O tsv --unit ns --columns ts,dur,activity,name,pid,device,stream,launch_ts,args job.trr
echo "== devices"
tr-view -q -O chrome job.trr | grep -o '"deviceProperties":[^]]*]'
echo "== what was waited for"
tr-critpath -q --gaps --by path -O tsv --where 'pid == 11' job.trr | cut -f 3,4,7
