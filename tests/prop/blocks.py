#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-filter and the blocks of streams: see blocks.sh.  usage: blocks.py WINDOWS, in a folder with the streams."""
import os
import random
import subprocess
import sys

ALL = "depth >= 0 || !(depth >= 0)"  # true of each event, and asks what is around it: so every block is read
n_tests = 0
failed = 0


def ok(good, what, *more):
    global n_tests, failed
    n_tests += 1
    failed += not good
    print("%sok %d - %s" % ("" if good else "not ", n_tests, what))
    for line in more if not good else ():
        print("# %s" % (line,))


def run(command, stdin=None):
    """The status, and the bytes that it read (None where the system does not say)."""
    child = subprocess.Popen(command, stdin=stdin, stdout=subprocess.DEVNULL, stderr=open("err", "w"))
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    try:
        read = int(open("/proc/%d/io" % child.pid).readline().split()[1])
    except OSError:
        read = None
    return child.wait(), read


def events(stream):
    return subprocess.run(["tr-view", "-q", "-O", "jsonl", stream], stdout=subprocess.PIPE).stdout


def select(args, expression, inputs, stdin=None):
    status, read = run(["tr-filter", "-q", "-j", "1", *args, "-o", "have.trs", expression, *inputs], stdin)
    return status, events("have.trs") if status == 0 else b"", read


def same(what, args, inputs):
    want = select(args, ALL, inputs)
    have = select(args, "true", inputs)
    if want[:2] != have[:2]:
        return "%s %s: status %d and %d, %d and %d bytes" % (what, args, want[0], have[0], len(want[1]), len(have[1]))
    return ""


def shares(what, args, inputs, most):
    """Less than so many percent of the bytes are read."""
    size = sum(os.path.getsize(name) for name in inputs)
    status, found, read = select(args, "true", inputs)
    if read is None:
        print("ok %d - %s # SKIP no /proc" % (n_tests + 1, what))
        return
    ok(status == 0 and found and read < size * most / 100, "%s: less than %d %% are read" % (what, most),
       "status %d, %d of %d bytes" % (status, read, size))


def spoil(name, share):
    """A copy of a stream of which a block of events is damaged: the one at this share of the file."""
    data = bytearray(open(name, "rb").read())
    at = 16
    while at < share * len(data) or data[at] != 10:
        at += 48 + int.from_bytes(data[at + 8:at + 12], "little")
    data[at + 48 + 20] ^= 255
    open("spoiled.trs", "wb").write(data)


def main():
    draw = random.Random(1)
    streams = [["0.trs"], ["all.trs"], ["aligned.trs"], ["0.trs", "1.trs", "2.trs"]]
    wrong = []
    for i in range(int(sys.argv[1])):
        inputs = streams[i % len(streams)]
        start, step = draw.randrange(0, 200000), draw.randrange(15, 27)
        for args in (["--time", "+%dus..+%dus" % (start, start + draw.choice((1, 500, 20000)))],
                     ["--step", "%d..%d" % (step, step + draw.randrange(3))],
                     ["--rank", str(draw.randrange(3)), "--step", str(step)]):
            wrong.append(same(inputs, args, inputs))
    wrong = [line for line in wrong if line]
    ok(not wrong, "the same events are selected", *wrong)
    shares("a window of a file", ["--time", "+50ms..+52ms"], ["0.trs"], 40)
    shares("a window of a merged file", ["--time", "+50ms..+52ms"], ["all.trs"], 40)
    shares("a step", ["--step", "20"], ["0.trs"], 50)
    shares("a step of an aligned file", ["--step", "20"], ["aligned.trs"], 50)
    shares("a rank of three files", ["--rank", "1"], ["0.trs", "1.trs", "2.trs"], 60)
    args = ["--time", "+20ms..+22ms"]
    with open("all.trs", "rb") as stdin:
        _, piped, _ = select(args, "true", ["-"], subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE).stdout)
    _, whole, _ = select(args, "true", ["all.trs"])
    ok(piped == whole and whole, "a pipe gives the same")
    spoil("all.trs", 0.8)
    ok(select([], "true", ["spoiled.trs"])[0] == 3, "a damaged block is refused")
    ok(select(args, "true", ["spoiled.trs"])[1] == whole, "but not if it is not needed")
    with open("spoiled.trs", "rb") as stdin:
        _, piped, _ = select(args, "true", ["-"], subprocess.Popen(["cat"], stdin=stdin, stdout=subprocess.PIPE).stdout)
    ok(piped == whole, "nor in a pipe")
    print("1..%d" % n_tests)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
