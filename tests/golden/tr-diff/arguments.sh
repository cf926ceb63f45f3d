# Truth: operators by their arguments, by hand.  The base has two mm of one shape, the test one of it and one of another;
# add has its scalar in another type and value.  Device work has the arguments of the operator that launched it, the copy none.
run()
{
    printf '{"traceEvents": ['
    at=0
    while read -r name dims types values dur; do
        at=$((at + 100))
        printf '{"ph": "X", "cat": "cpu_op", "name": "%s", "pid": 1, "tid": 1, "ts": %d, "dur": 20, "args": {"Input Dims": %s, "Input type": %s, "Input Strides": [], "Concrete Inputs": %s}},\n' \
            "$name" $at "$dims" "$types" "$values"
        printf '{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": %d, "dur": 5, "args": {"correlation": %d}},\n' \
            $((at + 5)) $at
        printf '{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %d, "dur": %d, "args": {"device": 0, "stream": 7, "correlation": %d}},\n' \
            $((at + 30)) "$dur" $at
    done
    printf '{"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD (Pageable -> Device)", "pid": 0, "tid": 7, "ts": 900, "dur": 2, "args": {"device": 0, "stream": 7}}]}\n'
}
run >base.json <<'END'
mm [[2,3],[3,4]] ["float","float"] ["",""] 10
mm [[2,3],[3,4]] ["float","float"] ["",""] 12
add [[8],[]] ["float","Scalar"] ["","1"] 4
END
run >test.json <<'END'
mm [[2,3],[3,4]] ["float","float"] ["",""] 11
mm [[2,3],[3,9]] ["float","float"] ["",""] 30
add [[8],[]] ["float","Scalar"] ["","2"] 4
END
for by in operator,shape operator,args; do
    echo "== $by"
    tr-diff --by $by -O tsv base.json test.json | cut -f 1-12
done
exec 2>&1
says()
{
    tr-diff "$@"
    echo "status $?"
}
echo "== conditions"
says --by operator,shape -O tsv --columns name,side -q --top 1 --fail-if 'shapes == "[[2,3],[3,4]]" && side == device && diff_us < -10us' base.json test.json
says --by conditions,operator,args -O tsv --fail-if 'args =~ "2" && change == added' --fail-if 'dtypes =~ "double" && diff_us > 1us' base.json test.json
echo "== usage"
says --fail-if 'shapes =~ "3"' base.json test.json
says --by operator,shape --fail-if 'args =~ "3"' base.json test.json
says --by kernel,shape base.json test.json
says --by shape base.json test.json
says --by conditions,shape base.json test.json
says --by operator,shape --save-partial b.part base.json
