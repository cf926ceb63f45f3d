# Truth: by hand.  One condition on grid, block or bytes selects work of all vendors.
cat >t.json <<'END'
{ "traceEvents":[
{"ph": "X", "tid": 9, "pid": 9, "name": "a[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": 0, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "Tile #2: b[SIMD_ANY {64; 2; 1} {64; 1; 1}]", "cat": "gpu_op", "ts": 10, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "c[SIMD16 {64; 2}]", "cat": "gpu_op", "ts": 20, "dur": 1},
{"ph": "X", "tid": 9, "pid": 9, "name": "zeCommandListAppendMemoryCopy(M2D)[4096]", "cat": "gpu_op", "ts": 30, "dur": 1},
{"ph": "X", "tid": 7, "pid": 0, "name": "d", "cat": "kernel", "ts": 40, "dur": 1, "args": {"grid": [64, 2, 1], "block": [32, 1, 1]}},
{"ph": "X", "tid": 7, "pid": 0, "name": "Memcpy HtoD (Pinned -> Device)", "cat": "gpu_memcpy", "ts": 50, "dur": 1, "args": {"bytes": 8192}},
{"ph": "X", "tid": 5, "pid": 5, "name": "h[SIMD32 {64; 2; 1} {256; 1; 1}]", "cat": "cpu_op", "ts": 60, "dur": 1, "args": {"grid": null}}
]}
END
while IFS= read -r expr; do
    echo "$expr: $(tr-filter -q "$expr" t.json | tr-view -O tsv --columns name | sed 1d | cut -c 1-12 | paste -sd '|' -)"
done <<'END'
grid == "[64,2,1]"
grid =~ "^.64," && block != "[32,1,1]"
simd == 32
simd > 8
simd == any
simd in (16, any)
tile == 2
has(grid)
!has(grid)
kernel in (a, b, c, d)
kernel == "zeCommandListAppendMemoryCopy(M2D)"
bytes >= 4KiB
bytes == 8192
bytes < 8KiB
direction == "Memcpy HtoD"
direction != "Memcpy DtoH"
END
tr-filter 'bytes > 3us' t.json 2>&1
tr-filter 'tile > 3KiB' t.json 2>&1
