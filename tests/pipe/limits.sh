#!/bin/sh
# SPDX-License-Identifier: MIT
# Events and header members that are larger than a stream can carry: lost and counted, and nothing else is.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-info; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done

# letters N: so many of them
letters()
{
    head -c "$1" /dev/zero | tr '\0' x
}

# members N: as many of them, without braces
members()
{
    awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%s\"k%d\": %d", i ? ", " : "", i, i }'
}

# event NAME TS ARGS-FILE: one line
event()
{
    printf '{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": 1, "args": {' "$1" "$2"
    cat "$3"
    printf '}},\n'
}

# quoted N: a member of so many letters
quoted()
{
    printf '"text": "'
    letters "$1"
    printf '"'
}

mib=1048576
: >nothing
quoted $((15 * mib + 1)) >too_long
quoted $((14 * mib)) >long
members 30001 >too_many
members 29900 >many
# control bytes are escaped, which makes them six times as long
{
    printf '"list": ["'
    head -c $((3 * mib)) /dev/zero | tr '\0' '\001'
    printf '"]'
} >control
{
    printf '{"before": "'
    letters $((16 * mib))
    printf '", "small": 1, "traceEvents": [\n'
    event first 1 nothing
    event longer 2 too_long
    event second 3 nothing
    event more 4 too_many
    event third 5 many
    event escaped 6 control
    event fourth 7 long
    printf '{"ph": "B", "name": "both", "pid": 1, "tid": 2, "ts": 8, "args": {'
    cat many
    printf '}},\n{"ph": "E", "name": "both", "pid": 1, "tid": 2, "ts": 9, "args": {'
    cat many
    printf '}},\n'
    event last 10 nothing
    printf '{"ph": "X", "name": "end", "pid": 1, "tid": 1, "ts": 11, "dur": 1}], "behind": 2}\n'
} >big.json
tr-parse --no-provenance -o big.trs big.json 2>err
is $? 0 "what cannot be carried does not fail the run"
grep -c 'event beyond the size limit, lost (3 times, first here)' err >count
is "$(cat count)" 1 "three events are lost, and that is said"
is "$(tr-view -q -O tsv --columns record,name big.trs | tr '\t\n' ' ;')" \
    'record name;0 first;2 second;4 third;6 fourth;7 both;9 last;10 end;' "all others are there"
is "$(tr-view -q -O tsv --columns 'name,args.text' big.trs | awk '$1 == "fourth" { print length($2) }')" \
    $((14 * mib)) "a long string is whole"
tr-view -q -O chrome big.trs >back.json
is "$(grep -c '"k29899": *29899' back.json)" 3 "29900 members, thrice"
like "$(head -c 40 back.json | tr '\n' ' ')" '{ "traceEvents"*' "a header member that is too long is lost"
like "$(tail -n 3 back.json | tr '\n' ' ')" '*"behind": 2*' "the one after the events is there"
grep -c 'member beside traceEvents' err >count
is "$(cat count)" 1 "and that is said"

for options in '-j 1' '--piece-size 1MiB --no-shortcut'; do
    # shellcheck disable=SC2086 # a list of options
    tr-parse -q --no-provenance $options -o other.trs big.json
    cmp big.trs other.trs >wrong 2>&1
    none wrong "$options: the same"
done
tr-parse --strict big.json >out 2>err
is $? 3 "--strict: refused"
none out "--strict: no output"
finish
