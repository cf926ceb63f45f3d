# Truth: by hand.  Kernels, copies and operators get a class; calls, annotations, Python functions, waits and metadata do
# not, even if a rule would take their name.  k1 is comm by the rule, whatever it was.  The class is a column like others:
# for tr-filter, --where, tr-breakdown and tr-overlap.  A second run replaces the classes of the first.
cat >t.json <<END
{"traceEvents": [
{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "gemm"}},
{"ph": "X", "cat": "cpu_op", "name": "aten::gemm", "pid": 1, "tid": 1, "ts": 1, "dur": 9},
{"ph": "X", "cat": "user_annotation", "name": "gemm", "pid": 1, "tid": 1, "ts": 2, "dur": 9},
{"ph": "X", "cat": "python_function", "name": "gemm", "pid": 1, "tid": 1, "ts": 3, "dur": 5},
{"ph": "X", "cat": "cuda_runtime", "name": "gemm", "pid": 1, "tid": 1, "ts": 4, "dur": 2, "args": {"correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7, "ts": 10, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "k1", "pid": 0, "tid": 8, "ts": 15, "dur": 10, "args": {"device": 0, "stream": 8}},
{"ph": "X", "cat": "gpu_memcpy", "name": "copy gemm", "pid": 0, "tid": 7, "ts": 30, "dur": 2, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "other", "pid": 0, "tid": 7, "ts": 40, "dur": 1.5, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "cuda_sync", "name": "gemm", "pid": 0, "tid": 7, "ts": 41, "dur": 2, "args": {"device": 0, "stream": 7}}
]}
END
cat >my.rules <<END
# the first rule wins
[copies if starts with]
copy
[gemm if contains]
gemm
[exchange (comm) if matches]
^k[0-9]+\$
[op_gemm if operator ends with]
::gemm
END
tr-categorize --rules my.rules t.json >t.trs
tr-view -O tsv --columns record,activity,name,kind,class t.trs
echo "== everything else as before"
tr-view -O chrome t.trs >after
tr-view -O chrome t.json | cmp - after && echo yes
echo "== tr-filter"
tr-filter 'class == "gemm"' t.trs | tr-view -O tsv --columns record,class -
tr-filter -c 'has(class)' t.trs
echo "== --where"
tr-breakdown --where 'class == "gemm" || class == "exchange"' -O tsv t.trs | cut -f 1-6
echo "== --by class"
tr-breakdown --by class -O tsv t.trs
tr-breakdown --by class --top 1 --per all -O tsv t.trs
echo "== tr-overlap"
tr-overlap --by state --classes gemm,exchange -O tsv t.trs
echo "== again, by other rules"
printf '[last if equals to]\nother\n' >last.rules
tr-categorize --rules last.rules t.trs | tr-view -O tsv --columns record,kind,class - | tail -n 5
echo "== nobody has categorized"
tr-breakdown --by class -O tsv t.json
