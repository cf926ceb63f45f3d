# SPDX-License-Identifier: MIT
"""What oracles share: which seeds they are given; and, for those of one test, run them and print the result as TAP."""
import sys
import tempfile


def of(text):
    """The seeds that an argument names: "A..B" from A to B, "N" from 1 to N."""
    first, _, last = text.rpartition("..")
    return range(int(first or 1), int(last) + 1)


def run(check, about, least):
    """check(bin_dir, seed, folder) gives how many rows were equal, and what was wrong or None.  The arguments of the
    program are bin_dir and the seeds; about has a place for each of: all rows, all seeds.  Fewer than least rows for
    each seed are a failure: then the traces are not what they should be."""
    bin_dir, seeds = sys.argv[1], of(sys.argv[2])
    bad, n_rows = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            same, problem = check(bin_dir, seed, folder)
            n_rows += same
            if problem:
                bad.append(problem)
    for problem in bad[:3]:
        print("# " + problem.replace("\n", "\n# "))
    print("%sok 1 - %s" % ("not " if bad or n_rows < least * len(seeds) else "", about % (n_rows, len(seeds))))
    print("1..1")
