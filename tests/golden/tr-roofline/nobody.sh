# Truth: by hand.  Work of no operator by what launched it, its name, and its node of a graph: a kernel and a copy without
# a graph, one graph launched twice, with the same kernel in two nodes; and work whose launch is not in the trace.
call() { printf '{"ph": "X", "cat": "%s", "name": "%s", "pid": 9, "tid": %s, "ts": %s, "dur": %s, "args": {%s}},\n' "$@"; }
work() { # CATEGORY NAME BEGIN DURATION CORRELATION [NODE]
    call "$1" "$2" 7 "$3" "$4" '"device": 0, "stream": 7, "correlation": '"$5${6:+, \"graph id\": 1, \"graph node id\": $6}"
}
{
    echo '{"traceEvents": ['
    call cpu_op aten::mm 9 0 20 '"Input Dims": [[2, 3], [3, 5]], "Input type": ["float", "float"]'
    call cuda_runtime cudaLaunchKernel 9 5 2 '"correlation": 1'
    work kernel gemm 10 10 1
    call cuda_runtime cudaLaunchKernel 9 30 2 '"correlation": 2'
    work kernel relu 40 4 2
    call cuda_runtime cudaMemcpyAsync 9 50 2 '"correlation": 3'
    work gpu_memcpy 'Memcpy HtoD (Pageable -> Device)' 60 7 3
    for i in 4 5; do
        call cuda_runtime cudaGraphLaunch 9 ${i}00 2 '"correlation": '$i
        work kernel relu ${i}10 1 $i 11
        work kernel relu ${i}20 2 $i 12
    done
    work kernel lost 600 3 99
    echo '{"ph": "M", "name": "x", "pid": 0}]}'
} >t.json
for by in operator operator,api operator,kernel operator,api,kernel operator,api,kernel,node; do
    tr-roofline --by $by --columns all -O tsv t.json | cut -f 1-10
done
tr-roofline --by operator,api,kernel --per all --save-partial part.trs t.json
tr-roofline --by operator,api,kernel --per all --columns name,api,kernel,device -O tsv part.trs
