#!/bin/sh
# SPDX-License-Identifier: MIT
# Every program over sound input, sorted and not, from files and pipes, one and several: no fault of memory,
# no undefined behaviour, no leak.  Each program reads a third of the inputs, others for each commit.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
use_sanitized
make_traces small --ranks 2 --steps 2 --layers 2 --counters 10 --seed 3
make_sample >sample.json
for name in 0 1; do
    run "tr-parse, trace $name" tr-parse -q -o sorted$name.trs small/rank$name.json
    run "tr-parse --no-sort, trace $name" tr-parse -q --no-sort -o unsorted$name.trs small/rank$name.json
done
run "tr-parse --no-sort, the sample" tr-parse --no-sort -o unsorted.trs sample.json

# tried WHAT COMMAND...: the command ends by itself, and no sanitizer ends it.
tried()
{
    n_tried=$((n_tried + 1))
    what=$1
    shift
    "$@" >out 2>err
    status=$?
    [ $status -lt $sanitizer_status ] || { echo "$what: status $status"; grep -m 6 -e ERROR -e 'error:' -e '    #' err; } >>faults
}

# One line per way to run a program: PROGRAM ARGUMENT...
which_slice 3
while read -r program arguments <&3; do
    have "$program" || continue
    : >faults
    n_tried=0
    for input in sample.json unsorted.trs small/rank0.json sorted0.trs unsorted0.trs \
        'sorted0.trs sorted1.trs' 'unsorted0.trs unsorted1.trs' 'small/rank0.json unsorted1.trs'; do
        case $program:$input in tr-diff:*' '*) continue ;; esac
        n_turns=$((n_turns + 1))
        [ "$slice" = all ] || [ $((n_turns % 3)) -eq "$slice" ] || continue
        eval "tried '$input' $program $arguments $input"
    done
    eval "tried 'a pipe: unsorted0.trs' $program $arguments <unsorted0.trs"
    none faults "$program $arguments: $n_tried inputs"
done 3<<'END'
tr-parse
tr-parse --no-sort
tr-parse -z lz4 -j 3 --block-events 50
tr-view
tr-view -O jsonl
tr-view -O chrome
tr-view -O perfetto
tr-view -O tsv --where 'kind == "span"'
tr-info
tr-info --check
tr-info -O json
tr-breakdown
tr-breakdown --per step
tr-breakdown --by idle
tr-breakdown --by gap --per stream
tr-breakdown --by step
tr-breakdown --by iteration
tr-breakdown --by operator,shape,args,stack,module,category,thread,recompute
tr-breakdown --by operator,position
tr-roofline --backward --by operator,shape
tr-breakdown --by category --where 'dur > 1us'
tr-breakdown --by module --where 'dur > 1us'
tr-breakdown --by sequence
tr-overlap
tr-comm
tr-filter 'dur >= 0'
tr-filter --parents 'activity == "kernel"'
tr-filter --linked 'activity == "kernel"'
tr-filter --closure 'activity == "kernel"'
tr-filter --redact 'dur >= 0'
tr-categorize
tr-categorize --by class
tr-categorize --by unmatched
tr-merge
tr-align --min-anchors 1
tr-launch
tr-counters
tr-counters --report
tr-critpath
tr-critpath --mark
tr-critpath --mark --per all
tr-diff --save-partial -
tr-patterns --op '^aten::'
tr-patterns --mark --op '^aten::'
tr-metrics
tr-metrics --by list
tr-metrics --by series
tr-metrics --by instance
tr-metrics --by kernel
tr-memory
tr-memory --by peak,operator
tr-flame
tr-flame --by operator,kernel -O folded
tr-flame -O speedscope
tr-flame -O pprof
tr-flame -O svg
tr-flame -O html
tr-replay
tr-replay -O json
tr-replay -O python
tr-roofline --by family
tr-roofline --nested --by operator,params
tr-stalls
tr-stalls --by instruction
tr-sum --by name,step --stat count,sum,mean,p50,share
tr-report
tr-report -O md
tr-cycles --report
tr-diff --by operator,args --base-where 'step != 16' --fail-if 'diff_us > 1s'
tr-diff --by tree --base-where 'step != 16' --fail-if 'diff_us > 1s || total.points > 1000'
tr-diff --by conditions,tree --base-where 'step != 16' --fail-if 'total.diff_pct > 1000%'
tr-diff --by tree,node --base-where 'step != 16'
tr-diff --by tree,node --base-where 'activity == kernel && false'
tr-diff --by tree,kernel --test-where 'dur > 5us'
tr-diff --by tree,pair --test-where 'dur > 5us'
END

# What a stream is passed on with is what it came with.
tr-parse -q --no-provenance --no-sort small/rank0.json >stream
tr-info -O json <stream >want
for program in tr-parse tr-merge tr-categorize; do
    $program --no-provenance stream >again && tr-info -O json <again >have
    same want have "$program: an unsorted stream keeps its summary"
done
finish
