#!/bin/sh
# SPDX-License-Identifier: MIT
# Several inputs at once: what may be merged, what collides, and what --renumber makes of it.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-info tr-filter tr-merge; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
make_sample >a.json
cp a.json b.json

# says STATUS PATTERN WHAT COMMAND: its status, and what stands on standard error; "" is nothing.
says()
{
    (eval "$4") >out 2>err </dev/null
    is $? "$1" "$3: status"
    case $2 in
    '') none err "$3: no message" ;;
    *) like "$(cat err)" "$2" "$3: message" ;;
    esac
}

# ranks FILE: the ranks of its sources and where they are from.
ranks()
{
    tr-info -O json "$1" | awk -F '[ :,"]+' '$2 == "rank" { rank = $3 } $2 == "rank_from" { printf "%s %s;", rank, $3 }'
}

collides='tr-parse: b.json: has the same events as a.json (rank 0): leave one of them out'
says 3 "$collides" "a trace and its copy" 'tr-parse a.json b.json'
is "$(wc -l <err | tr -d ' ')" 1 "a trace and its copy: one line"
none out "a trace and its copy: no output"
says 3 "tr-info: a.json: has the same events as a.json *" "a trace twice" 'tr-info a.json a.json'
sed 's/"pid": 100/"pid": "100"/' a.json >b.json
says 3 "$collides" "a process in quotes is the same" 'tr-parse a.json b.json'

sed 's/"pid": 100/"pid": 101/' a.json >b.json
says 0 '' "two processes of one rank" 'tr-parse -o m.trs a.json b.json'
sed 's/"ts": /"ts": 99/' a.json >b.json
says 0 '' "one process at two times" 'tr-parse -o m.trs a.json b.json'
sed 's/"rank": 0/"rank": 1/' a.json >b.json
says 0 '' "two ranks" 'tr-parse -o two.trs a.json b.json'
sed 's/"schemaVersion": 1/"schemaVersion": 1, "host_name": "other"/' a.json >b.json
says 0 '' "two hosts" 'tr-parse -o m.trs a.json b.json'
sed 's/"distributedInfo"/"other"/' a.json >b.json
cp b.json c.json
says 3 'tr-parse: c.json: has the same events as b.json *' "a copy that does not say its rank" 'tr-parse b.json c.json'
sed 's/"pid": 100/"pid": 101/' b.json >c.json
says 0 '' "traces that do not say their rank" 'tr-parse -o m.trs b.json c.json'

# inputs with several sources name the source
cp a.json b.json
says 3 'tr-parse: two.trs: a.json: has the same events as b.json *' \
    "a merged stream and one of its traces" 'tr-parse b.json two.trs'
says 3 'tr-parse: b.json: has the same events as two.trs: a.json *' \
    "the other way round" 'tr-parse two.trs b.json'

# the next free ranks, in the order of the inputs
says 0 '' "renumbered" 'tr-parse --renumber -o m.trs two.trs a.json b.json'
is "$(ranks m.trs)" '0 metadata;1 metadata;2 renumbered;3 renumbered;' "renumbered: the ranks that are free"
says 0 '' "renumbered: a merged stream" 'tr-parse --renumber -o m.trs a.json two.trs'
is "$(ranks m.trs)" '0 metadata;2 renumbered;3 renumbered;' "renumbered: all ranks of an input, in their order"
says 0 '' "renumbered: nothing to do" 'tr-parse --renumber --no-provenance -o m.trs a.json two.trs &&
    tr-parse --rank 5 --no-provenance a.json | tr-parse --no-provenance --renumber -o n.trs - two.trs'
is "$(ranks n.trs)" '0 metadata;1 metadata;5 option;' "renumbered: ranks that do not collide stay"
tr-view -O tsv --columns ts,dur,name,record a.json >want
tr-parse --renumber a.json b.json | tr-filter 'rank == 1' | tr-view -O tsv --columns ts,dur,name,record >have
cmp want have >wrong
none wrong "renumbered: the events are those of the trace"
says 2 'tr-parse: option --rank: is only for one input, not for 2' "one rank for two inputs" 'tr-parse --rank 3 a.json b.json'

