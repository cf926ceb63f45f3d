#!/bin/sh
# SPDX-License-Identifier: MIT
# Nothing is kept from one batch of events for the next: each field of an expression, and each view, says of blocks of
# three events what it says of one block.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-filter tr-view

make_traces made --ranks 1 --steps 3 --layers 2 --counters 5 --graphs 1 --shapes 2 --no-truth
tr-parse -q --no-provenance -o whole.trs made/rank0.json && tr-parse -q --no-provenance --block-events 3 -o blocks.trs made/rank0.json
ok $? "a trace as one block, and as blocks of three events"

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
    step_phase) of="step_phase == prefill" ;;
    cat) of="cat == kernel" ;;
    *)
        case $type in
        time) of="$field > 1us" ;;
        size | number | 'number or text') of="$field > 1" ;;
        *) of="$field =~ \"[a-m]\"" ;;
        esac
        ;;
    esac
    for expression in "$of" "!($of)"; do
        events "$expression" whole.trs >want 2>said
        events "$expression" blocks.trs >have 2>>said
        cmp -s want have && [ -s want ] || echo "$expression: $(wc -l <want) and $(wc -l <have) lines; $(head -n 1 said)" >>wrong
    done
    [ "$(wc -l <want)" -le 1 ] || selected=$((selected + 1))
done 3<fields
none wrong "each field of an expression"
[ "$selected" -gt 20 ]
ok $? "$selected fields select some events"

while read -r command <&3; do
    have "${command%% *}" || continue
    # shellcheck disable=SC2086 # several words
    $command -q whole.trs >want 2>said
    status=$?
    # shellcheck disable=SC2086
    $command -q blocks.trs >have 2>>said
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
tr-roofline --by operator,shape
tr-sum --by name,step --stat count,sum,p50
tr-filter --no-provenance --parents activity==kernel
tr-filter --no-provenance --linked activity==kernel
END
finish
