#!/bin/sh
# SPDX-License-Identifier: MIT
# The critical path of all ranks from partial results is that from their traces: random jobs, and generated ones.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-critpath tr-filter

which_slice 4
case $slice in
all) seeds=1..320 ;;
*) seeds=$((slice * 80 + 1))..$(((slice + 1) * 80)) ;;
esac
$python "$here/critpath_ranks.py" "$bin" "$seeds" >result
take result critpath_ranks.py

# of_job OPTION...: with all that is said, from all traces and from a partial result of each.
of_job()
{
    rm -rf job parts
    make_traces job --steps 3 --layers 3 --python 0 "$@"
    mkdir parts
    for trace in job/rank?.json; do
        tr-critpath --per all --save-partial "parts/$(basename "$trace").part" "$trace" || exit 99
    done
    for by in bound leg; do
        tr-critpath --per all --by $by -O tsv job/rank?.json >want 2>&1
        tr-critpath --per all --by $by -O tsv parts/*.part >have 2>&1
        same have want "--by $by: $*"
    done
    tr-critpath --per all --by path -O tsv job/rank?.json >want 2>&1
    rm parts/rank1.json.part
    tr-critpath --per all --by path -O tsv parts/*.part job/rank1.json >have 2>&1
    grep -E '^(rank|1)	' want >want.1
    grep -E '^(rank|1)	' have >have.1
    same have.1 want.1 "--by path in a rank whose trace is there: $*"
    path_sums <want >want.sums
    path_sums <have >have.sums
    same have.sums want.sums "--by path adds up in the others: $*"
}

path_sums()
{
    awk -F '\t' 'NR > 1 && $8 > 0 { sum[$1 "\t" $10] += $8 } END { for (k in sum) printf "%s\t%.3f\n", k, sum[k] }' | sort
}

of_job --ranks 4 --straggler 1 --straggler-ns 3000000 --seed 3
of_job --ranks 4 --straggler 3 --straggler-ns 1000000 --seed 4 --seq none
of_job --ranks 2 --vendor amd --device-skew-ns 500 --seed 5
finish
