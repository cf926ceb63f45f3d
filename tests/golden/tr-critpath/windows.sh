# Truth: by hand.  Three windows of 10 us with one operator each, of 2, 3 and 4 us, 10 us apart; the second is step 2.  A
# kernel belongs to the window of its launch.
{
    echo '{"traceEvents": ['
    for i in 1 2 3; do
        t=$((i * 20))
        cat <<END
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#$i", "pid": 1, "tid": 1, "ts": $t, "dur": 10},
{"ph": "X", "cat": "cpu_op", "name": "op$i", "pid": 1, "tid": 1, "ts": $((t + 1)), "dur": $((i + 1))},
{"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": $((t + 1)), "dur": 1, "args": {"correlation": $i}},
{"ph": "X", "cat": "kernel", "name": "k$i", "pid": 0, "tid": 7, "ts": $((t + 19)), "dur": 0.25, "args": {"device": 0, "stream": 7, "correlation": $i}},
END
    done
    echo '{"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "ts": 0}]}'
} >t.json
records() { tr-critpath --by edge -O tsv "$@" t.json | awk -F '\t' 'NR > 1 { n[$2]; n[$5] } END { for (i in n) print i }' | sort -n | tr '\n' ' '; echo; }
records
records --annotation Step
records --annotation Step --instance 2
records --annotation '#' --instance 0..1
records --step 2
records --step 2..3
records --host-time 40..61us
records --drop-last-step
records --where 'name != "op1" && name != "k3"'
records --time 41..43us
echo "== clipped"
tr-critpath --time 42.5..59.1us --by path -O tsv t.json | cut -f 2-
