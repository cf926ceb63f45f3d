#!/bin/sh
# SPDX-License-Identifier: MIT
# Wherever a tool takes a regular expression, one that would take all memory is refused at once, in one line.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-filter tr-diff tr-categorize tr-breakdown tr-patterns tr-critpath; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done
ulimit -v 1000000 2>/dev/null # whatever is built here needs far less

cat >t.json <<'EOF'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "aaa", "pid": 1, "tid": 1, "ts": 1, "dur": 5, "args": {}},
{"ph": "X", "cat": "cpu_op", "name": "aab", "pid": 1, "tid": 1, "ts": 9, "dur": 5, "args": {}}
]}
EOF
"$bin/tr-parse" -q t.json >t.trs

# refuses WHAT REASON COMMAND...: usage, a line with the reason, and nothing but a line and a caret below it
refuses()
{
    what=$1
    reason=$2
    shift 2
    "$@" >out 2>err <t.trs
    is "$?" 2 "$what: status 2"
    grep -q "no regular expression: $reason" err
    ok $? "$what: the reason"
    [ ! -s out ] && [ "$(wc -l <err)" -le 3 ]
    ok $? "$what: nothing else"
}

for pattern in '((a{1,100}){1,100}){1,100}' 'a{1,1000}{1,1000}' '((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+'; do
    reason='its repetitions stand for more than 1000 characters'
    printf '[a if matches]\n%s\n' "$pattern" >some.rules
    refuses "--where '$pattern'" "$reason" "$bin/tr-filter" -f "name =~ '$pattern'"
    refuses "--where cat '$pattern'" "$reason" "$bin/tr-filter" -f "args.x !~ '$pattern'"
    refuses "--fail-if '$pattern'" "$reason" "$bin/tr-diff" --fail-if "name =~ '$pattern'" t.json t.json
    refuses "--rules '$pattern'" "$reason" "$bin/tr-categorize" --rules some.rules
    refuses "tr-breakdown --op '$pattern'" "$reason" "$bin/tr-breakdown" --by sequence --op "$pattern"
    refuses "tr-patterns --op '$pattern'" "$reason" "$bin/tr-patterns" --op "$pattern"
    refuses "tr-critpath --data '$pattern'" "$reason" "$bin/tr-critpath" --data "$pattern"
done
refuses 'a back-reference' 'a back-reference' "$bin/tr-filter" -f "name =~ '(a*)*\\1'"

"$bin/tr-filter" --no-provenance "name =~ '^a{1,1000}$'" t.trs | "$bin/tr-view" -O tsv | grep -c aaa >got
is "$(cat got)" 1 'a thousand copies are none too many'
finish
