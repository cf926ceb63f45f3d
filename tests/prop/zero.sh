#!/bin/sh
# Names that differ only after a zero byte are two names, in every view that prints names.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-breakdown tr-launch

cat >zero.py <<'END_OF_SCRIPT'
import json
rows = []
for n in range(16):
    name, at = "nul\0" + "ab"[n % 2], 100 * n
    call = {"correlation": n + 1, "External id": n + 1}
    work = dict(call, device=0, stream=7)
    rows.append(dict(ph="X", cat="user_annotation", name=name, pid=1, tid=1, ts=at, dur=60))
    rows.append(dict(ph="X", cat="cpu_op", name=name, pid=1, tid=1, ts=at + 5, dur=50))
    rows.append(dict(ph="X", cat="cuda_runtime", name=name, pid=1, tid=1, ts=at + 10, dur=5, args=call))
    rows.append(dict(ph="X", cat="kernel", name=name, pid=0, tid=7, ts=at + 20, dur=30, args=work))
    rows.append(dict(ph="X", cat="gpu_user_annotation", name=name, pid=0, tid=7, ts=at + 20, dur=30))
    rows.append(dict(ph="X", cat="cuda_profiler_range", name=name, pid=0, tid=7, ts=at + 20, dur=30, args={"cycles": 5}))
print(json.dumps({"traceEvents": rows}))
END_OF_SCRIPT
"$python" zero.py >zero.json
tr-parse -q -o zero.trs zero.json
ok $? "the trace is read"

while read -r view <&3; do
    # shellcheck disable=SC2086 # several words
    $view -q -O tsv >table 2>said
    [ "$(grep -c 'nul\\x00a' table)" -gt 0 ] && [ "$(grep -c 'nul\\x00b' table)" -gt 0 ]
    ok $? "$view"
done 3<<'END_OF_VIEWS'
tr-view zero.trs
tr-breakdown --by kernel zero.trs
tr-breakdown --by annotation zero.trs
tr-breakdown --by annotation --side device zero.trs
tr-breakdown --by annotation --side work zero.trs
tr-breakdown --by operator zero.trs
tr-breakdown --by tree zero.trs
tr-launch zero.trs
tr-launch --each zero.trs
tr-critpath --path zero.trs
tr-diff --base zero.trs --test zero.trs
tr-diff --by kernel --base zero.trs --test zero.trs
tr-diff --by operator --base zero.trs --test zero.trs
tr-diff --by tree --base zero.trs --test zero.trs
tr-patterns --op nul --length 1 zero.trs
tr-metrics zero.trs
tr-metrics --by kernel zero.trs
tr-categorize --unmatched 9 --side host zero.trs
END_OF_VIEWS
is "$(tr-view -q -O perfetto zero.trs | tr '\000' _ | grep -a -o 'nul_[ab]' | sort -u | tr '\n' ' ')" "nul_a nul_b " \
    "tr-view -O perfetto"
finish
