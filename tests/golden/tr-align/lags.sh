# Truth: by hand, and again from the events.  Work starts -30, 12 and 50 us after its launch on rank 2, -5.5 and 7 on
# rank 0, 3, 4 and 9 on rank 1, whose device stays.  A device moves so that its shortest lag is 0, and the longest with it.
trace()
{
    rank=$1
    shift
    printf '{"distributedInfo": {"rank": %d}, "traceEvents": [\n' "$rank"
    k=0
    for lag; do
        k=$((k + 1))
        cat <<END
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": ${k}000, "dur": 2, "args": {"correlation": $k}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": $(awk "BEGIN { printf \"%.3f\", ${k}000 + $lag }"),
 "dur": 9, "args": {"device": 0, "stream": 7, "correlation": $k}},
END
    done
    printf '{"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "ts": 0}]}\n'
}
said() { tr-info -O json "$1" | awk '/"rank":/ { r = $2 } /lag_m/ { print "rank", r, $1, $2 }' | tr -d ',":' | sort; }
seen()
{
    tr-view -O tsv --columns rank,activity,ts,launch_ts "$1" | awk -F '\t' '
        $2 != "kernel" { next }
        { lag = sprintf("%.0f", ($3 - $4) * 1000) + 0 }
        !($1 in min) || lag < min[$1] { min[$1] = lag }
        !($1 in max) || lag > max[$1] { max[$1] = lag }
        END { for (r in min) printf "rank %s lag_max_ns %d\nrank %s lag_min_ns %d\n", r, max[r], r, min[r] }' | sort
}
trace 2 -30 12 50 >a.json
trace 0 -5.5 7 >b.json
trace 1 3 4 9 >c.json
printf '0\t0\n1\t250\n2\t-100\n' >offsets.tsv
tr-merge a.json b.json c.json >before.trs
tr-align --device --offsets offsets.tsv before.trs >after.trs
tr-align --undo after.trs >undone.trs
for s in before after undone; do
    echo "== $s"
    said $s.trs >said
    seen $s.trs >seen
    cat said
    diff said seen
done
