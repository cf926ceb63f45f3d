#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-diff against brute force, on pairs of small random traces.

usage: diff.py BIN TRGEN SEEDS

Makes the traces of the seeds by TRGEN --random, with defects and all, and compares each with the next that both sides can read.  Every span looks at all others for what lies in it.  Also: the comparison
turned round is the negative, that of a trace with itself is empty, and that with a partial result is the same; the
headline also is what tr-breakdown and tr-launch say of each side.
Output is TAP: one line for each view.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True  # the source tree may be read-only
import calls
import headline
import kineto as k
import seeds
import steps

VIEWS = ("name", "short-name", "kernel", "operator", "step", "path", "class", "operator,shape", "operator,args")
# What refines operators: columns, and members of the event.
REFINED = {"operator,shape": 3, "operator,args": 4}
ARGUMENTS = (("shapes", "Input Dims"), ("dtypes", "Input type"), ("strides", "Input Strides"),
             ("args", "Concrete Inputs"))
OPERATORS = ("cpu_op", "comm_record")
COLUMNS = ("name side base_count test_count base_us test_us diff_count diff_us diff_self_us change diff_pct "
           "base_self_us test_self_us base_mean_us test_mean_us").split()
SHOWN = 3


# ---- brute force ----

def of_profiler(s):
    drawn = re.match("ProfilerStep#|PyTorch Profiler [(]|Iteration Start: |Record Window End|__cupti_profiler__", s.name)
    return drawn or (s.activity == "overhead" and
                     s.name in ("Buffer Flush", "Activity Buffer Request", "Instrumentation", "Resource"))


def takes_part(s, view):
    if not s.host or view == "kernel" or of_profiler(s):
        return False
    return not view.startswith(("operator", "path")) or s.activity in OPERATORS or (view == "path" and s.activity == "annotation")


def outer(s, view):
    """The innermost span around s that takes part."""
    return next((a for a in s.ancestors() if takes_part(a, view) and not a.suspect), None)


def short(name):
    if not re.search("[<(]", name) or re.match("Memcpy|Memset|hipMemcpy|hipMemset|dma", name):
        return name
    left = name.replace("->", "")
    while True:  # innermost pairs first
        less = re.sub(r"<[^<>()]*>|\([^<>()]*\)", "", left)
        if less == left:
            break
        left = less
    return re.sub(" const$", "", left).split(" ")[-1] or name


def path(s, view):
    if s is None:
        return []
    return path(outer(s, view), view) + [re.sub("^(ProfilerStep)#.*", r"\1", s.name, flags=re.S)]


def step_of(s, all_steps):
    call = s if s.host else s.parent
    inside = [t for t in steps.candidates(all_steps, call.thread) if t.ts <= call.ts < t.ts + t.dur] if call else []
    return max(inside, key=lambda t: t.ts).name[len("ProfilerStep#"):].lstrip("0") or "0" if inside else ""


def text_of(s, view, own):
    if view in ("name", "kernel"):
        return s.name
    if view == "short-name":
        return short(s.name)
    if view == "step":
        return step_of(s, own)
    if view == "class":
        return ""
    owner = s if s.host else outer(s, view) if s.parent else None
    if view.startswith("operator"):
        return owner.name if owner else ""
    return " > ".join(path(owner, view))


def arguments_of(s, view):
    """Texts that refine the name; None: there is no such argument."""
    owner = s if s.host else outer(s, view) if s.parent else None
    of = k.args_of(owner.event) if owner else {}
    found = [of.get(member) for column, member in ARGUMENTS[:REFINED.get(view, 0)]]
    return tuple(None if x is None else json.dumps(x, separators=(",", ":")) for x in found)


def self_time(s, inner):
    """Time of s in which none of the spans that it directly holds runs."""
    mine = [(max(c.ts, s.ts), min(c.ts + c.dur, s.ts + s.dur)) for c in inner]
    edges = sorted({s.ts, s.ts + s.dur, *(t for m in mine for t in m)})
    return sum(b - a for a, b in zip(edges, edges[1:]) if not any(x <= a and b <= y for x, y in mine))


