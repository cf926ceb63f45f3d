#!/bin/sh
# SPDX-License-Identifier: MIT
# tr-filter --split: parts together are the whole, each part is a selection, and no part is half written.
. "$(dirname "$0")/lib.sh"
need tr-filter tr-merge tr-parse tr-view tr-info
make_traces made --ranks 3 --steps 4 --layers 2 --graphs 1 --graph-kernels 3 --end-jitter-ns 500 --no-truth
run "there is a stream" "$bin/tr-parse" -q -o all.trs made/rank0.json made/rank1.json made/rank2.json
# Events of inference steps, with names that would leave a folder, and a rank of another job.
$python - >inference.json <<'EOF'
import json
events = [{"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "../../worker"}}]
for i in range(40):
    c, g = ((1, 0), (0, 4), (2, 3), (0, 0))[i % 4]
    name = "execute_context_%d(%d)_generation_%d(%d)" % (c, 30 * c, g, g)
    events.append({"ph": "X", "cat": "user_annotation", "name": name, "pid": 1, "tid": 1, "ts": 100 * i, "dur": 60})
    events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 100 * i + 10, "dur": 5,
                   "args": {"correlation": i + 1}})
    events.append({"ph": "X", "cat": "kernel", "name": "../k", "pid": 0, "tid": 7, "ts": 100 * i + 150, "dur": 90,
                   "args": {"correlation": i + 1, "device": 0, "stream": 7}})
    events.append({"ph": "X", "cat": "cpu_op", "name": "between", "pid": 1, "tid": 1, "ts": 100 * i + 70, "dur": 5})
print(json.dumps({"distributedInfo": {"rank": 5}, "traceEvents": events}))
EOF
show()
{
    "$bin/tr-view" -q -O tsv --columns \
        rank,record,phase,activity,kind,ts,dur,pid,tid,process,thread,stream,step,step_phase,name,cat,args,launch_record,launch_ts,api "$@"
}

# --- of a stream, a trace, a pipe; in one reading and in many
for limit in 1G 40M; do
    mkdir "ranks$limit"
    run "by rank, -M $limit" "$bin/tr-filter" --no-provenance -q -M "$limit" --split rank -o "ranks$limit/r%s.trs" all.trs
    [ "$(echo "ranks$limit"/*)" = "ranks$limit/r0.trs ranks$limit/r1.trs ranks$limit/r2.trs" ]
    ok $? "three parts: $(echo "ranks$limit"/*)"
    "$bin/tr-merge" -q "ranks$limit"/*.trs | show >merged
    show all.trs >whole
    same merged whole "the merge of the parts is the whole, -M $limit"
    "$bin/tr-merge" -q "ranks$limit"/*.trs | "$bin/tr-view" -q -O chrome >merged
    "$bin/tr-view" -q -O chrome all.trs >whole
    same merged whole "also as JSON, -M $limit"
done
differ=no
for part in 0 1 2; do
    show "ranks1G/r$part.trs" >have
    "$bin/tr-filter" -q --rank "$part" all.trs | show >want
    same have want "part $part is --rank $part"
    cmp -s "ranks1G/r$part.trs" "ranks40M/r$part.trs" || differ=yes
done
[ $differ = no ]
ok $? "memory does not change the parts"
[ "$("$bin/tr-info" -O json ranks1G/r1.trs | grep -c '"rank": ')" -ge 1 ] &&
    ! "$bin/tr-info" -O json ranks1G/r1.trs | grep '"rank": ' | grep -qv '"rank": 1,*$'
ok $? "a part knows nothing of the other ranks"

mkdir steps from-pipe
run "by step" "$bin/tr-filter" -q --split step -o 'steps/%s%%.trs' all.trs
n=0
for part in steps/*%.trs; do
    number=${part##*/}
    show "$part" | grep -v metadata >have
    "$bin/tr-filter" -q --step "${number%\%.trs}" all.trs | show | grep -v metadata >want
    cmp -s have want || { n=wrong; diff have want | head -n 4 | sed 's/^/# /'; break; }
    n=$((n + 1))
