# SPDX-License-Identifier: MIT
"""Tables as other programs read them, cell by cell.

Usage: tables_check.py rename TRACE NEW           names of hostile sorts, the rest of the text as it is
       tables_check.py join JSON JSON NEW         one object of two
       tables_check.py sqlite JSON DATABASE
       tables_check.py pandas JSON DATABASE FOLDER
       tables_check.py csv|calc JSON FOLDER       a file for each table; calc: from a workbook
JSON is an object {table: rows} that the programs wrote.  Prints what differs.
"""
import csv
import json
import os
import re
import subprocess
import sys

HOSTILE = ["", " ", "q\"uo'te", "semi;colon -- drop", "a,b", "line\nend", "tab\tend", "=1+1", "+1", "-1", "@x", "\u00e9\u4e2d\U0001f600",
           "<b>&amp;", "x" * 3000, "]]>", "1e5", "007", "NULL", "NA", "nan", "true", "2020-01-01", "zero\0byte", "\x01\x1f\x7f", "\u202eturned",
           "'quoted'", "\"", "inf", "1_000", "\\N"]
HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]")


def rename(trace, new):
    names = {}

    def other(m):
        if m[2] not in names:
            names[m[2]] = HOSTILE[len(names)] if len(names) < len(HOSTILE) else json.loads('"%s"' % m[2])
        return m[1] + json.dumps(names[m[2]])

    with open(trace, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r'("cat": "(?:kernel|cpu_op)", "name": )"([^"\\]*)"', other, text)
    assert len(names) > len(HOSTILE), "names are too few"
    with open(new, "w", encoding="utf-8") as f:
        f.write(text)


n_cells = 0


def agree(table, have, want, cell):
    """Rows are lists in the order of the columns; cell(have, want) judges two values that are not both absent."""
    global n_cells
    if len(have) != len(want):
        print("%s: %d rows, not %d" % (table, len(have), len(want)))
    for i, (a, b) in enumerate(zip(have, want)):
        b = list(b.items())
        if len(a) != len(b):
            print("%s, row %d: %d columns, not %d" % (table, i, len(a), len(b)))
        for x, (key, y) in zip(a, b):
            n_cells += 1
            if not cell(x, y):
                print("%s, row %d, %s: %s, not %s" % (table, i, key, ascii(x)[:80], ascii(y)[:80]))


def kept(y):
    """Texts of JSON in other programs: lists and objects as JSON, truth values as numbers."""
    if isinstance(y, bool):
        return int(y)
    return json.dumps(y, separators=(",", ":"), ensure_ascii=False) if isinstance(y, (list, dict)) else y


def exact(x, y):
    y = kept(y)
    return x == y and type(x) is type(y) or isinstance(x, float) and isinstance(y, int) and x == y and abs(y) < 2 ** 53


def as_text(x, y):
    """A cell of CSV, and that of JSON.  CSV shows what is hidden, so that other texts differ."""
    y = kept(y)
    if isinstance(y, str):
        return bool(HIDDEN.search(y.replace("\t", "").replace("\n", ""))) or x == y
    return x == "" if y is None else x == str(y) if isinstance(y, int) else float(x) == y


# ---- sqlite3(1) ----

def of_sqlite(want, path):
    """Texts as hexadecimal digits, so that all of their bytes are seen; real numbers with all their digits."""
    for table, rows in want.items():
        names = ['"%s"' % n.replace('"', '""') for n in rows[0]] if rows else []
        value = "iif(typeof(%s) = 'real', printf('%%!.17g', %s), iif(typeof(%s) = 'text', hex(%s), %s))"
        query = "SELECT %s FROM \"%s\" ORDER BY rowid" % (
            ", ".join("typeof(%s), %s" % (n, value.replace("%s", n).replace("%%", "%")) for n in names) or "1", table)
        out = subprocess.run(["sqlite3", "-readonly", "-csv", "-noheader", path, query], capture_output=True, check=True, text=True).stdout
        have = []
        for line in csv.reader(out.splitlines()):
            cells = zip(line[::2], line[1::2])
            have.append([None if t == "null" else int(v) if t == "integer" else float(v) if t == "real" else bytes.fromhex(v).decode()
                         for t, v in cells])
        agree(table, have, rows, exact)


# ---- pandas ----

def of_pandas(want, path, folder):
    import pandas as pd
    import sqlite3
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    for table, rows in want.items():
        if not rows:
            continue
        cursor = db.execute('SELECT * FROM "%s" ORDER BY rowid' % table)
        whole = [c for c in rows[0] if c.endswith("_ns")]
        frames = [
            pd.DataFrame(cursor.fetchall(), columns=[c[0] for c in cursor.description], dtype=object).drop(columns="run_id"),
            pd.read_csv("%s/%s.csv" % (folder, table), dtype="string", keep_default_na=False, na_values=[""]),
        ]
        for frame, cell in zip(frames, (exact, as_text)):
            frame = frame.astype(dict.fromkeys(whole, "Int64"))
            if list(frame) != list(rows[0]) or any(frame.dtypes[c] != "Int64" for c in whole):
                print("%s: other columns: %s" % (table, frame.dtypes))
            have = [[plain(v, cell) for v in line] for line in frame.astype(object).itertuples(index=False, name=None)]
            agree(table, have, rows, cell)
        # what has no absent values is int64 without a word
        sure = [c for c in whole if all(r[c] is not None for r in rows)]
        frame = pd.read_csv("%s/%s.csv" % (folder, table), low_memory=False)
        for c in sure:
            if frame[c].dtype != "int64" or list(frame[c]) != [r[c] for r in rows]:
                print("%s.%s is %s" % (table, c, frame[c].dtype))


def plain(v, cell):
    if v is None or str(v) == "<NA>" or v != v:
        return "" if cell is as_text else None
    return v if cell is exact or isinstance(v, str) else str(v)


# ---- CSV that another program wrote ----

def of_csv(want, folder):
    for table, rows in want.items():
        with open("%s/%s.csv" % (folder, table), newline="", encoding="utf-8") as f:
            lines = list(csv.reader(f))
        if rows and lines[0] != list(rows[0]):
            print("%s: other columns: %s" % (table, lines[0]))
        agree(table, lines[1:], rows, as_text)


def of_calc(want, folder):
    for table in want: # x.xlsx gives x-SHEET.csv
        os.rename("%s/x-%s.csv" % (folder, table.removeprefix("breakdown_")), "%s/%s.csv" % (folder, table))
    of_csv(want, folder)


def known(name):
    """A table is named for its program, too."""
    return {"launch": "launch", "collective": "comm_collective", "events": "events"}.get(name, "breakdown_" + name)


def join(one, other, new):
    with open(one, encoding="utf-8") as a, open(other, encoding="utf-8") as b, open(new, "w", encoding="utf-8") as f:
        json.dump({**json.load(a, strict=False), **json.load(b, strict=False)}, f)


def main():
    how, names = sys.argv[1], sys.argv[2:]
    if how == "rename":
        return rename(*names)
    if how == "join":
        return join(*names)
    with open(names[0], encoding="utf-8") as f:
        want = {known(table): rows for table, rows in json.load(f, strict=False).items()}
    {"sqlite": of_sqlite, "pandas": of_pandas, "csv": of_csv, "calc": of_calc}[how](want, *names[1:])
    print("%d cells" % n_cells if n_cells >= 100 else "only %d cells" % n_cells)


main()
