#!/bin/sh
# SPDX-License-Identifier: MIT
# Several inputs give what their merge gives, by every program that reads several: also where ranks are shared,
# where starts are equal, and where inputs hold several ranks each.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-parse tr-merge tr-view

# All ways in which a program reads events; those of tr-diff are its two sides.
cat >commands <<'LINES'
tr-breakdown --by time
tr-breakdown --by time --per all
tr-breakdown --by time --per device
tr-breakdown --by time --per step
tr-breakdown --by time --where dur>20us --coverage
tr-breakdown --by timeline
tr-breakdown --by graph
tr-breakdown --by type
tr-breakdown --by type --per all
tr-breakdown --by idle
tr-breakdown --by idle --per stream
tr-breakdown --by gap --per all
tr-breakdown --by step
tr-breakdown --by iteration
tr-breakdown --by stream-idle
tr-breakdown --by kernel
tr-breakdown --by kernel --per all --top 5
tr-breakdown --by kernel --drop-last-step
tr-breakdown --by class
tr-breakdown --by annotation
tr-breakdown --by annotation --side device
tr-breakdown --by annotation --side work
tr-breakdown --by size
tr-breakdown --by operator,shape,thread
tr-breakdown --by category --per step
tr-breakdown --by module --per step
tr-breakdown --by operator
tr-breakdown --by operator --per all
tr-breakdown --by operator --per step
tr-breakdown --by tree
tr-breakdown --by nesting
tr-overlap
tr-overlap --per all
tr-overlap --by state --classes compute,comm,memory
tr-overlap --by state --classes compute,comm,memory --per all
tr-launch
tr-launch --per all
tr-util --by stream
tr-util --by region
tr-util --by pace
tr-util --by annotation
tr-launch --by launch
tr-comm
tr-comm --by group
tr-comm --by straggler
tr-comm --by member
tr-counters --no-provenance
tr-cycles --no-provenance
tr-counters --by queue
tr-counters --by bandwidth
tr-counters --by busy-series
tr-counters --by power
tr-counters --by waiting-series
tr-counters --by collective-series
tr-critpath
tr-critpath --by path
tr-critpath --by edge
tr-critpath --by count
tr-critpath --gaps --launch-edges
tr-critpath --annotation ProfilerStep
tr-critpath --annotation ProfilerStep --instance 1 --by path
tr-critpath --drop-last-step --by path
tr-critpath --where dur>20us --by count
tr-critpath --per all
tr-patterns --op ^aten::
tr-sum --by rank,operator,name
tr-sum --by step,short(name) --value self --stat count,sum,p50,first,last
tr-metrics
tr-metrics --by list
tr-metrics --by series
tr-metrics --by instance
tr-metrics --by kernel
tr-memory
tr-flame
tr-flame --by operator,kernel --weight device -O folded
tr-flame -O pprof
tr-replay
tr-replay -O python -n 20
tr-roofline --arch H100
tr-roofline --by operator,shape,thread
tr-roofline --backward
tr-roofline --by family --per all
tr-report
tr-report --per rank
tr-filter --no-provenance dur>5us
tr-categorize --no-provenance
tr-merge --no-provenance
tr-parse --no-provenance
tr-view -O jsonl
LINES

# alike WHAT INPUT...: every command prints the same for the inputs and for their merge; half of the commands for each
# commit, the others for the next of WHAT.
which_slice 2
alike()
{
    what=$1
    shift
    n_turns=$((n_turns + 1))
    tr-merge -q -o merged.trs "$@" || ok 1 "$what: tr-merge"
    : >wrong
    while read -r command <&3; do
        n_turns=$((n_turns + 1))
        [ "$slice" = all ] || [ $((n_turns % 2)) -eq "$slice" ] || continue
        have "${command%% *}" || continue
        # shellcheck disable=SC2086 # a command and its options
        $command -q merged.trs >want 2>said
        status=$?
        # shellcheck disable=SC2086
        $command -q "$@" >have 2>>said
        same=$?
        case $command in
        tr-report*) # its commands name the inputs
            for out in want have; do
                sed -e ':next' -e '/^\$ .*\\$/{' -e 'N' -e 'b next' -e '}' -e '/^\$ /d' $out | sed '1{/^$/d;}' >$out.figures
                mv $out.figures $out
            done
            ;;
        esac
        [ $same -eq $status ] && [ -s want ] && cmp -s want have || { echo "$command: $(head -n 1 said)" >>wrong; }
    done 3<commands
    none wrong "$what"
}

# three batches of each rank, and clocks that count from different times
make_traces many --ranks 3 --size 9M --no-truth --streams 2 --counters 5 --graphs 1 --shapes 2 --drift-ppb 0,20000 \
    --base-ns 1711964646000000000,1711964645000000000,1711964649000000000
make_traces coarse --ranks 3 --steps 2 --layers 3 --no-truth --grid-ns 100000 --plant all
for of in many coarse; do
    for rank in 0 1 2; do
        tr-parse -q -o $of$rank.trs $of/rank$rank.json && tr-parse -q --rank 7 -o $of$rank.same $of/rank$rank.json
        ok $? "$of: rank $rank"
    done
    alike "$of: three ranks" ${of}2.trs ${of}0.trs ${of}1.trs
    alike "$of: three hosts that say they are one rank" ${of}0.same ${of}1.same ${of}2.same
    tr-merge -q -o two.trs ${of}0.trs ${of}2.trs
    alike "$of: two ranks, and the one between them" ${of}1.trs two.trs
    alike "$of: two ranks, and two hosts of another" two.trs ${of}1.same ${of}0.same
done

# a program that no line above is about; these traces have no rows for tr-stalls, tr-plot reads tables, tr-record none
awk '!/^#/ { print $1 }' "$root/tools/tools.list" >programs
grep -vE '^tr-(align|diff|info|plot|record|stalls)$' programs | while read -r program; do
    grep -q "^$program" commands || echo "$program"
done >missing
none missing "no program is left out"
finish
