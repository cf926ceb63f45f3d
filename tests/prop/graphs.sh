#!/bin/sh
# SPDX-License-Identifier: MIT
# Launched graphs with captures have the rows of a trace in which the operators launched the kernels themselves.
# TR_SEEDS: how many traces drawn at random are tried [12].
. "$(dirname "$0")/lib.sh"
need tr-breakdown
need tr-roofline

$python "$here/graphs.py" "$bin" 1 "${TR_SEEDS:-12}" >differ 2>&1
status=$?
[ $status -eq 0 ] || cat differ
ok $status "operators of captures own the work of launched graphs, in ${TR_SEEDS:-12} traces"

# The comparison can fail: a capture whose kernels have other names.
sed 's/"kernel": "k/"kernel": "x/g' captures.json >other.json
$bin/tr-breakdown --by operator -q --attach-capture other.json -O tsv replay.json >captured
$bin/tr-breakdown --by operator -q -O tsv eager.json >eager
! cmp -s captured eager
ok $? "a capture of other kernels makes a difference"
finish
