#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that tools.list marks as streaming write before their input has ended.
. "$(dirname "$0")/../harness/tap.sh"
[ -x "$bin/tr-parse" ] || skip_all "tr-parse is not built"
many_events 60000 | tr-parse -o many.trs || skip_all "tr-parse failed"
size=$(wc -c <many.trs)
mkfifo pipe

for t in $(awk -F '\t' '$3 == "yes" { print $1 }' "$root/tools/tools.list"); do
    [ -x "$bin/$t" ] || continue
    args=$(operands "$t")
    eval "$t $args" <pipe >out 2>err &
    exec 3>pipe
    head -c $((size - 1000)) many.trs >&3
    waited=0
    while [ ! -s out ] && [ $waited -lt 30 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    [ -s out ]
    ok $? "$t: writes before the end of its input"
    tail -c 1000 many.trs >&3
    exec 3>&-
    wait $!
    is $? 0 "$t: and ends well"
done
[ "$n_tests" -gt 0 ] || skip_all "no streaming program is built"
finish
