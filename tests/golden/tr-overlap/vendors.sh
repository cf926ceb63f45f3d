# Truth: by hand, from the times in vendors/*.json.  amd: a collective (50) and a gemm (40), never at once.
# mtia: remote and merge compute (35), what the names of its runtime mark does not, a dma is memory (10).
# cpu-only and no-work: nothing ran, and that is said.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-overlap --coverage -O tsv $trace.json
done
