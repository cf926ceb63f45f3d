#!/bin/sh
# SPDX-License-Identifier: MIT
# Wherever a tool takes a regular expression, one that takes too much is refused at once, in one line, and all
# others are matched in bounded time.
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
    grep -q "not a regular expression: $reason" err
    ok $? "$what: the reason"
    [ ! -s out ] && [ "$(wc -l <err)" -le 3 ]
    ok $? "$what: nothing else"
}

long='with its repetitions written out it has more than 10000 characters and choices'
for pattern in '((a{1,100}){1,100}){1,100}' 'a{1,1000}{1,1000}' '((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+'; do
    printf '[a if matches]\n%s\n' "$pattern" >some.rules
    refuses "--where '$pattern'" "$long" "$bin/tr-filter" -f "name =~ '$pattern'"
    refuses "--where cat '$pattern'" "$long" "$bin/tr-filter" -f "args.x !~ '$pattern'"
    refuses "--fail-if '$pattern'" "$long" "$bin/tr-diff" --fail-if "name =~ '$pattern'" t.json t.json
    refuses "--rules '$pattern'" "$long" "$bin/tr-categorize" --rules some.rules
    refuses "tr-breakdown --op '$pattern'" "$long" "$bin/tr-breakdown" --by sequence --op "$pattern"
    refuses "tr-patterns --op '$pattern'" "$long" "$bin/tr-patterns" --op "$pattern"
    refuses "tr-critpath --data '$pattern'" "$long" "$bin/tr-critpath" --data "$pattern"
done
refuses 'a back-reference' 'at byte 6: a back-reference' "$bin/tr-filter" -f "name =~ '(a*)*\\1'"

# ---- hostile ones, wherever they can come from ----

awk 'BEGIN {
    printf "{\"traceEvents\": ["
    srand(7)
    for (i = 0; i < 10; i++) {
        name = ""
        for (k = 0; k < 4000; k++) name = name (rand() < .5 ? "a" : "b")
        printf "%s\n{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1}", i ? "," : "", name, i * 9
    }
    print "]}"
}' >names.json
"$bin/tr-parse" -q -o names.trs names.json

# many TEXT N: so many copies of it
many() { awk -v t="$1" -v n="$2" 'BEGIN { while (n-- > 0) printf "%s", t }'; }

{
    cat <<'END'
((a{1,200}){1,200}){1,200}
.{1,20000}x
(((a{1,9}){1,9}){1,9}){1,9}{1,9}{1,9}
a{32767}{32767}
(a{0,32767}){0,32767}b
((()){32767}){32767}c
(|){999}{999}
(a*)*\1
(.*)\1\1\1x
(a)(b)(c)\3
a.{900}$
(a|b)*a(a|b){200}$
(a|b)*a(a|b){900}$
(a*)*(b*)*(a|b)*x
(((a|b)*)*)*c
((a+)+)+c
(a|a)*c
(a|aa)+$c
(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^ab]
(a?){900}a{900}c
(()|a)*(()|b)*c
(\b|a)*c
(^|a)*(b|$)*c
((((((()*)*)*)*)*)*)*c
(a{0,90}){0,30}c
[a-z]{1,90}[a-z]{1,90}c
(a|b|ab|ba|aa|bb)*c
(a{1,3}b{1,3}){1,99}c
[[:alpha:]]{1,1000}$
[^c]{1,3000}c
(\w+\W*)+c
.*.*.*.*.*.*.*.*.*.*c
(a.?){2000}
[[:alpha:
[[.a
(?:a+)+
a{,}
a**++??{2}{3}*
END
    many '(' 20000; echo
    echo "$(many '(' 5000)a$(many ')' 5000)"
    echo "$(many '(' 150)a$(many ')*' 150)c"
    echo "a$(many '{2}' 5000)"
    echo "a$(many '*' 5000)c"
    echo "$(many '[ab]?' 2000)c"
    echo "$(many 'x|' 9000)y"
    many a 9000; echo
    many '[' 9000; echo
    echo "$(many '\\' 9000)"
} >hostile
[ "$(wc -l <hostile)" -ge 40 ]
ok $? "a table of $(wc -l <hostile | tr -d ' ') hostile patterns"

# bounded WHAT COMMAND...: a right answer or a line that says what is wrong, in bounded time and memory
bounded()
{
    what=$1
    shift
    # shellcheck disable=SC3045 # where there is none, nothing is limited
    (ulimit -t 20; ulimit -v 400000; exec "$@") <names.trs >out 2>err
    status=$?
    case $status in
    0) ;;
    1 | 2) [ "$(grep -c '^tr-' err)" -ge 1 ] ;;
    *) false ;;
    esac || echo "$what: status $status: $(head -c 200 err)"
}
while IFS= read -r pattern; do
    printf '[a if matches]\n%s\n' "$pattern" >some.rules
    printf "name =~ '%s'\n" "$(printf '%s' "$pattern" | sed 's/\\/\\\\/g')" >some.expr
    short=$(printf '%.40s' "$pattern")
    bounded "tr-filter: $short" "$bin/tr-filter" -q -c --expr-file some.expr
    bounded "tr-categorize: $short" "$bin/tr-categorize" -q --summary --rules some.rules
    bounded "tr-breakdown: $short" "$bin/tr-breakdown" -q --by sequence --op "$pattern"
    bounded "tr-patterns: $short" "$bin/tr-patterns" -q --op "$pattern"
done <hostile >wrong
none wrong "each of them has an answer, or a line that says what is wrong with it"

"$bin/tr-filter" --no-provenance "name =~ '^a{1,1000}$'" t.trs | "$bin/tr-view" -O tsv | grep -c aaa >got
is "$(cat got)" 1 'a thousand copies are none too many'
finish
