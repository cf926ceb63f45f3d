# SPDX-License-Identifier: MIT
"""What the tests of databases share: reading in all ways, and the answers to files that are cut or changed."""
import collections
import gzip
import os
import random
import subprocess
import sys

BIN = sys.argv[1]
LONG = os.environ.get("TR_LONG") == "1"
count = 0


def report(good, what, *why):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, what))
    for line in why if not good else ():
        print("#", str(line)[:400])


def finish():
    print("1..%d" % count)


def run(tool, *args, data=None):
    return subprocess.run([BIN + "/" + tool, *args], input=data, capture_output=True, timeout=60)


class Reading:
    """The listing of databases with these columns, of which the second and third are a time and a duration."""

    def __init__(self, columns, place):
        self.columns = columns
        self.place = place  # the part of a row that a damaged file must not invent

    def events(self, path, *options, data=None):
        """Lines of the listing, without the header."""
        p = run("tr-view", "-q", "-O", "tsv", "--unit", "ns", "--columns", self.columns, *options, path, data=data)
        return p.returncode, p.stdout.decode("utf-8", "replace").split("\n")[1:-1], p.stderr

    def same(self, path, want):
        """Are these the rows, in all ways of reading?  What differs."""
        status, lines, said = self.events(path)
        if status or said or sorted(lines) != sorted(want):
            have, want = collections.Counter(lines), collections.Counter(want)
            return ([(status, said)] + ["have %s" % x for x in (have - want)][:6] +
                    ["want %s" % x for x in (want - have)][:6])
        times = [int(x.split("\t")[1]) for x in lines]
        if times != sorted(times):
            return ["not in order of time"]
        data = open(path, "rb").read()
        with gzip.open(path + ".gz", "wb") as f:
            f.write(data)
        for how, again in (("pipe", self.events("-", data=data)), ("compressed", self.events(path + ".gz")),
                           ("little memory", self.events(path, "-M", "64M")), ("threads", self.events(path, "-j", "3"))):
            if again[:2] != (status, lines):
                return ["%s: other events" % how, again[2]]
        return []

    def spoiled(self, path, data, whole=None, more=()):
        """What is wrong with the answer to changed bytes; of a cut file, there are only rows of the whole one, or more."""
        with open(path, "wb") as f:
            f.write(data)
        try:
            status, lines, said = self.events(path)
        except subprocess.TimeoutExpired:
            return "not ready after a minute"
        if status not in (0, 3) or (status == 3 and said.count(b"\n") != 1):
            return "status %d: %r" % (status, said)
        if whole is None or status:
            return None
        if len(lines) < len(whole) and run("tr-parse", "--strict", "-o", "/dev/null", path).returncode != 3:
            return "events are lost without a word"
        new = {tuple(x.split("\t")[self.place]) for x in lines} - {tuple(x.split("\t")[self.place]) for x in (*whole, *more)}
        return "events are invented: %r" % sorted(new)[:3] if new else None

    def cut(self, what, data, whole, parts, more=()):
        """The file cut at so many places."""
        wrong = []
        for at in range(0, len(data), len(data) // parts):
            why = self.spoiled("cut.db", data[:at], whole, more) if at else None
            wrong += [(at, why)] if why else []
        report(not wrong, what + "cut anywhere", *wrong)

    def changed(self, what, data, times):
        """The file changed at random, so many times."""
        rng = random.Random(5)
        wrong = []
        for n in range(times):
            changed = bytearray(data)
            for _ in range(rng.choice((1, 1, 3, 40))):
                changed[rng.randrange(len(changed))] = rng.choice((0, 1, 127, 128, 255, rng.randrange(256)))
            why = self.spoiled("changed.db", bytes(changed))
            wrong += [(n, why)] if why else []
        report(not wrong, what + "changed anywhere", *wrong)


def no_secrets(path, kind, secret):
    """No output has what a database has of the environment."""
    text = b"".join(run("tr-view", "-q", "-O", form, path).stdout for form in ("jsonl", "chrome"))
    text += run("tr-view", "-q", "--by", kind, "-O", "tsv", path).stdout
    text += run("tr-parse", "--no-provenance", path).stdout
    report(len(text) > 5000 and secret.encode() not in text, "no secrets of the environment")
