#!/bin/sh
# SPDX-License-Identifier: MIT
# A window of relative times counts from the start of each host whose clock does not compare with the others: what
# several such hosts give is what each gives alone, row by row.
. "$(dirname "$0")/lib.sh"
need tr-view tr-breakdown

make_traces . --ranks 3 --steps 3 --layers 2 --no-truth --offset-ns 0,70000000,0 \
    --base-ns 1711964646000000000,1711964645000000000,1711964645000000000
for rank in 0 1 2; do # ranks 1 and 2 share a host
    host=$([ $rank = 0 ] && echo one || echo other)
    sed "1,/{/s/{/{\"hostname\": \"$host\",/" rank$rank.json >r$rank.json
done

# Of a command the rows: of each host by itself, one after the other, and of all at once.
while read -r command <&3; do
    have "${command%% *}" || continue
    : >want
    # shellcheck disable=SC2086 # a command and its options
    $command -q -O tsv r0.json >want 2>said && $command -q -O tsv r1.json r2.json 2>>said | sed 1d >>want
    # shellcheck disable=SC2086
    $command -O tsv r1.json r0.json r2.json >have 2>said
    status=$?
    sort want >want.sorted
    sort have >have.sorted
    if [ $status -ne 0 ] || [ "$(wc -l <want)" -lt 3 ] || ! grep -q 'start of each of 2 hosts' said; then
        ok 1 "$command"
        sed 's/^/# /' said
    else
        same want.sorted have.sorted "$command"
    fi
done 3<<'LINES'
tr-view --columns rank,name,ts,dur --relative --time +3ms..+9ms
tr-view --columns rank,name,record --time +3ms..+9ms
tr-view --columns rank,name,record --time ..+9ms
tr-breakdown --time +3ms..+9ms
tr-breakdown --time +3ms..
tr-breakdown --per step --time +3ms..+9ms
tr-breakdown --per stream --time +3ms..+9ms
tr-breakdown --host-time +3ms..+9ms
tr-breakdown --by timeline --time +3ms..+9ms
tr-breakdown --by type --per rank --time +3ms..+9ms
tr-breakdown --by idle --time +3ms..+9ms
tr-breakdown --by stream-idle --time +3ms..+9ms
tr-breakdown --by kernel --time +3ms..+9ms
tr-breakdown --by operator --time +3ms..+9ms
tr-breakdown --by annotation --time +3ms..+9ms
tr-overlap --time +3ms..+9ms
tr-overlap --by state --classes compute,comm --time +3ms..+9ms
tr-launch --time +3ms..+9ms
tr-launch --by launch --time +3ms..+9ms
tr-critpath --time +3ms..+9ms
tr-sum --by rank,name --stat count,sum,min --time +3ms..+9ms
tr-sum --by rank,operator --value self --stat count,sum --time +3ms..+9ms
LINES

# One row for hosts whose clocks do not compare has no window; sums by name need none.
for table in time timeline idle type; do
    tr-breakdown --by $table --per all --time +3ms..+9ms r0.json r1.json >have 2>said
    is "$?: $(wc -c <have), $(grep -c 'align their clocks first (tr-align)' said)" "3: 0, 1" "--by $table --per all"
done
tr-breakdown -q --by kernel --per all --time +3ms..+9ms r0.json r1.json >have
ok $? "--by kernel --per all"
tr-breakdown --per all --time +3ms..+9ms r1.json r2.json >have
ok $? "--per all, on one host"
finish
