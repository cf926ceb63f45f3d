# Truth: by hand.  PyTorch's names of recordings: two of the process 31 of a host, with kernels of 8, 7, ..., 1 us and
# of 16, 14, ..., 2 us, and one of process 32 between them, with those of the first.  The first six kernels are on the
# page, the others are 2 + 1 us and 4 + 2 us.  Nothing adds up over captures, and clocks matter between ranks only.
capture() # PID START FACTOR
{
    echo '{"traceEvents": ['
    echo "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"op\", \"pid\": $1, \"tid\": 1, \"ts\": $2, \"dur\": 1}"
    for k in 1 2 3 4 5 6 7 8; do
        echo ",{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k$k\", \"pid\": 0, \"tid\": 7, \"ts\": $(($2 + 20 * k)), \"dur\": $((k * $3)), \"args\": {\"device\": 0, \"stream\": 7}}"
    done
    echo ']}'
}
capture 31 1000 1 >node-1_31.1700000000001.pt.trace.json
capture 32 1100 1 >node-1_32.1700000000002.pt.trace.json
capture 31 9000 2 >node-1_31.1700000000003.pt.trace.json
cp node-1_31.1700000000001.pt.trace.json node-1_31.1700000000009.pt.trace.json
set -- node-1_31.1700000000001.pt.trace.json node-1_31.1700000000003.pt.trace.json
tr-report --sections trust,breakdown,idle,kernels,operators --top 6 "$@"
echo "== two processes, in any order"
tr-merge "$2" node-1_32.1700000000002.pt.trace.json "$1" | tr-info -q -O json | jq -c '.sources[] | [.rank, .capture, .name]'
tr-report --sections breakdown,kernels --top 6 "$2" node-1_32.1700000000002.pt.trace.json "$1"
tr-report --sections kernels --per rank --top 1 -O json "$2" node-1_32.1700000000002.pt.trace.json "$1"
echo "== one worker's name, at one time: not one process"
capture 33 1000 1 >worker.5.pt.trace.json
capture 34 1010 1 >worker.6.pt.trace.json
tr-merge worker.5.pt.trace.json worker.6.pt.trace.json | tr-info -q -O json | jq -c '.sources[] | [.rank, .capture]'
echo "== twice"
tr-report node-1_31.*.json 2>&1 || echo $?