# every run that led to the inputs is a parent of the merge
sed 's/"rank": 0/"rank": 1/' a.json >b.json
tr-parse -o a.trs a.json && tr-parse -o b.trs b.json && tr-parse -o m.trs a.trs b.trs
tr-info -O json m.trs | tr -d ' \n' >said
like "$(cat said)" '*"parents":\[0,1\]*' "provenance: the merge has two parents"

sed 's/"ts": 150/"ts": 5/' b.json | tr-parse --no-sort -o unsorted.trs -
says 3 'tr-parse: unsorted.trs: event 9: not in canonical order: cannot be merged (made with --no-sort*' \
    "a stream without order" \
    'tr-parse a.trs unsorted.trs'
tr-view a.trs >/dev/null && head -c "$(($(wc -c <b.trs) - 1))" b.trs >cut.trs
says 3 'tr-parse: cut.trs: ends at byte *' "a stream that was cut" 'tr-parse a.trs cut.trs'
says 3 'tr-merge: cut.trs: ends at byte *' "a stream that was cut: no output" 'tr-merge -o none.trs a.trs cut.trs'
is "$(ls none.trs 2>/dev/null)" '' "a stream that was cut: no file"

# ranks by a rule of one's own
says 0 '' "ranks by option" 'tr-merge --ranks 7,3..4 -o m.trs a.trs b.trs c.json'
is "$(ranks m.trs)" '3 option;4 option;7 option;' "ranks by option: in the order of the inputs"
says 0 '' "ranks by order" 'tr-merge --rank-from order -o m.trs b.trs a.trs'
is "$(ranks m.trs)" '0 order;1 order;' "ranks by order: whatever the streams say"
cp a.trs x-rank-12.trs
says 0 '' "ranks by name" 'tr-merge --rank-from name -o m.trs x-rank-12.trs'
is "$(ranks m.trs)" '12 file_name;' "ranks by name: the rank"
says 3 'tr-merge: b.trs: has no rank in its name: *' "no rank in a name" 'tr-merge --rank-from name x-rank-12.trs b.trs'
tr-merge --rank-from metadata -o n.trs x-rank-12.trs m.trs 2>err
like "$(cat err)" 'tr-merge: m.trs: has the same events *' "ranks by metadata: of streams, too"
says 3 'tr-merge: c.json: has no rank in its metadata *' "no rank in the metadata" \
    'tr-merge --rank-from metadata a.trs c.json'
cp a.json rank5.json
cp b.json rank3.json
tr-merge -o both.trs rank5.json rank3.json
says 3 'tr-merge: both.trs: the new ranks change the order of the sources *' "ranks by name: another order" \
    'tr-merge --rank-from name both.trs'
says 0 '' "ranks by pid" 'sed "s/\"pid\": 101/\"pid\": 4/" c.json >d.json && tr-parse -o e.trs d.json && tr-merge --rank-from pid -o m.trs e.trs a.json'
is "$(ranks m.trs)" '4 pid;100 pid;' "ranks by pid: of streams, too, whatever their metadata say"
for pid in 3 2; do # without categories; what is of a device, or only says names, does not count
    echo '[{"ph": "M", "name": "process_name", "pid": 8, "args": {"name": "AIU"}},
        {"ph": "X", "name": "k", "cat": "kernel", "pid": 9, "tid": 1, "ts": 1, "dur": 2},' \
        '{"ph": "B", "name": "mul Cmpt Exec", "pid": '$pid', "tid": 1, "ts": 5},' \
        '{"ph": "E", "name": "mul Cmpt Exec", "pid": '$pid', "tid": 1, "ts": 7},' \
        '{"ph": "X", "name": "add Cmpt Exec", "pid": 7, "tid": 1, "ts": 9, "dur": 2}]' >aiu$pid.json
done
says 0 'tr-merge: aiu2.json: rank 2 (process id)*' "ranks by pid: without events of the host" \
    'tr-merge --verbose --rank-from pid -o m.trs aiu3.json aiu2.json'
is "$(ranks m.trs)" '2 pid;3 pid;' "ranks by pid: of other events"
tr-parse -o aiu.trs aiu3.json
says 3 'tr-merge: aiu.trs: has no rank in its process id: *' "ranks by pid: a stream without events of the host" \
    'tr-merge --rank-from pid aiu.trs'
