# Truth: by hand.  Two captures of rank 0, two days apart: kernels take 30 and 10 of 60, then 40 and 10 of 60.  Given
# together each has the rows that it has alone, whatever is asked for; nothing reaches from one to the other.
# capture FILE BASE_NS STEP KERNEL
capture()
{
    cat >"$1" <<END
{"distributedInfo": {"rank": 0}, "baseTimeNanoseconds": $2, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": $3},
{"ph": "X", "cat": "cpu_op", "name": "mm", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 5, "args": {"correlation": 1}},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 40, "dur": 5, "args": {"correlation": 2}},
{"ph": "X", "cat": "kernel", "name": "g", "pid": 0, "tid": 7, "ts": 20, "dur": $4, "args": {"device": 0, "stream": 7, "correlation": 1}},
{"ph": "X", "cat": "kernel", "name": "h", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 2}}
]}
END
}
capture a.json 0 100 30
capture b.json 172800000000000 120 40
tr-breakdown -O tsv a.json b.json | cut -f 1-6
tr-breakdown --per all -O text a.json b.json
echo "== with one capture there is no column, unless it is asked for"
tr-breakdown -O tsv b.json | cut -f 1-4
tr-breakdown --per capture -O tsv b.json | cut -f 1-4
echo "== steps of equal number, in a merged stream"
tr-merge b.json a.json >both.trs
tr-breakdown --per step -O tsv both.trs | cut -f 1-5
# each PROGRAM ARGUMENTS: rows of both together are those of each alone
each()
{
    "$@" --per capture -O tsv -q a.json >want
    "$@" --per capture -O tsv -q b.json | sed 1d | awk -F '\t' -v OFS='\t' '{ $2 = 1; print }' >>want
    "$@" --per capture -O tsv -q b.json a.json | diff want - && echo "$*: each as alone"
}

for view in time idle gap kernel operator category sequence type size stream-idle; do
    each tr-breakdown --by $view
done
each tr-overlap
each tr-overlap --by state --classes compute,comm
each tr-launch
echo "== partial results of one capture each, in any order; the same moment twice is refused"
for view in time idle kernel operator category type; do
    for file in a b; do
        tr-breakdown --by $view -q --save-partial $file.part $file.json
    done
    tr-breakdown --by $view -O tsv -q a.json b.json >want
    tr-breakdown --by $view -q --save-partial both.part b.part a.part
    for inputs in 'a.part b.part' 'b.part a.part' 'b.part a.json' both.part; do
        tr-breakdown --by $view -O tsv -q $inputs | cmp - want
    done
    tr-breakdown --by $view -O tsv -q a.part a.part 2>&1
done
capture c.json 172800000050000 120 30
tr-breakdown --by kernel -q --save-partial b.part b.json
tr-breakdown --by kernel -q --save-partial c.part c.json
tr-breakdown --by kernel -O tsv b.part c.part | cut -f 1-5
tr-breakdown --by idle -q --save-partial c.part c.json
tr-breakdown --by idle -q --save-partial b.part b.json
tr-breakdown --by idle -O tsv b.part c.part 2>&1
for file in a b; do
    tr-breakdown --by step -q --save-partial $file.part $file.json
done
tr-breakdown --by step -O tsv a.part b.part 2>&1
echo "== ranks that the job has, and that are not there"
sed 's/"rank": 0/"rank": 2, "world_size": 5/' b.json >d.json
tr-breakdown --by kernel -q --save-partial d.part d.json
tr-breakdown --by kernel -q --save-partial b.part b.json
tr-breakdown --by kernel -O tsv b.part d.part 2>&1 >/dev/null
tr-breakdown --by kernel -O tsv --min-ranks 3 b.part d.json 2>&1 >/dev/null
echo "status $?"
echo "== two runs"
tr-diff --by steps -O tsv --base a.json b.json --test a.json b.json | cut -f 1-6
tr-diff --by step -O tsv -q --base a.json b.json --test a.json | cut -f 1-6
tr-diff --by headline -O tsv -q --base a.json b.json --test a.json
