#!/bin/sh
# SPDX-License-Identifier: MIT
# Whatever a program writes is in canonical order, and so are several inputs merged on the fly.
. "$(dirname "$0")/lib.sh"
need tr-parse tr-view

check=$here/check_order.py
view="tr-view -O jsonl --unit ns --columns ts,dur,rank,host,source,record,suspect"
run "the order checker sees what is out of order" $python "$check" --self-test

make_traces . --ranks 3 --steps 3 --layers 3 --plant all --seed 2
for rank in 0 1 2; do
    mv rank$rank.json r$rank.json
    tr-parse --rank $rank -o r$rank.trs r$rank.json
    ok $? "tr-parse, rank $rank"
done

# ordered WHAT COMMAND...: the command writes a stream that is in order and not empty.
ordered()
{
    name=$1
    shift
    "$@" >stream && $view stream >view && [ -s view ]
    ok $? "$name: writes events"
    run "$name: in order" $python "$check" <view
}

ordered tr-parse cat r0.trs
ordered "tr-parse of three files" tr-parse r0.json r1.json r2.json
ordered "tr-parse with little memory" tr-parse -M 32M r0.json r1.json r2.json
$view r2.trs r0.trs r1.trs >view
run "tr-view of three streams: in order" $python "$check" <view

# One line per program that passes a stream on: PROGRAM ARGUMENT...
while read -r program arguments <&3; do
    if have $program; then
        eval "ordered \"\$program \$arguments\" $program $arguments r1.trs r0.trs r2.trs"
    else
        skip "$program" "not built"
    fi
done 3<<'END'
tr-merge
tr-filter 'dur > 5us'
tr-filter --parents 'activity == "kernel"'
tr-filter --linked 'activity == "kernel"'
tr-filter --closure 'activity == "kernel"'
tr-filter --redact 'dur >= 0'
tr-categorize
tr-align --min-anchors 1
tr-counters
tr-critpath --mark
tr-critpath --mark --per all
tr-patterns --mark --op '^aten::'
END
finish
