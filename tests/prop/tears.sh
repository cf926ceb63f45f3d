#!/bin/sh
# SPDX-License-Identifier: MIT
# Property: events that lost their end cost themselves and nothing else, whatever the order of keys and the layout.
# TR_SEEDS: how many traces torn at random are tried [200; 2500 with TR_LONG=1].
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view
seeds=200
[ "${TR_LONG:-0}" = 0 ] || seeds=2500
"$python" "$here/tears.py" "$bin" "${TR_SEEDS:-$seeds}" >said 2>&1
is $? 0 "$(tail -n 1 said)"
sed 's/^/# /' said
finish
