# Truth: the page.  A pipe is copied for the second reading; who wrote it is not forgotten.
cat >t.json <<END
{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}
END
tr-parse t.json | tr-filter --parents 'dur > 0us' | tr-info - | sed -n '/^run/,$p' | awk '$4 ~ /^tr-/ { print $1, $2, $4 }'
