# Truth: by hand.  SGLang counts the calls of an operator in its name: they are one row.  Others keep their numbers.
python=${PYTHON:-python3}
$python - >t.json <<'END'
import json
names = ["sglang_profiler::gemm_7", "sglang_profiler::gemm_12", "sglang_profiler::gemm", "sglang_profiler::_3", "mine::gemm_7"]
events = []
for i, name in enumerate(names):
    events += [{"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": 100 * i, "dur": 50, "args": {}},
               {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 100 * i + 1, "dur": 1,
                "args": {"correlation": i + 1}},
               {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 100 * i + 10, "dur": 2 + i,
                "args": {"device": 0, "stream": 7, "correlation": i + 1}}]
print(json.dumps({"traceEvents": events}))
END
tr-breakdown --by operator --columns name,calls,device_self -O tsv t.json
tr-view --where 'activity == cpu_op' --columns name -O tsv t.json
