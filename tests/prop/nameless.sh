#!/bin/sh
# SPDX-License-Identifier: MIT
# Events without a name and without a category: every table of every program has an answer, or says why not.
. "$(dirname "$0")/lib.sh"
use_sanitized
need tr-view

cat >t.json <<'END_OF_TRACE'
{"traceEvents": [
{"ph": "X", "pid": 1, "tid": 1, "ts": 0, "dur": 90},
{"ph": "X", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 1, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "pid": 1, "tid": 1, "ts": 2, "dur": 1, "args": {"correlation": 3}},
{"ph": "X", "cat": "cuda_runtime", "pid": 1, "tid": 1, "ts": 4, "dur": 1, "args": {"correlation": 4}},
{"ph": "X", "cat": "gpu_memcpy", "pid": 0, "tid": 7, "ts": 5, "dur": 2, "args": {"device": 0, "stream": 7, "bytes": 9, "correlation": 3}},
{"ph": "X", "cat": "kernel", "pid": 0, "tid": 7, "ts": 8, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 4}},
{"ph": "X", "cat": "cuda_sync", "pid": 0, "tid": 7, "ts": 11, "dur": 2, "args": {"device": 0, "stream": 7, "correlation": 5}},
{"ph": "X", "cat": "cuda_profiler_range", "pid": 0, "tid": 7, "ts": 8, "dur": 2, "args": {"a": 1}},
{"ph": "s", "id": 1, "pid": 1, "tid": 1, "ts": 2},
{"ph": "f", "id": 1, "pid": 0, "tid": 7, "ts": 8},
{"ph": "C", "pid": 1, "ts": 9, "args": {"v": 1}},
{"ph": "M", "pid": 1, "args": {"name": "p"}},
{"ph": "i", "pid": 1, "tid": 1, "ts": 10, "args": {"Bytes": 4, "Device Type": 1, "Device Id": 0, "Addr": 5}}
]}
END_OF_TRACE
: >wrong
tables=0
while IFS='	' read -r program options _ <&3; do
    case $program in '#'* | tr-categorize) continue ;; esac
    have "$program" || continue
    [ "$options" != - ] || options=
    set -- t.json
    [ "$program" != tr-diff ] || set -- "$1" "$1"
    # shellcheck disable=SC2046 # "~" is a blank inside of an option
    $program -O tsv $(echo "$options" | tr "~" " ") "$@" >out 2>err
    status=$?
    tables=$((tables + 1))
    [ $status -le 5 ] || echo "$program $options: status $status, $(head -n 1 err)" >>wrong
done 3<"$root/tests/rules/views.tsv"
[ $tables -gt 50 ]
ok $? "$tables tables are tried"
none wrong "none fails"
: >wrong
for command in tr-info tr-report tr-parse tr-categorize 'tr-filter dur>0us' 'tr-filter --redact' tr-merge 'tr-view -O chrome' \
    'tr-view -O perfetto' 'tr-counters' 'tr-cycles --any-freq --freq 560' 'tr-critpath --mark'; do
    # shellcheck disable=SC2086 # a command and its options
    $command t.json >out 2>err
    status=$?
    [ $status -le 5 ] || echo "$command: status $status, $(head -n 1 err)" >>wrong
done
none wrong "nor do programs that print no table"
finish
