#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-report finds the planted cause of simulated jobs first, says what it costs, and finds nothing in clean jobs.
# In turn, a part of the causes; TR_LONG=1: a plan of 150 jobs of 1 to 64 ranks (findings.py).
. "$(dirname "$0")/lib.sh"
need tr-report
# shellcheck source=tests/harness/slice.sh
. "$root/tests/harness/slice.sh"
which_slice 4
mkdir jobs
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"

# named FOLDER: the rank for which the others wait.
named()
{
    tr-report -q --sections findings --findings all "$1"/rank?.json |
        sed -n -e 's/.*wait for rank \([0-9]*\) .*/\1/p' -e 's/.* Rank \([0-9]*\) waits, and .*/\1/p' | tr '\n' ' '
}

# On jobs of another generator: no rank of a clean job is named, and a rank that was made late is.
for n in 2 4; do
    for seed in $(seq $((n * 100 + 1)) $((n * 100 + 10))); do
        mkdir clean
        "$gen" --output clean --python 0 --seed "$seed" --steps $((seed % 4 + 1)) --collectives $((seed % 5 + 1)) --ranks $n || exit 99
        echo "$seed: $(named clean)"
        rm -r clean
    done >"have$n"
    for seed in $(seq $((n * 100 + 1)) $((n * 100 + 10))); do echo "$seed: "; done >want
    same "have$n" want "no rank of 10 clean jobs of $n ranks is late"
done
for rank in 0 1 2; do
    mkdir planted
    "$gen" --output planted --python 0 --seed "$rank" --steps 3 --collectives 2 --ranks 3 --straggler "$rank" --straggler-ns 2000000 ||
        exit 99
    is "$(named planted)" "$rank " "rank $rank is late in each step"
    rm -r planted
done
if [ "${TR_LONG:-0}" = 1 ]; then
    $python -B "$here/findings.py" "$bin" "$root/tests/gen/job.py" jobs --plan "${TR_JOBS:-150}" --seed "${TR_SEED:-11}"
else
    $python -B "$here/findings.py" "$bin" "$root/tests/gen/job.py" jobs --slice "$slice"
fi >said
while read -r line; do
    case $line in
    'ok - '*) ok 0 "${line#ok - }" ;;
    'not ok - '*) ok 1 "${line#not ok - }" ;;
    *) echo "$line" ;;
    esac
done <said
[ -s said ]
ok $? "jobs were made"
finish
