# Truth: flex, the runtime of IBM's AIU, calls the args of an event attr and names no category.  Spans with cycle stamps
# are device work: copies by their names, transfers between ranks, kernels; the wait of a request is none.  The same
# file comes back, also where an event has both members.
cat >ai-rank_2-of_4-job-0.json <<'END'
[
{"attr": {}, "name": "AIU Roundtrip", "ph": "B", "pid": 2, "tid": 7, "ts": 100},
{"attr": {}, "name": "AIU Roundtrip", "ph": "E", "pid": 2, "tid": 7, "ts": 900},
{"attr": {"TS1": "0x1dcc7aa0", "Bytes": "1048576"}, "name": "Input_1 DmaI", "ph": "B", "pid": 2, "tid": 90, "ts": 110},
{"attr": {"TS1": "0x1dcc7aa0", "Bytes": "1048576"}, "name": "Input_1 DmaI", "ph": "E", "pid": 2, "tid": 90, "ts": 120},
{"attr": {"TS1": "120"}, "name": "add Cmpt Prep", "ph": "B", "pid": 2, "tid": 91, "ts": 120},
{"attr": {"TS1": "120"}, "name": "add Cmpt Prep", "ph": "E", "pid": 2, "tid": 91, "ts": 130},
{"attr": {"TS1": 120}, "name": "add Cmpt Exec", "ph": "X", "pid": 2, "tid": 92, "ts": 130, "dur": 20},
{"attr": {"TS1": "7"}, "name": "SenRdmaSend_8 DmaO", "ph": "X", "pid": 2, "tid": 90, "ts": 150, "dur": 5},
{"attr": {"TS1": "8"}, "args": {"TS1": "9"}, "name": "both Cmpt Exec", "ph": "X", "pid": 2, "tid": 92, "ts": 160, "dur": 1},
{"attr": {"TS1": "7"}, "name": "Output DmaO", "ph": "X", "pid": 2, "tid": 90, "ts": 170, "dur": 5},
{"attr": 7, "name": "no object", "ph": "X", "pid": 2, "tid": 92, "ts": 180, "dur": 1}
]
END
tr-parse ai-rank_2-of_4-job-0.json >flex.trs
tr-view -O tsv --columns phase,activity,kind,ts,dur,device,stream,name,members,args flex.trs
tr-view -O chrome flex.trs
tr-breakdown --by kernel -O tsv flex.trs | cut -f 1-5
