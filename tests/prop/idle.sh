#!/bin/sh
# SPDX-License-Identifier: MIT
# Why devices were idle: causes that trgen plants are found, and rows add up to what other views say of random traces.
# TR_SEEDS: how many traces drawn at random are tried [60].
. "$(dirname "$0")/lib.sh"
need tr-breakdown

# planted OPTIONS...: a job with idle time of known causes and one without differ by it.
planted()
{
    rm -rf with without
    make_traces without "$@" --steps 5 --layers 2
    make_traces with "$@" --steps 5 --layers 2 --idle-ns 300000
    $python "$here/idle.py" planted "$bin" with without
}
: >differ
for options in "--ranks 2" "--ranks 1 --vendor amd" "--python 0 --sync 0" "--order random --offset-ns 5000000 --base absent" \
    "--streams 3 --graphs 1 --seed 9" "--ranks 2 --data-ns 0 --collectives 0"; do
    # shellcheck disable=SC2086 # several words
    planted $options >said 2>&1 || { echo "$options"; cat said; } >>differ
done
none differ "each planted cause is found within 1 %, in six jobs"

make_traces sabotage --steps 5 --layers 2
mkdir -p none && cp sabotage/rank0.json sabotage/rank0.truth.json none
sed 's/"straggler"/"idle_ns": {"host_busy": 100000}, "straggler"/' none/rank0.truth.json >changed
mv changed none/rank0.truth.json
$python "$here/idle.py" planted "$bin" none sabotage >said 2>&1
[ $? -eq 1 ] && grep -q host_busy said
ok $? "what was not planted is missed"

n=${TR_SEEDS:-60}
seed=1
: >differ
while [ $seed -le "$n" ]; do
    make_traces seed$seed --random --seed $seed
    $python "$here/idle.py" sums "$bin" $seed seed$seed/rank?.json >>differ 2>&1 || echo "seed $seed" >>differ
    rm -r seed$seed
    seed=$((seed + 1))
done
none differ "$n traces: causes, gaps, operators and categories add up to idle time and device work"
finish
