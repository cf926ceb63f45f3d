# Truth: by hand: the metadata has 8 ranks, of which 2 are given, and one device name; the last event ends 130 us after
# the first one starts, on rank 1.
for rank in 0 1; do
    printf '{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA X100", "totalGlobalMem": 1}],
"distributedInfo": {"backend": "nccl", "rank": %d, "world_size": 8, "pg_count": 1}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 10, "dur": 2,
 "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 20, "dur": %d,
 "args": {"correlation": 1, "device": 0, "stream": 7}}]}\n' $rank $((100 + 20 * rank)) >rank$rank.json
done
tr-report -q --sections findings,job rank0.json rank1.json
for rank in 0 1; do
    tr-report -q --sections findings,job --save-partial $rank.part rank$rank.json
done
tr-report -q --sections job -O json 1.part 0.part
