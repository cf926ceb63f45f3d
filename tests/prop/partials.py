#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Partial results of random parts of a job, merged in random trees, are one run over all of it.

usage: partials.py BIN VIEWS.tsv JOB SEED [N [captures | page]]

JOB is a folder of traces, rankR.json or rankR.S.json.  A part is saved, or is a trace that is read with the others.
Parts are merged by a run that saves them as one, by tr-merge, or by the run that prints the table.  Views are those of
VIEWS.tsv that can be saved; N: so many trees of each; captures: some ranks get a second one; page: only the page, in each
format, and what compares clocks.  Prints a line for each view that differs.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile

BIN, VIEWS, JOB = sys.argv[1], sys.argv[2], os.path.abspath(sys.argv[3])
rng = random.Random(int(sys.argv[4]))
N = int(sys.argv[5]) if len(sys.argv) > 5 else 1


# All sections of the page in text; partial results do not have the section typical.
HTML = ["tr-report", "-O", "html", "--sections", "findings,job,trust,headline,steps,breakdown,devices,idle,kernels,operators,"
        "categories,families,comm,stragglers,inference,memory,launches,counters"]
MADE_BY = re.compile(rb'(<p class="notes">Made by</p>\n<pre>).*?</pre>', re.S)


def run(*args):
    """Status, output and what it says; a page of HTML without its command."""
    done = subprocess.run([os.path.join(BIN, args[0])] + list(args[1:]), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, MADE_BY.sub(rb"\1", done.stdout), done.stderr.decode("utf-8", "replace").strip()


class Tree:
    """A way to merge, and the commands of it."""

    def __init__(self, view, folder):
        self.view, self.folder, self.n, self.said = view, folder, 0, []

    def new(self):
        self.n += 1
        return os.path.join(self.folder, "%d.part" % self.n)

    def must(self, *args):
        self.said.append(" ".join(os.path.basename(a) if "/" in a else a for a in args))
        status, _, err = run(*args)
        if status:
            raise RuntimeError("%s: status %d: %s" % (" | ".join(self.said), status, err))

    def save(self, inputs):
        out = self.new()
        self.must(*self.view, "-q", "--save-partial", out, *inputs)
        return out

    def part(self, groups):
        """The inputs that stand for some groups of files, of which each stays together."""
        if len(groups) == 1:
            return groups[0] if rng.random() < 0.3 else [self.save(groups[0])]
        inputs = [i for some in split(groups) for i in self.part(some)]
        rng.shuffle(inputs)
        how = rng.random()
        if how < 0.4:
            return [self.save(inputs)]
        if how < 0.6 and all(i.endswith(".part") for i in inputs):
            out = self.new()
            self.must("tr-merge", "-q", "-o", out, *inputs)
            return [out]
        return inputs


def split(items):
    items = list(items)
    rng.shuffle(items)
    cuts = sorted(rng.sample(range(1, len(items)), rng.randint(1, min(2, len(items) - 1))))
    return [items[a:b] for a, b in zip([0] + cuts, cuts + [len(items)])]


def ranks_of_job():
    """The files of each capture of a rank, which stay together if there are several."""
    ranks = {}
    for name in sorted(os.listdir(JOB)):
        if name.endswith(".json") and ".truth." not in name:
            ranks.setdefault(name.split(".")[0], []).append(os.path.join(JOB, name))
    return list(ranks.values())


def whole(captures, together):
    """The captures, or those of each rank together."""
    ranks = {}
    for files in captures:
        name = os.path.basename(files[0]).split(".")[0]
        ranks.setdefault(name.split("-")[0] if together else name, []).extend(files)
    return list(ranks.values())


def add_captures():
    """Some ranks are recorded again, an hour later or earlier."""
    for files in ranks_of_job()[::2]:
        for path in files:
            with open(path) as f:
                trace = json.load(f)
            trace["baseTimeNanoseconds"] = trace.get("baseTimeNanoseconds", 0) + rng.choice((-1, 1)) * 3600 * 10 ** 9
            rank, rest = os.path.basename(path).split(".", 1)
            with open(os.path.join(JOB, rank + "-again." + rest), "w") as f:
                json.dump(trace, f)


def compare(view, show, want_args):
    """None, or what is wrong."""
    ranks = ranks_of_job()
    status, want, err = run(show[0], "-q", *show[1:], *want_args, *sorted(f for files in ranks for f in files))
    if status == 2 and "--arch" in err:
        return None  # what it prints is about a device that these files do not name
    if status:
        return "one run: status %d: %s" % (status, err)
    for _ in range(N):
        said = merge(view, show, ranks, want)
        if said:
            return said
    return None


def as_base(view):
    """A partial result of a view in a comparison is the trace that it was made of."""
    base, test = ranks_of_job()[:2]
    if "--across" in view:
        return None  # a view of its own, which only tr-categorize knows by this name
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(view, folder)
        try:
            of = ["--of", " ".join("'%s'" % w for w in view)]
            status, want, err = run("tr-diff", "-q", "-O", "tsv", *of, "--base", *base, "--test", *test)
            inputs = [[tree.save(base)], [tree.save(test)]] if rng.random() < 0.5 else [[tree.save(base)], test]
        except RuntimeError as e:
            return str(e)
        if status == 2 and "--arch" in err:
            return None
        if status:
            return "tr-diff --of: status %d: %s" % (status, err)
        if rng.random() < 0.7 and not any("category" in w or "top-operator" in w or w in ("--hist", "--stat", "family", "leg") for w in view):
            of = []  # the state does not have what is only shown; that of a family is that of operators, of legs that of the path
        status, have, err = run("tr-diff", "-q", "-O", "tsv", *of, "--base", *inputs[0], "--test", *inputs[1])
        if status or have != want:
            return "as a base: status %d: %s\n%s" % (status, err, differ(want, have))
    return None


def merge(view, show, ranks, want):
    said = merge_in(view, show, whole(ranks, False), want)
    refused = "is in two partial results of", "is there twice", "captures of several ranks"
    if said and any(r in said for r in refused):  # of some views, all captures of a rank are one partial result
        said = merge_in(view, show, whole(ranks, True), want)
    return said


def merge_in(view, show, ranks, want):
    with tempfile.TemporaryDirectory() as folder:
        tree = Tree(view, folder)
        try:
            inputs = tree.part(ranks)
            status, have, err = run(show[0], "-q", *show[1:], *inputs)
        except RuntimeError as e:
            return str(e)
        tree.said.append(" ".join(os.path.basename(i) for i in inputs))
        if status or have != want:
            return "%s: status %d: %s\n%s" % (" | ".join(tree.said), status, err, differ(want, have))
    return None


def differ(a, b):
    a, b = a.decode("utf-8", "replace").split("\n"), b.decode("utf-8", "replace").split("\n")
    rows = [(x, y) for x, y in zip(a + [""] * len(b), b + [""] * len(a)) if x != y]
    return "\n".join("  %s\n  %s" % r for r in rows[:3])


def pages():
    wrong = 0
    shows = [["tr-report", "-O", o] for o in ("text", "md", "json")] + [HTML]
    shows += [["tr-comm", "--by", by, "--align", "-O", "tsv"] for by in ("straggler", "collective")]
    for show in shows:
        view = show[:1] if show[0] == "tr-report" else show[:3]
        said = compare(view, show, ["--distinct", "64" if show[0] == "tr-report" else "1024"])
        if said is not None:
            print("%s: %s" % (" ".join(show), said))
            wrong += 1
    print("%d pages" % len(shows))
    return wrong > 0


def main():
    if sys.argv[6:] == ["page"]:
        return pages()
    if len(sys.argv) > 6:
        add_captures()
    first = ranks_of_job()[0]
    wrong = n = 0
    views = [line.split("\t")[:2] for line in open(VIEWS) if not line.startswith("#")]
    views = [[p] + ([] if o == "-" else [w.replace("~", " ") for w in o.split()]) for p, o in views]
    for view in views:
        if view[0] == "tr-diff":
            continue
        with tempfile.TemporaryDirectory() as folder:
            status, _, err = run(*view, "-q", "--save-partial", os.path.join(folder, "0.part"), *first)
        if status:
            continue  # it has no partial results, or nothing to show
        said = compare(view, view + ["-O", "tsv"], ["--distinct", "1024"]) or as_base(view)
        n += 1
        wrong += said is not None
        if said is not None:
            print("%s: %s" % (" ".join(view), said))
    for by in "name", "kernel", "operator", "step", "path":
        view = ["tr-diff", "--by", by]
        for table in by, "headline," + by, "steps":
            said = compare(view, ["tr-diff", "--by", table, "-O", "tsv", "--test"] + first + ["--base"], [])
            n += 1
            wrong += said is not None
            if said is not None:
                print("%s, %s: %s" % (" ".join(view), table, said))
    for show in ["tr-report", "-O", "json"], HTML:
        said = compare(["tr-report"], show, ["--distinct", "64"])
        n += 1
        if said is not None:
            print("%s: %s" % (" ".join(show[:3]), said))
            wrong += 1
    print("%d views" % n)
    return 1 if wrong or n < 20 else 0


sys.exit(main())
