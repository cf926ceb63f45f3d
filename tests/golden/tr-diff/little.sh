# Truth: by hand.  Traces with one event, without steps, without device work, without any event compare like others.
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 1, "dur": 3}]}' >host.json
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 3}]}' >device.json
echo '{"traceEvents": [{"ph": "i", "cat": "x", "name": "k", "pid": 0, "tid": 7, "ts": 1}]}' >instant.json
echo '{"traceEvents": []}' >none.json
for view in name short-name kernel operator step path class; do
    echo "== $view"
    tr-diff -q --by $view -O tsv host.json device.json | cut -f 1-13
    tr-diff -q --by $view -O tsv none.json instant.json | cut -f 1-13 | sed 1d
done
echo "== steps"
tr-diff --by steps -O tsv host.json none.json
tr-diff -O md none.json host.json
echo "== spans without an end, and with impossible times"
cat >odd.json <<END
{"traceEvents": [
{"ph": "B", "cat": "cpu_op", "name": "open", "pid": 1, "tid": 1, "ts": 1},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 2, "dur": 3},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": -3},
{"ph": "X", "cat": "cpu_op", "name": "late", "pid": 1, "tid": 1, "ts": 9, "dur": 900000000000}
]}
END
tr-diff -q -O tsv host.json odd.json | cut -f 1-9
tr-diff -q -O tsv --suspect include host.json odd.json | cut -f 1-9
echo "== a window"
tr-diff -q -O tsv --time 2..4 host.json odd.json | cut -f 1-9
