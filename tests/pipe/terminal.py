#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What programs print on a terminal: of 80 and of 200 columns no line is longer, and no two names look alike.

usage: terminal.py BIN SAMPLE   BIN: folder of the programs, SAMPLE: folder of the sample traces

Each command runs on a pseudo-terminal of that size, as a user has it: text is what programs print there by
themselves.  Truth for the names: the same command with -O tsv, which has them whole.  One line of TAP for each.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
import unicodedata

COMMANDS = """tr-report
tr-info
tr-breakdown
tr-breakdown --per step
tr-breakdown --by type
tr-breakdown --by idle
tr-breakdown --by kernel
tr-breakdown --by operator
tr-breakdown --by operator,shape
tr-breakdown --by gap --top 20
tr-overlap
tr-launch
tr-launch --by launch --top 5
tr-sum --by name --top 5
tr-comm
tr-comm --by straggler
tr-critpath
tr-memory --by summary --human
tr-diff
tr-view -n 200
tr-breakdown --by kernel --columns all""".split("\n")
TELLING = {"tr-breakdown --by kernel": "name", "tr-breakdown --by operator": "name", "tr-breakdown --by gap --top 20": "during",
           "tr-breakdown --by operator,shape": "name", "tr-launch --by launch --top 5": "name", "tr-sum --by name --top 5": "name"}
COLOUR = re.compile("\033\\[[0-9;]*m")


def read_all(master):
    """What is written to a terminal or pipe, until all who could write have gone; closes it."""
    out = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        out += piece
    os.close(master)
    return out


def on_terminal(command, columns, env):
    """What a command prints on a terminal, without colours; (text, raw text, status)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=slave, stderr=subprocess.PIPE, env=env)
    os.close(slave)
    out = read_all(master)
    child.stderr.read()
    raw = out.decode("utf-8").replace("\r\n", "\n")
    return COLOUR.sub("", raw), raw, child.wait()


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def ambiguous(text, command, traces, column, env):
    """Names that look alike on the terminal, or of which there are not as many as there are."""
    tsv = subprocess.run(command + ["-O", "tsv", "--columns", column] + traces, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, env=env).stdout.decode().split("\n")[1:-1]
    lines = text.split("\n")
    at = lines[0].rindex(column)
    shown = [line[at:] for line in lines[1:-1]]
    if len(tsv) != len(shown):
        return ["%d rows, %d expected" % (len(shown), len(tsv))]
    looks = {}
    for name, form in zip(tsv, shown):
        looks.setdefault(form if form != "-" else "", set()).add(name)
    return [form for form, names in looks.items() if len(names) > 1]


def main():
    bin_dir, sample = sys.argv[1:3]
    traces = [os.path.join(sample, "rank%d.json.gz" % rank) for rank in (0, 1)]
    env = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "NO_COLOR")}
    env.update(PATH=os.path.abspath(bin_dir) + ":" + env["PATH"], TERM="xterm", LC_ALL="C", TR_PAGER="")
    n = failed = 0
    for columns in (80, 200):
        for line in COMMANDS:
            command = line.split()
            text, raw, status = on_terminal(command + traces, columns, env)
            wrong = ["status %d" % status] if status else []
            wrong += [row for row in text.split("\n") if width(row) > columns]
            if text.count("\n") < 2:
                wrong.append("no lines")
            if command[0] != "tr-view" and "\033[1m" not in raw:
                wrong.append("no bold header")
            if line in TELLING:
                wrong += ["looks like several: " + form for form in ambiguous(text, command, traces, TELLING[line], env)]
            n += 1
            failed += bool(wrong)
            print("%sok %d - %s on %d columns" % ("not " if wrong else "", n, line, columns))
            for row in wrong[:5]:
                print("# " + row)
    text, raw, status = on_terminal(["tr-overlap"] + traces, 80, dict(env, NO_COLOR="1"))
    n += 1
    failed += raw != text
    print("%sok %d - NO_COLOR" % ("not " if raw != text else "", n))
    print("1..%d" % n)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
