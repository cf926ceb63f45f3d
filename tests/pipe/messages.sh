#!/bin/sh
# SPDX-License-Identifier: MIT
# Messages: what a user reads who is mistaken, or whose trace is damaged.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-info tr-breakdown tr-overlap; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
make_sample >a.json
sed 's/"rank": 0/"rank": 1/' a.json >b.json

# says STATUS PATTERN COMMAND: its status, and the one line on standard error; "" is none.
says()
{
    (eval "$3") >out 2>err </dev/null
    is $? "$1" "$3: status"
    case $2 in
    '') none err "$3: no message" ;;
    *) like "$(cat err)" "$2" "$3: message" ;;
    esac
}

says 0 '' 'tr-breakdown a.json b.json'
says 4 'tr-parse: none.json: cannot open: *' 'tr-parse none.json'
says 4 'tr-view: dur > 1ms: cannot open (an expression is given with --where): *' "tr-view 'dur > 1ms' a.json"
says 4 'tr-parse: a=b: cannot open: *' 'tr-parse a=b'
says 2 "tr-view: option --step: '15,17' is not a step or a range of steps, such as 15 or 15..17" 'tr-view --step 15,17 a.json'
says 2 "tr-view: option --step: '15-17' is not a step or a range of steps, such as 15 or 15..17" 'tr-view --step 15-17 a.json'
says 4 "tr-parse: cannot write 'none/x': no file can be made in its folder: *" 'tr-parse -o none/x a.json'
says 4 "tr-view: cannot write standard output: *" 'tr-view a.json >/dev/full'
many_events 30000 >big.json # more than fits into 16 MiB: read again from temporary files, whose folder is not to blame
says 4 "tr-view: cannot write standard output: *" 'tr-view -M 16M big.json >/dev/full'
says 2 "tr-view: option --columns: unknown field 'nmae': there are name cat * dur *args.KEY" 'tr-view --columns nmae a.json'
says 2 "tr-overlap: option --classes: class 'comm' is given twice" 'tr-overlap --by state --classes comm,comm a.json'
says 2 "tr-parse: unknown input format 'jsn' *" 'tr-parse --input-format jsn a.json'
says 2 "tr-breakdown: option --time: '1x' is not a time, such as 1000, 2500.5 or 3ms" \
    'tr-breakdown --time 1x..2 a.json'

says 2 'tr-parse: option --rank: is only for one input, not for 2' 'tr-parse --rank 1 a.json b.json'
says 2 'tr-parse: option --no-sort: is only for one input, not for 2' 'tr-parse --no-sort a.json b.json'
tr-parse --no-sort -o unsorted.trs a.json
says 3 'tr-breakdown: unsorted.trs: events are not in order of time: make the stream without --no-sort' \
    'tr-breakdown unsorted.trs'

if [ -x "$bin/tr-filter" ]; then
    says 2 "tr-filter: an expression is missing in front of 'a.json' (see tr-expr(7))" 'tr-filter a.json'
fi

# an answer of nothing says why
says 3 'tr-breakdown: a.json: option --step: no such step: the steps are 1..2' 'tr-breakdown --step 7.. a.json'
says 3 'tr-breakdown: a.json: option --rank: no input has rank 1: there is only 0' 'tr-breakdown --rank 1 a.json'
says 3 "tr-breakdown: a.json: option --time: the window is outside of the trace, which goes from 10.000 to 180.000 us; \
to count from its start, use +0ms..+10ms" \
    'tr-breakdown --time 1..2 a.json'
says 0 "tr-overlap: warning: a.json: option --classes: no work is of kind or class 'com' (*" \
    'tr-overlap --by state --classes com,comm a.json'
says 0 '' 'tr-overlap --by state --classes other,comm,compute a.json'
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}' >host.json
says 0 'tr-breakdown: warning: host.json: no device work: the trace has no kernel, copy or memset' \
    'tr-breakdown host.json'

# a trace that was cut has nothing of it in the part that could be read; what was lost may have had it
sed -n '1,/aten::mm/p' a.json >cut.json
says_last()
{
    (eval "$3") >out 2>err </dev/null
    is $? "$1" "$3: status"
    like "$(tail -n 1 err)" "$2" "$3: last message"
}
says_last 0 'tr-breakdown: warning: cut.json: no device work: there is none in the part of the trace that could be read' 'tr-breakdown cut.json'
says_last 3 'tr-breakdown: cut.json: option --step: no such step in the part that could be read: there is only 1' \
    'tr-breakdown --step 2 cut.json'
says_last 3 'tr-breakdown: cut.json: option --time: the window is outside of the part of the trace that could be read, *' \
    'tr-breakdown --time 150..160 cut.json'
says_last 0 'tr-memory: cut.json: nothing to show in the part that could be read: no event about memory*' 'tr-memory cut.json'

says 3 'tr-breakdown: a.json: has the same events as a.json *' 'tr-breakdown a.json a.json'

# damage: what is wrong, where, what was made of it; refused, only what is wrong
sed 's/"ts": 15.000/"ts": "15.000"/' a.json >quoted.json
says 0 'tr-info: warning: quoted.json: byte *: time in quotes, read as a number' 'tr-info quoted.json'
says 3 'tr-info: quoted.json: byte [0-9]*: time in quotes' 'tr-info --strict quoted.json'
sed 's/"ts": \([0-9.]*\)/"ts": "\1"/' a.json >quoted.json
says 0 '*time in quotes, read as a number (10 times, first here)' 'tr-info quoted.json'
printf 'BZh91AY&SY' >a.json.bz2
case $(tr-info --version) in
*libarchive*) says 3 'tr-info: a.json.bz2: compressed byte 10: damaged bzip2 data' 'tr-info a.json.bz2' ;;
*) says 3 'tr-info: a.json.bz2: *bzip2 data, which this build cannot decompress' 'tr-info a.json.bz2' ;;
esac
echo 'name,dur' >a.csv
says 3 'tr-info: a.csv: unknown format (see tr-parse --list-formats)' 'tr-info a.csv'
finish
