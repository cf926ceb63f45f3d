# Truth: by hand.  The product of matrices has 773094113280 operations: 600 TFLOP/s take 1288.490 us.  relu moves 8 MB:
# 4000 GB/s take 2 us, of 4 us 50 percent; of 1 us more than is possible.
printf '[node17]\nbandwidth = 4000\nmatrix_bf16 = 600\n' >m.peaks
mm='aten::mm [40960,1536] [1536,6144] bf16'
tr-roofline --shape "$mm" --arch MI300X --measured m.peaks --columns name,bound,roofline -O tsv 2>&1
tr-roofline --shape "$mm" --measured m.peaks --columns name,bound,roofline -O tsv 2>&1
# What the file lacks is a peak of the device; what is above that is hard to believe.
printf '[node17]\nmatrix_bf16 = 600000\n' >g.peaks
tr-roofline --shape "$mm" --arch MI300X --measured g.peaks --columns name,bound,roofline -O tsv 2>&1
printf '{"name": "node17", "mem_bw_gbps": 4000, "max_achievable_tflops": {"matrix_bf16": 600}}\n' >m.json
cat >t.json <<'E'
[{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 0, "dur": 50,
  "args": {"Input Dims": [[1000, 1000]], "Input type": ["float"]}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1,
  "args": {"correlation": 1}},
 {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 4,
  "args": {"device": 0, "stream": 7, "correlation": 1}},
 {"ph": "X", "cat": "cpu_op", "name": "aten::sigmoid", "pid": 1, "tid": 1, "ts": 100, "dur": 50,
  "args": {"Input Dims": [[1000, 1000]], "Input type": ["float"]}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 101, "dur": 1,
  "args": {"correlation": 2}},
 {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 110, "dur": 1,
  "args": {"device": 0, "stream": 7, "correlation": 2}}]
E
tr-roofline --arch MI300X --measured m.json --columns name,bound,roofline,roofline_pct,suspect -O tsv t.json 2>&1
tr-roofline --by family --arch MI300X --columns family,roofline_pct,suspect -O tsv t.json 2>&1
# Kernels by their counters: 6400000 operations in 2 us, 600000 bytes.
printf 'Kernel,GpuTime[ns],XVE_INST_EXECUTED_FP32[events]\n"k[SIMD32 {64; 1; 1}]",2100,100000\n' >flops.csv
printf 'Kernel,GpuTime[ns],GPU_MEMORY_BYTE_READ[bytes]\n"k[SIMD32 {64; 1; 1}]",2000,600000\n' >bytes.csv
printf '[mine]\nvector_fp32 = 12\nbandwidth = 480\n' >device.peaks
printf '[mine]\nbandwidth = 250\n' >slow.peaks
for roofs in '' '--arch ./device.peaks' '--arch ./device.peaks --measured slow.peaks'; do
    tr-roofline --by kernel $roofs --columns name,bound,roofline,roofline_pct,suspect -O tsv flops.csv bytes.csv 2>&1
done
tr-roofline --by roof --arch ./device.peaks --measured slow.peaks --spec vector_fp32 -O tsv flops.csv bytes.csv 2>&1
tr-roofline --shape "$mm" --measured nowhere 2>&1
echo $?
printf 'bandwidth = 4\n' >bad.peaks
tr-roofline --shape "$mm" --measured bad.peaks 2>&1
echo $?
