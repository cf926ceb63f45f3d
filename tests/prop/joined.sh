#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces beside dumps of flight recorders of simulated jobs: rows are those of a join by a dictionary.
. "$(dirname "$0")/lib.sh"
need tr-comm

last=24
[ -n "${TR_LONG:-}" ] && last=300
$python "$here/joined.py" "$bin" 0 $last >said 2>&1
take said "what is said"
finish
