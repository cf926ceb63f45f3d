# Truth: by hand, from the times in vendors/*.json.  Each call that owns work counts, whatever its vendor calls it: runFunction of
# MTIA owns two pieces of work, a graph launch three.  gpu-only: work without calls has no launches.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-launch -O tsv $trace.json
done
