# Truth: by hand.  255 rules of --what-if are taken, and the last one counts like the first: what it names takes no
# time.  One more is refused.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 20, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 26, "dur": 14, "args": {"device": 0, "stream": 7}}
]}
END
set --
while [ $# -lt 508 ]; do set -- "$@" --what-if 'name == c scale=0.5'; done
tr-critpath "$@" --what-if 'name == b scale=0' -O tsv t.json
tr-critpath "$@" --what-if 'name == b scale=0' --what-if 'name == a scale=0' t.json
