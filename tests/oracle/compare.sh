#!/bin/sh
# SPDX-License-Identifier: MIT
# 29 views of breakdowns, overlaps, launches, patterns and use: a third of the traces are tiny ones on a coarse clock, half
# have parts taken away.
. "$(dirname "$0")/lib.sh"
need tr-breakdown tr-launch tr-overlap tr-patterns tr-util
oracle compare.py "$gen" "$(share 2)"
finish