def sums(files, view):
    """{(side, text, arguments): (count, dur, self)}"""
    found = {}
    for i, file in enumerate(files):
        spans = calls.load(file, i)
        own = [s for s in spans if s.activity == "annotation" and re.fullmatch(r"ProfilerStep#\d+", s.name)
                 and not s.suspect and s.dur < calls.FOREVER]
        inner = {}
        for s in spans:
            if takes_part(s, view) and not s.suspect and outer(s, view) is not None and s.dur < calls.FOREVER:
                inner.setdefault(id(outer(s, view)), []).append(s)
        for s in spans:
            if s.suspect or not (s.activity in calls.WORK or takes_part(s, view)):
                continue
            alone = 0 if s.dur >= calls.FOREVER else self_time(s, inner.get(id(s), [])) if s.host else s.dur
            key = ("host" if s.host else "device", text_of(s, view, own), arguments_of(s, view))
            old = found.get(key, (0, 0, 0))
            found[key] = (old[0] + 1, old[1] + s.length(), old[2] + alone)
    return found


def percent(part, whole):
    """Two decimals, and no sign before zero."""
    text = "%.2f" % (100 * part / whole) if whole else ""
    return "0.00" if text == "-0.00" else text


def table(base, test, view):
    a, b = sums(base, view), sums(test, view)
    rows = [(key, a.get(key, (0, 0, 0)), b.get(key, (0, 0, 0))) for key in {**a, **b}]
    rows.sort(key=lambda r: (-abs(r[2][2] - r[1][2]), -abs(r[2][1] - r[1][1]), r[0][0] == "device",
                             calls.key(r[0][1]), [(x is None, calls.key(x or "")) for x in r[0][2]]))
    shown = len(rows)
    for place in ("device", "host"):  # which are never added
        mine = [r for r in rows[:shown] if r[0][0] == place]
        n, dur, m, length = [sum(r[side][i] for r in mine) for side in (1, 2) for i in (0, 2)]
        if mine:
            rows.append(((place, "total", (None,) * REFINED.get(view, 0)), (n, dur, dur), (m, length, length)))
    if not rows:
        rows.append((("", "total", ()), (0, 0, 0), (0, 0, 0)))
    out = []
    for i, ((side, name, more), (n, dur, own), (m, length, alone)) in enumerate(rows):
        change = "same" if n == m else "added" if not n else "removed" if not m else "more" if m > n else "fewer"
        diff = length - dur
        out.append([escaped(name), *(x and escaped(x) for x in more), side, n, m, k.us(dur), k.us(length), m - n, k.us(diff), k.us(alone - own), change,
                    percent(diff, dur), k.us(own), k.us(alone), *((mean(dur, n), mean(length, m)) if i < shown else ("", ""))])
    return k.text(columns_of(view), out)


def columns_of(view):
    return COLUMNS[:1] + [column for column, member in ARGUMENTS[:REFINED.get(view, 0)]] + COLUMNS[1:]


def mean(whole, n):
    return k.us(k.half_up(Fraction(whole, n))) if n else ""


def escaped(text):
    known = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}
    return re.sub(r"[\\\x00-\x1f\x7f]", lambda c: known.get(c[0]) or "\\x%02X" % ord(c[0]), text)


# ---- comparing ----

def run(*argv):
    p = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if p.returncode != 0:
        said = p.stderr.decode("utf-8", "replace").strip()
        raise RuntimeError("%s ended with status %d: %s" % (" ".join(argv), p.returncode, said[-300:]))
    return p.stdout.decode("utf-8", "surrogateescape")


def first_columns(text, view):
    return "".join("\t".join(line.split("\t")[:len(columns_of(view))]) + "\n" for line in text.split("\n")[:-1])


def figures(text, view):
    """{what a row is known by: its figures}"""
    side = columns_of(view).index("side")
    return {tuple(r[:side + 1]): r[side + 1:side + 8] for r in (line.split("\t") for line in text.split("\n")[1:-1])}


def turned(text, view):
    """What a comparison the other way round must say."""
    return {key: [r[1], r[0], r[3], r[2], *map(negative, r[4:])] for key, r in figures(text, view).items()}


def negative(number):
    return number[1:] if number[0] == "-" else number if not number.strip("0.") else "-" + number


def make(trgen, folder, seed):
    """Files of a seed; None if other programs could not read them alike."""
    folder = os.path.join(folder, str(seed))
    os.mkdir(folder)
    run(trgen, "--output", folder, "--random", "--seed", str(seed))
    stems = sorted(n[:-len(".truth.json")] for n in os.listdir(folder) if n.endswith(".truth.json"))
    for stem in stems:
        with open(os.path.join(folder, stem + ".truth.json"), encoding="utf-8") as f:
            truth = json.load(f)
        if not truth["strict_json"] or "reused-correlation" in truth["planted_counts"]:
            return None
    return [os.path.join(folder, stem + ".json") for stem in stems]


