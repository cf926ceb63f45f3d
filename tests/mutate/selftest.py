# SPDX-License-Identifier: MIT
"""What the operators change and what they leave alone; how counts of gcov, TAP and Makefiles are read."""

import os
import random
import shutil
import subprocess
import sys
import tempfile

import ctext
import mutate
import taps
import tree

TEXT = r'''/* if (a < b) */
#define LIMIT(x) ((x) < 3) /* and
   goes on: 1 < 2 */
static const int table[] = { 1, 2 };
enum color { COLOR_A_RED, COLOR_A_BLUE };
static int first(int a, int b)
{
    static int calls = 0;
    int sum = a + 1;
    if (a < b && !calls)
        return sum;
    calls |= a == b;
    say("a < b", '<', (size_t)-a); // a < b
    sum = a > b ? a - b : b;
    return f(COLOR_A_RED, a | 2) - 1;
}
ORDER(by_name, struct x)
int second(char *s)
{
    for (int i = 0; s[i]; i++)
        count(s, i);
    s->n = 2,
    third();
    return 0x1fu;
    free(s);
    s = calloc(a + 1, b);
}
'''

SEEN = {
    1: [], 2: [], 3: [], 4: [], 5: [], 6: [], 8: [],
    9: ["arithmetic: int sum = a - 1;", "off by one: int sum = a ;", "constant: int sum = a + 2;",
        "constant: int sum = a + 0;"],
    10: ["negated: if (!(a < b && !calls))", "condition: if (true)", "condition: if (false)",
         "boundary: if (a <= b && !calls)", "negated: if (a >= b && !calls)", "condition: if (true && !calls)",
         "condition: if (a < b && true)", "negated: if (a < b && calls)"],
    12: ["arithmetic: calls = a == b;", "negated: calls |= a != b;", "dropped: (void)0;"],
    13: ["swapped: say('<', \"a < b\", (size_t)-a); // a < b", "swapped: say(\"a < b\", (size_t)-a, '<'); // a < b",
         "dropped: (void)0; // a < b"],
    14: ["boundary: sum = a >= b ? a - b : b;", "negated: sum = a <= b ? a - b : b;", "swapped: sum = a > b ? b : a - b;",
         "arithmetic: sum = a > b ? a + b : b;", "swapped: sum = a > b ? b - a : b;", "dropped: (void)0;"],
    15: ["swapped: return f(a | 2, COLOR_A_RED) - 1;", "constant: return f(COLOR_A_BLUE, a | 2) - 1;",
         "operand: return f(COLOR_A_RED, 0 | 2) - 1;", "operand: return f(COLOR_A_RED, a | 0) - 1;",
         "constant: return f(COLOR_A_RED, a | 3) - 1;", "constant: return f(COLOR_A_RED, a | 1) - 1;",
         "arithmetic: return f(COLOR_A_RED, a | 2) + 1;", "swapped: return 1 - f(COLOR_A_RED, a | 2);",
         "off by one: return f(COLOR_A_RED, a | 2) ;", "constant: return f(COLOR_A_RED, a | 2) - 2;",
         "constant: return f(COLOR_A_RED, a | 2) - 0;"],
    20: ["constant: for (int i = 1; s[i]; i++)", "arithmetic: for (int i = 0; s[i]; i--)"],
    21: ["swapped: count(i, s);", "dropped: (void)0;"],
    22: ["constant: s->n = 3,", "constant: s->n = 1,"],
    23: [],
    24: ["constant: return 0x20u;", "constant: return 0x1eu;"],
    25: [],
    26: ["dropped: (void)0;"],
}

n = 0


def check(have, want, what):
    global n
    n += 1
    print("%s %d - %s" % ("ok" if have == want else "not ok", n, what))
    if have != want:
        print("# have %s\n# want %s" % (have, want))


def operators():
    source = ctext.Source(TEXT)
    for line, want in SEEN.items():
        have = ["%s: %s" % (c.operator, ctext.apply(TEXT, c).split("\n")[line - 1].strip()) for c in source.changes(line)]
        check(have, want, "changes of line %d" % line)
    names = [source.function[source.by_line[line][0]] for line in (4, 9, 20, 24)]
    check(names, [None, "first", "second", "second"], "functions around lines")
    draws = [ctext.draw(source, 14, random.Random(7)) for _ in range(2)]
    check(draws[0], draws[1], "a seed draws the same change again")


def counts():
    document = {"current_working_directory": "/w/gcov", "files": [
        {"file": "/w/src/libcore/io/a.c", "lines": [{"line_number": 3, "count": 2}, {"line_number": 4, "count": 0},
                                                   {"line_number": 3, "count": 0}, {"line_number": 9, "count": 1}]},
        {"file": "../src/tools/b.c", "lines": [{"line_number": 1, "count": 1}]},
        {"file": "/w/src/libcore/io/a.h", "lines": [{"line_number": 1, "count": 1}]},
        {"file": "/usr/include/c.c", "lines": [{"line_number": 1, "count": 1}]}]}
    check(taps.executed(document, "/w/src"), {"libcore/io/a.c": {3, 9}, "tools/b.c": {1}}, "lines that gcov counted")
    lines = ["ok 1 - a", "not ok 2 - b", "not ok 3 # SKIP c", "Bail out! d", "# not ok", "1..3"]
    check([taps.bad_line(line) for line in lines], [False, True, False, True, False, False], "lines of TAP that fail")