done
[ "$n" = "$("$bin/tr-view" -q -O tsv --columns step all.trs | sort -u | grep -c '[0-9]')" ]
ok $? "each step is a part, the same as --step: $n"
"$bin/tr-merge" -q made/rank0.json made/rank1.json made/rank2.json | "$bin/tr-filter" -q --split step -o 'from-pipe/%s%%.trs' 'kind == compute'
n=0
for part in from-pipe/*; do
    number=${part##*/}
    show "$part" | grep -v metadata >have
    "$bin/tr-filter" -q --step "${number%\%.trs}" 'kind == compute' all.trs | show >want
    cmp -s have want && [ -s have ] && n=$((n + 1))
done
[ "$n" = "$(ls steps | wc -l)" ]
ok $? "of a pipe, with an expression: $n"

# --- by phase
mkdir phases
"$bin/tr-filter" --split phase -o 'phases/%s.trs' inference.json 2>said
[ "$(ls phases | tr '\n' ' ')" = 'decode.trs mixed.trs prefill.trs ' ] && grep -q '^tr-filter: 70 events belong to no part$' said
ok $? "phases: $(ls phases | tr '\n' ' '), $(cat said)"
for part in decode mixed prefill; do
    show "phases/$part.trs" | grep -v 'metadata' >have
    "$bin/tr-filter" -q "step_phase == $part" inference.json | show >want
    same have want "part $part is step_phase == $part"
done

# --- by time: each event is in the window that it starts in
for input in inference.json all.trs; do
    for length in 1ms 333us 20ms; do
        rm -rf times && mkdir times
        "$bin/tr-filter" -q --split "time:$length" -o 'times/%s.trs' "$input" || ls times
        for part in $(ls times | sort -n); do
            show "times/$part" | tail -n +2
        done | grep -v 'metadata' | sort >have
        show "$input" | tail -n +2 | grep -v 'metadata' | sort >want
        for part in times/*; do
            show "$part" | grep -c 'metadata'
        done | sort -u | tr '\n' ' ' >metadata
        cmp -s have want && [ "$(cat metadata)" = "$(show "$input" | grep -c 'metadata') " ]
        ok $? "$input by time:$length: $(ls times | wc -l) parts hold each event once, and the metadata each"
    done
done
show times/1.trs | sed 1d | grep -v metadata | cut -f 6 | sort -n | sed -n '1p;$p' | tr '\n' ' ' >range
first=$(show all.trs | sed 1d | grep -v metadata | cut -f 6 | sort -n | head -n 1)
from=$($python -c "import sys; f = float('$first'); a, b = map(float, open('range').read().split()); print(int(f + 20000 <= a <= b < f + 40000))")
[ "$from" = 1 ]
ok $? "the second window of 20 ms: $(cat range)"

# --- parts together are the whole again: the same events, and one source for each source of before
# Lags are those of the parts; tr-align --drift estimates them.
report()
{
    case $* in
    aligned.trs) "$bin/tr-info" "$@" | sed 's/^lag_m.*/lag/' ;;
    *) "$bin/tr-info" "$@" ;;
    esac | sed -e '1s/^[^:]*: //' -e '/^provenance/,/^$/d'
}

# whole INPUT WHAT PART...: INPUT is a stream.
whole()
{
    whole=$1 what=$2
    shift 2
    "$bin/tr-view" -q -O jsonl "$whole" >want
    "$bin/tr-merge" -q -o joined.trs "$@" && "$bin/tr-view" -q -O jsonl joined.trs >have
    same have want "$what: the same events"
    "$bin/tr-view" -q -O jsonl "$@" >have
    same have want "$what: also when they are given to a program"
    report "$whole" >want
    report joined.trs | case $whole in aligned.trs) sed 's/^lag_m.*/lag/' ;; *) cat ;; esac >have
    same have want "$what: the same report"
}

