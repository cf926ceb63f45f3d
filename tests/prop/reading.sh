#!/bin/sh
# SPDX-License-Identifier: MIT
# However a trace is read - with the shortcut for known shapes or token by token, in pieces of any size, with
# much memory or little - the stream is the same, byte by byte.
# TR_SEEDS: how many traces drawn at random are tried [25, others for each commit; 100 with TR_LONG=1]; TR_CORPUS: further traces.
. "$(dirname "$0")/lib.sh"
. "$root/tests/harness/slice.sh"
need tr-parse

# read_alike TRACE: 1 if the ways of reading it differ.
read_alike()
{
    parse="tr-parse -q --no-provenance"
    $parse "$1" >want 2>said
    status=$?
    while read -r options <&4; do
        # shellcheck disable=SC2086 # several options
        $parse $options "$1" >have 2>>said
        if [ $? -ne $status ] || ! cmp -s want have; then
            echo "# $1: $options gives another stream"
            return 1
        fi
    done 4<<'END'
--no-shortcut
--piece-size 64K -j 3
--piece-size 1 -j 1 --no-shortcut
END
    [ $status -eq 0 ] || [ $status -eq 3 ]
}

# split_alike TRACE SIZE...: 1 if pieces of these sizes give different streams.
split_alike()
{
    trace=$1
    shift
    tr-parse -q --no-provenance "$trace" >want 2>said
    status=$?
    for size; do
        tr-parse -q --no-provenance --piece-size "$size" "$trace" >have 2>said
        if [ $? -ne $status ] || ! cmp -s want have; then
            echo "# $trace: pieces of $size bytes give another stream"
            return 1
        fi
    done
}

# Where text is damaged, what is said of it does not depend on how much of it was in sight.
sizes=$(awk 'BEGIN { for (i = 1; i < 80; i++) print i }')
event='{"ph": "i", "name": "a", "ts": 1}'
printf '[\n%s\n]{"traceEvents": [%s], "key": 1}' "$event" "$event" >array_and_object.json
printf '{"traceEvents": [{"ph": "i", "ts": 1, "name": "a"b], "c": "d", "b": 1}' >end_in_string.json
for trace in array_and_object end_in_string; do
    # shellcheck disable=SC2086 # many sizes
    split_alike $trace.json $sizes
    ok $? "$trace: pieces of 1 to 79 bytes"
done
wrong=0
for trace in "$root"/tests/salvage/inputs/*; do
    split_alike "$trace" 2 7 61 || wrong=$((wrong + 1))
done
[ $wrong -eq 0 ]
ok $? "every kind of damage, in small pieces"

which_slice 4
if [ "$slice" = all ]; then
    first=1 n=${TR_SEEDS:-100}
else
    n=${TR_SEEDS:-25}
    first=$((slice * n + 1))
fi
seed=$first
wrong=0
while [ $seed -lt $((first + n)) ]; do
    make_traces random --random --seed $seed --no-truth
    for trace in random/rank?.json; do
        read_alike "$trace" || wrong=$((wrong + 1))
    done
    rm -r random
    seed=$((seed + 1))
done
[ $wrong -eq 0 ]
ok $? "$n random traces"

make_traces all --plant all --steps 4 --layers 3 --no-truth
read_alike all/rank0.json
ok $? "a trace with every defect"
make_traces compact --plant all --steps 4 --layers 3 --layout compact --order random --no-truth
read_alike compact/rank0.json
ok $? "the same on one line, in no order"
for trace in "$root"/contrib/sample/*; do
    read_alike "$trace"
    ok $? "$(basename "$trace")"
done

awk 'BEGIN {
    printf "[[-1, 1, 4096, 7]"
    for (i = 1; i < 20000; i++)
        printf "%s[%d, %d, %d, %d]%s", i % 997 ? ", " : i % 2 ? " " : ", ,[[", 1000 * i, i % 5, i % 3 ? 512 : -512, i % 8, i % 1999 ? "" : "]"
    print "]" }' >timeline.json
read_alike timeline.json
ok $? "a damaged memory timeline"

# Arrays with the same start at the same place of events: other ends, strings with brackets, damage; and strings like them.
awk 'BEGIN {
    n = split("[]~[ ]~[1]~[1, 2]~[[1, 2], [3]]~[\"]\"]~[\"[\", \"}\"]~{\"k\": [1, \"}\"]}~\"[1]\"~[1, 2}~[\"a\" \"b\"]~[[[]]]~" \
              "[\"a\\\"]\", 1]~[1, [2]~[\"" "\"]~\"[1, 2]\"~{}", value, "~")
    for (k = 1; k <= 40; k++) {
        start = start (k > 1 ? ", " : "") "[4096, 7" (k % 3 ? "]" : "0]")
        value[++n] = "[" start "]"
        value[++n] = "[" start ", [1]]"
        value[++n] = "[" start ", [2]]"
    }
    print "["
    for (i = 0; i < 9 * n; i++)
        printf "{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1, \"args\": {\"a\": %s, \"b\": %s}}%s\n",
            2 * i, value[i * (i % 3 + 1) % n + 1], value[i * i % n + 1], i + 1 < 9 * n ? "," : ""
    print "]" }' >arrays.json
read_alike arrays.json
ok $? "arrays that start alike"

# Little memory: runs go to temporary files and are merged from there.
make_traces big --size 40M --order random --plant begin-end=2000 --no-truth
tr-parse --no-provenance -j 2 big/rank0.json >want && tr-parse --no-provenance -j 2 -M 16M big/rank0.json >have
same want have "40 MB in no order: as little memory as can be asked for"
tr-parse --no-provenance -j 2 -M 16M -T . <big/rank0.json >have && [ -s have ] && [ "$(ls)" = "$(ls -A)" ]
ok $? "temporary files leave no trace"
rm -r big

if [ "$TR_CORPUS" ]; then
    find "$TR_CORPUS" -type f \( -name '*.json' -o -name '*.json.gz' -o -name '*.pt.trace*' \) | sort >traces
    while read -r trace; do
        read_alike "$trace"
        ok $? "${trace#"$TR_CORPUS/"}"
    done <traces
else
    skip "real traces" "no corpus (TR_CORPUS)"
fi
finish
