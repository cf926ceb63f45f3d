# Truth: by hand.  1000 x 1000 by 1000 x 1000 floats in 1 ms are 2 TFLOP/s, and 12 MB are 0.012 TB/s; twice that and
# three times that in calls of half and a third of the time.
python=${PYTHON:-python3}
$python - >t.json <<'END'
import json
events = []
for i, dur in enumerate([1000, 500, 250]):
    events += [{"ph": "X", "cat": "cpu_op", "name": ["aten::mm", "aten::bmm", "my::mm"][i], "pid": 1, "tid": 1, "ts": 2000 * i, "dur": 50,
                "args": {"Input Dims": [[1] * (i == 1) + [1000, 1000]] * 2, "Input type": ["float", "float"]}},
               {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2000 * i + 1, "dur": 1,
                "args": {"correlation": i + 1}},
               {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 2000 * i + 10, "dur": dur,
                "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
print(json.dumps({"traceEvents": events}))
END
for peak in 5 3 1; do
    printf '[X]\nbandwidth = 100\nmatrix_fp32 = %s\n' $peak >x.peaks
    tr-roofline --arch ./x.peaks --columns name,roofline_pct -O tsv t.json 2>&1
done
tr-roofline --by family --arch ./x.peaks --columns family,roofline_pct -O tsv t.json 2>&1