sed 's/"pid": [0-9]*/"pid": "worker"/' a.json >d.json
says 3 'tr-merge: d.json: has no rank in its process id: *' "pids that are texts" 'tr-merge --rank-from pid a.json d.json'
says 2 'tr-merge: two.trs: holds ranks 0 and 1, and would get one' "one rank for two" 'tr-merge --ranks 3 two.trs'
says 2 'tr-merge: option --ranks: 2 ranks for 1 inputs' "too many ranks" 'tr-merge --ranks 3,4 a.trs'
says 2 'tr-merge: option --ranks: *' "ranks that are none" 'tr-merge --ranks 3..1 a.trs'
says 2 'tr-merge: option --rank-from: *' "ranks without their list" 'tr-merge --rank-from option a.trs'

# names from a file
printf 'b.trs\0a.trs' >names
says 0 '' "names from a file" 'tr-merge --no-provenance --files0-from names -o m.trs; tr-merge --files0-from - -o n.trs <names'
tr-merge --no-provenance a.trs b.trs >n.trs
cmp m.trs n.trs >wrong
none wrong "names from a file: the same stream"
says 2 "tr-merge: extra operand 'a.trs': *" "names and operands" 'tr-merge --files0-from names a.trs'
printf 'a.trs\0\0b.trs' >names
says 2 'tr-merge: names: name 2 is empty' "an empty name" 'tr-merge --files0-from names'
: >names
says 2 'tr-merge: names: holds no names' "no names" 'tr-merge --files0-from names'
long=$(printf '%4095s' '' | tr ' ' x)
printf 'a.trs\0%sx\0b.trs' "$long" >names
says 2 'tr-merge: names: name 2 is longer than 4095 bytes: names end with a zero byte' "a name that is too long" \
    'tr-merge --files0-from names'
printf 'a.trs\0%s\0b.trs' "$long" >names
says 4 "tr-merge: xxxxx*: cannot open*: File name too long" "the longest name" 'tr-merge --files0-from names'
says 2 'tr-merge: /dev/zero: name 1 is empty' "a device of zeros" '(ulimit -v 400000; tr-merge --files0-from /dev/zero)'
says 2 'tr-merge: -: name 1 is longer than 4095 bytes: *' "no end of a name" \
    'yes | tr -d "\n" | head -c 300000000 | (ulimit -v 200000; tr-merge --files0-from -)'
says 2 'tr-merge: -: more than 64 MiB of names' "no end of names" \
    'yes aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | tr "\n" "\0" | (ulimit -v 400000; tr-merge --files0-from -)'
says 4 'tr-merge: none: cannot open*' "no such file of names" 'tr-merge --files0-from none'

# little to merge
printf '{"baseTimeNanoseconds": 1700000000000000000, "traceEvents": []}' >nothing.json
says 0 '' "one input, and one without events" 'tr-merge --no-provenance -o m.trs a.trs nothing.json && tr-merge --no-provenance -o n.trs a.trs'
tr-view -O tsv m.trs >have
tr-view -O tsv n.trs >want
cmp want have >wrong
none wrong "an input without events adds none"
cmp n.trs a.trs >wrong || tr-parse --no-provenance a.trs | tr-merge -z lz4 --no-provenance - | cmp - n.trs >wrong
none wrong "one input comes through as it is"
: >empty
says 0 'tr-merge: warning: empty: empty, left out' "an empty input among others" 'tr-merge -o m.trs a.trs empty'
says 3 'tr-merge: empty: empty input' "an empty input" 'tr-merge empty'

# more inputs than files can be open
for i in $(seq 60); do
    tr-parse --no-provenance --rank "$i" -o "r$i.trs" a.json
done
says 0 '' "sixty inputs" 'tr-parse -o m.trs r*.trs'
is "$(ranks m.trs | tr ';' '\n' | grep -c option)" 60 "sixty inputs: sixty ranks"
says 0 '' "more inputs than descriptors" 'ulimit -n 32; tr-parse --no-provenance -o n.trs r*.trs'
tr-parse --no-provenance -o m.trs r*.trs
cmp m.trs n.trs >wrong
none wrong "more inputs than descriptors: the same stream"
says 2 'tr-merge: option --ranks: 2 ranks for 60 inputs' "more inputs than descriptors: too few ranks" \
    'ulimit -n 32; tr-merge --ranks 3,4 r*.trs'
finish
