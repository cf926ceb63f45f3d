#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the programs reproduce the tables of acelyzer?  acelyzer.tsv says how each of them is made.
. "$(dirname "$0")/compare.sh"
AIU_RULES=$top/contrib/recipes/aiu.rules
export AIU_RULES
compare acelyzer/tables acelyzer.tsv
