# Truth: by hand, from the times in vendors/*.json: a row for each operator and kind of work, whatever the vendor.
cd "$GOLDEN/../vendors" || exit 1
for trace in amd mtia graph gpu-only cpu-only one-event no-steps no-work; do
    echo "== $trace"
    echo "== $trace" >&2
    tr-sum --by operator,activity --where 'activity in (kernel, memcpy, memset)' --stat count,sum,share -O tsv $trace.json
done
