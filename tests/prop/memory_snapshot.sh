#!/bin/sh
# SPDX-License-Identifier: MIT
# Memory snapshots of PyTorch at random: how much is allocated at each time, and what is live at the end, is what a replay
# of their trace says, from what the segments leave for its start; cut ones are read as far as they go.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-memory
$python "$here/memory_snapshot.py" "$bin" "$root/tests/gen" >said 2>&1
take said "snapshots"
finish
