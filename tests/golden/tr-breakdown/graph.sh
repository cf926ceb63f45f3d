# Truth: by hand.  Graph 5 is launched twice: nodes 11 (10 and 20 us) and 12 (5 and 7 us), which in the second launch come in the other
# order.  HIP's graph has no number: three launches of a, b, a (1, 2, 3 us each, the last one's first 2 us longer), and one of a, b,
# another graph.  Of CUDA, k has no launch, only numbers.  x is no part of a graph, nor is y, whose graph is 0.
dev() { # NAME TS DUR STREAM CORRELATION [MORE]
    printf '{"ph": "X", "cat": "kernel", "name": "%s", "pid": 0, "tid": %s, "ts": %s, "dur": %s, "args": {"device": 0, "stream": %s, "correlation": %s%s}},\n' \
        "$1" "$4" "$2" "$3" "$4" "$5" "$6"
}
call() { # NAME TS CORRELATION
    printf '{"ph": "X", "cat": "cuda_runtime", "name": "%s", "pid": 9, "tid": 9, "ts": %s, "dur": 2, "args": {"correlation": %s}},\n' "$1" "$2" "$3"
}
node() { printf ', "graph id": %s, "graph node id": %s' "$1" "$2"; }
{
    echo '{"distributedInfo": {"rank": 2}, "traceEvents": ['
    call cudaGraphLaunch 0 1
    dev gemm 10 10 7 1 "$(node 5 11)"
    dev relu 20 5 7 1 "$(node 5 12)"
    call cudaGraphLaunch 30 2
    dev relu 40 7 7 2 "$(node 5 12)"
    dev gemm 50 20 7 2 "$(node 5 11)"
    for i in 3 4 5; do
        call hipGraphLaunch ${i}00 $i
        dev a ${i}10 $((i == 5 ? 3 : 1)) 7 $i
        dev b ${i}15 2 8 $i
        dev a ${i}20 3 8 $i
    done
    call hipGraphLaunch 600 6
    dev b 610 2 8 6
    dev a 605 1 7 6
    call cudaLaunchKernel 700 7
    dev x 710 1 7 7
    dev y 720 1 7 8 "$(node 0 0)"
    dev k 730 4 7 99 "$(node 6 1)"
    echo '{}]}'
} >t.json
tr-breakdown --by graph -O tsv t.json
tr-breakdown --by graph --where 'name != relu' --top 1 --columns graph,launches,name,count,sum_us,pct -O tsv t.json
echo "== attached"
printf 'node\tmodule\toperator\n11\tLinear\taten::mm\n12\tReLU\taten::relu\n11\tlater\tlater\n' >nodes.tsv
tr-breakdown --by graph --attach nodes.tsv --columns graph,node,name,module,operator,count -O tsv t.json
printf 'graph\tposition\tname\tlayer\r\n#1\t2\ta\t3\r\n#2\t0\ta\t\r\n' >nodes.tsv
tr-breakdown --by graph --attach nodes.tsv --columns graph,position,name,layer -O tsv t.json
for wrong in 'node\tnode\n' 'node\n1\n' 'graph\tx\n' 'node\tx\n1\n' 'node\t\n' ''; do
    # shellcheck disable=SC2059 # escapes are meant
    printf "$wrong" >wrong.tsv
    tr-breakdown --by graph --attach wrong.tsv t.json 2>&1
    echo "status $?"
done
tr-breakdown --by graph --attach absent.tsv t.json 2>&1
echo "status $?"
tr-breakdown --attach nodes.tsv t.json 2>&1
echo "status $?"
