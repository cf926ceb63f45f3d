# Truth: by hand.  The arrows of a rank share a category, with a * in place of the number of each; the JSON has the
# numbers again.  Texts that an integer does not give back, and categories of other events, stay as they are.
trace()
{
    echo '{ "traceEvents":['
    for k in 1 2 3; do
        cat <<END
{"ph": "X", "tid": 5$1, "pid": 5$1, "name": "zeCommandQueueExecuteCommandLists", "cat": "cpu_op", "ts": $k$1.000000, "dur": 2.000000, "id": 0},
{"ph": "s", "tid": 5$1, "pid": 5$1, "name": "dep", "cat": "Flow_H2D_${k}0_$1", "ts": $k$1.000000, "id": ${k}0},
{"ph": "X", "tid": 9$1, "pid": 9$1, "name": "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", "cat": "gpu_op", "ts": $k$1.500000, "dur": 4.000000, "args": {"id": "${k}0"}},
{"ph": "t", "tid": 9$1, "pid": 9$1, "name": "dep", "cat": "Flow_H2D_${k}0_$1", "ts": $k$1.500000, "id": ${k}0},
{"ph": "s", "tid": 9$1, "pid": 9$1, "name": "dep", "cat": "Flow_D2H_${k}0_$1", "ts": $k$1.500000, "id": ${k}0},
END
    done
    cat <<END
{"cat": "Flow_H2D_7_$1", "ph": "s", "tid": 5$1, "pid": 5$1, "ts": 70.000000, "id": 7},
{"ph": "s", "cat": "CL_Flow_H2D_999999999999999999_$1", "tid": 5$1, "pid": 5$1, "ts": 71.000000, "id": 7},
{"ph": "t", "cat": "CL_Flow_H2D_9999999999999999999_$1", "tid": 5$1, "pid": 5$1, "ts": 72.000000, "id": 7},
{"ph": "f", "cat": "Flow_D2H_007_$1", "tid": 5$1, "pid": 5$1, "ts": 73.000000, "id": 7},
{"ph": "f", "cat": "Flow_D2H_0_$1", "tid": 5$1, "pid": 5$1, "ts": 74.000000, "id": 7},
{"ph": "f", "cat": "Flow_D2H_*_$1", "tid": 5$1, "pid": 5$1, "ts": 75.000000, "id": 7},
{"ph": "f", "cat": "Flow_D2H_8_$1x", "tid": 5$1, "pid": 5$1, "ts": 76.000000, "id": 7},
{"ph": "X", "cat": "Flow_D2H_8_$1", "tid": 5$1, "pid": 5$1, "ts": 77.000000, "dur": 1.000000, "name": "x"}
]
}
END
}
trace 0 >app.50.0.json
trace 1 >app.51.1.json
tr-merge -q -o all.trs app.*.json
for n in 0 1; do # each has its own events again
    tr-filter -q "rank == $n" all.trs | tr-view -q -O chrome - | grep -o '"cat":"[^"]*"' >back
    sort back >back.sorted
    grep -o '"cat": "[^"]*"' app.5$n.$n.json | sed 's/: /:/' | sort | diff - back.sorted && echo same
done
tr-sum -q --by cat --stat count -O tsv all.trs
tr-view -q -O tsv --columns ts,rank,name,launch_ts --where 'kind == compute' all.trs
tr-filter -q -c 'cat =~ "^Flow_H2D_"' all.trs
tr-critpath -q --by path --columns record,name,edge app.50.0.json
# The same with any number of threads, and if no event is like another: blanks are of another number in each.
tr-merge -q --no-provenance -j1 app.*.json | cksum >one
tr-merge -q --no-provenance -j2 app.*.json | cksum | diff one - && echo same
tr-merge -q --no-provenance -j4 app.*.json | cksum | diff one - && echo same
mkdir blanks
for f in app.*.json; do
    awk '{ sub(/"ts": /, sprintf("\"ts\":%" NR + 1 "s", "")); print }' $f >blanks/$f
done
tr-view -q -O chrome all.trs >all.json
tr-merge -q blanks/app.*.json | tr-view -q -O chrome - | cmp - all.json && echo same
tr-filter -q --redact 'phase == flow_start' all.trs | tr-view -q -O chrome - | grep -c '"cat":"[^*]*"'
