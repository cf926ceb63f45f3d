# Truth: the causes are those of the view idle, added up; the remarks by the pages.
tr-breakdown --by idle -O tsv "$SAMPLE/rank1.json.gz" | awk -F '\t' 'NR > 1 { sum[$2] += $4; n[$2] += $6 }
    END { for (c in sum) printf "%s\t%.3f\t%d\n", c, sum[c], n[c] }' | LC_ALL=C sort
echo "== cause"
tr-breakdown --by cause -O tsv --columns cause,idle,gaps "$SAMPLE/rank1.json.gz" | LC_ALL=C sort
echo "== a step, without the wait before its first work"
tr-breakdown --by cause --step 17 -O tsv --columns cause,idle "$SAMPLE/rank0.json.gz"
tr-breakdown --by gap --step 17 --top 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz"
tr-breakdown --by gap --time +1ms..+5ms --top 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz"
echo "== ranks whose clocks were not aligned"
tr-breakdown --per all -O tsv --columns idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-breakdown --per all --rank 1 -O tsv --columns idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-breakdown --per all --by kernel --top 1 -O tsv --columns count "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-align -q "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz" | tr-breakdown --per all -O tsv --columns idle
echo "== work of steps, and of no step: b and c run 100 us apart, but their launches are unknown"
cat >steps.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#3", "pid": 1, "tid": 1, "ts": 0, "dur": 40},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 5, "dur": 1, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 10, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 50, "dur": 10, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 160, "dur": 10, "args": {"device": 0, "stream": 7}}
]}
END
tr-breakdown --per step -O tsv --columns step,span,idle steps.json
tr-breakdown --step 3 -O tsv --columns span,idle steps.json
tr-breakdown -O tsv --columns span,idle steps.json
echo "== each step where it takes longest: the longer of the two"
tr-breakdown --by step --per all -O tsv --columns rank,step,time,idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz"
tr-breakdown --by step -O tsv --columns rank,step,time,idle "$SAMPLE/rank0.json.gz" "$SAMPLE/rank1.json.gz" |
    sort -k 2,2n -k 3,3nr | awk '$2 != step { print } { step = $2 }'
