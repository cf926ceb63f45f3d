# Truth: by hand.  Compute 10..30, a fill 30..34, a gap of 2 us, comm 36..50, a gap of 20 us, a copy 70..75 under comm
# 72..80.  So 70 us in all: compute 20, comm 22, memory alone 4 + 2, idle 2 + 20.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memset", "name": "Memset", "pid": 0, "tid": 7, "ts": 30, "dur": 4, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclKernel", "pid": 0, "tid": 8, "ts": 36, "dur": 14, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH", "pid": 0, "tid": 7, "ts": 70, "dur": 5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclKernel", "pid": 0, "tid": 8, "ts": 72, "dur": 8, "args": {"device": 0, "stream": 8}}]}
END
tr-breakdown --by timeline -O tsv t.json
tr-breakdown --by timeline --micro-idle 20us --memset compute -O tsv t.json
tr-breakdown --by timeline --micro-idle 5us --time 8..60 -O tsv t.json
tr-breakdown --by time --micro-idle 5us t.json
echo "status $?"
