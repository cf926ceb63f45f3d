#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A stream that was cut short never passes for a whole one.

usage: cut.py BIN STREAM [STEP [PART]]

Cuts STREAM at every byte (with STEP: each program takes every STEP-th one, beginning at another, and every byte near
both ends; STEP all: as many as there are programs, so that each byte has its turn once; PART, a number below 4: a
fourth of these, others for each program) and gives each piece to tr-info, tr-breakdown, tr-view and tr-filter of
BIN, as a file and on standard input by turns.  All of them must end with status 3 and one line on standard error that starts with their
name; reports (tr-info, tr-breakdown) print no table, and -o leaves no file behind.  So do all other
programs of tools/tools.list that read traces, with -o.
Output is TAP, one line per program.
"""
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

CASES = [  # program, arguments, must standard output be empty
    ("tr-info", [], True),
    ("tr-breakdown", ["-O", "tsv"], True),
    ("tr-view", ["-O", "jsonl"], False),
    ("tr-filter", ["-f", "dur >= 0"], False),
    ("tr-filter", ["-o", "{out}", "dur >= 0"], True),
    ("tr-view", ["-O", "chrome", "-o", "{out}"], True),
]
SHOWN = 5
NEAR = 40  # bytes at both ends that STEP does not skip
PARTS = 4


ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def rows(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return [line.rstrip("\n").split("\t") for line in f if line.strip() and line[0] != "#"]


def other_cases(bin_dir, env):
    """Programs that CASES does not name."""
    operands = {row[0]: shlex.split(row[1]) for row in rows("tests/harness/operands.tsv")}
    for row in rows("tools/tools.list"):
        program = command(bin_dir, row[0])
        if row[0] in {case[0] for case in CASES} or not os.access(program, os.X_OK):
            continue
        table = subprocess.run([program, "--option-table"], env=env, stdout=subprocess.PIPE, text=True).stdout
        names = {line.split("\t")[2] for line in table.splitlines()}
        if {"input-format", "output"} <= names:
            yield row[0], ["-o", "{out}"] + operands.get(row[0], []), True


def command(bin_dir, program):
    """The program itself where libtool has put a script in front, which costs most of the time."""
    real = os.path.join(bin_dir, ".libs", program)
    return real if os.access(real, os.X_OK) else os.path.join(bin_dir, program)


def fault(program, arguments, quiet, piece, folder, env):
    """What is wrong with how the program takes this piece of a stream, or None."""
    path, out = ("%s/%d.%s" % (folder, len(piece), end) for end in ("trs", "out"))
    argv = [program] + [a.replace("{out}", out) for a in arguments]
    with open(path, "wb") as f:
        f.write(piece)
    by_name = len(piece) % 2 == 0
    with open(path, "rb") as f:
        p = subprocess.run(argv + ([path] if by_name else []), env=env, timeout=60,
                           stdin=subprocess.DEVNULL if by_name else f,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.remove(path)
    said = p.stderr.decode("utf-8", "replace")
    if p.returncode != 3:
        return "status %d, not 3; it said: %s" % (p.returncode, said.strip()[-200:])
    if quiet and p.stdout:
        return "printed %d bytes" % len(p.stdout)
    errors = [s for s in said.split("\n") if s and ": warning: " not in s]
    if len(errors) != 1 or not errors[0].startswith(os.path.basename(program) + ": "):
        return "said %r" % said[-200:]
    if os.path.exists(out):
        return "left an output file behind"
    return None


def main():
    if len(sys.argv) not in (3, 4, 5):
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, stream = sys.argv[1], open(sys.argv[2], "rb").read()
    near = [*range(NEAR), *range(len(stream) - NEAR, len(stream))]
    part = None if len(sys.argv) < 5 or sys.argv[4] == "all" else int(sys.argv[4])
    libs = os.path.join(bin_dir, "..", "libcore", ".libs")
    env = dict(os.environ, LD_LIBRARY_PATH=libs + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
    failed = 0
    cases = CASES + list(other_cases(bin_dir, env))
    step = 1 if len(sys.argv) == 3 else len(cases) if sys.argv[3] == "all" else int(sys.argv[3])
    for n, (program, arguments, quiet) in enumerate(cases, 1):
        path = command(bin_dir, program)
        ends = {k for k in near if part is None or (k + n) % PARTS == part}
        first, every = (n % step, step) if part is None else (n % step + part * step, step * PARTS)
        cuts = sorted(k for k in set(range(first, len(stream), every)) | ends if 0 <= k < len(stream))
        if not os.access(path, os.X_OK):
            print("ok %d - %s # SKIP not built" % (n, program))
            continue
        with tempfile.TemporaryDirectory() as folder, \
                concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            results = pool.map(
                lambda k: fault(path, arguments, quiet, stream[:k], folder, env), cuts)
            faults = [(k, f) for k, f in zip(cuts, results) if f]
        failed += bool(faults)
        print("%sok %d - %s: %d pieces of a stream of %d bytes" % (
            "not " if faults else "", n, " ".join([program] + arguments), len(cuts), len(stream)))
        for k, f in faults[:SHOWN]:
            print("# first %d bytes: %s" % (k, f))
        sys.stdout.flush()
    print("1..%d" % len(cases))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
