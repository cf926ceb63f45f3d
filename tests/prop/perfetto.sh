#!/bin/sh
# SPDX-License-Identifier: MIT
# A trace for Perfetto holds what the stream holds, its importer takes it as it is meant, and a viewer can draw it.
# TR_SEEDS: how many traces drawn at random are tried, besides those named here [100].
. "$(dirname "$0")/lib.sh"
need tr-parse tr-merge tr-view

make_traces plain --steps 3 --layers 4 --counters 3
make_traces graphs --steps 2 --layers 2 --graphs 2 --graph-kernels 40 --streams 3
make_traces amd --vendor amd --steps 2 --layers 2 --order random
make_traces early --base early --steps 2 --layers 2 --device-skew-ns -200000 --layout compact
make_traces defects --plant all --steps 3 --layers 2
mkdir null # wherever a value may stand
cat >null/rank0.json <<'END'
[{"ph": "X", "cat": "cpu_op", "name": "null", "pid": 1, "tid": 1, "ts": 1, "dur": 2,
  "args": {"a": null, "b": [null, "null", {"null": null, "c": "a \" null"}, "a \\", null, "\\\"", null], "d": "null", "e": {}, "f": [[null]]}}]
END
seed=1
while [ $seed -le $((${TR_SEEDS:-100} / 4)) ]; do
    make_traces seed$seed --random --seed $seed
    seed=$((seed + 1))
done
make_traces job --ranks 3 --steps 2 --layers 2 --pid-collision --counters 3
tr-merge -q -o job.trs job/rank?.json || exit 99
# async events: two that overlap, one inside another with its id, an instant; an end by another name
mkdir async
cat >async/rank0.json <<'END'
{"traceEvents": [
{"ph": "b", "cat": "net", "name": "get", "id": 1, "pid": 5, "tid": 5, "ts": 10, "args": {"a": 1}},
{"ph": "b", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 5, "ts": 11},
{"ph": "n", "cat": "net", "name": "get", "id": 1, "pid": 5, "tid": 5, "ts": 12},
{"ph": "e", "cat": "net", "name": "get", "id": 1, "pid": 5, "tid": 5, "ts": 15, "args": {"a": 1}},
{"ph": "b", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 6, "ts": 16},
{"ph": "e", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 6, "ts": 18},
{"ph": "e", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 5, "ts": 30},
{"ph": "b", "cat": "disk", "name": "open", "id": 2, "pid": 5, "tid": 5, "ts": 31},
{"ph": "e", "cat": "disk", "name": "close", "id": 2, "pid": 5, "tid": 5, "ts": 32},
{"ph": "i", "name": "here", "pid": 5, "tid": 5, "ts": 40}
]}
END
# flows: taken by the next slice of their track and time, or by none; one id in two categories; an id that is a text
mkdir flows
cat >flows/rank0.json <<'END'
{"traceEvents": [
{"ph": "s", "cat": "a", "name": "f", "id": 1, "pid": 5, "tid": 5, "ts": 10},
{"ph": "s", "cat": "b", "name": "f", "id": 1, "pid": 5, "tid": 5, "ts": 10},
{"ph": "s", "cat": "a", "name": "f", "id": "1", "pid": 5, "tid": 6, "ts": 10},
{"ph": "i", "name": "no slice", "pid": 5, "tid": 5, "ts": 10},
{"ph": "X", "name": "two", "pid": 5, "tid": 5, "ts": 10, "dur": 4},
{"ph": "X", "name": "none", "pid": 5, "tid": 5, "ts": 10, "dur": 3},
{"ph": "X", "name": "one", "pid": 5, "tid": 6, "ts": 10, "dur": 3},
{"ph": "t", "cat": "a", "name": "f", "id": 1, "pid": 5, "tid": 5, "ts": 11},
{"ph": "X", "name": "late", "pid": 5, "tid": 5, "ts": 12, "dur": 1},
{"ph": "t", "cat": "a", "name": "f", "id": 1, "pid": 5, "tid": 6, "ts": 13},
{"ph": "X", "name": "another track", "pid": 5, "tid": 7, "ts": 13, "dur": 1},
{"ph": "f", "cat": "a", "name": "f", "id": 1, "pid": 5, "tid": 7, "ts": 20},
{"ph": "X", "name": "end", "pid": 5, "tid": 7, "ts": 20, "dur": 1},
{"ph": "f", "cat": "b", "name": "f", "id": 1, "pid": 5, "tid": 7, "ts": 30}
]}
END
# starts without an end, among many spans: a budget keeps them
mkdir endless
{
    echo '{"traceEvents": ['
    awk 'BEGIN { for (i = 1; i <= 60; i++) {
        if (i % 20 == 0)
            printf "{\"ph\": \"B\", \"name\": \"open %d\", \"pid\": 1, \"tid\": %d, \"ts\": %d},\n", i, i, 100 * i
        printf "{\"ph\": \"X\", \"name\": \"span %d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": %d},\n", i, 100 * i, i
    } }'
    echo '{"ph": "X", "name": "last", "pid": 1, "tid": 1, "ts": 9000, "dur": 1}]}'
} >endless/rank0.json
$python "$here/perfetto.py" "$bin" ./*/rank0.json job.trs >said 2>&1
take said "the stream"
$python "$here/perfetto_cases.py" "$bin" >said 2>&1
take said "small traces"
finish
