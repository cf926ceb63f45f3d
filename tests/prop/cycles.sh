#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-cycles makes of cycle stamps the times that the generator made them of.
. "$(dirname "$0")/lib.sh"
need tr-cycles tr-parse tr-view

# make NAME SEED PARAMETER...: the traces in NAME, the truth in NAME.truth.
make()
{
    rm -rf "$1"
    "$python" "$here/cycles.py" make "$@"
}

# true_events NAME HZ WHAT OPTION...
true_events()
{
    name=$1 hz=$2 what=$3
    shift 3
    tr-cycles -q --by event -O tsv --unit ns "$@" "$name"/*.json >events.tsv
    run "$what: stamps, laps and times" "$python" "$here/cycles.py" events "$name" "$hz" <events.tsv
}

# ---- laps ----

make near 1 jobs=4 gap_s=2.5 form=hex
true_events near 560000000 "jobs seconds apart, hexadecimal" --freq 560
make far 2 jobs=5 gap_s=4000 form=quoted jitter_ns=2000
true_events far 560000000 "jobs hours apart, ends that jitter" --freq 560
make ranks 3 jobs=4 gap_s=40 ranks=3 form=int mhz=557.05
true_events ranks 557050000 "three devices" --freq 557.05
true_events ranks 557050000 "a frequency for each rank" --freq 0=557.05,2=557.05,1=557.05
make long 4 jobs=3 gap_s=3 long_s=20 mhz=557.05
true_events long 557050000 "kernels that last for laps" --freq 557.05

# ---- frequencies ----

seed=0
while [ $((seed += 1)) -le 25 ]; do
    make jitter $seed jobs=$((1 + seed % 4)) jitter_ns=3000 mhz=56$((seed % 10)).137
    tr-cycles -q --report -O tsv jitter/*.json >device.tsv
    "$python" "$here/cycles.py" device jitter <device.tsv
done
run "frequencies are within four standard errors, which are as large as they say" "$python" "$here/cycles.py" judge \
    jitter.found

# ---- jobs ----

make moved 5 jobs=4 shift_us=0,-5400,2600,0
tr-cycles -q --by job -O tsv --unit ns moved/*.json >jobs.tsv
run "jobs outside of their round trips are moved to their starts, and no others" "$python" "$here/cycles.py" jobs moved \
    <jobs.tsv
tr-cycles -q --by job --keep-jobs -O tsv --unit ns moved/*.json | cut -f 8 | sort -u >shifts
is "$(tr '\n' ' ' <shifts)" "0 shift_ns " "--keep-jobs moves none"

# ---- the stream ----

tr-cycles -q --by event -O tsv --unit ns --columns rank,record,start,dur ranks/*.json | tail -n +2 | sort >want
tr-cycles -q --no-provenance -o ranks.trs ranks/*.json
tr-view -q -O tsv --unit ns --columns name,rank,record,ts,dur ranks.trs >all
run "the stream is in order" "$python" "$here/check_order.py" <<END
$(tr-view -q -O jsonl --unit ns --columns ts,dur,rank,host,source,record,suspect ranks.trs)
END
awk -F '\t' -v OFS='\t' 'NR > 1 && $1 != "AIU Roundtrip" { print $2, $3, $4, $5 }' all | sort >have
same have want "the stream has the times of --by event"
tr-cycles -q --no-provenance -z lz4 ranks | cmp - ranks.trs >said
ok $? "of the folder of traces, the same"
tr-parse -q --no-provenance -o parsed.trs ranks/*.json
tr-cycles -q --no-provenance -o again.trs parsed.trs
same again.trs ranks.trs "of a stream, the same"
tr-cycles -q --no-provenance -z lz4 -j 4 -M 32M - <parsed.trs | cmp - ranks.trs >said
ok $? "of a pipe, with threads and little memory, the same"
tr-view -q -O tsv --unit ns --columns rank,record,name,phase,args parsed.trs | sort >want
tr-view -q -O tsv --unit ns --columns rank,record,name,phase,args ranks.trs | sort >have
same have want "nothing but times changes"
tr-info -q -O json ranks.trs | grep -E '"(first|last)_ns"' >want
tr-view -q -O chrome ranks.trs | tr-parse -q - | tr-info -q -O json - >/dev/null
ok $? "its viewer's form can be read again"
tr-cycles -q --no-provenance -z lz4 ranks.trs | cmp - ranks.trs >said
ok $? "done again, nothing changes"

# ---- who is refused ----

# refused STATUS TEXT WHAT OPTION...
refused()
{
    status=$1 text=$2 what=$3
    shift 3
    rm -f written
    tr-cycles -q -o written "$@" >said 2>err
    is "$?" "$status" "$what: status $status"
    like "$(cat err)" "$text" "$what: says so"
    [ ! -e written ] && [ ! -s said ]
    ok $? "$what: nothing is written"
}

refused 1 '*--freq 700 contradicts its stamps, which show 560 MHz*' "a wrong frequency" --freq 700 near/*.json
refused 2 '*--freq*x*' "no number" --freq x near/*.json
refused 2 '*--freq*two frequencies*' "a rank given twice" --freq 1=5,1=6 near/*.json
refused 2 '*--freq*' "too many decimals" --freq 560.1234567 near/*.json
refused 2 '*--freq*' "no frequency at all" --freq 0 near/*.json
refused 2 '*--any-freq goes with --freq*' "--any-freq alone" --any-freq near/*.json
echo '{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}' >none.json
tr-cycles --no-provenance none.json 2>err | tr-view -q -O chrome >have
like "$(cat err)" '*no span has cycle stamps*nothing to change*' "a trace without stamps: says so"
tr-view -q -O chrome none.json >want
same have want "a trace without stamps passes unchanged"
echo '[{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"TS1": "x"}}]' >bad.json
refused 1 '*no span has five cycle stamps*' "stamps that are none" bad.json
tr-cycles -q --any-freq --freq 700 --by event -O tsv --unit ns near/*.json >events.tsv
run "--any-freq takes it: laps stay right" "$python" "$here/cycles.py" events near 700000000 <events.tsv
tr-cycles --freq 563 near/*.json -o out.trs 2>err
like "$(cat err)" '*--freq 563 is off by * the stamps show 560.000 MHz*' "a frequency that is a little off is told"
finish
