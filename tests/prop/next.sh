#!/bin/sh
# SPDX-License-Identifier: MIT
# What to look at next, on random jobs: the figures of each line follow from its commands, the largest comes first, no
# rank of a clean job is named as late, and a rank that was made late is.
. "$(dirname "$0")/lib.sh"
need tr-report tr-breakdown tr-comm
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"

# job NAME SEED OPTION...: a job of random sizes, drawn from its seed.
job()
{
    name=$1 seed=$2
    shift 2
    mkdir "$name"
    "$gen" --output "$name" --python 0 --seed "$seed" --steps $((seed % 4 + 1)) --collectives $((seed % 5 + 1)) "$@" ||
        exit 99
}

# named: the late ranks of a job.
named()
{
    tr-report -q --sections next "$1"/rank?.json | sed -n 's/^Rank \([0-9]*\) comes l.*/\1/p' | sort -u | tr '\n' ' '
}

for n in 2 4; do
    for seed in $(seq $((n * 100 + 1)) $((n * 100 + 30))); do
        job clean "$seed" --ranks $n
        echo "$seed: $(named clean)"
        rm -r clean
    done >"have$n"
    for seed in $(seq $((n * 100 + 1)) $((n * 100 + 30))); do echo "$seed: "; done >want
    same "have$n" want "no rank of 30 clean jobs of $n ranks is late"
done

for rank in 0 1 2; do
    job planted "$rank" --ranks 3 --steps 3 --straggler "$rank" --straggler-ns 2000000
    named planted >have
    printf '%s ' "$rank" >want
    same have want "rank $rank is late in each step"
    rm -r planted
done
set --
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    job "job$seed" "$seed" --ranks $((seed % 4 + 1)) --layers $((seed % 3 + 1)) --graphs $((seed % 2)) --stall-every $((seed % 3 * 2)) \
        --idle-ns $((seed % 5 * 100000)) --straggler $((seed % 4 - 1))
    set -- "$@" "$(echo "job$seed"/rank?.json)"
done
$python "$here/next.py" "$bin" "$@" >said 2>&1 || echo "status $?" >>said
[ ! -s said ]
ok $? "figures follow from the commands"
sed 's/^/# /' said
finish
