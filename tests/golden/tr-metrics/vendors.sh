# Truth: by hand: no trace has counters, and that is said.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-metrics -O tsv $trace.json
done
