# Truth: tr-filter(1), and tests/oracle/filter.py found what differed.  The launch that a closure brings in gets
# its annotation, but no parents; an event without a time gets the metadata of its process; waits are no
# device work.
cat >t.json <<END
{"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 5, "tid": 0, "ts": 0, "args": {"name": "host"}},
{"ph": "i", "name": "lost", "pid": 5, "tid": 5, "ts": "never"},
{"ph": "X", "cat": "python_function", "name": "main", "pid": 5, "tid": 5, "ts": 1, "dur": 50},
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 5, "tid": 5, "ts": 2, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 5, "tid": 5, "ts": 3, "dur": 4, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "cuda_sync", "name": "wait", "pid": 0, "tid": 7, "ts": 31, "dur": 9, "args": {"device": 0, "stream": 7, "correlation": 1}}
]}
END
for options in '--closure' '--parents --closure' '--linked --parents'; do
    echo "$options"
    # shellcheck disable=SC2086 # several words
    tr-filter -q $options 'name == gemm' t.json | tr-view -q -O tsv --columns record,name
done
tr-filter -q --closure 'name == lost' t.json | tr-view -q -O tsv --columns record,name
tr-filter -q --linked 'activity == sync || name == launch' t.json | tr-view -q -O tsv --columns record,name
tr-filter -q --linked 'activity == sync' t.json | tr-view -q -O tsv --columns record,name
