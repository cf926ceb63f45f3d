# Truth: oracle/report.py finds each figure in the output of the command above it; which sections there are, and their rows,
# by hand: all four operators of the made trace have 30 short kernels of 4 us each, so the page advises to look at these, and
# its commands run.  It has no shapes, and its second trace no operators: sections about these are not there.
cd "$SAMPLE" || exit 1
tr-report --sections timeline,short,shapes,parents,families,roofline --arch H100 rank0.json.gz
echo
tr-report --sections timeline,categories,parents,roofline --top 2 rank0.json.gz rank1.json.gz
echo
tr-report --sections categories --top 0 rank0.json.gz
tr-report -O json --sections shapes --top 1 rank0.json.gz
echo
cd "$OLDPWD" || exit 1
awk 'BEGIN {
    print "{\"distributedInfo\": {\"rank\": 0}, \"traceEvents\": ["
    for (i = 0; i < 120; i++) {
        t = 10 + 20 * i
        args = "{\"correlation\": " i + 1 ", \"device\": 0, \"stream\": 7}"
        printf "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 9},\n", i % 4, t
        printf "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 5, \"args\": %s},\n", t + 1, args
        printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": %d, \"dur\": 4, \"args\": %s}%s\n", t + 7, args, i < 119 ? "," : ""
    }
    print "]}"
}' >short.json
grep -v cpu_op short.json >none.json
tr-report --sections all short.json | grep '^#'
tr-report --sections next short.json | tee next
grep -A1 'fuse them' next | sed -n 's/^[$] //p' | sh
tr-report --sections short,operators,categories,shapes,parents,families,roofline none.json
