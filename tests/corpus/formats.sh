#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the programs reproduce the reference tables of traces of other formats?  formats.tsv says how each of them is made.
. "$(dirname "$0")/compare.sh"
compare formats/tables formats.tsv formats.trust.tsv formats.tolerance.tsv
