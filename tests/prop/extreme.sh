#!/bin/sh
# SPDX-License-Identifier: MIT
# Times near the limits of 64-bit nanoseconds: no view of any program calculates what does not fit, and what it
# shows is exact or absent; under sanitizers.
# TR_SEEDS: how many pairs of traces drawn at random are tried [1, another for each commit; 2 with TR_LONG=1].
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
use_sanitized
need tr-parse tr-align tr-launch

# Calls and their work at opposite ends, by hand: distances that do not fit are absent, and all is counted.
cat >ends.json <<'END_OF_TRACE'
{"traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": -9200000000000000, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "far", "pid": 0, "tid": 7, "ts": 9200000000000000, "dur": 5, "args": {"correlation": 1, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "near", "pid": 0, "tid": 8, "ts": 20, "dur": 5, "args": {"correlation": 2, "device": 0, "stream": 8}}
]}
END_OF_TRACE
is "$(tr-launch -q --by launch -O tsv --suspect include ends.json | cut -f 7-12)" \
    "$(printf 'cpu_us\tqueue_us\tgpu_us\ttotal_us\tstream_wait_us\tstart_latency_us\n5.000\t5.000\t5.000\t15.000\t0.000\t5.000\n5.000\t\t5.000\t\t\t')" \
    "a distance that does not fit is absent"
is "$(tr-launch -q -O tsv ends.json | cut -f 2,3)" "$(printf 'api\tlaunches\ncudaLaunchKernel\t1')" \
    "work at a time that cannot be takes no part"
is "$(tr-info --check --no-suspects ends.json | tail -n 1 | tr -s " ")" "no-suspects fail 0 2" "such events are counted as suspect"

# Ordinary traces that are moved to the two ends: no event is suspect, and all of one rank are far from the other.
"$python" "$here/extreme.py" make ordinary -1
printf '0\t-2300000000000000\n1\t2300000000000000\n' >offsets
mkdir moved
tr-align -q --offsets offsets -o once.trs ordinary/rank0.json ordinary/rank1.json 2>said &&
    tr-align -q --offsets offsets -o twice.trs once.trs 2>>said &&
    tr-align -q --offsets offsets -o moved/both.trs twice.trs 2>>said
ok $? "ranks are moved to opposite ends"
sed 's/^/# /' said

which_slice 2
case $slice in
all) seed=0 n=${TR_SEEDS:-2} ;;
*) seed=$slice n=$((slice + ${TR_SEEDS:-1})) ;;
esac
folders=moved
while [ $seed -lt "$n" ]; do
    "$python" "$here/extreme.py" make seed$seed $seed
    mkdir stream$seed
    for rank in 0 1; do
        tr-parse -q -o stream$seed/rank$rank.trs seed$seed/rank$rank.json 2>>said
    done
    folders="$folders seed$seed stream$seed"
    seed=$((seed + 1))
done
# shellcheck disable=SC2086 # several words
"$python" "$here/extreme.py" run $folders >wrong
sed -n 's/^runs /# runs /p' wrong
grep -v '^runs ' wrong >left
none left "every view of $(echo "$folders" | wc -w) inputs"
finish
