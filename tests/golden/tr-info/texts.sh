# Truth: worked out by hand from the events below; keys of Kineto's args stay, other texts become tokens.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "my_kernel", "pid": 0, "tid": 7, "ts": 2, "dur": 3, "args": {"device": 0, "stream": 7, "my key": "my\ttext"}}
]}
END
tr-info --texts t.json | grep my
tr-filter --redact t.json >r.trs
echo "redacted:"
tr-info --texts r.trs | sed -E 's/^x[0-9a-f]{16}$/(token)/'
tr-info --texts -O json r.trs | jq -r '.texts | length'
tr-info --texts r.trs | wc -l
tr-info r.trs | sed -n '/^notes/,$p'
# The mark stays where redacted streams go on, and no other stream has it.
tr-merge --renumber r.trs t.json | tr-info -O json | jq .redacted
tr-filter true r.trs | tr-info -O json | jq .redacted
tr-filter true t.json | tr-info -O json | jq .redacted
tr-info --texts --check r.trs
tr-info --texts --rank 0 r.trs
