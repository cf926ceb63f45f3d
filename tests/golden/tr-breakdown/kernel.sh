# Truth: by hand.  gemm 20, 40, 30; relu 10; add 5; one copy of 7: 112 in all, 105 of them compute.  --ratio 0.8: gemm is 90
# of 112, 80.4 percent, so the rest is others.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 0, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "add", "pid": 0, "tid": 7, "ts": 30, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 50, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 100, "dur": 40, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 150, "dur": 7, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 200, "dur": 30, "args": {"device": 0, "stream": 7}}
]}
END
tr-breakdown --by kernel -O tsv t.json
tr-breakdown --by kernel --ratio 0.8 -O tsv t.json | cut -f 1-5,12
tr-breakdown --by kernel --top 2 --per all -O tsv t.json | cut -f 1-4,11
