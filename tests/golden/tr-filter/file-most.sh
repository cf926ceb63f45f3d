# Truth: by hand.  A file with an expression has 1 MiB at most.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 26, "dur": 14, "args": {"device": 0, "stream": 7}}
]}
END
{ printf 'name == b'; head -c 1048567 /dev/zero | tr '\0' ' '; } >most
{ cat most; printf ' '; } >more
tr-filter --expr-file most t.json | tr-view --columns name,dur -O tsv
tr-filter --expr-file more t.json
