# Truth: by hand.  On thread 7, b begins in a and ends after it, c in b likewise but after a, d is nested in b and c but
# overlaps none, e begins 3 ns before c ends, f is apart, g overlaps f and has its own B and E; h is of another thread.
cat > overlap.json <<'END'
[{"ph": "X", "name": "a", "pid": 1, "tid": 7, "ts": 0, "dur": 10, "id": 3},
{"ph": "X", "name": "b", "cat": "x", "pid": 1, "tid": 7, "ts": 5, "dur": 15, "args": {"k": 1}},
{"ph": "X", "name": "h", "pid": 1, "tid": 8, "ts": 6, "dur": 50},
{"ph": "X", "name": "c", "pid": 1, "tid": 7, "ts": 12, "dur": 18},
{"ph": "X", "name": "d", "pid": 1, "tid": 7, "ts": 13, "dur": 4},
{"ph": "X", "name": "e", "pid": 1, "tid": 7, "ts": 29.997, "dur": 4},
{"ph": "X", "name": "f", "pid": 1, "tid": 7, "ts": 40, "dur": 4},
{"ph": "B", "name": "g", "pid": 1, "tid": 7, "ts": 43},
{"ph": "X", "name": "zero", "pid": 1, "tid": 7, "ts": 44, "dur": 0},
{"ph": "E", "pid": 1, "tid": 7, "ts": 47},
{"ph": "X", "name": "no thread", "pid": 1, "ts": 50, "dur": 4},
{"ph": "M", "name": "thread_name", "pid": 1, "tid": 7, "args": {"name": "main"}}
]
END
for how in keep lane drop shift async; do
    echo "== $how"
    tr-view --overlap $how -O tsv --columns lane,ts,dur,phase,tid,name overlap.json 2>&1
    tr-view -q --overlap $how -O chrome overlap.json
done
echo "== of two sources"
tr-view -q --renumber --overlap lane -O chrome overlap.json overlap.json | grep -F '(2)'
tr-view -q --renumber --overlap async -O chrome overlap.json overlap.json | grep -F overlap-1
echo "== in Perfetto's format"
for how in keep lane drop; do
    tr-view -q --overlap $how -O perfetto overlap.json | tr -c '[:print:]' '\n' | grep -cF 'main (2)'
done
echo "== selected events alone"
tr-view --overlap drop --where 'name in ("b", "c", "g")' -O tsv --columns name overlap.json
tr-view --overlap lane --by x overlap.json
