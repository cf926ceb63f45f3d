# Truth: by hand: of all these traces, amd has the one collective, of which one rank is there.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-comm -O tsv $trace.json
done
