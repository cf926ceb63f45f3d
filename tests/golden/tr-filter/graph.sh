# Truth: by hand.  Two graphs, one of them without nodes; a kernel of no graph; a copy whose graph is 0, which is none.
cat >g.json <<'END'
{"traceEvents": [
{"ph": "X", "cat": "kernel", "name": "a", "pid": 0, "tid": 7, "ts": 1, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 3, "graph node id": 17}},
{"ph": "X", "cat": "kernel", "name": "b", "pid": 0, "tid": 7, "ts": 2, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 3, "graph node id": 18}},
{"ph": "X", "cat": "kernel", "name": "c", "pid": 0, "tid": 7, "ts": 3, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 4}},
{"ph": "X", "cat": "kernel", "name": "d", "pid": 0, "tid": 7, "ts": 4, "dur": 1, "args": {"device": 0, "stream": 7}},
{"ph": "X", "cat": "gpu_memcpy", "name": "e", "pid": 0, "tid": 7, "ts": 5, "dur": 1, "args": {"device": 0, "stream": 7, "graph id": 0}},
{"ph": "X", "cat": "cpu_op", "name": "f", "pid": 1, "tid": 1, "ts": 6, "dur": 1, "args": {"graph id": 3}}
]}
END
for where in 'graph_id == 3' 'graph_id != 3' 'graph_node >= 18' 'has(graph_id) && !has(graph_node)' '!has(graph_id)' 'graph_id in (4, 5)'; do
    echo "$where: $(tr-filter "$where" g.json | tr-view -O tsv --columns name - | tail -n +2 | tr '\n' ' ')"
done
tr-breakdown -O tsv --where 'graph_id == 3 && graph_node > 17' g.json | cut -f 1-5
