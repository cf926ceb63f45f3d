#!/bin/sh
# SPDX-License-Identifier: MIT
# A trace for Perfetto that tr-view writes is read as what it is: written again, it holds the same.
# TR_SEEDS: how many traces drawn at random are tried, besides those named here [100].
. "$(dirname "$0")/lib.sh"
need tr-merge tr-view

make_traces plain --steps 3 --layers 4 --counters 3
make_traces graphs --steps 2 --layers 2 --graphs 2 --graph-kernels 40 --streams 3
make_traces amd --vendor amd --steps 2 --layers 2 --order random
make_traces early --base early --steps 2 --layers 2 --device-skew-ns -200000 --layout compact
make_traces job --ranks 3 --steps 2 --layers 2 --pid-collision --counters 3
tr-merge -q -o job.trs job/rank?.json || exit 99
seed=1
while [ $seed -le $((${TR_SEEDS:-100} / 10)) ]; do
    make_traces seed$seed --random --seed $seed
    seed=$((seed + 1))
done
# values of all types; async events; slices that a viewer draws beside each other; texts in need of care
mkdir small
cat >small/rank0.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a \"b\" \u00e4", "pid": 1, "tid": 1, "ts": 1, "dur": 20,
 "args": {"i": -5, "u": 18446744073709551615, "d": 0.25, "s": "x\ny", "t": true, "f": false, "e": {}, "l": [1, [2, {"k": []}]],
          "o": {"a": 1.5, "b": "c"}, "q": "12"}},
{"ph": "X", "cat": "cpu_op", "name": "crosses", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "none", "pid": 1, "tid": 1, "ts": 12, "dur": 0},
{"ph": "b", "cat": "net", "name": "get", "id": 1, "pid": 5, "tid": 5, "ts": 10, "args": {"a": 1}},
{"ph": "b", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 5, "ts": 11},
{"ph": "e", "cat": "net", "name": "get", "id": 1, "pid": 5, "tid": 5, "ts": 15, "args": {"b": 1}},
{"ph": "e", "cat": "net", "name": "get", "id": 2, "pid": 5, "tid": 6, "ts": 18},
{"ph": "C", "name": "power", "pid": 5, "ts": 18, "args": {"W": 1.5, "limit": 700}},
{"ph": "i", "name": "here", "pid": 5, "tid": 5, "ts": 40}
]}
END
$python "$here/perfetto_read.py" "$bin" ./*/rank0.json job.trs >said 2>&1
take said "what is read"
finish
