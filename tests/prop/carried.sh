#!/bin/sh
# SPDX-License-Identifier: MIT
# What programs pass on is what they read, apart from what they say they change: see carried.py.
# TR_SEEDS: how many random jobs are tried [40].
. "$(dirname "$0")/lib.sh"
need tr-parse tr-filter tr-merge tr-categorize tr-align tr-counters tr-patterns tr-critpath
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"
[ -x "$built/prop/add_tables" ] || skip_all "not built: prop/add_tables"
$python "$here/carried.py" "$bin" "$gen" "$built/prop/add_tables" "${TR_SEEDS:-40}" >result
take result carried.py
finish
