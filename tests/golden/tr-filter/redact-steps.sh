# Truth: by hand.  Steps of an extract are all that have the number of a step with a chosen event, whatever the order of
# their numbers and the thread: number 3 is that of three steps here, two of them on thread 2.  A trace of 40,000 steps
# of which every other one has an event: 20,000 stay.
COLUMNS=160
export COLUMNS
printf '%s' 'sixteen bytes of key' >key
cat >mixed.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#7", "pid": 1, "tid": 1, "ts": 100, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 110, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 1, "ts": 120, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 2, "ts": 130, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#9", "pid": 1, "tid": 2, "ts": 140, "dur": 10},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 2, "ts": 150, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "one", "pid": 1, "tid": 1, "ts": 101, "dur": 1},
{"ph": "X", "cat": "cpu_op", "name": "chosen", "pid": 1, "tid": 1, "ts": 111, "dur": 2},
{"ph": "X", "cat": "cpu_op", "name": "two", "pid": 1, "tid": 1, "ts": 121, "dur": 1},
{"ph": "X", "cat": "cpu_op", "name": "chosen", "pid": 1, "tid": 2, "ts": 141, "dur": 3}
]}
END
show() { tr-info "$1" | sed -n '/^steps/,/^$/p'; }
echo "== of number 3"
tr-filter --redact --redact-key key 'activity == cpu_op && dur == 2us' mixed.json >x.trs && show x.trs
echo "== of number 9"
tr-filter --redact --redact-key key 'activity == cpu_op && dur == 3us' mixed.json >x.trs && show x.trs
echo "== many"
awk 'BEGIN {
    print "["
    for (i = 0; i < 40000; i++) {
        printf "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#%d\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":10},\n", i * 7919 % 40000, i * 10
        printf "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":%d},\n", i * 10 + 1, 1 + i % 2
    }
    print "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"last\",\"pid\":1,\"tid\":1,\"ts\":400001,\"dur\":1}]" }' >many.json
tr-filter --redact --redact-key key 'activity == cpu_op && dur == 2us' many.json >x.trs && show x.trs
