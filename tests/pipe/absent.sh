#!/bin/sh
# SPDX-License-Identifier: MIT
# What was asked for and is in no input: one message, also with -q, status 3, nothing written; in every program that
# has the option, from traces, streams and pipes.  What is there in part is told, and computed.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-critpath; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
make_sample >a.json
sed 's/"rank": 0/"rank": 1/' a.json >b.json
tr-parse -q -o a.trs a.json
tr-parse -q -o ab.trs a.json b.json

# What a program needs so that it selects: tr-categorize does so in its summary.
needs()
{
    case $1 in
    tr-categorize) echo --by class ;;
    *) operands "$1" ;;
    esac
}

# refuses PROGRAM OPTION VALUE: from each kind of input.  Adds what is wrong to the file wrong.
refuses()
{
    need=$(needs "${1%% *}")
    for from in a.json a.trs '- <a.trs' 'a.json b.json' ab.trs; do
        for quiet in '' -q; do
            echo old >target
            eval "$1 $need $quiet --$2 '$3' -o target $from" >out 2>err
            status=$?
            [ $status -eq 3 ] || echo "$1 --$2 $3 $from: status $status"
            [ "$(wc -l <err)" -eq 1 ] || { echo "$1 $quiet --$2 $3 $from: lines:"; cat err; }
            grep -q "^${1%% *}: [^:]*: option --$2: " err || { echo "$1 --$2 $3 $from: message:"; cat err; }
            [ "$(cat target)" = old ] && [ ! -s out ] || echo "$1 --$2 $3 $from: something was written"
            ls target?* .target* 2>/dev/null
        done
    done >>wrong
}

for t in $(built_tools); do
    [ "$t" != tr-parse ] || continue # which gives a rank
    for option in rank step time host-time; do
        $t --option-table | cut -f 3 | grep -qx "$option" || continue
        : >wrong
        case $option in
        rank) refuses "$t" rank 7 && refuses "$t" rank 0,5..9 ;;
        step) refuses "$t" step 3 && refuses "$t" step 7.. ;;
        *) refuses "$t" $option ..10 && refuses "$t" $option 900000.. ;;
        esac
        none wrong "$t --$option: what is in no input"
    done
done

: >wrong
refuses tr-critpath annotation eval
refuses 'tr-critpath --annotation ProfilerStep' instance 2
refuses 'tr-critpath --annotation ProfilerStep' instance 1..2
none wrong "tr-critpath: an annotation, or an instance, that is not there"
tr-critpath --annotation eval --where 'dur > 0us' a.json >out 2>err
is $? 0 "a condition may have left the annotation out: status"
like "$(cat err)" "*warning: a.json: option --annotation: no annotation contains 'eval'*" "... and message"

# A remark on the definition of the table is no message about what was asked for.
without_remark()
{
    grep -v 'idle time before the first selected work does not count' all >err
}

# tells OPTION VALUE MESSAGE: done, and told; not with -q
tells()
{
    for from in a.json a.trs '- <a.trs'; do
        eval "tr-breakdown --$1 '$2' $from" >out 2>all
        is $? 0 "--$1 $2 $from: status"
        without_remark
        like "$(cat err)" "tr-breakdown: warning: *: option --$1: $3" "--$1 $2 $from: message"
        eval "tr-breakdown -q --$1 '$2' $from" >quiet 2>err
        none err "-q --$1 $2 $from"
        cmp -s out quiet
        ok $? "-q --$1 $2 $from: the same table"
    done
}
tells time 20..500 'the window is partly outside of the trace, which goes from 10.000 to 180.000 us'
tells time 0..20 'the window is partly outside of *'
tells host-time 0..50 'the window is partly outside of *'
tells step 2..5 'not all of the steps 2..5 are there, only 1..2'
tells rank 0..3 'not all of the ranks 0..3 are there, only 0'

# silent OPTION VALUE: all of it is there, or a side was left open
for words in '--time 10..180' '--time 20..' '--time ..30' '--host-time 20..' '--step 2..' '--step 1..2' '--rank 0..' \
    '--rank 0,1'; do
    eval "tr-breakdown $words ab.trs" >out 2>all
    is $? 0 "$words: status"
    without_remark
    none err "$words: no message"
done
tr-breakdown --where 'name == "none"' ab.trs >out 2>all
is $? 0 "--where without hits: status"
without_remark
is "$(cat err)" "tr-breakdown: --where selects no event: no input has the name 'none'" "--where without hits: a remark"
finish
