# SPDX-License-Identifier: MIT
"""The tests of this tier: which there are, running one, and which lines each executes."""

import json
import os
import re
import selectors
import shutil
import signal
import subprocess
import sys
import time

import tree as trees

GRACE = 20         # seconds that any test may take beyond three times its own time
MEMORY = 6 << 20   # KiB of data for each process: a mutant may allocate without end
STACK = 2 << 10    # KiB of stack for each thread, so that the most threads fit
FILE = 4 << 20     # blocks of 512 bytes that a file may have
# Address space has no limit: programs reserve more of it than they use.
LIMITED = "ulimit -c 0; ulimit -f %d; ulimit -d %d; ulimit -s %d; exec \"$@\"" % (FILE, MEMORY, STACK)


class Test:
    """name: as printed; command: run in the folder `tests' of a place; files: what it is made of."""

    def __init__(self, name, command, files):
        self.name, self.command, self.files = name, command, files
        self.seconds, self.cpu, self.lines = 0.0, 0.0, {}

    def key(self, src):
        """Changes when the test does."""
        texts = []
        for path in self.files:
            path = os.path.join(src, "tests", path)
            if os.path.isdir(path):
                for folder, folders, names in os.walk(path):
                    folders.sort()
                    texts += [trees.read(os.path.join(folder, n)) for n in sorted(names)]
            elif os.path.exists(path):
                texts.append(trees.read(path))
        return trees.digest(self.name, *texts)


def left_out(path):
    """{pattern of names: reason} and {variable: value}, from tests.tsv."""
    patterns, variables = {}, {}
    with open(path) as f:
        for line in f:
            fields = line.rstrip("\n").split("\t")
            if fields[0] == "skip":
                patterns[fields[1]] = fields[2]
            elif fields[0] == "set":
                variables[fields[1]] = fields[2]
    return patterns, variables


def find(tree, skipped):
    """All tests but those left out: programs, golden cases one by one, scripts."""
    values, found = tree.tests, []
    tests = os.path.join(tree.src, "tests")
    for kind in ("unit_tests", "spec_tests", "attack_tests", "fuzz_tests"):
        for name in trees.words(values, kind):
            found.append(Test(name, ["./" + name], [name.split("/")[0], "harness"]))
    golden = os.path.join(tests, "golden")
    for folder in sorted(os.listdir(golden)):
        for name in sorted(os.listdir(os.path.join(golden, folder))):
            if name.endswith(".sh"):
                case = folder + "/" + name[:-3]
                files = ["golden/%s.%s" % (case, e) for e in ("sh", "stdout.exact", "stderr.glob", "exit")]
                found.append(Test("golden/" + case, ["sh", tests + "/harness/golden", case], files))
    for name in trees.words(values, "shell_tests"):
        if name != "golden.sh":
            found.append(Test(name, ["sh", os.path.join(tests, name)],
                              [name.split("/")[0], "harness", "gen", "prop/lib.sh"]))
    return [t for t in found if not any(re.fullmatch(p, t.name) for p in skipped)]


def bad_line(line):
    """Is this line of TAP a failure?"""
    return line.startswith("Bail out!") or \
        (line.startswith("not ok") and not re.search(r"# SKIP", line, re.I))


