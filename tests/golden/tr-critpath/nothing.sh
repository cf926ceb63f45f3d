# Truth: by hand.  Where there is no path there is a table without rows, and a line that says why.
say() { echo "== $*"; tr-critpath -O tsv "$@" 2>&1; echo "status $?"; }
echo '{"traceEvents": []}' >empty.json
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30}]}' >one.json
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 3, "args": {"device": 0, "stream": 7}}, {"ph": "X", "cat": "kernel", "name": "l", "pid": 0, "tid": 7, "ts": 5, "dur": 3, "args": {"device": 0, "stream": 7}}]}' >device.json
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 30}, {"ph": "X", "cat": "user_annotation", "name": "train", "pid": 1, "tid": 1, "ts": 10, "dur": 30}, {"ph": "X", "cat": "user_annotation", "name": "test", "pid": 1, "tid": 1, "ts": 50, "dur": 30}]}' >two.json
say empty.json
say one.json
say --per all --by path one.json
say device.json
say --annotation eval one.json
say --annotation eval two.json
say --annotation t --instance 2 two.json
say --annotation test two.json
say --step 4 one.json
say --what-if 'dur > 0 scale=x' one.json
say --what-if 'name == "train" scale=0' two.json
say --what-if 'dur > 0' one.json
say --what-if 'scale=2' one.json
say --what-if 'dur >> 0 scale=2' one.json
say --mark --by path one.json
say --by path --what-if 'dur >= 0 scale=2' one.json
say --instance 1 one.json
say --annotation t --instance 3..2 one.json
say --annotation t --instance 3.. one.json
say --per stream one.json
