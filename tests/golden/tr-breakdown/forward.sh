# Truth: by hand.  Forward operators 7 and 8 bear their numbers, 7 twice: the inner one computes.  The backward operators name
# the forward thread: 7 is that of the inner one, also for the operator inside; 9 never ran.  A flow says more: it
# takes the second backward 8 to the operator "other".
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "linear", "pid": 1, "tid": 1, "ts": 10, "dur": 10, "args": {"Sequence number": 7, "Fwd thread id": 0}},
{"ph": "X", "cat": "cpu_op", "name": "addmm", "pid": 1, "tid": 1, "ts": 11, "dur": 5, "args": {"Sequence number": 7, "Fwd thread id": 0}},
{"ph": "X", "cat": "cpu_op", "name": "relu", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {"Sequence number": 8, "Fwd thread id": 0}},
{"ph": "X", "cat": "cpu_op", "name": "other", "pid": 1, "tid": 1, "ts": 30, "dur": 5},
{"ph": "s", "cat": "fwdbwd", "name": "fwdbwd", "id": 3, "pid": 1, "tid": 1, "ts": 30},
{"ph": "X", "cat": "cpu_op", "name": "ReluBackward0", "pid": 1, "tid": 2, "ts": 40, "dur": 5, "args": {"Sequence number": 8, "Fwd thread id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "evaluate AddmmBackward0", "pid": 1, "tid": 2, "ts": 50, "dur": 5, "args": {"Sequence number": 7, "Fwd thread id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "AddmmBackward0", "pid": 1, "tid": 2, "ts": 51, "dur": 3, "args": {"Sequence number": 7, "Fwd thread id": 1}},
{"ph": "X", "cat": "cpu_op", "name": "LostBackward0", "pid": 1, "tid": 2, "ts": 60, "dur": 3, "args": {"Sequence number": 9, "Fwd thread id": 1}},
{"ph": "f", "cat": "fwdbwd", "name": "fwdbwd", "id": 3, "bp": "e", "pid": 1, "tid": 2, "ts": 70},
{"ph": "X", "cat": "cpu_op", "name": "OtherBackward0", "pid": 1, "tid": 2, "ts": 70, "dur": 3, "args": {"Sequence number": 8, "Fwd thread id": 1}}
]}
END
tr-breakdown --by tree -O tsv t.json | cut -f 2,3,7,16
