# Truth: by hand.  A step (record 0) holds operators a (1), b inside it (2) with its launch (3), and c (4) with its
# own (5); kernels of b (6) and c (7); an operator outside (8).  Context is not counted; --limit counts what was
# selected; what --within or --outside leaves out is not selected at all.
cat >t.json <<END
{"traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "step", "pid": 5, "tid": 5, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "a", "pid": 5, "tid": 5, "ts": 10, "dur": 40},
{"ph": "X", "cat": "cpu_op", "name": "b", "pid": 5, "tid": 5, "ts": 20, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 5, "tid": 5, "ts": 25, "dur": 5, "args": {"correlation": 7}},
{"ph": "X", "cat": "cpu_op", "name": "c", "pid": 5, "tid": 5, "ts": 60, "dur": 30},
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 5, "tid": 5, "ts": 65, "dur": 5, "args": {"correlation": 9}},
{"ph": "X", "cat": "kernel", "name": "kb", "pid": 0, "tid": 7, "ts": 35, "dur": 20, "args": {"device": 0, "stream": 7, "correlation": 7}},
{"ph": "X", "cat": "kernel", "name": "kc", "pid": 0, "tid": 7, "ts": 80, "dur": 15, "args": {"device": 0, "stream": 7, "correlation": 9}},
{"ph": "X", "cat": "cpu_op", "name": "d", "pid": 5, "tid": 5, "ts": 120, "dur": 10}
]}
END
# OPTION... EXPR: records passed on, and the count
try()
{
    echo "$*: $(tr-filter -q "$@" t.json | tr-view -q -O tsv --columns record | sed 1d | sort -n | tr '\n' ' '); $(tr-filter -q -c "$@" t.json)"
}
kernels='activity == kernel'
for expr in "$kernels" 'name == b' 'cat == cpu_op' 'name == nothing'; do
    for options in --parents --children --linked '--linked --parents' '--children --linked'; do
        # shellcheck disable=SC2086 # several options
        try $options "$expr"
    done
done
try -n 1 --linked "$kernels"
try -n 1 "$kernels"
try -n 2 --parents 'name == a || name == b || name == c'
try -v --parents 'cat == cpu_op || cat == user_annotation'
try --within 'name == a' 'name != a'
try --within 'name == a' --linked "$kernels"
try --within 'name == a' --linked 'name == launch'
try --within 'name == c' -v 'name == launch'
try --within 'name == step' -n 1 --parents 'name == c'
try --outside 'name == a' 'activity in (kernel, cpu_op)'
try --outside 'name == step' --parents true
try --outside 'name == nothing' -v 'cat == cpu_op'
try -e 'name == kb' -e 'name == d'
try -v -e 'name == kb' -e 'name == d'
tr-filter -q -c --exit-status --parents 'name == d' t.json
echo "status $?"
tr-filter -q -c --exit-status --parents 'name == nothing' t.json
echo "status $?"
# without an expression, all events inside
tr-filter -q -c --within 'name == step' true t.json
tr-filter -q -c --within 'name == step' t.json
tr-filter -q -c --outside 'name == step' t.json
tr-filter -q -c --within true --outside true t.json 2>&1
echo "status $?"
