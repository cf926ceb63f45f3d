#!/bin/sh
# SPDX-License-Identifier: MIT
# Partial results of four ranks, merged in any way, are one run over the four: jobs of several seeds, coarse clocks too;
# half of the jobs for each commit.
. "$(dirname "$0")/../harness/tap.sh"
. "$root/tests/harness/slice.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"
job=$built/unit/partial_job
[ -x "$job" ] || skip_all "partial_job is not built"

# merges WHAT TRGEN-OPTION...: all analyses over such a job, if it is its turn
which_slice 2
merges()
{
    what=$1
    shift
    n_turns=$((n_turns + 1))
    [ "$slice" = all ] || [ $((n_turns % 2)) -eq "$slice" ] || return 0
    rm -rf job
    mkdir job && "$trgen" --output job --no-truth --ranks 4 --group-size 2 "$@" && "$job" job >out 2>&1
    ok $? "$what: $(grep -c '^ok' out) comparisons"
    grep -v '^ok' out | grep -v '^1\.\.' | head -40 | sed 's/^#* */# /'
}

merges "seed 1" --seed 1 --steps 4 --layers 2 --graphs 1 --graph-kernels 5 --streams 2
merges "seed 2, defects" --seed 2 --steps 3 --layers 2 --plant all --missing 0.2
merges "seed 3, AMD" --seed 3 --steps 3 --layers 1 --vendor amd --straggler 2 --pid-collision
merges "seed 4, coarse clock" --seed 4 --steps 4 --layers 1 --grid-ns 10000 --stretch 10 --halves
merges "seed 6, several bases" --seed 6 --steps 2 --layers 1 --seq record \
    --base-ns 1711964646000000000,1711964646000500000
merges "seed 5, coarse clock, defects" --seed 5 --steps 3 --layers 1 --grid-ns 100000 --streams 3 --plant all

finish
