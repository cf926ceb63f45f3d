# Truth: by hand.  Numbers of processes and threads from 2^63 on, as libraries of threads give out, are what they are
# in every format; the same thread by B and E, and one that differs from it by 2^64 alone.
cat > ids.json <<'END'
{"traceEvents": [
{"ph": "M", "name": "thread_name", "pid": 3, "tid": 9223372036854775809, "args": {"name": "pool"}},
{"ph": "X", "name": "a", "pid": 18446744073709551615, "tid": 9223372036854775809, "ts": 1, "dur": 2},
{"ph": "X", "name": "a", "pid": 18446744073709551614, "tid": 9223372036854775811, "ts": 1, "dur": 2},
{"ph": "X", "name": "a", "pid": 18446744073709551613, "tid": 9223372036854775812, "ts": 1, "dur": 2},
{"ph": "X", "name": "b", "pid": 3, "tid": 9223372036854775807, "ts": 2, "dur": 2},
{"ph": "X", "name": "c", "pid": 3, "tid": -9223372036854775807, "ts": 2, "dur": 2},
{"ph": "B", "name": "d", "pid": 3, "tid": 9223372036854775809, "ts": 3},
{"ph": "E", "pid": 3, "tid": 9223372036854775809, "ts": 5},
{"ph": "B", "name": "e", "ts": 3},
{"ph": "E", "pid": 18446744073709551615, "tid": 18446744073709551615, "ts": 5}
]}
END
tr-parse -q -o ids.trs ids.json
tr-view -q -O tsv --columns pid,tid,thread,name ids.trs
tr-view -q -O jsonl --columns pid,tid,name,members ids.trs
tr-view -q -O chrome ids.trs
tr-view -q --renumber -O chrome ids.trs ids.trs | grep -c 18446744073709551615
tr-view -q -O perfetto ids.trs | tr -c '[:print:]' '\n' | grep -oE '(pid|tid|thread) -?[0-9]{9,}' | sort
tr-sum -q --by tid,thread --stat count -O tsv ids.trs
tr-info -q -O json ids.trs | grep -oE '"[pt]id": [0-9]{19,}'
tr-filter -q 'tid == 9223372036854775809' ids.trs | tr-view -q -O tsv --columns name -
tr-filter -q 'tid < 0' ids.trs | tr-view -q -O tsv --columns name -
# --redact may not tell an address, but keeps threads apart
tr-filter -q --redact 'tid > 9' ids.trs | tr-view -q -O tsv --columns tid - | sort -u | grep -cE '^[0-9]{15,16}$'
