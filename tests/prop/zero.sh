#!/bin/sh
# SPDX-License-Identifier: MIT
# Names that differ only after a zero byte are two names, in every view that prints names and to every test of names.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-breakdown tr-launch tr-filter tr-info tr-comm tr-memory tr-patterns tr-critpath tr-diff

cat >zero.py <<'END_OF_SCRIPT'
import json
rows = [dict(ph="M", name="process_name", pid=1, tid=0, ts=0, args={"name": "nul\0a"}),
        dict(ph="M", name="thread_name", pid=1, tid=1, ts=0, args={"name": "nul\0b"})]
for n in range(16):
    name, at = "nul\0" + "ab"[n % 2], 100 * n
    call = {"correlation": n + 1, "External id": n + 1}
    work = dict(call, device=0, stream=7)
    rows.append(dict(ph="X", cat="user_annotation", name=name, pid=1, tid=1, ts=at, dur=60))
    rows.append(dict(ph="X", cat="cpu_op", name=name, pid=1, tid=1, ts=at + 5, dur=50))
    rows.append(dict(ph="X", cat="cuda_runtime", name=name, pid=1, tid=1, ts=at + 10, dur=5, args=call))
    rows.append(dict(ph="X", cat="kernel", name=name, pid=0, tid=7, ts=at + 20, dur=30, args=work))
    rows.append(dict(ph="X", cat="gpu_user_annotation", name=name, pid=0, tid=7, ts=at + 20, dur=30))
    comm = {"Collective name": name + "allreduce", "Process Group Name": name, "Group size": 1, "dtype": "Int", "In msg nelems": 8}
    rows.append(dict(ph="X", cat="kernel", name="ncclDevKernel_" + name, pid=0, tid=9, ts=at + 55, dur=9,
                     args=dict(comm, device=0, stream=9)))
    rows.append(dict(ph="i", s="t", cat="cpu_instant_event", name="[memory]", pid=1, tid=1, ts=at + 20,
                     args={"Bytes": 64, "Addr": 4096 + n, "Device Type": 1, "Device Id": 0, "Total Allocated": 64 * n,
                           "Total Reserved": 4096}))
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
tr-launch --by launch zero.trs
tr-critpath --by path zero.trs
tr-diff --base zero.trs --test zero.trs
tr-diff --by kernel --base zero.trs --test zero.trs
tr-diff --by operator --base zero.trs --test zero.trs
tr-diff --by path --base zero.trs --test zero.trs
tr-diff --by tree,pair --base zero.trs --test zero.trs
tr-patterns --op nul --length 1 zero.trs
tr-metrics zero.trs
tr-metrics --by kernel zero.trs
tr-categorize --by unmatched --top 9 --side host zero.trs
tr-comm zero.trs
tr-comm --by name zero.trs
tr-comm --by group zero.trs
tr-comm --by member zero.trs
tr-memory --by series,operator zero.trs
tr-memory --by peak,annotation zero.trs
END_OF_VIEWS
is "$(tr-view -q -O perfetto zero.trs | tr '\000' _ | grep -a -o 'nul_[ab]' | sort -u | tr '\n' ' ')" "nul_a nul_b " \
    "tr-view -O perfetto"
is "$(tr-view -q -O chrome zero.trs | grep -o '"name":"nul\\u0000[ab]"' | sort | uniq -c | tr -s ' \n' ' ')" \
    ' 49 "name":"nul\u0000a" 49 "name":"nul\u0000b" ' "tr-view -O chrome"
is "$(tr-info -q -O json --tracks zero.trs | grep -o '"nul[^"]*"' | sort -u | tr '\n' ' ')" \
    '"nul\u0000a" "nul\u0000b" ' "tr-info -O json"
is "$(tr-comm -q -O tsv --columns bytes zero.trs | sort -u | tr '\n' ' ')" "32 bytes " "tr-comm: the type of a collective"
is "$(tr-critpath -q -O tsv --by path --annotation a zero.trs | grep -c 'nul.x00a')" 3 "tr-critpath --annotation"
tr-diff -q --by kernel --base zero.trs --test zero.trs --fail-if 'name == "nul" && test_us > 0us' >table 2>&1
is $? 3 "tr-diff --fail-if: no such name"

count()
{
    tr-filter -q -c "$1" zero.trs
}
is "$(count 'name == "nul\x00a"') $(count 'name == "nul"')" "48 0" "tr-filter: name == "
is "$(count 'thread == "nul\x00b" && name == "nul\x00a"')" "24" "tr-filter: thread == "
is "$(count 'name =~ "[^x]b$"') $(count 'name =~ "^nul$"')" "56 0" "tr-filter: name =~"
is "$(tr-breakdown -q -O tsv --by kernel --columns name --where 'name =~ "b$"' zero.trs | tr '\n' ' ')" \
    'name nul\x00b ncclDevKernel_nul\x00b ' "tr-breakdown --where"
rows="tr-patterns --length 1 zero.trs --op
tr-breakdown --by operator --columns name zero.trs --op"
while read -r view <&3; do
    # shellcheck disable=SC2086 # several words
    is "$($view '[^x]b$' -q -O tsv | grep -c 'nul.x00b') $($view '[^x]b$' -q -O tsv | grep -c 'nul.x00a')" \
        "1 0" "$view"
done 3<<END_OF_VIEWS
$rows
END_OF_VIEWS
finish
