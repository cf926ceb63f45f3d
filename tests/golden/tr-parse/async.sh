# Truth: by hand.  An async end ends the begin of its id and category, and of its name if it has one, on whatever thread:
# in its own process first, then in any other, unless the id is local.  A scope keeps ids apart.  S and F pair likewise.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "b", "cat": "req", "name": "decode", "id": "0x1", "pid": 1, "tid": 1, "ts": 10, "args": {"n": 1}},
{"ph": "b", "cat": "req", "name": "inner", "id": "0x1", "pid": 1, "tid": 1, "ts": 20},
{"ph": "n", "cat": "req", "name": "tick", "id": "0x1", "pid": 1, "tid": 1, "ts": 25},
{"ph": "b", "cat": "req", "name": "decode", "id": "0x2", "pid": 1, "tid": 1, "ts": 22},
{"ph": "e", "cat": "req", "name": "inner", "id": 1, "pid": 1, "tid": 2, "ts": 30},
{"ph": "e", "cat": "req", "name": "decode", "id": "0x1", "pid": 1, "tid": 2, "ts": 40, "args": {"done": true}},
{"ph": "e", "cat": "req", "id": "0x2", "pid": 1, "tid": 1, "ts": 52},
{"ph": "b", "cat": "req", "name": "local", "id2": {"local": "0x1"}, "pid": 1, "tid": 1, "ts": 60},
{"ph": "b", "cat": "req", "name": "local", "id2": {"local": "0x1"}, "pid": 2, "tid": 1, "ts": 61},
{"ph": "e", "cat": "req", "name": "local", "id2": {"local": "0x1"}, "pid": 2, "tid": 1, "ts": 71},
{"ph": "e", "cat": "req", "name": "local", "id2": {"local": "0x1"}, "pid": 1, "tid": 1, "ts": 65},
{"ph": "b", "cat": "req", "name": "global", "id2": {"global": "0x1"}, "pid": 1, "tid": 1, "ts": 80},
{"ph": "e", "cat": "req", "name": "global", "id2": {"global": "0x1"}, "pid": 2, "tid": 1, "ts": 84},
{"ph": "b", "cat": "a", "scope": "x", "name": "scoped", "id": "0x9", "pid": 1, "tid": 1, "ts": 90},
{"ph": "b", "cat": "a", "scope": "y", "name": "scoped", "id": "0x9", "pid": 1, "tid": 1, "ts": 91},
{"ph": "e", "cat": "a", "scope": "x", "name": "scoped", "id": "0x9", "pid": 1, "tid": 1, "ts": 92},
{"ph": "e", "cat": "a", "scope": "y", "name": "scoped", "id": "0x9", "pid": 1, "tid": 1, "ts": 95},
{"ph": "S", "cat": "old", "name": "older", "id": "0x5", "pid": 1, "tid": 1, "ts": 100},
{"ph": "T", "cat": "old", "name": "older", "id": "0x5", "pid": 1, "tid": 1, "ts": 101, "args": {"step": "half"}},
{"ph": "F", "cat": "old", "name": "older", "id": "0x5", "pid": 1, "tid": 1, "ts": 107},
{"ph": "b", "cat": "req", "name": "never ends", "id": "0x7", "pid": 1, "tid": 1, "ts": 110},
{"ph": "e", "cat": "req", "name": "never began", "id": "0x8", "pid": 1, "tid": 1, "ts": 111}
]}
END
tr-parse -q t.json >t.trs
tr-view -q -O tsv --columns record,phase,ts,dur,name,args t.trs
tr-sum -q --by name -O tsv t.trs
tr-filter -q 'dur >= 10us' t.trs | tr-view -q -O tsv --columns name,dur
tr-info -q -O json t.trs | grep -A 1 '"cause"'
# both come back as they were, also with the thread of the end
tr-view -q -O chrome t.trs >again.json
tr-parse -q again.json | tr-view -q -O tsv --columns phase,ts,dur,name,args | cmp - - <<END && echo equal
$(tr-view -q -O tsv --columns phase,ts,dur,name,args t.trs)
END
grep '"name":"inner"' again.json
# in Perfetto's format, the same durations
tr-view -q -O perfetto t.trs | tr-parse -q - | tr-view -q -O tsv --columns phase,ts,dur,name
# two processes with equal ids, merged into one file: each has its own; then an id of two processes
cat >two.json <<'END'
[
{"ph": "b", "cat": "req", "name": "r", "id": 7, "pid": 1, "tid": 1, "ts": 1},
{"ph": "b", "cat": "req", "name": "r", "id": 7, "pid": 2, "tid": 1, "ts": 2},
{"ph": "e", "cat": "req", "name": "r", "id": 7, "pid": 1, "tid": 1, "ts": 11},
{"ph": "e", "cat": "req", "name": "r", "id": 7, "pid": 2, "tid": 1, "ts": 22},
{"ph": "b", "cat": "req", "name": "s", "id": 8, "pid": 1, "tid": 1, "ts": 30},
{"ph": "e", "cat": "req", "name": "s", "id": 8, "pid": 2, "tid": 1, "ts": 33},
{"ph": "b", "cat": "req", "name": "no id", "pid": 1, "tid": 1, "ts": 40},
{"ph": "e", "cat": "req", "name": "no id", "pid": 1, "tid": 1, "ts": 44}
]
END
tr-parse -q two.json | tr-view -q -O tsv --columns phase,pid,ts,dur,name
# unsorted, they stay apart
tr-parse -q --no-sort two.json | tr-view -q -O tsv --columns phase,pid,ts,dur,name | head -4
