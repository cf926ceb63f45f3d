# Truth: by hand.  All of several --within and --outside hold, whatever their order; a span without a hit is named.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "epoch", "pid": 1, "tid": 1, "ts": 0, "dur": 200},
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 10, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "first", "pid": 0, "tid": 7, "ts": 60, "dur": 30, "args": {"correlation": 1, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "aten::gelu", "pid": 1, "tid": 1, "ts": 70, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 80, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "second", "pid": 0, "tid": 7, "ts": 120, "dur": 30, "args": {"correlation": 2, "device": 0, "stream": 7}},
{"ph": "X", "cat": "cpu_op", "name": "aten::linear", "pid": 1, "tid": 1, "ts": 220, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 230, "dur": 5, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "third", "pid": 0, "tid": 7, "ts": 260, "dur": 30, "args": {"correlation": 3, "device": 0, "stream": 7}}
]}
END
kernels() { tr-filter "$@" 'activity == "kernel"' t.json | tr-view -O tsv --columns name | tail -n +2 | paste -sd ' ' -; }
kernels --within 'name == "epoch"' --within 'name == "aten::linear"'
kernels --within 'name == "aten::linear"' --within 'name == "epoch"'
kernels --outside 'name == "epoch"' --within 'name == "aten::linear"'
kernels --outside 'name == "aten::linear"' --outside 'name == "aten::gelu"'
kernels --within 'name == "epoch"' --outside 'name == "aten::linear"'
echo "== streams"
tr-parse -q t.json | tr-filter -c --within 'name == "epoch"' --within 'name =~ "gelu|linear"' 'activity == "kernel"'
