# SPDX-License-Identifier: MIT
"""Does each analysis give the same cells from Python as its program prints?

usage: analyses.py BIN TRGEN FOLDER PART

PART is "all", or a number: each second analysis, from this one on.
"""

import concurrent.futures
import json
import os
import sys
import warnings

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [os.path.join(TESTS, "prop"), os.path.join(TESTS, "rules")]
import api  # noqa: E402
import heard  # noqa: E402
import tracepipe  # noqa: E402
from tracepipe import _analyses  # noqa: E402

warnings.simplefilter("ignore")


def variants():
    for view in _analyses.VIEWS:
        yield view.name
        yield from (view.name + "," + key for key in view.keys)
        if view.name in api.KEYS_TOGETHER:
            yield ",".join([view.name] + view.keys)


def given(job, options):
    """Options of the program as keywords, and as a selection."""
    keywords, chosen = {}, {}
    for option in options:
        key, _, value = job.replace(option).partition("=")
        into = chosen if key.startswith("select.") else keywords
        key = key.replace("select.", "").replace("-", "_")
        value = (value == "1") if key.replace("_", "-") in api.FLAGS else value
        into[key] = [into[key], value] if key in into else value
    return keywords, chosen


def same_cell(column, have, want, text):
    if want is None or have is None:
        return have is want
    if isinstance(have, float):
        decimals = len(text.partition(".")[2]) if "e" not in text else None
        exact = decimals is None or column.type == "double"
        return have == float(text) if exact else abs(have - float(text)) <= 0.5 * 10**-decimals + 1e-9 * abs(have)
    return have == want


class Digits(float):
    """A number with its text."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self


def compare(table, printed):
    rows = json.loads(printed, parse_float=Digits)
    if len(rows) != len(table):
        return "%d rows, not %d" % (len(table), len(rows))
    for number, (have, want) in enumerate(zip(table, rows)):
        if len(have) != len(want):
            return "other columns"
        for column, (name, cell) in zip(table.columns, want.items()):
            if column.name != name:
                return "column %s is %s" % (name, column.name)
            text = getattr(cell, "text", str(cell))
            if not same_cell(column, have[column.name], cell, text):
                return "row %d, %s: %r, not %s" % (number, name, have[column.name], text)
    return None


# The JSON of these programs is of another form than their tables: TSV is compared.
OTHER_JSON = ("report", "replay")


def judge(job, variant, options):
    name, _, keys = variant.partition(",")
    program, _, view = name.partition(".")
    keywords, chosen = given(job, options)
    form = "tsv" if program in OTHER_JSON else "json"
    keywords.update({"columns": "all"} if program in OTHER_JSON else {"columns": "all", "unit": "ns"})
    if len(_analyses.PROGRAMS[program]) > 1:
        keywords["by"] = ",".join([view] + ([keys] if keys else []))
    argv = api.program_of(job, variant, [job.replace(o) for o in options])
    argv[argv.index("tsv")] = form
    wrong = []
    for files in job.inputs:
        status, printed, said = heard.run(argv + (["--unit", "ns"] if form == "json" else []) + files)
        if b"the table has no times" in said:
            status, printed, said = heard.run(argv + files)
        try:
            table = getattr(tracepipe.open(files, **chosen), program)(**keywords)
        except tracepipe.Error as failure:
            if status in (0, 1):
                wrong.append("%s: the program succeeds, not the package: %s" % (files, failure))
            continue
        if status not in (0, 1):
            wrong.append("%s: the package succeeds, not the program: %s" % (files, said))
            continue
        if table.to(form) != printed.decode("utf-8", "replace"):
            wrong.append("%s: the texts differ" % files)
        why = compare(table, printed) if form == "json" else None
        if why:
            wrong.append("%s: %s" % (files, why))
    return wrong  # that some trace has rows is the business of prop/api.sh


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    job = heard.Job(*(os.path.abspath(a) for a in sys.argv[1:4]))
    cases = [(v, api.OPTIONS.get(v.split(",")[0], [])) for v in variants()] + api.MORE
    cases = [c for c in cases if os.access(os.path.join(job.bin, "tr-" + c[0].split(".")[0]), os.X_OK)]
    cases = cases if sys.argv[4] == "all" else cases[int(sys.argv[4])::2]
    print("1..%d" % len(cases))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for n, (case, wrong) in enumerate(zip(cases, pool.map(lambda c: judge(job, *c), cases)), 1):
            what = " ".join([case[0], *case[1]])
            print("%sok %d - %s: each cell is that of the program" % ("not " if wrong else "", n, what))
            print("".join("# %s\n" % w for w in wrong), end="")


if __name__ == "__main__":
    main()
