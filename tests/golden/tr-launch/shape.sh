# Truth: by hand.  Kernels a and b have one shape: 20 and 10; before b, the stream was free from 30 to 40, before a there is
# no earlier work.  The copy ends at 55, c starts at 60, d while c runs on another stream.  Shapes are absent of d.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "grid": [4, 1, 1], "block": [32, 1, 1]}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 40, "dur": 10, "args": {"device": 0, "stream": 7, "grid": [4, 1, 1], "block": [32, 1, 1]}},
{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH", "pid": 0, "tid": 7, "ts": 50, "dur": 5, "args": {"device": 0, "stream": 7, "bytes": 8}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 60, "dur": 30, "args": {"device": 0, "stream": 7, "grid": [8, 1, 1], "block": [32, 1, 1]}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 9, "ts": 70, "dur": 1, "args": {"device": 0, "stream": 9}}
]}
END
tr-launch --by shape -O tsv --columns all t.json
tr-launch --by shape --per stream -O tsv --columns stream,grid,launches t.json
tr-launch --by shape --cpu-cutoff 1us t.json 2>&1
echo "status $?"
echo '{"traceEvents": []}' >none.json
tr-launch --by shape none.json
