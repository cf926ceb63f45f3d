# Truth: by hand.  Kernels of unitrace by what their names say, and those of Kineto by their args: the same keys.
cat >t.json <<'END'
{ "traceEvents":[
{"ph": "X", "tid": 9, "pid": 9, "name": "g<float>(float*)[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 0, "dur": 10},
{"ph": "X", "tid": 9, "pid": 9, "name": "g<float>(float*)[SIMD32 {32; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 10, "dur": 4},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #1: g<float>(float*)[SIMD_ANY {32; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 20, "dur": 2},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[4096]", "cat": "gpu_op", "ts": 30, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[1024 bytes]", "cat": "gpu_op", "ts": 35, "dur": 1},
{"ph": "X", "tid": 7, "pid": 0, "name": "g<float>(float*)", "cat": "kernel", "ts": 40, "dur": 3, "args": {"grid": [64, 2, 1], "block": [256, 1, 1]}},
{"ph": "X", "tid": 7, "pid": 0, "name": "Memcpy HtoD (Pinned -> Device)", "cat": "gpu_memcpy", "ts": 50, "dur": 2, "args": {"bytes": 8192}},
{"ph": "X", "tid": 7, "pid": 0, "name": "Memcpy DtoH (Device -> Pinned)", "cat": "gpu_memcpy", "ts": 55, "dur": 2, "args": {"bytes": 1.5}},
{"ph": "X", "tid": 5, "pid": 5, "name": "zeCommandListAppendMemoryCopy", "cat": "cpu_op", "ts": 60, "dur": 1}
]}
END
for by in kernel,grid,block 'short(kernel)' grid simd,tile direction,bytes bytes,direction; do
    echo "== $by"
    tr-sum -q --by "$by" --stat count,sum -O tsv t.json
done
echo "== sizes"
tr-sum -q --by direction --value bytes --stat count,sum,max -O tsv t.json
tr-sum -q --by direction --value args.bytes --stat count,sum -O tsv t.json
tr-sum --by direction --value simd t.json 2>&1
tr-sum --by 'short(grid)' t.json 2>&1
