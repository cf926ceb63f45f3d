# Truth: by hand.  Names that differ in a number are one group; matches are replaced from left to right, the longest of
# those that start in one place; matches of nothing are none.  An arg, an operator around the event, a short name.
cat >t.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "cpu_op", "name": "layer.12.mlp", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "fusion.1", "pid": 1, "tid": 1, "ts": 10, "dur": 1, "args": {"op": "a(b)\"c\"7"}},
{"ph": "X", "cat": "cpu_op", "name": "fusion.23", "pid": 1, "tid": 1, "ts": 20, "dur": 2, "args": {"op": "a(b)\"c\"8"}},
{"ph": "X", "cat": "cpu_op", "name": "fusion.23_4", "pid": 1, "tid": 1, "ts": 30, "dur": 4},
{"ph": "X", "cat": "cpu_op", "name": "layer.3.mlp", "pid": 1, "tid": 1, "ts": 200, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "void gemm_64<float, 8>(int*)", "pid": 1, "tid": 1, "ts": 210, "dur": 8},
{"ph": "X", "cat": "cpu_op", "name": "void gemm_128<float, 8>(int*)", "pid": 1, "tid": 1, "ts": 220, "dur": 16}]}
END
sum()
{
    printf '== %s\n' "$1"
    tr-sum -q --by "$1" --stat count,sum -O tsv t.json
}
sum 'replace(name,"[0-9]+","N")'
sum 'replace(name,"[._]?[0-9]+","")'
sum 'replace(short(name),"_[0-9]+$","")'
sum 'replace(name,"x*","y")'
sum 'replace(name,"o|io|ion[.]","<>")'
sum 'replace(operator,"[0-9]+","*")'
sum 'replace(args.op,"\"c\"[0-9]","\"d")'
sum 'kind,replace(name,"^(fusion|layer|void).*","*, x")'
# As a file of partial results, whose keys must be the same.
tr-sum -q --by 'replace(name,"[.]\"?[0-9]+","N")' --stat count,sum -O tsv t.json >one
tr-sum -q --by 'replace(name,"[.]\"?[0-9]+","N")' --stat count,sum --save-partial part t.json
tr-sum -q --by 'replace(name,"[.]\"?[0-9]+","N")' --stat count,sum -O tsv part | cmp - one
tr-sum -q --by 'replace(name,"[.]?[0-9]+","N")' --stat count,sum -O tsv part 2>&1; echo "status $?"
tr-diff -q --of "tr-sum --by 'replace(name,\"[0-9]+\",\"\")' --stat count,sum" --keys name -O tsv t.json t.json | head -n 3
