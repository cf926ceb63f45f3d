#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-filter reads of a stream file only the blocks that --time, --step and --rank need, and selects the same events.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-merge tr-align tr-filter tr-view
make_traces of --ranks 3 --steps 24 --layers 12 --sync 0 --python 0 --shapes 0 --offset-ns 0,40000,-70000 \
    --drift-ppb 0,20000,-30000 --device-skew-ns 0,-30000,50000 --no-truth
for r in 0 1 2; do
    tr-parse -q --block-events 200 -o $r.trs of/rank$r.json || exit 99
done
tr-merge -q -o all.trs 0.trs 1.trs 2.trs && tr-align -q --drift -o aligned.trs all.trs ||
    exit 99
$python "$here/blocks.py" "${TR_SEEDS:-20}" >said
take said blocks.py
finish
