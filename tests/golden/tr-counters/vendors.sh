# Truth: by hand, from the times in vendors/*.json.  A graph launch puts three kernels into two queues at once.  amd: 20000 bytes
# in 10 us are 2 GB/s.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-counters --by queue -O csv $trace.json
    tr-counters --by bandwidth -O csv $trace.json
    tr-counters --by full --max-queue 2 -O csv $trace.json
    tr-counters --by busy-series -O csv $trace.json
done
