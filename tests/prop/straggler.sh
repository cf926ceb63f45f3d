#!/bin/sh
# SPDX-License-Identifier: MIT
# The rank that was made late is the one that tr-comm names, in all steps and in each.
. "$(dirname "$0")/lib.sh"
need tr-comm
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"

# named RANK WHAT OPTION...: a job with that straggler, made with these options.
named()
{
    rank=$1 what=$2
    shift 2
    mkdir job
    "$gen" --output job --ranks 4 --steps 3 --layers 2 --python 0 --straggler "$rank" "$@" || exit 99
    tr-comm --by straggler -O tsv job/rank?.json | sed -n 2p | cut -f 1 >have
    tr-comm --by straggler --per step -O tsv job/rank?.json |
        awk -F '\t' 'NR > 1 && $1 != step { step = $1; print $2 }' >>have
    for _ in all 1 2 3; do echo "$rank"; done >want
    same have want "$what: rank $rank"
    rm -r job
}

for r in 0 1 2 3; do
    named $r "all ranks one group" --seed "$r"
    named $r "without numbers" --seed "1$r" --seq none
    named $r "pairs" --seed "2$r" --group-size 2
    named $r "numbers on the host only" --seed "3$r" --seq record --vendor amd
done
finish
