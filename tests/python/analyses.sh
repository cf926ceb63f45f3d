#!/bin/sh
# SPDX-License-Identifier: MIT
# Each analysis, with each of its keys, called from Python on traces of two kinds: each cell is that of the program's
# JSON, and so is the text that the package writes (analyses.py, with the traces and options of prop/api.py).  Half of the
# analyses for each commit.
. "$(dirname "$0")/../prop/lib.sh"
. "$root/tests/python/lib.sh"
. "$root/tests/harness/slice.sh"
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
need tr-parse tr-merge tr-align tr-categorize tr-diff tr-view
mkdir traces
which_slice 2
"$python" "$here/analyses.py" "$bin" "$gen" traces "$slice"
