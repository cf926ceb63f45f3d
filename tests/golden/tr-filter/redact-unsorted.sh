# Truth: by hand.  In a stream that is not sorted the names of processes and threads come last; redacted they are there,
# and say nothing.
COLUMNS=160 # wide enough for all of it
export COLUMNS
printf '%s\n' '{"traceEvents": [{"ph": "X", "name": "op", "pid": 1, "tid": 2, "ts": 1, "dur": 1},' \
    '{"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "args": {"name": "secret process"}},' \
    '{"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "args": {"name": "secret thread"}}]}' >t.json
echo a key of some length >key
tr-parse --no-sort t.json | tr-filter --redact --redact-key key true >out.trs
tr-info -q -O text --tracks out.trs | sed -n '/^tracks/,/^$/p' | awk 'NR > 2 && NF { print $2, $3, length($(NF - 1)), length($NF) }'
grep -q secret out.trs && echo "something is told"
tr-parse --no-sort t.json | tr-filter true | tr-info -q -O text --tracks | grep secret
