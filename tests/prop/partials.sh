#!/bin/sh
# SPDX-License-Identifier: MIT
# Partial results of random parts of a job, merged in random trees, have the bytes of one run: every view that can be
# saved, comparisons and the page.  TR_LONG=1: more jobs, and more trees of each view.
. "$(dirname "$0")/lib.sh"
need tr-breakdown tr-diff tr-merge tr-report

# merges WHAT SEED OPTION...: a job
merges()
{
    what=$1 seed=$2
    shift 2
    make_traces "job$seed" --seed "$seed" "$@"
    run "$what, seed $seed" $python "$here/partials.py" "$bin" "$here/../rules/views.tsv" "job$seed" "$seed" "$trees" \
        $captures
}

captures=

trees=1
[ "${TR_LONG:-0}" = 1 ] && trees=4
merges "five ranks" 1 --ranks 5 --steps 2 --layers 1 --streams 2
# Clocks of nodes that differ and drift, which are found when the parts are merged.
"$python" "$here/../gen/mesh.py" --tp 2 --pp 2 --dp 4 --ep 2 --kernels 4 --layers 1 --steps 3 --names 50 --drift \
    --straggler 6 --missing 0.01 --output mesh
run "pages of 16 ranks with clocks of their own" "$python" "$here/partials.py" "$bin" "$here/../rules/views.tsv" mesh 9 \
    $trees page
captures=captures
merges "captures" 7 --ranks 3 --steps 2 --layers 1 --streams 2
if [ "${TR_LONG:-0}" = 1 ]; then
    merges "captures of two files" 8 --ranks 3 --sources 2 --steps 2 --layers 1
    captures=
    merges "two files of each rank" 2 --ranks 3 --sources 2 --steps 4 --layers 1
    merges "defects" 3 --ranks 4 --steps 3 --layers 2 --plant all --missing 0.2
    merges "coarse clocks" 4 --ranks 4 --steps 3 --layers 1 --grid-ns 10000 --stretch 10 --halves
    merges "several bases" 5 --ranks 4 --steps 2 --layers 1 --base-ns 1711964646000000000,1711964646000500000
fi
finish
