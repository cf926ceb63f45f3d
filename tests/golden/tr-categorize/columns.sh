# Truth: by hand: gemm 30 us, x 5, y 1, of which no rule takes the latter two.  Columns are known without a trace, those
# that are named are shown, rows beyond --top are added up but for what cannot be added, and a stream has no columns.
printf '{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "gemm_a", "pid": 0, "tid": 7, "ts": 10, "dur": 10},
{"ph": "X", "cat": "kernel", "name": "gemm_b", "pid": 0, "tid": 7, "ts": 30, "dur": 20},
{"ph": "X", "cat": "kernel", "name": "x<int>", "pid": 0, "tid": 7, "ts": 60, "dur": 5},
{"ph": "X", "cat": "kernel", "name": "y", "pid": 0, "tid": 7, "ts": 70, "dur": 1}]}' >t.json
printf '[gemm if starts with]\ngemm\n[why if equals to]\nwhy\n' >r.rules
for view in '--by class' '--by class --per step' '--by class --across max' '--by class --across sum' '--by unmatched' --list-rules \
    --show-rules '--explain x'; do
    echo "== $view"
    # shellcheck disable=SC2086 # several words
    tr-categorize $view --help-columns -O tsv | cut -f 1-4
done
echo "== arranged"
set -- --rules r.rules -O tsv
tr-categorize --by class --top 1 --columns class,count,sum,pct "$@" t.json
tr-categorize --by unmatched --short-names --sort count:asc --columns sum,name "$@" t.json
tr-categorize --by unmatched --top 1 "$@" t.json
tr-categorize --by class --across max --top 1 "$@" t.json
tr-categorize --explain gemm_1 --columns class,line "$@"
tr-categorize --show-rules --sort text:desc --columns text,about "$@"
tr-categorize --help-columns
