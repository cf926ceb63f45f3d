#!/bin/sh
# SPDX-License-Identifier: MIT
# A stream that was cut at any byte ends with status 3 in every program that reads it.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-parse tr-info tr-view

tr-parse -z none -o "$tmp/small.trs" "$here/small.json" &&
    tr-parse -z lz4 --block-events 3 -o "$tmp/blocks.trs" "$here/small.json" ||
    { echo "1..1"; echo "not ok 1 - tr-parse makes a stream"; exit 1; }

# In a pipeline, too, the last program fails and prints no table.
size=$(wc -c <"$tmp/small.trs")
for cut in 1 $((size / 2)) $((size - 1)); do
    dd if="$tmp/small.trs" bs="$cut" count=1 2>"$tmp/said" |
        tr-view -O jsonl >"$tmp/table" 2>"$tmp/said"
    [ $? -eq 3 ]
    ok $? "tr-view at the end of a pipe that breaks after $cut bytes: status 3"
    if have tr-filter && have tr-breakdown; then
        dd if="$tmp/small.trs" bs="$cut" count=1 2>"$tmp/said" | tr-filter 'ts >= 0' 2>"$tmp/said" |
            tr-breakdown -O tsv >"$tmp/table" 2>"$tmp/said"
        [ $? -eq 3 ] && [ ! -s "$tmp/table" ]
        ok $? "tr-filter | tr-breakdown after $cut bytes: status 3, no table"
    fi
done

# Every byte of the plain stream by one program or another, some of the compressed one in several blocks, and those near
# both ends by every program: a fourth of all that, another one for each commit.
# TR_CUT_STEP=1 or TR_LONG=1: every byte of both by every program.
which_slice 4
for stream in small:all blocks:37; do
    step=${stream#*:}
    [ "${TR_LONG:-0}" -eq 0 ] || step=1
    step=${TR_CUT_STEP:-$step}
    $python "$here/cut.py" "$bin" "$tmp/${stream%:*}.trs" "$step" "$slice" >"$tmp/cuts"
    take "$tmp/cuts" "cut.py"
done
finish
