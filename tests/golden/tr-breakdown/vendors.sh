# Truth: by hand, from the times in vendors/*.json.  graph: each launch owns three kernels of 20 us, one of them
# within an operator.  no-steps: all work is of no step.  Where a view has nothing to say, one line says why.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-breakdown -O tsv $trace.json
    tr-breakdown --per step -O csv $trace.json
    tr-breakdown --by type -O csv $trace.json
    tr-breakdown --by idle -O csv $trace.json
    tr-breakdown --by gap -O csv $trace.json
    tr-breakdown --by stream-idle --per rank -O csv $trace.json
    tr-breakdown --by kernel -O csv $trace.json
    tr-breakdown --by annotation -O csv $trace.json
    tr-breakdown --by operator -O csv $trace.json
    tr-breakdown --by sequence -O csv $trace.json
done
