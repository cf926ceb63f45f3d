# SPDX-License-Identifier: MIT
"""The sessions of tr-python(7) print what the page says, and its calls beside those of other packages have rows.

usage: page.py PAGE SAMPLE
"""

import doctest
import os
import re
import shutil
import sys
import warnings

import tracepipe


def plain(line):
    for mark, sign in (("\\(dq", '"'), ("\\(aq", "'"), ("\\(ti", "~"), ("\\(ha", "^"), ("\\-", "-"), ("\\e", "\\")):
        line = line.replace(mark, sign)
    return line[2:] if line.startswith("\\&") else line


def main():
    page, sample = sys.argv[1:]
    for name in ("rank0.json.gz", "rank1.json.gz"):
        shutil.copy(os.path.join(sample, name), name)
    with open(page, encoding="utf-8") as text:
        lines = [plain(line) for line in text.read().split("\n")]
    blocks = re.findall(r"^\.Bd -literal\n(>>> .*?)^\.Ed$", "\n".join(lines), re.M | re.S)
    known = {}
    warnings.simplefilter("ignore")
    flags = doctest.ELLIPSIS
    bad, said = 0, []
    for number, block in enumerate(blocks, 1):
        test = doctest.DocTestParser().get_doctest(block, known, "block %d" % number, page, 0)
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        runner.run(test, out=said.append, clear_globs=False)
        known.update(test.globs)
        bad += runner.failures > 0
        print("%sok - session %d of the page" % ("not " if runner.failures else "", number))
        print("".join("# %s\n" % line for line in "".join(said).splitlines()), end="")
        said.clear()
    for line in lines:
        if line.startswith(".Dl "):
            try:
                rows = len(eval(line[4:], known))
                why = None if rows else "no rows"
            except Exception as failure:
                why = repr(failure)
            bad += why is not None
            print("%sok - %s" % ("not " if why else "", line[4:] + (": " + why if why else "")))
    sys.exit(bad > 0)


if __name__ == "__main__":
    tracepipe.open  # the package can be imported
    main()
