# Truth: by hand.  Two hosts, whose clocks differ by 1000 us: a window from the start of each is no window of both
# together, unless the clocks were aligned or one host is selected.  On one host, the window is 0..20 us: work in 0..10.
rank() {
    echo '{"distributedInfo": {"rank": '"$1"', "world_size": 2}, "hostname": "'"$2"'", "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": '"$3"', "dur": 10, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": '$(($3 + 50))', "dur": 10, "args": {"device": 0, "stream": 7}}]}'
}
rank 0 a 100 >0.json
rank 1 b 1100 >1.json
rank 1 a 100 >2.json
for by in time idle; do
    tr-breakdown --by $by --per all --time +0us..+20us -O tsv 0.json 1.json
    echo "status $?"
done 2>&1
tr-overlap --per all --time +0us..+20us -O tsv 0.json 1.json 2>&1
echo "status $?"
tr-breakdown --per all --time +0us..+20us --rank 1 -O tsv --columns span,busy 0.json 1.json
tr-breakdown -q --per all --time +0us..+20us -O tsv --columns span,busy 0.json 2.json
tr-breakdown -q --time +0us..+20us -O tsv --columns rank,span,busy 0.json 1.json
