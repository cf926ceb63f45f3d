# Truth: by hand.  Rules fit a name of unitrace with or without its tile, shape or size.  The whole name is tried first,
# so wide32 wins over wide for one of its two shapes.
cat >app.7.json <<'END'
{ "traceEvents":[
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[SIMD32 {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 0, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #1: gemm[SIMD_ANY {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 10, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #0: start of f(int)[SIMD8]", "cat": "gpu_op", "ts": 20, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "wide[SIMD32 {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 30, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "wide[SIMD16 {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 40, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "x(float) {8; 1; 1} {32; 1; 1}]", "cat": "gpu_op", "ts": 50, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[64]", "cat": "gpu_op", "ts": 60, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "gemm[3]", "cat": "gpu_op", "ts": 70, "dur": 1}
]}
END
cat >my.rules <<'END'
[gemm if equals to]
gemm
[begin if starts with]
start of
[wide32 if starts with]
wide[SIMD32
[wide if equals to]
wide
[float if matches]
\(float\)$
[upload if ends with]
(M2D)
END
tr-categorize -q --rules my.rules app.7.json | tr-view -O tsv --columns class,name
tr-categorize -q --rules my.rules --keep-spaces --by class -O tsv --columns class,count app.7.json
tr-categorize --rules my.rules --explain 'Tile #1: gemm[SIMD_ANY {8; 1; 1} {32; 1; 1}]' --columns class,line -O tsv
