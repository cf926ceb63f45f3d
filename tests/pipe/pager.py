#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""When a pager gets the text of a program on a terminal, and what becomes of its exit status.

usage: pager.py BIN SAMPLE DIR   BIN: folder of the programs, SAMPLE: folder of the sample traces, DIR: an empty folder

The pagers are scripts that write what they get, and the options for less, to a file.  Truth: the text that the same
command prints on a terminal without a pager.  One line of TAP for each case.
"""
import os
import pty
import subprocess
import sys

sys.dont_write_bytecode = True  # the source tree may be read-only
from terminal import read_all

BIN, SAMPLE, DIR = sys.argv[1:4]
TRACE = os.path.join(SAMPLE, "rank0.json.gz")
SUM = ["tr-sum", "--top", "3", TRACE]
LONG = ["tr-view", "-n", "3000", TRACE]
SEEN = os.path.join(DIR, "seen")
LIKE_LESS = os.path.join(DIR, "pager")
STOPS = os.path.join(DIR, "stops")
n = failed = 0


def script(path, text):
    with open(path, "w") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o755)


def run(command, terminal=True, **variables):
    """(output, what the pager saw or None, messages, status)"""
    env = {k: v for k, v in os.environ.items() if k not in ("TR_PAGER", "PAGER", "LESS", "COLUMNS")}
    env.update(PATH=os.path.abspath(BIN) + ":" + env["PATH"], TERM="xterm", LC_ALL="C", NO_COLOR="1")
    env.update(variables)
    if os.path.exists(SEEN):
        os.remove(SEEN)
    master, slave = pty.openpty() if terminal else os.pipe()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE, env=env)
    os.close(slave)
    out = read_all(master)
    messages = child.stderr.read()
    seen = open(SEEN, "rb").read() if os.path.exists(SEEN) else None
    return out.replace(b"\r\n", b"\n"), seen, messages, child.wait()


def ok(have, want, what):
    global n, failed
    n += 1
    failed += have != want
    print("%sok %d - %s" % ("" if have == want else "not ", n, what))
    if have != want:
        print("# have %.300r\n# want %.300r" % (have, want))


script(LIKE_LESS, 'echo "LESS=$LESS $*" >%s; cat >>%s; exit 7\n' % (SEEN, SEEN))
script(STOPS, "exec true\n")
text = run(SUM, TR_PAGER="")[0]
usual = b"LESS=FRSX \n" + text

ok(text.count(b"\n"), 5, "no pager: a header, three rows, and the others")
ok(run(SUM, TR_PAGER=LIKE_LESS), (b"", usual, b"", 0), "a pager has the text, and the status is the program's")
ok(run(SUM, PAGER=LIKE_LESS), (b"", usual, b"", 0), "PAGER is the pager if TR_PAGER is not set")
ok(run(SUM, PAGER=STOPS, TR_PAGER=LIKE_LESS)[1], usual, "TR_PAGER comes before PAGER")
ok(run(SUM, TR_PAGER=LIKE_LESS, LESS="X")[1], b"LESS=X \n" + text, "LESS stays as it is")
ok(run(SUM, TR_PAGER=LIKE_LESS + " -a b")[1], b"LESS=FRSX -a b\n" + text, "a pager with options")
ok(run(SUM, TR_PAGER="cat >'%s'; false" % SEEN), (b"", text, b"", 0), "a pager for the shell")
out, seen, said, status = run(SUM, TR_PAGER="nowhere-pager --as='it is'")
ok((out, seen, status), (text, None, 0), "a pager for the shell that does not exist: the text is printed")
ok(b"nowhere-pager" in said, True, "and the shell says so")
for off in ("", "cat", "/nowhere/pager"):
    ok(run(SUM, PAGER=LIKE_LESS, TR_PAGER=off), (text, None, b"", 0), "no pager: TR_PAGER=" + off)
ok(run(SUM, PATH=os.path.abspath(BIN))[0], text, "no less installed")
ok(run(SUM, terminal=False, TR_PAGER=LIKE_LESS)[1], None, "no pager in a pipe")
ok(run(SUM + ["-O", "text"], terminal=False, TR_PAGER=LIKE_LESS)[1], None, "nor for text in a pipe")
for format in ("tsv", "json"):
    ok(run(SUM + ["-O", format], TR_PAGER=LIKE_LESS)[1], None, "no pager for " + format)
ok(run(SUM, TR_FORMAT="md", TR_PAGER=LIKE_LESS)[1], None, "nor for what TR_FORMAT says")
ok(run(SUM + ["-o", os.path.join(DIR, "table")], TR_PAGER=LIKE_LESS)[1], None, "no pager for a file")
ok(run(["tr-sum", "--help"], TR_PAGER=LIKE_LESS)[1], None, "no pager for the help")
ok(run(["tr-parse", "-f", TRACE], TR_PAGER=LIKE_LESS)[1], None, "no pager for a stream")
for command in ("tr-report", "tr-info", "tr-view"):
    ok(run([command, TRACE], TR_PAGER=LIKE_LESS)[1] is not None, True, "a pager for " + command)
ok(run(SUM + ["--unit", "x"], TR_PAGER=LIKE_LESS)[1::2], (None, 2), "no pager for a program that fails at once")
ok(run(["tr-diff", "--fail-if", "base_us >= 0ns", TRACE, TRACE], TR_PAGER=LIKE_LESS)[3], 1, "the answer no is the status")
ok(run(LONG, TR_PAGER=STOPS), (b"", None, b"", 0), "a pager that ends early is no failure")
print("1..%d" % n)
sys.exit(failed > 0)
