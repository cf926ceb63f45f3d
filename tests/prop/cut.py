#!/usr/bin/env python3
"""A stream that was cut short never passes for a whole one.

usage: cut.py BIN STREAM [STEP]

Cuts STREAM at every byte (with STEP: every STEP bytes, every byte near both ends) and gives each piece
to tr-info, tr-breakdown, tr-view and tr-filter of BIN, as a file and on standard input by turns.  All of them must end with status 3
and one line on standard error that starts with their name; reports (tr-info, tr-breakdown) print no
table, and -o leaves no file behind.
Output is TAP, one line per program.
"""
import os
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


def command(bin_dir, program):
    """The program itself where libtool has put a script in front of it: starting it is most of the time."""
    real = os.path.join(bin_dir, ".libs", program)
    return real if os.access(real, os.X_OK) else os.path.join(bin_dir, program)


def fault(program, argv, quiet, piece, path, out, n, env):
    with open(path, "wb") as f:
        f.write(piece)
    by_name = n % 2 == 0
    with open(path, "rb") as f:
        p = subprocess.run(argv + ([path] if by_name else []), env=env, stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, timeout=60, stdin=subprocess.DEVNULL if by_name else f)
    said = p.stderr.decode("utf-8", "replace")
    if p.returncode != 3:
        return "status %d, not 3; it said: %s" % (p.returncode, said.strip()[-200:])
    if quiet and p.stdout:
        return "printed %d bytes" % len(p.stdout)
    errors = [s for s in said.split("\n") if s and ": warning: " not in s]
    if len(errors) != 1 or not errors[0].startswith(program + ": "):
        return "said %r" % said[-200:]
    if os.path.exists(out):
        os.remove(out)
        return "left an output file behind"
    return None


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, stream = sys.argv[1], open(sys.argv[2], "rb").read()
    step = int(sys.argv[3]) if len(sys.argv) == 4 else 1
    near = min(256, len(stream))
    cuts = sorted(set(range(0, len(stream), step)) | set(range(len(stream) - near, len(stream))) |
                  set(range(near)))
    libs = os.path.join(bin_dir, "..", "libcore", ".libs")
    env = dict(os.environ, LD_LIBRARY_PATH=libs + ":" + os.environ.get("LD_LIBRARY_PATH", ""))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "cut.trs"), os.path.join(folder, "out")
        for n, (program, arguments, quiet) in enumerate(CASES, 1):
            argv = [command(bin_dir, program)] + [a.replace("{out}", out) for a in arguments]
            if not os.access(argv[0], os.X_OK):
                print("ok %d - %s # SKIP not built" % (n, program))
                continue
            faults = [(k, f) for i, k in enumerate(cuts)
                      for f in [fault(program, argv, quiet, stream[:k], path, out, i, env)] if f]
            failed += bool(faults)
            print("%sok %d - %s %s: %d pieces of a stream of %d bytes" % (
                "not " if faults else "", n, program, " ".join(arguments), len(cuts), len(stream)))
            for k, f in faults[:SHOWN]:
                print("# first %d bytes: %s" % (k, f))
            sys.stdout.flush()
    print("1..%d" % len(CASES))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