# selected INPUT WHAT EXPR PART...: parts by step or phase leave out the events between them, so compare with EXPR.
selected()
{
    whole=$1 what=$2 expr=$3
    shift 3
    "$bin/tr-filter" -q "($expr) || phase == metadata" "$whole" | "$bin/tr-view" -q -O jsonl >want
    "$bin/tr-merge" -q -o joined.trs "$@" && "$bin/tr-view" -q -O jsonl joined.trs >have
    same have want "$what: the same events"
    sources=$("$bin/tr-info" -O json "$whole" | grep -c '"rank_from"')
    [ "$("$bin/tr-info" -O json joined.trs | grep -c '"rank_from"')" = "$sources" ]
    ok $? "$what: $sources sources"
}

"$bin/tr-parse" -q -o inference.trs inference.json
"$bin/tr-merge" -q -o two.trs "$root"/contrib/sample/*.json.gz
$python - >group.json <<'EOF'
import json
events = []
for pid, rank in ((100, 0), (200, 1)):
    events.append({"ph": "M", "name": "process_labels", "pid": pid, "tid": 0, "args": {"labels": "[TP%02d]" % rank}})
    events.append({"ph": "M", "name": "process_name", "pid": pid, "tid": 0, "args": {"name": "python"}})
    for i in range(30):
        events.append({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": pid, "tid": 1, "ts": 50 * i + rank,
                       "dur": 9, "args": {"correlation": i}})
        events.append({"ph": "X", "cat": "kernel", "name": "k%d" % i, "pid": pid, "tid": 7, "ts": 50 * i + 20, "dur": 35 + 40 * rank,
                       "args": {"correlation": i, "device": 0, "stream": 7}})
print(json.dumps({"schemaVersion": 1, "traceEvents": events}))
EOF
"$bin/tr-parse" -q -o group.trs group.json
"$bin/tr-align" -q --device -o moved.trs all.trs
"$bin/tr-align" -q --drift -o aligned.trs all.trs
for input in all two inference group moved aligned; do
    for by in rank time:411us time:5ms; do
        rm -rf parts && mkdir parts
        "$bin/tr-filter" -q --split "$by" -o 'parts/%s.trs' $input.trs
        whole $input.trs "$input by $by, $(ls parts | wc -l) parts" parts/*
    done
done
"$bin/tr-align" -q --undo joined.trs | "$bin/tr-view" -q -O jsonl >have
"$bin/tr-align" -q --undo aligned.trs | "$bin/tr-view" -q -O jsonl >want
same have want "the clocks of an aligned stream can be taken back"
(
    ulimit -n 40
    "$bin/tr-merge" -q -o joined.trs parts/*
)
"$bin/tr-view" -q -O jsonl joined.trs >have
"$bin/tr-view" -q -O jsonl aligned.trs >want
same have want "in passes, if few files can be open"
for input in all two; do
    rm -rf parts && mkdir parts
    "$bin/tr-filter" -q --split step -o 'parts/%s.trs' $input.trs
    selected $input.trs "$input by step, $(ls parts | wc -l) parts" 'step >= 0' parts/*
done
selected inference.trs "by phase" 'step_phase == decode || step_phase == mixed || step_phase == prefill' phases/*

# --- parts of parts, parts of parts that were merged, and selections
rm -rf parts && mkdir parts parts/again
"$bin/tr-filter" -q --split time:5ms -o 'parts/%s.trs' all.trs
"$bin/tr-filter" -q --split time:700us -o 'parts/again/a%s.trs' parts/1.trs
"$bin/tr-filter" -q --split rank -o 'parts/again/b%s.trs' parts/2.trs
mv parts/1.trs one.trs && mv parts/2.trs other.trs
whole all.trs "parts of parts" parts/*.trs parts/again/*
whole one.trs "the parts of a part" parts/again/a*
"$bin/tr-merge" -q -o mixed.trs parts/again/*
whole all.trs "merged before" mixed.trs parts/*.trs
"$bin/tr-filter" -q 'activity == kernel' all.trs >kernels.trs
"$bin/tr-filter" -q -v 'activity == kernel' all.trs >others.trs
"$bin/tr-merge" -q kernels.trs others.trs | "$bin/tr-view" -q -O jsonl >have
"$bin/tr-view" -q -O jsonl all.trs >want
same have want "two selections without a common event"
"$bin/tr-filter" -q 'activity == kernel' one.trs >kernels.trs
"$bin/tr-filter" -q -v 'activity == kernel' one.trs >others.trs
"$bin/tr-merge" -q kernels.trs others.trs other.trs parts/*.trs | "$bin/tr-view" -q -O jsonl >have
same have want "selections of a part, with the other parts"

# --- the same event twice
# wrong WHAT NAME OTHER INPUT...: refused, naming both.
wrong()
{
    what=$1 a=$2 b=$3
    shift 3
    "$bin/tr-merge" -q "$@" <one.trs >none.trs 2>said
    [ $? -eq 3 ] && grep -q "^tr-merge: $a: .*has .*events .*$b.*: leave one of them out$" said
    ok $? "$what: $(tail -n 1 said)"
}
cp one.trs copy.trs
wrong "a part twice" one.trs one.trs one.trs other.trs one.trs
wrong "a copy of a part" copy.trs one.trs one.trs copy.trs
wrong "a part twice, once from a pipe" "standard input" one.trs one.trs -
wrong "a part beside the whole" all.trs one.trs one.trs all.trs
wrong "the whole beside a part" one.trs all.trs all.trs one.trs
wrong "a part beside a trace of the whole" "made/rank0.json" one.trs one.trs made/rank0.json
wrong "a part beside a part of it" "[a-z0-9./]*" "[a-z0-9./]*" one.trs parts/again/a1.trs
wrong "a part beside some that hold it" "[a-z.]*" "[a-z.]*" one.trs mixed.trs
"$bin/tr-filter" -q 'activity == kernel' all.trs >kernels.trs
"$bin/tr-filter" -q 'dur > 5us' all.trs >long.trs
wrong "two selections with common events" "[a-z.]*" "[a-z.]*" kernels.trs long.trs
wrong "a selection beside a part" "[a-z.]*" "[a-z.]*" one.trs long.trs
wrong "a selection beside the whole" all.trs long.trs long.trs all.trs

# --- all or nothing
mkdir full full/r1.trs
"$bin/tr-filter" -q --split rank -o 'full/r%s.trs' all.trs 2>said
[ $? -eq 4 ] && [ "$(ls -A full)" = r1.trs ] && grep -q "cannot write 'full/r1.trs': Is a directory" said
ok $? "a name that cannot be written: nothing is left"
echo old >keep0.trs
"$bin/tr-filter" -q --split rank -o 'keep%s.trs' no-such-file 2>said
[ $? -ne 0 ] && [ "$(cat keep0.trs)" = old ]
ok $? "no input: the old file stays"
head -c 20000 all.trs >cut.trs
"$bin/tr-filter" -q --split rank -o 'keep%s.trs' cut.trs 2>said
[ $? -eq 3 ] && [ "$(cat keep0.trs)" = old ] && [ ! -e keep1.trs ]
ok $? "a stream that is cut short: the old file stays, and no new one comes"
"$bin/tr-filter" -q --split rank -o 'keep%s.trs' all.trs && show keep0.trs >have && show ranks1G/r0.trs >want
same have want "an old file is replaced"
(
    "$bin/tr-merge" -q made/*.json
    sleep 5
) | "$bin/tr-filter" -q --split rank -o 'stop%s.trs' &
sleep 1
kill -TERM $!
wait $! 2>/dev/null
[ -z "$(ls -A | grep '^stop\|^\.tr-')" ]
ok $? "stopped by a signal: nothing is left"
finish
