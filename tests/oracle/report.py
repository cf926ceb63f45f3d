#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tr-report against the commands that it prints: each number of a section stands in what its commands print,
on a line with the names of its row; usage: report.py BIN TRGEN SEEDS TRACE...

Random jobs of trgen have one to five ranks; the traces given are looked at singly and together.
"""
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree may be read-only
import seeds

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]|\.\d)")
# made of other figures, or words of the page
TEXT_OF_PAGE = {"metric", "finding", "what", "command", "per"}
ALWAYS = {"trust"}
# The keys of a section's rows, and columns that the row "others" adds up, the first of which orders them.
OTHERS = {"kernels": (("kind", "name"), ("sum", "count")), "operators": (("name",), ("device_self", "calls", "host_self")),
          "comm": (("name",), ("dur_sum", "count")), "launches": (("api",), ("launches", "calls")),
          "short": (("kind", "name"), ("sum", "count")), "categories": (("category",), ("device_self", "calls")),
          "shapes": (("shapes", "dtypes", "strides", "name"), ("device_self", "calls")),
          "parents": (("kernel", "stream", "name"), ("sum", "count")), "families": (("family",), ("device", "calls")),
          "roofline": (("family", "params", "name"), ("device", "calls"))}
FAST = "families of operators above their roof"  # in section trust, but about section families


def run(bin_dir, command, folder):
    env = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", LC_ALL="C")
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding="utf-8", errors="replace", check=False)


def lines_of(row, said):
    """The lines that a row can be about: those with its names, or all when it has none."""
    names = [v for c, v in row.items() if isinstance(v, str) and c not in TEXT_OF_PAGE]
    return [line for line in said.splitlines() if all(name in line for name in names)]


def figure(row, name):
    """The value of a column, whose name may end with its unit."""
    return next(v for c, v in row.items() if c == name or re.fullmatch(re.escape(name) + "_(ns|us|ms|s)", c))


def wrong_others(name, section, rows):
    """A row "others" against the sums of all rows that the page does not name; rows: those of the command."""
    keys, sums = OTHERS[name]
    for row in section["rows"]:
        if row[keys[-1]] != "others":
            continue
        same = [r for r in section["rows"] if r is not row and r.get("rank") == row.get("rank")]
        named = {tuple(r[k] for k in keys) for r in same}
        rest = [r for r in rows if tuple(r[k] for k in keys) not in named and row.get("rank") in (None, r.get("rank"))]
        said = {c: figure(row, c) for c in ("median", "least", "most", *sums) if any(n.startswith(c) for n in row)}
        if "median" in said:
            ranks = {}
            for r in rest:
                ranks[r["rank"]] = ranks.get(r["rank"], 0) + (figure(r, sums[0]) or 0)
            of_ranks = sorted(ranks.values())
            want = {"median": of_ranks[(len(of_ranks) - 1) // 2], "least": of_ranks[0], "most": of_ranks[-1]}
            if row["on_rank"] is not None and ranks[row["on_rank"]] != want["most"]:
                yield f"{name}: others: rank {row['on_rank']} does not have the most"
        elif (ranks := [c for c in row if re.fullmatch(r"rank\d+(_us|_ms|_s|_ns)?", c)]):  # a few ranks: a column for each
            said = {c: row[c] for c in ranks}
            want = {c: sum(figure(r, sums[0]) or 0 for r in rest if r["rank"] == int(c.split("_")[0][4:])) for c in ranks}
        else:
            want = {c: sum(figure(r, c) or 0 for r in rest) for c in sums}
        if said != want:
            yield f"{name}: others: {said}, not {want}"


def is_fast(row):
    return any(isinstance(v, str) and v.startswith(FAST) for v in row.values())


def wrong_fast(page, families):
    """The count of families above their roof, against the rows of their command."""
    said = sum(row["count"] for row in page["trust"]["rows"] if is_fast(row))
    want = sum(1 for r in families if (r["roofline_pct"] or 0) > 100 and r["pct"] >= 1)
    if said != want:
        yield f"trust: {said} {FAST}, not {want}"


def wrong_rows(name, section, said):
    """What a section says and its commands do not, or of something else."""
    for row in section["rows"]:
        if name == "trust" and is_fast(row):
            continue
        if name in OTHERS and row[OTHERS[name][0][-1]] == "others":
            continue
        lines = lines_of(row, said)
        if not lines:
            yield f"{name}: {row}: no line of {section['command']} is about it"
        numbers = {Decimal(n) for n in NUMBER.findall("\n".join(lines))}
        for column, value in row.items():
            if name == "idle" and value == 0:  # a rank without this cause
                continue
            if isinstance(value, Decimal) and value not in numbers:
                yield f"{name}: {column} {value}: not where {section['command']} speaks of it"
        if "metric" in row and row["metric"].rsplit("_us", 1)[0] not in said:
            yield f"{name}: metric {row['metric']}: not in the output of {section['command']}"


def wrong_page(bin_dir, options, folder):
    report = run(bin_dir, f"tr-report -q -O json {options}", folder)
    if report.returncode:
        yield f"tr-report {options}: {report.returncode} {report.stderr}"
        return
    page = json.loads(report.stdout, parse_float=Decimal, parse_int=Decimal)
    if page.pop("version") != 1:
        yield f"tr-report {options}: not version 1"
    for finding in page.pop("findings"):
        done = run(bin_dir, finding["command"], folder)
        if done.returncode:
            yield f"finding {finding['kind']}: {finding['command']}: {done.returncode} {done.stderr}"
    if ALWAYS - set(page):
        yield f"tr-report {options}: no section {ALWAYS - set(page)}"
    if "families" in page:
        rows = run(bin_dir, page["families"]["command"].split("; ")[0] + " -q -O json", folder).stdout
        yield from wrong_fast(page, json.loads(rows, parse_float=Decimal, parse_int=Decimal))
    elif any(map(is_fast, page["trust"]["rows"])):
        yield f"trust: {FAST} without their section"
    for name, section in page.items():
        if not section["rows"] and name not in ALWAYS:
            yield f"{name}: a section without rows"
        done = run(bin_dir, section["command"], folder)
        if done.returncode:
            yield f"{name}: {section['command']}: {done.returncode} {done.stderr}"
        if name != "job":  # counts inputs
            yield from wrong_rows(name, section, done.stdout)
        if name in OTHERS and any(row[OTHERS[name][0][-1]] == "others" for row in section["rows"]):
            rows = run(bin_dir, section["command"].split("; ")[0] + " -q -O json", folder).stdout
            yield from wrong_others(name, section, json.loads(rows, parse_float=Decimal, parse_int=Decimal))


def make(trgen, folder, seed):
    rng = random.Random(seed)
    argv = [trgen, "--output", folder, "--seed", seed, "--ranks", rng.randint(1, 5), "--steps", rng.randint(1, 4),
            "--layers", rng.randint(1, 3), "--memory", rng.randint(0, 1), "--streams", rng.randint(1, 3),
            "--graphs", rng.choice([0, 0, 1]),
            "--shapes", rng.choice([0, 1, 2])]
    subprocess.run(list(map(str, argv)), check=True, stdout=subprocess.DEVNULL)
    return " ".join(sorted(p.name for p in Path(folder).glob("rank*.json") if "truth" not in p.name))


def options_of(seed, files):
    rng = random.Random(seed)
    several = len(files.split()) > 1
    options = [rng.choice(["", "", "--per rank"]), rng.choice(["", "", "--step 15", "--where 'dur > 5us'"]),
               rng.choice(["", "--unit ms"]), "--rank 0,1" if several and rng.random() < .2 else ""]
    base = f"--base {files.split()[0]} --" if rng.random() < .2 and not options[-1] else ""
    options += [rng.choice(["", "--sections all"]), rng.choice(["", "--top 0", "--top 2"]), rng.choice(["", "--arch H100"])]
    return " ".join(filter(None, [*options, base, files]))


def main():
    bin_dir, trgen, of, traces = sys.argv[1], os.path.abspath(sys.argv[2]), seeds.of(sys.argv[3]), sys.argv[4:]
    bin_dir, n = os.path.abspath(bin_dir), 0

    def tell(what, problems):
        nonlocal n
        problems, n = list(problems), n + 1
        print(f"{'not ok' if problems else 'ok'} {n} - {what}")
        for problem in problems[:10]:
            print("#", problem.replace("\n", "\n# "))

    traces = [os.path.abspath(t) for t in traces]
    for files in [*traces, " ".join(traces)] if traces else []:
        for options in ["", "--sections all --top 0 --arch MI300X "]:
            tell(f"tr-report {options}of the sample, {len(files.split())}", wrong_page(bin_dir, options + files, "/"))
    for seed in of:
        with tempfile.TemporaryDirectory() as folder:
            options = options_of(seed, make(trgen, folder, seed))
            tell(f"tr-report, seed {seed}: {options}", wrong_page(bin_dir, options, folder))
    print(f"1..{n}")


if __name__ == "__main__":
    main()
