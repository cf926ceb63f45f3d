#!/bin/sh
# SPDX-License-Identifier: MIT
# contrib/recipes/aiu.mk: a trace, files of the ranks and tables of an AIU's jobs; times as recorded; classes by rules.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-cycles tr-merge tr-categorize tr-filter tr-view tr-sum tr-breakdown tr-info; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
unset MAKEFLAGS MAKELEVEL MFLAGS MAKEOVERRIDES
make=
for m in gmake make; do
    case $($m --version 2>/dev/null | head -n 1) in "GNU Make "[4-9]*) make=${make:-$m} ;; esac
done
[ "$make" ] || skip_all "no GNU make 4 or later"

aiu()
{
    "$make" -f "$root/contrib/recipes/aiu.mk" "$@" >did 2>err
}
# job RANK START: two kernels of 500 MHz, 100 us each, the second of which begins 50 us before the first ends
job()
{
    s='"TS1": "1000", "TS2": "2000", "TS3": "3000"'
    cat <<END
[{"ph": "X", "name": "Flex RoundTrip", "pid": $1, "tid": 1, "ts": $2, "dur": 1000},
{"ph": "X", "name": "in DmaI", "pid": $1, "tid": 6, "ts": $(($2 + 98)), "dur": 2, "attr": {$s, "TS4": "53000", "TS5": "53500"}},
{"ph": "X", "name": "add Cmpt Prep", "pid": $1, "tid": 8, "ts": $(($2 + 100)), "dur": 2, "attr": {$s, "TS4": "53000", "TS5": "53500"}},
{"ph": "X", "name": "add Cmpt Exec", "pid": $1, "tid": 7, "ts": $(($2 + 102)), "dur": 104, "attr": {$s, "TS4": "53000", "TS5": "53500"}},
{"ph": "X", "name": "mul Cmpt Exec", "pid": $1, "tid": 7, "ts": $(($2 + 150)), "dur": 106, "attr": {"TS1": "1000", "TS2": "2000", "TS3": "28000", "TS4": "78000", "TS5": "78500"}}]
END
}
job 0 1000 >aiu-rank_0-of_2-job-0.json
job 1 1100 >aiu-rank_1-of_2-job-0.json

aiu FREQ=500 CYCLES_FLAGS=--any-freq
is "$? $(cd aiu && echo *)" "0 active.tsv classes.tsv frequency.tsv job.trs jobs.tsv kernels.tsv trace.json worker_0.pt.trace.json worker_1.pt.trace.json workers.list" "all files"
is "$(cut -f 1-3 aiu/classes.tsv | tail -n +2 | sort | tr '\t\n' '  ')" \
    "0 COMPUTE_EXEC 2 0 DATA_IN 1 1 COMPUTE_EXEC 2 1 DATA_IN 1 " "classes by rules"
is "$(grep -c '"dur":100,' aiu/worker_1.pt.trace.json) $(grep -c '"7 (2)","ts"' aiu/trace.json)" "2 2" \
    "times are made of cycles; overlaps have a lane"
aiu FREQ=500 CYCLES_FLAGS=--any-freq
is "$? $(grep -c tr- did)" "0 0" "nothing has changed: nothing is done"
aiu OUT=plain CYCLES= DROP=' Cmpt Prep' OVERLAP=drop workers
is "$? $(cd plain && echo *)" "0 job.trs worker_0.pt.trace.json worker_1.pt.trace.json workers.list" "a file for each rank"
is "$(grep -c '"ph":"X"' plain/worker_0.pt.trace.json) $(grep -c '"dur":104' plain/worker_0.pt.trace.json)" "3 1" \
    "times as recorded, no waits, no overlaps"
aiu check
is $? 0 "traces that are whole"
aiu TRACES=none
[ $? -ne 0 ] && grep -q 'no traces: none' err
ok $? "no traces: make fails and says so"
aiu clean
is "$? $(ls -d aiu 2>&1 | grep -c '^aiu')" "0 0" "clean removes everything"
is "$({ printf 'rank\tname\n' && printf '0\t%s\n' 'AIU Roundtrip' 'Flex RoundTrip' 'Compute of x' 'Compute of a_SenFusedDeviceNode' 'Barrier: 1' \
    PrepareAndSyncRdma aiuDataConvert 'x Flex RoundTrip'; } | awk -f "$root/contrib/recipes/aiu-host-classes.awk" | cut -f 3 | tr '\n' ' ')" \
    "class ROUNDTRIP_AIU ROUNDTRIP_FLEX SEN_DATA_CONVERT OTHER MAIU_BARRIER MAIU_WIREUP SEN_DATA_CONVERT OTHER " \
    "classes of the host's spans"
finish
