# SPDX-License-Identifier: MIT
"""Do the tests notice mistakes?  Plants them one at a time; README.md here says how and why."""

import argparse
import fnmatch
import json
import os
import queue
import random
import shutil
import sys
import threading
import time
from collections import namedtuple

import ctext
import taps
import tree as trees

HERE = os.path.dirname(os.path.abspath(__file__))
SHARE = 0.075  # of all mutants that each layer gets at least: 15 of 200
FIELDS = ("slot", "layer", "file", "line", "function", "operator", "result", "by", "seconds", "tried", "before", "after")
Row = namedtuple("Row", FIELDS)


def layer_of(path):
    return path.split("/")[1] if path.startswith("libcore/") else "tools"


def quotas(n, sizes):
    """Mutants for each layer: its share of the lines executed, and no less than SHARE of all."""
    least = min(int(SHARE * n), n // len(sizes))
    every = {layer: least for layer in sizes}
    rest, total = max(0, n - least * len(sizes)), sum(sizes.values())
    exact = {layer: rest * size / total for layer, size in sizes.items()}
    for layer in sizes:
        every[layer] += int(exact[layer])
    over = sorted(sizes, key=lambda l: (int(exact[l]) - exact[l], l))
    for layer in over[:max(0, n - sum(every.values()))]:
        every[layer] += 1
    return every


def judged(path):
    """
    Mutants judged equivalent: {(name of the file, function, line before, line after)}; their reasons are for readers.
    A file that moves keeps its name.
    """
    found, head, before = set(), None, None
    with open(path) as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("    - "):
                before = " ".join(line[6:].split())
            elif line.startswith("    + "):
                found.add((*head, before, " ".join(line[6:].split())))
            elif line and not line.startswith(("#", " ")):
                head = tuple(line.split(" ", 1))
    return found


class Sample:
    """The lines that tests execute, and one sequence of candidates for each slot: the seed decides."""

    def __init__(self, tree, tests, seed, n, equivalent, only):
        self.tree, self.seed, self.equivalent, self.sources = tree, seed, equivalent, {}
        lines = {}
        for test in tests:
            for path, numbers in test.lines.items():
                if path in tree.mutable and fnmatch.fnmatch(path, only):
                    lines.setdefault(path, set()).update(numbers)
        self.lines = {}
        for path in sorted(lines):
            self.lines.setdefault(layer_of(path), []).extend((path, n) for n in sorted(lines[path]))
        self.quota = quotas(n, {layer: len(at) for layer, at in self.lines.items()})
        for layer, at in sorted(self.lines.items()):
            random.Random("%d:%s" % (seed, layer)).shuffle(at)

    def slots(self):
        """In an order in which those of each layer are spread out: a run that is broken off has seen all layers."""
        every = [(layer, k) for layer in sorted(self.quota) for k in range(self.quota[layer])]
        return sorted(every, key=lambda s: ((s[1] + 0.5) / self.quota[s[0]], s))

    def stale(self):
        """Mutants judged equivalent whose line or function is no longer there."""
        paths = {os.path.basename(path): path for path in self.tree.mutable}

        def there(name, function, before):
            source = self.source(paths[name]) if name in paths else None
            return source and any(
                " ".join(line.split()) == before and function in {source.function[i] for i in at}
                for line, at in ((source.lines[n - 1], at) for n, at in source.by_line.items()))

        return sorted(e for e in self.equivalent if not there(*e[:3]))

    def source(self, path):
        if path not in self.sources:
            self.sources[path] = ctext.Source(trees.read(os.path.join(self.tree.src, path)).decode())
        return self.sources[path]

    def candidates(self, layer, k):
        """(file, line, change, text before, text after) one after the other."""
        draws = random.Random("%d:%s:%d" % (self.seed, layer, k))
        for path, number in self.lines[layer][k::self.quota[layer]]:
            source = self.source(path)
            change = ctext.draw(source, number, draws)
            if change is None:
                continue
            text = ctext.apply(source.text, change)
            before, after = (" ".join(t.split("\n")[number - 1].split()) for t in (source.text, text))
            function = source.function[source.by_line[number][0]]
            if (os.path.basename(path), function, before, after) not in self.equivalent:
                yield path, number, function, change, text, before, after


class Worker:
    """Plants mutants in a place of its own."""

    def __init__(self, tree, tests, sample, name, variables, budget):
        self.tree, self.tests, self.sample, self.budget = tree, tests, sample, budget
        self.place = tree.place(name)
        self.runner = taps.Runner(tree, self.place, self.place + ".tmp", variables)
        self.scratch = os.path.join(self.place, "mutant")
        os.makedirs(self.scratch, exist_ok=True)

    def compile(self, path, text):
        """
        Object of a mutant, or None if the compiler sees no difference or refuses it.  It refuses what it warns of,
        unless it also warns of the original.
        """
        env = dict(os.environ, CCACHE_DISABLE="1")
        source = os.path.join(self.scratch, os.path.basename(path))
        beside = ["-iquote", os.path.dirname(os.path.join(self.tree.src, path))]

        def compiled(text, out, flags):
            with open(source, "w") as f:
                f.write('#line 1 "%s"\n%s' % (os.path.join(self.tree.src, path), text))
            return not self.tree.compile(source, out, trees.PLAIN + flags, beside, env)

        out = source[:-1] + "o"
        same, original = out + ".same", self.sample.source(path).text
        strict = ["-Werror"]
        if not compiled(text, out, strict):
            if compiled(original, same, strict) or not compiled(text, out, []):
                return None
            strict = []
        compiled(original, same, strict)
        return None if trees.read(same) == trees.read(out) else out

    def order(self, path, number):
        """Tests that execute the line: programs that test single modules, then the others, cheapest first."""
        those = [t for t in self.tests if number in t.lines.get(path, ())]
        single = [t.name.startswith("unit/") and not t.name.endswith(".sh") for t in those]
        return [t for _, t in sorted(zip(single, those), key=lambda x: (not x[0], x[1].cpu, x[1].name))]

    def judge(self, path, number):
        """(name of the test that fails or "", seconds of CPU)."""
        spent = 0.0
        for test in self.order(path, number):
            if spent + test.cpu > self.budget:
                continue
            wrong, _, cpu = self.runner.run(test, 3 * test.seconds + taps.GRACE)
            spent += cpu
            if wrong:
                return test.name + (" (time)" if wrong == "time" else ""), spent
        return "", spent

    def fill(self, layer, k):
        """The mutant of a slot, or None when no candidate is left."""
        tried = 0
        for path, number, function, change, text, before, after in self.sample.candidates(layer, k):
            tried += 1
            obj = self.compile(path, text)
            if not obj:
                continue
            changed = self.tree.put(self.place, path, obj)
            by, seconds = self.judge(path, number)
            for file in changed:
                self.tree.restore(self.place, os.path.join(self.tree.work, "plain"), file)
            return Row("%s:%d" % (layer, k), layer, path, str(number), function, change.operator,
                       "killed" if by else "SURVIVED", by or "-", "%.1f" % seconds, str(tried), before, after)
        return None


class Results:
    """The file of results: what is done is not done again, except survivors when tests have changed."""

    def __init__(self, path, code, suite, equivalent):
        self.path, self.rows, self.lock = path, {}, threading.Lock()
        head = "# code %s\n" % code
        if os.path.exists(path):
            with open(path) as f:
                first, second, *lines = f.read().split("\n")
            if first + "\n" == head:
                rows = [Row(*line.split("\t")) for line in lines if line.count("\t") == len(FIELDS) - 1]
                same = second == "# tests " + suite
                self.rows = {r.slot: r for r in rows if r.result == "killed" or
                             (same and (os.path.basename(r.file), r.function, r.before, r.after) not in equivalent)}
        with open(path, "w") as f:
            f.write(head + "# tests %s\n" % suite)
            f.writelines("\t".join(r) + "\n" for r in self.rows.values())

    def add(self, row):
        with self.lock:
            self.rows[row.slot] = row
            with open(self.path, "a") as f:
                f.write("\t".join(row) + "\n")
            print("%-12s %s:%s %s: %s, %s s" % (row.slot, row.file, row.line, row.operator,
                  "killed by " + row.by if row.by != "-" else "SURVIVED", row.seconds), flush=True)


def measured(tree, tests, variables, jobs):
    """Time and lines of each test, from the cache where neither it nor the code has changed."""
    cache = os.path.join(tree.work, "tests", tree.code[:16])
    os.makedirs(cache, exist_ok=True)
    files = {t: os.path.join(cache, t.key(tree.src)[:32] + ".json") for t in tests}
    missing = [t for t in tests if not os.path.exists(files[t])]
    if missing:
        print("# counting what %d tests execute" % len(missing), flush=True)
        gcov = tree.build_gcov(jobs)
        todo = queue.SimpleQueue()
        for test in missing:
            todo.put(test)

        def work(name):
            place = tree.place(name)
            counts = os.path.join(tree.work, name + ".counts")
            shutil.rmtree(counts, ignore_errors=True)
            taps.notes(gcov, counts)
            plain = taps.Runner(tree, place, place + ".tmp", variables)
            counting = taps.Runner(tree, gcov, place + ".tmp", dict(variables, GCOV_PREFIX=counts))
            while True:
                try:
                    test = todo.get_nowait()
                except queue.Empty:
                    break
                found = taps.measure(tree, test, plain, counting, counts)
                with open(files[test] + ".new", "w") as f:
                    json.dump(found, f)
                os.replace(files[test] + ".new", files[test])
            shutil.rmtree(counts)

        parallel(work, jobs)
    good = []
    for test in tests:
        with open(files[test]) as f:
            found = json.load(f)
        if found["wrong"]:
            print("# left out: %s (%s)" % (test.name, found["wrong"]))
        else:
            test.seconds, test.cpu = found["seconds"], found["cpu"]
            test.lines = {p: set(n) for p, n in found["lines"].items()}
            good.append(test)
    return good


def parallel(work, jobs):
    failed = []

    def guarded(name):
        try:
            work(name)
        except BaseException as e:  # shown by the caller's thread, too
            failed.append(e)
            raise

    threads = [threading.Thread(target=guarded, args=("job%d" % (i + 1),)) for i in range(jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    if failed:
        sys.exit("mutate: %s" % failed[0])


def report(rows, sample):
    """Survivors in the form of equivalent.txt, then the score."""
    print("\nSurvivors:")
    for r in rows:
        if r.result != "killed":
            print("%s %s\n    %s:%s: %s\n    - %s\n    + %s" %
                  (os.path.basename(r.file), r.function, r.file, r.line, r.operator, r.before, r.after))
    for name, function, before, _ in sample.stale():
        print("equivalent.txt: no line of %s %s is now: %s" % (name, function, before))
    print("\n%-10s %8s %8s %8s %8s" % ("layer", "lines", "mutants", "killed", "score"))
    for layer in sorted(sample.quota) + ["all"]:
        mine = [r for r in rows if layer in (r.layer, "all")]
        killed = sum(r.result == "killed" for r in mine)
        lines = sum(len(at) for name, at in sample.lines.items() if layer in (name, "all"))
        score = "%.0f %%" % (100 * killed / len(mine)) if mine else "-"
        print("%-10s %8d %8d %8d %8s" % (layer, lines, len(mine), killed, score))
    seconds = [float(r.seconds) for r in rows]
    print("\n%d mutants, %.0f s of CPU in tests, %d candidates drawn" % (len(rows), sum(seconds), sum(int(r.tried) for r in rows)))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="mutants [200]")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--budget", type=float, default=60, help="seconds of CPU in tests for a mutant [60]")
    parser.add_argument("--only", default="*", help="files, as a shell pattern: libcore/io/*")
    parser.add_argument("--work", required=True, help="folder for the copy and the builds")
    parser.add_argument("top", help="top of the source")
    parser.add_argument("build", help="where it has been configured and built")
    args = parser.parse_args()

    os.nice(10)
    started = time.time()
    skipped, variables = taps.left_out(os.path.join(HERE, "tests.tsv"))
    tree = trees.Tree(args.work, args.top, args.build)
    os.makedirs(tree.src, exist_ok=True)
    tree.copy()
    print("# building the copy", flush=True)
    tree.build_plain(args.jobs)
    tests = measured(tree, taps.find(tree, skipped), variables, args.jobs)
    sample = Sample(tree, tests, args.seed, args.n, judged(os.path.join(HERE, "equivalent.txt")), args.only)
    print("# %d tests, %.0f s of CPU; %d lines executed" %
          (len(tests), sum(t.cpu for t in tests), sum(len(at) for at in sample.lines.values())), flush=True)

    name = "results-%d-%d%s.tsv" % (args.n, args.seed, "" if args.only == "*" else "-" + trees.digest(args.only)[:6])
    suite = trees.digest(*sorted(t.key(tree.src) for t in tests), *variables.values())
    results = Results(os.path.join(tree.work, name), tree.code, suite, sample.equivalent)
    todo = queue.SimpleQueue()
    for layer, k in sample.slots():
        if "%s:%d" % (layer, k) not in results.rows:
            todo.put((layer, k))

    def work(place):
        worker = Worker(tree, tests, sample, place, variables, args.budget)
        while True:
            try:
                layer, k = todo.get_nowait()
            except queue.Empty:
                return
            row = worker.fill(layer, k)
            if row:
                results.add(row)

    parallel(work, args.jobs)
    report(sorted(results.rows.values(), key=lambda r: (r.layer, int(r.slot.split(":")[1]))), sample)
    print("results: %s; %.0f minutes" % (results.path, (time.time() - started) / 60))


if __name__ == "__main__":
    main()
