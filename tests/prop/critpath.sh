#!/bin/sh
# SPDX-License-Identifier: MIT
# Critical paths of generated jobs: the path of all ranks runs through the one that was made late, and pays for all of
# its lateness there; what is multiplied by 1 changes nothing; a marked stream is the stream and marks.
. "$(dirname "$0")/lib.sh"
need tr-critpath tr-filter tr-parse tr-view
[ -x "$gen" ] || skip_all "the generator is not built (TR_GEN)"

# late RANK OPTION...: a job of 4 ranks in which that one is late by 3 ms in each of 3 steps,
# because it waits for data.
late()
{
    rank=$1
    shift
    mkdir job
    "$gen" --output job --ranks 4 --steps 3 --layers 2 --python 0 --straggler "$rank" --straggler-ns 3000000 "$@" || exit 99
    tr-critpath -q --per all -O tsv --unit ns job/rank?.json |
        awk -F '\t' '$2 == "data" && $3 >= 9000000 { print $1 }' >have
    echo "$rank" >want
    same have want "rank $rank is late, and the path with it: $*"
    rm -r job
}

for r in 0 1 2 3; do
    late $r --seed "$r"
    late $r --seed "1$r" --seq none
    late $r --seed "2$r" --vendor amd --device-skew-ns 500
done

# same_what_if OPTION...: both halves of the summary are equal.
same_what_if()
{
    tr-critpath -q "$@" --what-if 'dur >= 0us scale=1' -O tsv >said
    cut -f 3,4 said | sed 1d >have
    cut -f 5,6 said | sed 1d >want
    [ -s have ] && same have want "scale 1 changes nothing: $*"
    tr-critpath -q "$@" --launch-edges -O tsv | cut -f 1-4 >have
    cut -f 1-4 said >want
    same have want "what-if begins where the summary with --launch-edges is: $*"
}

make_traces traces --ranks 2 --steps 4 --layers 2 --python 0 --graphs 2 --graph-kernels 5 --seed 9
cat traces/rank0.json >one.json
same_what_if one.json
same_what_if --gaps one.json
same_what_if --per all traces/rank0.json traces/rank1.json
same_what_if --step 16..17 traces/rank0.json traces/rank1.json

# adds_up OPTION...: with all time explained, the parts of the path are its total, also as edges of the graph.
adds_up()
{
    tr-critpath -q -O tsv --unit ns "$@" | awk -F '\t' '$2 == "total" { print $1, $3 }' >want
    tr-critpath -q -O tsv --unit ns --by path "$@" |
        awk -F '\t' -v all="$all" 'NR > 1 { sum[all ? "" : $1] += $8 } END { for (r in sum) print r, sum[r] }' | sort >have
    [ -s want ] && same have want "parts of the path add up: $*"
    tr-critpath -q -O tsv --unit ns --by edge "$@" |
        awk -F '\t' -v all="$all" '$12 == 1 { sum[all ? "" : $1] += $8 } END { for (r in sum) print r, sum[r] }' | sort >have
    same have want "edges of the path add up: $*"
}
all=
adds_up --gaps traces/rank0.json traces/rank1.json
adds_up --gaps --step 17 traces/rank0.json traces/rank1.json
all=yes
adds_up --per all traces/rank0.json traces/rank1.json
adds_up --per all --step 16..17 traces/rank0.json traces/rank1.json

tr-parse -q -o one.trs one.json
tr-critpath -O tsv one.json >want
tr-critpath -O tsv <one.trs >have
same have want "the same from a stream"
tr-critpath -O tsv --step 16 one.json >want
tr-critpath -O tsv --annotation ProfilerStep#16 one.json >have
same have want "the same by number and by name of a step"

tr-critpath --mark --per all -o marked.trs traces/rank0.json traces/rank1.json
fields="tr-view -O tsv --columns rank,record,phase,ts,dur,pid,tid,name,args,launch_record"
$fields traces/rank0.json traces/rank1.json >want
tr-filter '!(cat == "critical_path")' marked.trs | $fields - >have
same have want "without marks it is what it was"
tr-filter -c 'cat == "critical_path" && phase == span' marked.trs >marks
tr-critpath --by path --per all -O tsv traces/rank0.json traces/rank1.json |
    awk -F '\t' 'NR > 1 && $8 > 0 { n++ } END { print n + 0 }' >want
same marks want "each part of the path that takes time has its mark: $(cat marks)"

# An arrow leads from the rank where an edge of the path begins to the one where it ends.
tr-filter 'cat == "critical_path" && phase in (flow_start, flow_end)' marked.trs | tr-view -O jsonl |
    $python -c '
import json, sys
ends = {}
for line in sys.stdin:
    e = json.loads(line)
    ends.setdefault(e["members"]["id"], []).append((e["phase"], e["rank"]))
assert all(sorted(p for p, _ in two) == ["flow_end", "flow_start"] for two in ends.values())
joins = sorted((dict(two)["flow_start"], dict(two)["flow_end"]) for two in ends.values())
print("\n".join("%d %d" % two for two in joins if two[0] != two[1]))' >have
tr-critpath --by edge --per all -O tsv traces/rank0.json traces/rank1.json |
    awk -F '\t' 'NR > 1 && $12 == 1 && $1 != $4 { print $1, $4 }' | sort >want
[ -s want ] && same have want "arrows between ranks are those of the path: $(wc -l <want | tr -d ' ')"

# passes WHAT FIELD...: the work on the path of a trace for Perfetto in which b waits as these fields say, and how many
# waits lead nowhere.
passes()
{
    what=$1
    shift
    PYTHONPATH=$here $python -c 'import sys; from perfetto_made import *
sys.stdout.buffer.write(waiting_packets(*eval(sys.argv[1])))' "[$1]" >waits.pftrace || exit 99
    {
        tr-critpath -q --by path -O tsv waits.pftrace | awk -F '\t' '$3 == "kernel" && $7 == "operator" { print $4 }'
        tr-critpath -q --by count -O tsv waits.pftrace | awk -F '\t' '$2 == "lost_waits" { print $3 }'
    } | tr '\n' ' ' >have
    printf '%s ' $2 >want
    same have want "device work that waits for $what: path and lost waits are $2"
}
passes "what it does not say" '' 'b 0'
tr-critpath -O tsv waits.pftrace --what-if 'name == "a" scale=1' 2>said >have
grep -q 'does not say what streams waited for' said
ok $? "a remark says that waits of streams are not known"
passes "the other work" '(18, 21)' 'a b 0'
tr-critpath -O tsv waits.pftrace --what-if 'name == "a" scale=1' 2>said >have
[ ! -s said ]
ok $? "no remark if work names what it waited for: $(cat said)"
passes "the other work, twice, and for others" '(18, Packed([21, 21, 5, 1 << 63, (1 << 64) - 1]))' 'a b 3'
passes "itself" '(18, 22)' 'b 1'
passes "numbers of other types" '(18, "\xff\xff"), (18, 1.5), (18, Fixed(21))' 'b 0'
passes "1000 numbers and one more" '(18, Packed([3] * 999 + [21, 21]))' 'a b 1000'
passes "too many numbers" '(18, Packed([3] * 300000 + [21]))' 'b 1001'
passes "other work, which is a text in extra data" '(6, [(1, "event wait ids"), (2, "21")])' 'b 0'
passes "other work, which is a list in extra data" '(6, [(1, "event wait ids"), (2, "[ 21, [\"21\"], {} ]")])' 'a b 2'
finish