def rows_of(bin_dir, files, program):
    """What a program says of each rank, by column; the first row is of the names of columns."""
    return [line.split("\t") for line in run(os.path.join(bin_dir, program), "-q", "-O", "tsv", *files).split("\n")[:-1]]


def compare_headline(bin_dir, base, test, folder):
    diff = [os.path.join(bin_dir, "tr-diff"), "-q", "-O", "tsv", "--by", "headline"]
    have = run(*diff, "--base", *base, "--test", *test)
    wrong = headline.wrong(have, base, test)
    if wrong:
        return wrong
    rows = {line.split("\t")[0]: line.split("\t")[1:] for line in have.split("\n")[1:-1]}
    for side, files in enumerate((base, test)):
        times, launches = rows_of(bin_dir, files, "tr-breakdown"), rows_of(bin_dir, files, "tr-launch")
        for name in ("busy_us", "compute_us", "exposed_comm_us", "idle_us", "launches"):
            table_of = launches if name == "launches" else times
            said = [Fraction(row[table_of[0].index(name)]) for row in table_of[1:]]
            if abs(Fraction(rows[name][side]) - sum(said) / (len(times) - 1)) > Fraction(6, 10000):
                return (have, "%s of side %d: %s" % (name, side, said))
    same = run(*diff, "--base", *base, "--test", *base)
    if any(line.split("\t")[3].strip("0.") for line in same.split("\n")[1:-1]):
        return (same, "no difference")
    saved = os.path.join(folder, "saved")
    run(os.path.join(bin_dir, "tr-diff"), "-q", "--save-partial", saved, *base)
    again = run(*diff, "--base", saved, "--test", *test)
    return None if again == have else (again, have)


def compare(bin_dir, trgen, seed):
    """For each view None, or why it is wrong; () if the pair was left out."""
    with tempfile.TemporaryDirectory() as folder:
        base = make(trgen, folder, seed)
        test = base and next(filter(None, (make(trgen, folder, s) for s in range(seed + 1, seed + 20))), None)
        if base is None or test is None:
            return [()] * (len(VIEWS) + 1)
        results = []
        for view in VIEWS:
            diff = [os.path.join(bin_dir, "tr-diff"), "-q", "-O", "tsv", "--by", view]
            have = run(*diff, "--base", *base, "--test", *test)
            wrong = None
            want = table(base, test, view)
            if first_columns(have, view) != want:
                wrong = (first_columns(have, view), want)
            back = run(*diff, "--test", *base, "--base", *test)
            if not wrong and figures(back, view) != turned(have, view):
                wrong = (back, "the negative of\n" + have)
            same = run(*diff, "--changed-only", "--base", *base, "--test", *base)
            if not wrong and same.count("\n") != 1:
                wrong = (same, "nothing but a header")
            saved = os.path.join(folder, "saved." + view)
            if view not in REFINED:
                run(*diff, "--save-partial", saved, *base)
            if not wrong and view not in REFINED and run(*diff, "--base", saved, "--test", *test) != have:
                wrong = (run(*diff, "--base", saved, "--test", *test), have)
            results.append(wrong)
        results.append(compare_headline(bin_dir, base, test, folder))
        return results


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    bin_dir, trgen, of = sys.argv[1], sys.argv[2], seeds.of(sys.argv[3])
    n = len(of)
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count() or 1) as pool:
        results = list(pool.map(compare, [bin_dir] * n, [trgen] * n, of, chunksize=4))
    failed = 0
    print("1..%d" % (len(VIEWS) + 1))
    for i, view in enumerate((*VIEWS, "headline")):
        tried = [(seed, r[i]) for seed, r in zip(of, results) if r[i] != ()]
        wrong = [t for t in tried if t[1]]
        failed += bool(wrong) or not tried
        print("%sok %d - tr-diff --by %s: %d pairs of %d" % ("not " if wrong or not tried else "", i + 1, view,
                                                           len(tried), n))
        for seed, (have, want) in wrong[:SHOWN]:
            print("# seed %d and the next" % seed)
            for sign, text in (("have", have), ("want", want)):
                for line in text.split("\n")[:-1]:
                    print("# %s %s" % (sign, line))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
