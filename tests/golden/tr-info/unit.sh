# Truth: by hand.  Times of a trace in ns, in a field of us: the launch calls would last milliseconds, as the kernels.  In
# the second trace times count from 1970: in us, that is no time.  In the third they are beyond the year 2100.  The last
# one is in us: large kernels, short launches.
trace() # START SCALE: ends of ts and dur
{
    for i in 1 2 3; do
        echo "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 4, \"tid\": 4," \
            "\"ts\": ${1}1${i}000$2, \"dur\": $((2 + i))$2, \"args\": {\"correlation\": $i}},"
        echo "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": ${1}1${i}500$2," \
            "\"dur\": 3${i}$2, \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": $i}},"
    done
}
list() { echo '{"traceEvents": ['; cat; echo '{}]}'; }
trace '' 117 | list >plain.json
trace 17812345678 441 | list >since1970.json
trace 48123456 001 | list >late.json
trace 17812345 '' | sed 's/"dur": 3/"dur": 7000/' | list >us.json
for t in plain since1970 late us; do
    echo "$t"
    tr-info "$t.json" 2>&1 | grep -E 'ns in a field|nanoseconds|no problems'
    tr-report -q -O text --sections trust "$t.json" | grep -E 'ns in a field|nanoseconds|no problems'
    tr-info -q -O json "$t.json" | grep times_in_ns
done
