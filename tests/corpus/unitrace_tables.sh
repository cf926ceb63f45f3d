#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the programs reproduce the tables of unitrace?  unitrace.tsv says how each of them is made.
. "$(dirname "$0")/compare.sh"
compare unitrace/tables unitrace.tsv