class Runner:
    """Runs tests in a place (a folder with lib, tools and tests)."""

    def __init__(self, tree, place, tmp, variables):
        self.place, self.tmp = place, tmp
        self.env = dict(os.environ, **variables)
        for name in ("TR_CORPUS", "TR_LONG", "TR_SAMPLE", "TR_LIST"):
            self.env.pop(name, None)
        self.env.update(TR_BIN=place + "/tools", TR_GEN=place + "/tests/gen/trgen", srcdir=tree.src + "/tests",
                        PYTHON=sys.executable, PYTHONDONTWRITEBYTECODE="1", LC_ALL="C", MANDOC="")

    def run(self, test, limit, through=False):
        """(what went wrong or "", seconds, seconds of CPU): stops at the first failure, unless it is to go through."""
        shutil.rmtree(self.tmp, ignore_errors=True)
        os.makedirs(self.tmp)
        start = time.monotonic()
        p = subprocess.Popen(["sh", "-c", LIMITED, "sh"] + test.command, cwd=self.place + "/tests",
                             env=dict(self.env, TMPDIR=self.tmp), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            wrong = "broken off"
            wrong = self.watch(p, start + limit, through)
        finally:
            done = ended(p.pid, start + limit if wrong is None else 0)
            try:
                os.killpg(p.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            done = done or os.wait4(p.pid, 0)
            p.returncode = done[1]  # it has been waited for
            p.stdout.close()
        seconds = time.monotonic() - start
        shutil.rmtree(self.tmp, ignore_errors=True)
        if wrong is None:
            wrong = "status %d" % os.waitstatus_to_exitcode(done[1]) if done[1] else ""
        return wrong, seconds, done[2].ru_utime + done[2].ru_stime

    @staticmethod
    def watch(p, until, through):
        """Read lines until the first that is bad, or all: what is wrong, or None if the status decides."""
        rest, planned = b"", None
        with selectors.DefaultSelector() as selector:
            selector.register(p.stdout, selectors.EVENT_READ)
            while True:
                left = until - time.monotonic()
                if left <= 0:
                    return "time"
                if not selector.select(left):
                    continue
                data = os.read(p.stdout.fileno(), 65536)
                if not data:
                    break
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    text = line.decode(errors="replace")
                    if bad_line(text) and not through:
                        return text
                    if re.match(r"1\.\.\d", text):
                        planned = text
        if planned is None:
            return "no plan"
        return "skipped" if planned.startswith("1..0") else None


def ended(pid, until):
    """What wait4 says when the process ends by itself before that time, else None."""
    while True:
        done = os.wait4(pid, os.WNOHANG)
        if done[0]:
            return done
        if time.monotonic() >= until:
            return None
        time.sleep(0.01)


# ---- lines ----

def executed(document, src):
    """{path in the copy: set of lines} of one document of gcov --json-format."""
    found = {}
    for file in document["files"]:
        path = os.path.normpath(os.path.join(document.get("current_working_directory", ""), file["file"]))
        if path.startswith(src + os.sep) and path.endswith(".c"):
            lines = {line["line_number"] for line in file["lines"] if line["count"] > 0}
            if lines:
                found.setdefault(path[len(src) + 1:], set()).update(lines)
    return found


def collect(folder, src):
    """All lines that the counts below a folder say were executed; the notes stand beside them."""
    names = [os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f.endswith(".gcda")]
    names = [n for n in names if "/libcore/" in n or "/tools/" in n]
    found = {}
    if not names:
        return found
    done = subprocess.run(["gcov", "--json-format", "--stdout"] + sorted(names), stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, cwd=folder)
    for text in done.stdout.splitlines():
        if text.startswith(b"{"):
            for path, lines in executed(json.loads(text), src).items():
                found.setdefault(path, set()).update(lines)
    return found


def measure(tree, test, plain, counting, counts):
    """Run a test twice: as it is, for its time, and counted, for its lines."""
    wrong, seconds, cpu = plain.run(test, 600)
    if wrong:
        return {"wrong": wrong}
    for d, _, files in os.walk(counts):
        for f in files:
            if f.endswith(".gcda"):
                os.remove(os.path.join(d, f))
    counting.run(test, 1800, through=True)  # counters have messages of their own, and a test may mind them
    lines = collect(counts + counting.place, tree.src)
    return {"wrong": "", "seconds": round(seconds, 2), "cpu": round(cpu, 2), "lines": {p: sorted(n) for p, n in lines.items()}}


def notes(gcov, counts):
    """The compiler's notes beside the place where the counts will be written."""
    for d, _, files in os.walk(gcov):
        for f in files:
            if f.endswith(".gcno"):
                to = counts + os.path.join(d, f)
                os.makedirs(os.path.dirname(to), exist_ok=True)
                if not os.path.lexists(to):
                    os.symlink(os.path.join(d, f), to)
