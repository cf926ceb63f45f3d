# Truth: by hand, from the times in vendors/*.json.  The outermost span that matches owns the work; a graph launch counts like
# any other call.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-patterns --op . --length 1 -O tsv $trace.json
done
