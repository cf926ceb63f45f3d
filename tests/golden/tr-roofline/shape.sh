# Truth: by hand.  A product of matrices needs 2 M N K operations, here 2 * 40960 * 6144 * 1536 = 773094113280, and reads
# and writes 2 * (M K + K N + M N) = 648019968 bytes of bf16; a peak of 1307.4 TFLOP/s takes 591.322 us for it, 5300 GB/s
# take 122.268 us.  relu needs an operation and 8 bytes for each of 1000000 floats, 8 MB are 1.509 us.  The sum of 1000
# bf16 and 1000 floats has 1000 floats: 10000 bytes.  A convolution has 2 * 27 operations for each of 4 * 8 * 8 results,
# and moves (3 * 8 * 8 + 4 * 27 + 4 * 8 * 8) floats; attention with a causal mask has half of 4 * 2 * 128 * 128 * 64.
tr-roofline --shape 'aten::mm [40960,1536] [1536,6144] bf16' --arch MI300X -O text
tr-roofline --shape 'aten::relu [1000, 1000] fp32' --shape 'aten::mm [40960,1536] [1536,6144] bf16' --arch MI300X -O tsv
tr-roofline --shape 'aten::mul bf16[1000] float32[1000]' --shape 'aten::mul [10,100] [100] float32' \
    --columns name,shapes,flop,bytes,bound,roofline -O tsv
tr-roofline --shape 'aten::convolution [1,3,8,8] [4,3,3,3] none arg(3)=[1,1] arg(4)=[1,1] arg(5)=[1,1] false arg(7)=[0,0] 1 float32' \
    --shape 'aten::_scaled_dot_product_flash_attention [1,2,128,64] [1,2,128,64] [1,2,128,64] arg(4)=true float16' \
    --columns name,flop,bytes,args -O tsv
tr-roofline --shape 'aten::mm [8,4] [4,2] bf16' --shape 'aten::mm [4,4] [4,4] bf16' --by family -O tsv
tr-roofline --shape 'aten::mm [8,4] [4,2] bf16' --by operator,params -O tsv
# The same call in a trace has the same figures.
cat >t.json <<'E'
[{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 50,
  "args": {"Input Dims": [[40960, 1536], [1536, 6144]], "Input type": ["c10::BFloat16", "c10::BFloat16"]}},
 {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1, "dur": 1,
  "args": {"correlation": 1}},
 {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 10, "dur": 1000,
  "args": {"device": 0, "stream": 7, "correlation": 1}}]
E
tr-roofline --arch MI300X --columns name,flop,bytes,flop_per_byte,spec,bound,roofline -O tsv t.json 2>/dev/null
# Without a model there is the category and the reason, and the status says so.
tr-roofline --shape 'aten::cat [[2,3],[2,3]] 0 bf16' --columns name,family,category,flop -O tsv 2>&1
echo $?
