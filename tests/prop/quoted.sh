#!/bin/sh
# SPDX-License-Identifier: MIT
# Args that are integers in quotes are packed as numbers, come out in quotes again, letter by letter, and are
# found as any text that reads as a number; what only looks like one stays a text.  Numbers of graphs become
# columns of their own.
. "$(dirname "$0")/../harness/tap.sh"
for t in tr-parse tr-view tr-filter; do
    [ -x "$bin/$t" ] || skip_all "not built: $t"
done

values='0 7 -5 12345678901234567 123456789012345678 999999999999999999 1000000000000000000 9223372036854775807
-9223372036854775808 9223372036854775808 -9223372036854775809 99999999999999999999 -0 007 +1 1.0 1e3 0x10 - x7'
# shellcheck disable=SC2086 # a list
printf '%s\n' $values | awk '
    BEGIN { print "{\"traceEvents\": [" }
    { for (i = 0; i < 3; i++) # the shape is known from the second on
          printf "%s{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 2, \"ts\": %d, \"dur\": 1, \"id\": \"%s\", " \
                 "\"args\": {\"a\": \"%s\", \"b\": \"%s\"}}", n++ ? ",\n" : "", n, $1, $1, i == 1 ? "text" : $1 }
    END { print "]}" }' >t.json
awk -F '"' '/"ph"/ { print "{\"args\":{\"a\":\"" $(NF - 5) "\",\"b\":\"" $(NF - 1) "\"}}" }' t.json >want
tr-parse t.json >t.trs
tr-view -O jsonl --columns args t.trs >have
diff have want >wrong
none wrong "what stands in quotes comes out in quotes, as it was"
python=${PYTHON:-python3}
if command -v "$python" >said; then
    "$python" "$here/../spec/read.py" t.trs >text
    is "$(sed -n 's/^column [0-9]* "\(.*\)"\/1\/10\/0$/\1/p' text | tr '\n' ' ')" "a b " "integers in quotes have columns of their own"
    is "$(grep -c '^event.* "a": [0-9-]' text)" 27 "nine of the texts are integers"
else
    skip "columns" "no $python"
    skip "columns" "no $python"
fi
n=$(printf '%s\n' "$values" | wc -w)
is "$(tr-filter --count 'has(args.a)' t.trs)" $((3 * n)) "each value is found"
is "$(tr-filter --count 'args.a == 7' t.trs)" 6 "as a number, as any text that reads as one"
is "$(tr-filter --count 'args.a == "7"' t.trs)" 3 "as a text"
is "$(tr-filter --count 'args.a == "007"' t.trs)" 3 "other texts are other texts"
is "$(tr-filter --count 'args.a > 1e18' t.trs)" 9 "compared as numbers, those that are too large for a column too"
is "$(tr-filter --count 'args.a < 0' t.trs)" 9 "negative ones"
is "$(tr-filter --count 'args.a =~ "^-?9+$"' t.trs)" 6 "regular expressions match the text"
is "$(tr-filter --count 'args.a !~ "7"' t.trs)" "$(tr-filter --count '!(args.a =~ "7")' t.trs)" "and its opposite"

cat >g.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 4, "graph node id": 9}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 2, "dur": 1, "args": {"device": 0, "stream": 7, "graph node id": 11}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 3, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 0, "graph node id": 0}},
{"ph": "X", "cat": "cpu_op", "name": "d", "pid": 1, "tid": 1, "ts": 4, "dur": 1, "args": {"graph id": 5}}
]}
END
if command -v "$python" >said; then
    tr-parse g.json >g.trs && "$python" "$here/../spec/read.py" g.trs >text
    sed -n 's/^event.* "\([abcd]\)" .* flags \([0-9]*\) *\("graph_id": .* "graph_node": [^ ]*\).*/\1 \2 \3/p' text >have
    printf '%s\n' 'a 64 "graph_id": 4 "graph_node": 9' 'b 64 "graph_id": - "graph_node": 11' >want
    diff have want >wrong
    none wrong "device work of a graph has its numbers, nothing else has"
else
    skip "graphs" "no $python"
fi
finish
