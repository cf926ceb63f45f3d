# Truth: by hand.  Nothing to find: no device work, one event, no events.  --op needs a regular expression.
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30}]}' >host.json
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 3}]}' >device.json
for trace in host.json device.json; do
    for view in sequence tree nesting operator idle; do
        echo "== $trace $view"
        tr-breakdown -q --by $view -O tsv $trace
    done
done
echo '{"traceEvents": []}' >none.json
tr-breakdown -q --by tree -O tsv none.json | wc -l | tr -d ' '
tr-breakdown --by sequence --op '(' host.json 2>err
echo "status $?"
grep -c 'not a regular expression' err
