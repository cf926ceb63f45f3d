#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the programs reproduce the tables of TraceLens?  tracelens.tsv says how each of them is made.
. "$(dirname "$0")/compare.sh"
compare tracelens/tables tracelens.tsv tracelens.trust.tsv
