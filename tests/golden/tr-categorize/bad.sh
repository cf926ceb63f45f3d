# Truth: by hand.  A file of rules that cannot be read is refused with its name, line and cause, before anything is written.
echo '{"traceEvents": [{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 3}]}' >t.json
echo keep >out.trs
bad()
{
    printf "$1" >bad.rules
    tr-categorize --rules bad.rules -o out.trs t.json
    echo "status $?"
}
bad '[a if matches]\nfine\n(broken\n'
bad '[a if contians]\nx\n'
bad 'gemm\n'
bad '[gemm]\nx\n'
bad '[a (fast) if contains]\nx\n'
bad '[a if contains] # note\nx\n'
bad ''
bad '{"direct": {'
bad '{"direct": {"next": {"a": {"category": 3}}}}'
tr-categorize --rules absent.rules -o out.trs t.json
echo "status $?"
printf '[a if contains]\nx\n' >fine.rules
tr-categorize --rules fine.rules --precedence longest -o out.trs t.json
echo "status $?"
cat out.trs
echo "== options"
tr-categorize --by unmatched --show-rules t.json
tr-categorize --across mean t.json
tr-categorize --where 'dur > 1us' t.json
tr-categorize --by class --compat unitrace -O tsv t.json
tr-categorize --by class --across mean --per rank t.json
tr-categorize --explain k t.json
tr-categorize --print-rules none
echo "status $?"
