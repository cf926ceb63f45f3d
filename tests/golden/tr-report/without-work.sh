# Truth: by hand.  Inputs that have no device work by their nature: the finding says what they have, and what shows it.
cd "$GOLDEN/../../fuzz/corpus" || exit 1
for name in flight_recorder/trace_0.json nccl_inspector/node1-pid900.log nccl_profiler/rank0.json chakra/job.0.et \
    chakra_json/job.0.json pytorch_et/plain_0.json memory_snapshot/json perf_script/ftrace; do
    tr-report -q -O json --sections findings "$name" | grep -o '"no work[^"]*"'
done
