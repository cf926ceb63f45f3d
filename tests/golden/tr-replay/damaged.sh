# Truth: an empty file and one that is no trace are refused; of a cut trace, what is complete counts; no operators: a
# list without items.
: >empty.json
tr-replay empty.json
echo "status $?"
echo 'no trace' >no.json
tr-replay -O python no.json >calls.py
echo "status $?"
tail -n 1 calls.py
echo '{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::relu", "pid": 1, "tid": 1, "ts": 1, "dur": 2, "args": {"Input Dims": [[2]], "Input type": ["float"]}}, {"ph": "X", "cat": "cpu' >cut.json
tr-replay -q -O tsv --columns name,calls,device,host,refused cut.json
echo '{"traceEvents": [{"ph": "X", "cat": "user_annotation", "name": "x", "pid": 1, "tid": 1, "ts": 1, "dur": 2}]}' >none.json
tr-replay -O json none.json
tr-replay -O tsv --columns name none.json
for options in '-O json --top 3' '-O python --columns name' '-O python --unit ns' '-O json --help-columns' '-O junk' '-n 0' '--per rank'; do
    # shellcheck disable=SC2086 # several words
    tr-replay $options cut.json 2>&1
    echo "status $?"
done
