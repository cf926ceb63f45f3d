# Truth: by hand.  The device does 2 TFLOP/s in fp32 matrices, 1 in vectors, and moves 100 GB/s.
#   mm of 100 x 200 by 200 x 50 in floats: 2 * 100 * 50 * 200 = 2,000,000 operations; (20,000 + 10,000 + 5,000) * 4 = 140,000
#   bytes; at best max(2e6 / 2e12, 140e3 / 100e9) = max(1, 1.4) us.  It runs for 4 us, inside linear, which has no model.
#   mm of 1000 x 1000 by 1000 x 1000, twice, for 1000 and 2000 us: 2e9 operations, 12,000,000 bytes; at best
#   max(1000, 120) us.  Its own addmm inside of it has a model, but the outer one counts: 1000 + 2000 us.
#   copy_ of 1000 halves to floats, for 1 us: no operations, 1000 * (2 + 4) bytes; at best 0.06 us.
#   linear launches 3 us itself; custom launches k5 and view inside of it k6, which overlaps it by 2: 5 + 5 - 2 = 8 us.
#   k7 of 9 us has no launch.  All in all 4 + 3000 + 1 + 3 + 8 + 9 = 3025 us; 3005 of them have a model.
#   Rates: mm: (2e6 + 4e9) / 3004 us = 1.332 TFLOP/s, 24.14e6 / 3004 us = 0.008 TB/s, (1.4 + 2000) / 3004 us = 66.62 %;
#   means of 2e6 / 4 us = 0.5, 2e9 / 1000 us = 2, 1: 3.5 / 3.
cat >t.py <<'END_OF_PYTHON'
import json
events, n = [], 0
def host(cat, name, ts, dur, **args):
    events.append({"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": 1, "ts": ts, "dur": dur, "args": args})
def launch(ts, name, start, dur, stream=7):
    global n
    n += 1
    host("cuda_runtime", "cudaLaunchKernel", ts, 1, correlation=n)
    events.append({"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": stream, "ts": start, "dur": dur,
                   "args": {"device": 0, "stream": stream, "correlation": n}})
def mm(ts, dur, m, k, n_):
    host("cpu_op", "aten::mm", ts, dur, **{"Input Dims": [[m, k], [k, n_]], "Input type": ["float", "float"],
         "Input Strides": [[k, 1], [n_, 1]], "Concrete Inputs": ["", ""]})
host("cpu_op", "aten::linear", 10, 30)
mm(12, 8, 100, 200, 50)
launch(13, "k1", 100, 4)
launch(25, "k2", 110, 3)
for i in range(2):
    at = 100 + 100 * i
    mm(at, 50, 1000, 1000, 1000)
    host("cpu_op", "aten::addmm", at + 5, 30, **{"Input Dims": [[8], [8, 8], [8, 8]], "Input type": ["float"] * 3})
    launch(at + 10, "k3", 1000 + 2000 * i, 1000 + 1000 * i)
host("cpu_op", "aten::copy_", 400, 10, **{"Input Dims": [[1000], [1000], []], "Input type": ["c10::Half", "float", "Scalar"],
     "Input Strides": [[1], [1], []], "Concrete Inputs": ["", "", "False"]})
launch(402, "k4", 6000, 1)
host("cpu_op", "custom", 500, 50)
launch(505, "k5", 7000, 5)
host("cpu_op", "view", 510, 20)
launch(515, "k6", 7003, 5, 8)
events.append({"ph": "X", "cat": "kernel", "name": "k7", "pid": 0, "tid": 7, "ts": 8000, "dur": 9, "args": {"device": 0, "stream": 7}})
print(json.dumps({"traceEvents": events}))
END_OF_PYTHON
${PYTHON:-python3} t.py >t.json
cat >little.peaks <<END_OF_PEAKS
[little]
bandwidth = 100   # GB/s
matrix_fp32 = 2
vector_fp16 = 1
END_OF_PEAKS
tr-roofline --arch ./little.peaks -O tsv t.json
for key in shape params thread; do
    echo "== $key"
    tr-roofline --arch ./little.peaks --by operator,$key -O tsv t.json 2>said
done
echo "== family"
tr-roofline --arch ./little.peaks --by family -O tsv t.json 2>said
echo "== nested: addmm has the work of mm, too"
tr-roofline --nested --op mm --columns name,calls,device,kernels -O tsv t.json
echo "== no device: no least times"
tr-roofline --op '::mm$' --columns name,flop,bytes,tflops,bound,roofline,roofline_pct -O tsv t.json 2>said
