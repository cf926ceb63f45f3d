#!/bin/sh
# SPDX-License-Identifier: MIT
# Verdicts on simulated jobs that hang: dumps of flight recorders as JSON and as pickles, with faults of eleven kinds.
. "$(dirname "$0")/lib.sh"
need tr-comm

first=0
last=48
most=32
if [ -n "${TR_LONG:-}" ]; then
    last=300
    most=512
fi
$python "$here/verdict.py" "$bin" $first $last $most >said 2>&1
take said "what is said"
finish
