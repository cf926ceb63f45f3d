# Truth: by hand.  Five runs of three steps of 100, 102, 104 us, on the average; from the third on, each takes 10 us
# more, and devices, which work for half of a step, 5 us.  Steps vary by 2 us, so the mean of three by sqrt(4 / 3), and
# the difference of levels of two and three of these by sqrt(4 / 3 * 5 / 6): 9.49 times this are 10 us.
# run NUMBER MORE: run NUMBER, whose steps take so many us more
run()
{
    awk -v more="$2" -v n="$1" 'BEGIN {
        print "{\"distributedInfo\": {\"rank\": 0}, \"traceEvents\": ["
        for (i = 0; i < 3; i++) {
            dur = 100 + 2 * i + more
            if (i) print ","
            printf "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": %d},", i, at, dur
            printf "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1, \"args\": {\"correlation\": %d}},", at + 1, i + 1
            printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": %d, \"args\": {\"correlation\": %d, \"device\": 0, \"stream\": 7}}", at + 5, 50 + i + more / 2, i + 1
            at += dur
        }
        print "]}" }' >run$1.json
}
for i in 1 2 3 4 5; do
    run $i $((i < 3 ? 0 : 10))
done
exec 2>&1
tr-diff -O tsv run1.json run2.json run3.json run4.json run5.json
echo "== from partial results, asked for by name"
for i in 1 2 3; do
    tr-diff --save-partial $i.part run$i.json
done
tr-diff --by trend -q -O tsv 1.part 2.part 3.part run4.json run5.json | grep -E '^(metric|step_time)'
echo "== no change"
tr-diff -O text run1.json run2.json run1.json --columns metric,run,value,before
echo "== usage"
for args in '--fail-if diff_us>1us run1.json run2.json' '--by trend,kernel run1.json run2.json' '--by trend run1.json' \
    '--by trend --base run1.json' '--by trend -O junit run1.json run2.json'; do
    tr-diff --by trend $args
    echo "status $?"
done
