#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is kept from one batch of events for the next: each field of an expression, and each view, says of blocks of
# three events what it says of one block.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-filter tr-view tr-categorize

make_traces made --ranks 1 --steps 3 --layers 2 --counters 5 --graphs 1 --shapes 2 --no-truth
# steps of inference, a phase each by turns
awk 'BEGIN {
    print "{\"traceEvents\": ["
    for (i = 0; i < 30; i++) {
        name = i % 3 ? "execute_2_context_0(sq0sk0sqsq0sqsk0)_generation_2(sq2sk300sqsq2sqsk300)" : \
                       "execute_64_context_1(sq64sk64sqsq4096sqsk4096)_generation_0(sq0sk0sqsq0sqsk0)"
        printf "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, " \
               "\"ts\": %d, \"dur\": 50},\n", name, 100 * i
        for (k = 0; k < 2; k++)
            printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 5},\n",
                   100 * i + 10 + 10 * k
    }
    print "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"args\": {\"name\": \"python\"}}]}"
}' >inference.json
for trace in made/rank0 inference; do
    name=${trace##*/}
    tr-categorize -q --no-provenance $trace.json >$name.whole &&
        tr-parse -q --no-provenance --block-events 3 $name.whole >$name.blocks
    ok $? "$name as one block, and as blocks of three events"
done

# One value that some events have, and a comparison with it, for each field of tr-expr(7).
events()
{
    tr-filter --no-provenance "$1" "$2" | tr-view -O tsv
}
awk -F ' Ta ' '/^\.It Sy Field/ { on = 1; next } on && /^\.El/ { exit } on && $1 ~ /^\.It [a-z_]+$/ { print substr($1, 5) "\t" $2 }' \
    "$root/man/tr-expr.7" >fields
[ "$(wc -l <fields)" -gt 25 ]
ok $? "fields are read from tr-expr(7)"
printf 'args.correlation\tnumber\nargs.stream\tnumber\n' >>fields
: >wrong
selected=0
while read -r field type <&3; do
    case $field in
    activity) of="activity == kernel" ;;
    kind) of="kind == compute" ;;
    phase) of="phase == span" ;;
    step_phase) of="step_phase == decode" ;;
    cat) of="cat == kernel" ;;
    *)
        case $type in
        time) of="$field > 1us" ;;
        size | number | 'number or text') of="$field > 1" ;;
        *) of="$field =~ \"[a-m]\"" ;;
        esac
        ;;
    esac
    most=0
    for name in rank0 inference; do
        for expression in "!($of)" "$of"; do
            events "$expression" $name.whole >want 2>said
            events "$expression" $name.blocks >have 2>>said
            cmp -s want have && [ -s want ] ||
                echo "$name: $expression: $(wc -l <want) and $(wc -l <have) lines; $(head -n 1 said)" >>wrong
        done
        [ "$(wc -l <want)" -le $most ] || most=$(wc -l <want)
    done
    [ $most -le 1 ] || selected=$((selected + 1))
done 3<fields
none wrong "each field of an expression"
[ "$selected" -gt 20 ]
ok $? "$selected fields select some events"

while read -r command <&3; do
    have "${command%% *}" || continue
    # shellcheck disable=SC2086 # several words
    $command -q rank0.whole >want 2>said
    status=$?
    # shellcheck disable=SC2086
    $command -q rank0.blocks >have 2>>said
    [ $? -eq $status ] && [ -s want ]
    ok $? "$command: status $status"
    same want have "$command: the same"
done 3<<'END'
tr-breakdown --by time --per stream
tr-breakdown --by idle --where step>15
tr-breakdown --by gap
tr-breakdown --by step
tr-breakdown --by kernel --per step
tr-breakdown --by annotation
tr-breakdown --by operator,shape,args,stack,module,category,thread,recompute
tr-breakdown --by tree
tr-breakdown --by sequence
tr-breakdown --by graph
tr-overlap
tr-launch
tr-launch --by launch
tr-comm --columns all
tr-counters --by queue
tr-critpath --by edge
tr-memory
tr-metrics
tr-metrics --by list
tr-metrics --by series
tr-patterns --op ^aten::
tr-flame --by stack,kernel
tr-roofline --by operator,shape
tr-sum --by name,step --stat count,sum,p50
tr-filter --no-provenance --parents activity==kernel
tr-filter --no-provenance --linked activity==kernel
END
finish
