#!/bin/sh
# SPDX-License-Identifier: MIT
# No option is ignored in silence: what a form of a program knows changes its output, what it does not know is refused.
# heard.py tries each option in each form; views.tsv lists the tables, neutral.tsv what changes nothing, and why.
. "$(dirname "$0")/../prop/lib.sh"
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
need tr-parse tr-merge tr-align tr-categorize tr-diff tr-view
mkdir traces
$python "$here/heard.py" "$bin" "$gen" traces
