# Truth: by hand.  Each kind of damage is named once, with its first place; the events come through.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "a "b" c", "pid": 1, "tid": 1, "ts": 1, "dur": .5},
{"ph": "X", "cat": "cpu_op", "name": "\path", "pid": 1, "tid": 1, "ts": "2.25", "dur": 1}
null,
{"ph": "X", "cat": "cpu_op", "name": "inf", "pid": 1, "tid": 1, "ts": 3, "dur": 1, "args": {"x": inf}},,
{"ph": "X", "cat": "cpu_op", "name": "cut off
END
tr-parse t.json | tr-view -O tsv --columns record,ts,dur,name,args.x
# events without a phase, and bytes after compressed ones
echo '[{"ph": "", "name": "a", "ts": 2, "pid": 1, "tid": 1}, {"name": "b", "ts": 3, "pid": 1, "tid": 1}]' >phase.json
{ gzip -c phase.json; printf junk; } >phase.json.gz
tr-info -q -O json phase.json.gz | grep '"cause"' | sed 's/ *"first_byte": [0-9]*,//'
# the same with bytes that would begin a member, but for flags that no member has
{ gzip -c phase.json; printf '\037\213\010\340no member, by its flags'; } >phase.json.gz
tr-info -q -O json phase.json.gz | grep '"cause"' | sed 's/ *"first_byte": [0-9]*,//'
