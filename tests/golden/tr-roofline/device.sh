# Truth: by hand.  The device that the trace names gives the peaks; another one than it gets a warning; boards with
# less power, unknown devices and several kinds have none.
mm='{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 20, "args": {"Input Dims": [[512, 512], [512, 512]], "Input type": ["c10::BFloat16", "c10::BFloat16"], "Input Strides": [[512, 1], [512, 1]], "Concrete Inputs": ["", ""]}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 40, "args": {"correlation": 1, "device": 0, "stream": 7}}'
of() { echo "{\"distributedInfo\": {\"rank\": $2}, \"deviceProperties\": [{\"id\": 0, \"name\": \"$1\", \"totalGlobalMem\": 8}], \"traceEvents\": [$mm]}"; }
show() { tr-roofline --by family -O tsv --columns family,roofline_pct "$@" 2>&1 | grep -v 'percent of'; }
for name in "NVIDIA H100 80GB HBM3" "NVIDIA H100 PCIe" "AMD Instinct MI300X" "NVIDIA T4" ""; do
    of "$name" 0 >t.json
    echo "== $name"
    show t.json
done
echo "== another one"
of "AMD Instinct MI300X" 0 >t.json
show --arch H100 t.json
show --arch mi300x t.json
printf '[mine]\nbandwidth = 100\nmatrix_bf16 = 100\n' >mine.peaks
show --arch mine.peaks t.json
show --arch none t.json
echo "== two kinds"
of "NVIDIA H100 80GB HBM3" 1 >u.json
show t.json u.json
