# Truth: by hand.  A redacted extract tells nothing of what is not in it: of ranks, steps, streams and threads without a
# chosen event neither rows nor counts are left, and what is left is counted anew; without --redact all of it stays.
# An extract of one rank of three is that of the rank alone.
COLUMNS=160 # wide enough for all of it
export COLUMNS
printf '%s' 'sixteen bytes of key' >key
for r in 0 1 2; do
    cat <<END >rank$r.json
{"distributedInfo": {"rank": $r}, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$((r + 4))", "pid": 1, "tid": 1, "ts": 100, "dur": 50},
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$((r + 5))", "pid": 1, "tid": 1, "ts": 150, "dur": 50},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 2, "ts": 110, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 3, "ts": 160, "dur": 2, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 120, "dur": 3, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "late", "pid": 0, "tid": 8, "ts": $((170 + r)), "dur": 4, "args": {"device": 0, "stream": 8, "correlation": 2}}
]}
END
done
tr-merge -o all.trs rank0.json rank1.json rank2.json
extract() { tr-filter --redact --redact-key key "$@"; }
show() { tr-info --tracks "$1" | sed -n '/^to bear/q; /^[0-9]* source/p; /^sources/,/^$/p; /^steps/,/^$/p; /^tracks/,/^$/p; /^coverage/,/^$/p'; }
echo "== everything"
extract true all.trs >x.trs && show x.trs
echo "== the late kernel of rank 1"
extract 'rank == 1 && activity == kernel && stream == 8' all.trs >x.trs && show x.trs && tr-view -O jsonl x.trs
extract 'activity == kernel && stream == 8' rank1.json >alone.trs
tr-view -O jsonl x.trs >x.jsonl
tr-view -O jsonl alone.trs | cmp - x.jsonl
echo "== nothing"
extract false all.trs >x.trs && show x.trs
echo "== the same from a pipe, after one that chose, and with context"
cat all.trs | tr-filter 'rank == 1' | extract 'activity == kernel && stream == 8' | tr-view -O jsonl | cmp - x.jsonl
extract --linked 'rank == 1 && activity == kernel && stream == 8' all.trs | tr-view -O tsv --columns rank,activity,step,stream
echo "== without --redact"
tr-filter 'rank == 1 && activity == kernel && stream == 8' all.trs >x.trs && show x.trs
