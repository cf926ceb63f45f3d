#!/bin/sh
# SPDX-License-Identifier: MIT
# Merging streams is sorting all their events, however it is done: at once, in steps, in any order.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view tr-info

sorted=$here/merge_sort.py
run "the sorting program sees what is wrong" $python "$sorted" --self-test

# every kind of damage in three ranks with time bases of their own; months later, two files of one rank
make_traces planted --ranks 3 --steps 3 --layers 2 --counters 5 --graphs 1 --plant all --seed 7 \
    --base-ns 1711964646000000000,1711964646000000777,1711964645999000000
make_traces later --sources 2 --steps 4 --layers 2 --offset-ns 7776000000000000
names=
for file in planted/rank?.json later/rank?.?.json; do
    name=$(basename "${file%.json}")
    cp "$file" .
    tr-parse -q --no-provenance -o "$name.trs" "$file"
    ok $? "tr-parse, $file"
    names="$names $name"
done
# begins, ends and events without time, of a process that no other trace has
cat >ends.json <<'END'
{"baseTimeNanoseconds": 1711964646000000000, "distributedInfo": {"rank": 1}, "traceEvents": [
 {"ph": "M", "name": "process_name", "pid": "9", "tid": 0, "args": {"name": "later"}},
 {"ph": "B", "cat": "cpu_op", "name": "outer", "pid": "9", "tid": "main", "ts": 1.5, "args": {"a": 1}},
 {"ph": "B", "name": "inner", "pid": "9", "tid": "main", "ts": 2},
 {"ph": "E", "name": "inner", "pid": "9", "tid": "main", "ts": 3, "args": {"a": [1, 2], "b": null}},
 {"ph": "E", "pid": "9", "tid": "main", "ts": "4.25"},
 {"ph": "B", "name": "open", "pid": "9", "tid": "main", "ts": 5},
 {"ph": "E", "name": "closed", "pid": "9", "tid": "main", "ts": 6},
 {"ph": "i", "name": "no pid", "ts": 6, "s": "g"},
 {"ph": "C", "name": "twice", "pid": 9, "ts": 6, "args": {"v": 1}},
 {"ph": "C", "name": "twice", "pid": 9, "ts": 6, "args": {"v": 2.50}}]}
END
tr-parse -q --no-provenance -o ends.trs ends.json
ok $? "tr-parse, begins and ends"
names="$names ends"

fields='rank,host,record,phase,activity,kind,ts,dur,pid,tid,process,thread,device,stream,context,name,cat,class,suspect,members,args,launch_record,launch_ts,launch_dur,api,n_device'
# show NAME: all that can be said of its events, and of its sources
show()
{
    tr-view -q -O jsonl --unit ns --columns $fields "$1.trs" >"$1.events" && tr-info -q -O json "$1.trs" >"$1.info"
}

for name in $names; do
    show "$name" || ok 1 "tr-view, $name"
done
streams=
for name in $names; do
    streams="$streams $name.trs"
done
# shellcheck disable=SC2086 # lists of names
tr-parse -q --no-provenance -o all.trs $streams && show all
ok $? "all streams merged"
# shellcheck disable=SC2086
run "the merge is the sort of all events" $python "$sorted" all $names
# shellcheck disable=SC2086
tr-parse -q --no-provenance $(for f in $streams; do echo "$f"; done | sort -r) >m.trs
same all.trs m.trs "the order of the inputs does not matter"
tr-parse -q --no-provenance -o m1.trs rank1.trs rank0.0.trs ends.trs
tr-parse -q --no-provenance -o m2.trs rank0.trs rank0.1.trs
tr-parse -q --no-provenance m2.trs m1.trs rank2.trs >m.trs
same all.trs m.trs "merging in steps is merging at once"
# shellcheck disable=SC2046
tr-parse -q --no-provenance $(for name in $names; do echo "$name.json"; done) >m.trs
tr-view -q -O jsonl --columns "source,$fields" all.trs >want
tr-view -q -O jsonl --columns "source,$fields" m.trs >have
same want have "merging traces is merging their streams"
finish