def files():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "Makefile.am")
        with open(path, "w") as f:
            f.write("a = x/y \\\n\tz\nif FUZZERS\nb = no\nelse\nb = yes\nendif\nc = $(a) $(b) # why\nc += more\n"
                    "p_q_SOURCES = p.c p.h\n")
        values = tree.makefile(path)
        check(tree.words(values, "c"), ["x/y", "z", "yes", "more"], "variables of a Makefile")
        check([tree.sources_of(values, p) for p in ("p-q", "r")], [["p.c"], ["r.c"]], "sources of programs")
        with open(path, "w") as f:
            f.write("# why\n\na.c f\n    - a  < b\n    + a <= b\n    never equal\n    - c\n    + d\n")
        check(mutate.judged(path), {("a.c", "f", "a < b", "a <= b"), ("a.c", "f", "c", "d")},
              "mutants judged equivalent")
    shares = mutate.quotas(200, {"small": 10, "large": 9990})
    check(shares, {"small": 15, "large": 185}, "every layer has its share of mutants")
    shares = mutate.quotas(20, {"a": 70, "b": 20, "c": 10})
    check(sum(shares.values()), 20, "as many mutants as asked for")


def objects():
    """A mutant is compiled in a folder of its own, with the headers of the folder that it comes from."""
    text = '#include "beside.h"\nint f(int a);\nint f(int a)\n{\n    return a < LIMIT;\n}\n'
    with tempfile.TemporaryDirectory() as folder:
        src, scratch = os.path.join(folder, "src"), os.path.join(folder, "mutant")
        os.makedirs(os.path.join(src, "libcore/io"))
        os.makedirs(scratch)
        for name, what in (("config.h", ""), ("libcore/io/beside.h", "#define LIMIT 3\n")):
            with open(os.path.join(src, name), "w") as f:
                f.write(what)
        copy = tree.Tree.__new__(tree.Tree)
        copy.src, copy.cc, copy.cppflags = src, os.environ.get("CC", "cc").split(), []
        worker = mutate.Worker.__new__(mutate.Worker)
        worker.tree, worker.scratch = copy, scratch
        worker.sample = mutate.Sample.__new__(mutate.Sample)
        worker.sample.sources = {"libcore/io/a.c": mutate.ctext.Source(text)}
        made = [worker.compile("libcore/io/a.c", text.replace("<", how)) is not None for how in ("<=", "<", "< <")]
        check(made, [True, False, False], "compiled: a mutant, but not what is the same or is refused")


def planted(top, build):
    """All of `make mutate' for one module and its test, with the real sources: a mutant is built, and noticed."""
    with tempfile.TemporaryDirectory() as folder:
        copy = tree.Tree(folder, top, build)
        os.makedirs(copy.src)
        copy.copy()
        every = copy.library + copy.frame + [s for own in copy.programs.values() for s in own]
        check([s for s in every if not os.path.exists(os.path.join(copy.src, s))], [], "the copy has all sources")
        module, test = "libcore/base/tr_num.c", "tests/unit/num"
        copy.library, copy.frame, copy.programs = [module, "libcore/base/tr_status.c"], [], {test: [test + ".c"]}
        copy.build_plain(1)
        tests = mutate.measured(copy, [taps.Test("unit/num", ["./unit/num"], ["unit/num.c"])], {}, 1)
        check([module in t.lines for t in tests], [True], "a test is counted, and what it executes")
        sample = mutate.Sample(copy, tests, 1, 3, set(), module)
        worker = mutate.Worker(copy, tests, sample, "job1", {}, 60)
        rows = [worker.fill("base", k) for k in range(3)]
        check("killed" in [row and row.result for row in rows], True, "a mutant is planted, and the test notices it")
        check(worker.runner.run(tests[0], 60)[0], "", "after that, the program is the original")


def limits():
    """Tests may reserve address space, but not fill memory."""
    reserve = "import mmap; mmap.mmap(-1, 64 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ)"
    allocate = "import mmap; mmap.mmap(-1, 7 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)"
    for code, want, what in ((reserve, 0, "a test may reserve address space"), (allocate, 1, "but not fill memory")):
        done = subprocess.run(["sh", "-c", taps.LIMITED, "sh", sys.executable, "-c", code], stderr=subprocess.DEVNULL)
        check(done.returncode, want, what)


operators()
limits()
counts()
files()
objects()
if shutil.which("gcov"):
    planted(*sys.argv[1:3])
print("1..%d" % n)
sys.exit(0)
