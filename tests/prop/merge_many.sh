#!/bin/sh
# SPDX-License-Identifier: MIT
# Any number of inputs, however they come: the merge is the sort of all their events, and always the same
# stream.
#
# TR_SEEDS: groups of random traces [10]
. "$(dirname "$0")/lib.sh"
need tr-merge tr-parse tr-view tr-info

sorted=$here/merge_sort.py
fields='rank,host,record,phase,activity,kind,ts,dur,pid,tid,process,thread,device,stream,context,name,cat,class,suspect,members,args,launch_record,launch_ts,launch_dur,api,n_device'
show()
{
    tr-view -q -O jsonl --unit ns --columns $fields "$1.trs" >"$1.events" && tr-info -q -O json "$1.trs" >"$1.info"
}
merge()
{
    tr-merge -q --no-provenance "$@"
}

# ---- random traces, each with a time base and a rank of its own ----
seed=1
while [ "$seed" -le "${TR_SEEDS:-10}" ]; do
    names=
    for k in 1 2 3 4; do
        make_traces "t$k" --random --seed $((seed * 10 + k)) --base-ns "$(printf '1711964%012d' $(((seed * 31 + k * 17) * 1000003)))"
        mv "t$k/rank0.json" "$seed.$k.json"
        rm -r "t$k"
        merge --ranks "$k" -o "$seed.$k.trs" "$seed.$k.json" && show "$seed.$k" || ok 1 "seed $seed: trace $k"
        names="$names $seed.$k"
    done
    # shellcheck disable=SC2086 # lists of names
    set -- $names
    merge -j 1 -z none "$1.trs" "$2.trs" "$3.trs" "$4.trs" >"all$seed.trs" && show "all$seed"
    # shellcheck disable=SC2086
    run "seed $seed: the merge is the sort of all events" $python "$sorted" "all$seed" $names
    {
        merge -j 4 -z none "$3.trs" "$1.trs" "$4.trs" "$2.trs" | cmp "all$seed.trs" - &&
            merge -z none "$4.trs" "$3.trs" -o ab.trs && merge "$2.trs" "$1.trs" -z lz4 -o cd.trs &&
            merge -z none cd.trs ab.trs | cmp "all$seed.trs" - &&
            merge -z none ab.trs "$2.trs" "$1.trs" | cmp "all$seed.trs" - &&
            mkfifo f1 f2 && { cat "$1.trs" >f1 & cat "$3.trs" >f2 & } &&
            gzip -c "$2.trs" >packed && merge -z none f1 packed f2 - <"$4.trs" | cmp "all$seed.trs" - &&
            merge -M 16M -z none --ranks 1..4 "$1.json" "$2.json" "$3.json" "$4.json" | cmp "all$seed.trs" -
    } >wrong 2>&1
    none wrong "seed $seed: threads, order, steps, pipes, packing and traces in their place change nothing"
    rm -f f1 f2
    seed=$((seed + 1))
done

# ---- a thousand inputs ----
# names N SUFFIX: a list of N names, the seven traces over and over
for k in 1 2 3 4 5 6 7; do
    make_traces "t$k" --random --seed "$k"
    mv "t$k/rank0.json" "in$k.json"
    tr-parse -q --no-provenance -o "in$k.trs" "in$k.json"
done
names()
{
    awk -v n="$1" -v suffix="$2" 'BEGIN { for (i = 0; i < n; i++) printf "in%d.%s%c", i * 3 % 7 + 1, suffix, 0 }'
}
mkdir temp
names 1000 trs >names
(ulimit -n 256 && merge -T temp --files0-from names --ranks 0..999 -o passes.trs) 2>said
ok $? "1000 inputs under a limit of 256 open files"
none said "1000 inputs: no word"
is "$(tr-info -q -O json passes.trs | grep -c '"rank_from": "option"')" 1000 "1000 inputs: 1000 ranks"
if (ulimit -n 1100) 2>said; then
    (ulimit -n 1100 && merge --files0-from names --ranks 0..999 -o once.trs)
    same once.trs passes.trs "1000 inputs: at once or in passes, the same stream"
else
    skip "1000 inputs: at once or in passes, the same stream" "no more files may be open"
fi
names 1000 json >names
merge -j 3 -M 64M -T temp --files0-from names --ranks 0..999 -o traces.trs
same passes.trs traces.trs "1000 traces: parsed side by side, the same stream"
is "$(ls -A temp)" "" "nothing is left behind"

# passes over passes: with so few files, groups of groups; a pipe among them can be read once
names 150 trs >names
merge --files0-from names --ranks 0..149 -o once.trs
cat in4.trs | (ulimit -n 18 && tr '\0' '\n' <names | sed '2s/.*/-/' | tr '\n' '\0' >some && merge -j 2 \
    -T temp --files0-from some --ranks 0..149 -o passes.trs)
same once.trs passes.trs "150 inputs, one of them a pipe, under a limit of 18 open files"
# two at a time, the fewest: an odd number of them leaves a group of one
for n in 7 9 11 13; do
    names "$n" trs >names
    merge --files0-from names --ranks "0..$((n - 1))" -o once.trs
    (ulimit -n 9 && merge -j 1 -T temp --files0-from names --ranks "0..$((n - 1))" -o passes.trs)
    same once.trs passes.trs "$n inputs, two at a time"
done
names 147 trs >names
(ulimit -n 18 && tr-merge -q -T temp --rank-from default --renumber --files0-from names -o passes.trs) 2>said
ok $? "inputs that collide, renumbered in passes"
tr-merge -q --renumber --files0-from names -o once.trs
tr-view -q -O tsv --columns rank,source,record,ts once.trs >want
tr-view -q -O tsv --columns rank,source,record,ts passes.trs >have
same want have "inputs that collide get the same ranks as at once"
(ulimit -n 18 && tr-merge -q -T temp --files0-from names -o none.trs) 2>passes
tr-merge -q --files0-from names -o none.trs 2>once
same once passes "inputs that collide are refused in the same words"

# what is wrong with one of them
head -c "$(($(wc -c <in2.trs) - 1))" in2.trs >cut.trs
printf 'cut.trs\0' | cat names - >some
(ulimit -n 18 && tr-merge -q --renumber -T temp --files0-from some -o none.trs) 2>said
is $? 3 "one of many is cut short: status"
like "$(cat said)" 'tr-merge: cut.trs: ends at byte *' "one of many is cut short: it is named"
is "$(ls none.trs 2>&1 >/dev/null | wc -l | tr -d ' ')" 1 "one of many is cut short: no output"
is "$(ls -A temp)" "" "nothing is left behind"

# the runs of all inputs are in the provenance, and the passes are not
for k in 1 2 3; do
    tr-merge -q --ranks "$k" -o "run$k.trs" "in$k.json"
done
awk 'BEGIN { for (i = 0; i < 60; i++) printf "run%d.trs%c", i % 3 + 1, 0 }' >names
(ulimit -n 18 && tr-merge -q -T temp --ranks 0..59 --files0-from names -o passes.trs)
tr-merge -q -T temp --ranks 0..59 --files0-from names -o once.trs
tr-info -q -O json once.trs | sed 's/once.trs//' >want
tr-info -q -O json passes.trs | sed 's/passes.trs//' >have
same want have "provenance does not show the passes"
like "$(tr -d ' \n' <have)" '*"parents":\[0,1,2,*,58,59\]*' "provenance: all inputs are parents"
finish
