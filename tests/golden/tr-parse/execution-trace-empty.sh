# Truth: by hand.  An execution trace without a node is none, in each of its forms; with one node, it is one.
inputs=$(cd "$GOLDEN/../../fuzz/corpus" && pwd)
printf '{"schema": "1.1.1-chakra.0.0.4", "pid": 7, "time": "now", "start_ts": 1, "nodes": []}' >empty.json
printf '{"workload_graph": []}' >chakra.json
head -c 49 "$inputs/chakra/job.0.et" >empty.et # its first message
for f in empty.json chakra.json empty.et; do
    tr-parse -o out.trs $f
    echo "$? $(ls out.trs 2>/dev/null)"
done 2>&1
sed 's/\[\]/[{"id": 1, "name": "a", "inputs": [], "outputs": []}]/' empty.json >one.json
tr-view -q -O tsv --by nodes --columns id,name one.json
