#!/bin/sh
# SPDX-License-Identifier: MIT
# Do the programs reproduce the tables of Holistic Trace Analysis?  features.tsv says how each of them is made.
. "$(dirname "$0")/compare.sh"
compare hta features.tsv hta.trust.tsv
