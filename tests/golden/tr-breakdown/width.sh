# Truth: the numbers of case time; tr-options(7): text fits its line, also where it goes to no terminal:
# the main columns as far as they fit; all of them, or those that are named, turned or in blocks.  Other formats have
# all columns, always.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "ncclDevKernel_AllReduce", "pid": 0, "tid": 9, "ts": 20, "dur": 30, "args": {"device": 0, "stream": 9}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 7, "ts": 45, "dur": 15, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_sync", "name": "Stream Sync", "pid": 0, "tid": 7, "ts": 60, "dur": 500, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
tr-breakdown --assume-terminal stdout t.json
tr-breakdown -O text t.json
tr-breakdown --by type -O text t.json
tr-breakdown -O csv --assume-terminal stdout t.json
echo "== 60, 36, 12, 200"
COLUMNS=60 tr-breakdown -O text t.json
COLUMNS=36 tr-breakdown -O text t.json
COLUMNS=12 tr-breakdown -O text t.json
COLUMNS=200 tr-breakdown -O text t.json
echo "== all"
tr-breakdown -O text --columns all t.json
COLUMNS=20 tr-breakdown -O text --columns all t.json
COLUMNS=200 tr-breakdown -O text --columns all t.json
echo "== named"
COLUMNS=36 tr-breakdown -O text --columns comm,compute,memory,span t.json
COLUMNS=20 tr-breakdown -O text --columns comm,compute,memory,span t.json
echo "== what orders the rows is there"
tr-breakdown -O text --sort memory t.json
echo "== the header is bold where there are colours"
NO_COLOR='' TERM=xterm tr-breakdown --by type --assume-terminal stdout t.json
NO_COLOR='' TERM=dumb tr-breakdown --by type --assume-terminal stdout t.json
NO_COLOR=1 TERM=xterm tr-breakdown --by type --assume-terminal stdout t.json
NO_COLOR='' TERM=xterm tr-breakdown --by type -O text t.json
