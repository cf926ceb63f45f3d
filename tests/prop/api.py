#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does each analysis give the same table through the public interface as its program prints?

usage: api.py BIN TRGEN FOLDER API_TABLES

The analyses and their keys are those that the interface lists; the traces are those of rules/heard.py, and of TR_CORPUS
where that is set.
"""

import concurrent.futures
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../rules"))
import heard  # noqa: E402

# What analyses need, or what they need to have rows for these small traces.
OPTIONS = {
    "counters.full": ["max-queue=2"], "roofline.roof": ["arch=PEAKS"], "metrics.ideal": ["attach=IDEAL"],
    "metrics.utilization": ["attach=IDEAL"], "breakdown.window": ["steps=2"], "patterns.pattern": ["length=1"],
    "categorize.across": ["across=mean"], "breakdown.graph": ["attach=NODES"], "categorize.class": ["rules=RULES"],
    "sum.sum": ["by=kind,name", "stat=count,p50"], "breakdown.idle": ["threshold=1us"], "stalls.cause": ["asm=DUMP"],
    "breakdown.annotation": ["side=work"], "breakdown.node": ["attach=GRAPH"], "critpath.chain": ["attach=GRAPH"],
    "overlap.state": ["classes=compute,comm"], "replay.replay": ["limit=2"],
    "roofline.operator": ["models=MODELS", "arch=H100"], "critpath.bound": ["gaps=1"], "breakdown.module": ["op=a"],
}
# More options, which other rows or other files go with.
MORE = [
    ("breakdown.operator", ["attach-capture=CAPTURED"]), ("breakdown.category", ["attach-capture=CAPTURED"]),
    ("breakdown.module", ["attach-capture=CAPTURED"]), ("breakdown.graph", ["attach-capture=CAPTURED"]),
    ("roofline.operator", ["attach-capture=CAPTURED"]), ("roofline.operator", ["inductor-cache=INDUCTOR"]),
    ("roofline.family", ["attach-capture=CAPTURED"]), ("roofline.family", ["measured=MEASURED"]),
    ("roofline.operator", ["measured=MEASURED", "arch=H100"]), ("roofline.kernel", ["measured=MEASURED"]),
    ("comm.straggler", ["align=1"]), ("comm.collective", ["align=1"]), ("report.findings", ["no-align=1"]),
    ("report.findings", ["set=small_kernels.count=1", "arch=H100"]),
    ("report.findings", ["attach-capture=CAPTURED"]),
    ("critpath.bound", ["what-if=kind == compute scale=0.5", "what-if=dur > 1us scale=0"]),
    ("critpath.bound", ['what-if=operator =~ "." && activity == kernel scale=0.5']),
    ("critpath.member", ["base=SAVED"]),
    ("categorize.class", ["precedence=longest", "rules=RULES", "keep-spaces=1"]),
    ("categorize.unmatched", ["rules=communication", "side=host"]),
    ("breakdown.kernel", ["select.suspect=include", "select.where=dur >= 0"]),
    ("breakdown.kernel", ["top=1", "short-names=1", "top-per=kind"]),
]
KEYS_TOGETHER = {"breakdown.operator", "roofline.operator"}  # all of them at once, too
FLAGS = {"gaps", "keep-spaces", "short-names", "align", "no-align"}
ONE_VIEW = {"patterns", "replay", "sum"}  # programs without --by
BY_OTHER = {"categorize.across": ["--by", "class"], "report.findings": ["--sections", "findings"]}  # the form of the program is another


def variants(line):
    name, keys = line.split("\t")
    keys = [] if keys == "-" else keys.split(",")
    return [name] + [name + "," + k for k in keys] + ([name + "," + ",".join(keys)] if name in KEYS_TOGETHER else [])


def program_of(job, variant, options):
    name, _, keys = variant.partition(",")
    program, _, view = name.partition(".")
    argv = [os.path.join(job.bin, "tr-" + program), "-q", "-j1", "-O", "tsv"]
    argv += ["--columns", "all"] if program != "report" else []
    if name in BY_OTHER:
        argv += BY_OTHER[name]
    elif program not in ONE_VIEW:
        argv += ["--by", view + ("," + keys if keys else "")]
    for option in options:
        key, _, value = option.replace("select.", "").partition("=")
        argv += ["--" + key] if key in FLAGS else ["--" + key + "=" + value]
    return argv


def corpus():
    """Traces of the corpus that are small enough."""
    top, found = os.environ.get("TR_CORPUS", ""), []
    for folder, _, files in sorted(os.walk(top)) if top else []:
        found += [os.path.join(folder, f) for f in sorted(files) if f.endswith((".json", ".json.gz"))]
    return [[f] for f in found if os.path.getsize(f) < 60000]


def judge(job, tables, variant, options):
    """What is wrong with an analysis, as lines."""
    options = [job.replace(o) for o in options]
    wrong, rows = [], 0
    for files in job.inputs + corpus():
        status, want, said = heard.run(program_of(job, variant, options) + files)
        api_status, have, api_said = heard.run([tables, variant, *options, "--", *files])
        if (status in (0, 1)) != (api_status == 0):
            wrong.append("%s: the program: %d %s; the interface: %d %s" % (files, status, said, api_status, api_said))
        elif api_status == 0 and want != have:
            wrong.append("%s: the tables differ" % files)
        rows += want.count(b"\n") > 1
    return wrong + ([] if rows else ["no trace has rows"])


# Options that no analysis has, because they are about the run, or about what is printed instead of a table; those of
# tr_trace_select and of all analyses.
OF_RUN = {"coverage"}
INSTEAD = {"mark", "recipe", "list-rules", "print-rules", "show-rules", "explain", "list-archs", "annotate", "report",
           "output-format", "sections", "findings", "base", "save-path", "shape"}
SELECT = {"step", "time", "rank", "where", "host-time", "drop-last-step", "suspect"}
OF_ALL = {"by", "per", "top", "align"}


def own_options(job, program):
    table = heard.run([os.path.join(job.bin, "tr-" + program), "--option-table"])[1].decode()
    rows = [line.split("\t") for line in table.split("\n")[:-1]]
    return {r[2]: r[3] != "no" for r in rows if r[0] == "own"}


def takes(job, program, view, option, valued):
    """Does the program take the option with this view?"""
    argv = [os.path.join(job.bin, "tr-" + program), "-q", "--by", view, "--help-columns", "--" + option]
    if valued:
        value = heard.OF_PROGRAM.get(("tr-" + program, option)) or heard.VALUES.get(option) or ["1"]
        argv[-1] += "=" + job.replace(value[0])
    status, out, said = heard.run(argv)
    return b"does not take --" + option.encode() not in said


def compare_options(job, tables):
    """For each program, how the options that its views take differ from those of the analyses."""
    api = {}
    for line in heard.run([tables, "options"])[1].decode().split("\n")[:-1]:
        name, listed = line.split("\t")
        api.setdefault(name.split(".")[0], {})[name.split(".")[1]] = set(listed.split(",")) - {"-"}
    for program, views in api.items():
        if not os.access(os.path.join(job.bin, "tr-" + program), os.X_OK):
            continue
        own = {o: v for o, v in own_options(job, program).items() if o not in OF_RUN | INSTEAD | SELECT | OF_ALL}
        wrong = []
        if program in ONE_VIEW or any(n.split(".")[0] == program for n in BY_OTHER):
            views = {"any view": set().union(*views.values())}
        for view, have in views.items():
            want = {o for o in own if view == "any view" or takes(job, program, view, o, own[o])}
            wrong += ["%s: the program alone has --%s" % (view, o) for o in sorted(want - have - OF_ALL)]
            wrong += ["%s: the interface alone has %s" % (view, o) for o in sorted(have - want - OF_ALL - INSTEAD)]
        yield program, wrong


def refused_for_all(job, tables):
    """Options of all programs that are about tables, and of every selection: does the interface know them?"""
    common = heard.run([os.path.join(job.bin, "tr-breakdown"), "--option-table"])[1].decode()
    of_tables = [r.split("\t")[2] for r in common.split("\n")[:-1] if r.startswith("common")]
    values = {"sort": "sum", "top": "1", "columns": "all", "unit": "ms", "top-per": "name", "short-names": "1", "align": "1"}
    for option in sorted(set(of_tables) & set(values)) + ["align", "per"]:
        value = values.get(option, "rank")
        status, out, said = heard.run([tables, "breakdown.kernel", "top=1", option + "=" + value, "--", job.json[0]])
        if status:
            yield "%s: %s" % (option, said.decode())


def partials_taken(job, tables):
    """A partial result of a program, alone and beside a trace: the interface has the table of both; another view, and
    other options, are refused."""
    part = os.path.join(os.path.dirname(job.json[0]), "time.part")
    program = [os.path.join(job.bin, "tr-breakdown"), "-q", "--by", "time"]
    heard.run(program + ["--save-partial", part, job.json[0]])
    for more in ([], job.json[1:2]):
        status, want, said = heard.run(program + ["-O", "tsv", "--columns", "all", part, *more])
        if status or heard.run([tables, "breakdown.time", "--", part, *more])[:2] != (0, want):
            return False
    said = [heard.run([tables, *asked, "--", part])[2] for asked in (["breakdown.kernel"], ["breakdown.time", "per=all"])]
    return b"partial result" in said[0] and b"partial result" in said[1]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.split("\n\n")[1])
    job = heard.Job(*(os.path.abspath(a) for a in sys.argv[1:4]))
    tables = os.path.abspath(sys.argv[4])
    listed = heard.run([tables, "list"])[1].decode().split("\n")[:-1]
    cases = [(v, OPTIONS.get(v.split(",")[0], [])) for line in listed for v in variants(line)] + MORE
    cases = [c for c in cases if os.access(os.path.join(job.bin, "tr-" + c[0].split(".")[0]), os.X_OK)]
    compared = list(compare_options(job, tables)) + [("all", list(refused_for_all(job, tables)))]
    print("1..%d" % (len(compared) + len(cases) + 1))
    for n, (program, wrong) in enumerate(compared, 1):
        print("%sok %d - %s: the interface has the options of the program" % ("not " if wrong else "", n, program))
        print("".join("# %s\n" % w for w in wrong), end="")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for n, (case, wrong) in enumerate(zip(cases, pool.map(lambda c: judge(job, tables, *c), cases)), len(compared) + 1):
            print("%sok %d - %s: the same table through the interface" %
                  ("not " if wrong else "", n, " ".join([case[0], *case[1]])))
            print("".join("# %s\n" % w for w in wrong), end="")
    print("%sok %d - partial results of programs" %
          ("" if partials_taken(job, tables) else "not ", len(compared) + len(cases) + 1))


if __name__ == "__main__":
    main()
