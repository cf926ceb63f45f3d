# Truth: by hand.  Job of two ranks: the first event is at 1040 us, the other rank's at 3140 us of the same clock (its
# file counts from 1 ms and says 1140).  Selection moves no begin; hosts have one each until their clocks are aligned.
events() {
    printf '{"baseTimeNanoseconds": %d, "hostname": "%s", "distributedInfo": {"rank": %d}, "traceEvents": [
{"ph": "X", "cat": "cuda_runtime", "name": "launch", "pid": 1, "tid": 1, "ts": %d, "dur": 4, "args": {"correlation": 3}},
{"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": %d, "dur": 10, "args": {"correlation": 3, "device": 0, "stream": 7}},
{"ph": "X", "cat": "kernel", "name": "l", "pid": 0, "tid": 7, "ts": %d, "dur": 10, "args": {"device": 0, "stream": 7}}]}' "$@"
}
events 1000000 a 0 1040 1060 1090 >a.json
events 3000000 a 1 1140 1160 1190 >b.json
events 3000000 b 1 1140 1160 1190 >other.json
v() { tr-view -O tsv --columns rank,ts,end,launch_ts,name "$@"; echo "status $?"; }
v --relative a.json b.json
v --relative --rank 1 a.json b.json
tr-filter -q 'rank == 1' a.json b.json | v --relative
echo "== windows"
v --relative --time 2110..2125 a.json b.json
v --time +2110us..+2125us a.json b.json
v --time +2.12ms.. a.json b.json
v --time +9ms.. a.json b.json
v --time +1..5 a.json
tr-parse --no-sort -q a.json | v --relative
tr-parse --no-sort -q a.json | v --time +1..
echo "== two hosts, then one clock"
v --relative a.json other.json
v --time +15us..+45us a.json other.json
v --relative --time +15us..+45us a.json other.json
v --time +9ms.. a.json other.json
tr-filter --time +15us..+45us a.json other.json | v
printf 'rank\toffset_us\n0\t0\n1\t0\n' >offsets
tr-align -q --offsets offsets a.json other.json >aligned.trs
v --relative aligned.trs
tr-align -q --undo aligned.trs | v --relative
echo "== tables"
tr-breakdown --by gap --relative -O tsv a.json b.json | cut -f 1,2
tr-counters --by queue-series --relative -O tsv a.json b.json | cut -f 1,4
tr-sum --by 'bin(1ms)' --relative --stat count,first -O tsv --where 'activity == kernel' a.json b.json
echo "== windows of two hosts: k runs from 20 to 30, l from 50 to 60"
tr-breakdown --time +15us..+45us -O tsv a.json other.json | cut -f 1-4
tr-breakdown --by idle --time +15us..+45us -O tsv a.json other.json | cut -f 1-4
tr-overlap --time +15us..+45us -O tsv --per stream a.json other.json | cut -f 1-5
tr-overlap --by state --classes compute --time +15us..+45us -O tsv a.json other.json
tr-breakdown --by operator --time +25us..+45us -O tsv --columns rank,name,device_us a.json other.json
tr-sum --host-time +0us..+1us --by rank,name -O tsv --stat sum a.json other.json
tr-sum --time +25us..+45us --by rank,name -O tsv --stat sum a.json other.json
tr-critpath --time +25us..+55us -O tsv a.json other.json
tr-diff --time +25us..+55us --by name -O tsv a.json other.json | cut -f 1-6
tr-breakdown --by kernel --per all --time +25us..+45us -O tsv --columns name,count,sum a.json other.json
for table in time timeline idle; do
    tr-breakdown --by $table --per all --time +15us..+45us a.json other.json
    echo "status $?"
done
tr-overlap --per all --time +15us..+45us a.json other.json
echo "status $?"
tr-breakdown --per all --time +15us..+45us -O tsv aligned.trs | cut -f 1-3
echo "== refused"
tr-view --relative -O chrome a.json
tr-counters --relative a.json
tr-info --relative -O json a.json
