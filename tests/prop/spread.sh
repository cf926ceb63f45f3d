#!/bin/sh
# SPDX-License-Identifier: MIT
# --per spread is what a script computes from the rows of each rank: medians, extremes and their ranks, outliers, the rest
# beyond --top.
. "$(dirname "$0")/lib.sh"
need tr-breakdown tr-overlap tr-launch tr-merge
make_traces of --ranks 9 --steps 3 --layers 3 --straggler 4 --no-truth
tr-merge -q -o job.trs of/rank*.json && $python "$here/spread.py" job.trs >said
take said spread.py
finish
