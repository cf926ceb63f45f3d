# Truth: by hand.  What a form does not know is refused; an empty selection and a trace without the weight say so.
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "f", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}' >t.json
for options in '--base t.json' '-O tsv --base t.json --' '-O svg --base t.json t.json' '-O folded --columns stack' '-O svg --unit ns' \
    '-O html --top 3' '--by junk' '--by operator,stack' '--weight time' '-O vega' '--per stream'; do
    # shellcheck disable=SC2086 # several words
    tr-flame $options t.json 2>&1
    echo "status $?"
done
echo "== no weight"
tr-flame -O folded --weight bytes t.json
tr-flame -O pprof --where 'name == "none"' -o t.pprof t.json
tr-flame -O tsv --where 'name == "none"' t.json
echo "== damaged"
: >empty.json
tr-flame -O folded empty.json
echo "status $?"
