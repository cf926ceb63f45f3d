# Truth: by hand.  Rank 0: gemm 10 + 20, x 5, y 1; rank 1: gemm 40, x 7; rank 2: x 9, comm 4.  A rank without a class counts
# as 0; for unitrace only the ranks count that have a name: gemm_a is (10 + 40) / 2, gemm_b 20, together 45.
rank()
{
    printf '{"distributedInfo": {"rank": %s}, "traceEvents": [\n' "$1"
    shift
    printf '{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 2}'
    at=10
    while [ $# -gt 0 ]; do
        printf ',\n{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": 7, "ts": %s, "dur": %s, "args": {"device": 0, "stream": 7}}' \
            "$1" $at "$2"
        at=$((at + 100))
        shift 2
    done
    printf ']}\n'
}
rank 0 gemm_a 10 gemm_b 20 x 5 y 1 >rank0.json
rank 1 gemm_a 40 x 7 >rank1.json
rank 2 x 9 ncclKernel 4 >rank2.json
printf '[gemm if starts with]\ngemm\n[why if equals to]\ny\n[mm if operator ends with]\n::mm\n' >r.rules
set -- --rules r.rules rank0.json rank1.json rank2.json
tr-categorize --by class -O tsv "$@"
echo "== per rank"
tr-categorize --by class --per rank -O tsv "$@"
echo "== selected"
tr-categorize --by class --rank 0 --where 'dur > 4us' -O tsv "$@"
echo "== without a class"
tr-categorize --by unmatched --top 1 -O tsv "$@"
tr-categorize --by unmatched --top 9 --per rank -O tsv "$@"
echo "== operators"
tr-categorize --by class --side host -O tsv "$@"
for stat in sum mean median min min+1 max max-1; do
    echo "== $stat"
    tr-categorize --by class --across $stat -O tsv "$@"
done
echo "== as unitrace"
tr-categorize --by class --compat unitrace -O json "$@"
tr-categorize --by class --compat unitrace --across max-1 -O json "$@"
