#!/bin/sh
# SPDX-License-Identifier: MIT
# A run that goes on has snapshots of every view: of jobs of several seeds, in small blocks, the rows after any of them
# are those of a run that ends there, and the last rows are those of a run without snapshots.
. "$(dirname "$0")/../harness/tap.sh"
trgen=${TR_GEN:-gen/trgen}
case $trgen in /*) ;; *) trgen=$built/$trgen ;; esac
[ -x "$trgen" ] || skip_all "the generator is not built"
job=$built/unit/snapshot_job
[ -x "$job" ] || skip_all "snapshot_job is not built"

{
    printf '[DeepRT] ===== Perf BEGIN =====\nIdeal Clock Scaling: 0.5\n~~~~ Ideal/Total Cycles ~~~~\n-----\n'
    printf 'Name     Ideal Cy.\nmm-opCatBmm_fp16     4000\nTotal\t\t5000\n====== Perf Summary End ======\n'
} >ideal.log

# goes_on WHAT TRGEN-OPTION...
goes_on()
{
    what=$1
    shift
    rm -rf job
    mkdir job && "$trgen" --output job --no-truth "$@" &&
        tr-merge -q --no-provenance job/*.json | tr-parse -q --no-provenance --block-events 100 - >job.trs &&
        "$job" job.trs ideal.log >out 2>&1
    ok $? "$what: $(grep -c '^ok' out) comparisons"
    grep -v '^ok' out | grep -v '^1\.\.' | head -40 | sed 's/^#* */# /'
}

goes_on "three ranks" --seed 1 --ranks 3 --steps 4 --layers 2 --graphs 1 --graph-kernels 5 --streams 2
goes_on "coarse clock, defects" --seed 5 --steps 4 --layers 1 --grid-ns 100000 --streams 3 --plant all
finish
